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

// Forms and limits of the terms.
const (
	percentDecimals   = 4
	maxPercent        = 50
	usdDecimals       = 2
	pointerCommission = "/customCommissions"
)

// Kinds of commissions that replace a trading pair's default.
const (
	CustomCommissions  = "CUSTOM"  // an organisation's own
	PartnerCommissions = "PARTNER" // of the organisations that come through a partner
)

// Commission is what a trading pair costs an owner: an organisation or a partner. Percent is a decimal text: 0.5 is
// half a percent of the amount. A hidden commission is charged like any other but not shown in the organisation's
// record.
type Commission struct {
	Owner, Pair, Percent string
	Hidden               bool
}

// Terms are what the platform agrees on with an organisation. A nil field stays as it is. Limits are decimal texts in
// US dollars; 0 means no limit. Commissions replace all earlier ones.
type Terms struct {
	TransactionValueLimit, MinUSDPaymentAmount, CumulativeAmount *string
	Commissions                                                  []Commission // nil: as they are
}

// SetTerms writes the terms of an organisation. A second call with the same terms changes only the version.
func (s *Service) SetTerms(ctx context.Context, tx *db.Tx, orgID string, t Terms) error {
	if err := t.check(s.config.Pair); err != nil {
		return err
	}

	o, err := ByID(ctx, tx, orgID)
	if err != nil {
		return err
	}

	current, err := termsOf(ctx, tx, o)
	if err != nil {
		return err
	}

	next := t.withDefaults(current)

	if t.Commissions != nil {
		if err := replaceCommissions(tx, orgID, t.Commissions); err != nil {
			return err
		}
	}

	version := o.Version
	o.TransactionValueLimit = *next.TransactionValueLimit
	o.MinUSDPaymentAmount = *next.MinUSDPaymentAmount
	o.CumulativeTotal = *next.CumulativeAmount
	o.Version++
	o.UpdatedAt = tx.Now

	writeTerms(tx, o, version)
	trail.Audit(ctx, tx, o.ID, "organisation.terms_changed", o.ID, strings.Join(current.changes(next), "; "))

	return nil
}

// check returns everything that is wrong with the terms, and replaces references to trading pairs by identifiers.
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

	checkCommissions(&l, t.Commissions, pair)

	return l.Err()
}

// checkCommissions adds to l what is wrong with commissions, and replaces references to trading pairs by identifiers.
func checkCommissions(l *fault.List, all []Commission, pair func(ref string) (string, bool)) {
	seen := map[string]bool{}

	for i := range all {
		c := &all[i]
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
}

// mostPercent returns maxPercent as an amount.
func mostPercent() money.Amount {
	a, err := money.Parse(money.Asset{Code: "%", Decimals: percentDecimals}, strconv.Itoa(maxPercent))
	if err != nil {
		panic(err) // a fixed text
	}

	return a
}
