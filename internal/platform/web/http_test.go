package web

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/require"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
)

func TestAccessOfEveryKindIsKept(t *testing.T) {
	w := newWorld(t, nil)
	w.api.Mount("GET", "/mounted", Staff, http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		fmt.Fprint(rw, caller.Of(r.Context()).User)
	}))

	for path, want := range map[string]map[string]int{
		"/for/public": {
			"":         200,
			"nobody":   200,
			"homeless": 200,
			"alice":    200,
			"staff":    200,
			"operator": 200,
		},
		"/for/bearer": {
			"":         401,
			"nobody":   401,
			"homeless": 200,
			"alice":    200,
			"staff":    200,
			"operator": 200,
		},
		"/for/tenant": {
			"":         401,
			"nobody":   401,
			"homeless": 403,
			"alice":    200,
			"staff":    403,
			"operator": 403,
		},
		"/for/staff": {
			"":         401,
			"nobody":   401,
			"homeless": 403,
			"alice":    403,
			"staff":    200,
			"operator": 200,
		},
		"/for/operator": {
			"":         401,
			"nobody":   401,
			"homeless": 403,
			"alice":    403,
			"staff":    403,
			"operator": 200,
		},
		"/mounted": {
			"":         401,
			"nobody":   401,
			"homeless": 403,
			"alice":    403,
			"staff":    200,
			"operator": 200,
		},
	} {
		for who, status := range want {
			a := w.send("GET", path, "", "Authorization: Bearer "+who)
			require.Equal(t, status, a.Code, "%s as %q", path, who)
			require.Equal(t, status == 401, a.Header().Get("WWW-Authenticate") != "", "%s as %q", path, who)
		}
	}
}

func TestOneOfTheRolesOfTheRouteIsNeeded(t *testing.T) {
	w := newWorld(t, nil)
	Register(w.api, Operation{
		Method: "GET",
		Path:   "/ruled",
		ID:     "ruled",
		Access: Tenant,
		Roles:  []string{"admin", "member"},
	}, w.whoami)

	for who, status := range map[string]int{
		"admin":    200,
		"approver": 403,
		"alice":    403,
		"homeless": 403,
		"operator": 403,
		"nobody":   401,
	} {
		a := w.send("GET", "/ruled", "", "Authorization: Bearer "+who)
		require.Equal(t, status, a.Code, who)

		if who == "approver" {
			require.Equal(t, fault.RoleRequired, a.problem().Code)
			require.Contains(t, a.problem().Detail, "admin, member")
		}
	}

	require.Panics(t, func() {
		Register(w.api, Operation{
			Method: "GET",
			Path:   "/unruled",
			ID:     "unruled",
			Access: Bearer,
			Roles:  []string{"admin"},
		}, w.whoami)
	}, "roles are of members of the organisation acted for")
}

func TestRefusalsOfAccessSayWhy(t *testing.T) {
	w := newWorld(t, nil)
	for header, code := range map[string]fault.Code{
		"":              fault.TokenMissing,
		"Bearer":        fault.TokenMissing,
		"Bearer ":       fault.TokenMissing,
		"Basic YTpi":    fault.TokenMissing,
		"alice":         fault.TokenMissing,
		"Bearer nobody": fault.TokenInvalid,
		"Bearer alice ": fault.TokenInvalid,
	} {
		require.Equal(t, code, w.send("GET", "/for/bearer", "", "Authorization: "+header).problem().Code, "%q", header)
	}

	require.Equal(t, fault.NoOrganisation,
		w.send("GET", "/for/tenant", "", "Authorization: Bearer homeless").problem().Code)
	require.Equal(t, fault.RoleRequired,
		w.send("GET", "/for/operator", "", "Authorization: Bearer staff").problem().Code)
	require.Equal(t, 200, w.send("GET", "/for/bearer", "", "Authorization: bearer alice").Code,
		"the scheme has no case")
	require.Contains(t, w.send("GET", "/for/bearer", "").Body.String(), `"token":"alice"`,
		"TokenOf gives the bearer value")
	a := w.send("GET", "/for/bearer", "", "Authorization: Bearer broken")
	require.Equal(t, 500, a.Code)
	require.Empty(t, a.Header().Get("WWW-Authenticate"), "a fault on our side does not blame the token")
}

