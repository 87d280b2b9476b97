package auth

import (
	"context"
	"fmt"
	"runtime"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
)

// cheapHasher returns a hasher that takes no time.
func cheapHasher() *hasher {
	cheap := Params()
	cheap.Memory = 64

	return newHasher(cheap)
}

// from is the context of a request that comes from an address.
func from(ctx context.Context, source string) context.Context {
	return caller.WithCall(ctx, &caller.Call{Request: caller.Request{Source: source}})
}

// TestOneCoreStaysFreeOfHashes: sign-ins never take every core, and registrations take one slot at a time.
func TestOneCoreStaysFreeOfHashes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := cheapHasher()
		cores := max(1, runtime.GOMAXPROCS(0)-1)

		running := make(chan func(), cores+1)
		for range cores + 1 {
			go func() {
				leave, err := h.enter(t.Context())
				require.NoError(t, err)

				running <- leave
			}()
		}

		synctest.Wait()
		require.Len(t, running, cores)

		for range cores + 1 {
			(<-running)()
		}

		end, err := h.registering.Take(t.Context(), "")
		require.NoError(t, err)

		second := make(chan func(), 1)
		go func() {
			end, err := h.registering.Take(t.Context(), "")
			require.NoError(t, err)

			second <- end
		}()

		synctest.Wait()
		require.Empty(t, second, "one registers at a time")
		end()
		(<-second)()
	})
}

// TestRegistrationsDoNotStarveSignIns: while as many register as may wait, a further one is refused at once and a
// sign-in is not.
func TestRegistrationsDoNotStarveSignIns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := cheapHasher()
		ctx, cancel := context.WithCancel(t.Context())

		end, err := h.registering.Take(ctx, "") // somebody registers
		require.NoError(t, err)

		ended := make(chan error, maxRegistrations)
		for range maxRegistrations {
			go func() {
				_, err := h.register(ctx, "nine violet kettles 47")
				ended <- err
			}()
		}

		synctest.Wait()

		_, err = h.register(ctx, "nine violet kettles 47")
		require.True(t, fault.Is(err, fault.Overloaded))

		_, err = h.matches(ctx, "nine violet kettles 47", "")
		require.NoError(t, err)

		cancel()

		for range maxRegistrations {
			require.ErrorIs(t, <-ended, context.Canceled)
		}

		end()
	})
}

// TestHashesAreFairByNetwork (I-10): however many ask from one network, whoever comes from another has a place, and
// waits for one of them.
func TestHashesAreFairByNetwork(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := cheapHasher()
		end, err := h.registering.Take(t.Context(), "203.0.113.0/24")
		require.NoError(t, err)

		order := make(chan string, 2*maxRegistrations)
		ask := func(name, source string) {
			go func() {
				_, err := h.register(from(t.Context(), source), "nine violet kettles 47")
				if err != nil {
					name = "refused"
				}

				order <- name
			}()

			synctest.Wait()
		}

		for i := range maxRegistrations {
			ask("many", fmt.Sprint("203.0.113.", i))
		}

		ask("one", "198.51.100.7")

		refused := len(order)
		require.Equal(t, maxRegistrations/2, refused, "one network has half of the places")

		for range refused {
			require.Equal(t, "refused", <-order)
		}

		end()
		require.Equal(t, "one", <-order)

		for range maxRegistrations - refused {
			require.Equal(t, "many", <-order)
		}
	})
}
