// Package transaction is the business transaction: what an organisation wants paid, from DRAFT to its end.
//
// It promises three things. A status changes only along its table and only through Advance. What submit locked is what
// is paid. No organisation ever sees another's transaction. It does not move money: accept writes the decision, the
// hold and the job, and package settlement does the rest.
//
// There are three types, and a package for what each does differently: crypto pays tokens to wallets, fiat pays tokens
// out to bank accounts, onramp takes a deposit and delivers tokens. The use cases here call them through Kind and never
// branch on the type. The additional fields of FIAT and ONRAMP are in tables of their own, which no CRYPTO transaction
// reads.
//
// Read in this order, each file before what it calls; then crypto, fiat and onramp.
//
//   - What callers ask: waiting.go, open_allowances.go, http_remarks.go, twice.go, newaddress.go (paid to for the first
//     time), explain_page.go, explain.go, balances.go, http_list.go, http_export.go with table.go (a row for each
//     payment), http.go.
//   - The use cases: submit.go, own.go (the wallet pays itself), allowance.go, accept.go, screen.go, several.go (people who
//     accept together), permit.go (the payer's signature), intent.go (of exactly one batch), payer_rules.go, funds.go, advance.go with
//     store_reserved.go, content.go, recall.go.
//   - What is shown and compared: view.go, gone.go, again.go, headroom.go, foureyes.go, tables.go (allowed moves),
//     kind.go (what types do), http_examples.go, limits.go, listed.go.
//   - A draft: service.go (create, replace, delete), foresee.go (what an input would make), documents.go, directory.go,
//     event.go, numbers.go, view_terms.go, payables.go, input.go.
//   - What all of it rests on: store_decimals.go, store_documents.go, store_listed.go, store_outcome.go, store_list.go,
//     store_filters.go (each filter of the list, once), outcome.go, search.go (what is searched), store_terms.go,
//     store_parties.go, parties.go, store.go, store_permit.go, store_pulls.go, store_twice.go, store_newaddress.go,
//     store_notes.go (what the book says of payments), tables_notes.go, view_receiver.go, snapshot.go, transaction.go,
//     terms.go, store_again.go, store_several.go.
package transaction

import (
	"math/big"
	"strings"
	"time"

	"slipway/internal/core/money"
	"slipway/internal/core/state"
	"slipway/internal/identity/approval"
	"slipway/internal/rails/chain/contract"
)

// Status is the transaction's status in the interface.
type Status string

// The statuses, and who acts next.
const (
	StatusDraft     Status = "DRAFT"                // a member edits, validates, submits
	StatusWaiting   Status = "WAITING_ACCEPTANCE"   // locked; an authorised member acts next
	StatusProcess   Status = "PROCESSING"           // settlement acts next
	StatusReleased  Status = "RELEASED"             // on the chain, not final; the chain acts next
	StatusCompleted Status = "COMPLETED"            // at least one payment arrived, all are final
	StatusFailed    Status = "FAILED"               // nothing arrived, nothing will
	StatusRejected  Status = "REJECTED_BY_PLATFORM" // refused in review before any effect
)

// Table returns the allowed moves of a CRYPTO transaction's Status. Nothing leads out of the last three.
func Table() *state.Table[Status] { return table }

var table = state.New("Transaction status",
	state.Move[Status]{From: "", To: StatusDraft, On: "create"},
	state.Move[Status]{From: StatusDraft, To: StatusDraft, On: "edit"},
	state.Move[Status]{From: StatusDraft, To: StatusWaiting, On: "submit"},
	state.Move[Status]{From: StatusWaiting, To: StatusProcess, On: "accept"},
	state.Move[Status]{From: StatusProcess, To: StatusProcess, On: "settlement step"},
	state.Move[Status]{From: StatusProcess, To: StatusReleased, On: "seen on the chain"},
	state.Move[Status]{From: StatusReleased, To: StatusReleased, On: "settlement step"},
	state.Move[Status]{From: StatusReleased, To: StatusCompleted, On: "final"},
	state.Move[Status]{From: StatusProcess, To: StatusFailed, On: "could not be paid"},
	state.Move[Status]{From: StatusProcess, To: StatusFailed, On: "proof that nothing was sent"},
	state.Move[Status]{From: StatusReleased, To: StatusFailed, On: "every payment failed"},
	state.Move[Status]{From: StatusDraft, To: StatusRejected, On: "review"},
	state.Move[Status]{From: StatusWaiting, To: StatusRejected, On: "review"},
	state.Move[Status]{From: StatusProcess, To: StatusRejected, On: "review before any effect"},
).Explained(actors, notes...)

