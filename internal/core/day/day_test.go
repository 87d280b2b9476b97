package day_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/core/day"
)

func TestAnOffsetDoesNotMoveADay(t *testing.T) {
	for _, s := range []string{
		"1980-05-17",
		"1980-05-17T00:00:00Z",
		"1980-05-17T00:00:00+14:00",
		"1980-05-17T23:59:59.999-12:00",
	} {
		var d day.Day
		require.NoError(t, json.Unmarshal([]byte(`"`+s+`"`), &d), s)
		require.Equal(t, "1980-05-17T00:00:00Z", d.Format("2006-01-02T15:04:05Z07:00"), s)
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
