//go:build !nosandbox

package idv_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/clock"
	"slipway/internal/platform/secret"
	"slipway/internal/rails/idv"
	"slipway/internal/rails/idv/idvsim"
)

// fixture reads a file of the corpus, where there is one.
func fixture(t *testing.T, name string, into any) {
	t.Helper()

	folder := os.Getenv("SLIPWAY_FIXTURES")
	if folder == "" {
		t.Skip("SLIPWAY_FIXTURES does not say where the corpus is")
	}

	raw, err := os.ReadFile(filepath.Join(folder, "sumsub", name))
	if errors.Is(err, os.ErrNotExist) {
		t.Skip("the shared fixtures have no part for this provider (SLIPWAY_FIXTURES)")
	}

	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(raw, into))
}

func header(digest, algorithm string) http.Header {
	h := http.Header{}
	h.Set(idv.HeaderDigest, digest)
	h.Set(idv.HeaderAlgorithm, algorithm)

	return h
}

// W-01: only a body that bears exactly one digest of ours, by an algorithm that is taken, is an event.
func TestVerifyTakesNothingButABodySignedWithOneOfOurSecrets(t *testing.T) {
	body := []byte(`{"applicantId":"a","type":"applicantReviewed"}`)
	sign := func(key secret.Text, algorithm string) string {
		d, err := idv.Sign(key, algorithm, body)
		require.NoError(t, err)
		return d
	}
	secrets := []secret.Text{"new", "old"}
	good := sign("new", idv.SHA256)

	twice := func(name, value string) http.Header {
		h := header(good, idv.SHA256)
		h.Add(name, value)
		return h
	}
	for name, c := range map[string]struct {
		h       http.Header
		body    string
		allowed []string
		secrets []secret.Text
		ok      bool
	}{
		"signed":                              {h: header(good, idv.SHA256), ok: true},
		"512":                                 {h: header(sign("new", idv.SHA512), idv.SHA512), ok: true},
		"the old secret while it is replaced": {h: header(sign("old", idv.SHA256), idv.SHA256), ok: true},
		"SHA-1 where it is configured": {
			h:       header(sign("new", idv.SHA1), idv.SHA1),
			allowed: []string{idv.SHA1},
			ok:      true,
		},
		"capital digits":                    {h: header(strings.ToUpper(good), idv.SHA256), ok: true},
		"missing":                           {h: http.Header{}},
		"no algorithm":                      {h: http.Header{idv.HeaderDigest: {good}}},
		"empty algorithm":                   {h: header(good, "")},
		"MD5":                               {h: header(good, "HMAC_MD5_HEX")},
		"SHA-1":                             {h: header(sign("new", idv.SHA1), idv.SHA1)},
		"SHA-1's digest under another name": {h: header(sign("new", idv.SHA1), idv.SHA256)},
		"a stronger one, not configured": {
			h:       header(sign("new", idv.SHA512), idv.SHA512),
			allowed: []string{idv.SHA256},
		},
		"an unknown one, though configured": {h: header(good, "HMAC_MD5_HEX"), allowed: []string{"HMAC_MD5_HEX"}},
		"another secret":                    {h: header(sign("other", idv.SHA256), idv.SHA256)},
		"an empty secret": {
			h:       header(sign("", idv.SHA256), idv.SHA256),
			secrets: []secret.Text{""},
		},
		"no secret":           {h: header(good, idv.SHA256), secrets: []secret.Text{}},
		"one bit":             {h: header(good, idv.SHA256), body: strings.Replace(string(body), "Reviewed", "Seviewed", 1)},
		"a space":             {h: header(good, idv.SHA256), body: string(body) + " "},
		"no digits":           {h: header("invalid_hex", idv.SHA256)},
		"half of it":          {h: header(good[:32], idv.SHA256)},
		"the digest twice":    {h: twice(idv.HeaderDigest, good)},
		"two digests":         {h: twice(idv.HeaderDigest, sign("other", idv.SHA256))},
		"the algorithm twice": {h: twice(idv.HeaderAlgorithm, idv.SHA512)},
		"two in one line":     {h: header(good+", "+good, idv.SHA256)},
	} {
		t.Run(name, func(t *testing.T) {
			raw := body
			of := secrets

			if c.body != "" {
				raw = []byte(c.body)
			}

			if c.secrets != nil {
				of = c.secrets
			}

			err := idv.Verify(of, c.allowed, c.h, raw)
			if c.ok {
				require.NoError(t, err)
				return
			}

			require.ErrorIs(t, err, idv.ErrDigest)
		})
	}

	_, err := idv.Sign("new", "HMAC_MD5_HEX", body)
	require.Error(t, err)
}

