package bookkeeping

import (
	"context"
	"errors"
	"math/big"
	"strings"
	"time"

	"slipway/internal/core/caller"
	"slipway/internal/core/day"
	"slipway/internal/core/fault"
	"slipway/internal/core/id"
	"slipway/internal/core/money"
	"slipway/internal/directory/network"
	"slipway/internal/directory/receiver"
	"slipway/internal/directory/refdata"
	"slipway/internal/directory/wallet"
	"slipway/internal/identity/user"
	"slipway/internal/payments/chart"
	"slipway/internal/payments/ledger"
	"slipway/internal/platform/db"
	"slipway/internal/platform/trail"
)

// Source is how an opening balance is known.
type Source string

// The sources.
const (
	FromChain Source = "CHAIN"  // the chain's balance at the last block before the day
	Stated    Source = "STATED" // a person has stated it, with a reason
)

// Opening is what a wallet or an account had at the beginning of a day, before anything else that the book has of it.
type Opening struct {
	ID, Organisation string
	Account          ledger.Account
	Amount           money.Amount
	On               time.Time // midnight UTC
	Source           Source
	Block            Point // zero: stated
	Reason, By       string
	At               time.Time
	Withdrawn        time.Time // zero: it counts
}

// Point is a block at which a balance was read.
type Point struct {
	Number uint64
	Hash   string
	Newest bool // no final block has reached the moment that was asked for
}

// BalanceAt reads what a wallet has of a token at the last final block before a moment. token and owner are addresses.
type BalanceAt func(ctx context.Context, network, token, owner string, before time.Time) (Point, *big.Int, error)

// ErrNoBlock is a moment before a chain's first block.
var ErrNoBlock = errors.New("the chain has begun later")

// Wanted is what an opening is asked for: a token in a wallet, or a currency.
type Wanted struct {
	Wallet, Token, Currency string
	On                      string
	Amount                  string // stated; empty: as the chain says
	Reason                  string
}

// quietAfter is how long after a moment no block before it is expected any more, if none after it has come.
const quietAfter = time.Hour

// Open records an opening balance. The chain is asked first, outside of the database transaction. A second one of the
// same wallet and token, or currency, is refused with OPENING_RECORDED until the first is withdrawn.
func (s *Service) Open(ctx context.Context, w Wanted, done func(*db.Tx, Opening) error) error {
	org := caller.Of(ctx).Organisation

	b, err := s.bookOf(ctx, s.DB, ledger.Period{Organisation: org})
	if err != nil {
		return err
	}

	o, asked, err := s.openingOf(ctx, b, w)
	if err != nil {
		return err
	}

	if asked != nil {
		if err := asked(&o); err != nil {
			return err
		}
	}

	return s.DB.Write(ctx, func(tx *db.Tx) error {
		b, err := s.bookOf(ctx, tx, ledger.Period{Organisation: org}) // as it is now
		if err != nil {
			return err
		}

		if err := mayOpen(ctx, tx, b, o); err != nil {
			return err
		}

		o.ID = id.New("bop", tx.Now)
		o.By = caller.Of(ctx).User
		o.At = tx.Now
		insertOpening(tx, o)
		trail.Audit(ctx, tx, org, "bookkeeping.opened", o.ID, o.Reason)

		if o.Amount.Sign() != 0 {
			if err := chart.PostOn(tx, o.days(), o.event()); err != nil {
				return err
			}
		}

		return done(tx, o)
	})
}

// event returns what an opening posts.
func (o Opening) event() chart.BookOpened {
	place := o.Amount.Asset().Code
	if kind, rest, _ := strings.Cut(string(o.Account), "/"); kind == walletKind {
		place, _, _ = strings.Cut(rest, "/")
	}

	return chart.BookOpened{
		Of:      chart.Of{Organisation: o.Organisation},
		Opening: o.ID,
		Account: o.Account,
		Place:   place,
		Amount:  o.Amount,
	}
}

// days are those on which an opening counts.
func (o Opening) days() ledger.Days { return ledger.OfBank(o.On, o.On) }

// openingOf checks what is asked for. asked is nil for a stated balance, else reads the chain.
func (s *Service) openingOf(ctx context.Context, b book, w Wanted) (o Opening, asked func(*Opening) error, err error) {
	var l fault.List

	o = Opening{Organisation: b.period.Organisation, Source: Stated}
	o.Reason = user.CheckText(&l, "/reason", w.Reason, 500, true)

	if o.On, err = day.Parse(w.On); err != nil {
		l.Add("/on", fault.FormatInvalid, "must be a date such as 2026-01-01.")
	} else if o.On.After(s.today(b)) {
		l.Add("/on", fault.OutOfRange, "must not be in the future.")
	}

	var asset money.Asset

	switch {
	case (w.Currency != "") == (w.Wallet != ""):
		l.Add("/wallet", fault.Required, "or a currency is required, and not both.")
	case w.Currency != "":
		c, ok := refdata.All().Currency(w.Currency)
		if !ok {
			l.Add("/currency", fault.CurrencyUnknown, "is not a currency.")
		}

		if w.Amount == "" {
			l.Add("/amount", fault.Required, "is required: what the bank's statement says at the beginning of the day.")
		}

		asset = money.Asset{Code: c.Code, Decimals: c.Decimals}
		o.Account = ledger.SenderAccount(c.Code)
	default:
		if asset, asked, err = s.walletOpening(ctx, &o, w); err != nil {
			return o, nil, err
		}
	}

	if l.Err() == nil && w.Amount != "" {
		if o.Amount, err = money.ParseOrZero(asset, w.Amount); err != nil {
			l.Add("/amount", fault.FormatInvalid,
				"must be a decimal number of 0 or more, with at most %d decimals.", asset.Decimals)
		}
	}

	return o, asked, l.Err()
}

