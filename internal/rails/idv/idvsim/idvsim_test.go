//go:build !nosandbox

package idvsim_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"mime/multipart"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/clock"
	"slipway/internal/platform/inprocess"
	"slipway/internal/platform/secret"
	"slipway/internal/rails/idv"
	"slipway/internal/rails/idv/idvsim"
)

const (
	person   = "basic-kyc-level"
	company  = "basic-kyb-level"
	enhanced = "enhanced-kyc-level"
)

// service stands where Slipway does: it takes webhooks, and answers them as it is told.
type service struct {
	mu     sync.Mutex
	came   chan struct{} // one for each webhook
	status int
	got    []idv.Event
	raw    []string
	wrong  []error
}

// ServeHTTP takes a webhook.
func (s *service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	raw, err := io.ReadAll(r.Body)
	if err == nil {
		err = idv.Verify([]secret.Text{"hooks"}, nil, r.Header, raw)
	}

	e, parseErr := idv.ParseEvent(raw)
	s.mu.Lock()
	defer s.mu.Unlock()

	s.got = append(s.got, e)

	s.raw = append(s.raw, string(raw))
	if err := errors.Join(err, parseErr); err != nil {
		s.wrong = append(s.wrong, err)
	}

	w.WriteHeader(s.status)

	s.came <- struct{}{}
}

// types are the types of what came, in the order in which it came.
func (s *service) types() []string {
	s.mu.Lock()
	defer s.mu.Unlock()

	var out []string
	for _, e := range s.got {
		out = append(out, e.Type)
	}

	return out
}

// stage is a provider, the service beside it, and a browser.
type stage struct {
	t       *testing.T
	folder  string
	sim     *idvsim.Server
	clock   *clock.Clock
	client  *idv.Client
	service *service
	web     http.Client
}

func newStage(t *testing.T) *stage {
	t.Helper()
	s := &stage{
		t:       t,
		folder:  t.TempDir(),
		clock:   clock.New(),
		service: &service{status: 200, came: make(chan struct{}, 100)},
	}
	s.open()

	return s
}

