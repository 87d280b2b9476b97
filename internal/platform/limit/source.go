package limit

import "net/netip"

// SourceKey returns the part of an address that limits count by: an IPv4 address, or the /64 that one holder of IPv6
// addresses has.
func SourceKey(source string) string {
	addr, err := netip.ParseAddr(source)
	if err != nil {
		return source
	}

	addr = addr.Unmap()
	if addr.Is4() {
		return addr.String()
	}

	p, err := addr.WithZone("").Prefix(64)
	if err != nil {
		return source
	}

	return p.String()
}
