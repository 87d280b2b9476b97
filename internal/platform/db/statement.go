package db

import (
	"reflect"
	"strconv"
	"strings"
	"sync"

	"slipway/internal/core/text"
)

// Insert is a table and its columns, declared once beside the store that owns the table.
type Insert struct {
	table   string
	columns []string
	suffix  string
}

// InsertInto declares an insert: InsertInto("payments", "id, transaction_id, position").
func InsertInto(table, columns string) *Insert {
	in := &Insert{table: table}
	for _, c := range strings.Split(columns, ",") {
		in.columns = append(in.columns, strings.TrimSpace(c))
	}

	return in
}

// OrIgnore declares the same insert, but rows that a unique index already holds are skipped. conflict lists its
// columns: "(key)".
func (in *Insert) OrIgnore(conflict string) *Insert {
	return &Insert{table: in.table, columns: in.columns, suffix: " ON CONFLICT " + conflict + " DO NOTHING"}
}

// values returns the text of an INSERT of n rows with ? placeholders, for SQLite. In the columns of once, all rows take
// the value of the first.
//
// OR FAIL saves SQLite from copying every page that the statement touches, so that it could undo the statement alone.
// Nobody needs that, since a transaction with a failed statement is rolled back.
func (in *Insert) values(n int, once columnSet) string {
	first := make([]string, len(in.columns))
	later := make([]string, len(in.columns))

	for c := range in.columns {
		first[c] = "?"
		later[c] = "?"

		if once.has(c) {
			later[c] = "?" + strconv.Itoa(c+1)
		}
	}

	rows := "(" + strings.Join(first, ",") + ")" + strings.Repeat(",("+strings.Join(later, ",")+")", n-1)

	return "INSERT OR FAIL INTO " + in.table + " (" + strings.Join(in.columns, ",") + ") VALUES " + rows + in.suffix
}

// rebound caches the $n form of each text; texts are few, since they are written in code.
var rebound sync.Map

// rebind replaces ? by $1, $2 … for PostgreSQL, except inside quoted text.
func rebind(query string) string {
	if s, ok := rebound.Load(query); ok {
		return s.(string)
	}

	var b strings.Builder
	n := 0

	quoted := false
	for i := range len(query) {
		switch c := query[i]; {
		case c == '\'':
			quoted = !quoted
			b.WriteByte(c)

		case c == '?' && !quoted:
			n++
			b.WriteByte('$')
			b.WriteString(strconv.Itoa(n))

		default:
			b.WriteByte(c)
		}
	}

	s := b.String()
	rebound.Store(strings.Clone(query), s)

	return s
}

// Where builds the condition of a list from the filters that are set, so that the planner sees only those. The zero
// value matches everything.
type Where struct {
	parts []string
	Args  []any
}

// And adds a condition with its values. The text must be a constant of the program, never a caller's.
func (w *Where) And(condition string, args ...any) {
	w.parts = append(w.parts, condition)
	w.Args = append(w.Args, args...)
}

// In adds "column is one of values"; an empty list adds nothing. The number of placeholders is rounded up to a power of
// two by repeating the last value, so that few distinct texts reach the statement cache.
func In[T any](w *Where, column string, values []T) {
	if len(values) == 0 {
		return
	}

	n := 1
	for n < len(values) {
		n *= 2
	}

	for i := range n {
		w.Args = append(w.Args, values[min(i, len(values)-1)])
	}

	w.parts = append(w.parts, column+" IN ("+strings.TrimSuffix(strings.Repeat("?,", n), ",")+")")
}

// Any adds "one of these holds", with a condition for each value; an empty list adds nothing.
func Any[T any](w *Where, values []T, condition func(v T) (text string, args []any)) {
	var texts []string
	for _, v := range values {
		text, args := condition(v)
		texts = append(texts, text)
		w.Args = append(w.Args, args...)
	}

	if len(texts) > 0 {
		w.parts = append(w.parts, "("+strings.Join(texts, " OR ")+")")
	}
}

// Either adds "one of these holds"; those without a condition are left out, and if none has one, it adds nothing.
func (w *Where) Either(conditions ...Where) {
	var texts []string
	for _, c := range conditions {
		if len(c.parts) > 0 {
			texts = append(texts, strings.Join(c.parts, " AND "))
			w.Args = append(w.Args, c.Args...)
		}
	}

	if len(texts) > 0 {
		w.parts = append(w.parts, "("+strings.Join(texts, " OR ")+")")
	}
}

// Contains adds "column contains each word of the term", both as they are searched; a term without words adds nothing.
// The column must hold what text.Searchable returns.
func (w *Where) Contains(column, term string) {
	for word := range strings.FieldsSeq(text.Searchable(term)) {
		w.And(column+` LIKE ? ESCAPE '\'`, "%"+strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`).Replace(word)+"%")
	}
}

// SQL returns " WHERE …", or "" if no condition was added.
func (w *Where) SQL() string {
	if len(w.parts) == 0 {
		return ""
	}

	return " WHERE " + strings.Join(w.parts, " AND ")
}

// plain converts a value to one of the four stored kinds: string, int64, bool, []byte. An empty byte slice is stored
// empty; only nil is NULL.
func plain(v any) any {
	switch x := v.(type) {
	case string, int64, bool:
		return x

	case []byte:
		if x == nil {
			return []byte{}
		}

		return x

	case int:
		return int64(x)
	}

	switch r := reflect.ValueOf(v); r.Kind() {
	case reflect.String:
		return r.String()
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return r.Int()
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return int64(r.Uint())
	case reflect.Bool:
		return r.Bool()
	default:
		return v
	}
}
