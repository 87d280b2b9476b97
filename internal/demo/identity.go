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

	"slipway/internal/app/apiclient"
	"slipway/internal/rails/idv"
	"slipway/internal/rails/idv/idvsim"
	"slipway/internal/standards/otp"
)

// authenticator is the app on the person's phone.
type authenticator struct {
	key  otp.Key
	last int64 // the time step whose code was used last
}

// newAuthenticator returns an app with a secret, as a person types it in.
func newAuthenticator(typed string) (*authenticator, error) {
	secret, err := base32.StdEncoding.WithPadding(base32.NoPadding).DecodeString(typed)
	return &authenticator{key: otp.Usual(secret)}, err
}

// code returns the next unused code. Each works once, and the service also takes those of the steps beside its own.
func (a *authenticator) code(now time.Time) string {
	a.last = max(a.last+1, a.key.Step(now))
	return a.key.Code(a.last)
}

// again returns the code that was used last.
func (a *authenticator) again() string { return a.key.Code(a.last) }

// The person of the story.
const (
	personEmail    = "ada@example.org"
	personPassword = "a harbour of seven boats"
)

// signUp creates an account and opens a session.
func (s *story) signUp(ctx context.Context) error {
	s.t.heading("A person signs up")

	ada := apiclient.Person{
		FirstName: "Ada",
		LastName:  "Muster",
		Email:     personEmail,
		Password:  personPassword,
	}
	if err := s.c.Register(ctx, ada); err != nil {
		return fmt.Errorf("register: %w", err)
	}

	if _, err := s.c.SignIn(ctx, personEmail, personPassword); err != nil {
		return fmt.Errorf("log in: %w", err)
	}

	s.t.done("Ada registers and logs in")

	return nil
}

// secondFactor switches a second factor on, signs out, and signs in with it.
func (s *story) secondFactor(ctx context.Context) error {
	s.t.heading("She secures her account with a second factor")

	app, err := s.enableSecondFactor(ctx)
	if err != nil {
		return err
	}

	old := s.c.Token
	if err := s.signOut(ctx); err != nil {
		return err
	}

	half, err := s.c.SignIn(ctx, personEmail, personPassword)
	if err != nil {
		return fmt.Errorf("log in: %w", err)
	}

	if !half.NeedsSecondFactor || half.Access != "" {
		return errors.New("the password alone opened an account that has a second factor")
	}

	s.t.done("signed out, and in again: the password alone gives a tempToken that opens nothing")

	used := object{"tempToken": half.Temp, "code": app.again()}

	problem, err := s.refused(ctx, "POST", "/auth/2fa/login", used)
	if err != nil {
		return fmt.Errorf("a code that was used should be refused: %w", err)
	}

	s.t.done("a code that was used before is refused: %d %s", problem.Status, problem.Code)

	in, err := s.c.SecondFactor(ctx, half.Temp, app.code(s.World.Clock.Now()))
	if err != nil {
		return fmt.Errorf("log in with the second factor: %w", err)
	}

	if in.Access == "" || in.Access == old {
		return errors.New("signing in with the second factor gave no new session")
	}

	s.t.done("the next code opens a session")

	return nil
}

// enableSecondFactor puts a new secret into the person's app, and confirms it with the app's first code.
func (s *story) enableSecondFactor(ctx context.Context) (*authenticator, error) {
	var made struct {
		Secret string `json:"secret"`
		QR     string `json:"qrCodeDataUrl"`
	}
	if err := s.c.Call(ctx, "POST", "/auth/2fa/generate", object{"password": personPassword}, &made); err != nil {
		return nil, fmt.Errorf("generate a second factor: %w", err)
	}

	s.secret = made.Secret

	app, err := newAuthenticator(made.Secret)
	if err != nil || made.QR == "" {
		return nil, errors.Join(err, errors.New("a second factor that no app can take"))
	}

	var on struct {
		Enabled  bool     `json:"enabled"`
		Recovery []string `json:"recoveryCodes"`
	}

	first := object{"code": app.code(s.World.Clock.Now())}
	if err := s.c.Call(ctx, "POST", "/auth/2fa/verify", first, &on); err != nil {
		return nil, fmt.Errorf("verify the second factor: %w", err)
	}

	if !on.Enabled {
		return nil, errors.New("the second factor was verified and is off")
	}

	const done = "her app has the secret; its first code turns the second factor on, with %d recovery codes"
	s.t.done(done, len(on.Recovery))

	return app, nil
}

