package auth_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/identity/auth"
	"slipway/internal/identity/identitytest"
	"slipway/internal/platform/db/dbtest"
	"slipway/internal/platform/mail"
	"slipway/internal/platform/secret"
)

// staff signs in one of the platform's people.
func staff(w *world) identitytest.Session {
	s := w.Someone("staff@example.com")
	w.Exec("UPDATE users SET staff = 'staff' WHERE email_key = 'staff@example.com'")
	w.DB.Clock().Advance(auth.CacheLifetime)

	return s
}

func TestAPreparedAccountIsCompletedByItsLink(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		const heir = "heir@example.com"
		s := staff(w)
		w.Do("POST", "/users/send-complete-your-kyc-email", s.Access, `{"email":"`+heir+`"}`).Refused(404, "NOT_FOUND")
		a := w.Do(
			"POST",
			"/users/send-complete-your-hnwi",
			s.Access,
			`{"email":"`+heir+`","firstName":"Heir","lastName":"Apparent"}`,
		).OK(202)
		require.Equal(t, true, a.Body["queued"])
		w.Do("POST", "/auth/login", "", login(heir)).Refused(401, "CREDENTIALS_INVALID")
		token := w.Link(heir, mail.CompleteAccount)

		w.Do("GET", "/users/complete/info?token=rubbish", token, "").Refused(410, "LINK_INVALID")
		w.Do("GET", "/users/complete/info?token="+token, s.Access, "").OK(200)
		info := w.Do("GET", "/users/complete/info?token="+token, "", "").OK(200)
		require.Equal(t, []string{heir, "Heir", "Apparent", ""},
			[]string{info.Text("email"), info.Text("firstName"), info.Text("lastName"), info.Text("organisationName")})
		expires, err := time.Parse(time.RFC3339, info.Text("expiresAt"))
		require.NoError(t, err)
		require.WithinDuration(t, w.DB.Now().Add(7*24*time.Hour), expires, time.Minute)

		body := func(password string) string {
			return fmt.Sprintf(
				`{"token":%q,"password":%q,"firstName":"Heidi","lastName":"Heir","phoneNumber":"+41 44 668 18 00"}`,
				token,
				password,
			)
		}
		w.Do("PATCH", "/users/complete", "", body("short")).Refused(422, "PASSWORD_WEAK", "/password PASSWORD_WEAK")

		var wg sync.WaitGroup

		answers := make([]int, 10)
		for i := range answers {
			wg.Go(func() { answers[i] = w.Do("PATCH", "/users/complete", "", body(fresh)).Status })
		}

		wg.Wait()

		count := map[int]int{}
		for _, status := range answers {
			count[status]++
		}

		require.Equal(t, map[int]int{200: 1, 410: 9}, count) // N-06
		me := w.Do(
			"GET",
			"/users/me",
			w.Do("POST", "/auth/login", "", `{"email":"`+heir+`","password":"`+fresh+`"}`).OK(200).Text("access_token"),
			"",
		).OK(200)
		require.Equal(t, []any{"Heidi", "+41 44 668 18 00", true, true},
			[]any{me.Body["firstName"], me.Body["phoneNumber"], me.Body["isAccountSetup"], me.Body["isEmailConfirmed"]})
		w.Do("GET", "/users/complete/info?token="+token, "", "").Refused(410, "LINK_INVALID")
		w.Do("GET", "/users/complete/info?token="+secret.Token("lk_"), s.Access, "").Refused(410, "LINK_INVALID")
	})
}

func TestWhoForgotWhatHeNeverHadCompletesHisAccount(t *testing.T) {
	w := identitytest.New(t, dbtest.SQLite(t))
	s := staff(w)
	w.Do("POST", "/users/send-complete-your-beneficiary-account", s.Access, `{"email":"heir@example.com"}`).OK(202)
	w.Do("POST", "/auth/forgot-password", "", `{"email":"heir@example.com"}`).OK(200)
	require.Len(t, w.Mails("heir@example.com"), 2)
	require.Equal(t, string(mail.CompleteAccount), w.Mails("heir@example.com")[0].Kind)
}

