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
	// clock asks the server what time it is; the zero time when there is no server, and so no clock but the process's
	// own.
	clock(ctx context.Context) (time.Time, error)
	// takeAlone keeps other processes from doing the same on this database; alone is false where several processes
	// may share it.
	takeAlone() (alone bool, err error)
	// lockSchema waits for other processes that migrate, where the migrations' own lock does not.
	lockSchema() (release func(), err error)
	close() error
}

// writer is one connection that runs write transactions, used by one goroutine at a time. begin is called before the
// first query, exec or flush of a transaction that needs an answer; a flush that is the whole transaction may be sent
// without it.
type writer interface {
	begin() error
	query(ctx context.Context, query string, args []any) (Rows, error)
	exec(query string, args []any) (int64, error)
	// flush writes the rows of each insert, then the changes; ErrStale when a change touches another number of rows
	// than one.
	flush(inserts []*pendingInsert, changes []pendingChange) error
	// flushAndCommit is begin, flush and commit in one go, for a transaction that has read nothing.
	flushAndCommit(inserts []*pendingInsert, changes []pendingChange) error
	commit() error
	rollback()
	// retryable says that the whole transaction may succeed if it is run again.
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
	part  int  // of its body, which it belongs to
	free  bool // of order among those of other parts: its body has several, or it is the only change
	round int  // its place in its part; of a free one
}
