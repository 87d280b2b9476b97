package auth_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/identity/auth"
	"slipway/internal/identity/identitytest"
	"slipway/internal/identity/user"
	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
	"slipway/internal/platform/limit"
	"slipway/internal/platform/mail"
)

// TestStolenTokenTakesNothingOver: with an access token alone nobody sets up a second factor or makes a key,
// once the password of its session was given more than five minutes ago. New tokens of the session change nothing in
// that.
func TestStolenTokenTakesNothingOver(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		stolen := w.Someone(ada)
		w.Organisation(stolen.Access)
		w.DB.Clock().Advance(auth.PasswordLifetime + time.Second)

		refreshed := w.Do("POST", "/auth/refresh", stolen.Refresh, "").OK(200).Text("access_token")

		for _, path := range []string{"/auth/2fa/generate", "/auth/api-key"} {
			w.Do("POST", path, stolen.Access, "").Refused(403, "STEP_UP_REQUIRED", "/password REQUIRED")
			w.Do("POST", path, refreshed, "").Refused(403, "STEP_UP_REQUIRED")
			w.Do("POST", path, stolen.Access, `{"password":"a guess of the thief"}`).
				Refused(422, "CREDENTIALS_INVALID", "/password CREDENTIALS_INVALID")
			w.Do("POST", path, stolen.Access, identitytest.WithPassword("")).OK(200)
		}
	})
}

// A password that was given within five minutes is proof enough: the two operations take no body.
func TestAPasswordGivenJustNowIsProof(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		s := w.Someone(ada)
		w.Organisation(s.Access)
		w.DB.Clock().Advance(auth.PasswordLifetime - time.Minute)

		w.Do("POST", "/auth/api-key", s.Access, "").OK(200)
		w.Do("POST", "/auth/2fa/generate", s.Access, "").OK(200)

		w.DB.Clock().Advance(time.Minute)
		w.Do("POST", "/auth/api-key", s.Access, "").Refused(403, "STEP_UP_REQUIRED")

		change := fmt.Sprintf(`{"oldPassword":%q,"newPassword":"eight orange ladders 51"}`, identitytest.Password)
		w.Do("POST", "/auth/change-password", s.Access, change).OK(200)
		w.Do("POST", "/auth/api-key", s.Access, "").OK(200)
	})
}

// TestGuessesOfAPasswordAreCounted: whoever holds a token does not try passwords without end.
func TestGuessesOfAPasswordAreCounted(t *testing.T) {
	w := limited(t, dbtest.SQLite(t), auth.Limits{SignIn: limit.Rate{Events: 5, Per: time.Minute}})
	stolen := w.Someone(ada)

	for range 5 {
		w.Do("POST", "/auth/2fa/generate", stolen.Access, `{"password":"a guess of the thief"}`).Refused(
			422,
			"CREDENTIALS_INVALID",
		)
	}

	w.Do("POST", "/auth/2fa/generate", stolen.Access, identitytest.WithPassword("")).Refused(429, "TOO_MANY_ATTEMPTS")
}

func (w *operators) someone(email string) identitytest.Session {
	s := w.Someone(email)
	require.NoError(w.T, w.DB.Write(context.Background(), func(tx *db.Tx) error {
		_, _, err := user.Grant(context.Background(), tx, email, user.Operator)
		return err
	}))
	w.DB.Clock().Advance(auth.CacheLifetime)

	return s
}

type operators struct{ *world }

