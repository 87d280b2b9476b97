package bank

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"

	"slipway/internal/platform/db"
	"slipway/internal/platform/failpoint"
	"slipway/internal/platform/halt"
)

// sendAll hands over files whose bytes are stored, and looks after those of which it is not known whether they arrived.
func (r *Rail) sendAll(ctx context.Context) error {
	if r.c.Channel == nil {
		return nil
	}

	var problems []error

	for _, state := range []FileState{FileSending, FileStored} {
		files, err := filesIn(ctx, r.db, state, filesAtOnce)
		if err != nil {
			return err
		}

		for _, f := range files {
			do := r.send
			if state == FileSending {
				do = r.resume
			}

			if err := do(ctx, f); err != nil && !errors.Is(err, db.ErrStale) {
				problems = append(problems, fmt.Errorf("file %s: %w", f.ID, err))
			}
		}
	}

	return errors.Join(problems...)
}

// send hands over a file of which nothing has left. A copy of it is kept outside of the database first, and the gate
// is asked: a back-up that does not know of the file is told from one that does. Then the whole of it is at the bank
// under its temporary name before the row says SENDING, and one rename hands it over after that: so the channel can
// tell later which of the two happened last. Every try has a temporary name of its own, which the row keeps: what
// another process stages late is never renamed. Of a halted account nothing is handed over.
func (r *Rail) send(ctx context.Context, f fileRow) error {
	if why, err := halt.Why(ctx, r.db, HaltName(f.House)); err != nil || why != "" {
		return err
	}

	content, err := r.storedBytes(ctx, f)
	if err != nil {
		return err
	}

	if err := r.c.Gate.Advance(ctx); err != nil {
		return fmt.Errorf("before it leaves: %w", err)
	}

	if err := r.keepCopy(ctx, f, content); err != nil {
		return err
	}

	if f, err = r.nameTry(ctx, f); err != nil {
		return err
	}

	if err := r.c.Channel.Stage(ctx, f.Staged, content); err != nil {
		return fmt.Errorf("stage: %w", err)
	}

	failpoint.Hit("bank.staged")
	sending := f
	sending.State = FileSending
	sending.Attempts = f.Attempts + 1

	err = r.db.Write(ctx, func(tx *db.Tx) error {
		if err := halt.Check(ctx, tx, HaltName(f.House)); err != nil {
			return err
		}

		noteFile(tx, f, sending)

		return nil
	})
	if err != nil {
		return err
	}

	failpoint.Hit("bank.uploaded_unrenamed")

	return r.commit(ctx, sending)
}

// nameTry takes a temporary name for one try and removes what an earlier one may have left.
func (r *Rail) nameTry(ctx context.Context, f fileRow) (fileRow, error) {
	now := f

	now.Staged = temporaryName(f.Name, r.db.Now())
	if err := r.db.Write(ctx, func(tx *db.Tx) error { noteFile(tx, f, now); return nil }); err != nil {
		return f, err
	}

	if f.Staged == "" {
		return now, nil
	}

	if err := r.c.Channel.Discard(ctx, f.Staged); err != nil {
		return now, fmt.Errorf("discard what an earlier try has left: %w", err)
	}

	return now, nil
}

// storedBytes reads what is sent, every time. Bytes that are not those that were hashed never leave.
func (r *Rail) storedBytes(ctx context.Context, f fileRow) ([]byte, error) {
	content, err := fileBytes(ctx, r.db, f.ID)
	if err != nil {
		return nil, fmt.Errorf("stored bytes: %w", err)
	}

	if hashOf(content) != f.SHA256 {
		return nil, errors.New("the stored bytes are not those whose hash was stored with them: it is not sent")
	}

	return content, nil
}

// hashOf is the SHA-256 of a file's bytes, hexadecimal.
func hashOf(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}

// commit gives the staged file its name. After an error it is not known whether the bank has it: the file stays
// SENDING.
func (r *Rail) commit(ctx context.Context, f fileRow) error {
	if err := r.c.Channel.Commit(ctx, f.Staged, f.Name); err != nil {
		return fmt.Errorf("hand over: %w", err)
	}

	failpoint.Hit("bank.renamed_unmarked")

	return r.noteArrived(ctx, f)
}

// noteArrived notes that a file is at the bank, outside of the database and in it.
func (r *Rail) noteArrived(ctx context.Context, f fileRow) error {
	if err := r.markLeft(ctx, f); err != nil {
		// the channel is asked for it
		r.log.Warn("that a file left is not kept outside of the database", "file", f.ID, "error", err.Error())
	}

	err := r.db.Write(ctx, func(tx *db.Tx) error { fileArrived(tx, f); return nil })
	failpoint.Hit("bank.arrived")

	return err
}

// resume asks the channel for a file that was being handed over when something went wrong. It stages nothing: what is
// there under the try's temporary name has not been handed over, and what is not there may have been.
func (r *Rail) resume(ctx context.Context, f fileRow) error {
	where, size, err := r.c.Channel.Look(ctx, f.Staged, f.Name)
	if err != nil {
		return fmt.Errorf("look: %w", err)
	}

	switch {
	case where == Present:
		return r.noteArrived(ctx, f)
	case where == Staged && size == f.Size:
		return r.commit(ctx, f)
	}

	return r.keepAsking(ctx, f)
}

// keepAsking waits for what the bank says of a file that is not where we put it: its report or a booking moves the
// file on. After a while a person is asked (F-02).
func (r *Rail) keepAsking(ctx context.Context, f fileRow) error {
	return r.db.Write(ctx, func(tx *db.Tx) error {
		now := f
		if f.AskedSince == 0 {
			now.AskedSince = db.Micros(tx.Now)
			noteFile(tx, f, now)
			return nil
		}

		if tx.Now.Sub(db.Time(f.AskedSince)) < r.c.AskFor {
			return nil
		}

		return r.holdFile(ctx, tx, f)
	})
}

const whyUnknown = "it is not known whether the payment file reached the bank"

// holdFile stops a file and all payouts of it of which the bank has said nothing.
func (r *Rail) holdFile(ctx context.Context, tx *db.Tx, f fileRow) error {
	rows, err := payouts(ctx, tx, inFile+" AND state = 'PLANNED' ORDER BY id", f.ID)
	if err != nil {
		return err
	}

	for _, p := range rows {
		if err := r.hold(ctx, tx, p, holdUnknown, whyUnknown); err != nil {
			return err
		}
	}

	now := f
	now.State = FileHeld
	now.Reason = whyUnknown
	noteFile(tx, f, now)

	return nil
}
