package jsonout

import (
	"encoding"
	"encoding/base64"
	"errors"
	"reflect"
	"strconv"
	"sync"
	"time"

	"github.com/go-json-experiment/json"
)

// plan appends a value of the type that it was made for.
type plan func(dst []byte, v reflect.Value) ([]byte, error)

var plans sync.Map // reflect.Type to plan

func planOf(t reflect.Type) plan {
	if p, ok := plans.Load(t); ok {
		return p.(plan)
	}

	p, _ := plans.LoadOrStore(t, compile(t, nil))

	return p.(plan)
}

var (
	timeType     = reflect.TypeFor[time.Time]()
	durationType = reflect.TypeFor[time.Duration]()
	appenderType = reflect.TypeFor[Appender]()
	// methodTypes are the ways in which a type may marshal itself.
	methodTypes = []reflect.Type{
		reflect.TypeFor[json.MarshalerTo](), reflect.TypeFor[json.Marshaler](),
		reflect.TypeFor[encoding.TextAppender](), reflect.TypeFor[encoding.TextMarshaler](),
	}
)

// compile returns the plan of a type; within are the structs that contain it. A type that contains itself is left to
// the library, which detects cycles. So a plan always ends.
func compile(t reflect.Type, within []reflect.Type) plan {
	switch {
	case t == timeType:
		return appendTime
	case t.Kind() == reflect.Pointer:
		return pointer(compile(t.Elem(), within))
	case t.Kind() == reflect.Interface, t == durationType:
		return library
	case t.Implements(appenderType):
		return itself
	case marshalsItself(t):
		return library
	}

	switch t.Kind() {
	case reflect.Bool:
		return func(dst []byte, v reflect.Value) ([]byte, error) { return strconv.AppendBool(dst, v.Bool()), nil }
	case reflect.String:
		return func(dst []byte, v reflect.Value) ([]byte, error) { return appendText(dst, v.String()) }
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return func(dst []byte, v reflect.Value) ([]byte, error) { return strconv.AppendInt(dst, v.Int(), 10), nil }
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return func(dst []byte, v reflect.Value) ([]byte, error) { return strconv.AppendUint(dst, v.Uint(), 10), nil }

	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			return appendBytes(t)
		}

		return list(compile(t.Elem(), within))

	case reflect.Struct:
		return object(t, within)
	default:
		return library
	}
}

// marshalsItself also checks the pointer type, whose methods include those of the value.
func marshalsItself(t reflect.Type) bool {
	for _, m := range methodTypes {
		if reflect.PointerTo(t).Implements(m) {
			return true
		}
	}

	return false
}

func library(dst []byte, v reflect.Value) ([]byte, error) { return byLibrary(dst, v.Interface()) }

// itself calls the method through a pointer if there is one: an interface made from the value would be copied to the
// heap.
func itself(dst []byte, v reflect.Value) ([]byte, error) {
	if v.CanAddr() {
		v = v.Addr()
	}

	return v.Interface().(Appender).AppendJSON(dst)
}

func pointer(to plan) plan {
	return func(dst []byte, v reflect.Value) ([]byte, error) {
		if v.IsNil() {
			return append(dst, "null"...), nil
		}

		return to(dst, v.Elem())
	}
}

// list writes nil as [], like the library.
func list(element plan) plan {
	return func(dst []byte, v reflect.Value) (_ []byte, err error) {
		dst = append(dst, '[')
		for i := range v.Len() {
			if i > 0 {
				dst = append(dst, ',')
			}

			if dst, err = element(dst, v.Index(i)); err != nil {
				return dst, err
			}
		}

		return append(dst, ']'), nil
	}
}

func appendTime(dst []byte, v reflect.Value) ([]byte, error) {
	at, _ := reflect.TypeAssert[time.Time](v)
	return appendMillis(dst, at)
}

// appendMillis writes RFC 3339 with milliseconds. It has the library's errors: of years and zones that RFC 3339 does
// not have.
func appendMillis(dst []byte, at time.Time) ([]byte, error) {
	_, offset := at.Zone()
	if year := at.Year(); year < 0 || year > 9999 || offset <= -24*60*60 || offset >= 24*60*60 {
		return dst, errTime
	}

	if offset != 0 {
		return at.AppendFormat(dst, `"2006-01-02T15:04:05.000Z07:00"`), nil
	}

	// The library is fast with its own layouts alone. Of this one, milliseconds take the place of the Z.
	dst = at.UTC().AppendFormat(append(dst, '"'), time.RFC3339)
	millis := at.Nanosecond() / int(time.Millisecond)

	return append(dst[:len(dst)-1], '.', digit(millis/100), digit(millis/10%10), digit(millis%10), 'Z', '"'), nil
}

func digit(n int) byte { return byte('0' + n) }

var errTime = errors.New("a time has a year or a zone that RFC 3339 does not have")

// appendBytes writes base64. A slice of a named byte type is a list of numbers for the library.
func appendBytes(t reflect.Type) plan {
	if t.Elem() != reflect.TypeFor[byte]() {
		return library
	}

	return func(dst []byte, v reflect.Value) ([]byte, error) {
		dst = base64.StdEncoding.AppendEncode(append(dst, '"'), v.Bytes())
		return append(dst, '"'), nil
	}
}
