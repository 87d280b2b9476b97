package rates

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"time"
)

// First asks sources in order and returns the first usable rate. It skips a source that does not know the pair, or
// whose rate is stale or unavailable. If none has a rate, it joins the reasons of all. If none knows the pair, it
// returns ErrUnknownPair.
func First(sources ...Source) Source { return first(sources) }

type first []Source

// Rate implements Source.
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

		if ctx.Err() != nil { // a source that was not asked may know the pair
			return Rate{}, fmt.Errorf("%s/%s: %w: %w", base, quote, ErrUnavailable, ctx.Err())
		}
	}

	if len(failed) == 0 {
		return Rate{}, unknownPair("no source", base, quote)
	}

	return Rate{}, errors.Join(failed...)
}

// Cross adds the pairs that a source does not have: the inverse, and chains through the given currencies, at most all
// of them in their order. With USD and EUR, USDC to INR is computed from USDC/USD, USD/EUR and EUR/INR. The arithmetic
// is exact. A chain is as old as its oldest part; shorter chains are tried first.
func Cross(s Source, via ...string) Source { return cross{s, via} }

type cross struct {
	source Source
	via    []string
}

// Rate implements Source. The rate of a code in itself is 1; no source is asked.
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

		if errors.Is(err, errDisputed) { // another chain would only bypass the check
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

// paths lists the chains from base to quote: direct, through one currency, or through two neighbours of via in either
// direction.
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

// leg returns the source's own rate, or the inverse of the opposite one.
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

// Checked compares a source's rates with those of a reference. If both have a fresh rate and these differ by more than
// the tolerance (a share), neither is used and the rate is unavailable. A pair that the reference does not have passes.
func Checked(s, reference Source, tolerance *big.Rat) Source { return checked{s, reference, tolerance} }

type checked struct {
	source, reference Source
	tolerance         *big.Rat
}

// Rate implements Source.
func (c checked) Rate(ctx context.Context, base, quote string) (Rate, error) {
	r, err := c.source.Rate(ctx, base, quote)
	if err != nil {
		return r, err
	}

	ref, err := c.reference.Rate(ctx, base, quote)
	if err != nil {
		return r, nil // nothing to compare with; the source has its own limits
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
