package reconcile

import (
	"context"
	"fmt"

	"slipway/internal/core/money"
	"slipway/internal/platform/db"
)

var receivableTable = db.NewTable("receivables", (*receivableRow).columns)

type receivableRow struct {
	Receivable

	amount money.Stored
}

func (r *receivableRow) columns(c *db.Columns) {
	c.Text("entry", &r.Entry)
	c.Text("organisation", &r.Organisation)
	c.Text("transaction_id", &r.Transaction)
	c.Text("currency", &r.amount.Code)
	c.Int64("decimals", &r.amount.Decimals)
	c.Text("units", &r.amount.Units)
	c.Text("proposed_by", &r.ProposedBy)
	c.Text("settled_by", &r.SettledBy)
	c.Text("note", &r.Note)
	c.Int64("created_at", &r.CreatedAt)
	c.Int64("settled_at", &r.SettledAt)
}

func (r *receivableRow) value() (x Receivable, err error) {
	x = r.Receivable
	if x.Amount, err = r.amount.Amount(); err != nil {
		err = fmt.Errorf("receivable %s: %w", x.Entry, err)
	}

	return x, err
}

func insertReceivable(tx *db.Tx, entry string, d Deposit) {
	x := Receivable{
		Entry:        entry,
		Organisation: d.Organisation,
		Transaction:  d.Transaction,
		CreatedAt:    db.Micros(tx.Now),
	}
	receivableTable.Insert(tx, &receivableRow{Receivable: x, amount: d.Amount.Stored()})
}

func receivablesWhere(ctx context.Context, q db.Querier, condition string, args ...any) ([]Receivable, error) {
	rows, err := receivableTable.Select(ctx, q, "WHERE "+condition, args...)
	if err != nil {
		return nil, err
	}

	return db.Values(rows, (*receivableRow).value)
}

func proposeReceivable(tx *db.Tx, r Receivable) {
	tx.Change(
		"UPDATE receivables SET proposed_by = ?, note = ? WHERE entry = ? AND proposed_by = '' AND settled_at = 0",
		r.ProposedBy,
		r.Note,
		r.Entry,
	)
}

func closeReceivable(tx *db.Tx, r Receivable) {
	tx.Change(
		"UPDATE receivables SET settled_by = ?, settled_at = ? WHERE entry = ? AND settled_at = 0",
		r.SettledBy,
		r.SettledAt,
		r.Entry,
	)
}

// Blocked reports whether an organisation owes the house something. While it does, nothing more is paid out for it
// (D-08).
func Blocked(ctx context.Context, q db.Querier, organisation string) (bool, error) {
	owing, err := blockedAmong(ctx, q, []string{organisation})
	return err != nil || owing[organisation], err
}

// blockedAmong returns which of some organisations owe the house something.
func blockedAmong(ctx context.Context, q db.Querier, organisations []string) (map[string]bool, error) {
	var w db.Where
	w.And("settled_at = 0")
	db.In(&w, "organisation", organisations)

	rows, err := db.Select(ctx, q, func(s *string) []any {
		return []any{s}
	}, "SELECT DISTINCT organisation FROM receivables"+w.SQL(), w.Args...)
	if err != nil {
		return nil, fmt.Errorf("receivables: %w", err)
	}

	out := make(map[string]bool, len(rows))
	for _, o := range rows {
		out[o] = true
	}

	return out, nil
}
