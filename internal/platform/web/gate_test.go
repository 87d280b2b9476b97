package web

import (
	"context"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/platform/db/dbtest"
	"slipway/internal/platform/limit"
)

// gates is an API with one operation of each sort, called by a principal of the test's choice.
type gates struct {
	*world
	who    caller.Principal
	meters *limit.Meters
	proven []string // codes that were tried
}

func newGates(t *testing.T) *gates {
	g := &gates{world: &world{t: t, db: dbtest.SQLite(t), log: &logged{}}}

	g.api = New(Config{
		Title:   "Test",
		Version: "1",
		DB:      g.db,
		Log:     discarding(),
		Authenticate: func(context.Context, string, string) (*caller.Principal, *limit.Meters, error) {
			return &g.who, g.meters, nil
		},
		StepUp: func(_ context.Context, _ caller.Principal, code string) error {
			g.proven = append(g.proven, code)
			if code != "123456" {
				return fault.New(fault.Forbidden, fault.CodeInvalid, "No.")
			}

			return nil
		},
	})
	for _, op := range []Operation{
		{Method: "GET", Path: "/things", ID: "a"},
		{Method: "POST", Path: "/things", ID: "b"},
		{
			Method: "POST",
			Path:   "/things/accept",
			ID:     "c",
			Scope:  "things:accept",
			StepUp: true,
		},
		{
			Method:     "POST",
			Path:       "/self",
			ID:         "d",
			PeopleOnly: true,
		},
		{
			Method:      "POST",
			Path:        "/setup",
			ID:          "e",
			DuringSetup: true,
			PeopleOnly:  true,
		},
	} {
		op.Access = Bearer
		Register(g.api, op, func(context.Context, *struct{}) (*Empty, error) { return &Empty{}, nil })
	}

	g.handler = g.api.Handler()

	return g
}

func (g *gates) asked(method, path string, headers ...string) string {
	a := g.send(method, path, "", headers...)
	if a.Code < 300 {
		return "ok"
	}

	return string(a.problem().Code)
}

func TestScopesOpenWhatTheyName(t *testing.T) {
	g := newGates(t)
	require.Equal(t, []string{"accept", "read", "things:accept", "things:read", "things:write", "write"},
		g.api.Scopes())

	calls := [][2]string{{"GET", "/things"}, {"POST", "/things"}, {"POST", "/things/accept"}, {"POST", "/self"}}
	for _, c := range []struct {
		scopes string
		want   string
	}{
		{"", "ok ok ok PEOPLE_ONLY"},
		{"read", "ok SCOPE_REQUIRED SCOPE_REQUIRED PEOPLE_ONLY"},
		{"things:write", "SCOPE_REQUIRED ok SCOPE_REQUIRED PEOPLE_ONLY"},
		{"things:accept", "SCOPE_REQUIRED SCOPE_REQUIRED ok PEOPLE_ONLY"},
		{"write accept", "SCOPE_REQUIRED ok ok PEOPLE_ONLY"},
		{"other:read thing:read things", "SCOPE_REQUIRED SCOPE_REQUIRED SCOPE_REQUIRED PEOPLE_ONLY"},
	} {
		g.who = caller.Principal{User: "usr_a", Client: true, Scopes: strings.Fields(c.scopes), TwoFactor: true}

		var got []string
		for _, call := range calls {
			got = append(got, g.asked(call[0], call[1]))
		}

		require.Equal(t, c.want, strings.Join(got, " "), c.scopes)
	}

	require.Empty(t, g.proven, "an API client has no second factor to prove")

	g.who = caller.Principal{User: "usr_a"}
	for _, call := range calls {
		require.Equal(t, "ok", g.asked(call[0], call[1]), "a person without a second factor")
	}
}

func TestWhoMustSetUpASecondFactorReachesNothingElse(t *testing.T) {
	g := newGates(t)
	g.who = caller.Principal{User: "usr_a", SetupOnly: true, Staff: "operator"}
	require.Equal(t, "ok", g.asked("POST", "/setup"))

	for _, call := range [][2]string{
		{"GET", "/things"},
		{"POST", "/things"},
		{"POST", "/things/accept"},
		{"POST", "/self"},
	} {
		require.Equal(t, "TWO_FACTOR_SETUP_REQUIRED", g.asked(call[0], call[1]))
	}
}

