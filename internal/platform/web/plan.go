package web

import (
	"bytes"
	"encoding"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/go-json-experiment/json"

	"slipway/internal/core/fault"
	"slipway/internal/core/text"
)

// plan is the checks of one type: compiled from the struct tags once, run on every request. The OpenAPI schema is made
// from the same tags, so document and checks cannot differ.
type plan struct {
	kind     reflect.Kind
	fields   []*fieldPlan          // of a struct, in order
	byName   map[string]*fieldPlan // of a struct, by JSON name
	elem     *plan                 // of a slice or pointer
	maxItems int                   // of a slice; 0: nothing was said
	opaque   bool                  // decodes itself: its own UnmarshalJSONFrom checks its form
	record   string                // of a reference: the kind of record it names
	refers   bool                  // it is a reference, or there are some in it
	verbatim bool                  // of a text: it stays as it was written
	bits     int                   // of a whole number
	rules    []rule
	typeName string                                  // the expected form, for refusals
	try      func(raw []byte) (reflect.Value, error) // of an opaque type: tries to decode a value
}

// fieldPlan is one JSON member.
type fieldPlan struct {
	name      string
	index     []int
	required  bool
	clearable bool // null clears it in a PATCH
	plan      *plan
}

// rule checks one value and notes what is wrong with it.
type rule func(v reflect.Value, pointer string, l *fault.List)

var plans sync.Map // reflect.Type -> *plan, of types without tags of their own

func planOf(t reflect.Type) *plan {
	if p, ok := plans.Load(t); ok {
		return p.(*plan)
	}

	p := compile(t)
	plans.Store(t, p)

	return p
}

type unmarshalsItself interface{ JSONKind() string }

func compile(t reflect.Type) *plan {
	p := &plan{kind: t.Kind()}
	if t.Kind() == reflect.String {
		p.rules = []rule{storable}
	}

	if v, ok := reflect.New(t).Interface().(unmarshalsItself); ok {
		return p.decodesItself(t, v.JSONKind())
	}

	switch t.Kind() {
	case reflect.Struct:
		p.typeName = "an object"
		if t == reflect.TypeFor[time.Time]() {
			return p.decodesItself(t, "a date-time such as 2026-11-21T09:30:00Z")
		}

		p.byName = map[string]*fieldPlan{}
		p.addFields(t, nil)

	case reflect.Slice:
		p.typeName = "a list"
		p.elem = planOf(t.Elem())
		p.refers = p.elem.refers

	case reflect.Pointer:
		p.elem = planOf(t.Elem())
		p.refers = p.elem.refers
		p.typeName = p.elem.typeName
	case reflect.String:
		p.typeName = "a text"
	case reflect.Bool:
		p.typeName = "true or false"
	case reflect.Int, reflect.Int64, reflect.Int32:
		p.typeName = "a whole number"
		p.bits = t.Bits()
	default: // maps and values of any type have no bound
		panic(fmt.Sprintf("web: a body cannot hold %v", t))
	}

	if decodesOtherwise(t) {
		panic(fmt.Sprintf("web: %v decodes itself; give it a method JSONKind that says what to send", t))
	}

	return p
}

func (p *plan) decodesItself(t reflect.Type, typeName string) *plan {
	p.opaque = true
	p.typeName = typeName
	p.try = func(raw []byte) (reflect.Value, error) {
		v := reflect.New(t)
		return v.Elem(), json.Unmarshal(raw, v.Interface(), json.RejectUnknownMembers(true))
	}

	return p
}

// decodesOtherwise reports whether the JSON of a type differs from what its Go kind suggests.
func decodesOtherwise(t reflect.Type) bool {
	switch reflect.New(t).Interface().(type) {
	case json.UnmarshalerFrom, json.Unmarshaler, encoding.TextUnmarshaler:
		return true
	}

	return false
}

func (p *plan) addFields(t reflect.Type, index []int) {
	for i := range t.NumField() {
		f := t.Field(i)
		at := append(append([]int(nil), index...), i)

		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Anonymous && name == "" && f.Type.Kind() == reflect.Struct {
			p.addFields(f.Type, at)
			continue
		}

		if !f.IsExported() || name == "-" {
			continue
		}

		if name == "" {
			panic(fmt.Sprintf("web: field %s of %v has no json name", f.Name, t))
		}

		checkTags(t, f)

		fp := &fieldPlan{name: name, index: at, plan: withRules(planOf(f.Type), f.Tag)}
		if kind := referenceKind(t, f); kind != "" {
			fp.plan = fp.plan.referringTo(kind)
		}

		p.refers = p.refers || fp.plan.refers

		fp.required = !strings.Contains(options, "omit") && f.Type.Kind() != reflect.Pointer
		if r := f.Tag.Get("required"); r != "" {
			fp.required = r == "true"
		}

		fp.clearable = !fp.required && clearable(f)

		p.fields = append(p.fields, fp)
		p.byName[name] = fp
	}
}

