package db

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// View reads records of type R from one or several tables. A method of the record lists what is read, each with its
// field, and SELECT and the reading of rows are made of that list. What is read may be expressions, and from a join:
//
//	var balances = db.NewView("FROM accounts a JOIN postings p ON p.account = a.id", (*balance).columns)
//
//	func (b *balance) columns(c *db.Columns) {
//		c.Text("a.id", &b.account)
//		c.Int64("p.units - p.paid", &b.open)
//	}
//
// A Table is a view of all its columns, which can also be written.
type View[R any] struct {
	from    string // with the word FROM
	columns func(r *R, c *Columns)
	kept    []bool   // of all that is listed, what is read; nil: all
	names   []string // of what is read
	empty   []string // SQL of a value without content, for each
	list    string
}

// NewView declares a view. from begins with FROM. It panics if nothing is listed: the process does not start.
func NewView[R any](from string, columns func(r *R, c *Columns)) *View[R] {
	c := listed(from, columns)

	return newView(from, columns, c, c.read)
}

// listed returns what a method lists.
func listed[R any](of string, columns func(r *R, c *Columns)) *Columns {
	var c Columns
	columns(new(R), &c)

	if len(c.names) == 0 {
		panic(of + " has no column")
	}

	for i, column := range c.names {
		if column == "" || slices.Contains(c.names[:i], column) {
			panic(fmt.Sprintf("%s: column %d, %q, has no name or stands twice", of, i+1, column))
		}
	}

	return &c
}

func newView[R any](from string, columns func(r *R, c *Columns), c *Columns, kept []bool) *View[R] {
	v := &View[R]{from: from, columns: columns}

	for i, name := range c.names {
		if kept[i] {
			v.names = append(v.names, name)
			v.empty = append(v.empty, c.empty[i])
		}
	}

	if len(v.names) < len(c.names) {
		v.kept = kept
	}

	v.list = strings.Join(v.names, ", ")

	return v
}

// Select reads rows. rest is what follows the tables: WHERE, ORDER BY, LIMIT.
func (v *View[R]) Select(ctx context.Context, q Querier, rest string, args ...any) ([]R, error) {
	rows, err := Select(ctx, q, v.Dest, v.selection(rest), args...)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", v.from, err)
	}

	return rows, nil
}

// Where reads the rows that match a condition. rest follows it: ORDER BY, LIMIT, with their values.
func (v *View[R]) Where(ctx context.Context, q Querier, w Where, rest string, args ...any) ([]R, error) {
	return v.Select(ctx, q, w.SQL()+" "+rest, append(slices.Clip(w.Args), args...)...)
}

// One reads the first row, or returns ErrNone. rest is as in Select.
func (v *View[R]) One(ctx context.Context, q Querier, rest string, args ...any) (R, error) {
	return One(ctx, q, v.Dest, v.selection(rest), args...)
}

func (v *View[R]) selection(rest string) string {
	return "SELECT " + v.list + " " + v.from + " " + rest
}

// List returns the names of the columns of a table that has an alias in a statement, for one that reads several tables
// into Dest of each.
func (v *View[R]) List(alias string) string {
	return alias + "." + strings.Join(v.names, ", "+alias+".")
}

// ListIf is like List, but where a condition does not hold, each column is empty.
func (v *View[R]) ListIf(condition, alias string) string {
	out := make([]string, len(v.names))
	for i, name := range v.names {
		out[i] = "CASE WHEN " + condition + " THEN " + alias + "." + name + " ELSE " + v.empty[i] + " END"
	}

	return strings.Join(out, ", ")
}

// Dest returns where a row's values go, in the order of List.
func (v *View[R]) Dest(r *R) []any { return each(r, v.columns, reading, v.kept, len(v.names)) }

// each goes through the columns of a record. kept is which of them; nil: all.
func each[R any](r *R, columns func(r *R, c *Columns), use columnUse, kept []bool, count int) []any {
	c := Columns{use: use, kept: kept, values: make([]any, 0, count)}
	columns(r, &c)

	return c.values
}
