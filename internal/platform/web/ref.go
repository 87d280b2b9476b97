package web

import (
	"github.com/danielgtaylor/huma/v2"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Ref names another record in a request: its identifier as a text, or an object with `_id`. Of such an object only
// `_id` is read, so that a client may send back what it received.
type Ref string

// JSONKind says what a Ref looks like, for refusals.
func (Ref) JSONKind() string { return "an identifier, or an object with _id" }

// UnmarshalJSONFrom reads either form.
func (r *Ref) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	raw, err := dec.ReadValue()
	if err != nil {
		return err
	}

	switch raw.Kind() {
	case '"':
		var s string
		if err := json.Unmarshal(raw, &s); err != nil {
			return err
		}

		*r = Ref(s)

		return nil

	case 'n':
		*r = ""
		return nil
	}

	var o struct {
		ID string `json:"_id"`
	}
	if err := json.Unmarshal(raw, &o); err != nil {
		return err
	}

	*r = Ref(o.ID)

	return nil
}

// Schema describes both forms.
func (Ref) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{OneOf: []*huma.Schema{
		{Type: "string"},
		{
			Type:                 "object",
			Properties:           map[string]*huma.Schema{"_id": {Type: "string"}},
			Required:             []string{"_id"},
			AdditionalProperties: true,
		},
	}, Description: "identifier, or an object with _id"}
}
