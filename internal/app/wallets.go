package app

import (
	"context"
	"fmt"
	"net/url"
	"time"

	"slipway/internal/directory/safetx"
	"slipway/internal/directory/wallet"
	"slipway/internal/platform/config"
	"slipway/internal/platform/jobs"
	"slipway/internal/rails/safeservice"
	"slipway/internal/rails/screening"
)

// safeAppURL is the address of Safe's web application.
const safeAppURL = "https://app.safe.global"

// safeBoardsEvery is the interval between two rounds with Safe's transaction services.
const safeBoardsEvery = 30 * time.Second

// safeBoardsOf returns the transaction services that the configuration names, by network.
func safeBoardsOf(c *config.Config) (map[string]*safeservice.Client, error) {
	out := map[string]*safeservice.Client{}

	for _, n := range c.Networks {
		if n.SafeServiceURL == "" {
			continue
		}

		board, err := safeservice.NewClient(safeservice.Config{
			URL:      n.SafeServiceURL,
			Key:      n.SafeServiceKey,
			Delegate: n.SafeDelegateKey,
		})
		if err != nil {
			return nil, fmt.Errorf("network %s: %w", n.ID, err)
		}

		out[NetworkID(n.ID)] = board
	}

	return out, nil
}

// buildWallets builds wallets, and the jobs that screen their addresses.
func (a *App) buildWallets(addresses screening.Provider) {
	a.Wallets = wallet.New(wallet.Deps{
		DB:        a.DB,
		Log:       a.Log,
		Site:      siteOf(a.Config.HTTP.BaseURL),
		Chain:     a.chains,
		Screening: addresses,
		OrgName:   organisationName,
		Demand:    a.Jobs.Demand,
		Payees:    a.payees(),
	})

	a.Safes = safetx.New(safetx.Deps{
		DB:     a.DB,
		Log:    a.Log,
		Chain:  a.chains,
		AppURL: safeAppURL,
		Boards: a.outside.SafeBoards,
	})

	if len(a.outside.SafeBoards) > 0 {
		a.Jobs.Every("safe-boards", safeBoardsEvery, a.Safes.Sync)
	}

	a.Jobs.Handle(wallet.JobScreen, func(ctx context.Context, j jobs.Job) (jobs.Result, error) {
		return jobs.Done(), a.Wallets.Screen(ctx, j.Payload)
	})

	a.Jobs.Every("expire-screenings", 10*time.Minute, func(ctx context.Context) error {
		_, err := a.Wallets.RenewScreenings(ctx, 1_000)
		if err == nil {
			_, err = a.Wallets.ExpireScreenings(ctx, 1_000)
		}

		return err
	})

	if lists := a.outside.Screening.Lists; lists != nil {
		a.Jobs.Every("screening-lists", sweepLists, func(ctx context.Context) error {
			return a.Screenings.Sweep(ctx, func(ctx context.Context) error { return a.Wallets.Rescreen(ctx, lists) })
		})
	}
}

// siteOf returns the site that a text to sign names.
func siteOf(base string) wallet.Site {
	u, err := url.Parse(base)
	if err != nil {
		return wallet.Site{}
	}

	return wallet.Site{Host: u.Host, BaseURL: base}
}