func TestProblemDocumentHasEveryMember(t *testing.T) {
	w := newWorld(t, nil)
	a := w.send("GET", "/fail/extra", "", "X-Request-Id: abc-1")
	require.Equal(t, 409, a.Code)

	require.JSONEq(
		t,
		`{"type":"https://api.example/problems/TX_CHANGED","title":"Conflict","status":409,"detail":"Changed.","message":"Changed.",
		"instance":"/fail/extra","code":"TX_CHANGED","requestId":"abc-1","previousRate":"1.02","a":1}`,
		a.Body.String(),
	)

	require.Equal(t, "nosniff", a.Header().Get("X-Content-Type-Options"))
	require.Equal(t, "no-store", a.Header().Get("Cache-Control"))
}

func TestEveryKindOfRefusalHasAStatus(t *testing.T) {
	for kind := fault.Malformed; kind <= fault.Unavailable; kind++ {
		require.NotEmpty(t, http.StatusText(statusOf[kind]), "kind %d", kind)
	}
}

// I-06: texts of internal errors and panics stay inside; the log has them under the request's id.
func TestInternalErrorsAndPanicsAreLoggedButNeverShown(t *testing.T) {
	w := newWorld(t, nil)

	for _, how := range []string{"internal", "panic", "kindless"} {
		a := w.send("GET", "/fail/"+how, "", "X-Request-Id: find-"+how)
		require.Equal(t, 500, a.Code)
		require.Equal(t, fault.Internal, a.problem().Code)

		for _, secret := range []string{"canary", "goroutine", ".go:"} {
			require.NotContains(t, a.Body.String(), secret)
			require.NotContains(t, fmt.Sprint(a.Header()), secret)
		}

		require.Regexp(t, `"requestId":"find-`+how+`".*canary-`+how, w.log.text())
	}
}

// B-10, B-02, B-03: what the database could not do, or may have done, is no failure of ours: the caller is told that
// he may repeat himself, and whether something may have happened.
func TestBusyServiceAsksToTryAgain(t *testing.T) {
	w := newWorld(t, nil)

	for _, c := range []struct {
		how        string
		code       fault.Code
		says, when string
	}{
		{"busy", fault.Overloaded, "Nothing was changed", "1"},
		{"retry", fault.Overloaded, "Nothing was changed", "1"},
		{"away", fault.DatabaseAway, "with the same Idempotency-Key: that is safe", "3"},
		{"unknown", fault.OutcomeUnknown, "may have had its effect: repeat it with the same Idempotency-Key", "1"},
		{"late", fault.OutcomeUnknown, "may have had its effect", "1"},
		{"gone", fault.OutcomeUnknown, "may have had its effect", "1"},
		{"upstream", fault.UpstreamFailed, "The node is away.", "1"},
	} {
		a := w.send("GET", "/fail/"+c.how, "")
		require.Equal(t, 503, a.Code, c.how)
		require.Equal(t, c.when, a.Header().Get("Retry-After"), c.how)
		require.Equal(t, c.code, a.problem().Code, c.how)
		require.Contains(t, a.problem().Detail, c.says)
	}
}

func TestRequestsBeyondTheLimitAreRefusedAtOnce(t *testing.T) {
	w := newWorld(t, nil) // two at once
	counted := &counter{}
	w.api.config.Metrics = counted

	var all sync.WaitGroup
	for range 2 {
		all.Go(func() { w.send("GET", "/fail/wait", "") })
		<-w.entered
	}

	a := w.send("GET", "/for/public", "")
	require.Equal(t, 503, a.Code)
	require.Equal(t, fault.Overloaded, a.problem().Code)
	require.Equal(t, "1", a.Header().Get("Retry-After"))
	close(w.block)
	all.Wait()
	require.Equal(t, 200, w.send("GET", "/for/public", "").Code, "the places are free again")
	require.Equal(t, 204, w.send("GET", "/fail/none", "").Code)
	require.Equal(
		t,
		[]string{
			"GET /for/public 503",
			"GET /fail/{how} 204",
			"GET /fail/{how} 204",
			"GET /for/public 200",
			"GET /fail/{how} 204",
		},
		counted.seen,
		"refused ones are counted too",
	)
}

func TestPlacesAreFreeAgainAfterPanics(t *testing.T) {
	w := newWorld(t, nil)
	for range 5 {
		require.Equal(t, 500, w.send("GET", "/fail/panic", "").Code)
	}
}

type counter struct {
	sync.Mutex
	seen []string
}

