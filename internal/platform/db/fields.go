package db

import (
	"database/sql"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"slipway/internal/core/money"
)

// columnUse is what a list of columns is gone through for.
type columnUse int

const (
	naming  columnUse = iota // what the columns are called
	reading                  // where a row's values go
	writing                  // the values of a row
)

// Columns takes a record's columns, one after the other. See Table and View.
type Columns struct {
	use  columnUse
	kept []bool // which columns are gone through; nil: all
	at   int    // of the next column, when only some are

	names  []string
	empty  []string // SQL of a value without content
	read   []bool
	wholes [][]int // the places of columns that are one value: all of them are taken, or none
	sealed []*Sealed
	values []any
}

// Values without content, as SQL.
const (
	emptyText = "''"
	emptyInt  = "0"
	emptyBool = "FALSE"
	emptySum  = "'0'"
)

// Text is a column of text. A field of a type of its own is converted: (*string)(&p.Status).
func (c *Columns) Text(name string, field *string) { column(c, name, emptyText, field) }

// Bytes is a column of bytes.
func (c *Columns) Bytes(name string, field *[]byte) { column(c, name, emptyText, field) }

// Bool is a column of type BOOLEAN.
func (c *Columns) Bool(name string, field *bool) { column(c, name, emptyBool, field) }

// Int is a column of type BIGINT.
func (c *Columns) Int(name string, field *int) { column(c, name, emptyInt, field) }

// Int64 is a column of type BIGINT.
func (c *Columns) Int64(name string, field *int64) { column(c, name, emptyInt, field) }

// Time is a column of microseconds, 0 for the zero time.
func (c *Columns) Time(name string, field *time.Time) {
	converted(c, name, emptyInt, (*timeField)(field))
}

// Duration is a column of type BIGINT in a unit, such as time.Second.
func (c *Columns) Duration(name string, unit time.Duration, field *time.Duration) {
	converted(c, name, emptyInt, durationField{unit, field})
}

// Units is a column of text that holds a whole number of any size; nil is stored as 0.
func (c *Columns) Units(name string, field **big.Int) {
	converted(c, name, emptySum, unitsField{field})
}

// Amount is three columns: the code of the asset, its decimals, and the amount in base units. All three are read
// together.
func (c *Columns) Amount(code, decimals, units string, field *money.Amount) {
	f := amountField{field: field}
	if c.use == writing {
		f.parts = field.Stored()
	}

	if at := len(c.names); c.use == naming {
		c.wholes = append(c.wholes, []int{at, at + 1, at + 2})
	}

	c.Text(code, &f.parts.Code)
	c.Int64(decimals, &f.parts.Decimals)
	converted(c, units, emptySum, &f)
}

// Words is a column of text that holds words without commas, joined by them. Reading never returns nil.
func (c *Columns) Words(name string, field *[]string) {
	converted(c, name, emptyText, wordsField{field})
}

// JSON is a column of text that holds a value as JSON, with the keys of maps in order; field points to it. A value that
// cannot be encoded panics, which is an error of its type. Of empty text the field stays as it is.
func (c *Columns) JSON(name string, field any) { converted(c, name, emptyText, jsonField{field}) }

// Written is a column of text that is made of other fields, to search or to sort by. It is stored and never read.
func (c *Columns) Written(name string, text func() string) {
	switch {
	case c.use == naming:
		c.name(name, emptyText, false)
	case c.takes() && c.use == writing:
		c.values = append(c.values, text())
	}
}

// Sealed is a column of encrypted texts, and the columns with their hashes if it has any (FoundBy). key points to the
// fields of the key, which are read in the same row.
func (c *Columns) Sealed(s *Sealed, key Key, texts ...*string) {
	switch c.use {
	case naming:
		c.sealed = append(c.sealed, s)
		whole := []int{len(c.names)}
		c.name(s.column, emptyText, true)

		for _, h := range s.hashes {
			whole = append(whole, len(c.names))
			c.name(h.column, emptyText, false)
		}

		c.wholes = append(c.wholes, whole)

	case reading:
		if c.takes() {
			c.values = append(c.values, s.Into(key, texts...))
		}

		c.at += len(s.hashes)

	case writing:
		plain := make([]string, len(texts))
		for i, text := range texts {
			plain[i] = *text
		}

		given := key.values()
		for _, v := range append([]any{s.Of(given, plain...)}, s.HashesOf(given, plain...)...) {
			if c.takes() {
				c.values = append(c.values, v)
			}
		}
	}
}

