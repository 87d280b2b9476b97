// Package identitytest lets tests sign people in: the identity operations over their real handlers, on a fresh
// database.
//
// Read in this order: identitytest.go (the world and its sessions), second.go (second factors, mails and their links),
// passkey.go, staff.go (the platform's people), keys.go (the keyring with a further key).
package identitytest

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/alexedwards/argon2id"
	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/require"

	"slipway/internal/identity/approval"
	"slipway/internal/identity/auth"
	"slipway/internal/identity/idv"
	"slipway/internal/identity/organisation"
	"slipway/internal/identity/passkey"
	"slipway/internal/identity/preference"
	"slipway/internal/identity/twofactor"
	"slipway/internal/identity/user"
	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
	"slipway/internal/platform/jobs"
	"slipway/internal/platform/mail"
	"slipway/internal/platform/platformtest"
	"slipway/internal/platform/secret"
	"slipway/internal/platform/web"
)

// Password is the password of everybody in these tests.
const Password = "nine violet kettles 47"

// World is the identity part of the service.
type World struct {
	T       testing.TB
	DB      *db.DB
	API     *web.API
	Handler http.Handler
	Users   *user.Service
	Orgs    *organisation.Service
	Auth    *auth.Service
	Factors *twofactor.Service
	Keys    *secret.Keyring
	Jobs    *jobs.Runner
	Outbox  *mail.Outbox
	Refuse  error // what OnCreate returns

	Preferences *preference.Service
	Approvals   *approval.Service

	ring    secret.Text
	created sync.Map // organisation -> the argument of OnCreate
}

// OnCreate returns the organisation that the hook OnCreate was called with.
func (w *World) OnCreate(org string) (organisation.Organisation, bool) {
	o, ok := w.created.Load(org)
	if !ok {
		return organisation.Organisation{}, false
	}

	return o.(organisation.Organisation), true
}

// Exec changes the database behind the service's back, as another process would.
func (w *World) Exec(query string, args ...any) {
	w.T.Helper()
	require.NoError(w.T, w.DB.Write(context.Background(), func(tx *db.Tx) error {
		_, err := tx.Exec(query, args...)
		return err
	}))
}

// Count reads one number.
func (w *World) Count(query string, args ...any) int64 {
	w.T.Helper()
	n, err := db.Value[int64](context.Background(), w.DB, query, args...)
	require.NoError(w.T, err)

	return n
}

// Each runs the test once on each database.
func Each(t *testing.T, test func(t *testing.T, w *World)) {
	t.Helper()
	dbtest.Each(t, func(t *testing.T, d *db.DB) { test(t, New(t, d)) })
}

// New returns the identity services on a database, with cheap password hashes and the sandbox operations, without
// limits.
func New(t testing.TB, d *db.DB) *World {
	t.Helper()
	return NewWith(t, d, func(*auth.Config) {})
}

// BaseURL begins the links in mails.
const BaseURL = "https://pay.example.org"

// NewWith is New with another configuration of signing in, and with further routes.
func NewWith(t testing.TB, d *db.DB, tune func(c *auth.Config), more ...func(w *World)) *World {
	t.Helper()

	w := &World{T: t, DB: d}
	log := slog.New(slog.NewTextHandler(testLog{t}, &slog.HandlerOptions{Level: slog.LevelError}))
	cache := auth.NewCache()

	w.newPlatform(log)
	w.newPeople(cache)
	w.newAuth(cache, tune)
	w.newAPI(log, more)

	return w
}

// newPlatform creates keys, jobs and mails.
func (w *World) newPlatform(log *slog.Logger) {
	w.T.Helper()

	var err error

	w.ring = secret.NewKey("test")
	w.Keys, err = secret.ParseKeyring(w.ring)
	require.NoError(w.T, err)

	w.Jobs = jobs.New(w.DB, log, jobs.Config{})
	w.Preferences = preference.New(preference.Config{DB: w.DB, Keyring: w.Keys, BaseURL: BaseURL})
	w.Outbox, err = mail.New(mail.Config{
		DB:          w.DB,
		Jobs:        w.Jobs,
		Sender:      mail.Kept{},
		From:        "no-reply@pay.example.org",
		Site:        BaseURL,
		Keep:        true,
		Preferences: w.Preferences,
	})
	require.NoError(w.T, err)
}

