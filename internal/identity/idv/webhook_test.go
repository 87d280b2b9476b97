//go:build !nosandbox

package idv_test

import (
	"context"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/identity/idv"
	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
	"slipway/internal/platform/secret"
	provider "slipway/internal/rails/idv"
	"slipway/internal/rails/idv/idvsim"
)

// reviewed is an event that would approve an organisation if it were believed.
func (w *world) reviewed(org, applicant string) event {
	return event{
		Type:           provider.ApplicantReviewed,
		ApplicantID:    applicant,
		InspectionID:   "i1",
		CorrelationID:  "c1",
		ExternalUserID: org,
		LevelName:      levels.Companies,
		SandboxMode:    true,
		ReviewStatus:   provider.StatusCompleted,
		CreatedAt:      at(w.DB.Now()),
		Result:         &result{Answer: provider.Green},
	}
}

// W-01: an event that does not carry exactly one right digest leaves nothing behind but a count.
func TestEventsWithoutTheRightSignatureLeaveNothing(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		s := w.Someone(ada)
		org, applicant := w.company(s.Access)
		w.RunJobs()
		raw := w.reviewed(org, applicant).bytes()
		good := signed(webhookSecret, provider.SHA256, raw)
		digest := good.Get(provider.HeaderDigest)
		header := func(digests, algorithms []string) http.Header {
			return http.Header{provider.HeaderDigest: digests, provider.HeaderAlgorithm: algorithms}
		}

		changed := append([]byte(nil), raw...)
		changed[len(changed)/2] ^= 1
		other := signed("another loud chair", provider.SHA256, raw)
		sha1 := signed(webhookSecret, provider.SHA1, raw)

		sha256 := []string{provider.SHA256}
		for name, test := range map[string]struct {
			raw    []byte
			header http.Header
		}{
			"no header":                     {raw, http.Header{}},
			"no digest":                     {raw, header(nil, sha256)},
			"no algorithm":                  {raw, header([]string{digest}, nil)},
			"empty digest":                  {raw, header([]string{""}, sha256)},
			"not hexadecimal":               {raw, header([]string{"invalid_hex"}, sha256)},
			"cut":                           {raw, header([]string{digest[:62]}, sha256)},
			"one bit of the digest":         {raw, header([]string{flip(digest)}, sha256)},
			"one bit of the body":           {changed, good},
			"a blank after the body":        {append(append([]byte(nil), raw...), ' '), good},
			"another secret":                {raw, other},
			"the secret of requests":        {raw, signed(requestSecret, provider.SHA256, raw)},
			"SHA-1, not configured":         {raw, sha1},
			"MD5":                           {raw, header([]string{digest}, []string{"HMAC_MD5_HEX"})},
			"no digest at all":              {raw, header([]string{digest}, []string{"none"})},
			"digest of another algorithm":   {raw, header([]string{digest}, []string{provider.SHA512})},
			"digest twice":                  {raw, header([]string{digest, digest}, sha256)},
			"wrong digest first":            {raw, header([]string{other.Get(provider.HeaderDigest), digest}, sha256)},
			"algorithm twice":               {raw, header([]string{digest}, []string{provider.SHA256, provider.SHA1})},
			"both in one header":            {raw, header([]string{digest + "," + digest}, sha256)},
			"request's signature, not ours": {raw, http.Header{provider.HeaderSignature: {digest}}},
		} {
			before := w.Service.Refused()
			status, body := w.post(test.raw, test.header)
			require.Equal(t, 401, status, name)
			require.Contains(t, body, "WEBHOOK_SIGNATURE_INVALID", name)
			require.NotContains(t, body, digest, name)
			require.Equal(t, before+1, w.Service.Refused(), name)
		}

		require.Zero(t, w.Count("SELECT count(*) FROM idv_events"))
		require.Zero(t, w.Count("SELECT count(*) FROM jobs WHERE kind = 'idv-follow'"))
		reads := w.asked.reads.Load()
		w.RunJobs()
		require.Equal(t, reads, w.asked.reads.Load())
		status, _ := w.post(raw, signed(webhookSecret, provider.SHA512, raw))
		require.Equal(t, 200, status, "the other algorithm that is taken")
		status, _ = w.post([]byte(strings.Repeat("x", provider.MaxEvent+1)), good)
		require.Equal(t, 413, status)
	})
}

func flip(digest string) string {
	last := byte('0')
	if digest[len(digest)-1] == last {
		last = '1'
	}

	return digest[:len(digest)-1] + string(last)
}

