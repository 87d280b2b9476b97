package bank

import (
	"context"
	"slices"
	"strings"

	"slipway/internal/platform/db"
)

// ofFile selects the payouts of a file.
const ofFile = "id IN (SELECT payout_id FROM bank_file_payouts WHERE file_id = ?)"

func filesByID(ctx context.Context, q db.Querier, ids []string) ([]fileRow, error) {
	var w db.Where
	db.In(&w, "id", ids)

	return db.Select(ctx, q, (*fileRow).dest, "SELECT "+fileColumns+" FROM bank_files"+w.SQL(), w.Args...)
}

// latestFiles lists payment files, newest first.
func latestFiles(ctx context.Context, q db.Querier, w db.Where, n int) ([]fileRow, error) {
	query := "SELECT " + fileColumns + " FROM bank_files" + w.SQL() + " ORDER BY id DESC LIMIT ?"

	return db.Select(ctx, q, (*fileRow).dest, query, append(w.Args, limit(n))...)
}

// bookedDebits returns the movement that debits each of some payouts; payouts without one are missing.
func bookedDebits(ctx context.Context, q db.Querier, payoutIDs []string) (map[string]string, error) {
	out := map[string]string{}
	if len(payoutIDs) == 0 {
		return out, nil
	}

	type match struct{ payout, movement string }

	var w db.Where
	w.And("kind = ?", evidenceBooked)
	db.In(&w, "payout_id", payoutIDs)

	rows, err := db.Select(ctx, q, func(m *match) []any { return []any{&m.payout, &m.movement} },
		"SELECT payout_id, movement FROM bank_matches"+w.SQL(), w.Args...)
	for _, m := range rows {
		out[m.payout] = m.movement
	}

	return out, err
}

// listedRow is a booking with its status.
type listedRow struct {
	movementRow
	status string
}

func (m *listedRow) dest() []any { return append(m.movementRow.dest(), &m.status) }

// entriesByDay lists bookings, oldest first.
func entriesByDay(ctx context.Context, q db.Querier, w db.Where, n, offset int) ([]listedRow, error) {
	query := "SELECT " + movementColumns + ", status FROM bank_entries" + w.SQL() +
		" ORDER BY booked_at, id LIMIT ? OFFSET ?"

	return db.Select(ctx, q, (*listedRow).dest, query, append(w.Args, limit(n), int64(max(0, offset)))...)
}

// ObjectsByReference returns the record whose payout carries this end-to-end identification or this UETR, whatever the
// case of its letters. Of any other text it returns none.
func ObjectsByReference(ctx context.Context, q db.Querier, reference string) ([]string, error) {
	text := func(s *string) []any { return []any{s} }

	upper, lower := strings.ToUpper(reference), strings.ToLower(reference)

	switch {
	case mayBeIdentity(upper):
		return db.Select(ctx, q, text, "SELECT object FROM bank_payouts WHERE end_to_end_id = ?", upper)
	case mayBeOurUETR(lower):
		return db.Select(ctx, q, text, "SELECT object FROM bank_payouts WHERE uetr = ?", lower)
	}

	return nil, nil
}

// EndToEndOf returns the end-to-end identifications of payouts, by their keys. Keys of no payout are left out.
func EndToEndOf(ctx context.Context, q db.Querier, keys []string) (map[string]string, error) {
	return textsOf(ctx, q, "SELECT key, end_to_end_id FROM bank_payouts", "key", keys)
}

// ReferencesOf returns the bank's own references of bookings, by the bookings' identifiers. Bookings without one are
// left out.
func ReferencesOf(ctx context.Context, q db.Querier, entries []string) (map[string]string, error) {
	return textsOf(ctx, q, "SELECT id, bank_ref FROM bank_entries", "id", entries)
}

// textsOf runs a query of two columns for those whose key is one of some, and returns the second column by the first.
func textsOf(ctx context.Context, q db.Querier, query, column string, keys []string) (map[string]string, error) {
	out := map[string]string{}

	for part := range slices.Chunk(keys, 256) {
		var w db.Where
		db.In(&w, column, part)

		rows, err := db.Select(
			ctx,
			q,
			func(r *[2]string) []any { return []any{&r[0], &r[1]} },
			query+w.SQL(),
			w.Args...)
		if err != nil {
			return nil, err
		}

		for _, r := range rows {
			if r[1] != "" {
				out[r[0]] = r[1]
			}
		}
	}

	return out, nil
}
