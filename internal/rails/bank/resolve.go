package bank

import (
	"context"
	"errors"
	"fmt"

	"slipway/internal/core/id"
	"slipway/internal/platform/db"
)

// Action is what two persons decide about something that is on hold.
type Action string

// The actions.
const (
	ActArrived Action = "ARRIVED" // the bank has the file: its payouts wait for the bank's reports
	// the bank does not have the file: the stored bytes are handed over again under the same name
	ActSendAgain Action = "SEND_AGAIN"
	ActReject    Action = "REJECT"     // this payout was not and will not be executed
	ActPlanAgain Action = "PLAN_AGAIN" // this payout was in no file that left: another file includes it
	// a waiting file is booked although it does not follow the last statement; a doubtful entry is counted
	ActBook Action = "BOOK"
	// a waiting file is discarded; a doubtful entry is a duplicate of another one; a payment that left is accounted for
	ActDrop Action = "DROP"
	// what the bank says is right about a payee's account is taken over
	ActCorrect Action = "CORRECT"
)

// Decision is what two persons decided, and why. It is kept forever.
type Decision struct {
	Action     Action
	AskedBy    string // identifier of a user
	ApprovedBy string // of another one
	Note       string
}

func (d Decision) check() error {
	if d.AskedBy == "" || d.ApprovedBy == "" || d.AskedBy == d.ApprovedBy {
		return ErrTwoPersons
	}

	return nil
}

func (d Decision) note(tx *db.Tx, subject string) {
	tx.Insert(
		insertResolution,
		id.New(resolutionPrefix, tx.Now),
		subject,
		string(d.Action),
		d.AskedBy,
		d.ApprovedBy,
		d.Note,
		db.Micros(tx.Now),
	)
}

// End ends whatever waits under a subject, as Attention names it, by the decision of two persons: the hold of a payout,
// a file of the bank, a payment that left, what is right about an account, a doubtful entry. It returns ErrNotHeld or
// ErrNotWaiting on the second call, and db.ErrNone if there is no such thing.
func (r *Rail) End(ctx context.Context, subject string, d Decision) error {
	err := r.Resolve(ctx, subject, d)
	if !errors.Is(err, db.ErrNone) {
		return err
	}

	if err = r.ResolveFile(ctx, subject, d); !errors.Is(err, db.ErrNone) {
		return err
	}

	if err = r.ResolveCorrection(ctx, subject, d); !errors.Is(err, db.ErrNone) {
		return err
	}

	if err = r.ResolveHanded(ctx, subject, d); !errors.Is(err, db.ErrNone) {
		return err
	}

	return r.ResolveDoubt(ctx, subject, d)
}

// Resolve ends the hold of a payout by the decision of two persons. ARRIVED and SEND_AGAIN apply to its complete file
// if that is held. It returns ErrNotHeld if the payout is not on hold, also on the second call for one hold, and
// db.ErrNone if there is no such payout.
func (r *Rail) Resolve(ctx context.Context, key string, d Decision) error {
	if err := d.check(); err != nil {
		return err
	}

	return r.db.Write(ctx, func(tx *db.Tx) error {
		p, err := payoutByKey(ctx, tx, key)
		if err != nil {
			return fmt.Errorf("payout %s: %w", key, err)
		}

		if p.State != Held {
			return fmt.Errorf("payout %s: %w", key, ErrNotHeld)
		}

		d.note(tx, p.ID)

		switch {
		case d.Action == ActReject:
			if err := stillUnknown(ctx, tx, p); err != nil {
				return err
			}

			return r.refuse(ctx, tx, Held, p, Reason{
				Code: p.ReasonCode,
				Text: "not executed, by the decision of two persons: " + d.Note,
			})

		case d.Action == ActPlanAgain && p.ReasonCode == HoldUnwritable:
			leaveFile(tx, &p)
			p.State = Planned
			p.ReasonCode = ""
			p.Reason = ""
			notePayout(tx, Held, p)

			return nil

		case d.Action == ActArrived && p.ReasonCode != HoldUnwritable:
			return r.decideArrived(ctx, tx, p)
		case d.Action == ActSendAgain && p.ReasonCode == HoldUnknown:
			return sendAgain(ctx, tx, p)
		}

		return fmt.Errorf("payout %s: %s does not end a hold for %s", key, d.Action, p.ReasonCode)
	})
}

// stillUnknown refuses to reject a payout on hold whose file was meanwhile proven to be at the bank.
func stillUnknown(ctx context.Context, tx *db.Tx, p payoutRow) error {
	if p.ReasonCode != HoldUnknown {
		return nil
	}

	f, err := fileByID(ctx, tx, p.FileID)
	if err == nil && f.State != FileHeld {
		err = fmt.Errorf("it is %s: %w", f.State, ErrNotHeld)
	}

	if err != nil {
		return fmt.Errorf("file of payout %s: %w", p.ID, err)
	}

	return nil
}

func (r *Rail) decideArrived(ctx context.Context, tx *db.Tx, p payoutRow) error {
	if p.ReasonCode == HoldUnknown {
		f, err := fileByID(ctx, tx, p.FileID)
		if err != nil {
			return fmt.Errorf("file of payout %s: %w", p.ID, err)
		}

		fileArrived(tx, f) // notifyAll moves the others
	}

	if err := r.handOver(ctx, tx, &p); err != nil {
		return err
	}

	notePayout(tx, Held, p)

	return nil
}

// sendAgain returns the file to the state before it was sent. The bytes, the name and every identifier stay the same,
// so a bank that has the file after all refuses the copy.
func sendAgain(ctx context.Context, tx *db.Tx, p payoutRow) error {
	f, err := fileByID(ctx, tx, p.FileID)
	if err != nil {
		return fmt.Errorf("file of payout %s: %w", p.ID, err)
	}

	if f.State != FileHeld {
		return fmt.Errorf("file %s is %s: %w", f.ID, f.State, ErrNotHeld)
	}

	// Someone may have decided about one of its payouts meanwhile, and refunded it. It would be paid: it is in the
	// stored bytes.
	other, err := anyDecided(ctx, tx, f.ID)
	if err != nil {
		return fmt.Errorf("payouts of file %s: %w", f.ID, err)
	}

	if other {
		return fmt.Errorf(
			"file %s: another payout in it is no longer on hold and would be paid again: %w",
			f.ID,
			ErrNotHeld,
		)
	}

	now := f
	now.State = FileStored
	now.Reason = ""
	now.AskedSince = 0
	noteFile(tx, f, now)

	return noteFiledAgain(tx, f.ID)
}