// open starts the provider on its folder, as after a restart.
func (s *stage) open() {
	s.t.Helper()

	var err error
	s.sim, err = idvsim.New(idvsim.Config{
		Folder:        s.folder,
		URL:           "http://provider.sandbox",
		AppToken:      "sbx:test",
		Secret:        "api",
		WebhookSecret: "hooks",
		Clock:         s.clock,
		Levels:        map[string]idv.Kind{person: idv.User, enhanced: idv.User, company: idv.Organisation},
	})
	require.NoError(s.t, err)
	s.sim.SetWebhook("http://slipway/idv/webhook", inprocess.Transport(s.service))
	s.web = http.Client{
		Transport:     s.sim.Transport(),
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	s.client, err = idv.NewClient(idv.ClientConfig{
		URL:       "http://provider.sandbox",
		AppToken:  "sbx:test",
		Secret:    "api",
		Transport: s.sim.Transport(),
		Clock:     s.clock,
	})
	require.NoError(s.t, err)
	s.t.Cleanup(func() { _ = s.sim.Close() })
}

func (s *stage) create(n idv.New) idv.Review {
	s.t.Helper()
	r, err := s.client.Create(s.t.Context(), n)
	require.NoError(s.t, err)

	return r
}

func (s *stage) person(id, first, last string) idv.Review {
	s.t.Helper()

	return s.create(idv.New{
		Kind:           idv.User,
		ExternalUserID: id,
		LevelName:      person,
		Info:           map[string]any{"firstName": first, "lastName": last},
	})
}

func (s *stage) token(id, level string) string {
	s.t.Helper()
	tok, err := s.client.Token(s.t.Context(), id, level, 10*time.Minute)
	require.NoError(s.t, err)

	return tok.Value
}

func (s *stage) deliver() int {
	s.t.Helper()
	n, err := s.sim.Deliver(s.t.Context())
	require.NoError(s.t, err)
	require.Empty(s.t, s.service.wrong)

	return n
}

func (s *stage) decide(ref string, v idvsim.Verdict) {
	s.t.Helper()
	_, err := s.sim.Decide(ref, v)
	require.NoError(s.t, err)
}

func (s *stage) complete(ref string) idvsim.Applicant {
	s.t.Helper()
	a, err := s.sim.Complete(ref)
	require.NoError(s.t, err)

	return a
}

// page gets the widget.
func (s *stage) page(path string) (int, string, http.Header) {
	s.t.Helper()
	r, err := http.NewRequestWithContext(s.t.Context(), "GET", "http://provider.sandbox"+path, nil)
	require.NoError(s.t, err)
	res, err := s.web.Do(r)
	require.NoError(s.t, err)
	body, err := io.ReadAll(res.Body)
	require.NoError(s.t, err)

	return res.StatusCode, string(body), res.Header
}

// post sends one of the page's forms; file, if given, is its document.
func (s *stage) post(step, token string, fields map[string]string, file []byte) (int, string) {
	s.t.Helper()

	var b bytes.Buffer
	m := multipart.NewWriter(&b)
	require.NoError(s.t, m.WriteField("token", token))

	for k, v := range fields {
		require.NoError(s.t, m.WriteField(k, v))
	}

	if file != nil {
		part, err := m.CreateFormFile("file", "scan.png")
		require.NoError(s.t, err)
		_, err = part.Write(file)
		require.NoError(s.t, err)
	}

	require.NoError(s.t, m.Close())
	r, err := http.NewRequestWithContext(s.t.Context(), "POST", "http://provider.sandbox/widget/"+step, &b)
	require.NoError(s.t, err)
	r.Header.Set("Content-Type", m.FormDataContentType())
	res, err := s.web.Do(r)
	require.NoError(s.t, err)
	body, err := io.ReadAll(res.Body)
	require.NoError(s.t, err)

	return res.StatusCode, string(body)
}

var png = []byte("\x89PNG\r\n\x1a\n a picture")

func TestPersonHandsInDocumentsOnTheWidgetAndATesterApproves(t *testing.T) {
	s := newStage(t)
	made := s.create(idv.New{Kind: idv.User, ExternalUserID: "usr_1", LevelName: person})
	token := s.token("usr_1", person)
	status, body, head := s.page("/widget?token=" + token)
	require.Equal(t, 200, status)
	require.Contains(t, body, "Documents are needed")
	require.Contains(t, body, "disabled", "there is nothing to submit yet")
	require.Contains(t, head.Get("Content-Security-Policy"), "default-src 'none'")
	require.Equal(t, "no-referrer", head.Get("Referrer-Policy"))

	status, _ = s.post("info", token, map[string]string{
		"firstName": "Ada",
		"lastName":  "<b>Muster</b>",
		"dob":       "1985-06-30",
		"country":   "CHE",
	}, nil)
	require.Equal(t, 303, status)
	status, body = s.post("submit", token, nil, nil)
	require.Equal(t, 422, status)
	require.Contains(t, body, "A document is missing")
	status, _ = s.post("document", token, map[string]string{"type": "PASSPORT", "country": "che"}, png)
	require.Equal(t, 303, status)
	status, _ = s.post("submit", token, nil, nil)
	require.Equal(t, 303, status)
	s.deliver()
	require.Equal(t, []string{idv.ApplicantCreated, idv.ApplicantPending}, s.service.types())

	_, body, _ = s.page("/widget?token=" + token)
	require.Contains(t, body, "Being checked")
	require.NotContains(t, body, "<b>Muster", "what a person writes is text")
	status, body = s.post("document", token, map[string]string{"type": "PASSPORT", "country": "CHE"}, append(png, 1))
	require.Equal(t, 422, status, "nothing is added while it is checked")
	require.Contains(t, body, "being checked")

	status, _ = s.post("outcome", token, map[string]string{"outcome": "approve"}, nil)
	require.Equal(t, 303, status)
	s.deliver()
	last := s.service.got[2]
	require.Equal(t, idv.Event{
		Type:           idv.ApplicantReviewed,
		ApplicantID:    made.ApplicantID,
		InspectionID:   made.InspectionID,
		CorrelationID:  last.CorrelationID,
		ExternalUserID: "usr_1",
		LevelName:      person,
		Kind:           idv.User,
		Sandbox:        true,
		ReviewStatus:   idv.StatusCompleted,
		ReviewAnswer:   idv.Green,
		CreatedAt:      last.CreatedAt,
	}, last)
	r, err := s.client.Applicant(t.Context(), made.ApplicantID)
	require.NoError(t, err)
	require.Equal(t, idv.Green, r.ReviewAnswer)
	_, body, _ = s.page("/widget?token=" + token)
	require.Contains(t, body, "Approved")
	require.NotContains(t, body, `action="/widget/document"`)
	files, err := os.ReadDir(filepath.Join(s.folder, "documents"))
	require.NoError(t, err)
	require.Len(t, files, 1)
}

func TestCompanyGivesItsDataAndItsName(t *testing.T) {
	s := newStage(t)
	made := s.create(idv.New{Kind: idv.Organisation, ExternalUserID: "org_1", LevelName: company})
	token := s.token("org_1", company)

	status, _ := s.post("document", token, map[string]string{
		"type":    "COMPANY_DOC",
		"country": "CHE",
	}, []byte("%PDF-1.7 register"))

	require.Equal(t, 303, status)

	_, body := s.post("submit", token, nil, nil)
	require.Contains(t, body, "The company&#39;s data is missing")

	status, body = s.post("info", token, map[string]string{"companyName": "Muster AG", "registrationNumber": ""}, nil)
	require.Equal(t, 422, status)
	require.Contains(t, body, "Registration number: fill it in")

	status, _ = s.post("info", token, map[string]string{
		"companyName":        "Muster AG",
		"registrationNumber": "CHE-1",
		"country":            "CHE",
	}, nil)

	require.Equal(t, 303, status)

	status, _ = s.post("submit", token, nil, nil)
	require.Equal(t, 303, status)

	s.deliver()
	e := s.service.got[1]
	require.Equal(t, []string{idv.ApplicantPending, made.ApplicantID}, []string{e.Type, e.ApplicantID})
	require.Equal(t, idv.Organisation, e.Kind)
}

func TestNamesChooseTheOutcome(t *testing.T) {
	for name, want := range map[string]struct{ status, answer, rejectType, label, event string }{
		"Sanctioned":   {idv.StatusCompleted, idv.Red, idv.Final, "SANCTIONS", idv.ApplicantReviewed},
		"FINAL-REJECT": {idv.StatusCompleted, idv.Red, idv.Final, "FORGERY", idv.ApplicantReviewed},
		"RETRY-REJECT": {idv.StatusCompleted, idv.Red, idv.Retry, "BAD_PHOTO", idv.ApplicantReviewed},
		"RFI":          {idv.StatusOnHold, "", "", "", idv.ApplicantOnHold},
		"Muster":       {idv.StatusPending, "", "", "", idv.ApplicantPending},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStage(t)
			made := s.person("usr_1", "Ada", name)
			a := s.complete("usr_1")

			require.Equal(
				t,
				[]string{want.status, want.answer, want.rejectType},
				[]string{a.Status, a.Answer, a.RejectType},
			)

			require.Equal(t, want.label, strings.Join(a.Labels, ","))

			s.deliver()
			types := s.service.types()
			require.Equal(t, idv.ApplicantPending, types[1])
			require.Equal(t, want.event, types[len(types)-1])

			r, err := s.client.Applicant(t.Context(), made.ApplicantID)
			require.NoError(t, err)

			require.Equal(
				t,
				[]string{want.status, want.answer, want.rejectType},
				[]string{r.ReviewStatus, r.ReviewAnswer, r.RejectType},
			)
		})
	}
}