func TestStaffMailsAreForStaffAndFew(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		paths := map[string]mail.Kind{
			"send-user-confirmation-email":           mail.Confirm,
			"send-complete-your-kyc-email":           mail.VerifyIdentity,
			"send-complete-your-beneficiary-account": mail.VerifyIdentity,
			"send-complete-your-hnwi":                mail.VerifyIdentity,
		}
		client := w.Someone(ada)

		s := staff(w)
		for path, kind := range paths {
			w.Do("POST", "/users/"+path, client.Access, "").Refused(403, "ROLE_REQUIRED")
			before := len(w.Mails(ada))
			w.Do("POST", "/users/"+path, s.Access, `{"email":"`+ada+`"}`).OK(202)
			require.Len(t, w.Mails(ada), before+1)
			require.Equal(t, string(kind), w.Mails(ada)[0].Kind, path)

			a := w.Do("POST", "/users/"+path, s.Access, `{"email":"`+ada+`"}`).Refused(429, "TOO_MANY_ATTEMPTS")
			require.Equal(t, "300", a.Header.Get("Retry-After"))

			w.Do("POST", "/users/"+path, s.Access, "").OK(202) // to herself
		}

		w.Do("POST", "/users/send-user-confirmation-email", s.Access, `{"email":"x@y.ch","userId":"usr_1"}`).Refused(
			422,
			"NOT_ALLOWED",
		)
		w.Do("POST", "/auth/confirm-account", "", `{"token":"`+w.Link(ada, mail.Confirm)+`"}`).OK(200)
		w.DB.Clock().Advance(6 * time.Minute)
		require.Equal(t, false,
			w.Do("POST", "/users/send-user-confirmation-email", s.Access, `{"email":"`+ada+`"}`).OK(202).Body["queued"])
	})
}

func TestChangeStatus(t *testing.T) { // A-04, N-08
	each(t, func(t *testing.T, w *world) {
		owner := w.Someone(ada)
		org := w.Organisation(owner.Access)
		member, _ := w.Member(owner.Access, org, "grace@example.com", `"viewer"`)
		k := newKey(w, member.Access, "")
		c := k.tokens(w)
		grace := w.Do("GET", "/users/me", member.Access, "").OK(200).Text("_id")
		boss := w.Do("GET", "/users/me", owner.Access, "").OK(200).Text("_id")
		s := staff(w)
		change := func(token, id, body string) identitytest.Answer {
			return w.Do("POST", "/users/"+id+"/change-status", token, body)
		}
		change(owner.Access, grace, "").Refused(403, "ROLE_REQUIRED")
		change(s.Access, "usr_unknown", "").Refused(404, "NOT_FOUND")
		change(s.Access, w.Do("GET", "/users/me", s.Access, "").OK(200).Text("_id"), "").Refused(
			409,
			"CHANGE_STATUS_SELF",
		)
		change(s.Access, boss, "").Refused(409, "LAST_ADMIN")
		w.Do("GET", "/users/me", c.Access, "").OK(200)
		require.Equal(t, false, change(s.Access, grace, "").OK(200).Body["isActive"])

		for _, token := range []string{member.Access, c.Access} {
			require.Contains(t, []int{401, 403}, w.Do("GET", "/users/me", token, "").Status, "at the next request")
		}

		w.Do("POST", "/auth/refresh", member.Refresh, "").Refused(401, "TOKEN_INVALID")
		w.Do("POST", "/auth/token", "", k.body()).Refused(403, "ACCOUNT_INACTIVE")
		w.Do("POST", "/auth/login", "", login("grace@example.com")).Refused(403, "ACCOUNT_INACTIVE")
		require.Equal(t, false, change(s.Access, grace, `{"isActive":false}`).OK(200).Body["isActive"],
			"the state wished, however often")
		require.Equal(t, true, change(s.Access, grace, "").OK(200).Body["isActive"])
		// switched on again is not signed in again
		w.Do("GET", "/users/me", member.Access, "").Refused(401, "TOKEN_INVALID")
		w.Login("grace@example.com")
		k.tokens(w)

		var wg sync.WaitGroup
		for range 20 {
			wg.Go(func() {
				if a := change(s.Access, grace, `{"isActive":false}`); a.Status != 200 && a.Status != 409 &&
					a.Status != 503 {
					t.Errorf("%d %s", a.Status, a.Raw)
				}
			})
		}

		wg.Wait()
		require.EqualValues(t, 1, w.Count("SELECT count(*) FROM users WHERE is_active = FALSE"))
		require.EqualValues(t, 2,
			w.Count("SELECT count(*) FROM audit_log WHERE action = 'user.status' AND detail = 'off'"))
	})
}

