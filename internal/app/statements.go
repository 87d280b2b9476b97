package app

import (
	"context"
	"time"

	"slipway/internal/payments/statement"
	"slipway/internal/platform/limit"
)

// downloads limits how often one address may follow links to statements.
var downloads = limit.Rate{Events: 60, Per: time.Minute, Burst: 60}

// buildStatements builds the statements and invoices of transactions.
func (a *App) buildStatements() {
	a.Statements = statement.New(statement.Deps{
		DB:           a.DB,
		Transactions: a.Transactions,
		Keys:         a.Keys,
		BaseURL:      a.Config.HTTP.BaseURL,
		Issuer:       a.issuer(),
		Downloads:    a.perSource(downloads),
	})

	a.Jobs.Every("statements", time.Hour, func(ctx context.Context) error { return a.Statements.Forget(ctx, 10_000) })
}

// issuer returns the configured operator. A sandbox that has none configured has one of its own.
func (a *App) issuer() statement.Issuer {
	o := a.Config.Operator
	if o.Name == "" && a.sandboxed() {
		return statement.Issuer{
			Name:     "Slipway Sandbox AG",
			Street:   "Harbour Street 1",
			PostCode: "8000",
			Town:     "Zürich",
			Country:  "CH",
			TaxNote:  "This is an invoice of a sandbox: nothing of it is worth anything.",
		}
	}

	return statement.Issuer{
		Name:     o.Name,
		Street:   o.Street,
		PostCode: o.PostCode,
		Town:     o.Town,
		Country:  o.Country,
		TaxID:    o.TaxID,
		Contact:  o.Contact,
		TaxNote:  o.TaxNote,
	}
}
