// Package swiftmt reads MT940 (end of day) and MT942 (during the day), which many banks send instead of camt.053 and
// camt.052. It passes the same structures to the same kind of handler: the code that books statements need not know the
// format.
//
// A file comes from outside and may be hostile or damaged. The package promises one pass, memory that does not grow
// with the file, and an error with code, byte offset, line and field at the first fault. Fields must be in their order,
// and none may be repeated unless allowed. What was passed to the handler counts only if Read returns nil.
//
// The format contains less than camt. It has no status: every entry of an MT940 is booked. It has no field for the
// payer, the end-to-end identification or the reason of a return. They are taken from the text (:86:) if the bank
// writes them in one of the two forms that banks have agreed on, and omitted if that text may be the payer's own.
//
// Read in this order: swiftmt.go (Read), scan.go (fields and characters), message.go (the order of fields), line.go
// (:61:), text.go (:86:).
package swiftmt

import (
	"bytes"
	"io"
	"regexp"

	"slipway/internal/standards/iso20022"
	"slipway/internal/standards/iso20022/camt"
)

// The values of Header.Format.
const (
	MT940 = "MT940"
	MT942 = "MT942"
)

// beginning matches the first line of such a file: a block of SWIFT's envelope, or a first field.
var beginning = regexp.MustCompile(`^(\{1:[A-Z]|:20:|:94[02]:|94[02]( [0-9]{2})?[ \t]*\r?\n)`)

// Looks reports whether the first bytes of a file are those of an MT940 or MT942, which Read accepts.
func Looks(head []byte) bool {
	head = bytes.TrimLeft(bytes.TrimPrefix(head, []byte(byteOrderMark)), "\x01 \t\r\n")
	for range maxHeaderLines {
		if len(head) == 0 || head[0] == '<' {
			return false
		}

		if beginning.Match(head) {
			return true
		}

		line, rest, found := bytes.Cut(head, []byte("\n"))
		if line = bytes.TrimSpace(line); !found || !headForms.Match(line) && !blocksBefore.Match(line) {
			return false
		}

		head = bytes.TrimLeft(rest, " \t\r\n")
	}

	return false
}

// maxHeaderLines limits the lines that some banks write before the first field: their BIC, 940, their BIC again.
const maxHeaderLines = 4

// Charset returns the encoding of the statements of an account, whose names are those of iso20022.Charset; empty: the
// bank writes UTF-8, or windows-1252.
type Charset func(account camt.Account) string

// Read reads a file with any number of messages to its end. Each message is a separate statement. charset may be nil.
// The error is *iso20022.Error, or the Handler's own.
func Read(r io.Reader, l iso20022.Limits, charset Charset, h camt.Handler) error {
	p := &reader{s: newScanner(r, l), h: h, charset: charset}
	for p.err == nil {
		f, ok := p.s.next()
		if !ok {
			break
		}

		p.take(f)
	}

	if p.err != nil {
		return p.err
	}

	if p.s.err == nil && p.m.rank > 0 {
		p.finish(field{}, iso20022.CodeTruncated)
	}

	if p.err == nil && p.s.err == nil && p.number == 0 {
		p.s.fail(field{}, iso20022.CodeStructure, "a file without a message")
	}

	if p.s.err != nil {
		return p.s.err
	}

	return p.err
}
