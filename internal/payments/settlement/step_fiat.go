package settlement

import (
	"fmt"
	"strings"

	"slipway/internal/directory/analysis"
	"slipway/internal/payments/transaction"
)

// Further actions, for FIAT and ONRAMP transactions. Each is one write, or one call outside and one write.
const (
	Wait    Action = iota + Send + 1 // held by a rule: it continues when the reason is gone
	Convert                          // ask the liquidity provider
	// FIAT: every order is finished; plan the bank's payouts and refund what cannot be converted
	PayOut
	Deliver  // ONRAMP: plan the tokens
	GiveBack // ONRAMP: the deposit cannot be converted; send it back
	// advance a treasury sending: assign its number and plan it, or find out why it moved nothing
	PlanSend
)

// blockedWhy is the statusInfo of transactions of an organisation that owes the house something (D-08).
const blockedWhy = "Held: a deposit of the organisation was taken back by its bank after the tokens had gone out. " +
	"Nothing is paid out until that is settled."

// Stand is everything that the next action of a FIAT or ONRAMP transaction is decided from.
type Stand struct {
	T           transaction.Transaction
	Planned     bool         // FIAT: the pull from the wallet is stored
	Blocked     bool         // the organisation owes the house something
	Changed     bool         // the content is not what submit locked
	Facts       Facts        // FIAT: from the chain; read only while nothing is planned
	Currencies  []string     // FIAT: of the payments, each once; ONRAMP: of the deposit
	Conversions []Conversion // the stored ones, in any state
	Sends       []TreasurySend
	Look        analysis.Outcome // screening of everybody concerned; asked only before value moves
}

// open reports whether an order is not finished: it may have been carried out.
func (s Stand) open() bool {
	for _, c := range s.Conversions {
		if c.State == ConversionAsked {
			return true
		}
	}

	return false
}

// unasked reports whether a currency has no order yet.
func (s Stand) unasked() bool { return len(s.Conversions) < len(s.Currencies) }

func (s Stand) filled() int {
	n := 0
	for _, c := range s.Conversions {
		if c.State == ConversionFilled {
			n++
		}
	}

	return n
}

// wanted returns the first treasury sending that waits for this service: to be planned, or because its refusal must be
// explained. It returns false if there is none.
func (s Stand) wanted() (TreasurySend, bool) {
	for _, x := range s.Sends {
		if x.State == SendWanted || x.State == SendRefused {
			return x, true
		}
	}

	return TreasurySend{}, false
}

// NextFiat returns what to do with an accepted FIAT transaction, and why. It is pure: the same Stand always leads to
// the same answer. Reports of the chain and the banks move the transaction besides (evidence.go, payout.go).
func NextFiat(s Stand) (Action, string) {
	t := s.T
	if _, ok := s.wanted(); ok {
		return PlanSend, ""
	}

	if s.open() { // even after the transaction has ended: the house must know what it owns
		return Convert, ""
	}

	if t.Status != transaction.StatusProcess {
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
		if len(s.Conversions) > 0 && len(s.Sends) == 0 && !s.Changed {
			return s.convertOrPay()
		}

	default: // with the bank, or at its end: evidence moves it
	}

	return Nothing, ""
}

// convertOrPay continues with tokens that are at the treasury. It pays only what was locked (I8), and nothing while the
// organisation owes the house.
func (s Stand) convertOrPay() (Action, string) {
	switch {
	case s.Changed:
		return Hold, changedWhy
	case s.Blocked:
		return Wait, blockedWhy
	case s.unasked():
		return Convert, ""
	}

	return PayOut, ""
}

// NextOnramp returns what to do with an ONRAMP transaction whose deposit was matched, and why. It is pure.
func NextOnramp(s Stand) (Action, string) {
	t := s.T
	if _, ok := s.wanted(); ok && t.Settlement != transaction.SettlementReturned {
		return PlanSend, ""
	}

	if s.open() {
		return Convert, ""
	}

	if t.Status != transaction.StatusProcess {
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
	case s.unasked():
		return Convert, ""
	case s.filled() == 0:
		return GiveBack, ""
	}

	return Deliver, ""
}