func TestRejectionMayBeTriedAgainUnlessItIsFinal(t *testing.T) {
	s := newStage(t)
	s.person("usr_1", "Ada", "Muster")
	s.complete("usr_1")
	s.decide("usr_1", idvsim.Verdict{Outcome: idvsim.Retry, Comment: "Too dark."})
	token := s.token("usr_1", person)
	_, body, _ := s.page("/widget?token=" + token)
	require.Contains(t, body, "Too dark.")
	status, _ := s.post("document", token, map[string]string{"type": "ID_CARD", "country": "CHE"}, png)
	require.Equal(t, 303, status)
	status, _ = s.post("submit", token, nil, nil)
	require.Equal(t, 303, status)
	s.deliver()
	again := s.service.got[3]
	require.Equal(
		t,
		[]string{idv.ApplicantPending, idv.StatusPending, idv.Red},
		[]string{again.Type, again.ReviewStatus, again.ReviewAnswer},
		"the answer of before still stands beside it",
	)

	s.decide("usr_1", idvsim.Verdict{Outcome: idvsim.Final})
	status, body = s.post("submit", token, nil, nil)
	require.Equal(t, 422, status)
	require.Contains(t, body, "for good")
	s.decide("usr_1", idvsim.Verdict{Outcome: idvsim.Reset})
	a, err := s.sim.Applicant("usr_1")
	require.NoError(t, err)
	require.Equal(t, idv.StatusInit, a.Status)
	require.Empty(t, a.Documents, "they are asked for anew")
	require.Empty(t, a.Answer)
}