// TestOwnerComesBackByTwoOperators: one operator checks who it is, another one agrees; only then is the second
// factor gone, and with it every session of the thief.
func TestOwnerComesBackByTwoOperators(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		thief := w.Someone(ada)
		w.SetUp(thief.Access)
		id := w.Do("GET", "/users/me", thief.Access, "").OK(200).Text("_id")

		team := &operators{w}
		first := team.someone("first@example.com")
		second := team.someone("second@example.com")

		path := "/operations/users/" + id + "/recovery"
		w.Do("POST", path, thief.Access, `{"reason":"I say so"}`).Refused(403, "ROLE_REQUIRED")

		pending := w.Do("POST", path, first.Access, `{"reason":"called back, passport seen"}`).OK(202).Text("_id")
		decision := "/operations/approvals/" + pending + "/decision"
		w.Do("POST", decision, first.Access, `{"decision":"APPROVED","comment":"me again"}`).Refused(
			403,
			"SECOND_PERSON_REQUIRED",
		)
		require.Contains(t, w.Do("GET", "/operations/approvals?status[]=PENDING", second.Access, "").OK(200).Raw,
			pending)
		w.Do("GET", "/users/me", thief.Access, "").OK(200)

		w.Do("POST", decision, second.Access, `{"decision":"APPROVED","comment":"seen too"}`).OK(200)
		w.Do("GET", "/users/me", thief.Access, "").Refused(401, "TOKEN_INVALID")
		w.Do("POST", "/auth/refresh", thief.Refresh, "").Refused(401, "TOKEN_INVALID")
		w.Do("POST", "/auth/reset-password", "", reset(w.Link(ada, mail.Reset), fresh)).OK(204)
		w.Do("POST", "/auth/login", "", `{"email":"`+ada+`","password":"`+fresh+`"}`).OK(200)

		w.Do("POST", path, first.Access, `{"reason":"again"}`).Refused(409, "TWO_FACTOR_NOT_ENABLED")
	})
}

// TestNobodyWithTheSecretIsLockedOut: ten thousand wrong secrets from many addresses keep neither a client
// nor, where he was before or after following a link of his mails, a person out.
func TestNobodyWithTheSecretIsLockedOut(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		l := auth.DefaultLimits()
		w := limited(t, d, l)
		s := w.Someone(ada)
		w.Organisation(s.Access)
		k := newKey(w, s.Access, "")

		tries := 10_000
		if d.Dialect() == db.Postgres {
			tries = 1_000 // the counters are the same, and each try asks the server
		}

		for i := range tries {
			guess := fmt.Sprintf(`{"clientId":%q,"secret":"sk_test_guess%d"}`, k.id, i)
			a := w.Do("POST", "/auth/token", "", guess, from("203.%d.%d.1", i/250, i%250))
			require.Contains(t, []int{401, 429}, a.Status)
		}

		for i := range 30 { // as often as it likes, from wherever it comes
			w.Do("POST", "/auth/token", "", k.body(), from("203.0.%d.1", i)).OK(200)
		}

		for i := range 100 {
			w.Do("POST", "/auth/login", "", `{"email":"`+ada+`","password":"not hers at all"}`,
				from("203.%d.%d.1", i/250, i%250))
		}

		elsewhere := from("192.0.2.99")
		w.Do("POST", "/auth/login", "", login(ada), elsewhere).Refused(429, "TOO_MANY_ATTEMPTS")
		w.Do("POST", "/auth/forgot-password", "", `{"email":"`+ada+`"}`, elsewhere).OK(200)
		w.RunJobs()
		w.Do("POST", "/auth/reset-password", "", reset(w.Link(ada, mail.Reset), fresh), elsewhere).OK(204)
		w.Do("POST", "/auth/login", "", `{"email":"`+ada+`","password":"`+fresh+`"}`, elsewhere).OK(200)
	})
}

// TestRightPasswordsAreNotCounted: failures alone use up what an account and everybody may try.
func TestRightPasswordsAreNotCounted(t *testing.T) {
	l := auth.Limits{Account: limit.Rate{Events: 3, Per: time.Hour}, Global: limit.Rate{Events: 3, Per: time.Hour}}
	w := limited(t, dbtest.SQLite(t), l)
	w.Register(ada)

	for i := range 10 {
		w.Do("POST", "/auth/login", "", login(ada), from("203.0.113.%d", i)).OK(200)
	}

	for i := range 3 {
		w.Do("POST", "/auth/login", "", `{"email":"`+ada+`","password":"x"}`, from("198.51.%d.1", i)).Refused(
			401,
			"CREDENTIALS_INVALID",
		)
	}

	w.Do("POST", "/auth/login", "", login(ada), from("198.51.99.1")).Refused(429, "TOO_MANY_ATTEMPTS")
}

