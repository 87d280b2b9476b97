package dbtest

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/db"
)

// Replace changes the values of a sealed column behind the service's back, as an attacker with the key could.
func Replace(t testing.TB, d *db.DB, c *db.Sealed, from, to string) {
	t.Helper()
	require.NoError(t, d.Rewrite(t.Context(), c, func(_ db.Key, texts []string) {
		for i, s := range texts {
			texts[i] = strings.ReplaceAll(s, from, to)
		}
	}))
}

// Opened returns the values of a sealed column by the last part of their keys: the texts of a row, one a line.
func Opened(t testing.TB, d *db.DB, c *db.Sealed) map[any]string {
	t.Helper()

	out := map[any]string{}
	require.NoError(t, d.Rewrite(t.Context(), c, func(key db.Key, texts []string) {
		out[key[len(key)-1]] = strings.Join(texts, "\n")
	}))

	return out
}
