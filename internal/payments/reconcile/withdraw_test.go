package reconcile_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/payments/reconcile"
	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
)

// lastApproval returns the status of the newest approval about a deposit.
func lastApproval(t *testing.T, d *db.DB, entry string) string {
	t.Helper()

	s, err := db.Value[string](t.Context(), d,
		"SELECT status FROM approvals WHERE kind = 'DEPOSIT' AND object = ? ORDER BY id DESC LIMIT 1", entry)
	require.NoError(t, err)

	return s
}

// F-11: what the bank tells anew is taken back from suspense, once, and leaves no trace in the books' sums. A deposit
// that pays a transaction stays, and keeps all that would be withdrawn with it.
func TestWithdrawnTakesBackWhatNobodyHasDecidedAbout(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := service(d, "")
		await(t, d, 1)
		credit(t, d, s, payer(1), stranger(2), stranger(3))
		require.NoError(t, s.Match(t.Context()))
		withdrawn := func(deposits ...reconcile.Deposit) (ok bool) {
			var entries []string
			for _, x := range deposits {
				entries = append(entries, x.Entry)
			}

			require.NoError(t, d.Write(t.Context(), func(tx *db.Tx) (err error) {
				ok, err = s.Withdrawn(t.Context(), tx, entries)
				return err
			}))

			return ok
		}

		require.False(t, withdrawn(), "of nothing")
		require.False(t, withdrawn(payer(1), stranger(2)), "the first pays a transaction")

		_, _, err := settle(t, s, stranger(2).Entry, "ann", reconcile.Decision{Action: reconcile.ActionHold})
		require.NoError(t, err)
		require.Equal(t, "PENDING", lastApproval(t, d, stranger(2).Entry))
		require.True(t, withdrawn(stranger(2)))
		require.Equal(t, "SUPERSEDED", lastApproval(t, d, stranger(2).Entry), "nobody approves what is not there")
		require.False(t, withdrawn(stranger(2)), "once")

		left, err := db.Value[int64](
			t.Context(),
			d,
			"SELECT SUM(CAST(units AS BIGINT)) FROM postings WHERE account = 'suspense/EUR'",
		)
		require.NoError(t, err)
		require.EqualValues(t, 103, left)
		onBank, err := db.Value[int64](
			t.Context(),
			d,
			"SELECT SUM(CAST(units AS BIGINT)) FROM postings WHERE account = 'bank/eur'",
		)
		require.NoError(t, err)
		require.EqualValues(t, 101+103, onBank)
	})
}
