package bookkeeping

import (
	"context"
	"net/http"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/identity/organisation"
	"slipway/internal/platform/db"
	"slipway/internal/platform/web"
)

// SettingsView is how an organisation values what its book has.
type SettingsView struct {
	CostMethod        string `json:"costMethod" enum:"FIFO,AVERAGE" doc:"which tokens leave a wallet first: the oldest, or a part of all at their average cost"`
	FeesInCost        bool   `json:"feesInCost" doc:"whether the fees of a purchase are cost of the tokens, and not an expense"`
	RevalueTokens     bool   `json:"revalueTokens" doc:"whether closing a month values tokens at the rate of its last day"`
	RevalueCurrencies bool   `json:"revalueCurrencies" doc:"whether closing a month values money in foreign currencies at the rate of its last day"`
}

type settingsIn struct{ Body SettingsView }

// settingRoutes registers the operations of the book's settings.
func (s *Service) settingRoutes(
	api *web.API,
	op func(method, path, id, summary, description string, codes ...fault.Code) web.Operation,
) {
	web.Register(api, op(
		"GET",
		"/bookkeeping/settings",
		"readBookkeepingSettings",
		"Read how the book values what it has",
		"FIFO, fees as cost, and money in foreign currencies at the rate of each month's last day, as long as the "+
			"organisation has set nothing else.",
	), func(ctx context.Context, _ *struct{}) (*SettingsView, error) {
		found, err := SettingsOf(ctx, s.DB, caller.Of(ctx).Organisation)
		v := settingsView(found)

		return &v, err
	})

	set := op(
		"PUT",
		"/bookkeeping/settings",
		"setBookkeepingSettings",
		"Set how the book values what it has",
		"It acts on open months: all of their lines have other values then. Closed months stay as they are.",
	)
	set.Roles = []string{organisation.Admin}
	web.Register(api, set, func(ctx context.Context, in *settingsIn) (*SettingsView, error) {
		to := Settings{
			Method:            Method(in.Body.CostMethod),
			FeesInCost:        in.Body.FeesInCost,
			RevalueTokens:     in.Body.RevalueTokens,
			RevalueCurrencies: in.Body.RevalueCurrencies,
		}

		return web.Once(ctx, http.StatusOK, settingsView, func(done func(*db.Tx, Settings) error) error {
			return s.Set(ctx, to, done)
		})
	})
}

func settingsView(s Settings) SettingsView {
	return SettingsView{
		CostMethod:        string(s.Method),
		FeesInCost:        s.FeesInCost,
		RevalueTokens:     s.RevalueTokens,
		RevalueCurrencies: s.RevalueCurrencies,
	}
}
