package app

import (
	"context"
	"fmt"
	"time"

	"slipway/internal/identity/idv"
	"slipway/internal/platform/config"
	provider "slipway/internal/rails/idv"
)

// keptEvents is how long the provider's events are kept after they were handled.
const keptEvents = 180 * 24 * time.Hour

// buildVerification builds the verification of people and organisations. The configured provider takes precedence over
// a sandbox's own.
func (a *App) buildVerification() error {
	v := a.outside.Verification
	if c := a.Config.IDV; c.BaseURL != "" {
		var err error
		if v, err = verificationOf(c); err != nil {
			return fmt.Errorf("idv: %w", err)
		}
	}

	c := idv.Config{
		DB:       a.DB,
		Jobs:     a.Jobs,
		Log:      a.Log,
		Mail:     a.Mail,
		Correct:  a.Organisation.Correct,
		BaseURL:  a.Config.HTTP.BaseURL,
		Levels:   v.Levels,
		Webhook:  v.Webhook,
		Sandbox:  !a.Config.Mode.RealMoney(),
		Lifetime: v.Lifetime,
		Alpha3:   alpha3,
	}

	if v.Client.URL != "" {
		v.Client.Clock = a.DB.Clock()

		client, err := provider.NewClient(v.Client)
		if err != nil {
			return fmt.Errorf("idv: %w", err)
		}

		c.Provider = client
	}

	a.buildReviews()

	if manual := a.Config.IDV.Manual(); len(manual) > 0 {
		c.Provider = verifiers{manual: a.Reviews, outside: c.Provider, byHand: manual}
		if a.Config.IDV.BaseURL == "" { // the levels of a sandbox's own provider have other names
			c.Levels = levelsOf(a.Config.IDV)
		}
	}

	a.Verification = idv.New(c)
	a.Jobs.Every("idv-events", 24*time.Hour, func(ctx context.Context) error {
		_, err := a.Verification.Forget(ctx, a.DB.Now().Add(-keptEvents), 10_000)
		return err
	})

	return nil
}

// verificationOf returns the configured provider.
func verificationOf(c config.IDV) (Verification, error) {
	sources, err := c.Sources()

	return Verification{
		Client:   provider.ClientConfig{URL: c.BaseURL, AppToken: c.AppToken, Secret: c.Secret, Timeout: c.Timeout},
		Levels:   levelsOf(c),
		Webhook:  idv.Webhook{Secrets: c.WebhookSecrets, Algorithms: c.WebhookAlgorithms, Sources: sources},
		Lifetime: c.TokenLifetime,
	}, err
}

// levelsOf returns the configured names of the levels.
func levelsOf(c config.IDV) idv.Levels {
	return idv.Levels{Users: c.UserLevel, Companies: c.CompanyLevel, HNWI: c.PrivateLevel}
}
