package auth_test

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/identity/identitytest"
)

type world = identitytest.World

func each(t *testing.T, test func(t *testing.T, w *world)) { t.Helper(); identitytest.Each(t, test) }

func person(email, password string) string {
	return fmt.Sprintf(`{"firstName":"Ada","lastName":"Lovelace","email":%q,"password":%q}`, email, password)
}

func TestNewClientReachesAnApprovedOrganisation(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		s := w.Someone("ada@example.com")
		org := w.Organisation(s.Access)
		w.Do("POST", "/sandbox/organisations/"+org+"/onboarding", s.Access, `{"status":"APPROVED"}`).OK(200)
		require.Equal(t, "APPROVED", w.Do("GET", "/organisations/"+org, s.Access, "").OK(200).Text("onboardingStatus"))

		a := w.Do("POST", "/auth/refresh", s.Refresh, "").OK(200)
		require.Equal(t, false, a.Body["requires_2fa_setup"])

		me := w.Do("GET", "/users/me", a.Text("access_token"), "").OK(200)
		require.Equal(t, "admin", me.Text("organisationRole"))
		require.Equal(t, true, me.Body["isAccountSetup"])
	})
}

func TestRegisterNamesEverythingThatIsWrong(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		long := strings.Repeat("x", 101)
		for _, c := range []struct {
			name, body string
			status     int
			fields     []string
		}{
			{"nothing", `{}`, 422, []string{"/firstName REQUIRED", "/lastName REQUIRED", "/email REQUIRED", "/password REQUIRED"}},
			{"blank names", `{"firstName":" ","lastName":"\t","email":"a@b.ch","password":"long enough 1234"}`, 422, []string{"/firstName REQUIRED", "/lastName REQUIRED"}},
			{"long name", fmt.Sprintf(`{"firstName":%q,"lastName":"L","email":"a@b.ch","password":"long enough 1234"}`, long), 422, []string{"/firstName TOO_LONG"}},
			{"NUL in a name", `{"firstName":"A\u0000","lastName":"L","email":"a@b.ch","password":"long enough 1234"}`, 422, []string{"/firstName FORMAT_INVALID"}},
			{"line break in a name", `{"firstName":"A\nB","lastName":"L","email":"a@b.ch","password":"long enough 1234"}`, 422, []string{"/firstName FORMAT_INVALID"}},
			{"turned text", `{"firstName":"A\u202eB","lastName":"L","email":"a@b.ch","password":"long enough 1234"}`, 422, []string{"/firstName FORMAT_INVALID"}},
			{"no address", person("ada", "long enough 1234"), 422, []string{"/email FORMAT_INVALID"}},
			{"two addresses", person("a@b.ch, c@d.ch", "long enough 1234"), 422, []string{"/email FORMAT_INVALID"}},
			{"address with a name", person("Ada <a@b.ch>", "long enough 1234"), 422, []string{"/email FORMAT_INVALID"}},
			{"Unicode address", person("аda@example.com", "long enough 1234"), 422, []string{"/email FORMAT_INVALID"}},
			{"address without a dot", person("a@localhost", "long enough 1234"), 422, []string{"/email FORMAT_INVALID"}},
			{"NUL in the address", `{"firstName":"A","lastName":"L","email":"a\u0000@b.ch","password":"long enough 1234"}`, 422, []string{"/email FORMAT_INVALID"}},
			{"long address", person(strings.Repeat("a", 260)+"@b.ch", "long enough 1234"), 422, []string{"/email TOO_LONG"}},
			{"7 characters", person("a@b.ch", "abc!X12"), 422, []string{"/password PASSWORD_WEAK"}},
			{"11 characters of 2 bytes", person("a@b.ch", "éèàöüäïôûçñ"), 422, []string{"/password PASSWORD_WEAK"}},
			{"1,025 bytes", person("a@b.ch", strings.Repeat("ab c", 256)+"d"), 422, []string{"/password PASSWORD_WEAK"}},
			{"common", person("a@b.ch", "Password1234!"), 422, []string{"/password PASSWORD_WEAK"}},
			{"common digits", person("a@b.ch", "123456789012"), 422, []string{"/password PASSWORD_WEAK"}},
			{"common with an ending", person("a@b.ch", "Administrator2026!"), 422, []string{"/password PASSWORD_WEAK"}},
			{"one character", person("a@b.ch", "zzzzzzzzzzzzzz"), 422, []string{"/password PASSWORD_WEAK"}},
			{"three characters", person("a@b.ch", "xyzxyzxyzxyzxy"), 422, []string{"/password PASSWORD_WEAK"}},
			{"the address", person("someone@example.com", "Someone@Example.com"), 422, []string{"/password PASSWORD_WEAK"}},
			{"the name", person("a@b.ch", "ada lovelace"), 422, []string{"/password PASSWORD_WEAK"}},
			{
				"mass assignment", `{"firstName":"A","lastName":"L","email":"a@b.ch","password":"long enough 1234","staff":"operator","Email":"x","isActive":true}`, 422,
				[]string{"/staff UNKNOWN_FIELD", "/Email UNKNOWN_FIELD", "/isActive UNKNOWN_FIELD"},
			},
			{"password is a number", `{"firstName":"A","lastName":"L","email":"a@b.ch","password":123456789012}`, 400, []string{"/password TYPE_MISMATCH"}},
		} {
			t.Run(c.name, func(t *testing.T) {
				for _, path := range []string{"/auth/register", "/auth/register-with-organisation"} {
					a := w.Do("POST", path, "", c.body)
					a.T = t

					code := "VALIDATION"
					if len(c.fields) == 1 {
						code = strings.Fields(c.fields[0])[1]
					}

					a.Refused(c.status, code, c.fields...)
				}
			})
		}

		require.Zero(t, w.Count("SELECT count(*) FROM users"))
		w.Do("POST", "/auth/register", "", strings.Repeat(" ", 20_000)+person("a@b.ch", "long enough 1234")).Refused(
			413,
			"BODY_TOO_LARGE",
		)
		w.Do(
			"POST",
			"/auth/register",
			"",
			`{"firstName":"Ada","lastName":"L","email":"ctl@b.ch","password":"long enough\u0001 1234"}`,
		).OK(200)
		w.Do("POST", "/auth/login", "", `{"email":"ctl@b.ch","password":"long enough\u0001 1234"}`).OK(200)
		w.Do("POST", "/auth/login", "", `{"email":"ctl@b.ch","password":"long enough"}`).Refused(
			401,
			"CREDENTIALS_INVALID",
		)
		most := strings.Repeat("ab c", 256) // 1,024 bytes count to the last one
		w.Do("POST", "/auth/register", "", person("long@b.ch", most[:1023]+"X")).OK(200)
		w.Do("POST", "/auth/login", "", fmt.Sprintf(`{"email":"long@b.ch","password":%q}`, most[:1023]+"Y")).Refused(
			401,
			"CREDENTIALS_INVALID",
		)
		w.Do("POST", "/auth/login", "", fmt.Sprintf(`{"email":"long@b.ch","password":%q}`, most[:1023]+"X")).OK(200)
	})
}

