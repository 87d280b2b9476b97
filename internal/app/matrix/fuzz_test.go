//go:build !nosandbox

package matrix

import (
	"encoding/json"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/web"
)

// seed makes every run the same; SLIPWAY_TEST_FUZZ_SEED gives another.
const seed = 20261121

// requestsPerRun is how many requests one run sends; SLIPWAY_TEST_FUZZ_REQUESTS gives another number.
const requestsPerRun = 3_000

// costly reports whether an operation computes a password hash, or ends a session that must be begun first. Such
// operations get few requests, and need not be reached.
func costly(route string) bool {
	return slices.Contains([]string{
		"POST /auth/register",
		"POST /auth/register-with-organisation",
		"POST /auth/login",
		"POST /auth/change-password",
		"POST /auth/logout",
		"DELETE /auth/sessions",
		"POST /auth/change-email",
		"POST /auth/reset-password",
		"POST /auth/2fa/login",
		"PATCH /users/complete",
	}, route)
}

func setting(t testing.TB, name string, usual int) int {
	text := os.Getenv(name)
	if text == "" {
		return usual
	}

	n, err := strconv.Atoi(text)
	require.NoError(t, err, name)

	return n
}

// TestNoRequestBringsTheServiceDown sends requests made from the OpenAPI document, right ones and spoiled ones
// (I-01): no answer is 5xx, none differs from what the document promises, and every operation that matrix.txt lets
// somebody use was reached by a right one.
func TestNoRequestBringsTheServiceDown(t *testing.T) {
	t.Parallel()
	s := newStage(t, sqliteFile(t))
	start := setting(t, "SLIPWAY_TEST_FUZZ_SEED", seed)
	f := &fuzzer{
		stage:  s,
		g:      &generator{rand.New(rand.NewPCG(uint64(start), 1)), s.document()},
		right:  map[string]int{},
		filled: map[string]values{},
	}

	all := s.requests()
	for range setting(t, "SLIPWAY_TEST_FUZZ_REQUESTS", requestsPerRun) {
		f.step(all[f.g.IntN(len(all))])
	}

	e := readMatrix(t)
	for _, r := range all { // those that chance has left out
		if f.right[r.route] == 0 && !costly(r.route) && !f.reach(r, e.answered(r.route)) {
			t.Errorf("%s was never reached by a right request", r.route)
		}
	}

	t.Logf("statuses: %v", f.statuses)
}

type fuzzer struct {
	*stage
	g        *generator
	right    map[string]int
	statuses [600]int
	filled   map[string]values // of the latest right request of a route: spoiled ones use its records again
}

// step sends one request: a right one, or one with something else in its path, query or body.
func (f *fuzzer) step(r request) {
	if costly(r.route) && !f.g.chance(5) {
		return
	}

	f.send(r, f.g.chance(15))
}

// reach sends right requests to a route: as the usual caller, and as the people of the cast whom matrix.txt lets in. It
// returns false if none of them was answered. A route that the matrix lets nobody use need not be reached.
func (f *fuzzer) reach(r request, people []string) bool {
	f.send(r, true)

	for _, name := range people {
		if f.right[r.route] > 0 {
			break
		}

		f.sendAs(r, f.cast[name], true)
	}

	return f.right[r.route] > 0 || len(people) == 0
}

func (f *fuzzer) send(r request, intact bool) {
	who := f.who(r)

	switch {
	case r.route == "DELETE /auth/sessions": // the cast needs theirs
		who = f.signedIn("fuzz")
	case intact:
		who = f.caller(r)
	}

	f.sendAs(r, who, intact)
}

func (f *fuzzer) sendAs(r request, who *person, intact bool) {
	f.onboarding(f.cast["admin"].home, "APPROVED")
	// under a policy, right requests would wait for others
	f.exec("UPDATE organisations SET four_eyes = 0, payee_approval = FALSE, payee_delay = 0, " +
		"signed_intents = FALSE, daily_caps = ''")

	v := f.filled[r.route]
	if v == nil || intact {
		v = f.fill(r, f.cast["admin"].home, who)
		f.filled[r.route] = v
	}

	c := r.call(v, who)
	if !intact {
		f.change(r, &c)
	}

	a := f.do(c)
	f.statuses[a.status]++

	if a.status < 400 { // pages lead on
		f.right[r.route]++
	}
}

// who calls: mostly someone who may, now and then anybody of the cast.
func (f *fuzzer) who(r request) *person {
	switch {
	case r.route == "POST /auth/logout":
		return f.signedIn("fuzz")
	case f.g.chance(90) || r.access == web.Public:
		return f.caller(r)
	}

	names := slices.Sorted(maps.Keys(f.cast))

	return f.cast[names[f.g.IntN(len(names))]]
}

// tame keeps the simulators from what would make right requests fail: a replaced block takes the wallets' approvals
// back, and without a fresh rate nothing has a price.
var tame = strings.NewReplacer(`"reorg"`, `"mine"`, `"stale"`, `"look"`, `"down"`, `"look"`)

// change puts something else into a call.
func (f *fuzzer) change(r request, c *call) {
	g := f.g
	if g.chance(15) {
		wrong := values{}
		for name := range f.filled[r.route] {
			wrong[name] = pathSafe(g.nasty())
		}

		c.path = r.call(wrong, &person{}).path
	}

	if r.method == "GET" && g.chance(80) {
		c.query = g.query(r.route)
	}

	if r.body != "" || g.chance(5) {
		c.body = tame.Replace(g.raw(f.body(r, c.body)))
	}

	if g.chance(10) {
		c.header = map[string]string{
			"Idempotency-Key": g.nasty(),
			"If-Match":        g.nasty(),
			"partnerId":       g.nasty(),
			"X-Request-Id":    g.nasty(),
		}

		for name, value := range c.header {
			if value == "" || len(value) > 1000 {
				delete(c.header, name)
			}
		}
	}
}

// body makes a body: the right one, one from the schema, or one of them spoiled.
func (f *fuzzer) body(r request, right string) any {
	var v any
	if right == "" || json.Unmarshal([]byte(right), &v) != nil || f.g.chance(40) {
		v = f.g.value(f.g.doc.input(r.route), 0)
	}

	for range f.g.IntN(3) {
		v = f.g.spoil(v, 0)
	}

	return v
}

// pathSafe writes any text as one segment of a path.
func pathSafe(s string) string {
	const hex = "0123456789ABCDEF"

	if s == "" || len(s) > 400 {
		return "x"
	}

	var out []byte
	for i := range len(s) {
		out = append(out, '%', hex[s[i]>>4], hex[s[i]&15])
	}

	return string(out)
}
