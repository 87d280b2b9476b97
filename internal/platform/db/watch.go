package db

import "context"

// Watch has f told of every read, Exec and Change from now on, with its values, before it is run; nil ends that.
// Tests look at the statements of a request with it. f may be called from several goroutines at once.
func (d *DB) Watch(f func(query string, args []any)) {
	if f == nil {
		d.watcher.Store(nil)
		return
	}

	d.watcher.Store(&f)
}

func (d *DB) watched(query string, args []any) {
	if f := d.watcher.Load(); f != nil {
		(*f)(query, args)
	}
}

// watchedQuerier is a snapshot that is watched.
type watchedQuerier struct {
	Querier
	d *DB
}

// Query tells the watcher, and reads.
func (q watchedQuerier) Query(ctx context.Context, query string, args ...any) (Rows, error) {
	q.d.watched(query, args)
	return q.Querier.Query(ctx, query, args...)
}