func TestDigestsOfTheCorpus(t *testing.T) {
	var vectors struct {
		Positive []struct{ Secret, Alg, Payload, Digest string }
		Negative []struct{ Alg, Digest string }
	}
	fixture(t, "webhook_digest_vectors.json", &vectors)

	var derived []struct{ Secret, Alg, Body, Digest string }
	fixture(t, "derived_digests.json", &derived)

	all := []string{idv.SHA1, idv.SHA256, idv.SHA512}
	for _, v := range vectors.Positive {
		require.NoError(
			t,
			idv.Verify([]secret.Text{secret.Text(v.Secret)}, all, header(v.Digest, v.Alg), []byte(v.Payload)),
		)
	}

	for _, v := range derived {
		require.NoError(
			t,
			idv.Verify([]secret.Text{secret.Text(v.Secret)}, all, header(v.Digest, v.Alg), []byte(v.Body)),
		)

		require.Error(
			t,
			idv.Verify([]secret.Text{secret.Text(v.Secret)}, all, header(v.Digest, v.Alg), []byte(v.Body+"\n")),
			"the bytes count, not what they mean",
		)
	}

	for _, v := range vectors.Negative {
		require.Error(t, idv.Verify([]secret.Text{"SoMe_SeCrEt_KeY"}, all, header(v.Digest, v.Alg), []byte("someText")))
	}

	require.NotEmpty(t, derived)
}

func TestRequestSignaturesOfTheCorpus(t *testing.T) {
	var file struct {
		Vectors []struct{ Secret, TS, Method, URI, Body, Sig string }
	}
	fixture(t, "request_signing_vectors.json", &file)
	require.NotEmpty(t, file.Vectors)

	for _, v := range file.Vectors {
		require.Equal(t, v.Sig, idv.SignRequest(secret.Text(v.Secret), v.TS, v.Method, v.URI, []byte(v.Body)))
	}
}

func TestRequestsAreSignedForOneMinuteMethodTargetAndBody(t *testing.T) {
	now := time.Unix(1_700_000_000, 0)

	make := func() *http.Request {
		r := httptest.NewRequest("POST", "/resources/applicants?levelName=a%20b", nil)
		stamp := fmt.Sprint(now.Unix())
		r.Header.Set(idv.HeaderTimestamp, stamp)
		r.Header.Set(
			idv.HeaderSignature,
			idv.SignRequest("key", stamp, "POST", "/resources/applicants?levelName=a%20b", []byte("body")),
		)

		return r
	}

	require.NoError(t, idv.VerifyRequest("key", make(), []byte("body"), now))
	require.NoError(t, idv.VerifyRequest("key", make(), []byte("body"), now.Add(idv.Window)))
	require.Error(t, idv.VerifyRequest("key", make(), []byte("body"), now.Add(idv.Window+time.Second)))
	require.Error(t, idv.VerifyRequest("key", make(), []byte("body"), now.Add(-idv.Window-time.Second)))
	require.Error(t, idv.VerifyRequest("other", make(), []byte("body"), now))
	require.Error(t, idv.VerifyRequest("key", make(), []byte("Body"), now))

	r := make()
	r.Method = "PATCH"
	require.Error(t, idv.VerifyRequest("key", r, []byte("body"), now))

	r = make()
	r.URL.RawQuery = "levelName=a+b"
	require.Error(t, idv.VerifyRequest("key", r, []byte("body"), now), "the target as it is sent, not what it means")

	r = make()
	r.Header.Set(idv.HeaderTimestamp, fmt.Sprint(now.UnixMilli()))
	require.Error(t, idv.VerifyRequest("key", r, []byte("body"), now))
}

