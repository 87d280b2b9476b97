package auth

import (
	"context"
	"encoding/base64"
	"time"

	"github.com/skip2/go-qrcode"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/identity/twofactor"
	"slipway/internal/identity/user"
	"slipway/internal/platform/db"
	"slipway/internal/platform/web"
)

// qrSize is the width of the QR symbol in pixels.
const qrSize = 256

// GeneratedView is a new secret, shown once.
type GeneratedView struct {
	Secret        string `json:"secret" doc:"base 32, to be typed into an app that cannot scan"`
	OtpauthURL    string `json:"otpauthUrl"`
	QRCodeDataURL string `json:"qrCodeDataUrl" doc:"PNG as a data URL"`
}

// EnabledView is the answer when a second factor was set up.
type EnabledView struct {
	Enabled       bool     `json:"enabled"`
	RecoveryCodes []string `json:"recoveryCodes" nullable:"false" doc:"each works once in place of a code; shown once"`
}

// DisabledView is the answer when it was switched off.
type DisabledView struct {
	Enabled bool `json:"enabled"`
}

// SteppedUpView says until when operations that ask for a recent second factor are open.
type SteppedUpView struct {
	ValidUntil time.Time `json:"validUntil"`
}

type codeInput struct {
	Body struct {
		Code string `json:"code" maxLength:"32" doc:"six digits of the authenticator app, or a recovery code where there is one"`
	}
}

type generateInput struct {
	Body struct {
		Password string `json:"password,omitempty" maxLength:"1024" doc:"the caller's password; required while no second factor is set up"`
	}
}

func (s *Service) secondRoutes(api *web.API) {
	generate := person(
		"/auth/2fa/generate",
		"generateSecondFactor",
		"Make a secret for an authenticator app",
		"It takes effect with POST /auth/2fa/verify, within 15 minutes; until then a secret in use stays in use, "+
			"and needs a code of its own here. "+
			"Who has none gives the password.",
		fault.StepUpRequired,
		fault.CredentialsInvalid,
	)

	generate.DuringSetup = true
	generate.StepUp = true
	generate.OptionalBody = true

	web.Register(api, generate, func(ctx context.Context, in *generateInput) (*GeneratedView, error) {
		key, account, err := s.generate(ctx, caller.Of(ctx), in.Body.Password)
		if err != nil {
			return nil, err
		}

		url := key.URL(twofactor.Issuer, account)

		png, err := qrcode.Encode(url, qrcode.Medium, qrSize)
		if err != nil {
			return nil, err
		}

		return &GeneratedView{
			Secret:        key.Base32(),
			OtpauthURL:    url,
			QRCodeDataURL: "data:image/png;base64," + base64.StdEncoding.EncodeToString(png),
		}, nil
	})

	verify := person(
		"/auth/2fa/verify",
		"verifySecondFactor",
		"Put the secret in use",
		"Every other session of the user ends. The recovery codes are shown once.",
		fault.CodeInvalid,
		fault.TwoFactorNotBegun,
	)

	verify.DuringSetup = true

	web.Register(api, verify, func(ctx context.Context, in *codeInput) (*EnabledView, error) {
		codes, err := s.verify(ctx, caller.Of(ctx), in.Body.Code)
		return &EnabledView{Enabled: true, RecoveryCodes: codes}, err
	})

	web.Register(
		api,
		person(
			"/auth/2fa/disable",
			"disableSecondFactor",
			"Switch the second factor off",
			"Every other session of the user ends.",
			fault.CodeInvalid,
			fault.TwoFactorOff,
			fault.TwoFactorNeeded,
			fault.PasswordTooShortBy,
		),
		func(ctx context.Context, in *codeInput) (*DisabledView, error) {
			return &DisabledView{}, s.disable(ctx, caller.Of(ctx), in.Body.Code)
		},
	)

	web.Register(
		api,
		person(
			"/auth/2fa/step-up",
			"stepUp",
			"Prove the second factor again",
			"Opens operations that ask for a recent one for 10 minutes, in this session.",
			fault.CodeInvalid,
			fault.TwoFactorOff,
		),
		func(ctx context.Context, in *codeInput) (*SteppedUpView, error) {
			err := s.Prove(ctx, caller.Of(ctx), in.Body.Code)
			return &SteppedUpView{ValidUntil: user.Shown(s.db.Now().Add(web.StepUpLifetime))}, err
		},
	)
}

