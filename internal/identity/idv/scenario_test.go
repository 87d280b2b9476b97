//go:build !nosandbox

package idv_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/identity/identitytest"
	"slipway/internal/identity/idv"
	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
	"slipway/internal/platform/mail"
	provider "slipway/internal/rails/idv"
	"slipway/internal/rails/idv/idvsim"
)

const ada = "ada@example.com"

func TestOrganisationIsApprovedThroughTheSignedWebhook(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		s := w.Someone(ada)
		org, applicant := w.company(s.Access)
		again := w.Do("POST", "/idv/companies", s.Access, "").OK(200)
		require.JSONEq(
			t,
			`{"applicantId":"`+applicant+`","externalUserId":"`+org+`","type":"organisation","levelName":"companies","status":"INIT"}`,
			again.Raw,
		)
		require.EqualValues(t, 1, w.asked.creates.Load(), "the second call asks nobody")
		made, err := w.Sim.Applicant(org)
		require.NoError(t, err)
		require.Equal(t, "Ada Ltd", made.Name)

		token := w.Do(
			"POST",
			"/idv/get-applicant-token",
			s.Access,
			`{"type":"organisation","organisationId":"`+org+`"}`,
		).OK(200)
		require.Equal(t, org, token.Text("userId"))
		require.Equal(t, "companies", token.Text("levelName"))
		expires, err := time.Parse(time.RFC3339, token.Text("expiresAt"))
		require.NoError(t, err)
		require.WithinDuration(t, w.DB.Now().Add(10*time.Minute), expires, 5*time.Second)

		w.submit(org)
		require.Equal(t, "SUBMITTED", w.status(s.Access, org))
		w.decide(org, idvsim.Verdict{Outcome: idvsim.Approve})
		require.Equal(t, "APPROVED", w.status(s.Access, org))

		info := w.info(s.Access, applicant)
		require.Equal(t, "completed", info.Text("reviewStatus"))
		require.Equal(t, "GREEN", info.Text("reviewAnswer"))
		require.Nil(t, info.Body["rejectType"])
		require.Equal(t, []any{}, info.Body["rejectLabels"])
		require.Equal(t, string(mail.Verification), w.Mails(ada)[0].Kind)
		require.Contains(t, w.Mails(ada)[0].Subject, "Ada Ltd is verified")
		require.EqualValues(t, 2,
			w.Count("SELECT count(*) FROM events WHERE type = 'organisation.onboarding.updated' AND object = ?", org))
		require.EqualValues(
			t,
			2,
			w.Count(
				`SELECT count(*) FROM audit_log
					WHERE action = 'organisation.onboarding' AND actor = 'system' AND organisation = ?`,
				org,
			),
		)

		for _, event := range dbtest.Opened(t, w.DB, idv.Sealed()[0]) {
			require.NotContains(t, event, token.Text("token"))
		}
	})
}

func TestMembersFollowThePersonInEveryOrganisation(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		s := w.Someone(ada)
		first := w.Organisation(s.Access)
		me := w.Do("GET", "/users/me", s.Access, "").OK(200).Text("_id")
		applicant := w.Do("POST", "/idv/users", s.Access, "").OK(200).Text("applicantId")
		member := func(org string) map[string]any {
			return w.Do("GET", "/organisations/"+org+"/members", s.Access, "").OK(200).Results()[0]
		}
		require.Equal(t, applicant, member(first)["applicantId"])
		require.Equal(t, "PENDING", member(first)["onboardingStatus"])
		w.submit(me)
		require.Equal(t, "SUBMITTED", member(first)["onboardingStatus"])
		w.decide(me, idvsim.Verdict{Outcome: idvsim.Approve})
		require.Equal(t, "APPROVED", member(first)["onboardingStatus"])
		shown := w.Do("GET", "/users/me", s.Access, "").OK(200)
		require.Equal(t, "APPROVED", shown.Text("kycOnboardingInfo"))
		require.Equal(t, "PENDING", shown.Text("kybOnboardingInfo"))
		require.Equal(t, "PENDING", w.status(s.Access, first), "a person's verification is none of the organisation's")

		second := w.Organisation(s.Access)
		require.Equal(t, "APPROVED", member(second)["onboardingStatus"], "what is known of him counts where he joins")
		require.Equal(t, applicant, member(second)["applicantId"])
		w.decide(me, idvsim.Verdict{Outcome: idvsim.Reset})
		require.Equal(t, "PENDING", member(first)["onboardingStatus"])
		require.Equal(t, "PENDING", member(second)["onboardingStatus"])
		require.Contains(t, w.Mails(ada)[0].Subject, "Your identity must be verified again")
	})
}

