package db

// Watch calls f for every read, Exec and Change from now on, with its values, before it runs; nil ends that. Tests use
// it to look at the statements of a request. f may be called from several goroutines at once.
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
