package auth

import (
	"context"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/identity/user"
	"slipway/internal/platform/db"
	"slipway/internal/platform/web"
)

// TokensView is the answer of every operation that issues tokens.
type TokensView struct {
	AccessToken      string `json:"access_token" doc:"for Authorization: Bearer; good for 15 minutes"`
	RefreshToken     string `json:"refresh_token" doc:"for POST /auth/refresh; good once, within 7 days"`
	Requires2FASetup bool   `json:"requires_2fa_setup" doc:"true: the tokens open only the set-up of a second factor, by /auth/2fa/generate or /auth/passkeys/options, until there is one"`
}

// LoginView is the answer to a login: tokens, or a tempToken for accounts with a second factor.
type LoginView struct {
	AccessToken      string `json:"access_token" doc:"for Authorization: Bearer; good for 15 minutes. Empty while the second factor is missing"`
	RefreshToken     string `json:"refresh_token" doc:"for POST /auth/refresh; good once, within 7 days. Empty while the second factor is missing"`
	Requires2FASetup bool   `json:"requires_2fa_setup" doc:"true: the tokens open only the set-up of a second factor, by /auth/2fa/generate or /auth/passkeys/options, until there is one"`
	Requires2FA      bool   `json:"requires_2fa" doc:"true: send tempToken and a code or a passkey to POST /auth/2fa/login"`
	TempToken        string `json:"tempToken,omitempty" doc:"good once, for 5 minutes and at most 4 wrong codes or passkeys, and for nothing else"`
}

// MessageView is a sentence for people.
type MessageView struct {
	Message string `json:"message"`
}

type loginInput struct {
	Body struct {
		Email    string `json:"email" maxLength:"254"`
		Password string `json:"password" maxLength:"1024" verbatim:"true"`
	}
}

type registerInput struct {
	Body struct {
		FirstName string `json:"firstName" maxLength:"100"`
		LastName  string `json:"lastName" maxLength:"100"`
		Email     string `json:"email" maxLength:"254"`
		Password  string `json:"password" doc:"15 characters or more, at most 1,024 bytes" verbatim:"true"`
	}
}

type registerWithInput struct {
	Body struct {
		FirstName       string `json:"firstName" maxLength:"100"`
		LastName        string `json:"lastName" maxLength:"100"`
		Email           string `json:"email" maxLength:"254"`
		Password        string `json:"password" doc:"15 characters or more, at most 1,024 bytes" verbatim:"true"`
		InvitationToken string `json:"invitationToken,omitempty" maxLength:"200" doc:"joins the organisation of the invitation; without one a new organisation is created"`
	}
}

type changePasswordInput struct {
	Body struct {
		OldPassword string `json:"oldPassword" maxLength:"1024" verbatim:"true"`
		NewPassword string `json:"newPassword" doc:"15 characters or more, with a second factor 8; at most 1,024 bytes" verbatim:"true"`
	}
}

type tokenInput struct {
	Body struct {
		Token string `json:"token" maxLength:"200" doc:"what stands behind the # of the link" example:"Zm9yIGV4YW1wbGU"`
	}
}

type secondLoginInput struct {
	Body struct {
		TempToken string `json:"tempToken" maxLength:"200" doc:"of the answer to POST /auth/login"`
		ProofInput
	}
}

type forgotInput struct {
	Body struct {
		Email string `json:"email" maxLength:"254"`
	}
}

type resetInput struct {
	Body struct {
		NewPasswordToken string `json:"newPasswordToken" maxLength:"200" doc:"what stands behind the # of the link"`
		NewPassword      string `json:"newPassword" doc:"15 characters or more, at most 1,024 bytes" verbatim:"true"`
	}
}

type changeEmailInput struct {
	Body struct {
		NewEmail string `json:"newEmail" maxLength:"254" doc:"the address to change to"`
		Password string `json:"password" maxLength:"1024" verbatim:"true"`
	}
}

type sessionInput struct {
	ID string `path:"id"`
}

