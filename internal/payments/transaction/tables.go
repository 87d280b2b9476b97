package transaction

import (
	"slices"

	"slipway/internal/core/state"
)

// The settlement statuses of FIAT and ONRAMP transactions, besides those of CRYPTO.
const (
	SettlementQuoted SettlementStatus = "QUOTED" // submitted; the rate is locked for a while
	// FIAT: tokens are final at the treasury; ONRAMP: the deposit is booked and matched
	SettlementReceived  SettlementStatus = "FUNDS_RECEIVED"
	SettlementConverted SettlementStatus = "CONVERTED"        // the liquidity provider has filled every order
	SettlementAtBank    SettlementStatus = "SENT_TO_BANK"     // every payment that is to be paid was handed over
	SettlementAwaiting  SettlementStatus = "AWAITING_DEPOSIT" // the sender acts next
	// a deposit carries the reference but differs from what is expected; a person acts next
	SettlementMismatch  SettlementStatus = "DEPOSIT_MISMATCH"
	SettlementHeld      SettlementStatus = "ON_HOLD"  // a person must check before it continues
	SettlementReturned  SettlementStatus = "RETURNED" // a bank has sent money back, or reversed a deposit
	SettlementRefunding SettlementStatus = "REFUND_IN_FLIGHT"
	SettlementRefunded  SettlementStatus = "REFUNDED"
	SettlementNoRefund  SettlementStatus = "REFUND_FAILED" // a person must check
)

type (
	move           = state.Move[Status]
	settlementMove = state.Move[SettlementStatus]
	paymentMove    = state.Move[PaymentStatus]
)

// TableOf returns the allowed moves of Status for a type of transaction.
func TableOf(t Type) *state.Table[Status] {
	switch t {
	case TypeFiat:
		return fiatTable
	case TypeOnramp:
		return onrampTable
	case TypeCrypto:
	}

	return table
}

// SettlementTableOf returns the allowed moves of SettlementStatus for a type of transaction.
func SettlementTableOf(t Type) *state.Table[SettlementStatus] {
	switch t {
	case TypeFiat:
		return fiatSettlementTable
	case TypeOnramp:
		return onrampSettlementTable
	case TypeCrypto:
	}

	return settlementTable
}

// fiatTable is the interface's table, with moves that stay within a state. The interface has no way out of COMPLETED,
// so a late return shows in the settlement status only.
var fiatTable = state.New("Status of a FIAT transaction",
	move{From: "", To: StatusDraft, On: "create"},
	move{From: StatusDraft, To: StatusDraft, On: "edit"},
	move{From: StatusDraft, To: StatusWaiting, On: "submit"},
	move{From: StatusWaiting, To: StatusWaiting, On: "quoted anew"},
	move{From: StatusWaiting, To: StatusProcess, On: "accept"},
	move{From: StatusProcess, To: StatusProcess, On: "settlement step"},
	move{From: StatusProcess, To: StatusReleased, On: "handed over to the bank"},
	move{From: StatusReleased, To: StatusReleased, On: "settlement step"},
	move{From: StatusReleased, To: StatusCompleted, On: "booked debits, others are paid, return"},
	move{From: StatusReleased, To: StatusCompleted, On: "others are paid and a refund failed"},
	move{From: StatusProcess, To: StatusFailed, On: "could not be paid, proof that nothing was sent"},
	move{From: StatusProcess, To: StatusFailed, On: "refund final, refund failed"},
	move{From: StatusReleased, To: StatusFailed, On: "refund final, refund failed"},
	move{From: StatusCompleted, To: StatusCompleted, On: "settlement step, refund final, refund failed"},
	move{From: StatusCompleted, To: StatusCompleted, On: "booked debits, others are paid, return"},
	move{From: StatusFailed, To: StatusFailed, On: "settlement step, refund final, refund failed"},
	move{From: StatusDraft, To: StatusRejected, On: "review"},
	move{From: StatusWaiting, To: StatusRejected, On: "review"},
	move{From: StatusProcess, To: StatusRejected, On: "review before any effect"},
).Explained(actors, slices.Concat(notes, fiatNotes)...)

