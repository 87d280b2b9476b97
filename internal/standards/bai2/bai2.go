// Package bai2 reads balance reports in the BAI2 format, which banks in North America send instead of camt.053 and
// camt.052. It passes the same structures to the same kind of handler: the code that books statements need not know the
// format.
//
// A file comes from outside and may be hostile or damaged. The package promises one pass, memory that does not grow
// with the file, and an error with code, byte offset, line and record at the first fault. Control totals and counts of
// records must hold at each of the three levels. What was passed to the handler counts only if Read returns nil.
//
// The format has no sign on an entry: its type code says which way the money went, and a code that says neither refuses
// the file. A report of a day that is over is a statement, whose entries are booked; one of the present day is not.
//
// Read in this order: bai2.go, record.go (lines and fields), report.go (what they say).
//
// Source: Cash Management Balance Reporting Specifications, Version 2 (BAI, 2005).
package bai2

import (
	"bytes"
	"io"
	"regexp"

	"slipway/internal/standards/iso20022"
	"slipway/internal/standards/iso20022/camt"
)

// Format is the value of Header.Format.
const Format = "BAI2"

// beginning matches a file header.
var beginning = regexp.MustCompile(`^01,[^,\r\n]*,[^,\r\n]*,[0-9/]{6,10},`)

// Looks reports whether the first bytes of a file are those of a BAI2 file.
func Looks(head []byte) bool {
	return beginning.Match(bytes.TrimLeft(bytes.TrimPrefix(head, []byte(byteOrderMark)), " \t\r\n"))
}

// Read reads a file to its end. Each account of each group is a separate statement. The error is *iso20022.Error, or
// the Handler's own.
func Read(r io.Reader, l iso20022.Limits, h camt.Handler) error {
	p := &reader{s: newScanner(r, l), h: h}
	for p.err == nil {
		rec, ok := p.s.next()
		if !ok {
			break
		}

		p.take(rec)
	}

	if p.err != nil {
		return p.err
	}

	if p.s.err == nil && (p.level != outside || p.files == 0) {
		p.s.fail(record{}, iso20022.CodeTruncated, "the file ends before its trailer (99)")
	}

	return p.s.error()
}
