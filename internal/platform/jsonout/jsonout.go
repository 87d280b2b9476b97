// Package jsonout writes Go values as JSON, for answers and for what is stored beside them: the same bytes as
// json.Marshal of go-json-experiment gives, at a fraction of its cost.
//
// The library writes through an encoder that checks each token against the state of the document, and reads every raw
// value once more. Here a type is compiled once into a plan that appends; what the plan does not know to write
// exactly (maps, interfaces, floats, arrays, unusual tags, types that marshal themselves, types that contain
// themselves) is left to the library, for that value alone. Members of maps are sorted by name, so that equal values
// give equal bytes. Where the plan finds a fault it decides nothing: the library is asked about the whole value, and
// its answer counts.
//
// Read in this order: jsonout.go, plan.go (what a type is compiled to), fields.go (structs and their tags), text.go.
package jsonout

import (
	"bytes"
	"reflect"
	"sync"

	"github.com/go-json-experiment/json"
)

// Appender is a type that writes its own JSON. The text is trusted: it must be compact, valid, and what the type's
// MarshalJSONTo gives. AppendJSON has a value receiver; an error sends the whole value to the library.
type Appender interface {
	AppendJSON(dst []byte) ([]byte, error)
}

// Append appends the JSON of v.
func Append(dst []byte, v any) ([]byte, error) {
	out, err := planned(dst, v)
	if err == nil {
		return out, nil
	}

	return byLibrary(dst, v)
}

func planned(dst []byte, v any) ([]byte, error) {
	if v == nil {
		return append(dst, "null"...), nil
	}

	value := reflect.ValueOf(v)

	return planOf(value.Type())(dst, value)
}

func byLibrary(dst []byte, v any) ([]byte, error) {
	text, err := json.Marshal(v, json.Deterministic(true))
	return append(dst, text...), err
}

// Marshal returns the JSON of v, in a slice of just its size.
func Marshal(v any) (text []byte, err error) {
	err = Lend(v, func(lent []byte) { text = bytes.Clone(lent) })
	return text, err
}

// maxKept is the largest buffer that is kept for the next caller.
const maxKept = 64 << 10

var buffers = sync.Pool{New: func() any { return new([]byte) }}

// Lend writes v and lends the text to use, which must not keep it. Where v cannot be written, use is not called.
func Lend(v any, use func(text []byte)) error {
	b := buffers.Get().(*[]byte)

	text, err := Append((*b)[:0], v)
	if err == nil {
		use(text)
	}

	if cap(text) <= maxKept {
		*b = text
		buffers.Put(b)
	}

	return err
}
