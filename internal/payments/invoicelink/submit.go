package invoicelink

import (
	"context"
	"slices"
	"time"

	"slipway/internal/core/fault"
	"slipway/internal/core/money"
	"slipway/internal/directory/document"
	"slipway/internal/directory/network"
	"slipway/internal/directory/refdata"
	"slipway/internal/identity/user"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/db"
	"slipway/internal/platform/limit"
	"slipway/internal/platform/trail"
)

// GiveDocument stores a file that is uploaded through the link; its key goes into Invoice.DocumentKey. It sets f's
// Organisation and Link to the link's. A second call stores another document. Nothing of f is read before the token has
// proved valid.
func (s *Service) GiveDocument(ctx context.Context, token string, f document.New) (out ShownDocument, err error) {
	if err := s.admit(ctx, token); err != nil {
		return out, err
	}

	now := s.deps.DB.Now()

	k, err := linkOf(ctx, s.deps.DB, token, now)
	if err == nil {
		err = k.checkUpload()
	}

	if err == nil {
		err = count(ctx, s.limits.upload, k.ID, now)
	}

	if err != nil {
		return out, s.countIfInvalid(ctx, err)
	}

	leave, err := s.limits.uploads.Take(k.ID)
	if err != nil {
		return out, fault.New(
			fault.TooMany,
			fault.TooManyAttempts,
			"Other files are still coming by this link. Send the next one when one of them has arrived.",
		)
	}
	defer leave()
	f.Organisation = k.Organisation
	f.Link = k.ID

	err = s.deps.StoreDocument(ctx, f, func(tx *db.Tx, d document.Stored) error {
		k, err := linkOf(ctx, tx, token, tx.Now) // it may have been revoked, or submitted, during the upload
		if err == nil {
			err = k.checkUpload()
		}

		if err != nil {
			return err
		}

		out = ShownDocument{Key: d.Key, Name: d.Name, ContentType: d.ContentType, Size: d.Size}
		k.Given.Documents = append(slices.Clip(k.Given.Documents), out)
		trail.Audit(ctx, tx, k.Organisation, "invoice_link.document", k.ID, d.Key)
		_, err = update(tx, k, "invoice_link.document")

		return err
	})
	if f, refused := fault.As(err); refused {
		err = s.redactRefusal(ctx, k, now, f)
	}

	return out, err
}

// redactRefusal removes from a refusal how the organisation stands, and how much it stores: the link's holder must not
// learn that.
func (s *Service) redactRefusal(ctx context.Context, k Link, now time.Time, f *fault.Fault) error {
	switch f.Code {
	case fault.OrgNotApproved:
		return invalid()

	case fault.RateLimited, fault.DocumentQuota:
		limit.Publish(ctx, s.limits.upload.Left(k.ID, now)) // in place of the organisation's limits

		return fault.New(
			f.Kind,
			f.Code,
			"No more files are taken at the moment. Try again later, or hand in the invoice without one.",
		)

	default: // what is wrong with the upload itself
		return f
	}
}

// checkUpload refuses a file that comes too late, and one too many.
func (k Link) checkUpload() error {
	if len(k.Given.Documents) >= maxChanges {
		return tooManyChanges()
	}

	return k.checkChangeable("")
}

// Submit submits the invoice; nothing can be changed afterwards. A second call with the same content returns the same
// confirmation. Refusals point to /amount, /currencyIsoCode, /tokenIsoCode, /invoiceNumber, /reason, /dueDate,
// /documentStorageKey, and to /receiver, /bankAccount, /wallet if a step is missing.
func (s *Service) Submit(ctx context.Context, token string, in Invoice) (Confirmation, error) {
	in = in.trimmed()

	var at time.Time

	const event = "invoice_link.submitted"

	o, err := s.runStep(ctx, token, event, func(ctx context.Context, tx *db.Tx, k *Link) (bool, error) {
		if k.Status == Submitted && encoded(*k.Given.Invoice) == encoded(in) {
			at = k.SubmittedAt
			return false, nil
		}

		if err := k.checkChangeable(""); err != nil {
			return false, err
		}

		if err := k.checkInvoice(ctx, tx, in, tx.Now); err != nil {
			return false, err
		}

		k.Given.Invoice = &in
		k.SubmittedAt = tx.Now
		at = tx.Now

		if err := k.move(Submitted); err != nil {
			return false, err
		}

		return true, s.mailSubmitted(ctx, tx, *k)
	})

	return Confirmation{Reference: o.ID, SubmittedAt: at, Opened: o}, err
}

