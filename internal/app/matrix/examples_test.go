//go:build !nosandbox

package matrix

import (
	"bytes"
	"encoding/base32"
	"encoding/json"
	"maps"
	"math/big"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/core/money"
	"slipway/internal/identity/passkey/passkeytest"
	"slipway/internal/payments/ledger"
	"slipway/internal/platform/db"
	"slipway/internal/platform/web"
	"slipway/internal/platform/web/documenttest"
	"slipway/internal/standards/otp"
)

// TestExamplesAreFresh compares the examples of the OpenAPI document with what the operations answer now. Identifiers
// and times differ from run to run, so an example stays as long as it has the members that answers have, and is what
// the document says.
func TestExamplesAreFresh(t *testing.T) {
	path := filepath.Join(root, "internal/app/openapi_examples.json")

	text, err := os.ReadFile(path)
	require.NoError(t, err)

	stored := map[string]web.Recorded{}
	require.NoError(t, json.Unmarshal(text, &stored))

	s := newStage(t, sqliteFile(t))
	got := s.examples()

	d, err := documenttest.New(mustOpenAPI(t, s))
	require.NoError(t, err)

	for _, name := range slices.Sorted(maps.Keys(got)) {
		if old, ok := stored[name]; ok && sameShape(old, got[name].Recorded) && got[name].fits(d, old) {
			entry := got[name]
			entry.Recorded = old
			got[name] = entry

			continue
		}

		if !*update {
			t.Errorf(
				"the example of %s is stale: go test ./internal/app/matrix -run TestExamplesAreFresh -update",
				name,
			)
		}
	}

	for name := range stored {
		if _, ok := got[name]; !ok && !*update {
			t.Errorf("there is an example of %s, which is no operation that answers", name)
		}
	}

	if *update {
		s.writeExamples(path, got)
	}
}

func mustOpenAPI(t *testing.T, s *stage) []byte {
	t.Helper()

	raw, err := s.app.API.OpenAPI()
	require.NoError(t, err)

	return raw
}

// example is what an operation was sent and has answered.
type example struct {
	web.Recorded
	route  string
	status int
}

// fits reports whether a stored answer is still what the document says.
func (x example) fits(d *documenttest.Document, old web.Recorded) bool {
	method, path, _ := strings.Cut(x.route, " ")
	header := map[string][]string{"Content-Type": {"application/json"}}

	return x.route == "" || len(old.Response) == 0 || d.Check(method, path, x.status, header, old.Response) == nil
}

// examples calls every route as somebody whom it answers, and a few calls that are refused.
func (s *stage) examples() map[string]example {
	s.t.Helper()

	e := readMatrix(s.t)
	d := s.document()
	out := map[string]example{}

	byRoute := map[string]request{}
	for _, r := range s.requests() {
		byRoute[r.route] = r
	}

	ids := map[string]string{}
	for _, r := range s.app.API.Routes() {
		ids[r.Method+" "+r.Path] = r.ID
	}

	for _, a := range s.refusedCalls() { // first, since the last routes end sessions
		out["problem "+strconv.Itoa(a.status)] = example{Recorded: web.Recorded{Response: tidy(s.t, a.raw)}}
	}

	for _, route := range e.order {
		people := e.answered(route)
		if len(people) == 0 || d.operation(route) == nil || strings.Contains(route, " /sandbox/") {
			continue
		}

		caller := s.cast[people[0]]
		for _, wanted := range []string{"admin", "client", "authorized", "operator"} {
			if slices.Contains(people, wanted) {
				caller = s.cast[wanted]
				break
			}
		}

		r := byRoute[route]

		c := r.call(s.fill(r, s.cast["admin"].home, caller), caller)
		if hasLimit(d, route) && !strings.Contains(c.query, "limit=") {
			c.query = strings.TrimPrefix(c.query+"&limit=1", "&")
		}

		a := s.do(c)
		s.onboarding(s.cast["admin"].home, "APPROVED")

		x := example{route: route, status: a.status}
		if strings.HasPrefix(a.header.Get("Content-Type"), "application/json") {
			x.Response = tidy(s.t, a.raw)
		}

		if strings.HasPrefix(c.body, "{") {
			x.Request = tidy(s.t, c.body)
		}

		if len(x.Request)+len(x.Response) > 0 {
			out[ids[route]] = x
		}
	}

	s.secondFactor(out)
	s.passkey(out)
	s.closedMonth(out)

	return out
}

