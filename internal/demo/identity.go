//go:build !nosandbox

package demo

import (
	"bytes"
	"context"
	"encoding/base32"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"slices"
	"time"

	"slipway/internal/rails/idv"
	"slipway/internal/rails/idv/idvsim"
	"slipway/internal/standards/otp"
)

// authenticator is the app on the person's phone.
type authenticator struct {
	key  otp.Key
	last int64 // the time step whose code was used last
}

// newAuthenticator takes the secret as a person types it into the app.
func newAuthenticator(typed string) (*authenticator, error) {
	secret, err := base32.StdEncoding.WithPadding(base32.NoPadding).DecodeString(typed)
	return &authenticator{key: otp.Usual(secret)}, err
}

// code is the next one that was not used: each works once, and the service takes those of the steps beside its own.
func (a *authenticator) code(now time.Time) string {
	a.last = max(a.last+1, a.key.Step(now))
	return a.key.Code(a.last)
}

// again is the code that was used last.
func (a *authenticator) again() string { return a.key.Code(a.last) }

// secondFactor sets one up, signs out, and signs in with it.
func (s *story) secondFactor(ctx context.Context) error {
	s.t.heading("She secures her account with a second factor")

	var made struct {
		Secret string `json:"secret"`
		QR     string `json:"qrCodeDataUrl"`
	}
	if err := s.c.call(ctx, "POST", "/auth/2fa/generate", object{"password": personPassword}, &made); err != nil {
		return fmt.Errorf("generate a second factor: %w", err)
	}

	app, err := newAuthenticator(made.Secret)
	if err != nil || made.QR == "" {
		return fmt.Errorf("a second factor that no app can take: %w", err)
	}

	var on struct {
		Enabled  bool     `json:"enabled"`
		Recovery []string `json:"recoveryCodes"`
	}
	if err := s.c.call(
		ctx,
		"POST",
		"/auth/2fa/verify",
		object{"code": app.code(s.World.Clock.Now())},
		&on,
	); err != nil ||
		!on.Enabled {
		return fmt.Errorf("verify the second factor: enabled=%v %w", on.Enabled, err)
	}

	s.t.done(
		"her app has the secret; its first code turns the second factor on, with %d recovery codes",
		len(on.Recovery),
	)

	if err := s.c.call(ctx, "POST", "/auth/logout", nil, nil); err != nil {
		return fmt.Errorf("log out: %w", err)
	}

	old := s.c.token

	var no *refusal
	if err := s.c.call(ctx, "GET", "/users/me", nil, nil); !errors.As(err, &no) ||
		no.Status != http.StatusUnauthorized {
		//nolint:errorlint // it may be nil
		return fmt.Errorf("a session that was ended should be refused, but: %v", err)
	}

	s.c.token = ""

	var half struct {
		tokens
		Requires bool   `json:"requires_2fa"`
		Temp     string `json:"tempToken"`
	}
	if err := s.c.call(ctx, "POST", "/auth/login", object{
		"email":    personEmail,
		"password": personPassword,
	}, &half); err != nil {
		return fmt.Errorf("log in: %w", err)
	}

	if !half.Requires || half.Access != "" {
		return errors.New("the password alone opened an account that has a second factor")
	}

	s.t.done("signed out, and in again: the password alone gives a tempToken that opens nothing")

	if err := s.c.call(ctx, "POST", "/auth/2fa/login", object{
		"tempToken": half.Temp,
		"code":      app.again(),
	}, nil); !errors.As(err, &no) {
		return fmt.Errorf("a code that was used should be refused, but: %v", err) //nolint:errorlint // it may be nil
	}

	s.t.done("a code that was used before is refused: %d %s", no.Status, no.Code)

	var in tokens
	if err := s.c.call(ctx, "POST", "/auth/2fa/login", object{
		"tempToken": half.Temp,
		"code":      app.code(s.World.Clock.Now()),
	}, &in); err != nil {
		return fmt.Errorf("log in with the second factor: %w", err)
	}

	if in.Access == "" || in.Access == old {
		return errors.New("signing in with the second factor gave no new session")
	}

	s.c.token = in.Access
	s.t.done("the next code opens a session")

	return nil
}

