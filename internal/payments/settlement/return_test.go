//go:build !nosandbox

package settlement_test

import (
	"math/big"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/app/apptest"
	"slipway/internal/app/world"
	"slipway/internal/core/money"
	"slipway/internal/payments/ledger"
	"slipway/internal/payments/reconcile"
	"slipway/internal/payments/settlement"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/db"
	"slipway/internal/rails/bank/banksim"
)

var usdc = money.Asset{Code: "USDC", Decimals: 6}

// balance is what stands on an account of the ledger, in base units of USDC.
func balance(t *testing.T, h *apptest.Harness, a ledger.Account) int64 {
	t.Helper()
	sum, err := ledger.BalanceOf(t.Context(), h.DB(), a, usdc)
	require.NoError(t, err)

	return sum.Units().Int64()
}

// sentForReturns is what the treasury has sent for returns of a transaction, in base units.
func sentForReturns(t *testing.T, h *apptest.Harness, id string) (all []string) {
	t.Helper()

	all, err := db.Select(
		t.Context(),
		h.DB(),
		func(s *string) []any { return []any{s} },
		`SELECT units FROM effects
			WHERE transaction_id = ? AND state = 'FINAL' AND key LIKE '%/return/%'
			ORDER BY created_at`,
		id,
	)

	require.NoError(t, err)

	return all
}

// tokensOf returns what the first payment of a transaction costs, in base units of USDC.
func tokensOf(t *testing.T, c *apptest.Client, id string) int64 {
	t.Helper()

	var v struct {
		Payments []struct {
			Amount string `json:"tokenAmount"`
		} `json:"payments"`
	}

	c.Do("GET", "/transactions/"+id, nil).OK(200).Into(&v)
	a, err := money.Parse(usdc, v.Payments[0].Amount)
	require.NoError(t, err)

	return a.Units().Int64()
}

// paidOut is a completed transaction of one payment of 2,000.00 euro, and the identification that the payee has seen.
func paidOut(t *testing.T, h *apptest.Harness, c *apptest.Client) (id, identification string) {
	t.Helper()
	id = c.FiatAccepted("USDC", c.FiatPayment(c.NewBankAccount("EUR", "100"), "2000.00"))
	h.SettleAll()
	c.Ends(id, completed, paid)

	return id, h.EndToEnd(id, 0)
}

// comesBack has the bank send a part of a payment back, or what is out of it, and waits until n parts have come and
// had their end.
func comesBack(h *apptest.Harness, identification, amount string, n int64) {
	h.T.Helper()
	h.Control(banksim.Control{Op: "late_return", EndToEndID: identification, Reason: "AC04", Amount: amount})
	h.BankUntil("it came back", func() bool {
		return h.Count("SELECT count(*) FROM payout_returns WHERE end_to_end_id = ?", identification) == n
	})
	h.SettleAll()
}

// F-10: what comes back is given back at its worth on that day, whichever way the rate has moved, and not at the rate
// of the payment. The difference stands on an account of its own.
func TestAReturnIsGivenBackAtItsWorth(t *testing.T) {
	for name, x := range map[string]struct{ rate, back int64 }{
		"the euro has fallen": {12_000, 1_666_666_666},
		"the euro has risen":  {8_000, 2_500_000_000},
		"nothing has moved":   {9_170, 2_181_025_081},
	} {
		t.Run(name, func(t *testing.T) {
			apptest.EachMarket(t, func(t *testing.T, h *apptest.Harness, m *apptest.Market) {
				c := h.Client("Ada")
				m.Fix("EUR", 9_170)
				id, identification := paidOut(t, h, c)

				const then = 2_181_025_082 // 2,000.00 at 0.917, rounded up
				require.Equal(t, int64(then), tokensOf(t, c, id))

				m.Fix("EUR", x.rate)
				comesBack(h, identification, "", 1)
				require.Equal(t, "REFUNDED", c.Ends(id, completed, refunded).Settlement)
				require.Equal(t, []string{big.NewInt(x.back).String()}, sentForReturns(t, h, id))
				require.Equal(t, then-x.back, balance(t, h, ledger.ReturnDifference(world.NetworkID)))
				h.Oracle()

				var v struct {
					Return transaction.ReturnView `json:"return"`
				}
				c.Do("GET", "/transactions/"+id, nil).OK(200).Into(&v)
				require.Equal(
					t,
					[]string{"2000.00", "0.00", moneyOf(big.NewInt(x.back))},
					[]string{v.Return.Amount, v.Return.FeesDeducted, v.Return.TokenAmount},
				)
				rate, ok := new(big.Rat).SetString(v.Return.Rate)
				require.True(t, ok && rate.Cmp(big.NewRat(x.rate, 10_000)) == 0, v.Return.Rate)
			})
		})
	}
}