func TestPrivateClientsAreVerifiedAsPeople(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		s := w.Someone(ada)

		org := w.Do(
			"POST",
			"/organisations/create",
			s.Access,
			`{"organisationType":"HNWI","firstName":"Ada","lastName":"Lovelace","dateOfBirth":"1980-05-17","country":"CH"}`,
		).OK(201).Text("_id")

		a := w.Do("POST", "/idv/companies", s.Access, "").OK(200)
		require.Equal(t, "organisation", a.Text("type"), "it is the organisation that is verified")
		require.Equal(t, "private", a.Text("levelName"))

		at, err := w.Sim.Applicant(org)
		require.NoError(t, err)
		require.Equal(t, "Ada Lovelace", at.Name)

		w.submit(org)
		w.decide(org, idvsim.Verdict{Outcome: idvsim.Approve})
		require.Equal(t, "APPROVED", w.status(s.Access, org))
	})
}

// After a rejection there is a widget token if another try is allowed, and none if the rejection is final.
func TestRejectionForAnotherTryAndForGood(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		s := w.Someone(ada)
		org, applicant := w.company(s.Access)
		token := `{"type":"organisation","organisationId":"` + org + `"}`
		update := "/idv/update-applicant-info/" + applicant + "?organisationId=" + org
		w.submit(org)
		w.Do("POST", update, s.Access, `{"fixedInfo":{"companyName":"Ada Limited"}}`).Refused(409, "APPLICANT_FIXED")
		w.decide(org, idvsim.Verdict{
			Outcome: idvsim.Retry,
			Labels:  []string{"BAD_PROOF_OF_ADDRESS", "DOCUMENT_DAMAGED"},
			Comment: "Page 2 is missing.",
		})
		require.Equal(t, "REJECTED", w.status(s.Access, org))
		info := w.info(s.Access, applicant)
		require.Equal(t, "RED", info.Text("reviewAnswer"))
		require.Equal(t, "RETRY", info.Text("rejectType"))
		require.Equal(t, []any{"BAD_PROOF_OF_ADDRESS", "DOCUMENT_DAMAGED"}, info.Body["rejectLabels"])
		require.Equal(t, "Page 2 is missing.", info.Text("moderationComment"))
		require.Equal(t, true, info.Body["retryAllowed"])
		require.Contains(t, w.Mails(ada)[0].Text, "Page 2 is missing.")

		w.Do("POST", update, s.Access, `{"fixedInfo":{"companyName":"Ada Limited"}}`).OK(200)
		at, err := w.Sim.Applicant(org)
		require.NoError(t, err)
		require.Equal(t, "Ada Limited", at.Name)
		w.Do("POST", "/idv/get-applicant-token", s.Access, token).OK(200)
		w.submit(org)
		require.Equal(t, "SUBMITTED", w.status(s.Access, org))
		w.decide(org, idvsim.Verdict{Outcome: idvsim.Final, Comment: "Forged."})
		require.Equal(t, "REJECTED", w.status(s.Access, org))
		require.Equal(t, "FINAL", w.info(s.Access, applicant).Text("rejectType"))
		require.Equal(t, false, w.info(s.Access, applicant).Body["retryAllowed"])
		w.Do("POST", "/idv/get-applicant-token", s.Access, token).Refused(409, "VERIFICATION_FINAL")
		w.Do("POST", update, s.Access, `{"fixedInfo":{"companyName":"Bob Ltd"}}`).Refused(409, "APPLICANT_FIXED")
		w.decide(org, idvsim.Verdict{Outcome: idvsim.Reset})
		require.Equal(t, "PENDING", w.status(s.Access, org))
		w.Do("POST", "/idv/get-applicant-token", s.Access, token).OK(200)
	})
}

