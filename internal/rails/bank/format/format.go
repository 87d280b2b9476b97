// Package format is what the bank rail knows of a format of bank files: one interface for the files that leave, one for
// the reports that come back. Each format is a folder beside this file, and nothing outside of its folder knows how its
// files look, what they are called, or how long an identification in them is.
//
// Read in this order: format.go (what leaves), report.go (what comes back), then the folders iso (pain.001, pain.002,
// pacs.004) and nacha.
package format

import (
	"io"
	"strings"
	"time"

	"slipway/internal/core/money"
)

// Account is one of our own bank accounts, as a format needs it.
type Account struct {
	ID, Currency, Country                                      string
	IBAN, BIC, AccountNumber, SortCode, RoutingNumber, IFSC    string
	Holder, HolderStreet, HolderPostCode, HolderTown, BankName string
	// ACH is what was agreed with an originating bank in the United States; see package format/nacha.
	ACH ACH
}

// ACH is the set-up sheet of an originating bank in the United States (ODFI). Banks assign all of it.
type ACH struct {
	Destination     string   // immediate destination: a routing number; empty: that of the account
	DestinationName string   // empty: the bank's name
	Origin          string   // immediate origin, ten characters
	OriginName      string   // empty: the holder
	CompanyID       string   // ten characters; empty: the origin
	CompanyName     string   // what payees read, at most 16 characters; empty: the holder
	Description     string   // what payees read beside it, at most ten characters; empty: PAYMENT
	Classes         []string // entry classes that were agreed: PPD, CCD; empty: both
	Balanced        bool     // each batch ends with a debit of our account
	SameDayUntil    string   // "13:00" in New York: until then files are for the same day; empty: never
}

// Party is the receiver of a payment.
type Party struct {
	Name string
	// Country is ISO 3166 alpha-2. Town and Country are required if an address is sent
	Street, BuildingNumber, PostCode, Town, Country string
	Person                                          bool // a human being, and not a company
}

// AccountIDs identifies the receiving account, as the payment's snapshot of the bank account holds it.
type AccountIDs struct {
	IBAN, BIC, AccountNumber, SortCode, RoutingNumber, IFSC string
	AccountType                                             string // CHECKING or SAVINGS, for ACH
	BankName, Country                                       string // Country of the bank, ISO 3166 alpha-2
}

// Payment is one payment of a file.
type Payment struct {
	Identity   string // of the payment in the file, by Format.Identity
	UETR       string
	Amount     money.Amount
	Charges    string // OUR, SHA or BEN
	Purpose    string // ISO 20022 external purpose code, or empty
	Remittance string // text for the creditor
	Reference  string // creditor reference, ISO 11649 or Swiss QR, or empty
	Creditor   Party
	Account    AccountIDs
}

// Order is a payment file in words that no format owns.
type Order struct {
	Message   string    // identification of the file: 29 characters, from its payments
	Created   time.Time // when its payments were selected
	Day       string    // the day of execution, 2026-11-23
	NextDay   string    // the rail's working day after it
	Number    int       // of the account's files on the day they were created, from 0
	Rail      string
	From      Account
	Initiator string // name of the initiating party; empty: the holder of the account
	Payments  []Payment
}

// Format writes payment files and reads its own again. It is a pure value: the same order gives the same bytes.
type Format interface {
	// Name is its name in settings and in the database. It never changes.
	Name() string
	// Rails are those whose payments it carries.
	Rails() []string
	// Check returns what an account lacks to pay by this format, as sentences.
	Check(a Account) []string

	// Identity returns how files name a payment, from its end-to-end identification of 26 characters. It begins with
	// the Root of that. Banks repeat it.
	Identity(endToEnd string) string
	// Names reports whether a text has the form of what Identity returns.
	Names(text string) bool
	// Block returns the identification under which a bank may book some payments of a file together, among them this
	// one; empty: it books each by itself.
	Block(message string, p Payment) string
	// MessageOfBlock returns the beginning of a file's identification from that of a block, and false for others.
	MessageOfBlock(block string) (string, bool)
	// FileName returns the name under which a file is handed over, every time.
	FileName(message string) string
	// MessageOf returns the identification of a file from its name, and false for a name of another format.
	MessageOf(name string) (string, bool)

	// Day returns the day of execution of what is handed over at a moment. next returns the rail's first working day
	// from then on, and of a later moment.
	Day(a Account, at time.Time, next func(time.Time) time.Time) time.Time

	// Write returns a file's bytes and how many of its texts had to be changed. If a payment cannot be carried, it
	// returns *Refused with all faults.
	Write(o Order) (content []byte, changed int, err error)
	// Looks reports whether a file begins as one that this format has written.
	Looks(head []byte) bool
	// Read reads a file that Write has written: after a back-up was restored.
	Read(in io.Reader, limit int64) (Written, error)
}

// rootLength is the length of a Root: 65 bits. The database's indexes have it too.
const rootLength = 13

// Root returns what all identifications of one payment begin with, whatever the format of its file.
func Root(identity string) string { return identity[:min(rootLength, len(identity))] }

// Written is what a file says that was written before.
type Written struct {
	Message  string // empty: the format has no room for it, and the file's name says it
	Day      string
	Debtor   string // IBAN or account number of our account; empty: see Origin
	Origin   string // as ACH.Origin, in a format that names no account
	Currency string
	Payments []WrittenPayment
}

// WrittenPayment is one payment of a file that was written before.
type WrittenPayment struct {
	Identity string
	Amount   string // a decimal
	Currency string
}

// Refused lists why a file cannot be written.
type Refused struct{ Faults []Fault }

// Fault is one reason why a payment, or a file, cannot be written.
type Fault struct {
	Payment int    // position in Order.Payments; -1: the account or the complete file
	Field   string // of the payment, such as creditor/name, account, remittance, reference, amount
	Detail  string
}

// Error returns the first fault.
func (r *Refused) Error() string { return r.Faults[0].Field + ": " + r.Faults[0].Detail }

// Prefix is how the identification of a file begins.
const Prefix = "SLW"

// Alphabet is the alphabet of identifications: letters and digits that every rail carries, without those that people
// confuse.
const Alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

// IsID reports whether a text has n characters of the alphabet.
func IsID(s string, n int) bool {
	return len(s) == n && strings.Trim(s, Alphabet) == ""
}

// Tail is the length of what follows Prefix.
const Tail = 26

// NamedFile returns the name of a file: a word of the format, the identification in small letters, and an extension.
func NamedFile(word, message, extension string) string {
	return word + "-" + strings.ToLower(strings.TrimPrefix(message, Prefix)) + "." + extension
}

// MessageNamed is the reverse of NamedFile.
func MessageNamed(word, name, extension string) (string, bool) {
	tail, prefixed := strings.CutPrefix(name, word+"-")

	tail, ok := strings.CutSuffix(tail, "."+extension)
	if !prefixed || !ok || !IsID(strings.ToUpper(tail), Tail) {
		return "", false
	}

	return Prefix + strings.ToUpper(tail), true
}
