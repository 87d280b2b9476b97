// Package wallet holds the blockchain addresses that an organisation pays from and to, the proof that somebody holds
// their keys, and what screening says of them.
//
// What it promises: a wallet is VERIFIED only after a signature over a text that was made for this wallet, this
// organisation, this chain and the next 15 minutes, and that text serves once. A wallet can be used (Usable) only
// while it is VERIFIED and was screened within a day; what cannot be decided counts as not allowed. Changing what was
// proven or screened starts both anew.
//
// No outside party is asked inside a database transaction: Verify and Screen ask first and record afterwards, and
// what they record rests only on what has not changed in between.
//
// Read in this order:
//
//   - What it is: wallet.go (with its two tables), challenge.go (the text), proof.go (the signature), safe.go and
//     confirm.go (Safes: their owners, and what each has signed), alike.go (addresses that people take for one
//     another).
//   - The use cases: service.go, change.go, verify.go, screen.go, outside.go (the proof of a wallet that is not stored
//     yet).
//   - All SQL: store.go, store_find.go (what other nouns call), store_gate.go (the condition of a payment).
//   - The operations: view.go, http.go, http_reviews.go (what the platform's people decide).
package wallet

import (
	"fmt"
	"strings"
	"time"

	"slipway/internal/core/fault"
	"slipway/internal/core/state"
	"slipway/internal/directory/analysis"
	"slipway/internal/identity/approval"
)

// Type says how a wallet signs.
type Type string

// The two types.
const (
	EOA      Type = "EOA"      // by one key; its address may also carry code (EIP-7702)
	Multisig Type = "MULTISIG" // by a contract (EIP-1271)
)

// Ownership is the proof's status.
type Ownership string

// The statuses of ownership.
const (
	OwnershipPending  Ownership = "PENDING"  // a text waits to be signed; the client acts next
	OwnershipVerified Ownership = "VERIFIED" // proven
	OwnershipFailed   Ownership = "FAILED"   // the last signature was wrong; the client may try again
	OwnershipExpired  Ownership = "EXPIRED"  // the text was not signed in time; the client asks for a new one
	OwnershipRevoked  Ownership = "REVOKED"  // proven once, no longer; the client asks for a new text
)

// OwnershipMoves is every allowed change of ownership.
var OwnershipMoves = state.New("Wallet ownership",
	state.Move[Ownership]{To: OwnershipPending, On: "wallet is added"},
	state.Move[Ownership]{
		From: OwnershipPending,
		To:   OwnershipPending,
		On:   "new text is asked for, or the address changes",
	},
	state.Move[Ownership]{From: OwnershipPending, To: OwnershipVerified, On: "right signature"},
	state.Move[Ownership]{From: OwnershipPending, To: OwnershipFailed, On: "wrong signature"},
	state.Move[Ownership]{From: OwnershipPending, To: OwnershipExpired, On: "15 minutes pass"},
	state.Move[Ownership]{From: OwnershipFailed, To: OwnershipFailed, On: "wrong signature again"},
	state.Move[Ownership]{From: OwnershipFailed, To: OwnershipVerified, On: "right signature"},
	state.Move[Ownership]{From: OwnershipFailed, To: OwnershipExpired, On: "15 minutes pass"},
	state.Move[Ownership]{
		From: OwnershipFailed,
		To:   OwnershipPending,
		On:   "new text: after five wrong signatures, or asked for",
	},
	state.Move[Ownership]{From: OwnershipExpired, To: OwnershipPending, On: "new text is asked for"},
	state.Move[Ownership]{
		From: OwnershipVerified,
		To:   OwnershipRevoked,
		On:   "address, network, type or receiver changes, staff revoke, or its contract takes the signature back",
	},
	state.Move[Ownership]{From: OwnershipRevoked, To: OwnershipPending, On: "new text"},
)

// Analysis is the screening's status.
type Analysis string

