package ledger_test

import (
	"context"
	"fmt"
	"math/big"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/core/money"
	"slipway/internal/payments/ledger"
	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
)

// I11, M-09: the balances of the house's accounts are those of the journals, whatever of them is folded, linked or
// neither; a look costs no more for a longer book, and a changed balance is found.
func TestFoldedBalancesAreThoseOfTheJournals(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		ctx := context.Background()
		usdc := money.Asset{Code: "USDC", Decimals: 6}
		want := map[string]*big.Int{"net": new(big.Int), "other": new(big.Int)}
		number := 0
		post := func(network string, units int64) {
			number++
			want[network].Add(want[network], big.NewInt(units))

			moved := money.FromUnits(usdc, big.NewInt(units))

			require.NoError(t, d.Write(ctx, func(tx *db.Tx) error {
				return ledger.Post(tx, ledger.Journal{Key: fmt.Sprint(number), Kind: "test", Postings: []ledger.Posting{
					{Account: ledger.TreasuryAccount(network), Amount: moved},
					{Account: ledger.PositionAccount(network), Amount: moved.Neg()},
				}})
			}))
		}
		compare := func() {
			var sums ledger.Sums

			require.NoError(t, d.Snapshot(ctx, func(q db.Querier) (err error) {
				sums, err = ledger.HouseBalances(ctx, q, nil, d.Now())
				return err
			}))

			for network, units := range want {
				require.Equal(t, units.String(), sums.Of(ledger.TreasuryAccount(network), "USDC").String())
			}

			require.Zero(
				t,
				sums.Of(ledger.PositionAccount("net"), "USDC").Sign(),
				"the house's own accounts alone are folded",
			)
		}
		seal := func() {
			_, err := ledger.Seal(ctx, d, nil)
			require.NoError(t, err)
		}

		compare()

		for round := range 4 {
			for i := range int64(5) {
				post("net", 7*i-5)
				post("other", -i)
			}

			compare()

			if round != 1 {
				seal()
			}

			compare()

			if round != 2 {
				require.NoError(t, ledger.Fold(ctx, d))
			}

			compare()
		}

		require.NoError(t, ledger.Fold(ctx, d))

		read := 0
		d.Watch(func(query string, _ []any) {
			require.NotContains(t, query, "UPDATE")

			read++
		})
		require.NoError(t, ledger.Fold(ctx, d), "nothing is new: nothing is written")
		d.Watch(nil)
		require.Equal(t, 2, read)

		report, err := ledger.Verify(ctx, d, ledger.Proof{})
		require.NoError(t, err)
		require.Empty(t, report.Faults)
		require.NoError(t, d.Write(ctx, func(tx *db.Tx) error {
			tx.Change("UPDATE ledger_balances SET units = '1' WHERE account = 'treasury/other'")
			return nil
		}))
		report, err = ledger.Verify(ctx, d, ledger.Proof{})
		require.NoError(t, err)
		require.Len(t, report.Faults, 1)
		require.True(
			t,
			strings.HasPrefix(report.Faults[0], "the folded balance of treasury/other is 1"),
			report.Faults[0],
		)
	})
}
