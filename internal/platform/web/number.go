package web

import (
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/go-json-experiment/json/jsontext"

	"slipway/internal/core/fault"
)

// Number is a JSON number that keeps its written form: amounts and percentages are never floats.
type Number string

// JSONKind returns the expected form, for refusals.
func (Number) JSONKind() string { return "a number of at most 18 digits, not negative" }

// Schema returns its schema for the OpenAPI document.
func (Number) Schema(huma.Registry) *huma.Schema {
	zero := 0.0
	return &huma.Schema{Type: huma.TypeNumber, Minimum: &zero}
}

// UnmarshalJSONFrom accepts plain numbers: no sign, no exponent.
func (n *Number) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	kind := dec.PeekKind()

	raw, err := dec.ReadValue()
	if err != nil {
		return err
	}

	if kind == 'n' {
		return nil
	}

	if kind != '0' || len(raw) > 19 || strings.ContainsAny(string(raw), "-+eE") {
		var l fault.List
		l.Add("", fault.TypeMismatch, "must be %s.", n.JSONKind())
		return l.Err()
	}

	*n = Number(raw)

	return nil
}

// MarshalJSONTo writes the number as it was read. An empty one is 0.
func (n Number) MarshalJSONTo(enc *jsontext.Encoder) error {
	if n == "" {
		n = "0"
	}

	return enc.WriteValue(jsontext.Value(n))
}
