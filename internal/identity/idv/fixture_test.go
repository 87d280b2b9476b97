//go:build !nosandbox

package idv_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/require"

	"slipway/internal/identity/auth"
	"slipway/internal/identity/identitytest"
	"slipway/internal/identity/idv"
	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
	"slipway/internal/platform/inprocess"
	"slipway/internal/platform/secret"
	provider "slipway/internal/rails/idv"
	"slipway/internal/rails/idv/idvsim"
)

const (
	webhookSecret secret.Text = "seven loud chairs"
	requestSecret secret.Text = "six patient lanterns"
)

var levels = idv.Levels{Users: "people", Companies: "companies", HNWI: "private"}

// world is the identity part of the service beside an identity provider.
type world struct {
	*identitytest.World
	Sim     *idvsim.Server // the simulator; what is asked of it is counted by asked
	Service *idv.Service
	asked   *counted
}

// counted passes on what is asked of a provider. The answer may be replaced, and what is asked can be waited for.
type counted struct {
	idv.Provider
	creates, reads atomic.Int64
	mu             sync.Mutex
	read           func(ctx context.Context, applicantID string) (provider.Review, error) // nil: the provider's own
	// called before the answer of Create is given
	created func()
}

func (c *counted) Create(ctx context.Context, n provider.New) (provider.Review, error) {
	c.creates.Add(1)

	r, err := c.Provider.Create(ctx, n)
	if c.created != nil {
		c.created()
	}

	return r, err
}

func (c *counted) Applicant(ctx context.Context, applicantID string) (provider.Review, error) {
	c.reads.Add(1)
	c.mu.Lock()
	read := c.read
	c.mu.Unlock()

	if read != nil {
		return read(ctx, applicantID)
	}

	return c.Provider.Applicant(ctx, applicantID)
}

// answer replaces the provider's answers; nil: its own again.
func (c *counted) answer(read func(ctx context.Context, applicantID string) (provider.Review, error)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.read = read
}

func each(t *testing.T, test func(t *testing.T, w *world)) {
	t.Helper()
	dbtest.Each(t, func(t *testing.T, d *db.DB) { test(t, newWorld(t, d, func(*idv.Config) {})) })
}

// newWorld wires the services and the simulator on one clock. tune changes the configuration of verification.
func newWorld(t testing.TB, d *db.DB, tune func(c *idv.Config)) *world {
	t.Helper()
	w := &world{}

	var err error
	w.Sim, err = idvsim.New(idvsim.Config{
		URL:           "http://identity.sandbox",
		AppToken:      "sbx:test",
		Secret:        requestSecret,
		WebhookSecret: webhookSecret,
		Clock:         d.Clock(),
		Levels: map[string]provider.Kind{
			levels.Users:     provider.User,
			levels.HNWI:      provider.User,
			levels.Companies: provider.Organisation,
			"strict":         provider.Organisation,
		},
	})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, w.Sim.Close()) })
	client, err := provider.NewClient(provider.ClientConfig{
		URL:       "http://identity.sandbox",
		AppToken:  "sbx:test",
		Secret:    requestSecret,
		Transport: w.Sim.Transport(),
		Clock:     d.Clock(),
	})
	require.NoError(t, err)
	w.asked = &counted{Provider: client}
	w.World = identitytest.NewWith(t, d, func(*auth.Config) {}, func(of *identitytest.World) {
		c := idv.Config{
			DB:       d,
			Jobs:     of.Jobs,
			Log:      slog.New(slog.DiscardHandler),
			Mail:     of.Outbox,
			Correct:  of.Orgs.Correct,
			BaseURL:  identitytest.BaseURL,
			Provider: w.asked,
			Levels:   levels,
			Webhook:  idv.Webhook{Secrets: []secret.Text{webhookSecret}},
			Sandbox:  true,
			Alpha3: func(a string) string {
				return map[string]string{"CH": "CHE", "DE": "DEU"}[a]
			},
		}

		tune(&c)
		w.Service = idv.New(c)
		w.Service.Routes(of.API)
	})
	w.Sim.SetWebhook(identitytest.BaseURL+"/idv/webhook", inprocess.Transport(w.Handler))

	return w
}

// round has the provider send what is due, and runs the jobs that follow.
func (w *world) round() {
	w.T.Helper()
	_, err := w.Sim.Deliver(context.Background())
	require.NoError(w.T, err)
	w.RunJobs()
}