func TestStepUpAsksForARecentProof(t *testing.T) {
	g := newGates(t)
	g.who = caller.Principal{User: "usr_a", TwoFactor: true}
	accept := func(headers ...string) string { return g.asked("POST", "/things/accept", headers...) }
	require.Equal(t, "STEP_UP_REQUIRED", accept())
	require.Equal(t, "STEP_UP_REQUIRED", accept("X-2FA-Code: "+strings.Repeat("1", 33)))
	require.Equal(t, "TWO_FACTOR_CODE_INVALID", accept("X-2FA-Code: 654321"))
	require.Equal(t, "ok", accept("X-2FA-Code: 123456"))
	require.Equal(t, []string{"654321", "123456"}, g.proven)

	g.who.ProvenAt = g.db.Now().Add(-StepUpLifetime + time.Minute)
	require.Equal(t, "ok", accept("X-2FA-Code: 123456"))
	require.Len(t, g.proven, 2, "a code that is not needed is not used up")

	g.db.Clock().Advance(time.Minute)
	require.Equal(t, "STEP_UP_REQUIRED", accept())

	g.who.ProvenAt = g.db.Now().Add(time.Hour)
	require.Equal(t, "STEP_UP_REQUIRED", accept(), "P-09: proven before the clock was set back")
}

func TestLimitsOfACredentialAreTold(t *testing.T) {
	g := newGates(t)
	rate := func(n int) *limit.Meter { return limit.NewMeter(limit.Rate{Events: n, Per: time.Minute}) }
	g.who = caller.Principal{User: "usr_a"}
	g.meters = &limit.Meters{Reads: rate(3), Writes: rate(1)}
	a := g.send("GET", "/things", "")

	require.Equal(
		t,
		[]string{"3", "2", "20"},
		[]string{
			a.Header().Get("RateLimit-Limit"),
			a.Header().Get("RateLimit-Remaining"),
			a.Header().Get("RateLimit-Reset"),
		},
	)

	require.Empty(t, a.Header().Get("Retry-After"))
	require.Equal(t, "ok", g.asked("POST", "/things"))

	a = g.send("POST", "/things", "")
	require.Equal(t, 429, a.Code)
	require.Equal(t, fault.RateLimited, a.problem().Code)

	require.Equal(
		t,
		[]string{"1", "0", "60"},
		[]string{
			a.Header().Get("RateLimit-Limit"),
			a.Header().Get("RateLimit-Remaining"),
			a.Header().Get("Retry-After"),
		},
	)

	g.db.Clock().Advance(time.Minute)
	require.Equal(t, "ok", g.asked("POST", "/things"))

	g.meters = &limit.Meters{}
	require.Empty(t, g.send("GET", "/things", "").Header().Get("RateLimit-Limit"), "no limit, no header")
}

func TestPublicOperationsAreLimitedBySource(t *testing.T) {
	g := newGates(t)
	api := New(g.api.config)

	Register(api, Operation{
		Method:    "GET",
		Path:      "/link",
		ID:        "link",
		Access:    Public,
		PerSource: limit.New(limit.Rate{Events: 2, Per: time.Minute}, 100),
	},
		func(context.Context, *struct{}) (*Empty, error) { return &Empty{}, nil })

	h := api.Handler()

	from := func(remote string) int {
		r := httptest.NewRequest("GET", "/link", nil)
		r.RemoteAddr = remote
		rec := httptest.NewRecorder()
		h.ServeHTTP(rec, r)

		return rec.Code
	}

	require.Equal(
		t,
		[]int{204, 204, 429},
		[]int{from("[2001:db8:1:2::1]:5"), from("[2001:db8:1:2:ffff::9]:5"), from("[2001:db8:1:2::7]:6")},
		"one /64 is one holder",
	)

	require.Equal(t, []int{204, 204}, []int{from("[2001:db8:1:3::1]:5"), from("192.0.2.1:1")})
}

func TestOnlyTrustedProxiesSayWhoCalls(t *testing.T) { // Z-08
	a := &API{
		config: Config{
			TrustedProxies: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("::1/128")},
		},
	}
	for _, c := range []struct{ remote, forwarded, want string }{
		{"192.0.2.7:1", "198.51.100.1", "192.0.2.7"}, // no proxy of ours
		{"10.0.0.1:1", "", "10.0.0.1"},
		{"10.0.0.1:1", "198.51.100.1", "198.51.100.1"},
		{"10.0.0.1:1", "203.0.113.9, 198.51.100.1, 10.2.3.4", "198.51.100.1"}, // the first one is what the caller wrote
		{"[::1]:1", "2001:db8::5", "2001:db8::5"},
		{"[::1]:1", "::ffff:198.51.100.1", "198.51.100.1"},
		{"10.0.0.1:1", "198.51.100.1, junk", "10.0.0.1"},
		{"[::ffff:10.0.0.1]:1", "198.51.100.1", "198.51.100.1"},
	} {
		r := httptest.NewRequest("GET", "/", nil)

		r.RemoteAddr = c.remote
		if c.forwarded != "" {
			r.Header.Set("X-Forwarded-For", c.forwarded)
		}

		source, proxied := a.source(r)
		require.Equal(t, c.want, source, "%s %s", c.remote, c.forwarded)
		require.Equal(t, !strings.Contains(c.remote, c.want), proxied)
	}

	require.Equal(t, "192.0.2.1", limit.SourceKey("::ffff:192.0.2.1"))
	require.Equal(t, "pipe", limit.SourceKey("pipe"))
}
