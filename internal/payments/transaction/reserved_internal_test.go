package transaction

import (
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
)

// Each accept asks what is reserved of its wallet. It reads that wallet's reservations by an index, not those that all
// transactions have ever had.
func TestReservationsOfAWalletAreFoundByAnIndex(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		explain := "EXPLAIN QUERY PLAN "
		dest := func(s *string) []any { return []any{new(int64), new(int64), new(int64), s} }

		if d.Dialect() == db.Postgres {
			explain = "EXPLAIN "
			dest = func(s *string) []any { return []any{s} }
		}

		lines, err := db.Select(t.Context(), d, dest, explain+reservedSQL,
			"local", "0xab", "USDC", "txn_1", "local", "0xab", "USDC", "txn_1", int64(1))
		require.NoError(t, err)

		plan := strings.Join(lines, "\n")
		require.Equal(t, 2, strings.Count(plan, "reservations_wallet"), plan)
		require.Contains(t, plan, "released_at", "the index's last column narrows it too")
	})
}

// What is reserved in one token says nothing of another one, nor of another wallet, nor of the asking transaction.
func TestAReservationBelongsToItsWalletAndToken(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		ctx := t.Context()
		of := func(id, address, token string, units int64) Transaction {
			return Transaction{
				ID:            id,
				Network:       "local",
				WalletAddress: address,
				Token:         token,
				Debit:         big.NewInt(units),
			}
		}

		asks := of("txn_1", "0xAB", "USDC", 1)

		for _, x := range []Transaction{
			asks,
			of("txn_2", "0xab", "USDC", 10),
			of("txn_3", "0xab", "USDT", 100),
			of("txn_4", "0xcd", "USDC", 1000),
		} {
			require.NoError(t, d.Write(ctx, func(tx *db.Tx) error {
				reserve(tx, x)
				return nil
			}))
		}

		elsewhere := func(read time.Time) *big.Int {
			out, err := reservedElsewhere(ctx, d, asks, read)
			require.NoError(t, err)

			return out.sum()
		}

		require.Equal(t, "10", elsewhere(d.Now()).String())

		byToken, err := reservedOf(ctx, d, "local", "0xab")
		require.NoError(t, err)
		require.Equal(t, map[string]*big.Int{"USDC": big.NewInt(11), "USDT": big.NewInt(100)}, byToken)

		before := d.Now()

		d.Clock().Advance(time.Minute)
		require.NoError(t, d.Write(ctx, func(tx *db.Tx) error {
			releaseReservation(tx, "txn_2")
			releaseReservation(tx, "txn_3")

			return nil
		}))
		require.Equal(t, "10", elsewhere(before).String(), "the funds were read before it was released")

		d.Clock().Advance(time.Minute)
		require.Equal(t, "0", elsewhere(d.Now()).String())
	})
}

// A signature has at least one byte, and no more than a wallet of many owners needs.
func TestOnlyASignatureIsRead(t *testing.T) {
	longest := "0x" + strings.Repeat("ab", maxSignedBytes)

	for _, text := range []string{"", "0x", "ab", "0xabc", "0xzz", longest + "ab"} {
		require.Nil(t, readSigned(text), text[:min(len(text), 10)])
	}

	require.Equal(t, []byte{0xab}, readSigned("0xab"))
	require.Len(t, readSigned(longest), maxSignedBytes)
}

// A year and a span together select what both do; a span ends within the millisecond in which it was asked for.
func TestTheSpanOfAListIsWithinItsYear(t *testing.T) {
	on := func(year int, month time.Month, day int) time.Time {
		return time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
	}
	first := on(2026, 1, 1)
	end := on(2027, 1, 1)

	for name, x := range map[string]struct {
		filter   Filter
		from, to time.Time
	}{
		"nothing":              {Filter{}, time.Time{}, time.Time{}},
		"a year":               {Filter{Year: 2026}, first, end},
		"from within the year": {Filter{Year: 2026, From: on(2026, 5, 1)}, on(2026, 5, 1), end},
		"from before the year": {Filter{Year: 2026, From: on(2025, 5, 1)}, first, end},
		"to within the year":   {Filter{Year: 2026, To: on(2026, 5, 1)}, first, on(2026, 5, 1)},
		"to after the year":    {Filter{Year: 2026, To: on(2027, 5, 1)}, first, end},
		"a span alone": {
			Filter{From: on(2026, 5, 1).Add(time.Microsecond), To: on(2026, 6, 1)},
			on(2026, 5, 1).Add(time.Millisecond),
			on(2026, 6, 1),
		},
	} {
		from, to := x.filter.created()
		require.Equal(t, x.from, from, name)
		require.Equal(t, x.to, to, name)
	}
}
