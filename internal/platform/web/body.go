package web

import (
	"bytes"
	"errors"
	"io"
	"reflect"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"slipway/internal/core/fault"
)

// maxDepth limits nested objects and lists. No body of the interface is deeper than 8.
const maxDepth = 32

// decodeBody decodes a JSON body strictly: exact names, no unknown or duplicate names, nothing after the end, and an
// object, not null. With patch set, null clears a member.
//
// The fast path decodes once into the struct. If that fails, or leaves a doubt (a null, a required 0 that may not have
// been sent), the body is walked again along the plan. That walk notes every error, or clears the doubt. A body with
// more values than a valid one can have is walked first, so that a list of a third of a million empty objects never
// becomes one in memory.
func decodeBody(p *plan, most bounds, raw []byte, into reflect.Value, patch bool) error {
	if !most.hold(raw) {
		if _, err := diagnose(p, raw, patch); err != nil {
			return err
		}
	}

	err := json.Unmarshal(raw, into.Addr().Interface(), json.RejectUnknownMembers(true))

	var s screening
	if err == nil {
		if p.screen(into, &s); s.clean(raw) {
			return nil
		}
	}

	cleared, found := diagnose(p, raw, patch)
	if found != nil {
		return found
	}

	switch f, known := fault.As(err); {
	case err == nil:
		clearMembers(into, cleared)
		return s.broken.Err() // nil: the walk has cleared the doubt
	case known:
		return f
	}

	return fault.New(fault.Malformed, fault.BodyMalformed, "The body cannot be read.")
}

// clearMembers gives each member that was null the value that clears it: a pointer to an empty value, or an empty list.
func clearMembers(into reflect.Value, members [][]int) {
	for _, index := range members {
		switch v := into.FieldByIndex(index); v.Kind() {
		case reflect.Pointer:
			v.Set(reflect.New(v.Type().Elem()))
		case reflect.Slice:
			v.Set(reflect.MakeSlice(v.Type(), 0, 0))
		case reflect.Map:
			v.Set(reflect.MakeMap(v.Type()))
		default:
			panic("web: a member cannot be cleared: " + v.Type().String()) // clearable has checked it
		}
	}
}

// diagnose walks a body and returns one refusal with everything that is wrong, or the members that null clears.
func diagnose(p *plan, raw []byte, patch bool) (cleared [][]int, err error) {
	if tooDeep(raw) {
		return nil, notJSON(errDepth)
	}

	d := newDiagnosis(raw)
	if patch {
		d.within = []int{}
	}

	err = d.document(p)
	switch {
	case errors.Is(err, errEnough):
		return nil, d.refusal()
	case err != nil:
		return nil, notJSON(err)
	case d.l.Empty():
		return d.cleared, nil
	}

	return nil, d.refusal()
}

func notJSON(err error) error {
	return fault.New(fault.Malformed, fault.BodyMalformed, "The body is not valid JSON: %s.", syntax(err))
}

// syntax returns what is wrong with a text that is not JSON, and where.
func syntax(err error) string {
	var s *jsontext.SyntacticError
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return "it ends too early"
	case errors.As(err, &s) && s.Err != nil:
		return s.Err.Error() + " at byte " + strconv.FormatInt(s.ByteOffset, 10)
	case errors.As(err, &s):
		return "wrong at byte " + strconv.FormatInt(s.ByteOffset, 10)
	}

	return err.Error()
}

// diagnosis walks a body along the plan of what it should be, and notes every error.
type diagnosis struct {
	l         fault.List
	dec       *jsontext.Decoder
	malformed bool // a value of the wrong type or a duplicate name: 400 and not 422

	within  []int   // where the present object stands in the struct, while null clears its members; nil: it does not
	cleared [][]int // where the members stand that were null
}

// newDiagnosis starts a walk. It reads the body in place, and stores nothing of it except the names of the current
// object.
func newDiagnosis(raw []byte) *diagnosis {
	return &diagnosis{dec: jsontext.NewDecoder(bytes.NewBuffer(raw), jsontext.AllowDuplicateNames(true))}
}

// place is where a value stands. It decides whether the value may be null or blank.
type place int

const (
	optional place = iota // of a field: null is the same as leaving it out, or clears it
	required              // of a field: null and blank texts count as left out
	item                  // of a list: null is a value of the wrong type
)

var (
	errDepth  = errors.New("it is nested too deeply")
	errEnough = errors.New("there are more problems than are reported")
)

func (d *diagnosis) refusal() error {
	f, _ := fault.As(d.l.Err())
	if d.malformed {
		f.Kind = fault.Malformed
	}

	return f
}

func (d *diagnosis) document(p *plan) error {
	if err := d.value(p, "", item); err != nil {
		return err
	}

	switch _, err := d.dec.ReadToken(); {
	case err == nil:
		return errors.New("something follows the end of the value")
	case !errors.Is(err, io.EOF):
		return err
	}

	return nil
}

// value reads the next value. A nil plan skips it: it belongs to a field that was refused already.
func (d *diagnosis) value(p *plan, at string, where place) error {
	if d.l.Full() {
		return errEnough
	}

	for p != nil && p.kind == reflect.Pointer && !p.opaque {
		p = p.elem
	}

	switch kind := d.dec.PeekKind(); {
	case p == nil:
		return d.dec.SkipValue()
	case kind == 'n':
		return d.null(p, at, where)
	case p.opaque:
		return d.opaque(p, at, where)
	case kind == '{' && p.kind == reflect.Struct:
		return d.object(p, at)
	case kind == '[' && p.kind == reflect.Slice:
		return d.list(p, at)
	default:
		return d.leaf(p, at, where)
	}
}

