package quote

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"strings"
	"time"

	"slipway/internal/core/fault"
	"slipway/internal/core/id"
	"slipway/internal/core/money"
	"slipway/internal/directory/network"
	"slipway/internal/directory/refdata"
	"slipway/internal/identity/organisation"
	"slipway/internal/payments/stock"
	"slipway/internal/platform/db"
	"slipway/internal/rails/rates"
)

// Prefix is the prefix of a quote's identifier.
const Prefix = "quo"

// How long quotes are valid unless the configuration sets another time.
const (
	Lifetime     = 5 * time.Minute  // one that submit or accept locks
	HeldLifetime = 10 * time.Minute // one that check-allowance locks for a draft
)

// ErrExpired reports that a quote has expired, or that another one took its place. The caller prices again and locks
// the new quote.
var ErrExpired = errors.New("the quote's time is over")

// Deps are the service's dependencies.
type Deps struct {
	DB           *db.DB
	Rates        rates.Source
	Schedule     Schedule
	Seller       Seller        // of whose VAT the fees are
	Lifetime     time.Duration // how long a locked quote is valid; 0: Lifetime
	HeldLifetime time.Duration // how long one that is held for a draft is valid; 0: HeldLifetime
	Tolerance    *big.Rat      // share by which an estimatedRate may be off; nil: one in a hundred
	Minimum      Minimum
	Unused       Unused
	// Stock is what the house itself converts out of; nil: others convert everything. A locked quote reserves of it,
	// also one that is held for a draft.
	Stock *stock.Service
}

// Minimum is the smallest deposit: USD for all currencies (zero value: 1,000), and amounts by currency code that take
// precedence.
type Minimum struct {
	USD        money.Amount
	Currencies map[string]money.Amount
}

// Service prices, locks and reads quotes.
type Service struct{ Deps }

// New returns the service.
func New(d Deps) *Service {
	if d.Lifetime <= 0 {
		d.Lifetime = Lifetime
	}

	if d.HeldLifetime <= 0 {
		d.HeldLifetime = HeldLifetime
	}

	if d.Tolerance == nil {
		d.Tolerance = big.NewRat(1, 100)
	}

	if d.Minimum.USD.Sign() == 0 {
		d.Minimum.USD = money.FromUnits(money.Asset{Code: dollar, Decimals: 2}, big.NewInt(1_000_00))
	}

	if d.Unused == (Unused{}) {
		d.Unused = Unused{Free: 20, Limit: 200, Spread: big.NewRat(1, 1000)}
	}

	return &Service{Deps: d}
}

// Price asks for rates and computes a quote. It stores nothing. It calls outside, so never call it in a write body. It
// refuses with 422 and every wrong field, or with 503 RATE_STALE or RATE_UNAVAILABLE if there is no usable rate.
func (s *Service) Price(ctx context.Context, in Request) (Quote, error) {
	o, err := organisation.ByID(ctx, s.DB, in.Organisation)
	if err != nil {
		return Quote{}, err
	}

	fees := Fees{Schedule: s.Schedule, Tolerance: s.Tolerance, House: s.houseSpreads(in)}
	if fees.Terms, err = s.terms(ctx, in, o); err != nil {
		return Quote{}, err
	}

	if in.Kind == Fiat && in.Firm {
		if fees.Spread, err = s.spread(ctx, s.DB, in.Organisation, s.DB.Now()); err != nil {
			return Quote{}, err
		}
	}

	market := map[Pair]rates.Rate{}
	for _, p := range Pairs(in, fees) {
		r, err := s.Rates.Rate(ctx, p.Base, p.Quote)

		switch {
		case errors.Is(err, rates.ErrUnknownPair): // Make refuses it with the field's name
		case err != nil:
			return Quote{}, noRate(p, err)
		default:
			market[p] = r
		}
	}

	q, err := Make(in, market, fees)
	q.fixTax(s.Seller.TaxFor(o.Country, o.VATID))
	q.cumulative = limitOf(o.CumulativeTotal)
	q.spread = fees.Spread

	return q, err
}

// noRate returns the refusal when there is no rate. A stale rate is not used.
func noRate(p Pair, err error) error {
	var stale *rates.Stale
	if errors.As(err, &stale) {
		return fault.New(
			fault.Unavailable,
			fault.RateStale,
			"The newest rate of %s/%s that can be had is of %s, which is too old.",
			p.Base,
			p.Quote,
			stale.AsOf.Format(time.RFC3339),
		)
	}

	if errors.Is(err, rates.ErrUnavailable) || errors.Is(err, rates.ErrStale) {
		return fault.New(
			fault.Unavailable,
			fault.RateUnavailable,
			"There is no rate of %s/%s at the moment.",
			p.Base,
			p.Quote,
		)
	}

	return fmt.Errorf("rate of %s/%s: %w", p.Base, p.Quote, err)
}

