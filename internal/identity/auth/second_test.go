package auth_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"image/png"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/identity/auth"
	"slipway/internal/identity/identitytest"
	"slipway/internal/identity/twofactor"
	"slipway/internal/identity/user"
	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
	"slipway/internal/platform/mail"
	"slipway/internal/platform/secret"
)

const ada = "ada@example.com"

func code(c string) string { return `{"code":"` + c + `"}` }

func TestSecondFactorIsSetUpAndAskedFor(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		s := w.Someone(ada)
		other := w.Login(ada)
		generated := w.Do("POST", "/auth/2fa/generate", s.Access, identitytest.WithPassword("")).OK(200)
		require.Contains(
			t,
			generated.Text("otpauthUrl"),
			"otpauth://totp/Slipway:ada@example.com?secret="+generated.Text("secret")+"&issuer=Slipway",
		)
		encoded, ok := strings.CutPrefix(generated.Text("qrCodeDataUrl"), "data:image/png;base64,")
		require.True(t, ok)
		picture, err := png.DecodeConfig(base64.NewDecoder(base64.StdEncoding, strings.NewReader(encoded)))
		require.NoError(t, err)
		require.Equal(t, 256, picture.Width)

		app := w.AppOf(generated)
		w.Do("POST", "/auth/2fa/verify", s.Access, code("000000")).Refused(403, "TWO_FACTOR_CODE_INVALID")
		require.Contains(t, w.Do("POST", "/auth/login", "", login(ada)).OK(200).Raw, "access_token",
			"not in use before it is verified")
		a := w.Do("POST", "/auth/2fa/verify", s.Access, code(app.Code())).OK(200)
		require.Equal(t, true, a.Body["enabled"])
		require.Len(t, a.Body["recoveryCodes"], 10)

		for _, c := range a.Body["recoveryCodes"].([]any) {
			require.Regexp(t, `^[0-9a-hjkmnp-tv-z]{4}-[0-9a-hjkmnp-tv-z]{4}$`, c)
		}

		w.Do("GET", "/users/me", other.Access, "").Refused(401, "TOKEN_INVALID")
		require.Equal(t, true, w.Do("GET", "/users/me", s.Access, "").OK(200).Body["twoFactorEnabled"])
		require.Contains(t, w.Mails(ada)[0].Text, "two-factor sign-in was set up")

		a = w.Do("POST", "/auth/login", "", login(ada)).OK(200)
		require.Equal(t, map[string]any{
			"requires_2fa_setup": false,
			"requires_2fa":       true,
			"tempToken":          a.Text("tempToken"),
			"access_token":       "",
			"refresh_token":      "",
		}, a.Body, "no tokens")

		temp := a.Text("tempToken")
		for _, path := range []string{"/users/me", "/organisations/me", "/auth/sessions"} {
			w.Do("GET", path, temp, "").Refused(401, "TOKEN_INVALID")
		}

		for _, path := range []string{"/auth/refresh", "/auth/logout"} {
			w.Do("POST", path, temp, "").Refused(401, "TOKEN_INVALID")
		}

		for _, path := range []string{"/auth/2fa/generate", "/auth/2fa/step-up"} {
			w.Do("POST", path, temp, code("1")).Refused(401, "TOKEN_INVALID")
		}

		a = w.Do("POST", "/auth/2fa/login", "", fmt.Sprintf(`{"tempToken":%q,"code":%q}`, temp, app.Code())).OK(200)
		require.Equal(t, false, a.Body["requires_2fa_setup"])
		w.Do("GET", "/users/me", a.Text("access_token"), "").OK(200)
		w.Do("POST", "/auth/refresh", a.Text("refresh_token"), "").OK(200)
		w.Do("POST", "/auth/2fa/login", "", fmt.Sprintf(`{"tempToken":%q,"code":%q}`, temp, app.Code())).Refused(
			401,
			"TOKEN_INVALID",
		)
		w.Do("POST", "/auth/2fa/login", "", fmt.Sprintf(`{"tempToken":%q,"code":"1"}`, s.Access)).Refused(
			401,
			"TOKEN_INVALID",
		)
	})
}

func login(email string) string {
	return `{"email":"` + email + `","password":"` + identitytest.Password + `"}`
}

