package db_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
)

// A plan is kept for as long as its connection lives. One that was made while a table was empty takes the index that a
// full table needs.
func TestPlansTakeAnIndexWhileATableIsSmall(t *testing.T) {
	d := dbtest.Postgres(t)
	ctx := context.Background()

	require.NoError(t, d.Write(ctx, func(tx *db.Tx) error {
		for _, statement := range []string{
			"CREATE TABLE planned (id TEXT PRIMARY KEY, owner TEXT NOT NULL)",
			"CREATE INDEX planned_owner ON planned (owner)",
			"INSERT INTO planned (id, owner) VALUES ('1', 'ann')",
			"ANALYZE planned",
		} {
			if _, err := tx.Exec(statement); err != nil {
				return err
			}
		}

		return nil
	}))

	plan := func(q db.Querier) {
		lines, err := db.Select(ctx, q, func(s *string) []any { return []any{s} },
			"EXPLAIN SELECT id FROM planned WHERE owner = ?", "ann")
		require.NoError(t, err)
		require.Contains(t, strings.Join(lines, "\n"), "planned_owner")
	}

	plan(d)
	require.NoError(t, d.Write(ctx, func(tx *db.Tx) error {
		plan(tx)
		return nil
	}))
}