// decide lets the provider answer a review, and delivers its event.
func (w *world) decide(ref string, v idvsim.Verdict) {
	w.T.Helper()
	_, err := w.Sim.Decide(ref, v)
	require.NoError(w.T, err)
	w.round()
}

// submit hands in documents, as on the widget.
func (w *world) submit(ref string) {
	w.T.Helper()
	_, err := w.Sim.Complete(ref)
	require.NoError(w.T, err)
	w.round()
}

// company makes an organisation and registers it. It returns the organisation and its applicant.
func (w *world) company(token string) (org, applicant string) {
	w.T.Helper()
	org = w.Organisation(token)

	return org, w.Do("POST", "/idv/companies", token, "", identitytest.Header{
		Name:  "Slipway-Organisation",
		Value: org,
	}).OK(200).Text("applicantId")
}

// status reads an organisation's.
func (w *world) status(token, org string) string {
	w.T.Helper()
	return w.Do("GET", "/organisations/"+org, token, "").OK(200).Text("onboardingStatus")
}

// info reads an applicant's.
func (w *world) info(token, applicant string) identitytest.Answer {
	w.T.Helper()
	return w.Do("POST", "/idv/get-applicant-info/"+applicant, token, "").OK(200)
}

// event is the body of a webhook.
type event struct {
	Type           string  `json:"type"`
	ApplicantID    string  `json:"applicantId"`
	InspectionID   string  `json:"inspectionId,omitempty"`
	CorrelationID  string  `json:"correlationId,omitempty"`
	ExternalUserID string  `json:"externalUserId,omitempty"`
	LevelName      string  `json:"levelName,omitempty"`
	SandboxMode    any     `json:"sandboxMode,omitempty"`
	MemberOf       any     `json:"applicantMemberOf,omitempty"`
	ReviewStatus   string  `json:"reviewStatus,omitempty"`
	CreatedAt      string  `json:"createdAtMs"`
	Result         *result `json:"reviewResult,omitempty"`
}

type result struct {
	Answer     string `json:"reviewAnswer,omitempty"`
	RejectType string `json:"reviewRejectType,omitempty"`
}

func (e event) bytes() []byte {
	raw, err := json.Marshal(e)
	if err != nil {
		panic(err) // it is a plain struct
	}

	return raw
}

// at is a time as the provider writes it.
func at(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05.000") }

// post sends a webhook with whatever headers.
func (w *world) post(raw []byte, header http.Header) (status int, body string) {
	r := httptest.NewRequest("POST", "/idv/webhook", bytes.NewReader(raw))
	for k, v := range header {
		r.Header[k] = v
	}

	rec := httptest.NewRecorder()
	w.Handler.ServeHTTP(rec, r)

	return rec.Code, rec.Body.String()
}

// signed are the headers of a webhook.
func signed(key secret.Text, algorithm string, raw []byte) http.Header {
	digest, err := provider.Sign(key, algorithm, raw)
	if err != nil {
		panic(err) // the algorithms are known
	}

	return http.Header{provider.HeaderDigest: {digest}, provider.HeaderAlgorithm: {algorithm}}
}

// send sends a webhook as the provider does. It may be called from several goroutines.
func (w *world) send(e event) {
	raw := e.bytes()
	if status, body := w.post(raw, signed(webhookSecret, provider.SHA256, raw)); status != 200 {
		w.T.Errorf("%s: %d %s", raw, status, body)
	}
}

// outcomes lists what came of the events, in the order in which they came.
func (w *world) outcomes() string {
	w.T.Helper()

	type row struct{ typ, state, outcome string }
	rows, err := db.Select(context.Background(), w.DB, func(r *row) []any {
		return []any{&r.typ, &r.state, &r.outcome}
	},
		"SELECT type, state, outcome FROM idv_events ORDER BY received_at, id")
	require.NoError(w.T, err)

	var b strings.Builder
	for _, r := range rows {
		fmt.Fprintf(&b, "%s %s: %s\n", r.typ, r.state, r.outcome)
	}

	return b.String()
}

func decoded(t testing.TB, text string) map[string]any {
	t.Helper()

	var v map[string]any
	require.NoError(t, json.Unmarshal([]byte(text), &v))

	return v
}