// W-01: while a secret is replaced both are taken; SHA-1 only where it is configured; events only from the provider's
// addresses where they are named.
func TestWhoseEventsAreTaken(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d, func(c *idv.Config) {
			c.Webhook = idv.Webhook{
				Secrets:    []secret.Text{"eight quiet doors", webhookSecret},
				Algorithms: []string{provider.SHA1, provider.SHA256},
				Sources:    []netip.Prefix{netip.MustParsePrefix("192.0.2.0/24")},
			}
		})

		raw := event{
			Type:           provider.ApplicantReviewed,
			ApplicantID:    "a1",
			ExternalUserID: "org_1",
			CreatedAt:      at(d.Now()),
			SandboxMode:    true,
		}.bytes()

		from := func(source string, h http.Header) int {
			r := httptest.NewRequest("POST", "/idv/webhook", strings.NewReader(string(raw)))
			r.RemoteAddr = source + ":443"
			r.Header = h
			rec := httptest.NewRecorder()
			w.Handler.ServeHTTP(rec, r)

			return rec.Code
		}

		require.Equal(t, 200, from("192.0.2.7", signed("eight quiet doors", provider.SHA256, raw)))
		require.Equal(t, 200, from("192.0.2.7", signed(webhookSecret, provider.SHA1, raw)))
		require.Equal(t, 401, from("192.0.2.7", signed(webhookSecret, provider.SHA512, raw)))
		require.Equal(t, 401, from("192.0.3.7", signed(webhookSecret, provider.SHA256, raw)))

		forged := signed(webhookSecret, provider.SHA256, raw)
		forged.Set("X-Forwarded-For", "192.0.2.7")
		require.Equal(t, 401, from("192.0.3.7", forged), "nobody is believed about his address")
	})
}

// W-02: a valid event delivered a thousand times, at once and while it is worked on, is applied once.
func TestAnEventDeliveredAThousandTimesIsAppliedOnce(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		s := w.Someone(ada)
		org, applicant := w.company(s.Access)
		w.submit(org)
		_, err := w.Sim.Decide(org, idvsim.Verdict{Outcome: idvsim.Approve}) // its own webhook waits
		require.NoError(t, err)
		events := w.Count("SELECT count(*) FROM events")
		reads := w.asked.reads.Load()
		e := w.reviewed(org, applicant)

		var wg sync.WaitGroup
		for range 20 {
			wg.Go(func() {
				for i := range 50 {
					w.send(e)

					if i%10 == 0 {
						if _, err := w.Jobs.RunDue(context.Background(), 1_000); err != nil {
							t.Error(err)
						}
					}
				}
			})
		}

		wg.Wait()
		w.RunJobs()
		require.Equal(t, "APPROVED", w.status(s.Access, org))
		require.EqualValues(t, 1, w.Count("SELECT count(*) FROM idv_events WHERE type = 'applicantReviewed'"))
		require.Equal(t, events+1, w.Count("SELECT count(*) FROM events"), "one event to clients")
		require.EqualValues(t, 1, w.Count("SELECT count(*) FROM mails WHERE kind = 'verification'"))
		require.Less(t, w.asked.reads.Load()-reads, int64(10), "the provider is not asked a thousand times")
		w.round() // the provider's own, which is another event with the same meaning
		require.Equal(t, events+1, w.Count("SELECT count(*) FROM events"))
	})
}

// W-04: what was answered with 200 is in the inbox, whatever happens to the process afterwards.
func TestEventsAreKeptBeforeTheyAreAnswered(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		s := w.Someone(ada)
		org, _ := w.company(s.Access)
		_, err := w.Sim.Complete(org)
		require.NoError(t, err)
		n, err := w.Sim.Deliver(context.Background())
		require.NoError(t, err)
		require.Equal(t, 2, n, "created, pending")
		require.EqualValues(t, n, w.Count("SELECT count(*) FROM idv_events WHERE state = 'RECEIVED'"))
		require.Equal(t, "PENDING", w.status(s.Access, org), "nothing is decided while the provider waits")
		require.Zero(t, w.asked.reads.Load(), "nor is it asked")
		hooks, err := w.Sim.Webhooks(org)
		require.NoError(t, err)

		for _, h := range hooks {
			require.Contains(t, slices.Collect(maps.Values(dbtest.Opened(t, w.DB, idv.Sealed()[0]))), h.Body,
				"the bytes that were signed")
		}

		later := newWorldOn(t, w) // the process that was answered for is gone
		later.RunJobs()
		require.Equal(t, "SUBMITTED", w.status(s.Access, org))
		require.Zero(t, w.Count("SELECT count(*) FROM idv_events WHERE state = 'RECEIVED'"))
	})
}

