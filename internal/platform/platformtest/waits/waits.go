// Package waits notes in a test's log what the test has waited for. scripts/timings adds it up.
package waits

import (
	"os"
	"testing"
	"time"
)

// variable makes tests note what they wait for. Without it nothing is noted.
const variable = "SLIPWAY_TEST_WAITS"

// For begins a wait, for "database" or for "start of" something, and returns the function that ends it.
func For(t testing.TB, what string) (over func()) {
	t.Helper()

	if !Noted() {
		return func() {}
	}

	began := time.Now()

	return func() {
		t.Helper()
		Add(t, what, time.Since(began))
	}
}

// Noted reports whether waits are noted, for those who must ask somebody how long one was.
func Noted() bool { return os.Getenv(variable) != "" }

// Add notes a wait that is over. The line's form is read by tools/loop.
func Add(t testing.TB, what string, long time.Duration) {
	t.Helper()
	t.Logf("waits: %s %.3f s", what, long.Seconds())
}
