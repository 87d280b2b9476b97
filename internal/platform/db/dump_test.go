package db_test

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
)

// contents returns a hash of every table that has rows.
func contents(t *testing.T, d *db.DB) map[string]string {
	t.Helper()
	names, err := db.Select(t.Context(), d, func(s *string) []any { return []any{s} },
		"SELECT tablename::text FROM pg_tables WHERE schemaname = current_schema() AND tablename <> 'goose_db_version'")
	require.NoError(t, err)

	out := map[string]string{}

	for _, name := range names {
		hash, err := db.Value[string](t.Context(), d,
			"SELECT COALESCE(md5(string_agg(r::text, chr(10) ORDER BY r::text)), '') FROM "+name+" r")
		require.NoError(t, err)

		if hash != "" {
			out[name] = hash
		}
	}

	return out
}

func exec(t *testing.T, d *db.DB, statement string) {
	t.Helper()
	require.NoError(t, d.Write(t.Context(), func(tx *db.Tx) error {
		_, err := tx.Exec(statement)
		return err
	}))
}

// filled is a database with rows of every type, more than a piece of COPY, and a table that refers to another one.
func filled(t *testing.T) *db.DB {
	t.Helper()
	d := dbtest.Postgres(t)

	for _, statement := range []string{
		"INSERT INTO comments SELECT 'cmt_' || n, 'org_1', 'txn_1', 'usr_1', " +
			"'Übrigens \\ 東京 ' || repeat('x', (n % 900)::int), n % 2 = 0, n FROM generate_series(1, 20000) n",
		"INSERT INTO comment_documents SELECT 'cmt_1', n, 'org_1', 'key' FROM generate_series(1, 3) n",
	} {
		exec(t, d, statement)
	}

	return d
}

// B-16: what was dumped and filled in is the same database, row by row.
func TestADumpIsTheWholeDatabase(t *testing.T) {
	d := filled(t)

	var dump bytes.Buffer
	require.NoError(t, d.Dump(t.Context(), &dump))
	want := contents(t, d)
	require.Contains(t, want, "comments")
	require.Contains(t, want, "comment_documents")

	other := dbtest.Postgres(t)
	exec(t, other, "INSERT INTO comments VALUES ('cmt_0', '', '', '', 'what a migration has written', false, 0)")
	require.NoError(t, other.Fill(t.Context(), bytes.NewReader(dump.Bytes())))
	require.Equal(t, want, contents(t, other))
}

// writes runs a function before the first bytes are taken.
type writes struct {
	io.Writer
	first func()
}

func (w *writes) Write(b []byte) (int, error) {
	if w.first != nil {
		w.first()
		w.first = nil
	}

	return w.Writer.Write(b)
}

// A dump is of one moment, whatever is written while it runs.
func TestADumpIsOfOneMoment(t *testing.T) {
	d := filled(t)
	want := contents(t, d)

	var dump bytes.Buffer
	require.NoError(t, d.Dump(t.Context(), &writes{&dump, func() {
		exec(t, d, "INSERT INTO comment_documents SELECT 'cmt_2', n, 'org_1', 'key' FROM generate_series(1, 3) n")
	}}))

	other := dbtest.Postgres(t)
	require.NoError(t, other.Fill(t.Context(), &dump))
	require.Equal(t, want, contents(t, other))
}

// Fill needs that what a row refers to comes before it, and orders tables by whether they refer to others.
func TestNoTableThatRefersIsReferredTo(t *testing.T) {
	n, err := db.Value[int64](t.Context(), dbtest.Postgres(t),
		"SELECT count(*) FROM pg_constraint a JOIN pg_constraint b ON a.confrelid = b.conrelid "+
			"WHERE a.contype = 'f' AND b.contype = 'f'")
	require.NoError(t, err)
	require.Zero(t, n)
}

// A dump that is cut off at any place, or is of other tables, changes nothing.
func TestPartOfADumpIsRefused(t *testing.T) {
	d := filled(t)

	var dump bytes.Buffer
	require.NoError(t, d.Dump(t.Context(), &dump))

	other := dbtest.Postgres(t)
	exec(t, other, "INSERT INTO comments VALUES ('cmt_0', '', '', '', 'is there', false, 0)")
	before := contents(t, other)
	whole := dump.Bytes()

	for _, n := range []int{0, 5, len(whole) / 2, len(whole) - 1} {
		require.ErrorContains(t, other.Fill(t.Context(), bytes.NewReader(whole[:n])), io.ErrUnexpectedEOF.Error(), n)
		require.Equal(t, before, contents(t, other))
	}

	foreign := bytes.Replace(whole, []byte(`{"table":"comments"`), []byte(`{"table":"remarks_"`), 1)
	require.ErrorContains(t, other.Fill(t.Context(), bytes.NewReader(foreign)), "remarks_")
	require.Equal(t, before, contents(t, other))
}

// An SQLite file is copied while others write, and the copy has what was there when it began.
func TestAFileIsCopiedWhileItIsInUse(t *testing.T) {
	d := dbtest.SQLite(t)
	exec(t, d, "INSERT INTO comments VALUES ('cmt_0', '', '', '', 'is there', false, 0)")

	path := filepath.Join(t.TempDir(), "copy.db")
	require.NoError(t, d.CopyTo(t.Context(), path))
	exec(t, d, "DELETE FROM comments")

	info, err := os.Stat(path)
	require.NoError(t, err)
	require.EqualValues(t, 0o600, info.Mode().Perm())

	copied, err := db.Open(t.Context(), db.Config{URL: "sqlite:" + path})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, copied.Close()) })
	n, err := db.Value[int64](t.Context(), copied, "SELECT count(*) FROM comments")
	require.NoError(t, err)
	require.EqualValues(t, 1, n)

	require.Error(t, d.CopyTo(t.Context(), path), "a file that is there is not written over")
}
