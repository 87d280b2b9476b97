// Package dbtest gives each test a fresh database with the current schema, on SQLite and on PostgreSQL.
//
// PostgreSQL is used when SLIPWAY_TEST_POSTGRES holds the address of a server on which databases may be created (the test command
// of the project sets it); without it the PostgreSQL half is skipped with a sentence.
package dbtest

import (
	"context"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"slipway/internal/platform/clock"
	"slipway/internal/platform/db"
	"slipway/internal/schema"
)

// Each runs the test once on each database.
func Each(t *testing.T, test func(t *testing.T, d *db.DB)) {
	t.Helper()
	t.Run("sqlite", func(t *testing.T) { test(t, SQLite(t)) })
	t.Run("postgres", func(t *testing.T) { test(t, Postgres(t)) })
}

// SQLite opens a fresh file with the current schema; it is closed and removed with the test.
func SQLite(t testing.TB) *db.DB {
	t.Helper()
	return open(t, "sqlite:"+SQLiteFile(t))
}

// SQLiteFile is the path of a fresh file with the current schema.
func SQLiteFile(t testing.TB) string {
	t.Helper()
	src, err := sqliteTemplate()
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "slipway.db")
	copyFile(t, src, path)
	return path
}

// Postgres opens a fresh database with the current schema; it is dropped with the test.
func Postgres(t testing.TB) *db.DB {
	t.Helper()
	return open(t, PostgresURL(t))
}

var databases atomic.Int64

// PostgresURL is the address of a fresh database with the current schema. Without a server it skips the test.
func PostgresURL(t testing.TB) string {
	t.Helper()
	admin := os.Getenv("SLIPWAY_TEST_POSTGRES")
	if admin == "" {
		t.Skip("SLIPWAY_TEST_POSTGRES names no server: the PostgreSQL half of this test is left out (make check starts one)")
	}
	template, err := pgTemplate(admin)
	require.NoError(t, err)
	name := fmt.Sprintf("test_%d_%d", os.Getpid(), databases.Add(1))
	require.NoError(t, pgExec(admin, "CREATE DATABASE "+name+" TEMPLATE "+template))
	t.Cleanup(func() { _ = pgExec(admin, "DROP DATABASE IF EXISTS "+name+" WITH (FORCE)") })
	return withDatabase(admin, name)
}

func open(t testing.TB, address string) *db.DB {
	t.Helper()
	d, err := db.Open(context.Background(), db.Config{URL: address, Clock: clock.New(), RunTwice: os.Getenv("SLIPWAY_TEST_RUN_TWICE") != ""})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, d.Close()) })
	return d
}

// sqliteTemplate migrates one file per test process; tests copy it, which is far quicker than migrating each.
var sqliteTemplate = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "slipway-template")
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, "template.db")
	return path, migrate("sqlite:" + path)
})

var pgTemplates sync.Map

func pgTemplate(admin string) (string, error) {
	v, _ := pgTemplates.LoadOrStore(admin, sync.OnceValues(func() (string, error) {
		name := fmt.Sprintf("template_%d", os.Getpid())
		if err := pgExec(admin, "DROP DATABASE IF EXISTS "+name); err != nil {
			return "", err
		}
		if err := pgExec(admin, "CREATE DATABASE "+name); err != nil {
			return "", err
		}
		return name, migrate(withDatabase(admin, name))
	}))
	return v.(func() (string, error))()
}

func migrate(address string) error {
	d, err := db.Open(context.Background(), db.Config{URL: address})
	if err != nil {
		return err
	}
	if _, err = d.Migrate(context.Background(), schema.Files()); err != nil {
		return err
	}
	return d.Close()
}

func pgExec(admin, statement string) error {
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, admin)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(ctx) }()
	_, err = conn.Exec(ctx, statement)
	return err
}

func withDatabase(admin, name string) string {
	u, err := url.Parse(admin)
	if err != nil {
		return admin
	}
	u.Path = "/" + name
	return u.String()
}

func copyFile(t testing.TB, from, to string) {
	t.Helper()
	in, err := os.Open(from)
	require.NoError(t, err)
	defer in.Close()
	out, err := os.Create(to)
	require.NoError(t, err)
	_, err = io.Copy(out, in)
	require.NoError(t, err)
	require.NoError(t, out.Close())
}
