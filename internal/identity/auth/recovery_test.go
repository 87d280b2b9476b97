package auth_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/identity/auth"
	"slipway/internal/identity/identitytest"
	"slipway/internal/platform/db/dbtest"
	"slipway/internal/platform/mail"
	"slipway/internal/platform/secret"
)

const fresh = "seven green lanterns 8"

func reset(token, password string) string {
	return fmt.Sprintf(`{"newPasswordToken":%q,"newPassword":%q}`, token, password)
}

func TestForgottenPasswordIsSetAnew(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		s := w.Someone(ada)
		w.Organisation(s.Access)
		k := newKey(w, s.Access, "")
		app, _ := w.SetUp(s.Access)
		w.Do(
			"POST",
			"/auth/forgot-password",
			"",
			`{"email":"ADA@example.com"}`,
			header("Host", "evil.example"),
			header("X-Forwarded-Host", "evil.example"),
		).OK(200)
		token := w.Link(ada, mail.Reset)
		require.True(t, secret.TokenForm("lk_", token), "256 bits")

		for _, m := range w.Mails(ada) {
			require.NotContains(t, m.Text+m.HTML, "evil.example")
		}

		require.Zero(t, w.Count("SELECT count(*) FROM link_tokens WHERE hash = ?", token), "only its hash is kept")
		require.NotContains(t, value(t, w, "SELECT payload FROM mails WHERE kind = 'reset'"), token)

		w.Do("POST", "/auth/reset-password", "", reset(token, "short")).Refused(
			422,
			"PASSWORD_WEAK",
			"/newPassword PASSWORD_WEAK",
		)
		w.Do("POST", "/auth/reset-password", "", reset(token, fresh)).OK(204)
		w.Do("POST", "/auth/reset-password", "", reset(token, fresh+"9")).Refused(410, "LINK_INVALID")
		w.Do("GET", "/users/me", s.Access, "").Refused(401, "TOKEN_INVALID")
		w.Do("POST", "/auth/login", "", login(ada)).Refused(401, "CREDENTIALS_INVALID")
		a := w.Do("POST", "/auth/login", "", `{"email":"`+ada+`","password":"`+fresh+`"}`).OK(200)
		require.Equal(t, true, a.Body["requires_2fa"], "a reset is no way around the second factor")
		s.Access = w.Do(
			"POST",
			"/auth/2fa/login",
			"",
			fmt.Sprintf(`{"tempToken":%q,"code":%q}`, a.Text("tempToken"), app.Code()),
		).OK(200).Text("access_token")
		require.Equal(t, true, w.Do("GET", "/users/me", s.Access, "").OK(200).Body["isEmailConfirmed"])
		changed := w.Mails(ada)[0]
		require.Equal(t, string(mail.PasswordChanged), changed.Kind)
		require.Contains(t, changed.Text, "API clients that still work: "+k.id)
		k.tokens(w)
	})
}

func TestResetLinksAreOneAtATimeAndEnd(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.Someone(ada)

		ask := func() string {
			w.Do("POST", "/auth/forgot-password", "", `{"email":"`+ada+`"}`).OK(200)
			return w.Link(ada, mail.Reset)
		}

		first := ask()
		second := ask()
		w.Do("POST", "/auth/reset-password", "", reset(first, fresh)).Refused(410, "LINK_INVALID")
		w.DB.Clock().Advance(auth.ResetLifetime)
		w.Do("POST", "/auth/reset-password", "", reset(second, fresh)).Refused(410, "LINK_INVALID")
		third := ask()
		s := w.Login(ada)
		w.Do(
			"POST",
			"/auth/change-password",
			s.Access,
			`{"oldPassword":"`+identitytest.Password+`","newPassword":"`+fresh+`"}`,
		).OK(200)
		w.Do("POST", "/auth/reset-password", "", reset(third, fresh)).Refused(410, "LINK_INVALID")

		confirm := w.Link(ada, mail.Confirm)
		for _, other := range []string{confirm, secret.Token("lk_"), strings.Replace(third, "lk_", "rt_", 1), s.Refresh, "x", strings.Repeat("x", 200)} {
			w.Do("POST", "/auth/reset-password", "", reset(other, fresh)).Refused(410, "LINK_INVALID")
		}

		fourth := ask()
		w.Exec("UPDATE users SET is_active = FALSE")
		w.Do("POST", "/auth/reset-password", "", reset(fourth, fresh)).Refused(403, "ACCOUNT_INACTIVE")
		before := len(w.Mails(ada))
		w.Do("POST", "/auth/forgot-password", "", `{"email":"`+ada+`"}`).OK(200)
		require.Len(t, w.Mails(ada), before)
	})
}

