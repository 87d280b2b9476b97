package web

import (
	"bytes"
	"errors"
	"reflect"
	"strconv"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"slipway/internal/core/fault"
)

// maxDepth bounds nested objects and lists: no body of the interface is deeper than 8.
const maxDepth = 32

// decodeBody reads a JSON body strictly: exact names, no unknown and no doubled ones, nothing after the end. The fast way decodes
// once into the struct; only when that fails is the body walked again to name every fault.
func decodeBody(p *plan, raw []byte, into reflect.Value) error {
	err := json.Unmarshal(raw, into.Addr().Interface(), json.RejectUnknownMembers(true))
	var l fault.List
	if err == nil {
		p.check(into, "", &l)
		return l.Err()
	}
	kind := fault.Invalid
	d := &diagnosis{l: &l, dec: jsontext.NewDecoder(bytes.NewReader(raw), jsontext.AllowDuplicateNames(true))}
	if serr := d.document(p); serr != nil {
		return fault.New(fault.Malformed, fault.BodyMalformed, "The body is not valid JSON: %s.", syntax(serr))
	}
	if d.malformed {
		kind = fault.Malformed
	}
	if l.Empty() {
		if f, ok := fault.As(err); ok {
			return f
		}
		return fault.New(fault.Malformed, fault.BodyMalformed, "The body cannot be read.")
	}
	f, _ := fault.As(l.Err())
	f.Kind = kind
	return f
}

func syntax(err error) string {
	var s *jsontext.SyntacticError
	if errors.As(err, &s) {
		at := strconv.FormatInt(s.ByteOffset, 10)
		if s.Err != nil {
			return s.Err.Error() + " at byte " + at
		}
		return "at byte " + at
	}
	return "it ends too early"
}

// diagnosis walks a body that could not be decoded, next to the plan of what it should have been.
type diagnosis struct {
	l         *fault.List
	dec       *jsontext.Decoder
	malformed bool // a value of the wrong type or a doubled name: 400 and not 422
	depth     int
}

var errDepth = errors.New("it is nested too deeply")

func (d *diagnosis) document(p *plan) error {
	if err := d.value(p, ""); err != nil {
		return err
	}
	if _, err := d.dec.ReadToken(); err == nil {
		return errors.New("something follows the end of the value")
	}
	return nil
}

func (d *diagnosis) value(p *plan, at string) error {
	if d.depth++; d.depth > maxDepth {
		return errDepth
	}
	defer func() { d.depth-- }()
	for p != nil && p.kind == reflect.Pointer && !p.opaque {
		inner := *p.elem
		inner.rules = append(append([]rule(nil), p.rules...), p.elem.rules...)
		p = &inner
	}
	switch kind := d.dec.PeekKind(); {
	case kind == 'n':
		_, err := d.dec.ReadToken()
		return err
	case p == nil:
		return d.dec.SkipValue()
	case p.opaque:
		return d.opaque(p, at)
	case kind == '{' && p.kind == reflect.Struct:
		return d.object(p, at)
	case kind == '[' && p.kind == reflect.Slice:
		return d.list(p, at)
	default:
		return d.leaf(p, at)
	}
}

func (d *diagnosis) object(p *plan, at string) error {
	if _, err := d.dec.ReadToken(); err != nil {
		return err
	}
	seen := map[string]bool{}
	for d.dec.PeekKind() != '}' {
		tok, err := d.dec.ReadToken()
		if err != nil {
			return err
		}
		name := tok.String()
		field := at + "/" + escapePointer(name)
		f := p.byName[name]
		switch {
		case seen[name]:
			d.malformed = true
			d.l.Add(field, fault.DuplicateField, "stands twice in the same object.")
			f = nil
		case f == nil:
			d.l.Add(field, fault.UnknownField, "is not a field of this object. Names are compared exactly.")
		}
		seen[name] = true
		var inner *plan
		if f != nil {
			inner = f.plan
			if d.dec.PeekKind() == 'n' {
				seen[name] = false || !f.required
			}
			if d.dec.PeekKind() == '"' && f.required {
				if v, err := d.emptyText(); err != nil {
					return err
				} else if v {
					seen[name] = false
					continue
				}
			}
		}
		if err := d.value(inner, field); err != nil {
			return err
		}
	}
	for _, f := range p.fields {
		if f.required && !seen[f.name] {
			d.l.Add(at+"/"+escapePointer(f.name), fault.Required, "is required.")
		}
	}
	_, err := d.dec.ReadToken()
	return err
}

// emptyText says whether the next value is "", and then has read it.
func (d *diagnosis) emptyText() (bool, error) {
	rest := d.dec.UnreadBuffer()
	if i := bytes.IndexByte(rest, '"'); i >= 0 && i+1 < len(rest) && rest[i+1] == '"' {
		_, err := d.dec.ReadToken()
		return true, err
	}
	return false, nil
}

func (d *diagnosis) list(p *plan, at string) error {
	if _, err := d.dec.ReadToken(); err != nil {
		return err
	}
	n := 0
	for d.dec.PeekKind() != ']' {
		if err := d.value(p.elem, at+"/"+strconv.Itoa(n)); err != nil {
			return err
		}
		n++
	}
	shape := reflect.MakeSlice(reflect.TypeFor[[]struct{}](), n, n)
	for _, r := range p.rules {
		r(shape, at, d.l)
	}
	_, err := d.dec.ReadToken()
	return err
}

// leaf checks a text, number or truth value. A value of another type is named with what belongs there.
func (d *diagnosis) leaf(p *plan, at string) error {
	raw, err := d.dec.ReadValue()
	if err != nil {
		return err
	}
	var v reflect.Value
	switch kind := raw.Kind(); {
	case kind == '"' && p.kind == reflect.String:
		var s string
		if err := json.Unmarshal(raw, &s); err != nil {
			return err
		}
		v = reflect.ValueOf(s)
	case kind == '0' && (p.kind == reflect.Int || p.kind == reflect.Int64 || p.kind == reflect.Int32) && wholeNumber(string(raw)):
		n, _ := strconv.ParseInt(string(raw), 10, 64)
		v = reflect.ValueOf(n)
	case (kind == 't' || kind == 'f') && p.kind == reflect.Bool:
		return nil
	default:
		d.malformed = true
		d.l.Add(at, fault.TypeMismatch, "must be %s.", p.typeName)
		return nil
	}
	for _, r := range p.rules {
		r(v, at, d.l)
	}
	return nil
}

// opaque lets a type that decodes itself say what is wrong.
func (d *diagnosis) opaque(p *plan, at string) error {
	raw, err := d.dec.ReadValue()
	if err != nil {
		return err
	}
	if p.try == nil {
		return nil
	}
	if err := p.try(raw); err != nil {
		if f, ok := fault.As(err); ok && len(f.Fields) > 0 {
			for _, x := range f.Fields {
				d.l.Add(at+x.Pointer, x.Code, "%s", x.Message)
			}
			return nil
		}
		d.malformed = true
		d.l.Add(at, fault.TypeMismatch, "must be %s.", p.typeName)
	}
	return nil
}
