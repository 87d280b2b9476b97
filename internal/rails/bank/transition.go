package bank

import (
	"context"
	"fmt"

	"slipway/internal/platform/db"
)

// Why a payout is HELD, in reason_code, unless the bank gave a code.
const (
	HoldUnknown    = "ARRIVAL_UNKNOWN" // nobody knows whether its file reached the bank
	HoldUnwritable = "UNWRITABLE"      // no file can carry it; it never left
)

// advance moves a payout one step in its state table, in memory. The caller writes it with notePayout.
func (p *payoutRow) advance(to State) error {
	if !States().Allows(p.State, to) {
		return fmt.Errorf("payout %s is %s and cannot become %s", p.ID, p.State, to)
	}

	p.State = to

	return nil
}

// handOver marks a payout as certainly at the bank, and notifies the observer once. It does nothing to a payout that is
// further.
func (r *Rail) handOver(ctx context.Context, tx *db.Tx, p *payoutRow) error {
	if p.State != Planned && p.State != Filed && p.State != Held {
		return nil
	}

	if err := p.advance(HandedOver); err != nil {
		return err
	}

	p.ReasonCode = ""

	p.Reason = ""
	if p.HandedAt != 0 {
		return nil
	}

	p.HandedAt = db.Micros(tx.Now)

	return r.c.Observer.HandedOver(ctx, tx, p.public())
}

// hold stops a payout until a person has decided.
func (r *Rail) hold(ctx context.Context, tx *db.Tx, p payoutRow, code, why string) error {
	was := p.State
	if err := p.advance(Held); err != nil {
		return err
	}

	p.ReasonCode = code
	p.Reason = why
	notePayout(tx, was, p)
	r.log.Warn("payout held", "payout", p.ID, "key", p.Key, "reason", why)

	return r.c.Observer.Held(ctx, tx, p.public(), why)
}

// refuse ends a payout that the bank, or two persons, refused for good.
func (r *Rail) refuse(ctx context.Context, tx *db.Tx, was State, p payoutRow, why Reason) error {
	if err := p.advance(Rejected); err != nil {
		return err
	}

	p.ReasonCode = why.Code
	p.Reason = why.Text
	notePayout(tx, was, p)

	return r.c.Observer.Rejected(ctx, tx, p.public(), why)
}

// contradict records that the bank reported something that contradicts the payout's state. A person checks it.
func contradict(tx *db.Tx, p payoutRow, what string) {
	was := p.State
	p.Conflict = what
	notePayout(tx, was, p)
}

// fileArrived marks a file as arrived, if that was unknown.
func fileArrived(tx *db.Tx, f fileRow) {
	if f.State != FileSending && f.State != FileHeld && f.State != FileStored && f.State != FileSelected {
		return
	}

	now := f
	now.State = FileArrived
	now.Reason = ""
	now.SentAt = db.Micros(tx.Now)
	noteFile(tx, f, now)
}

// notifyAll notifies observers of payouts whose file is at the bank.
func (r *Rail) notifyAll(ctx context.Context) error {
	files, err := filesIn(ctx, r.db, FileArrived, filesAtOnce)
	if err != nil {
		return err
	}

	for _, f := range files {
		if err := r.notifyFile(ctx, f); err != nil {
			return fmt.Errorf("file %s: %w", f.ID, err)
		}
	}

	return nil
}

// payoutsAtOnce is how many payouts one write moves, so that others do not wait long for the writer.
const payoutsAtOnce = 250

// notifyFile moves a file's payouts to HANDED_OVER, a batch per write, and then the file itself.
func (r *Rail) notifyFile(ctx context.Context, f fileRow) error {
	for after, done := "", false; !done; {
		var last string

		err := r.db.Write(ctx, func(tx *db.Tx) error {
			members, err := membersOf(ctx, tx, f.ID, after, payoutsAtOnce)
			if err != nil {
				return err
			}

			if len(members) > 0 {
				last = members[len(members)-1]
				return r.notifyPayouts(ctx, tx, members)
			}

			last = ""

			left, err := anyUnnotified(ctx, tx, f.ID)
			if err != nil {
				return err
			}

			if done = !left; done {
				now := f
				now.State = FileHandedOver
				noteFile(tx, f, now)
			}

			return nil
		})
		if err != nil {
			return err
		}

		after = last
	}

	return nil
}

// notifyPayouts moves those of a file's payouts whose observer was not notified.
func (r *Rail) notifyPayouts(ctx context.Context, tx *db.Tx, members []string) error {
	rows, err := unnotified(ctx, tx, members)
	if err != nil {
		return err
	}

	var plain []string
	for _, p := range rows {
		was := p.State

		notified := p.HandedAt != 0
		if err := r.handOver(ctx, tx, &p); err != nil {
			return err
		}

		if was == Filed && !notified {
			plain = append(plain, p.ID)
		} else {
			notePayout(tx, was, p)
		}
	}

	return noteHandedOver(tx, plain)
}
