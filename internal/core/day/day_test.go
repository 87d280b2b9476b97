package day_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/core/day"
)

func TestAnOffsetDoesNotMoveADay(t *testing.T) {
	for _, s := range []string{
		"1980-05-17",
		"1980-05-17T00:00:00Z",
		"1980-05-17T00:00:00+14:00",
		"1980-05-17T23:59:59.999-12:00",
		" 1980-05-17 ",
		"1980-05-17 23:59:59 +14:00",
	} {
		var d day.Day
		require.NoError(t, json.Unmarshal([]byte(`"`+s+`"`), &d), s)
		require.Equal(t, "1980-05-17T00:00:00Z", d.Format("2006-01-02T15:04:05Z07:00"), s)
	}
}

func TestMomentsAsTheyAreWritten(t *testing.T) {
	for written, want := range map[string]string{
		"2026-11-21T09:30:00Z":           "2026-11-21T09:30:00Z",
		"2026-11-21T09:30:00.123456Z":    "2026-11-21T09:30:00.123456Z",
		"2026-11-21t09:30:00z":           "2026-11-21T09:30:00Z",
		"2026-11-21 09:30:00Z":           "2026-11-21T09:30:00Z",
		" 2026-11-21T09:30Z ":            "2026-11-21T09:30:00Z",
		"2026-11-21T09:30:00+01:00":      "2026-11-21T08:30:00Z",
		"2026-11-21T09:30:00 01:00":      "2026-11-21T08:30:00Z", // a plus sign that was not escaped
		"2026-11-21 09:30:00 -05:30":     "2026-11-21T15:00:00Z",
		"2026-11-21 09:30 Z":             "2026-11-21T09:30:00Z",
		"2026-11-21 09:30:00 0100":       "2026-11-21T08:30:00Z",
		"2026-11-21T09:30:00+0100":       "2026-11-21T08:30:00Z",
		"2026-11-21T09:30:00+01":         "2026-11-21T08:30:00Z",
		"2026-11-21T09:30:00\u221205:30": "2026-11-21T15:00:00Z",
		"2026-11-21T09:30-0530":          "2026-11-21T15:00:00Z",
	} {
		got, err := day.ParseTime(written)
		require.NoError(t, err, written)
		require.Equal(t, want, got.UTC().Format(time.RFC3339Nano), written)
	}

	for _, written := range []string{
		"", "2026-11-21", "2026-11-21T09:30:00", "09:30:00Z", "2026-11-21T25:00:00Z", "2026-11-21T09:30:00+1",
		"21.11.2026 09:30Z",
	} {
		_, err := day.ParseTime(written)
		require.Error(t, err, written)
	}
}

func TestWhatIsNoDayIsRefused(t *testing.T) {
	for _, raw := range []string{`"17.5.1980"`, `"1980-02-30"`, `"1980-05-17T00:00:00"`, `19800517`, `{}`, `"x"`} {
		var d day.Day
		require.Error(t, json.Unmarshal([]byte(raw), &d), raw)
	}

	for _, raw := range []string{`null`, `""`} {
		d := day.Day{Time: day.Of(day.Day{}.Time)}
		require.NoError(t, json.Unmarshal([]byte(raw), &d), raw)
		require.True(t, d.IsZero(), raw)
	}
}
