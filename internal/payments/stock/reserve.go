package stock

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"time"

	"slipway/internal/core/fault"
	"slipway/internal/core/money"
	"slipway/internal/payments/effect"
	"slipway/internal/payments/ledger"
	"slipway/internal/platform/db"
)

// Reserve reserves, inside the write that locks a quote, what a transaction's conversions take out of the stock. The
// reservation counts until expires, or until it is drawn or freed if expires is zero. A second call replaces what an
// earlier quote of the transaction has reserved. It refuses what stock and limits do not cover with LIQUIDITY_SHORT.
func (s *Service) Reserve(
	ctx context.Context,
	tx *db.Tx,
	transactionID, organisation string,
	expires time.Time,
	all []Exchange,
) error {
	if err := Free(tx, transactionID); err != nil {
		return err
	}

	if err := s.Covers(ctx, tx, organisation, !expires.IsZero(), all); err != nil {
		return err
	}

	for _, x := range all {
		r := Reservation{
			Exchange:     x,
			Key:          effect.ConversionOf(transactionID, x.Currency).String(),
			Transaction:  transactionID,
			Organisation: organisation,
			State:        Reserved,
			ExpiresAt:    expires,
			ReservedAt:   tx.Now,
		}

		before, err := byKey(ctx, tx, r.Key)

		switch {
		case errors.Is(err, db.ErrNone):
			insert(tx, r)
		case err != nil:
			return err
		default:
			if err := move(tx, before, r); err != nil {
				return err
			}
		}
	}

	return nil
}

// Covers refuses exchanges that stock and limits do not cover at the querier's moment. shared is set while the
// customer has not committed to them: then one organisation's reservations are held against its share.
func (s *Service) Covers(
	ctx context.Context,
	q db.Querier,
	organisation string,
	shared bool,
	all []Exchange,
) error {
	if len(all) == 0 {
		return nil
	}

	b, err := s.book(ctx, q)
	if errors.Is(err, ledger.ErrUnfolded) {
		return fault.New(
			fault.Unavailable,
			fault.UpstreamFailed,
			"The books are being added up. Ask again in a minute.",
		)
	}

	if err != nil {
		return fmt.Errorf("positions of the stock: %w", err)
	}

	var l fault.List

	for _, x := range all {
		if why := s.exceeds(b, organisation, shared, x); why != "" {
			l.Add("/payments", fault.LiquidityShort, "%s", why)
		}

		b.reserve(organisation, shared, x) // several currencies of one transaction share a token
	}

	return l.Err()
}

// exceeds returns why an exchange is not covered, or "" if it is.
func (s *Service) exceeds(b book, organisation string, shared bool, x Exchange) string {
	out := x.Out.Amount
	code := out.Asset().Code

	if limit := s.Limits.Order[code]; limit != nil && out.Rat().Cmp(limit) > 0 {
		return fmt.Sprintf(
			"need %s %s; one transaction can exchange at most %s.",
			out,
			code,
			decimal(limit, out.Asset()),
		)
	}

	free := b.free(x.Out, s.Limits.Floor[code])
	if out.Cmp(free) > 0 {
		return fmt.Sprintf("need %s %s, which is more than can be exchanged at present.", out, code)
	}

	if shared {
		// of what is free to everybody, with what this organisation's quotes have reserved already
		mine := b.waiting[at(x.Out)][organisation]
		share := new(big.Rat).Mul(free.Add(b.open(x.Out)).Rat(), s.Limits.Organisation)

		if new(big.Rat).Add(out.Rat(), ratOf(mine, out.Asset())).Cmp(share) > 0 {
			return fmt.Sprintf(
				"need %s %s; with its other open quotes that is more than one organisation can reserve. "+
					"Accept them, or wait until they lapse.",
				out,
				code,
			)
		}
	}

	in := x.In.Amount
	if ceiling := s.Limits.Ceiling[in.Asset().Code]; ceiling != nil {
		after := in.Add(b.held(x.In)).Add(b.expected(x.In))
		if after.Rat().Cmp(ceiling) > 0 {
			return fmt.Sprintf("bring %s %s, which is more than can be taken at present.", in, in.Asset().Code)
		}
	}

	return ""
}

// Keep makes a transaction's reservations last until they are drawn or freed, inside the write that accepts it. It
// returns db.ErrStale if not each of the currencies has a reservation that still counts.
func Keep(ctx context.Context, tx *db.Tx, transactionID string, currencies []string) error {
	if len(currencies) == 0 {
		return nil
	}

	all, err := ofTransaction(ctx, tx, transactionID)
	if err != nil {
		return err
	}

	for _, currency := range currencies {
		i := slices.IndexFunc(all, func(r Reservation) bool { return r.Currency == currency && r.counts(tx.Now) })
		if i < 0 {
			return fmt.Errorf("nothing is reserved in %s for %s: %w", currency, transactionID, db.ErrStale)
		}

		kept := all[i]
		kept.ExpiresAt = time.Time{}
		write(tx, kept, Reserved)
	}

	return nil
}