// standing returns the status of a FIAT transaction once its payments are with the bank. It follows only from the
// outcomes of its payments, the treasury's sendings and the returns, whatever order they came in.
func standing(t transaction.Transaction, sends []TreasurySend, returns []PayoutReturn) transaction.Step {
	n := tally(t)
	refunding := 0

	refused := 0
	for _, x := range sends {
		switch x.State {
		case SendWanted, SendPlanned, SendRefused, SendDoubtful:
			refunding++
		case SendFailed:
			refused++
		case SendFinal: // the tokens are back
		}
	}

	step := transaction.Step{Status: t.Status, Info: info(t, n, refunding, refused), What: "progressed"}
	switch t.Status {
	case transaction.StatusProcess:
		switch {
		case n.planned+n.unknown > 0:
			step.Settlement = transaction.SettlementConverted

		case n.sent+n.paid+n.returned > 0:
			step.Status = transaction.StatusReleased
			step.Settlement = transaction.SettlementAtBank
			step.What = "released"

		case refunding > 0:
			step.Settlement = transaction.SettlementRefunding
		default:
			step.Status = transaction.StatusFailed
			step.What = "failed"
		}

	case transaction.StatusReleased:
		switch {
		case n.planned+n.sent+n.unknown > 0:
			step.Settlement = transaction.SettlementAtBank
		case refunding > 0 && n.paid+n.returned == 0:
			step.Settlement = transaction.SettlementRefunding
		case refunding > 0:
			step.Settlement = transaction.SettlementAtBank
		case n.paid+n.returned == 0:
			step.Status = transaction.StatusFailed
			step.What = "failed"
		default:
			step.Status = transaction.StatusCompleted
			step.What = "completed"
		}

	case transaction.StatusDraft, transaction.StatusWaiting: // not accepted
	case transaction.StatusCompleted, transaction.StatusFailed, transaction.StatusRejected: // at its end
	}

	switch step.Status {
	case transaction.StatusFailed:
		step.Settlement = ended(transaction.SettlementRefunded, refunding, refused)
	case transaction.StatusCompleted:
		step.Settlement = afterwards(n, refunding, refused, returns)
	default: // on its way: decided above
	}

	if !transaction.SettlementTableOf(t.Type).Allows(t.Settlement, step.Settlement) {
		step.Settlement = t.Settlement
	}

	return step
}

func ended(otherwise transaction.SettlementStatus, refunding, refused int) transaction.SettlementStatus {
	switch {
	case refunding > 0:
		return transaction.SettlementRefunding
	case refused > 0:
		return transaction.SettlementNoRefund
	}

	return otherwise
}

// afterwards returns the settlement status of a COMPLETED transaction: SETTLED, unless payments came back.
func afterwards(n count, refunding, refused int, returns []PayoutReturn) transaction.SettlementStatus {
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

	last := transaction.SettlementSettled // all of them were paid again
	for _, r := range returns {
		if r.State != ReturnResent {
			last = transaction.SettlementRefunded
		}
	}

	return ended(last, refunding, refused)
}

// count is the number of payments with each outcome.
type count struct{ planned, sent, unknown, paid, failed, refunded, returned int }

func tally(t transaction.Transaction) (n count) {
	for _, p := range t.Payments {
		switch p.Outcome {
		case "":
			n.planned++
		case transaction.PaymentSent:
			n.sent++
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

// info returns the statusInfo of a FIAT transaction: how many payments failed, came back or are unknown, and where
// their tokens are.
func info(t transaction.Transaction, n count, refunding, refused int) string {
	var parts []string
	say := func(k int, outcome string, of ...transaction.PaymentStatus) {
		if k == 0 {
			return
		}

		var reasons []string

		more := 0
		for _, p := range t.Payments {
			for _, s := range of {
				if p.Outcome != s || p.StatusInfo == "" {
					continue
				}

				const shown = 3
				if len(reasons) == shown {
					more++
					continue
				}

				reasons = append(
					reasons,
					fmt.Sprintf("payment %d: %s", p.Position+1, strings.TrimSuffix(p.StatusInfo, ".")),
				)
			}
		}

		text := fmt.Sprintf("%d of %d payments %s", k, len(t.Payments), outcome)
		if len(reasons) > 0 {
			text += ": " + strings.Join(reasons, "; ")
		}

		if more > 0 {
			text += fmt.Sprintf("; and %d more", more)
		}

		parts = append(parts, text+".")
	}
	say(n.failed+n.refunded, "failed", transaction.PaymentFailed, transaction.PaymentRefunded)
	say(n.returned, "came back", transaction.PaymentReturned)
	say(n.unknown, "are being looked at", transaction.PaymentUnknown)

	switch {
	case refused > 0:
		parts = append(parts, "The wallet refuses the refund; it is kept for you.")
	case refunding > 0:
		parts = append(parts, "Tokens are on their way back to the wallet.")
	case n.refunded > 0:
		parts = append(parts, "The tokens are back in the wallet.")
	}

	return strings.Join(parts, " ")
}
