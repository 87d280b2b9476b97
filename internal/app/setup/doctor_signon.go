package setup

import (
	"context"
	"fmt"
	"time"

	"slipway/internal/rails/openid"
	"slipway/internal/rails/webhook"
)

// signOn looks at the provider of the platform's own people: whether its description and its keys can be read, and how
// its clock stands. A token is good for minutes, so that a clock which is off signs nobody in.
func (d *doctor) signOn(ctx context.Context) {
	const part = "sign-on"

	issuer := d.config.SignOn.Issuer
	if issuer == "" {
		return
	}

	client := openid.New(webhook.Guard{AllowPrivate: true}, d.clock, d.clock.Now)

	ahead, err := client.Check(ctx, issuer)

	switch {
	case err != nil:
		d.say(part, Wrong, err.Error(), "look at the provider, and at [sign_on]")
	case ahead.Abs() > 30*time.Second:
		d.say(
			part,
			Watch,
			fmt.Sprintf("the provider's clock is %s ahead of ours", ahead),
			"set this machine's clock by NTP",
		)
	default:
		d.say(part, Fine, "the provider's description and keys can be read", "")
	}
}
