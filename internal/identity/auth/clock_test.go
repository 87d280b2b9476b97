package auth_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/identity/auth"
)

// P-09: the clock is set forward or back by an hour or a day. A token ends no later than it was meant to: one that
// was given out by a clock that was ahead ends when that is set right, and what was cached with it. Its session goes
// on, since it can be refreshed.
func TestTokensFollowAClockThatIsSet(t *testing.T) {
	for _, jump := range []time.Duration{time.Hour, -time.Hour, 24 * time.Hour, -24 * time.Hour} {
		t.Run(jump.String(), func(t *testing.T) {
			each(t, func(t *testing.T, w *world) {
				s := w.Someone("ada@example.com")
				require.Equal(t, 200, alive(w, s))
				w.DB.Clock().Jump(jump)
				require.Equal(t, 401, alive(w, s))

				next := pair(refresh(w, s.Refresh))
				require.Equal(t, 200, alive(w, next))
				w.DB.Clock().Advance(auth.AccessLifetime)
				require.Equal(t, 401, alive(w, next))
			})
		})
	}
}
