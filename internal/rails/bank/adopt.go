package bank

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"slipway/internal/platform/db"
)

// This file handles payments that left before a backup was restored and whose payouts the backup did not have. When
// such a payout is planned again, under the same key, it is put into the file in which it left.

var insertHanded = db.InsertInto(
	"bank_handed",
	"end_to_end_id, file_id, house, currency, units, settled, created_at",
).OrIgnore("(end_to_end_id)")

// notHanded selects payouts that have not already left in a file unknown to this database.
const notHanded = "NOT EXISTS (SELECT 1 FROM bank_handed WHERE bank_handed.end_to_end_id = bank_payouts.end_to_end_id)"

// payoutsByEnd reads payouts by their end-to-end identification.
func payoutsByEnd(ctx context.Context, q db.Querier, ends []string) ([]payoutRow, error) {
	var w db.Where
	db.In(&w, "end_to_end_id", ends)
	return payouts(ctx, q, w.SQL()[1:], w.Args...)
}

// handedRow is a row of bank_handed.
type handedRow struct{ End, FileID, House, Currency, Units string }

func (h *handedRow) dest() []any { return []any{&h.End, &h.FileID, &h.House, &h.Currency, &h.Units} }

const handedColumns = "end_to_end_id, file_id, house, currency, units"

// adopt puts payouts that were planned again into the files in which they left, and applies what the bank has reported
// about them.
func (r *Rail) adopt(ctx context.Context) error {
	files := map[string]bool{}

	var ends []string
	for {
		rows, err := db.Select(ctx, r.db, (*handedRow).dest, "SELECT "+handedColumns+" FROM bank_handed WHERE "+
			"EXISTS (SELECT 1 FROM bank_payouts "+
			"WHERE bank_payouts.end_to_end_id = bank_handed.end_to_end_id) ORDER BY end_to_end_id LIMIT ?", int64(toldAtOnce))
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

	if err := r.tellAll(ctx); err != nil {
		return err
	}

	for fileID := range files {
		if err := r.repeatReports(ctx, fileID); err != nil {
			return fmt.Errorf("reports about file %s: %w", fileID, err)
		}
	}

	for some := range slices.Chunk(ends, toldAtOnce) {
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
			byEnd[h.End] = h
		}

		known, err := payoutsByEnd(ctx, tx, ends)
		if err != nil {
			return err
		}

		files := map[string]bool{}
		for _, p := range known {
			h := byEnd[p.EndToEndID]
			tx.Change("DELETE FROM bank_handed WHERE end_to_end_id = ?", h.End)

			if p.State != Planned {
				continue // the bank reported on it first
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

	rows, err := inboxWhere(
		ctx,
		r.db,
		"WHERE kind = 'pain.002' AND (state = 'QUARANTINED' AND reason_code = ? OR state = 'IMPORTED' AND "+
			"id IN (SELECT file_id FROM bank_reports WHERE message_id = ?)) ORDER BY id",
		CodeUnknownOrder,
		f.MessageID,
	)
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
	if err != nil || found.err != nil {
		return err
	}

	for from := 0; ; from += toldAtOnce {
		over := false

		err := r.db.Write(ctx, func(tx *db.Tx) error {
			list, err := r.verdicts(ctx, tx, found.said)
			if err != nil {
				return err
			}

			to := min(from+toldAtOnce, len(list))

			over = to == len(list)
			for _, v := range list[min(from, to):to] {
				if v.payout.State != HandedOver && v.payout.State != Filed {
					continue
				}

				if err := r.apply(ctx, tx, v); err != nil {
					return fmt.Errorf("payout %s: %w", v.payout.ID, err)
				}
			}

			return nil
		})
		if err != nil || over {
			return err
		}
	}
}

// bookAdopted matches bookings that arrived before the payouts they name were planned again. What people have decided
// stays unchanged.
func (r *Rail) bookAdopted(ctx context.Context, ends []string) error {
	var e, p db.Where
	db.In(&e, "end_to_end_id", ends)
	p.And("NOT replaced")
	db.In(&p, "end_to_end_id", ends)

	entries, err := db.Select(
		ctx,
		r.db,
		func(s *string) []any { return []any{s} },
		"SELECT id FROM bank_entries"+e.SQL()+" UNION SELECT entry_id FROM bank_parts"+p.SQL()+" ORDER BY 1",
		append(e.Args, p.Args...)...)
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

	return r.db.Write(ctx, func(tx *db.Tx) error {
		settled, err := db.Value[bool](
			ctx,
			tx,
			"SELECT settled FROM bank_handed WHERE end_to_end_id = ?",
			strings.ToUpper(endToEndID),
		)
		if err != nil {
			return fmt.Errorf("payment %s: %w", endToEndID, err)
		}

		if settled {
			return fmt.Errorf("payment %s: %w", endToEndID, ErrNotHeld)
		}

		d.note(tx, strings.ToUpper(endToEndID))
		tx.Change(
			"UPDATE bank_handed SET settled = TRUE WHERE end_to_end_id = ? AND NOT settled",
			strings.ToUpper(endToEndID),
		)

		return nil
	})
}