// What withdraws an approval, and what does not.
func TestApprovalIsWithdrawnByResetHoldAndLevel(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		s := w.Someone(ada)
		org, applicant := w.company(s.Access)

		approve := func() {
			w.submit(org)
			w.decide(org, idvsim.Verdict{Outcome: idvsim.Approve})
			require.Equal(t, "APPROVED", w.status(s.Access, org))
		}

		approve()
		w.decide(org, idvsim.Verdict{Outcome: idvsim.Recheck})
		require.Equal(t, "APPROVED", w.status(s.Access, org), "documents that are looked at again are no answer")
		require.Equal(t, "pending", w.info(s.Access, applicant).Text("reviewStatus"))
		require.Contains(t, w.info(s.Access, applicant).Text("statusInfo"), "the answer stands")

		w.decide(org, idvsim.Verdict{Outcome: idvsim.Retry})
		require.Equal(t, "REJECTED", w.status(s.Access, org), "the new answer counts")

		approve()
		w.decide(org, idvsim.Verdict{Outcome: idvsim.Hold})
		require.Equal(t, "SUBMITTED", w.status(s.Access, org))
		require.Contains(t, w.info(s.Access, applicant).Text("statusInfo"), "on hold")

		w.decide(org, idvsim.Verdict{Outcome: idvsim.Approve})
		require.Equal(t, "APPROVED", w.status(s.Access, org))

		w.decide(org, idvsim.Verdict{Outcome: idvsim.Level, Level: "strict"})
		require.Equal(t, "PENDING", w.status(s.Access, org))

		w.submit(org)
		w.decide(org, idvsim.Verdict{Outcome: idvsim.Approve})
		require.Equal(t, "PENDING", w.status(s.Access, org), "an answer on another level than ours is none")
	})
}

// Webhooks that never come are made up for by asking: as long as a review is open or documents may be handed in, and
// daily while an approval stands.
func TestLostEventsAreMadeUpFor(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		s := w.Someone(ada)
		org, applicant := w.company(s.Access)
		w.round() // that the applicant was made
		require.NoError(t, w.Sim.SetTravel(idvsim.Lost))
		w.Do("POST", "/idv/get-applicant-token", s.Access, `{"type":"organisation","organisationId":"`+org+`"}`).OK(200)
		poll := func(after time.Duration) {
			t.Helper()
			w.DB.Clock().Advance(after)
			_, err := w.Service.Poll(context.Background(), 100)
			require.NoError(t, err)
			w.round()
			s = w.Login(ada)
		}
		w.submit(org)
		require.Equal(t, "PENDING", w.status(s.Access, org))
		poll(29 * time.Minute)
		require.Equal(t, "PENDING", w.status(s.Access, org), "every half hour")
		poll(time.Minute)
		require.Equal(t, "SUBMITTED", w.status(s.Access, org))
		w.decide(org, idvsim.Verdict{Outcome: idvsim.Approve})
		require.Equal(t, "SUBMITTED", w.status(s.Access, org))
		poll(30 * time.Minute)
		require.Equal(t, "APPROVED", w.status(s.Access, org))
		poll(48 * time.Hour)
		reads := w.asked.reads.Load()
		poll(time.Hour)
		require.Equal(t, reads, w.asked.reads.Load(), "nothing is open any more")

		w.decide(org, idvsim.Verdict{Outcome: idvsim.Hold})
		a := w.Do("POST", "/idv/update-applicant-info/"+applicant+"?organisationId="+org, s.Access, "").OK(200)
		require.Equal(t, "SUBMITTED", a.Text("onboardingStatus"), "asked for, the provider is read at once")
		require.Equal(t, "SUBMITTED", w.status(s.Access, org))

		w.decide(org, idvsim.Verdict{Outcome: idvsim.Approve})
		poll(30 * time.Minute)
		require.Equal(t, "APPROVED", w.status(s.Access, org))
		w.decide(org, idvsim.Verdict{Outcome: idvsim.Final})
		poll(23 * time.Hour)
		require.Equal(t, "APPROVED", w.status(s.Access, org))
		poll(time.Hour)
		require.Equal(t, "REJECTED", w.status(s.Access, org), "a withdrawal that nobody has told")
	})
}

