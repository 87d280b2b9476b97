//go:build !nosandbox

package settlement_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/app/apptest"
	"slipway/internal/core/money"
	"slipway/internal/payments/chart"
	"slipway/internal/payments/ledger"
	"slipway/internal/payments/settlement"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/db"
	"slipway/internal/rails/bank"
	"slipway/internal/rails/bank/banksim"
)

// cents is what the book has on an account of euros.
func cents(t *testing.T, h *apptest.Harness, account ledger.Account) int64 {
	t.Helper()

	have, err := ledger.BalanceOf(t.Context(), h.DB(), account, bank.Asset("EUR"))
	require.NoError(t, err)

	return have.Units().Int64()
}

// A returned payment is paid again, and the bank refuses that payout, too: the money is kept as before, and can be paid
// once more.
func TestASecondPayoutThatIsRefusedIsKeptAgain(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		two := h.Operators()
		c := h.Client("Ada")
		c.StaySignedIn()
		two.Do(
			"PUT",
			"/operations/organisations/"+c.Org+"/return-policy",
			apptest.Object{"policy": settlement.PolicyResend},
		).OK(200)

		id, identification := paidOut(t, h, c)
		comesBack(h, identification, "", 1)

		held := ledger.HeldAccount("EUR", c.Org)
		require.EqualValues(t, 200_000, cents(t, h, held))

		again := func() {
			two.Carried(two.Do("POST", "/operations/transactions/"+id+"/returns", apptest.Object{
				"payment": 1,
				"action":  "RESEND",
			}))
		}

		h.Control(banksim.Control{Op: "reject", Count: 1})
		again()
		h.BankUntil("it is refused", func() bool {
			return h.Count("SELECT count(*) FROM bank_payouts WHERE state = 'REJECTED'") == 1
		})
		h.SettleAll()
		require.EqualValues(t, 200_000, cents(t, h, held))
		require.Zero(t, cents(t, h, ledger.BankClearing("SEPA")))
		require.Equal(t, transaction.PaymentReturned, c.Read(id).Payments[0].Status)
		h.Oracle()

		again()
		h.BankUntil("it is paid", func() bool { return c.Read(id).Payments[0].Status == transaction.PaymentCompleted })
		require.Zero(t, cents(t, h, held))
		h.Oracle()
	})
}

// I8: what comes back of a transaction whose content is not what was locked is turned into nothing: it is kept as fiat,
// and a person looks.
func TestAReturnOfAChangedTransactionIsKept(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		c.StaySignedIn()
		id, identification := paidOut(t, h, c)

		locked, err := db.Value[string](t.Context(), h.DB(), "SELECT content_hash FROM transactions WHERE id = ?", id)
		require.NoError(t, err)
		h.Exec("UPDATE transactions SET content_hash = ? WHERE id = ?", "of something else", id)

		h.Control(banksim.Control{Op: "late_return", EndToEndID: identification, Reason: "AC04"})
		h.BankUntil("it is kept", func() bool {
			return h.Count("SELECT count(*) FROM payout_returns WHERE state = 'HELD'") == 1
		})
		require.EqualValues(t, 200_000, cents(t, h, ledger.HeldAccount("EUR", c.Org)))
		require.Zero(t, cents(t, h, ledger.ReturnClearing("EUR")))
		require.Empty(t, sentForReturns(t, h, id))

		h.Exec("UPDATE transactions SET content_hash = ? WHERE id = ?", locked, id)
		h.Oracle()
	})
}

// A charge, and a reversal that names no deposit, are the house's: no customer's value moves.
func TestADebitThatIsNobodysIsTheHouses(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		euros := func(text string) money.Amount {
			amount, err := money.Parse(bank.Asset("EUR"), text)
			require.NoError(t, err)

			return amount
		}
		house := h.App.Bank.Accounts()[0].ID
		debits := []bank.Entry{
			{ID: "ent_charge", Account: house, Amount: euros("2.50")},
			{ID: "ent_back", Account: house, Amount: euros("77.00"), Reversal: true},
		}

		require.NoError(t, h.DB().Write(t.Context(), func(tx *db.Tx) error {
			return h.App.Settlement.Debited(t.Context(), tx, debits)
		}))
		require.EqualValues(t, -7950, cents(t, h, ledger.BankAccount(house)))
		require.EqualValues(t, 7950, cents(t, h, ledger.PositionAccount("EUR")))
		require.EqualValues(t, 4, h.Count("SELECT count(*) FROM postings"), "nothing else was posted")

		err := h.DB().Write(t.Context(), func(tx *db.Tx) error {
			return chart.Post(tx, chart.DebitBooked{Deposit: chart.Deposit{
				Entry:  "ent_charge",
				House:  house,
				Amount: euros("2.50"),
			}})
		})
		require.True(t, db.IsUnique(err, "journals"), "a charge is booked once")
		h.NotePosted()
	})
}

// D-08: a deposit is taken back while its delivery waits for a second attempt: the first one has moved nothing, as the
// chain has shown. What was under way is converted back, and nothing is sent later.
func TestADeliveryIsStoppedBetweenItsAttempts(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		c.StaySignedIn()
		id, deposit, refill := becomesShort(t, h, c)
		h.Control(banksim.Control{Op: "reverse", Entry: deposit})
		h.BankUntil("stopped", func() bool { return c.Read(id).Status == failed })
		require.Zero(t, h.Count("SELECT count(*) FROM receivables"), "nothing has left, so nothing is owed")
		h.Oracle()

		refill()
		sweep(t, h)
		h.SettleAll()
		require.EqualValues(t, 1, h.Count("SELECT count(*) FROM chain_sends"), "what was stopped is not sent later")
		h.Oracle()
	})
}