// newPeople creates the services of users and organisations.
func (w *World) newPeople(cache *auth.Cache) {
	w.Factors = twofactor.New(w.DB, w.Keys)
	w.Users = user.New(user.Config{
		DB:          w.DB,
		Memberships: organisation.MembershipsOf,
		TwoFactor:   twofactor.Enabled,
		Onboarding:  idv.Onboarding,
		Changed:     cache.DropUser,
	})

	w.Approvals = approval.New(approval.Deps{DB: w.DB, Is: organisation.Holds})
	w.Orgs = organisation.New(organisation.Config{
		DB:        w.DB,
		Approvals: w.Approvals,
		Changed:   cache.Drop,
		Mail:      w.Outbox,
		BaseURL:   BaseURL,
		Verified:  idv.Known,
		OnCreate: func(_ context.Context, _ *db.Tx, o organisation.Organisation) error {
			w.created.Store(o.ID, o)
			return w.Refuse
		},
	})
}

// newAuth creates the service of signing in, with cheap password hashes.
func (w *World) newAuth(cache *auth.Cache, tune func(c *auth.Config)) {
	c := auth.Config{
		DB:            w.DB,
		Organisations: w.Orgs,
		Users:         w.Users,
		Factors:       w.Factors,
		Passkeys:      passkey.New(twofactor.Issuer, BaseURL),
		Mail:          w.Outbox,
		Jobs:          w.Jobs,
		Cache:         cache,
		BaseURL:       BaseURL,
		Keys:          w.Keys,
		Approvals:     w.Approvals,
		Hash: &argon2id.Params{
			Memory:      64,
			Iterations:  1,
			Parallelism: 1,
			SaltLength:  16,
			KeyLength:   32,
		},
	}
	tune(&c)

	w.Auth = auth.New(c)
}

// newAPI creates the handler with all routes. more adds routes before those of the preferences.
func (w *World) newAPI(log *slog.Logger, more []func(w *World)) {
	w.API = web.New(web.Config{
		Title:        "test",
		Version:      "1",
		Log:          log,
		DB:           w.DB,
		BaseURL:      BaseURL,
		Authenticate: w.Auth.Authenticate,
		Session:      w.Auth.AuthenticateCookie,
		StepUp:       w.Auth.Prove,
	})
	w.Auth.Routes(w.API)
	w.Users.Routes(w.API)
	w.Orgs.Routes(w.API)
	w.Orgs.SandboxRoutes(w.API)
	w.Approvals.Routes(w.API)

	for _, add := range more {
		add(w)
	}

	w.Preferences.Routes(w.API)
	w.Handler = w.API.Handler()
}

type testLog struct{ t testing.TB }

// Write sends a log line to the test.
func (l testLog) Write(b []byte) (int, error) {
	l.t.Log(strings.TrimSpace(string(b)))
	return len(b), nil
}

// Answer is the answer to a request.
type Answer struct {
	T      testing.TB
	Status int
	Raw    string
	Body   map[string]any
	Header http.Header
}

// Header is a request header for Do.
type Header struct{ Name, Value string }

// Do sends a request. body is JSON text; empty means none. It may be called from several goroutines.
func (w *World) Do(method, path, token, body string, headers ...Header) Answer {
	var r io.Reader
	if body != "" {
		r = bytes.NewReader([]byte(body))
	}

	req := httptest.NewRequest(method, path, r)
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}

	for _, h := range headers {
		if h.Name == "Source" {
			req.RemoteAddr = h.Value + ":1234"
			continue
		}

		req.Header.Set(h.Name, h.Value)
	}

	rec := httptest.NewRecorder()
	w.Handler.ServeHTTP(rec, req)

	a := Answer{T: w.T, Status: rec.Code, Raw: rec.Body.String(), Header: rec.Header()}
	if strings.Contains(a.Raw, "argon2") || strings.Contains(a.Raw, Password) || strings.Contains(a.Raw, `hash":`) {
		w.T.Errorf("%s %s shows a password or hash: %s", method, path, a.Raw) // Z-05
	}

	if strings.HasPrefix(a.Raw, "{") && strings.Contains(rec.Header().Get("Content-Type"), "json") {
		if err := json.Unmarshal(rec.Body.Bytes(), &a.Body); err != nil {
			w.T.Errorf("%s %s: %v in %s", method, path, err, a.Raw)
		}
	}

	return a
}

