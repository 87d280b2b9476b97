package settlement

import (
	"slices"
	"strconv"
	"strings"

	"slipway/internal/directory/analysis"
	"slipway/internal/payments/evidence"
	"slipway/internal/payments/outbound"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/words"
)

// blockedWhy is the statusInfo of transactions of an organisation that owes the house something (D-08).
var blockedWhy = words.Phrase("Held: a deposit of the organisation was taken back by its bank after the tokens had " +
	"gone out. Nothing is paid out until that is settled.")

// State is everything that the next action of a FIAT or ONRAMP transaction is decided from.
type State struct {
	T          transaction.Transaction
	Planned    bool              // FIAT: the pull from the wallet is stored
	Blocked    bool              // the organisation owes the house something
	Changed    bool              // the content is not what submit locked
	Facts      Facts             // FIAT: from the chain; read only while nothing is planned
	Currencies []string          // FIAT: of the payments, each once; ONRAMP: of the deposit
	Orders     []outbound.Effect // the stored ones, in any state
	Sends      []outbound.Effect // of the treasury, in any state
	Screening  analysis.Outcome  // of everybody concerned; asked only before value moves
}

// waiting returns the effects that wait for this service. An order is followed to its end even after the transaction
// has ended: the house must know what it owns. Nothing is sent any more for a deposit that was taken back.
func (s State) waiting() (out []outbound.Effect) {
	all := s.Orders
	if s.T.Type != transaction.TypeOnramp || s.T.Settlement != transaction.SettlementReturned {
		all = slices.Concat(s.Orders, s.Sends)
	}

	for _, x := range all {
		if x.Waits() {
			out = append(out, x)
		}
	}

	return out
}

// ordersOpen reports whether an order is not finished: it may have been carried out.
func (s State) ordersOpen() bool { return slices.ContainsFunc(s.Orders, outbound.Effect.Open) }

// missesOrder reports whether a currency has no order yet.
func (s State) missesOrder() bool { return len(s.Orders) < len(s.Currencies) }

// hasFilledOrder reports whether an order was carried out.
func (s State) hasFilledOrder() bool {
	return slices.ContainsFunc(s.Orders, func(x outbound.Effect) bool { return x.State == outbound.Final })
}

// NextFiat returns what to do with an accepted FIAT transaction, and why. It is pure: the same State always leads to
// the same answer. Reports of the chain and the banks move the transaction besides (evidence.go, payout.go).
func NextFiat(s State) (Action, string) {
	t := s.T

	switch {
	case len(s.waiting()) > 0:
		return Advance, ""
	case t.Status != transaction.StatusProcess:
		return Nothing, ""
	}

	switch t.Settlement {
	case transaction.SettlementPulling, transaction.SettlementHeld:
		if s.Planned && t.Settlement == transaction.SettlementPulling {
			return Nothing, "" // the rail has it
		}

		if s.Planned { // held after the tokens had arrived
			return s.convertOrPay()
		}

		if s.Blocked {
			return Wait, blockedWhy
		}

		pull := t
		pull.Settlement = transaction.SettlementPulling

		return Next(pull, false, s.Facts)

	case transaction.SettlementReceived:
		return s.convertOrPay()

	case transaction.SettlementUncertain:
		// the doubt was about an order, which is finished now
		if len(s.Orders) > 0 && len(s.Sends) == 0 && !s.Changed {
			return s.convertOrPay()
		}

	default: // with the bank, or at its end: evidence moves it
	}

	return Nothing, ""
}

// convertOrPay continues with tokens that are at the treasury. It pays only what was locked (I8), and nothing while the
// organisation owes the house.
func (s State) convertOrPay() (Action, string) {
	switch {
	case s.Changed:
		return Hold, changedWhy
	case s.Blocked:
		return Wait, blockedWhy
	case s.missesOrder():
		return Convert, ""
	}

	return PayOut, ""
}

// NextOnramp returns what to do with an ONRAMP transaction whose deposit was matched, and why. It is pure.
func NextOnramp(s State) (Action, string) {
	t := s.T

	switch {
	case len(s.waiting()) > 0:
		return Advance, ""
	case t.Status != transaction.StatusProcess:
		return Nothing, ""
	}

	switch t.Settlement {
	case transaction.SettlementReceived, transaction.SettlementHeld, transaction.SettlementUncertain:
	default:
		return Nothing, ""
	}

	switch {
	case len(s.Sends) > 0:
		return Nothing, "" // the rail has it, or a person
	case s.Blocked:
		return Wait, blockedWhy
	case s.missesOrder():
		return Convert, ""
	case !s.hasFilledOrder():
		return GiveBack, ""
	}

	return Deliver, ""
}

// fiatStep returns the status of a FIAT transaction once its payments are with the bank. It follows only from the
// outcomes of its payments, the treasury's sendings and the returns, whatever order they came in.
func fiatStep(t transaction.Transaction, sends []outbound.Effect, returns []PayoutReturn) transaction.Step {
	n := countOutcomes(t)
	refunding := 0

	refused := 0
	for _, x := range sends {
		switch {
		case x.Open():
			refunding++
		case x.State == outbound.Kept:
			refused++
		}
	}

	step := transaction.Step{Status: t.Status, Info: statusInfo(t, n, refunding, refused), What: "progressed"}
	switch t.Status {
	case transaction.StatusProcess:
		step.Status, step.Settlement = n.processing(refunding)
	case transaction.StatusReleased:
		step.Status, step.Settlement = n.released(refunding)
	case transaction.StatusDraft, transaction.StatusWaiting: // not accepted
	case transaction.StatusCompleted, transaction.StatusFailed, transaction.StatusRejected: // at its end
	}

	if step.Status != t.Status {
		step.What = strings.ToLower(string(step.Status))
	}

	switch step.Status {
	case transaction.StatusFailed:
		step.Settlement = refundStatus(transaction.SettlementRefunded, refunding, refused)
	case transaction.StatusCompleted:
		step.Settlement = completedStatus(n, refunding, refused, returns)
	default: // on its way: decided above
	}

	if !transaction.SettlementTableOf(t.Type).Allows(t.Settlement, step.Settlement) {
		step.Settlement = t.Settlement
	}

	return step
}

