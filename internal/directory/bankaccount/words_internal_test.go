package bankaccount

import (
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/words"
)

// Whoever is told that his account was changed reads what of it in his language.
func TestEveryFieldOfAnAccountHasANameInMails(t *testing.T) {
	other := Account{
		Receiver:      "x",
		Country:       "x",
		Currency:      "x",
		IBAN:          "x",
		BIC:           "x",
		AccountNumber: "x",
		SortCode:      "x",
		RoutingNumber: "x",
		IFSC:          "x",
		AccountType:   "x",
		ACHSaid:       "x",
		FedSaid:       "x",
		Bank:          Bank{Name: "x"},
	}

	moved := changed(Account{}, other)
	require.Len(t, moved, len(fieldWords))

	for _, name := range moved {
		require.True(t, words.Must().In("en").Knows(fieldWords[name]), name)
	}

	german := words.Must().In("de").Said(inMail([]string{"bicSwift", "iban"}), func(s string) string { return s })
	require.Equal(t, "der BIC, die IBAN", german)
}