func TestTesterMovesAnApplicantToAnotherLevel(t *testing.T) {
	s := newStage(t)
	s.person("usr_1", "Ada", "Muster")
	s.complete("usr_1")
	_, err := s.sim.Decide("usr_1", idvsim.Verdict{Outcome: idvsim.Reset})
	require.Error(t, err, "it is being checked")

	s.decide("usr_1", idvsim.Verdict{Outcome: idvsim.Approve})
	_, err = s.sim.Decide("usr_1", idvsim.Verdict{Outcome: idvsim.Level, Level: company})
	require.Error(t, err, "that one is for companies")

	s.decide("usr_1", idvsim.Verdict{Outcome: idvsim.Level, Level: enhanced})
	s.deliver()
	e := s.service.got[len(s.service.got)-1]

	require.Equal(
		t,
		[]string{idv.ApplicantLevelChanged, enhanced, idv.StatusInit, ""},
		[]string{e.Type, e.LevelName, e.ReviewStatus, e.ReviewAnswer},
	)
}

// Webhooks travel as the tester says; events of one applicant never bear the same time.
func TestWebhooksTravelAsTheTesterSays(t *testing.T) {
	story := func(t *testing.T, how idvsim.Travel) *stage {
		s := newStage(t)
		require.NoError(t, s.sim.SetTravel(how))
		s.person("usr_1", "Ada", "Muster")
		s.complete("usr_1")
		s.deliver()
		s.decide("usr_1", idvsim.Verdict{Outcome: idvsim.Approve})
		s.deliver()

		return s
	}

	created := idv.ApplicantCreated
	pending := idv.ApplicantPending
	reviewed := idv.ApplicantReviewed

	t.Run("once", func(t *testing.T) {
		s := story(t, idvsim.Once)
		require.Equal(t, []string{created, pending, reviewed}, s.service.types())
		require.True(t, s.service.got[0].CreatedAt.Before(s.service.got[1].CreatedAt))
		require.True(t, s.service.got[1].CreatedAt.Before(s.service.got[2].CreatedAt))
		require.Zero(t, s.deliver())
	})

	t.Run("twice", func(t *testing.T) {
		s := story(t, idvsim.Twice)
		require.Equal(t, []string{created, created, pending, pending, reviewed, reviewed}, s.service.types())
		require.Equal(t, s.service.raw[4], s.service.raw[5], "the same bytes")
	})

	t.Run("late", func(t *testing.T) {
		s := story(t, idvsim.Late)
		require.Empty(t, s.service.types())
		s.clock.Advance(11 * time.Minute)
		require.Equal(t, 3, s.deliver())
	})

	t.Run("reversed", func(t *testing.T) {
		s := story(t, idvsim.Reversed)
		require.Equal(t, []string{reviewed, pending, created}, s.service.types())
		require.True(t, s.service.got[1].CreatedAt.Before(s.service.got[0].CreatedAt))
	})

	t.Run("held", func(t *testing.T) {
		s := story(t, idvsim.Held)
		require.Empty(t, s.service.types())
		hooks, err := s.sim.Webhooks("usr_1")
		require.NoError(t, err)

		token := s.token("usr_1", person)
		for _, i := range []int{2, 0, 2} {
			status, _ := s.post("webhook", token, map[string]string{"number": jsonNumber(hooks[i].Number)}, nil)
			require.Equal(t, 303, status)
			s.deliver()
		}

		require.Equal(t, []string{reviewed, created, reviewed}, s.service.types())
	})

	t.Run("lost", func(t *testing.T) {
		s := story(t, idvsim.Lost)
		require.Empty(t, s.service.types())
		s.clock.Advance(48 * time.Hour)
		require.Zero(t, s.deliver())
	})

	t.Run("reversed, with a name that chooses", func(t *testing.T) {
		s := newStage(t)
		require.NoError(t, s.sim.SetTravel(idvsim.Reversed))
		s.person("usr_1", "Ada", "SANCTIONED")
		s.complete("usr_1")
		s.deliver()
		require.Equal(t, []string{reviewed, pending, created}, s.service.types())
	})
}