type noInput struct{}

// maxAuthBody has room for two passwords and a token.
const maxAuthBody = 16 << 10

const sameAnswer = "The answer is the same whether or not the address has an account."

// workAsked says what happens where very many call.
const workAsked = " While very many ask for this, or many from one network, strangers are answered 429 " +
	"`PROOF_OF_WORK_REQUIRED` with a `challenge`; the request is sent again with the header `Proof-Of-Work`. The clients " +
	"do that by themselves."

// public describes an operation without credentials.
func public(path, id, summary, description string, codes ...fault.Code) web.Operation {
	return web.Operation{
		Method:        "POST",
		Path:          path,
		ID:            id,
		Tag:           "accounts",
		Access:        web.Public,
		NoIdempotency: true,
		MaxBody:       maxAuthBody,
		Summary:       summary,
		Description:   description,
		Codes:         append(codes, fault.TooManyAttempts),
	}
}

// person describes an operation for people who have signed in.
func person(path, id, summary, description string, codes ...fault.Code) web.Operation {
	op := public(path, id, summary, description, codes...)
	op.Access = web.Bearer
	op.PeopleOnly = true

	return op
}

// Routes registers the operations of signing in.
func (s *Service) Routes(api *web.API) {
	s.scopes = api.Scopes

	s.registerRoutes(api)
	s.loginRoutes(api)
	s.sessionRoutes(api)
	s.passwordRoutes(api)
	s.secondRoutes(api)
	s.passkeyRoutes(api)
	s.recoveryRoute(api)
	s.clientRoutes(api)
	s.completeRoutes(api)
	s.staffRoutes(api)
}

func (s *Service) registerRoutes(api *web.API) {
	register := public("/auth/register", "register", "Create an account",
		sameAnswer+" A mail asks to confirm the address."+workAsked,
		fault.PasswordWeak, fault.WorkRequired)
	web.Register(api, register, s.handleRegister)

	with := public("/auth/register-with-organisation", "registerWithOrganisation",
		"Create an account and join or create an organisation",
		sameAnswer+" The creator of an organisation becomes its admin; its onboarding starts PENDING."+
			workAsked,
		fault.PasswordWeak, fault.InvitationInvalid, fault.WorkRequired)
	web.Register(api, with, s.handleRegisterWith)

	confirm := public("/auth/confirm-account", "confirmAccount", "Confirm an address by the link in a mail",
		"A link works once, within 24 hours. A change of address takes effect when the old and the new address have "+
			"both confirmed it.",
		fault.LinkInvalid, fault.EmailTaken)
	web.Register(api, confirm, s.handleConfirm)
}

func (s *Service) handleRegister(ctx context.Context, in *registerInput) (*MessageView, error) {
	b := in.Body

	return s.answerRegistration(ctx, registration{
		Person:   user.Person{FirstName: b.FirstName, LastName: b.LastName, Email: b.Email},
		password: b.Password,
	})
}

func (s *Service) handleRegisterWith(ctx context.Context, in *registerWithInput) (*MessageView, error) {
	b := in.Body

	return s.answerRegistration(ctx, registration{
		Person:           user.Person{FirstName: b.FirstName, LastName: b.LastName, Email: b.Email},
		password:         b.Password,
		invitation:       b.InvitationToken,
		withOrganisation: true,
	})
}

func (s *Service) answerRegistration(ctx context.Context, r registration) (*MessageView, error) {
	if err := s.register(ctx, r); err != nil {
		return nil, err
	}

	return &MessageView{
		Message: "If the address is free, the account has been created; if it has an account, nothing was changed.",
	}, nil
}

func (s *Service) handleConfirm(ctx context.Context, in *tokenInput) (*user.UserView, error) {
	return s.answerUser(ctx, func(done func(tx *db.Tx, u user.User) error) error {
		return s.confirm(ctx, in.Body.Token, done)
	})
}

