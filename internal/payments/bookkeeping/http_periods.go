package bookkeeping

import (
	"context"
	"net/http"
	"time"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/identity/organisation"
	"slipway/internal/platform/db"
	"slipway/internal/platform/web"
)

// PeriodsView is the months of an organisation's book.
type PeriodsView struct {
	Periods []PeriodView `json:"periods" nullable:"false" doc:"newest first, 120 at most"`
}

// PeriodView is a month of an organisation's book.
type PeriodView struct {
	ID       string     `json:"_id" example:"2026-12" doc:"the month"`
	From     string     `json:"from" format:"date" doc:"its first day, in the organisation's time zone"`
	To       string     `json:"to" format:"date" example:"2026-12-31" doc:"its last day"`
	State    string     `json:"state" enum:"OPEN,CLOSED" doc:"CLOSED: its lines never change, and none joins them"`
	Over     bool       `json:"isOver" doc:"whether its last day has passed"`
	Next     *string    `json:"next" enum:"CLOSE,REOPEN" doc:"what an admin may do with it now; null: nothing"`
	Pending  *string    `json:"pendingApproval" doc:"identifier of the approval that this waits for; null: for none"`
	ClosedBy *string    `json:"closedBy" example:"usr_01kaj3w8r8q2m5x9v7t4b6c1dn" doc:"identifier of the person; null: it is open"`
	ClosedAt *time.Time `json:"closedAt" doc:"null: it is open"`
	Reason   *string    `json:"reason" example:"Reviewed with the auditor" doc:"why it was closed; null: it is open"`
}

type decideIn struct {
	Period string `path:"period" maxLength:"7" example:"2026-12" doc:"the month"`
	Body   struct {
		Reason string `json:"reason" maxLength:"500" example:"Reviewed with the auditor" doc:"why, for the audit log"`
	}
}

// periodRoutes registers the operations of closed months.
func (s *Service) periodRoutes(
	api *web.API,
	op func(method, path, id, summary, description string, codes ...fault.Code) web.Operation,
) {
	web.Register(api, op(
		"GET",
		"/bookkeeping/periods",
		"listBookkeepingPeriods",
		"List the months of the organisation's book, and which are closed",
		"From that of the first line to the present one. Months are closed one after the other.",
	), s.periods)

	decide := func(do Action, word, id, summary, description string) {
		o := op("POST", "/bookkeeping/periods/{period}/"+word, id, summary, description,
			fault.PeriodNotOver, fault.PeriodOutOfOrder, fault.PeriodTooLarge, fault.FormatInvalid)
		o.Roles = []string{organisation.Admin}

		web.Register(api, o, func(ctx context.Context, in *decideIn) (*PeriodView, error) {
			return web.Once(ctx, http.StatusOK, periodView, func(done func(*db.Tx, Period) error) error {
				return s.Decide(ctx, in.Period, do, in.Body.Reason, done)
			})
		})
	}

	decide(
		ActionClose,
		"close",
		"closeBookkeepingPeriod",
		"Close a month of the book",
		"Its lines never change again. Rates that come late, other accounts, another home currency and another time "+
			"zone act from the first open day on, and what is posted later counts there. Under a policy of the "+
			"organisation a second admin decides: `pendingApproval` names the approval.",
	)
	decide(
		ActionReopen,
		"reopen",
		"reopenBookkeepingPeriod",
		"Reopen the last closed month of the book",
		"Its lines are again what the present rates, accounts, home currency and time zone make of them. Under a "+
			"policy of the organisation a second admin decides: `pendingApproval` names the approval.",
	)
}

func (s *Service) periods(ctx context.Context, _ *struct{}) (*PeriodsView, error) {
	out := PeriodsView{Periods: []PeriodView{}}

	err := s.DB.Snapshot(ctx, func(q db.Querier) error {
		all, err := s.Periods(ctx, q, caller.Of(ctx).Organisation)
		for _, p := range all {
			out.Periods = append(out.Periods, periodView(p))
		}

		return err
	})

	return &out, err
}

func periodView(p Period) PeriodView {
	v := PeriodView{
		ID:      p.Name,
		From:    p.From.Format(time.DateOnly),
		To:      p.To.Format(time.DateOnly),
		State:   "OPEN",
		Over:    p.Over,
		Next:    optional(string(p.Next)),
		Pending: optional(p.Pending),
	}

	if c := p.Closed; c != nil {
		at := c.At.Truncate(time.Millisecond)
		v.State = "CLOSED"
		v.ClosedBy = optional(c.By)
		v.Reason = optional(c.Reason)
		v.ClosedAt = &at
	}

	return v
}

// optional returns a text, or nil for an empty one.
func optional(s string) *string {
	if s == "" {
		return nil
	}

	return &s
}
