package web

import (
	"bytes"
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"slipway/internal/core/fault"
	"slipway/internal/platform/jsonout"
	"slipway/internal/platform/secret"
)

// csvType is the content type of a list as a table (RFC 4180, RFC 7111).
const csvType = "text/csv"

// Prefers reports whether an Accept header (RFC 9110, 12.5.1) names a content type before JSON. A caller that accepts
// anything (*/*) has not chosen and gets JSON.
func Prefers(accept, contentType string) bool {
	for part := range strings.SplitSeq(accept, ",") {
		kind, parameters, _ := strings.Cut(part, ";")
		if weight, given := strings.CutPrefix(strings.TrimSpace(parameters), "q="); given &&
			strings.Trim(weight, "0.") == "" {
			continue // not wanted at all
		}

		switch strings.ToLower(strings.TrimSpace(kind)) {
		case contentType:
			return true
		case "application/json":
			return false
		}
	}

	return false
}

// tabular is what every List can do for a table.
type tabular interface {
	rows() reflect.Value // the slice of results
	Follow(p *Paging) bool
}

func (l *List[T]) rows() reflect.Value { return reflect.ValueOf(l.Results) }

// Follow turns p to the next page of a list that is read whole, and reports whether there is one. It uses the cursor
// where the list has one. A list whose order has none continues by its offset, and may repeat or skip rows that move
// meanwhile.
func (l *List[T]) Follow(p *Paging) bool {
	switch {
	case l.NextCursor != nil:
		p.Cursor = *l.NextCursor
		p.Offset = 0
		p.uncounted = true
	case p.Cursor == "" && l.PageTotal > 0 && int64(p.Offset+l.PageTotal) < l.Total:
		p.Offset += l.PageTotal
	default:
		return false
	}

	return true
}

// table writes a list as CSV: a row for each result and a column for each of its members, in the order of its type.
//
// The members of an object have a column each, named with a dot: quote.rate. A list of texts is one cell, separated by
// spaces; a list of objects, and an object of no fixed form, are their JSON. So the header depends on the type alone,
// and a program can rely on its names.
type table struct {
	header []string
	row    *branch
	paging []int // index of the Paging in the input; nil: the list has one page
}

// branch is the place of a member in a row: one column, or those of its own members.
type branch struct {
	column  int
	members map[string]*branch // nil: one column
}

var tabularType = reflect.TypeFor[tabular]()

// tableOf returns the table of an operation, or nil if its answer is no list.
func tableOf(method string, in, out reflect.Type) *table {
	if method != http.MethodGet || !reflect.PointerTo(out).Implements(tabularType) {
		return nil
	}

	results, _ := out.FieldByName("Results")

	t := &table{}
	t.row = t.object("", results.Type.Elem(), nil)

	for _, f := range reflect.VisibleFields(in) {
		if f.Type == reflect.TypeFor[Paging]() {
			t.paging = f.Index
		}
	}

	return t
}

// object adds the columns of an object's members. within are the types that contain it.
func (t *table) object(prefix string, of reflect.Type, within []reflect.Type) *branch {
	b := &branch{members: map[string]*branch{}}

	within = append(slices.Clone(within), of)

	for _, f := range reflect.VisibleFields(of) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if !f.IsExported() || name == "" || name == "-" {
			continue // an embedded struct has no name, and its members are visited by themselves
		}

		b.members[name] = t.member(prefix+name, f.Type, within)
	}

	return b
}

// member adds the columns of one member.
func (t *table) member(name string, of reflect.Type, within []reflect.Type) *branch {
	for {
		if n, ok := reflect.Zero(of).Interface().(shownAs); ok {
			of = n.ShownAs()
		} else if of.Kind() == reflect.Pointer {
			of = of.Elem()
		} else {
			break
		}
	}

	if of.Kind() == reflect.Struct && !slices.Contains(within, of) && !writesItself(of) {
		return t.object(name+".", of, within)
	}

	t.header = append(t.header, name)

	return &branch{column: len(t.header) - 1}
}

// writesItself reports whether a type's JSON is not the object of its fields.
func writesItself(t reflect.Type) bool {
	p := reflect.PointerTo(t)

	return t == reflect.TypeFor[time.Time]() || p.Implements(reflect.TypeFor[json.MarshalerTo]()) ||
		p.Implements(reflect.TypeFor[jsonout.Appender]())
}