func jsonNumber(n int) string { raw, _ := json.Marshal(n); return string(raw) }

// The provider's own schedule: 5 minutes, 1, 5 and 18 hours after the one before, then never again.
func TestWebhookThatFailsIsSentAgainFourTimes(t *testing.T) {
	s := newStage(t)
	s.service.status = 503
	s.person("usr_1", "Ada", "Muster")
	require.Equal(t, 1, s.deliver())

	for _, wait := range []time.Duration{5 * time.Minute, time.Hour, 5 * time.Hour, 18 * time.Hour} {
		s.clock.Advance(wait - time.Minute)
		require.Zero(t, s.deliver(), "before %s", wait)
		s.clock.Advance(2 * time.Minute)
		require.Equal(t, 1, s.deliver(), "after %s", wait)
	}

	s.clock.Advance(1000 * time.Hour)
	require.Zero(t, s.deliver())
	hooks, err := s.sim.Webhooks("")
	require.NoError(t, err)
	require.Equal(t, 5, hooks[0].Tries)
	require.Equal(t, "503", hooks[0].Answer)

	for i, raw := range s.service.raw {
		require.Equal(t, s.service.raw[0], raw, "try %d bears the same bytes", i)
	}

	s.service.status = 200
	require.NoError(t, s.sim.Send(hooks[0].Number))
	require.Equal(t, 1, s.deliver(), "by hand it goes once more")
}

func TestRunSendsNewEventsAtOnceAndFailedOnesLater(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		ctx, cancel := context.WithCancel(t.Context())

		done := make(chan error)
		go func() { done <- s.sim.Run(ctx, time.Second) }()
		s.service.status = 500
		made := time.Now()
		s.person("usr_1", "Ada", "Muster")
		<-s.service.came
		require.Zero(t, time.Since(made), "a new event does not wait for the next look")
		synctest.Wait()
		s.service.mu.Lock()
		s.service.status = 200
		s.service.mu.Unlock()

		select {
		case <-s.service.came:
			require.InDelta(t, 5*time.Minute, time.Since(made), float64(time.Second))
		case <-time.After(time.Hour):
			t.Fatal("it never came again")
		}

		cancel()
		require.NoError(t, <-done)
	})
}

func TestRestartForgetsNothing(t *testing.T) {
	s := newStage(t)
	s.service.status = 500
	made := s.person("usr_1", "Ada", "Muster")
	token := s.token("usr_1", person)
	s.complete("usr_1")
	s.deliver()
	require.NoError(t, s.sim.SetTravel(idvsim.Twice))
	require.NoError(t, s.sim.Close())

	s.open()
	s.service.status = 200
	s.service.got = nil
	a, err := s.sim.Applicant("usr_1")
	require.NoError(t, err)
	require.Equal(t, made.ApplicantID, a.ID)
	require.Equal(t, idv.StatusPending, a.Status)
	require.Len(t, a.Documents, 1)
	status, _, _ := s.page("/widget?token=" + token)
	require.Equal(t, 200, status)
	require.Zero(t, s.deliver(), "what failed waits its time")
	s.clock.Advance(6 * time.Minute)
	require.Equal(t, 2, s.deliver())
	s.decide("usr_1", idvsim.Verdict{Outcome: idvsim.Approve})
	require.Equal(t, 2, s.deliver(), "and webhooks travel as was said")
}

