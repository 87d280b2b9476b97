//go:build !nosandbox

package matrix

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestRequestsOfAttackers shares one stage between tests that leave it as it was.
func TestRequestsOfAttackers(t *testing.T) {
	t.Parallel()
	s := newStage(t, sqliteFile(t))
	t.Run("what is no token is refused", func(t *testing.T) { whatIsNoToken(t, s) })
	t.Run("tricks with paths and headers have no effect", func(t *testing.T) { tricks(t, s) })
	t.Run("the sandbox clock only goes forward", func(t *testing.T) { onlyForward(t, s) })
}

// whatIsNoToken sends what attackers send in place of a token.
func whatIsNoToken(t *testing.T, s *stage) {
	good := s.cast["admin"].token

	unsigned := "eyJhbGciOiJub25lIn0.eyJzdWIiOiJ1c3JfMSIsImV4cCI6NDEwMjQ0NDgwMH0."
	for name, header := range map[string]string{
		"another scheme":       "Basic " + good,
		"no scheme":            good,
		"nothing":              "",
		"a space":              "Bearer ",
		"two spaces":           "Bearer  " + good,
		"tab":                  "Bearer\t" + good,
		"two tokens":           "Bearer " + good + " " + good,
		"list":                 "Bearer " + good + "," + good,
		"longer":               "Bearer " + good + "x",
		"shorter":              "Bearer " + good[:len(good)-1],
		"other case":           "Bearer " + strings.ToUpper(good),
		"other kind":           "Bearer " + strings.Replace(good, "at_", "rt_", 1),
		"wildcard":             "Bearer %",
		"NUL":                  "Bearer \x00",
		"unsigned JWT":         "Bearer " + unsigned,
		"JWT with key address": "Bearer eyJhbGciOiJSUzI1NiIsImprdSI6Imh0dHA6Ly9ldmlsLmV4YW1wbGUifQ.e30.AA",
		"SQL":                  "Bearer ' OR 1=1 --",
		"huge":                 "Bearer " + strings.Repeat("a", 10<<20),
		"bytes":                "Bearer \xff\xfe",
		"hash":                 "Bearer " + digestOf(good),
	} {
		a := s.do(call{method: "GET", path: "/users/me", header: map[string]string{"Authorization": header}})
		require.Equal(t, 401, a.status, "%s: %s", name, a.raw)
		require.Contains(t, a.header.Get("WWW-Authenticate"), "Bearer", name)
	}

	s.send(call{method: "GET", path: "/users/me", header: map[string]string{"Authorization": "bearer " + good}}).is(200)
	require.Equal(t, 401, s.do(call{
		method: "GET",
		path:   "/users/me",
		query:  "access_token=" + good,
	}).status, "a token in the address")
	require.Equal(t, 401, s.do(call{
		method: "GET",
		path:   "/users/me",
		header: map[string]string{"Cookie": "access_token=" + good},
	}).status, "a token in a cookie")
}

// TestAccessEndsWithTheNextRequest takes rights away while tokens are warm in the cache.
func TestAccessEndsWithTheNextRequest(t *testing.T) {
	onEach(t, func(t *testing.T, s *stage) {
		a := s.cast["admin"].home
		me := func(p *person) answer { return s.do(call{method: "GET", path: "/users/me", token: p.token}) }
		receivers := func(p *person) answer { return s.do(call{method: "GET", path: "/receivers/me", token: p.token}) }
		writes := func(p *person) answer {
			return s.do(call{method: "PATCH", path: "/receivers/" + a.receiver, token: p.token, body: `{"taxId":"1"}`})
		}
		change := func(p *person, body string) {
			s.send(call{
				method: "PATCH",
				path:   "/organisations/" + a.id + "/members/" + s.memberOf(a, p.email),
				token:  a.admin,
				body:   body,
			}).is(200)
		}

		p := s.member(a, "demoted", `"initiator"`, "")
		writes(p).is(200)
		change(p, `{"roles":["viewer"]}`)
		require.Equal(t, "ROLE_REQUIRED", writes(p).is(403).code(), "after the role was taken")

		p = s.member(a, "unauthorized", `"viewer"`, "authorized")
		id := s.waiting(a)
		change(p, `{"userType":"viewer"}`)
		require.Equal(t, "MEMBER_NOT_AUTHORIZED", s.do(call{
			method: "POST",
			path:   "/transactions/" + id + "/accept",
			token:  p.token,
		}).is(403).code())

		p = s.member(a, "leaver", `"initiator"`, "")
		receivers(p).is(200)
		change(p, `{"isActive":false}`)
		require.Equal(t, "NO_ORGANISATION", receivers(p).is(403).code(), "after the membership ended")

		p = s.signedIn("quitter")
		me(p).is(200)
		s.send(call{method: "POST", path: "/auth/logout", token: p.token}).is(204)
		me(p).is(401)

		p = s.signedIn("changer")
		second := &person{token: s.login(p.email).access}
		me(p).is(200)
		me(second).is(200)
		s.send(call{
			method: "POST",
			path:   "/auth/change-password",
			token:  p.token,
			body:   `{"oldPassword":"` + password + `","newPassword":"` + password + ` fresh"}`,
		}).is(200)
		me(p).is(200)
		require.Equal(t, "TOKEN_INVALID", me(second).is(401).code(), "after another session changed the password")
	})
}

