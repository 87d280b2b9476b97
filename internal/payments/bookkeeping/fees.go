package bookkeeping

import (
	"context"
	"strings"
	"time"

	"slipway/internal/core/fault"
	"slipway/internal/payments/ledger"
)

// IsFee reports whether a line is of a fee, without the VAT in it or that VAT: above zero what was charged, below zero
// what was given back.
func IsFee(l Line) bool { return strings.HasPrefix(l.Entry.Account, "income/") || IsTax(l) }

// taxAccounts begins the names of the accounts of VAT.
const taxAccounts = "tax/"

// IsTax reports whether a line is the VAT in a fee.
func IsTax(l Line) bool { return strings.HasPrefix(l.Entry.Account, taxAccounts) }

// taxCode returns the code of the tax that a line is; empty: it is none.
func (l Line) taxCode() string {
	if !IsTax(l) {
		return ""
	}

	_, code, _ := strings.Cut(l.Place, "/")

	return code
}

// Fees calls each with every line of fees that an organisation's book has on some days, both included, oldest first.
func (s *Service) Fees(ctx context.Context, org string, from, to time.Time, each func(Line) error) error {
	s.refresh(ctx)

	b, err := s.bookOf(ctx, s.DB, ledger.Period{Organisation: org})
	if err != nil {
		return err
	}

	return s.walk(ctx, b, b.until(from, to), false, func(l Line) error {
		if !IsFee(l) {
			return nil
		}

		return each(l)
	})
}

// Final returns nil if a line has a value that will not change, else the refusal that says which rate is missing. A
// closed month keeps its values, also those that were provisional when it was closed.
func Final(l Line) error {
	if l.Value == nil {
		return noRate(l)
	}

	if l.Provisional && !l.Closed {
		return fault.New(
			fault.Unavailable,
			fault.RateUnavailable,
			"The reference rate of %s for %s may still come. Ask again in the evening of the next working day.",
			l.Asset,
			l.Day.Format(time.DateOnly),
		)
	}

	return nil
}
