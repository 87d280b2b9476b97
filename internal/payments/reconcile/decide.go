package reconcile

import (
	"slices"

	"slipway/internal/payments/transaction"
	"slipway/internal/standards/creditorref"
)

// References returns the deposit references that a bank's texts hold, each once: plain, in an ISO 11649 reference, in a
// Swiss QR reference. That one checks does not say that it is ours.
func References(texts []string) []string {
	out := []string{} // not nil: searched

	add := func(r string, ok bool) {
		if ok && !slices.Contains(out, r) {
			out = append(out, r)
		}
	}
	for _, t := range texts {
		for _, body := range creditorref.FindRF(t) {
			r, ok := creditorref.ParseDeposit(body)
			add(r, ok)
		}

		for _, q := range creditorref.FindQRR(t) {
			r, ok := creditorref.DepositOfQRR(q)
			add(r, ok)
		}

		for _, r := range creditorref.Find(t) {
			add(r, true)
		}
	}

	return out
}

// Awaited is what is known of a transaction that a deposit may pay: all that the rule asks.
type Awaited struct {
	T       transaction.Transaction
	House   string // the account its payer was told
	Senders Senders
	Blocked bool // its organisation owes the house
}

// Verdict is what the rule says of a deposit.
type Verdict struct {
	Match       bool
	Transaction string // that it pays, or that it names though something of it is wrong
	Reason      Reason // when it is no match
}

// Decide holds a deposit against the transactions that its references name. It is pure, and knows two answers:
// everything agrees with exactly one transaction, or suspense. found is the number of references in it that check.
//
// The order is that of the reasons (D-04 to D-07): a deposit without a transaction first, then what is wrong with it
// for that one.
func Decide(d Deposit, found int, named []Awaited) Verdict {
	switch {
	case found == 0:
		return Verdict{Reason: ReasonNoReference}
	case len(named) == 0:
		return Verdict{Reason: ReasonUnknown}
	case len(named) > 1:
		return Verdict{Reason: ReasonSeveral}
	}

	a := named[0]
	out := Verdict{Transaction: a.T.ID}

	want := a.T.Deposit()
	switch {
	case !awaits(a.T, d):
		out.Reason = ReasonNotOpen
	case a.House != "" && a.House != d.House:
		out.Reason = ReasonAccount
	case want.Asset() != d.Amount.Asset():
		out.Reason = ReasonCurrency
	case d.Amount.Cmp(want) < 0:
		out.Reason = ReasonUnder
	case d.Amount.Cmp(want) > 0:
		out.Reason = ReasonOver
	case !a.Senders.sent(d):
		out.Reason = ReasonSender
	case a.Blocked:
		out.Reason = ReasonBlocked
	default:
		out.Match = true
	}

	return out
}

// awaits says whether a transaction still waits for its deposit. One that is booked after the time is over is late,
// however short (D-07); the booking day counts to its end, since banks name no hour.
func awaits(t transaction.Transaction, d Deposit) bool {
	if t.Type != transaction.TypeOnramp || t.Status != transaction.StatusWaiting {
		return false
	}

	if t.Settlement != transaction.SettlementAwaiting && t.Settlement != transaction.SettlementMismatch {
		return false
	}

	return t.ExpiresAt.IsZero() || d.BookedAt.Before(t.ExpiresAt)
}
