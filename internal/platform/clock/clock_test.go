package clock_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/clock"
)

func TestClockOnlyGoesForward(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := clock.New()
		begin := c.Now()
		c.Advance(72 * time.Hour)
		c.Advance(-time.Hour)
		require.Equal(t, 72*time.Hour, c.Now().Sub(begin))
		require.Equal(t, begin, clock.New().Now(), "another clock is not moved")
	})
}

func TestClockGivesWholeMicrosecondsInUTC(t *testing.T) {
	c := clock.New()
	c.Advance(1234 * time.Nanosecond)
	now := c.Now()
	require.Equal(t, time.UTC, now.Location())
	require.Zero(t, now.Nanosecond()%1000)
	require.Equal(t, now, time.UnixMicro(now.UnixMicro()).UTC(), "what both databases store is the same time")
}

func TestClockShowsAMomentOfTheWallClockAsItShowsNow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := clock.New()
		c.Advance(72*time.Hour + 1234*time.Nanosecond)
		wall := time.Now()
		require.Equal(t, c.Now(), c.At(wall))
		require.Equal(t, c.Now().Add(-time.Minute), c.At(wall.Add(-time.Minute)))
	})
}

// P-09: setting the clock changes what it shows and not how long something takes.
func TestJumpMovesTheTimeOfDayAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := clock.New()
		shown := c.Now()
		elapsed := c.Elapsed()

		c.Jump(-27 * time.Hour)
		require.Equal(t, -27*time.Hour, c.Now().Sub(shown))
		require.Equal(t, elapsed, c.Elapsed())

		c.Advance(time.Minute)
		require.Equal(t, time.Minute-27*time.Hour, c.Now().Sub(shown))
		require.Equal(t, elapsed, c.Elapsed())
		require.Equal(t, time.Minute, c.Advanced())
	})
}
