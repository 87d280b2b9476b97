package organisation

import (
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/core/money"
)

func amount(t *testing.T, code, text string) money.Amount {
	t.Helper()
	a, err := money.ParseOrZero(money.Asset{Code: code, Decimals: 6}, text)
	require.NoError(t, err)

	return a
}

// TestTheStrictestRuleCounts (Z-12): of the rules that are about a transaction, the one with the most people; a rule
// holds above its amount, of what is paid or of what it costs, and for its type.
func TestTheStrictestRuleCounts(t *testing.T) {
	p := Policy{AcceptRules: []AcceptRule{
		{Currency: "EUR", Above: "1000", People: 2},
		{Currency: "EUR", Above: "5000", People: 3},
		{Currency: "USDC", Above: "2000", Type: "CRYPTO", People: 4},
	}}

	for _, c := range []struct {
		kind, paid, debit string
		people            int
	}{
		{"FIAT", "1000", "1100", 1},
		{"FIAT", "1000.01", "1100", 2},
		{"FIAT", "5000.01", "5500", 3},
		{"FIAT", "10", "2000.01", 1},
		{"CRYPTO", "0", "2000.01", 4},
		{"CRYPTO", "0", "2000", 1},
	} {
		sums := []money.Amount{amount(t, "EUR", c.paid)}
		require.Equal(t, c.people, p.Accepters(c.kind, sums, amount(t, "USDC", c.debit)), c)
	}

	require.Equal(t, 1, Policy{}.Accepters("FIAT", nil, amount(t, "USDC", "1")))
}

// TestARuleIsCoveredByAStricterOne: a change of rules asks for less if something that needed so many people could be
// accepted by fewer.
func TestARuleIsCoveredByAStricterOne(t *testing.T) {
	was := AcceptRule{Currency: "EUR", Above: "1000", Type: "FIAT", People: 2}

	for _, r := range []AcceptRule{
		was,
		{Currency: "EUR", Above: "999", Type: "FIAT", People: 2},
		{Currency: "EUR", Above: "1000", People: 2},
		{Currency: "EUR", Above: "1000", Type: "FIAT", People: 3},
		{People: 2},
	} {
		require.False(t, rulesWeaker([]AcceptRule{r}, []AcceptRule{was}), r)
	}

	for _, r := range []AcceptRule{
		{Currency: "EUR", Above: "1000.01", Type: "FIAT", People: 2},
		{Currency: "EUR", Above: "1000", Type: "CRYPTO", People: 2},
		{Currency: "USD", Above: "1000", Type: "FIAT", People: 2},
		{Type: "CRYPTO", People: 5},
	} {
		require.True(t, rulesWeaker([]AcceptRule{r}, []AcceptRule{was}), r)
	}

	require.True(t, rulesWeaker([]AcceptRule{{People: 2}}, []AcceptRule{{People: 3}}))
	require.True(t, rulesWeaker(nil, []AcceptRule{was}))
}
