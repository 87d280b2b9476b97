package bookkeeping

import (
	"context"

	"slipway/internal/platform/db"
)

var insertAccount = db.InsertInto("bookkeeping_accounts", "organisation, "+accountColumns)

// accountColumns are those of an account besides the organisation's, in the order of dest.
const accountColumns = "kind, asset, place, number, name, tax_code, cost_centre"

func (a *Account) dest() []any {
	return []any{&a.Kind, &a.Asset, &a.Location, &a.Number, &a.Name, &a.TaxCode, &a.CostCentre}
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
		tx.Insert(insertAccount, organisation, a.Kind, a.Asset, a.Location, a.Number, a.Name, a.TaxCode, a.CostCentre)
	}

	return nil
}
