//go:build !nosandbox

package app_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/app"
	"slipway/internal/app/apptest"
	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/identity/approval"
	"slipway/internal/identity/user"
	"slipway/internal/platform/clock"
	"slipway/internal/platform/db"
	"slipway/internal/platform/epoch"
	"slipway/internal/rails/bank/banksim"
	"slipway/internal/rails/liquidity"
	"slipway/internal/rails/rates"
)

// asleep is a provider of liquidity that answers nobody while a test says so.
type asleep struct {
	liquidity.Provider
	now *atomic.Bool
}

var errAsleep = errors.New("the provider does not answer")

func (p asleep) Place(ctx context.Context, o liquidity.Order) (liquidity.Result, error) {
	if p.now.Load() {
		return liquidity.Result{}, errAsleep
	}

	return p.Provider.Place(ctx, o)
}

// withSleeper is a deployment with such a provider.
func withSleeper(now *atomic.Bool) apptest.Config {
	return apptest.Config{Tune: func(out *app.Outside) {
		open := out.Banking.Liquidity
		out.Banking.Liquidity = func(
			name string,
			c *clock.Clock,
			prices rates.Source,
		) (liquidity.Provider, io.Closer, error) {
			p, closer, err := open(name, c, prices)
			return asleep{p, now}, closer, err
		}
	}}
}

// manyPayouts pays six payments by bank.
func manyPayouts(c *apptest.Client) (ids []string) {
	for _, end := range []string{"100", "101", "102"} {
		ids = append(ids, c.FiatAccepted("USDC", c.FiatPayment(c.NewBankAccount("EUR", end), "120.00"),
			c.FiatPayment(c.NewBankAccount("GBP", "1"+end[:2]), "80.50")))
	}

	return ids
}

// bankExecuted requires that the bank has executed every order that it ever got at most once, and n of them.
func bankExecuted(t *testing.T, h *apptest.Harness, n int) {
	t.Helper()
	executions, err := h.World.Bank.Executions(t.Context())
	require.NoError(t, err)

	executed := 0
	for id, times := range executions {
		require.LessOrEqual(t, times, 1, "F-03: %s was executed %d times", id, times)
		executed += times
	}

	require.Equal(t, n, executed)
}

// B-06, B-09, F-03: a back-up from just before the payment files left is put back, and the bank executes every copy.
// The service notices, reads the world again before anything leaves, and everything ends with each order executed
// once. It does not matter whether the back-up knows the payouts already, or plans them once more.
func TestRestoredBackupPaysBanksOnce(t *testing.T) {
	for _, planned := range []bool{true, false} {
		t.Run(fmt.Sprintf("planned %t", planned), func(t *testing.T) {
			var sleeps atomic.Bool

			apptest.EachWith(t, withSleeper(&sleeps), func(t *testing.T, h *apptest.Harness) {
				sleeps.Store(!planned)
				h.Control(banksim.Control{Op: "accept_duplicates"})
				c := h.Client("Ada")
				c.StaySignedIn()
				ids := manyPayouts(c)
				want := map[bool]int64{true: 6}[planned]
				h.MineUntil("the moment of the back-up", func() bool {
					return h.Count(
						"SELECT count(*) FROM transactions WHERE settlement_status IN ('CONVERTED', 'UNCERTAIN')",
					) == 3 &&
						h.Count("SELECT count(*) FROM bank_payouts") == want
				})
				restore := h.Snapshot()
				sleeps.Store(false)
				over := func() bool {
					return h.Count("SELECT count(*) FROM transactions WHERE status = 'COMPLETED'") == 3
				}
				h.BankUntil("all is paid", over)
				bankExecuted(t, h, 6)

				restore()
				require.True(t, h.Held())
				require.NoError(t, h.App.Bank.Work(t.Context()))
				require.Zero(
					t,
					h.Count("SELECT count(*) FROM bank_files"),
					"nothing is written for the bank before the world was re-read",
				)
				h.BankUntil("all has ended once more", over)
				require.False(t, h.Held())

				for range 5 {
					h.BankRound()
				}

				bankExecuted(t, h, 6)

				for _, id := range ids {
					c.Ends(id, completed, paid, paid)
				}

				h.Oracle()

				h.Restart()
				require.False(t, h.Held(), "the next start follows")
			})
		})
	}
}