// answerUser runs a use case that ends with a user and shows the user as of that transaction.
func (s *Service) answerUser(
	ctx context.Context, run func(done func(tx *db.Tx, u user.User) error) error,
) (*user.UserView, error) {
	asIs := func(v user.UserView) user.UserView { return v }

	return web.Once(ctx, 200, asIs, func(done func(*db.Tx, user.UserView) error) error {
		return run(func(tx *db.Tx, u user.User) error {
			v, err := s.users.View(ctx, tx, u, caller.Of(ctx).Organisation)
			if err != nil {
				return err
			}

			return done(tx, v)
		})
	})
}

// onceEmpty runs a use case whose answer is the same each time.
func onceEmpty[V any](
	ctx context.Context, status int, answer V, run func(done func(tx *db.Tx) error) error,
) (*V, error) {
	view := func(struct{}) V { return answer }

	return web.Once(ctx, status, view, func(done func(*db.Tx, struct{}) error) error {
		return run(func(tx *db.Tx) error { return done(tx, struct{}{}) })
	})
}

func (s *Service) loginRoutes(api *web.API) {
	login := public("/auth/login", "login", "Log in",
		"An account with a second factor gets a `tempToken` in place of tokens."+workAsked,
		fault.CredentialsInvalid, fault.AccountInactive, fault.EmailUnconfirmed, fault.WorkRequired)
	web.Register(api, login, s.handleLogin)

	second := public("/auth/2fa/login", "loginSecondFactor", "Complete a login with a second factor",
		"Send a code of the authenticator app, a recovery code, or a passkey's answer to POST "+
			"/auth/passkeys/login-options. Five wrong ones end the tempToken.",
		fault.TokenInvalid, fault.CodeInvalid, fault.PasskeyInvalid, fault.PasskeyCopied)
	second.MaxBody = maxPasskeyBody
	web.Register(api, second, s.handleLoginSecond)

	refresh := public("/auth/refresh", "refresh", "Trade a refresh token for new tokens",
		"Send the refresh token as Authorization: Bearer. It works once. A second use ends the session if it comes "+
			"later than 10 seconds, or from elsewhere.",
		fault.TokenMissing, fault.TokenInvalid, fault.RefreshReused)
	refresh.Refreshes = true
	web.Register(api, refresh, s.handleRefresh)

	logout := public("/auth/logout", "logout", "End the session",
		"Send its access or refresh token as Authorization: Bearer; neither works afterwards.",
		fault.TokenMissing, fault.TokenInvalid)
	logout.Refreshes = true
	web.Register(api, logout, s.handleLogout)
}

func (s *Service) handleLogin(ctx context.Context, in *loginInput) (*LoginView, error) {
	got, err := s.login(ctx, in.Body.Email, in.Body.Password, newTokens())
	if err != nil {
		return nil, err
	}

	return &LoginView{
		AccessToken:      got.Access,
		RefreshToken:     got.Refresh,
		Requires2FASetup: got.setup,
		Requires2FA:      got.temp != "",
		TempToken:        got.temp,
	}, nil
}

func (s *Service) handleLoginSecond(ctx context.Context, in *secondLoginInput) (*TokensView, error) {
	return answerTokens(s.loginSecond(ctx, in.Body.TempToken, in.Body.proof(), newTokens()))
}

func (s *Service) handleRefresh(ctx context.Context, _ *noInput) (*TokensView, error) {
	token := caller.TokenOf(ctx)
	if token == "" {
		return nil, tokenMissing()
	}

	return answerTokens(s.refresh(ctx, token))
}

func (s *Service) handleLogout(ctx context.Context, _ *noInput) (*web.Empty, error) {
	token := caller.TokenOf(ctx)
	if token == "" {
		return nil, tokenMissing()
	}

	return &web.Empty{}, s.logout(ctx, token)
}

func answerTokens(got signIn, err error) (*TokensView, error) {
	if err != nil {
		return nil, err
	}

	return &TokensView{AccessToken: got.Access, RefreshToken: got.Refresh, Requires2FASetup: got.setup}, nil
}

