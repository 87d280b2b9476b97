package app

import (
	"context"
	"slices"

	"slipway/internal/directory/analysis"
	"slipway/internal/directory/document"
	"slipway/internal/directory/receiver"
	"slipway/internal/identity/comment"
	"slipway/internal/identity/organisation"
	"slipway/internal/identity/user"
	"slipway/internal/payments/payable"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/db"
)

// buildComments builds the comments on records. Each noun says here how its records are found.
func (a *App) buildComments() {
	a.comments = comment.New(comment.Deps{
		DB:        a.DB,
		Writers:   append(organisation.Writers(), organisation.Approver),
		Documents: knownDocuments,
		Subjects: []comment.Subject{
			{
				Prefix:       transaction.Prefix,
				Path:         "/transactions",
				Name:         "Transaction",
				Organisation: transaction.OrganisationOf,
				Commented:    a.Transactions.Commented,
			},
			{
				Prefix:       payable.Prefix,
				Path:         "/payables",
				Name:         "Payable",
				Organisation: payable.OrganisationOf,
			},
			{
				Prefix:       receiver.Prefix,
				Path:         "/receivers",
				Name:         "Receiver",
				Organisation: receiver.OrganisationOf,
			},
			{
				Prefix:       organisation.Prefix,
				Path:         "/organisations",
				Name:         "Organisation",
				Organisation: organisationItself,
			},
			{Prefix: user.Prefix, Organisation: noOrganisation},
			{Prefix: analysis.CasePrefix, Organisation: analysis.OrganisationOfCase},
		},
	})
}

// organisationItself returns the organisation, since a comment on it is a comment on its own record.
func organisationItself(ctx context.Context, q db.Querier, id string) (string, error) {
	o, err := organisation.ByID(ctx, q, id)
	return o.ID, err
}

// noOrganisation returns none: a user is a record of the platform, and may be a member of several organisations.
func noOrganisation(ctx context.Context, q db.Querier, id string) (string, error) {
	_, err := user.ByID(ctx, q, id)
	return "", err
}

// knownDocuments returns those of the keys that are documents of an organisation.
func knownDocuments(ctx context.Context, q db.Querier, org string, keys []string) (map[string]bool, error) {
	found, err := document.Known(ctx, q, org, slices.Clone(keys))

	out := make(map[string]bool, len(found))
	for key := range found {
		out[key] = true
	}

	return out, err
}