func TestParseEventReadsWhatTheProviderSends(t *testing.T) {
	at := time.Date(2020, 2, 21, 13, 23, 19, 321_000_000, time.UTC)
	base := func(more string) string {
		return `{"applicantId":"a1","inspectionId":"i1","correlationId":"req-1","externalUserId":"usr_1","levelName":"basic",
			"createdAtMs":"2020-02-21 13:23:19.321",` + more + `}`
	}
	same := idv.Event{
		ApplicantID:    "a1",
		InspectionID:   "i1",
		CorrelationID:  "req-1",
		ExternalUserID: "usr_1",
		LevelName:      "basic",
		Kind:           idv.User,
		CreatedAt:      at,
	}

	with := func(change func(e *idv.Event)) idv.Event {
		e := same
		change(&e)
		return e
	}
	for name, c := range map[string]struct {
		raw  string
		want idv.Event
	}{
		"approved": {base(`"type":"applicantReviewed","reviewStatus":"completed","reviewResult":{"reviewAnswer":"GREEN"}`), with(func(e *idv.Event) {
			e.Type = idv.ApplicantReviewed
			e.ReviewStatus = "completed"
			e.ReviewAnswer = "GREEN"
		})},
		"approved with what is left of a rejection": {base(`"type":"applicantReviewed","reviewStatus":"completed",
			"reviewResult":{"reviewAnswer":"GREEN","reviewRejectType":"RETRY","rejectLabels":["BAD_PHOTO"]}`), with(func(e *idv.Event) {
			e.Type = idv.ApplicantReviewed
			e.ReviewStatus = "completed"
			e.ReviewAnswer = "GREEN"
		})},
		"pending with an old rejection, of a company": {base(`"type":"applicantPending","applicantType":"company","sandboxMode":"true","reviewStatus":"pending",
			"reviewResult":{"reviewAnswer":"RED","reviewRejectType":"RETRY","rejectLabels":["A","B"],"moderationComment":"why"}`), with(func(e *idv.Event) {
			e.Type = idv.ApplicantPending
			e.ReviewStatus = "pending"
			e.ReviewAnswer = "RED"
			e.RejectType = "RETRY"
			e.RejectLabels = []string{"A", "B"}
			e.ModerationComment = "why"
			e.Kind = idv.Organisation
			e.Sandbox = true
		})},
		"nulls": {base(`"type":"applicantReset","reviewStatus":"init","reviewResult":null,"sandboxMode":"false",
			"applicantMemberOf":null,"new":{"field":[1]}`), with(func(e *idv.Event) {
			e.Type = idv.ApplicantReset
			e.ReviewStatus = "init"
		})},
		"a colour that is no verdict": {base(`"type":"applicantReviewed","reviewStatus":"completed",
			"reviewResult":{"reviewAnswer":"YELLOW","reviewRejectType":"MAYBE"}`), with(func(e *idv.Event) {
			e.Type = idv.ApplicantReviewed
			e.ReviewStatus = "completed"
		})},
		"characters that are none": {base(`"type":"applicantReviewed","reviewStatus":"completed",
			"reviewResult":{"reviewAnswer":"RED","moderationComment":"a\u0000b\ud83d\nc","rejectLabels":["A\u0007"]}`), with(func(e *idv.Event) {
			e.Type = idv.ApplicantReviewed
			e.ReviewStatus = "completed"
			e.ReviewAnswer = "RED"
			e.RejectLabels = []string{"A"}
			e.ModerationComment = "ab\ufffd\nc"
		})},
		"a word in other letters": {base(`"type":"applicantReviewed","reviewStatus":"completed","ReviewResult":{"reviewAnswer":"GREEN"}`), with(func(e *idv.Event) {
			e.Type = idv.ApplicantReviewed
			e.ReviewStatus = "completed"
		})},
		"a member of a company": {base(`"type":"applicantReviewed","reviewStatus":"completed",
			"applicantMemberOf":[{"applicantId":"c1"}],"sandboxMode":true`), with(func(e *idv.Event) {
			e.Type = idv.ApplicantReviewed
			e.ReviewStatus = "completed"
			e.MemberOf = true
			e.Sandbox = true
		})},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := idv.ParseEvent([]byte(c.raw))
			require.NoError(t, err)
			require.Equal(t, c.want, got)
		})
	}
}