// SettlementStatus is where the value is at present, beside Status.
type SettlementStatus string

// The settlement statuses of a CRYPTO transaction.
const (
	SettlementIdle      SettlementStatus = "IDLE"
	SettlementPulling   SettlementStatus = "FUNDS_PULLING" // accepted; the batch is being prepared
	SettlementSent      SettlementStatus = "TOKENS_SENT"   // the batch is on the chain
	SettlementUncertain SettlementStatus = "UNCERTAIN"     // evidence disagrees; a person must check
	SettlementSettled   SettlementStatus = "SETTLED"
)

// SettlementTable returns the allowed moves of SettlementStatus for CRYPTO.
func SettlementTable() *state.Table[SettlementStatus] { return settlementTable }

var settlementTable = state.New("Settlement status of a CRYPTO transaction",
	state.Move[SettlementStatus]{From: "", To: SettlementIdle, On: "create"},
	state.Move[SettlementStatus]{From: SettlementIdle, To: SettlementIdle, On: "edit, submit, review"},
	state.Move[SettlementStatus]{From: SettlementIdle, To: SettlementPulling, On: "accept"},
	state.Move[SettlementStatus]{From: SettlementPulling, To: SettlementPulling, On: "settlement step"},
	state.Move[SettlementStatus]{From: SettlementPulling, To: SettlementSent, On: "seen on the chain"},
	state.Move[SettlementStatus]{From: SettlementPulling, To: SettlementUncertain, On: "evidence disagrees"},
	state.Move[SettlementStatus]{From: SettlementSent, To: SettlementSettled, On: "final"},
	state.Move[SettlementStatus]{From: SettlementSent, To: SettlementIdle, On: "every payment failed"},
	state.Move[SettlementStatus]{From: SettlementSent, To: SettlementSent, On: "reorganised"},
	state.Move[SettlementStatus]{From: SettlementSent, To: SettlementUncertain, On: "evidence disagrees"},
	state.Move[SettlementStatus]{From: SettlementUncertain, To: SettlementUncertain, On: "looked at again"},
	state.Move[SettlementStatus]{From: SettlementUncertain, To: SettlementSent, On: "evidence found"},
	state.Move[SettlementStatus]{From: SettlementUncertain, To: SettlementSettled, On: "evidence found"},
	state.Move[SettlementStatus]{From: SettlementUncertain, To: SettlementIdle, On: "proof that nothing was sent"},
	state.Move[SettlementStatus]{
		From: SettlementPulling,
		To:   SettlementIdle,
		On:   "could not be paid, review before any effect",
	},
).Explained(actors, settlementNotes...)

// Type is the interface's transaction type.
type Type string

// The types of the interface. A deployment without rates and bank accounts offers only CRYPTO.
const (
	TypeFiat   Type = "FIAT"
	TypeCrypto Type = "CRYPTO"
	TypeOnramp Type = "ONRAMP"
)

// Limits of the interface.
const (
	MaxPayments = 30
	idPrefix    = Prefix
)

// Prefix begins the identifiers of transactions.
const Prefix = "txn"

