// Package payable keeps the invoices that an organisation is to pay: stated, looked at by those who may approve, and
// paid together.
//
// Promised: a payable is reserved for at most one transaction at a time, by a guarded column and, independent of it,
// by a unique index over the live reservations; it is PAID only when its own payment was completed, in the same
// write; what is paid is what was approved, because a payee whose details change sends its approved payables back to
// DRAFT in the same write; and its status changes only along the table below. Not promised: that a payable is paid
// once it is approved. A transaction pays it, and that is accepted like any other.
//
// Read in this order: payable.go (what it is, its states), input.go (what it must say), service.go, approve.go (use
// cases), batch.go (into a transaction), follow.go (what becomes of it when its payee or its transaction changes),
// store.go, store_list.go (all SQL), view.go, http.go.
package payable

import (
	"time"

	"slipway/internal/core/money"
	"slipway/internal/core/state"
	"slipway/internal/identity/approval"
)

// Prefix of identifiers.
const Prefix = "pbl"

// MaxBatch is how many payables one transaction pays; the interface's limit of payments.
const MaxBatch = 30

// Status is the interface's status.
type Status string

// The statuses, and who acts next.
const (
	Draft    Status = "DRAFT"    // a member edits, rejects or approves
	Approved Status = "APPROVED" // a member puts it into a transaction, or its transaction goes on
	Rejected Status = "REJECTED" // refused for good
	Paid     Status = "PAID"     // its payment was completed
)

// Table is the allowed moves of Status.
func Table() *state.Table[Status] { return table }

var table = state.New("Payable",
	state.Move[Status]{To: Draft, On: "create"},
	state.Move[Status]{From: Draft, To: Draft, On: "edit"},
	state.Move[Status]{From: Draft, To: Rejected, On: "reject"},
	state.Move[Status]{From: Draft, To: Approved, On: "approve"},
	state.Move[Status]{From: Approved, To: Approved, On: "reserved for a transaction; that has died"},
	state.Move[Status]{From: Approved, To: Draft, On: "payee changed or removed; approval withdrawn"},
	state.Move[Status]{From: Approved, To: Paid, On: "payment completed"},
)

// Type says how a payable is paid.
type Type string

// The types.
const (
	Fiat   Type = "FIAT"   // to a bank account
	Crypto Type = "CRYPTO" // to a wallet
)

// Origin says where a payable came from.
type Origin string

// The origins.
const (
	ByMember Origin = "MEMBER"  // a member wrote it
	ByLink   Origin = "LINK"    // an outside party stated it through an invoice link
	BySwiss  Origin = "QR_BILL" // read from a Swiss QR bill
	ByEPC    Origin = "EPC_QR"  // read from a QR code of the European Payments Council
)

// Payable is one invoice to be paid. Its amount is in base units of its currency, or of its token on the network of
// its wallet.
type Payable struct {
	ID, Organisation    string
	Type                Type
	Status              Status
	Name                string
	Amount              money.Amount
	Reason              string
	Instructions        string
	Receiver            string
	BankAccount         string // FIAT
	Wallet              string // CRYPTO
	InvoiceNumber       string
	Reference           string    // creditor reference that the payment must carry, electronic form; empty: none
	Document            string    // storage key; empty: none
	DocumentHash        string    // SHA-256 of it, hex
	ExpectedPaymentDate time.Time // a date, 00:00 UTC; zero: none is known
	Origin              Origin
	Link                string // identifier of the invoice link that it came by; empty: none
	CreatedBy           string
	Authors             approval.People // the creator and whoever has changed it

	Fingerprint string // of what was approved; empty while it is not
	Transaction string // the live reservation; afterwards, of a PAID one, what paid it
	Position    int    // of its payment there
	// since it was approved, while its transaction was submitted: should that die, it is DRAFT again
	PayeeChanged bool
	locked       bool // that transaction was submitted
	search       string

	RejectReason, RejectedBy  string
	RejectedAt, PaidAt        time.Time
	CreatedAt, UpdatedAt      time.Time
	Version                   int64
	Approvals                 []Approval // the newest last; only where they were asked for
	SameInvoice, SameDocument []string   // other payables that look like this one; only where they were asked for
}

// Approval is one person's word for a payable as it was then.
type Approval struct {
	By, Comment string
	At          time.Time
	Ended       time.Time // when it no longer counted; zero: it counts
	Why         string    // it no longer counts
	Fingerprint string
}

// Document is what a payable shows of its document.
type Document struct {
	Key, Name, ContentType, SHA256 string
	Size                           int64
}
