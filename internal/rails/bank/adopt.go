package bank

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"slipway/internal/platform/db"
	"slipway/internal/rails/bank/format"
)

// This file handles payments that left before a backup was restored and whose payouts the backup did not have. When
// such a payout is planned again, under the same key, it is put into the file in which it left.

// adopt puts payouts that were planned again into the files in which they left, and applies what the bank has reported
// about them.
func (r *Rail) adopt(ctx context.Context) error {
	files := map[string]bool{}

	var ends []string
	for {
		rows, err := plannedAgain(ctx, r.db, payoutsAtOnce)
		if err != nil || len(rows) == 0 && len(files) == 0 {
			return err
		}

		if len(rows) == 0 {
			break
		}

		if err := r.adoptThese(ctx, rows); err != nil {
			return err
		}

		for _, h := range rows {
			files[h.FileID] = true
			ends = append(ends, h.End)
		}
	}

	if err := r.notifyAll(ctx); err != nil {
		return err
	}

	for fileID := range files {
		if err := r.repeatReports(ctx, fileID); err != nil {
			return fmt.Errorf("reports about file %s: %w", fileID, err)
		}
	}

	for some := range slices.Chunk(ends, payoutsAtOnce) {
		if err := r.bookAdopted(ctx, some); err != nil {
			return err
		}
	}

	return nil
}

// adoptThese puts some payouts into their files. Files that are at the bank become ARRIVED again, so that observers are
// notified.
func (r *Rail) adoptThese(ctx context.Context, rows []handedRow) error {
	return r.db.Write(ctx, func(tx *db.Tx) error {
		ends := make([]string, len(rows))

		byEnd := map[string]handedRow{}
		for i, h := range rows {
			ends[i] = h.End
			byEnd[format.Root(h.End)] = h
		}

		known, err := payoutsOf(ctx, tx, ends)
		if err != nil {
			return err
		}

		files := map[string]bool{}
		for _, p := range known {
			h := byEnd[format.Root(p.EndToEndID)]
			deleteHanded(tx, h.End)

			if p.State != Planned {
				continue // the bank reported on it first
			}

			if p.EndToEndID != h.End { // the account has taken another format since
				noteIdentity(tx, p, h.End)
			}

			tx.Insert(insertFiled, p.ID, h.FileID)
			noteDifference(tx, p, h.FileID, h.Currency, h.Units)
			files[h.FileID] = true
		}

		for fileID := range files {
			f, err := fileByID(ctx, tx, fileID)
			if err != nil {
				return fmt.Errorf("file %s: %w", fileID, err)
			}

			if f.State == FileHandedOver {
				now := f
				now.State = FileArrived // notifyAll handles the added payouts
				noteFile(tx, f, now)
			}
		}

		return nil
	})
}

// repeatReports applies earlier reports about a file to the payouts that were put into it since.
func (r *Rail) repeatReports(ctx context.Context, fileID string) error {
	f, err := fileByID(ctx, r.db, fileID)
	if err != nil {
		return err
	}

	err = r.db.Write(ctx, func(tx *db.Tx) error { return r.settleBlocks(ctx, tx, []string{f.MessageID}) })
	if err != nil {
		return err
	}

	rows, err := reportsAbout(ctx, r.db, f.MessageID)
	if err != nil {
		return err
	}

	for _, row := range rows {
		if row.State == InboxQuarantined {
			err = r.importArchived(ctx, row.Hash, row.Name)
		} else {
			err = r.applyAgain(ctx, row)
		}

		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return fmt.Errorf("bank file %s: %w", row.ID, err)
		}
	}

	return nil
}

// applyAgain applies an imported report to payouts that have no report yet.
func (r *Rail) applyAgain(ctx context.Context, row inboxRow) error {
	found, err := r.examineArchived(ctx, row)
	if err != nil || found.err != nil || found.report == nil {
		return err
	}

	for from := 0; ; from += payoutsAtOnce {
		over := false

		err := r.db.Write(ctx, func(tx *db.Tx) error {
			list, err := r.verdicts(ctx, tx, found.report.statuses)
			if err != nil {
				return err
			}

			to := min(from+payoutsAtOnce, len(list))

			over = to == len(list)

			return r.applyVerdicts(ctx, tx, row.ID, slices.DeleteFunc(list[min(from, to):to], func(v verdict) bool {
				return v.payout.State != HandedOver && v.payout.State != Filed
			}))
		})
		if err != nil || over {
			return err
		}
	}
}

// bookAdopted matches bookings that arrived before the payouts they name were planned again. What people have decided
// stays unchanged.
func (r *Rail) bookAdopted(ctx context.Context, ends []string) error {
	entries, err := entriesNaming(ctx, r.db, ends)
	if err != nil {
		return err
	}

	for _, entryID := range entries {
		err := r.db.Write(ctx, func(tx *db.Tx) error {
			moves, err := movements(ctx, tx, entryID)
			if err != nil {
				return err
			}

			moves = slices.DeleteFunc(moves, func(m Entry) bool { return !slices.Contains(ends, m.EndToEndID) })
			if withdrawn, err := r.c.Observer.Withdrawn(ctx, tx, moves); err != nil || !withdrawn {
				return err
			}

			s, err := r.begin(ctx, tx, moves)
			if err != nil {
				return err
			}

			return s.settleAll(ctx, moves)
		})
		if err != nil {
			return fmt.Errorf("entry %s: %w", entryID, err)
		}
	}

	return nil
}

// ResolveHanded removes a payment that left from the attention list: two persons know what became of its transaction.
// Its payout is not sent even if it is planned again. It returns db.ErrNone if there is no such payment, and ErrNotHeld
// on the second call.
func (r *Rail) ResolveHanded(ctx context.Context, endToEndID string, d Decision) error {
	if err := d.check(); err != nil {
		return err
	}

	if d.Action != ActDrop {
		return fmt.Errorf("payment %s: DROP resolves a payment that left, not %s", endToEndID, d.Action)
	}

	end := strings.ToUpper(endToEndID)

	return r.db.Write(ctx, func(tx *db.Tx) error {
		settled, err := handedSettled(ctx, tx, end)
		if err != nil {
			return fmt.Errorf("payment %s: %w", endToEndID, err)
		}

		if settled {
			return fmt.Errorf("payment %s: %w", endToEndID, ErrNotHeld)
		}

		d.note(tx, end)
		settleHanded(tx, end)

		return nil
	})
}
