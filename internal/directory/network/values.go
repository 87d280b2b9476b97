package network

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"slipway/internal/core/fault"
	"slipway/internal/standards/eip55"
)

// maxContracts bounds the contracts of a network.
const maxContracts = 16

// Contracts are ours on a network, by name; "router" is the one wallets approve. Addresses are EIP-55.
type Contracts map[string]string

// JSONKind describes the JSON values that are accepted.
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

		name := tok.String()
		kind := dec.PeekKind()

		raw, err := dec.ReadValue()
		if err != nil {
			return err
		}

		text := ""
		if kind == '"' {
			text = strings.Trim(string(raw), `"`)
		}

		a, err := eip55.Read(text)
		switch {
		case !contractName(name) || len(*c) >= maxContracts:
			l.Add(
				"/"+strings.NewReplacer("~", "~0", "/", "~1").Replace(name),
				fault.UnknownField,
				"is not a name for a contract: 1 to 40 letters and digits, 16 contracts at most.",
			)

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
