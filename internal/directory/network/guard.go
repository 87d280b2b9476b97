package network

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"syscall"
	"time"

	"slipway/internal/core/fault"
	"slipway/internal/platform/remote"
)

// Guard keeps the service from being sent to addresses inside its own network (server-side request forgery). An
// address of a node is checked twice: by Check when it is stored, which resolves its name, and by Client each time it
// is called, on the IP that is really dialled, since a name may resolve to something else by then.
type Guard struct {
	AllowPrivate bool // a sandbox calls its own chain on loopback
	// Lookup resolves a name; nil: the system's resolver.
	Lookup func(ctx context.Context, host string) ([]netip.Addr, error)
}

var errGuarded = errors.New("the address is not one on the public internet")

// refused are ranges that are not the public internet, beyond what netip's own words say.
func refused() []netip.Prefix {
	texts := []string{
		"0.0.0.0/8",
		"100.64.0.0/10",
		"192.0.0.0/24",
		"192.0.2.0/24",
		"192.88.99.0/24",
		"198.18.0.0/15",
		"198.51.100.0/24",
		"203.0.113.0/24",
		"240.0.0.0/4",
		"168.63.129.16/32", // a cloud's host agent
		"::/96",
		"64:ff9b::/96",
		"64:ff9b:1::/48",
		"100::/64",
		"2001::/23",
		"2001:db8::/32",
		"2002::/16",
		"3fff::/20",
		"5f00::/16",
		"fec0::/10",
	}

	out := make([]netip.Prefix, len(texts))
	for i, s := range texts {
		out[i] = netip.MustParsePrefix(s)
	}

	return out
}

// Public reports whether an IP is on the public internet. Addresses that carry an IPv4 address inside (mapped, NAT64,
// 6to4, Teredo) are not: the one inside is where the packet would go.
func Public(ip netip.Addr) bool {
	if !ip.IsValid() || ip.Is4In6() || ip.Zone() != "" || !ip.IsGlobalUnicast() || ip.IsPrivate() || ip.IsLoopback() ||
		ip.IsLinkLocalUnicast() {
		return false
	}

	return !slices.ContainsFunc(refused(), func(p netip.Prefix) bool { return p.Contains(ip) })
}

// Check notes what is wrong with the address of a node or explorer. It asks the resolver, so it stays outside of
// database transactions.
func (g *Guard) Check(ctx context.Context, pointer, raw string, schemes []string, l *fault.List) {
	if raw == "" {
		return
	}

	u, err := url.Parse(raw)
	if err != nil || u.Host == "" || u.Hostname() == "" || u.Opaque != "" || len(raw) > 2000 {
		l.Add(pointer, fault.FormatInvalid, "is not the address of a server.")
		return
	}

	if g.AllowPrivate {
		schemes = append(slices.Clone(schemes), "http", "ws")
	}

	if !slices.Contains(schemes, u.Scheme) {
		l.Add(pointer, fault.FormatInvalid, "must begin with %s.", strings.Join(schemes, ":// or ")+"://")
		return
	}

	if u.User != nil || u.Fragment != "" {
		l.Add(pointer, fault.FormatInvalid, "must not hold a user name, password or fragment.")
		return
	}

	if p := u.Port(); p != "" && p != "443" && !g.AllowPrivate && len(p) < 4 {
		l.Add(pointer, fault.FormatInvalid, "must use port 443 or one from 1000 on.")
		return
	}

	if err := g.host(ctx, u.Hostname()); err != nil {
		l.Add(pointer, fault.NotAllowed, "does not lead to the public internet.")
	}
}

func (g *Guard) host(ctx context.Context, host string) error {
	if g.AllowPrivate {
		return nil
	}

	if ip, err := netip.ParseAddr(host); err == nil {
		return allowed(ip)
	}

	// A name of digits, hex or a single number is an IPv4 address to some resolvers (0x7f.1, 2130706433).
	last := host[strings.LastIndexByte(strings.TrimSuffix(host, "."), '.')+1:]
	if last == "" || last[0] >= '0' && last[0] <= '9' {
		return errGuarded
	}

	lookup := g.Lookup
	if lookup == nil {
		lookup = func(ctx context.Context, host string) ([]netip.Addr, error) {
			return net.DefaultResolver.LookupNetIP(ctx, "ip", host)
		}
	}

	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()

	ips, err := lookup(ctx, host)
	if err != nil || len(ips) == 0 {
		return errGuarded
	}

	for _, ip := range ips {
		if ip.Is4In6() {
			ip = ip.Unmap() // the system's resolver writes IPv4 answers so
		}

		if err := allowed(ip); err != nil {
			return err
		}
	}

	return nil
}

func allowed(ip netip.Addr) error {
	if !Public(ip) {
		return errGuarded
	}

	return nil
}

// Control is for net.Dialer: it refuses the connection when the IP that was resolved is not public.
func (g *Guard) Control(_, address string, _ syscall.RawConn) error {
	if g.AllowPrivate {
		return nil
	}

	ap, err := netip.ParseAddrPort(address)
	if err != nil {
		return errGuarded
	}

	return allowed(ap.Addr().Unmap())
}

// Client is for calls to nodes: every connection passes Control, and redirects are not followed.
func (g *Guard) Client(timeout time.Duration) *http.Client {
	over := func(d net.Dialer) *http.Transport {
		return &http.Transport{
			DialContext:         d.DialContext,
			MaxIdleConnsPerHost: 16,
			IdleConnTimeout:     90 * time.Second,
			TLSHandshakeTimeout: 10 * time.Second,
			ForceAttemptHTTP2:   true,
		}
	}

	return &http.Client{
		Timeout:       timeout,
		Transport:     remote.Guarded(g.Control, net.Dialer{Timeout: 10 * time.Second}, over),
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}
