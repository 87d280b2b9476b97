package bank

import (
	"context"
	"strings"

	"slipway/internal/platform/db"
	"slipway/internal/rails/bank/format"
)

var insertHanded = db.InsertInto(
	"bank_handed",
	"end_to_end_id, file_id, house, currency, units, settled, created_at",
).OrIgnore("(end_to_end_id)")

// notHanded selects payouts that have not already left in a file unknown to this database.
const notHanded = "NOT EXISTS (SELECT 1 FROM bank_handed WHERE " + sameRoot + ")"

// sameRoot compares what all identifications of a payment begin with (format.Root): the account may have taken another
// format since. Both tables have an index on it.
const sameRoot = "substr(bank_handed.end_to_end_id, 1, 13) = substr(bank_payouts.end_to_end_id, 1, 13)"

// payoutsOf reads payouts by identifications of any format.
func payoutsOf(ctx context.Context, q db.Querier, identities []string) ([]payoutRow, error) {
	roots := make([]string, len(identities))
	for i, s := range identities {
		roots[i] = format.Root(s)
	}

	var w db.Where
	db.In(&w, "substr(end_to_end_id, 1, 13)", roots)

	return payouts(ctx, q, w.SQL()[1:], w.Args...)
}

// handedRow is a row of bank_handed.
type handedRow struct{ End, FileID, House, Currency, Units string }

func (h *handedRow) dest() []any { return []any{&h.End, &h.FileID, &h.House, &h.Currency, &h.Units} }

const handedColumns = "end_to_end_id, file_id, house, currency, units"

// plannedAgain reads payments that left whose payouts were planned again since.
func plannedAgain(ctx context.Context, q db.Querier, limit int) ([]handedRow, error) {
	const query = "SELECT " + handedColumns + ` FROM bank_handed
		WHERE EXISTS (SELECT 1 FROM bank_payouts WHERE ` + sameRoot + `)
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
	var w db.Where
	db.In(&w, "kind", reportKinds())
	w.And(`(state = 'QUARANTINED' AND reason_code = ?
		OR state = 'IMPORTED' AND id IN (SELECT file_id FROM bank_reports WHERE message_id = ?))`, CodeUnknownOrder, message)

	return inboxWhere(ctx, q, strings.TrimPrefix(w.SQL(), " ")+" ORDER BY id", w.Args...)
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
