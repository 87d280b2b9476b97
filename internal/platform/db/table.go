package db

import (
	"context"
	"slices"
	"strings"
)

// Table is a table whose rows are records of type R. A method of the record lists the columns once, each with its name
// and its field. SELECT, INSERT and UPDATE are made of that list, so they cannot disagree:
//
//	var payees = db.NewTable("payees", (*Payee).columns)
//
//	func (p *Payee) columns(c *db.Columns) {
//		c.Text("id", &p.ID)
//		c.Text("name", &p.Name)
//		c.Int64("version", &p.Version)
//		c.Time("created_at", &p.CreatedAt)
//	}
//
// The first column is the primary key, or begins it.
type Table[R any] struct {
	*View[R]

	name    string
	key     string
	written []bool // of all columns, those that Insert and Change store; nil: all
	count   int    // of written ones
	insert  *Insert
	set     string // UPDATE up to its condition
	keyAt   int    // where the key stands among the values; -1: nowhere
}

// NewTable declares a table. It panics if the list is empty, names a column twice, or has a sealed column of another
// table: the process does not start.
func NewTable[R any](name string, columns func(r *R, c *Columns)) *Table[R] {
	c := listed("table "+name, columns)

	for _, s := range c.sealed {
		if s.table != name {
			panic("table " + name + " has the sealed column " + s.Name())
		}
	}

	t := &Table[R]{
		View: newView("FROM "+name, columns, c, c.read),
		name: name,
		key:  c.names[0],
	}
	t.write(c.names)

	return t
}

// write sets the columns that are written.
func (t *Table[R]) write(names []string) {
	t.count = len(names)
	t.insert = &Insert{table: t.name, columns: names}
	t.keyAt = slices.Index(names, t.key)

	changed := slices.DeleteFunc(slices.Clone(names), func(n string) bool { return n == t.key })
	t.set = "UPDATE " + t.name + " SET " + strings.Join(changed, " = ?, ") + " = ? WHERE "
}

// Only returns the same table with some of its columns: Select leaves the fields of the others empty, and Change does
// not touch them. Names are those of the list. It panics for a name that is not listed, and for a part of what is one
// value: an amount, or a sealed column with its hashes.
func (t *Table[R]) Only(names ...string) *Table[R] {
	c := listed("table "+t.name, t.columns)
	kept := c.among("table "+t.name, names)

	out := &Table[R]{
		View:    newView("FROM "+t.name, t.columns, c, c.readable(kept)),
		name:    t.name,
		key:     t.key,
		written: kept,
	}
	out.write(c.these(kept))

	return out
}

// OrIgnore returns the same table, but its Insert skips rows that a unique index already holds. conflict lists the
// columns of the index: "(key)".
func (t *Table[R]) OrIgnore(conflict string) *Table[R] {
	out := *t
	out.insert = t.insert.OrIgnore(conflict)

	return &out
}

// Insert asks for one row, as Tx.Insert does. It panics for a table of Only some columns: the others would be lost.
func (t *Table[R]) Insert(tx *Tx, r *R) {
	t.mustBeWhole()
	tx.Insert(t.insert, t.values(r)...)
}

// InsertAll is Insert for each of some rows, in less time.
func (t *Table[R]) InsertAll(tx *Tx, rows []R) {
	t.mustBeWhole()

	c := Columns{use: writing, values: make([]any, 0, len(rows)*t.count)}
	for i := range rows {
		t.columns(&rows[i], &c)
	}

	tx.insertAll(t.insert, len(rows), c.values)
}

// Update asks for a change of every column of the row that was read at a version. If the row has another version by
// then, Write returns ErrStale. The record holds the next version. It panics for a table of Only some columns: Change
// is for those.
func (t *Table[R]) Update(tx *Tx, r *R, version int64) {
	t.mustBeWhole()

	values := t.values(r)
	tx.Change(t.set+t.key+" = ? AND version = ?", append(values[1:], values[0], version)...)
}

func (t *Table[R]) mustBeWhole() {
	if t.written != nil {
		panic("a table of only some columns of " + t.name + " is for reading and for Change")
	}
}

// Change asks for a change of the table's columns, without the key, in the one row that a condition finds, as Tx.Change
// does. It is for a table of Only some columns, and for a change that is guarded by more than the version.
func (t *Table[R]) Change(tx *Tx, r *R, condition string, args ...any) {
	tx.Change(t.set+condition, append(t.changed(r), args...)...)
}

// ChangeNow is Change at once. It returns ErrStale if the condition finds no row.
func (t *Table[R]) ChangeNow(tx *Tx, r *R, condition string, args ...any) error {
	n, err := tx.Exec(t.set+condition, append(t.changed(r), args...)...)
	if err == nil && n != 1 {
		err = ErrStale
	}

	return err
}

// ByKeys reads the rows with some primary keys that match a condition, and returns them by key. Without keys it reads
// nothing.
func (t *Table[R]) ByKeys(
	ctx context.Context,
	q Querier,
	w Where,
	keys []string,
	key func(r R) string,
) (map[string]R, error) {
	if len(keys) == 0 {
		return map[string]R{}, nil
	}

	In(&w, t.key, keys)
	rows, err := t.Where(ctx, q, w, "")

	return Keyed(rows, key), err
}

// Page reads a page of rows, as ReadPage does.
func (t *Table[R]) Page(ctx context.Context, q Querier, p Page) ([]R, int64, error) {
	p.Table = t.name
	p.Columns = t.list

	return ReadPage(ctx, q, p, t.Dest)
}

func (t *Table[R]) values(r *R) []any { return each(r, t.columns, writing, t.written, t.count) }

// changed returns the values that Change stores.
func (t *Table[R]) changed(r *R) []any {
	values := t.values(r)
	if t.keyAt >= 0 {
		values = slices.Delete(values, t.keyAt, t.keyAt+1)
	}

	return values
}
