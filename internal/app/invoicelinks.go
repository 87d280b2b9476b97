package app

import (
	"context"
	"time"

	"slipway/internal/core/fault"
	"slipway/internal/identity/organisation"
	"slipway/internal/payments/invoicelink"
	"slipway/internal/platform/db"
)

// mostExpired bounds how many invoice links one run of their job ends.
const mostExpired = 1_000

// invoiceLinks builds the noun by which outside parties hand in their invoices.
func (a *App) invoiceLinks() {
	limits := invoicelink.DefaultLimits()
	if a.outside.NoLimits {
		limits = invoicelink.Limits{}
	}

	a.InvoiceLinks = invoicelink.New(invoicelink.Deps{
		DB:            a.DB,
		BaseURL:       a.Config.HTTP.BaseURL,
		Limits:        limits,
		OrgApproved:   organisationApproved,
		OrgName:       organisationName,
		Recipients:    makerOrAdmins,
		FourEyes:      wantsFourEyes,
		Payees:        a.payees(),
		StoreDocument: a.Documents.StoreThen,
		DropDocuments: a.Documents.Drop,
		BankAccounts:  a.BankAccounts,
		Wallets:       a.Wallets,
		Payables:      a.Payables,
		Mail:          a.Mail.Queue,
	})
	a.Jobs.Every("invoice-links", time.Hour, func(ctx context.Context) error {
		_, err := a.InvoiceLinks.Expire(ctx, mostExpired)
		return err
	})
}

// makerOrAdmins gives whoever made a link while he belongs to the organisation, and its admins after that.
func makerOrAdmins(ctx context.Context, q db.Querier, org, maker string) ([]string, error) {
	m, err := organisation.MemberOf(ctx, q, org, maker)
	switch {
	case err == nil && m.IsActive:
		return []string{maker}, nil
	case err != nil && !fault.Is(err, fault.NotFoundCode):
		return nil, err
	}

	return organisation.Admins(ctx, q, org)
}

func wantsFourEyes(ctx context.Context, q db.Querier, org string) (bool, error) {
	p, err := organisation.PolicyOf(ctx, q, org)
	return p.FourEyes, err
}