// Apps show a code in two groups, and whoever copies it takes a blank along.
func TestCodesAreReadAsAppsShowThem(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		s := w.Someone(ada)
		app := w.AppOf(w.Do("POST", "/auth/2fa/generate", s.Access, identitytest.WithPassword("")).OK(200))

		grouped := func(gap string) string {
			c := app.Code()
			return c[:3] + gap + c[3:]
		}

		w.Do("POST", "/auth/2fa/verify", s.Access, code(grouped(" "))).OK(200)

		for _, gap := range []string{" ", "-", "\u00a0", "\u2009", "\u200b", "\u2011"} {
			w.LoginWith(ada, grouped(gap)+" ")
			w.Do("POST", "/auth/2fa/step-up", s.Access, code(" "+grouped(gap))).OK(200)
		}

		require.Equal(t, int64(0), failures(t, w), "none of them counts as wrong")
		w.Do("POST", "/auth/2fa/step-up", s.Access, code("000 000")).Refused(403, "TWO_FACTOR_CODE_INVALID")
		w.Do("POST", "/auth/2fa/disable", s.Access, code(grouped("-"))).OK(200)
	})
}

func failures(t *testing.T, w *world) int64 {
	t.Helper()
	n, err := db.Value[int64](t.Context(), w.DB, "SELECT failures FROM two_factors")
	require.NoError(t, err)

	return n
}

func TestTempTokenEnds(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		app, _ := w.SetUp(w.Someone(ada).Access)
		attempt := func(temp, c string) identitytest.Answer {
			return w.Do("POST", "/auth/2fa/login", "", fmt.Sprintf(`{"tempToken":%q,"code":%q}`, temp, c))
		}
		late := w.Temp(ada)
		w.DB.Clock().Advance(auth.ChallengeLifetime)
		attempt(late, app.Code()).Refused(401, "TOKEN_INVALID")

		changed := w.Temp(ada)
		w.Exec("UPDATE passwords SET version = version + 1")
		attempt(changed, app.Code()).Refused(401, "TOKEN_INVALID")

		burnt := w.Temp(ada)
		for range 5 {
			attempt(burnt, "000000").Refused(403, "TWO_FACTOR_CODE_INVALID")
		}

		attempt(burnt, app.Code()).Refused(401, "TOKEN_INVALID")
		w.Exec("UPDATE two_factors SET failures = 0, blocked_until = 0")

		off := w.Temp(ada)
		w.Exec("UPDATE users SET is_active = FALSE")
		attempt(off, app.Code()).Refused(403, "ACCOUNT_INACTIVE")
	})
}

func TestGuessingCodesIsSlowAndLocksNobodyOut(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		app, recovery := w.SetUp(w.Someone(ada).Access)
		guesses := 0

		day := w.DB.Now().Add(24 * time.Hour)
		for w.DB.Now().Before(day) {
			a := w.Do("POST", "/auth/2fa/login", "", fmt.Sprintf(`{"tempToken":%q,"code":"000000"}`, w.Temp(ada)))
			if a.Status == 429 {
				require.Equal(t, "TOO_MANY_ATTEMPTS", a.Body["code"])
				require.NotEmpty(t, a.Header.Get("Retry-After"))
				w.DB.Clock().Advance(time.Minute)

				continue
			}

			a.Refused(403, "TWO_FACTOR_CODE_INVALID")
			guesses++
			require.Less(t, guesses, 110, "guesses in a day")
		}

		w.Do("POST", "/auth/2fa/login", "", fmt.Sprintf(`{"tempToken":%q,"code":"000000"}`, w.Temp(ada)))
		w.Do("POST", "/auth/2fa/login", "", fmt.Sprintf(`{"tempToken":%q,"code":%q}`, w.Temp(ada), app.Code())).Refused(
			429,
			"TOO_MANY_ATTEMPTS",
		)
		w.LoginWith(ada, strings.ToUpper(recovery[3])) // the owner is let in meanwhile
		w.LoginWith(ada, app.Code())                   // and the count begins anew
		w.Do(
			"POST",
			"/auth/2fa/login",
			"",
			fmt.Sprintf(`{"tempToken":%q,"code":%q}`, w.Temp(ada), recovery[3]),
		).Refused(403, "TWO_FACTOR_CODE_INVALID")
		w.LoginWith(ada, strings.ReplaceAll(recovery[4], "-", " "))
	})
}