// F-10: fiat that was kept is worth what it is worth when it is given back: nobody chooses between two rates.
func TestAKeptReturnIsGivenBackAtItsWorth(t *testing.T) {
	apptest.EachMarket(t, func(t *testing.T, h *apptest.Harness, m *apptest.Market) {
		c := h.Client("Ada")
		operator := h.Operators()
		operator.Do(
			"PUT",
			"/operations/organisations/"+c.Org+"/return-policy",
			apptest.Object{"policy": settlement.PolicyHold},
		).OK(200)
		id, identification := paidOut(t, h, c)
		comesBack(h, identification, "", 1)
		require.Equal(t, "RETURNED", c.Read(id).Settlement)

		decide := func() apptest.Answer {
			return operator.Do("POST", "/operations/transactions/"+id+"/returns", apptest.Object{
				"payment": 1,
				"action":  "RECREDIT",
			})
		}
		m.Down(true)
		decide().Refused(503, "RATE_UNAVAILABLE")
		m.Down(false)
		m.Fix("EUR", 12_000)
		operator.Carried(decide())
		h.SettleAll()
		require.Equal(t, []string{"1666666666"}, sentForReturns(t, h, id))
		decide().Refused(409, "RETURN_NOT_OPEN")
		h.Oracle()
	})
}

// F-10: while no rate is to be had, or the organisation owes the house, a return waits, and goes on by itself.
func TestAReturnWaitsForARate(t *testing.T) {
	apptest.EachMarket(t, func(t *testing.T, h *apptest.Harness, m *apptest.Market) {
		c := h.Client("Ada")
		c.StaySignedIn()
		id, identification := paidOut(t, h, c)
		waits := func() {
			t.Helper()

			for range 3 {
				h.DB().Clock().Advance(3 * time.Minute)
				h.BankRound()
				_ = h.App.Settlement.SweepReturns(t.Context())
			}

			require.EqualValues(t, 1, h.Count("SELECT count(*) FROM payout_returns WHERE state = 'RECEIVED'"))
			require.Equal(t, "RETURNED", c.Read(id).Settlement)
			require.Zero(t, h.Count("SELECT count(*) FROM effects WHERE word <> 'convert'"))
		}

		m.Down(true)
		h.Control(banksim.Control{Op: "late_return", EndToEndID: identification, Reason: "AC04"})
		waits()
		h.Exec(
			`INSERT INTO receivables (id, organisation, transaction_id, currency, decimals, units, owed, state, created_at)
				VALUES ('ent_x', ?, '', 'EUR', 2, '1', '1', 'OPEN', 1)`,
			c.Org,
		)
		m.Down(false)
		waits()
		h.OracleWithout("D-08")

		h.Exec("DELETE FROM receivables")
		m.Fix("EUR", 12_000)
		h.BankUntil("given back", func() bool {
			h.DB().Clock().Advance(3 * time.Minute)
			require.NoError(t, h.App.Settlement.SweepReturns(t.Context()))
			return c.Read(id).Settlement == "REFUNDED"
		})
		require.Equal(t, []string{"1666666666"}, sentForReturns(t, h, id))
		h.Oracle()
	})
}

