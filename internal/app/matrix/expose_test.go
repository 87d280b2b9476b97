//go:build !nosandbox

package matrix

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/db/dbtest"
)

func sqliteFile(t testing.TB) string { return "sqlite:" + dbtest.SQLiteFile(t) }

// TestNobodyReadsWhatIsAnothersOrSecret plants a canary in the texts of B's rows that no request fills, secrets in
// the addresses of nodes, and reads everything as everybody (Z-05, I-06). What each answer of each test may not hold
// is in inspect; the log is searched when the stage ends.
func TestNobodyReadsWhatIsAnothersOrSecret(t *testing.T) {
	onEach(t, func(t *testing.T, s *stage) {
		a := s.cast["admin"].home
		b := s.cast["other"].home
		s.secrets = append(s.secrets, nodeKey)
		theirs := s.waiting(b)
		s.draft(b)
		s.bankAccount(b)

		for _, x := range []struct{ table, columns, where string }{
			{"receivers", "middle_name,legal_name,partner_id,partner_client", "organisation"},
			{"wallets", "ownership_note,message,signed_message,screening_id,screening_error", "organisation"},
			{"bank_accounts", "bic,error_message", "organisation"},
			{"transactions", "status_info,partner,search", "organisation"},
			{"organisations", "first_name,last_name", "id"},
			{"events", "data", "organisation"},
			{"audit_log", "detail", "organisation"},
		} {
			for _, c := range strings.Split(x.columns, ",") {
				s.exec("UPDATE "+x.table+" SET "+c+" = ? WHERE "+x.where+" = ?", canary, b.id)
			}
		}

		s.exec(
			"UPDATE payments SET reason = ?, instructions = ?, document = ?, status_info = ? WHERE transaction_id = ?",
			canary,
			canary,
			canary,
			canary,
			theirs,
		)
		s.exec(
			"UPDATE users SET last_name = ? WHERE id IN (SELECT user_id FROM members WHERE organisation = ?)",
			canary,
			b.id,
		)
		s.plantSealed(b.id)
		network := s.network()
		own := s.send(call{method: "GET", path: "/transactions/" + theirs, token: b.admin}).is(200)
		require.Contains(t, own.raw, canary, "the canary is planted")

		searches := []string{
			"/transactions?columnId=all&searchTerm=" + canary,
			"/transactions?columnId=all&searchTerm=%25",
			"/transactions?columnId=all&organisations[]=" + b.id + "&organisations[]=" + a.id,
			"/wallets/me?limit=250",
			"/receivers/me?isHidden=true&limit=250",
			"/bank-accounts/me?limit=250",
			"/networks/" + network,
			"/networks?limit=250",
		}
		for _, r := range s.requests() {
			// the tester's view of everybody's mail
			if r.method != "GET" || strings.HasPrefix(r.path, "/sandbox/mail") {
				continue
			}

			c := r.call(s.fill(r, a, s.cast["initiator"]), &person{})
			searches = append(searches, c.path+"?"+c.query)
			// whoever has the token of an invoice link is told who asks
			if strings.Contains(r.query, "{INVOICETOKEN}") {
				continue
			}

			c = r.call(s.fill(r, b, s.cast["initiator"]), &person{})
			searches = append(searches, c.path+"?"+c.query)
		}

		for _, target := range searches {
			path, query, _ := strings.Cut(target, "?")

			for _, p := range s.cast {
				got := s.do(call{
					method: "GET",
					path:   path,
					query:  query,
					token:  p.token,
					wish:   p.wish,
				})
				require.NotContains(t, got.raw, nodeKey, "%s", target)

				if p.home != b && !strings.HasPrefix(p.email, "staff") && !strings.HasPrefix(p.email, "operator") &&
					!strings.Contains(query, canary) {
					require.NotContains(t, got.raw, canary, "%s", target)
				}
			}
		}

		metrics := s.send(call{method: "GET", path: "/metrics"}).is(200).raw
		for _, secret := range append([]string{canary, a.id, b.id, theirs, b.payer.Address.Hex()}, s.secrets...) {
			require.NotContains(t, metrics, secret)
		}
	})
}

// TestValidateAnswersAsTheDocumentSays: its refusal carries the issues twice, and still is the document's problem.
func TestValidateAnswersAsTheDocumentSays(t *testing.T) {
	t.Parallel()
	s := newStage(t, sqliteFile(t))
	a := s.cast["admin"].home

	id := s.draft(a)
	for _, p := range []string{"viewer", "initiator"} {
		actions := s.send(call{
			method: "GET",
			path:   "/transactions/" + id,
			token:  s.cast[p].token,
		}).is(200).body["allowedActions"]
		if p == "viewer" {
			require.Equal(t, []any{"validate", "check-allowance"}, actions, "a viewer is offered what he may do")
			continue
		}

		require.Equal(t, []any{"update", "validate", "check-allowance", "submit", "delete"}, actions)
	}

	s.send(call{
		method: "POST",
		path:   "/wallets/" + a.payee + "/revoke",
		token:  s.operator,
		body:   `{"reason":"Owners changed"}`,
	}).is(200)
	got := s.send(call{method: "POST", path: "/transactions/" + id + "/validate", token: a.admin}).is(422)
	require.Equal(t, false, got.body["valid"])
	require.Len(t, got.body["issues"], len(got.faults()))
}