func TestEachStepWorksOnce(t *testing.T) { // A-06, N-06
	each(t, func(t *testing.T, w *world) {
		s := w.Someone(ada)
		app, recovery := w.SetUp(s.Access)
		w.DB.Clock().Advance(time.Minute)

		for _, c := range []string{app.Code(), recovery[0]} {
			var temps []string
			for range 50 {
				temps = append(temps, w.Temp(ada))
			}

			var (
				ok atomic.Int64
				wg sync.WaitGroup
			)
			for _, temp := range temps {
				wg.Go(func() {
					a := w.Do("POST", "/auth/2fa/login", "", fmt.Sprintf(`{"tempToken":%q,"code":%q}`, temp, c))

					switch a.Status {
					case 200:
						ok.Add(1)
					case 403, 429:
					default:
						t.Errorf("%d %s", a.Status, a.Raw)
					}
				})
			}

			wg.Wait()
			require.EqualValues(t, 1, ok.Load(), "logins with one code")
			w.Exec("UPDATE two_factors SET failures = 0, blocked_until = 0")
		}

		w.DB.Clock().Advance(5 * time.Minute)
		now := app.CodeAt(0)
		w.LoginWith(ada, now)

		for _, steps := range []int64{0, -1, -2, 2} { // used, older than the one used, too far off
			w.Do(
				"POST",
				"/auth/2fa/login",
				"",
				fmt.Sprintf(`{"tempToken":%q,"code":%q}`, w.Temp(ada), app.CodeAt(steps)),
			).Refused(403, "TWO_FACTOR_CODE_INVALID")
		}

		w.Exec("UPDATE two_factors SET failures = 0, blocked_until = 0")
		w.LoginWith(ada, app.CodeAt(1))
	})
}

func TestActiveSecretIsReplacedOnlyWhenVerified(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		s := w.Someone(ada)
		w.Do("POST", "/auth/2fa/verify", s.Access, code("000000")).Refused(409, "TWO_FACTOR_NOT_GENERATED")
		first, recovery := w.SetUp(s.Access)
		w.DB.Clock().Advance(11 * time.Minute)
		w.Do("POST", "/auth/2fa/generate", s.Access, "").Refused(403, "STEP_UP_REQUIRED")
		w.Do("POST", "/auth/2fa/generate", s.Access, "", header("X-2FA-Code", "000000")).Refused(
			403,
			"TWO_FACTOR_CODE_INVALID",
		)
		second := w.AppOf(w.Do("POST", "/auth/2fa/generate", s.Access, "", header("X-2FA-Code", first.Code())).OK(200))
		w.LoginWith(ada, first.Code())
		w.Do(
			"POST",
			"/auth/2fa/login",
			"",
			fmt.Sprintf(`{"tempToken":%q,"code":%q}`, w.Temp(ada), second.Code()),
		).Refused(403, "TWO_FACTOR_CODE_INVALID")
		w.Do("POST", "/auth/2fa/verify", s.Access, code(first.Code())).Refused(403, "TWO_FACTOR_CODE_INVALID")
		w.Do("POST", "/auth/2fa/verify", s.Access, code(second.Code())).OK(200)
		w.LoginWith(ada, second.Code())

		for _, old := range []string{first.Code(), recovery[0]} {
			w.Do("POST", "/auth/2fa/login", "", fmt.Sprintf(`{"tempToken":%q,"code":%q}`, w.Temp(ada), old)).Refused(
				403,
				"TWO_FACTOR_CODE_INVALID",
			)
		}

		s = w.LoginWith(ada, second.Code())
		w.Do("POST", "/auth/2fa/generate", s.Access, identitytest.WithPassword("")).OK(200)
		w.DB.Clock().Advance(twofactor.PendingLifetime)
		s = w.LoginWith(ada, second.Code())
		w.Do("POST", "/auth/2fa/verify", s.Access, code("000000")).Refused(409, "TWO_FACTOR_NOT_GENERATED")
	})
}

func header(name, value string) identitytest.Header {
	return identitytest.Header{Name: name, Value: value}
}

