package statement

import (
	"context"
	"time"

	"slipway/internal/platform/db"
)

const (
	statementColumns = "id, organisation, transaction_id, digest, sealed, made_at"
	invoiceColumns   = "id, organisation, kind, transaction_id, month, year, number, sealed, issued_at"
)

var (
	insertStatementRow = db.InsertInto("statements", statementColumns)
	insertInvoiceRow   = db.InsertInto("invoices", invoiceColumns)
	insertCollectedRow = db.InsertInto("collected_journals", "journal, organisation, invoice, day")
)

// Sealed columns: what a statement and an invoice say, as JSON.
var (
	statementContent = db.SealColumn("statements", "sealed", "id")
	invoiceContent   = db.SealColumn("invoices", "sealed", "id")
)

// Sealed are the columns that are sealed.
func Sealed() []*db.Sealed { return []*db.Sealed{statementContent, invoiceContent} }

type statementRow struct {
	ID, Organisation, Transaction, Digest, Content string
	MadeAt                                         int64
}

func (r *statementRow) dest() []any {
	return []any{
		&r.ID,
		&r.Organisation,
		&r.Transaction,
		&r.Digest,
		statementContent.Into(db.Key{&r.ID}, &r.Content),
		&r.MadeAt,
	}
}

// invoiceRow is an invoice, a credit note or a collective invoice. Of a transaction, and of an organisation's month,
// there is one of each kind.
type invoiceRow struct {
	ID, Organisation, Kind, Transaction, Month string
	Year, Number                               int64
	Content                                    string
	IssuedAt                                   int64
}

func (r *invoiceRow) dest() []any {
	return []any{
		&r.ID,
		&r.Organisation,
		&r.Kind,
		&r.Transaction,
		&r.Month,
		&r.Year,
		&r.Number,
		invoiceContent.Into(db.Key{&r.ID}, &r.Content),
		&r.IssuedAt,
	}
}

func insertStatement(tx *db.Tx, r statementRow) {
	tx.Insert(
		insertStatementRow,
		r.ID,
		r.Organisation,
		r.Transaction,
		r.Digest,
		statementContent.Of(db.Key{r.ID}, r.Content),
		r.MadeAt,
	)
}

// findStatement returns a statement with the same content that was made since a time, or db.ErrNone.
func findStatement(ctx context.Context, q db.Querier, r statementRow, since time.Time) (statementRow, error) {
	return db.One(
		ctx,
		q,
		(*statementRow).dest,
		"SELECT "+statementColumns+" FROM statements WHERE organisation = ? AND transaction_id = ? AND digest = ? "+
			"AND made_at > ? ORDER BY made_at DESC LIMIT 1",
		r.Organisation,
		r.Transaction,
		r.Digest,
		db.Micros(since),
	)
}

// statementByID reads a statement for a link. Links are signed, so there is no tenant to check.
func statementByID(ctx context.Context, q db.Querier, id string) (statementRow, error) {
	return db.One(ctx, q, (*statementRow).dest, "SELECT "+statementColumns+" FROM statements WHERE id = ?", id)
}

// forgetStatements removes the oldest statements made before a time.
func forgetStatements(tx *db.Tx, before time.Time, limit int) error {
	_, err := tx.Exec(
		"DELETE FROM statements WHERE id IN (SELECT id FROM statements WHERE made_at < ? ORDER BY made_at LIMIT ?)",
		db.Micros(before),
		int64(limit),
	)

	return err
}

func insertInvoice(tx *db.Tx, r invoiceRow) {
	tx.Insert(
		insertInvoiceRow,
		r.ID,
		r.Organisation,
		r.Kind,
		r.Transaction,
		r.Month,
		r.Year,
		r.Number,
		invoiceContent.Of(db.Key{r.ID}, r.Content),
		r.IssuedAt,
	)
}

// findInvoice returns the document of a kind and a subject, or db.ErrNone.
func findInvoice(ctx context.Context, q db.Querier, of invoiceRow) (invoiceRow, error) {
	return db.One(
		ctx,
		q,
		(*invoiceRow).dest,
		"SELECT "+invoiceColumns+" FROM invoices WHERE organisation = ? AND kind = ? AND transaction_id = ? AND month = ?",
		of.Organisation,
		of.Kind,
		of.Transaction,
		of.Month,
	)
}

// invoiceByID reads an invoice for a link. Links are signed, so there is no tenant to check.
func invoiceByID(ctx context.Context, q db.Querier, id string) (invoiceRow, error) {
	return db.One(ctx, q, (*invoiceRow).dest, "SELECT "+invoiceColumns+" FROM invoices WHERE id = ?", id)
}

// lastNumber returns the highest number of a year, or 0 if there is none.
func lastNumber(ctx context.Context, q db.Querier, year int64) (int64, error) {
	return db.Value[int64](ctx, q, "SELECT COALESCE(MAX(number), 0) FROM invoices WHERE year = ?", year)
}

func insertCollected(tx *db.Tx, r invoiceRow, journal string, day time.Time) {
	tx.Insert(insertCollectedRow, journal, r.Organisation, r.ID, day.Format(time.DateOnly))
}

// collected is what collective invoices have around a month already.
type collected struct {
	months   map[string]bool // of the two next to it, those that have one
	journals map[string]bool // with their days in the month and next to it
}

// collectedAround returns what an organisation's collective invoices have in and around a month.
func collectedAround(ctx context.Context, q db.Querier, organisation string, from, end time.Time) (collected, error) {
	months, err := db.Select(ctx, q, func(s *string) []any { return []any{s} },
		"SELECT month FROM invoices WHERE organisation = ? AND kind = ? AND month IN (?, ?)",
		organisation, string(KindCollective), from.AddDate(0, -1, 0).Format(monthForm), end.Format(monthForm))
	if err != nil {
		return collected{}, err
	}

	const around = 2 * strayDays // the day may have been another one when it was collected

	journals, err := db.Select(
		ctx,
		q,
		func(s *string) []any { return []any{s} },
		"SELECT journal FROM collected_journals WHERE organisation = ? AND day >= ? AND day < ?",
		organisation,
		from.AddDate(0, 0, -around).Format(time.DateOnly),
		end.AddDate(0, 0, around).Format(time.DateOnly),
	)

	return collected{set(months), set(journals)}, err
}

func set(of []string) map[string]bool {
	out := make(map[string]bool, len(of))
	for _, s := range of {
		out[s] = true
	}

	return out
}
