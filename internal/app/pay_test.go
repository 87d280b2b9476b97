//go:build !nosandbox

package app_test

import (
	"testing"

	"slipway/internal/app/apptest"
	"slipway/internal/payments/transaction"
)

// How transactions and payments end, for tests that say it often.
const (
	completed = transaction.StatusCompleted
	failed    = transaction.StatusFailed
	paid      = transaction.PaymentCompleted
	refunded  = transaction.PaymentRefunded
)

// M-04, M-05: the whole way, once.
func TestPaymentGoesItsWholeWay(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		id := c.Accepted("USDC", "1250.50", "399.999999")
		h.Settle()
		c.Ends(id, transaction.StatusCompleted, transaction.PaymentCompleted, transaction.PaymentCompleted)
		h.Oracle()
	})
}
