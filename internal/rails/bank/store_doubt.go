package bank

import (
	"context"

	"slipway/internal/platform/db"
)

// isMatched reports whether a booking, or a part of it, was matched with a payout.
func isMatched(ctx context.Context, q db.Querier, booking string) (bool, error) {
	const query = `SELECT EXISTS(SELECT 1 FROM bank_matches WHERE movement >= ? AND movement < ?)
		OR EXISTS(SELECT 1 FROM bank_returns WHERE movement >= ? AND movement < ?)`

	end := booking + "0" // a slash sorts right before a zero: the range covers the booking and its parts

	return db.Value[bool](ctx, q, query, booking, end, booking, end)
}

// replaceParts marks the parts of a booking as replaced and returns the highest number among all it ever had.
func replaceParts(ctx context.Context, tx *db.Tx, booking string) (int64, error) {
	last, err := db.Value[int64](ctx, tx, "SELECT COALESCE(MAX(number), 0) FROM bank_parts WHERE entry_id = ?", booking)
	if err != nil {
		return 0, err
	}

	_, err = tx.Exec("UPDATE bank_parts SET replaced = TRUE WHERE entry_id = ? AND NOT replaced", booking)

	return last, err
}

// noteDetails writes the number of a booking's parts and who paid.
func noteDetails(tx *db.Tx, k *known) {
	texts := entryTexts.Of(db.Key{k.id}, k.payerAccount, k.remittance, k.returnText, k.info)

	tx.Change("UPDATE bank_entries SET parts = ?, bare = FALSE, counterparty = ?, sealed = ? WHERE id = ?",
		k.parts, k.payer, texts, k.id)
}

// noteConfirmed makes a doubtful booking count.
func noteConfirmed(tx *db.Tx, booking string) {
	tx.Change("UPDATE bank_entries SET status = 'BOOK' WHERE id = ? AND status = 'DOUBT'", booking)
}

// setEntries updates a column of some bookings.
func setEntries(tx *db.Tx, ids []string, set string, args ...any) error {
	if len(ids) == 0 {
		return nil
	}

	var w db.Where
	db.In(&w, "id", ids)
	_, err := tx.Exec("UPDATE bank_entries SET "+set+w.SQL(), append(args, w.Args...)...)

	return err
}

// notifiedBy returns those files of stored bookings that contain the same notification.
func notifiedBy(ctx context.Context, q db.Querier, by *source, stored []*known) (map[string]bool, error) {
	files := make([]string, len(stored))
	for i, k := range stored {
		files[i] = k.file
	}

	var w db.Where
	w.And("statement_id = ?", by.name)
	db.In(&w, "file_id", files)
	rows, err := db.Select(ctx, q, func(s *string) []any {
		return []any{s}
	}, "SELECT file_id FROM bank_statements"+w.SQL(), w.Args...)

	out := make(map[string]bool, len(rows))
	for _, f := range rows {
		out[f] = true
	}

	return out, err
}

// endDoubt sets the state of a doubt, whatever it was: a statement that lists the booking overrides a decision too.
func endDoubt(tx *db.Tx, entryID, state string) {
	tx.Change("UPDATE bank_doubts SET state = ?, updated_at = ? WHERE entry_id = ?", state, db.Micros(tx.Now), entryID)
}

// openDoubt returns the booking that a doubtful one resembles, and false if there is no open doubt about it.
func openDoubt(ctx context.Context, q db.Querier, entryID string) (like string, open bool, err error) {
	const none = "-"

	like, err = db.Value[string](ctx, q,
		"SELECT COALESCE(MAX(like_entry), '"+none+"') FROM bank_doubts WHERE entry_id = ? AND state = 'OPEN'", entryID)

	return like, like != none, err
}

// doubtRow is an open doubt: entry b may duplicate a.
type doubtRow struct{ b, a string }

// doubtRows reads open doubts. If a was itself found to be a duplicate, it returns what a duplicates.
func doubtRows(ctx context.Context, q db.Querier, limit int) ([]doubtRow, error) {
	const query = `SELECT d.entry_id, COALESCE(s.like_entry, d.like_entry) FROM bank_doubts d
		LEFT JOIN bank_doubts s ON s.entry_id = d.like_entry AND s.state = 'SAME'
		WHERE d.state = 'OPEN' AND d.like_entry <> '' ORDER BY d.entry_id LIMIT ?`

	return db.Select(ctx, q, func(d *doubtRow) []any { return []any{&d.b, &d.a} }, query, int64(limit))
}

// doubtsIn counts the open doubts about bookings of a statement.
func doubtsIn(ctx context.Context, q db.Querier, statement string) (int64, error) {
	const query = `SELECT count(*) FROM bank_doubts d JOIN bank_entries e ON e.id = d.entry_id
		WHERE d.state = 'OPEN' AND e.statement = ?`

	return db.Value[int64](ctx, q, query, statement)
}

// countedOf reads the sums that were booked for a statement, one of each write.
func countedOf(ctx context.Context, q db.Querier, statement string) ([]string, error) {
	return db.Select(ctx, q, func(s *string) []any { return []any{s} },
		"SELECT units FROM bank_counted WHERE statement = ?", statement)
}

// coverageOf reads the days that an account's statements cover.
func coverageOf(ctx context.Context, q db.Querier, account string) (coverage, error) {
	days, err := db.One(ctx, q, func(d *[2]string) []any {
		return []any{&d[0], &d[1]}
	}, `SELECT COALESCE(MIN(first_on), ''), COALESCE(MAX(closing_on), '')
		FROM bank_statements WHERE account = ? AND kind = 'camt.053' AND place <> ''`, account)

	return coverage{dayMicros(days[0]), dayMicros(days[1])}, err
}

// noteRepeated changes the place of a statement: stored ones account for all of it.
func noteRepeated(tx *db.Tx, statement string) {
	tx.Change("UPDATE bank_statements SET place = ?, base = closing WHERE id = ?", placeAgain, statement)
}
