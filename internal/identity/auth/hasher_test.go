package auth

import (
	"context"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/core/fault"
)

// TestOneCoreStaysFreeOfHashes: sign-ins never take every core, and registrations take one slot at a time.
func TestOneCoreStaysFreeOfHashes(t *testing.T) {
	h := newHasher(Params())
	require.Equal(t, max(1, runtime.GOMAXPROCS(0)-1), cap(h.slots))
	require.Equal(t, 1, cap(h.registering))
}

// TestRegistrationsDoNotStarveSignIns: while as many register as may wait, a further one is refused at once and a
// sign-in is not.
func TestRegistrationsDoNotStarveSignIns(t *testing.T) {
	cheap := Params()
	cheap.Memory = 64
	h := newHasher(cheap)
	ctx, cancel := context.WithCancel(context.Background())

	h.registering <- struct{}{} // somebody registers

	ended := make(chan error, maxRegistrations)
	for range maxRegistrations {
		go func() {
			_, err := h.register(ctx, "nine violet kettles 47")
			ended <- err
		}()
	}

	for h.newcomers.Load() < maxRegistrations {
		runtime.Gosched()
	}

	_, err := h.register(ctx, "nine violet kettles 47")
	require.True(t, fault.Is(err, fault.Overloaded))

	_, err = h.matches(ctx, "nine violet kettles 47", "")
	require.NoError(t, err)

	cancel()

	for range maxRegistrations {
		require.ErrorIs(t, <-ended, context.Canceled)
	}
}
