//go:build !nosandbox

package app_test

import (
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/app"
	"slipway/internal/app/apptest"
	"slipway/internal/payments/transaction"
)

// atOnce runs the functions at the same moment, as far as that can be had, and gives their answers in their order.
func atOnce(calls ...func() apptest.Answer) []apptest.Answer {
	out := make([]apptest.Answer, len(calls))
	gate := make(chan struct{})

	var wg sync.WaitGroup
	for i, call := range calls {
		wg.Go(func() {
			<-gate
			out[i] = call()
		})
	}

	close(gate)
	wg.Wait()

	return out
}

// calls makes n requests of one operation, in turns to each app.
func calls(
	h *apptest.Harness,
	c *apptest.Client,
	n int,
	apps []*app.App,
	path string,
	key func(i int) string,
) []func() apptest.Answer {
	out := make([]func() apptest.Answer, n)
	for i := range out {
		var headers []apptest.Header
		if k := key(i); k != "" {
			headers = append(headers, apptest.Key(k))
		}

		out[i] = func() apptest.Answer {
			return h.Do(apps[i%len(apps)], "POST", path, c.Token, nil, headers...)
		}
	}

	return out
}

func noKey(int) string { return "" }

// N-01, P-05: of many accepts over two processes on one database exactly one has the effect. Without a key the others
// are refused with 409; with one key all have the same answer.
func TestManyAcceptsAreOne(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")

		apps := []*app.App{h.App, h.Start()}
		for _, n := range []int{2, 100} {
			for _, key := range []string{"", "one key"} {
				id := c.Submitted("USDC", "5.00")
				answers := atOnce(calls(h, c, n, apps, "/transactions/"+id+"/accept", func(int) string {
					return key
				})...)

				won := 0
				for _, a := range answers {
					if key != "" {
						require.Equal(t, answers[0].Raw, a.OK(200).Raw)
						continue
					}

					if a.Status == 200 {
						won++
					} else {
						a.Refused(409, "TX_NOT_WAITING_ACCEPTANCE")
					}
				}

				if key == "" {
					require.Equal(t, 1, won)
				}

				require.EqualValues(
					t,
					1,
					h.Count(
						"SELECT count(*) FROM transaction_history WHERE transaction_id = ? AND status = 'PROCESSING'",
						id,
					),
				)
			}
		}

		h.Settle()
		require.EqualValues(t, 4, h.Count("SELECT count(*) FROM transactions WHERE status = 'COMPLETED'"))
		h.Oracle()
	})
}

// N-02: of many submits one has the effect, and what is reserved is reserved once.
func TestManySubmitsAreOne(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		apps := []*app.App{h.App, h.Start()}
		id := c.Draft("USDC", "5.00")

		won := 0
		for _, a := range atOnce(calls(h, c, 100, apps, "/transactions/"+id+"/submit", noKey)...) {
			if a.Status == 200 {
				won++
				continue
			}

			require.Equal(t, 409, a.Status, a.Raw)
			require.Contains(t, []string{"TX_NOT_DRAFT", "TX_CHANGED"}, a.Code())
		}

		require.Equal(t, 1, won)
		require.EqualValues(t, 1, h.Count("SELECT count(*) FROM reservations"))
		h.Oracle()
	})
}

// N-02: submit beside PUT, and PUT beside accept. What was locked is what is paid: the content is the one or the
// other, never a mixture, and an edit that comes after the lock is refused.
func TestLockedContentIsWhatIsPaid(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")

		apps := []*app.App{h.App, h.Start()}
		for round := range 8 {
			id := c.Draft("USDC", "5.00")
			edit := c.Body("USDC", c.Payment(c.Payee, "7.00"), c.Payment(c.Payee, "8.00"))
			put := func() apptest.Answer { return h.Do(apps[round%2], "PUT", "/transactions/"+id, c.Token, edit) }
			submit := func() apptest.Answer {
				return h.Do(apps[1-round%2], "POST", "/transactions/"+id+"/submit", c.Token, nil)
			}

			got := atOnce(put, submit)
			if got[0].Status != 200 {
				require.Equal(t, 409, got[0].Status, got[0].Raw)
				got[1].OK(200)
			}

			if got[1].Status != 200 {
				got[1].Refused(409, "TX_CHANGED")
				c.Act(id, "submit").OK(200)
			}

			accept := func() apptest.Answer {
				return h.Do(apps[round%2], "POST", "/transactions/"+id+"/accept", c.Token, nil)
			}
			got = atOnce(put, accept)
			got[0].Refused(409, "TX_NOT_DRAFT")
			got[1].OK(200)
			v := c.Read(id)
			require.Contains(t, []string{"5.00", "15.00"}, v.Totals.TokenDebit)
			require.Contains(t, []int{1, 2}, len(v.Payments))
			require.Equal(t, v.Totals.TokenDebit == "15.00", len(v.Payments) == 2)
		}

		h.Settle()
		h.Oracle() // I8: the calldata is what was locked
	})
}

