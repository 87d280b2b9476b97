package organisation

import (
	"context"
	"strconv"
	"strings"

	"slipway/internal/core/fault"
	"slipway/internal/core/money"
	"slipway/internal/platform/db"
	"slipway/internal/platform/trail"
)

// Limits of what an organisation may be given.
const (
	percentDecimals   = 4
	maxPercent        = 50
	usdDecimals       = 2
	pointerCommission = "/customCommissions"
)

// Terms are what the platform agrees on with an organisation. A nil field stays as it is. Limits are decimal texts in
// US dollars; 0 is no limit. Commissions, if given, take the place of all there were.
type Terms struct {
	TransactionValueLimit, MinUSDPaymentAmount, CumulativeAmount *string
	Commissions                                                  []Commission // nil: as they are
}

// SetTerms writes the terms of an organisation. Setting the same again changes nothing but the version.
func (s *Service) SetTerms(ctx context.Context, tx *db.Tx, orgID string, t Terms) error {
	if err := t.check(s.config.Pair); err != nil {
		return err
	}

	o, err := ByID(ctx, tx, orgID)
	if err != nil {
		return err
	}

	was, err := termsOf(ctx, tx, o)
	if err != nil {
		return err
	}

	next := t.over(was)
	if t.Commissions != nil {
		if err := replaceCommissions(tx, orgID, t.Commissions); err != nil {
			return err
		}
	}

	old := o.Version
	o.TransactionValueLimit = *next.TransactionValueLimit
	o.MinUSDPaymentAmount = *next.MinUSDPaymentAmount
	o.CumulativeTotal = *next.CumulativeAmount
	o.Version = old + 1
	o.UpdatedAt = tx.Now
	writeTerms(tx, o, old)
	trail.Audit(ctx, tx, o.ID, "organisation.terms_changed", o.ID, strings.Join(was.changes(next), "; "))

	return nil
}

// check notes every field that is wrong, and puts the identifiers of the pairs in place of how they were named.
func (t *Terms) check(pair func(ref string) (string, bool)) error {
	var l fault.List

	for _, x := range []struct {
		pointer string
		value   *string
	}{
		{"/transactionValueLimit", t.TransactionValueLimit},
		{"/minUSDPaymentAmount", t.MinUSDPaymentAmount},
		{"/cumulativeAmount", t.CumulativeAmount},
	} {
		if x.value == nil {
			continue
		}

		if _, err := money.ParseOrZero(money.Asset{Code: "USD", Decimals: usdDecimals}, *x.value); err != nil {
			l.Add(x.pointer, fault.AmountForm, "must be an amount of US dollars such as 10000.00; 0 is no limit.")
		}
	}

	seen := map[string]bool{}

	for i := range t.Commissions {
		c := &t.Commissions[i]
		at := pointerCommission + "/" + strconv.Itoa(i)

		if id, ok := pair(c.Pair); ok {
			c.Pair = id
		} else {
			l.Add(at+"/tradingPair", fault.PairUnknown, "is no trading pair.")
		}

		if seen[c.Pair] {
			l.Add(at+"/tradingPair", fault.NotAllowed, "stands twice.")
		}

		seen[c.Pair] = true

		percent, err := money.ParseOrZero(money.Asset{Code: "%", Decimals: percentDecimals}, c.Percent)
		if err != nil || percent.Cmp(mostPercent()) > 0 {
			l.Add(at+"/value", fault.OutOfRange,
				"must be a percentage from 0 to %d with at most %d decimals.", maxPercent, percentDecimals)
		}
	}

	return l.Err()
}

func mostPercent() money.Amount {
	a, err := money.Parse(money.Asset{Code: "%", Decimals: percentDecimals}, strconv.Itoa(maxPercent))
	if err != nil {
		panic(err) // a fixed text
	}

	return a
}

// writeTerms writes the limits, if the row is still at the version that was read.
func writeTerms(tx *db.Tx, o Organisation, old int64) {
	tx.Change(`UPDATE organisations
			SET transaction_value_limit = ?, min_usd_payment_amount = ?, cumulative_amount = ?, version = ?,
			updated_at = ? WHERE id = ? AND version = ?`,
		o.TransactionValueLimit, o.MinUSDPaymentAmount, o.CumulativeTotal, o.Version, db.Micros(o.UpdatedAt), o.ID, old)
}