func TestParseEventRefusesWhatItCannotUnderstand(t *testing.T) {
	for name, raw := range map[string]string{
		"nothing":      ``,
		"a list":       `[]`,
		"no type":      `{"applicantId":"a","createdAtMs":"2020-02-21 13:23:19.321"}`,
		"no applicant": `{"type":"applicantReviewed","createdAtMs":"2020-02-21 13:23:19.321"}`,
		"no time":      `{"applicantId":"a","type":"applicantReviewed"}`,
		"half a time":  `{"applicantId":"a","type":"applicantReviewed","createdAtMs":"2020-02-21"}`,
		"a number":     `{"applicantId":1,"type":"applicantReviewed","createdAtMs":"2020-02-21 13:23:19.321"}`,
		"a long name":  `{"applicantId":"` + strings.Repeat("a", 201) + `","type":"applicantReviewed","createdAtMs":"2020-02-21 13:23:19.321"}`,
		"a NUL":        `{"applicantId":"a\u0000","type":"applicantReviewed","createdAtMs":"2020-02-21 13:23:19.321"}`,
		"too long":     `{"applicantId":"a","type":"applicantReviewed","createdAtMs":"2020-02-21 13:23:19.321"}` + strings.Repeat(" ", idv.MaxEvent),
		"said twice":   `{"applicantId":"a","applicantId":"b","type":"applicantReviewed","createdAtMs":"2020-02-21 13:23:19.321"}`,
		"two of them":  `{"applicantId":"a","type":"applicantReviewed","createdAtMs":"2020-02-21 13:23:19.321"}{}`,
		"a mode":       `{"applicantId":"a","type":"applicantReviewed","createdAtMs":"2020-02-21 13:23:19.321","sandboxMode":"perhaps"}`,
		"a kind":       `{"applicantId":"a","type":"applicantReviewed","createdAtMs":"2020-02-21 13:23:19.321","applicantType":"ship"}`,
		"deep":         strings.Repeat(`{"a":`, 20_000),
	} {
		t.Run(name, func(t *testing.T) {
			_, err := idv.ParseEvent([]byte(raw))
			require.Error(t, err)
		})
	}
}

func TestPayloadsOfTheCorpus(t *testing.T) {
	var gallery []struct {
		Name    string
		Payload json.RawMessage
	}
	fixture(t, "payload_gallery.json", &gallery)

	events := 0
	for _, g := range gallery {
		if !strings.HasPrefix(g.Name, "applicant") {
			continue
		}

		events++
		e, err := idv.ParseEvent(g.Payload)
		require.NoError(t, err, g.Name)
		require.False(t, e.MemberOf, g.Name)
		require.False(t, e.Sandbox, g.Name)
		require.False(t, e.CreatedAt.IsZero(), g.Name)
	}

	require.Equal(t, 4, events)
}

func FuzzParseEvent(f *testing.F) {
	f.Add([]byte(`{"applicantId":"a","type":"applicantReviewed","createdAtMs":"2020-02-21 13:23:19.321",
		"reviewResult":{"reviewAnswer":"GREEN"},"sandboxMode":"false"}`))
	f.Add([]byte(`{"type":null,"applicantMemberOf":[null]}`))

	f.Fuzz(func(t *testing.T, raw []byte) {
		e, err := idv.ParseEvent(raw)

		verdict := e.ReviewAnswer == "" || e.ReviewAnswer == idv.Green || e.ReviewAnswer == idv.Red
		if err == nil && (e.Type == "" || e.ApplicantID == "" || e.CreatedAt.IsZero() || !verdict) {
			t.Fatalf("%q was taken as %+v", raw, e)
		}
	})
}

// provider is a simulated provider with a client of it.
type provider struct {
	sim    *idvsim.Server
	clock  *clock.Clock
	client *idv.Client
}

const (
	person  = "basic-kyc-level"
	company = "basic-kyb-level"
)

func newProvider(t *testing.T) *provider {
	t.Helper()
	p := &provider{clock: clock.New()}

	var err error
	p.sim, err = idvsim.New(idvsim.Config{
		AppToken:      "sbx:test",
		Secret:        "api",
		WebhookSecret: "hooks",
		Clock:         p.clock,
		Levels:        map[string]idv.Kind{person: idv.User, company: idv.Organisation},
	})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, p.sim.Close()) })
	p.client = p.connect(t, "http://provider.sandbox", "api", p.sim.Transport())

	return p
}

func (p *provider) connect(t *testing.T, url string, key secret.Text, transport http.RoundTripper) *idv.Client {
	t.Helper()
	c, err := idv.NewClient(idv.ClientConfig{
		URL:       url,
		AppToken:  "sbx:test",
		Secret:    key,
		Transport: transport,
		Clock:     p.clock,
		Timeout:   5 * time.Second,
	})
	require.NoError(t, err)

	return c
}