func (d *diagnosis) null(p *plan, at string, where place) error {
	switch where {
	case optional: // null is the same as leaving it out
	case required:
		d.l.Add(at, fault.Required, "is required.")
	case item:
		d.mismatch(p, at)
	}

	_, err := d.dec.ReadToken()

	return err
}

func (d *diagnosis) mismatch(p *plan, at string) {
	d.malformed = true
	d.l.Add(at, fault.TypeMismatch, "must be %s.", p.typeName)
}

// name reads a member's name. If the object had it before, it notes the error and returns fresh false.
func (d *diagnosis) name(seen map[string]bool, at string) (name, field string, fresh bool, err error) {
	tok, err := d.dec.ReadToken()
	if err != nil {
		return "", "", false, err
	}

	name = tok.String()
	field = at + "/" + escapePointer(name)

	fresh = !seen[name]
	if !fresh {
		d.malformed = true
		d.l.Add(field, fault.DuplicateField, "stands twice in the same object.")
	}

	seen[name] = true

	return name, field, fresh, nil
}

func (d *diagnosis) object(p *plan, at string) error {
	if _, err := d.dec.ReadToken(); err != nil {
		return err
	}

	here := d.within
	defer func() { d.within = here }()

	seen := map[string]bool{}
	for d.dec.PeekKind() != '}' {
		name, field, fresh, err := d.name(seen, at)
		if err != nil {
			return err
		}

		f := p.byName[name]
		where := optional

		var inner *plan
		switch {
		case f == nil && fresh:
			d.l.Add(field, fault.UnknownField, "is not a field of this object. Names are compared exactly.")
		case fresh && f.required:
			inner = f.plan
			where = required
		case fresh:
			inner = f.plan
		}

		d.within = nil
		if inner != nil && here != nil {
			if d.dec.PeekKind() == 'n' {
				d.clear(f, here, field)
			} else if inner.kind == reflect.Struct && !inner.opaque { // what a pointer leads to is replaced as a whole
				d.within = slices.Concat(here, f.index)
			}
		}

		if err := d.value(inner, field, where); err != nil {
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

// clear notes that null clears a member, or that it cannot. A required member is left to null.
func (d *diagnosis) clear(f *fieldPlan, here []int, at string) {
	switch {
	case f.required:
	case f.clearable:
		d.cleared = append(d.cleared, slices.Concat(here, f.index))
	default:
		d.l.Add(at, fault.Required, "always has a value, so null does not clear it. Leave it out to keep it.")
	}
}

func (d *diagnosis) list(p *plan, at string) error {
	if _, err := d.dec.ReadToken(); err != nil {
		return err
	}

	n := 0
	for ; d.dec.PeekKind() != ']'; n++ {
		if p.maxItems > 0 && n >= p.maxItems { // they are counted, and not looked at
			if err := d.dec.SkipValue(); err != nil {
				return err
			}

			continue
		}

		if err := d.value(p.elem, at+"/"+strconv.Itoa(n), item); err != nil {
			return err
		}
	}

	shape := reflect.ValueOf(make([]struct{}, n))
	for _, r := range p.rules {
		r(shape, at, &d.l)
	}

	_, err := d.dec.ReadToken()

	return err
}

// leaf checks a text, number or truth value. For a value of another type, it notes what is expected.
func (d *diagnosis) leaf(p *plan, at string, where place) error {
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

		v = reflect.New(reflect.TypeFor[string]()).Elem()
		v.SetString(s)
		p.clean(v)

	case kind == '0' && p.bits > 0:
		n, err := strconv.ParseInt(string(raw), 10, p.bits)
		if err != nil { // a fraction, an exponent, or too large
			d.mismatch(p, at)
			return nil
		}

		v = reflect.ValueOf(n)

	case (kind == 't' || kind == 'f') && p.kind == reflect.Bool:
		return nil
	default:
		d.mismatch(p, at)
		return nil
	}

	d.check(p, v, at, where)

	return nil
}

// check checks a value that could be parsed against its rules.
func (d *diagnosis) check(p *plan, v reflect.Value, at string, where place) {
	if where == required && missing(v) {
		d.l.Add(at, fault.Required, "is required.")
		return
	}

	for _, r := range p.rules {
		r(v, at, &d.l)
	}
}

// opaque lets a type that decodes itself report what is wrong.
func (d *diagnosis) opaque(p *plan, at string, where place) error {
	raw, err := d.dec.ReadValue()
	if err != nil {
		return err
	}

	if bytes.Count(raw, []byte(",")) > maxLoose {
		d.l.Add(at, fault.TooManyItems, "has more members or items than anything that belongs here.")
		return nil
	}

	v, err := p.try(raw)
	if err == nil {
		d.check(p, v, at, where)
		return nil
	}

	f, ok := fault.As(err)
	if !ok || len(f.Fields) == 0 {
		d.mismatch(p, at)
		return nil
	}

	for _, x := range f.Fields {
		d.malformed = d.malformed || x.Code == fault.TypeMismatch
		d.l.Add(at+x.Pointer, x.Code, "%s", x.Message)
	}

	return nil
}
