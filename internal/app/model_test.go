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

// keyed is a request that had its effect under an Idempotency-Key, and its answer.
type keyed struct {
	method, path, key string
	body              any
	answer            apptest.Answer
}

// remembering sends requests under keys of their own and keeps those that had an effect.
type remembering struct {
	*apptest.Client
	sent  int
	first []keyed
}

// do sends a request under a new key.
func (c *remembering) do(method, path string, body any) apptest.Answer {
	c.sent++
	k := keyed{method: method, path: path, key: fmt.Sprintf("key %d", c.sent), body: body}

	k.answer = c.Do(method, path, body, apptest.Key(k.key))
	if k.answer.Status < 300 {
		c.first = append(c.first, k)
	}

	return k.answer
}

// I-02 (with N-09): random sequences of create, edit, submit, accept, delete, reject, settlement and repetition
// behave like the model: every answer's status is the model's, what is repeated from a new session gets its first
// answer and changes nothing, reservations never exceed the allowance, and the oracle finds nothing afterwards.
// -rapid.checks and -rapid.steps make it longer. It is long because every action stands beside the model it changes.
func TestRandomSequencesFollowTheModel(t *testing.T) {
	if f := flag.Lookup("rapid.checks"); f.Value.String() == f.DefValue {
		require.NoError(t, f.Value.Set("12")) // each is some thirty requests and a look at the whole chain
	}

	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := &remembering{Client: h.Client("Ada")}
		staff := h.Client("Grace")
		staff.Staff("staff")
		usdc := h.World.Token("USDC")

		rapid.Check(t, func(r *rapid.T) {
			h.Approve(usdc, c.Payer, apptest.Units(usdc, 60))
			left := 60 // of the allowance, beyond what is reserved

			var all []*modelled
			expect := func(a apptest.Answer, ok bool, what string, m *modelled) bool {
				if (a.Status < 300) != ok {
					r.Fatalf(
						"%s of a %s (gone %v, debit %d, left %d): %d %s",
						what,
						m.status,
						m.gone,
						m.debit,
						left,
						a.Status,
						a.Raw,
					)
				}

				if !ok && (a.Status < 400 || a.Status >= 500) {
					r.Fatalf("%s: %d %s", what, a.Status, a.Raw)
				}

				return ok
			}
			pick := func() *modelled { return all[rapid.IntRange(0, len(all)-1).Draw(r, "which")] }
			create := func(r *rapid.T) {
				n := rapid.IntRange(1, 30).Draw(r, "amount")
				a := c.do("POST", "/transactions", c.Body("USDC", c.Payment(c.Payee, fmt.Sprint(n)))).OK(201)
				all = append(all, &modelled{id: a.ID(), status: transaction.StatusDraft, debit: n})
			}
			create(r)
			live := func(m *modelled, s transaction.Status) bool { return !m.gone && m.status == s }
			r.Repeat(map[string]func(*rapid.T){
				"create": create,
				"edit": func(r *rapid.T) {
					m := pick()
					n := rapid.IntRange(1, 30).Draw(r, "amount")

					a := c.do("PUT", "/transactions/"+m.id, c.Body("USDC", c.Payment(c.Payee, fmt.Sprint(n))))
					if expect(a, live(m, transaction.StatusDraft), "edit", m) {
						m.debit = n
					}
				},
				"submit": func(*rapid.T) {
					m := pick()
					if expect(
						c.do("POST", "/transactions/"+m.id+"/submit", nil),
						live(m, transaction.StatusDraft) && m.debit <= left,
						"submit",
						m,
					) {
						m.status = transaction.StatusWaiting
						left -= m.debit
					}
				},
				"accept": func(*rapid.T) {
					m := pick()
					if expect(
						c.do("POST", "/transactions/"+m.id+"/accept", nil),
						live(m, transaction.StatusWaiting),
						"accept",
						m,
					) {
						m.status = transaction.StatusProcess
					}
				},
				"delete": func(*rapid.T) {
					m := pick()
					if expect(
						c.do("DELETE", "/transactions/"+m.id, nil),
						live(m, transaction.StatusDraft) || live(m, transaction.StatusWaiting),
						"delete",
						m,
					) {
						if m.status == transaction.StatusWaiting {
							left += m.debit
						}

						m.gone = true
					}
				},
				"reject": func(*rapid.T) {
					m := pick()
					a := staff.Do("POST", "/transactions/"+m.id+"/reject", object{"reason": "review"})

					may := live(m, transaction.StatusDraft) || live(m, transaction.StatusWaiting) ||
						live(m, transaction.StatusProcess)
					if expect(a, may, "reject", m) {
						if m.status != transaction.StatusDraft {
							left += m.debit
						}

						m.status = transaction.StatusRejected
					}
				},
				"repeat": func(r *rapid.T) {
					k := c.first[rapid.IntRange(0, len(c.first)-1).Draw(r, "which")]
					c.Login()

					if a := c.Do(k.method, k.path, k.body, apptest.Key(k.key)); a.Raw != k.answer.Raw ||
						a.Status != k.answer.Status {
						r.Fatalf(
							"%s %s gave %d %s, and again %d %s",
							k.method,
							k.path,
							k.answer.Status,
							k.answer.Raw,
							a.Status,
							a.Raw,
						)
					}
				},
				"settle": func(*rapid.T) {
					h.Settle()

					for _, m := range all {
						if m.status == transaction.StatusProcess {
							// what it pulled is gone from the allowance and from the reservations
							m.status = transaction.StatusCompleted
						}
					}
				},
				"": func(*rapid.T) {
					for _, m := range all {
						a := c.Do("GET", "/transactions/"+m.id, nil)
						if m.gone {
							expect(a, false, "read", m)
						} else if v := a.View(); v.Status != m.status || v.Totals.TokenDebit != apptest.Amount(m.debit) {
							r.Fatalf(
								"%s is %s of %s, the model says %s of %d",
								m.id,
								v.Status,
								v.Totals.TokenDebit,
								m.status,
								m.debit,
							)
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
