package bank

import (
	"context"

	"slipway/internal/platform/db"
)

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

// plannedAgain reads payments that left whose payouts were planned again since.
func plannedAgain(ctx context.Context, q db.Querier, limit int) ([]handedRow, error) {
	const query = "SELECT " + handedColumns + ` FROM bank_handed
		WHERE EXISTS (SELECT 1 FROM bank_payouts WHERE bank_payouts.end_to_end_id = bank_handed.end_to_end_id)
		ORDER BY end_to_end_id LIMIT ?`

	return db.Select(ctx, q, (*handedRow).dest, query, int64(limit))
}

// deleteHanded removes a payment whose payout is known now.
func deleteHanded(tx *db.Tx, end string) {
	tx.Change("DELETE FROM bank_handed WHERE end_to_end_id = ?", end)
}

// handedSettled reports whether two persons have decided about a payment that left; db.ErrNone if there is none.
func handedSettled(ctx context.Context, q db.Querier, end string) (bool, error) {
	return db.Value[bool](ctx, q, "SELECT settled FROM bank_handed WHERE end_to_end_id = ?", end)
}

func settleHanded(tx *db.Tx, end string) {
	tx.Change("UPDATE bank_handed SET settled = TRUE WHERE end_to_end_id = ? AND NOT settled", end)
}

// reportsAbout reads the reports that mention a payment file, and those that were refused because a payment in them
// was unknown.
func reportsAbout(ctx context.Context, q db.Querier, message string) ([]inboxRow, error) {
	const reports = `WHERE kind = 'pain.002' AND (state = 'QUARANTINED' AND reason_code = ?
		OR state = 'IMPORTED' AND id IN (SELECT file_id FROM bank_reports WHERE message_id = ?)) ORDER BY id`

	return inboxWhere(ctx, q, reports, CodeUnknownOrder, message)
}

// entriesNaming returns the ids of bookings that contain an end-to-end identification.
func entriesNaming(ctx context.Context, q db.Querier, ends []string) ([]string, error) {
	var e, p db.Where
	db.In(&e, "end_to_end_id", ends)
	p.And("NOT replaced")
	db.In(&p, "end_to_end_id", ends)

	query := "SELECT id FROM bank_entries" + e.SQL() +
		" UNION SELECT entry_id FROM bank_parts" + p.SQL() + " ORDER BY 1"

	return db.Select(ctx, q, func(s *string) []any { return []any{s} }, query, append(e.Args, p.Args...)...)
}

// emptyFile removes all payouts from a file.
func emptyFile(tx *db.Tx, fileID string) error {
	_, err := tx.Exec("DELETE FROM bank_file_payouts WHERE file_id = ?", fileID)
	return err
}
