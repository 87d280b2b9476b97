package refdata

import (
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/go-json-experiment/json/jsontext"

	"slipway/internal/core/fault"
)

// maxRef is the longest identifier.
const maxRef = 64

// Ref names a record in a request body: its identifier, or an object that has it in `_id`, as lists and answers give
// it. Further members of such an object are ignored: clients send back what they were given.
type Ref string

// JSONKind describes the JSON values that are accepted.
func (Ref) JSONKind() string { return "an identifier, or an object with `_id`" }

// Schema describes both forms in the OpenAPI document.
func (Ref) Schema(huma.Registry) *huma.Schema {
	text := &huma.Schema{Type: huma.TypeString}

	return &huma.Schema{Description: "identifier, or an object with `_id`", OneOf: []*huma.Schema{
		text,
		{
			Type:                 huma.TypeObject,
			Properties:           map[string]*huma.Schema{"_id": text},
			Required:             []string{"_id"},
			AdditionalProperties: true,
		},
	}}
}

// UnmarshalJSONFrom reads either form; null is no reference.
func (r *Ref) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	if dec.PeekKind() != '{' {
		return r.text(dec, "")
	}

	if _, err := dec.ReadToken(); err != nil {
		return err
	}

	found := false
	for dec.PeekKind() != '}' {
		name, err := dec.ReadToken()
		if err != nil {
			return err
		}

		if name.String() != "_id" {
			if err := dec.SkipValue(); err != nil {
				return err
			}

			continue
		}

		found = true

		if err := r.text(dec, "/_id"); err != nil {
			return err
		}
	}

	if _, err := dec.ReadToken(); err != nil {
		return err
	}

	if !found || *r == "" {
		return wrong("/_id", fault.Required, "is required.")
	}

	return nil
}

func (r *Ref) text(dec *jsontext.Decoder, at string) error {
	kind := dec.PeekKind()
	if kind != '"' && kind != 'n' {
		if err := dec.SkipValue(); err != nil {
			return err
		}

		return wrong(at, fault.TypeMismatch, "must be "+Ref("").JSONKind()+".")
	}

	tok, err := dec.ReadToken()
	if err != nil {
		return err
	}

	*r = ""

	if kind == 'n' {
		return nil
	}

	s := tok.String()
	if len(s) > maxRef {
		return wrong(at, fault.TooLong, "is longer than any identifier.")
	}

	if strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return wrong(at, fault.FormatInvalid, "is not an identifier.")
	}

	*r = Ref(s)

	return nil
}

func wrong(at string, code fault.Code, message string) error {
	var l fault.List
	l.Add(at, code, "%s", message)
	return l.Err()
}