// processing returns where a PROCESSING transaction stands. The settlement status of an ended one follows from it.
func (n count) processing(refunding int) (transaction.Status, transaction.SettlementStatus) {
	switch {
	case n.planned+n.unknown > 0:
		return transaction.StatusProcess, transaction.SettlementConverted
	case n.sent+n.paid+n.returned > 0:
		return transaction.StatusReleased, transaction.SettlementAtBank
	case refunding > 0:
		return transaction.StatusProcess, transaction.SettlementRefunding
	}

	return transaction.StatusFailed, ""
}

// released returns where a RELEASED transaction stands.
func (n count) released(refunding int) (transaction.Status, transaction.SettlementStatus) {
	switch {
	case n.planned+n.sent+n.unknown > 0:
		return transaction.StatusReleased, transaction.SettlementAtBank
	case refunding > 0 && n.paid+n.returned == 0:
		return transaction.StatusReleased, transaction.SettlementRefunding
	case refunding > 0:
		return transaction.StatusReleased, transaction.SettlementAtBank
	case n.paid+n.returned == 0:
		return transaction.StatusFailed, ""
	}

	return transaction.StatusCompleted, ""
}

// refundStatus returns the settlement status of a transaction whose tokens go back, or otherwise if none do.
func refundStatus(otherwise transaction.SettlementStatus, refunding, refused int) transaction.SettlementStatus {
	switch {
	case refunding > 0:
		return transaction.SettlementRefunding
	case refused > 0:
		return transaction.SettlementNoRefund
	}

	return otherwise
}

// completedStatus returns the settlement status of a COMPLETED transaction: SETTLED, unless payments came back.
func completedStatus(n count, refunding, refused int, returns []PayoutReturn) transaction.SettlementStatus {
	if len(returns) == 0 {
		if refused > 0 {
			return transaction.SettlementNoRefund
		}

		return transaction.SettlementSettled
	}

	for _, r := range returns {
		if r.State == ReturnHeld || r.State == ReturnReceived {
			return transaction.SettlementReturned
		}
	}

	if n.sent+n.unknown > 0 {
		return transaction.SettlementAtBank
	}

	last := transaction.SettlementSettled // all of them were paid again, or set off
	for _, r := range returns {
		if r.State != ReturnResent && r.State != ReturnSetOff {
			last = transaction.SettlementRefunded
		}
	}

	return refundStatus(last, refunding, refused)
}

// count is the number of payments with each outcome, and of those among the sent ones that wait at the bank.
type count struct{ planned, sent, waiting, unknown, paid, failed, refunded, returned int }

func countOutcomes(t transaction.Transaction) (n count) {
	for _, p := range t.Payments {
		switch p.Outcome {
		case "":
			n.planned++
		case transaction.PaymentSent:
			n.sent++

			if p.WaitsAtBank() {
				n.waiting++
			}
		case transaction.PaymentUnknown:
			n.unknown++
		case transaction.PaymentCompleted:
			n.paid++
		case transaction.PaymentFailed:
			n.failed++
		case transaction.PaymentRefunded:
			n.refunded++
		case transaction.PaymentReturned:
			n.returned++
		case transaction.PaymentCancelled: // not tried
		case transaction.PaymentDraft, transaction.PaymentLocked, transaction.PaymentProcess: // shown, never stored
		}
	}

	return n
}

// statusInfo returns the text of a FIAT transaction: how many payments failed, came back, are unknown or wait at the
// bank, and where their tokens are.
func statusInfo(t transaction.Transaction, n count, refunding, refused int) string {
	where := ""

	switch {
	case refused > 0:
		where = words.Phrase("The wallet refuses the refund; it is kept for you.")
	case refunding > 0:
		where = words.Phrase("Tokens are on their way back to the wallet.")
	case n.refunded > 0:
		where = words.Phrase("The tokens are back in the wallet.")
	}

	return words.List(
		words.Spaces,
		outcomeText(t, n.failed+n.refunded, "failed", transaction.PaymentFailed, transaction.PaymentRefunded),
		outcomeText(t, n.returned, "came back", transaction.PaymentReturned),
		outcomeText(t, n.unknown, "are being looked at", transaction.PaymentUnknown),
		outcomeText(t, n.waiting, "wait at the bank", transaction.PaymentSent),
		where,
	)
}

// outcomeText returns how many payments have one of some outcomes, and why, or "" if none has. The catalogue has a text
// for each verb.
func outcomeText(t transaction.Transaction, number int, verb string, of ...transaction.PaymentStatus) string {
	if number == 0 {
		return ""
	}

	var reasons []string
	for _, p := range t.Payments {
		if slices.Contains(of, p.Outcome) && p.StatusInfo != "" {
			reasons = append(reasons, words.Phrase("payment %[1]s: %[2]s", strconv.Itoa(p.Position+1), p.StatusInfo))
		}
	}

	some := strconv.Itoa(number)
	all := strconv.Itoa(len(t.Payments))

	if len(reasons) == 0 {
		return words.Phrase("%[1]s of %[2]s payments "+verb+".", some, all)
	}

	return words.Phrase("%[1]s of %[2]s payments "+verb+": %[3]s.", some, all, evidence.Reasons(reasons))
}
