package limit_test

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/limit"
)

// ended is a context that waits for nothing.
func ended() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}

func TestBudgetIsSharedAndComesBack(t *testing.T) {
	b := limit.NewBudget(10, 6)
	require.NoError(t, b.Take(ended(), "a", 6))
	require.ErrorIs(t, b.Take(ended(), "a", 1), limit.ErrShare)
	require.NoError(t, b.Take(ended(), "b", 4))
	require.ErrorIs(t, b.Take(ended(), "c", 1), limit.ErrFull)

	b.Give("a", 6)
	require.NoError(t, b.Take(ended(), "c", 6))
	require.ErrorIs(t, b.Take(context.Background(), "d", 7), limit.ErrShare, "what can never be had is not waited for")
}

func TestBudgetWaitsUntilThereIsAsMuchOrTheContextEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := limit.NewBudget(10, 10)
		require.NoError(t, b.Take(t.Context(), "a", 10))

		short, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		require.ErrorIs(t, b.Take(short, "b", 1), limit.ErrFull)

		var all sync.WaitGroup
		for range 5 {
			all.Go(func() { require.NoError(t, b.Take(t.Context(), "b", 2)) })
		}

		synctest.Wait()
		b.Give("a", 4)
		synctest.Wait()
		b.Give("a", 6)
		all.Wait()
	})
}

func TestShareIsOneForAllWhoHoldItAndIsForgottenAfterwards(t *testing.T) {
	var s limit.Shares
	first, n := s.Hold("a")
	require.Equal(t, 1, n)
	second, n := s.Hold("a")
	require.Equal(t, 2, n)
	require.Same(t, first, second)
	other, _ := s.Hold("b")
	require.NotSame(t, first, other)

	first.Under.Add(1)
	s.Release(second)
	require.Equal(t, 1, s.Holders(first))
	s.Release(first)
	fresh, _ := s.Hold("a")
	require.Zero(t, fresh.Under.Load())
}
