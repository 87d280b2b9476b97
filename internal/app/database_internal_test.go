package app

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// B-12: that commits are not confirmed is told once, and once more when they are again.
func TestUnconfirmedCommitsAreToldOnce(t *testing.T) {
	var told bytes.Buffer

	w := commitWatch{log: slog.New(slog.NewTextHandler(&told, nil))}
	for _, age := range []time.Duration{0, time.Second, commitsLate} {
		w.look(age)
	}

	require.Empty(t, told.String())

	for _, age := range []time.Duration{20 * time.Second, 40 * time.Second, 160 * time.Second} {
		w.look(age)
	}

	require.Equal(t, 1, strings.Count(told.String(), "level=ERROR msg=\"commits are not confirmed"))
	w.look(0)
	w.look(0)
	require.Equal(t, 1, strings.Count(told.String(), "commits are confirmed again"))
}
