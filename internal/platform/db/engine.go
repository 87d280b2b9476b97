package db

import (
	"context"
	"time"
)

// engine is what differs between SQLite and PostgreSQL, and nothing more.
type engine interface {
	dialect() Dialect
	query(ctx context.Context, query string, args []any) (Rows, error)
	snapshot(ctx context.Context, body func(q Querier) error) error
	writers() []writer
	checkDurability(ctx context.Context) error
	// clock asks the server for its time. It returns the zero time if there is no server, and so no clock but the
	// process's own.
	clock(ctx context.Context) (time.Time, error)
	// lockSchema blocks until no other process migrates, on engines where the migrations' own lock does not.
	lockSchema() (release func(), err error)
	close() error
}

// writer is one connection that runs write transactions. One goroutine uses it at a time. begin is called before the
// first query, exec or flush of a transaction that needs an answer; a flush that is the whole transaction may be sent
// without it.
type writer interface {
	begin() error
	query(ctx context.Context, query string, args []any) (Rows, error)
	exec(query string, args []any) (int64, error)
	// flush writes the rows of each insert, then the changes. It returns ErrStale if a change touches another number of
	// rows than one.
	flush(inserts []*pendingInsert, changes []pendingChange) error
	// flushAndCommit is begin, flush and commit in one go, for a transaction that has read nothing.
	flushAndCommit(inserts []*pendingInsert, changes []pendingChange) error
	commit() error
	rollback()
	// retryable reports whether the whole transaction may succeed if it is run again.
	retryable(err error) bool
}

// pendingInsert is the rows that wait for one INSERT.
type pendingInsert struct {
	into *Insert
	rows [][]any
}

// pendingChange is an UPDATE or DELETE that must touch exactly one row.
type pendingChange struct {
	query string
	args  []any
	part  int  // of its body
	free  bool // it has no order relative to other parts: its body has several, or it is the only change
	round int  // its place in its part; of a free one
}
