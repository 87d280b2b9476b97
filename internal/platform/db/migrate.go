package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"
)

const (
	lockLimit     = time.Second // how long a migration waits for a table; everybody else waits behind it
	lockAttempts  = 60
	lockPause     = 500 * time.Millisecond // the pause in which everybody else continues
	migrationWait = 300                    // seconds to wait for another process that migrates
	codeLockLimit = "55P03"
)

// Migrate applies the migrations of the folder that are new, and returns their number. Instances that start together
// wait for each other. A second call finds nothing to do.
//
// A file whose name ends in .sqlite.sql or .postgres.sql is for that database only; the two have the same number.
//
// On PostgreSQL, all keys have the collation "C" afterwards. A file that changes a table in use gives up after a
// second, and is retried for about a minute and a half, because a process of the previous version continues to work.
func (d *DB) Migrate(ctx context.Context, files fs.FS) (int, error) {
	return d.MigrateTo(ctx, files, newest)
}

// newest is after every migration.
const newest = math.MaxInt64

// MigrateTo is Migrate that leaves out what comes after a version.
func (d *DB) MigrateTo(ctx context.Context, files fs.FS, version int64) (int, error) {
	applied := 0

	for attempt := 1; ; attempt++ {
		n, err := d.migrate(ctx, files, version)

		applied += n
		if err == nil {
			return applied, nil
		}

		var server *pgconn.PgError

		locked := errors.As(err, &server) && server.Code == codeLockLimit
		if !locked || attempt == lockAttempts {
			return applied, fmt.Errorf("migrate: %w", err)
		}

		if err := pauseFor(ctx, lockPause); err != nil {
			return applied, err
		}
	}
}

func (d *DB) migrate(ctx context.Context, files fs.FS, version int64) (int, error) {
	release, err := d.engine.lockSchema()
	if err != nil {
		return 0, err
	}
	defer release()

	p, conn, err := d.migrations(files)
	if err != nil {
		return 0, err
	}

	defer func() { _ = conn.Close() }()

	results, err := p.UpTo(ctx, version)
	if err == nil && d.Dialect() == Postgres {
		err = collateKeys(ctx, conn)
	}

	var partial *goose.PartialError
	if errors.As(err, &partial) {
		return len(partial.Applied), err
	}

	return len(results), err
}

func pauseFor(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()

	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}

// migrations returns the migrations of a folder and the connection that they use.
func (d *DB) migrations(files fs.FS) (p *goose.Provider, conn *sql.DB, err error) {
	files = ofDialect{files, d.Dialect()}

	switch e := d.engine.(type) {
	case *sqliteEngine:
		conn, err = sql.Open("sqlite", e.dsn+"&_txlock=immediate")
		if err == nil {
			p, err = goose.NewProvider(goose.DialectSQLite3, conn, files)
		}

	case *pgEngine:
		limited := apply([]setting{{"lock_timeout", lockLimit.String()}})
		conn = stdlib.OpenDB(*e.pool.Config().ConnConfig, stdlib.OptionAfterConnect(limited))

		var l lock.SessionLocker
		if l, err = lock.NewPostgresSessionLocker(lock.WithLockTimeout(1, migrationWait)); err == nil {
			p, err = goose.NewProvider(goose.DialectPostgres, conn, files, goose.WithSessionLocker(l))
		}
	}

	if err != nil && conn != nil {
		err = errors.Join(err, conn.Close())
	}

	if err != nil {
		return nil, nil, fmt.Errorf("migrations: %w", err)
	}

	return p, conn, nil
}

// ofDialect is a folder of migrations without those of the other database.
type ofDialect struct {
	fs.FS
	dialect Dialect
}

// ReadDir lists the files of the folder.
func (f ofDialect) ReadDir(name string) ([]fs.DirEntry, error) {
	other := "." + Postgres.String() + ".sql"
	if f.dialect == Postgres {
		other = "." + SQLite.String() + ".sql"
	}

	entries, err := fs.ReadDir(f.FS, name)

	return slices.DeleteFunc(entries, func(e fs.DirEntry) bool { return strings.HasSuffix(e.Name(), other) }), err
}