// Transaction is one row with its payments. Amounts are in base units of the token.
type Transaction struct {
	ID, Organisation string
	Number           int64 // the batch number on chain: fixed at creation, used once for ever
	Type             Type
	Status           Status
	Settlement       SettlementStatus
	StatusInfo       string
	Token            string
	Decimals         int
	Network          string
	Wallet           string // paying wallet
	WalletAddress    string
	Partner          string
	Debit            *big.Int // what leaves the wallet, fees included
	ContentHash      string   // hash of what submit locked
	Hidden, Deleted  bool
	Manner           contract.Manner // how the payer has signed; empty: it rests on an approval
	OfPayables       bool            // made of payables, and of those alone
	CreatedBy        string
	Authors          approval.People // besides the creator: who changed the draft, or made or changed its receivers
	AcceptedBy       string
	AcceptedAt       time.Time
	CreatedAt        time.Time
	UpdatedAt        time.Time
	Version          int64
	Comments         int64 // how many it shows
	Payments         []Payment
	Terms            // FIAT and ONRAMP; empty for CRYPTO

	// What the write or the read that this value comes from knows, so that its answer costs no further statement.
	search         string // what is searched of it; set where it is stored, and never read
	steps          []step // the timeline; nil: not known
	begun          bool   // made or accepted in this very write: no other table has anything of it yet
	receiversThere bool   // none of a draft's receivers was deleted when it was read; false: not known
	deletions      int64  // of receivers in the organisation when none of this draft's was among them
}

// Payment is one item. Its status follows the transaction's until it has its own outcome.
type Payment struct {
	Position     int
	Outcome      PaymentStatus // empty: follows the transaction
	StatusInfo   string
	Units        *big.Int
	Reason       string
	Instructions string
	Document     string
	Receiver     string
	Snapshot     string // JSON of the receiver as it was at creation or submit
	Wallet       string // stored wallet; empty for an inline address
	Address      string
	WalletType   string
	Network      string
	Again        string // identifier of the payment that failed and is made again; empty: none
	UpdatedAt    time.Time
	PaymentTerms // FIAT and ONRAMP; empty for CRYPTO
}

// WaitsAtBank reports whether the bank holds a payment until somebody has decided: of a payment that is under way, the
// statusInfo says nothing else.
func (p Payment) WaitsAtBank() bool { return p.Outcome == PaymentSent && p.StatusInfo != "" }

// PaymentStatus is the status of one payment.
type PaymentStatus string

// The statuses of a payment.
const (
	PaymentDraft     PaymentStatus = "DRAFT"
	PaymentLocked    PaymentStatus = "LOCKED"
	PaymentProcess   PaymentStatus = "PROCESSING"
	PaymentSent      PaymentStatus = "SENT"
	PaymentCompleted PaymentStatus = "COMPLETED"
	PaymentFailed    PaymentStatus = "FAILED"
	PaymentReturned  PaymentStatus = "RETURNED" // the receiver's bank has sent it back
	PaymentRefunded  PaymentStatus = "REFUNDED" // its cost is back in the wallet
	PaymentCancelled PaymentStatus = "CANCELLED"
	PaymentUnknown   PaymentStatus = "UNKNOWN"
)

// Asset returns the token as a money.Asset.
func (t Transaction) Asset() money.Asset { return money.Asset{Code: t.Token, Decimals: t.Decimals} }

// DebitAmount returns what leaves the wallet, fees included.
func (t Transaction) DebitAmount() money.Amount { return money.FromUnits(t.Asset(), t.Debit) }

// Amount returns the token amount that a payment's receiver gets.
func (t Transaction) Amount(p Payment) money.Amount { return money.FromUnits(t.Asset(), p.Units) }

// PaymentID returns the identifier of a payment: its transaction's id with the position.
func (t *Transaction) PaymentID(position int) string {
	return "pay_" + strings.TrimPrefix(t.ID, idPrefix+"_") + "_" + twoDigits(position)
}

func twoDigits(n int) string {
	return string([]byte{'0' + byte(n/10%10), '0' + byte(n%10)})
}

// PaymentStatus returns the status of a payment with the given outcome, as clients see it.
func (t *Transaction) PaymentStatus(outcome PaymentStatus) PaymentStatus {
	if outcome != "" {
		return outcome
	}

	if t.Settlement == SettlementUncertain {
		return PaymentUnknown
	}

	switch t.Status {
	case StatusWaiting:
		return PaymentLocked
	case StatusProcess:
		return PaymentProcess
	case StatusReleased:
		return PaymentSent
	case StatusCompleted:
		return PaymentCompleted
	case StatusFailed:
		return PaymentFailed
	case StatusRejected:
		return PaymentCancelled
	default:
		return PaymentDraft
	}
}
