//go:build !nosandbox

package app_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/app"
	"slipway/internal/app/apptest"
)

// N-03: an approval of what the approver has seen, beside a change of it, a rejection, the same approval again, one
// of several at once, and a change of its payee, over two processes. One of them is first and the other one is told
// so, never by an internal error; who approved version 1 has approved what version 1 said; and what is APPROVED in
// the end is in one piece.
func TestApprovalBesideOtherDecisions(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		apps := []*app.App{h.App, h.Start()}

		seen := apptest.Header{Name: "If-Match", Value: `"1"`}
		for name, other := range map[string]func(p string, to payee) apptest.Answer{
			"change": func(p string, _ payee) apptest.Answer {
				return h.Do(apps[1], "PATCH", "/payables/"+p, c.Token, object{"amount": "900.00"}, seen)
			},
			"rejection": func(p string, _ payee) apptest.Answer {
				return h.Do(apps[1], "POST", "/payables/"+p+"/reject", c.Token, object{"reason": "Not ours"})
			},
			"approval": func(p string, _ payee) apptest.Answer {
				return h.Do(apps[1], "POST", "/payables/"+p+"/approve", c.Token, nil, seen)
			},
			"several": func(p string, _ payee) apptest.Answer {
				return h.Do(apps[1], "POST", "/payables/approve", c.Token, object{"ids": []string{p}})
			},
			"payee": func(_ string, to payee) apptest.Answer {
				return h.Do(apps[1], "PATCH", "/wallets/"+to.wallet, c.Token, object{"address": h.Account("thief" + to.wallet).Address.Hex()})
			},
		} {
			for round := range 12 {
				bob := newPayee(h, c, fmt.Sprintf("%s%d", name, round))
				p := create(c, bob.crypto("1.00"))
				got := atOnce(func() apptest.Answer {
					return h.Do(apps[0], "POST", "/payables/"+p+"/approve", c.Token, nil, seen)
				},
					func() apptest.Answer { return other(p, bob) })
				v := readPayable(c, p)

				for _, a := range got {
					require.Contains(t, []int{200, 409, 412}, a.Status, "%s: %s", name, a.Raw)
				}

				live := h.Count("SELECT count(*) FROM payable_approvals WHERE payable = ? AND ended_at = 0", p)
				switch {
				case name == "payee": // the payable itself is as it was: both may have their way
					require.Equal(t, []int{200, 200}, []int{got[0].Status, got[1].Status}, got[1].Raw)

					if v.Status == "APPROVED" { // the new address was there first, and is what was approved
						require.NotContains(
							t,
							c.Act(pay(c, p).OK(201).ID(), "submit").Fields(),
							"/payments/0 TX_PAYABLE_GONE",
						)
					}

				case name == "several":
					require.Equal(t, "APPROVED", v.Status)
					require.Equal(t, 200, got[1].Status, "it answers of each: %s", got[1].Raw)

				case got[0].Status == 200:
					require.Equal(
						t,
						[]string{"APPROVED", "1.00"},
						[]string{v.Status, v.Amount},
						"%s: what was seen is what is approved",
						name,
					)
					require.NotEqual(t, 200, got[1].Status, "%s: %s", name, got[1].Raw)

				default:
					require.Equal(t, 200, got[1].Status, "%s: one of them is first: %s", name, got[1].Raw)
				}

				require.Equal(t, v.Status == "APPROVED", live == 1, name)
			}
		}

		h.Oracle()
	})
}
