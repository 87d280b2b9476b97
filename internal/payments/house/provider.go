package house

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"time"

	"slipway/internal/core/day"
	"slipway/internal/core/money"
	"slipway/internal/payments/chart"
	"slipway/internal/payments/ledger"
	"slipway/internal/payments/outbound"
	"slipway/internal/platform/db"
)

// Provider is a provider of liquidity that writes a statement.
type Provider struct {
	Name string
	// Statement reads what he has booked from a day on; ErrNothing when he writes none.
	Statement func(ctx context.Context, from time.Time) (Stated, error)
}

// Stated is what a provider's statement says from a day on, and the balances after all of it.
type Stated struct {
	Movements []Stating
	Balances  []Stating // of an asset each; only place and amount
}

// Stating is a line of a provider's statement. An amount above zero he has given, one below he has got.
type Stating struct {
	ID     string // his own
	Kind   string // of the contract: FILL, FEE, REFUND, WITHDRAWAL, DEPOSIT
	Order  string // key; empty: of none
	Place  string // a network for tokens, else the currency
	Amount money.Amount
	Day    time.Time // midnight UTC

	Restated string // what it was when it was first read; empty: the same
	Gone     bool   // he states it no more
}

// The kinds of lines.
const (
	filled     = "FILL"
	charged    = "FEE"
	tookBack   = "REFUND"
	withdrawal = "WITHDRAWAL"
	deposit    = "DEPOSIT"
)

// ProviderJobKind is the kind of the job that reads the statements of providers.
const ProviderJobKind = "provider-statements"

const (
	providerEvery   = 10 * time.Minute
	providerTimeout = time.Minute

	reread = 35 * 24 * time.Hour // how far back a statement is read again, and compared order by order
	grace  = 24 * time.Hour      // how long an order need not be on it
)

// ReadProviders reads the statements of all providers, books what they have taken back and charged of orders, and
// compares. What one does not answer is UNKNOWN, and no error. A second call changes nothing.
func (s *Service) ReadProviders(ctx context.Context) error {
	var errs []error

	for _, p := range s.Providers {
		errs = append(errs, s.readProvider(ctx, p))
	}

	return errors.Join(errs...)
}

func (s *Service) readProvider(ctx context.Context, p Provider) error {
	from := day.Of(s.DB.Now().Add(-reread))

	asked, cancel := context.WithTimeout(ctx, providerTimeout)
	defer cancel()

	stated, unread := p.Statement(asked, from)
	if errors.Is(unread, ErrNothing) {
		return nil
	}

	if unread == nil {
		if err := s.keepStated(ctx, p.Name, from, stated.Movements); err != nil {
			return err
		}

		if err := s.bookStated(ctx, p.Name, stated.Movements); err != nil {
			return err
		}

		if err := s.fold(ctx); err != nil {
			return err
		}
	}

	err := s.DB.Write(ctx, func(tx *db.Tx) error { return s.recordProvider(ctx, tx, p.Name, stated, unread) })
	if errors.Is(err, db.ErrStale) || db.IsUnique(err, "house_checks") {
		return nil // another process has checked at the same time
	}

	return err
}

// recordProvider compares a provider's balances with the positions towards him. Of a statement that could not be read,
// only what is known already is marked.
func (s *Service) recordProvider(ctx context.Context, tx *db.Tx, name string, stated Stated, unread error) error {
	if unread != nil {
		known, err := checksWhere(ctx, tx, " WHERE subject >= ? AND subject < ?",
			providerObject+name+"/", providerObject+name+"0")
		for _, c := range known {
			err = errors.Join(err, s.record(ctx, tx, c.Subject, "", c.Asset, reading{err: unread}))
		}

		return err
	}

	sums, err := ledger.HouseBalances(ctx, tx, s.Keys, tx.Now)
	if err != nil {
		return err
	}

	all, err := s.differences(ctx, tx, name, tx.Now)
	if err != nil {
		return err
	}

	for _, b := range stated.Balances {
		asset := b.Amount.Asset()
		books := sums.Of(ledger.ProviderAccount(name, b.Place), asset.Code)
		want := new(big.Int).Sub(books, all.awaited(b.Place, asset))
		l := reading{
			point:  pointOfStatement(tx.Now, all.of(b.Place, asset)),
			excess: true,
			figures: Figures{
				Books:   books,
				Outside: b.Amount.Units(),
				Low:     want,
				High:    want,
			},
		}

		subject := providerObject + name + "/" + b.Place
		if b.Place != asset.Code {
			subject += "/" + asset.Code
		}

		if err := s.record(ctx, tx, subject, "", asset, l); err != nil {
			return err
		}
	}

	return nil
}

