//go:build !nosandbox

package matrix

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// changing returns the valid calls of the routes that change what a GET of the same path shows, by route.
func (s *stage) changing(do func(r request, valid call)) {
	s.t.Helper()

	all := s.requests()
	for _, r := range all {
		method, path, _ := strings.Cut(r.route, " ")
		if method != "PUT" && method != "PATCH" || r.ofDirectory() {
			continue
		}

		if !slices.ContainsFunc(all, func(x request) bool { return x.route == "GET "+path }) {
			continue
		}

		caller := s.caller(r)
		do(r, r.call(s.fill(r, s.cast["admin"].home, caller), caller))
	}
}

// read returns what GET shows of what a call changes.
func (s *stage) read(c call) answer {
	c.method = "GET"
	c.body = ""
	c.header = nil

	return s.do(c).is(200)
}

// What GET gave is accepted by PUT and PATCH, and changes nothing: neither the version nor when it was updated.
func TestWhatWasReadCanBeSentBack(t *testing.T) {
	onEach(t, func(t *testing.T, s *stage) {
		routes := 0

		s.changing(func(r request, valid call) {
			routes++

			before := s.read(valid)
			if before.body["version"] == float64(0) { // nothing is set up that could be sent back
				s.do(valid).is(200)
				before = s.read(valid)
			}

			c := valid
			c.body = before.raw
			a := s.do(c).is(200)
			require.Equal(t, before.raw, s.read(valid).raw, r.route)

			if before.body["version"] == nil {
				return
			}

			tag := before.header.Get("ETag")
			require.Equal(t, before.body["version"], a.body["version"], r.route)
			c.header = map[string]string{"If-Match": tag}
			s.do(c).is(200)

			c.body = valid.body
			c.header = map[string]string{"If-Match": `"999999-0"`}
			s.do(c).is(412)
			require.Equal(t, before.raw, s.read(valid).raw, r.route)

			again := valid
			again.method = "GET"
			again.body = ""
			again.header = map[string]string{"If-None-Match": tag}
			s.do(again).is(304)
		})

		require.GreaterOrEqual(t, routes, 10, "routes")
	})
}

// Every member of every PATCH is cleared by null, or refused with its name.
func TestNullIsNeverIgnored(t *testing.T) {
	t.Parallel()
	s := newStage(t, sqliteFile(t))
	doc := s.document()
	members := 0

	s.changing(func(r request, valid call) {
		if r.method != "PATCH" {
			return
		}

		properties, _ := doc.input(r.route)["properties"].(map[string]any)
		for _, name := range slices.Sorted(maps.Keys(properties)) {
			members++

			c := valid
			c.body = `{` + quoted(name) + `:null}`

			a := s.do(c)
			if a.status != 200 {
				require.Contains(t, []int{409, 422}, a.status, "%s %s: %s", r.route, c.body, a.raw)
				require.True(t, a.status == 409 || slices.ContainsFunc(a.faults(), func(f string) bool {
					return strings.HasPrefix(f, "/"+name+" ")
				}), "%s %s: %s", r.route, c.body, a.raw)

				continue
			}

			if r.route == "PATCH /bank-accounts/{id}" && strings.HasPrefix(name, "bank") {
				continue // what nobody has said of the bank is what its directory says
			}

			shown, is := s.read(valid).body[name]
			if pending, _ := a.body["pendingApproval"].(string); !is || pending != "" {
				continue // it is shown under another name, or waits for somebody
			}

			empty := shown == nil || shown == ""
			if list, ok := shown.([]any); ok {
				empty = len(list) == 0
			}

			if object, ok := shown.(map[string]any); ok {
				empty = true
				for _, x := range object {
					empty = empty && x == nil
				}
			}

			require.True(t, empty, "%s %s left %v", r.route, c.body, shown)
		}
	})

	require.Greater(t, members, 60, "members")
}

// Every operation on one record compares If-Match with it.
func TestEveryChangeOfARecordHonoursIfMatch(t *testing.T) {
	t.Parallel()
	s := newStage(t, sqliteFile(t))
	doc := s.document()
	routes := 0

	for _, r := range s.requests() {
		method, _, _ := strings.Cut(r.route, " ")
		if method == "GET" {
			continue
		}

		raw, err := json.Marshal(doc.operation(r.route)["parameters"])
		require.NoError(t, err)

		versioned := strings.Contains(string(raw), `"If-Match"`)
		if !versioned && (r.body != "" && !strings.HasPrefix(r.body, "{") || doc.operation(r.route) == nil) {
			continue // a page
		}

		caller := s.caller(r)
		c := r.call(s.fill(r, s.cast["admin"].home, caller), caller)
		c.header = maps.Clone(c.header)

		if c.header == nil {
			c.header = map[string]string{}
		}

		c.header["If-Match"] = `"999999-0"`
		a := s.do(c)

		if versioned {
			routes++

			if a.code() != "VERSION_MISMATCH" { // what is refused in any case is refused first
				delete(c.header, "If-Match")
				require.GreaterOrEqual(t, s.do(c).status, 400, "%s: %s", r.route, a.raw)
			}
		} else if a.status < 400 {
			t.Errorf("%s ignores If-Match: %d", r.route, a.status)
		}
	}

	require.GreaterOrEqual(t, routes, 35, "routes")
}
