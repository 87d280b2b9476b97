package ledger_test

import (
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

		require.Empty(t, verify(t, d).Faults)
		attack(t, d, "UPDATE journals SET booked_on = '2027-01-01' WHERE key = 'bank'")
		require.Len(t, verify(t, d).Faults, 1, "the days are a part of what is hashed")
	})
}
