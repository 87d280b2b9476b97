package auth_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/identity/auth"
	"slipway/internal/identity/identitytest"
)

type session = identitytest.Session

func refresh(w *world, token string, from ...string) identitytest.Answer {
	var h []identitytest.Header
	for _, f := range from {
		h = append(h, identitytest.Header{Name: "Source", Value: f})
	}

	return w.Do("POST", "/auth/refresh", token, "", h...)
}

func pair(a identitytest.Answer) session {
	a.T.Helper()
	return session{Access: a.OK(200).Text("access_token"), Refresh: a.Text("refresh_token")}
}

func alive(w *world, s session) int { return w.Do("GET", "/users/me", s.Access, "").Status }

func live(w *world) int64 { return w.Count("SELECT count(*) FROM sessions WHERE revoked_at = 0") }

func TestTokensAreStoredAsHashesOnly(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		s := w.Someone("ada@example.com")
		require.Zero(t, w.Count("SELECT count(*) FROM access_tokens WHERE hash = ?", s.Access))
		require.Zero(t, w.Count("SELECT count(*) FROM refresh_tokens WHERE hash = ?", s.Refresh))
		require.EqualValues(t, 1, w.Count("SELECT count(*) FROM passwords WHERE hash LIKE '$argon2id$v=19$%'"))
		require.True(t, strings.HasPrefix(s.Access, "at_") && strings.HasPrefix(s.Refresh, "rt_"))
	})
}

func TestWrongTokensAreRefused(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		s := w.Someone("ada@example.com")
		w.Do("GET", "/users/me", "", "").Refused(401, "TOKEN_MISSING")
		refresh(w, "").Refused(401, "TOKEN_MISSING")
		w.Do("POST", "/auth/logout", "", "").Refused(401, "TOKEN_MISSING")
		w.Do("POST", "/auth/change-password", "", `{"oldPassword":"x","newPassword":"y"}`).Refused(401, "TOKEN_MISSING")

		flipped := s.Access[:10] + string(s.Access[10]^1) + s.Access[11:]
		for _, bad := range []string{
			s.Refresh, flipped, s.Access[:len(s.Access)-1], s.Access + "A", " " + s.Access, strings.ToUpper(s.Access), "at_", "x",
			"at_" + s.Refresh[3:], strings.Repeat("A", 10<<20), "eyJhbGciOiJub25lIn0.eyJzdWIiOiJ1c3IifQ.", "at_" + strings.Repeat("\x00", 49),
		} {
			w.Do("GET", "/users/me", bad, "").Refused(401, "TOKEN_INVALID")
		}

		for _, bad := range []string{s.Access, "rt_" + s.Access[3:], "x", strings.Repeat("A", 10<<20)} {
			refresh(w, bad).Refused(401, "TOKEN_INVALID")

			if bad != s.Access {
				w.Do("POST", "/auth/logout", bad, "").Refused(401, "TOKEN_INVALID")
			}
		}

		require.Equal(t, 200, alive(w, s))
	})
}

func TestAccessTokenEndsAfterFifteenMinutes(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		s := w.Someone("ada@example.com")
		w.DB.Clock().Advance(auth.AccessLifetime - 2*time.Second)
		require.Equal(t, 200, alive(w, s)) // cached now
		w.DB.Clock().Advance(2 * time.Second)
		require.Equal(t, 401, alive(w, s))
		w.Do("POST", "/auth/logout", s.Access, "").Refused(401, "TOKEN_INVALID")
		pair(refresh(w, s.Refresh))
	})
}

func TestRefreshTokenEndsUnusedAfterSevenDaysAndWithItsSessionAfterThirty(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		s := w.Someone("ada@example.com")
		w.DB.Clock().Advance(auth.RefreshIdle + time.Second)
		refresh(w, s.Refresh).Refused(401, "TOKEN_INVALID")

		s = w.Login("ada@example.com")
		for range 4 {
			w.DB.Clock().Advance(auth.RefreshIdle - time.Hour)
			s = pair(refresh(w, s.Refresh))
		}

		w.DB.Clock().Advance(auth.SessionLifetime - 4*(auth.RefreshIdle-time.Hour) - time.Minute)
		s = pair(refresh(w, s.Refresh))
		require.Equal(t, 200, alive(w, s))
		w.DB.Clock().Advance(time.Minute)
		require.Equal(t, 401, alive(w, s), "an access token does not outlive its session")
		refresh(w, s.Refresh).Refused(401, "TOKEN_INVALID")
	})
}

