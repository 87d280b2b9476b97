package waits_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/platformtest/waits"
)

// logged is a test that keeps what it logs.
type logged struct {
	testing.TB
	lines []string
}

func (l *logged) Logf(format string, args ...any) {
	l.lines = append(l.lines, fmt.Sprintf(format, args...))
}

func TestWaitsAreNotedWhereTheyAreWanted(t *testing.T) {
	const variable = "SLIPWAY_TEST_WAITS"

	l := &logged{TB: t}

	t.Setenv(variable, "")
	waits.For(l, "start of a chain")()
	require.Empty(t, l.lines)

	t.Setenv(variable, "1")
	waits.For(l, "start of a chain")()
	waits.Add(l, "database", 1500*time.Millisecond)
	require.Len(t, l.lines, 2)
	require.Regexp(t, `^waits: start of a chain 0\.[0-9]{3} s$`, l.lines[0])
	require.Equal(t, "waits: database 1.500 s", l.lines[1])
}