// One rule for mail addresses in all places: a domain in another alphabet is one account however it is written, mails
// go to its ASCII form, and people see it as they wrote it.
func TestAddressesOfOtherAlphabetsAreOneAccount(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		const written, ascii = "Buch@müller.example", "Buch@xn--mller-kva.example"

		s := w.Someone(written)
		require.Equal(t, "Buch@müller.example", w.Do("GET", "/users/me", s.Access, "").OK(200).Text("email"))
		require.NotEmpty(t, w.Mails(ascii))

		w.Login(ascii)
		w.Login("buch@MÜLLER.example")
		w.Do("POST", "/auth/register", "", person("buch@mu\u0308ller.example", "another long one 8")).OK(200)
		require.EqualValues(t, 1, w.Count("SELECT count(*) FROM users"))

		for _, refused := range []string{"jörg@example.org", "x@[127.0.0.1]", "x@ex_ample.org"} {
			w.Do("POST", "/auth/register", "", person(refused, "long enough 1234")).
				Refused(422, "FORMAT_INVALID", "/email FORMAT_INVALID")
		}
	})
}

func TestAnswersDoNotTellWhetherAnAddressHasAnAccount(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.Register("ada@example.com")

		for _, c := range []struct{ path, known, unknown string }{
			{"/auth/register", person("ada@example.com", "another long one 8"), person("new1@example.com", "another long one 8")},
			{"/auth/register", person("ADA@Example.COM", "another long one 8"), person("new2@example.com", "another long one 8")},
			{"/auth/register-with-organisation", person("ada@example.com", "another long one 8"), person("new3@example.com", "another long one 8")},
			{"/auth/login", `{"email":"ada@example.com","password":"not hers at all"}`, `{"email":"nobody@example.com","password":"not hers at all"}`},
			{"/auth/login", `{"email":"ada@example.com","password":"x"}`, `{"email":"not an address\u0001","password":"x"}`},
		} {
			before := w.Auth.HashCalls()
			known := w.Do("POST", c.path, "", c.known, identitytest.Header{Name: "X-Request-Id", Value: "same"})
			middle := w.Auth.HashCalls()
			unknown := w.Do("POST", c.path, "", c.unknown, identitytest.Header{Name: "X-Request-Id", Value: "same"})
			require.Equal(t, known.Status, unknown.Status, unknown.Raw)
			require.Equal(t, known.Raw, unknown.Raw)
			require.Equal(t, known.Header, unknown.Header)
			require.EqualValues(t, 1, middle-before, "one hash for a known address")
			require.EqualValues(t, 1, w.Auth.HashCalls()-middle, "one hash for an unknown address")
		}

		w.Login("ada@example.com") // nothing of hers was changed
		require.Zero(
			t,
			w.Count(
				"SELECT count(*) FROM members m JOIN users u ON u.id = m.user_id WHERE u.email_key = 'ada@example.com'",
			),
		)
	})
}

