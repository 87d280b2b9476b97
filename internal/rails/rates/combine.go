package rates

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"time"
)

// First asks sources in order and takes the first rate that may be used. A source that does not know the pair, or
// whose rate is stale or cannot be had, is passed over; when none has a rate, the reasons of all are joined, and a
// pair that none knows is ErrUnknownPair alone.
func First(sources ...Source) Source { return first(sources) }

type first []Source

// Rate is Source's.
func (f first) Rate(ctx context.Context, base, quote string) (Rate, error) {
	var failed []error
	for _, s := range f {
		r, err := s.Rate(ctx, base, quote)
		if err == nil {
			return r, nil
		}

		if !errors.Is(err, ErrUnknownPair) {
			failed = append(failed, err)
		}

		if ctx.Err() != nil { // who was not asked may know the pair
			return Rate{}, fmt.Errorf("%s/%s: %w: %w", base, quote, ErrUnavailable, ctx.Err())
		}
	}

	if len(failed) == 0 {
		return Rate{}, unknownPair("no source", base, quote)
	}

	return Rate{}, errors.Join(failed...)
}

// Cross adds the pairs that a source does not have itself: the inverse, and chains by way of the given currencies, at
// most one after the other in their order: with USD and EUR, from USDC to INR by USDC/USD, USD/EUR and EUR/INR. The
// arithmetic is exact. A chain is as old as its oldest part; shorter ones are tried first.
func Cross(s Source, via ...string) Source { return cross{s, via} }

type cross struct {
	source Source
	via    []string
}

// Rate is Source's. A code in itself is 1 and asks nobody.
func (c cross) Rate(ctx context.Context, base, quote string) (Rate, error) {
	if base == quote {
		return Rate{Base: base, Quote: quote, Value: big.NewRat(1, 1), Source: "identity"}, nil
	}

	var failed []error
	for _, path := range c.paths(base, quote) {
		r, err := c.along(ctx, path)
		if err == nil {
			return r, nil
		}

		if errors.Is(err, errDisputed) { // another way round would only lead past the check
			return Rate{}, err
		}

		if !errors.Is(err, ErrUnknownPair) {
			failed = append(failed, err)
		}
	}

	if len(failed) == 0 {
		return Rate{}, unknownPair("no chain of rates", base, quote)
	}

	return Rate{}, errors.Join(failed...)
}

// paths lists the ways from base to quote: straight, by one, by two neighbours of via in either direction.
func (c cross) paths(base, quote string) [][]string {
	out := [][]string{{base, quote}}
	for _, v := range c.via {
		out = append(out, []string{base, v, quote})
	}

	for i, v := range c.via {
		for j, w := range c.via {
			if i != j {
				out = append(out, []string{base, v, w, quote})
			}
		}
	}

	kept := out[:0]
	for _, p := range out {
		if !repeats(p) {
			kept = append(kept, p)
		}
	}

	return kept
}

func repeats(path []string) bool {
	for i := range path {
		for j := range i {
			if path[i] == path[j] {
				return true
			}
		}
	}

	return false
}

// along multiplies the rates of a path.
func (c cross) along(ctx context.Context, path []string) (Rate, error) {
	out := Rate{Base: path[0], Quote: path[len(path)-1]}
	for i := range path[1:] {
		leg, err := c.leg(ctx, path[i], path[i+1])
		if err != nil {
			return Rate{}, err
		}

		if i == 0 {
			out.Value = leg.Value
			out.AsOf = leg.AsOf
			out.Source = leg.Source

			continue
		}

		out.Value = new(big.Rat).Mul(out.Value, leg.Value)

		out.AsOf = older(out.AsOf, leg.AsOf)
		if leg.Source != out.Source {
			out.Source += " × " + leg.Source
		}
	}

	return out, nil
}

// leg is the source's own rate, or the inverse of the one it has the other way round.
func (c cross) leg(ctx context.Context, base, quote string) (Rate, error) {
	r, err := c.source.Rate(ctx, base, quote)
	if !errors.Is(err, ErrUnknownPair) {
		return r, err
	}

	if r, err = c.source.Rate(ctx, quote, base); err != nil {
		return r, err
	}

	return r.Inverse(), nil
}

func older(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}

	return a
}

var errDisputed = errors.New("two sources are too far apart")

// Checked holds a source's rates against those of a reference: where both have a fresh rate and they are further
// apart than the tolerance (a share), neither is believed and the rate is unavailable. A pair the reference does not
// have passes.
func Checked(s, reference Source, tolerance *big.Rat) Source { return checked{s, reference, tolerance} }

type checked struct {
	source, reference Source
	tolerance         *big.Rat
}

// Rate is Source's.
func (c checked) Rate(ctx context.Context, base, quote string) (Rate, error) {
	r, err := c.source.Rate(ctx, base, quote)
	if err != nil {
		return r, err
	}

	ref, err := c.reference.Rate(ctx, base, quote)
	if err != nil {
		return r, nil // nothing to compare with; the source keeps its own limits
	}

	off := new(big.Rat).Sub(r.Value, ref.Value)
	if off.Abs(off).Cmp(new(big.Rat).Mul(c.tolerance, ref.Value)) > 0 {
		return Rate{}, fmt.Errorf(
			"%w: %w: %s/%s is %s by %s and %s by %s",
			ErrUnavailable,
			errDisputed,
			base,
			quote,
			r.Value.FloatString(8),
			r.Source,
			ref.Value.FloatString(8),
			ref.Source,
		)
	}

	return r, nil
}
