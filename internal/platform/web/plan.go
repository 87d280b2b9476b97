package web

import (
	"fmt"
	"math/big"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/go-json-experiment/json"

	"slipway/internal/core/fault"
)

// plan is what is checked of one type: compiled from the struct tags once, run on every request. The same tags make the OpenAPI
// schema, so the document and the checks cannot part.
type plan struct {
	kind     reflect.Kind
	fields   []*fieldPlan          // of a struct, in order
	byName   map[string]*fieldPlan // of a struct, by JSON name
	elem     *plan                 // of a slice, map or pointer
	opaque   bool                  // decodes itself: the checks of its form are in its own UnmarshalJSONFrom
	rules    []rule
	typeName string                 // what a caller is told to send
	try      func(raw []byte) error // of an opaque type: decodes a value to see whether it can be
}

// fieldPlan is one JSON member.
type fieldPlan struct {
	name     string
	index    []int
	required bool
	plan     *plan
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
	p := &plan{kind: t.Kind(), try: func(raw []byte) error {
		return json.Unmarshal(raw, reflect.New(t).Interface(), json.RejectUnknownMembers(true))
	}}
	if v, ok := reflect.New(t).Interface().(unmarshalsItself); ok {
		p.opaque, p.typeName = true, v.JSONKind()
		return p
	}
	switch t.Kind() {
	case reflect.Struct:
		p.typeName = "an object"
		if t.PkgPath() == "time" && t.Name() == "Time" {
			p.opaque, p.typeName = true, "a date-time such as 2026-11-21T09:30:00Z"
			return p
		}
		p.byName = map[string]*fieldPlan{}
		p.addFields(t, nil)
	case reflect.Slice:
		p.typeName = "a list"
		p.elem = planOf(t.Elem())
	case reflect.Map:
		p.typeName = "an object"
		p.elem = planOf(t.Elem())
	case reflect.Pointer:
		p.elem = planOf(t.Elem())
		p.typeName = p.elem.typeName
	case reflect.String:
		p.typeName = "a text"
	case reflect.Bool:
		p.typeName = "true or false"
	case reflect.Int, reflect.Int64, reflect.Int32:
		p.typeName = "a whole number"
	case reflect.Interface:
		p.typeName = "any value"
		p.opaque = true
	default:
		panic(fmt.Sprintf("web: a body cannot hold %v", t))
	}
	return p
}

