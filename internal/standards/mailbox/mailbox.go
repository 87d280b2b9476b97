// Package mailbox reads mail addresses (RFC 5321, 4.1.2) in the one form in which they are stored and sent to: a local
// part in ASCII, and a domain in its ASCII form (IDNA, RFC 5891).
//
// It promises that an address that Parse returns can stand in every header and envelope, and that two ways to write one
// domain are one address. It does not promise that the mailbox exists. Local parts in other alphabets (RFC 6531) are
// refused, since many servers on the way refuse them; and so are quoted local parts and address literals, which nobody
// has for invoices.
package mailbox

import (
	"errors"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/idna"

	"slipway/internal/core/text"
	"slipway/internal/standards/lookalike"
)

// Limits of an address in bytes (RFC 5321, 4.5.3.1, less the angle brackets).
const (
	MaxLength = 254
	maxLocal  = 64
)

// Reasons why a text is no mail address.
var (
	ErrForm  = errors.New("must be an e-mail address such as name@example.com")
	ErrLocal = errors.New("may have only letters a to z, digits and signs of ASCII before the @")
	ErrHost  = errors.New("must name a mail domain behind the @, such as example.com or müller.example")
)

// hosts converts the domains that people write (UTS 46, as for looking up, which is strict), and refuses those that no
// host can have.
var hosts = idna.New(
	idna.MapForLookup(),
	idna.BidiRule(),
	idna.VerifyDNSLength(true),
)

// Parse returns an address in the form in which it is stored. White space around it, and what cannot be seen, is
// ignored. A domain in ASCII keeps its letter case. The error is a sentence about what an address must have.
func Parse(s string) (string, error) {
	s = text.Trim(s)

	local, domain, found := cutLast(s)
	switch {
	case !found || local == "" || len(local) > maxLocal || len(s) > 2*MaxLength:
		return "", ErrForm
	case !dotAtom(local):
		return "", ErrLocal
	}

	host, err := hosts.ToASCII(domain)
	if err != nil || !named(host) {
		return "", ErrHost
	}

	if isASCII(domain) { // it was checked, and stays as it was written
		host = domain
	}

	if len(local)+len("@")+len(host) > MaxLength {
		return "", ErrForm
	}

	return local + "@" + host, nil
}

// Normal returns an address as Parse does, and a text that is none as it is, but for white space around it: where
// something else refuses it.
func Normal(s string) string {
	if a, err := Parse(s); err == nil {
		return a
	}

	return text.Trim(s)
}

// Key returns an address in the form in which addresses are compared: as Parse returns it, in lower case. The local
// part has no letter case either, since no provider of today tells Bob from bob.
func Key(s string) string { return strings.ToLower(Normal(s)) }

// Show returns a stored address as people read it: with its domain in their alphabet, except where letters of another
// one pretend to be Latin. Parse returns the stored address again.
func Show(address string) string {
	local, domain, found := cutLast(address)
	if !found || !strings.Contains(strings.ToLower(domain), "xn--") {
		return address
	}

	shown, err := hosts.ToUnicode(domain)
	if err != nil {
		return address
	}

	for label := range strings.SplitSeq(shown, ".") {
		if lookalike.MixedWord(label) != "" || pretends(label) {
			return address
		}
	}

	return local + "@" + shown
}

// pretends reports whether a label in another alphabet is read as a word in Latin letters: each of its letters looks
// like one (UTS 39: a whole-script confusable).
func pretends(label string) bool {
	foreign := false

	for _, r := range label {
		if !unicode.IsLetter(r) {
			continue
		}

		if _, like := lookalike.Latin(r); !like || unicode.Is(unicode.Latin, r) {
			return false
		}

		foreign = true
	}

	return foreign
}

func cutLast(s string) (local, domain string, found bool) {
	at := strings.LastIndexByte(s, '@')
	if at < 0 {
		return "", "", false
	}

	return s[:at], s[at+1:], true
}

// dotAtom reports whether a local part has the plain form of RFC 5322, 3.2.3: atoms between points.
func dotAtom(local string) bool {
	for atom := range strings.SplitSeq(local, ".") {
		if atom == "" {
			return false
		}

		for i := range len(atom) {
			if c := atom[i]; !letterOrDigit(c) && !strings.ContainsRune("!#$%&'*+-/=?^_`{|}~", rune(c)) {
				return false
			}
		}
	}

	return true
}

// named reports whether a host in ASCII is a name with a top-level domain, which is never a number (RFC 3696, 2).
func named(host string) bool {
	at := strings.LastIndexByte(host, '.')

	return at > 0 && at+1 < len(host) && strings.Trim(host[at+1:], "0123456789") != ""
}

func letterOrDigit(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

func isASCII(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r >= utf8.RuneSelf })
}
