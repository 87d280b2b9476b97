package auth_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/identity/auth"
	"slipway/internal/identity/identitytest"
)

// call asks who is signed in, in the console's way.
func call(w *world, headers ...[]identitytest.Header) identitytest.Answer {
	var all []identitytest.Header
	for _, h := range headers {
		all = append(all, h...)
	}

	return w.Do("GET", "/users/me", "", "", all...)
}

// renewed returns the headers with the cookie that an answer has sent.
func renewed(a identitytest.Answer) []identitytest.Header {
	a.T.Helper()

	for _, c := range (&http.Response{Header: a.Header}).Cookies() {
		if c.Name == "__Host-slipway" {
			require.True(a.T, c.HttpOnly && c.Secure && c.Path == "/" && c.SameSite == http.SameSiteStrictMode, c)
			return identitytest.ConsoleHeaders(c.Value)
		}
	}

	a.T.Fatalf("no cookie came with %s", a.Raw)

	return nil
}

// A cookie goes wherever the browser calls, so it counts only where the call is sure to come from the console's own
// pages: with any method, also where nothing is changed.
func TestConsoleCookieNeedsTheConsolesOwnPage(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		token := w.Someone("ada@example.com")
		org := w.Organisation(token.Access)
		ours := w.Console("ada@example.com")
		cookie := ours[:1:1]

		operations := map[string]string{
			"GET /users/me":           "",
			"PATCH /users/me":         `{"firstName":"Eve"}`,
			"POST /auth/2fa/generate": `{"password":"` + identitytest.Password + `"}`,
			"PUT /organisations/" + org + "/approval-policy": `{}`,
			"DELETE /auth/sessions":                          "",
		}
		for operation, body := range operations {
			method, path, _ := strings.Cut(operation, " ")
			ask := func(headers ...identitytest.Header) identitytest.Answer {
				return w.Do(method, path, "", body, append(cookie, headers...)...)
			}
			console := header("Slipway-Console", "1")

			ask().Refused(401, "TOKEN_MISSING")
			ask(header("Slipway-Console", "0")).Refused(401, "TOKEN_MISSING")
			ask(header("Slipway-Console", ""), header("Sec-Fetch-Site", "same-origin")).Refused(401, "TOKEN_MISSING")

			for _, site := range []string{"cross-site", "same-site", "none", "x"} {
				ask(console, header("Sec-Fetch-Site", site)).Refused(403, "SESSION_FOREIGN")
			}

			for _, origin := range []string{
				"https://evil.example", "null", "https://pay.example.org.evil.example", "http://pay.example.org",
				"https://pay.example.org:444", "https://evil.pay.example.org", "https://example.com",
			} {
				ask(console, header("Origin", origin), header("Sec-Fetch-Site", "same-origin")).
					Refused(403, "SESSION_FOREIGN")
			}
		}

		require.Equal(t, "Ada", call(w, ours).OK(200).Text("firstName"), "nothing of that was done")
		call(
			w,
			ours,
			[]identitytest.Header{header("Origin", identitytest.BaseURL), header("Sec-Fetch-Site", "same-origin")},
		).OK(
			200,
		)
	})
}

func TestConsoleCookieIsNothingBesideAuthorization(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ada := w.Someone("ada@example.com")
		w.Someone("bob@example.com")
		bob := w.Console("bob@example.com")
		value := strings.TrimPrefix(bob[0].Value, "__Host-slipway=")

		require.Equal(t, "ada@example.com", w.Do("GET", "/users/me", ada.Access, "", bob...).OK(200).Text("email"))

		for _, other := range []string{"Bearer x", "Basic YTpi", "", "Bearer " + ada.Refresh} {
			require.Equal(t, 401, call(w, bob, []identitytest.Header{header("Authorization", other)}).Status, other)
		}

		w.Do("GET", "/users/me", value, "").Refused(401, "TOKEN_INVALID") // it is no token
		w.Do("POST", "/auth/refresh", value, "").Refused(401, "TOKEN_INVALID")
		w.Do("POST", "/auth/logout", value, "").Refused(401, "TOKEN_INVALID")

		changed := []byte(value)
		if changed[10]++; changed[10] > 'z' {
			changed[10] = '0'
		}

		for _, bad := range []string{ada.Access, "cs_" + ada.Access[3:], value + "x", "x", string(changed)} {
			call(w, identitytest.ConsoleHeaders(bad)).Refused(401, "TOKEN_INVALID")
		}

		call(w, bob).OK(200)
	})
}

