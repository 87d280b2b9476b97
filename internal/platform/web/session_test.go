package web

import (
	"context"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/platform/limit"
)

// fromConsole are the headers of the console's calls: none names a token.
var fromConsole = []string{"Authorization: ", "Cookie: __Host-slipway=cs_ada", "Slipway-Console: 1"}

// console gives a world a session and returns what each of its requests was taken for: caused by a person or not.
func console(w *world) *[]bool {
	seen := &[]bool{}

	w.api.config.Session = func(
		_ context.Context, cookie, organisation string, attended bool,
	) (*caller.Principal, *limit.Meters, error) {
		*seen = append(*seen, attended)

		if cookie != "cs_ada" {
			return nil, nil, fault.New(fault.Unauthenticated, fault.TokenInvalid, "The session has ended.")
		}

		return &caller.Principal{User: "usr_a", Organisation: "org_a", Credential: "ses_c"}, nil, nil
	}

	return seen
}

func TestSessionIsUsedByPeopleAlone(t *testing.T) {
	w := newWorld(t, nil)
	seen := console(w)

	op := Operation{
		Method:     "GET",
		Path:       "/polled",
		ID:         "polled",
		Tag:        "orders",
		Access:     Tenant,
		Unattended: true,
	}
	Register(w.api, op, func(context.Context, *struct{}) (*orderView, error) { return &orderView{}, nil })

	flow := Operation{
		Method: "GET",
		Path:   "/flow",
		ID:     "flow",
		Tag:    "orders",
		Access: Tenant,
	}
	Register(w.api, flow, func(context.Context, *struct{}) (*EventStream, error) {
		return &EventStream{Send: func(_ context.Context, out *EventWriter) error {
			out.Beat()
			return out.Flush()
		}}, nil
	})

	ask := func(path string, headers ...string) {
		t.Helper()

		all := append(slices.Clone(fromConsole), headers...)
		require.Equal(t, 200, w.send("GET", path, "", all...).Code)
	}

	ask("/for/tenant")
	ask("/for/tenant", "Slipway-Unattended: 1")
	ask("/polled")
	require.Equal(t, []bool{true, false, false}, *seen)

	*seen = nil
	ask("/flow")
	require.Equal(t, []bool{true, false, false}, *seen, "opened by a person, looked at again by itself at each flush")
}

func TestNobodyIsCalledByACookieWithoutSessions(t *testing.T) {
	w := newWorld(t, nil)
	require.Equal(t, 401, w.send("GET", "/for/tenant", "", fromConsole...).Code)
}

// The answer of the call in which somebody proves the second factor carries the session's next cookie.
func TestRenewedCookieComesWithTheAnswer(t *testing.T) {
	w := newWorld(t, nil)
	console(w)

	op := Operation{
		Method: "POST",
		Path:   "/prove",
		ID:     "prove",
		Tag:    "orders",
		Access: Tenant,
	}
	Register(w.api, op, func(ctx context.Context, _ *struct{}) (*Empty, error) {
		require.Equal(t, "cs_ada", caller.CookieOf(ctx))
		caller.Renew(ctx, "cs_fresh")

		return &Empty{}, nil
	})

	a := w.send("POST", "/prove", "", fromConsole...)
	require.Equal(t, 204, a.Code)
	require.Equal(t, "__Host-slipway=cs_fresh; Path=/; HttpOnly; Secure; SameSite=Strict", a.Header().Get("Set-Cookie"))

	w.api.config.Authenticate = people
	a = w.send("GET", "/orders", "", "Authorization: Bearer alice")
	require.Empty(t, a.Header().Values("Set-Cookie"))
}

func TestEveryAnswerShowsTheBuild(t *testing.T) {
	w := newWorld(t, nil)
	require.Empty(t, w.send("GET", "/orders", "").Header().Values(BuildHeader))

	w.api.config.Build = "0123456789abcdef"
	w.handler = w.api.Handler()
	require.Equal(t, "0123456789abcdef", w.send("GET", "/orders", "").Header().Get(BuildHeader))
	require.Equal(t, "0123456789abcdef", w.send("GET", "/nothing", "").Header().Get(BuildHeader))
}

func TestSiteKnowsItsOwnPages(t *testing.T) {
	for _, c := range []struct {
		base           string
		own, strangers string
		cookie         string
	}{
		{
			base:      "https://pay.example.org",
			own:       "https://pay.example.org",
			strangers: "http://pay.example.org https://pay.example.org:8443 https://a.pay.example.org null https://localhost",
			cookie:    "__Host-slipway",
		},
		{
			base:      "https://Pay.Example.org:443/",
			own:       "https://pay.example.org",
			strangers: "https://pay.example.org:443/slipway https://Pay.Example.org",
			cookie:    "__Host-slipway",
		},
		{
			base:      "http://127.0.0.1:8080",
			own:       "http://127.0.0.1:8080 http://localhost:8080 http://[::1]:8080",
			strangers: "http://127.0.0.1:5173 http://localhost https://localhost:8080 http://127.0.0.2:8080",
			cookie:    "slipway",
		},
		{
			base:      "http://10.0.0.7",
			own:       "http://10.0.0.7",
			strangers: "http://localhost http://127.0.0.1",
			cookie:    "slipway",
		},
		{base: "", strangers: "http://localhost null", cookie: "slipway"},
	} {
		t.Run(c.base, func(t *testing.T) {
			s := NewSite(c.base)
			sent := func(headers ...string) bool {
				r := httptest.NewRequest("POST", "/", nil)
				for i := 0; i < len(headers); i += 2 {
					r.Header.Add(headers[i], headers[i+1])
				}

				return s.Sent(r)
			}

			for _, origin := range strings.Fields(c.own) {
				require.True(t, sent("Origin", origin, "Sec-Fetch-Site", "same-origin"), origin)
				require.False(t, sent("Origin", origin, "Sec-Fetch-Site", "cross-site"), origin)
				require.False(t, sent("Origin", origin, "Origin", "https://evil.example"), origin)
			}

			for _, origin := range strings.Fields(c.strangers) {
				require.False(t, sent("Origin", origin, "Sec-Fetch-Site", "same-origin"), origin)
			}

			require.True(t, sent())

			rec := httptest.NewRecorder()
			s.SetCookie(rec, SessionCookie, "v", 0)
			require.Equal(t, c.cookie, (&http.Response{Header: rec.Header()}).Cookies()[0].Name)
		})
	}
}