func TestWidgetOpensForOneApplicantAndForItsTime(t *testing.T) {
	s := newStage(t)
	s.person("usr_1", "Ada", "Muster")
	other := s.person("usr_2", "Bob", "Other")
	token := s.token("usr_1", person)
	_, body, _ := s.page("/widget?token=" + token)
	require.NotContains(t, body, other.ApplicantID)
	hooks, err := s.sim.Webhooks("usr_2")
	require.NoError(t, err)
	status, _ := s.post("webhook", token, map[string]string{"number": jsonNumber(hooks[0].Number)}, nil)
	require.Equal(t, 422, status, "another applicant's webhook")

	for _, wrong := range []string{"", "x", token + "x"} {
		status, _, _ = s.page("/widget?token=" + url.QueryEscape(wrong))
		if wrong == "" {
			require.Equal(t, 401, status)
			continue
		}

		require.Equal(t, 401, status, wrong)
		status, _ = s.post("outcome", wrong, map[string]string{"outcome": "approve"}, nil)
		require.Equal(t, 401, status)
	}

	s.clock.Advance(11 * time.Minute)
	status, body, _ = s.page("/widget?token=" + token)
	require.Equal(t, 401, status)
	require.Contains(t, body, "expired")
	raw, err := os.ReadFile(filepath.Join(s.folder, "books.jsonl"))
	require.NoError(t, err)
	require.NotContains(t, string(raw), token, "the books hold its hash")
}

func TestTesterOpensAnybodyFromTheList(t *testing.T) {
	s := newStage(t)
	_, body, _ := s.page("/")
	require.Contains(t, body, "Nobody has begun")
	made := s.person("usr_1", "Ada", "Muster")
	_, body, _ = s.page("/")
	require.Contains(t, body, "Ada Muster")
	r, err := http.NewRequestWithContext(
		t.Context(),
		"POST",
		"http://provider.sandbox/open",
		strings.NewReader("applicant="+made.ApplicantID),
	)
	require.NoError(t, err)
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	res, err := s.web.Do(r)
	require.NoError(t, err)
	require.Equal(t, 303, res.StatusCode)
	status, body, _ := s.page(res.Header.Get("Location"))
	require.Equal(t, 200, status)
	require.Contains(t, body, made.ApplicantID)

	r, err = http.NewRequestWithContext(
		t.Context(),
		"POST",
		"http://provider.sandbox/open",
		strings.NewReader("applicant="+made.ApplicantID),
	)
	require.NoError(t, err)
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Sec-Fetch-Site", "cross-site")
	res, err = s.web.Do(r)
	require.NoError(t, err)
	require.Equal(t, 403, res.StatusCode, "a page of another site posts nothing here")
}

// The page works without a script and by keyboard: every field has a label, and nothing is loaded that the policy
// would stop.
func TestPageNeedsNoScriptAndLabelsEveryField(t *testing.T) {
	s := newStage(t)

	for _, n := range []idv.New{
		{Kind: idv.User, ExternalUserID: "usr_1", LevelName: person},
		{Kind: idv.Organisation, ExternalUserID: "org_1", LevelName: company},
	} {
		s.create(n)
		_, body, _ := s.page("/widget?token=" + s.token(n.ExternalUserID, n.LevelName))
		require.NotRegexp(t, `<script|style="|<style| on[a-z]+=`, body)
		require.Contains(t, body, `name="viewport"`)

		ids := map[string]int{}
		for _, m := range regexp.MustCompile(`\sid="([^"]+)"`).FindAllStringSubmatch(body, -1) {
			ids[m[1]]++
		}

		for id, times := range ids {
			t.Run(id, func(t *testing.T) {
				require.Equal(t, 1, times, "id %s", id)
			})
		}

		for _, m := range regexp.MustCompile(`<(?:input|select) id="([^"]+)"`).FindAllStringSubmatch(body, -1) {
			require.Contains(t, body, `<label for="`+m[1]+`"`)
		}

		for _, m := range regexp.MustCompile(`(?:src|href)="([^"]+)"`).FindAllStringSubmatch(body, -1) {
			if m[1] != "data:," { // the icon, which is none
				status, _, _ := s.page(m[1])
				require.Equal(t, 200, status, m[1])
			}
		}
	}
}

func TestDocumentsAreJudgedByTheirBytes(t *testing.T) {
	s := newStage(t)
	s.person("usr_1", "Ada", "Muster")
	token := s.token("usr_1", person)

	try := func(kind string, file []byte) string {
		status, body := s.post("document", token, map[string]string{"type": kind, "country": "CHE"}, file)
		if status == 303 {
			return ""
		}

		return regexp.MustCompile(`role="alert">([^<]*)`).FindStringSubmatch(body)[1]
	}

	require.Contains(t, try("PASSPORT", nil), "Choose one file")
	require.Contains(t, try("PASSPORT", []byte{}), "empty")
	require.Contains(t, try("PASSPORT", []byte("MZ program")), "neither a PDF nor a PNG nor a JPEG")
	require.Contains(t, try("PASSPORT", append(bytes.Clone(png), make([]byte, 10<<20)...)), "larger than 10 MB")
	require.Contains(t, try("COMPANY_DOC", png), "not asked for")
	require.Empty(t, try("PASSPORT", png))
	require.Contains(t, try("SELFIE", png), "handed in before")
}

