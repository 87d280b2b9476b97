package app

import (
	"context"
	"time"

	"slipway/internal/payments/quote"
	"slipway/internal/payments/statement"
	"slipway/internal/platform/config"
	"slipway/internal/platform/db"
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
		Mark:         markOfDocuments(a.Config.Mode),
		Book:         a.Bookkeeping,
		Taxes:        a.taxes,
		Currency:     a.Config.Operator.Currency,
		Downloads:    a.perSource(downloads),
	})

	a.Jobs.Every("statements", time.Hour, func(ctx context.Context) error { return a.Statements.Forget(ctx, 10_000) })
}

// taxes returns how the fees of transactions are taxed. Without quotes there are none.
func (a *App) taxes(ctx context.Context, q db.Querier, transactions []string) (map[string]quote.Tax, error) {
	if a.Quotes == nil {
		return nil, nil
	}

	return a.Quotes.TaxesOf(ctx, q, transactions)
}

// markOfDocuments returns what stands above every document of a deployment, so that nobody takes one for real.
func markOfDocuments(m config.Mode) string {
	if m.Mark() == "" {
		return ""
	}

	return m.Mark() + " · Nothing in this document is worth anything."
}

// issuer returns the configured operator. A deployment without real money that has none configured has a made-up one.
func (a *App) issuer() statement.Issuer {
	o := a.Config.Operator
	if o.Name == "" && !a.Config.Mode.RealMoney() {
		return statement.Issuer{
			Name:         "Slipway Sandbox AG",
			Street:       "Harbour Street 1",
			PostCode:     "8000",
			Town:         "Zürich",
			Country:      "CH",
			Registration: "CHE-000.000.000",
			TaxNote:      "This is an invoice of a sandbox: nothing of it is worth anything.",
		}
	}

	return statement.Issuer{
		Name:         o.Name,
		Street:       o.Street,
		PostCode:     o.PostCode,
		Town:         o.Town,
		Country:      o.Country,
		TaxID:        o.TaxID,
		VATID:        o.VATID,
		Registration: o.Registration,
		Contact:      o.Contact,
		TaxNote:      o.TaxNote,
		VATPercent:   o.VATPercent,
	}
}
