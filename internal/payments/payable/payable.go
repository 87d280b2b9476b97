// Package payable keeps the invoices that an organisation is to pay: recorded, reviewed by those who may approve, and
// paid together.
//
// It promises four things. A payable is reserved for at most one transaction at a time, by a guarded column and,
// independently, by a unique index over the live reservations. It is PAID only when its own payment was completed, in
// the same write. What is paid is what was approved: if the payee's details change, its approved payables go back to
// DRAFT in the same write. Its status changes only along the table below. It does not promise that an approved payable
// is paid: a transaction pays it, and that must be accepted like any other.
//
// Read in this order: payable.go (types and states), input.go (what it must contain), service.go, approve.go,
// warnings.go (what to know before), batch.go (making a transaction), again.go (payments that failed, once more),
// follow.go (changes of its payee or its transaction), store.go, store_list.go, store_due.go (what is open, and what
// is due), store_likes.go (what a payment may be of), store_invoices.go (the numbers that payments were made of),
// view.go, http.go.
package payable

import (
	"time"

	"slipway/internal/core/money"
	"slipway/internal/core/state"
	"slipway/internal/identity/approval"
)

// Prefix is the prefix of identifiers.
const Prefix = "pbl"

// MaxBatch is how many payables one transaction pays at most. It is the interface's limit of payments.
const MaxBatch = 30

// Status is the payable's status in the interface.
type Status string

// The statuses, and who acts next.
const (
	Draft    Status = "DRAFT"    // a member edits, rejects or approves
	Approved Status = "APPROVED" // a member puts it into a transaction, or its transaction proceeds
	Rejected Status = "REJECTED" // refused for good
	Paid     Status = "PAID"     // its payment was completed
)

// Table returns the allowed moves of Status.
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

// Type is how a payable is paid.
type Type string

// The types.
const (
	Fiat   Type = "FIAT"   // to a bank account
	Crypto Type = "CRYPTO" // to a wallet
)

// Origin is where a payable came from.
type Origin string

// The origins.
const (
	ByMember Origin = "MEMBER"  // a member wrote it
	ByLink   Origin = "LINK"    // an outside party submitted it through an invoice link
	BySwiss  Origin = "QR_BILL" // read from a Swiss QR bill
	ByEPC    Origin = "EPC_QR"  // read from a QR code of the European Payments Council
)

// Payable is one invoice to be paid. Its amount is in base units of its currency, or of its token on the network of its
// wallet.
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
	Reference           string    // creditor reference that the payment must carry, in electronic form; empty: none
	Document            string    // storage key; empty: none
	DocumentHash        string    // SHA-256 of it, hex
	ExpectedPaymentDate time.Time // a date, 00:00 UTC; zero: unknown
	Origin              Origin
	Link                string   // identifier of the invoice link that it came from; empty: none
	LinkWarnings        []string // what there was to look at of the link when it was made, see warnings.go
	CreatedBy           string
	Authors             approval.People // the creator and everybody who has changed it

	Fingerprint string // of the approved content; empty while it is not approved
	Transaction string // the live reservation; once PAID, the transaction that paid it
	Position    int    // the position of its payment there
	// changed since approval, while its transaction was submitted: if that ends without paying, it is DRAFT again
	PayeeChanged bool
	locked       bool // that transaction was submitted
	search       string

	RejectReason, RejectedBy string
	RejectedAt, PaidAt       time.Time
	CreatedAt, UpdatedAt     time.Time
	Version                  int64
}

// Approval is one person's approval of a payable as it was then.
type Approval struct {
	By, Comment string
	At          time.Time
	Ended       time.Time // when it ceased to count; zero: it counts
	Why         string    // why it ceased to count
	Fingerprint string
}