var fiatSettlementTable = state.New("Settlement status of a FIAT transaction", append([]settlementMove{
	{From: "", To: SettlementIdle, On: "create"},
	{From: SettlementIdle, To: SettlementIdle, On: "edit, review"},
	{From: SettlementIdle, To: SettlementQuoted, On: "submit"},
	{From: SettlementQuoted, To: SettlementQuoted, On: "quoted anew, review"},
	{From: SettlementQuoted, To: SettlementPulling, On: "accept"},
	{From: SettlementPulling, To: SettlementPulling, On: "settlement step"},
	{From: SettlementPulling, To: SettlementReceived, On: "final on the chain"},
	{From: SettlementPulling, To: SettlementUncertain, On: "evidence disagrees"},
	{From: SettlementPulling, To: SettlementIdle, On: "could not be paid, review before any effect"},
	{From: SettlementReceived, To: SettlementReceived, On: "settlement step"},
	{From: SettlementReceived, To: SettlementConverted, On: "every conversion filled"},
	{From: SettlementReceived, To: SettlementRefunding, On: "conversion refused"},
	{From: SettlementReceived, To: SettlementUncertain, On: "evidence disagrees"},
	{From: SettlementConverted, To: SettlementConverted, On: "settlement step"},
	{From: SettlementConverted, To: SettlementAtBank, On: "handed over to the bank"},
	{From: SettlementConverted, To: SettlementUncertain, On: "evidence disagrees"},
	{From: SettlementConverted, To: SettlementRefunding, On: "no payment can be made"},
	{From: SettlementAtBank, To: SettlementAtBank, On: "settlement step"},
	{From: SettlementAtBank, To: SettlementSettled, On: "booked debits"},
	{From: SettlementAtBank, To: SettlementUncertain, On: "evidence disagrees"},
	{From: SettlementAtBank, To: SettlementReturned, On: "return"},
	{From: SettlementAtBank, To: SettlementRefunding, On: "every payment rejected"},
	{From: SettlementAtBank, To: SettlementNoRefund, On: "others are paid and a refund failed"},
	{From: SettlementUncertain, To: SettlementNoRefund, On: "others are paid and a refund failed"},
	{From: SettlementNoRefund, To: SettlementReturned, On: "late return"},
	{From: SettlementSettled, To: SettlementSettled, On: "resent payment booked"},
	{From: SettlementSettled, To: SettlementReturned, On: "late return"},
	{From: SettlementReturned, To: SettlementReturned, On: "further return"},
	{From: SettlementReturned, To: SettlementRefunding, On: "tokens go back"},
	{From: SettlementReturned, To: SettlementAtBank, On: "resent with repaired details"},
	{From: SettlementReturned, To: SettlementSettled, On: "set off against what is owed"},
	{From: SettlementRefunding, To: SettlementRefunding, On: "settlement step"},
	{From: SettlementRefunding, To: SettlementRefunded, On: "refund final"},
	{From: SettlementRefunding, To: SettlementNoRefund, On: "refund failed"},
	{From: SettlementRefunding, To: SettlementUncertain, On: "evidence disagrees"},
	{From: SettlementRefunding, To: SettlementAtBank, On: "others are at the bank"},
	{From: SettlementRefunding, To: SettlementSettled, On: "others are paid"},
	{From: SettlementRefunding, To: SettlementReturned, On: "further return"},
	{From: SettlementNoRefund, To: SettlementRefunding, On: "refund tried again"},
	{From: SettlementRefunded, To: SettlementRefunded, On: "further refund final"},
	{From: SettlementRefunded, To: SettlementReturned, On: "further return"},
	{From: SettlementUncertain, To: SettlementUncertain, On: "looked at again"},
	{From: SettlementUncertain, To: SettlementPulling, On: "evidence found"},
	{From: SettlementUncertain, To: SettlementReceived, On: "evidence found"},
	{From: SettlementUncertain, To: SettlementConverted, On: "evidence found"},
	{From: SettlementUncertain, To: SettlementAtBank, On: "evidence found"},
	{From: SettlementUncertain, To: SettlementSettled, On: "evidence found"},
	{From: SettlementUncertain, To: SettlementRefunding, On: "evidence found"},
	{From: SettlementUncertain, To: SettlementRefunded, On: "evidence found"},
	{From: SettlementUncertain, To: SettlementIdle, On: "proof that nothing was sent"},
	{From: SettlementHeld, To: SettlementIdle, On: "review before any effect"},
	{From: SettlementHeld, To: SettlementUncertain, On: "evidence disagrees"},
	{From: SettlementUncertain, To: SettlementHeld, On: "held"},
}, holds(SettlementPulling, SettlementReceived, SettlementConverted, SettlementAtBank, SettlementReturned, SettlementRefunding, SettlementNoRefund)...)...).Explained(actors, settlementNotes...)

