package transaction

import (
	"math/big"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
)

// What was paid to a receiver is found by an index, whose key is a number made of the identifier, and not among all
// payments that there are. Another receiver with the same key is not taken for it.
func TestPaymentsToAReceiverAreFoundByAnIndex(t *testing.T) {
	const receiver, namesake = "rcv_01jc3v00000000b8a5b6213584", "rcv_01jc3v00000000baa888a42e75"
	require.Equal(t, receiverKey(receiver), receiverKey(namesake))

	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		for i, to := range []string{receiver, namesake, "rcv_1"} {
			require.NoError(t, d.Write(t.Context(), func(tx *db.Tx) error {
				insertPayments(tx, Transaction{
					ID:       "txn_1",
					Payments: []Payment{{Position: i, Receiver: to, Units: new(big.Int)}},
				})

				return nil
			}))
		}

		var w db.Where

		toReceivers(&w, receiver, "rcv_1")

		text := "SELECT p.position FROM payments p" + w.SQL()

		one := func(n *int64) []any { return []any{n} }
		found, err := db.Select(t.Context(), d, one, text+" ORDER BY p.position", w.Args...)
		require.NoError(t, err)
		require.Equal(t, []int64{0, 2}, found)

		explain := "EXPLAIN QUERY PLAN "
		dest := func(s *string) []any { return []any{new(int64), new(int64), new(int64), s} }

		if d.Dialect() == db.Postgres {
			explain = "EXPLAIN "
			dest = func(s *string) []any { return []any{s} }
		}

		plan, err := db.Select(t.Context(), d, dest, explain+text, w.Args...)
		require.NoError(t, err)
		require.Contains(t, strings.Join(plan, "\n"), "payments_receiver")
	})
}
