package db

import (
	"context"
	"database/sql"
	"fmt"
	"io/fs"

	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"
)

// Migrate brings the schema up to the newest file of the folder. Instances that start together wait for each other; a second call
// finds nothing to do. It gives the number of files applied.
func (d *DB) Migrate(ctx context.Context, files fs.FS) (int, error) {
	p, done, err := d.migrations(files)
	if err != nil {
		return 0, err
	}
	defer done()
	results, err := p.Up(ctx)
	if err != nil {
		return len(results), fmt.Errorf("migrate: %w", err)
	}
	return len(results), nil
}

// PendingMigrations says how many files have not been applied.
func (d *DB) PendingMigrations(ctx context.Context, files fs.FS) (int, error) {
	p, done, err := d.migrations(files)
	if err != nil {
		return 0, err
	}
	defer done()
	status, err := p.Status(ctx)
	if err != nil {
		return 0, fmt.Errorf("migration status: %w", err)
	}
	pending := 0
	for _, s := range status {
		if s.State == goose.StatePending {
			pending++
		}
	}
	return pending, nil
}

func (d *DB) migrations(files fs.FS) (*goose.Provider, func(), error) {
	var (
		p    *goose.Provider
		conn *sql.DB
		err  error
		done = func() {}
	)
	switch e := d.engine.(type) {
	case *sqliteEngine:
		conn, err = sql.Open("sqlite", e.dsn+"&_txlock=immediate")
		if err == nil {
			done = func() { _ = conn.Close() }
			p, err = goose.NewProvider(goose.DialectSQLite3, conn, files)
		}
	case *pgEngine:
		conn = stdlib.OpenDBFromPool(e.pool)
		done = func() { _ = conn.Close() }
		var l lock.SessionLocker
		if l, err = lock.NewPostgresSessionLocker(); err == nil {
			p, err = goose.NewProvider(goose.DialectPostgres, conn, files, goose.WithSessionLocker(l))
		}
	}
	if err != nil {
		done()
		return nil, nil, fmt.Errorf("migrations: %w", err)
	}
	return p, done, nil
}