// fill writes a value's JSON into the cells of its columns. A member that is absent or null leaves its cells empty.
func (b *branch) fill(v jsontext.Value, cells []string) error {
	if b.members == nil {
		text, err := cellOf(v)
		cells[b.column] = text

		return err
	}

	if v.Kind() != '{' {
		return nil
	}

	d := jsontext.NewDecoder(bytes.NewReader(v))
	if _, err := d.ReadToken(); err != nil {
		return err
	}

	for d.PeekKind() != '}' {
		token, err := d.ReadToken()
		if err != nil {
			return err
		}

		member := b.members[token.String()]

		value, err := d.ReadValue()
		if err != nil {
			return err
		}

		if member == nil {
			continue
		}

		if err := member.fill(value, cells); err != nil {
			return err
		}
	}

	return nil
}

// cellOf returns a JSON value as the text of a cell.
func cellOf(v jsontext.Value) (string, error) {
	switch v.Kind() {
	case 'n':
		return "", nil

	case '"':
		var s string
		err := json.Unmarshal(v, &s)

		return inert(s), err

	case '[':
		var words []string
		if json.Unmarshal(v, &words) == nil && !slices.ContainsFunc(words, spaced) {
			return inert(strings.Join(words, " ")), nil
		}
	}

	return inertJSON(string(v)), nil // numbers, true and false, and what has no columns of its own
}

func spaced(s string) bool { return s == "" || strings.ContainsAny(s, " \t\r\n") }

// plainNumber is a number that a spreadsheet reads as one, and as nothing else.
var plainNumber = regexp.MustCompile(`^-?[0-9]+(\.[0-9]+)?$`)

// What a formula begins with (OWASP, CSV injection), the full-width forms included, and where one can begin inside of a
// cell: Excel parts cells at semicolons where commas are decimal signs, whatever stands in quotes, and other programs
// do so at tabs or ends of lines. Quotes and blanks before the formula do not stop it.
var (
	formulaFirst  = regexp.MustCompile(`^(?:[\t\r\n]|[\s\p{Z}"]*[=+\-@＝＋－＠])`)
	formulaInside = regexp.MustCompile(`([;\t\r\n][\s\p{Z}"]*)([=+\-@＝＋－＠])`)
)

// inert returns a text that no spreadsheet takes for a formula, at whatever it parts cells: where one could begin
// stands an apostrophe before it. A negative amount stays a number.
func inert(s string) string {
	if plainNumber.MatchString(s) {
		return s
	}

	s = formulaInside.ReplaceAllString(s, "$1'$2")
	if formulaFirst.MatchString(s) {
		return "'" + s
	}

	return s
}

// inertJSON is inert for the JSON of a list or an object, which stays JSON of the same value: the character is escaped.
// A semicolon stands in its texts alone.
func inertJSON(s string) string {
	return formulaInside.ReplaceAllStringFunc(s, func(match string) string {
		sign, size := utf8.DecodeLastRuneInString(match)
		return match[:len(match)-size] + fmt.Sprintf(`\u%04x`, sign)
	})
}

// begin sets a request's input to the first and largest page. It refuses parameters that ask for a part.
func (t *table) begin(r *http.Request, in reflect.Value) (*Paging, error) {
	if t.paging == nil {
		return &Paging{}, nil
	}

	var l fault.List
	query := r.URL.Query()

	for _, name := range []string{"limit", "offset", "page", "cursor"} {
		if query.Has(name) {
			l.AddParameter(
				"query",
				name,
				fault.PagingConflict,
				"A CSV answer has every row that matches: leave it out.",
			)
		}
	}

	p := in.FieldByIndex(t.paging).Addr().Interface().(*Paging)
	*p = Paging{Limit: MaxLimit}

	return p, l.Err()
}

