package bookkeeping

import (
	"context"

	"slipway/internal/platform/db"
)

var insertAccount = db.InsertInto("bookkeeping_accounts", "organisation, kind, number, name")

// ChartOf returns an organisation's table of accounts: its own, and the proposed ones for all other kinds.
func ChartOf(ctx context.Context, q db.Querier, organisation string) (Chart, error) {
	rows, err := db.Select(ctx, q, func(a *Account) []any { return []any{&a.Kind, &a.Number, &a.Name} },
		"SELECT kind, number, name FROM bookkeeping_accounts WHERE organisation = ?", organisation)

	out := proposed()
	for _, a := range rows {
		a.Class = out[a.Kind].Class
		out[a.Kind] = a
	}

	return out, err
}

// writeChart replaces an organisation's own accounts.
func writeChart(tx *db.Tx, organisation string, accounts []Account) error {
	if _, err := tx.Exec("DELETE FROM bookkeeping_accounts WHERE organisation = ?", organisation); err != nil {
		return err
	}

	for _, a := range accounts {
		tx.Insert(insertAccount, organisation, a.Kind, a.Number, a.Name)
	}

	return nil
}
