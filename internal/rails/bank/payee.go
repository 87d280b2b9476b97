package bank

import (
	"context"
	"time"

	"slipway/internal/platform/db"
	"slipway/internal/standards/iso20022/pain"
)

// Banks in the euro area check whether an account is in the name that a payment carries (verification of payee), before
// they execute it. Where it is not, they hold the payment until their customer has decided, in their portal or with a
// signature; nothing in a file can decide. No report about a name moves a payout.

// PayeeStatus is what a bank found of a payee's name.
type PayeeStatus string

// What banks find.
const (
	PayeeMatched     PayeeStatus = "MATCHED"
	PayeeClose       PayeeStatus = "PARTIAL_MATCH"
	PayeeDiffers     PayeeStatus = "NOT_MATCHED"
	PayeeUnsupported PayeeStatus = "UNSUPPORTED" // the payee's bank does not answer, or has no such service
	PayeePending     PayeeStatus = "PENDING"     // not known of this payment
)

// PayeeCheck is what a bank found of the name on a payout.
type PayeeCheck struct {
	Status PayeeStatus // "": the bank has said nothing
	Code   string      // as the bank wrote it: RVNM
	Name   string      // in whose name the account is, if that is close to the payee's
	Waits  bool        // the bank holds the payout until somebody has decided
	At     time.Time
}

// holdsText says what to do about a payment that waits.
const holdsText = "The bank holds the payment until somebody has decided, in its portal or with a signature."

// Text says what the bank found and whether it waits, or "" if it has said nothing.
func (c PayeeCheck) Text() string {
	if c.Status == "" {
		return ""
	}

	text := findingOf(c.Code).text
	if c.Name != "" {
		text += " It is in the name of " + c.Name + "."
	}

	if c.Waits {
		text += " " + holdsText
	}

	return text
}

// finding is what a code of ISO 20022 says of a name, and what a person should know.
type finding struct {
	status PayeeStatus
	waits  bool
	text   string
}

// someDiffer is said of a file or a block: at least one name in it is not the account's.
const someDiffer = "RVCM"

// findingOf returns what a code means.
func findingOf(code string) finding {
	switch code {
	case "RCVC":
		return finding{PayeeMatched, false, "The account is in the payee's name."}
	case "RVMC":
		return finding{PayeeClose, true, "The account's name is close to the payee's, and not the same."}
	case "RVNM":
		return finding{PayeeDiffers, true, "The account is not in the payee's name."}
	case "RVNA":
		return finding{PayeeUnsupported, true, "The payee's bank does not say in whose name the account is."}
	case someDiffer:
		return finding{
			PayeePending,
			true,
			"At least one name in the payment's file differs; the bank does not say which.",
		}
	}

	return finding{PayeePending, false, "The bank is still checking the name."}
}

// check returns what a row says of a payout in a state. What is executed or refused waits for nobody.
func (x payeeRow) check(s State) PayeeCheck {
	if x.payout == "" {
		return PayeeCheck{}
	}

	return PayeeCheck{
		Status: findingOf(x.code).status,
		Code:   x.code,
		Name:   x.name,
		Waits:  x.waits && (s == HandedOver || s == Accepted),
		At:     db.Time(x.at),
	}
}

// goesOn reports whether a status means that nobody has to decide about a name any more. What comes before an execution
// does not: a bank says that a file is well-formed before it asks whose the accounts are.
func (s reportedStatus) goesOn() bool {
	switch s.status {
	case "RCVD", "ACTC", "ACCP":
		return false
	}

	return s.meaning == pain.UnderWay || s.meaning == pain.Settled || s.final()
}

// applyPayee stores what a report says of the name on a payout: what the bank found, and that it waits no longer. known
// is what was stored before. A second report that says the same changes nothing.
func (r *Rail) applyPayee(ctx context.Context, tx *db.Tx, file string, v verdict, known payeeRow) error {
	if v.payee == nil && (!known.waits || !v.status.goesOn()) {
		return nil
	}

	p, err := r.arrived(ctx, tx, v)
	if err != nil || p.State == Planned {
		return err // no longer in that file
	}

	now := known
	if v.payee != nil {
		now = payeeRow{payout: p.ID, code: v.payee.status, file: file, at: db.Micros(tx.Now)}
		if findingOf(now.code).status == PayeeClose {
			now.name = v.payee.reason.Text
		}
	}

	now.waits = findingOf(now.code).waits && (v.status == nil || !v.status.goesOn())
	if now.says() == known.says() {
		return nil
	}

	storePayee(tx, now)

	c := now.check(p.State)
	if c.Waits {
		r.log.Warn("the bank waits for a decision about a payee's name", "payout", p.ID, "key", p.Key, "code", c.Code)
	}

	return r.c.Observer.PayeeChecked(ctx, tx, p.public(), c)
}

// arrived returns the payout of a verdict as it is now. Any report about it proves that its file arrived.
func (r *Rail) arrived(ctx context.Context, tx *db.Tx, v verdict) (payoutRow, error) {
	if v.status != nil { // which has been applied
		return payoutByKey(ctx, tx, v.payout.Key)
	}

	p := v.payout

	was := p.State
	if was != Filed && (was != Held || p.ReasonCode != HoldUnknown) {
		return p, nil
	}

	if err := r.proveFile(ctx, tx, p); err != nil {
		return p, err
	}

	if err := r.handOver(ctx, tx, &p); err != nil {
		return p, err
	}

	notePayout(tx, was, p)

	return p, nil
}
