//go:build !nosandbox

package app

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// The clock of a sandbox moves by durations of ISO 8601, and by those of the settings.
func TestSpansAreReadAsISO8601WritesThem(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"P3D":        72 * time.Hour,
		"P1W":        168 * time.Hour,
		"PT90S":      90 * time.Second,
		"PT0.5S":     500 * time.Millisecond,
		"P1DT2H3M4S": 26*time.Hour + 3*time.Minute + 4*time.Second,
		"24h":        24 * time.Hour,
		"1m30s":      90 * time.Second,
	} {
		got, err := parseSpan(text)
		require.NoError(t, err, text)
		require.Equal(t, want, got, text)
	}

	for _, text := range strings.Split("P,PT,P1DT,P1Y,P1M,P1.5D,-P1D,p1d,P1H,3D,P1D ,PT1S1H,", ",") {
		_, err := parseSpan(text)
		require.Error(t, err, text)
	}
}