func TestRefreshFiftyTimesAtOnceKeepsOneSession(t *testing.T) { // N-05
	each(t, func(t *testing.T, w *world) {
		s := w.Someone("ada@example.com")

		var (
			mu  sync.Mutex
			got []session
			wg  sync.WaitGroup
		)
		for range 50 {
			wg.Go(func() {
				a := refresh(w, s.Refresh)
				mu.Lock()
				defer mu.Unlock()

				if a.Status != 200 {
					t.Errorf("%d %s", a.Status, a.Raw)
					return
				}

				got = append(got, session{Access: a.Text("access_token"), Refresh: a.Text("refresh_token")})
			})
		}

		wg.Wait()
		require.Len(t, got, 50)
		require.EqualValues(t, 1, live(w))
		require.EqualValues(t, 2, w.Count("SELECT generation FROM sessions"))

		for _, g := range got {
			require.Equal(t, 200, alive(w, g))
		}

		next := pair(refresh(w, got[17].Refresh)) // one of them goes on
		w.DB.Clock().Advance(auth.RefreshGrace)
		require.Equal(t, 200, alive(w, next))
		// the others of its generation are used tokens now
		refresh(w, got[3].Refresh).Refused(401, "REFRESH_TOKEN_REUSED")
		require.Zero(t, live(w))
		require.Equal(t, 401, alive(w, next))
		refresh(w, next.Refresh).Refused(401, "TOKEN_INVALID")
	})
}

func TestRefreshTokenUsedTwiceEndsTheSession(t *testing.T) {
	for _, c := range []struct {
		name   string
		before func(w *world, s, next session) string // from where the second use comes
		status int
	}{
		{"within the grace", func(w *world, _, _ session) string {
			w.DB.Clock().Advance(auth.RefreshGrace - time.Second)
			return ""
		}, 200},
		{"after the grace", func(w *world, _, _ session) string {
			w.DB.Clock().Advance(auth.RefreshGrace)
			return ""
		}, 401},
		{"from elsewhere", func(*world, session, session) string { return "203.0.113.9" }, 401},
		{"after its successor was used", func(w *world, _, next session) string {
			pair(refresh(w, next.Refresh))
			return ""
		}, 401},
	} {
		t.Run(c.name, func(t *testing.T) {
			each(t, func(t *testing.T, w *world) {
				s := w.Someone("ada@example.com")
				other := w.Login("ada@example.com")
				next := pair(refresh(w, s.Refresh))
				require.Equal(t, 200, alive(w, next))
				from := c.before(w, s, next)

				var a identitytest.Answer
				if from == "" {
					a = refresh(w, s.Refresh)
				} else {
					a = refresh(w, s.Refresh, from)
				}

				a.OK(c.status)
				require.Equal(t, c.status, alive(w, next), "the very next request")

				if c.status == 401 {
					a.Refused(401, "REFRESH_TOKEN_REUSED")
					refresh(w, next.Refresh).Refused(401, "TOKEN_INVALID")
					require.EqualValues(t, 1,
						w.Count("SELECT count(*) FROM audit_log WHERE action = 'session.token_reused'"))
				}

				require.Equal(t, 200, alive(w, other), "other sessions go on")
			})
		})
	}
}

func TestGraceHasALimit(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		s := w.Someone("ada@example.com")
		pair(refresh(w, s.Refresh))
		w.Exec("UPDATE sessions SET siblings = 100")
		refresh(w, s.Refresh).Refused(429, "OVERLOADED")
		require.EqualValues(t, 1, live(w))
	})
}

func TestLogoutEndsBothTokensAtTheNextRequest(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.Register("ada@example.com")

		other := w.Login("ada@example.com")
		for _, by := range []func(session) string{func(s session) string {
			return s.Access
		}, func(s session) string { return s.Refresh }} {
			s := w.Login("ada@example.com")
			require.Equal(t, 200, alive(w, s)) // cached

			a := w.Do("POST", "/auth/logout", by(s), "").OK(204)
			require.Empty(t, a.Raw)
			require.Equal(t, 401, alive(w, s))

			refresh(w, s.Refresh).Refused(401, "TOKEN_INVALID")
			w.Do("POST", "/auth/logout", s.Access, "").Refused(401, "TOKEN_INVALID")
			w.Do("POST", "/auth/logout", s.Refresh, "").Refused(401, "TOKEN_INVALID")
			require.Equal(t, 200, alive(w, other))
		}
	})
}

func TestChangePasswordEndsTheOtherSessions(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		s := w.Someone("ada@example.com")
		others := []session{w.Login("ada@example.com"), w.Login("ada@example.com")}

		stranger := w.Someone("bob@example.com")
		for _, o := range append(others, s) {
			require.Equal(t, 200, alive(w, o))
		}

		const fresh = "seven green lanterns 9"
		change := func(token, old, fresh string) identitytest.Answer {
			return w.Do("POST", "/auth/change-password", token,
				fmt.Sprintf(`{"oldPassword":%q,"newPassword":%q}`, old, fresh))
		}
		change(s.Access, "not the old one", fresh).Refused(
			422,
			"CREDENTIALS_INVALID",
			"/oldPassword CREDENTIALS_INVALID",
		)
		change(s.Access, identitytest.Password, "short").Refused(422, "PASSWORD_WEAK", "/newPassword PASSWORD_WEAK")
		change(s.Access, identitytest.Password, "Ada@example.com").Refused(
			422,
			"PASSWORD_WEAK",
			"/newPassword PASSWORD_WEAK",
		)
		change(s.Access, identitytest.Password, identitytest.Password).Refused(
			422,
			"PASSWORD_WEAK",
			"/newPassword PASSWORD_WEAK",
		)
		change(s.Refresh, identitytest.Password, fresh).Refused(401, "TOKEN_INVALID")
		w.Do("POST", "/auth/change-password", s.Access, `{}`).Refused(
			422,
			"VALIDATION",
			"/oldPassword REQUIRED",
			"/newPassword REQUIRED",
		)

		for _, o := range others {
			require.Equal(t, 200, alive(w, o), "refusals change nothing")
		}

		change(s.Access, identitytest.Password, fresh).OK(200)

		for _, o := range others {
			require.Equal(t, 401, alive(w, o))
			refresh(w, o.Refresh).Refused(401, "TOKEN_INVALID")
		}

		require.Equal(t, 200, alive(w, s), "the one that asked goes on")
		pair(refresh(w, s.Refresh))
		require.Equal(t, 200, alive(w, stranger))
		w.Do("POST", "/auth/login", "", `{"email":"ada@example.com","password":"`+identitytest.Password+`"}`).Refused(
			401,
			"CREDENTIALS_INVALID",
		)
		w.Do("POST", "/auth/login", "", `{"email":"ada@example.com","password":"`+fresh+`"}`).OK(200)
	})
}

