package web

import (
	"bytes"
	"errors"
	"net/http"
	"reflect"
	"strconv"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"slipway/internal/core/fault"
	"slipway/internal/platform/jsonout"
)

// Whoever has read a record may send it back, with or without changes: PUT and PATCH accept the members that GET shows
// and the operation does not take, as long as they hold what the record holds. This file takes such members out of the
// body. It runs only when a body was refused for an unknown member, so it costs other requests nothing.

// sentBack returns the body of a PUT or PATCH without what was sent back unchanged, and what is wrong with the rest of
// it. refusal is why the body as it is was refused. sentBack returns nil if that has nothing to do with members of the
// record.
func (e *endpoint) sentBack(
	c *call,
	r *http.Request,
	raw []byte,
	refusal error,
) (rest []byte, l *fault.List, err error) {
	f, ok := fault.As(refusal)
	if !ok || e.reader == nil || !hasUnknown(f) || e.reader.op.admits(c.Principal) != nil {
		return nil, nil, nil
	}

	shown, err := e.reader.show(c, r)
	if err != nil {
		return nil, nil, err
	}

	s := stripper{patch: e.in.patch}
	rest = s.object(e.in.body, raw, shown, "", true)

	if !s.found || s.err != nil {
		return nil, nil, nil // the first refusal is as true as before
	}

	return rest, &s.l, nil
}

func hasUnknown(f *fault.Fault) bool {
	for _, x := range f.Fields {
		if x.Code == fault.UnknownField {
			return true
		}
	}

	return false
}

// show returns what the operation, a GET, answers to the caller of another request of the same path.
func (e *endpoint) show(c *call, r *http.Request) ([]byte, error) {
	v := reflect.New(e.inType)
	if err := e.in.read(c, r, nil, v.Elem()); err != nil {
		return nil, err
	}

	out, err := e.handle(r.Context(), v.Interface())
	if err != nil {
		return nil, err
	}

	return jsonout.Marshal(out)
}

// readerOf returns the GET of a path, or nil.
func (a *API) readerOf(path string) *endpoint {
	for _, e := range a.endpoints {
		if e.op.Method == http.MethodGet && e.op.Path == path && e.tagged {
			return e
		}
	}

	return nil
}

// stripper takes members out of a body that hold what the record holds.
type stripper struct {
	patch bool // also members that the operation takes: to leave them out changes nothing
	l     fault.List
	found bool  // a member that the record has and the operation does not take
	err   error // the body is no JSON, which its refusal says better
}

// object returns the object without such members.
func (s *stripper) object(p *plan, raw, shown []byte, at string, top bool) []byte {
	have := map[string][]byte{}
	s.members(shown, func(name string, value []byte) { have[name] = value })

	out := []byte{'{'}
	s.members(raw, func(name string, value []byte) {
		held, has := have[name]
		f := p.byName[name]
		field := at + "/" + escapePointer(name)

		switch {
		case f == nil && has:
			s.found = true

			if !sameJSON(value, held) {
				s.l.Add(field, fault.ReadOnly, "is not changed by this operation, and the record holds another value.")
			}

			return

		case f != nil && has && !f.required && s.patch && top && sameJSON(value, held):
			return
		case f != nil && has:
			value = s.value(f.plan, value, held, field)
		}

		if len(out) > 1 {
			out = append(out, ',')
		}

		quoted, err := jsontext.AppendQuote(out, name)
		s.fail(err)

		out = append(append(quoted, ':'), value...)
	})

	return append(out, '}')
}

// value returns a value of a member that the operation takes. Objects in it have members of their own that are only
// shown.
func (s *stripper) value(p *plan, raw, shown []byte, at string) []byte {
	for p.kind == reflect.Pointer && !p.opaque {
		p = p.elem
	}

	switch {
	case p.opaque || len(raw) == 0 || len(shown) == 0 || raw[0] != shown[0]:
		return raw
	case p.kind == reflect.Struct && raw[0] == '{':
		return s.object(p, raw, shown, at, false)
	case p.kind != reflect.Slice || raw[0] != '[':
		return raw
	}

	held := s.items(shown)
	byID := map[string][]byte{}

	for _, x := range held {
		byID[identifierIn(x)] = x
	}

	var out []byte
	for i, item := range s.items(raw) {
		record := byID[identifierIn(item)] // the item that it was read from has its _id, or else stands in its place
		if record == nil && i < len(held) {
			record = held[i]
		}

		if p.elem.kind == reflect.Struct && len(record) > 0 && record[0] == '{' && item[0] == '{' {
			item = s.object(p.elem, item, record, at+"/"+strconv.Itoa(i), false)
		}

		out = append(append(out, ','), item...)
	}

	if len(out) == 0 {
		return raw
	}

	out[0] = '['

	return append(out, ']')
}

func identifierIn(object []byte) string {
	var x struct {
		ID string `json:"_id"`
	}
	if len(object) == 0 || object[0] != '{' || json.Unmarshal(object, &x) != nil {
		return ""
	}

	return x.ID
}

// sameJSON reports whether two values are the same, however they are written.
func sameJSON(a, b []byte) bool {
	if bytes.Equal(a, b) {
		return true
	}

	x := jsontext.Value(bytes.Clone(a))
	y := jsontext.Value(bytes.Clone(b))

	return x.Canonicalize() == nil && y.Canonicalize() == nil && bytes.Equal(x, y)
}

var errNoObject = errors.New("not an object")

func (s *stripper) fail(err error) {
	if err != nil && s.err == nil {
		s.err = err
	}
}

// members calls use with each member of an object.
func (s *stripper) members(object []byte, use func(name string, value []byte)) {
	dec := jsontext.NewDecoder(bytes.NewBuffer(object), jsontext.AllowDuplicateNames(true))
	if tok, err := dec.ReadToken(); err != nil || tok.Kind() != '{' {
		s.fail(errNoObject)
		return
	}

	for dec.PeekKind() != '}' {
		tok, err := dec.ReadToken()
		if err != nil {
			s.fail(err)
			return
		}

		name := tok.String()

		value, err := dec.ReadValue()
		if err != nil {
			s.fail(err)
			return
		}

		use(name, bytes.Clone(value))
	}
}

// items returns the items of a list.
func (s *stripper) items(list []byte) (out [][]byte) {
	dec := jsontext.NewDecoder(bytes.NewBuffer(list), jsontext.AllowDuplicateNames(true))
	if _, err := dec.ReadToken(); err != nil {
		s.fail(err)
		return nil
	}

	for dec.PeekKind() != ']' {
		value, err := dec.ReadValue()
		if err != nil {
			s.fail(err)
			return nil
		}

		out = append(out, bytes.Clone(value))
	}

	return out
}