// ClientView is an API client. The secret is there only in the answer that made it.
type ClientView struct {
	ClientID     string     `json:"clientId"`
	Secret       string     `json:"secret,omitempty" doc:"shown once"`
	Name         string     `json:"name"`
	Organisation string     `json:"organisation" doc:"the one it acts for"`
	Scopes       []string   `json:"scopes" nullable:"false" doc:"empty: all"`
	AllowedIPs   []string   `json:"allowedIps" nullable:"false" doc:"empty: every address"`
	ExpiresAt    *time.Time `json:"expiresAt"`
	RevokedAt    *time.Time `json:"revokedAt"`
	LastUsedAt   *time.Time `json:"lastUsedAt" doc:"to a few minutes"`
	LastUsedFrom string     `json:"lastUsedFrom" doc:"address of the last use"`
	CreatedAt    time.Time  `json:"createdAt"`
}

func clientView(c client, secret string) ClientView {
	v := ClientView{
		ClientID:     c.id,
		Secret:       secret,
		Name:         c.name,
		Organisation: c.organisation,
		Scopes:       db.Words(c.scopes),
		AllowedIPs:   db.Words(c.allowed),
		ExpiresAt:    shownOrNil(db.Micros(c.expires)),
		RevokedAt:    shownOrNil(db.Micros(c.revoked)),
		LastUsedAt:   shownOrNil(db.Micros(c.used)),
		LastUsedFrom: c.usedFrom,
		CreatedAt:    user.Shown(c.created),
	}

	return v
}

type createClientInput struct {
	Body struct {
		Password   string     `json:"password,omitempty" maxLength:"1024" doc:"the caller's own: an access token alone makes no key"`
		Name       string     `json:"name,omitempty" maxLength:"100"`
		Scopes     []string   `json:"scopes,omitempty" maxItems:"50" doc:"what it may do: the first word of a path and read, write or accept, such as transactions:read, or one of the latter alone for all paths; empty: everything its person may, but for the account itself"`
		AllowedIPs []string   `json:"allowedIps,omitempty" maxItems:"50" doc:"addresses and prefixes it may call from; empty: every address"`
		ExpiresAt  *time.Time `json:"expiresAt,omitempty" doc:"when it ends, in five years at the latest; null: never"`
	}
}

type revokeClientInput struct {
	Body struct {
		ClientID string `json:"clientId,omitempty" maxLength:"64" doc:"one of the caller's, or for an admin one of the organisation; empty: all of the caller's"`
	}
}

type clientTokenInput struct {
	Body struct {
		ClientID string `json:"clientId" maxLength:"64" doc:"as POST /auth/api-key gave it"`
		Secret   string `json:"secret" maxLength:"200" doc:"as POST /auth/api-key gave it"`
	}
}

func (s *Service) clientRoutes(api *web.API) {
	web.Register(
		api,
		public(
			"/auth/token",
			"clientToken",
			"Log in as an API client",
			"The tokens act for the client's organisation, within its scopes.",
			fault.CredentialsInvalid,
			fault.SourceNotAllowed,
		),
		func(ctx context.Context, in *clientTokenInput) (*TokensView, error) {
			return answerTokens(s.token(ctx, in.Body.ClientID, in.Body.Secret))
		},
	)

	create := person(
		"/auth/api-key",
		"createAPIKey",
		"Create an API client",
		"It acts in the caller's name, for the organisation acted for. The secret is shown once.",
		fault.ScopeUnknown,
		fault.StepUpRequired,
		fault.APIClientLimit,
		fault.CredentialsInvalid,
	)

	create.Access = web.Tenant
	create.OptionalBody = true
	create.StepUp = true

	web.Register(api, create, func(ctx context.Context, in *createClientInput) (*ClientView, error) {
		b := in.Body
		if err := s.provePassword(ctx, caller.Of(ctx).User, b.Password); err != nil {
			return nil, err
		}

		c, plain, err := s.createClient(ctx, caller.Of(ctx), clientWish{
			name:    b.Name,
			scopes:  b.Scopes,
			allowed: b.AllowedIPs,
			expires: b.ExpiresAt,
		})
		v := clientView(c, plain)

		return &v, err
	})

	list := person("/auth/api-key", "listAPIKeys", "The caller's API clients", "")
	list.Method = "GET"
	list.Codes = nil

	web.Register(api, list, func(ctx context.Context, _ *noInput) (*web.List[ClientView], error) {
		all, err := clientsOf(ctx, s.db, caller.Of(ctx).User)

		views := make([]ClientView, len(all))
		for i, c := range all {
			views[i] = clientView(c, "")
		}

		l := web.NewList(views, int64(len(views)), "")

		return &l, err
	})

	revoke := person("/auth/api-key/revoke", "revokeAPIKey", "End API clients", "Their tokens die with them.")
	revoke.OptionalBody = true
	revoke.Codes = nil

	web.Register(api, revoke, func(ctx context.Context, in *revokeClientInput) (*string, error) {
		said := "revoked"
		return &said, s.revokeClients(ctx, caller.Of(ctx), in.Body.ClientID)
	})
}
