package auth

import (
	"context"
	"time"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/identity/user"
	"slipway/internal/platform/db"
	"slipway/internal/platform/web"
)

// ClientView is an API client. Only the answer that creates it contains the secret.
type ClientView struct {
	ClientID       string     `json:"clientId"`
	Secret         string     `json:"secret,omitempty" doc:"shown once"`
	Name           string     `json:"name"`
	Organisation   string     `json:"organisation" doc:"the one it acts for"`
	Scopes         []string   `json:"scopes" nullable:"false" doc:"empty: all"`
	AllowedIPs     []string   `json:"allowedIps" nullable:"false" doc:"empty: every address"`
	ExpiresAt      *time.Time `json:"expiresAt"`
	RevokedAt      *time.Time `json:"revokedAt"`
	LastUsedAt     *time.Time `json:"lastUsedAt" doc:"to a few minutes"`
	LastUsedFrom   string     `json:"lastUsedFrom" doc:"address of the last use"`
	AllowedActions []string   `json:"allowedActions" nullable:"false" example:"[\"revoke\"]"`
	CreatedAt      time.Time  `json:"createdAt"`
}

func clientView(ctx context.Context, c client, secret string) ClientView {
	return ClientView{
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
		AllowedActions: caller.Allowed(
			ctx,
			caller.Act{Word: "revoke", Operation: "revokeAPIKey", Refusal: c.revocable()},
		),
		CreatedAt: user.Shown(c.created),
	}
}

type createClientInput struct {
	Body struct {
		Password   string     `json:"password,omitempty" maxLength:"1024" doc:"the caller's own; needed where the session's was given more than five minutes ago" verbatim:"true"`
		Name       string     `json:"name,omitempty" maxLength:"100"`
		Scopes     []string   `json:"scopes,omitempty" maxItems:"50" doc:"what it may do: the first word of a path and read, write or accept, such as transactions:read, or one of the latter alone for all paths; empty: everything its person may, but for the account itself"`
		AllowedIPs []string   `json:"allowedIps,omitempty" maxItems:"50" doc:"addresses and prefixes it may call from; empty: every address"`
		ExpiresAt  *time.Time `json:"expiresAt,omitempty" doc:"when it ends, in five years at the latest; null: never. Its owner gets a mail a week before"`
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
	token := public("/auth/token", "clientToken", "Log in as an API client",
		"The tokens act for the client's organisation, within its scopes.",
		fault.CredentialsInvalid, fault.APIClientExpired, fault.SourceNotAllowed)
	web.Register(api, token, s.handleToken)

	create := person("/auth/api-key", "createAPIKey", "Create an API client",
		"It acts in the caller's name, for the organisation acted for. The secret is shown once.",
		fault.ScopeUnknown, fault.StepUpRequired, fault.APIClientLimit, fault.CredentialsInvalid)
	create.Access = web.Tenant
	create.OptionalBody = true
	create.StepUp = true
	web.Register(api, create, s.handleCreateClient)

	list := person("/auth/api-key", "listAPIKeys", "The caller's API clients", "")
	list.Method = "GET"
	list.Codes = nil
	web.Register(api, list, s.handleClients)

	revoke := person("/auth/api-key/revoke", "revokeAPIKey", "End API clients", "Their tokens end with them.")
	revoke.OptionalBody = true
	revoke.Codes = nil
	web.Register(api, revoke, s.handleRevokeClients)
}

func (s *Service) handleToken(ctx context.Context, in *clientTokenInput) (*TokensView, error) {
	return answerTokens(s.token(ctx, in.Body.ClientID, in.Body.Secret))
}

func (s *Service) handleCreateClient(ctx context.Context, in *createClientInput) (*ClientView, error) {
	b := in.Body
	if err := s.provePassword(ctx, caller.Of(ctx), b.Password); err != nil {
		return nil, err
	}

	r := clientRequest{name: b.Name, scopes: b.Scopes, allowed: b.AllowedIPs, expires: b.ExpiresAt}
	c, plain, err := s.createClient(ctx, caller.Of(ctx), r)
	v := clientView(ctx, c, plain)

	return &v, err
}

func (s *Service) handleClients(ctx context.Context, _ *noInput) (*web.List[ClientView], error) {
	all, err := clientsOf(ctx, s.db, caller.Of(ctx).User)

	views := make([]ClientView, len(all))
	for i, c := range all {
		views[i] = clientView(ctx, c, "")
	}

	l := web.NewList(views, int64(len(views)), "")

	return &l, err
}

func (s *Service) handleRevokeClients(ctx context.Context, in *revokeClientInput) (*string, error) {
	answer := "revoked"

	return &answer, s.revokeClients(ctx, caller.Of(ctx), in.Body.ClientID)
}
