//go:build !nosandbox

package matrix

import (
	"context"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/db"
	"slipway/internal/platform/web"
)

// statement is one that a request has run, with its values.
type statement struct {
	text string
	args []any
}

// withoutTenant are statements on tables of tenants that do not name the organisation among their values, each with
// the reason why nothing of another tenant comes out of it. One that no request runs any more fails the test.
var withoutTenant = []struct{ begins, why string }{
	{"SELECT a.session_id, a.user_id", "authentication: the token says who asks, and the row says for whom"},
	{
		"SELECT CASE WHEN p.position = 0 THEN t.id",
		"transaction.Find reads for several callers at once, and compares the organisation of what it finds",
	},
	{"SELECT id, version, COALESCE((SELECT n FROM receiver_deletions", "the same: versions of what was read before"},
	{
		"SELECT id FROM wallets WHERE receiver = ?",
		"the receiver was read as the organisation's in the same transaction",
	},
	{
		"SELECT id, transaction_id, organisation, sequence",
		"the quote of a transaction that was found as the organisation's",
	},
	{"SELECT entry, house", "the deposits of such a transaction"},
	{
		"SELECT organisation FROM payables WHERE id",
		"whose a record is that somebody comments on: it is compared with the caller's before anything is read of it",
	},
	{"SELECT organisation FROM transactions WHERE id", "the same"},
	{"SELECT organisation FROM receivers WHERE id", "the same"},
	{
		"SELECT COALESCE(MAX(number), 0) FROM invoices",
		"the numbers of invoices are the operator's, in one series for all",
	},
	{
		"SELECT count(*) FROM invitations WHERE email_key",
		"how many invitations an address has got today, whoever sent them: a number",
	},
	{"SELECT id, organisation, email_key", "an invitation is found by its token, by whoever holds it"},
}

var (
	tablesIn = regexp.MustCompile(`(?:FROM|JOIN|UPDATE|INTO)\s+([a-z_]+)`)
	// guarded: the row was read before, in the same transaction, for its tenant, and is changed only as it was read.
	guarded = regexp.MustCompile(`WHERE (?:id|transaction_id|hash) = \? AND [a-z_]+ = `)
)

// TestEveryStatementIsOfOneTenant (Z-03) runs a valid call of each route, and then each statement that it has read
// tenants' tables with once more as a tenant that does not exist, and as B: nothing of A comes out. No statement
// reads such a table without naming a tenant or the caller himself, but for a few that are listed with their reasons;
// none changes one but by a row that was read before.
func TestEveryStatementIsOfOneTenant(t *testing.T) {
	onEach(t, func(t *testing.T, s *stage) {
		a := s.cast["admin"].home
		b := s.cast["other"].home
		caller := &person{token: a.admin, home: a}
		self := s.send(call{method: "GET", path: "/users/me", token: a.admin}).is(200).text("_id")
		ours := func(v any) bool { text, _ := v.(string); return text == self || strings.HasPrefix(text, "org_") }
		tables := s.tenantTables()
		used := make([]bool, len(withoutTenant))

		looked := map[string]bool{}
		for _, r := range s.requests() {
			if r.access == web.Public || r.access == web.Staff || r.access == web.Operator ||
				strings.HasPrefix(r.path, "/sandbox/") {
				continue // nobody's, or everybody's
			}

			v := s.fill(r, a, caller)
			for _, x := range s.statements(func() { s.do(r.call(v, caller)) }) {
				if looked[x.text] || !x.reads(tables) && !x.changes(tables) {
					continue
				}

				looked[x.text] = true
				switch {
				case excused(x, used):

				case x.changes(tables):
					if !guarded.MatchString(x.text) && !slices.ContainsFunc(x.args, ours) {
						t.Errorf("%s changes rows of no tenant in particular: %s", r.route, x.text)
					}

				case !slices.ContainsFunc(x.args, ours):
					t.Errorf("%s reads tenants' rows without saying whose: %s %v", r.route, x.text, x.args)

				default:
					s.foreign(r, x, ours, "org_00000000000000000000000000")
					// else it lists what B has
					if slices.ContainsFunc(x.args, func(arg any) bool { return isOneOf(arg, v) && !ours(arg) }) {
						s.foreign(r, x, ours, b.id)
					}
				}
			}
		}

		require.Greater(t, len(looked), 40, "statements")

		for i, e := range withoutTenant {
			require.True(t, used[i], "no request runs %q any more: take it out", e.begins)
		}
	})
}

func excused(x statement, used []bool) bool {
	for i, e := range withoutTenant {
		if strings.HasPrefix(x.text, e.begins) {
			used[i] = true
			return true
		}
	}

	return false
}

// tenantTables are those that have a column organisation, and that of the organisations.
func (s *stage) tenantTables() map[string]bool {
	query := `SELECT m.name FROM sqlite_master m
		JOIN pragma_table_info(m.name) c ON c.name = 'organisation'
		WHERE m.type = 'table'`
	if s.app.DB.Dialect() == db.Postgres {
		query = `SELECT table_name FROM information_schema.columns
			WHERE column_name = 'organisation' AND table_schema = current_schema()`
	}

	names, err := db.Select(context.Background(), s.app.DB, func(n *string) []any { return []any{n} }, query)
	require.NoError(s.t, err)
	require.Greater(s.t, len(names), 8)

	out := map[string]bool{"organisations": true}
	for _, n := range names {
		out[n] = true
	}

	return out
}

// statements runs something and gives what it has sent to the database.
func (s *stage) statements(run func()) (out []statement) {
	s.app.DB.Watch(func(query string, args []any) { out = append(out, statement{query, slices.Clone(args)}) })
	defer s.app.DB.Watch(nil)
	run()

	return out
}

func (x statement) names(tables map[string]bool) bool {
	return slices.ContainsFunc(tablesIn.FindAllStringSubmatch(x.text, -1), func(m []string) bool {
		return tables[m[1]]
	})
}

func (x statement) reads(tables map[string]bool) bool {
	return strings.HasPrefix(x.text, "SELECT") && x.names(tables)
}

func (x statement) changes(tables map[string]bool) bool {
	return !strings.HasPrefix(x.text, "SELECT") && x.names(tables)
}

// isOneOf says whether a value of a statement is one of a request's.
func isOneOf(arg any, v values) bool {
	text, ok := arg.(string)
	return ok && slices.Contains(slices.Collect(maps.Values(v)), text)
}

// foreign reads once more as another tenant, which must give nothing.
func (s *stage) foreign(r request, x statement, ours func(any) bool, theirs string) {
	args := slices.Clone(x.args)
	for i, arg := range args {
		if ours(arg) {
			args[i] = theirs
		}
	}

	query := x.text
	if !strings.HasPrefix(query, "SELECT count(*)") {
		query = "SELECT count(*) FROM (" + query + ") whatever"
	}

	n, err := db.Value[int64](context.Background(), s.app.DB, query, args...)
	require.NoError(s.t, err, "%s: %s %v", r.route, query, args)

	if n != 0 {
		s.t.Errorf("%s: as %s, a statement gives %d rows of another tenant: %s %v", r.route, theirs, n, x.text, args)
	}
}
