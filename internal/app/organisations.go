package app

import (
	"context"
	"time"

	"slipway/internal/core/fault"
	"slipway/internal/core/record"
	"slipway/internal/directory/bankaccount"
	"slipway/internal/directory/document"
	"slipway/internal/directory/network"
	"slipway/internal/directory/receiver"
	"slipway/internal/directory/refdata"
	"slipway/internal/directory/wallet"
	"slipway/internal/identity/brand"
	"slipway/internal/identity/idv"
	"slipway/internal/identity/organisation"
	"slipway/internal/platform/db"
	"slipway/internal/platform/mail"
)

// buildOrganisations builds organisations and their members.
func (a *App) buildOrganisations() {
	a.Organisation = organisation.New(organisation.Config{
		DB:        a.DB,
		Countries: countryOf,
		OnCreate:  createSelf,
		OnRename:  renameSelf,
		Pair:      pairOf,
		Changed:   a.tokens.Drop,
		Mail:      a.Mail,
		BaseURL:   a.Config.HTTP.BaseURL,
		Approvals: a.Approvals,
		Currency:  currencyOrToken,
		Token:     tokenCode,
		Fiat:      currencyCode,
		Verified:  idv.Known,
		Pays:      paysFrom,
		Paid:      shownToken,
		Levels:    idv.LevelsOf,

		Belongings: a.belongings,
	})
	a.Mail.OnFailure(mail.Invitation, a.Organisation.InvitationUndelivered)
	every(a, "invitations", time.Hour, a.Organisation.EndInvitations, 1_000)

	a.Brands = brand.New(a.DB)
}

// createSelf creates a new organisation's own receiver, in the transaction that creates the organisation.
func createSelf(ctx context.Context, tx *db.Tx, o organisation.Organisation) error {
	return receiver.CreateSelf(ctx, tx, o.ID, ownOf(o))
}

// renameSelf gives the organisation's own receiver the organisation's new details.
func renameSelf(ctx context.Context, tx *db.Tx, o organisation.Organisation) error {
	return receiver.RenameSelf(ctx, tx, o.ID, ownOf(o))
}

// ownOf returns what the self-receiver takes from its organisation.
func ownOf(o organisation.Organisation) receiver.Own {
	own := receiver.Own{
		Type:      receiver.Company,
		LegalName: o.Name,
		Email:     o.PayablesEmail,
		Country:   o.Country,
		Address:   receiver.Address{AddressLine1: o.AddressLine1, PostCode: o.PostCode, City: o.City},
	}
	if o.Type == organisation.TypeHNWI {
		own.Type = receiver.Individual
		own.FirstName = o.FirstName
		own.LastName = o.LastName
		own.LegalName = ""
	}

	return own
}

// paysFrom adds a fault for each reason why the organisation's payables cannot be paid by default from its wallet or
// with its token.
func paysFrom(ctx context.Context, q db.Querier, o *organisation.Organisation, l *fault.List) error {
	if t, ok := refdata.All().Token(o.DefaultToken); ok && !t.Native {
		o.DefaultToken = t.Code
	} else if o.DefaultToken != "" {
		l.Add("/defaultToken", fault.TokenUnknown, "is not a token that payments are made with.")
	}

	if o.DefaultWallet == "" {
		return nil
	}

	self, err := receiver.Self(ctx, q, o.ID)
	if err != nil {
		return err
	}

	w, err := wallet.ByID(ctx, q, o.ID, o.DefaultWallet)
	if fault.Is(err, fault.NotFoundCode) || err == nil && w.Receiver != self.ID {
		l.Add("/defaultWallet", fault.PayerWallet, "must be a stored wallet of your organisation's own receiver.")
		return nil
	}

	return err
}

// shownToken returns a token with its addresses, or nil if there is no such token any more.
func shownToken(ctx context.Context, q db.Querier, code string) (*record.Token, error) {
	t, ok := refdata.All().Token(code)
	if !ok {
		return nil, nil
	}

	at, err := network.Addresses(ctx, q)
	view := t.View(at[t.Code])

	return &view, err
}

// documentsShown limits the documents that an organisation shows.
const documentsShown = 100

// belongings returns what organisations have elsewhere: wallets and bank accounts of their own receivers, and
// documents.
func (a *App) belongings(
	ctx context.Context,
	q db.Querier,
	ids []string,
) (map[string]organisation.Belongings, error) {
	wallets, err := wallet.OfOrganisations(ctx, q, ids, a.DB.Now())
	if err != nil {
		return nil, err
	}

	accounts, err := bankaccount.OfOrganisations(ctx, q, ids)
	if err != nil {
		return nil, err
	}

	names, err := organisation.NamesOf(ctx, q, ids)
	if err != nil {
		return nil, err
	}

	documents, err := document.LatestOf(ctx, q, ids, documentsShown)
	if err != nil {
		return nil, err
	}

	out := make(map[string]organisation.Belongings, len(ids))
	for _, id := range ids {
		out[id] = organisation.Belongings{Wallets: wallets[id], Documents: documents[id]}
	}

	for _, x := range accounts {
		b := out[x.Organisation]
		b.Senders = append(b.Senders, senderOf(x, names[x.Organisation]))
		out[x.Organisation] = b
	}

	return out, nil
}

// senderOf returns one of an organisation's own bank accounts as the sender of deposits. A deposit carries the first of
// the organisation's names, or another one of them.
func senderOf(x bankaccount.Account, names []string) organisation.Sender {
	s := organisation.Sender{
		ID:            x.ID,
		IBAN:          x.IBAN,
		AccountNumber: x.AccountNumber,
		BankName:      x.BankName(),
		Country:       x.Country,
		IsVerified:    x.Validation == bankaccount.ValidationVerified,
	}
	if len(names) > 0 {
		s.Name = names[0]
	}

	return s
}

// currencyCode returns the code of the currency that a reference names.
func currencyCode(ref string) (string, bool) {
	c, ok := refdata.All().Currency(ref)
	return c.Code, ok
}

// organisationName returns an organisation's name.
func organisationName(ctx context.Context, q db.Querier, id string) (string, error) {
	o, err := organisation.ByID(ctx, q, id)
	return o.Name, err
}

// organisationApproved returns a refusal while an organisation is not APPROVED.
func organisationApproved(ctx context.Context, q db.Querier, id string) error {
	o, err := organisation.ByID(ctx, q, id)
	if err != nil {
		return err
	}

	return o.Approved()
}
