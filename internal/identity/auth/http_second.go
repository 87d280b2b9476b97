package auth

import (
	"context"
	"encoding/base64"
	"net/url"
	"time"

	"github.com/skip2/go-qrcode"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/identity/passkey"
	"slipway/internal/identity/twofactor"
	"slipway/internal/identity/user"
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

// EnabledView is the answer to setting up a second factor.
type EnabledView struct {
	Enabled       bool     `json:"enabled"`
	RecoveryCodes []string `json:"recoveryCodes" nullable:"false" doc:"each works once in place of a code; shown once"`
}

// DisabledView is the answer to switching it off.
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

// ProofInput is a proof of the second factor: one of the two.
type ProofInput struct {
	Code    string         `json:"code,omitempty" maxLength:"32" doc:"six digits of the authenticator app, or a recovery code"`
	Passkey passkey.Answer `json:"passkey,omitempty" doc:"in place of a code: what navigator.credentials.get() returned, as its toJSON() writes it"`
}

func (in ProofInput) proof() proof { return proof{code: in.Code, passkey: in.Passkey} }

type proofInput struct{ Body ProofInput }

type generateInput struct {
	Body struct {
		Password string `json:"password,omitempty" maxLength:"1024" doc:"the caller's; needed without a second factor where the session's was given more than five minutes ago" verbatim:"true"`
	}
}

func (s *Service) secondRoutes(api *web.API) {
	generate := person("/auth/2fa/generate", "generateSecondFactor", "Make a secret for an authenticator app",
		"It takes effect with POST /auth/2fa/verify, within 15 minutes. Until then the secret in use, if there is "+
			"one, stays in use, and its code is needed here. Without a second factor, the password must have been given "+
			"within five minutes; otherwise send it.",
		fault.StepUpRequired, fault.CredentialsInvalid)
	generate.DuringSetup = true
	generate.StepUp = true
	generate.OptionalBody = true
	web.Register(api, generate, s.handleGenerate)

	verify := person("/auth/2fa/verify", "verifySecondFactor", "Put the secret in use",
		"Every other session of the user ends. The recovery codes are shown once.",
		fault.CodeInvalid, fault.TwoFactorNotBegun)
	verify.DuringSetup = true
	web.Register(api, verify, s.handleVerify)

	disable := person("/auth/2fa/disable", "disableSecondFactor", "Switch the second factor off",
		"The app, the recovery codes and the passkeys are deleted. Every other session of the user ends.",
		fault.CodeInvalid, fault.PasskeyInvalid, fault.PasskeyCopied, fault.TwoFactorOff, fault.TwoFactorNeeded,
		fault.PasswordTooShortBy)
	disable.MaxBody = maxPasskeyBody
	web.Register(api, disable, s.handleDisable)

	stepUp := person("/auth/2fa/step-up", "stepUp", "Prove the second factor again",
		"Send a code, or a passkey's answer to POST /auth/passkeys/challenge. Opens operations that ask for a recent "+
			"proof for 10 minutes, in this session.",
		fault.CodeInvalid, fault.PasskeyInvalid, fault.PasskeyCopied, fault.TwoFactorOff)
	stepUp.MaxBody = maxPasskeyBody
	web.Register(api, stepUp, s.handleStepUp)
}

func (s *Service) handleGenerate(ctx context.Context, in *generateInput) (*GeneratedView, error) {
	return s.generated(ctx, caller.Of(ctx), in.Body.Password)
}

// generated makes a secret and draws it.
func (s *Service) generated(ctx context.Context, p caller.Principal, pass string) (*GeneratedView, error) {
	key, account, err := s.generate(ctx, p, pass)
	if err != nil {
		return nil, err
	}

	return drawn(key.Base32(), key.URL(twofactor.Issuer, account))
}

func drawn(key, address string) (*GeneratedView, error) {
	png, err := qrcode.Encode(address, qrcode.Medium, qrSize)
	if err != nil {
		return nil, err
	}

	return &GeneratedView{
		Secret:        key,
		OtpauthURL:    address,
		QRCodeDataURL: "data:image/png;base64," + base64.StdEncoding.EncodeToString(png),
	}, nil
}

// maxOtpauth is longer than any address of ours for an authenticator app.
const maxOtpauth = 1024

// DrawAgain returns what ConsoleSetUp returned, from its OtpauthURL, for the page after a wrong code. ok is false for
// anything else than such an address.
func DrawAgain(address string) (v *GeneratedView, ok bool) {
	u, err := url.Parse(address)
	if err != nil || len(address) > maxOtpauth || u.Scheme != "otpauth" || u.Query().Get("secret") == "" {
		return nil, false
	}

	v, err = drawn(u.Query().Get("secret"), address)

	return v, err == nil
}

func (s *Service) handleVerify(ctx context.Context, in *codeInput) (*EnabledView, error) {
	codes, err := s.verify(ctx, caller.Of(ctx), in.Body.Code)

	return &EnabledView{Enabled: true, RecoveryCodes: codes}, err
}

func (s *Service) handleDisable(ctx context.Context, in *proofInput) (*DisabledView, error) {
	return &DisabledView{}, s.disable(ctx, caller.Of(ctx), in.Body.proof())
}

func (s *Service) handleStepUp(ctx context.Context, in *proofInput) (*SteppedUpView, error) {
	err := s.prove(ctx, caller.Of(ctx), in.Body.proof())

	return &SteppedUpView{ValidUntil: user.Shown(s.db.Now().Add(web.StepUpLifetime))}, err
}
