package day_test

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/core/day"
)

// TestEachCountryHasAZone shows that every zone of the list is one.
func TestEachCountryHasAZone(t *testing.T) {
	raw, err := os.ReadFile("zones.txt")
	require.NoError(t, err)

	for line := range strings.Lines(string(raw)) {
		country, name, _ := strings.Cut(strings.TrimSpace(line), " ")
		require.Len(t, country, 2)
		require.Equal(t, name, day.ZoneOf(country).String())
	}

	require.Equal(t, "Europe/Zurich", day.ZoneOf("CH").String())
	require.Equal(t, time.UTC, day.ZoneOf(""))
	require.Equal(t, time.UTC, day.ZoneOf("ZZ"))
}

// TestZoneIsANameOfTheDatabase shows that nothing else is taken for a zone, not even that of the machine.
func TestZoneIsANameOfTheDatabase(t *testing.T) {
	_, ok := day.Zone("Asia/Tokyo")
	require.True(t, ok)

	for _, name := range []string{"", "Local", "Europe/Atlantis", "../zone", "+02:00"} {
		_, ok := day.Zone(name)
		require.False(t, ok, name)
	}
}