func (c *counter) Request(method, route string, status int, _ time.Duration) {
	c.Lock()
	defer c.Unlock()
	c.seen = append(c.seen, fmt.Sprintf("%s %s %d", method, route, status))
}

// I-06: an id of the caller is echoed only when it is plain; CR and LF never reach a header or the log.
func TestRequestIDIsEchoedOnlyWhenItIsPlain(t *testing.T) {
	w := newWorld(t, nil)
	for _, s := range []string{"a", "2026-11-21_x.y", strings.Repeat("z", 64)} {
		require.Equal(t, s, w.send("GET", "/for/public", "", "X-Request-Id: "+s).Header().Get("X-Request-Id"))
	}

	for _, s := range []string{"", " ", "a b", "a\r\nSet-Cookie: x=1", "a\nb", "é", "<b>", `a"b`, "a\x00", strings.Repeat("z", 65)} {
		a := w.send("GET", "/nowhere", "", "X-Request-Id: "+s)
		own := a.Header().Get("X-Request-Id")
		require.Regexp(t, `^req_[0-9a-z]{26}$`, own, "%q", s)
		require.Equal(t, own, a.problem().RequestID)
		require.Contains(t, w.log.text(), own)
	}

	require.NotContains(t, w.log.text(), "Set-Cookie")
}

func TestLogHasOneLineForARequestWithoutItsQuery(t *testing.T) {
	w := newWorld(t, nil)
	w.send("POST", "/check?token=canary-query", soundOrder)
	w.send("GET", "/x%0d%0aINFO%20forged", "")
	require.NotContains(t, w.log.text(), "canary-query")

	for _, line := range strings.Split(strings.TrimSpace(w.log.text()), "\n") {
		var v map[string]any
		require.NoError(t, json.Unmarshal([]byte(line), &v), "%s", line)
	}
}

func TestUnknownPathsAndMethodsAreProblems(t *testing.T) {
	w := newWorld(t, nil)
	a := w.send("GET", "/nowhere", "")
	require.Equal(t, 404, a.Code)
	require.Equal(t, fault.NotFoundCode, a.problem().Code)

	for method, target := range map[string]string{
		"PATCH": "/orders",
		"TRACE": "/orders",
		"BREW":  "/orders",
	} {
		a := w.send(method, target, "")
		require.Equal(t, 405, a.Code, method)
		require.Equal(t, "GET, HEAD, POST, OPTIONS", a.Header().Get("Allow"), method)
		require.Equal(t, fault.MethodNotAllowed, a.problem().Code)
	}

	require.Equal(t, 404, w.send("BREW", "/nowhere", "").Code)
	a = w.send("GET", "/%ff%00", "")
	require.Equal(t, 404, a.Code)
	require.Equal(t, "/\ufffd\x00", a.problem().Instance, "any bytes in a path are answered in valid JSON")
}

// HEAD has the headers of GET and no body, whatever the answer is; OPTIONS names the methods and needs no credentials.
func TestHeadAndOptionsAreKnownWhereverThereIsSomething(t *testing.T) {
	w := newWorld(t, nil)

	for _, target := range []string{
		"/orders", "/orders/x", "/openapi.json", "/docs", "/", "/problems/NOT_FOUND", "/nowhere",
	} {
		get := w.send("GET", target, "")
		head := w.send("HEAD", target, "")

		require.Equal(t, get.Code, head.Code, target)
		require.Empty(t, head.Body.String(), target)

		if target != "/" { // it leads elsewhere, by http.Redirect, which does not write to HEAD
			require.Equal(t, strconv.Itoa(get.Body.Len()), head.Header().Get("Content-Length"), target)
		}

		for name := range get.Header() {
			if name != "X-Request-Id" && !strings.HasPrefix(name, "Ratelimit") {
				require.Equal(t, get.Header()[name], head.Header()[name], "%s of %s", name, target)
			}
		}
	}

	require.Equal(t, 304, w.send("HEAD", "/orders/x", "", "If-None-Match: *").Code)
	require.Equal(t, 405, w.send("HEAD", "/check", "").Code, "there is no GET")

	for target, allowed := range map[string]string{
		"/orders":   "GET, HEAD, POST, OPTIONS",
		"/orders/x": "GET, HEAD, DELETE, OPTIONS",
		"/check":    "POST, OPTIONS",
		"/docs":     "GET, HEAD, OPTIONS",
	} {
		a := w.send("OPTIONS", target, "", "Authorization: none")
		require.Equal(t, 204, a.Code, target)
		require.Equal(t, allowed, a.Header().Get("Allow"), target)
		require.Empty(t, a.Header()["Access-Control-Allow-Origin"], "nobody else is invited")
	}

	require.Equal(t, 404, w.send("OPTIONS", "/nowhere", "").Code)
}

