package network

import (
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/go-json-experiment/json/jsontext"

	"slipway/internal/core/fault"
	"slipway/internal/standards/eip55"
)

// maxContracts bounds the contracts of a network.
const maxContracts = 16

// Contracts are ours on a network, by name; "router" is the one wallets approve. Addresses are EIP-55.
type Contracts map[string]string

// JSONKind says what belongs there.
func (*Contracts) JSONKind() string { return "an object of contract names and addresses" }

// UnmarshalJSONFrom reads and checks names and addresses; the addresses are stored with their checksum.
func (c *Contracts) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	var l fault.List
	if dec.PeekKind() == 'n' {
		return dec.SkipValue()
	}
	if dec.PeekKind() != '{' {
		if err := dec.SkipValue(); err != nil {
			return err
		}
		l.Add("", fault.TypeMismatch, "must be %s.", c.JSONKind())
		return l.Err()
	}
	if _, err := dec.ReadToken(); err != nil {
		return err
	}
	*c = Contracts{}
	for dec.PeekKind() != '}' {
		tok, err := dec.ReadToken()
		if err != nil {
			return err
		}
		name, kind := tok.String(), dec.PeekKind()
		raw, err := dec.ReadValue()
		if err != nil {
			return err
		}
		text := ""
		if kind == '"' {
			text = strings.Trim(string(raw), `"`)
		}
		a, err := eip55.Parse(text)
		switch {
		case !contractName(name) || len(*c) >= maxContracts:
			l.Add("/"+strings.NewReplacer("~", "~0", "/", "~1").Replace(name), fault.UnknownField, "is not a name for a contract: 1 to 40 letters and digits, 16 contracts at most.")
		case err != nil:
			l.Add("/"+name, fault.AddressInvalid, "is not an address with a right checksum.")
		default:
			(*c)[name] = a.Hex()
		}
	}
	if _, err := dec.ReadToken(); err != nil {
		return err
	}
	return l.Err()
}

func contractName(s string) bool {
	for i := range len(s) {
		c := s[i]
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || i > 0 && c >= '0' && c <= '9') {
			return false
		}
	}
	return s != "" && len(s) <= 40
}

// Number is a JSON number that is kept as it was written: amounts are never floats.
type Number string

// JSONKind says what belongs there.
func (Number) JSONKind() string { return "a number of at most 18 digits, not negative" }

// Schema describes it in the OpenAPI document.
func (Number) Schema(huma.Registry) *huma.Schema {
	zero := 0.0
	return &huma.Schema{Type: huma.TypeNumber, Minimum: &zero}
}

// UnmarshalJSONFrom takes plain numbers: no sign, no exponent.
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

// MarshalJSONTo writes it as it was read; nothing is 0.
func (n Number) MarshalJSONTo(enc *jsontext.Encoder) error {
	if n == "" {
		n = "0"
	}
	return enc.WriteValue(jsontext.Value(n))
}
