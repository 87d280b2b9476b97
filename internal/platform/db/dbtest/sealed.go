package dbtest

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/db"
)

// Replace changes what the rows of a sealed column hold behind the service's back, as somebody would who has the key.
func Replace(t testing.TB, d *db.DB, c *db.Sealed, from, to string) {
	t.Helper()
	require.NoError(t, d.Rewrite(t.Context(), c, func(_ db.Key, texts []string) {
		for i, s := range texts {
			texts[i] = strings.ReplaceAll(s, from, to)
		}
	}))
}

// Opened is what the rows of a sealed column hold, by the last part of their keys: their texts, a line each.
func Opened(t testing.TB, d *db.DB, c *db.Sealed) map[any]string {
	t.Helper()

	out := map[any]string{}
	require.NoError(t, d.Rewrite(t.Context(), c, func(key db.Key, texts []string) {
		out[key[len(key)-1]] = strings.Join(texts, "\n")
	}))

	return out
}