var onrampTable = state.New("Status of an ONRAMP transaction",
	move{From: "", To: StatusDraft, On: "create"},
	move{From: StatusDraft, To: StatusDraft, On: "edit"},
	move{From: StatusDraft, To: StatusWaiting, On: "submit"},
	move{From: StatusWaiting, To: StatusWaiting, On: "inexact deposit"},
	move{From: StatusWaiting, To: StatusProcess, On: "deposit matched, deposit assigned"},
	move{From: StatusWaiting, To: StatusFailed, On: "deposit missing, refund booked"},
	move{From: StatusProcess, To: StatusProcess, On: "settlement step"},
	move{From: StatusProcess, To: StatusReleased, On: "seen on the chain"},
	move{From: StatusReleased, To: StatusReleased, On: "settlement step, deposit reversed"},
	move{From: StatusReleased, To: StatusCompleted, On: "final"},
	move{From: StatusProcess, To: StatusFailed, On: "deposit reversed, refund booked"},
	move{From: StatusReleased, To: StatusFailed, On: "refund booked"},
	move{
		From: StatusCompleted,
		To:   StatusCompleted,
		On:   "settlement step, deposit reversed, what was owed is paid, what was owed is given up",
	},
	move{From: StatusFailed, To: StatusFailed, On: "settlement step, refund booked"},
	move{From: StatusDraft, To: StatusRejected, On: "review"},
	move{From: StatusWaiting, To: StatusRejected, On: "review"},
	move{From: StatusProcess, To: StatusRejected, On: "review"},
).Explained(actors, notes...)

var onrampSettlementTable = state.New("Settlement status of an ONRAMP transaction", append([]settlementMove{
	{From: "", To: SettlementIdle, On: "create"},
	{From: SettlementIdle, To: SettlementIdle, On: "edit, review"},
	{From: SettlementIdle, To: SettlementAwaiting, On: "submit"},
	{From: SettlementAwaiting, To: SettlementAwaiting, On: "review"},
	{From: SettlementAwaiting, To: SettlementReceived, On: "deposit matched"},
	{From: SettlementAwaiting, To: SettlementMismatch, On: "inexact deposit"},
	{From: SettlementAwaiting, To: SettlementIdle, On: "deposit missing"},
	{From: SettlementMismatch, To: SettlementMismatch, On: "further inexact deposit"},
	{From: SettlementMismatch, To: SettlementAwaiting, On: "inexact deposit sent back"},
	{From: SettlementMismatch, To: SettlementReceived, On: "deposit assigned, deposit matched"},
	{From: SettlementMismatch, To: SettlementRefunding, On: "deposit goes back"},
	{From: SettlementMismatch, To: SettlementIdle, On: "deposit missing"},
	{From: SettlementReceived, To: SettlementReceived, On: "settlement step"},
	{From: SettlementReceived, To: SettlementConverted, On: "conversion filled"},
	{From: SettlementReceived, To: SettlementReturned, On: "deposit reversed"},
	{From: SettlementReceived, To: SettlementRefunding, On: "deposit goes back"},
	{From: SettlementReceived, To: SettlementUncertain, On: "evidence disagrees"},
	{From: SettlementConverted, To: SettlementConverted, On: "settlement step"},
	{From: SettlementConverted, To: SettlementSent, On: "seen on the chain"},
	{From: SettlementConverted, To: SettlementReturned, On: "deposit reversed"},
	{From: SettlementConverted, To: SettlementRefunding, On: "deposit goes back"},
	{From: SettlementConverted, To: SettlementUncertain, On: "evidence disagrees"},
	{From: SettlementSent, To: SettlementSent, On: "reorganised"},
	{From: SettlementSent, To: SettlementSettled, On: "final"},
	{From: SettlementSent, To: SettlementReturned, On: "deposit reversed"},
	{From: SettlementSent, To: SettlementRefunding, On: "could not be delivered"},
	{From: SettlementSent, To: SettlementUncertain, On: "evidence disagrees"},
	{From: SettlementSettled, To: SettlementReturned, On: "deposit reversed"},
	{From: SettlementReturned, To: SettlementReturned, On: "settlement step, seen on the chain, final"},
	{From: SettlementReturned, To: SettlementSettled, On: "what was owed is paid, what was owed is given up"},
	{From: SettlementRefunding, To: SettlementRefunding, On: "settlement step"},
	{From: SettlementRefunding, To: SettlementRefunded, On: "refund booked"},
	{From: SettlementRefunding, To: SettlementNoRefund, On: "refund rejected"},
	{From: SettlementRefunding, To: SettlementUncertain, On: "evidence disagrees"},
	{From: SettlementNoRefund, To: SettlementRefunding, On: "refund tried again"},
	{From: SettlementUncertain, To: SettlementReturned, On: "deposit reversed"},
	{From: SettlementUncertain, To: SettlementUncertain, On: "looked at again"},
	{From: SettlementUncertain, To: SettlementReceived, On: "evidence found"},
	{From: SettlementUncertain, To: SettlementConverted, On: "evidence found"},
	{From: SettlementUncertain, To: SettlementSent, On: "evidence found"},
	{From: SettlementUncertain, To: SettlementSettled, On: "evidence found"},
	{From: SettlementUncertain, To: SettlementRefunding, On: "evidence found"},
	{From: SettlementUncertain, To: SettlementRefunded, On: "evidence found"},
	{From: SettlementUncertain, To: SettlementHeld, On: "held"},
}, holds(SettlementReceived, SettlementConverted, SettlementSent, SettlementReturned, SettlementRefunding, SettlementNoRefund)...)...).Explained(actors, slices.Concat(settlementNotes, onrampNotes)...)

