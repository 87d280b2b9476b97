package bank

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"slipway/internal/platform/db"
)

// takenAtOnce bounds the files of the bank that one round takes.
const takenAtOnce = 500

// abandoned is after how long without progress an import is taken over from a process that may have died.
const abandoned = time.Minute

// takeInbox finishes imports that a crash left behind, then imports what the bank has put out and moves it to the
// folder done.
func (r *Rail) takeInbox(ctx context.Context) error {
	problems := []error{r.resumeImports(ctx)} // one that cannot go on does not keep the next files out
	if r.c.Channel == nil {
		return errors.Join(problems...)
	}

	list, err := r.c.Channel.List(ctx)
	if err != nil {
		problems = append(problems, fmt.Errorf("list: %w", err))
	}

	for i, f := range list {
		if i == takenAtOnce || ctx.Err() != nil {
			break
		}

		if err := r.takeOne(ctx, f); err != nil {
			problems = append(problems, fmt.Errorf("%s: %w", f.Name, err))
		}
	}

	return errors.Join(problems...)
}

func (r *Rail) takeOne(ctx context.Context, f Remote) error {
	content, err := r.c.Channel.Get(ctx, f.Name)
	if err != nil {
		return err
	}

	report, err := r.Import(ctx, f.Name, content, nil)
	if err = errors.Join(err, content.Close()); err != nil {
		return err
	}

	r.log.Info(
		"bank file taken",
		"name",
		f.Name,
		"kind",
		report.Kind,
		"outcome",
		string(report.Outcome),
		"entries",
		report.Entries,
		"new",
		report.New,
		"matched",
		report.Matched,
	)

	return r.c.Channel.Done(ctx, f.Name)
}

// resumeImports goes on with files whose import stopped in the middle.
func (r *Rail) resumeImports(ctx context.Context) error {
	rows, err := inboxWhere(
		ctx,
		r.db,
		"WHERE state = 'IMPORTING' AND updated_at < ? ORDER BY id LIMIT 50",
		db.Micros(r.db.Now().Add(-abandoned)),
	)
	if err != nil {
		return err
	}

	var problems []error
	for _, row := range rows {
		found, err := r.examineArchived(ctx, row)
		if err == nil {
			_, err = r.book(ctx, row, found, func(int64, int) {})
		}

		if err != nil {
			problems = append(problems, fmt.Errorf("go on with file %s: %w", row.ID, err))
		}
	}

	return errors.Join(problems...)
}

// examineArchived is the first pass over a file of the archive.
func (r *Rail) examineArchived(ctx context.Context, row inboxRow) (examined, error) {
	f, err := openArchived(r.db.Keyring(), r.c.Archive, row.Hash)
	if err != nil {
		return examined{}, fmt.Errorf("archive: %w", err)
	}

	defer func() { _ = f.Close() }()
	found := r.examineStream(ctx, bufio.NewReaderSize(f, 64<<10))

	return found, sourceError(found.err)
}

// retryWaiting books files that waited for a statement which is there now. It ends: each turn of it books at least one.
func (r *Rail) retryWaiting(ctx context.Context) error {
	for again := true; again; {
		again = false

		rows, err := inboxWhere(
			ctx,
			r.db,
			"WHERE state = 'WAITING' AND reason_code = ? ORDER BY id LIMIT 50",
			CodeChain,
		)
		if err != nil {
			return err
		}

		for _, row := range rows {
			booked, err := r.bookWaiting(ctx, row, nil)
			if err != nil {
				return fmt.Errorf("file %s that waited: %w", row.ID, err)
			}

			again = again || booked
		}
	}

	return nil
}

// bookWaiting books a file of the archive that waited, if it may be booked now. With a decision it is booked although
// it does not follow.
func (r *Rail) bookWaiting(ctx context.Context, row inboxRow, d *Decision) (bool, error) {
	found, err := r.examineArchived(ctx, row)
	if err != nil {
		return false, err
	}

	was := row

	err = r.db.Write(ctx, func(tx *db.Tx) error {
		row = was
		if err := judge(ctx, tx, &row, found); err != nil {
			return err
		}

		if d != nil && row.State == InboxWaiting {
			row.State = InboxImporting // the reason stays: it says what was decided about
		}

		if row.State != InboxImporting {
			return nil
		}

		if d != nil {
			d.note(tx, row.ID)
		}

		noteInbox(tx, was, row)
		addStatements(tx, row.ID, found.statements)

		return nil
	})
	if errors.Is(err, db.ErrStale) && d == nil {
		return false, nil // another process does it
	}

	if err != nil || row.State != InboxImporting {
		return false, err
	}

	_, err = r.book(ctx, row, found, func(int64, int) {})

	return err == nil, err
}

// ErrNotWaiting is the answer to a decision about a file that waits no more.
var ErrNotWaiting = errors.New("the file does not wait for a decision")

// ResolveFile ends the waiting of an incoming file by the decision of two persons: BOOK books it although it does not
// follow the statement before or its sums do not hold, DROP gives it up. For one that is booked and does not fit its
// balances, BOOK says that it stands as it is. ErrNotWaiting when it waits no more.
func (r *Rail) ResolveFile(ctx context.Context, fileID string, d Decision) error {
	if err := d.check(); err != nil {
		return err
	}

	rows, err := inboxWhere(ctx, r.db, "WHERE id = ?", fileID)
	if err != nil {
		return err
	}

	if len(rows) == 0 {
		return fmt.Errorf("bank file %s: %w", fileID, db.ErrNone)
	}

	row := rows[0]
	if row.State == InboxUnbalanced && d.Action == ActBook {
		return r.accept(ctx, row, d)
	}

	if row.State != InboxWaiting {
		return fmt.Errorf("bank file %s is %s: %w", fileID, row.State, ErrNotWaiting)
	}

	switch d.Action {
	case ActBook:
		if _, err := r.bookWaiting(ctx, row, &d); err != nil {
			return err
		}

		return r.retryWaiting(ctx)

	case ActDrop:
		return r.db.Write(ctx, func(tx *db.Tx) error {
			now := row
			now.State = InboxDropped
			d.note(tx, row.ID)
			noteInbox(tx, row, now)

			return nil
		})

	default:
		return fmt.Errorf("bank file %s: a file that waits is ended by BOOK or DROP, not %s", fileID, d.Action)
	}
}

// accept ends the waiting of a file that is booked and does not fit its balances. The reason stays: it says what was
// decided about.
func (r *Rail) accept(ctx context.Context, row inboxRow, d Decision) error {
	return r.db.Write(ctx, func(tx *db.Tx) error {
		now := row
		now.State = InboxImported
		d.note(tx, row.ID)
		noteInbox(tx, row, now)

		return nil
	})
}

// Archived opens an incoming file as the bank sent it.
func (r *Rail) Archived(ctx context.Context, fileID string) (io.ReadCloser, error) {
	rows, err := inboxWhere(ctx, r.db, "WHERE id = ?", fileID)
	if err != nil {
		return nil, err
	}

	if len(rows) == 0 {
		return nil, fmt.Errorf("bank file %s: %w", fileID, db.ErrNone)
	}

	return openArchived(r.db.Keyring(), r.c.Archive, rows[0].Hash)
}