// Book records that the ledger has a transaction's conversions, in the write that posts them, and returns the
// currencies that the stock has converted. It returns none for a transaction that another provider has served.
func Book(ctx context.Context, tx *db.Tx, transactionID string) ([]string, error) {
	all, err := ofTransaction(ctx, tx, transactionID)
	if err != nil {
		return nil, err
	}

	var out []string

	for _, r := range all {
		if r.State == Drawn {
			next := r
			next.State = Booked

			if err := move(tx, r, next); err != nil {
				return nil, err
			}

			r = next
		}

		if r.State == Booked {
			out = append(out, r.Currency)
		}
	}

	return out, nil
}

// counts reports whether a reservation takes something from the stock.
func (r Reservation) counts(now time.Time) bool {
	return r.State == Drawn || r.State == Reserved && (r.ExpiresAt.IsZero() || now.Before(r.ExpiresAt))
}

// move writes the next state of a reservation, if the table has the move.
func move(tx *db.Tx, before, next Reservation) error {
	if !states.Allows(before.State, next.State) {
		return fmt.Errorf("reservation %s: %s does not become %s", before.Key, before.State, next.State)
	}

	next.DoneAt = tx.Now
	write(tx, next, before.State)

	return nil
}

// place is where a position is: a place and an asset.
type place struct{ place, asset string }

func at(l Leg) place { return place{l.Place, l.asset().Code} }

// book is the positions and what is promised of them, at one moment.
type book struct {
	sums     ledger.Sums
	promised map[place]*big.Int            // by live reservations
	coming   map[place]*big.Int            // for them
	waiting  map[place]map[string]*big.Int // promised to organisations that have not accepted yet
}

// book reads the positions and the live reservations.
func (s *Service) book(ctx context.Context, q db.Querier) (book, error) {
	now := s.DB.Now()
	if tx, ok := q.(*db.Tx); ok {
		now = tx.Now
	}

	b := book{
		promised: map[place]*big.Int{},
		coming:   map[place]*big.Int{},
		waiting:  map[place]map[string]*big.Int{},
	}

	var err error
	if b.sums, err = ledger.HouseBalances(ctx, q, s.Keys, now); err != nil {
		return b, err
	}

	all, err := live(ctx, q, now)
	for _, r := range all {
		b.reserve(r.Organisation, !r.ExpiresAt.IsZero(), r.Exchange)
	}

	return b, err
}

// reserve adds an exchange to what is promised. waiting is set while its customer has not accepted.
func (b book) reserve(organisation string, waiting bool, x Exchange) {
	plus(b.promised, at(x.Out), x.Out.Amount.Units())
	plus(b.coming, at(x.In), x.In.Amount.Units())

	if waiting {
		if b.waiting[at(x.Out)] == nil {
			b.waiting[at(x.Out)] = map[string]*big.Int{}
		}

		plus(b.waiting[at(x.Out)], organisation, x.Out.Amount.Units())
	}
}

func plus[K comparable](sums map[K]*big.Int, key K, units *big.Int) {
	if sums[key] == nil {
		sums[key] = new(big.Int)
	}

	sums[key].Add(sums[key], units)
}

// held returns what the ledger has of a leg's position.
func (b book) held(l Leg) money.Amount {
	return money.FromUnits(l.asset(), b.sums.Of(l.account(), l.asset().Code))
}

// expected returns what live reservations bring to a leg's position.
func (b book) expected(l Leg) money.Amount { return amountAt(b.coming, l) }

// taken returns what live reservations take from a leg's position.
func (b book) taken(l Leg) money.Amount { return amountAt(b.promised, l) }

func amountAt(sums map[place]*big.Int, l Leg) money.Amount {
	if units := sums[at(l)]; units != nil {
		return money.FromUnits(l.asset(), units)
	}

	return money.Zero(l.asset())
}

// open returns what is reserved of a leg's position for customers who have not accepted.
func (b book) open(l Leg) money.Amount {
	sum := new(big.Int)
	for _, units := range b.waiting[at(l)] {
		sum.Add(sum, units)
	}

	return money.FromUnits(l.asset(), sum)
}

// free returns what can still be promised of a leg's position; below zero, nothing can.
func (b book) free(l Leg, floor *big.Rat) money.Amount {
	out := b.held(l).Sub(b.taken(l))
	if floor != nil {
		out = out.Sub(money.FromRat(l.asset(), floor, money.Up))
	}

	return out
}

func ratOf(units *big.Int, asset money.Asset) *big.Rat {
	if units == nil {
		return new(big.Rat)
	}

	return money.FromUnits(asset, units).Rat()
}

func decimal(x *big.Rat, asset money.Asset) string {
	return money.FromRat(asset, x, money.Down).String()
}
