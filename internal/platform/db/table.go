package db

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
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
// The first column is the primary key.
type Table[R any] struct {
	name    string
	columns func(r *R, c *Columns)
	names   []string
	list    string
	insert  *Insert
	update  string
}

// NewTable declares a table. It panics if the list is empty, names a column twice, or has a sealed column of another
// table: the process does not start.
func NewTable[R any](name string, columns func(r *R, c *Columns)) *Table[R] {
	var c Columns
	columns(new(R), &c)

	if len(c.names) == 0 {
		panic("table " + name + " has no column")
	}

	for i, column := range c.names {
		if column == "" || slices.Contains(c.names[:i], column) {
			panic(fmt.Sprintf("table %s: column %d, %q, has no name or stands twice", name, i+1, column))
		}
	}

	for _, s := range c.sealed {
		if s.table != name {
			panic("table " + name + " has the sealed column " + s.Name())
		}
	}

	key := c.names[0]

	return &Table[R]{
		name:    name,
		columns: columns,
		names:   c.names,
		list:    strings.Join(c.names, ", "),
		insert:  &Insert{table: name, columns: c.names},
		update: "UPDATE " + name + " SET " + strings.Join(c.names[1:], " = ?, ") + " = ? WHERE " + key +
			" = ? AND version = ?",
	}
}

// OrIgnore returns the same table, but its Insert skips rows that a unique index already holds. conflict lists the
// columns of the index: "(key)".
func (t *Table[R]) OrIgnore(conflict string) *Table[R] {
	out := *t
	out.insert = t.insert.OrIgnore(conflict)

	return &out
}

// Insert asks for one row, as Tx.Insert does.
func (t *Table[R]) Insert(tx *Tx, r *R) { tx.Insert(t.insert, t.values(r)...) }

// Update asks for a change of every column of the row that was read at a version. If the row has another version by
// then, Write returns ErrStale. The record holds the next version.
func (t *Table[R]) Update(tx *Tx, r *R, version int64) {
	values := t.values(r)
	tx.Change(t.update, append(values[1:], values[0], version)...)
}

// Select reads rows. rest is what follows FROM and the table's name: WHERE, ORDER BY, LIMIT.
func (t *Table[R]) Select(ctx context.Context, q Querier, rest string, args ...any) ([]R, error) {
	rows, err := Select(ctx, q, t.dest, t.selection(rest), args...)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", t.name, err)
	}

	return rows, nil
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

	In(&w, t.names[0], keys)
	rows, err := t.Select(ctx, q, w.SQL(), w.Args...)

	return Keyed(rows, key), err
}

// One reads the first row, or returns ErrNone. rest is as in Select.
func (t *Table[R]) One(ctx context.Context, q Querier, rest string, args ...any) (R, error) {
	return One(ctx, q, t.dest, t.selection(rest), args...)
}

// Page reads a page of rows, as ReadPage does.
func (t *Table[R]) Page(ctx context.Context, q Querier, p Page) ([]R, int64, error) {
	p.Table = t.name
	p.Columns = t.list

	return ReadPage(ctx, q, p, t.dest)
}

func (t *Table[R]) selection(rest string) string {
	return "SELECT " + t.list + " FROM " + t.name + " " + rest
}

func (t *Table[R]) values(r *R) []any { return t.each(r, writing) }

func (t *Table[R]) dest(r *R) []any { return t.each(r, reading) }

func (t *Table[R]) each(r *R, use columnUse) []any {
	c := Columns{use: use, values: make([]any, 0, len(t.names))}
	t.columns(r, &c)

	return c.values
}

// columnUse is what a list of columns is gone through for.
type columnUse int

const (
	naming  columnUse = iota // what the columns are called
	reading                  // where a row's values go
	writing                  // the values of a row
)

// Columns takes a record's columns, one after the other. See Table.
type Columns struct {
	use    columnUse
	names  []string
	sealed []*Sealed
	values []any
}

// Text is a column of text. A field of a type of its own is converted: (*string)(&p.Status).
func (c *Columns) Text(name string, field *string) { column(c, name, field) }

