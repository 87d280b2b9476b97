package web

import (
	"reflect"

	"github.com/danielgtaylor/huma/v2"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"slipway/internal/platform/jsonout"
)

// Nullable is an object of an answer that may be null. Unlike a pointer to an object, it shows this in the OpenAPI
// document.
type Nullable[T any] struct{ Value *T }

// MarshalJSONTo writes the object, or null.
func (n Nullable[T]) MarshalJSONTo(enc *jsontext.Encoder) error {
	return json.MarshalEncode(enc, n.Value)
}

// AppendJSON writes the same.
func (n Nullable[T]) AppendJSON(dst []byte) ([]byte, error) { return jsonout.Append(dst, n.Value) }

// ShownAs returns the type of the object.
func (Nullable[T]) ShownAs() reflect.Type { return reflect.TypeFor[T]() }

// Schema describes both.
func (Nullable[T]) Schema(r huma.Registry) *huma.Schema {
	return &huma.Schema{OneOf: []*huma.Schema{r.Schema(reflect.TypeFor[T](), true, ""), {Type: "null"}}}
}
