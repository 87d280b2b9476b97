//go:build !nosandbox

package app_test

import (
	"testing"

	"slipway/internal/app/apptest"
	"slipway/internal/payments/transaction"
	"slipway/internal/rails/bank/banksim"
)

// The whole way of a FIAT transaction, once, in every currency with a rail of its own and one without.
func TestFiatGoesItsWholeWay(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		var payments []apptest.Object
		for _, currency := range []string{"EUR", "GBP", "USD", "INR", "AED"} {
			payments = append(payments, c.FiatPayment(c.NewBankAccount(currency, "100"), "1250.50"))
		}
		id := c.FiatAccepted("USDC", payments...)
		h.SettleAll()
		v := c.Ends(id, transaction.StatusCompleted, transaction.PaymentCompleted, transaction.PaymentCompleted, transaction.PaymentCompleted, transaction.PaymentCompleted,
			transaction.PaymentCompleted)
		if v.Settlement != "SETTLED" {
			t.Fatal(v.Settlement, v.StatusInfo)
		}
		h.Oracle()
	})
}

// The whole way of an ONRAMP transaction, once.
func TestOnrampGoesItsWholeWay(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		id, reference := c.OnrampSubmitted("USDC", "EUR", "2500.00")
		h.Deposit(banksim.Deposit{Currency: "EUR", Amount: "2500.00", Reference: reference, Sender: c.Name()})
		h.BankUntil("delivered", func() bool { return c.Read(id).Status == transaction.StatusCompleted })
		h.Oracle()
	})
}
