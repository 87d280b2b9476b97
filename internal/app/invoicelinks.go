package app

import (
	"context"
	"time"

	"slipway/internal/core/fault"
	"slipway/internal/identity/organisation"
	"slipway/internal/payments/invoicelink"
	"slipway/internal/platform/db"
	"slipway/internal/platform/mail"
)

// buildInvoiceLinks builds the links by which outside parties hand in their invoices.
func (a *App) buildInvoiceLinks() {
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

	a.Mail.OnFailure(mail.InvoiceRequest, a.InvoiceLinks.Undelivered)
	every(a, "invoice-links", time.Hour, a.InvoiceLinks.Expire, 1_000)
}

// makerOrAdmins returns whom to mail about a link: the person who made it, or the organisation's admins when that
// person is no active member any more.
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

// wantsFourEyes reports whether an organisation's policy asks for two people.
func wantsFourEyes(ctx context.Context, q db.Querier, org string) (bool, error) {
	p, err := organisation.PolicyOf(ctx, q, org)
	return p.FourEyes, err
}
