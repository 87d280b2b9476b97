package eip55

import "strings"

// The digits of an address that people compare: those that wallets show, such as 0x1234…abcd, and a few less.
const (
	firstShown = len("0x") + 3
	lastShown  = 4
)

// Outline returns the part of an address that people compare, in lower case. Attackers generate addresses with the
// outline of another one (address poisoning): that takes minutes. Seven digits match by chance once in 268 million.
func Outline(address string) string {
	if len(address) < firstShown+lastShown {
		return ""
	}

	return strings.ToLower(address[:firstShown] + address[len(address)-lastShown:])
}

// Similar reports whether people may confuse two addresses: they have the same outline but differ.
func Similar(a, b string) bool {
	return Outline(a) != "" && Outline(a) == Outline(b) && !strings.EqualFold(a, b)
}
