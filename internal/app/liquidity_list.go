package app

import (
	"context"
	"time"

	"slipway/internal/platform/web"
)

// liquidityProviderView is a LiquidityProvider of the interface. Providers are configured and not stored, so what only
// a stored record could have is null.
type liquidityProviderView struct {
	ID                            string            `json:"_id" doc:"name of the provider in the configuration"`
	ProviderID                    string            `json:"providerId" doc:"as _id: orders are stored with it"`
	MessagingChatID               *string           `json:"messagingChatId" doc:"null: providers are called by their interface and not in chats"`
	Active                        bool              `json:"active" doc:"whether it gets new orders; otherwise it only answers about those that it holds"`
	RequiresProviderInTradingPair bool              `json:"requiresProviderInTradingPair" doc:"whether it gets only the orders of currencies that name it"`
	ImmediatePayout               *bool             `json:"immediatePayout" doc:"null: a payout waits for the booked conversion, whoever converts"`
	Wallets                       map[string]string `json:"wallets" nullable:"false" doc:"treasury address by network, at which tokens change hands"`
	MinTradeAmount                *web.Number       `json:"minTradeAmount,omitempty" doc:"null: the provider refuses by itself what is too little"`
	SupportedChainIDs             []int64           `json:"supportedChainIds" nullable:"false"`
	Currencies                    []string          `json:"currencies" nullable:"false" doc:"ISO 4217; empty for the first provider, which serves all that no other one names"`
	CreatedAt                     *time.Time        `json:"createdAt" doc:"null: it is configured and not stored"`
	UpdatedAt                     *time.Time        `json:"updatedAt" doc:"null, as createdAt"`
}

// liquidityRoute registers the list of the deployment's providers of liquidity.
func (a *App) liquidityRoute(api *web.API) {
	web.Register(api, web.Operation{
		Method:  "GET",
		Path:    "/operations/liquidity-providers",
		ID:      "listLiquidityProviders",
		Summary: "List the providers of liquidity, and whom they serve",
		Tag:     "operations",
		Access:  web.Operator,
	}, func(context.Context, *struct{}) (*web.List[liquidityProviderView], error) {
		all := a.liquidityProviderViews()
		out := web.NewList(all, int64(len(all)), "")

		return &out, nil
	})
}

// liquidityProviderViews returns the configured providers; none if this deployment converts nothing.
func (a *App) liquidityProviderViews() []liquidityProviderView {
	if a.liquidity == nil {
		return nil
	}

	wallets := map[string]string{}
	chains := []int64{}

	for _, n := range a.outside.Networks {
		chains = append(chains, n.Record.ChainID)

		if n.Record.WalletAddress != "" {
			wallets[n.Record.ID] = n.Record.WalletAddress
		}
	}

	var out []liquidityProviderView
	for i, c := range a.Config.AllLiquidity() {
		out = append(out, liquidityProviderView{
			ID:                            c.ID,
			ProviderID:                    c.ID,
			Active:                        i == 0 || len(c.Currencies) > 0,
			RequiresProviderInTradingPair: i > 0,
			Wallets:                       wallets,
			SupportedChainIDs:             chains,
			Currencies:                    append([]string{}, c.Currencies...),
		})
	}

	return out
}

// liquidityOf returns the names of the providers that get the orders of a currency.
func (a *App) liquidityOf(currency string) []string {
	if a.liquidity == nil {
		return nil
	}

	return []string{a.liquidity.For(currency)}
}