func TestALinkIsUsedOnceWhoeverIsFirst(t *testing.T) { // N-06
	each(t, func(t *testing.T, w *world) {
		w.Register(ada)
		w.Do("POST", "/auth/forgot-password", "", `{"email":"`+ada+`"}`).OK(200)

		for path, body := range map[string]string{
			"/auth/reset-password":  reset(w.Link(ada, mail.Reset), fresh),
			"/auth/confirm-account": `{"token":"` + w.Link(ada, mail.Confirm) + `"}`,
		} {
			var (
				ok atomic.Int64
				wg sync.WaitGroup
			)
			for range 30 {
				wg.Go(func() {
					a := w.Do("POST", path, "", body)
					for a.Status == 503 { // one network has half of the places that wait for a hash
						a = w.Do("POST", path, "", body)
					}

					switch a.Status {
					case 200, 204:
						ok.Add(1)
					case 410:
					default:
						t.Errorf("%s: %d %s", path, a.Status, a.Raw)
					}
				})
			}

			wg.Wait()
			require.EqualValues(t, 1, ok.Load(), path)
		}
	})
}

func TestForgottenPasswordsTellNothing(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.Register(ada)
		w.RunJobs()

		same := header("X-Request-Id", "same")
		for _, c := range []struct{ path, known, unknown string }{
			{"/auth/forgot-password", `{"email":"` + ada + `"}`, `{"email":"nobody@example.com"}`},
			{"/auth/register", person(ada, fresh), person("new@example.com", fresh)},
			{"/auth/reset-password", reset(secret.Token("lk_"), fresh), reset(secret.Token("lk_"), fresh)},
			{"/auth/confirm-account", `{"token":"` + secret.Token("lk_") + `"}`, `{"token":"lk_x"}`},
			{"/auth/token", `{"clientId":"ak_1","secret":"x"}`, `{"clientId":"` + ada + `","secret":"x"}`},
		} {
			jobs := w.Count("SELECT count(*) FROM jobs")
			hashes := w.Auth.HashCalls()
			known := w.Do("POST", c.path, "", c.known, same)
			jobsKnown := w.Count("SELECT count(*) FROM jobs") - jobs
			hashesKnown := w.Auth.HashCalls() - hashes
			jobs = w.Count("SELECT count(*) FROM jobs")
			hashes = w.Auth.HashCalls()
			unknown := w.Do("POST", c.path, "", c.unknown, same)

			require.Equal(t, []any{known.Status, known.Raw, known.Header},
				[]any{unknown.Status, unknown.Raw, unknown.Header}, c.path)

			require.Equal(
				t,
				[]int64{jobsKnown, hashesKnown},
				[]int64{w.Count("SELECT count(*) FROM jobs") - jobs, w.Auth.HashCalls() - hashes},
				"%s: the work differs",
				c.path,
			)
		}

		require.Equal(t, string(mail.AccountExists), w.Mails(ada)[1].Kind)
		require.Empty(t, w.Mails("nobody@example.com"))
	})
}

func TestAddressIsConfirmedByItsMail(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		s := w.Someone(ada)
		require.Equal(t, false, w.Do("GET", "/users/me", s.Access, "").OK(200).Body["isEmailConfirmed"])

		token := w.Link(ada, mail.Confirm)
		a := w.Do("POST", "/auth/confirm-account", "", `{"token":"`+token+`"}`).OK(200)
		require.Equal(t, []any{ada, true}, []any{a.Body["email"], a.Body["isEmailConfirmed"]})

		w.Do("POST", "/auth/confirm-account", "", `{"token":"`+token+`"}`).Refused(410, "LINK_INVALID")
		w.Register("grace@example.com")
		late := w.Link("grace@example.com", mail.Confirm)
		w.DB.Clock().Advance(auth.ConfirmLifetime)
		w.Do("POST", "/auth/confirm-account", "", `{"token":"`+late+`"}`).Refused(410, "LINK_INVALID")
	})
}