func TestConsoleCookieIsStoredAsHashOnly(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.Register("ada@example.com")
		h := w.Console("ada@example.com")
		value := strings.TrimPrefix(h[0].Value, "__Host-slipway=")

		require.True(t, strings.HasPrefix(value, "cs_"))
		require.EqualValues(t, 1, w.Count("SELECT count(*) FROM console_cookies"))
		require.Zero(t, w.Count("SELECT count(*) FROM console_cookies WHERE hash = ?", value))
		require.Zero(t, w.Count("SELECT count(*) FROM access_tokens")+w.Count("SELECT count(*) FROM refresh_tokens"))
	})
}

// What a person does keeps the session, for half an hour each time and for twelve hours in all. What the console asks
// for by itself does not.
func TestConsoleSessionEndsWhenNobodyUsesIt(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.Register("ada@example.com")
		clock := w.DB.Clock()
		alone := []identitytest.Header{header("Slipway-Unattended", "1")}

		h := w.Console("ada@example.com")
		clock.Advance(auth.ConsoleIdle - time.Second)
		call(w, h).OK(200)
		clock.Advance(auth.ConsoleIdle - time.Second)
		call(w, h).OK(200)
		clock.Advance(auth.ConsoleIdle)
		call(w, h).Refused(401, "TOKEN_INVALID")

		h = w.Console("ada@example.com")
		for range 29 {
			clock.Advance(time.Minute)
			call(w, h, alone).OK(200)
		}

		clock.Advance(time.Minute)
		call(w, h, alone).Refused(401, "TOKEN_INVALID")
		call(w, h).Refused(401, "TOKEN_INVALID")

		h = w.Console("ada@example.com")
		begun := w.DB.Now()

		for w.DB.Now().Sub(begun) < auth.ConsoleLifetime-20*time.Minute {
			clock.Advance(20 * time.Minute)

			if w.DB.Now().Sub(begun) < auth.ConsoleLifetime {
				call(w, h).OK(200)
			}
		}

		clock.Advance(begun.Add(auth.ConsoleLifetime).Sub(w.DB.Now()))
		call(w, h).Refused(401, "TOKEN_INVALID")
	})
}

// A request that comes while another one's answer is in memory counts as use all the same.
func TestConsoleUseIsNotedWhatever(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.Register("ada@example.com")
		h := w.Console("ada@example.com")

		w.DB.Clock().Advance(20 * time.Minute)
		call(w, h, []identitytest.Header{header("Slipway-Unattended", "1")}).OK(200) // cached from here on
		call(w, h).OK(200)
		w.DB.Clock().Advance(20 * time.Minute)
		call(w, h).OK(200)
	})
}

func TestConsoleSessionFollowsAClockThatIsSet(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.Register("ada@example.com")

		w.DB.Clock().Jump(time.Hour)
		h := w.Console("ada@example.com")
		w.DB.Clock().Jump(-time.Hour)
		call(w, h).Refused(401, "TOKEN_INVALID")
	})
}

// Whoever knew the cookie of before does not share in the second factor that the person proves afterwards.
func TestStepUpMakesAnotherCookie(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		token := w.Someone("ada@example.com")
		app, _ := w.SetUp(token.Access)
		temp, code := w.Temp("ada@example.com"), app.Code()
		cookie, err := w.Auth.ConsoleLoginSecond(t.Context(), temp, code)
		require.NoError(t, err)

		old := identitytest.ConsoleHeaders(cookie)
		guarded := func(h []identitytest.Header, more ...identitytest.Header) identitytest.Answer {
			return w.Do("POST", "/auth/change-email", "",
				`{"newEmail":"eve@example.com","password":"wrong"}`, append(h, more...)...)
		}

		guarded(old).Refused(422, "CREDENTIALS_INVALID") // it was proven with the sign-in
		w.DB.Clock().Advance(11 * time.Minute)
		guarded(old).Refused(403, "STEP_UP_REQUIRED")

		fresh := renewed(w.Do("POST", "/auth/2fa/step-up", "", `{"code":"`+app.Code()+`"}`, old...).OK(200))
		guarded(old).Refused(403, "STEP_UP_REQUIRED")
		call(w, old).OK(200) // what is under way goes on
		guarded(fresh).Refused(422, "CREDENTIALS_INVALID")

		w.DB.Clock().Advance(auth.RefreshGrace)
		call(w, old).Refused(401, "TOKEN_INVALID")
		call(w, fresh).OK(200)

		// with the code on the request itself
		w.DB.Clock().Advance(11 * time.Minute)
		third := renewed(guarded(fresh, header("X-2FA-Code", app.Code())).OK(422))
		guarded(third).Refused(422, "CREDENTIALS_INVALID")
		guarded(fresh).Refused(403, "STEP_UP_REQUIRED")
	})
}

