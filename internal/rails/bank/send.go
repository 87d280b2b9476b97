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

// sendAll hands over files whose bytes are stored, and checks those whose arrival is unknown.
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

// send hands over a file of which nothing has left yet. Nothing is handed over from a halted account. The order
// matters:
//
//  1. The gate advances and a copy is kept outside of the database, so that a backup that does not know the file can be
//     distinguished from one that does.
//  2. The complete file is uploaded under a temporary name.
//  3. The row becomes SENDING.
//  4. One rename hands the file over.
//
// So the channel can tell later whether the rename happened. Every attempt has its own temporary name, stored in the
// row: what another process uploads late is never renamed.
func (r *Rail) send(ctx context.Context, f fileRow) error {
	if why, err := halt.Why(ctx, r.db, HaltName(f.House)); err != nil || why != "" {
		return err
	}

	content, err := r.storedBytes(ctx, f)
	if err != nil {
		return err
	}

	if err := r.c.Gate.Advance(ctx); err != nil {
		return fmt.Errorf("advance the gate before it leaves: %w", err)
	}

	if err := r.keepCopy(ctx, f, content); err != nil {
		return err
	}

	if f, err = r.nameAttempt(ctx, f); err != nil {
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

// nameAttempt stores the temporary name for one attempt and removes what an earlier one may have left.
func (r *Rail) nameAttempt(ctx context.Context, f fileRow) (fileRow, error) {
	now := f

	now.Staged = temporaryName(f.Name, r.db.Now())
	if err := r.db.Write(ctx, func(tx *db.Tx) error { noteFile(tx, f, now); return nil }); err != nil {
		return f, err
	}

	if f.Staged == "" {
		return now, nil
	}

	if err := r.c.Channel.Discard(ctx, f.Staged); err != nil {
		return now, fmt.Errorf("discard what an earlier attempt left: %w", err)
	}

	return now, nil
}

// storedBytes reads the bytes that are sent, on every attempt. Bytes that do not match their hash never leave.
func (r *Rail) storedBytes(ctx context.Context, f fileRow) ([]byte, error) {
	content, err := fileBytes(ctx, r.db, f.ID)
	if err != nil {
		return nil, fmt.Errorf("stored bytes: %w", err)
	}

	if hashOf(content) != f.SHA256 {
		return nil, errors.New("the stored bytes do not match their stored hash: the file is not sent")
	}

	return content, nil
}

// hashOf returns the SHA-256 of a file's bytes, hexadecimal.
func hashOf(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}

// commit renames the staged file to its final name. After an error it is unknown whether the bank has it: the file
// stays SENDING.
func (r *Rail) commit(ctx context.Context, f fileRow) error {
	if err := r.c.Channel.Commit(ctx, f.Staged, f.Name); err != nil {
		return r.holdIfRefused(ctx, f, fmt.Errorf("hand over: %w", err))
	}

	failpoint.Hit("bank.renamed_unmarked")

	return r.noteArrived(ctx, f)
}

// noteArrived records that a file is at the bank, outside of the database and in it.
func (r *Rail) noteArrived(ctx context.Context, f fileRow) error {
	if err := r.markLeft(ctx, f); err != nil {
		// not fatal: a restored database asks the channel instead
		r.log.Warn("could not record outside of the database that a file left", "file", f.ID, "error", err.Error())
	}

	err := r.db.Write(ctx, func(tx *db.Tx) error { fileArrived(tx, f); return nil })
	failpoint.Hit("bank.arrived")

	return err
}

// resume asks the channel for a file whose hand-over was interrupted. It uploads nothing. What still has the attempt's
// temporary name was not handed over; what is missing may have been.
func (r *Rail) resume(ctx context.Context, f fileRow) error {
	where, size, err := r.c.Channel.Look(ctx, f.Staged, f.Name)
	if err != nil {
		return r.holdIfRefused(ctx, f, fmt.Errorf("ask the channel: %w", err))
	}

	switch {
	case where == Present:
		return r.noteArrived(ctx, f)
	case where == Staged && size == f.Size:
		return r.commit(ctx, f)
	}

	return r.waitOrHold(ctx, f)
}

// waitOrHold waits for the bank to mention a file that is not where we put it: a report or a booking moves the file on.
// After AskFor a person decides (F-02).
func (r *Rail) waitOrHold(ctx context.Context, f fileRow) error {
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

		return r.holdFile(ctx, tx, f, whyUnknown)
	})
}

// holdIfRefused holds a file that the bank has refused. Any other error of the channel is returned.
func (r *Rail) holdIfRefused(ctx context.Context, f fileRow, err error) error {
	var refused *FileRefused
	if !errors.As(err, &refused) {
		return err
	}

	return r.db.Write(ctx, func(tx *db.Tx) error { return r.holdFile(ctx, tx, f, refused.Error()) })
}

const whyUnknown = "it is not known whether the payment file reached the bank"

// holdFile holds a file and all its payouts that the bank has not mentioned.
func (r *Rail) holdFile(ctx context.Context, tx *db.Tx, f fileRow, why string) error {
	rows, err := payouts(ctx, tx, inFile+" AND state = 'PLANNED' ORDER BY id", f.ID)
	if err != nil {
		return err
	}

	for _, p := range rows {
		if err := r.hold(ctx, tx, p, HoldUnknown, why); err != nil {
			return err
		}
	}

	now := f
	now.State = FileHeld
	now.Reason = why
	noteFile(tx, f, now)

	return nil
}