func TestClientMakesAndReadsApplicantsOverTheNetwork(t *testing.T) {
	p := newProvider(t)

	server := httptest.NewServer(p.sim)
	defer server.Close()
	c := p.connect(t, server.URL, "api", nil)
	ctx := t.Context()
	info := map[string]any{"companyName": "Muster & Söhne AG", "registrationNumber": "CHE-1"}
	made, err := c.Create(ctx, idv.New{
		Kind:           idv.Organisation,
		ExternalUserID: "org 1/ä;x",
		LevelName:      company,
		Email:          "a@example.org",
		Info:           info,
	})
	require.NoError(t, err)
	require.Equal(t, "org 1/ä;x", made.ExternalUserID)
	require.Equal(t, idv.Organisation, made.Kind)
	require.Equal(t, company, made.LevelName)
	require.Equal(t, idv.StatusInit, made.ReviewStatus)
	require.True(t, made.Sandbox)
	require.WithinDuration(t, p.clock.Now(), made.UpdatedAt, 2*time.Second)

	again, err := c.Create(ctx, idv.New{Kind: idv.Organisation, ExternalUserID: "org 1/ä;x", LevelName: company})
	require.NoError(t, err, "the provider answers 409, and the applicant is looked up")
	require.Equal(t, made.ApplicantID, again.ApplicantID)
	_, err = c.Create(ctx, idv.New{Kind: idv.User, ExternalUserID: "org 1/ä;x", LevelName: person})
	require.ErrorIs(t, err, idv.ErrUnknown, "an applicant of another kind is not ours")

	require.NoError(
		t,
		c.UpdateInfo(ctx, idv.Organisation, made.ApplicantID, map[string]any{"companyName": "Muster AG"}),
	)
	a, err := p.sim.Applicant(made.ApplicantID)
	require.NoError(t, err)
	require.Equal(t, "Muster AG", a.Name)
	require.ErrorIs(
		t,
		c.UpdateInfo(ctx, idv.User, made.ApplicantID, map[string]any{"firstName": "x"}),
		idv.ErrRefused,
		"people are changed elsewhere",
	)

	_, err = p.sim.Complete(made.ApplicantID)
	require.NoError(t, err)
	_, err = p.sim.Decide(made.ApplicantID, idvsim.Verdict{Outcome: idvsim.Retry, Comment: "Too dark."})
	require.NoError(t, err)
	r, err := c.Applicant(ctx, made.ApplicantID)
	require.NoError(t, err)
	require.Equal(
		t,
		[]string{idv.StatusCompleted, idv.Red, idv.Retry, "Too dark."},
		[]string{r.ReviewStatus, r.ReviewAnswer, r.RejectType, r.ModerationComment},
	)
	require.Equal(t, []string{"BAD_PHOTO"}, r.RejectLabels)

	token, err := c.Token(ctx, "org 1/ä;x", company, 10*time.Minute)
	require.NoError(t, err)
	require.WithinDuration(t, p.clock.Now().Add(10*time.Minute), token.ExpiresAt, 5*time.Second)
	_, err = c.Token(ctx, "org 1/ä;x", "no such level", time.Minute)
	require.ErrorIs(t, err, idv.ErrRefused)
	_, err = c.Applicant(ctx, "000000000000000000000000")
	require.ErrorIs(t, err, idv.ErrNotFound)
	_, err = p.connect(t, server.URL, "other", nil).Applicant(ctx, made.ApplicantID)
	require.ErrorIs(t, err, idv.ErrRefused)
	require.NotErrorIs(t, err, idv.ErrNotFound)
}

// What is not the provider's own word is never an answer.
func TestClientTakesNothingButTheProvidersWordForAnAnswer(t *testing.T) {
	p := newProvider(t)
	made, err := p.client.Create(t.Context(), idv.New{Kind: idv.User, ExternalUserID: "usr_1", LevelName: person})
	require.NoError(t, err)

	for _, how := range []idvsim.Behaviour{idvsim.Down, idvsim.Drop, idvsim.Garbled} {
		p.sim.Steer(how, 3)
		_, err := p.client.Applicant(t.Context(), made.ApplicantID)
		require.ErrorIs(t, err, idv.ErrUnknown, how)
		require.NotErrorIs(t, err, idv.ErrNotFound, how)

		_, err = p.client.Token(t.Context(), "usr_1", person, time.Minute)
		require.ErrorIs(t, err, idv.ErrUnknown, how)

		_, err = p.client.Create(t.Context(), idv.New{
			Kind:           idv.User,
			ExternalUserID: "usr_" + string(how),
			LevelName:      person,
		})

		require.ErrorIs(t, err, idv.ErrUnknown, how)
	}

	r, err := p.client.Create(t.Context(), idv.New{Kind: idv.User, ExternalUserID: "usr_drop", LevelName: person})
	require.NoError(t, err, "it was made although the answer was lost, and is found")
	require.Equal(t, "usr_drop", r.ExternalUserID)

	p.sim.Steer(idvsim.Slow, 1)

	ctx, cancel := context.WithCancel(t.Context())
	go cancel()
	_, err = p.client.Applicant(ctx, made.ApplicantID)
	require.ErrorIs(t, err, idv.ErrUnknown)
}