// walletOpening sets the account of a token in a wallet.
func (s *Service) walletOpening(
	ctx context.Context, o *Opening, w Wanted,
) (asset money.Asset, asked func(*Opening) error, err error) {
	of, err := wallet.ByID(ctx, s.DB, o.Organisation, w.Wallet)
	if err != nil {
		return asset, nil, err
	}

	self, err := receiver.Self(ctx, s.DB, o.Organisation)
	if err != nil && !fault.Is(err, fault.NotFoundCode) {
		return asset, nil, err
	}

	if of.Receiver != self.ID {
		var l fault.List
		l.Add("/wallet", fault.NotAllowed, "is a payee's, and not the organisation's own.")

		return asset, nil, l.Err()
	}

	t, err := network.TokenOn(ctx, s.DB, of.Network, w.Token)
	if err != nil {
		return asset, nil, err
	}

	asset = money.Asset{Code: t.Code, Decimals: t.Decimals}
	o.Account = ledger.WalletAccount(of.Network, of.Address)

	if w.Amount != "" {
		return asset, nil, nil
	}

	return asset, func(o *Opening) error {
		zone, err := s.bookOf(ctx, s.DB, ledger.Period{Organisation: o.Organisation})
		if err != nil {
			return err
		}

		return s.readChain(ctx, o, asset, of.Network, t.Address, of.Address, zone.period.Begins(o.On))
	}, nil
}

// readChain sets what the chain says at the beginning of an opening's day.
func (s *Service) readChain(
	ctx context.Context, o *Opening, asset money.Asset, networkID, token, owner string, begins time.Time,
) error {
	at, units, err := s.BalanceAt(ctx, networkID, token, owner, begins)

	switch {
	case errors.Is(err, ErrNoBlock):
		at, units = Point{}, new(big.Int) // before a chain begins, nobody has anything
	case err != nil:
		return fault.New(
			fault.Unavailable,
			fault.UpstreamFailed,
			"The network's nodes do not answer, do not agree, or keep no balances of that day. Ask again, use an archive "+
				"node, or state the amount.",
		)
	case at.Newest && s.DB.Now().Sub(begins) < quietAfter:
		return fault.New(fault.Conflict, fault.OpeningTooEarly,
			"The day's first block is not final yet. Ask again in an hour.")
	}

	o.Source = FromChain
	o.Block = at
	o.Amount = money.FromUnits(asset, units)

	return nil
}

// mayOpen refuses an opening that is recorded already, or that would not come first.
func mayOpen(ctx context.Context, q db.Querier, b book, o Opening) error {
	asset := o.Amount.Asset().Code

	same, err := openingsOf(ctx, q, o.Organisation,
		"account = ? AND asset = ? AND withdrawn_at = 0", string(o.Account), asset)
	if err != nil {
		return err
	}

	if len(same) > 0 {
		return fault.New(fault.Conflict, fault.OpeningRecorded,
			"The book has this opening balance already, of %s. Withdraw it first.", same[0].On.Format(time.DateOnly))
	}

	var l fault.List

	if o.On.Before(b.period.Open) {
		l.Add("/on", fault.NotAllowed, "is in a closed month.")
	}

	earlier := b.period
	earlier.Before = o.On

	found, err := ledger.Before(ctx, q, earlier, o.Account, asset)
	if err != nil {
		return err
	}

	if found {
		l.Add("/on", fault.NotAllowed, "must not be after the first day on which the book has a line of it.")
	}

	return l.Err()
}

// Withdraw takes an opening balance back, with a reason. A second call is refused with OPENING_WITHDRAWN.
func (s *Service) Withdraw(ctx context.Context, opening, reason string, done func(*db.Tx, Opening) error) error {
	var l fault.List

	reason = user.CheckText(&l, "/reason", reason, 500, true)
	if err := l.Err(); err != nil {
		return err
	}

	org := caller.Of(ctx).Organisation

	return s.DB.Write(ctx, func(tx *db.Tx) error {
		found, err := openingsOf(ctx, tx, org, "id = ?", opening)
		if err != nil {
			return err
		}

		if len(found) == 0 {
			return fault.Missing("opening balance")
		}

		o := found[0]
		if !o.Withdrawn.IsZero() {
			return fault.New(fault.Conflict, fault.OpeningWithdrawn, "The opening balance is withdrawn already.")
		}

		b, err := s.bookOf(ctx, tx, ledger.Period{Organisation: org})
		if err != nil {
			return err
		}

		if o.On.Before(b.period.Open) {
			return fault.New(fault.Conflict, fault.PeriodOutOfOrder,
				"The opening balance is in a closed month: reopen it first.")
		}

		o.Withdrawn = tx.Now

		if err := withdrawOpening(tx, o); err != nil {
			return err
		}

		trail.Audit(ctx, tx, org, "bookkeeping.opening_withdrawn", o.ID, reason)

		if o.Amount.Sign() != 0 {
			if err := chart.PostOn(tx, o.days(), chart.BookOpeningWithdrawn{BookOpened: o.event()}); err != nil {
				return err
			}
		}

		return done(tx, o)
	})
}

// Openings returns the opening balances of the caller's book, newest first, those that were withdrawn too.
func (s *Service) Openings(ctx context.Context) ([]Opening, error) {
	return openingsOf(ctx, s.DB, caller.Of(ctx).Organisation, "id <> ''")
}
