// Package jsonout writes Go values as JSON, for answers and for what is stored beside them. It writes what json.Marshal
// of go-json-experiment writes, at a fraction of its cost, and differs in two things that hold for every answer:
//
//   - A member is never left out. Where omitempty or omitzero leaves it out, null stands, or [] for a list.
//   - A time has milliseconds, no more and no less.
//
// The library writes through an encoder that checks each token against the state of the document, and parses every raw
// value once more. This package compiles a type once into a plan that appends. It leaves to the library, for that value
// alone, what a plan cannot write exactly: maps, interfaces, floats, arrays, unusual tags, types that marshal
// themselves, types that contain themselves. Members of maps are sorted by name, so that equal values give equal bytes.
// If a plan finds an error, the library writes the whole value, and its result counts.
//
// Read in this order: jsonout.go, plan.go (compiling a type), fields.go (structs and their tags), text.go.
package jsonout

import (
	"bytes"
	"reflect"
	"sync"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Appender is a type that writes its own JSON. The text is trusted: it must be compact, valid, and equal to what the
// type's MarshalJSONTo writes. AppendJSON has a value receiver. If it returns an error, the library writes the whole
// value.
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
	text, err := json.Marshal(v, json.Deterministic(true), timesByLibrary)
	return append(dst, text...), err
}

// timesByLibrary has the library write times in the form of this package.
var timesByLibrary = json.WithMarshalers(json.MarshalToFunc(func(enc *jsontext.Encoder, at time.Time) error {
	text, err := appendMillis(nil, at)
	if err != nil {
		return err
	}

	return enc.WriteValue(text)
}))

// Marshal returns the JSON of v, in a slice of exactly its size.
func Marshal(v any) (text []byte, err error) {
	err = Lend(v, func(lent []byte) { text = bytes.Clone(lent) })
	return text, err
}

// maxKept is the largest buffer that is kept for the next call.
const maxKept = 64 << 10

var buffers = sync.Pool{New: func() any { return new([]byte) }}

// Lend calls use with the JSON of v. use must not keep the text. If v cannot be written, Lend returns the error and
// does not call use.
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
