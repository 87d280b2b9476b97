// Package ebics speaks EBICS with a bank: version 3.0 (H005, orders by BTF), and 2.5 (H004, orders by three letters)
// for banks that are late.
//
// What it promises:
//
//   - Answers are not trusted. The bank's signature (X002) is verified on every answer within a transaction, and what an
//     answer says is read only from signed elements at their places. Sizes, depth and segment numbers are bounded.
//   - An upload is a sequence of steps that the caller drives. Each step sends stored bytes, so that it can be repeated.
//   - A download is acknowledged only after the caller has stored it.
//
// What it does not promise:
//
//   - EBICS signs no downloaded data: the bank's signature covers the key that the data is encrypted with, not the data.
//     TLS protects them on the way.
//   - An answer carries no trace of the nonce of its request. Only the transaction id ties it to what was asked.
//   - Answers to INI, HIA, HPB and HEV are unsigned by the protocol. People compare the bank's keys with its letter.
//
// Chapters (ch.) are those of the specification of EBICS 3.0.2 and, where marked, of 2.5. Read in this order:
//
//  1. The channel of payment files, which promises that each arrives once: channel.go, handover.go, state.go.
//  2. The contract and its keys: contract.go, letter.go, store.go.
//  3. The protocol, which knows no database: ebics.go, client.go, initial.go, upload.go, download.go, permission.go,
//     protocol.go, envelope.go, answer.go, code.go, order.go, keys.go, crypt.go, xml.go.
package ebics

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// Version is a version of the protocol, by the name of its schema.
type Version string

// The versions that this package speaks.
const (
	H005 Version = "H005" // EBICS 3.0
	H004 Version = "H004" // EBICS 2.5
)

// String returns the name that people use.
func (v Version) String() string {
	switch v {
	case H005:
		return "EBICS 3.0 (H005)"
	case H004:
		return "EBICS 2.5 (H004)"
	}

	return string(v)
}

// namespace is the namespace of its envelopes.
func (v Version) namespace() string { return "urn:org:ebics:" + string(v) }

// signatureNamespace is the namespace of electronic signatures (ch. 14).
func (v Version) signatureNamespace() string {
	if v == H004 {
		return "http://www.ebics.org/S001"
	}

	return "http://www.ebics.org/S002"
}

// Subscriber names the contract with a bank: whom we address, which customer we are, and which of its users signs.
type Subscriber struct {
	Host    string // HostID
	Partner string // PartnerID
	User    string // UserID
}

// nameForm is the form of PartnerID and UserID (ebics_types: PartnerIDType, UserIDType).
var nameForm = regexp.MustCompile(`^[a-zA-Z0-9,=]{1,35}$`)

// longestHost is the limit of a HostID (ebics_types: HostIDType).
const longestHost = 35

// Check returns everything that is wrong with the identifiers.
func (s Subscriber) Check() error {
	var problems []error

	if s.Host == "" || len(s.Host) > longestHost || strings.ContainsAny(s.Host, " \t\r\n<>&\"") {
		problems = append(problems, fmt.Errorf("host id %q: must be 1 to %d characters without blanks", s.Host,
			longestHost))
	}

	if !nameForm.MatchString(s.Partner) {
		problems = append(problems, fmt.Errorf("partner id %q: must be 1 to 35 letters, digits, = or ,", s.Partner))
	}

	if !nameForm.MatchString(s.User) {
		problems = append(problems, fmt.Errorf("user id %q: must be 1 to 35 letters, digits, = or ,", s.User))
	}

	return errors.Join(problems...)
}

// Errors that callers compare with errors.Is.
var (
	// ErrUnproven means that an answer does not carry the bank's valid signature, or is not an answer to what was sent.
	// Nothing in it is used.
	ErrUnproven = errors.New("the answer is not proven to be the bank's")
	// ErrNoData means that the bank has nothing to fetch (090005).
	ErrNoData = errors.New("the bank has no data for this order")
)