// The statuses of screening.
const (
	AnalysisPending    Analysis = "PENDING"     // not asked yet; a job acts next
	AnalysisInProgress Analysis = "IN_PROGRESS" // the provider is being asked
	AnalysisApproved   Analysis = "APPROVED"    // good for a day
	AnalysisReview     Analysis = "REVIEW"      // two of staff decide next
	AnalysisRejected   Analysis = "REJECTED"
	AnalysisError      Analysis = "ERROR"   // the provider could not say; it is asked again
	AnalysisExpired    Analysis = "EXPIRED" // the approval is a day old; it is asked again
)

// AnalysisMoves is every allowed change of screening.
var AnalysisMoves = state.New("Wallet screening",
	state.Move[Analysis]{To: AnalysisPending, On: "wallet is added"},
	state.Move[Analysis]{From: AnalysisPending, To: AnalysisInProgress, On: "job starts"},
	state.Move[Analysis]{From: AnalysisInProgress, To: AnalysisInProgress, On: "job starts again after a crash"},
	state.Move[Analysis]{From: AnalysisInProgress, To: AnalysisApproved, On: "provider approves"},
	state.Move[Analysis]{From: AnalysisInProgress, To: AnalysisReview, On: "provider wants a person to look"},
	state.Move[Analysis]{From: AnalysisInProgress, To: AnalysisRejected, On: "provider rejects"},
	state.Move[Analysis]{From: AnalysisInProgress, To: AnalysisError, On: "provider fails"},
	state.Move[Analysis]{From: AnalysisError, To: AnalysisInProgress, On: "job starts again"},
	state.Move[Analysis]{From: AnalysisApproved, To: AnalysisExpired, On: "24 hours pass"},
	state.Move[Analysis]{From: AnalysisExpired, To: AnalysisInProgress, On: "job starts again"},
	state.Move[Analysis]{From: AnalysisApproved, To: AnalysisRejected, On: "a newer list has it"},
	state.Move[Analysis]{From: AnalysisRejected, To: AnalysisPending, On: "a newer list has it no more"},
	state.Move[Analysis]{From: AnalysisReview, To: AnalysisApproved, On: "two of staff approve"},
	state.Move[Analysis]{From: AnalysisReview, To: AnalysisRejected, On: "two of staff reject"},
	state.Move[Analysis]{From: AnalysisInProgress, To: AnalysisPending, On: "address or network changes"},
	state.Move[Analysis]{From: AnalysisApproved, To: AnalysisPending, On: "address or network changes"},
	state.Move[Analysis]{From: AnalysisReview, To: AnalysisPending, On: "address or network changes"},
	state.Move[Analysis]{From: AnalysisRejected, To: AnalysisPending, On: "address or network changes"},
	state.Move[Analysis]{From: AnalysisError, To: AnalysisPending, On: "address or network changes"},
	state.Move[Analysis]{From: AnalysisExpired, To: AnalysisPending, On: "address or network changes"},
	state.Move[Analysis]{From: AnalysisPending, To: AnalysisPending, On: "address or network changes"},
)

// Limits of time and tries.
const (
	ChallengeLifetime = 15 * time.Minute
	ScreeningLifetime = 24 * time.Hour
	// of that lifetime's end a wallet is screened again, so that one in use is never without approval
	renewBefore = time.Hour
	maxFailures = 5 // wrong signatures for one text; then it is replaced
)

// Wallet is one address of one receiver on one network.
type Wallet struct {
	ID, Organisation, Receiver, Network string
	Address                             string // EIP-55
	Type                                Type

	Ownership  Ownership
	Note       string // the caller's words in the text
	Message    string // to sign, and afterwards what was signed
	Nonce      string // of Message; empty once it was used
	ExpiresAt  time.Time
	Failures   int64
	Signature  string // 0x…
	ApprovedAt time.Time

	Analysis    Analysis
	AnalysisID  string
	AnalysisErr string
	ScreenedAt  time.Time
	// what people say while it is in REVIEW; once decided, no list changes it
	Review         analysis.Proposal[Analysis]
	ReviewedAt     time.Time // of the latest word in Review
	Deleted        bool
	Mark           approval.Mark
	PayableFrom    time.Time // as a payee; zero: at once
	Version        int64
	CreatedAt      time.Time
	UpdatedAt      time.Time
	chainPrefix    string // that the caller has written before Address (EIP-3770); not stored
	changed        bool   // since it was read, for the event: tokens that are sent to it go elsewhere
	ownershipMoved bool   // likewise
	analysisMoved  bool
}