// referringTo returns the plan of a field whose references name a kind of record.
func (p *plan) referringTo(kind string) *plan {
	c := *p
	c.refers = true

	if p.opaque {
		c.record = kind
	} else {
		c.elem = p.elem.referringTo(kind)
	}

	return &c
}

// clearable reports whether null clears a member of a PATCH. The tag nullable decides. Without it a text, a time, an
// object or a list can be cleared: each has an empty form. A number or a truth value has none.
func clearable(f reflect.StructField) bool {
	t := f.Type
	switch {
	case f.Tag.Get("nullable") == "false":
		return false
	case t.Kind() == reflect.Slice, t.Kind() == reflect.Map:
		return true
	case t.Kind() != reflect.Pointer:
		return false
	}

	return f.Tag.Get("nullable") == "true" || t.Elem().Kind() != reflect.Bool && !reflect.Zero(t.Elem()).CanInt()
}

// withRules adds the checks in a field's tags. On a list, value checks apply to each item, as in the OpenAPI document.
func withRules(p *plan, tag reflect.StructTag) *plan {
	c := *p
	c.verbatim = tag.Get("verbatim") == "true"

	switch {
	case p.kind == reflect.Pointer && !p.opaque:
		c.elem = withRules(p.elem, tag)

	case p.kind == reflect.Slice && !p.opaque:
		c.rules = slices.Concat(p.rules, listRules(tag))
		c.maxItems, _ = tagInt(tag, "maxItems")
		c.elem = withRules(p.elem, tag)

	default:
		c.rules = slices.Concat(p.rules, valueRules(tag))
	}

	return &c
}

// listRules are the checks of a list's length.
func listRules(tag reflect.StructTag) []rule {
	var out []rule
	if n, ok := tagInt(tag, "minItems"); ok {
		out = append(out, func(v reflect.Value, ptr string, l *fault.List) {
			if !v.IsNil() && v.Len() < n {
				l.Add(ptr, fault.TooFew, "must have at least %d items.", n)
			}
		})
	}

	if n, ok := tagInt(tag, "maxItems"); ok {
		out = append(out, func(v reflect.Value, ptr string, l *fault.List) {
			if v.Len() > n {
				l.Add(ptr, fault.TooManyItems, "may have at most %d items; there are %d.", n, v.Len())
			}
		})
	}

	return out
}

// valueRules are the checks of a text or number.
func valueRules(tag reflect.StructTag) []rule {
	var out []rule
	if s := tag.Get("enum"); s != "" {
		out = append(out, oneOf(strings.Split(s, ",")))
	}

	if n, ok := tagInt(tag, "minLength"); ok {
		out = append(out, func(v reflect.Value, ptr string, l *fault.List) {
			if s, ok := textOf(v); ok && s != "" && utf8.RuneCountInString(s) < n {
				l.Add(ptr, fault.TooShort, "must have at least %d characters.", n)
			}
		})
	}

	if n, ok := tagInt(tag, "maxLength"); ok {
		out = append(out, func(v reflect.Value, ptr string, l *fault.List) {
			if s, ok := textOf(v); ok && len(s) > n && utf8.RuneCountInString(s) > n {
				l.Add(ptr, fault.TooLong, "may have at most %d characters.", n)
			}
		})
	}

	if s := tag.Get("pattern"); s != "" {
		re := regexp.MustCompile(s)

		say := tag.Get("patternDescription")
		if say == "" {
			say = "must match " + s
		}

		out = append(out, func(v reflect.Value, ptr string, l *fault.List) {
			if s, ok := textOf(v); ok && s != "" && !re.MatchString(s) {
				l.Add(ptr, fault.FormatInvalid, "%s.", say)
			}
		})
	}

	return append(out, rangeRule(tag)...)
}

const noText = "must be valid UTF-8 without the character U+0000, and must not begin with U+0001."

// storable refuses what cannot be stored as a text: see isText.
func storable(v reflect.Value, ptr string, l *fault.List) {
	if !isText(v.String()) {
		l.Add(ptr, fault.FormatInvalid, noText)
	}
}

// isText reports whether s can be stored as a text. PostgreSQL accepts neither U+0000 nor invalid UTF-8. With U+0001
// begin the phrases of package words, which nobody else may write.
func isText(s string) bool {
	return strings.IndexByte(s, 0) < 0 && !strings.HasPrefix(strings.TrimSpace(s), "\x01") && utf8.ValidString(s)
}

