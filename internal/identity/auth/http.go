package auth

import (
	"context"

	"slipway/internal/core/fault"
	"slipway/internal/platform/db"
	"slipway/internal/platform/secret"
	"slipway/internal/platform/web"
)

// TokensView is the answer to a login and a refresh.
type TokensView struct {
	AccessToken      string `json:"access_token" doc:"for Authorization: Bearer; good for 15 minutes"`
	RefreshToken     string `json:"refresh_token" doc:"for POST /auth/refresh; good once, within 7 days"`
	Requires2FASetup bool   `json:"requires_2fa_setup"`
}

// MessageView is a sentence for people.
type MessageView struct {
	Message string `json:"message"`
}

type loginInput struct {
	Body struct {
		Email    string `json:"email" maxLength:"254"`
		Password string `json:"password" maxLength:"1024"`
	}
}

type registerInput struct {
	Body struct {
		FirstName string `json:"firstName" maxLength:"100"`
		LastName  string `json:"lastName" maxLength:"100"`
		Email     string `json:"email" maxLength:"254"`
		Password  string `json:"password" doc:"12 characters or more, at most 1,024 bytes"`
	}
}

type registerWithInput struct {
	Body struct {
		FirstName       string `json:"firstName" maxLength:"100"`
		LastName        string `json:"lastName" maxLength:"100"`
		Email           string `json:"email" maxLength:"254"`
		Password        string `json:"password" doc:"12 characters or more, at most 1,024 bytes"`
		InvitationToken string `json:"invitationToken,omitempty" maxLength:"200" doc:"joins the organisation of the invitation; without one a new organisation is created"`
	}
}

type changePasswordInput struct {
	Body struct {
		OldPassword string `json:"oldPassword" maxLength:"1024"`
		NewPassword string `json:"newPassword" doc:"12 characters or more, at most 1,024 bytes"`
	}
}

type noInput struct{}

// maxAuthBody is plenty for two passwords and a token.
const maxAuthBody = 16 << 10

// Routes registers the operations of signing in.
func (s *Service) Routes(api *web.API) {
	op := func(path, id, summary, description string, codes ...fault.Code) web.Operation {
		return web.Operation{Method: "POST", Path: path, ID: id, Tag: "accounts", Access: web.Public, NoIdempotency: true, MaxBody: maxAuthBody,
			Summary: summary, Description: description, Codes: codes}
	}
	const sameAnswer = "The answer is the same whether or not the address has an account."
	web.Register(api, op("/auth/register", "register", "Create an account", sameAnswer, fault.PasswordWeak), func(ctx context.Context, in *registerInput) (*MessageView, error) {
		r := registration{password: in.Body.Password}
		r.FirstName, r.LastName, r.Email = in.Body.FirstName, in.Body.LastName, in.Body.Email
		return s.answerRegistration(ctx, r)
	})
	web.Register(api, op("/auth/register-with-organisation", "registerWithOrganisation", "Create an account and join or create an organisation",
		sameAnswer+" The creator of an organisation becomes its admin; its onboarding starts PENDING.", fault.PasswordWeak, fault.InvitationInvalid),
		func(ctx context.Context, in *registerWithInput) (*MessageView, error) {
			r := registration{password: in.Body.Password, invitation: in.Body.InvitationToken, withOrganisation: true}
			r.FirstName, r.LastName, r.Email = in.Body.FirstName, in.Body.LastName, in.Body.Email
			return s.answerRegistration(ctx, r)
		})
	web.Register(api, op("/auth/login", "login", "Log in", "", fault.CredentialsInvalid, fault.AccountInactive), func(ctx context.Context, in *loginInput) (*TokensView, error) {
		return answerTokens(s.login(ctx, in.Body.Email, in.Body.Password))
	})
	web.Register(api, op("/auth/refresh", "refresh", "Trade a refresh token for new tokens",
		"Send the refresh token as Authorization: Bearer. It is good once; a second use later than 10 seconds, or from elsewhere, ends the session.",
		fault.TokenMissing, fault.TokenInvalid, fault.RefreshReused), func(ctx context.Context, _ *noInput) (*TokensView, error) {
		token := web.TokenOf(ctx)
		if token == "" {
			return nil, tokenMissing()
		}
		return answerTokens(s.refresh(ctx, token))
	})
	web.Register(api, op("/auth/logout", "logout", "End the session", "Send its access or refresh token as Authorization: Bearer; neither is good afterwards.",
		fault.TokenMissing, fault.TokenInvalid), func(ctx context.Context, _ *noInput) (*web.Empty, error) {
		token := web.TokenOf(ctx)
		if token == "" {
			return nil, tokenMissing()
		}
		return &web.Empty{}, s.logout(ctx, token)
	})
	change := op("/auth/change-password", "changePassword", "Change the password", "Every other session of the user ends.", fault.CredentialsInvalid, fault.PasswordWeak)
	change.Access = web.Bearer
	web.Register(api, change, func(ctx context.Context, in *changePasswordInput) (*MessageView, error) {
		view := func(struct{}) MessageView {
			return MessageView{Message: "The password is changed. All other sessions have been ended."}
		}
		return web.Once(ctx, 200, view, func(done func(*db.Tx, struct{}) error) error {
			return s.changePassword(ctx, web.PrincipalOf(ctx), in.Body.OldPassword, in.Body.NewPassword, func(tx *db.Tx) error { return done(tx, struct{}{}) })
		})
	})
}

func (s *Service) answerRegistration(ctx context.Context, r registration) (*MessageView, error) {
	if err := s.register(ctx, r); err != nil {
		return nil, err
	}
	return &MessageView{Message: "If the address is free, the account has been created; if it has an account, nothing was changed."}, nil
}

func answerTokens(t Tokens, err error) (*TokensView, error) {
	if err != nil {
		return nil, err
	}
	return &TokensView{AccessToken: t.Access, RefreshToken: t.Refresh}, nil
}

// formed says whether a text can be a token of a kind, before a read is spent on it.
func formed(prefix, token string) bool { return secret.TokenForm(prefix, token) }
