//go:build !nosandbox

package settlement_test

import (
	"math/big"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/app/apptest"
	"slipway/internal/core/fault"
	"slipway/internal/payments/settlement"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
	"slipway/internal/rails/bank"
	"slipway/internal/rails/bank/banksim"
)

// owes has an organisation owe the house something, as after a reversed deposit, until the function is called.
func owes(h *apptest.Harness, organisation string) (settled func()) {
	h.Exec(
		`INSERT INTO receivables (id, organisation, transaction_id, currency, decimals, units, owed, state, created_at)
			VALUES ('ent_x', ?, 'txn_x', 'EUR', 2, '1', '1', 'OPEN', 1)`,
		organisation,
	)

	return func() { h.Exec("UPDATE receivables SET state = 'SETTLED'") }
}

// D-08: what is held for an organisation that owes ends like every other transaction: a review may refuse it, and
// when its wallet no longer has the tokens it is FAILED and nothing stays reserved or on hold.
func TestWhatIsHeldBeforeThePullCanEnd(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		staff := h.Person("Sam")
		c.StaySignedIn()
		staff.Staff("operator")
		settle := owes(h, c.Org)
		account := c.NewBankAccount("EUR", "100")
		poor := c.FiatAccepted("USDC", c.FiatPayment(account, "100.00"))
		refused := c.FiatAccepted("USDC", c.FiatPayment(account, "100.00"))
		h.Until("held", func() bool {
			return c.Read(poor).Settlement == "ON_HOLD" && c.Read(refused).Settlement == "ON_HOLD"
		})
		staff.Do("POST", "/transactions/"+refused+"/reject", apptest.Object{"reason": "sanctions"}).OK(200)
		require.Equal(t, "IDLE", c.Read(refused).Settlement)

		h.Approve(h.World.Token("USDC"), c.Payer, new(big.Int))
		settle()

		h.BankUntil("failed", func() bool {
			h.DB().Clock().Advance(time.Minute)
			require.NoError(t, h.App.Settlement.Sweep(t.Context()))
			return c.Read(poor).Status == failed
		})

		require.Contains(t, c.Ends(poor, failed, transaction.PaymentFailed).StatusInfo, "has approved")
		require.Zero(t, h.Count("SELECT count(*) FROM reservations WHERE released_at = 0"))
		require.Zero(t, h.Count("SELECT count(*) FROM chain_sends"))

		h.Exec("DELETE FROM receivables")
		h.Oracle()
	})
}

// F-02, D-09: a returned payment is paid again and it is not known whether its file arrived: the payment is UNKNOWN,
// and whatever the bank says of it afterwards counts.
func TestResentPaymentMayBeUnknown(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		two := h.Operators()
		c.StaySignedIn()
		require.NoError(t, h.DB().Write(t.Context(), func(tx *db.Tx) error {
			return settlement.SetPolicy(t.Context(), tx, c.Org, settlement.PolicyResend, "ann")
		}))

		id := c.FiatAccepted("USDC", c.FiatPayment(c.NewBankAccount("EUR", "100"), "100.00"))
		h.SettleAll()
		h.Control(banksim.Control{Op: "late_return", EndToEndID: h.EndToEnd(id, 0), Reason: "AC04"})
		h.BankUntil("returned", func() bool { return c.Read(id).Settlement == "RETURNED" })
		settle := owes(h, c.Org)
		ask := func(action string) apptest.Answer {
			body := apptest.Object{"payment": 1, "action": action}
			return two.Do("POST", "/operations/transactions/"+id+"/returns", body)
		}
		require.Contains(t, ask("RESEND").Refused(409, "RETURN_NOT_OPEN").Raw, "owes", "D-08")
		require.Contains(t, ask("RECREDIT").Refused(409, "RETURN_NOT_OPEN").Raw, "owes", "D-08")

		settle()
		h.Exec("DELETE FROM receivables")
		dbtest.Replace(t, h.DB(), transaction.Sealed()[0], "CH", "DE")
		require.Contains(t, ask("RESEND").Refused(409, "RETURN_NOT_OPEN").Raw, "not what was submitted", "I8")

		dbtest.Replace(t, h.DB(), transaction.Sealed()[0], "DE", "CH")
		two.Carried(ask("RESEND"))

		key := "transaction/" + id + "/payout/0/2"

		require.NoError(t, h.DB().Write(t.Context(), func(tx *db.Tx) error {
			return h.App.Settlement.Held(
				t.Context(),
				tx,
				bank.Payout{Key: key},
				"it is not known whether the file arrived",
			)
		}))

		require.Equal(t, transaction.PaymentUnknown, c.Read(id).Payments[0].Status)
		require.Equal(t, completed, c.Read(id).Status)

		h.BankUntil("paid again", func() bool { return c.Read(id).Settlement == "SETTLED" })
		c.Ends(id, completed, paid)
		h.Oracle()
	})
}

// I8: what was changed in the database after the tokens were pulled is not paid out: it waits for a person.
func TestChangedAfterThePullIsNotPaid(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		c.StaySignedIn()
		id := c.FiatAccepted("USDC", c.FiatPayment(c.NewBankAccount("EUR", "100"), "100.00"))
		h.RunJobs()
		dbtest.Replace(t, h.DB(), transaction.Sealed()[0], "CH", "DE")

		h.MineUntil("a person is asked", func() bool {
			h.DB().Clock().Advance(strandedIn)
			require.NoError(t, h.App.Settlement.Sweep(t.Context()))
			return c.Read(id).Settlement == "UNCERTAIN"
		})

		require.EqualValues(t, 1, h.Count("SELECT count(*) FROM journals WHERE kind = 'pulled'"))

		for range 5 {
			require.NoError(t, h.App.Settlement.Step(t.Context(), id))
		}

		require.Zero(t, h.Count("SELECT count(*) FROM effects WHERE word = 'convert'"))
		require.Zero(t, h.Count("SELECT count(*) FROM bank_payouts"))
	})
}

// I8: a review gives back what is held with its tokens at the treasury, unless the organisation owes the house, or the
// content was changed in the database: then nothing goes back by itself.
func TestWhatWasChangedIsNotGivenBack(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		c.StaySignedIn()
		id := c.FiatAccepted("USDC", c.FiatPayment(c.NewBankAccount("EUR", "100"), "100.00"))
		h.RunJobs()
		require.EqualValues(t, 1, h.Count("SELECT count(*) FROM chain_sends"))

		settle := owes(h, c.Org)

		h.MineUntil("it is held with the tokens pulled", func() bool { return c.Read(id).Settlement == "ON_HOLD" })

		reject := func() error {
			return h.App.Settlement.Reject(
				t.Context(),
				id,
				"the payee is listed",
				func(*db.Tx, transaction.Transaction) error { return nil },
			)
		}
		require.True(t, fault.Is(reject(), fault.TxNotReviewable), "who owes gets nothing back")

		settle()
		dbtest.Replace(t, h.DB(), transaction.Sealed()[0], "CH", "DE")
		require.True(t, fault.Is(reject(), fault.TxNotReviewable), "what was changed stays")
		require.Zero(t, h.Count("SELECT count(*) FROM effects WHERE word <> 'convert'"))
		require.Equal(t, "ON_HOLD", c.Read(id).Settlement)
	})
}