// B-06: after a back-up was put back every applicant is asked about, also where nothing was open in the back-up.
func TestApplicantsAreAskedAboutAnew(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		s := w.Someone(ada)
		org, _ := w.company(s.Access)
		w.submit(org)
		w.decide(org, idvsim.Verdict{Outcome: idvsim.Approve})
		w.round()
		require.Equal(t, "APPROVED", w.status(s.Access, org))
		require.NoError(t, w.Sim.SetTravel(idvsim.Lost))

		w.decide(org, idvsim.Verdict{Outcome: idvsim.Final}) // and the event came before the back-up was put back
		n, err := w.Service.AskAnew(context.Background())
		require.NoError(t, err)
		require.EqualValues(t, 1, n)

		_, err = w.Service.Poll(context.Background(), 100)
		require.NoError(t, err)

		w.round()
		require.Equal(t, "REJECTED", w.status(w.Login(ada).Access, org))
	})
}

// The provider may fail in every way at the first question: the caller is told, and the next call finds the same
// applicant.
func TestProviderThatFailsIsAskedAgain(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		for i, b := range []idvsim.Behaviour{idvsim.Down, idvsim.Drop, idvsim.Garbled} {
			s := w.Someone(string(rune('a'+i)) + ada)
			me := w.Do("GET", "/users/me", s.Access, "").OK(200).Text("_id")
			w.Sim.Steer(b, 0)
			w.Do("POST", "/idv/users", s.Access, "").Refused(503, "UPSTREAM_UNAVAILABLE")
			w.Do("POST", "/idv/get-applicant-token", s.Access, `{"type":"user"}`).Refused(503, "UPSTREAM_UNAVAILABLE")
			w.Sim.Steer(idvsim.Normal, 0)
			at := w.Do("POST", "/idv/users", s.Access, "").OK(200).Text("applicantId")
			made, err := w.Sim.Applicant(me)
			require.NoError(t, err)
			require.Equal(t, made.ID, at)

			w.submit(me)
			w.Sim.Steer(b, 0)
			_, err = w.Sim.Decide(me, idvsim.Verdict{Outcome: idvsim.Approve})
			require.NoError(t, err)

			w.round()
			require.Equal(t, "SUBMITTED", w.info(s.Access, at).Text("onboardingStatus"), "%s: silence is no answer", b)

			w.Sim.Steer(idvsim.Normal, 0)
			w.DB.Clock().Advance(time.Minute)
			w.round()
			require.Equal(t, "APPROVED", w.info(s.Access, at).Text("onboardingStatus"), "%s: the event was kept", b)
		}

		all, err := w.Sim.Applicants()
		require.NoError(t, err)
		require.Len(t, all, 3)
	})
}

func TestRegisteringAtOnceMakesOneApplicant(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		s := w.Someone(ada)

		var wg sync.WaitGroup

		ids := make([]string, 12)
		for i := range ids {
			wg.Go(func() {
				if i%2 == 0 {
					ids[i] = w.Do("POST", "/idv/users", s.Access, "", identitytest.Header{
						Name:  "Idempotency-Key",
						Value: "k" + string(rune('a'+i/4)),
					}).OK(200).Text("applicantId")
				} else {
					w.Do("POST", "/idv/get-applicant-token", s.Access, `{"type":"user"}`).OK(200)
				}
			})
		}

		wg.Wait()

		for i := 0; i < len(ids); i += 2 {
			require.Equal(t, ids[0], ids[i])
		}

		require.EqualValues(t, 1, w.Count("SELECT count(*) FROM idv_applicants"))
		all, err := w.Sim.Applicants()
		require.NoError(t, err)
		require.Len(t, all, 1)
	})
}