// An answer that goes on for ever, or is read from somewhere, has its header all the same, and nobody reads it.
func TestHeadOfAStreamEndsAtOnce(t *testing.T) {
	w := newWorld(t, nil)

	op := func(path, id string) Operation {
		return Operation{
			Method: "GET",
			Path:   path,
			ID:     id,
			Tag:    "orders",
			Access: Tenant,
		}
	}

	var used []string

	Register(w.api, op("/flow", "flow"), func(context.Context, *struct{}) (*EventStream, error) {
		return &EventStream{Send: func(context.Context, *EventWriter) error {
			used = append(used, "the events")
			return nil
		}}, nil
	})
	Register(w.api, op("/file", "file"), func(context.Context, *struct{}) (*Stream, error) {
		return &Stream{ContentType: "application/pdf", Size: 1_000_000, Write: func(io.Writer) error {
			used = append(used, "the file")
			return nil
		}}, nil
	})

	flow := w.send("HEAD", "/flow", "")
	require.Equal(t, 200, flow.Code)
	require.Equal(t, "text/event-stream", flow.Header().Get("Content-Type"))

	file := w.send("HEAD", "/file", "")
	require.Equal(t, 200, file.Code)
	require.Equal(t, "application/pdf", file.Header().Get("Content-Type"))
	require.Empty(t, used)
}

// A real server and its client agree on where an answer to HEAD ends: the next request uses the connection.
func TestHeadLeavesTheConnectionInOrder(t *testing.T) {
	w := newWorld(t, nil)

	server := httptest.NewServer(w.handler)
	defer server.Close()

	for range 3 {
		for _, target := range []string{"/openapi.json", "/nowhere"} {
			head, err := server.Client().Head(server.URL + target)
			require.NoError(t, err)
			require.NoError(t, head.Body.Close())

			get, err := server.Client().Get(server.URL + target)
			require.NoError(t, err)
			body, err := io.ReadAll(get.Body)
			require.NoError(t, err)
			require.NoError(t, get.Body.Close())
			require.EqualValues(t, len(body), head.ContentLength, target)
		}
	}
}

// A body in an encoding is refused by its name before anybody reads it, wherever there may be a body.
func TestABodyInAnEncodingIsRefused(t *testing.T) {
	w := newWorld(t, nil)

	for _, header := range []string{"gzip", "br", "deflate, gzip", "GZIP"} {
		a := w.send("POST", "/check", soundOrder, "Content-Encoding: "+header)
		require.Equal(t, 415, a.Code, header)
		require.Equal(t, fault.EncodingUnknown, a.problem().Code)
		require.Equal(t, []string{"header Content-Encoding CONTENT_ENCODING_UNSUPPORTED"}, a.faults())
		require.Equal(t, "identity", a.Header().Get("Accept-Encoding"))
	}

	require.Zero(t, w.ran.Load())
	require.Equal(t, 200, w.send("POST", "/check", soundOrder, "Content-Encoding: identity").Code)
	require.Equal(t, 200, w.send("GET", "/orders/x", "", "Content-Encoding: gzip").Code, "there is no body")
}

