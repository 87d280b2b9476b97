// Package payee shows receivers with their wallets and bank accounts, and has the operations of receivers. What a
// receiver, a wallet and a bank account are and may be, their own packages decide.
//
// Read payee.go (the view), then http.go (the operations).
package payee

import (
	"context"
	"maps"
	"slices"
	"time"

	"slipway/internal/core/record"
	"slipway/internal/directory/bankaccount"
	"slipway/internal/directory/receiver"
	"slipway/internal/directory/refdata"
	"slipway/internal/directory/wallet"
	"slipway/internal/identity/organisation"
	"slipway/internal/identity/user"
	"slipway/internal/platform/db"
)

// Service has the operations of receivers.
type Service struct {
	DB        *db.DB
	Receivers *receiver.Service
	// Around returns the organisation of receivers, and people of it by identifier, as receivers show them; nil: they
	// show identifiers.
	Around func(ctx context.Context, q db.Querier, organisation string, people []string) (
		organisation.Embedded, map[string]user.Embedded, error)
}

// View is a Receiver of the interface.
type View = receiver.View

// Views returns the interface's form of receivers of an organisation. The number of statements does not depend on the
// number of receivers.
func (s *Service) Views(
	ctx context.Context,
	q db.Querier,
	org string,
	receivers []receiver.Receiver,
	now time.Time,
) ([]View, error) {
	ids := make([]string, len(receivers))
	owners := map[string]bool{}

	for i, r := range receivers {
		ids[i] = r.ID

		if r.Owner != "" {
			owners[r.Owner] = true
		}
	}

	out := make([]View, len(receivers))
	if len(ids) == 0 {
		return out, nil
	}

	wallets, err := wallet.OfReceivers(ctx, q, org, ids, now)
	if err != nil {
		return nil, err
	}

	accounts, err := bankaccount.OfReceivers(ctx, q, org, ids, now)
	if err != nil {
		return nil, err
	}

	its, people, err := s.around(ctx, q, org, slices.Sorted(maps.Keys(owners)))
	if err != nil {
		return nil, err
	}

	for i, r := range receivers {
		out[i] = View{
			Fields:         receiver.FieldsOf(r),
			BankAccounts:   append([]receiver.BankAccountView{}, accounts[r.ID]...),
			Wallets:        append([]record.Wallet{}, wallets[r.ID]...),
			Organisation:   its,
			AllowedActions: r.AllowedActions(ctx),
		}
		if owner, ok := people[r.Owner]; ok {
			out[i].Owner = &owner
		}

		if c, ok := refdata.All().Country(r.Country); ok {
			country := c.Embedded()
			out[i].Country = &country
		}
	}

	return out, nil
}

// around returns the organisation of receivers and the people that have made them.
func (s *Service) around(
	ctx context.Context,
	q db.Querier,
	org string,
	owners []string,
) (organisation.Embedded, map[string]user.Embedded, error) {
	if s.Around != nil {
		return s.Around(ctx, q, org, owners)
	}

	people := map[string]user.Embedded{}
	for _, id := range owners {
		people[id] = user.User{ID: id}.Embed()
	}

	return organisation.Embedded{OrganisationFields: organisation.OrganisationFields{ID: org}}, people, nil
}