func TestDisableNeedsACode(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		s := w.Someone(ada)
		w.Do("POST", "/auth/2fa/disable", s.Access, code("000000")).Refused(409, "TWO_FACTOR_NOT_ENABLED")
		app, recovery := w.SetUp(s.Access)
		other := w.LoginWith(ada, app.Code())
		w.Do("POST", "/auth/2fa/disable", s.Access, code("000000")).Refused(403, "TWO_FACTOR_CODE_INVALID")
		w.Exec("UPDATE users SET two_factor_required = TRUE")
		w.Do("POST", "/auth/2fa/disable", s.Access, code(app.Code())).Refused(403, "TWO_FACTOR_REQUIRED")
		w.Exec("UPDATE users SET two_factor_required = FALSE")

		short := "kq7 hb2z" // good beside a second factor only
		w.Do(
			"POST",
			"/auth/change-password",
			s.Access,
			`{"oldPassword":"`+identitytest.Password+`","newPassword":"kq7hb2z"}`,
		).Refused(422, "PASSWORD_WEAK", "/newPassword PASSWORD_WEAK")
		w.Do(
			"POST",
			"/auth/change-password",
			s.Access,
			`{"oldPassword":"`+identitytest.Password+`","newPassword":"`+short+`"}`,
		).OK(200)
		w.Do("POST", "/auth/2fa/disable", s.Access, code(app.Code())).Refused(409, "PASSWORD_TOO_SHORT_ALONE")
		w.Do(
			"POST",
			"/auth/change-password",
			s.Access,
			`{"oldPassword":"`+short+`","newPassword":"`+identitytest.Password+`"}`,
		).OK(200)

		require.Equal(t, false, w.Do("POST", "/auth/2fa/disable", s.Access, code(recovery[9])).OK(200).Body["enabled"])
		w.Do("GET", "/users/me", s.Access, "").OK(200)
		w.Do("GET", "/users/me", other.Access, "").Refused(401, "TOKEN_INVALID")
		w.Login(ada)
		require.Equal(t, "", value(t, w, "SELECT secret || pending || recovery FROM two_factors"))
		require.Contains(t, w.Mails(ada)[0].Text, "switched off")
		w.SetUp(s.Access) // and on again
	})
}

func value(t *testing.T, w *world, query string) string {
	t.Helper()
	s, err := db.Value[string](context.Background(), w.DB, query)
	require.NoError(t, err)

	return s
}

func TestWhoMustHaveASecondFactorIsHeldToItsSetUp(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		s := w.Someone(ada)
		w.Organisation(s.Access)
		require.NoError(t, w.DB.Write(context.Background(), func(tx *db.Tx) error {
			_, err := user.RequireTwoFactor(context.Background(), tx, ada, true)
			return err
		}))
		w.DB.Clock().Advance(auth.CacheLifetime)
		w.Do("GET", "/users/me", s.Access, "").Refused(403, "TWO_FACTOR_SETUP_REQUIRED")
		a := w.Do("POST", "/auth/login", "", login(ada)).OK(200)
		require.Equal(t, true, a.Body["requires_2fa_setup"])
		require.Equal(t, true,
			w.Do("POST", "/auth/refresh", a.Text("refresh_token"), "").OK(200).Body["requires_2fa_setup"])

		token := a.Text("access_token")
		for _, call := range [][2]string{
			{"GET", "/users/me"},
			{"GET", "/organisations/me"},
			{"POST", "/auth/api-key"},
			{"POST", "/auth/2fa/disable"},
			{"GET", "/auth/sessions"},
		} {
			w.Do(call[0], call[1], token, "").Refused(403, "TWO_FACTOR_SETUP_REQUIRED")
		}

		app, _ := w.SetUp(token)
		w.Do("GET", "/users/me", token, "").OK(200)
		s = w.LoginWith(ada, app.Code())
		w.Do("GET", "/users/me", s.Access, "").OK(200)
		require.Equal(t, false, w.Do("POST", "/auth/refresh", s.Refresh, "").OK(200).Body["requires_2fa_setup"])
	})
}

