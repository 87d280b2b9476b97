// Package rates returns the value of one asset in another: tokens and currencies by their codes.
//
// What it promises: a rate is exact (no rounding happens here), positive, states when it was made and by whom, and is
// never older than the limit of its source. A stale or unavailable rate is an error, never a number. It does not
// promise that anyone trades at a rate.
//
// Read in this order: rates.go (what callers use), combine.go (several sources, crosses), ecb.go (the central bank's
// reference rates), days.go (those of past days), chainlink.go (price feeds on a chain), watch.go (how the sources
// are). The simulator is in ratesim.
package rates

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"time"
)

// Errors that callers compare with errors.Is. Each means that there is no rate.
var (
	ErrStale       = errors.New("the rate is older than it may be")
	ErrUnavailable = errors.New("the source gives no usable answer")
	ErrUnknownPair = errors.New("the source has no rate for this pair")
)

// Rate is the value of one whole Base in Quote: 1 EUR (Base) is 1.1252 USD (Quote). Never change Value: it is shared.
type Rate struct {
	Base, Quote string
	Value       *big.Rat
	AsOf        time.Time // when the source made it; of a cross, the oldest part's
	Source      string    // for people and records: "ECB", "Chainlink net_ethereum", "Chainlink net_ethereum × ECB"
}

// Source returns rates. Errors wrap ErrStale, ErrUnavailable or ErrUnknownPair. Repeating a request is harmless. It is
// safe for concurrent use.
type Source interface {
	Rate(ctx context.Context, base, quote string) (Rate, error)
}

// Inverse returns the exact rate in the opposite direction.
func (r Rate) Inverse() Rate {
	r.Base, r.Quote = r.Quote, r.Base
	r.Value = new(big.Rat).Inv(r.Value)
	return r
}

// Stale is the error for a rate that is older than its source's limit. It wraps ErrStale.
type Stale struct {
	Base, Quote, Source string
	AsOf                time.Time
	Limit               string // in words: "27s", "1 working day of TARGET"
}

// Error returns the pair, the source and the age limit.
func (s *Stale) Error() string {
	return fmt.Sprintf(
		"%s/%s of %s is of %s; it may be at most %s old",
		s.Base,
		s.Quote,
		s.Source,
		s.AsOf.Format(time.RFC3339),
		s.Limit,
	)
}

// Unwrap returns ErrStale.
func (s *Stale) Unwrap() error { return ErrStale }

func unknownPair(source, base, quote string) error {
	return fmt.Errorf("%s: %w: %s/%s", source, ErrUnknownPair, base, quote)
}
