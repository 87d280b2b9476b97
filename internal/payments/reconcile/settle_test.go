package reconcile_test

import (
	"context"
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/core/money"
	"slipway/internal/payments/reconcile"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
)

// stateOf reads where a deposit is, and its version.
func stateOf(t *testing.T, d *db.DB, entry string) string {
	t.Helper()

	s, err := db.Value[string](t.Context(), d, "SELECT state || ' ' || version FROM deposits WHERE entry = ?", entry)
	require.NoError(t, err)

	return s
}

// settle records what a person wants, and returns the deposit after it and whether it was carried out.
func settle(
	t *testing.T, s *reconcile.Service, entry, person string, want reconcile.Decision,
) (d reconcile.Deposit, done bool, err error) {
	t.Helper()

	ctx := caller.With(t.Context(), caller.Principal{User: person, Staff: "operator"})
	err = s.Settle(ctx, entry, want, func(_ *db.Tx, now reconcile.Deposit, _ string) error {
		d = now
		return nil
	})

	return d, d.Proposal.Approval == "", err
}

// D-04: one person proposes, another one decides the same; who decides otherwise proposes anew.
func TestTwoPersonsKeepADeposit(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := service(d, "")
		x := stranger(1)
		credit(t, d, s, x)

		keep := reconcile.Decision{Action: reconcile.ActionHold, Note: "asked the sender"}

		got, done, err := settle(t, s, x.Entry, "ann", keep)
		require.NoError(t, err)
		require.False(t, done)
		require.Equal(t, reconcile.ActionHold, got.Proposal.Action)
		require.Equal(t, "ann", got.Proposal.By)
		require.Equal(t, reconcile.StateSuspense, got.State)

		_, _, err = settle(t, s, x.Entry, "ann", keep)
		require.Error(t, err)
		require.Equal(t, "SUSPENSE 2", stateOf(t, d, x.Entry))

		got, done, err = settle(t, s, x.Entry, "bob", keep)
		require.NoError(t, err)
		require.True(t, done)
		require.Equal(t, reconcile.StateHeld, got.State)
		require.Equal(t, "bob", got.Settler)
		require.Equal(t, "asked the sender", got.Note)
		require.Equal(t, "HELD 3", stateOf(t, d, x.Entry))

		// what two have decided stays until two decide otherwise
		s.Returnable = func(context.Context, reconcile.Deposit) error { return nil }
		got, done, err = settle(t, s, x.Entry, "ann", reconcile.Decision{
			Action: reconcile.ActionRefund,
			Note:   "the sender answers",
		})
		require.NoError(t, err)
		require.False(t, done)
		require.Equal(t, []string{"bob", "asked the sender"}, []string{got.Settler, got.Note})
		require.Equal(t, "the sender answers", got.Proposal.Note)
	})
}

// Nobody proposes to send a deposit back to somebody who may not be paid.
func TestADepositGoesBackOnlyToWhomMayBePaid(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := service(d, "")
		x := stranger(1)
		credit(t, d, s, x)

		refused := fault.New(fault.Conflict, fault.DepositNotReturnable, "The deposit stays here.")
		s.Returnable = func(_ context.Context, asked reconcile.Deposit) error {
			require.Equal(t, x.Entry, asked.Entry)
			return refused
		}

		_, _, err := settle(t, s, x.Entry, "ann", reconcile.Decision{Action: reconcile.ActionRefund})
		require.ErrorIs(t, err, refused)
		require.Equal(t, "SUSPENSE 1", stateOf(t, d, x.Entry))

		s.Returnable = func(context.Context, reconcile.Deposit) error { return nil }
		got, _, err := settle(t, s, x.Entry, "ann", reconcile.Decision{Action: reconcile.ActionRefund})
		require.NoError(t, err)
		require.Equal(t, reconcile.ActionRefund, got.Proposal.Action)

		_, _, err = settle(t, s, "ent_nobody", "ann", reconcile.Decision{Action: reconcile.ActionRefund})
		require.True(t, fault.Is(err, fault.NotFoundCode))
	})
}

// A part that is in nobody's book enters that of the transaction's organisation at the latest with the last part.
func TestEveryPartIsItsTransactionsOrganisations(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := service(d, "")
		await(t, d, 99) // 1.99 EUR

		first := stranger(1)
		last := stranger(2)
		first.Amount = money.FromUnits(eur, big.NewInt(100))
		last.Amount = money.FromUnits(eur, big.NewInt(99))
		credit(t, d, s, first, last)

		require.NoError(t, d.Write(t.Context(), func(tx *db.Tx) error {
			_, err := tx.Exec("UPDATE deposits SET state = 'ASSIGNED', transaction_id = ?, organisation = 'org_1' "+
				"WHERE entry = ?", onramp(99), first.Entry)

			return err
		}))

		for _, person := range []string{"ann", "bob"} {
			_, _, err := settle(t, s, last.Entry, person, reconcile.Decision{
				Action:      reconcile.ActionAssign,
				Transaction: onramp(99),
			})
			require.NoError(t, err)
		}

		for _, x := range []reconcile.Deposit{first, last} {
			owner, err := reconcile.OwnerOf(t.Context(), d, x.Entry)
			require.NoError(t, err)
			require.Equal(t, "org_1", owner)
		}

		assigned, err := db.Value[int64](t.Context(), d,
			"SELECT count(*) FROM journals WHERE kind = 'assign' AND organisation = 'org_1'")
		require.NoError(t, err)
		require.EqualValues(t, 2, assigned)
		require.Equal(t, map[string]int{"MATCHED NO_REFERENCE 2": 1, "MATCHED NO_REFERENCE 4": 1}, states(t, d))
	})
}

// A transaction that cannot be carried out gives back every deposit that is still here, once, and counts them.
func TestARefundCountsWhatItSendsBack(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := service(d, "")

		var sent []string

		s.SendBack = func(_ context.Context, _ *db.Tx, x reconcile.Deposit) error {
			sent = append(sent, x.Entry)
			require.EqualValues(t, 1, x.Attempts)

			return nil
		}

		await(t, d, 1)
		credit(t, d, s, payer(1))
		require.NoError(t, s.Match(t.Context()))

		refund := func(except string) (n int) {
			t.Helper()

			before := len(sent)

			require.NoError(t, d.Write(t.Context(), func(tx *db.Tx) error {
				sent = sent[:before]

				now, err := transaction.ByID(t.Context(), tx, onramp(1))
				require.NoError(t, err)

				n, err = s.Refund(t.Context(), tx, now, except)

				return err
			}))

			return n
		}

		require.Zero(t, refund(payer(1).Entry), "the one that is gone already")
		require.Equal(t, 1, refund(""))
		require.Zero(t, refund(""), "a second call finds none")
		require.Equal(t, []string{payer(1).Entry}, sent)
	})
}

// What a deposit says of a payout of ours is kept with it.
func TestADepositKeepsThePayoutThatItNames(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := service(d, "")
		named := stranger(1)
		named.Claim = reconcile.Claim{Payout: "transaction/txn_1/payout/0", Why: "its texts name it"}
		credit(t, d, s, named, stranger(2))

		all, err := reconcile.Suspense(t.Context(), d, "", false, 10)
		require.NoError(t, err)
		require.Len(t, all, 2)

		for _, x := range all {
			if x.Entry == named.Entry {
				require.Equal(t, named.Claim, x.Claim)
			} else {
				require.Empty(t, x.Claim)
			}
		}
	})
}