func TestStepUp(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		s := w.Someone(ada)
		w.Organisation(s.Access)
		// nobody is asked for what he does not have
		w.Do("POST", "/auth/api-key", s.Access, identitytest.WithPassword("")).OK(200)
		w.Do("POST", "/auth/2fa/step-up", s.Access, code("000000")).Refused(409, "TWO_FACTOR_NOT_ENABLED")
		app, _ := w.SetUp(s.Access)
		w.Do("POST", "/auth/api-key", s.Access, identitytest.WithPassword("")).OK(200)
		w.DB.Clock().Advance(11 * time.Minute)
		w.Do("POST", "/auth/api-key", s.Access, "").Refused(403, "STEP_UP_REQUIRED")
		other := w.LoginWith(ada, app.Code())
		w.Do("POST", "/auth/api-key", s.Access, "").Refused(403, "STEP_UP_REQUIRED") // a proof is of its session
		w.Do("POST", "/auth/api-key", other.Access, identitytest.WithPassword("")).OK(200)

		w.Do("POST", "/auth/api-key", s.Access, "", header("X-2FA-Code", "000000")).Refused(
			403,
			"TWO_FACTOR_CODE_INVALID",
		)

		w.Do("POST", "/auth/api-key", s.Access, identitytest.WithPassword(""), header("X-2FA-Code", app.Code())).OK(200)
		// the header opens what follows too
		w.Do("POST", "/auth/api-key", s.Access, identitytest.WithPassword("")).OK(200)
		a := w.Do("POST", "/auth/refresh", s.Refresh, "").OK(200)
		s = identitytest.Session{Access: a.Text("access_token"), Refresh: a.Text("refresh_token")}
		w.DB.Clock().Advance(5 * time.Minute)

		until, err := time.Parse(time.RFC3339,
			w.Do("POST", "/auth/2fa/step-up", s.Access, code(app.Code())).OK(200).Text("validUntil"))

		require.NoError(t, err)
		require.WithinDuration(t, w.DB.Now().Add(10*time.Minute), until, time.Minute)

		w.DB.Clock().Advance(9 * time.Minute)
		w.Do("POST", "/auth/api-key", s.Access, identitytest.WithPassword("")).OK(200)
		fresh := w.Do("POST", "/auth/refresh", s.Refresh, "").OK(200)
		w.Do("POST", "/auth/api-key", fresh.Text("access_token"), identitytest.WithPassword("")).OK(200)
		w.DB.Clock().Advance(2 * time.Minute)
		w.Do("POST", "/auth/api-key", fresh.Text("access_token"), "").Refused(403, "STEP_UP_REQUIRED")
	})
}

func TestSecretsLieSealedAndRotate(t *testing.T) { // C-02
	each(t, func(t *testing.T, w *world) {
		s := w.Someone(ada)
		generated := w.Do("POST", "/auth/2fa/generate", s.Access, identitytest.WithPassword("")).OK(200)
		app := w.AppOf(generated)
		a := w.Do("POST", "/auth/2fa/verify", s.Access, code(app.Code())).OK(200)
		recovery := a.Body["recoveryCodes"].([]any)[0].(string)
		stored := value(t, w, "SELECT secret || recovery || pending FROM two_factors")
		require.NotContains(t, stored, generated.Text("secret"))
		require.NotContains(t, stored, recovery)
		require.Equal(t, "test", value(t, w, "SELECT key_id FROM two_factors"))

		fresh := secret.NewKey("fresh")
		both := identitytest.WithKeyInFront(t, w, fresh)
		n, err := both.Rotate(context.Background(), 10)
		require.NoError(t, err)
		require.Equal(t, 1, n)
		require.Equal(t, "fresh", value(t, w, "SELECT key_id FROM two_factors"))
		n, err = both.Rotate(context.Background(), 10)
		require.NoError(t, err)
		require.Zero(t, n)
		only, err := secret.ParseKeyring(fresh)
		require.NoError(t, err)
		require.NoError(t, w.DB.Write(context.Background(), func(tx *db.Tx) error {
			refused, err := twofactor.New(w.DB, only).Check(context.Background(), tx,
				value(t, w, "SELECT user_id FROM two_factors"), app.Code())
			require.NoError(t, refused)

			return err
		}))
	})
}

