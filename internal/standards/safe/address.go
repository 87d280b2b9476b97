package safe

import (
	"strings"
)

// CutPrefix parts an address with a chain's short name (EIP-3770), such as eth:0x…, from that name; prefix is "" where
// there is none.
func CutPrefix(address string) (prefix, plain string) {
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
