package bank

import (
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/standards/iso20022/camt"
	"slipway/internal/standards/iso20022/pain"
)

// The other side of a movement is the debtor of a credit and the creditor of a debit, with the bank of that side: a
// deposit goes back there.
func TestCounterparty(t *testing.T) {
	d := camt.Detail{
		Debtor:           camt.Party{Name: "Payer"},
		UltimateCreditor: "Payee",
		DebtorAgentBIC:   "AGRIFRPP",
		CreditorAgentBIC: "COBADEFF",
	}

	p, bic := counterparty(true, &d)
	require.Equal(t, []string{"Payer", "AGRIFRPP"}, []string{p.Name, bic})

	p, bic = counterparty(false, &d)
	require.Equal(t, []string{"Payee", "COBADEFF"}, []string{p.Name, bic})
}

// Each rail is written as the service of its own clearing: a wrong one sends a payment another way.
func TestServices(t *testing.T) {
	require.Equal(t, map[string]pain.Service{
		"SEPA":            pain.SEPA,
		"SEPA_INSTANT":    pain.SEPAInstant,
		"FASTER_PAYMENTS": pain.UK,
		"CHAPS":           pain.CHAPS,
		"ACH":             pain.ACH,
		"FEDWIRE":         pain.Wire,
		"NEFT":            pain.India,
		"IMPS":            pain.IMPS,
		"SIC":             pain.SIC,
		"SWIFT":           pain.SWIFT,
	}, services())
}