// Z-08: no trick with a path, method or header reaches an operation by another name.
func TestPathAndMethodTricksHaveNoEffect(t *testing.T) {
	w := newWorld(t, nil)
	for _, target := range []string{
		"//orders/x", "/orders//x", "/orders/x/", "/orders/", "/./orders/x", "/orders/../orders/x", "/%2e/orders/x", "/orders/%2e%2e/orders/x",
		"/ORDERS/x", "/orders%2fx", "/orders/x/y", "/orders/x%2fy/z", "/orders;a=b/x", "/orders/x/.", "/%6frders/x", `/\orders/x`,
	} {
		a := w.send("GET", target, "")
		require.Contains(t, []int{404, 405}, a.Code, target)
		require.Equal(t, a.Code, a.problem().Status)
	}

	require.Zero(t, w.ran.Load(), "no use case was begun")

	for _, header := range []string{"X-HTTP-Method-Override: DELETE", "X-Method-Override: DELETE", "X-HTTP-Method: DELETE", "X-Original-URL: /orders/none", "X-Rewrite-URL: /orders/none"} {
		require.Equal(t, 200, w.send("GET", "/orders/x", "", header).Code, header)
	}

	for target, id := range map[string]string{
		"/orders/%78":    "%78",
		"/orders/a%2fb":  "a%2fb",
		"/orders/x.":     "x.",
		"/orders/{id}":   "{id}",
		"/orders/..":     "..",
		"/orders/x?id=y": "",
	} {
		a := w.send("GET", target, "")
		if id == "" {
			require.Equal(t, []string{"?id UNKNOWN_PARAMETER"}, a.faults())
			continue
		}

		require.Contains(t, a.Body.String(), `"_id":"`+id+`"`,
			"an id is taken as it is written, so that two writings are never one record")
	}
}

// Z-08: what a caller writes about where it comes from is not believed.
func TestSourceIsTheConnectionAndNothingElse(t *testing.T) {
	for _, remote := range []string{"192.0.2.7:1234", "[2001:db8::1]:1234"} {
		r := httptest.NewRequest("GET", "/", nil)

		r.RemoteAddr = remote
		for _, h := range []string{"X-Forwarded-For", "X-Real-Ip", "Forwarded", "True-Client-Ip", "Cf-Connecting-Ip"} {
			r.Header.Set(h, "198.51.100.1")
		}

		source, proxied := (&API{}).source(r)
		require.Equal(t, strings.Trim(strings.TrimSuffix(remote, ":1234"), "[]"), source)
		require.False(t, proxied)
	}
}

func TestRegistrationRefusesWhatCannotWork(t *testing.T) {
	register := func(op Operation) func() {
		return func() {
			w := newWorld(t, nil)
			Register(w.api, op, w.whoami)
		}
	}

	require.Panics(t, register(Operation{Method: "GET", Path: "/new", ID: "new"}), "no access")
	require.Panics(t, register(Operation{Method: "GET", Path: "/new", ID: "new", Access: "everyone"}), "unknown access")

	require.Panics(t, register(Operation{
		Method: "GET",
		Path:   "/orders",
		ID:     "new",
		Access: Public,
	}), "a route that stands already")

	require.Panics(t, register(Operation{
		Method: "GET",
		Path:   "/new",
		ID:     "getOrder",
		Access: Public,
	}), "an ID that stands already")

	require.NotPanics(t, register(Operation{Method: "GET", Path: "/new", ID: "new", Access: Public}))

	require.Panics(t, func() {
		planOf(reflect.TypeFor[struct {
			F float64 `json:"f"`
		}]())
	}, "no floats in bodies")

	require.Panics(t, func() { planOf(reflect.TypeFor[struct{ Named string }]()) }, "a field without its JSON name")

	require.Panics(t, func() {
		planOf(reflect.TypeFor[struct {
			IP netip.Addr `json:"ip"`
		}]())
	}, "a type that decodes itself in a way nobody described")
}

// A caller that hangs up is no failure of the service, and the log says so. Something that fails while nobody waits any
// more is one all the same.
func TestACallerThatHangsUpIsNoFailure(t *testing.T) {
	for name, c := range map[string]struct {
		failed error
		level  string
	}{
		"because the caller hung up": {fmt.Errorf("writing: %w", context.Canceled), "INFO"},
		"by itself":                  {errors.New("the disk is full"), "ERROR"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, nil)
			ctx, hangUp := context.WithCancel(t.Context())
			w.lost = func(context.Context, *orderIn) error {
				hangUp()
				return c.failed
			}

			r := httptest.NewRequest("POST", "/orders", strings.NewReader(soundOrder)).WithContext(ctx)
			r.Header.Set("Authorization", "Bearer alice")
			w.handler.ServeHTTP(httptest.NewRecorder(), r)

			var line struct{ Level, Msg, Error string }

			for text := range strings.Lines(w.log.text()) {
				if strings.Contains(text, "request failed") {
					require.NoError(t, json.Unmarshal([]byte(text), &line, json.MatchCaseInsensitiveNames(true)))
				}
			}

			require.Equal(t, c.level, line.Level)
			require.Contains(t, line.Error, c.failed.Error())
		})
	}
}