// Whoever is no admin of the organisation, or not the person, learns nothing and moves nothing (Z-02).
func TestApplicantsAreTheirOwnersAlone(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		s := w.Someone(ada)
		stranger := w.Someone("mallory@example.com")
		org, applicant := w.company(s.Access)
		foreign, _ := w.company(stranger.Access)
		mine := w.Do("POST", "/idv/users", s.Access, "").OK(200).Text("applicantId")
		viewer, _ := w.Member(s.Access, org, "eve@example.com", `"viewer"`)
		info := "/idv/get-applicant-info/"
		update := "/idv/update-applicant-info/"

		missing := w.Do("POST", info+"unknown", stranger.Access, "").Refused(404, "NOT_FOUND")
		for _, id := range []string{applicant, mine} {
			a := w.Do("POST", info+id, stranger.Access, "").Refused(404, "NOT_FOUND")
			require.Equal(t, missing.Text("detail"), a.Text("detail"), "the same words as for one that does not exist")

			w.Do("POST", update+id+"?organisationId="+org, stranger.Access, "").Refused(404, "NOT_FOUND")
			w.Do("POST", update+id+"?organisationId="+foreign, stranger.Access, "").Refused(404, "NOT_FOUND")
			w.Do("POST", update+id+"?organisationId="+foreign, s.Access, "").Refused(404, "NOT_FOUND")
			w.Do("POST", update+id, s.Access, "").Refused(422, "REQUIRED", "?organisationId REQUIRED")
			w.Do("POST", update+id+"?organisationId="+org, s.Access, "").OK(200)
			w.Do("POST", info+id, "", "").Refused(401, "TOKEN_MISSING")
		}

		w.Do("POST", info+applicant, viewer.Access, "").Refused(403, "ROLE_REQUIRED")
		w.Do("POST", info+mine, viewer.Access, "").Refused(404, "NOT_FOUND")
		w.Do("POST", "/idv/companies", viewer.Access, "").Refused(403, "ROLE_REQUIRED")
		token := func(org string) string { return `{"type":"organisation","organisationId":"` + org + `"}` }
		w.Do("POST", "/idv/get-applicant-token", viewer.Access, token(org)).Refused(403, "ROLE_REQUIRED")
		w.Do("POST", "/idv/get-applicant-token", stranger.Access, token(org)).Refused(404, "NOT_FOUND")
		w.Do("POST", "/idv/get-applicant-token", stranger.Access, `{"type":"user","organisationId":"`+org+`"}`).Refused(
			404,
			"NOT_FOUND",
		)
		w.Do("POST", "/idv/get-applicant-token", s.Access, `{"type":"organisation"}`).Refused(
			422,
			"REQUIRED",
			"/organisationId REQUIRED",
		)
		w.Do("POST", "/idv/get-applicant-token", s.Access, `{"type":"company"}`).Refused(422, "NOT_IN_ENUM")
		w.Do("POST", "/idv/get-applicant-token", s.Access, `{"type":"user","userId":"usr_x"}`).Refused(
			422,
			"UNKNOWN_FIELD",
		)

		// An API client acts for one organisation, whatever its person is elsewhere.
		w.Organisation(s.Access)
		key := w.Do(
			"POST",
			"/auth/api-key",
			s.Access,
			identitytest.WithPassword(`{"name":"books"}`),
			identitytest.Header{Name: "Slipway-Organisation", Value: org},
		).OK(200)
		client := w.Do(
			"POST",
			"/auth/token",
			"",
			`{"clientId":"`+key.Text("clientId")+`","secret":"`+key.Text("secret")+`"}`,
		).OK(200).Text("access_token")
		other := w.Do("GET", "/organisations/me", s.Access, "").OK(200).Results()[0]["_id"].(string)
		require.NotEqual(t, org, other)
		w.Do("POST", info+applicant, client, "").OK(200)
		w.Do("POST", "/idv/get-applicant-token", client, token(other)).Refused(404, "NOT_FOUND")

		w.Exec("UPDATE users SET staff = 'staff' WHERE email = 'mallory@example.com'")
		staff := w.Login("mallory@example.com")
		w.Do("POST", info+applicant, staff.Access, "").OK(200)
		w.Do("POST", "/idv/get-applicant-token", staff.Access, token(org)).Refused(404, "NOT_FOUND")
	})
}

