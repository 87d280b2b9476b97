package safe

import (
	"strings"

	"slipway/internal/core/text"
)

// CutPrefix parts an address with a chain's short name (EIP-3770), such as eth:0x…, from that name; prefix is "" where
// there is none. What comes along when an address is copied is left out (text.Unspaced).
func CutPrefix(address string) (prefix, plain string) {
	address = text.Unspaced(address)
	if before, after, ok := strings.Cut(address, ":"); ok {
		return before, after
	}

	return "", address
}

// WithPrefix writes an address with a chain's short name; without one it is the address alone.
func WithPrefix(prefix, address string) string {
	if prefix == "" {
		return address
	}

	return prefix + ":" + address
}
