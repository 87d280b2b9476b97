//go:build !nosandbox

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestRunKeepsTheTableOfTheLoop writes a page twice: what another command has appended stays, once.
func TestRunKeepsTheTableOfTheLoop(t *testing.T) {
	page := filepath.Join(t.TempDir(), "benchmarks.md")
	b := &bench{Out: page}

	require.NoError(t, b.write(true))
	first, err := os.ReadFile(page)
	require.NoError(t, err)
	require.NotContains(t, string(first), "The loop")

	const loop = "\n## The loop\n\n| date | check |\n|---|---|\n| today | 600 |\n"
	require.NoError(t, os.WriteFile(page, append(first, loop...), 0o644))

	for range 2 {
		require.NoError(t, b.write(true))
		text, err := os.ReadFile(page)
		require.NoError(t, err)
		require.True(t, strings.HasPrefix(string(text), "# Benchmarks") && strings.HasSuffix(string(text), loop))
		require.Equal(t, 1, strings.Count(string(text), "## The loop"))
	}
}
