package format

import (
	"io"

	"slipway/internal/standards/iso20022"
	"slipway/internal/standards/iso20022/pain"
)

// Report is what a bank says of payments besides its statements. A format fills what it has.
type Report struct {
	Statuses []Status
	Returns  []Return
	Changes  []Change
	Disputes []Dispute
	Remarks  []string
}

// Status is one status of a file, a block or a payment. The words are those of ISO 20022, into which other formats
// translate.
type Status struct {
	Number           int
	Level            pain.Level
	Message          string // the file; empty: the payment's identification leads to it
	Block            string
	Identity         string // of the payment
	UETR, InstrID    string
	Status           string
	Meaning          pain.Meaning
	ReasonCode, Text string
	Duplicate        bool // refused as a copy: the first one may have been executed
	Vague            bool // the format does not tell whether it was refused as a copy
}

// Return announces that a payment comes back. The money is back with the booked credit.
type Return struct {
	Number                  int
	Identity, UETR, InstrID string
	ReasonCode, Text        string
	Amount                  iso20022.Amount
}

// Change is a notification that something about an account is not right any more. The payment was made.
type Change struct {
	Number       int
	Identity     string
	Code, Text   string
	Corrected    Corrected
	Intelligible bool // Corrected says what is right
}

// Corrected is what is right about the payee's account. Empty: as before.
type Corrected struct {
	RoutingNumber, AccountNumber, AccountType, Name string
}

// Dispute is a quarrel between banks about a return. People decide.
type Dispute struct {
	Number         int
	Identity, Text string
}

// Empty reports whether a report says nothing of our payments.
func (r Report) Empty() bool {
	return len(r.Statuses)+len(r.Returns)+len(r.Changes)+len(r.Disputes) == 0
}

// Reporter reads the reports of one format.
type Reporter interface {
	// Kind is the name of what it reads, as people see it.
	Kind() string
	// Looks reports whether a file begins as one of this format.
	Looks(head []byte) bool
	// Read reads a report to its end. An error of *iso20022.Error is about the file.
	Read(in io.Reader, limits iso20022.Limits) (Report, error)
}