// N-04: accept beside something that takes the right to accept away. A serial order exists: if accept was refused
// there is no effect at all, and if it went through, the other came after it.
func TestAcceptBesideARevocation(t *testing.T) {
	revocations := []struct {
		name, code string
		revoke     func(h *apptest.Harness, a *app.App, c *apptest.Client, id string) apptest.Answer
		restore    func(h *apptest.Harness, c *apptest.Client)
	}{
		{
			"transaction deleted",
			"NOT_FOUND",
			func(h *apptest.Harness, a *app.App, c *apptest.Client, id string) apptest.Answer {
				return h.Do(a, "DELETE", "/transactions/"+id, c.Token, nil)
			},
			func(*apptest.Harness, *apptest.Client) {},
		},
		{
			"organisation set back",
			"ORG_NOT_APPROVED",
			func(h *apptest.Harness, a *app.App, c *apptest.Client, _ string) apptest.Answer {
				return h.Do(
					a,
					"POST",
					"/sandbox/organisations/"+c.Org+"/onboarding",
					c.Token,
					apptest.Object{"status": "REJECTED"},
				)
			},
			func(h *apptest.Harness, c *apptest.Client) {
				c.Do(
					"POST",
					"/sandbox/organisations/"+c.Org+"/onboarding",
					apptest.Object{"status": "APPROVED"},
				).OK(200)
			},
		},
		{
			"member de-authorised",
			"MEMBER_NOT_AUTHORIZED",
			func(h *apptest.Harness, a *app.App, c *apptest.Client, _ string) apptest.Answer {
				return h.Do(
					a,
					"POST",
					"/sandbox/organisations/"+c.Org+"/members/"+c.Member,
					c.Token,
					apptest.Object{"userType": "viewer"},
				)
			},
			func(h *apptest.Harness, c *apptest.Client) {
				c.Do(
					"POST",
					"/sandbox/organisations/"+c.Org+"/members/"+c.Member,
					apptest.Object{"userType": "authorized"},
				).OK(200)
			},
		},
		{
			"wallet deleted",
			"WALLET_UNKNOWN",
			func(h *apptest.Harness, a *app.App, c *apptest.Client, _ string) apptest.Answer {
				return h.Do(a, "DELETE", "/wallets/"+c.Wallet, c.Token, nil)
			},
			func(h *apptest.Harness, c *apptest.Client) { c.Wallet = c.ProveWallet(c.Self, c.Payer) },
		},
	}

	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")

		apps := []*app.App{h.App, h.Start()}
		for _, r := range revocations {
			for round := range 4 {
				id := c.Submitted("USDC", "5.00")
				before := h.Count("SELECT count(*) FROM journals")
				got := atOnce(
					func() apptest.Answer {
						return h.Do(apps[round%2], "POST", "/transactions/"+id+"/accept", c.Token, nil)
					},
					func() apptest.Answer { return r.revoke(h, apps[1-round%2], c, id) })

				what := fmt.Sprintf(
					"%s: accept %d %s, revocation %d %s",
					r.name,
					got[0].Status,
					got[0].Raw,
					got[1].Status,
					got[1].Raw,
				)
				if got[0].Status == 200 {
					require.Contains(t, []int{200, 409}, got[1].Status, what)
					// what was accepted cannot be deleted
					require.Equal(t, r.code == "NOT_FOUND", got[1].Status == 409, what)
					require.Equal(t, before+1, h.Count("SELECT count(*) FROM journals"), what)
				} else {
					require.Equal(t, r.code, got[0].Code(), what)
					got[1].OK(200)
					require.Equal(t, before, h.Count("SELECT count(*) FROM journals"), what)
				}

				if got[1].Status == 200 {
					r.restore(h, c)
				}

				h.Settle()
			}
		}

		h.Oracle()
	})
}

// N-04: a revocation that was answered before accept was asked leaves accept without effect, on another process too.
func TestAcceptAfterARevocationHasNoEffect(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		other := h.Start()
		id := c.Submitted("USDC", "5.00")

		accept := func() apptest.Answer { return h.Do(other, "POST", "/transactions/"+id+"/accept", c.Token, nil) }
		for _, status := range []string{"REJECTED", "PENDING", "SUBMITTED"} {
			c.Do("POST", "/sandbox/organisations/"+c.Org+"/onboarding", apptest.Object{"status": status}).OK(200)
			accept().Refused(403, "ORG_NOT_APPROVED")
		}

		c.Do("POST", "/sandbox/organisations/"+c.Org+"/onboarding", apptest.Object{"status": "APPROVED"}).OK(200)
		c.Do("POST", "/sandbox/organisations/"+c.Org+"/members/"+c.Member, apptest.Object{"userType": "viewer"}).OK(200)
		accept().Refused(403, "MEMBER_NOT_AUTHORIZED")
		c.Do(
			"POST",
			"/sandbox/organisations/"+c.Org+"/members/"+c.Member,
			apptest.Object{"userType": "authorized"},
		).OK(200)
		c.Do("DELETE", "/wallets/"+c.Wallet, nil).OK(200)
		accept().Refused(422, "WALLET_UNKNOWN")
		require.Equal(t, transaction.StatusWaiting, c.Read(id).Status)
		require.Zero(t, h.Count("SELECT count(*) FROM journals"))
		require.Zero(t, h.Count("SELECT count(*) FROM chain_sends"))
		h.Oracle()
	})
}