func TestRegisterOneAddressFiftyTimesAtOnce(t *testing.T) { // N-07
	each(t, func(t *testing.T, w *world) {
		for round, path := range []string{"/auth/register", "/auth/register-with-organisation"} {
			var wg sync.WaitGroup
			for i := range 50 {
				wg.Go(func() {
					email := fmt.Sprintf("ada%d@example.com", round)
					if i%2 == 1 {
						email = strings.ToUpper(email)
					}

					if a := w.Do("POST", path, "", person(email, identitytest.Password)); a.Status != 200 {
						t.Errorf("%d %s", a.Status, a.Raw)
					}
				})
			}

			wg.Wait()
			require.EqualValues(t, round+1, w.Count("SELECT count(*) FROM users"))
			require.EqualValues(t, round+1, w.Count("SELECT count(*) FROM passwords"))
			require.EqualValues(t, round, w.Count("SELECT count(*) FROM organisations"))
			w.Login(fmt.Sprintf("ada%d@example.com", round))
		}
	})
}

func TestRegisterWithOrganisationMakesAPendingOne(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.Do("POST", "/auth/register-with-organisation", "", person("ada@example.com", identitytest.Password)).OK(200)
		s := w.Login("ada@example.com")
		list := w.Do("GET", "/organisations/me", s.Access, "").OK(200).Results()
		require.Len(t, list, 1)
		require.Equal(t, "PENDING", list[0]["onboardingStatus"])
		me := list[0]["members"].([]any)[0].(map[string]any)
		require.Equal(t, "authorized", me["userType"])
		require.Equal(t, []any{"admin"}, me["roles"])
		o, ok := w.OnCreate(list[0]["_id"].(string))
		require.True(t, ok)
		require.Equal(t, "Ada Lovelace", o.Name)

		w.Refuse = errors.New("the self-receiver cannot be made")
		w.Do("POST", "/auth/register-with-organisation", "", person("eve@example.com", identitytest.Password)).Refused(
			500,
			"INTERNAL",
		)
		require.EqualValues(t, 1, w.Count("SELECT count(*) FROM users"), "all or nothing")
		require.EqualValues(t, 1, w.Count("SELECT count(*) FROM members"))
	})
}

func TestInvitationJoinsOnceAndOnlyItsAddress(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		admin := w.Someone("ada@example.com")
		org := w.Organisation(admin.Access)
		invite := func(email string) string {
			return w.Do(
				"POST",
				"/organisations/"+org+"/invitations",
				admin.Access,
				`{"email":"`+email+`","roles":["Initiator"]}`,
			).OK(201).Text("token")
		}
		join := func(email, token string) identitytest.Answer {
			return w.Do("POST", "/auth/register-with-organisation", "",
				strings.TrimSuffix(person(email, identitytest.Password), "}")+`,"invitationToken":"`+token+`"}`)
		}

		token := invite("Grace@example.com")
		for _, c := range []struct{ why, email, token string }{
			{"another address", "eve@example.com", token},
			{"an unknown token", "grace@example.com", token[:len(token)-1]},
			{"an access token", "grace@example.com", admin.Access},
			{"not a token", "grace@example.com", "x' OR 1=1 --"},
		} {
			join(c.email, c.token).Refused(422, "INVITATION_INVALID", "/invitationToken INVITATION_INVALID")
		}

		require.EqualValues(t, 1, w.Count("SELECT count(*) FROM users"))

		newer := invite("grace@example.com")
		join("grace@example.com", token).Refused(422, "INVITATION_INVALID") // the newer one ended it

		var wg sync.WaitGroup
		for range 20 {
			wg.Go(func() { join("GRACE@example.com", newer) })
		}

		wg.Wait()
		require.EqualValues(t, 2, w.Count("SELECT count(*) FROM members WHERE organisation = ?", org))
		join("grace@example.com", newer).Refused(422, "INVITATION_INVALID") // used
		grace := w.Login("grace@example.com")
		me := w.Do("GET", "/organisations/me", grace.Access, "").OK(200).Results()[0]["members"].([]any)[1].(map[string]any)
		require.Equal(t, "viewer", me["userType"], "never authorized by itself")
		require.Equal(t, []any{"initiator"}, me["roles"])

		late := invite("late@example.com")
		w.DB.Clock().Advance(14*24*time.Hour + time.Second)
		join("late@example.com", late).Refused(422, "INVITATION_INVALID")
		require.Zero(t, w.Count("SELECT count(*) FROM users WHERE email_key = 'late@example.com'"))
		require.Zero(t, w.Count("SELECT count(*) FROM invitations WHERE token_hash IN (?, ?, ?)", token, newer, late),
			"tokens are stored as hashes only")
	})
}