func TestPasswordChangedFiftyTimesAtOnceIsChangedOnce(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		s := w.Someone("ada@example.com")

		var mu sync.Mutex
		won := 0

		var wg sync.WaitGroup
		for i := range 10 {
			wg.Go(func() {
				a := w.Do("POST", "/auth/change-password", s.Access,
					fmt.Sprintf(`{"oldPassword":%q,"newPassword":"seven green lanterns %d"}`, identitytest.Password, i))
				mu.Lock()
				defer mu.Unlock()

				switch a.Status {
				case 200:
					won++
				case 409, 422:
				default:
					t.Errorf("%d %s", a.Status, a.Raw)
				}
			})
		}

		wg.Wait()
		require.Equal(t, 1, won)
	})
}

func TestLoginRefusals(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		s := w.Someone("Ada@Example.com")
		w.Do("POST", "/auth/login", "", `{}`).Refused(422, "VALIDATION", "/email REQUIRED", "/password REQUIRED")
		w.Do(
			"POST",
			"/auth/login",
			"",
			`{"email":"ada@example.com","password":"`+strings.Repeat("x", 1025)+`"}`,
		).Refused(422, "TOO_LONG", "/password TOO_LONG")
		w.Do("POST", "/auth/login", "", `{"email":"ada@example.com","password":"x","Password":"y"}`).Refused(
			422,
			"UNKNOWN_FIELD",
			"/Password UNKNOWN_FIELD",
		)
		w.Do("POST", "/auth/login", "", `{"email":"ada@example.com","password":"a","password":"b"}`).Refused(
			400,
			"DUPLICATE_FIELD",
		)
		w.Login("ADA@example.com")

		w.Exec("UPDATE users SET is_active = FALSE")
		w.DB.Clock().Advance(auth.CacheLifetime)
		w.Do("POST", "/auth/login", "", `{"email":"ada@example.com","password":"wrong password"}`).Refused(
			401,
			"CREDENTIALS_INVALID",
		)
		w.Do("POST", "/auth/login", "", `{"email":"ada@example.com","password":"`+identitytest.Password+`"}`).Refused(
			403,
			"ACCOUNT_INACTIVE",
		)
		w.Do("GET", "/users/me", s.Access, "").Refused(403, "ACCOUNT_INACTIVE")
		refresh(w, s.Refresh).Refused(403, "ACCOUNT_INACTIVE")
	})
}

func TestTooManySignInsAreToldToComeBack(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.Register("ada@example.com")
		release := w.Auth.FillHasher(context.Background())
		a := w.Do("POST", "/auth/login", "", `{"email":"ada@example.com","password":"x"}`).Refused(503, "OVERLOADED")
		require.NotEmpty(t, a.Header.Get("Retry-After"))
		require.Contains(t, a.Text("detail"), "Too many people", "refused at once, not after a wait")

		w.Do("POST", "/auth/register", "", person("eve@example.com", identitytest.Password)).Refused(503, "OVERLOADED")
		release()
		w.Login("ada@example.com")
	})
}

func TestForgettingKeepsWhatStillTellsATheft(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		s := w.Someone("ada@example.com")

		next := pair(refresh(w, s.Refresh))
		for range 3 {
			w.DB.Clock().Advance(auth.RefreshIdle - time.Hour)
			next = pair(refresh(w, next.Refresh))
		}

		_, err := w.Auth.ForgetExpired(context.Background(), 1000)
		require.NoError(t, err)
		require.EqualValues(t, 1, w.Count("SELECT count(*) FROM access_tokens"))
		refresh(w, s.Refresh).Refused(401, "REFRESH_TOKEN_REUSED")
		require.Equal(t, 401, alive(w, next))
		w.DB.Clock().Advance(3 * auth.SessionLifetime)
		_, err = w.Auth.ForgetExpired(context.Background(), 1000)
		require.NoError(t, err)

		for _, table := range []string{"sessions", "access_tokens", "refresh_tokens"} {
			require.Zero(t, w.Count("SELECT count(*) FROM "+table), table)
		}
	})
}