// sendTable answers with every row of a list as CSV. It reads a page after another and holds only one, so a list of any
// length takes the same memory; each page is as it stands when it is read. Refusals come before the first byte. If a
// later page cannot be read, the connection is broken off, so that nobody takes a part for everything.
func (e *endpoint) sendTable(ctx context.Context, c *call, r *http.Request, in reflect.Value) {
	paging, err := e.table.begin(r, in.Elem())

	var page tabular
	if err == nil {
		page, err = e.readPage(ctx, in)
	}

	if err != nil {
		e.refuse(c, r, err)
		return
	}

	c.Header().Set("Content-Type", csvType+"; charset=utf-8; header=present")
	c.Header().Set("Content-Disposition", `attachment; filename="`+e.tableName()+`.csv"`)
	c.WriteHeader(e.op.Status)

	out := csv.NewWriter(newPacedWriter(c))
	out.UseCRLF = true

	err = out.Write(e.table.header)
	for err == nil {
		if err = e.table.write(out, page.rows()); err != nil || !page.Follow(paging) {
			break
		}

		page, err = e.readPage(ctx, in)
	}

	if err != nil {
		c.broken = true
		e.config.Log.LogAttrs(ctx, slog.LevelWarn, "table broken off",
			slog.String("requestId", c.Request.ID),
			slog.String("path", secret.Path(r.URL.Path)),
			slog.String("error", err.Error()))
	}
}

// tableName returns the name of the file: the words of the path that name what is listed.
func (e *endpoint) tableName() string {
	words := strings.FieldsFunc(e.op.Path, func(r rune) bool { return r == '/' })
	words = slices.DeleteFunc(words, func(s string) bool { return s == "me" || strings.HasPrefix(s, "{") })

	return strings.Join(words, "-")
}

// readPage runs the operation on a copy of its input, which a handler may change.
func (e *endpoint) readPage(ctx context.Context, in reflect.Value) (tabular, error) {
	v := reflect.New(e.inType)
	v.Elem().Set(in.Elem())

	out, err := e.handle(ctx, v.Interface())
	if err != nil {
		return nil, err
	}

	return out.(tabular), nil
}

// write writes the rows of one page.
func (t *table) write(out *csv.Writer, rows reflect.Value) error {
	cells := make([]string, len(t.header))

	for i := range rows.Len() {
		clear(cells)

		text, err := jsonout.Marshal(rows.Index(i).Interface())
		if err != nil {
			return err
		}

		if err := t.row.fill(text, cells); err != nil {
			return err
		}

		if err := out.Write(cells); err != nil {
			return err
		}
	}

	out.Flush()

	return out.Error()
}

// WriteTable writes rows as CSV for a shell. Cells are made as inert as those of lists.
func WriteTable(w io.Writer, rows [][]string) error {
	out := NewTable(w, PlainTable)
	out.out.UseCRLF = false // for programs of a shell

	for _, r := range rows {
		if err := out.Row(r); err != nil {
			return err
		}
	}

	return out.Flush()
}

// TableFormat is how a table is written.
type TableFormat string

// The formats.
const (
	PlainTable TableFormat = "CSV" // RFC 4180: commas, decimal points
	// ExcelTable begins with a byte order mark, without which Excel takes UTF-8 for the system's own letters.
	ExcelTable TableFormat = "EXCEL"
	// ExcelCommaTable is for a system on which commas are decimal signs: semicolons between cells, and a mark.
	ExcelCommaTable TableFormat = "EXCEL_DECIMAL_COMMA"
)

// Table writes rows one after the other, so that a table of any length takes no memory.
type Table struct {
	out    *csv.Writer
	format TableFormat
	cells  []string
}

// NewTable returns a writer of a table, which has written the mark if the format has one.
func NewTable(w io.Writer, format TableFormat) *Table {
	t := &Table{out: csv.NewWriter(w), format: format}
	t.out.UseCRLF = true

	if format == ExcelCommaTable {
		t.out.Comma = ';'
	}

	if format != PlainTable {
		_, _ = io.WriteString(w, "\ufeff") // what fails here fails again with the first row
	}

	return t
}

// Row writes a row. Its cells are made as inert as those of lists.
func (t *Table) Row(cells []string) error {
	t.cells = t.cells[:0]

	for _, c := range cells {
		c = inert(c)
		if t.format == ExcelCommaTable && plainNumber.MatchString(c) {
			c = strings.Replace(c, ".", ",", 1)
		}

		t.cells = append(t.cells, c)
	}

	return t.out.Write(t.cells)
}

// Flush writes what is buffered, and returns the first error of all.
func (t *Table) Flush() error {
	t.out.Flush()
	return t.out.Error()
}
