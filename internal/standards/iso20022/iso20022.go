// Package iso20022 contains what all readers of bank messages share: the pull scanner for their XML, its errors, exact
// decimals, and the reasons that banks state. The messages themselves are in pain (orders and their status), camt
// (statements) and pacs (returns).
//
// A file comes from outside and may be hostile or damaged. The package promises one pass, memory that does not grow
// with the file, no DTD and no custom entities, and an error with code, byte offset and line at the first fault. What a
// reader has passed on before an error is void: callers read a file twice or undo everything.
//
// Read in this order:
//
//   - What readers are given: iso20022.go (limits, errors, amounts), message.go (which message a file is), words.go
//     (the values of elements), dates.go, decimal.go (exact sums), reason.go (why banks refuse and return).
//   - The scanner: scanner.go, tags.go, once.go (what may stand twice), markup.go (comments, entities, blanks).
//   - Characters: encoding.go, charset.go (encodings with one byte for each, and files that name the wrong one).
package iso20022

import (
	"fmt"
	"strconv"
)

// Limits are the limits of a reader. The zero value means the defaults.
type Limits struct {
	Bytes    int64 // of the complete file; default 256 MiB
	Token    int   // bytes of one tag or one value; default 64 KiB
	Depth    int   // of nested elements; default 64
	Gap      int64 // bytes without a record; default 8 MiB
	Details  int   // transactions in one entry; default 10,000
	Kept     int64 // bytes of text in one entry with its transactions; default 16 MiB
	Statuses int   // statuses in one report; default 50,000

	// NoNamespace also accepts a message without a namespace. Some banks send such files; enable it only for their
	// channel.
	NoNamespace bool
}

// Defaults of Limits. A statement of 100,000 entries has about 100 MB.
const (
	defaultBytes    = 256 << 20
	defaultToken    = 64 << 10
	defaultDepth    = 64
	defaultGap      = 8 << 20
	defaultDetails  = 10_000
	defaultKept     = 16 << 20
	defaultStatuses = 50_000
)

// WithDefaults replaces zero values.
func (l Limits) WithDefaults() Limits {
	if l.Bytes <= 0 {
		l.Bytes = defaultBytes
	}

	if l.Token <= 0 {
		l.Token = defaultToken
	}

	if l.Depth <= 0 {
		l.Depth = defaultDepth
	}

	if l.Gap <= 0 {
		l.Gap = defaultGap
	}

	if l.Details <= 0 {
		l.Details = defaultDetails
	}

	if l.Kept <= 0 {
		l.Kept = defaultKept
	}

	if l.Statuses <= 0 {
		l.Statuses = defaultStatuses
	}

	return l
}

// Code is why a file is refused. Codes are stable.
type Code string

const (
	CodeRead        Code = "READ_FAILED"          // the source failed: the file may be good, retry
	CodeEmpty       Code = "EMPTY"                // empty, or only white space
	CodeCompressed  Code = "COMPRESSED"           // gzip, zip and the like are not unpacked here
	CodeEncoding    Code = "ENCODING_UNSUPPORTED" // not supported, or different from the declared one
	CodeSyntax      Code = "XML_SYNTAX"
	CodeDTD         Code = "DTD_FORBIDDEN"
	CodeEntity      Code = "ENTITY_UNKNOWN"
	CodeTruncated   Code = "TRUNCATED"
	CodeTrailing    Code = "TRAILING_CONTENT"
	CodeTooLong     Code = "TOKEN_TOO_LONG"
	CodeTooDeep     Code = "TOO_DEEP"
	CodeTooLarge    Code = "FILE_TOO_LARGE"
	CodeNoRecord    Code = "TOO_LONG_WITHOUT_RECORD"
	CodeTooMany     Code = "TOO_MANY_DETAILS"
	CodeEntrySize   Code = "ENTRY_TOO_LARGE"
	CodeNamespace   Code = "NAMESPACE_FOREIGN"
	CodeNoNamespace Code = "NAMESPACE_MISSING"
	CodeMessage     Code = "MESSAGE_UNSUPPORTED" // another message, or an unsupported version
	CodeStructure   Code = "STRUCTURE"           // an element is missing, repeated or misplaced
	CodeValue       Code = "VALUE"               // an invalid amount, date or code
)

// Error means that a file is refused. Offset counts the file's bytes from 0, Line from 1; Path names the open elements.
type Error struct {
	Code   Code
	Offset int64
	Line   int
	Path   string
	Detail string
	Cause  error // for CodeRead
}

// Error returns place and reason. Of the file's content it contains only names of elements.
func (e *Error) Error() string {
	s := "line " + strconv.Itoa(e.Line) + ", byte " + strconv.FormatInt(e.Offset, 10)
	if e.Path != "" {
		s += ", in " + e.Path
	}

	return fmt.Sprintf("%s: %s (%s)", s, e.Detail, e.Code)
}

// Unwrap returns the source's own error.
func (e *Error) Unwrap() error { return e.Cause }

// Amount is a number as banks write it, with its currency. Value has digits and at most one dot, no sign, no exponent
// and no leading zeros; trailing zeros are kept. It may have more decimals than the currency: whoever counts in minor
// units decides.
type Amount struct {
	Value    string
	Currency string
}

// Empty reports whether there was no amount.
func (a Amount) Empty() bool { return a.Value == "" }

// Reason is why money was returned or not paid, in the words of the interface. The bank's own code is kept beside it.
type Reason string

const (
	ReasonAccountClosed  Reason = "ACCOUNT_CLOSED"
	ReasonAccountUnknown Reason = "ACCOUNT_UNKNOWN"
	ReasonAccountBlocked Reason = "ACCOUNT_BLOCKED"
	ReasonNameMismatch   Reason = "NAME_MISMATCH"
	ReasonRefused        Reason = "REFUSED_BY_BENEFICIARY"
	ReasonRegulatory     Reason = "REGULATORY"
	ReasonDuplicate      Reason = "DUPLICATE"
	ReasonFraud          Reason = "FRAUD"
	ReasonTechnical      Reason = "TECHNICAL"
	ReasonNotSpecified   Reason = "NOT_SPECIFIED"
)

// ReasonGiven is one reason in a message: the normalised word, the code as received, and the free text.
type ReasonGiven struct {
	Reason      Reason
	Code        string // external code, or the bank's own
	Proprietary bool   // the code is the bank's own
	Info        string // free text, lines joined with a space
}
