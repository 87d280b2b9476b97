package bank

import (
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/standards/iso20022/camt"
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
