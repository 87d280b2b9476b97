package webhook

import (
	"errors"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"syscall"

	"code.dny.dev/ssrf"
)

// Guard decides which addresses a customer may name.
type Guard struct {
	// AllowPrivate admits http, every port, loopback and private networks: for a developer's own machine.
	AllowPrivate bool
}

// ports are those that may be connected to on public addresses.
var ports = []uint16{443, 8443}

// RefusedError is the error of a connection that the guard did not make.
type RefusedError struct{ cause error }

// Error returns why.
func (e *RefusedError) Error() string {
	return "the address may not be connected to: " + e.cause.Error()
}

// Unwrap returns what was wrong with the address.
func (e *RefusedError) Unwrap() error { return e.cause }

// Control returns what is called for each address directly before it is connected to; nil admits all. By then names are
// resolved and notations are numbers, so there is nothing left to disguise.
func (g Guard) Control() func(network, address string, c syscall.RawConn) error {
	if g.AllowPrivate {
		return nil
	}

	public := ssrf.New(ssrf.WithPorts(ports...))

	return func(network, address string, c syscall.RawConn) error {
		if err := public.Safe(network, address, c); err != nil {
			return &RefusedError{err}
		}

		return nil
	}
}

// What CheckURL finds.
var (
	ErrNotHTTPS  = errors.New("must begin with https://")
	ErrNotPlain  = errors.New("must have a host, and neither a name and password nor a fragment")
	ErrPort      = errors.New("must have port 443 or 8443, or none")
	ErrNotPublic = errors.New("must name a host of the public internet")
)

// CheckURL returns what is wrong with an address as it is written. What it admits is judged again at each connection,
// where the name has become an address.
func (g Guard) CheckURL(address string) error {
	u, err := url.Parse(address)

	switch {
	case err != nil || u.Opaque != "":
		return ErrNotPlain
	case u.Scheme != "https" && (u.Scheme != "http" || !g.AllowPrivate):
		return ErrNotHTTPS
	case u.Hostname() == "" || u.User != nil || u.Fragment != "" || strings.Contains(u.Hostname(), "%"):
		return ErrNotPlain
	case g.AllowPrivate:
		return nil
	}

	if p := u.Port(); p != "" {
		n, err := strconv.ParseUint(p, 10, 16)
		if err != nil || (uint16(n) != ports[0] && uint16(n) != ports[1]) {
			return ErrPort
		}
	}

	return checkHost(strings.TrimSuffix(strings.ToLower(u.Hostname()), "."))
}

// checkHost refuses addresses that are not public, and hosts that other programs than ours would read as a number: a
// last label of digits, or of 0x and hexadecimal digits, makes a host an IPv4 address (WHATWG URL, 3.5).
func checkHost(host string) error {
	if ip, err := netip.ParseAddr(host); err == nil {
		if ssrf.New(ssrf.WithAnyPort()).SafeAddr(ip) != nil {
			return ErrNotPublic
		}

		return nil
	}

	last := host[strings.LastIndexByte(host, '.')+1:]
	_, err := strconv.ParseUint(last, 0, 64)
	digits := strings.Trim(last, "0123456789") == ""

	if err == nil || digits || strings.HasPrefix(last, "0x") {
		return ErrNotPublic
	}

	if host == "localhost" || !strings.Contains(host, ".") || strings.HasSuffix(host, ".localhost") ||
		strings.HasSuffix(host, ".internal") || strings.HasSuffix(host, ".local") {
		return ErrNotPublic
	}

	return nil
}