// closedMonth closes a month of a book and reopens it.
func (s *stage) closedMonth(out map[string]example) {
	home := s.cast["admin"].home
	p := s.member(home, "bookkeeper", `"admin"`, "authorized")
	day := time.Date(2025, 11, 28, 0, 0, 0, 0, time.UTC)
	worth := money.FromUnits(money.Asset{Code: "EUR", Decimals: 2}, big.NewInt(100))

	require.NoError(s.t, s.app.DB.Write(s.t.Context(), func(tx *db.Tx) error {
		return ledger.Post(tx, ledger.Journal{
			Key:          "closed-month",
			Kind:         "hold",
			Organisation: home.id,
			Days:         ledger.OfBank(day, day),
			Postings: []ledger.Posting{
				{Account: ledger.SenderAccount("EUR"), Amount: worth.Neg()},
				{Account: ledger.SuspenseAccount("EUR", home.id), Amount: worth},
			},
		})
	}))

	for _, x := range []struct{ id, word, reason string }{
		{"closeBookkeepingPeriod", "close", "Reviewed with the auditor"},
		{"reopenBookkeepingPeriod", "reopen", "A rate was missing"},
	} {
		a := s.send(call{
			method: "POST",
			path:   "/bookkeeping/periods/2025-11/" + x.word,
			token:  p.token,
			body:   `{"reason":"` + x.reason + `"}`,
		}).is(200)
		out[x.id] = recordedExample(s.t, "POST /bookkeeping/periods/{period}/"+x.word, a)
	}
}

// passkey adds a passkey with a device in software, and signs in by it.
func (s *stage) passkey(out map[string]example) {
	p := s.signedIn("keyed")
	device := passkeytest.New(s.t, s.app.Config.HTTP.BaseURL, "localhost")
	options := func(path, token, body string) string {
		a := s.send(call{method: "POST", path: path, token: token, body: body}).is(200)

		var v struct{ PublicKey json.RawMessage }
		require.NoError(s.t, json.Unmarshal([]byte(a.raw), &v))

		return string(v.PublicKey)
	}

	made := device.Make(options("/auth/passkeys/options", p.token, `{"password":"`+password+`"}`))
	a := s.send(call{
		method: "POST",
		path:   "/auth/passkeys",
		token:  p.token,
		body:   `{"name":"Work laptop","credential":` + made + `}`,
	}).is(201)
	out["addPasskey"] = recordedExample(s.t, "POST /auth/passkeys", a)

	answer := device.Answer(options("/auth/passkeys/login-options", "", ""))
	a = s.send(call{method: "POST", path: "/auth/passkeys/login", body: `{"credential":` + answer + `}`}).is(200)
	out["loginPasskey"] = recordedExample(s.t, "POST /auth/passkeys/login", a)
}

// secondFactor sets up a second factor, proves it and gives it up again, with codes of an authenticator.
func (s *stage) secondFactor(out map[string]example) {
	p, code := s.stale(s.cast["admin"].home)

	for _, x := range []struct{ id, path string }{
		{"stepUp", "/auth/2fa/step-up"},
		{"disableSecondFactor", "/auth/2fa/disable"},
	} {
		body := `{"code":"` + code() + `"}`
		a := s.send(call{method: "POST", path: x.path, token: p.token, body: body}).is(200)
		out[x.id] = recordedExample(s.t, "POST "+x.path, a)
	}

	fresh := s.signedIn("fresh")
	secret := s.send(call{
		method: "POST",
		path:   "/auth/2fa/generate",
		token:  fresh.token,
		body:   `{"password":"` + password + `"}`,
	}).is(200).text("secret")
	key, err := base32.StdEncoding.WithPadding(base32.NoPadding).DecodeString(secret)
	require.NoError(s.t, err)

	now := otp.Usual(key).Step(s.app.DB.Now())
	a := s.send(call{
		method: "POST",
		path:   "/auth/2fa/verify",
		token:  fresh.token,
		body:   `{"code":"` + otp.Usual(key).Code(now) + `"}`,
	}).is(200)
	out["verifySecondFactor"] = recordedExample(s.t, "POST /auth/2fa/verify", a)
}

// recordedExample is an answer and what was sent for it.
func recordedExample(t testing.TB, route string, a answer) example {
	t.Helper()

	return example{
		Recorded: web.Recorded{
			Request:  tidy(t, a.call.body),
			Response: tidy(t, strings.ReplaceAll(a.raw, canary, "Southgate")), // operators see every organisation
		},
		route:  route,
		status: a.status,
	}
}

