package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// ErrNoFile is returned by CopyTo for a database that is no file of this process.
var ErrNoFile = errors.New("the database is no file")

// CopyTo writes an SQLite database, as it is at one moment, to a new file, while others read and write. It returns
// ErrNoFile for PostgreSQL, which has programs for that, and for a database in memory. The copy is not durable yet.
//
// VACUUM INTO leaves out free pages, so the copy is no larger than needed (SQLite, VACUUM).
func (d *DB) CopyTo(ctx context.Context, path string) error {
	e, ok := d.engine.(*sqliteEngine)
	if !ok || e.path == inMemory {
		return ErrNoFile
	}

	own, err := sql.Open("sqlite", e.dsn+cacheOf(readerCache)) // no reader waits for it
	if err != nil {
		return err
	}

	_, err = own.ExecContext(ctx, "VACUUM INTO ?", path)
	if err = errors.Join(err, own.Close()); err != nil {
		return fmt.Errorf("copy the database: %w", err)
	}

	return narrow(path)
}