// OK requires a status.
func (a Answer) OK(status int) Answer {
	a.T.Helper()
	require.Equal(a.T, status, a.Status, a.Raw)
	return a
}

// Refused requires a refusal with this status and code, and when pointers are given, exactly these fields, as
// "pointer CODE".
func (a Answer) Refused(status int, code string, fields ...string) Answer {
	a.T.Helper()
	require.Equal(a.T, status, a.Status, a.Raw)
	require.Equal(a.T, code, a.Body["code"], a.Raw)

	if len(fields) > 0 {
		var got []string

		list, _ := a.Body["errors"].([]any)
		for _, f := range list {
			m := f.(map[string]any)
			got = append(got, platformtest.PlaceOf(m)+" "+m["code"].(string))
		}

		require.ElementsMatch(a.T, fields, got, a.Raw)
	}

	return a
}

// Text returns a member of the body, by a path such as "address.city".
func (a Answer) Text(path string) string {
	a.T.Helper()

	var v any = a.Body
	for _, name := range strings.Split(path, ".") {
		m, ok := v.(map[string]any)
		require.True(a.T, ok, "no %s in %s", path, a.Raw)
		v = m[name]
	}

	s, ok := v.(string)
	require.True(a.T, ok, "%s is no text in %s", path, a.Raw)

	return s
}

// Results returns the objects of a list.
func (a Answer) Results() []map[string]any {
	a.T.Helper()
	list, ok := a.Body["results"].([]any)
	require.True(a.T, ok, a.Raw)

	out := make([]map[string]any, len(list))
	for i := range list {
		out[i] = list[i].(map[string]any)
	}

	return out
}

// Register creates an account with Password.
func (w *World) Register(email string) {
	w.T.Helper()

	w.Do("POST", "/auth/register", "",
		`{"firstName":"Ada","lastName":"Lovelace","email":"`+email+`","password":"`+Password+`"}`).OK(200)
}

// Session is someone who is signed in.
type Session struct{ Access, Refresh string }

// Login signs in with Password.
func (w *World) Login(email string) Session {
	w.T.Helper()
	a := w.Do("POST", "/auth/login", "", `{"email":"`+email+`","password":"`+Password+`"}`).OK(200)
	return Session{a.Text("access_token"), a.Text("refresh_token")}
}

// Console signs in at the console with Password and returns the headers of the console's calls.
func (w *World) Console(email string) []Header {
	w.T.Helper()
	got, err := w.Auth.ConsoleLogin(context.Background(), email, Password)
	require.NoError(w.T, err)
	require.Empty(w.T, got.Temp, "a second factor is needed")

	return ConsoleHeaders(got.Cookie)
}

// ConsoleHeaders returns the headers of the console's calls with a cookie.
func ConsoleHeaders(cookie string) []Header {
	return []Header{{"Cookie", "__Host-slipway=" + cookie}, {"Slipway-Console", "1"}}
}

// Someone registers and signs in.
func (w *World) Someone(email string) Session {
	w.T.Helper()
	w.Register(email)
	return w.Login(email)
}

// Organisation creates an organisation and returns its identifier.
func (w *World) Organisation(token string) string {
	w.T.Helper()

	return w.Do("POST", "/organisations/create", token, `{"organisationType":"Organisation","name":"Ada Ltd"}`).
		OK(201).Text("_id")
}

// Member brings a new person into an organisation by invitation and returns the session and the member's identifier.
func (w *World) Member(admin, org, email, roles string) (Session, string) {
	w.T.Helper()

	invitation := `{"email":"` + email + `","roles":[` + roles + `]}`
	token := w.Do("POST", "/organisations/"+org+"/invitations", admin, invitation).OK(201).Text("token")

	person := `{"firstName":"Grace","lastName":"Hopper","email":"` + email + `","password":"` + Password +
		`","invitationToken":"` + token + `"}`
	w.Do("POST", "/auth/register-with-organisation", "", person).OK(200)

	for _, m := range w.Do("GET", "/organisations/"+org+"/members?limit=250", admin, "").OK(200).Results() {
		if m["user"].(map[string]any)["email"] == email {
			return w.Login(email), m["_id"].(string)
		}
	}

	w.T.Fatalf("%s did not become a member", email)

	return Session{}, ""
}
