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
	require.NoError(t, b.Take(ended(), 6, "a"))
	require.ErrorIs(t, b.Take(ended(), 1, "a"), limit.ErrShare)
	require.NoError(t, b.Take(ended(), 4, "b"))
	require.ErrorIs(t, b.Take(ended(), 1, "c"), limit.ErrFull)

	b.Give(6, "a")
	require.NoError(t, b.Take(ended(), 6, "c"))
	require.ErrorIs(t, b.Take(context.Background(), 7, "d"), limit.ErrShare, "what can never be had is not waited for")
}

func TestBudgetWaitsUntilThereIsAsMuchOrTheContextEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := limit.NewBudget(10, 10)
		require.NoError(t, b.Take(t.Context(), 10, "a"))

		short, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		require.ErrorIs(t, b.Take(short, 1, "b"), limit.ErrFull)

		var all sync.WaitGroup
		for range 5 {
			all.Go(func() { require.NoError(t, b.Take(t.Context(), 2, "b")) })
		}

		synctest.Wait()
		b.Give(4, "a")
		synctest.Wait()
		b.Give(6, "a")
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