// newWorldOn is another process on the same database, with the same provider.
func newWorldOn(t *testing.T, w *world) *world {
	t.Helper()
	other := newWorld(t, w.DB, func(c *idv.Config) { c.Provider = w.asked })
	other.Sim = w.Sim

	return other
}

// W-05: an event has an effect only where applicant and subject belong together, in our mode, for an applicant of ours.
func TestEventsOfOthersHaveNoEffect(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		s := w.Someone(ada)
		stranger := w.Someone("mallory@example.com")
		org, applicant := w.company(s.Access)

		foreign, foreignApplicant := w.company(stranger.Access)
		for _, o := range []string{org, foreign} {
			w.submit(o)
		}

		w.decide(foreign, idvsim.Verdict{Outcome: idvsim.Approve})
		reads := w.asked.reads.Load()
		n := 0
		try := func(outcome string, change func(e *event)) {
			t.Helper()
			e := w.reviewed(org, applicant)
			n++
			e.CorrelationID = string(rune('a' + n))
			change(&e)
			w.send(e)
			w.RunJobs()
			require.Contains(t, w.outcomes(), outcome)
			require.Equal(t, "SUBMITTED", w.status(s.Access, org))
			require.Equal(t, "APPROVED", w.status(stranger.Access, foreign))
		}
		try("not the one that we have", func(e *event) { e.ApplicantID = foreignApplicant })
		try("not the one that we have", func(e *event) { e.ExternalUserID = foreign })
		try("not the one that we have", func(e *event) {
			e.Type = provider.ApplicantReset
			e.ExternalUserID = foreign
			e.Result = nil
		})
		try("about nobody of ours", func(e *event) {
			e.ExternalUserID = "org_" + strings.Repeat("x", 20)
			e.ApplicantID = "nobody"
		})
		try("names nobody of ours", func(e *event) { e.ExternalUserID = "" })
		try("other mode", func(e *event) { e.SandboxMode = false })
		try("other mode", func(e *event) { e.SandboxMode = "false" })
		try("other mode", func(e *event) { e.SandboxMode = nil })
		try("belongs to an applicant", func(e *event) { e.MemberOf = []map[string]string{{"applicantId": "x"}} })
		try("nothing of an applicant's state", func(e *event) { e.Type = "applicantActionReviewed" })
		try("nothing of an applicant's state", func(e *event) { e.Type = "videoIdentStatusChanged" })
		require.Equal(t, reads, w.asked.reads.Load(), "the provider is not asked about them")
		try("IGNORED: it cannot be read", func(e *event) { e.CreatedAt = "yesterday" })
		try("IGNORED: it cannot be read", func(e *event) { e.ApplicantID = "" })

		// A signed GREEN event of our own applicant, while the provider's review is still open.
		try("", func(*event) {})
	})
}

// The provider's answer decides, and only when it is about the applicant, of our mode and understood.
func TestAnswersThatAreNotAboutTheApplicantChangeNothing(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		s := w.Someone(ada)
		org, applicant := w.company(s.Access)
		w.submit(org)
		good := provider.Review{
			ApplicantID:    applicant,
			ExternalUserID: org,
			Kind:           provider.Organisation,
			LevelName:      levels.Companies,
			ReviewStatus:   provider.StatusCompleted,
			ReviewAnswer:   provider.Green,
			Sandbox:        true,
		}
		e := w.reviewed(org, applicant)
		w.send(e)

		for name, change := range map[string]func(r *provider.Review){
			"another applicant":   func(r *provider.Review) { r.ApplicantID = "x" },
			"another subject":     func(r *provider.Review) { r.ExternalUserID = "org_x" },
			"the other mode":      func(r *provider.Review) { r.Sandbox = false },
			"no answer":           func(r *provider.Review) { r.ReviewAnswer = "" },
			"an unknown answer":   func(r *provider.Review) { r.ReviewAnswer = "YELLOW" },
			"an unknown status":   func(r *provider.Review) { r.ReviewStatus = "awaitingService" },
			"no level":            func(r *provider.Review) { r.LevelName = "" },
			"another level":       func(r *provider.Review) { r.LevelName = "strict" },
			"a person's level":    func(r *provider.Review) { r.LevelName = levels.Users },
			"an answer too early": func(r *provider.Review) { r.ReviewStatus = provider.StatusPending },
			"documents under way": func(r *provider.Review) {
				r.ReviewStatus = provider.StatusQueued
				r.ReviewAnswer = ""
			},
		} {
			r := good
			change(&r)
			w.asked.answer(func(context.Context, string) (provider.Review, error) { return r, nil })
			w.DB.Clock().Advance(20 * time.Second)
			w.RunJobs()
			require.NotEqual(t, "APPROVED", w.status(s.Access, org), name)
		}

		w.asked.answer(func(context.Context, string) (provider.Review, error) {
			return provider.Review{}, provider.ErrNotFound
		})
		w.DB.Clock().Advance(time.Hour)
		w.RunJobs()
		s = w.Login(ada)
		require.NotEqual(t, "APPROVED", w.status(s.Access, org))
	})
}

