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

// inboxBatch limits the incoming files that one round imports.
const inboxBatch = 500

// importTimeout is how long an import may make no progress before another process takes it over.
const importTimeout = time.Minute

// importInbox finishes imports that a crash interrupted. Then it imports the files that the bank has put out and moves
// them to the folder "done".
func (r *Rail) importInbox(ctx context.Context) error {
	problems := []error{r.resumeImports(ctx)} // one that fails does not block the next files
	if r.c.Channel == nil {
		return errors.Join(problems...)
	}

	list, err := r.c.Channel.List(ctx)
	if err != nil {
		problems = append(problems, fmt.Errorf("list: %w", err))
	}

	for i, f := range list {
		if i == inboxBatch || ctx.Err() != nil {
			break
		}

		if err := r.importOne(ctx, f); err != nil {
			problems = append(problems, fmt.Errorf("%s: %w", f.Name, err))
		}
	}

	return errors.Join(problems...)
}

func (r *Rail) importOne(ctx context.Context, f Remote) error {
	content, err := r.c.Channel.Get(ctx, f.Name)
	if err != nil {
		return err
	}

	report, err := r.Import(ctx, f.Name, content, nil)
	if err = errors.Join(err, content.Close()); err != nil {
		return err
	}

	r.log.Info(
		"bank file imported",
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

// resumeImports finishes imports that were interrupted.
func (r *Rail) resumeImports(ctx context.Context) error {
	rows, err := inboxWhere(
		ctx,
		r.db,
		"WHERE state = 'IMPORTING' AND updated_at < ? ORDER BY id LIMIT 50",
		db.Micros(r.db.Now().Add(-importTimeout)),
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
			problems = append(problems, fmt.Errorf("resume file %s: %w", row.ID, err))
		}
	}

	return errors.Join(problems...)
}

// examineArchived runs the first pass over an archived file.
func (r *Rail) examineArchived(ctx context.Context, row inboxRow) (examined, error) {
	f, err := openArchived(r.db.Keyring(), r.c.Archive, row.Hash)
	if err != nil {
		return examined{}, fmt.Errorf("archive: %w", err)
	}

	defer func() { _ = f.Close() }()
	found := r.examineStream(ctx, bufio.NewReaderSize(f, 64<<10))

	return found, sourceError(found.err)
}

// retryWaiting books files that waited for a statement that has arrived. It terminates: each iteration books at least
// one.
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

// bookWaiting books an archived file that waited, if it can be booked now. With a decision it is booked even if it does
// not follow the statement before.
func (r *Rail) bookWaiting(ctx context.Context, row inboxRow, d *Decision) (bool, error) {
	found, err := r.examineArchived(ctx, row)
	if err != nil {
		return false, err
	}

	was := row

	err = r.db.Write(ctx, func(tx *db.Tx) error {
		row = was

		stored, err := statementsOf(ctx, tx, row.ID)
		if err != nil {
			return fmt.Errorf("statements: %w", err)
		}

		rest := found.rest(stored)
		if err := judge(ctx, tx, &row, rest); err != nil {
			return err
		}

		if d != nil && row.State == InboxWaiting {
			row.State = InboxImporting // the reason stays: it shows what was decided about
		}

		if row.State != InboxImporting {
			return nil
		}

		if d != nil {
			d.note(tx, row.ID)
		}

		noteInbox(tx, was, row)
		addStatements(tx, row.ID, stored, rest.statements)

		return nil
	})
	if errors.Is(err, db.ErrStale) && d == nil {
		return false, nil // another process books it
	}

	if err != nil || row.State != InboxImporting {
		return false, err
	}

	r.logJudged(row)
	_, err = r.book(ctx, row, found, func(int64, int) {})

	return err == nil, err
}

// ErrNotWaiting means that a file or an entry does not wait for a decision, or no longer.
var ErrNotWaiting = errors.New("it does not wait for a decision")

// ResolveFile ends the waiting of an incoming file by the decision of two persons. BOOK books it although it does not
// follow the statement before or its sums are wrong; DROP discards it, or one that cannot be used at all. For a booked
// file that does not match its balances, BOOK accepts it as it is. It returns ErrNotWaiting if the file does not wait,
// also on the second call.
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

	unread := row.State == InboxQuarantined // it can be laid aside, and not booked
	if row.State != InboxWaiting && !(unread && d.Action == ActDrop) {
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
		return fmt.Errorf("bank file %s: BOOK or DROP ends the waiting of a file, not %s", fileID, d.Action)
	}
}

// accept ends the waiting of a booked file that does not match its balances. The reason stays: it shows what was
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
