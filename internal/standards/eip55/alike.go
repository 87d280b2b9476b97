package eip55

import "strings"

// The digits of an address at which people look: what wallets show of it, such as 0x1234…abcd, and a little less.
const (
	firstShown = len("0x") + 3
	lastShown  = 4
)

// Outline returns the part of a written address at which people look, in lower case. Addresses are made on purpose
// that have the outline of another one (address poisoning): that takes minutes, and seven digits fall together by
// chance once in 268 million.
func Outline(address string) string {
	if len(address) < firstShown+lastShown {
		return ""
	}

	return strings.ToLower(address[:firstShown] + address[len(address)-lastShown:])
}

// Alike reports whether people may take one written address for the other: they have one outline and are not the same.
func Alike(a, b string) bool {
	return Outline(a) != "" && Outline(a) == Outline(b) && !strings.EqualFold(a, b)
}