// One event from the future does not make all later events old.
func TestAnEventOfTheFutureHidesNoneOfThePresent(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		s := w.Someone(ada)
		org, applicant := w.company(s.Access)
		w.submit(org)
		w.decide(org, idvsim.Verdict{Outcome: idvsim.Approve})
		e := w.reviewed(org, applicant)
		e.CreatedAt = at(w.DB.Now().Add(24 * time.Hour))
		w.send(e)
		w.RunJobs()
		require.Equal(t, "APPROVED", w.status(s.Access, org))

		w.DB.Clock().Advance(time.Second)
		w.decide(org, idvsim.Verdict{Outcome: idvsim.Hold})
		require.Equal(t, "SUBMITTED", w.status(s.Access, org))
	})
}

// What the provider says may be an old copy: while it contradicts the newest event nothing becomes APPROVED, and it
// is asked again.
func TestAnOldCopyOfAnApprovalApprovesNobody(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		s := w.Someone(ada)
		org, applicant := w.company(s.Access)
		w.submit(org)
		old := provider.Review{
			ApplicantID:    applicant,
			ExternalUserID: org,
			LevelName:      levels.Companies,
			ReviewStatus:   provider.StatusCompleted,
			ReviewAnswer:   provider.Green,
			Sandbox:        true,
		}
		now := old
		now.ReviewAnswer = provider.Red
		now.RejectType = provider.Final
		answer := old
		w.asked.answer(func(context.Context, string) (provider.Review, error) { return answer, nil })
		e := w.reviewed(org, applicant)
		e.Result = &result{provider.Red, provider.Final}
		w.send(e)

		for range 3 {
			w.RunJobs()
			require.Equal(t, "SUBMITTED", w.status(s.Access, org))
			w.Do("POST", "/idv/update-applicant-info/"+applicant+"?organisationId="+org, s.Access, "").OK(200)
			require.Equal(t, "SUBMITTED", w.status(s.Access, org), "nor by whoever asks")
			w.DB.Clock().Advance(time.Minute)
		}

		answer = now
		w.DB.Clock().Advance(3 * time.Minute)
		w.RunJobs()
		require.Equal(t, "REJECTED", w.status(s.Access, org))
	})
}

// An event may be quicker than the answer to the question that made its applicant: it waits for it.
func TestEventsThatAreQuickerThanTheAnswerWait(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		s := w.Someone(ada)
		org := w.Organisation(s.Access)

		w.asked.created = func() {
			_, err := w.Sim.Complete(org)
			require.NoError(t, err)
			w.round()
			require.Equal(t, "PENDING", w.status(s.Access, org))
			require.NotZero(t, w.Count("SELECT count(*) FROM idv_events WHERE state = 'RECEIVED'"))
		}

		w.Do("POST", "/idv/companies", s.Access, "").OK(200)
		w.RunJobs()
		require.Equal(t, "SUBMITTED", w.status(s.Access, org))
		require.Zero(t, w.Count("SELECT count(*) FROM idv_events WHERE state = 'RECEIVED'"))
	})
}

func TestOldEventsAreForgotten(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		s := w.Someone(ada)
		org, applicant := w.company(s.Access)
		w.submit(org)
		ended := w.Count("SELECT count(*) FROM idv_events")
		w.send(w.reviewed(org, applicant)) // waits
		n, err := w.Service.Forget(context.Background(), w.DB.Now().Add(-time.Hour), 100)
		require.NoError(t, err)
		require.Zero(t, n)

		n, err = w.Service.Forget(context.Background(), w.DB.Now().Add(time.Hour), 100)
		require.NoError(t, err)
		require.Equal(t, ended, n)
		require.EqualValues(t, 1, w.Count("SELECT count(*) FROM idv_events"), "what waits stays")
	})
}
