package jsonout

import (
	"reflect"
	"regexp"
	"slices"
	"strings"
	"time"
)

// field is one member of a struct, or an embedded struct, whose members stand in its place.
type field struct {
	index     int
	embedded  []field // if set, nothing else counts
	member    string  // `,"name":`
	absent    string  // `,"name":null`, or `,"name":[]` of a list
	write     plan
	isZero    func(v reflect.Value) bool // for omitzero, else nil
	omitEmpty bool
	text      bool // a string without methods: most fields are, and are written without a plan
}

// object returns the plan of a struct, or the library's if a field needs more than this package supports.
func object(t reflect.Type, within []reflect.Type) plan {
	if slices.Contains(within, t) {
		return library
	}

	fields, ok := fieldsOf(t, append(slices.Clone(within), t))
	if !ok || len(fields) == 0 || sameName(fields, map[string]bool{}) {
		return library
	}

	return func(dst []byte, v reflect.Value) ([]byte, error) {
		start := len(dst)

		dst, err := appendFields(dst, v, fields)
		if err != nil {
			return dst, err
		}

		if len(dst) == start {
			return append(dst, "{}"...), nil
		}

		dst[start] = '{' // in place of the first member's comma

		return append(dst, '}'), nil
	}
}

// appendFields appends each member with a comma before it.
func appendFields(dst []byte, v reflect.Value, fields []field) (_ []byte, err error) {
	for i := range fields {
		f := &fields[i]

		value := v.Field(f.index)
		switch {
		case f.embedded != nil:
			dst, err = appendFields(dst, value, f.embedded)
		case f.isZero != nil && f.isZero(value):
			dst = append(dst, f.absent...)

		case f.text:
			if s := value.String(); s != "" || !f.omitEmpty {
				dst, err = appendText(append(dst, f.member...), s)
			} else {
				dst = append(dst, f.absent...)
			}

		default:
			dst, err = f.append(dst, value)
		}

		if err != nil {
			return dst, err
		}
	}

	return dst, nil
}

func (f *field) append(dst []byte, v reflect.Value) ([]byte, error) {
	start := len(dst)
	dst = append(dst, f.member...)
	value := len(dst)

	dst, err := f.write(dst, v)
	if f.omitEmpty && err == nil && isEmpty(dst[value:]) {
		return append(dst[:start], f.absent...), nil
	}

	return dst, err
}

// isEmpty reports whether a value that says omitempty is absent. It checks the JSON, not the Go value.
func isEmpty(text []byte) bool {
	switch string(text) {
	case "null", `""`, "{}", "[]":
		return true
	}

	return false
}

// fieldsOf returns the members of a struct in the order of its fields. It returns false if the library would handle the
// struct in a way that this package does not support.
func fieldsOf(t reflect.Type, within []reflect.Type) (out []field, ok bool) {
	for i := range t.NumField() {
		f := t.Field(i)

		tag, tagged := f.Tag.Lookup("json")
		switch {
		case tag == "-", !f.IsExported() && !f.Anonymous && !tagged:
		case !f.IsExported():
			return nil, false

		case f.Anonymous && !tagged:
			if f.Type.Kind() != reflect.Struct || f.Type == timeType || marshalsItself(f.Type) {
				return nil, false
			}

			inner, ok := fieldsOf(f.Type, within)
			if !ok || len(inner) == 0 {
				return nil, false
			}

			out = append(out, field{index: i, embedded: inner})

		default:
			one, ok := fieldOf(f, tag, within)
			if !ok {
				return nil, false
			}

			one.index = i
			out = append(out, one)
		}
	}

	return out, true
}

// plainName matches a member's name that needs no escaping in JSON and in a tag.
var plainName = regexp.MustCompile(`^[A-Za-z0-9_.@]+(-[A-Za-z0-9_.@]+)*$`)

func fieldOf(f reflect.StructField, tag string, within []reflect.Type) (out field, ok bool) {
	name, options, some := strings.Cut(tag, ",")
	if name == "" && !f.Anonymous {
		name = f.Name
	}

	if !plainName.MatchString(name) {
		return out, false
	}

	out.member = `,"` + name + `":`

	out.absent = out.member + "null"
	if f.Type.Kind() == reflect.Slice && f.Type.Elem().Kind() != reflect.Uint8 {
		out.absent = out.member + "[]"
	}

	switch {
	case !some:
	case options == "omitempty":
		out.omitEmpty = true

	case options == "omitzero":
		if out.isZero = zeroOf(f.Type); out.isZero == nil {
			return out, false
		}

	default:
		return out, false
	}

	out.write = compile(f.Type, within)
	out.text = f.Type.Kind() == reflect.String && !f.Type.Implements(appenderType) && !marshalsItself(f.Type)

	return out, true
}

type zeroer interface{ IsZero() bool }

var zeroerType = reflect.TypeFor[zeroer]()

// zeroOf returns how omitzero checks a type: by its own IsZero, if it has one. It returns nil if only the library knows
// how.
func zeroOf(t reflect.Type) func(v reflect.Value) bool {
	switch {
	case t == timeType:
		return func(v reflect.Value) bool {
			at, _ := reflect.TypeAssert[time.Time](v)
			return at.IsZero()
		}

	case t.Implements(zeroerType), reflect.PointerTo(t).Implements(zeroerType):
		return nil
	default:
		return reflect.Value.IsZero
	}
}

// sameName reports whether a struct has two fields of one name; which of them counts depends on their depth.
func sameName(fields []field, seen map[string]bool) bool {
	for _, f := range fields {
		if f.embedded != nil && sameName(f.embedded, seen) || seen[f.member] {
			return true
		}

		seen[f.member] = f.embedded == nil
	}

	return false
}