func TestNobodySignsInUnconfirmedWhereThatIsAsked(t *testing.T) {
	w := identitytest.NewWith(t, dbtest.SQLite(t), func(c *auth.Config) {
		c.MustConfirm = true
		c.Limits.Mails = auth.DefaultLimits().Mails
	})
	w.Register(ada)
	w.Do("POST", "/auth/login", "", `{"email":"`+ada+`","password":"not hers at all"}`).Refused(
		401,
		"CREDENTIALS_INVALID",
	)

	for range 10 {
		w.Do("POST", "/auth/login", "", login(ada)).Refused(403, "EMAIL_UNCONFIRMED")
	}

	require.Len(t, w.Mails(ada), 3, "reminded, and not without end")
	w.Do("POST", "/auth/confirm-account", "", `{"token":"`+w.Link(ada, mail.Confirm)+`"}`).OK(200)
	w.Login(ada)
}

func TestAddressChangesWhenBothSidesConfirm(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		const next = "ada@lovelace.example"
		s := w.Someone(ada)
		w.Register("grace@example.com")
		ask := func(email, password string) identitytest.Answer {
			return w.Do("POST", "/auth/change-email", s.Access,
				fmt.Sprintf(`{"newEmail":%q,"password":%q}`, email, password))
		}
		ask(next, "wrong").Refused(422, "CREDENTIALS_INVALID", "/password CREDENTIALS_INVALID")
		ask("ADA@example.com", identitytest.Password).Refused(422, "NOT_ALLOWED", "/newEmail NOT_ALLOWED")
		ask(next, identitytest.Password).OK(200)
		w.Do("POST", "/auth/forgot-password", "", `{"email":"`+ada+`"}`).OK(200)
		forgotten := w.Link(ada, mail.Reset)
		before := w.Link(next, mail.EmailChange)
		ask(next, identitytest.Password).OK(200)
		// of the earlier wish
		w.Do("POST", "/auth/confirm-account", "", `{"token":"`+before+`"}`).Refused(410, "LINK_INVALID")

		for i, to := range []string{next, ada} {
			a := w.Do("POST", "/auth/confirm-account", "", `{"token":"`+w.Link(to, mail.EmailChange)+`"}`).OK(200)
			require.Equal(t, []string{ada, next}[i], a.Text("email"))
		}

		w.Do("POST", "/auth/reset-password", "", reset(forgotten, fresh)).Refused(410, "LINK_INVALID")
		w.Do("POST", "/auth/login", "", login(ada)).Refused(401, "CREDENTIALS_INVALID")
		s = w.Login(next)

		ask("grace@example.com", identitytest.Password).OK(200) // not told that it is taken
		w.Do("POST", "/auth/confirm-account", "", `{"token":"`+w.Link(next, mail.EmailChange)+`"}`).OK(200)
		w.Do(
			"POST",
			"/auth/confirm-account",
			"",
			`{"token":"`+w.Link("grace@example.com", mail.EmailChange)+`"}`,
		).Refused(409, "EMAIL_TAKEN")
		require.Equal(t, next, w.Do("GET", "/users/me", s.Access, "").OK(200).Text("email"))
		w.Do("PATCH", "/users/me", s.Access, `{"email":"x@y.ch"}`).Refused(422, "READ_ONLY")
	})
}

func TestPasswordsAreComparedInOneForm(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		typed := "Zürich ﬁsh and ½ tea"
		elsewhere := "Zu\u0308rich fish and 1\u20442 tea" // composed and not, ligature, fraction
		w.Do("POST", "/auth/register", "", person(ada, typed)).OK(200)
		w.Do("POST", "/auth/login", "", fmt.Sprintf(`{"email":%q,"password":%q}`, ada, elsewhere)).OK(200)

		w.Do(
			"POST",
			"/auth/login",
			"",
			fmt.Sprintf(`{"email":%q,"password":%q}`, ada, strings.ToLower(elsewhere)),
		).Refused(401, "CREDENTIALS_INVALID")
	})
}

