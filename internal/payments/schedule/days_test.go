package schedule

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Which days a plan has, as they are counted on fingers.
func TestPlannedDays(t *testing.T) {
	on := func(s string) time.Time {
		d, err := time.Parse(time.DateOnly, s)
		require.NoError(t, err)

		return d
	}

	for name, x := range map[string]struct {
		plan Plan
		want []string
	}{
		"once": {Plan{First: on("2026-12-31"), Repeats: Once}, []string{"2026-12-31"}},
		"weekly": {
			Plan{First: on("2026-12-31"), Repeats: Weekly, Times: 3},
			[]string{"2026-12-31", "2027-01-07", "2027-01-14"},
		},
		"the last day of shorter months": {
			Plan{First: on("2027-10-31"), Repeats: Monthly, Times: 6},
			[]string{"2027-10-31", "2027-11-30", "2027-12-31", "2028-01-31", "2028-02-29", "2028-03-31"},
		},
		"until a day": {
			Plan{First: on("2026-12-15"), Repeats: Monthly, Until: on("2027-02-15")},
			[]string{"2026-12-15", "2027-01-15", "2027-02-15"},
		},
		"until a day before": {
			Plan{First: on("2026-12-15"), Repeats: Monthly, Until: on("2027-02-14")},
			[]string{"2026-12-15", "2027-01-15"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string

			for number := 0; ; number++ {
				day := x.plan.planned(number)
				if day.IsZero() {
					break
				}

				got = append(got, shownDay(day))
			}

			require.Equal(t, x.want, got)
		})
	}
}