func TestWhatIsCorrectedIsCheckedAtOnce(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		s := w.Someone(ada)
		org, applicant := w.company(s.Access)
		person := w.Do("POST", "/idv/users", s.Access, "").OK(200).Text("applicantId")

		update := func(applicant, info string) identitytest.Answer {
			return w.Do("POST", "/idv/update-applicant-info/"+applicant+"?organisationId="+org, s.Access,
				`{"fixedInfo":`+info+`}`)
		}

		update(applicant, `{"firstName":"Ada","companyName":"A\u0007","country":"ZZ","dob":"1980-05-17"}`).Refused(
			422,
			"VALIDATION",
			"/fixedInfo/firstName NOT_ALLOWED",
			"/fixedInfo/companyName FORMAT_INVALID",
			"/fixedInfo/country COUNTRY_UNKNOWN",
			"/fixedInfo/dob NOT_ALLOWED",
		)

		update(person, `{"dob":"tomorrow","registrationNumber":"7","nationality":"ch"}`).Refused(
			422,
			"VALIDATION",
			"/fixedInfo/dob FORMAT_INVALID",
			"/fixedInfo/registrationNumber NOT_ALLOWED",
		)

		update(person, `{"password":"x"}`).Refused(422, "UNKNOWN_FIELD")
		update(person, `{"firstName":"Augusta","dob":"1980-05-17","country":"CH"}`).OK(200)
		me, err := w.Sim.Applicant(person)
		require.NoError(t, err)
		require.True(t, strings.HasPrefix(me.Name, "Augusta"), me.Name)

		require.EqualValues(t, 1,
			w.Count("SELECT count(*) FROM audit_log WHERE action = 'idv.info' AND organisation = ?", org))
	})
}

// Who is verified is who pays: once the provider knows an organisation, its name changes at both places or at none.
func TestNameIsCorrectedWithTheProviderOrNotAtAll(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		s := w.Someone(ada)
		org := w.Organisation(s.Access)
		name := func() string { return w.Do("GET", "/organisations/"+org, s.Access, "").OK(200).Text("name") }
		w.Do("PATCH", "/organisations/"+org, s.Access, `{"name":"Ada Limited"}`).OK(200)
		applicant := w.Do("POST", "/idv/companies", s.Access, "").OK(200).Text("applicantId")
		w.Do("PATCH", "/organisations/"+org, s.Access, `{"name":"Bob Ltd"}`).Refused(409, "ORGANISATION_NAME_FIXED")
		w.Do("PATCH", "/organisations/"+org, s.Access, `{"name":"Ada Limited","requireIdempotencyKey":false}`).OK(200)
		update := func(info string) identitytest.Answer {
			return w.Do("POST", "/idv/update-applicant-info/"+applicant+"?organisationId="+org, s.Access,
				`{"fixedInfo":`+info+`}`)
		}
		update(`{"companyName":"Bob Ltd","registrationNumber":"CHE-1","country":"de"}`).OK(200)
		require.Equal(t, "Bob Ltd", name())
		at, err := w.Sim.Applicant(org)
		require.NoError(t, err)
		require.Equal(t, "Bob Ltd", at.Name)
		require.Equal(t, "DE", value(t, w, "SELECT country FROM organisations WHERE id = ?", org))
		w.Sim.Steer(idvsim.Down, 0)
		update(`{"companyName":"Carol Ltd"}`).Refused(503, "UPSTREAM_UNAVAILABLE")
		require.Equal(t, "Bob Ltd", name())
		w.Sim.Steer(idvsim.Normal, 0)
		w.submit(org)
		update(`{"companyName":"Carol Ltd"}`).Refused(409, "APPLICANT_FIXED")
		require.Equal(t, "Bob Ltd", name())

		hnwi := w.Do(
			"POST",
			"/organisations/create",
			s.Access,
			`{"organisationType":"HNWI","firstName":"Ada","lastName":"Lovelace","dateOfBirth":"1980-05-17"}`,
		).OK(201).Text("_id")
		private := w.Do("POST", "/idv/companies", s.Access, "", identitytest.Header{
			Name:  "Slipway-Organisation",
			Value: hnwi,
		}).OK(200).Text("applicantId")
		w.Do(
			"POST",
			"/idv/update-applicant-info/"+private+"?organisationId="+hnwi,
			s.Access,
			`{"fixedInfo":{"lastName":"King"}}`,
		).OK(200)
		require.Equal(t, "Ada King", w.Do("GET", "/organisations/"+hnwi, s.Access, "").OK(200).Text("name"))
	})
}

