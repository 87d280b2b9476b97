package passkey

import (
	"encoding/base64"
	stdjson "encoding/json" // whose tags the library's types carry
	"errors"

	"github.com/danielgtaylor/huma/v2"
	"github.com/go-json-experiment/json/jsontext"
)

// Options is what a browser's navigator.credentials gets, in JSON: PublicKeyCredentialCreationOptionsJSON or
// PublicKeyCredentialRequestOptionsJSON of the standard. PublicKeyCredential.parse…OptionsFromJSON reads it.
type Options string

// MarshalJSONTo writes the object.
func (o Options) MarshalJSONTo(enc *jsontext.Encoder) error { return enc.WriteValue(jsontext.Value(o)) }

// AppendJSON appends the object. There are no options without one.
func (o Options) AppendJSON(dst []byte) ([]byte, error) {
	if o == "" {
		return nil, errors.New("no options")
	}

	return append(dst, o...), nil
}

// Schema returns the schema of an object whose fields the standard describes.
func (Options) Schema(huma.Registry) *huma.Schema { return openObject() }

func newOptions(v any) (Options, error) {
	text, err := stdjson.Marshal(v)
	return Options(text), err
}

// Answer is what a browser's navigator.credentials returned, as its method toJSON writes it: RegistrationResponseJSON
// or AuthenticationResponseJSON of the standard.
type Answer string

var errNoObject = errors.New("the credential is not an object")

// JSONKind returns the expected form, for refusals.
func (Answer) JSONKind() string { return "the credential as its method toJSON returns it" }

// UnmarshalJSON keeps an object as it is. Whether it is an answer shows when it is checked: browsers add members.
func (a *Answer) UnmarshalJSON(raw []byte) error {
	if raw[0] != '{' {
		return errNoObject
	}

	*a = Answer(raw)

	return nil
}

// Schema returns the schema of an object whose fields the standard describes.
func (Answer) Schema(huma.Registry) *huma.Schema { return openObject() }

func openObject() *huma.Schema {
	return &huma.Schema{Type: huma.TypeObject, AdditionalProperties: true}
}

func toBase64(b []byte) string { return base64.RawURLEncoding.EncodeToString(b) }

// fromBase64 returns the bytes of what toBase64 made.
func fromBase64(s string) []byte {
	b, _ := base64.RawURLEncoding.DecodeString(s) // toBase64 made it; of other texts no key matches
	return b
}
