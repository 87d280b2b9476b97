package db_test

import (
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
	"slipway/internal/schema"
)

// languageIndexes lists the indexes that sort by the rules of a language.
func languageIndexes(t *testing.T, d *db.DB) []string {
	t.Helper()

	const query = `SELECT x.relname::text FROM pg_index i JOIN pg_class x ON x.oid = i.indexrelid
		JOIN pg_am m ON m.oid = x.relam AND m.amname = 'btree'
		WHERE x.relnamespace = current_schema()::regnamespace AND EXISTS (SELECT 1 FROM unnest(i.indcollation::oid[]) u
			WHERE u <> 0 AND u <> '"C"'::regcollation)`

	out, err := db.Select(t.Context(), d, func(s *string) []any { return []any{s} }, query)
	require.NoError(t, err)

	return out
}

// B-15: no key sorts by rules that another machine may not share: not those of the schema, nor those of a migration to
// come, in an expression or behind a condition. An upgrade foresees the work.
func TestKeysSortByBytes(t *testing.T) {
	d := dbtest.Postgres(t)
	require.Empty(t, languageIndexes(t, d))

	ctx := t.Context()
	require.NoError(t, d.Write(ctx, func(tx *db.Tx) error {
		for _, text := range []string{
			`CREATE TABLE later (id TEXT NOT NULL PRIMARY KEY, "name" TEXT NOT NULL, state TEXT NOT NULL, free TEXT)`,
			"CREATE UNIQUE INDEX later_name ON later (lower(name)) WHERE state <> 'x'",
			"INSERT INTO later (id, name, state) VALUES ('1', 'a', 'y')",
		} {
			if _, err := tx.Exec(text); err != nil {
				return err
			}
		}

		return nil
	}))
	require.ElementsMatch(t, []string{"later_pkey", "later_name"}, languageIndexes(t, d))

	u, err := d.Upgrade(ctx, schema.Files())
	require.NoError(t, err)
	require.Equal(t, []db.Migration{{
		Name: `collation "C" of keys`,
		Work: []db.Work{{What: "COLLATE", Table: "later", Rows: 1}},
	}}, u.Missing)

	_, err = d.Migrate(ctx, schema.Files())
	require.NoError(t, err)
	require.Empty(t, languageIndexes(t, d))

	u, err = d.Upgrade(ctx, schema.Files())
	require.NoError(t, err)
	require.Empty(t, u.Missing)
}

// B-15: rules that have changed since the database was made are told of.
func TestChangedRulesOfSortingAreSeen(t *testing.T) {
	c, err := dbtest.SQLite(t).Collation(t.Context())
	require.NoError(t, err)
	require.False(t, c.Changed())

	d := dbtest.Postgres(t)

	c, err = d.Collation(t.Context())
	require.NoError(t, err)
	require.False(t, c.Changed(), "this server sorts by bytes")

	server := dbtest.OwnServer(t)
	server.Do("CREATE DATABASE old TEMPLATE template0 LOCALE_PROVIDER icu ICU_LOCALE 'de'",
		"UPDATE pg_database SET datcollversion = '1.2.3' WHERE datname = 'old'")

	c, err = openAt(t, server.Database("old"), 1).Collation(t.Context())
	require.NoError(t, err)
	require.True(t, c.Changed())
	require.Equal(t, "1.2.3", c.Built)
	require.NotEqual(t, c.Built, c.Now)
}

// B-15: two rows of one key, which an index under changed rules has taken, are found when it is built anew.
func TestRowsOfOneKeyStopTheMigration(t *testing.T) {
	server := dbtest.OwnServer(t)
	d := openAt(t, server.Address, 1)
	server.Do("CREATE TABLE twice (id TEXT NOT NULL)", "INSERT INTO twice VALUES ('a'), ('a')",
		"CREATE UNIQUE INDEX twice_id ON twice (id) WHERE id <> 'a'",
		"UPDATE pg_index SET indpred = NULL WHERE indexrelid = 'twice_id'::regclass")

	_, err := d.Migrate(
		t.Context(),
		fstest.MapFS{"0001_x.sql": {Data: []byte("-- +goose Up\nCREATE TABLE x (y TEXT);\n")}},
	)
	require.ErrorContains(t, err, "keys of twice")
	require.ErrorContains(t, err, "twice_id")
}
