package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"unicode"

	"slipway/internal/platform/web"
)

// Plain replaces the control and direction marks of a text from outside: they would steer a terminal or break a row.
func Plain(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) {
			return ' '
		}

		return r
	}, s)
}

// page is a list's answer.
type page struct {
	Results []json.RawMessage `json:"results"`
	Next    string            `json:"nextCursor"`
}

// read sends a call that changes nothing, and follows the pages of a list with --all.
func (c *Call) read(ctx context.Context, s *Session, out io.Writer) error {
	var all []json.RawMessage

	for {
		a, err := s.Send(ctx, c.Operation.Method, c.target(), nil)
		if err != nil {
			return Refusal(err, "")
		}

		if err := outcome(a, nil, ""); err != nil {
			var f *Fault
			if errors.As(err, &f) && f.Exit == ExitUnknown { // a question has no outcome
				return &Fault{ExitUnreachable, text(a)}
			}

			return err
		}

		if !c.All || !c.Operation.Lists {
			return c.print(out, a.Body)
		}

		var p page
		if err := json.Unmarshal(a.Body, &p); err != nil {
			return err
		}

		all = append(all, p.Results...)

		if p.Next == "" {
			break
		}

		c.query.Del("offset")
		c.query.Del("page")
		c.query.Set("cursor", p.Next)
	}

	whole, err := json.Marshal(map[string]any{"results": slices.Concat([]json.RawMessage{}, all), "total": len(all)})
	if err != nil {
		return err
	}

	return c.print(out, whole)
}

// print writes an answer as it is wanted.
func (c *Call) print(out io.Writer, answer []byte) error {
	if len(bytes.TrimSpace(answer)) == 0 {
		return nil
	}

	if !json.Valid(answer) { // a file, or text
		_, err := out.Write(answer)
		return err
	}

	if c.Output == "json" {
		var b bytes.Buffer
		if err := json.Indent(&b, answer, "", "  "); err != nil {
			return err
		}

		b.WriteByte('\n')
		_, err := b.WriteTo(out)

		return err
	}

	records, list := recordsOf(answer)

	switch c.Output {
	case "id":
		for _, r := range records {
			if _, err := fmt.Fprintln(out, Plain(cell(r.values["_id"]))); err != nil {
				return err
			}
		}

		return nil
	case "csv":
		return web.WriteTable(out, c.rows(records))
	}

	if !list && len(c.Columns) == 0 {
		return fields(out, records)
	}

	return tabulate(out, c.rows(records))
}

// record is an object with its names in the order of the answer.
type record struct {
	names  []string
	values map[string]json.RawMessage
}

// recordsOf returns the objects of an answer: those of a list, or the one that it is.
func recordsOf(answer []byte) (all []record, list bool) {
	var p page

	whole := recordOf(answer)
	if _, list = whole.values["results"]; !list {
		return []record{whole}, false
	}

	if json.Unmarshal(answer, &p) != nil {
		return []record{whole}, false
	}

	for _, r := range p.Results {
		all = append(all, recordOf(r))
	}

	return all, true
}

func recordOf(raw json.RawMessage) record {
	r := record{values: map[string]json.RawMessage{}}
	dec := json.NewDecoder(bytes.NewReader(raw))

	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		r.names = []string{"value"}
		r.values["value"] = raw

		return r
	}

	for dec.More() {
		t, err := dec.Token()
		name, ok := t.(string)

		var value json.RawMessage
		if err != nil || !ok || dec.Decode(&value) != nil {
			break
		}

		r.names = append(r.names, name)
		r.values[name] = value
	}

	return r
}

// value returns what stands at a path with dots.
func (r record) value(path string) json.RawMessage {
	name, rest, deeper := strings.Cut(path, ".")
	if !deeper {
		return r.values[name]
	}

	return recordOf(r.values[name]).value(rest)
}

// mostColumns limits the columns of a table whose columns nobody named.
const mostColumns = 6

// rows returns a head and a row for each record. Columns that nobody named are the identifier and the first fields that
// are no lists and no objects; CSV takes all of these.
func (c *Call) rows(records []record) [][]string {
	columns := c.Columns
	if len(columns) == 0 {
		columns = simple(records)
		if c.Output == "table" && len(columns) > mostColumns {
			columns = columns[:mostColumns]
		}
	}

	rows := [][]string{columns}

	for _, r := range records {
		row := make([]string, len(columns))
		for i, name := range columns {
			row[i] = cell(r.value(name))
		}

		rows = append(rows, row)
	}

	return rows
}

func simple(records []record) []string {
	var out []string

	for _, r := range records {
		for _, name := range r.names {
			if v := r.values[name]; v[0] != '{' && v[0] != '[' && !slices.Contains(out, name) {
				out = append(out, name)
			}
		}
	}

	if i := slices.Index(out, "_id"); i > 0 {
		out = slices.Insert(slices.Delete(out, i, i+1), 0, "_id")
	}

	return out
}

// cell returns a value in words: a text without quotes, nothing for null, anything else as JSON.
func cell(v json.RawMessage) string {
	var s string

	switch {
	case len(v) == 0 || string(v) == "null":
		return ""
	case json.Unmarshal(v, &s) == nil:
		return s
	}

	return string(v)
}

// fields prints one record, a field a line.
func fields(out io.Writer, records []record) error {
	w := tabwriter.NewWriter(out, 0, 4, 2, ' ', 0)

	for _, r := range records {
		for _, name := range r.names {
			fmt.Fprintf(w, "%s\t%s\n", Plain(name), Plain(cell(r.values[name])))
		}
	}

	return w.Flush()
}

func tabulate(out io.Writer, rows [][]string) error {
	w := tabwriter.NewWriter(out, 0, 4, 2, ' ', 0)

	for _, r := range rows {
		clean := make([]string, len(r))
		for i, x := range r {
			clean[i] = Plain(x)
		}

		fmt.Fprintln(w, strings.Join(clean, "\t"))
	}

	return w.Flush()
}
