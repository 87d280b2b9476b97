package settlement

import (
	"log/slog"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/payments/transaction"
)

// What goes wrong inside is told to the log and not to the client.
func TestWhatCannotBeCheckedIsNoClientsBusiness(t *testing.T) {
	var said strings.Builder
	s := &Service{Deps: Deps{Log: slog.New(slog.NewTextHandler(&said, nil))}}

	var p transaction.Payment
	p.BankSnapshot = "{"
	require.Equal(t, map[string]string{"bankAccount": "this cannot be checked at the moment"}, s.Carries(p, "SEPA"))
	require.Contains(t, said.String(), "bank account of payment 0")
}

func TestAPlaceInAPaymentFileIsAFieldOfTheClients(t *testing.T) {
	for path, field := range map[string]string{
		"creditor/name":        "receiver",
		"remittance":           "reason",
		"reference":            "reference",
		"amount":               "amount",
		"creditorAccount/iban": "bankAccount",
		"":                     "bankAccount",
	} {
		t.Run(path, func(t *testing.T) { require.Equal(t, field, fieldOf(path)) })
	}
}
