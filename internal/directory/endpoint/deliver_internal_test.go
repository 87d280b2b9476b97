package endpoint

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// What an endpoint asks for by Retry-After makes a pause longer, up to a day, and never shorter. Without it the pauses
// are those of the schedule, a fifth shorter or longer; the last one is repeated.
func TestPausesFollowTheScheduleAndRetryAfterWithinBounds(t *testing.T) {
	const day = 24 * time.Hour

	for attempts := int64(1); attempts <= maxAttempts; attempts++ {
		planned := pauses[min(int(attempts), len(pauses))-1]

		for range 100 {
			p := pauseAfter(attempts, 0)
			require.GreaterOrEqual(t, p, planned*4/5)
			require.LessOrEqual(t, p, planned*6/5)

			require.GreaterOrEqual(t, pauseAfter(attempts, time.Second), planned*4/5, "it is no order to hurry")
			require.LessOrEqual(t, pauseAfter(attempts, 365*day), day*6/5, "nor one to wait for a year")
		}
	}

	require.Equal(t, day, pauseAfter(1, 365*day))
	require.Equal(t, time.Minute, pauseAfter(1, time.Minute))
}
