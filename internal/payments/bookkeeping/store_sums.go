package bookkeeping

import (
	"context"
	"time"

	"slipway/internal/platform/db"
)

// sumsRow is a row of book_sums without its sums.
type sumsRow struct {
	organisation, day, after, basis string
}

func (r *sumsRow) dest() []any { return []any{&r.organisation, &r.day, &r.after, &r.basis} }

const sumsColumns = "organisation, day, after, basis"

var insertSums = db.InsertInto("book_sums", sumsColumns+", sums, made_at")

// sumsUntil returns the kept sums of a book that are not after a day, the newest first.
func sumsUntil(ctx context.Context, q db.Querier, organisation string, last time.Time) ([]sumsRow, error) {
	return db.Select(ctx, q, (*sumsRow).dest,
		"SELECT "+sumsColumns+" FROM book_sums WHERE organisation = ? AND day <= ? ORDER BY day DESC LIMIT ?",
		organisation, last.Format(time.DateOnly), int64(maxPeriods))
}

// allSums returns the kept sums of all books, by book and day.
func allSums(ctx context.Context, q db.Querier) ([]sumsRow, error) {
	return db.Select(ctx, q, (*sumsRow).dest, "SELECT "+sumsColumns+" FROM book_sums ORDER BY organisation, day")
}

// sums reads the sums of a row.
func (r sumsRow) sums(ctx context.Context, q db.Querier) (*subtotals, error) {
	text, err := db.Value[string](ctx, q,
		"SELECT sums FROM book_sums WHERE organisation = ? AND day = ?", r.organisation, r.day)
	if err != nil {
		return nil, err
	}

	return subtotalsFrom(text)
}

// replace writes the row in the place of another one of its day.
func (r sumsRow) replace(tx *db.Tx, sums string) error {
	_, err := tx.Exec("DELETE FROM book_sums WHERE organisation = ? AND day = ?", r.organisation, r.day)
	tx.Insert(insertSums, r.organisation, r.day, r.after, r.basis, sums, db.Micros(tx.Now))

	return err
}
