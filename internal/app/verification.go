package app

import (
	"context"
	"fmt"
	"time"

	"slipway/internal/directory/refdata"
	"slipway/internal/identity/idv"
	"slipway/internal/platform/config"
	provider "slipway/internal/rails/idv"
)

// Verification is the identity provider of a deployment. Without an address there is none: what needs one is answered
// 503.
type Verification struct {
	Client   provider.ClientConfig // its clock is the service's
	Levels   idv.Levels
	Webhook  idv.Webhook
	Lifetime time.Duration // of widget tokens; 0: the usual one
}

// keptEvents is how long the provider's events are kept after they ended.
const keptEvents = 180 * 24 * time.Hour

// verification builds the noun. What a configuration says goes before what a sandbox has of its own.
func (a *App) verification() error {
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
		Sandbox:  a.sandboxed(),
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

	a.Verification = idv.New(c)
	a.Jobs.Every("idv-events", 24*time.Hour, func(ctx context.Context) error {
		_, err := a.Verification.Forget(ctx, a.DB.Now().Add(-keptEvents), 10_000)
		return err
	})

	return nil
}

// verificationOf is the configured provider.
func verificationOf(c config.IDV) (Verification, error) {
	sources, err := c.Sources()

	return Verification{
		Client:   provider.ClientConfig{URL: c.BaseURL, AppToken: c.AppToken, Secret: c.Secret, Timeout: c.Timeout},
		Levels:   idv.Levels{Users: c.UserLevel, Companies: c.CompanyLevel, HNWI: c.PrivateLevel},
		Webhook:  idv.Webhook{Secrets: c.WebhookSecrets, Algorithms: c.WebhookAlgorithms, Sources: sources},
		Lifetime: c.TokenLifetime,
	}, err
}

func alpha3(alpha2 string) string {
	c, ok := refdata.All().Country(alpha2)
	if !ok || c.Alpha2 != alpha2 {
		return ""
	}

	return c.Alpha3
}
