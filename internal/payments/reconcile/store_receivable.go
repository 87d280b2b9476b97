package reconcile

import (
	"context"
	"fmt"

	"slipway/internal/core/money"
	"slipway/internal/platform/db"
)

const receivableColumns = "entry, organisation, transaction_id, currency, decimals, units, proposed_by, settled_by, " +
	"note, created_at, settled_at"

var insertReceivableRow = db.InsertInto("receivables", receivableColumns)

type receivableRow struct {
	r      Receivable
	amount money.Stored
}

func (r *receivableRow) dest() []any {
	x := &r.r

	return []any{
		&x.Entry,
		&x.Organisation,
		&x.Transaction,
		&r.amount.Code,
		&r.amount.Decimals,
		&r.amount.Units,
		&x.ProposedBy,
		&x.SettledBy,
		&x.Note,
		&x.CreatedAt,
		&x.SettledAt,
	}
}

func insertReceivable(tx *db.Tx, entry string, d Deposit) {
	a := d.Amount.Stored()

	tx.Insert(
		insertReceivableRow,
		entry,
		d.Organisation,
		d.Transaction,
		a.Code,
		a.Decimals,
		a.Units,
		"",
		"",
		"",
		db.Micros(tx.Now),
		int64(0),
	)
}

func receivablesWhere(ctx context.Context, q db.Querier, condition string, args ...any) ([]Receivable, error) {
	rows, err := db.Select(ctx, q, (*receivableRow).dest,
		"SELECT "+receivableColumns+" FROM receivables WHERE "+condition, args...)
	if err != nil {
		return nil, err
	}

	out := make([]Receivable, len(rows))

	for i := range rows {
		out[i] = rows[i].r
		if out[i].Amount, err = rows[i].amount.Amount(); err != nil {
			return nil, fmt.Errorf("receivable %s: %w", out[i].Entry, err)
		}
	}

	return out, nil
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