func (p *plan) addFields(t reflect.Type, index []int) {
	for i := range t.NumField() {
		f := t.Field(i)
		at := append(append([]int(nil), index...), i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Anonymous && name == "" {
			p.addFields(f.Type, at)
			continue
		}
		if !f.IsExported() || name == "-" {
			continue
		}
		if name == "" {
			panic(fmt.Sprintf("web: field %s of %v has no json name", f.Name, t))
		}
		fp := &fieldPlan{name: name, index: at, plan: withRules(planOf(f.Type), f.Tag)}
		fp.required = !strings.Contains(options, "omit") && f.Type.Kind() != reflect.Pointer
		if r := f.Tag.Get("required"); r != "" {
			fp.required = r == "true"
		}
		p.fields = append(p.fields, fp)
		p.byName[name] = fp
	}
}

// withRules adds the checks that stand in a field's tags.
func withRules(p *plan, tag reflect.StructTag) *plan {
	rules := rulesOf(tag)
	if len(rules) == 0 {
		return p
	}
	c := *p
	c.rules = append(append([]rule(nil), p.rules...), rules...)
	return &c
}

func rulesOf(tag reflect.StructTag) []rule {
	var out []rule
	if s := tag.Get("enum"); s != "" {
		out = append(out, oneOf(strings.Split(s, ",")))
	}
	if n, ok := tagInt(tag, "minLength"); ok {
		out = append(out, func(v reflect.Value, ptr string, l *fault.List) {
			if s, ok := text(v); ok && s != "" && utf8.RuneCountInString(s) < n {
				l.Add(ptr, fault.TooShort, "must have at least %d characters.", n)
			}
		})
	}
	if n, ok := tagInt(tag, "maxLength"); ok {
		out = append(out, func(v reflect.Value, ptr string, l *fault.List) {
			if s, ok := text(v); ok && len(s) > n && utf8.RuneCountInString(s) > n {
				l.Add(ptr, fault.TooLong, "may have at most %d characters.", n)
			}
		})
	}
	if s := tag.Get("pattern"); s != "" {
		re, say := regexp.MustCompile(s), tag.Get("patternDescription")
		if say == "" {
			say = "must match " + s
		}
		out = append(out, func(v reflect.Value, ptr string, l *fault.List) {
			if s, ok := text(v); ok && s != "" && !re.MatchString(s) {
				l.Add(ptr, fault.FormatInvalid, "%s.", say)
			}
		})
	}
	if n, ok := tagInt(tag, "minItems"); ok {
		out = append(out, func(v reflect.Value, ptr string, l *fault.List) {
			if v.Kind() == reflect.Slice && v.Len() < n {
				l.Add(ptr, fault.TooFew, "must have at least %d items.", n)
			}
		})
	}
	if n, ok := tagInt(tag, "maxItems"); ok {
		out = append(out, func(v reflect.Value, ptr string, l *fault.List) {
			if v.Kind() == reflect.Slice && v.Len() > n {
				l.Add(ptr, fault.TooManyItems, "may have at most %d items; there are %d.", n, v.Len())
			}
		})
	}
	return append(out, rangeRule(tag)...)
}

func rangeRule(tag reflect.StructTag) []rule {
	lo, hasLo := tagInt(tag, "minimum")
	hi, hasHi := tagInt(tag, "maximum")
	if !hasLo && !hasHi {
		return nil
	}
	return []rule{func(v reflect.Value, ptr string, l *fault.List) {
		v = deref(v)
		if !v.IsValid() || !v.CanInt() {
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
		v = deref(v)
		if !v.IsValid() {
			return
		}
		if v.Kind() == reflect.Slice {
			for i := range v.Len() {
				oneOf(words)(v.Index(i), ptr, l)
			}
			return
		}
		s := ""
		switch {
		case v.Kind() == reflect.String:
			s = v.String()
		case v.CanInt():
			s = strconv.FormatInt(v.Int(), 10)
		}
		if s == "" {
			return
		}
		for _, w := range words {
			if w == s {
				return
			}
		}
		l.Add(ptr, fault.NotInEnum, "must be one of %s.", strings.Join(words, ", "))
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

func deref(v reflect.Value) reflect.Value {
	for v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	return v
}

func text(v reflect.Value) (string, bool) {
	v = deref(v)
	if !v.IsValid() || v.Kind() != reflect.String {
		return "", false
	}
	return v.String(), true
}

// check walks a decoded value and notes everything that is wrong with it.
func (p *plan) check(v reflect.Value, pointer string, l *fault.List) {
	for _, r := range p.rules {
		r(v, pointer, l)
	}
	if p.opaque {
		return
	}
	switch p.kind {
	case reflect.Struct:
		for _, f := range p.fields {
			fv := v.FieldByIndex(f.index)
			at := pointer + "/" + escapePointer(f.name)
			if f.required && missing(fv) {
				l.Add(at, fault.Required, "is required.")
				continue
			}
			f.plan.check(fv, at, l)
		}
	case reflect.Slice:
		for i := range v.Len() {
			p.elem.check(v.Index(i), pointer+"/"+strconv.Itoa(i), l)
		}
	case reflect.Pointer:
		if !v.IsNil() {
			p.elem.check(v.Elem(), pointer, l)
		}
	}
}

// missing: texts must not be empty, lists must be there; false and 0 are values.
func missing(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.String:
		return strings.TrimSpace(v.String()) == ""
	case reflect.Slice, reflect.Map, reflect.Pointer, reflect.Interface:
		return v.IsNil()
	case reflect.Struct:
		return v.IsZero()
	}
	return false
}

func escapePointer(name string) string {
	if !strings.ContainsAny(name, "~/") {
		return name
	}
	return strings.ReplaceAll(strings.ReplaceAll(name, "~", "~0"), "/", "~1")
}

// wholeNumber says whether a JSON number fits an int64.
func wholeNumber(s string) bool {
	n, ok := new(big.Int).SetString(s, 10)
	return ok && n.IsInt64()
}
