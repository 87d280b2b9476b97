//go:build !nosandbox

package matrix

import (
	"fmt"
	"maps"
	"sort"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/core/id"
	"slipway/internal/platform/web"
)

// ownedBy are the names of requests.txt that stand for something of one organisation.
var ownedBy = map[string]bool{
	"organisation": true,
	"member":       true,
	"receiver":     true,
	"payee":        true,
	"wallet":       true,
	"unproven":     true,
	"vault":        true,
	"proven":       true,
	"review":       true,
	"approval":     true,
	"applicant":    true,
	"draft":        true,
	"waiting":      true,
	"deposit":      true,
	"bankAccount":  true,
	"invoiceLink":  true,
	"knownLink":    true,
	"PAYER":        true,
}

// TestAnothersRecordAnswersLikeNoneAtAll puts B's record, and then one that does not exist, in the place of each of
// A's, in paths, queries and bodies: the two answers are the same bytes, and nothing changes (Z-02).
func TestAnothersRecordAnswersLikeNoneAtAll(t *testing.T) {
	onEach(t, func(t *testing.T, s *stage) {
		a := s.cast["admin"].home
		b := s.cast["other"].home
		caller := &person{token: a.admin, home: a}

		swapped := 0
		for _, r := range s.requests() {
			if r.access == web.Staff || r.access == web.Operator || r.access == web.Public {
				continue // the platform's people see every organisation's
			}

			mine := s.fill(r, a, caller)
			for _, name := range sortedNames(mine) {
				if !ownedBy[name] {
					continue
				}

				swapped++
				theirs := maps.Clone(mine)
				theirs[name] = s.record(b, caller, name, theirs)
				nobodys := maps.Clone(theirs)
				nobodys[name] = inexistent(theirs[name], s)
				s.unchanged(r.route+" with B's "+name, func() {
					got := s.do(r.call(theirs, caller))
					none := s.do(r.call(nobodys, caller))
					require.Equal(
						t,
						plain(none, nobodys[name]),
						plain(got, theirs[name]),
						"%s with B's %s",
						r.route,
						name,
					)

					if r.method != "GET" || !strings.Contains(r.query, "{"+name+"}") {
						require.GreaterOrEqual(t, got.status, 400, "%s took B's %s", r.route, name)
						return
					}

					require.EqualValues(t, 0, got.body["total"], "%s finds something for B's %s", r.route, name)
				})
			}
		}

		require.Greater(t, swapped, 30, "swaps")
		s.foreignCursors(a, b)
		s.foreignHeaders(a, b)
		s.foreignKeys(a, b)
	})
}

func sortedNames(v values) []string {
	out := make([]string, 0, len(v))
	for name := range v {
		out = append(out, name)
	}

	sort.Strings(out)

	return out
}

// inexistent is an identifier of the same noun, or an address, that nothing has.
func inexistent(like string, s *stage) string {
	prefix, _, isID := strings.Cut(like, "_")
	if !isID {
		return s.newAccount().Address.Hex()
	}

	return id.New(prefix, s.app.DB.Now())
}

// plain is an answer without what differs between any two: the identifier that was asked for, and the request's own.
func plain(a answer, asked string) string {
	text := strings.ReplaceAll(a.raw, asked, "<id>")
	text = strings.ReplaceAll(text, a.header.Get("X-Request-Id"), "<request>")

	var names []string
	for name := range a.header {
		names = append(names, name)
	}

	sort.Strings(names)

	return fmt.Sprint(a.status, names, a.header.Get("Content-Type"), text)
}

// foreignCursors continues every list of A from where B's list was.
func (s *stage) foreignCursors(a, b *tenant) {
	s.draft(b)
	s.draft(b)
	s.bankAccount(b)
	s.bankAccount(b)
	s.approval(b)
	s.approval(b)

	for _, path := range []string{"/transactions?columnId=all&", "/wallets/me?", "/receivers/me?", "/bank-accounts/me?", "/approvals?", "/organisations/" + a.id + "/members?", "/organisations/me?"} {
		path, query, _ := strings.Cut(path, "?")
		theirs := s.do(call{
			method: "GET",
			path:   strings.ReplaceAll(path, a.id, b.id),
			query:  query + "limit=1",
			token:  b.admin,
		})

		cursor, _ := theirs.body["nextCursor"].(string)
		if cursor == "" {
			require.Contains(s.t, path, "/organisations/me", "B's list has more than one page")
			continue
		}

		// inspect looks for B's
		s.send(call{method: "GET", path: path, query: query + "limit=250&cursor=" + cursor, token: a.admin}).is(200)
	}
}

// foreignHeaders names B in headers.
func (s *stage) foreignHeaders(a, b *tenant) {
	none := s.send(call{
		method: "GET",
		path:   "/receivers/me",
		token:  a.admin,
		wish:   "org_00000000000000000000000000",
	}).is(404)

	theirs := s.send(call{method: "GET", path: "/receivers/me", token: a.admin, wish: b.id}).is(404)
	require.Equal(s.t, plain(none, "-"), plain(theirs, "-"))

	require.Equal(s.t, "PARTNER_UNKNOWN", s.send(call{
		method: "POST",
		path:   "/transactions",
		token:  a.admin,
		body:   draftBody(a),
		header: map[string]string{"partnerId": b.id},
	}).is(422).code())
}

// foreignKeys sends the Idempotency-Key and body of B: A gets its own answer.
func (s *stage) foreignKeys(a, b *tenant) {
	c := call{
		method: "PATCH",
		path:   "/users/me",
		token:  b.admin,
		body:   `{"firstName":"Pat"}`,
		header: map[string]string{"Idempotency-Key": "one-key"},
	}

	theirs := s.send(c).is(200)
	c.token = a.admin
	mine := s.send(c).is(200)
	require.NotEqual(s.t, theirs.text("_id"), mine.text("_id"))
	require.Empty(s.t, mine.header.Get("Idempotent-Replayed"))
}
