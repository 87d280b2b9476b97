package limit_test

import (
	"context"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/limit"
)

// L-05: of those that wait, the next is one whose key has the fewest turns, then one that was served longest ago,
// then who came first.
func TestTurnsAreFairByKey(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		turns := limit.NewTurns(2)

		var order []string
		ends := map[string]func(){}
		ask := func(key, name string) {
			go func() {
				end, err := turns.Take(t.Context(), key)
				if err != nil {
					return
				}

				order = append(order, name)
				ends[name] = end
			}()

			synctest.Wait()
		}
		end := func(name string) {
			ends[name]()
			synctest.Wait()
		}

		ask("a", "a1")
		ask("a", "a2")
		require.Equal(t, []string{"a1", "a2"}, order, "whoever is alone has all")
		ask("a", "a3")
		ask("a", "a4")
		ask("b", "b1")
		ask("b", "b2")
		ask("c", "c1")

		end("a1")
		require.Equal(t, "b1", order[2], "it has none, and came before c")
		end("a2")
		require.Equal(t, "c1", order[3], "it has none, and was never served")
		end("b1")
		require.Equal(t, "a3", order[4], "it was served before b")
		end("c1")
		require.Equal(t, "b2", order[5], "a has one already")
		end("b2")
		require.Equal(t, "a4", order[6])
		end("a3")
		end("a4")
		ask("c", "c2")
		ask("c", "c3")
		require.Equal(t, []string{"c2", "c3"}, order[7:], "all turns have come back")
	})
}

// A waiter that has gone takes no turn with it.
func TestTurnOfOneThatHasGoneIsTheNexts(t *testing.T) {
	turns := limit.NewTurns(1)
	end, err := turns.Take(t.Context(), "a")
	require.NoError(t, err)

	gone, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = turns.Take(gone, "b")
	require.ErrorIs(t, err, context.Canceled)

	end()
	_, err = turns.Take(t.Context(), "c")
	require.NoError(t, err)
}

// What runs together never weighs more than is borne, and small ones do not overtake a large one for ever: whose turn
// it is by fairness is waited for. One that has gone holds nobody up, and what can never be borne is refused at once.
func TestTurnsBearNoMoreThanTheyCan(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		turns := limit.NewHeavyTurns(3, 10)

		_, err := turns.TakeHeavy(t.Context(), 11, "a")
		require.ErrorIs(t, err, limit.ErrFull)

		var order []string

		ends := map[string]func(){}
		ask := func(ctx context.Context, key string, weight int64) {
			go func() {
				end, err := turns.TakeHeavy(ctx, weight, key)
				if err != nil {
					return
				}

				order = append(order, key)
				ends[key] = end
			}()

			synctest.Wait()
		}
		end := func(key string) {
			ends[key]()
			synctest.Wait()
		}

		ask(t.Context(), "a", 4)
		ask(t.Context(), "b", 4)
		ask(t.Context(), "large", 7)
		ask(t.Context(), "small", 4)
		require.Equal(t, []string{"a", "b"}, order)

		end("a")
		require.Equal(t, []string{"a", "b"}, order, "the small one would fit, and it is the large one's turn")
		end("b")
		require.Equal(t, []string{"a", "b", "large"}, order, "3 are left")
		end("large")
		require.Equal(t, "small", order[3])

		gone, leave := context.WithCancel(t.Context())
		ask(gone, "gone", 9)
		ask(t.Context(), "c", 1)
		require.Len(t, order, 4)
		leave()
		synctest.Wait()
		require.Equal(t, "c", order[4])

		ask(t.Context(), "d", 0)
		ask(t.Context(), "e", 0)
		require.Equal(t, "d", order[5])
		require.Len(t, order, 6, "three are under way")
		end("c")
		require.Equal(t, "e", order[6])

		end("small")
		end("d")
		end("e")
		ask(t.Context(), "f", 10)
		require.Equal(t, "f", order[7], "all has come back")
	})
}
