package ledger

import (
	"fmt"
	"math/big"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/core/fault"
	"slipway/internal/core/money"
	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
)

// A period is closed in pages, whatever is in them. One that has more than a write may keep is not closed at all.
func TestAPeriodIsClosedWholeOrNotAtAll(t *testing.T) {
	one := money.FromUnits(money.Asset{Code: "EUR", Decimals: 2}, big.NewInt(1))

	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		booked := time.Date(2026, 12, 31, 0, 0, 0, 0, time.UTC)

		for i := range 5 {
			require.NoError(t, d.Write(t.Context(), func(tx *db.Tx) error {
				return Post(tx, Journal{
					Key:          fmt.Sprint("k", i),
					Organisation: "org_1",
					Days:         OfBank(booked, time.Time{}),
					Postings:     []Posting{{Account: "a", Amount: one}, {Account: "b", Amount: one.Neg()}},
				})
			}))
		}

		end := booked.AddDate(0, 0, 1)
		closed := func(most, page int) (n int, err error) {
			err = d.Write(t.Context(), func(tx *db.Tx) error {
				p := Period{Organisation: "org_1", Before: end}
				if n, err = closeAtMost(t.Context(), tx, p, "2026-12", most, page); err != nil {
					return err
				}

				// as a second call finds the period
				again, err := closeAtMost(t.Context(), tx, Period{Organisation: "org_1", Open: end, Before: end},
					"2026-12", most, page)
				require.Zero(t, again)

				return err
			})

			return n, err
		}
		kept := func() int64 {
			n, err := db.Value[int64](t.Context(), d, "SELECT count(*) FROM closed_journals WHERE day = '2026-12-31'")
			require.NoError(t, err)

			return n
		}

		for _, page := range []int{1, 2, 5, 9} {
			_, err := closed(4, page)
			require.True(t, fault.Is(err, fault.PeriodTooLarge), "%v", err)
			require.Zero(t, kept())

			n, err := closed(5, page)
			require.NoError(t, err)
			require.Equal(t, 5, n)
			require.EqualValues(t, 5, kept())

			require.NoError(t, d.Write(t.Context(), func(tx *db.Tx) error { return Reopen(tx, "org_1", "2026-12") }))
			require.Zero(t, kept())
		}
	})
}