// Limits of an invoice; those of its texts are a payable's. A date that is far away is taken for a typing error.
const (
	maxNumber, maxReason = 70, 400
	pastDue, aheadDue    = 366 * oneDay, 2 * 366 * oneDay
	maxDecimals          = 18 // of any token that is offered
)

// checkInvoice notes everything that is wrong with an invoice, and every step that is missing.
func (k Link) checkInvoice(ctx context.Context, q db.Querier, in Invoice, now time.Time) error {
	var l fault.List
	user.CheckText(&l, "/invoiceNumber", in.Number, maxNumber, false)
	user.CheckText(&l, "/reason", in.Reason, maxReason, true)

	if d := in.DueDate; !d.IsZero() && (d.Before(now.Add(-pastDue)) || d.After(now.Add(aheadDue))) {
		l.Add("/dueDate", fault.OutOfRange, "must be within a year back and two years ahead.")
	}

	if in.DocumentKey != "" && !slices.ContainsFunc(k.Given.Documents, func(d ShownDocument) bool {
		return d.Key == in.DocumentKey
	}) {
		l.Add("/documentStorageKey", fault.DocumentUnknown, "is not a document that came by this link.")
	}

	if !k.steps().Receiver {
		l.Add("/receiver", fault.InvoiceLinkIncomplete, "Say first who you are.")
	}

	if err := k.payable(ctx, q, in, &l); err != nil {
		return err
	}

	return l.Err()
}

// payable notes what is wrong with an invoice's amount, and a destination that is missing or of another currency.
func (k Link) payable(ctx context.Context, q db.Querier, in Invoice, l *fault.List) error {
	if in.Currency != "" && in.Token != "" || in.Currency == "" && in.Token == "" {
		l.Add(
			"/currencyIsoCode",
			fault.Required,
			"give one of currencyIsoCode, for a bank account, and tokenIsoCode, for a wallet.",
		)

		return nil
	}

	if in.Token != "" {
		return k.payableInTokens(ctx, q, in, l)
	}

	c, ok := refdata.All().Currency(in.Currency)
	if !ok || c.Code != in.Currency {
		l.Add("/currencyIsoCode", fault.CurrencyUnknown, "is not a currency: give the code of one of /currencies.")
		return nil
	}

	transaction.ParseFiat(l, "/amount", c, in.Amount)

	switch a := k.Given.Account; {
	case a == nil && !k.Existing:
		l.Add("/bankAccount", fault.InvoiceLinkIncomplete, "Give a bank account first.")

	case a != nil && a.Account.Currency != c.Code:
		l.Add(
			"/currencyIsoCode",
			fault.CurrencyMismatch,
			"must be the currency of the bank account, %s.",
			a.Account.Currency,
		)
	}

	return nil
}

func (k Link) payableInTokens(ctx context.Context, q db.Querier, in Invoice, l *fault.List) error {
	known, ok := refdata.All().Token(in.Token)

	w := k.Given.Wallet
	switch {
	case !ok || known.Code != in.Token || known.Native:
		l.Add("/tokenIsoCode", fault.TokenUnknown, "is not a token that is offered.")
		return nil
	case w == nil && !k.Existing:
		l.Add("/wallet", fault.InvoiceLinkIncomplete, "Give a wallet first.")
	}

	if w == nil { // the network is not known yet; the payable's check compares it
		transaction.ParseUnits(l, "/amount", money.Asset{Code: in.Token, Decimals: maxDecimals}, in.Amount)
		return nil
	}

	t, err := network.TokenOn(ctx, q, w.Network, in.Token)
	if f, refused := fault.As(err); refused {
		l.Add("/tokenIsoCode", f.Code, "%s", f.Detail)
		return nil
	}

	if err == nil {
		transaction.ParseUnits(l, "/amount", money.Asset{Code: t.Code, Decimals: t.Decimals}, in.Amount)
	}

	return err
}
