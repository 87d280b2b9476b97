package settlement

import (
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/directory/receiver"
	"slipway/internal/payments/transaction"
)

// What a bank's file calls somebody is what screening was asked about: an individual may have a legal name besides.
func TestABankGetsTheNameThatWasScreened(t *testing.T) {
	for _, r := range []receiver.Receiver{
		{Type: receiver.Individual, FirstName: "Ada", MiddleName: "M.", LastName: "Lovelace"},
		{Type: receiver.Individual, FirstName: "Ada", LastName: "Lovelace", LegalName: "Another One AG"},
		{Type: receiver.Individual, LastName: "Lovelace"},
		{Type: receiver.Individual, FirstName: "Suharto"},
		{Type: receiver.Company, FirstName: "Ada", LastName: "Lovelace", LegalName: "Acme AG"},
	} {
		p := transaction.Payment{Snapshot: transaction.CreditorSnapshot(r)}

		creditor, err := p.Creditor()
		require.NoError(t, err)
		require.Equal(t, r.Name(), partyOf(creditor).Name)
		require.NotContains(t, "."+r.Name()+".", " .", "of a person with one name, this name alone")

		if r.MiddleName == "" {
			require.Equal(t, r.Name(), p.Payee())
		}
	}
}
