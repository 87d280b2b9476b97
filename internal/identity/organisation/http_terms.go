package organisation

import (
	"context"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/identity/approval"
	"slipway/internal/platform/db"
	"slipway/internal/platform/web"
)

// CommissionInput is what one trading pair costs the organisation.
type CommissionInput struct {
	TradingPair caller.Ref `json:"tradingPair" record:"tradingPair"`
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
		TransactionValueLimit *string           `json:"transactionValueLimit,omitempty" nullable:"false" maxLength:"30" doc:"most that one transaction may be worth, in US dollars; 0: no limit"`
		MinUSDPaymentAmount   *string           `json:"minUSDPaymentAmount,omitempty" nullable:"false" maxLength:"30" doc:"least that one payment may be worth, in US dollars; 0: no limit"`
		CumulativeAmount      *string           `json:"cumulativeAmount,omitempty" nullable:"false" maxLength:"30" doc:"most that all transactions together may be worth, in US dollars; 0: no limit"`
		CustomCommissions     []CommissionInput `json:"customCommissions,omitempty" maxItems:"250" doc:"take the place of all there were; an empty list takes them away"`
	}
}

// TermsRoutes registers the operations with which operators change an organisation's terms.
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
			"approved (POST /operations/approvals/{id}/decision); what was quoted keeps its price.",
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

	return web.OnceOf(ctx, 202, s.config.Approvals.Show(ctx), func(done func(*db.Tx, approval.Approval) error) error {
		return s.askTerms(ctx, in.ID, t, done)
	})
}

// commissionViews returns the commissions of organisations that are not hidden, by organisation.
func commissionViews(ctx context.Context, q db.Querier, orgIDs []string) (map[string][]CommissionView, error) {
	all, err := commissionsOfAll(ctx, q, CustomCommissions, orgIDs)
	out := map[string][]CommissionView{}

	for _, c := range all {
		if !c.Hidden {
			out[c.Owner] = append(out[c.Owner], CommissionViewOf(c))
		}
	}

	return out, err
}

// CommissionViewOf shows a commission.
func CommissionViewOf(c Commission) CommissionView {
	return CommissionView{
		Organisation: c.Owner,
		TradingPair:  c.Pair,
		Value:        web.Number(c.Percent),
		IsHidden:     c.Hidden,
	}
}
