//go:build !nosandbox

package conformance

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"slipway/internal/app/apptest"
)

type object = map[string]any

var decimal = regexp.MustCompile(`^-?[0-9]+(\.[0-9]+)?$`)

// depth is how far within an answer a value stands.
type depth int

const (
	ofAnswer   depth = iota // a member of the record that was asked for
	ofEmbedded              // a member of a record within it
)

// checkField looks for a field in every record of its kind: it is always there, and somewhere it has a value of its
// kind. The records within are looked at, too.
func (s *stage) checkField(r row) error {
	records := s.records[r.part(1)]
	if len(records) == 0 {
		return errors.New("no record was seen")
	}

	want, mayBeNull := strings.CutSuffix(r.want, "?")
	filled := false

	for _, record := range records {
		v, there := record[r.part(2)]
		if err := s.isMember(want, v, there, ofAnswer); err != nil {
			return fmt.Errorf("%v: %w", record["_id"], err)
		}

		if err := s.sameAsItsRecord(want, v); err != nil {
			return err
		}

		filled = filled || !isEmpty(v)
	}

	if !filled && !mayBeNull && want != "never" {
		return fmt.Errorf("none of %d records has a value", len(records))
	}

	return nil
}

func isEmpty(v any) bool {
	list, ok := v.([]any)
	return v == nil || v == "" || ok && len(list) == 0
}

// isRecord returns an error unless a value is a record with all of its fields, each of its kind or null.
func (s *stage) isRecord(name string, v any, d depth) error {
	record, ok := v.(object)
	if !ok {
		return fmt.Errorf("%.200v is no %s", v, name)
	}

	for _, r := range s.rows[name] {
		field := r.part(2)

		value, there := record[field]
		if err := s.isMember(strings.TrimSuffix(r.want, "?"), value, there, d); err != nil {
			return fmt.Errorf("%s.%s: %w", name, field, err)
		}
	}

	return nil
}

func (s *stage) isMember(want string, v any, there bool, d depth) error {
	switch {
	case want == "never" && there:
		return errors.New("it is given out")
	case want == "never":
		return nil
	case !there:
		return errors.New("it is not there")
	case v == nil || strings.HasPrefix(want, "sent "):
		return nil
	}

	return s.isKind(want, v, d)
}

// isKind returns an error for a value of another kind.
func (s *stage) isKind(want string, v any, d depth) error {
	kind, rest, _ := strings.Cut(want, " ")
	text, isText := v.(string)
	ok := false

	switch kind {
	case "record":
		if d == ofEmbedded {
			return isReference(v)
		}

		return s.isRecord(rest, v, ofEmbedded)

	case "whole", "copy":
		return s.isRecord(rest, v, ofEmbedded)
	case "list":
		return s.isList(rest, v, d)

	case "text":
		ok = isText
	case "picture":
		ok = strings.HasPrefix(text, "data:image/png;base64,")
	case "boolean":
		_, ok = v.(bool)
	case "number":
		_, ok = v.(float64)
	case "decimal":
		ok = isText && decimal.MatchString(text)

	case "time", "day":
		at, err := time.Parse(time.RFC3339, text)
		ok = err == nil && (kind == "time" || text == at.Format(time.DateOnly)+"T00:00:00Z" ||
			text == at.Format(time.DateOnly)+"T00:00:00.000Z")

	case "object":
		return hasMembers(v, rest)
	default:
		ok = slices.Contains(strings.Split(want, "|"), text)
	}

	if !ok {
		return fmt.Errorf("%.200v is no %s", v, kind)
	}

	return nil
}

// isList returns an error unless a value is a list of a kind; of a record's name: of such records, or of references to
// them.
func (s *stage) isList(kind string, v any, d depth) error {
	list, ok := v.([]any)
	if !ok {
		return fmt.Errorf("%.200v is no list", v)
	}

	for _, x := range list {
		var err error

		switch {
		case kind == "":
		case s.rows[kind] == nil:
			err = s.isKind(kind, x, d)
		case d == ofEmbedded:
			err = isReference(x)
		default:
			err = s.isRecord(kind, x, ofEmbedded)
		}

		if err != nil {
			return err
		}
	}

	return nil
}

func isReference(v any) error {
	if o, ok := v.(object); !ok || isEmpty(o["_id"]) {
		return fmt.Errorf("%.200v is no reference", v)
	}

	return nil
}