// pointOfStatement names what was read, and the first orders that differ.
func pointOfStatement(now time.Time, differs []Difference) string {
	out := "statement of " + now.UTC().Format(time.DateOnly)

	for i, d := range differs {
		if i == 3 {
			return fmt.Sprintf("%s, and %d more", out, len(differs)-i)
		}

		out += fmt.Sprintf("; %s %s", strings.ToLower(string(d.Why)), cmp.Or(d.Order, strings.Join(d.Movements, " ")))
	}

	return out
}

// bookStated posts what a provider has taken back of orders that the book has, and what he charges for them within what
// a price may be worse.
func (s *Service) bookStated(ctx context.Context, name string, lines []Stating) error {
	for _, l := range lines {
		if l.Order == "" || l.Kind != tookBack && l.Kind != charged {
			continue
		}

		err := s.DB.Write(ctx, func(tx *db.Tx) error {
			posted, err := ledger.Posted(ctx, tx, chart.ProviderMovedKey(name, l.ID))
			if err != nil || posted {
				return err
			}

			orders, err := outbound.OrdersByKey(ctx, tx, []string{l.Order})
			if err != nil {
				return err
			}

			e, ok := l.ofOrder(name, orders[l.Order])
			if !ok {
				return nil // people look
			}

			return chart.PostOn(tx, ledger.OfBank(l.Day, time.Time{}), e)
		})
		if err != nil && !db.IsUnique(err, "journals") {
			return fmt.Errorf("book %s of %s: %w", l.ID, name, err)
		}
	}

	return nil
}

// ofOrder returns what a line is for the book that belongs to an order. ok is false for what is no part of it: another
// asset, another provider's, more than was exchanged or may be charged.
func (l Stating) ofOrder(provider string, x outbound.Effect) (e chart.ProviderMoved, ok bool) {
	if x.Provider != provider || x.State != outbound.Final {
		return e, false
	}

	traded := x.Traded()
	e = chart.ProviderMoved{
		Provider: provider,
		Movement: l.ID,
		Place:    l.Place,
		Amount:   l.Amount,
		Order:    l.Order,
		Open:     ledger.OpenAccount(traded.Sell.Promised.Asset().Code, traded.Buy.Promised.Asset().Code),
	}

	for _, side := range []struct {
		chart.Swapped

		back int // the sign of what goes back
	}{{traded.Sell, 1}, {traded.Buy, -1}} {
		if side.Place != l.Place || side.Got.Asset() != l.Amount.Asset() {
			continue
		}

		if l.Kind == charged {
			most := new(big.Int).Mul(l.Amount.Units(), big.NewInt(100/mostFeePercent))
			e.Cause = chart.ProviderFee

			return e, l.Amount.Sign() < 0 && most.CmpAbs(side.Got.Units()) <= 0
		}

		e.Cause = chart.ProviderReversed
		e.Promised = side.Promised

		if side.back < 0 {
			e.Promised = e.Promised.Neg()
		}

		if l.Amount.Units().CmpAbs(side.Got.Units()) != 0 { // a part: the rest stays open
			e.Promised = l.Amount
		}

		return e, l.Amount.Sign() == side.back && l.Amount.Units().CmpAbs(side.Got.Units()) <= 0
	}

	return e, false
}

// mostFeePercent is how much of an order a provider may charge unasked: as much as his price may be worse
// (outbound.slackPercent).
const mostFeePercent = 1

// providerNames returns the names of the providers.
func (s *Service) providerNames() []string {
	out := make([]string, len(s.Providers))
	for i, p := range s.Providers {
		out[i] = p.Name
	}

	slices.Sort(out)

	return out
}
