package limit_test

import (
	"fmt"
	"time"

	"slipway/internal/platform/limit"
)

// Two at once, and one more every minute, for each key.
func ExampleLimiter_Take() {
	limiter := limit.New(limit.Rate{Events: 1, Per: time.Minute, Burst: 2}, 1_000)
	noon := time.Date(2026, time.January, 5, 12, 0, 0, 0, time.UTC)

	for range 3 {
		q := limiter.Take("ada", noon)
		fmt.Println(q.OK, q.Remaining, q.RetryAfter)
	}

	fmt.Println(limiter.Take("bob", noon).OK, limiter.Take("ada", noon.Add(time.Minute)).OK)

	// Output:
	// true 1 0s
	// true 0 0s
	// false 0 1m0s
	// true true
}