// The answer with the new cookie may be lost. The session goes on with the old one, and another code proves it.
func TestLostCookieOfAStepUpSignsNobodyOut(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		app, _ := w.SetUp(w.Someone("ada@example.com").Access)
		temp, code := w.Temp("ada@example.com"), app.Code()
		cookie, err := w.Auth.ConsoleLoginSecond(t.Context(), temp, code)
		require.NoError(t, err)

		old := identitytest.ConsoleHeaders(cookie)
		prove := func() identitytest.Answer {
			return w.Do("POST", "/auth/2fa/step-up", "", `{"code":"`+app.Code()+`"}`, old...).OK(200)
		}

		lost := renewed(prove())
		w.DB.Clock().Advance(20 * time.Minute)
		call(w, old).OK(200)
		w.DB.Clock().Advance(20 * time.Minute)
		fresh := renewed(prove())

		call(w, fresh).OK(200)
		call(w, lost).Refused(401, "TOKEN_INVALID")
		require.EqualValues(t, 1, w.Count("SELECT count(*) FROM sessions WHERE console = TRUE"))
	})
}

func TestConsoleSessionsAreListedAndEnd(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		token := w.Someone("ada@example.com")
		first, second := w.Console("ada@example.com"), w.Console("ada@example.com")

		list := w.Do("GET", "/auth/sessions", "", "", second...).OK(200).Results()
		require.Len(t, list, 3)
		require.Equal(t, []any{true, true}, []any{list[0]["current"], list[0]["console"]})
		require.Equal(t, []any{false, true}, []any{list[1]["current"], list[1]["console"]})
		require.Equal(t, []any{false, false}, []any{list[2]["current"], list[2]["console"]})

		w.Do("DELETE", "/auth/sessions/"+list[1]["_id"].(string), "", "", second...).OK(204)
		call(w, first).Refused(401, "TOKEN_INVALID")

		w.Do("DELETE", "/auth/sessions", "", "", second...).OK(204)
		call(w, second).Refused(401, "TOKEN_INVALID")
		require.Equal(t, 401, alive(w, token), "everywhere")

		idle := w.Console("ada@example.com")
		w.DB.Clock().Advance(auth.ConsoleIdle)
		require.Len(t, w.Do("GET", "/auth/sessions", "", "", w.Console("ada@example.com")...).OK(200).Results(), 1)
		call(w, idle).Refused(401, "TOKEN_INVALID")
	})
}

func TestConsoleSessionEndsWithThePassword(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.Register("ada@example.com")
		stays, goes := w.Console("ada@example.com"), w.Console("ada@example.com")
		body := `{"oldPassword":"` + identitytest.Password + `","newPassword":"ten yellow canoes 11"}`
		w.Do("POST", "/auth/change-password", "", body, stays...).OK(200)
		call(w, stays).OK(200)
		call(w, goes).Refused(401, "TOKEN_INVALID")
	})
}

func TestSigningOutOfTheConsoleTwiceIsNoError(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.Register("ada@example.com")
		h := w.Console("ada@example.com")
		value := strings.TrimPrefix(h[0].Value, "__Host-slipway=")

		for range 2 {
			require.NoError(t, w.Auth.ConsoleLogout(t.Context(), value))
			call(w, h).Refused(401, "TOKEN_INVALID")
		}

		require.NoError(t, w.Auth.ConsoleLogout(t.Context(), ""))
		require.NoError(t, w.Auth.ConsoleLogout(t.Context(), "at_x"))
	})
}

func TestExpiredCookiesAreForgotten(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.Register("ada@example.com")
		w.Console("ada@example.com")
		w.DB.Clock().Advance(auth.ConsoleLifetime)
		_, err := w.Auth.ForgetExpired(t.Context(), 100)
		require.NoError(t, err)
		require.Zero(t, w.Count("SELECT count(*) FROM console_cookies"))
	})
}