// signOut ends the session, and makes sure that its token opens nothing any more.
func (s *story) signOut(ctx context.Context) error {
	if err := s.c.Call(ctx, "POST", "/auth/logout", nil, nil); err != nil {
		return fmt.Errorf("log out: %w", err)
	}

	problem, err := s.refused(ctx, "GET", "/users/me", nil)
	if err == nil && problem.Status != http.StatusUnauthorized {
		err = problem
	}

	if err != nil {
		return fmt.Errorf("a session that was ended should be refused: %w", err)
	}

	s.c.Token = ""

	return nil
}

// onboard creates the organisation and has it verified: its documents are handed in on the provider's pages, and the
// provider's signed webhook approves it.
func (s *story) onboard(ctx context.Context) error {
	s.t.heading("Her organisation is verified")

	var org record
	if err := s.c.Call(ctx, "POST", "/organisations/create", object{
		"organisationType": "Organisation",
		"name":             organisationName,
	}, &org); err != nil {
		return fmt.Errorf("create organisation: %w", err)
	}

	s.organisation = org.ID
	s.t.done("%s is created: onboarding %s", organisationName, org.Status)

	applicant, page, err := s.openWidget(ctx)
	if err != nil {
		return err
	}

	if err := page.handIn(ctx); err != nil {
		return err
	}

	if err := s.onboarding(ctx, "SUBMITTED"); err != nil {
		return err
	}

	s.t.done("data and an extract of the register are handed in there; its webhook says so: onboarding SUBMITTED")

	if err := page.post(ctx, "outcome", map[string]string{"outcome": "approve"}, nil); err != nil {
		return err
	}

	if err := s.onboarding(ctx, "APPROVED"); err != nil {
		return err
	}

	s.t.done("a tester approves; the signed webhook comes, the provider is asked again: onboarding APPROVED")

	return s.webhooksTaken(ctx, applicant)
}

// openWidget begins the verification and opens the provider's page for it.
func (s *story) openWidget(ctx context.Context) (applicantID string, w widget, err error) {
	var applicant struct {
		ID    string `json:"applicantId"`
		Level string `json:"levelName"`
	}
	if err := s.c.Call(ctx, "POST", "/idv/companies", nil, &applicant); err != nil {
		return "", w, fmt.Errorf("begin the verification: %w", err)
	}

	var access struct {
		Token string `json:"token"`
	}
	if err := s.c.Call(ctx, "POST", "/idv/get-applicant-token", object{
		"type":           "organisation",
		"organisationId": s.organisation,
	}, &access); err != nil {
		return "", w, fmt.Errorf("token for the widget: %w", err)
	}

	const done = "applicant %s at level %s; a token opens the provider's widget for ten minutes"
	s.t.done(done, applicant.ID, applicant.Level)

	return applicant.ID, widget{base: s.World.Identity.URL, token: access.Token, http: s.c.HTTP}, nil
}

// registerExtract is a document of one line.
const registerExtract = "%PDF-1.4\n1 0 obj << /Type /Catalog >> endobj\ntrailer << /Root 1 0 R >>\n%%EOF\n"

// onboarding waits until the organisation's onboarding has a status.
func (s *story) onboarding(ctx context.Context, want string) error {
	s.t.doing("waiting for the webhook")
	defer s.t.still()

	var org record

	err := s.until(ctx, 20*time.Second, func() (bool, error) {
		err := s.c.Call(ctx, "GET", "/organisations/"+s.organisation, nil, &org)
		return org.Status == want, err
	})
	if err != nil {
		return fmt.Errorf("onboarding should become %s and is %s: %w", want, org.Status, err)
	}

	return nil
}

// webhooksTaken makes sure that every webhook of the provider was taken at the first try, the verdict among them.
func (s *story) webhooksTaken(ctx context.Context, applicantID string) error {
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

// widget is the provider's page as a browser uses it: by its forms.
type widget struct {
	base, token string
	http        *http.Client
}

// handIn fills in the company's data, adds a document, and submits.
func (w widget) handIn(ctx context.Context) error {
	company := map[string]string{
		"companyName":        organisationName,
		"registrationNumber": "CHE-000.000.000",
		"country":            "CHE",
	}
	if err := w.post(ctx, "info", company, nil); err != nil {
		return err
	}

	kind := map[string]string{"type": "COMPANY_DOC", "country": "CHE"}
	if err := w.post(ctx, "document", kind, []byte(registerExtract)); err != nil {
		return err
	}

	return w.post(ctx, "submit", nil, nil)
}

// post sends one of the page's forms, with or without a document. The page answers with itself; an error means that it
// did not take the form.
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
