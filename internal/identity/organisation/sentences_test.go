package organisation_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/core/money"
	"slipway/internal/identity/organisation"
)

// Each sentence follows from the values, and says what is allowed where a rule is off.
func TestSentencesFollowFromThePolicy(t *testing.T) {
	limit := func(code, units string) money.Amount {
		a, err := money.Parse(money.Asset{Code: code, Decimals: 2}, units)
		require.NoError(t, err)

		return a
	}

	texts := func(p organisation.Policy) map[string]string {
		out := map[string]string{}
		for _, s := range p.Sentences() {
			out[s.Rule] = s.Text
		}

		return out
	}

	off := texts(organisation.Policy{})
	require.Len(t, off, 6)
	require.Equal(t, "One person may prepare a payment and accept it.", off["FOUR_EYES"])
	require.Equal(t, "A new bank account or wallet is paid at once.", off["PAYEE_DELAY"])

	on := texts(organisation.Policy{
		FourEyes:   true,
		Limits:     map[string]money.Amount{"EUR": limit("EUR", "100.00"), "CHF": limit("CHF", "90.00")},
		PayeeDelay: 24 * time.Hour,
		DailyCaps:  map[string]money.Amount{"USDC": limit("USDC", "500.00")},
		AcceptRules: []organisation.AcceptRule{
			{People: 2},
			{Currency: "EUR", Above: "900.00", Type: "FIAT", People: 3},
		},
	})
	require.Contains(t, on["FOUR_EYES"], "does not accept it. Whoever has only approved a payable in it may.")
	require.Contains(t, on["FOUR_EYES"], "Up to 90.00 CHF or 100.00 EUR one person is enough.")
	require.Equal(t, "Nothing is paid to a new bank account or wallet for 24 hours.", on["PAYEE_DELAY"])
	require.Equal(
		t,
		"Nothing is paid from a wallet that lets more be taken in a day than 500.00 USDC.",
		on["DAILY_CAPS"],
	)
	require.Equal(
		t,
		"2 people accept every payment together; 3 people accept every payment to bank accounts above 900.00 EUR together. "+
			"The first agree, the last one accepts.",
		on["ACCEPT_RULES"],
	)
	require.NotContains(t, texts(organisation.Policy{FourEyes: true})["FOUR_EYES"], "Up to")
}
