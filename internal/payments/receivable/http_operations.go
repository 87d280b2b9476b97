package receivable

import (
	"context"
	"time"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/identity/approval"
	"slipway/internal/identity/organisation"
	"slipway/internal/identity/user"
	"slipway/internal/platform/db"
	"slipway/internal/platform/web"
)

// OperatorView is a receivable as operators see it.
type OperatorView struct {
	View

	Name           string        `json:"organisationName,omitempty" example:"Muster AG"`
	Decisions      []DecidedView `json:"decisions" nullable:"false" doc:"what people have settled of it, oldest first"`
	House          string        `json:"houseAccount" example:"hse_eur" doc:"our account that the money is missing on"`
	Reference      string        `json:"reference" example:"7K4M2Q9X" doc:"that a deposit has to carry to pay it by itself"`
	Returns        []ReturnView  `json:"returns" nullable:"false" doc:"returned payments of the organisation in the same currency whose money is still here: what it can be set off against. The oldest twenty"`
	AllowedActions []string      `json:"allowedActions" nullable:"false" example:"[\"setOff\",\"writeOff\"]"`
}

// DecidedView is what two people have settled.
type DecidedView struct {
	Means     Means     `json:"means" enum:"DEPOSIT,SET_OFF,WRITE_OFF" doc:"DEPOSIT: money came in. SET_OFF: money of a returned payment was kept for it. WRITE_OFF: the platform has given it up"`
	Amount    string    `json:"amount" example:"2500.00"`
	DecidedBy string    `json:"decidedBy" example:"usr_01kaj3w8r8q2m5x9v7t4b6c1dn and usr_01kaj3w8r8q2m5x9v7t4b6c1dp"`
	Reason    string    `json:"reason,omitempty" example:"The bank confirms that the payer is insolvent" doc:"why, in their words"`
	At        time.Time `json:"at"`
}

// ReturnView is a returned payment's money.
type ReturnView struct {
	ID          string `json:"_id" example:"ent_01kaj3w8r8q2m5x9v7t4b6c1dn" doc:"identifier of the bank's entry"`
	Transaction string `json:"transaction" example:"txn_01kaj3w8r8q2m5x9v7t4b6c1dn" doc:"whose payment came back"`
	Amount      string `json:"amount" example:"100.00"`
}

type decideIn struct {
	byID
	Body struct {
		Action Means  `json:"action" enum:"SET_OFF,WRITE_OFF" doc:"SET_OFF: keep the money of a returned payment for it. WRITE_OFF: give it up"`
		Return string `json:"return,omitempty" maxLength:"200" example:"ent_01kaj3w8r8q2m5x9v7t4b6c1dn" doc:"SET_OFF: one of the receivable's returns"`
		Reason string `json:"reason" minLength:"1" maxLength:"500" example:"The bank confirms that the payer is insolvent" doc:"why, for the second operator. It is kept with the receivable and in the audit log"`
	}
}

// operatorRoutes registers what operators read and decide.
func (s *Service) operatorRoutes(api *web.API) {
	web.Register(api, web.Operation{
		Method:  "GET",
		Path:    "/operations/receivables",
		ID:      "listOwed",
		Tag:     "operations",
		Access:  web.Operator,
		Summary: "List what organisations owe the platform, and what can be decided about it",
		Description: "For deposits that were taken back after their value had gone out. A deposit with the reference " +
			"settles one by itself; any other deposit does so when two people decide it (POST " +
			"/operations/deposits/{id}/decision with SETTLE).",
	}, func(ctx context.Context, in *query) (*web.List[OperatorView], error) {
		return listOf(ctx, s, in, db.Where{}, func(q db.Querier, all []Receivable) ([]OperatorView, error) {
			return s.operatorViews(ctx, q, all)
		})
	})

	web.Register(api, web.Operation{
		Method:  "POST",
		Path:    "/operations/receivables/{id}/decision",
		ID:      "decideOwed",
		Tag:     "operations",
		Access:  web.Operator,
		StepUp:  true,
		Status:  202,
		Summary: "Ask a second operator to set off or to write off what an organisation owes",
		Description: "It takes effect when the second one approves (POST /operations/approvals/{id}/decision). Of a " +
			"return that is more than what is owed, the rest stays as it is.",
		Codes: []fault.Code{fault.ReceivableSettled},
	}, func(ctx context.Context, in *decideIn) (*approval.View, error) {
		want := Decision{Means: in.Body.Action, Return: in.Body.Return, Reason: in.Body.Reason}

		return web.OnceOf(ctx, 202, s.Approvals.Show(ctx), func(done func(*db.Tx, approval.Approval) error) error {
			return s.Ask(ctx, in.ID, want, done)
		})
	})
}

// decisions returns what people have settled of a receivable.
func decisions(parts []Part) []DecidedView {
	out := []DecidedView{}

	for _, p := range parts {
		if p.DecidedBy == "" {
			continue
		}

		out = append(out, DecidedView{
			Means:     p.Means,
			Amount:    p.Amount.String(),
			DecidedBy: p.DecidedBy,
			Reason:    p.Reason,
			At:        user.Shown(p.At),
		})
	}

	return out
}

// mostReturns is how many returns stand in a view: an answer does not grow with all that an organisation has.
const mostReturns = 20

// operatorViews returns what operators see of receivables.
func (s *Service) operatorViews(ctx context.Context, q db.Querier, all []Receivable) ([]OperatorView, error) {
	parts, err := partsOf(ctx, q, all)
	if err != nil {
		return nil, err
	}

	views, err := s.viewsWith(all, parts)
	if err != nil {
		return nil, err
	}

	owners := make([]string, len(all))
	for i, r := range all {
		owners[i] = r.Organisation
	}

	names, err := organisation.NamesOf(ctx, q, owners)
	if err != nil {
		return nil, err
	}

	out := make([]OperatorView, len(all))
	for i, r := range all {
		out[i] = OperatorView{
			View:           views[i],
			Decisions:      decisions(parts[r.ID]),
			House:          r.House,
			Reference:      r.Reference,
			Returns:        []ReturnView{},
			AllowedActions: []string{},
		}

		if len(names[r.Organisation]) > 0 {
			out[i].Name = names[r.Organisation][0]
		}

		if r.State != Open {
			continue
		}

		returns, err := s.Returns(ctx, q, r.Organisation, r.Amount.Asset().Code)
		if err != nil {
			return nil, err
		}

		for _, x := range returns[:min(len(returns), mostReturns)] {
			out[i].Returns = append(out[i].Returns, ReturnView{x.ID, x.Transaction, x.Amount.String()})
		}

		acts := []caller.Act{{Word: "writeOff", Operation: "decideOwed"}}
		if len(returns) > 0 {
			acts = append(acts, caller.Act{Word: "setOff", Operation: "decideOwed"})
		}

		out[i].AllowedActions = caller.Allowed(ctx, acts...)
	}

	return out, nil
}