// terms reads the terms of an organisation and its partner, its limits, and the network's least fee.
func (s *Service) terms(ctx context.Context, in Request, o organisation.Organisation) (Terms, error) {
	t := Terms{TransactionLimit: limitOf(o.TransactionValueLimit), LeastPayment: limitOf(o.MinUSDPaymentAmount)}

	own, err := organisation.CommissionsOf(ctx, s.DB, organisation.CustomCommissions, in.Organisation)
	if err != nil {
		return t, err
	}

	partner, err := organisation.CommissionsOf(ctx, s.DB, organisation.PartnerCommissions, in.Partner)
	if err != nil {
		return t, err
	}

	t.Commissions = shares(own)
	t.Partner = shares(partner)

	n, err := network.ByID(ctx, s.DB, in.Network)
	if err != nil {
		return t, err
	}

	t.NetworkUSD = limitOf(n.MinTransactionFee)

	return t, nil
}

// shares returns commissions by pair. A pair that is no longer offered is left out.
func shares(all []organisation.Commission) map[Pair]*big.Rat {
	out := make(map[Pair]*big.Rat, len(all))
	for _, c := range all {
		for _, p := range refdata.All().Pairs {
			if percent, ok := new(big.Rat).SetString(c.Percent); ok && p.ID == c.Pair {
				out[Pair{p.Token.Code, p.Currency.Code}] = percent.Quo(percent, hundred())
			}
		}
	}

	return out
}

// limitOf parses a decimal text; an empty text and 0 mean no limit.
func limitOf(s string) *big.Rat {
	x, ok := new(big.Rat).SetString(s)
	if !ok || x.Sign() <= 0 || strings.ContainsAny(s, "/eEpP") {
		return nil
	}

	return x
}

// Fits refuses a price that would make the organisation exceed its cumulativeAmount. It never refuses that of a deposit
// that has arrived.
func (s *Service) Fits(ctx context.Context, from db.Querier, transactionID string, q Quote) error {
	if q.cumulative == nil || q.arrived {
		return nil
	}

	before, err := worth(ctx, from, q.Organisation, transactionID)
	if err != nil {
		return err
	}

	var l fault.List
	if total := before.Add(q.ValueUSD); total.Rat().Cmp(q.cumulative) > 0 {
		l.Add(
			"/payments",
			fault.CumulativeLimit,
			"are worth %s US dollars; with what was paid before that is %s, and your organisation's "+
				"cumulativeAmount is %s.",
			q.ValueUSD,
			total,
			cents(q.cumulative, money.Down),
		)
	}

	return l.Err()
}

// Announce makes a submitted deposit that has not arrived count towards its organisation's cumulativeAmount, inside the
// caller's write, if it Fits. It locks no price: the transaction has no quote until Lock, which replaces the
// announcement.
func (s *Service) Announce(ctx context.Context, tx *db.Tx, transactionID string, q Quote) error {
	if err := s.Fits(ctx, tx, transactionID, q); err != nil {
		return err
	}

	if s.Stock != nil { // nothing is reserved for a deposit that may never come
		if err := s.Stock.Covers(ctx, tx, q.Organisation, true, s.exchanges(q)); err != nil {
			return err
		}
	}

	q.ID = id.New(Prefix, tx.Now)
	q.Transaction = transactionID
	q.Sequence = 1
	q.LockedAt = tx.Now
	q.ExpiresAt = time.Time{} // it is valid at no time

	return insert(tx, q, current)
}

// Lock makes q the one current quote of a transaction, inside the caller's write, if it Fits, and returns it with its
// identifier, number and time. A second call replaces the previous quote, which is kept. A quote that Held has returned
// is taken as it is, until the end of its own time; Lock returns ErrExpired if it is held no longer.
func (s *Service) Lock(ctx context.Context, tx *db.Tx, transactionID string, q Quote) (Quote, error) {
	if err := s.Fits(ctx, tx, transactionID, q); err != nil {
		return q, err
	}

	if q.ID == "" {
		return s.store(ctx, tx, transactionID, q, current, s.Lifetime)
	}

	if err := q.Good(tx.Now); err != nil {
		return q, err
	}

	return q, take(tx, q)
}

// Hold locks q for a draft, inside the caller's write, if it Fits, and returns it with its identifier, number and time.
// Held finds it, and Lock takes it. It replaces the quote that was held before, which counts as unused from then on,
// see Unused. It returns ErrExpired when so many others were locked since q was priced that q would now be dearer.
func (s *Service) Hold(ctx context.Context, tx *db.Tx, transactionID string, q Quote) (Quote, error) {
	if err := s.Fits(ctx, tx, transactionID, q); err != nil {
		return q, err
	}

	spread, err := s.spread(ctx, tx, q.Organisation, tx.Now)
	if err != nil {
		return q, err
	}

	if (spread == nil) != (q.spread == nil) {
		return q, ErrExpired
	}

	return s.store(ctx, tx, transactionID, q, held, s.HeldLifetime)
}