// The provider looks at documents of which no event has told: nothing is corrected any more.
func TestNothingIsCorrectedOnceTheProviderLooks(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		s := w.Someone(ada)
		org, applicant := w.company(s.Access)
		w.round()
		require.NoError(t, w.Sim.SetTravel(idvsim.Lost))

		w.submit(org)
		require.Equal(t, "PENDING", w.status(s.Access, org))

		before, err := w.Sim.Applicant(org)
		require.NoError(t, err)

		w.Do(
			"POST",
			"/idv/update-applicant-info/"+applicant+"?organisationId="+org,
			s.Access,
			`{"fixedInfo":{"companyName":"Bob Ltd"}}`,
		).Refused(409, "APPLICANT_FIXED")

		after, err := w.Sim.Applicant(org)
		require.NoError(t, err)
		require.Equal(t, before.Name, after.Name)
		require.Zero(t, w.Count("SELECT count(*) FROM organisations WHERE name = 'Bob Ltd'"))
	})
}

// refusing makes no applicants.
type refusing struct{ idv.Provider }

func (refusing) Create(context.Context, provider.New) (provider.Review, error) {
	return provider.Review{}, provider.ErrRefused
}

// A provider whose answer was lost may know the name: it stays. One that has refused does not.
func TestNameStaysFromTheMomentTheProviderIsAsked(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		s := w.Someone(ada)
		org := w.Organisation(s.Access)
		rename := func(name string) identitytest.Answer {
			return w.Do("PATCH", "/organisations/"+org, s.Access, `{"name":"`+name+`"}`)
		}
		real := w.asked.Provider
		w.asked.Provider = refusing{real}
		w.Do("POST", "/idv/companies", s.Access, "").Refused(409, "IDENTITY_PROVIDER_REFUSED")
		rename("Ada Limited").OK(200)
		w.asked.Provider = real
		w.asked.created = func() { rename("Bob Ltd").Refused(409, "ORGANISATION_NAME_FIXED") }
		w.Sim.Steer(idvsim.Drop, 1)
		w.Do("POST", "/idv/companies", s.Access, "").Refused(503, "UPSTREAM_UNAVAILABLE")
		w.asked.created = nil
		rename("Bob Ltd").Refused(409, "ORGANISATION_NAME_FIXED")
		w.Do("POST", "/idv/companies", s.Access, "").OK(200)
		at, err := w.Sim.Applicant(org)
		require.NoError(t, err)
		require.Equal(t, "Ada Limited", at.Name)
	})
}

// Without a provider nothing is pretended.
func TestWithoutProviderNothingIsTaken(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d, func(c *idv.Config) {
			c.Provider = nil
			c.Webhook = idv.Webhook{}
		})

		s := w.Someone(ada)
		org := w.Organisation(s.Access)
		w.Do("POST", "/idv/users", s.Access, "").Refused(503, "UPSTREAM_UNAVAILABLE")
		w.Do("POST", "/idv/companies", s.Access, "").Refused(503, "UPSTREAM_UNAVAILABLE")

		w.Do(
			"POST",
			"/idv/get-applicant-token",
			s.Access,
			`{"type":"organisation","organisationId":"`+org+`"}`,
		).Refused(503, "UPSTREAM_UNAVAILABLE")

		raw := event{
			Type:           "applicantReviewed",
			ApplicantID:    "x",
			ExternalUserID: org,
			SandboxMode:    true,
			CreatedAt:      at(d.Now()),
		}.bytes()

		status, _ := w.post(raw, signed("", "HMAC_SHA256_HEX", raw))
		require.Equal(t, 401, status, "no secret is no secret that is empty")
	})
}
