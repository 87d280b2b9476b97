package bookkeeping

import (
	"context"
	"net/http"
	"strings"
	"time"

	"slipway/internal/core/fault"
	"slipway/internal/identity/organisation"
	"slipway/internal/platform/db"
	"slipway/internal/platform/web"
)

// OpeningView is what a wallet or an account had when the book began.
type OpeningView struct {
	ID          string     `json:"_id" example:"bop_01kaj3w8r8q2m5x9v7t4b6c1dn"`
	AccountKind string     `json:"accountKind" example:"wallet" doc:"the kind of the service's accounts: wallet, or sender for money in a currency"`
	Place       string     `json:"place" example:"net_base/0x52908400098527886e0f7030069857d2e4169ee7" doc:"network and address of a wallet, or a currency"`
	On          string     `json:"on" format:"date" example:"2026-01-01" doc:"the balance is that of the day's beginning, in the organisation's time zone"`
	Amount      string     `json:"amount" example:"250.00"`
	Asset       string     `json:"asset" example:"USDC" doc:"code of the token or currency"`
	Source      string     `json:"source" enum:"CHAIN,STATED" doc:"CHAIN: read from the chain; STATED: a person has stated it"`
	Block       *int64     `json:"block" example:"21530000" doc:"number of the last block before the day; null: stated, or the chain has begun later"`
	BlockHash   *string    `json:"blockHash" example:"0x5e4d0c27a0b9f1c94e7a5d3f8b2c6e1a0d9f8e7c6b5a49382716051423324150" doc:"null: stated, or the chain has begun later"`
	Reason      string     `json:"reason" example:"Statement 31 of the house bank"`
	OpenedBy    string     `json:"openedBy" example:"usr_01kaj3w8r8q2m5x9v7t4b6c1dn" doc:"identifier of the person"`
	OpenedAt    time.Time  `json:"openedAt" doc:"when it was recorded"`
	WithdrawnAt *time.Time `json:"withdrawnAt" doc:"when it was taken back; null: it counts"`
}

type openIn struct {
	Body struct {
		Wallet   string `json:"wallet,omitempty" maxLength:"60" example:"wlt_01kaj3w8r8q2m5x9v7t4b6c1dn" doc:"identifier of a wallet of the organisation's"`
		Token    string `json:"token,omitempty" maxLength:"40" example:"USDC" doc:"code of the token in the wallet"`
		Currency string `json:"currency,omitempty" maxLength:"3" example:"EUR" doc:"in place of a wallet: the organisation's money at its bank in this currency"`
		On       string `json:"on" maxLength:"40" example:"2026-01-01" doc:"the day on which the book begins, in the organisation's time zone"`
		Amount   string `json:"amount,omitempty" maxLength:"90" example:"250.00" doc:"what a person states; without it, the chain is asked for the wallet's balance at the last block before the day"`
		Reason   string `json:"reason" maxLength:"500" example:"Statement 31 of the house bank" doc:"how the amount is known, for the audit log"`
	}
}

type withdrawIn struct {
	ID   string `path:"id"`
	Body struct {
		Reason string `json:"reason" maxLength:"500" example:"The statement was of another account" doc:"why, for the audit log"`
	}
}

// openingRoutes registers the operations of opening balances.
func (s *Service) openingRoutes(
	api *web.API,
	op func(method, path, id, summary, description string, codes ...fault.Code) web.Operation,
) {
	web.Register(api, op(
		"GET",
		"/bookkeeping/openings",
		"listBookkeepingOpenings",
		"List the opening balances of the organisation's book",
		"Newest first, those that were withdrawn too, 1,000 at most.",
	), func(ctx context.Context, _ *struct{}) (*web.List[OpeningView], error) {
		all, err := s.Openings(ctx)

		views := make([]OpeningView, len(all))
		for i, o := range all {
			views[i] = openingView(o)
		}

		out := web.NewList(views, int64(len(all)), "")

		return &out, err
	})

	open := op(
		"POST",
		"/bookkeeping/openings",
		"openBookkeeping",
		"Record an opening balance of the organisation's book",
		"What a wallet has of a token, or the organisation of a currency at its bank, when the book begins: an entry "+
			"against the opening balances, at the reference rate of the day. Without an amount, the chain is asked, and the "+
			"block is kept as evidence. The day must not be after the first day on which the book has a line of it.",
		fault.OpeningRecorded,
		fault.OpeningTooEarly,
		fault.UpstreamFailed,
		fault.TokenUnknown,
		fault.TokenNotOnNetwork,
		fault.CurrencyUnknown,
	)
	open.Roles = []string{organisation.Admin}
	open.Status = http.StatusCreated
	web.Register(api, open, func(ctx context.Context, in *openIn) (*OpeningView, error) {
		return web.Once(ctx, http.StatusCreated, openingView, func(done func(*db.Tx, Opening) error) error {
			return s.Open(ctx, Wanted(in.Body), done)
		})
	})

	withdraw := op(
		"POST",
		"/bookkeeping/openings/{id}/withdraw",
		"withdrawBookkeepingOpening",
		"Take an opening balance back",
		"Its entry is posted the other way round, on the same day. The right one can be recorded then.",
		fault.OpeningWithdrawn,
		fault.PeriodOutOfOrder,
	)
	withdraw.Roles = []string{organisation.Admin}
	web.Register(api, withdraw, func(ctx context.Context, in *withdrawIn) (*OpeningView, error) {
		return web.Once(ctx, http.StatusOK, openingView, func(done func(*db.Tx, Opening) error) error {
			return s.Withdraw(ctx, in.ID, in.Body.Reason, done)
		})
	})
}

func openingView(o Opening) OpeningView {
	kind, place, _ := strings.Cut(string(o.Account), "/")
	v := OpeningView{
		ID:          o.ID,
		AccountKind: kind,
		Place:       place,
		On:          o.On.Format(time.DateOnly),
		Amount:      o.Amount.String(),
		Asset:       o.Amount.Asset().Code,
		Source:      string(o.Source),
		Reason:      o.Reason,
		OpenedBy:    o.By,
		OpenedAt:    o.At.UTC().Truncate(time.Millisecond),
	}

	if o.Block.Hash != "" {
		number := int64(o.Block.Number)
		v.Block = &number
		v.BlockHash = &o.Block.Hash
	}

	if !o.Withdrawn.IsZero() {
		at := o.Withdrawn.UTC().Truncate(time.Millisecond)
		v.WithdrawnAt = &at
	}

	return v
}
