package wallet

import (
	"context"
	"time"

	"slipway/internal/core/caller"
	"slipway/internal/identity/user"
	"slipway/internal/platform/db"
	"slipway/internal/platform/web"
)

// WaitingView is a wallet in REVIEW as the platform's people see it who decide.
type WaitingView struct {
	ID             string      `json:"_id"`
	Organisation   string      `json:"organisation"`
	Receiver       string      `json:"receiver" doc:"identifier of the receiver it belongs to"`
	Network        string      `json:"network" doc:"identifier"`
	Address        string      `json:"address"`
	Message        string      `json:"screeningErrMessage" doc:"what the provider wants looked at"`
	ScreeningID    string      `json:"screeningAnalysisId"`
	ScreenedAt     time.Time   `json:"screenedAt"`
	CreatedAt      time.Time   `json:"createdAt"`
	Review         *ReviewView `json:"review,omitempty" doc:"what one person proposes; left out while nobody has said anything"`
	AllowedActions []string    `json:"allowedActions" nullable:"false" example:"[\"approve-screening\",\"reject-screening\"]"`
}

// waitingViews shows wallets in REVIEW.
func (s *Service) waitingViews(ctx context.Context, q db.Querier, wallets []Wallet) ([]WaitingView, error) {
	reviews, err := reviewViews(ctx, q, wallets)
	if err != nil {
		return nil, err
	}

	notSecond, err := user.CallerAsSecond(ctx, q, user.Staff, s.deps.DB.Now())
	if err != nil {
		return nil, err
	}

	out := make([]WaitingView, len(wallets))
	for i, w := range wallets {
		out[i] = waitingView(w, reviews[i])
		out[i].AllowedActions = w.allowedActions(ctx, notSecond)
	}

	return out, nil
}

func waitingView(w Wallet, review ReviewView) WaitingView {
	v := WaitingView{
		ID:           w.ID,
		Organisation: w.Organisation,
		Receiver:     w.Receiver,
		Network:      w.Network,
		Address:      w.Address,
		Message:      w.AnalysisErr,
		ScreeningID:  w.AnalysisID,
		ScreenedAt:   w.ScreenedAt.Truncate(time.Millisecond),
		CreatedAt:    w.CreatedAt.Truncate(time.Millisecond),
	}
	if w.Review.ProposedBy != "" {
		v.Review = &review
	}

	return v
}

type waitingIn struct {
	web.Paging

	Proposed  *bool `query:"proposed" doc:"true: only wallets for which one person has proposed something; false: only others"`
	Direction int   `query:"direction" default:"1" enum:"-1,1" doc:"-1: newest first"`
}

// listWaiting lists the wallets in REVIEW of all organisations, with what one person has proposed of them.
func (s *Service) listWaiting(ctx context.Context, in *waitingIn) (*web.List[WaitingView], error) {
	var w db.Where

	w.And("screening_status = ?", string(AnalysisReview))
	w.And("NOT soft_deleted")

	if in.Proposed != nil {
		w.And(map[bool]string{true: "review_proposed_by <> ''", false: "review_proposed_by = ''"}[*in.Proposed])
	}

	return web.ListOf(ctx, s.deps.DB, in.Paging, func(q db.Querier, page caller.Window) ([]Wallet, int64, error) {
		return list(ctx, q, w, page, in.Direction > 0)
	}, identifier, func(q db.Querier, wallets []Wallet) ([]WaitingView, error) {
		return s.waitingViews(ctx, q, wallets)
	})
}