// The provider's own API takes documents and outcomes too, from whoever signs.
func TestSignedAPIHandsInAndCompletes(t *testing.T) {
	s := newStage(t)
	made := s.person("usr_1", "Ada", "Muster")

	var b bytes.Buffer
	m := multipart.NewWriter(&b)
	require.NoError(t, m.WriteField("metadata", `{"idDocType":"PASSPORT","country":"CHE"}`))
	part, err := m.CreateFormFile("content", "passport.png")
	require.NoError(t, err)
	_, err = part.Write(png)
	require.NoError(t, err)
	require.NoError(t, m.Close())
	call := func(method, path, contentType string, body []byte, key secret.Text) int {
		r, err := http.NewRequestWithContext(t.Context(), method, "http://provider.sandbox"+path, bytes.NewReader(body))
		require.NoError(t, err)
		stamp := jsonNumber(int(s.clock.Now().Unix()))
		r.Header.Set("Content-Type", contentType)
		r.Header.Set(idv.HeaderAppToken, "sbx:test")
		r.Header.Set(idv.HeaderTimestamp, stamp)
		r.Header.Set(idv.HeaderSignature, idv.SignRequest(key, stamp, method, path, body))
		res, err := s.web.Do(r)
		require.NoError(t, err)

		return res.StatusCode
	}
	at := idv.PathApplicants + "/" + made.ApplicantID
	require.Equal(t, 401, call("POST", at+"/info/idDoc", m.FormDataContentType(), b.Bytes(), "other"))
	require.Equal(t, 200, call("POST", at+"/info/idDoc", m.FormDataContentType(), b.Bytes(), "api"))
	require.Equal(t, 409, call("POST", at+"/info/idDoc", m.FormDataContentType(), b.Bytes(), "api"))
	require.Equal(t, 200, call("POST", at+"/status/pending", "application/json", nil, "api"))
	require.Equal(t, 409, call("POST", at+"/status/pending", "application/json", nil, "api"))
	require.Equal(t, 409, call("POST", at+"/reset", "application/json", nil, "api"))
	require.Equal(
		t,
		200,
		call(
			"POST",
			at+"/status/testCompleted",
			"application/json",
			[]byte(`{"reviewAnswer":"RED","reviewRejectType":"FINAL","rejectLabels":["FORGERY"]}`),
			"api",
		),
	)
	require.Equal(t, 200, call("GET", at+"/status", "application/json", nil, "api"))
	require.Equal(t, 404, call("GET", "/resources/other", "application/json", nil, "api"))
	r, err := s.client.Applicant(t.Context(), made.ApplicantID)
	require.NoError(t, err)
	require.Equal(t, []string{idv.Red, idv.Final}, []string{r.ReviewAnswer, r.RejectType})
}

func TestTokenForSomebodyUnknownMakesAnApplicant(t *testing.T) {
	s := newStage(t)
	s.token("usr_9", person)
	s.deliver()
	require.Equal(t, []string{idv.ApplicantCreated}, s.service.types())

	a, err := s.sim.Applicant("usr_9")
	require.NoError(t, err)
	require.Equal(t, person, a.Level)

	_, err = s.client.Token(t.Context(), "usr_9", company, time.Minute)
	require.ErrorIs(t, err, idv.ErrRefused, "a person has no company's level")
}

func TestOneExternalIDIsOneApplicantHoweverManyAskAtOnce(t *testing.T) {
	s := newStage(t)

	var wg sync.WaitGroup

	ids := make([]string, 20)
	for i := range ids {
		wg.Go(func() {
			r, err := s.client.Create(t.Context(), idv.New{Kind: idv.User, ExternalUserID: "usr_1", LevelName: person})
			if err == nil {
				ids[i] = r.ApplicantID
			}
		})
	}

	wg.Wait()

	for _, id := range ids {
		require.Equal(t, ids[0], id)
	}

	all, err := s.sim.Applicants()
	require.NoError(t, err)
	require.Len(t, all, 1)
}
