package config

import (
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"time"

	"slipway/internal/platform/secret"
)

// IDV is the provider that verifies people and organisations, with the API of Sumsub.
type IDV struct {
	Provider          string        `key:"provider" default:"outside" oneof:"outside manual" help:"Who verifies: outside is the provider below (the simulator in the sandbox); manual is two of your own people, with a hosted form for applicants."`
	UserProvider      string        `key:"user_provider" oneof:"outside manual" help:"The same for people alone. Empty: idv.provider."`
	CompanyProvider   string        `key:"company_provider" oneof:"outside manual" help:"The same for companies. Empty: idv.provider."`
	PrivateProvider   string        `key:"private_provider" oneof:"outside manual" help:"The same for private clients. Empty: idv.provider."`
	BaseURL           string        `key:"base_url" form:"web" help:"Address of the provider's API, such as https://api.sumsub.com. Empty: the simulator; live refuses to start."`
	AppToken          string        `key:"app_token" help:"Our token (X-App-Token)."`
	Secret            secret.Text   `key:"secret" help:"Secret of the token, which signs requests."`
	WebhookSecrets    []secret.Text `key:"webhook_secrets" help:"Secrets that the provider signs its events with; two while one is being replaced. Events go to /idv/webhook."`
	WebhookAlgorithms []string      `key:"webhook_algorithms" default:"HMAC_SHA256_HEX, HMAC_SHA512_HEX" help:"Accepted digests: HMAC_SHA256_HEX, HMAC_SHA512_HEX, and HMAC_SHA1_HEX for a provider that supports nothing better."`
	WebhookSources    []string      `key:"webhook_sources" form:"prefix" help:"Addresses or prefixes that events may come from. Empty: any, if the signature is right."`
	UserLevel         string        `key:"user_level" default:"basic-kyc-level" help:"The provider's verification level for people."`
	CompanyLevel      string        `key:"company_level" default:"basic-kyb-level" help:"The provider's verification level for companies."`
	PrivateLevel      string        `key:"private_level" default:"private-client-level" help:"The provider's verification level for private clients (organisations of type HNWI)."`
	TokenLifetime     time.Duration `key:"token_lifetime" default:"10m" min:"1m" max:"1h" help:"Lifetime of a token for the provider's widget."`
	Timeout           time.Duration `key:"timeout" default:"15s" min:"1s" max:"1m" help:"Time limit of one call to the provider."`
}

// digests are the algorithms that a provider may sign its events with.
var digests = []string{"HMAC_SHA256_HEX", "HMAC_SHA512_HEX", "HMAC_SHA1_HEX"}

// Manual returns the levels that are verified by hand.
func (i IDV) Manual() []string {
	var out []string

	for level, by := range map[string]string{
		i.UserLevel:    i.UserProvider,
		i.CompanyLevel: i.CompanyProvider,
		i.PrivateLevel: i.PrivateProvider,
	} {
		if by == "manual" || by == "" && i.Provider == "manual" {
			out = append(out, level)
		}
	}

	slices.Sort(out)

	return out
}

// levels is how many levels there are.
const levels = 3

// Sources returns webhook_sources as prefixes.
func (i IDV) Sources() ([]netip.Prefix, error) { return prefixes(i.WebhookSources) }

func (k *checker) idv(mode Mode, i IDV) {
	if i.UserLevel == i.CompanyLevel || i.UserLevel == i.PrivateLevel || i.CompanyLevel == i.PrivateLevel {
		if n := len(i.Manual()); n > 0 && n < levels {
			k.report("idv: two levels have one name, and are not verified by the same provider")
		}
	}

	if i.BaseURL == "" {
		for key, given := range map[string]bool{
			"app_token":       i.AppToken != "",
			"secret":          i.Secret != "",
			"webhook_secrets": len(i.WebhookSecrets) > 0,
		} {
			k.when(given, "idv.%s is set, but idv.base_url is empty", key)
		}
	} else if i.AppToken == "" || i.Secret == "" || len(i.WebhookSecrets) == 0 {
		k.report("idv.app_token, idv.secret and idv.webhook_secrets are needed with idv.base_url")
	}

	k.when(i.AppToken != "" && !mode.RealMoney() && !i.sandbox(),
		"idv.app_token is not of the provider's sandbox: here nobody may be verified in earnest, and its answers "+
			"would not be taken")

	k.when(slices.Contains(i.WebhookSecrets, i.Secret) && i.Secret != "",
		"idv.webhook_secrets holds idv.secret: the provider gives each webhook a secret of its own")

	for _, a := range i.WebhookAlgorithms {
		k.when(!slices.Contains(digests, a), "idv.webhook_algorithms: %q is none of %s", a, strings.Join(digests, ", "))
	}

	levels := []string{i.UserLevel, i.CompanyLevel, i.PrivateLevel}
	for n, level := range levels {
		k.when(level == "", "idv.user_level, idv.company_level and idv.private_level must not be empty")

		k.when(n == 1 && level == i.UserLevel || n == 2 && level == i.CompanyLevel,
			"idv.company_level %s is a level of people, too: an answer about a person would count for a company", level)
	}
}

// sandboxTokens begin the tokens of a provider's sandbox, whose answers are made up (Sumsub: sbx:, formerly tst:).
var sandboxTokens = []string{"sbx:", "tst:"}

// sandbox reports whether the token is of the provider's sandbox.
func (i IDV) sandbox() bool {
	return slices.ContainsFunc(sandboxTokens, func(p string) bool { return strings.HasPrefix(i.AppToken, p) })
}

// minWebhookSecret is the shortest secret that events of a live deployment may be signed with.
const minWebhookSecret = 16

func (k *checker) liveIDV(i IDV) {
	switch {
	case i.BaseURL == "" && len(i.Manual()) == levels:
		return
	case i.BaseURL == "":
		k.report("idv.base_url is empty: nobody could ever be verified, and no organisation be approved; " +
			"idv.provider manual verifies by hand")

		return
	}

	u, err := url.Parse(i.BaseURL)
	switch {
	case err != nil || u.Scheme != "https":
		k.report("idv.base_url %s is not https: what is known of people would travel in clear text", i.BaseURL)
	case loopback(u.Hostname()):
		k.report("idv.base_url %s is on this machine, as a simulator is", i.BaseURL)
	}

	k.when(i.sandbox(), "idv.app_token is of the provider's sandbox, whose answers are made up")

	for _, s := range append([]secret.Text{i.Secret}, i.WebhookSecrets...) {
		if len(s) < minWebhookSecret {
			k.report("idv.secret and idv.webhook_secrets need at least %d characters", minWebhookSecret)
			break
		}
	}
}