// B-06: the copies and epochs are gone as well. The bank's word is read again, and nothing is planned or leaves
// before two persons confirm.
func TestALostWitnessWaitsForTwoPersons(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		h.Control(banksim.Control{Op: "accept_duplicates"})
		c := h.Client("Ada")
		c.StaySignedIn()
		id := c.FiatAccepted("USDC", c.FiatPayment(c.NewBankAccount("EUR", "100"), "120.00"))
		h.MineUntil("payouts planned", func() bool { return h.Count("SELECT count(*) FROM bank_payouts") == 1 })
		restore := h.Snapshot()
		h.SettleAll()
		require.NoError(t, os.RemoveAll(h.App.Config.WitnessFolder()))
		restore()
		require.True(t, h.Held())

		for range 5 {
			h.DB().Clock().Advance(strandedIn)
			h.BankRound()
		}

		r, err := h.App.Instance.Current(t.Context())
		require.NoError(t, err)
		require.Equal(t, epoch.Lost, r.Cause)
		require.Equal(t, epoch.StateWaiting, r.State)
		require.NotEmpty(t, r.Found)
		bankExecuted(t, h, 1)
		require.Equal(t, completed, c.Read(id).Status, "the bank's own statement tells of it")

		confirmed(t, h)
		h.SettleAll()
		bankExecuted(t, h, 1)
		h.Oracle()
	})
}

// confirmed has one operator ask that payments leave again, as the command line does, and another one approve it in the
// console. Who has asked cannot approve it too.
func confirmed(t *testing.T, h *apptest.Harness) {
	t.Helper()

	two := h.Operators()
	first := caller.With(t.Context(), caller.Principal{User: two.User, Staff: user.Operator})

	var asked approval.Approval

	require.NoError(t, h.App.AskConfirmation(first, "asked the bank", func(_ *db.Tx, ap approval.Approval) error {
		asked = ap
		return nil
	}))
	_, err := h.App.DecideApproval(first, asked.ID, true, "mine")
	require.True(t, fault.Is(err, fault.SecondPersonRequired))
	require.True(t, h.Held())

	two.Second.Do("POST", "/operations/approvals/"+asked.ID+"/decision", apptest.Object{
		"decision": "APPROVED",
		"comment":  "I have the bank's list",
	}).OK(200)
	require.False(t, h.Held())
}

// B-06: replicas on one database, restarts one after the other, and a kill are no difference.
func TestReplicasAndRestartsHoldNothing(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		others := []*app.App{h.Start(), h.Start()}
		id := c.FiatAccepted("USDC", c.FiatPayment(c.NewBankAccount("EUR", "100"), "120.00"))
		h.SettleAll()

		for _, a := range others {
			h.Stop(a)
			h.Restart()
			h.Start()
		}

		require.False(t, h.Held())
		c.Ends(id, completed, paid)
	})
}

// B-14, F-03: the database and its witness are put back together, as by a snapshot of the whole machine, to a moment
// before the payment files left, and the bank executes every copy. What the world outside still shows is enough:
// nothing leaves before two persons have confirmed, and each order is executed once. The next start holds nothing.
func TestOldDatabaseAndOldWitnessPayBanksOnce(t *testing.T) {
	for _, shown := range []string{"archive", "done"} {
		t.Run(shown, func(t *testing.T) {
			apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
				h.Control(banksim.Control{Op: "accept_duplicates"})
				c := h.Client("Ada")
				c.StaySignedIn()
				ids := manyPayouts(c)
				h.MineUntil("payouts planned", func() bool { return h.Count("SELECT count(*) FROM bank_payouts") == 6 })

				together := []string{h.App.Config.WitnessFolder()}
				if shown == "done" {
					together = append(together, filepath.Join(h.World.BankFolder, "received"))
				}

				restore := h.SnapshotWith(together...)
				over := func() bool {
					return h.Count("SELECT count(*) FROM transactions WHERE status = 'COMPLETED'") == 3
				}
				h.BankUntil("all is paid", over)
				bankExecuted(t, h, 6)

				if shown == "done" {
					h.BankKeeps()
				}

				restore()
				require.True(t, h.Held())

				r, err := h.App.Instance.Current(t.Context())
				require.NoError(t, err)
				require.Equal(t, epoch.Behind, r.Cause)
				require.Contains(
					t,
					r.Sign,
					map[string]string{"archive": "the archive has", "done": "the payment file SLW"}[shown],
				)

				for range 5 {
					h.DB().Clock().Advance(strandedIn)
					h.BankRound()
				}

				bankExecuted(t, h, 6)
				require.True(t, h.Held(), "the copies are as old: two persons are asked")
				confirmed(t, h)

				if shown == "archive" { // else the statements are gone, and people import them again
					h.BankUntil("all has ended once more", over)

					for _, id := range ids {
						c.Ends(id, completed, paid, paid)
					}

					h.Oracle()
				}

				for range 5 {
					h.BankRound()
				}

				bankExecuted(t, h, 6)
				h.Restart()
				require.False(t, h.Held(), "what was dealt with holds nothing again")
			})
		})
	}
}