// Bool is a column of type BOOLEAN.
func (c *Columns) Bool(name string, field *bool) { column(c, name, field) }

// Int is a column of type BIGINT.
func (c *Columns) Int(name string, field *int) { column(c, name, field) }

// Int64 is a column of type BIGINT.
func (c *Columns) Int64(name string, field *int64) { column(c, name, field) }

// Time is a column of microseconds, 0 for the zero time.
func (c *Columns) Time(name string, field *time.Time) { c.converted(name, (*timeField)(field)) }

// Duration is a column of type BIGINT in a unit, such as time.Second.
func (c *Columns) Duration(name string, unit time.Duration, field *time.Duration) {
	c.converted(name, durationField{unit, field})
}

// JSON is a column of text that holds a value as JSON, with the keys of maps in order; field points to it. A value that
// cannot be encoded panics, which is an error of its type. Of empty text the field stays as it is.
func (c *Columns) JSON(name string, field any) { c.converted(name, jsonField{field}) }

// Sealed is a column of encrypted texts, and the columns with their hashes if it has any (FoundBy). key points to the
// fields of the key.
func (c *Columns) Sealed(s *Sealed, key Key, texts ...*string) {
	switch c.use {
	case naming:
		c.sealed = append(c.sealed, s)

		c.names = append(c.names, s.column)
		for _, h := range s.hashes {
			c.names = append(c.names, h.column)
		}

	case reading:
		c.values = append(c.values, s.Into(key, texts...))
		for range s.hashes {
			c.values = append(c.values, new(string))
		}

	case writing:
		given := key.values()

		plain := make([]string, len(texts))
		for i, text := range texts {
			plain[i] = *text
		}

		c.values = append(c.values, s.Of(given, plain...))
		c.values = append(c.values, s.HashesOf(given, plain...)...)
	}
}

// values returns the key for writing of one for reading.
func (k Key) values() Key {
	out := make(Key, len(k))
	for i, part := range k {
		switch field := part.(type) {
		case *string:
			out[i] = *field
		case *int64:
			out[i] = *field
		default:
			panic(fmt.Sprintf("%T is no part of a key", part))
		}
	}

	return out
}

func column[T any](c *Columns, name string, field *T) {
	switch c.use {
	case naming:
		c.names = append(c.names, name)
	case reading:
		c.values = append(c.values, field)
	case writing:
		c.values = append(c.values, *field)
	}
}

// convertedField is a field that is stored in another form.
type convertedField interface {
	sql.Scanner
	stored() any
}

func (c *Columns) converted(name string, field convertedField) {
	switch c.use {
	case naming:
		c.names = append(c.names, name)
	case reading:
		c.values = append(c.values, field)
	case writing:
		c.values = append(c.values, field.stored())
	}
}

type timeField time.Time

// Scan receives the column's value.
func (f *timeField) Scan(src any) error {
	micros, err := scanned[int64](src)
	*f = timeField(Time(micros))

	return err
}

func (f *timeField) stored() any { return Micros(time.Time(*f)) }

type durationField struct {
	unit  time.Duration
	field *time.Duration
}

// Scan receives the column's value.
func (f durationField) Scan(src any) error {
	n, err := scanned[int64](src)
	*f.field = time.Duration(n) * f.unit

	return err
}

func (f durationField) stored() any { return int64(*f.field / f.unit) }

type jsonField struct{ field any }

// Scan receives the column's value.
func (f jsonField) Scan(src any) error {
	text, err := scanned[string](src)
	if err != nil || text == "" {
		return err
	}

	return json.Unmarshal([]byte(text), f.field)
}

func (f jsonField) stored() any {
	raw, err := json.Marshal(f.field, json.Deterministic(true))
	if err != nil {
		panic(err)
	}

	return string(raw)
}

func scanned[T any](src any) (T, error) {
	v, ok := src.(T)
	if !ok {
		return v, fmt.Errorf("the column holds %T", src)
	}

	return v, nil
}