// SealedBytes is a column of encrypted bytes. key points to the fields of the key, which are read in the same row.
func (c *Columns) SealedBytes(s *Sealed, key Key, field *[]byte) {
	switch {
	case c.use == naming:
		c.sealed = append(c.sealed, s)
		c.name(s.column, emptyText, true)

	case !c.takes():
	case c.use == reading:
		c.values = append(c.values, s.IntoBytes(key, field))
	case c.use == writing:
		c.values = append(c.values, s.OfBytes(key.values(), *field))
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
		case *int:
			out[i] = int64(*field)
		default:
			panic(fmt.Sprintf("%T is no part of a key", part))
		}
	}

	return out
}

func column[T any](c *Columns, name, empty string, field *T) {
	switch {
	case c.use == naming:
		c.name(name, empty, true)
	case !c.takes():
	case c.use == reading:
		c.values = append(c.values, field)
	case c.use == writing:
		c.values = append(c.values, *field)
	}
}

// convertedField is a field that is stored in another form.
type convertedField interface {
	sql.Scanner
	stored() any
}

func converted[F convertedField](c *Columns, name, empty string, field F) {
	switch {
	case c.use == naming:
		c.name(name, empty, true)
	case !c.takes():
	case c.use == reading:
		c.values = append(c.values, field)
	case c.use == writing:
		c.values = append(c.values, field.stored())
	}
}

// name lists a column.
func (c *Columns) name(name, empty string, read bool) {
	c.names = append(c.names, name)
	c.empty = append(c.empty, empty)
	c.read = append(c.read, read)
}

// takes reports whether the next column is gone through.
func (c *Columns) takes() bool {
	at := c.at
	c.at++

	return c.kept == nil || c.kept[at]
}

// among reports of each column whether it has one of some names. It panics for a name that no column has, and for a
// part of an amount, or of a sealed column with its hashes.
func (c *Columns) among(of string, names []string) []bool {
	kept := make([]bool, len(c.names))

	for _, name := range names {
		at := slices.Index(c.names, name)
		if at < 0 {
			panic(of + " lists no " + name)
		}

		kept[at] = true
	}

	for _, whole := range c.wholes {
		some := slices.DeleteFunc(slices.Clone(whole), func(at int) bool { return !kept[at] })

		onlyAPart := len(some) > 0 && len(some) < len(whole)
		if onlyAPart {
			panic(of + " has only a part of a value: " + c.names[some[0]])
		}
	}

	return kept
}

// readable returns those of some columns that are read.
func (c *Columns) readable(kept []bool) []bool {
	out := slices.Clone(kept)
	for i := range out {
		out[i] = out[i] && c.read[i]
	}

	return out
}

// these returns the names of the columns that are kept.
func (c *Columns) these(kept []bool) []string {
	var out []string

	for i, name := range c.names {
		if kept[i] {
			out = append(out, name)
		}
	}

	return out
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

type unitsField struct{ field **big.Int }

// Scan receives the column's value.
func (f unitsField) Scan(src any) error {
	digits, err := scanned[string](src)
	if err != nil {
		return err
	}

	*f.field, err = money.ParseUnits(digits)

	return err
}

func (f unitsField) stored() any {
	if *f.field == nil {
		return "0"
	}

	return (*f.field).String()
}

// amountField is an amount whose columns are read one after the other.
type amountField struct {
	parts money.Stored
	field *money.Amount
}

// Scan receives the value of the last column.
func (f *amountField) Scan(src any) error {
	digits, err := scanned[string](src)
	if err != nil {
		return err
	}

	f.parts.Units = digits
	*f.field, err = f.parts.Amount()

	return err
}

func (f *amountField) stored() any { return f.parts.Units }

type wordsField struct{ field *[]string }

// Scan receives the column's value.
func (f wordsField) Scan(src any) error {
	joined, err := scanned[string](src)
	*f.field = Words(joined)

	return err
}

func (f wordsField) stored() any { return strings.Join(*f.field, ",") }

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