// A password is no name: nothing is taken out of it.
func TestPasswordsStayAsTheyWereWritten(t *testing.T) {
	w := identitytest.New(t, dbtest.SQLite(t))
	written := "two  blanks, \u200d and \u00ad what nobody sees"
	w.Do("POST", "/auth/register", "", person(ada, written)).OK(200)

	for _, other := range []string{
		strings.ReplaceAll(written, "  ", " "), strings.ReplaceAll(written, "\u200d", ""), strings.ReplaceAll(written, "\u00ad", ""),
	} {
		w.Do("POST", "/auth/login", "", fmt.Sprintf(`{"email":%q,"password":%q}`, ada, other)).
			Refused(401, "CREDENTIALS_INVALID")
	}

	w.Do("POST", "/auth/login", "", fmt.Sprintf(`{"email":%q,"password":%q}`, ada, written)).OK(200)

	files, err := filepath.Glob("http*.go")
	require.NoError(t, err)

	fields := 0
	for _, name := range files { // each operation that takes one says so
		text, err := os.ReadFile(name)
		require.NoError(t, err)

		for _, tag := range regexp.MustCompile("`json:\"(password|[a-z]+Password)[\",][^`]*`").FindAllString(string(text), -1) {
			fields++

			require.Contains(t, tag, `verbatim:"true"`, name)
		}
	}

	require.GreaterOrEqual(t, fields, 11)
}

func TestGuessablePasswordsAreRefused(t *testing.T) {
	w := identitytest.New(t, dbtest.SQLite(t))
	for _, weak := range []string{
		"passwordpassword", "Password12345678", "P@ssw0rd!!!!!!!!", "qwertyuiopasdfghjkl", "lkjhgfdsapoiuytrewq", "1234567890123456", "0987654321098765", "welcomehome2026!",
		"iloveyouforever!", "!!!Administrator!!!", "correcthorsebatterystaple", "Correct Horse Battery Staple", "summersummersummer", "Summer-Winter-2026", "1qaz2wsx3edc4rfv5tgb", "abcdefghijklmnop",
		"bitcoinwallet123", "m0nkeydragon1234", "aaaaaaaaaaaaaaaaaaaa", "abcabcabcabcabcabc", "letmeinletmein99", "slipwaypassword1", "14 characters.",
	} {
		w.Do("POST", "/auth/register", "", person("a@b.ch", weak)).Refused(
			422,
			"PASSWORD_WEAK",
			"/password PASSWORD_WEAK",
		)
	}

	for i, good := range []string{identitytest.Password, fresh, "correct horse battery", "sandbox password 1", "long enough 1234", "xk7 qpl2 vvmz 9wd", "Straße nach Zürich 7", strings.Repeat("ab c", 255) + "ab d"} {
		w.Do("POST", "/auth/register", "", person(fmt.Sprintf("good%d@b.ch", i), good)).OK(200)
	}

	require.EqualValues(t, 8, w.Count("SELECT count(*) FROM users"))
}

func TestNewPasswordsAreToldByMail(t *testing.T) {
	w := identitytest.New(t, dbtest.SQLite(t))
	s := w.Someone(ada)
	w.DB.Clock().Advance(time.Minute)

	w.Do(
		"POST",
		"/auth/change-password",
		s.Access,
		`{"oldPassword":"`+identitytest.Password+`","newPassword":"`+fresh+`"}`,
		header("Source", "203.0.113.9"),
	).OK(200)

	m := w.Mails(ada)[0]
	require.Equal(t, string(mail.PasswordChanged), m.Kind)
	require.Contains(t, m.Text, "203.0.113.9")
	require.NotContains(t, m.Text, fresh)
}

// Mails are in the language of the browser that signed in last; a program that wishes none changes nothing.
func TestMailsSpeakTheLanguageOfTheLastSignIn(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.Register(ada)

		signIn := func(wish ...identitytest.Header) {
			w.Do(
				"POST",
				"/auth/login",
				"",
				`{"email":"`+ada+`","password":"`+identitytest.Password+`"}`,
				wish...).OK(
				200,
			)
		}
		subject := func() string {
			w.Do("POST", "/auth/forgot-password", "", `{"email":"`+ada+`"}`).OK(200)
			return w.Mails(ada)[0].Subject
		}

		require.Equal(t, "Set a new password", subject())
		signIn(header("Accept-Language", "de-CH,de;q=0.9"))
		require.Equal(t, "Neues Passwort festlegen", subject())
		signIn()
		signIn(header("Accept-Language", "*"))
		signIn(header("Accept-Language", "ja"))
		require.Equal(t, "Neues Passwort festlegen", subject())
		signIn(header("Accept-Language", "fr"))
		require.Equal(t, "Définir un nouveau mot de passe", subject())
	})
}