// holds returns moves that let a person, or a rule, stop a transaction in each of these states and later continue from
// there.
func holds(active ...SettlementStatus) []settlementMove {
	out := []settlementMove{{From: SettlementHeld, To: SettlementHeld, On: "looked at again"}}
	for _, s := range active {
		out = append(out, settlementMove{
			From: s,
			To:   SettlementHeld,
			On:   "held",
		}, settlementMove{From: SettlementHeld, To: s, On: "let go"})
	}

	return out
}

// PaymentTable returns the allowed moves of a payment's own outcome. A payment without an outcome follows its
// transaction. A CRYPTO payment makes only the first moves, because each outcome on a chain is final.
func PaymentTable() *state.Table[PaymentStatus] { return paymentTable }

var paymentTable = state.New("Outcome of a payment",
	paymentMove{From: "", To: PaymentSent, On: "handed over to the bank"},
	paymentMove{From: "", To: PaymentCompleted, On: "arrived"},
	paymentMove{From: "", To: PaymentFailed, On: "cannot arrive"},
	paymentMove{From: "", To: PaymentUnknown, On: "not known"},
	paymentMove{From: "", To: PaymentCancelled, On: "not tried"},
	paymentMove{From: PaymentSent, To: PaymentCompleted, On: "booked debit"},
	paymentMove{From: PaymentSent, To: PaymentFailed, On: "rejected by a bank"},
	paymentMove{From: PaymentSent, To: PaymentUnknown, On: "not known"},
	paymentMove{From: PaymentSent, To: PaymentReturned, On: "sent back by a bank"},
	paymentMove{From: PaymentUnknown, To: PaymentSent, On: "evidence found"},
	paymentMove{From: PaymentUnknown, To: PaymentCompleted, On: "evidence found"},
	paymentMove{From: PaymentUnknown, To: PaymentFailed, On: "evidence found"},
	paymentMove{From: PaymentUnknown, To: PaymentReturned, On: "evidence found"},
	paymentMove{From: PaymentCompleted, To: PaymentReturned, On: "late return"},
	paymentMove{From: PaymentFailed, To: PaymentRefunded, On: "tokens are back, final"},
	paymentMove{From: PaymentReturned, To: PaymentRefunded, On: "tokens are back, final"},
	paymentMove{From: PaymentReturned, To: PaymentSent, On: "resent with repaired details"},
	paymentMove{From: PaymentReturned, To: PaymentUnknown, On: "resent, not known"},
)
