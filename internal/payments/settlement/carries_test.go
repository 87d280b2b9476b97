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
	require.Equal(t, map[string]string{"bankAccount": "this cannot be found out at the moment"}, s.Carries(p, "SEPA"))
	require.Contains(t, said.String(), "bank account of payment 0")
}
