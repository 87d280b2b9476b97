package limit_test

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"slipway/internal/platform/limit"
)

var start = time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)

func TestBucketEmptiesAndFillsAgain(t *testing.T) {
	m := limit.NewMeter(limit.Rate{Events: 5, Per: time.Minute})
	for left := 4; left >= 0; left-- {
		q := m.Take(start)
		require.Equal(t, limit.Quota{
			OK:        true,
			Limit:     5,
			Remaining: left,
			Reset:     time.Duration(5-left) * 12 * time.Second,
		}, q)
	}

	require.Equal(t, limit.Quota{Limit: 5, Reset: time.Minute, RetryAfter: 12 * time.Second}, m.Take(start))
	require.Equal(t, limit.Quota{
		Limit:      5,
		Reset:      time.Minute,
		RetryAfter: 12 * time.Second,
	}, m.Left(start), "a refusal takes nothing")
	require.False(t, m.Take(start.Add(12*time.Second-1)).OK)
	require.True(t, m.Left(start.Add(12*time.Second)).OK)
	require.True(t, m.Take(start.Add(12*time.Second)).OK)
	require.Equal(t, 4, m.Take(start.Add(time.Hour)).Remaining, "no more than the bucket holds")
}

func TestNoRateLimitsNothing(t *testing.T) {
	var l *limit.Limiter
	require.Nil(t, limit.New(limit.Rate{}, 10))
	require.Nil(t, limit.NewMeter(limit.Rate{Events: 5}))
	require.True(t, l.Take("x", start).OK)
	require.True(t, l.Left("x", start).OK)
}

// Whatever comes when: no window of any length sees more than the burst and what came back in it.
func TestNeverMoreThanTheRate(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := limit.Rate{
			Events: rapid.IntRange(1, 20).Draw(t, "events"),
			Per:    time.Minute,
			Burst:  rapid.IntRange(0, 30).Draw(t, "burst"),
		}

		burst := max(r.Burst, 0)
		if burst == 0 {
			burst = r.Events
		}

		m := limit.NewMeter(r)
		now := start

		var allowed []time.Time
		for range rapid.IntRange(1, 200).Draw(t, "asked") {
			now = now.Add(time.Duration(rapid.Int64Range(0, int64(20*time.Second)).Draw(t, "pause")))
			left := m.Left(now)

			q := m.Take(now)
			if left.OK != q.OK {
				t.Fatal("Left and Take disagree")
			}

			if !q.OK {
				if m.Left(now.Add(q.RetryAfter)).OK != true || m.Left(now.Add(q.RetryAfter-1)).OK {
					t.Fatalf("Retry-After %s is not the first moment", q.RetryAfter)
				}

				continue
			}

			allowed = append(allowed, now)
			for i := range allowed {
				window := now.Sub(allowed[i])

				most := burst + int(window/(r.Per/time.Duration(r.Events)))
				if got := len(allowed) - i; got > most {
					t.Fatalf("%d in %s, at most %d", got, window, most)
				}
			}
		}
	})
}

func TestParallelTakersShareOneBucket(t *testing.T) {
	l := limit.New(limit.Rate{Events: 100, Per: time.Hour}, 1000)

	var (
		ok atomic.Int64
		wg sync.WaitGroup
	)
	for range 20 {
		wg.Go(func() {
			for range 50 {
				if l.Take("one", start).OK {
					ok.Add(1)
				}
			}
		})
	}

	wg.Wait()
	require.EqualValues(t, 100, ok.Load())
}

// whoever comes from ever new addresses fills no memory, and does not wash out those who are over their limit.
func TestMemoryIsBounded(t *testing.T) {
	l := limit.New(limit.Rate{Events: 5, Per: time.Minute}, 1600)
	for range 5 {
		require.True(t, l.Take("attacker", start).OK)
	}

	for i := range 100_000 {
		l.Take(fmt.Sprint(i), start)
	}

	require.LessOrEqual(t, l.Len(), 1600)
	require.False(t, l.Take("attacker", start).OK, "forgotten although others had more left")

	for i := range 1600 {
		l.Take(fmt.Sprint("later", i), start.Add(time.Hour))
	}

	require.LessOrEqual(t, l.Len(), 1600)
}

func BenchmarkTake(b *testing.B) {
	m := limit.NewMeter(limit.Rate{Events: 1_000_000_000, Per: time.Second})
	for b.Loop() {
		m.Take(start)
	}
}

// P-09: a clock that was set back does not keep anybody out for as long.
func TestAClockThatIsSetBackEmptiesNoBucket(t *testing.T) {
	m := limit.NewMeter(limit.Rate{Events: 2, Per: time.Minute})

	ahead := time.Unix(1_800_000_000, 0)
	for m.Take(ahead).OK {
	}

	now := ahead.Add(-27 * time.Hour)
	require.True(t, m.Left(now).OK)
	require.True(t, m.Take(now).OK)

	for m.Take(now).OK {
	}

	require.False(t, m.Take(now).OK, "and it counts from then on")
}
