package bookkeeping

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"slipway/internal/platform/db"
)

var insertAccount = db.InsertInto("bookkeeping_accounts", "organisation, "+accountColumns)

// accountColumns are those of an account besides the organisation's, in the order of dest.
const accountColumns = "kind, asset, place, receiver_type, number, name, tax_code, cost_centre"

func (a *Account) dest() []any {
	return []any{
		&a.Kind,
		&a.Asset,
		&a.Location,
		&a.Receiver,
		&a.Number,
		&a.Name,
		&a.TaxCode,
		&a.CostCentre,
	}
}

// ChartOf returns an organisation's table of accounts: its own, and the proposed ones for all other kinds.
func ChartOf(ctx context.Context, q db.Querier, organisation string) (Chart, error) {
	rows, err := db.Select(ctx, q, (*Account).dest,
		"SELECT "+accountColumns+" FROM bookkeeping_accounts WHERE organisation = ?", organisation)

	out := proposed()
	for _, a := range rows {
		a.Class = out[Rule{Kind: a.Kind}].Class
		out[a.Rule] = a
	}

	return out, err
}

// writeChart replaces an organisation's own accounts.
func writeChart(tx *db.Tx, organisation string, accounts []Account) error {
	if _, err := tx.Exec("DELETE FROM bookkeeping_accounts WHERE organisation = ?", organisation); err != nil {
		return err
	}

	for _, a := range accounts {
		tx.Insert(insertAccount,
			organisation,
			a.Kind,
			a.Asset,
			a.Location,
			a.Receiver,
			a.Number,
			a.Name,
			a.TaxCode,
			a.CostCentre,
		)
	}

	return nil
}

var insertPeriodRow = db.InsertInto("book_periods", "organisation, period, kept, closed_by, reason, closed_at")

// closingsOf returns the closed months of an organisation's book, by name.
func closingsOf(ctx context.Context, q db.Querier, organisation string) (map[string]Closing, error) {
	type row struct {
		period, by, reason string
		at                 int64
	}

	rows, err := db.Select(ctx, q, func(r *row) []any { return []any{&r.period, &r.by, &r.reason, &r.at} },
		"SELECT period, closed_by, reason, closed_at FROM book_periods WHERE organisation = ?", organisation)

	out := make(map[string]Closing, len(rows))
	for _, r := range rows {
		out[r.period] = Closing{By: r.by, Reason: r.reason, At: db.Time(r.at)}
	}

	return out, err
}

// openOf returns the first open day of an organisation's book; zero: no month is closed.
func openOf(ctx context.Context, q db.Querier, organisation string) (time.Time, error) {
	last, err := db.Value[string](ctx, q,
		"SELECT period FROM book_periods WHERE organisation = ? ORDER BY period DESC LIMIT 1", organisation)
	if errors.Is(err, db.ErrNone) {
		return time.Time{}, nil
	}

	if err != nil {
		return time.Time{}, err
	}

	month, err := time.Parse(monthForm, last)

	return month.AddDate(0, 1, 0), err
}

// keptOf returns what was kept of a closed month.
func keptOf(ctx context.Context, q db.Querier, organisation, period string) (kept, error) {
	var out kept

	text, err := db.Value[string](ctx, q,
		"SELECT kept FROM book_periods WHERE organisation = ? AND period = ?", organisation, period)
	if err != nil {
		return out, fmt.Errorf("what was kept of %s: %w", period, err)
	}

	return out, json.Unmarshal([]byte(text), &out)
}

func insertPeriod(tx *db.Tx, organisation, period string, k kept, c Closing) error {
	text, err := json.Marshal(k)
	if err != nil {
		return fmt.Errorf("encode what is kept of %s: %w", period, err)
	}

	tx.Insert(insertPeriodRow, organisation, period, string(text), c.By, c.Reason, db.Micros(c.At))

	return nil
}

func deletePeriod(tx *db.Tx, organisation, period string) error {
	_, err := tx.Exec("DELETE FROM book_periods WHERE organisation = ? AND period = ?", organisation, period)

	return err
}
