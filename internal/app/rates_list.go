package app

import (
	"context"
	"fmt"
	"time"

	"slipway/internal/platform/web"
	"slipway/internal/rails/rates"
)

// rateSourceView is how a source of exchange rates is.
type rateSourceView struct {
	Source  string     `json:"source" example:"ECB" doc:"the central bank, or a price feed: its pair and its network"`
	Usable  bool       `json:"usable" doc:"whether it has a rate that may be used; what needs one is answered 503 otherwise"`
	AsOf    *time.Time `json:"asOf" doc:"of its newest rate; null: it has given none since the start"`
	Since   *time.Time `json:"since" doc:"when that was found first; null: since the start"`
	Problem string     `json:"problem" example:"HTTP status 503" doc:"why it has no rate that may be used; empty: it has one"`
}

// rateSourcesRoute registers what operators see of the sources of exchange rates.
func (a *App) rateSourcesRoute(api *web.API) {
	web.Register(
		api,
		web.Operation{
			Method:  "GET",
			Path:    "/operations/rate-sources",
			ID:      "listRateSources",
			Summary: "Show how the sources of exchange rates are",
			Description: "Each price feed and the central bank, as the process that answers has found it within the last " +
				"two minutes. While none serves a pair, what needs its rate is answered 503 `RATE_UNAVAILABLE` or `RATE_STALE`.",
			Tag:    "operations",
			Access: web.Operator,
		},
		func(ctx context.Context, _ *struct{}) (*web.List[rateSourceView], error) {
			all := a.ratesWatch.Look(ctx)
			views := make([]rateSourceView, len(all))

			for i, c := range all {
				views[i] = rateSourceViewOf(c)
			}

			l := web.NewList(views, int64(len(views)), "")

			return &l, nil
		},
	)
}

func rateSourceViewOf(c rates.Condition) rateSourceView {
	return rateSourceView{
		Source:  c.Name,
		Usable:  c.Problem == "",
		AsOf:    momentOrNil(c.AsOf),
		Since:   momentOrNil(c.Since),
		Problem: c.Problem,
	}
}

// ratesUsable returns why a source of exchange rates cannot be used, or nil.
func (a *App) ratesUsable(ctx context.Context) error {
	for _, c := range a.ratesWatch.Look(ctx) {
		if c.Problem != "" {
			return fmt.Errorf("rates of %s: %s", c.Name, c.Problem)
		}
	}

	return nil
}
