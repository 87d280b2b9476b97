package house

import (
	"cmp"
	"context"
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

// DifferenceKind is in what a provider's statement differs from the books.
type DifferenceKind string

// The kinds of differences.
const (
	Missing  DifferenceKind = "MISSING"  // an order is not on the statement
	Alone    DifferenceKind = "ALONE"    // a line that the books do not have
	Twice    DifferenceKind = "TWICE"    // an order is on it more than once
	Amount   DifferenceKind = "AMOUNT"   // an order has another amount
	Late     DifferenceKind = "LATE"     // an order is booked on a later day
	Restated DifferenceKind = "RESTATED" // a line was another one when it was first read, or is gone
)

// Difference is one order, or a line of none, in which a provider's statement differs from the books in one asset.
type Difference struct {
	Provider, Order string
	Why             DifferenceKind
	Place           string
	Books, Stated   money.Amount
	Movements       []string
	Day             time.Time

	awaited bool // the statement need not have it yet
}

// compared are the differences of a provider, and what is not on his statement yet and need not be.
type compared []Difference

// told returns the differences that people are told.
func (c compared) told() []Difference {
	return slices.DeleteFunc(slices.Clone(c), func(d Difference) bool { return d.awaited })
}

// of returns the differences that people are told of one asset.
func (c compared) of(place string, asset money.Asset) []Difference {
	return slices.DeleteFunc(c.told(), func(d Difference) bool { return d.Place != place || d.Books.Asset() != asset })
}

// awaited returns what the books have of an asset that the statement need not have yet.
func (c compared) awaited(place string, asset money.Asset) *big.Int {
	out := new(big.Int)

	for _, d := range c {
		if d.awaited && d.Place == place && d.Books.Asset() == asset {
			out.Add(out, d.Books.Units())
		}
	}

	return out
}

// part is one asset of one order, or of a line of none.
type part struct {
	of, place string
	asset     money.Asset
}

// parts are what is compared, by what it is of.
type parts map[part]*Difference

func (all parts) at(p part, provider, order string, on time.Time) *Difference {
	if all[p] == nil {
		all[p] = &Difference{
			Provider: provider,
			Order:    order,
			Place:    p.place,
			Books:    money.Zero(p.asset),
			Stated:   money.Zero(p.asset),
			Day:      on,
		}
	}

	return all[p]
}

// ordered adds what the books have of some orders, by key.
func (all parts) ordered(provider string, orders map[string]outbound.Effect, now time.Time) {
	for key, x := range orders {
		e := x.Traded()

		for _, side := range []struct {
			place string
			got   money.Amount
		}{{e.Sell.Place, e.Sell.Got.Neg()}, {e.Buy.Place, e.Buy.Got}} {
			d := all.at(part{key, side.place, side.got.Asset()}, provider, key, day.Of(x.UpdatedAt.UTC()))
			d.Books = d.Books.Add(side.got)
			d.awaited = now.Sub(x.UpdatedAt) < grace
		}
	}
}

// differences compares the statement of a provider with the orders of the last days, one by one. Lines that belong to
// no order are there until they are booked.
func (s *Service) differences(ctx context.Context, q db.Querier, name string, now time.Time) (compared, error) {
	since := now.Add(-reread)

	lines, err := statedSince(ctx, q, name, day.Of(since))
	if err != nil {
		return nil, err
	}

	orders, err := ordersOf(ctx, q, name, lines, since)
	if err != nil {
		return nil, err
	}

	all := parts{}
	all.ordered(name, orders, now)

	var out compared

	fills := map[*Difference]int{}
	gone := map[*Difference]bool{}

	for _, l := range lines {
		d := all.at(part{cmp.Or(l.Order, l.ID), l.Place, l.Amount.Asset()}, name, l.Order, l.Day)
		d.Movements = append(d.Movements, l.ID)
		d.awaited = false

		if l.Gone {
			gone[d] = true
			continue
		}

		if l.Restated != "" {
			d.Why = Restated
		}

		d.Stated = d.Stated.Add(l.Amount)

		if l.Kind == filled {
			fills[d]++

			if l.Day.After(d.Day) && d.Why == "" {
				d.Why = Late
			}

			continue
		}

		posted, err := ledger.Posted(ctx, q, chart.ProviderMovedKey(name, l.ID))
		if err != nil {
			return nil, err
		}

		if posted {
			d.Books = d.Books.Add(l.Amount)
		}
	}

	for _, d := range all {
		if d.classify(fills[d], gone[d]) {
			out = append(out, *d)
		}
	}

	slices.SortFunc(out, func(a, b Difference) int {
		return cmp.Or(b.Day.Compare(a.Day), strings.Compare(a.Order, b.Order), strings.Compare(a.Place, b.Place))
	})

	return out, nil
}

// classify sets in what a part differs, and reports whether it does. fills is how many lines fill it; gone, that lines
// of it are stated no more.
func (d *Difference) classify(fills int, gone bool) bool {
	same := d.Books.Cmp(d.Stated) == 0

	switch {
	case same:
		return d.Why != ""
	case d.Why == Restated, gone:
		d.Why = Restated
	case len(d.Movements) == 0:
		d.Why = Missing
	case d.Books.Sign() == 0:
		d.Why = Alone
	case fills > 1:
		d.Why = Twice
	default:
		d.Why = Amount
	}

	return true
}

// ordersOf returns the orders that a provider has carried out since a moment, and those that his lines name, by key.
func ordersOf(
	ctx context.Context, q db.Querier, name string, lines []Stating, since time.Time,
) (map[string]outbound.Effect, error) {
	var keys []string

	for _, l := range lines {
		if l.Order != "" {
			keys = append(keys, l.Order)
		}
	}

	slices.Sort(keys)

	out := map[string]outbound.Effect{}

	for some := range slices.Chunk(slices.Compact(keys), 500) {
		named, err := outbound.OrdersByKey(ctx, q, some)
		if err != nil {
			return nil, err
		}

		for key, x := range named {
			if x.Provider == name && x.State == outbound.Final {
				out[key] = x
			}
		}
	}

	recent, err := outbound.FilledSince(ctx, q, name, since.Add(grace)) // the statement has those of the day before
	for _, x := range recent {
		out[x.Key.String()] = x
	}

	return out, err
}