// tricks are spellings of paths, methods and headers with which gates have been walked around (Z-08).
func tricks(t *testing.T, s *stage) {
	a := s.cast["admin"].home
	b := s.cast["other"].home
	mine := s.draft(a)
	theirs := s.draft(b)

	s.unchanged("tricks", func() {
		for _, path := range []string{
			"//transactions/" + theirs, "/transactions//" + theirs, "/transactions/" + mine + "/../" + theirs, "/transactions/" + mine + "%2f..%2f" + theirs,
			"/transactions/%2e%2e/transactions/" + theirs, "/transactions/" + mine + "," + theirs, "/transactions/" + theirs + "/", "/transactions/" + theirs + ".",
			"/transactions/" + theirs + ".json", "/transactions/" + theirs + "%00", "/transactions/" + theirs + ";x=1", "/transactions/" + strings.ToUpper(theirs),
			"/TRANSACTIONS/" + theirs, "/transactions/" + theirs + "%20", "/./transactions/" + theirs, "/transactions/*", "/transactions/%25",
		} {
			require.Contains(t, []int{404, 422}, s.do(call{method: "GET", path: path, token: a.admin}).status, path)
		}

		require.Equal(t, 404, s.do(call{
			method: "GET",
			path:   "/transactions/" + mine + "/",
			token:  a.admin,
		}).status, "one address for one thing")

		for _, h := range []string{"X-HTTP-Method-Override", "X-Method-Override", "X-HTTP-Method"} {
			s.send(call{
				method: "GET",
				path:   "/transactions/" + mine,
				token:  a.admin,
				header: map[string]string{h: "DELETE"},
			}).is(200)
		}

		// HEAD shows what GET shows, and no more
		require.Equal(t, 200, s.do(call{method: "HEAD", path: "/transactions/" + mine, token: a.admin}).status)
		require.Equal(t, 404, s.do(call{method: "HEAD", path: "/transactions/" + theirs, token: a.admin}).status)
		require.Equal(t, 401, s.do(call{method: "HEAD", path: "/transactions/" + mine}).status)

		for _, method := range []string{"TRACE", "CONNECT", "PROPFIND", "get"} {
			got := s.do(call{method: method, path: "/transactions/" + mine, token: a.admin})
			require.Contains(t, []int{404, 405}, got.status, method)
		}

		for _, h := range []string{"X-Forwarded-For", "X-Real-IP", "Forwarded", "X-Original-URL", "X-Rewrite-URL", "X-Forwarded-Host", "X-User-Id", "X-Organisation", "Slipway-Staff"} {
			got := s.send(call{
				method: "GET",
				path:   "/transactions/" + theirs,
				token:  a.admin,
				header: map[string]string{h: "198.51.100.7"},
			}).is(404)
			require.NotContains(t, got.raw, "198.51.100.7")
		}

		require.NotContains(t, s.logs.text(), "198.51.100.7", "the log believes a header")
		query := s.do(call{method: "GET", path: "/transactions/" + mine, query: "id=" + theirs, token: a.admin})
		require.Equal(t, "UNKNOWN_PARAMETER", query.is(422).code())
	})
}

// onlyForward: large steps would let the clock's offset overflow.
func onlyForward(t *testing.T, s *stage) {
	token := s.cast["admin"].token
	for _, advance := range strings.Split("2540400h 8785h P367D -1s 0s PT0S P PT P1M P1Y p3d 1 1d ", " ") {
		before := s.app.DB.Now()

		require.Equal(t, 422, s.do(call{
			method: "POST",
			path:   "/sandbox/clock",
			token:  token,
			body:   `{"advance":"` + advance + `"}`,
		}).status, advance)

		require.Less(t, s.app.DB.Now().Sub(before), time.Hour)
	}

	s.app.DB.Clock().Advance(171 * 365 * 24 * time.Hour)

	for range 5 {
		before := s.app.DB.Now()
		a := s.do(call{
			method: "POST",
			path:   "/sandbox/clock",
			token:  s.login(s.cast["admin"].email).access,
			body:   `{"advance":"P366D"}`,
		})
		require.False(t, s.app.DB.Now().Before(before), "time went back")

		if a.status != 200 {
			require.Equal(t, "OUT_OF_RANGE", a.is(422).code())
			return
		}
	}

	t.Fatal("the clock has no end")
}
