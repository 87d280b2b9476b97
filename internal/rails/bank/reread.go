package bank

import (
	"context"
	"errors"
	"fmt"

	"slipway/internal/platform/db"
)

// Reread updates a database restored from a backup to what the bank knows. It restores the files that left and their
// payouts, from the copies outside of the database and from what the channel still has. Then it imports what the bank
// has sent. A file that may have left is asked for, and held for two persons if nobody can tell. Call it while the gate
// is closed. It returns its findings as sentences for people, and is safe to repeat.
func (r *Rail) Reread(ctx context.Context) (found []string, err error) {
	if err := r.dissolveFiles(ctx); err != nil {
		return nil, fmt.Errorf("files that have not left: %w", err)
	}

	files, err := r.sentFiles(ctx)
	if err != nil {
		return nil, err
	}

	var n counts
	for _, h := range files {
		if err := r.restoreFile(ctx, h, &n); err != nil {
			return n.sentences(), fmt.Errorf("payment file %s: %w", h.message, err)
		}
	}

	if err := r.notifyAll(ctx); err != nil {
		return n.sentences(), err
	}

	imported, err := r.importArchive(ctx)

	found = n.sentences()
	if imported > 0 {
		found = append(found, fmt.Sprintf("%d statements and reports of banks were imported again", imported))
	}

	if err != nil {
		return found, fmt.Errorf("archive of bank files: %w", err)
	}

	return found, r.importInbox(ctx)
}

// sentences returns the findings for people.
func (n counts) sentences() (out []string) {
	say := func(count int, format string) {
		if count > 0 {
			out = append(out, fmt.Sprintf(format, count))
		}
	}
	say(n.files, "%d payment files had left that this database did not know of")
	say(n.payouts, "%d payouts in them are not sent again")
	say(
		n.unknown,
		"%d payments in them are of payouts that this database does not have: they are not paid when they are "+
			"planned again; else two persons look at them (bank held)",
	)
	say(
		n.doubtful,
		"%d of the files may have left or not: the bank is asked, and two persons decide where it does not tell "+
			"(bank held)",
	)

	return out
}

// dissolveFiles removes payouts from files that have not left as far as the database knows. Those that did leave return
// with their file. The others go into a new file, with an execution day in the future.
func (r *Rail) dissolveFiles(ctx context.Context) error {
	for _, state := range []FileState{FileSelected, FileStored} {
		for {
			files, err := filesIn(ctx, r.db, state, filesAtOnce)
			if err != nil {
				return err
			}

			if len(files) == 0 {
				break
			}

			for _, f := range files {
				if err := r.dissolve(ctx, f); err != nil {
					return fmt.Errorf("file %s: %w", f.ID, err)
				}
			}
		}
	}

	return nil
}

func (r *Rail) dissolve(ctx context.Context, f fileRow) error {
	return r.db.Write(ctx, func(tx *db.Tx) error {
		if err := emptyFile(tx, f.ID); err != nil {
			return err
		}

		now := f
		now.State = FileDropped
		now.Reason = "a back-up of the database was put back: its payouts go in another file, or have left in one"
		noteFile(tx, f, now)

		return nil
	})
}

// importArchive imports archived files that this database does not know, in the order in which they arrived.
func (r *Rail) importArchive(ctx context.Context) (imported int, err error) {
	missing, err := r.unknownFiles(ctx)
	if err != nil {
		return 0, err
	}

	for _, m := range missing {
		if err := r.importArchived(ctx, m.hash, m.hash); err != nil {
			return imported, fmt.Errorf("%s: %w", m.hash, err)
		}

		imported++
	}

	return imported, nil
}

// importArchived imports an archived file under a name.
func (r *Rail) importArchived(ctx context.Context, hash, name string) error {
	f, err := openArchived(r.db.Keyring(), r.c.Archive, hash)
	if err != nil {
		return err
	}

	_, err = r.Import(ctx, name, f, nil)

	return errors.Join(err, f.Close())
}
