package organisation

import (
	"context"
	"strconv"
	"strings"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/core/money"
	"slipway/internal/identity/approval"
	"slipway/internal/platform/db"
	"slipway/internal/platform/trail"
	"slipway/internal/platform/web"
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

// CommissionInput is what one trading pair costs the organisation.
type CommissionInput struct {
	TradingPair caller.Ref `json:"tradingPair"`
	Value       web.Number `json:"value" doc:"percent of the amount, with at most four decimals"`
	IsHidden    bool       `json:"isHidden,omitempty" doc:"charged, and not shown in the organisation's record"`
}

// CommissionView is a CustomCommission of the interface.
type CommissionView struct {
	Organisation string     `json:"organisation"`
	TradingPair  string     `json:"tradingPair" doc:"identifier of the trading pair"`
	Value        web.Number `json:"value" doc:"percent of the amount"`
	IsHidden     bool       `json:"isHidden"`
}

type termsInput struct {
	ID   string `path:"id"`
	Body struct {
		TransactionValueLimit *string           `json:"transactionValueLimit,omitempty" maxLength:"30" doc:"most that one transaction may be worth, in US dollars; 0: no limit"`
		MinUSDPaymentAmount   *string           `json:"minUSDPaymentAmount,omitempty" maxLength:"30" doc:"least that one payment may be worth, in US dollars; 0: no limit"`
		CumulativeAmount      *string           `json:"cumulativeAmount,omitempty" maxLength:"30" doc:"most that all transactions together may be worth, in US dollars; 0: no limit"`
		CustomCommissions     []CommissionInput `json:"customCommissions,omitempty" maxItems:"250" doc:"take the place of all there were; an empty list takes them away"`
	}
}

// TermsRoutes registers what the platform's operators agree on with organisations.
func (s *Service) TermsRoutes(api *web.API) {
	web.Register(api, web.Operation{
		Method:  "PATCH",
		Path:    "/operations/organisations/{id}/terms",
		ID:      "changeTerms",
		Tag:     "operations",
		Access:  web.Operator,
		Status:  202,
		Summary: "Ask a second operator to change an organisation's limits and commissions",
		Description: "Fields that are left out stay as they are. The terms change when the second operator has " +
			"approved " +
			"(POST /operations/approvals/{id}/decision); what was quoted keeps its price.",
		Codes: []fault.Code{fault.PairUnknown},
	}, s.handleTerms)
}

func (s *Service) handleTerms(ctx context.Context, in *termsInput) (*approval.View, error) {
	t := Terms{
		TransactionValueLimit: in.Body.TransactionValueLimit,
		MinUSDPaymentAmount:   in.Body.MinUSDPaymentAmount,
		CumulativeAmount:      in.Body.CumulativeAmount,
	}
	if in.Body.CustomCommissions != nil {
		t.Commissions = []Commission{}
	}

	for _, c := range in.Body.CustomCommissions {
		t.Commissions = append(t.Commissions, Commission{
			Owner:   in.ID,
			Pair:    string(c.TradingPair),
			Percent: string(c.Value),
			Hidden:  c.IsHidden,
		})
	}

	return web.Once(ctx, 202, approval.ViewOf, func(done func(*db.Tx, approval.Approval) error) error {
		return s.askTerms(ctx, in.ID, t, done)
	})
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
			l.Add(
				at+"/value",
				fault.OutOfRange,
				"must be a percentage from 0 to %d with at most %d decimals.",
				maxPercent,
				percentDecimals,
			)
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
	tx.Change(
		"UPDATE organisations SET transaction_value_limit = ?, min_usd_payment_amount = ?, cumulative_amount = ?, "+
			"version = ?, updated_at = ? "+
			"WHERE id = ? AND version = ?",
		o.TransactionValueLimit,
		o.MinUSDPaymentAmount,
		o.CumulativeTotal,
		o.Version,
		db.Micros(o.UpdatedAt),
		o.ID,
		old,
	)
}

// commissionViews shows the commissions of an organisation that are not hidden.
func commissionViews(ctx context.Context, q db.Querier, orgID string) ([]CommissionView, error) {
	all, err := CommissionsOf(ctx, q, CustomCommissions, orgID)
	out := []CommissionView{}

	for _, c := range all {
		if !c.Hidden {
			out = append(out, CommissionView{Organisation: c.Owner, TradingPair: c.Pair, Value: web.Number(c.Percent)})
		}
	}

	return out, err
}
