package receiver

import (
	"strings"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"slipway/internal/core/fault"
	"slipway/internal/core/text"
)

// Limits of an address, as bank messages carry it.
const (
	maxLine     = 140
	maxPostCode = 16
	maxCity     = 70
)

// Address is where a receiver lives or is registered. A request may give it as a text, which is then the first line.
type Address struct{ AddressLine1, PostCode, City string }

// JSONKind describes the JSON values that are accepted.
func (*Address) JSONKind() string {
	return "an object with addressLine1, postCode and city, or a text"
}

// Schema describes both forms in the OpenAPI document.
func (*Address) Schema(huma.Registry) *huma.Schema {
	text := func(n int) *huma.Schema { return &huma.Schema{Type: huma.TypeString, MaxLength: &n} }

	return &huma.Schema{
		Description: "address; a text is taken as addressLine1",
		OneOf: []*huma.Schema{text(maxLine), {
			Type: huma.TypeObject,
			Properties: map[string]*huma.Schema{
				"addressLine1": text(maxLine),
				"postCode":     text(maxPostCode),
				"city":         text(maxCity),
			},
			AdditionalProperties: false,
		}},
	}
}

// UnmarshalJSONFrom reads either form and notes every fault in it.
func (a *Address) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	var l fault.List
	switch dec.PeekKind() {
	case 'n':
		return dec.SkipValue()

	case '"':
		if err := a.text(dec, "", &a.AddressLine1, maxLine, &l); err != nil {
			return err
		}

	case '{':
		if err := a.object(dec, &l); err != nil {
			return err
		}

	default:
		if err := dec.SkipValue(); err != nil {
			return err
		}

		l.Add("", fault.TypeMismatch, "must be %s.", a.JSONKind())
	}

	return l.Err()
}

func (a *Address) object(dec *jsontext.Decoder, l *fault.List) error {
	if _, err := dec.ReadToken(); err != nil {
		return err
	}

	for dec.PeekKind() != '}' {
		tok, err := dec.ReadToken()
		if err != nil {
			return err
		}

		switch name := tok.String(); name {
		case "addressLine1":
			err = a.text(dec, "/addressLine1", &a.AddressLine1, maxLine, l)
		case "postCode":
			err = a.text(dec, "/postCode", &a.PostCode, maxPostCode, l)
		case "city":
			err = a.text(dec, "/city", &a.City, maxCity, l)

		default:
			l.Add(
				"/"+strings.NewReplacer("~", "~0", "/", "~1").Replace(name),
				fault.UnknownField,
				"is not a field of this object. Names are compared exactly.",
			)
			err = dec.SkipValue()
		}

		if err != nil {
			return err
		}
	}

	_, err := dec.ReadToken()

	return err
}

func (a *Address) text(dec *jsontext.Decoder, at string, into *string, limit int, l *fault.List) error {
	kind := dec.PeekKind()

	raw, err := dec.ReadValue()
	if err != nil || kind == 'n' {
		return err
	}

	if kind != '"' {
		l.Add(at, fault.TypeMismatch, "must be a text.")
		return nil
	}

	var s string
	if err := json.Unmarshal(raw, &s); err != nil {
		return err
	}

	s = text.Clean(s)
	switch {
	case utf8.RuneCountInString(s) > limit:
		l.Add(at, fault.TooLong, "may have at most %d characters.", limit)
	case !text.OneLine(s):
		l.Add(at, fault.FormatInvalid, "holds characters that cannot be printed.")
	}

	*into = strings.TrimSpace(s)

	return nil
}
