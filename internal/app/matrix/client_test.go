//go:build !nosandbox

package matrix

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/platformtest"
)

// call is one request. query is appended to the path.
type call struct {
	method, path, query, body string
	token, wish               string
	header                    map[string]string
}

// answer is what came back.
type answer struct {
	t      testing.TB
	call   call
	status int
	raw    string
	header http.Header
	body   map[string]any // nil: no JSON object
}

// do sends a call through the whole handler. It may be called from several goroutines.
func (s *stage) do(c call) answer {
	target := c.path
	if c.query != "" {
		target += "?" + c.query
	}

	var body io.Reader
	if c.body != "" {
		body = strings.NewReader(c.body)
	}

	r := httptest.NewRequest(c.method, target, body)
	if c.body != "" {
		r.Header.Set("Content-Type", "application/json")
	}

	if c.token != "" {
		r.Header.Set("Authorization", "Bearer "+c.token)
	}

	if c.wish != "" {
		r.Header.Set("Slipway-Organisation", c.wish)
	}

	for name, value := range c.header {
		r.Header.Set(name, value)
	}

	rec := httptest.NewRecorder()
	s.app.Handler.ServeHTTP(rec, r)

	a := answer{
		t:      s.t,
		call:   c,
		status: rec.Code,
		raw:    rec.Body.String(),
		header: rec.Header(),
	}
	if strings.Contains(rec.Header().Get("Content-Type"), "json") {
		_ = json.Unmarshal(rec.Body.Bytes(), &a.body) // a list stays nil
	}

	if c.method == "HEAD" {
		require.Empty(s.t, a.raw, "an answer to HEAD has no body")
		return a
	}

	s.inspect(a)
	s.conforms(a)

	return a
}

// send is do, under a name that reads well where the answer is asserted.
func (s *stage) send(c call) answer { return s.do(c) }

// is requires a status.
func (a answer) is(status int) answer {
	a.t.Helper()
	require.Equal(a.t, status, a.status, "%s %s %s: %s", a.call.method, a.call.path, a.call.body, a.raw)
	return a
}

// text gives a member of the body by a path such as "ownership.message".
func (a answer) text(path string) string {
	a.t.Helper()

	var v any = a.body
	for _, name := range strings.Split(path, ".") {
		m, ok := v.(map[string]any)
		require.True(a.t, ok, "no %s in %s", path, a.raw)
		v = m[name]
	}

	out, ok := v.(string)
	require.True(a.t, ok, "%s is no text in %s", path, a.raw)

	return out
}

// code is the code of a refusal, or empty.
func (a answer) code() string {
	c, _ := a.body["code"].(string)
	return c
}

// faults gives the refused fields as "pointer CODE".
func (a answer) faults() []string {
	var out []string

	list, _ := a.body["errors"].([]any)
	for _, f := range list {
		m, _ := f.(map[string]any)
		code, _ := m["code"].(string)
		out = append(out, platformtest.PlaceOf(m)+" "+code)
	}

	return out
}

func quoted(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		panic(err) // a text always encodes
	}

	return string(b)
}

func digestOf(token string) string {
	sum := sha256.Sum256([]byte(token))
	return hex.EncodeToString(sum[:])
}

// neverShown is searched for in every answer; plain texts, since an expression would take a quarter of these tests'
// time.
var neverShown = []string{
	"$argon2",
	"internalRpcUrl",
	"passwordHash",
	`"password":`, // a member; the form for signing in has a field of that name
	"goroutine ",
	"runtime error",
	"SQLSTATE",
	"no such column",
	"sqlite:",
	"sqlite3:",
}

// inspect looks at every answer of every test for what none may hold (Z-05): hashes, the password, node addresses,
// texts of the program's inside, and, when someone of A asks, anything of B.
func (s *stage) inspect(a answer) {
	if a.call.path == "/openapi.json" || strings.HasPrefix(a.call.path, "/docs") {
		return // they name the input fields
	}

	for _, m := range neverShown {
		if strings.Contains(a.raw, m) && !strings.Contains(a.call.body, m) {
			s.t.Errorf("%s %s shows %q: %s", a.call.method, a.call.path, m, a.raw)
		}
	}

	if strings.Contains(a.raw, password) {
		s.t.Errorf("%s %s shows a password: %s", a.call.method, a.call.path, a.raw)
	}

	if a.status >= 500 && a.status != 503 {
		s.t.Errorf(
			"%s %s?%s %s: %d %s\n%s",
			a.call.method,
			a.call.path,
			a.call.query,
			a.call.body,
			a.status,
			a.raw,
			s.logged(a.header.Get("X-Request-Id")),
		)
	}

	if strings.HasPrefix(a.call.path, "/sandbox/mail") {
		return // the tester's view of everybody's mail
	}

	if s.ofA(a.call.token) && strings.Contains(a.raw, canary) &&
		!strings.Contains(a.call.path+a.call.query+a.call.body, canary) {
		s.t.Errorf("%s %s?%s shows A what is B's: %s", a.call.method, a.call.path, a.call.query, a.raw)
	}
}

// logged gives the lines of the log about a request.
func (s *stage) logged(requestID string) string {
	var out []string
	for _, line := range strings.Split(s.logs.text(), "\n") {
		if strings.Contains(line, requestID) {
			out = append(out, line)
		}
	}

	return strings.Join(out, "\n")
}

// ofA says whether a token is of a member of A.
func (s *stage) ofA(token string) bool {
	admin := s.cast["admin"]
	if token == "" || admin == nil || admin.home == nil {
		return false
	}

	for _, p := range s.cast {
		if p.token == token {
			return p.home == admin.home
		}
	}

	return token == admin.home.admin
}

// searchLogs looks through all that was logged for secrets and for B's texts (I-06).
func (s *stage) searchLogs() {
	logged := s.logs.text()
	for _, x := range append([]string{canary}, s.secrets...) {
		if i := strings.Index(logged, x); i >= 0 {
			s.t.Errorf("the log holds %q: …%s…", x, logged[max(0, i-200):min(len(logged), i+100)])
		}
	}

	for _, line := range strings.Split(strings.TrimSpace(logged), "\n") {
		if line != "" && !json.Valid([]byte(line)) {
			s.t.Errorf("a line of the log is no JSON: %q", line)
		}
	}
}
