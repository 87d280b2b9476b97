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

// checkField looks for a field in every record of its kind: it is always there, and somewhere it has a value of its
// kind.
func (s *stage) checkField(r row) error {
	records := s.records[r.part(1)]
	if len(records) == 0 {
		return errors.New("no record was seen")
	}

	want, mayBeNull := strings.CutSuffix(r.want, "?")
	filled := false

	for _, record := range records {
		v, there := record[r.part(2)]

		switch {
		case want == "never":
			if there {
				return fmt.Errorf("it is given out: %.200v", record)
			}

			filled = true

			continue

		case !there:
			return fmt.Errorf("it is not there: %.300v", record)
		}

		if err := isKind(want, v); err != nil {
			return err
		}

		filled = filled || v != nil && v != "" && !isEmptyList(v)
	}

	if !filled && !mayBeNull {
		return fmt.Errorf("none of %d records has a value", len(records))
	}

	return nil
}

func isEmptyList(v any) bool {
	list, ok := v.([]any)
	return ok && len(list) == 0
}

// isKind returns an error if a value that is there is of another kind.
func isKind(kind string, v any) error {
	if v == nil {
		return nil
	}

	kind, members, _ := strings.Cut(kind, " ")
	text, isText := v.(string)
	ok := false

	switch kind {
	case "text":
		ok = isText
	case "boolean":
		_, ok = v.(bool)
	case "number":
		_, ok = v.(float64)
	case "list":
		_, ok = v.([]any)
	case "decimal":
		ok = isText && decimal.MatchString(text)

	case "time":
		_, err := time.Parse(time.RFC3339, text)
		ok = isText && err == nil

	case "object":
		o, isObject := v.(object)
		ok = isObject

		for _, name := range strings.FieldsFunc(members, func(r rune) bool { return r == ',' }) {
			if _, there := o[name]; !there && isObject {
				return fmt.Errorf("%s is not there: %v", name, o)
			}
		}

	default:
		ok = slices.Contains(strings.Split(kind, "|"), text)
	}

	if !ok {
		return fmt.Errorf("%.200v is no %s", v, kind)
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
		return s.refuses(q, name, nil)
	case "fixed":
		return s.refuses(q, name, "SOMETHING_ELSE")
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