// answers gives one answer to every request.
type answers struct {
	status int
	body   string
}

// RoundTrip is http.RoundTripper's.
func (a answers) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{
		StatusCode: a.status,
		Header:     http.Header{},
		Body:       io.NopCloser(strings.NewReader(a.body)),
		Request:    r,
	}, nil
}

func TestClientReadsApplicantsStrictly(t *testing.T) {
	p := newProvider(t)
	ask := func(status int, body string) (idv.Review, error) {
		return p.connect(t, "http://x", "api", answers{status, body}).Applicant(t.Context(), "a1")
	}
	r, err := ask(
		200,
		`{"id":"a1","externalUserId":"u","type":"individual","createdAt":"2020-06-24 05:05:14","sandboxMode":false,
		"review":{"levelName":"l","createDate":"2020-06-24 05:11:02+0000","reviewDate":"2020-06-24 07:13:02+0200","reviewStatus":"completed",
		"reviewResult":{"reviewAnswer":"GREEN","rejectLabels":["OLD"],"reviewRejectType":"RETRY"}}}`,
	)
	require.NoError(t, err)
	require.Equal(t, idv.Review{
		ApplicantID:    "a1",
		ExternalUserID: "u",
		Kind:           idv.User,
		LevelName:      "l",
		ReviewStatus:   "completed",
		ReviewAnswer:   "GREEN",
		UpdatedAt:      time.Date(2020, 6, 24, 5, 13, 2, 0, time.UTC),
	}, r)
	require.False(t, r.Sandbox, "its own word goes before the token's")

	for name, a := range map[string]answers{
		"another applicant":  {200, `{"id":"a2","externalUserId":"u","review":{"reviewStatus":"completed"}}`},
		"no external id":     {200, `{"id":"a1","review":{"reviewStatus":"completed"}}`},
		"no status":          {200, `{"id":"a1","externalUserId":"u","review":{"reviewResult":{"reviewAnswer":"GREEN"}}}`},
		"no time":            {200, `{"id":"a1","externalUserId":"u","createdAt":"soon","review":{"reviewStatus":"completed"}}`},
		"a kind":             {200, `{"id":"a1","externalUserId":"u","type":"ship","review":{"reviewStatus":"completed"}}`},
		"a NUL":              {200, `{"id":"a1","externalUserId":"u\u0000","review":{"reviewStatus":"completed"}}`},
		"said twice":         {200, `{"id":"a1","externalUserId":"u","review":{"reviewStatus":"completed"},"review":{"reviewStatus":"init"}}`},
		"half":               {200, `{"id":"a1","externalUserId":"u","review":{"reviewSt`},
		"too long":           {200, `{"id":"a1","externalUserId":"u","review":{"reviewStatus":"completed"}}` + strings.Repeat(" ", 1<<20)},
		"a proxy's 404":      {404, `<html>not found</html>`},
		"404, says another":  {404, `{"code":400,"description":"x"}`},
		"a redirect":         {302, `{}`},
		"too many requests":  {429, `{"code":429,"description":"slow down"}`},
		"a fault of its own": {500, `{"code":500,"description":"x"}`},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := ask(a.status, a.body)
			require.ErrorIs(t, err, idv.ErrUnknown)
			require.NotErrorIs(t, err, idv.ErrNotFound, name)
		})
	}

	_, err = ask(404, `{"code":404,"description":"Applicant not found"}`)
	require.ErrorIs(t, err, idv.ErrNotFound)
	_, err = ask(403, `{"code":403,"description":"no permission for john@example.org"}`)
	require.ErrorIs(t, err, idv.ErrRefused)
}

func TestNewClientRefusesAHalfConfiguration(t *testing.T) {
	for _, c := range []idv.ClientConfig{
		{},
		{URL: "https://api.example", AppToken: "t"},
		{URL: "https://api.example", Secret: "s"},
		{URL: "api.example", AppToken: "t", Secret: "s"},
		{URL: "ftp://api.example", AppToken: "t", Secret: "s"},
		{URL: "https://api.example/", AppToken: "t", Secret: "s"},
	} {
		_, err := idv.NewClient(c)
		require.Error(t, err)
	}
}
