package identitytest

import (
	"context"
	"encoding/base32"
	"net/url"
	"regexp"
	"strings"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/mail"
	"slipway/internal/standards/otp"
)

// RunJobs runs the due jobs: mails, and requests for new passwords.
func (w *World) RunJobs() {
	w.T.Helper()
	_, err := w.Jobs.RunDue(context.Background(), 1_000)
	require.NoError(w.T, err)
}

// Mails returns the mails to an address, newest first.
func (w *World) Mails(to string) []mail.Shown {
	w.T.Helper()
	w.RunJobs()
	all, err := w.Outbox.Mailbox(context.Background(), to)
	require.NoError(w.T, err)

	return all
}

var linkToken = regexp.MustCompile(BaseURL + `/account/[a-z-]+#([A-Za-z0-9_]+)`)

// Link returns the token of the newest mail of a kind to an address.
func (w *World) Link(to string, kind mail.Kind) string {
	w.T.Helper()

	for _, m := range w.Mails(to) {
		if m.Kind == string(kind) {
			found := linkToken.FindStringSubmatch(m.Text)
			require.NotNil(w.T, found, m.Text)
			return found[1]
		}
	}

	w.T.Fatalf("no mail %s to %s", kind, to)

	return ""
}

// App is a person's authenticator app.
type App struct {
	w    *World
	key  otp.Key
	last int64
}

// WithPassword returns the body of a request with the caller's password added; body is a JSON object or empty.
func WithPassword(body string) string {
	inner := strings.TrimSuffix(strings.TrimPrefix(body, "{"), "}")
	if inner != "" {
		inner = "," + inner
	}

	return `{"password":"` + Password + `"` + inner + "}"
}

// AppOf returns an app with the secret in an answer of /auth/2fa/generate.
func (w *World) AppOf(generated Answer) *App {
	w.T.Helper()
	return w.appOf(generated.Text("secret"))
}

// AppAt returns an app that has scanned an address.
func (w *World) AppAt(otpauth string) *App {
	w.T.Helper()

	u, err := url.Parse(otpauth)
	require.NoError(w.T, err)

	return w.appOf(u.Query().Get("secret"))
}

func (w *World) appOf(key string) *App {
	w.T.Helper()

	raw, err := base32.StdEncoding.WithPadding(base32.NoPadding).DecodeString(key)
	require.NoError(w.T, err)

	return &App{w: w, key: otp.Usual(raw)}
}

// Code returns a code that was not returned before. It advances the clock if the present one was.
func (a *App) Code() string {
	for a.key.Step(a.w.DB.Now()) <= a.last {
		a.w.DB.Clock().Advance(time.Duration(a.key.Period) * time.Second)
	}

	a.last = a.key.Step(a.w.DB.Now())

	return a.key.Code(a.last)
}

// CodeAt returns the code some steps from now, whether or not it was returned before.
func (a *App) CodeAt(steps int64) string { return a.key.Code(a.key.Step(a.w.DB.Now()) + steps) }

// SetUp sets up a second factor for a person and returns the app and the recovery codes.
func (w *World) SetUp(token string) (*App, []string) {
	w.T.Helper()
	app := w.AppOf(w.Do("POST", "/auth/2fa/generate", token, WithPassword("")).OK(200))
	a := w.Do("POST", "/auth/2fa/verify", token, `{"code":"`+app.Code()+`"}`).OK(200)

	var codes []string
	for _, c := range a.Body["recoveryCodes"].([]any) {
		codes = append(codes, c.(string))
	}

	return app, codes
}

// LoginWith signs in with Password and a code.
func (w *World) LoginWith(email, code string) Session {
	w.T.Helper()
	a := w.Do("POST", "/auth/2fa/login", "", `{"tempToken":"`+w.Temp(email)+`","code":"`+code+`"}`).OK(200)
	return Session{a.Text("access_token"), a.Text("refresh_token")}
}

// Temp returns the tempToken of a login with Password.
func (w *World) Temp(email string) string {
	w.T.Helper()
	return w.Do("POST", "/auth/login", "", `{"email":"`+email+`","password":"`+Password+`"}`).OK(200).Text("tempToken")
}