func rangeRule(tag reflect.StructTag) []rule {
	lo, hasLo := tagInt(tag, "minimum")

	hi, hasHi := tagInt(tag, "maximum")
	if !hasLo && !hasHi {
		return nil
	}

	return []rule{func(v reflect.Value, ptr string, l *fault.List) {
		if !v.CanInt() {
			return
		}

		if n := v.Int(); (hasLo && n < int64(lo)) || (hasHi && n > int64(hi)) {
			switch {
			case hasLo && hasHi:
				l.Add(ptr, fault.OutOfRange, "must be from %d to %d.", lo, hi)
			case hasLo:
				l.Add(ptr, fault.OutOfRange, "must be at least %d.", lo)
			default:
				l.Add(ptr, fault.OutOfRange, "may be at most %d.", hi)
			}
		}
	}}
}

func oneOf(words []string) rule {
	return func(v reflect.Value, ptr string, l *fault.List) {
		s := ""
		switch {
		case v.Kind() == reflect.String:
			s = v.String()
		case v.CanInt():
			s = strconv.FormatInt(v.Int(), 10)
		}

		if s != "" && !slices.Contains(words, s) {
			l.Add(ptr, fault.NotInEnum, "must be one of %s.", strings.Join(words, ", "))
		}
	}
}

func tagInt(tag reflect.StructTag, key string) (int, bool) {
	s := tag.Get(key)
	if s == "" {
		return 0, false
	}

	n, err := strconv.Atoi(s)
	if err != nil {
		panic(fmt.Sprintf("web: tag %s=%q is not a whole number", key, s))
	}

	return n, true
}

func textOf(v reflect.Value) (string, bool) {
	if v.Kind() != reflect.String {
		return "", false
	}

	return v.String(), true
}

// screening is a quick check of a decoded value. It finds out whether the body must be walked, not what is wrong with
// it. The walk (diagnosis) notes the errors, and detects what a decoded value no longer shows, such as a 0 that was
// never sent.
type screening struct {
	broken fault.List // broken rules, without pointers
	doubt  bool       // a required value is blank
	absent []string   // names of optional members that were left out, or else break a rule
}

// clean reports whether the value is valid beyond doubt. raw is the body it was decoded from.
func (s *screening) clean(raw []byte) bool {
	if s.doubt || !s.broken.Empty() || bytes.Contains(raw, []byte("null")) {
		return false
	}

	if len(s.absent) == 0 {
		return true
	}

	slices.Sort(s.absent)

	for _, name := range slices.Compact(s.absent) {
		if bytes.Contains(raw, []byte(`"`+name+`"`)) {
			return false
		}
	}

	return !bytes.Contains(raw, []byte(`\u`)) // else a name may be there in another spelling
}

// clean brings a text into the form in which texts are stored and compared (text.Clean), before any rule reads it:
// names that look the same are the same from here on. Texts with the tag verbatim stay as they were written: secrets,
// what was signed, and what people write to each other.
func (p *plan) clean(v reflect.Value) {
	if p.kind == reflect.String && !p.opaque && !p.verbatim {
		if s := v.String(); s != "" {
			v.SetString(text.Clean(s))
		}
	}
}

func (p *plan) screen(v reflect.Value, s *screening) {
	p.clean(v)

	for _, r := range p.rules {
		r(v, "", &s.broken)
	}

	if p.opaque {
		return
	}

	switch p.kind {
	case reflect.Struct:
		for _, f := range p.fields {
			f.screen(v.FieldByIndex(f.index), s)
		}

	case reflect.Slice:
		for i := range v.Len() {
			p.elem.screen(v.Index(i), s)
		}

	case reflect.Pointer:
		if !v.IsNil() {
			p.elem.screen(v.Elem(), s)
		}

	default: // a plain value has no members that could be missing
	}
}

func (f *fieldPlan) screen(v reflect.Value, s *screening) {
	f.plan.clean(v)

	switch zero := v.IsZero(); {
	case f.required && (zero || missing(v)):
		s.doubt = true
	case !zero:
		f.plan.screen(v, s)

	case v.CanInt() || v.Kind() == reflect.Struct: // left out it breaks no rule; a 0 or {} that was sent may
		var own screening
		f.plan.screen(v, &own)

		if own.doubt || len(own.absent) > 0 || !own.broken.Empty() {
			s.absent = append(s.absent, f.name)
		}
	}
}

// missing reports whether a required value is missing: a text needs more than spaces, a list must be there; false and 0
// are values.
func missing(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.String:
		return strings.TrimSpace(v.String()) == ""
	case reflect.Slice, reflect.Pointer:
		return v.IsNil()
	case reflect.Struct:
		return v.IsZero()
	default: // false and 0 are values
		return false
	}
}

// maxNamed is how much of a member's name a pointer shows, because names can have any length.
const maxNamed = 100

// escapePointer returns a member's name as a part of a pointer (RFC 6901).
func escapePointer(name string) string {
	if len(name) > maxNamed {
		name = strings.ToValidUTF8(name[:maxNamed], "") + "…"
	}

	if !strings.ContainsAny(name, "~/") {
		return name
	}

	return strings.ReplaceAll(strings.ReplaceAll(name, "~", "~0"), "/", "~1")
}