func TestSessionsAreListedAndEnded(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		first := w.Someone(ada)
		second := w.Login(ada)
		stranger := w.Someone("eve@example.com")
		list := w.Do("GET", "/auth/sessions", first.Access, "").OK(200).Results()
		require.Len(t, list, 2)
		require.Equal(t, []any{false, true}, []any{list[0]["current"], list[1]["current"]})

		id := list[0]["_id"].(string)
		w.Do("DELETE", "/auth/sessions/"+id, stranger.Access, "").Refused(404, "NOT_FOUND")
		w.Do("DELETE", "/auth/sessions/"+id, first.Access, "").OK(204)
		w.Do("GET", "/users/me", second.Access, "").Refused(401, "TOKEN_INVALID")
		w.Do("POST", "/auth/refresh", second.Refresh, "").Refused(401, "TOKEN_INVALID")
		w.Do("DELETE", "/auth/sessions/"+id, first.Access, "").Refused(404, "NOT_FOUND")
		w.Do("GET", "/users/me", first.Access, "").OK(200)
	})
}

func TestReuseOfARefreshTokenIsToldByMail(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		s := w.Someone(ada)
		w.Do("POST", "/auth/refresh", s.Refresh, "").OK(200)
		w.DB.Clock().Advance(time.Minute)

		w.Do("POST", "/auth/refresh", s.Refresh, "", header("Source", "203.0.113.9")).Refused(
			401,
			"REFRESH_TOKEN_REUSED",
		)

		m := w.Mails(ada)[0]
		require.Equal(t, string(mail.RefreshReuse), m.Kind)
		require.Contains(t, m.Text, "203.0.113.9")
		require.NotContains(t, m.Text, s.Refresh)
	})
}

// The published attacks on signed tokens open nothing: ours are no signed tokens.
func TestPublishedTokenAttacksAreRefused(t *testing.T) {
	raw, err := os.ReadFile(filepath.Join(os.Getenv("SLIPWAY_FIXTURES"), "auth_crypto", "jwt", "attack_tokens.json"))
	if err != nil {
		t.Skip("the published attacks are not on this machine (SLIPWAY_FIXTURES)")
	}

	var attacks []struct{ Name, Token string }
	require.NoError(t, json.Unmarshal(raw, &attacks))
	require.NotEmpty(t, attacks)

	w := identitytest.New(t, dbtest.SQLite(t))
	for _, a := range attacks {
		for _, call := range [][2]string{{"GET", "/users/me"}, {"POST", "/auth/refresh"}, {"POST", "/auth/logout"}} {
			got := w.Do(call[0], call[1], a.Token, "")
			require.Equal(t, http.StatusUnauthorized, got.Status, "%s: %s", a.Name, got.Raw)
		}
	}
}

// The write of a sign-in may run again, on what another one has changed meanwhile: a second factor that has gone in
// between leaves no sign-in without tokens, and one that has come no challenge without its token. PostgreSQL alone lets
// another write in between.
func TestSecondFactorChangesWhileTheSignInRunsAgain(t *testing.T) {
	ctx := context.Background()
	url := dbtest.PostgresURL(t)
	open := func(twice bool) *db.DB {
		d, err := db.Open(ctx, db.Config{URL: url, Keys: dbtest.Keys(t), RunTwice: twice})
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, d.Close()) })

		return d
	}
	other := open(false)
	w := identitytest.NewWith(t, open(true), func(*auth.Config) {})
	app, _ := w.SetUp(w.Someone(ada).Access)

	// signIn lets another write change the second factor before the body of the sign-in runs for the second time.
	signIn := func(enabledAt int64) identitytest.Answer {
		reads := 0

		w.DB.Watch(func(query string, _ []any) {
			if !strings.Contains(query, "FROM passwords WHERE user_id") {
				return
			}

			if reads++; reads == 3 { // after the check of the password and the first run
				require.NoError(t, other.Write(ctx, func(tx *db.Tx) error {
					_, err := tx.Exec("UPDATE two_factors SET enabled_at = ?", enabledAt)
					return err
				}))
			}
		})
		defer w.DB.Watch(nil)

		return w.Do("POST", "/auth/login", "", login(ada)).OK(200)
	}

	require.NotEmpty(t, signIn(0).Text("access_token"))

	temp := signIn(1).Text("tempToken")
	require.NotEmpty(t, temp)
	w.Do("POST", "/auth/2fa/login", "", `{"tempToken":"`+temp+`","code":"`+app.Code()+`"}`).OK(200)
}
