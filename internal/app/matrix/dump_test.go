//go:build !nosandbox

package matrix

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"sort"
	"strings"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/db"
)

// dump gives a hash of the rows of every table: what it is before and after a refusal must be the same.
func (s *stage) dump() map[string]string {
	s.t.Helper()

	out := map[string]string{}
	for table, columns := range s.tables() {
		parts := make([]string, len(columns))
		for i, c := range columns {
			parts[i] = "COALESCE(CAST(" + c + " AS TEXT), '~')"
		}

		rows, err := db.Select(context.Background(), s.app.DB, func(r *string) []any {
			return []any{r}
		}, "SELECT "+strings.Join(parts, " || '|' || ")+" FROM "+table)
		require.NoError(s.t, err, table)
		sort.Strings(rows)
		sum := sha256.Sum256([]byte(strings.Join(rows, "\n")))
		out[table] = fmt.Sprintf("%d rows %s", len(rows), hex.EncodeToString(sum[:8]))
	}

	return out
}

type column struct{ table, name string }

// tables gives every table with its columns.
func (s *stage) tables() map[string][]string {
	query := `SELECT m.name, p.name FROM sqlite_master m JOIN pragma_table_info(m.name) p
		WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite%' ORDER BY 1, p.cid`
	if s.app.DB.Dialect() == db.Postgres {
		query = `SELECT table_name, column_name FROM information_schema.columns
			WHERE table_schema = 'public' ORDER BY 1, ordinal_position`
	}

	all, err := db.Select(context.Background(), s.app.DB, func(c *column) []any {
		return []any{&c.table, &c.name}
	}, query)
	require.NoError(s.t, err)

	out := map[string][]string{}
	for _, c := range all {
		out[c.table] = append(out[c.table], c.name)
	}

	require.Greater(s.t, len(out), 20, "tables")

	return out
}

// unchanged runs something that must leave every table as it is.
func (s *stage) unchanged(what string, run func()) {
	s.t.Helper()
	before := s.dump()
	run()
	require.Equal(s.t, before, s.dump(), "%s changed the database", what)
}
