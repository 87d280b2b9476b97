package limit_test

import (
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/limit"
)

// I-10: a person with many organisations has the share of one person, and an organisation with many people that of one.
func TestWhatCountsForSeveralKeysIsBoundedByEach(t *testing.T) {
	places := limit.NewPlaces(100, 2)
	budget := limit.NewBudget(100, 2)

	for _, keys := range [][]string{{"usr_1", "org_1"}, {"usr_1", "org_2", "org_2", ""}} {
		_, err := places.Take(keys...)
		require.NoError(t, err)
		require.NoError(t, budget.Take(ended(), 1, keys...))
	}

	_, err := places.Take("usr_1", "org_3")
	require.ErrorIs(t, err, limit.ErrShare)
	require.ErrorIs(t, budget.Take(ended(), 1, "usr_1", "org_3"), limit.ErrShare)

	leave, err := places.Take("usr_2", "org_2")
	require.NoError(t, err, "a key that is named twice counts once")
	require.NoError(t, budget.Take(ended(), 1, "usr_2", "org_2"))

	_, err = places.Take("usr_3", "org_2")
	require.ErrorIs(t, err, limit.ErrShare)
	require.ErrorIs(t, budget.Take(ended(), 1, "usr_3", "org_2"), limit.ErrShare)

	leave()
	budget.Give(1, "usr_2", "org_2")

	_, err = places.Take("usr_3", "org_2")
	require.NoError(t, err)
	require.NoError(t, budget.Take(ended(), 1, "usr_3", "org_2"))
}

// L-05: whoever has many organisations is not served once for each of them before somebody else is served at all.
func TestTurnsAreFairByEachKey(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		turns := limit.NewTurns(1)
		end, err := turns.Take(t.Context(), "usr_1", "org_0")
		require.NoError(t, err)

		served := make(chan string)
		ask := func(name string, keys ...string) {
			go func() {
				end, err := turns.Take(t.Context(), keys...)
				if err == nil {
					served <- name
					end()
				}
			}()

			synctest.Wait()
		}

		for _, organisation := range []string{"org_1", "org_2", "org_3"} {
			ask("the many", "usr_1", organisation)
		}

		ask("the one", "usr_2", "org_4")
		end()
		require.Equal(t, "the one", <-served)

		for range 3 {
			require.Equal(t, "the many", <-served)
		}
	})
}
