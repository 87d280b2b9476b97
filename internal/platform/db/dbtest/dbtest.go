// Package dbtest gives each test a new database with the current schema, on SQLite and on PostgreSQL.
//
// PostgreSQL is used if SLIPWAY_TEST_POSTGRES holds the address of a server on which databases may be created (the
// project's test command sets it). Otherwise the PostgreSQL half is skipped, with the reason.
//
// Read in this order: dbtest.go, sealed.go (sealed columns behind the service's back), server.go (a server that a test
// may kill), pooler.go (pgbouncer in front of one).
package dbtest

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"slipway/internal/platform/clock"
	"slipway/internal/platform/db"
	"slipway/internal/platform/platformtest/waits"
	"slipway/internal/platform/secret"
	"slipway/internal/schema"
)

// Each runs the test once on each database.
func Each(t *testing.T, test func(t *testing.T, d *db.DB)) {
	t.Helper()
	t.Run("sqlite", func(t *testing.T) { test(t, SQLite(t)) })
	t.Run("postgres", func(t *testing.T) { test(t, Postgres(t)) })
}

// SQLite returns a database in a new file with the current schema. It is closed and removed with the test.
func SQLite(t testing.TB) *db.DB {
	t.Helper()
	return open(t, "sqlite:"+SQLiteFile(t))
}

// SQLiteFile returns the path of a new file with the current schema.
func SQLiteFile(t testing.TB) string {
	t.Helper()
	src, err := sqliteTemplate()
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "slipway.db")
	copyFile(t, src, path)

	return path
}

// Postgres returns a new database with the current schema. It is dropped with the test.
func Postgres(t testing.TB) *db.DB {
	t.Helper()
	return open(t, PostgresURL(t))
}

var databases atomic.Int64

// PostgresURL returns the address of a new database with the current schema. Without a server it skips the test.
func PostgresURL(t testing.TB) string {
	t.Helper()

	admin := os.Getenv("SLIPWAY_TEST_POSTGRES")
	if admin == "" {
		t.Skip("SLIPWAY_TEST_POSTGRES names no server: the PostgreSQL half of this test is left out (make check " +
			"starts one)")
	}

	made := waits.For(t, "database")
	s := serverAt(admin)
	template, err := s.template()
	require.NoError(t, err)

	name := fmt.Sprintf("test_%d_%d", os.Getpid(), databases.Add(1))
	require.NoError(t, s.exec("CREATE DATABASE "+name+template))
	made()

	t.Cleanup(func() {
		defer waits.For(t, "database")()

		if waits.Noted() {
			waits.Add(t, "database", s.busy(name))
		}

		_ = s.exec("DROP DATABASE IF EXISTS " + name + " WITH (FORCE)")
	})

	return withDatabase(admin, name)
}

func open(t testing.TB, address string) *db.DB {
	t.Helper()

	d, err := db.Open(context.Background(), db.Config{
		URL:      address,
		Clock:    clock.New(),
		Keys:     Keys(t),
		Alone:    true,
		RunTwice: os.Getenv("SLIPWAY_TEST_RUN_TWICE") != "",
	})

	require.NoError(t, err)

	t.Cleanup(func() { require.NoError(t, d.Close()) })

	return d
}

// Keys returns the keyring of the test databases, for tests that open one themselves.
func Keys(t testing.TB) *secret.Keyring {
	t.Helper()
	keys, err := secret.ParseKeyring("test:c2xpcHdheSB0ZXN0aW5nIHNlYWxpbmcga2V5IDAwMDE=")
	require.NoError(t, err)

	return keys
}

// sqliteTemplate migrates one file per test process. Tests copy it, which is much faster than migrating each.
var sqliteTemplate = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "slipway-template")
	if err != nil {
		return "", err
	}

	path := filepath.Join(dir, "template.db")

	return path, migrate("sqlite:" + path)
})

// server is where this process creates its databases, all over one connection, because a database lives shorter than a
// few connections take.
type server struct {
	admin    string
	template func() (string, error) // the end of CREATE DATABASE for one with the current schema; built once

	mu   sync.Mutex
	conn *pgx.Conn
}

var servers sync.Map // *server by address

func serverAt(admin string) *server {
	s := &server{admin: admin}
	s.template = sync.OnceValues(s.makeTemplate)
	kept, _ := servers.LoadOrStore(admin, s)

	return kept.(*server)
}

// makeTemplate creates the template database, unless another process has. The server marks it as a template only when
// it is complete; what a crashed process has left is created again.
func (s *server) makeTemplate() (string, error) {
	name, err := templateName()
	if err != nil {
		return "", err
	}

	s.mu.Lock()
	defer s.mu.Unlock()

	if err := s.connect(); err != nil {
		return "", err
	}

	ctx := context.Background()
	if _, err := s.conn.Exec(ctx, "SELECT pg_advisory_lock(hashtext($1))", name); err != nil {
		return "", err
	}

	defer func() { _, _ = s.conn.Exec(ctx, "SELECT pg_advisory_unlock(hashtext($1))", name) }()

	var whole bool

	if err := s.conn.QueryRow(ctx, "SELECT EXISTS(SELECT 1 FROM pg_database WHERE datname = $1 AND datistemplate)",
		name).Scan(&whole); err != nil {
		return "", err
	}

	if !whole {
		for _, step := range []func() error{
			func() error { return s.do("DROP DATABASE IF EXISTS " + name + " WITH (FORCE)") },
			func() error { return s.do("CREATE DATABASE " + name) },
			func() error { return migrate(withDatabase(s.admin, name)) },
			func() error { return s.do("ALTER DATABASE " + name + " IS_TEMPLATE true") },
		} {
			if err := step(); err != nil {
				return "", err
			}
		}
	}

	return " TEMPLATE " + name + s.strategy(), nil
}

// templateName returns a name that is different for every schema.
func templateName() (string, error) {
	sum := sha256.New()

	err := fs.WalkDir(schema.Files(), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}

		text, err := fs.ReadFile(schema.Files(), path)
		_, _ = fmt.Fprintf(sum, "%s %d\n%s", path, len(text), text)

		return err
	})

	return fmt.Sprintf("slipway_template_%x", sum.Sum(nil)[:8]), err
}

// strategy makes the server copy files, as servers before PostgreSQL 15 do by default: the newer way takes three times
// as long.
func (s *server) strategy() string {
	major, _, _ := strings.Cut(s.conn.PgConn().ParameterStatus("server_version"), ".")
	if n, err := strconv.Atoi(major); err != nil || n < 15 {
		return ""
	}

	return " STRATEGY FILE_COPY"
}

func (s *server) exec(statement string) error {
	s.mu.Lock()
	defer s.mu.Unlock()

	if err := s.connect(); err != nil {
		return err
	}

	return s.do(statement)
}

// busy returns how long the server has executed statements in a database; 0 if it does not say, as before PostgreSQL
// 14.
func (s *server) busy(name string) time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()

	var ms float64
	if s.connect() == nil {
		_ = s.conn.QueryRow(context.Background(), "SELECT active_time FROM pg_stat_database WHERE datname = $1",
			name).Scan(&ms)
	}

	return time.Duration(ms * float64(time.Millisecond))
}

func (s *server) connect() (err error) {
	if s.conn == nil || s.conn.IsClosed() {
		s.conn, err = pgx.Connect(context.Background(), s.admin)
	}

	return err
}

func (s *server) do(statement string) error {
	_, err := s.conn.Exec(context.Background(), statement)
	return err
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
