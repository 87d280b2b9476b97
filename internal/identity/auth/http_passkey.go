package auth

import (
	"context"
	"time"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/identity/passkey"
	"slipway/internal/identity/user"
	"slipway/internal/platform/db"
	"slipway/internal/platform/web"
)

// maxPasskeyBody has room for an authenticator's answer, with a certificate that nobody has asked for.
const maxPasskeyBody = 64 << 10

// PasskeyOptionsView is what a browser needs to make a passkey, or to answer by one.
type PasskeyOptionsView struct {
	PublicKey passkey.Options `json:"publicKey" doc:"for navigator.credentials, in the JSON form of Web Authentication; good once, for 5 minutes"`
}

// PasskeyView is a passkey as its person sees it.
type PasskeyView struct {
	ID         string     `json:"_id"`
	Name       string     `json:"name"`
	BackedUp   bool       `json:"backedUp" doc:"whether it is on several devices, or kept by a password manager"`
	LastUsedAt *time.Time `json:"lastUsedAt"`
	CreatedAt  time.Time  `json:"createdAt"`
	Version    int64      `json:"version"`
}

// Record returns the identifier and the version.
func (v PasskeyView) Record() (id string, version int64) { return v.ID, v.Version }

// AddedPasskeyView is a new passkey.
type AddedPasskeyView struct {
	PasskeyView

	RecoveryCodes []string `json:"recoveryCodes" nullable:"false" doc:"with the first second factor: each works once in place of a proof; shown once. Else empty"`
}

func passkeyView(k passkey.Passkey) PasskeyView {
	v := PasskeyView{
		ID:        k.ID,
		Name:      k.Name,
		BackedUp:  k.BackedUp,
		CreatedAt: user.Shown(k.CreatedAt),
		Version:   k.Version,
	}

	if !k.LastUsedAt.IsZero() {
		at := user.Shown(k.LastUsedAt)
		v.LastUsedAt = &at
	}

	return v
}

type offerInput struct {
	Body struct {
		Password string `json:"password,omitempty" maxLength:"1024" doc:"the caller's; needed without a second factor where the session's was given more than five minutes ago" verbatim:"true"`
	}
}

type addPasskeyInput struct {
	Body struct {
		Name       string         `json:"name" maxLength:"200" doc:"by which the person tells passkeys apart; at most 60 characters" example:"Work laptop"`
		Credential passkey.Answer `json:"credential" doc:"what navigator.credentials.create() returned, as its toJSON() writes it"`
	}
}

type renamePasskeyInput struct {
	ID   string `path:"id" maxLength:"64"`
	Body struct {
		Name string `json:"name" maxLength:"200" example:"Work laptop" doc:"at most 60 characters"`
	}
}

type passkeyInput struct {
	ID string `path:"id" maxLength:"64"`
}

type askToSignInInput struct {
	Body struct {
		TempToken string `json:"tempToken,omitempty" maxLength:"200" doc:"of the answer to POST /auth/login, to answer for its second factor; without one the passkey signs in by itself"`
	}
}

type passkeyLoginInput struct {
	Body struct {
		Credential passkey.Answer `json:"credential" doc:"what navigator.credentials.get() returned, as its toJSON() writes it"`
	}
}

