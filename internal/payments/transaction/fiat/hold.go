package fiat

import (
	"context"
	"errors"
	"slices"

	"slipway/internal/core/caller"
	"slipway/internal/directory/bankaccount"
	"slipway/internal/payments/quote"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/db"
)

// maxHolds limits how often hold prices again because other quotes were locked in the meantime.
const maxHolds = 3

// hold returns the quote that submit would take of a draft. It is the one that is held for the draft; if there is none
// that is still valid and for the same content, hold locks one. So a rate that moves between the approval on the chain
// and submit changes nothing, for as long as the quote is valid. A second call returns the same quote.
//
// Nothing is locked for a caller who may not write: the organisation can leave only so many quotes unused.
func (k Kind) hold(ctx context.Context, s *transaction.Service, t transaction.Transaction) (quote.Quote, error) {
	request, err := k.draftRequest(ctx, s, t)
	if err != nil {
		return quote.Quote{}, err
	}

	for range maxHolds {
		q, err := k.present(ctx, s, t.ID, request)
		if err != nil || q.ID != "" || !request.Firm {
			return q, err
		}

		if q, err = k.lockHeld(ctx, s, t, request, q); !errors.Is(err, quote.ErrExpired) {
			return q, err
		}
	}

	return quote.Quote{}, transaction.ChangedMeanwhile(t)
}

// present returns the quote that is held for a draft, or else a price at the present rates, which has no identifier. It
// asks for rates, so never call it in a write body. draft is empty for a new input.
func (k Kind) present(
	ctx context.Context,
	s *transaction.Service,
	draft string,
	request quote.Request,
) (quote.Quote, error) {
	if draft != "" {
		if q, err := k.Quotes.Held(ctx, s.DB, draft, request); !errors.Is(err, db.ErrNone) {
			return q, err
		}
	}

	return k.Quotes.Price(ctx, request)
}

// lockHeld locks a price for a draft, unless another caller has been faster: then it returns that caller's quote.
func (k Kind) lockHeld(
	ctx context.Context,
	s *transaction.Service,
	t transaction.Transaction,
	request quote.Request,
	price quote.Quote,
) (q quote.Quote, err error) {
	if err := movable(price); err != nil {
		return q, err
	}

	err = s.Change(ctx, t.ID, func(tx *db.Tx, now transaction.Transaction) error {
		if now.Version != t.Version {
			return transaction.ChangedMeanwhile(now)
		}

		var err error
		if q, err = k.Quotes.Held(ctx, tx, t.ID, request); !errors.Is(err, db.ErrNone) {
			return err
		}

		q, err = k.Quotes.Hold(ctx, tx, t.ID, price)

		return err
	})

	return q, err
}

// draftRequest returns the request for the price of a draft as submit would make it: with the bank accounts as they are
// now. It is firm if the quote is to be locked.
func (k Kind) draftRequest(
	ctx context.Context,
	s *transaction.Service,
	t transaction.Transaction,
) (quote.Request, error) {
	ids := make([]string, len(t.Payments))
	for i, p := range t.Payments {
		ids[i] = p.BankAccount
	}

	accounts, err := bankaccount.ByIDs(ctx, s.DB, t.Organisation, ids)
	if err != nil {
		return quote.Request{}, err
	}

	t.Payments = slices.Clone(t.Payments)
	for i, p := range t.Payments {
		if a, ok := accounts[p.BankAccount]; ok {
			t.Payments[i].BankSnapshot = a.Snapshot()
		}
	}

	request := k.locked(t)
	request.Firm = transaction.MayWrite(caller.Of(ctx))

	for i, p := range t.Payments {
		request.Lines[i].EstimatedRate = p.EstimatedRate
		request.Firm = request.Firm && request.Lines[i].Rail != ""
	}

	return request, nil
}
