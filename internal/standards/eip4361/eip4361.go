// Package eip4361 writes the text that a wallet shows and signs to prove itself (Sign-In with Ethereum, ERC-4361).
//
// The text is exact, in the order, spelling and line breaks of the standard's grammar, with one deviation that follows
// what wallets do: a statement may contain any printable ASCII.
package eip4361

import (
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"slipway/internal/standards/eip55"
)

const minNonce = 8

// Message is the content. Times stay as written (RFC 3339), so that the text can be reproduced exactly.
type Message struct {
	Scheme         string // of the origin; empty: omitted
	Domain         string // RFC 3986 authority that requests the signature
	Address        string // EIP-55
	Statement      string // one line for the person who signs; empty: none
	URI            string // what the signature is for
	ChainID        uint64
	Nonce          string // at least 8 letters and digits
	IssuedAt       string
	ExpirationTime string // empty: none
	NotBefore      string // empty: none
	RequestID      *string
	Resources      []string // nil: no list
}

// Time formats a time as messages contain it: UTC with milliseconds.
func Time(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }

// String returns the text to sign. It does not validate; Check does.
func (m Message) String() string {
	var b strings.Builder
	if m.Scheme != "" {
		b.WriteString(m.Scheme + "://")
	}

	b.WriteString(m.Domain + " wants you to sign in with your Ethereum account:\n" + m.Address + "\n\n")

	if m.Statement != "" {
		b.WriteString(m.Statement + "\n")
	}

	fmt.Fprintf(
		&b,
		"\nURI: %s\nVersion: 1\nChain ID: %d\nNonce: %s\nIssued At: %s",
		m.URI,
		m.ChainID,
		m.Nonce,
		m.IssuedAt,
	)

	if m.ExpirationTime != "" {
		b.WriteString("\nExpiration Time: " + m.ExpirationTime)
	}

	if m.NotBefore != "" {
		b.WriteString("\nNot Before: " + m.NotBefore)
	}

	if m.RequestID != nil {
		b.WriteString("\nRequest ID: " + *m.RequestID)
	}

	if m.Resources != nil {
		b.WriteString("\nResources:")

		for _, r := range m.Resources {
			b.WriteString("\n- " + r)
		}
	}

	return b.String()
}

// Check returns what is wrong with the content, so that everyone can parse the text that String returns.
func (m Message) Check() error {
	a, err := eip55.Parse(m.Address)
	switch {
	case m.Scheme != "" && !scheme(m.Scheme):
		return errors.New("the scheme is not one of RFC 3986")
	case !authority(m.Domain):
		return errors.New("the domain is not an authority of RFC 3986")
	case err != nil:
		return err
	case a.Hex() != m.Address:
		return errors.New("the address is not written with its checksum (EIP-55)")
	case !Printable(m.Statement):
		return errors.New("the statement is not printable ASCII on one line")
	case !uri(m.URI):
		return errors.New("the URI is not one of RFC 3986")
	case len(m.Nonce) < minNonce || !all(m.Nonce, alnum):
		return errors.New("the nonce is not at least 8 letters and digits")

	case !dateTime(m.IssuedAt),
		m.ExpirationTime != "" && !dateTime(m.ExpirationTime),
		m.NotBefore != "" && !dateTime(m.NotBefore):
		return errors.New("a time is not a date-time of RFC 3339")

	case m.RequestID != nil && !pchars(*m.RequestID):
		return errors.New("the request id has characters that RFC 3986 does not allow in a path segment")
	}

	for _, r := range m.Resources {
		if !uri(r) {
			return errors.New("a resource is not a URI of RFC 3986")
		}
	}

	return nil
}

// Printable reports whether s is ASCII without control characters, which also means one line.
func Printable(s string) bool {
	return all(s, func(c byte) bool { return c >= 0x20 && c <= 0x7e })
}

func all(s string, ok func(byte) bool) bool {
	for i := range len(s) {
		if !ok(s[i]) {
			return false
		}
	}

	return true
}

func alnum(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

func scheme(s string) bool {
	return all(s, func(c byte) bool { return alnum(c) || c == '+' || c == '-' || c == '.' }) && (s[0] > '9')
}

// authority reports whether s is [userinfo@]host[:port], without anything that would end it.
func authority(s string) bool {
	if s == "" || strings.ContainsAny(s, "/?# \\") || !Printable(s) {
		return false
	}

	u, err := url.Parse("https://" + s)

	return err == nil && u.Host != "" && u.Hostname() != ""
}

func uri(s string) bool {
	if s == "" || strings.ContainsAny(s, " \"<>\\^`{|}") || !Printable(s) {
		return false
	}

	u, err := url.Parse(s)

	return err == nil && u.Scheme != ""
}

func dateTime(s string) bool {
	_, err := time.Parse(time.RFC3339, s)
	return err == nil && !strings.Contains(s, ",")
}

func pchars(s string) bool {
	return all(s, func(c byte) bool { return alnum(c) || strings.IndexByte("-._~!$&'()*+,;=:@%", c) >= 0 })
}