func (s *Service) passkeyRoutes(api *web.API) {
	offer := person("/auth/passkeys/options", "offerPasskey", "Begin to add a passkey",
		"Give the answer to navigator.credentials.create(), and what that returns to POST /auth/passkeys. Without a "+
			"second factor, send the password.",
		fault.StepUpRequired, fault.CredentialsInvalid, fault.PasskeyLimit, fault.PasskeysUnavailable)
	offer.DuringSetup = true
	offer.StepUp = true
	offer.OptionalBody = true
	web.Register(api, offer, s.handleOffer)

	add := person("/auth/passkeys", "addPasskey", "Add a passkey",
		"A passkey is a second factor and signs in by itself. With the first second factor every other session of the "+
			"user ends, and the recovery codes are shown once.",
		fault.PasskeyInvalid, fault.PasskeysUnavailable)
	add.DuringSetup = true
	add.Status = 201
	add.MaxBody = maxPasskeyBody
	web.Register(api, add, s.handleAddPasskey)

	list := person("/auth/passkeys", "listPasskeys", "The passkeys of the signed-in person", "")
	list.Method = "GET"
	list.Codes = nil
	web.Register(api, list, s.handlePasskeys)

	rename := person("/auth/passkeys/{id}", "renamePasskey", "Give a passkey another name", "")
	rename.Method = "PATCH"
	rename.NoIdempotency = false
	rename.Codes = nil
	web.Register(api, rename, s.handleRenamePasskey)

	remove := person("/auth/passkeys/{id}", "deletePasskey", "Delete a passkey",
		"The only second factor that is left cannot be deleted: POST /auth/2fa/disable switches it off.",
		fault.StepUpRequired, fault.LastSecondFactor)
	remove.Method = "DELETE"
	remove.NoIdempotency = false
	remove.StepUp = true
	web.Register(api, remove, s.handleDeletePasskey)

	ask := person("/auth/passkeys/challenge", "askPasskey", "Begin to prove the second factor by a passkey",
		"Give the answer to navigator.credentials.get(), and send what that returns as `passkey` to POST "+
			"/auth/2fa/step-up or /auth/2fa/disable, in the same session.",
		fault.PasskeyNone, fault.PasskeysUnavailable)
	web.Register(api, ask, s.handleAskPasskey)

	begin := public(
		"/auth/passkeys/login-options",
		"beginPasskeyLogin",
		"Begin to sign in by a passkey",
		"Give the answer to navigator.credentials.get(), and what that returns to POST /auth/passkeys/login, or with a "+
			"tempToken to POST /auth/2fa/login.",
		fault.TokenInvalid,
		fault.PasskeyNone,
		fault.PasskeysUnavailable,
	)
	begin.OptionalBody = true
	web.Register(api, begin, s.handleAskToSignIn)

	login := public("/auth/passkeys/login", "loginPasskey", "Sign in by a passkey",
		"A passkey is two factors at once: no password and no code is asked for.",
		fault.PasskeyInvalid, fault.PasskeyCopied, fault.AccountInactive, fault.EmailUnconfirmed,
		fault.PasskeysUnavailable)
	login.MaxBody = maxPasskeyBody
	web.Register(api, login, s.handleLoginPasskey)
}

func (s *Service) handleOffer(ctx context.Context, in *offerInput) (*PasskeyOptionsView, error) {
	return answerOptions(s.offerPasskey(ctx, caller.Of(ctx), in.Body.Password))
}

func answerOptions(o passkey.Options, err error) (*PasskeyOptionsView, error) {
	return &PasskeyOptionsView{PublicKey: o}, err
}

func (s *Service) handleAddPasskey(ctx context.Context, in *addPasskeyInput) (*AddedPasskeyView, error) {
	k, recovery, err := s.addPasskey(ctx, caller.Of(ctx), in.Body.Name, in.Body.Credential)
	if recovery == nil {
		recovery = []string{}
	}

	return &AddedPasskeyView{passkeyView(k), recovery}, err
}

func (s *Service) handlePasskeys(ctx context.Context, _ *noInput) (*web.List[PasskeyView], error) {
	all, err := passkey.Of(ctx, s.db, caller.Of(ctx).User)

	views := make([]PasskeyView, len(all))
	for i, k := range all {
		views[i] = passkeyView(k)
	}

	l := web.NewList(views, int64(len(views)), "")

	return &l, err
}

func (s *Service) handleRenamePasskey(ctx context.Context, in *renamePasskeyInput) (*PasskeyView, error) {
	return web.Once(ctx, 200, passkeyView, func(done func(*db.Tx, passkey.Passkey) error) error {
		return s.renamePasskey(ctx, caller.Of(ctx), in.ID, in.Body.Name, done)
	})
}

func (s *Service) handleDeletePasskey(ctx context.Context, in *passkeyInput) (*web.Empty, error) {
	return onceEmpty(ctx, 204, web.Empty{}, func(done func(tx *db.Tx) error) error {
		return s.deletePasskey(ctx, caller.Of(ctx), in.ID, done)
	})
}

func (s *Service) handleAskPasskey(ctx context.Context, _ *noInput) (*PasskeyOptionsView, error) {
	return answerOptions(s.askPasskey(ctx, caller.Of(ctx)))
}

func (s *Service) handleAskToSignIn(ctx context.Context, in *askToSignInInput) (*PasskeyOptionsView, error) {
	return answerOptions(s.AskToSignIn(ctx, in.Body.TempToken))
}

func (s *Service) handleLoginPasskey(ctx context.Context, in *passkeyLoginInput) (*TokensView, error) {
	return answerTokens(s.loginPasskey(ctx, in.Body.Credential))
}