func TestSecondAdminMayGo(t *testing.T) {
	w := identitytest.New(t, dbtest.SQLite(t))
	owner := w.Someone(ada)
	org := w.Organisation(owner.Access)
	w.Member(owner.Access, org, "grace@example.com", `"admin"`)
	boss := w.Do("GET", "/users/me", owner.Access, "").OK(200).Text("_id")
	s := staff(w)
	// an admin who cannot sign in is none
	w.Exec("UPDATE users SET is_active = FALSE WHERE email_key = 'grace@example.com'")
	w.Do("POST", "/users/"+boss+"/change-status", s.Access, "").Refused(409, "LAST_ADMIN")
	w.Exec("UPDATE users SET is_active = TRUE WHERE email_key = 'grace@example.com'")
	w.Do("POST", "/users/"+boss+"/change-status", s.Access, "").OK(200)
}

func TestInvitationsAreMailed(t *testing.T) {
	w := identitytest.New(t, dbtest.SQLite(t))
	owner := w.Someone(ada)
	org := w.Organisation(owner.Access)
	w.Do("POST", "/sandbox/organisations/"+org+"/onboarding", owner.Access, `{"status":"APPROVED"}`).OK(200)

	w.Do(
		"POST",
		"/organisations/"+org+"/invitations",
		owner.Access,
		`{"email":"grace@example.com","roles":["approver"]}`,
	).OK(201)

	m := w.Mails("grace@example.com")[0]
	require.Equal(t, "You are invited to Ada Ltd", m.Subject)

	token := w.Link("grace@example.com", mail.Invitation)

	w.Do(
		"POST",
		"/auth/register-with-organisation",
		"",
		`{"firstName":"Grace","lastName":"Hopper","email":"grace@example.com","password":"`+fresh+`","invitationToken":"`+token+`"}`,
	).OK(200)

	require.Len(t, w.Mails("grace@example.com"), 1, "who has an invitation has his mail")
}

func TestNoCookiesAndNoForeignPages(t *testing.T) {
	w := identitytest.New(t, dbtest.SQLite(t))
	w.Register(ada)

	for _, call := range [][3]string{
		{"POST", "/auth/login", login(ada)},
		{"POST", "/auth/forgot-password", `{"email":"` + ada + `"}`},
		{"OPTIONS", "/auth/login", ""},
		{"GET", "/users/me", ""},
	} {
		a := w.Do(
			call[0],
			call[1],
			"",
			call[2],
			header("Origin", "https://evil.example"),
			header("Access-Control-Request-Method", "POST"),
			header("Cookie", "access_token=x"),
		)
		for name := range a.Header {
			require.NotContains(t, name, "Access-Control", "%s %s", call[0], call[1])
		}

		require.Empty(t, a.Header.Get("Set-Cookie"))
		require.Equal(t, "no-store", a.Header.Get("Cache-Control"))
	}
}
