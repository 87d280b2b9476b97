package quote

import (
	"context"
	"errors"
	"math/big"
	"time"

	"slipway/internal/core/money"
	"slipway/internal/platform/db"
	"slipway/internal/rails/rates"
)

// Deps is what the service needs.
type Deps struct {
	DB        *db.DB
	Rates     rates.Source
	Schedule  Schedule
	Lifetime  time.Duration // how long a locked quote holds; 0: 5 minutes
	Tolerance *big.Rat      // share by which estimatedRate may differ from the rate; nil: 1 %
	Minimum   Minimum
}

// Service prices, locks and reads quotes.
type Service struct{ Deps }

// New makes the service.
func New(d Deps) *Service { return &Service{Deps: d} }

var errNotBuilt = errors.New("quote: not built yet")

// Price asks for rates and works out a quote; it calls outside, so never in a write body. Refusals name the field. Nothing is stored.
func (s *Service) Price(ctx context.Context, in Request) (Quote, error) { return Quote{}, errNotBuilt }

// Lock makes q the one current quote of a transaction: it gets an identifier, its number, and its time. Inside the caller's write; a
// further quote takes the place of the one before, which is kept. It refuses what would exceed the organisation's cumulativeAmount.
func (s *Service) Lock(ctx context.Context, tx *db.Tx, transactionID string, q Quote) (Quote, error) {
	return Quote{}, errNotBuilt
}

// Release says that a transaction died without effect: its quote counts towards no limit any more. A second call changes nothing.
func Release(tx *db.Tx, transactionID string) error { return errNotBuilt }

// ForTransaction gives the current quote, or db.ErrNone.
func (s *Service) ForTransaction(ctx context.Context, q db.Querier, transactionID string) (Quote, error) {
	return Quote{}, errNotBuilt
}

// Good is nil while a quote holds; afterwards it is ErrExpired.
func (q Quote) Good(now time.Time) error { return errNotBuilt }

// ErrExpired is a quote whose time is over: price again, lock the new one, answer Expired.
var ErrExpired = errors.New("the quote's time is over")

// Expired is the refusal 409 QUOTE_EXPIRED that carries the previous and the new rate of each currency.
func Expired(before, now Quote) error { return errNotBuilt }

// MinOnramp is the least deposit in a currency: the configured amount, else about 1,000 US dollars' worth at the present rate.
func (s *Service) MinOnramp(ctx context.Context, currency money.Asset) (money.Amount, error) {
	return money.Amount{}, errNotBuilt
}
