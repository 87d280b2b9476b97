package organisation

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/core/money"
)

func amountOf(code, s string, decimals int) money.Amount {
	a, err := money.Parse(money.Asset{Code: code, Decimals: decimals}, s)
	if err != nil {
		panic(err) // fixed texts
	}

	return a
}

func limits(pairs ...string) map[string]money.Amount {
	out := map[string]money.Amount{}
	for i := 0; i < len(pairs); i += 2 {
		out[pairs[i]] = amountOf(pairs[i], pairs[i+1], limitDecimals)
	}

	return out
}

// Z-07: up to which sums one person is enough.
func TestOnePersonPays(t *testing.T) {
	on := func(pairs ...string) Policy { return Policy{FourEyes: true, Limits: limits(pairs...)} }
	eur := amountOf("EUR", "100.00", 2)
	gbp := amountOf("GBP", "50.00", 2)

	usdc := amountOf("USDC", "200", 18)
	for _, c := range []struct {
		name   string
		policy Policy
		sums   []money.Amount
		want   bool
	}{
		{"off", Policy{Limits: limits("EUR", "1")}, []money.Amount{eur}, true},
		{"no limit", on(), []money.Amount{eur}, false},
		{"exactly the limit", on("EUR", "100"), []money.Amount{eur}, true},
		{"above it by the least", on("EUR", "99.999999"), []money.Amount{eur}, false},
		{"a token with more decimals than the limit", on("USDC", "200"), []money.Amount{usdc}, true},
		{"what it costs is within the token's limit", on("USDC", "200"), []money.Amount{eur, gbp}, true},
		{"what it costs is above it", on("USDC", "199"), []money.Amount{eur}, false},
		{"its own limit counts, not what it costs", on("EUR", "99", "USDC", "1000"), []money.Amount{eur}, false},
		{"one of two is above", on("EUR", "100", "GBP", "49"), []money.Amount{eur, gbp}, false},
		{"one of two has no limit", on("EUR", "100"), []money.Amount{eur, gbp}, false},
	} {
		require.Equal(t, c.want, c.policy.OnePersonPays(c.sums, usdc), c.name)
	}
}

// Every respect in which a policy can ask for less; all others are in force without a second admin.
func TestWeakerPolicies(t *testing.T) {
	strict := Policy{
		FourEyes:      true,
		Limits:        limits("EUR", "100"),
		PayeeApproval: true,
		PayeeDelay:    time.Hour,
		SignedIntents: true,
		DailyCaps:     limits("USDC", "500"),
	}

	but := func(change func(*Policy)) Policy {
		p := strict
		change(&p)
		return p
	}
	for name, c := range map[string]struct {
		next Policy
		want bool
	}{
		"the same":             {strict, false},
		"no four eyes":         {but(func(p *Policy) { p.FourEyes = false }), true},
		"payees not approved":  {but(func(p *Policy) { p.PayeeApproval = false }), true},
		"shorter delay":        {but(func(p *Policy) { p.PayeeDelay-- }), true},
		"longer delay":         {but(func(p *Policy) { p.PayeeDelay++ }), false},
		"higher limit":         {but(func(p *Policy) { p.Limits = limits("EUR", "100.000001") }), true},
		"lower limit":          {but(func(p *Policy) { p.Limits = limits("EUR", "99") }), false},
		"limit where none was": {but(func(p *Policy) { p.Limits = limits("EUR", "100", "GBP", "1") }), true},
		"no signatures":        {but(func(p *Policy) { p.SignedIntents = false }), true},
		"no daily cap":         {but(func(p *Policy) { p.DailyCaps = nil }), true},
		"higher daily cap":     {but(func(p *Policy) { p.DailyCaps = limits("USDC", "500.000001") }), true},
		"lower daily cap":      {but(func(p *Policy) { p.DailyCaps = limits("USDC", "499") }), false},
		"one daily cap more":   {but(func(p *Policy) { p.DailyCaps = limits("USDC", "500", "DAI", "1") }), false},
		"no limit any more":    {but(func(p *Policy) { p.Limits = nil }), false},
		"lower one, other gone": {but(func(p *Policy) {
			p.Limits = limits("EUR", "1")
			p.PayeeApproval = false
		}), true},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, c.want, c.next.weakerThan(strict))
		})
	}

	both := Policy{FourEyes: true, Limits: limits("EUR", "100", "GBP", "1")}
	require.True(t, Policy{
		FourEyes: true,
		Limits:   limits("EUR", "100"),
	}.weakerThan(both), "what pounds cost in euros counts now")
	require.False(t, Policy{FourEyes: true}.weakerThan(both), "nobody pays alone any more")
	require.False(t, strict.weakerThan(Policy{}), "where four eyes were off, limits are no weakening")
}

func TestLimitsAreReadAsTheyWereWritten(t *testing.T) {
	for _, l := range []map[string]money.Amount{{}, limits("EUR", "100.5"), limits("USDC", "0.000001", "CHF", "99999999999999", "DAI", "1")} {
		back, err := readLimits(writeLimits(l))
		require.NoError(t, err)
		require.Equal(t, writeLimits(l), writeLimits(back))
		require.Len(t, back, len(l))
	}

	_, err := readLimits("EUR=x")
	require.Error(t, err)
}