// B-14: nothing shows it at the start, and the bank's next statement books what this database has not even planned:
// from then on nothing leaves.
func TestAStatementHoldsAnOldDatabase(t *testing.T) {
	var sleeps atomic.Bool

	apptest.EachWith(t, withSleeper(&sleeps), func(t *testing.T, h *apptest.Harness) {
		sleeps.Store(true)

		c := h.Client("Ada")
		c.StaySignedIn()
		manyPayouts(c)
		h.MineUntil("the moment of the back-up", func() bool {
			return h.Count(
				"SELECT count(*) FROM transactions WHERE settlement_status = 'UNCERTAIN' OR status = 'PROCESSING'",
			) == 3 &&
				h.Count("SELECT count(*) FROM bank_payouts") == 0
		})
		h.Settle()

		restore := h.SnapshotWith(h.App.Config.WitnessFolder(), filepath.Join(h.World.BankFolder, "received"))

		sleeps.Store(false)
		h.BankUntil("all is paid", func() bool {
			return h.Count("SELECT count(*) FROM transactions WHERE status = 'COMPLETED'") == 3
		})
		bankExecuted(t, h, 6)
		sleeps.Store(true)
		restore()
		require.False(t, h.Held())

		h.Control(banksim.Control{Op: "statement"})
		h.BankUntil("the statement was read", h.Held)

		r, err := h.App.Instance.Current(t.Context())
		require.NoError(t, err)
		require.Contains(t, r.Sign, "the bank has booked the payment")

		sleeps.Store(false)

		for range 5 {
			h.DB().Clock().Advance(strandedIn)
			h.BankRound()
		}

		bankExecuted(t, h, 6)
	})
}

// B-14: where the chain alone shows it, nothing leaves either, and what the chain has carried out is not sent again.
func TestAChainThatIsAheadHoldsAnOldDatabase(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		c.StaySignedIn()
		before := c.Accepted("USDC", "1.00")
		h.Settle()
		c.Ends(before, completed, paid)

		id := c.Submitted("USDC", "5.00")
		restore := h.SnapshotWith(h.App.Config.WitnessFolder())
		c.Act(id, "accept").OK(200)
		h.Settle()
		c.Ends(id, completed, paid)

		restore()
		require.True(t, h.Held())

		r, err := h.App.Instance.Current(t.Context())
		require.NoError(t, err)
		require.Contains(t, r.Sign, "has transactions of")
		require.Contains(t, r.Sign, "which this database has not given out")

		h.RunJobs()
		two := h.Operators()
		as := func(c *apptest.Client) context.Context {
			return caller.With(t.Context(), caller.Principal{User: c.User, Staff: "operator"})
		}

		var asked approval.Approval

		require.NoError(t, h.App.AskConfirmation(as(two.Client), "asked", func(_ *db.Tx, ap approval.Approval) error {
			asked = ap
			return nil
		}))
		_, err = h.App.DecideApproval(as(two.Client), asked.ID, true, "mine")
		require.True(t, fault.Is(err, fault.SecondPersonRequired))
		require.True(t, h.Held())
		two.Second.Do("POST", "/operations/approvals/"+asked.ID+"/decision", apptest.Object{
			"decision": "APPROVED",
			"comment":  "I have the bank's list",
		}).OK(200)
		require.False(t, h.Held())
		require.False(t, h.Held())
		h.Restart()
		require.False(t, h.Held(), "the chain is still ahead, and that was dealt with")
	})
}