func (s *Service) sessionRoutes(api *web.API) {
	list := person("/auth/sessions", "listSessions", "The sessions of the signed-in person", "")
	list.Method = "GET"
	list.Codes = nil
	web.Register(api, list, s.handleSessions)

	all := person("/auth/sessions", "endSessions", "Sign out everywhere",
		"Every session of the signed-in person ends, also the one that asks. API clients go on.")
	all.Method = "DELETE"
	all.NoIdempotency = false
	all.Codes = nil
	web.Register(api, all, s.handleEndSessions)

	end := person("/auth/sessions/{id}", "endSession", "End one session", "Its tokens do not work any more.")
	end.Method = "DELETE"
	end.NoIdempotency = false
	end.Codes = nil
	web.Register(api, end, s.handleEndSession)
}

func (s *Service) handleSessions(ctx context.Context, _ *noInput) (*web.List[sessionView], error) {
	all, err := s.sessions(ctx, caller.Of(ctx))
	l := web.NewList(all, int64(len(all)), "")

	return &l, err
}

func (s *Service) handleEndSessions(ctx context.Context, _ *noInput) (*web.Empty, error) {
	return onceEmpty(ctx, 204, web.Empty{}, func(done func(tx *db.Tx) error) error {
		return s.endSessions(ctx, caller.Of(ctx), done)
	})
}

func (s *Service) handleEndSession(ctx context.Context, in *sessionInput) (*web.Empty, error) {
	return onceEmpty(ctx, 204, web.Empty{}, func(done func(tx *db.Tx) error) error {
		return s.endSession(ctx, caller.Of(ctx), in.ID, done)
	})
}

func (s *Service) passwordRoutes(api *web.API) {
	change := person("/auth/change-password", "changePassword", "Change the password",
		"Every other session of the user ends.",
		fault.CredentialsInvalid, fault.PasswordWeak)
	change.NoIdempotency = false
	web.Register(api, change, s.handleChangePassword)

	forgot := public("/auth/forgot-password", "forgotPassword", "Ask for a link to set a new password", sameAnswer)
	web.Register(api, forgot, s.handleForgot)

	reset := public("/auth/reset-password", "resetPassword", "Set a new password by the link in a mail",
		"A link works once, within 30 minutes. Every session ends. The next login asks for the second factor.",
		fault.LinkInvalid, fault.PasswordWeak)
	web.Register(api, reset, s.handleReset)

	email := person("/auth/change-email", "changeEmail", "Ask for another e-mail address",
		"It changes when the links that are sent to the old and to the new address have both been followed.",
		fault.CredentialsInvalid)
	email.StepUp = true
	web.Register(api, email, s.handleChangeEmail)
}

func (s *Service) handleChangePassword(ctx context.Context, in *changePasswordInput) (*MessageView, error) {
	answer := MessageView{Message: "The password is changed. All other sessions have been ended."}

	return onceEmpty(ctx, 200, answer, func(done func(tx *db.Tx) error) error {
		return s.changePassword(ctx, caller.Of(ctx), in.Body.OldPassword, in.Body.NewPassword, done)
	})
}

func (s *Service) handleForgot(ctx context.Context, in *forgotInput) (*MessageView, error) {
	answer := &MessageView{Message: "If the address has an account, a mail with a link is on its way."}

	return answer, s.forgot(ctx, in.Body.Email)
}

func (s *Service) handleReset(ctx context.Context, in *resetInput) (*web.Empty, error) {
	return &web.Empty{}, s.reset(ctx, in.Body.NewPasswordToken, in.Body.NewPassword)
}

func (s *Service) handleChangeEmail(ctx context.Context, in *changeEmailInput) (*MessageView, error) {
	answer := &MessageView{Message: "Follow the links that were sent to both addresses."}

	return answer, s.changeEmail(ctx, caller.Of(ctx), in.Body.NewEmail, in.Body.Password)
}
