//go:build !nosandbox

package app_test

import (
	"flag"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"slipway/internal/app/apptest"
	"slipway/internal/payments/transaction"
)

// modelled is what the reference model knows of a transaction.
type modelled struct {
	id     string
	status transaction.Status
	gone   bool
	debit  int
}

// Random sequences of create, edit, submit, accept, delete, reject and settlement behave like the model: every answer's status is the
// model's, reservations never exceed the allowance, and the oracle finds nothing afterwards. It is long because every action stands beside the model it changes.
func TestRandomSequencesFollowTheModel(t *testing.T) {
	if f := flag.Lookup("rapid.checks"); f.Value.String() == f.DefValue {
		require.NoError(t, f.Value.Set("12")) // each is some thirty requests and a look at the whole chain
	}
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c, staff := h.Client("Ada"), h.Client("Grace")
		staff.Staff("staff")
		usdc := h.World.Token("USDC")
		rapid.Check(t, func(r *rapid.T) {
			h.Approve(usdc, c.Payer, apptest.Units(usdc, 60))
			left := 60 // of the allowance, beyond what is reserved
			var all []*modelled
			expect := func(a apptest.Answer, ok bool, what string, m *modelled) bool {
				if (a.Status < 300) != ok {
					r.Fatalf("%s of a %s (gone %v, debit %d, left %d): %d %s", what, m.status, m.gone, m.debit, left, a.Status, a.Raw)
				}
				if !ok && (a.Status < 400 || a.Status >= 500) {
					r.Fatalf("%s: %d %s", what, a.Status, a.Raw)
				}
				return ok
			}
			pick := func() *modelled { return all[rapid.IntRange(0, len(all)-1).Draw(r, "which")] }
			create := func(r *rapid.T) {
				n := rapid.IntRange(1, 30).Draw(r, "amount")
				all = append(all, &modelled{id: c.Draft("USDC", fmt.Sprint(n)), status: transaction.StatusDraft, debit: n})
			}
			create(r)
			live := func(m *modelled, s transaction.Status) bool { return !m.gone && m.status == s }
			r.Repeat(map[string]func(*rapid.T){
				"create": create,
				"edit": func(r *rapid.T) {
					m, n := pick(), rapid.IntRange(1, 30).Draw(r, "amount")
					a := c.Do("PUT", "/transactions/"+m.id, c.Body("USDC", c.Payment(c.Payee, fmt.Sprint(n))))
					if expect(a, live(m, transaction.StatusDraft), "edit", m) {
						m.debit = n
					}
				},
				"submit": func(*rapid.T) {
					m := pick()
					if expect(c.Act(m.id, "submit"), live(m, transaction.StatusDraft) && m.debit <= left, "submit", m) {
						m.status, left = transaction.StatusWaiting, left-m.debit
					}
				},
				"accept": func(*rapid.T) {
					m := pick()
					if expect(c.Act(m.id, "accept"), live(m, transaction.StatusWaiting), "accept", m) {
						m.status = transaction.StatusProcess
					}
				},
				"delete": func(*rapid.T) {
					m := pick()
					if expect(c.Do("DELETE", "/transactions/"+m.id, nil), live(m, transaction.StatusDraft) || live(m, transaction.StatusWaiting), "delete", m) {
						if m.status == transaction.StatusWaiting {
							left += m.debit
						}
						m.gone = true
					}
				},
				"reject": func(*rapid.T) {
					m := pick()
					a := staff.Do("POST", "/transactions/"+m.id+"/reject", object{"reason": "review"})
					may := live(m, transaction.StatusDraft) || live(m, transaction.StatusWaiting) || live(m, transaction.StatusProcess)
					if expect(a, may, "reject", m) {
						if m.status != transaction.StatusDraft {
							left += m.debit
						}
						m.status = transaction.StatusRejected
					}
				},
				"settle": func(*rapid.T) {
					h.Settle()
					for _, m := range all {
						if m.status == transaction.StatusProcess {
							m.status = transaction.StatusCompleted // what it pulled is gone from the allowance and from the reservations
						}
					}
				},
				"": func(*rapid.T) {
					for _, m := range all {
						a := c.Do("GET", "/transactions/"+m.id, nil)
						if m.gone {
							expect(a, false, "read", m)
						} else if v := a.View(); v.Status != m.status || v.Totals.TokenDebit != apptest.Amount(m.debit) {
							r.Fatalf("%s is %s of %s, the model says %s of %d", m.id, v.Status, v.Totals.TokenDebit, m.status, m.debit)
						}
					}
				},
			})
			for _, m := range all { // the next sequence begins with nothing reserved
				if live(m, transaction.StatusWaiting) {
					c.Do("DELETE", "/transactions/"+m.id, nil).OK(200)
				}
			}
			h.Settle()
			h.Oracle()
		})
		require.Zero(t, h.Count("SELECT count(*) FROM reservations WHERE released_at = 0"))
	})
}