// hasLimit reports whether an operation answers with pages, of which an example shows the smallest.
func hasLimit(d document, route string) bool {
	params, _ := d.operation(route)["parameters"].([]any)

	return slices.ContainsFunc(params, func(p any) bool { return at(p, "name") == "limit" })
}

// refusedCalls are refusals of each status that a call alone can provoke.
func (s *stage) refusedCalls() []answer {
	admin := s.cast["admin"]
	wallet := "/wallets/" + admin.home.payee
	draft := s.draft(admin.home)

	return []answer{
		s.send(call{method: "POST", path: "/wallets", token: admin.token, body: `{"address":`}).is(400),
		s.send(call{method: "GET", path: "/wallets/me"}).is(401),
		s.send(call{method: "POST", path: "/networks", token: admin.token, body: `{"name":"A","type":"evm"}`}).is(403),
		s.send(call{method: "GET", path: "/wallets/nobody", token: admin.token}).is(404),
		s.send(call{
			method: "POST",
			path:   "/transactions/" + draft + "/accept",
			token:  s.cast["client"].token,
		}).is(409),
		s.send(call{
			method: "PATCH",
			path:   wallet,
			token:  admin.token,
			body:   `{"address":"` + strings.Repeat("x", 1<<20) + `"}`,
		}).is(413),
		s.send(call{
			method: "PATCH",
			path:   wallet,
			token:  admin.token,
			body:   `a=b`,
			header: map[string]string{"Content-Type": "application/x-www-form-urlencoded"},
		}).is(415),
		s.send(call{method: "POST", path: "/wallets", token: admin.token, body: `{"address":"x","size":1}`}).is(422),
	}
}

var secretMembers = regexp.MustCompile(
	`(?i)token$|^secret$|password|otpauthUrl|qrCodeDataUrl|recoveryCodes|^link$|^url$`,
)

// tidy parses a body and cuts what is a secret, so that nobody's scanner finds one.
func tidy(t testing.TB, raw string) json.RawMessage {
	t.Helper()

	d := json.NewDecoder(strings.NewReader(raw))
	d.UseNumber()

	var v any
	require.NoError(t, d.Decode(&v), raw)

	out, err := json.Marshal(withoutSecrets("", v))
	require.NoError(t, err)

	return out
}

func withoutSecrets(name string, v any) any {
	switch v := v.(type) {
	case map[string]any:
		for member, x := range v {
			v[member] = withoutSecrets(member, x)
		}

	case []any:
		for i, x := range v {
			v[i] = withoutSecrets(name, x)
		}

	case string:
		switch {
		case strings.HasPrefix(name, "qrCode"):
			return "data:image/png;base64,iVBORw0KGgo="
		case name == "password" || strings.HasSuffix(name, "Password"):
			return "nine violet kettles 47"
		case secretMembers.MatchString(name) && len(v) > 24:
			return v[:16] + "-example"
		}
	}

	return v
}

// sameShape reports whether two examples have the same members.
func sameShape(a, b web.Recorded) bool {
	return shape(a.Request) == shape(b.Request) && shape(a.Response) == shape(b.Response)
}

// shape is the names of all members of an object, at every depth.
func shape(raw json.RawMessage) string {
	if len(raw) == 0 {
		return ""
	}

	var v any
	if err := json.Unmarshal(raw, &v); err != nil {
		return err.Error()
	}

	names := map[string]bool{}
	collectNames("", v, names)

	return strings.Join(slices.Sorted(maps.Keys(names)), " ")
}

func collectNames(at string, v any, names map[string]bool) {
	switch v := v.(type) {
	case map[string]any:
		for name, x := range v {
			names[at+"/"+name] = true
			collectNames(at+"/"+name, x, names)
		}

	case []any:
		for _, x := range v {
			collectNames(at+"/*", x, names)
		}
	}
}

// writeExamples writes the file with the names in order, one example a line.
func (s *stage) writeExamples(path string, all map[string]example) {
	s.t.Helper()

	out := map[string]web.Recorded{}
	for name, x := range all {
		out[name] = x.Recorded
	}

	var b bytes.Buffer
	for i, name := range slices.Sorted(maps.Keys(out)) {
		text, err := json.Marshal(map[string]web.Recorded{name: out[name]})
		require.NoError(s.t, err)

		if i > 0 {
			b.WriteString(",\n")
		}

		b.Write(text[1 : len(text)-1])
	}

	require.NoError(s.t, os.WriteFile(path, []byte("{\n"+b.String()+"\n}\n"), 0o644))
}
