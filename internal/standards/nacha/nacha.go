// Package nacha writes and reads the files in which banks of the United States exchange ACH entries: credits to
// accounts, and what comes back of them.
//
// What it writes follows from what it is given: the same File gives the same bytes. If anything is wrong, nothing is
// written and every fault is returned at once. Totals, hashes, block counts and service classes are computed here, and
// nobody can give them.
//
// What it reads comes from outside and may be hostile or damaged: one pass, memory that does not grow with the file, an
// error with line, byte and record at the first fault. Every total must hold. What was passed to the caller counts only
// if Read returns nil.
//
// It does not promise that a bank takes a file: which entry classes, which identifications and whether a file is
// balanced are agreed with each bank.
//
// Read in this order: nacha.go (what a file consists of), check.go and write.go, then record.go and read.go, code.go
// (what return and change codes mean).
//
// Source: Nacha Operating Rules, Appendix Three (ACH Record Format Specifications), in the layout that banks publish.
package nacha

import (
	"strings"
	"time"
)

// The classes of entries (SEC) that this package writes.
const (
	PPD = "PPD" // a credit to a person
	CCD = "CCD" // a credit to a company
)

// The classes of entries that are about others.
const (
	COR = "COR" // notifications of change
	iat = "IAT" // international entries, in a layout of their own
	adv = "ADV" // accounting advice between banks, in a layout of its own
	ack = "ACK" // the payee's bank acknowledges a CCD entry
	atx = "ATX" // the payee's bank acknowledges a CTX entry
)

// File is one file.
type File struct {
	Destination     string    // routing number of the bank or of the ACH operator that takes the file, nine digits
	Origin          string    // who gives it, as the bank assigned it: ten characters at most
	DestinationName string    // at most 23 characters
	OriginName      string    // at most 23 characters
	Created         time.Time // in the time zone in which it is written; to the minute
	Modifier        byte      // A to Z, 0 to 9: tells the files of a day apart
	Reference       string    // at most eight characters, for the originator
	Batches         []Batch
}

// Batch is entries of one originator, one class and one day.
type Batch struct {
	Company       string    // name of the originator, at most 16 characters: the payee reads it
	CompanyID     string    // as the bank assigned it, ten characters at most
	Discretionary string    // for the originator and its bank, at most 20 characters
	Class         string    // PPD, CCD
	Description   string    // what it is for, at most ten characters: the payee reads it
	Described     string    // descriptive date, at most six characters
	Effective     time.Time // the day on which the entries should settle
	ODFI          string    // first eight digits of the originating bank's routing number
	Entries       []Entry

	Service int // 200 mixed, 220 credits, 225 debits; set by Read
	Number  int // from 1; set by Read
	line    int
}

// The transaction codes of entries that move money.
const (
	CheckingCredit = 22
	CheckingDebit  = 27
	SavingsCredit  = 32
	SavingsDebit   = 37
)

// Entry is one transfer, or what came back of one.
type Entry struct {
	Code          int    // transaction code
	Routing       string // of the receiving bank, nine digits with the check digit
	Account       string // at most 17 characters
	Cents         int64
	ID            string // of the payment for the originator, at most 15 characters: a return repeats it
	Name          string // of the receiver, at most 22 characters
	Discretionary string // at most two characters
	Trace         string // 15 digits: the ODFI's eight and seven that ascend in a batch
	Text          string // addenda 05: what the receiver is told, at most 80 characters

	Return *Return // addenda 99; set by Read
	Change *Change // addenda 98; set by Read
	Line   int     // in the file; set by Read
}

// Debit reports whether an entry takes money from the account it names. A return has the other code of its original:
// 21 returns a credit.
func (e Entry) Debit() bool { return e.Code%10 >= 5 }

// Return is the addenda of an entry that a bank has sent back.
type Return struct {
	Code  string // R02
	Trace string // of the original entry: 15 digits
	RDFI  string // the original receiving bank: eight digits
	Info  string // of the bank that returns it, 44 characters at most
}

// Change is the addenda of a notification of change. The entry itself was posted; what it names was wrong.
type Change struct {
	Code  string // C01
	Trace string // of the original entry: 15 digits
	RDFI  string // the original receiving bank: eight digits
	Data  string // what would be right, in fields that depend on the code; see Corrected
	// Refused is set if this refuses a notification that was sent (C61 to C69)
	Refused bool
}

// FaultCode is the kind of a fault. Codes are stable.
type FaultCode string

// The kinds of faults.
const (
	Missing    FaultCode = "MISSING"
	TooLong    FaultCode = "TOO_LONG"
	Characters FaultCode = "CHARACTERS" // beyond printable ASCII
	Format     FaultCode = "FORMAT"
	BadAmount  FaultCode = "AMOUNT"
	Duplicate  FaultCode = "DUPLICATE"
	TooMany    FaultCode = "TOO_MANY"
)

// Fault is one error of a file that is to be written.
type Fault struct {
	Batch, Entry int    // positions from 0; -1 where the fault is above
	Field        string // name as in File, Batch or Entry
	Code         FaultCode
	Detail       string
}

// Refused lists all faults of a file.
type Refused struct{ Faults []Fault }

// Error returns the first fault.
func (r *Refused) Error() string { return r.Faults[0].Field + ": " + r.Faults[0].Detail }

// modifiers are the file id modifiers in their order.
const modifiers = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

// Modifier returns the file id modifier of the n-th file of a day, from 0. After 36 it begins anew: the minute in the
// header tells such files apart.
func Modifier(n int) byte { return modifiers[max(0, n)%len(modifiers)] }

// MostCents is the largest amount of one entry.
const MostCents = 99_999_999_99

// CheckDigit returns the ninth digit of a routing number from its first eight.
func CheckDigit(eight string) byte {
	sum := 0
	for i := range len(eight) {
		sum += int(eight[i]-'0') * [3]int{3, 7, 1}[i%3]
	}

	return byte('0' + (10-sum%10)%10)
}

// digits reports whether a text has n digits and nothing else.
func digits(s string, n int) bool {
	return len(s) == n && strings.Trim(s, "0123456789") == ""
}

// routing reports whether a text is a routing number with a right check digit.
func routing(s string) bool { return digits(s, 9) && CheckDigit(s[:8]) == s[8] }
