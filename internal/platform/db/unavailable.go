package db

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// ErrUnavailable is the error of a read or a Write that the database could not serve: it cannot be reached, has no
// space left, accepts no more connections, or another process has locked its file. Nothing of that Write was written.
// If the answer to a commit was lost, the error is ErrUnknown instead.
var ErrUnavailable = errors.New("the database is unavailable")

// asUnavailable wraps errors that are about the database itself, recognised by their types and codes, as
// ErrUnavailable. If the caller's own context has ended, its error stays.
func asUnavailable(err error) error {
	switch {
	case err == nil, errors.Is(err, ErrUnavailable), errors.Is(err, ErrUnknown):
		return err
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	case isUnavailable(err):
		return fmt.Errorf("%w: %w", ErrUnavailable, err)
	}

	return err
}

func isUnavailable(err error) bool {
	var server *pgconn.PgError
	if errors.As(err, &server) {
		return serverUnavailable(server.Code)
	}

	var file *sqlite.Error
	if errors.As(err, &file) {
		return fileUnavailable(file.Code())
	}

	var (
		connect *pgconn.ConnectError
		network net.Error
	)

	return errors.As(err, &connect) ||
		errors.As(err, &network) ||
		pgconn.SafeToRetry(err) ||
		errors.Is(err, pgconn.ErrReadOnlyConnection) ||
		errors.Is(err, errLost) ||
		errors.Is(err, io.ErrUnexpectedEOF) ||
		errors.Is(err, net.ErrClosed)
}

// serverUnavailable reports whether a code of PostgreSQL is about the server and not about the statement (PostgreSQL,
// appendix A): class 08 is connections, 53 resources, 57P operators who stop it; 25P03 ends a session that was idle
// inside a transaction; 25006 comes from a server that takes no writes.
func serverUnavailable(code string) bool {
	return strings.HasPrefix(code, "08") || strings.HasPrefix(code, "53") || strings.HasPrefix(code, "57P") ||
		code == codeSilent || code == codeReadOnly
}

// codeSilent is the code with which the server ends a session inside a transaction. Nothing sent afterwards is
// executed, not even COMMIT.
const codeSilent = "25P03"

func fileUnavailable(code int) bool {
	switch code & 0xff { // the rest is detail
	case sqlite3.SQLITE_BUSY,
		sqlite3.SQLITE_LOCKED,
		sqlite3.SQLITE_FULL,
		sqlite3.SQLITE_IOERR,
		sqlite3.SQLITE_CANTOPEN,
		sqlite3.SQLITE_READONLY:
		return true
	}

	return false
}

// errRows are the rows of a read. Their errors come only while they are read.
type errRows struct {
	Rows
	d *DB
}

// Scan reads a row.
func (r errRows) Scan(dest ...any) error { return r.d.scan(r.Rows, dest) }

// Err returns the error that ended the rows.
func (r errRows) Err() error { return asUnavailable(r.Rows.Err()) }