func hasMembers(v any, names string) error {
	o, ok := v.(object)
	if !ok {
		return fmt.Errorf("%.200v is no object", v)
	}

	for _, name := range strings.FieldsFunc(names, func(r rune) bool { return r == ',' }) {
		if _, there := o[name]; !there {
			return fmt.Errorf("%s is not there: %v", name, o)
		}
	}

	return nil
}

// sameAsItsRecord returns an error where a record within another one says something else than it says by itself.
func (s *stage) sameAsItsRecord(want string, v any) error {
	kind, name, _ := strings.Cut(want, " ")

	all, isList := v.([]any)
	if !isList {
		all = []any{v}
	}

	if kind == "copy" || s.rows[name] == nil {
		return nil
	}

	for _, x := range all {
		embedded, _ := x.(object)

		alone := s.alone[fmt.Sprint(embedded["_id"])]
		if alone == nil {
			continue
		}

		for _, r := range s.rows[name] {
			field := r.part(2)
			if word, _, _ := strings.Cut(r.want, " "); word == "record" || word == "list" || word == "whole" {
				continue
			}

			if fmt.Sprint(embedded[field]) != fmt.Sprint(alone[field]) {
				return fmt.Errorf("%s.%s is %v and in its record %v", name, field, embedded[field], alone[field])
			}
		}
	}

	return nil
}

// request is a valid body with all its optional fields, and where the rows' fields stand in it.
type request struct {
	path    string
	body    apptest.Object
	at      string // "/payments/0/", or "/"
	record  func(answer object) object
	renamed map[string]string // fields that come back under another name
	unread  []string          // those that do not come back
}

// inner is the object that the fields are in.
func (q request) inner() apptest.Object {
	if q.at == "/" {
		return q.body
	}

	return q.body["payments"].([]apptest.Object)[0]
}

// without returns the body with one field changed; nil leaves it out.
func (q request) with(name string, value any) apptest.Object {
	change := func(o apptest.Object) apptest.Object {
		out := apptest.Object{}
		for k, v := range o {
			out[k] = v
		}

		delete(out, name)

		if value != nil {
			out[name] = value
		}

		return out
	}

	if q.at == "/" {
		return change(q.body)
	}

	out := apptest.Object{}
	for k, v := range q.body {
		out[k] = v
	}

	out["payments"] = []apptest.Object{change(q.inner())}

	return out
}

// checkSent sends a request's field and leaves it out.
func (s *stage) checkSent(r row) error {
	name := r.part(2)

	var q request

	for _, candidate := range s.requests[r.part(1)] {
		if _, has := candidate.inner()[name]; has {
			q = candidate
			break
		}
	}

	if q.path == "" {
		return errors.New("no request of the test has it")
	}

	switch strings.TrimPrefix(r.want, "sent ") {
	case "required":
		return errors.Join(s.keeps(q, name), s.refuses(q, name, nil))
	case "fixed":
		return errors.Join(s.keeps(q, name), s.refuses(q, name, "SOMETHING_ELSE"))
	}

	return s.keeps(q, name)
}

// refuses sends a wrong value, or none, and wants a refusal that names the field.
func (s *stage) refuses(q request, name string, value any) error {
	a := s.c.Do("POST", q.path, q.with(name, value))
	if a.Status != 422 {
		return fmt.Errorf("%d instead of 422: %s", a.Status, a.Raw)
	}

	for _, f := range a.Fields() {
		if pointer, _, _ := strings.Cut(f, " "); pointer == q.at+name {
			return nil
		}
	}

	return fmt.Errorf("the refusal does not name %s%s: %s", q.at, name, a.Raw)
}

// keeps sends the request as it is, and reads the field in the answer.
func (s *stage) keeps(q request, name string) error {
	a := s.c.Do("POST", q.path, q.body)
	if a.Status != 201 {
		return fmt.Errorf("%d: %s", a.Status, a.Raw)
	}

	if slices.Contains(q.unread, name) {
		return nil
	}

	as := name
	if q.renamed[name] != "" {
		as = q.renamed[name]
	}

	got := q.record(s.parse(a))[as]
	if got == nil || got == "" {
		return fmt.Errorf("it did not come back as %s: %s", as, a.Raw)
	}

	if o, ok := got.(object); ok {
		got = o["_id"]
	}

	if want := q.inner()[name]; fmt.Sprint(got) != fmt.Sprint(want) {
		return fmt.Errorf("%v came back as %v", want, got)
	}

	return nil
}