// own moves the ownership, the only way to do so.
func (w *Wallet) own(to Ownership) error {
	if !OwnershipMoves.Allows(w.Ownership, to) {
		return fmt.Errorf("wallet %s: ownership cannot go from %s to %s", w.ID, w.Ownership, to)
	}

	w.Ownership = to
	w.ownershipMoved = true

	return nil
}

// analyse moves the screening, the only way to do so. What people have said of where it stood counts no longer.
func (w *Wallet) analyse(to Analysis) error {
	if !AnalysisMoves.Allows(w.Analysis, to) {
		return fmt.Errorf("wallet %s: screening cannot go from %s to %s", w.ID, w.Analysis, to)
	}

	w.Analysis = to
	w.analysisMoved = true
	w.Review = analysis.Proposal[Analysis]{}
	w.ReviewedAt = time.Time{}

	return nil
}

// OwnershipAt is the ownership as it counts at a time: a text that was not signed in time has expired, even if nobody
// noted it yet.
func (w Wallet) OwnershipAt(now time.Time) Ownership {
	if (w.Ownership == OwnershipPending || w.Ownership == OwnershipFailed) && !now.Before(w.ExpiresAt) {
		return OwnershipExpired
	}

	return w.Ownership
}

// AnalysisAt is the screening as it counts at a time: an approval is good for a day, even if nobody noted its end yet.
func (w Wallet) AnalysisAt(now time.Time) Analysis {
	if w.Analysis == AnalysisApproved && !now.Before(w.ScreenedAt.Add(ScreeningLifetime)) {
		return AnalysisExpired
	}

	return w.Analysis
}

// Usable refuses a wallet that no value may move from or to: deleted, not VERIFIED, or not APPROVED by screening
// within a day.
func (w Wallet) Usable(now time.Time) error {
	switch {
	case w.Deleted:
		return fault.New(fault.Invalid, fault.WalletUnknown, "The wallet is deleted.")

	case w.Ownership != OwnershipVerified:
		return fault.New(
			fault.Invalid,
			fault.WalletNotVerified,
			"The wallet's ownership is %s; it must be VERIFIED.",
			w.OwnershipAt(now),
		)
	}

	switch a := w.AnalysisAt(now); a {
	case AnalysisApproved:
		return w.Mark.Usable("wallet")
	case AnalysisRejected:
		return fault.New(fault.Invalid, fault.ScreeningRejected, "Screening rejected the wallet's address.")

	default:
		return fault.New(
			fault.Invalid,
			fault.WalletNotScreened,
			"The wallet's screening is %s; it must be APPROVED.",
			a,
		)
	}
}

// PayableTo is Usable for a wallet that something is paid to: one that is too new, as the organisation's rules have
// it, is refused.
func (w Wallet) PayableTo(now time.Time) error {
	if now.Before(w.PayableFrom) {
		return fault.New(
			fault.Invalid,
			fault.PayeeTooNew,
			"The wallet is new; it can be paid to from %s on.",
			w.PayableFrom.UTC().Format(time.RFC3339),
		)
	}

	return w.Usable(now)
}

// Destination is where tokens go that are paid to the wallet, as one text: whoever has approved one destination has
// not approved another.
func (w Wallet) Destination() string {
	return strings.Join([]string{w.Receiver, w.Network, w.Address, string(w.Type)}, "|")
}
