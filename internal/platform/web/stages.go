package web

import (
	"bytes"
	"net/http"
	"reflect"
	"strconv"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"slipway/internal/core/fault"
)

// A request is checked in stages: the form of each value here, then references and rules in the use case. All stages
// note their problems in one list, so that a caller who corrects them all is not refused again. An operation takes part
// with Operation.Stages.

// remaining runs the use case for what is sound of a refused request, and returns one refusal with the problems of
// both. The use case begins with what was noted here (caller.Faults), so it ends before it does anything.
func (e *endpoint) remaining(c *call, r *http.Request, raw []byte, refusal error) error {
	first, ok := fault.As(refusal)
	if !ok || len(first.Fields) == 0 || (first.Kind != fault.Invalid && first.Kind != fault.Malformed) {
		return refusal
	}

	v := reflect.New(e.inType)
	if !e.in.sound(c, r, raw, first.Fields, v.Elem()) {
		return refusal
	}

	c.Faults = first.Fields

	_, err := e.handle(r.Context(), v.Interface())

	second, ok := fault.As(err)
	if !ok || (second.Kind != fault.Invalid && second.Kind != fault.Malformed) {
		return refusal
	}

	all := fault.Continue(first.Fields)
	all.Append(second.Fields...)

	return ofKind(first.Kind, &all)
}

// ofKind returns the refusal of a list of problems with the kind that one of them has.
func ofKind(kind fault.Kind, l *fault.List) error {
	err := l.Err()
	if f, ok := fault.As(err); ok {
		f.Kind = kind
	}

	return err
}

// sound fills the In struct with what is sound of a request: parameters that were not refused, and the body without the
// values that were. It reports whether that is enough to go on with.
func (in *input) sound(c *call, r *http.Request, raw []byte, refused []fault.Field, v reflect.Value) bool {
	out := map[string]bool{}
	for _, f := range refused {
		if f.In != "" && f.In != "header" {
			return false // it is not even certain which record is meant
		}

		out[f.Pointer] = f.In == ""
	}

	if in.body == nil || out[""] {
		return false
	}

	var ignored fault.List
	for i := range in.params {
		p := &in.params[i]

		had := len(ignored.Fields())
		if p.set(c, r, nil, v.FieldByIndex(p.index), &ignored); len(ignored.Fields()) > had {
			v.FieldByIndex(p.index).SetZero()
		}
	}

	rest, err := without(raw, out)

	return err == nil && json.Unmarshal(rest, v.FieldByIndex(in.bodyAt).Addr().Interface()) == nil
}

// without returns a body without the values at these pointers. An item of a list becomes null, so that the others stay
// in their places.
func without(raw []byte, out map[string]bool) ([]byte, error) {
	w := cutter{dec: jsontext.NewDecoder(bytes.NewBuffer(raw), jsontext.AllowDuplicateNames(true)), out: out}
	err := w.value("")

	return w.text, err
}

// cutter copies a body and leaves values out.
type cutter struct {
	dec  *jsontext.Decoder
	out  map[string]bool // pointers of the values to leave out
	text []byte
}

func (w *cutter) value(at string) error {
	kind := w.dec.PeekKind()
	if kind != '{' && kind != '[' {
		raw, err := w.dec.ReadValue()
		w.text = append(w.text, raw...)

		return err
	}

	if _, err := w.dec.ReadToken(); err != nil {
		return err
	}

	w.text = append(w.text, byte(kind))
	end := byte(kind) + 2 // of { and [ in ASCII
	start := len(w.text)

	for n := 0; w.dec.PeekKind() != jsontext.Kind(end); n++ {
		if err := w.element(kind, at, n, len(w.text) > start); err != nil {
			return err
		}
	}

	w.text = append(w.text, end)
	_, err := w.dec.ReadToken()

	return err
}

// element copies a member or an item.
func (w *cutter) element(kind jsontext.Kind, at string, n int, follows bool) error {
	field := at + "/" + strconv.Itoa(n)

	var prefix []byte
	if kind == '{' {
		tok, err := w.dec.ReadToken()
		if err != nil {
			return err
		}

		name := tok.String()
		field = at + "/" + escapePointer(name)

		if prefix, err = jsontext.AppendQuote(nil, name); err != nil {
			return err
		}

		prefix = append(prefix, ':')
	}

	left := w.out[field]
	if left && kind == '{' {
		return w.dec.SkipValue()
	}

	if follows {
		w.text = append(w.text, ',')
	}

	if w.text = append(w.text, prefix...); !left {
		return w.value(field)
	}

	w.text = append(w.text, "null"...)

	return w.dec.SkipValue()
}
