package ledger_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/core/caller"
	"slipway/internal/core/day"
	"slipway/internal/payments/ledger"
	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
)

// A journal counts on the day that its evidence gives it: the bank's booking day, wherever the book is kept, or the day
// that a moment has there.
func TestAJournalCountsOnTheDayOfItsEvidence(t *testing.T) {
	tokyo, _ := day.Zone("Asia/Tokyo")
	york, _ := day.Zone("America/New_York")
	on := func(text string) time.Time {
		d, err := time.Parse(time.DateOnly, text)
		require.NoError(t, err)

		return d
	}

	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		d.Clock().Advance(
			on("2027-01-01").Add(3 * time.Hour).Sub(d.Now()),
		) // still the last day of the year in New York

		for key, days := range map[string]ledger.Days{
			"posted": {},
			"bank":   ledger.OfBank(on("2026-12-31"), on("2027-01-02")),
			"block":  ledger.OfBlock(on("2026-12-31").Add(16 * time.Hour)), // the next day in Tokyo
			"ahead":  ledger.OfBlock(d.Now().AddDate(0, 0, 2)),
		} {
			j := hold(key, 10)
			j.Kind = key
			j.Days = days
			require.NoError(t, post(d, j))
		}

		for name, x := range map[string]struct {
			zone     *time.Location
			old, new []string // kinds by the year they count in
			values   map[string]string
		}{
			"UTC": {
				zone: nil,
				old:  []string{"bank", "block"},
				new:  []string{"ahead", "posted"},
				values: map[string]string{
					"posted": "2027-01-01", "ahead": "2027-01-01", "bank": "2027-01-02", "block": "2026-12-31",
				},
			},
			"ahead of UTC": {
				zone: tokyo,
				old:  []string{"bank"},
				new:  []string{"ahead", "block", "posted"},
				values: map[string]string{
					"posted": "2027-01-01", "ahead": "2027-01-01", "bank": "2027-01-02", "block": "2027-01-01",
				},
			},
			"behind UTC": {
				zone: york,
				old:  []string{"ahead", "bank", "block", "posted"},
				values: map[string]string{
					"posted": "2026-12-31", "ahead": "2026-12-31", "bank": "2027-01-02", "block": "2026-12-31",
				},
			},
		} {
			kinds := func(p ledger.Period) (out []string) {
				p.Organisation = "org_1"
				p.Zone = x.zone

				found, total, err := ledger.Book(t.Context(), d, p, caller.Window{Limit: 100})
				require.NoError(t, err)
				require.EqualValues(t, total, len(found))

				for _, e := range found {
					require.Equal(t, x.values[e.Kind], e.ValueOn.Format(time.DateOnly), name+" "+e.Kind)

					if e.Line == 0 {
						out = append(out, e.Kind)
					}
				}

				return out
			}

			require.ElementsMatch(t, x.old, kinds(ledger.Period{Before: on("2027-01-01")}), name)
			require.ElementsMatch(t, x.new, kinds(ledger.Period{From: on("2027-01-01")}), name)
			require.ElementsMatch(
				t,
				x.old,
				kinds(ledger.Period{From: on("2026-12-31"), Before: on("2027-01-01")}),
				name,
			)
		}

		require.NoError(t, d.Write(t.Context(), func(tx *db.Tx) error {
			p := ledger.Period{Organisation: "org_1", Before: on("2027-01-01")}
			n, err := ledger.Close(t.Context(), tx, p, "2026-12")
			require.Equal(t, 2, n)

			return err
		}))
		require.Empty(t, verify(t, d).Faults)

		for i, set := range []string{
			"booked_on = '2027-01-01' WHERE key = 'bank'",      // another day
			"value_on = '2099-01-01' WHERE key = 'ahead'",      // a day in the future
			"booked_on = '', value_on = '' WHERE key = 'bank'", // no day
			"booked_on = '2026-12-30' WHERE key = 'posted'",    // a day of a month that is closed
			"happened_at = happened_at - 86400000000 WHERE key = 'block'",
		} {
			attack(t, d, "UPDATE journals SET "+set)
			require.Len(
				t,
				verify(t, d).Faults,
				[]int{1, 2, 2, 3, 4}[i],
				"the days are a part of what is hashed: %s",
				set,
			)
		}
	})
}

// A day of a book has the moments that are in it by the clock of its place, also where that shows no midnight (00:00 is
// 01:00), two of them (01:00 is 00:00), or leaves out the day.
func TestADayBeginsWhereTheClockIsChanged(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		for name, changed := range map[string]string{
			"America/Santiago": "2026-09-06", // no midnight
			"America/Nuuk":     "2026-03-29", // no hour before it
			"America/Havana":   "2026-11-01", // two midnights
			"Asia/Amman":       "2021-10-29",
			"Asia/Beirut":      "2026-10-25", // two hours before it
			"Pacific/Apia":     "2011-12-30", // no such day
			"Europe/Zurich":    "2026-03-29",
		} {
			zone, err := time.LoadLocation(name)
			require.NoError(t, err)

			at, err := time.Parse(time.DateOnly, changed)
			require.NoError(t, err)

			var journals []ledger.Journal

			for half := -96; half < 96; half++ {
				j := hold(fmt.Sprint(name, half), 10)
				j.Organisation = name
				j.Days = ledger.OfBlock(at.Add(time.Duration(half) * 30 * time.Minute))
				journals = append(journals, j)
			}

			require.NoError(t, post(d, journals...))

			within := func(from, before time.Time) (out []ledger.Entry) {
				p := ledger.Period{Organisation: name, Zone: zone, From: from, Before: before}
				out, _, err := ledger.Book(t.Context(), d, p, caller.Window{Limit: 1000})
				require.NoError(t, err)

				return out
			}

			all := within(time.Time{}, time.Time{})
			require.Len(t, all, 2*2*96)

			for of := at.AddDate(0, 0, -2); of.Before(at.AddDate(0, 0, 3)); of = of.AddDate(0, 0, 1) {
				var want []ledger.Entry

				for _, e := range all {
					if e.BookedOn.Equal(of) {
						want = append(want, e)
					}
				}

				require.ElementsMatch(t, want, within(of, of.AddDate(0, 0, 1)), "%s %s", name, of)
			}
		}
	})
}
