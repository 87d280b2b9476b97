package cache_test

import (
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/cache"
	"slipway/internal/platform/clock"
)

func held(c *cache.Cache[int], n int) int {
	found := 0
	for i := range n {
		if v, ok := c.Find(fmt.Sprint(i)); ok && v == i {
			found++
		}
	}

	return found
}

func TestCacheNeverHoldsMoreThanItsLimit(t *testing.T) {
	for _, limit := range []int{1, 5, 15, 16, 17, 100, 1000} {
		c := cache.New[int](clock.New(), time.Hour, limit)
		for i := range 3000 {
			c.Keep(fmt.Sprint(i), i)
			v, ok := c.Find(fmt.Sprint(i))
			require.True(t, ok, "what was kept last is there")
			require.Equal(t, i, v)
		}

		n := held(c, 3000)
		require.LessOrEqual(t, n, limit)
		require.GreaterOrEqual(t, n, min(limit, 16)/2, "a full part does not lose everything")
	}
}

func TestCacheKeepsOthersWhenAValueIsReplaced(t *testing.T) {
	c := cache.New[int](clock.New(), time.Hour, 160)
	for i := range 3000 {
		c.Keep(fmt.Sprint(i), i)
	}

	for i := range 3000 {
		if _, there := c.Find(fmt.Sprint(i)); there {
			before := held(c, 3000)
			c.Keep(fmt.Sprint(i), i)
			require.Equal(t, before, held(c, 3000))
		}
	}
}

func TestCacheWeighsItsValues(t *testing.T) {
	const limit = 160
	c := cache.Weighed(clock.New(), time.Hour, limit, func(n int) int { return n%9 + 1 })

	weight := func() (sum int) {
		for i := range 3000 {
			if v, ok := c.Find(fmt.Sprint(i)); ok {
				sum += v%9 + 1
			}
		}

		return sum
	}
	for round := range 2 {
		for i := range 3000 {
			c.Keep(fmt.Sprint(i), i+round) // the second time with another weight

			if i%7 == 0 {
				c.Drop(fmt.Sprint(i))
			}
		}

		require.LessOrEqual(t, weight(), limit)
		require.GreaterOrEqual(t, weight(), limit/3)
	}

	heavy := cache.Weighed(clock.New(), time.Hour, limit, func(int) int { return 1000 })
	heavy.Keep("1", 1)
	_, there := heavy.Find("1")
	require.True(t, there)
}

func TestCacheForgetsWhenTheClockSaysSo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // the time stands still but for Advance
		k := clock.New()
		c := cache.New[int](k, time.Minute, 10)
		c.Keep("0", 0)
		k.Advance(time.Minute - time.Microsecond)
		require.Equal(t, 1, held(c, 1))

		k.Advance(time.Microsecond)
		require.Equal(t, 0, held(c, 1))

		c.Keep("0", 0)
		require.Equal(t, 1, held(c, 1), "kept anew it lives anew")
	})
}

func TestCacheDropsOneKey(t *testing.T) {
	c := cache.New[int](clock.New(), time.Minute, 100)
	c.Keep("0", 0)
	c.Keep("1", 1)
	c.Drop("0")
	c.Drop("unknown")
	_, ok := c.Find("0")
	require.False(t, ok)
	require.Equal(t, 1, held(c, 2))
}

func TestCacheIsSafeForConcurrentUse(t *testing.T) {
	c := cache.New[int](clock.New(), time.Minute, 20)

	var all sync.WaitGroup
	for g := range 4 {
		all.Go(func() {
			for i := range 500 {
				key := fmt.Sprint((i + g) % 40)
				c.Keep(key, (i+g)%40)

				if v, ok := c.Find(key); ok && fmt.Sprint(v) != key {
					t.Errorf("%s holds %d", key, v)
				}

				c.Drop(key)
			}
		})
	}

	all.Wait()
}

// P-09: a clock that was set back does not make a value older than it may be.
func TestAClockThatIsSetBackKeepsNothingLonger(t *testing.T) {
	c := clock.New()
	kept := cache.New[int](c, time.Minute, 10)
	kept.Keep("x", 1)
	c.Jump(-24 * time.Hour)
	_, ok := kept.Find("x")
	require.False(t, ok)
}