// TestAPIClientIsOfOneOrganisation (Z-11): whatever else its person is in, a client sees the organisation that it
// acts for.
func TestAPIClientIsOfOneOrganisation(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		s := w.Someone(ada)
		own := w.Organisation(s.Access)
		k := newKey(w, s.Access, "") // of the first organisation
		other := w.Organisation(s.Access)
		c := k.tokens(w)

		w.Do("GET", "/organisations/"+own, c.Access, "").OK(200)

		for _, call := range [][3]string{
			{"GET", "/organisations/ORG", ""},
			{"PATCH", "/organisations/ORG", `{"payablesEmail":"thief@example.com"}`},
			{"GET", "/organisations/ORG/members", ""},
			{"GET", "/organisations/ORG/senders-info", ""},
			{"GET", "/organisations/ORG/approval-policy", ""},
		} {
			path := "/organisations/" + other + call[1][len("/organisations/ORG"):]
			w.Do(call[0], path, c.Access, call[2]).Refused(404, "NOT_FOUND")
			w.Do(call[0], path, s.Access, call[2]).OK(200)
		}

		w.Do("GET", "/users/me", c.Access, "", header("Slipway-Organisation", other)).Refused(404, "NOT_FOUND")
		require.NotContains(t, w.Do("GET", "/organisations/me", c.Access, "").OK(200).Raw, other)
		require.NotContains(t, w.Do("GET", "/users/me", c.Access, "").OK(200).Raw, other)
		w.Do("POST", "/organisations/create", c.Access, `{"organisationType":"Organisation"}`).Refused(
			403,
			"PEOPLE_ONLY",
		)
		w.Do("POST", "/organisations/join", c.Access, `{"invitationToken":"x"}`).Refused(403, "PEOPLE_ONLY")
	})
}

// TestStaffSwitchesNoOperatorOff: the platform's lesser people have no power over its greater ones.
func TestStaffSwitchesNoOperatorOff(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		team := &operators{w}
		boss := team.someone("boss@example.com")
		other := team.someone("other@example.com")
		id := w.Do("GET", "/users/me", boss.Access, "").OK(200).Text("_id")

		helper := w.Someone("helper@example.com")
		require.NoError(t, w.DB.Write(context.Background(), func(tx *db.Tx) error {
			_, _, err := user.Grant(context.Background(), tx, "helper@example.com", user.Staff)
			return err
		}))
		w.DB.Clock().Advance(auth.CacheLifetime)

		w.Do("POST", "/users/"+id+"/change-status", helper.Access, `{"isActive":false}`).Refused(403, "ROLE_REQUIRED")
		w.Do("POST", "/users/"+id+"/change-status", other.Access, `{"isActive":false}`).OK(200)
	})
}

// TestWritesOfAPersonAreCountedTogether: a new session, or a client of the same person, is no new allowance.
func TestWritesOfAPersonAreCountedTogether(t *testing.T) {
	w := limited(t, dbtest.SQLite(t), auth.Limits{Writes: limit.Rate{Events: 2, Per: time.Hour}})
	w.Register(ada)

	for range 2 { // two sessions with two writes each: twice what one has
		s := w.Login(ada)
		w.Do("PATCH", "/users/me", s.Access, `{}`).OK(200)
		w.Do("PATCH", "/users/me", s.Access, `{}`).OK(200)
	}

	w.Do("PATCH", "/users/me", w.Login(ada).Access, `{}`).Refused(429, "RATE_LIMITED")
}

// TestRegistrationsTogetherAreLimited: strangers who register cost a hash each, whatever addresses they come from. When
// they are many, they pay for it.
func TestRegistrationsTogetherAreLimited(t *testing.T) {
	w := limited(t, dbtest.SQLite(t), auth.Limits{Registrations: limit.Rate{Events: 3, Per: time.Hour}})

	for i := range 3 {
		w.Do(
			"POST",
			"/auth/register",
			"",
			person(fmt.Sprintf("x%d@example.com", i), fresh),
			from("203.0.%d.1", i),
		).OK(200)
	}

	hashes := w.Auth.HashCalls()
	w.Do("POST", "/auth/register", "", person("y@example.com", fresh), from("203.0.99.1")).Refused(
		429,
		"PROOF_OF_WORK_REQUIRED",
	)
	require.Equal(t, hashes, w.Auth.HashCalls())
}