// onboard creates the organisation and has it verified: its documents are handed in on the provider's pages, and the
// provider's signed webhook approves it.
func (s *story) onboard(ctx context.Context) error {
	s.t.heading("Her organisation is verified")

	var org record
	if err := s.c.call(ctx, "POST", "/organisations/create", object{
		"organisationType": "Organisation",
		"name":             organisationName,
	}, &org); err != nil {
		return fmt.Errorf("create organisation: %w", err)
	}

	s.organisation = org.ID
	s.t.done("%s is created: onboarding %s", organisationName, org.Status)

	var applicant struct {
		ID    string `json:"applicantId"`
		Level string `json:"levelName"`
	}
	if err := s.c.call(ctx, "POST", "/idv/companies", nil, &applicant); err != nil {
		return fmt.Errorf("begin the verification: %w", err)
	}

	var access struct {
		Token string `json:"token"`
	}
	if err := s.c.call(ctx, "POST", "/idv/get-applicant-token", object{
		"type":           "organisation",
		"organisationId": org.ID,
	}, &access); err != nil {
		return fmt.Errorf("token for the widget: %w", err)
	}

	s.t.done(
		"applicant %s at level %s; a token opens the provider's widget for ten minutes",
		applicant.ID,
		applicant.Level,
	)

	w := widget{base: s.World.Identity.URL, token: access.Token, http: s.c.http}
	for _, step := range []func(context.Context) error{
		func(ctx context.Context) error {
			return w.post(ctx, "info", map[string]string{
				"companyName":        organisationName,
				"registrationNumber": "CHE-000.000.000",
				"country":            "CHE",
			}, nil)
		},
		func(ctx context.Context) error {
			return w.post(ctx, "document", map[string]string{
				"type":    "COMPANY_DOC",
				"country": "CHE",
			}, []byte(registerExtract))
		},
		func(ctx context.Context) error { return w.post(ctx, "submit", nil, nil) },
	} {
		if err := step(ctx); err != nil {
			return err
		}
	}

	if err := s.onboarding(ctx, "SUBMITTED"); err != nil {
		return err
	}

	s.t.done("data and an extract of the register are handed in there; its webhook says so: onboarding SUBMITTED")

	if err := w.post(ctx, "outcome", map[string]string{"outcome": "approve"}, nil); err != nil {
		return err
	}

	if err := s.onboarding(ctx, "APPROVED"); err != nil {
		return err
	}

	s.t.done("a tester approves; the signed webhook comes, the provider is asked again: onboarding APPROVED")

	return s.heard(ctx, applicant.ID)
}

// registerExtract is a document of one line that is nobody's.
const registerExtract = "%PDF-1.4\n1 0 obj << /Type /Catalog >> endobj\ntrailer << /Root 1 0 R >>\n%%EOF\n"

// onboarding waits until the organisation has come to a state.
func (s *story) onboarding(ctx context.Context, want string) error {
	s.t.doing("waiting for the webhook")
	defer s.t.still()

	var org record

	err := s.until(ctx, 20*time.Second, func() (bool, error) {
		err := s.c.call(ctx, "GET", "/organisations/"+s.organisation, nil, &org)
		return org.Status == want, err
	})
	if err != nil {
		return fmt.Errorf("onboarding should become %s and is %s: %w", want, org.Status, err)
	}

	return nil
}

// heard asks the provider what it sent: every webhook was taken at the first try, the verdict among them.
func (s *story) heard(ctx context.Context, applicantID string) error {
	n := 0

	err := s.until(ctx, 10*time.Second, func() (bool, error) {
		hooks, err := s.World.IDV.Webhooks(applicantID)

		verdict := false
		for _, h := range hooks {
			if h.Tries > 1 || h.Done && h.Answer != "200" {
				return false, fmt.Errorf("%s: %d tries, answered %q", h.Type, h.Tries, h.Answer)
			}

			verdict = verdict || h.Type == idv.ApplicantReviewed
		}

		if err == nil && !verdict {
			err = errors.New("the organisation was approved before the provider gave its verdict")
		}

		n = len(hooks)
		// the answer comes before the provider notes it
		return !slices.ContainsFunc(hooks, func(h idvsim.Webhook) bool { return !h.Done }), err
	})
	if err != nil {
		return fmt.Errorf("webhooks of applicant %s: %w", applicantID, err)
	}

	s.t.note("the provider sent %d webhooks, each taken at the first try", n)

	return nil
}

// widget is the provider's page as a browser uses it: forms, and nothing else.
type widget struct {
	base, token string
	http        *http.Client
}

// post sends one of the page's forms, with a document or without. The page answers with itself; what it did not take
// is an error.
func (w widget) post(ctx context.Context, step string, fields map[string]string, document []byte) error {
	var body bytes.Buffer
	form := multipart.NewWriter(&body)

	err := form.WriteField("token", w.token)
	for name, value := range fields {
		err = errors.Join(err, form.WriteField(name, value))
	}

	if document != nil {
		file, e := form.CreateFormFile("file", "register.pdf")
		if err = errors.Join(err, e); err == nil {
			_, err = file.Write(document)
		}
	}

	if err = errors.Join(err, form.Close()); err != nil {
		return err
	}

	r, err := http.NewRequestWithContext(ctx, http.MethodPost, w.base+"/widget/"+step, &body)
	if err != nil {
		return err
	}

	r.Header.Set("Content-Type", form.FormDataContentType())

	res, err := w.http.Do(r)
	if err != nil {
		return fmt.Errorf("the identity provider's page: %w", err)
	}
	defer res.Body.Close()

	page, err := io.ReadAll(io.LimitReader(res.Body, 1<<20))
	if err == nil && res.StatusCode != http.StatusOK {
		err = fmt.Errorf("the identity provider's page did not take %s: status %d: %.300s", step, res.StatusCode, page)
	}

	return err
}