// store inserts q as the next quote of a transaction.
func (s *Service) store(
	ctx context.Context,
	tx *db.Tx,
	transactionID string,
	q Quote,
	status string,
	lifetime time.Duration,
) (Quote, error) {
	last, err := lastSequence(ctx, tx, transactionID)
	if err != nil {
		return q, err
	}

	q.ID = id.New(Prefix, tx.Now)
	q.Transaction = transactionID
	q.Sequence = last + 1
	q.LockedAt = tx.Now
	q.ExpiresAt = tx.Now.Add(lifetime)

	if err := s.reserve(ctx, tx, q); err != nil {
		return q, err
	}

	return q, insert(tx, q, status)
}

// Held returns the quote that is held for a draft, if it is still valid and is for exactly what the request asks, or
// db.ErrNone. It asks for no rate. The rates that the client expects are compared with the held ones: it refuses with
// 422 and every payment whose estimatedRate is too far off.
func (s *Service) Held(ctx context.Context, from db.Querier, transactionID string, in Request) (Quote, error) {
	q, err := heldFor(ctx, from, transactionID)
	if err != nil {
		return q, err
	}

	if q.Good(s.DB.Now()) != nil || !q.prices(in) {
		return Quote{}, db.ErrNone
	}

	if err := q.checkEstimates(in, s.Tolerance); err != nil {
		return Quote{}, err
	}

	o, err := organisation.ByID(ctx, from, in.Organisation)
	q.cumulative = limitOf(o.CumulativeTotal)

	return q, err
}

// Worth is the value of an amount of fiat in a token at one moment.
type Worth struct {
	Units *big.Int // base units of the token, rounded down
	Rate  *big.Rat // fiat for one token, with RateDecimals decimals, rounded up
	AsOf  time.Time
}

// RateText returns the rate as it is shown and stored.
func (w Worth) RateText() string { return decimal(w.Rate, RateDecimals) }

// Worth asks the market for the present value, in a token, of fiat that is already here. It deducts no fee and checks
// no limit. It calls outside, so never call it in a write body. It refuses like Price.
func (s *Service) Worth(ctx context.Context, fiat money.Amount, token money.Asset) (Worth, error) {
	p := Pair{token.Code, fiat.Asset().Code}

	r, err := s.Rates.Rate(ctx, p.Base, p.Quote)
	if errors.Is(err, rates.ErrUnknownPair) || err == nil && r.Value.Sign() <= 0 {
		return Worth{}, fault.New(
			fault.Invalid,
			fault.PairUnknown,
			"%s cannot be exchanged for %s here.",
			p.Quote,
			p.Base,
		)
	}

	if err != nil {
		return Worth{}, noRate(p, err)
	}

	rate := money.FromRat(money.Asset{Code: "rate", Decimals: RateDecimals}, r.Value, money.Up).Rat()
	tokens := new(big.Rat).Quo(fiat.Rat(), rate)

	return Worth{Units: money.FromRat(token, tokens, money.Down).Units(), Rate: rate, AsOf: r.AsOf}, nil
}

// MinOnramp returns the smallest deposit in a currency: the configured amount, or else the equivalent of the US dollar
// minimum at the present rate. The latter is rounded to two digits, so that it is easy to read and stays the same from
// day to day. It asks for a rate.
func (s *Service) MinOnramp(ctx context.Context, currency money.Asset) (money.Amount, error) {
	if a, ok := s.Minimum.Currencies[currency.Code]; ok {
		return a, nil
	}

	if currency.Code == dollar {
		return money.FromRat(currency, s.Minimum.USD.Rat(), money.Up), nil
	}

	p := Pair{dollar, currency.Code}

	r, err := s.Rates.Rate(ctx, p.Base, p.Quote)
	if errors.Is(err, rates.ErrUnknownPair) {
		var l fault.List
		l.Add("/amountCurrency", fault.PairUnknown, "No tokens can be bought for %s here.", currency.Code)
		return money.Amount{}, l.Err()
	}

	if err != nil {
		return money.Amount{}, noRate(p, err)
	}

	return money.FromRat(currency, twoDigits(new(big.Rat).Mul(s.Minimum.USD.Rat(), r.Value)), money.Up), nil
}

// twoDigits rounds a positive number to its two leading digits.
func twoDigits(x *big.Rat) *big.Rat {
	ten := big.NewRat(10, 1)

	scale := big.NewRat(1, 1)
	for x.Cmp(new(big.Rat).Mul(scale, hundred())) >= 0 {
		scale.Mul(scale, ten)
	}

	for x.Cmp(new(big.Rat).Mul(scale, ten)) < 0 {
		scale.Quo(scale, ten)
	}

	digits := money.FromRat(money.Asset{Code: "digits"}, new(big.Rat).Quo(x, scale), money.HalfEven)

	return scale.Mul(scale, digits.Rat())
}
