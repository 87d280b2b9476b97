package reconcile

import (
	"slices"

	"slipway/internal/core/money"
	"slipway/internal/payments/receivable"
	"slipway/internal/payments/transaction"
	"slipway/internal/standards/creditorref"
)

// References returns the deposit references in a bank's texts, each once: plain, in an ISO 11649 reference, or in a
// Swiss QR reference. A valid checksum does not mean that the reference is ours.
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

// Awaited is what a deposit may pay, with everything that the rule needs: a transaction, or what is owed under its
// reference.
type Awaited struct {
	T       transaction.Transaction
	Owed    []receivable.Receivable // of one organisation; none: the deposit is for the transaction
	House   string                  // the account that its payer was given
	Senders Senders
	Blocked bool // its organisation owes the house
}

// expects reports whether a deposit is still expected. What is owed is expected until it is settled.
func (a Awaited) expects(d Deposit) bool { return len(a.Owed) > 0 || expects(a.T, d) }

// amount returns what has to come.
func (a Awaited) amount() money.Amount {
	if len(a.Owed) > 0 {
		return receivable.Total(a.Owed)
	}

	return a.T.Deposit()
}

// subject returns whom the deposit is of, and the transaction that it is about, if any.
func (a Awaited) subject() (organisation, transactionID string) {
	if len(a.Owed) > 0 {
		return a.Owed[0].Organisation, a.Owed[0].Transaction
	}

	return a.T.Organisation, a.T.ID
}

// Verdict is the rule's decision about a deposit.
type Verdict struct {
	Match                     bool
	Organisation, Transaction string // that it pays, or that it names although something differs
	Owner                     string // the organisation whose it certainly is: it names it, and comes from it
	Reason                    Reason // set if it is no match
}

// Decide compares a deposit with what its references name. It is pure and has two results: everything agrees with
// exactly one transaction, or with what is owed under one reference, or suspense. found is the number of references
// with a valid checksum.
//
// Reasons are checked in their order (D-04 to D-07): first a deposit without a transaction, then what differs from the
// one it names.
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
	want := a.amount()

	var out Verdict
	out.Organisation, out.Transaction = a.subject()

	if a.Senders.include(d) {
		out.Owner = out.Organisation
	}

	switch {
	case !a.expects(d):
		out.Reason = ReasonNotOpen
	case a.House != "" && a.House != d.House:
		out.Reason = ReasonAccount
	case want.Asset() != d.Amount.Asset():
		out.Reason = ReasonCurrency
	case d.Amount.Cmp(want) < 0:
		out.Reason = ReasonUnder
	case d.Amount.Cmp(want) > 0:
		out.Reason = ReasonOver
	case !a.Senders.include(d):
		out.Reason = ReasonSender
	case a.Blocked && len(a.Owed) == 0:
		out.Reason = ReasonBlocked
	default:
		out.Match = true
	}

	return out
}

// expects reports whether a transaction still expects its deposit. A deposit booked after the deadline is late, however
// little (D-07). The booking day counts until its end, since banks name no hour.
func expects(t transaction.Transaction, d Deposit) bool {
	return waits(t) && (t.ExpiresAt.IsZero() || d.BookedAt.Before(t.ExpiresAt))
}

// waits reports whether an ONRAMP transaction waits for a deposit, whatever its deadline.
func waits(t transaction.Transaction) bool {
	return t.Type == transaction.TypeOnramp && t.Status == transaction.StatusWaiting &&
		(t.Settlement == transaction.SettlementAwaiting || t.Settlement == transaction.SettlementMismatch)
}