// F-10: a stranger's cent with the identification of a paid payment changes nothing of it, before the true return and
// after it; that one is given back in full.
func TestAStrangersCentIsNoReturn(t *testing.T) {
	apptest.EachMarket(t, func(t *testing.T, h *apptest.Harness, _ *apptest.Market) {
		c := h.Client("Ada")

		for i, first := range []bool{true, false} {
			id, identification := paidOut(t, h, c)
			before := len(h.Suspense())

			stranger := func() {
				h.Deposit(banksim.Deposit{
					Currency:      "EUR",
					Amount:        "0.01",
					EndToEndID:    identification,
					Sender:        "Mallory Ltd",
					SenderAccount: apptest.SenderAccount,
				})

				h.BankUntil("in suspense", func() bool { return len(h.Suspense()) == before+1 })
			}
			if first {
				stranger()
				h.SettleAll()
				require.Equal(t, "SETTLED", c.Ends(id, completed, paid).Settlement)
			}

			comesBack(h, identification, "", 1)

			if !first {
				stranger()
			}

			require.Equal(t, "REFUNDED", c.Ends(id, completed, refunded).Settlement)
			require.Equal(t, []string{"2222222222"}, sentForReturns(t, h, id), "2,000.00 at 0.90")
			d := h.Suspense()[i]
			require.Equal(t, reconcile.ReasonClaim, d.Reason)
			require.Equal(t, "transaction/"+id+"/payout/0", d.Claim.Payout)
			h.Oracle()
		}
	})
}

// F-10: what is more than was paid, or comes after the time, is for two people.
func TestAnImplausibleReturnIsForPeople(t *testing.T) {
	apptest.EachMarket(t, func(t *testing.T, h *apptest.Harness, _ *apptest.Market) {
		c := h.Client("Ada")
		c.StaySignedIn()
		id, identification := paidOut(t, h, c)
		h.Deposit(banksim.Deposit{
			Currency:   "EUR",
			Amount:     "3000.00",
			EndToEndID: identification,
			Sender:     "Mallory Ltd",
		})
		h.BankUntil("in suspense", func() bool { return len(h.Suspense()) == 1 })
		back := reconcile.Decision{Action: reconcile.ActionReturn}
		_, err := h.Says("ann", h.Suspense()[0].Entry, back)
		require.NoError(t, err)
		_, err = h.Says("bob", h.Suspense()[0].Entry, back)
		require.ErrorContains(t, err, "less of it is still out")

		h.DB().Clock().Advance(400 * 24 * time.Hour)
		h.Control(banksim.Control{Op: "late_return", EndToEndID: identification, Reason: "AC04"})
		h.BankUntil("in suspense", func() bool { return len(h.Suspense()) == 2 })
		require.Zero(t, h.Count("SELECT count(*) FROM payout_returns"))
		require.EqualValues(
			t,
			1,
			h.Count("SELECT count(*) FROM transactions WHERE id = ? AND settlement_status = 'SETTLED'", id),
		)
		h.Oracle()
	})
}

// F-10: of a return in two parts the first, to which much is missing, is for two people, who say that it is one; the
// second is all that is out. The payment stays paid until no more than charges is missing; each part is given back at
// the worth of its own day.
func TestAReturnInTwoParts(t *testing.T) {
	apptest.EachMarket(t, func(t *testing.T, h *apptest.Harness, m *apptest.Market) {
		c := h.Client("Ada")
		id, identification := paidOut(t, h, c)
		h.Control(banksim.Control{Op: "late_return", EndToEndID: identification, Reason: "AC06", Amount: "1200.00"})
		h.BankUntil("in suspense", func() bool { return len(h.Suspense()) == 1 })
		h.Decide(h.Suspense()[0].Entry, reconcile.Decision{Action: reconcile.ActionReturn})
		require.Empty(t, h.Suspense())
		h.SettleAll()
		v := c.Ends(id, completed, paid)
		require.Equal(t, "REFUNDED", v.Settlement)
		h.Oracle()

		m.Fix("EUR", 8_000)
		comesBack(h, identification, "800.00", 2)
		require.Equal(t, "REFUNDED", c.Ends(id, completed, refunded).Settlement)
		require.Equal(t, []string{"1333333333", "1000000000"}, sentForReturns(t, h, id))
		require.EqualValues(
			t,
			2,
			h.Count("SELECT count(*) FROM events WHERE object = ? AND type = 'transaction.returned'", id),
		)

		other, identification := paidOut(t, h, c)
		comesBack(h, identification, "1950.00", 1)
		comesBack(h, identification, "", 2)
		require.Equal(t, "REFUNDED", c.Ends(other, completed, refunded).Settlement)
		require.Equal(t, []string{"2437500000", "62500000"}, sentForReturns(t, h, other))
		h.Oracle()
	})
}
