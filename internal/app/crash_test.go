//go:build !nosandbox

package app_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/app/apptest"
	"slipway/internal/payments/transaction"
)

func TestMain(m *testing.M) { apptest.Main(m, "internal/app") }

// later is how far the clock of each further process is ahead: the leases of one that was killed are over by then.
const later = 3 * time.Minute

// P-01: a process that is killed at a failpoint leaves something that the next one brings to the same end as if
// nothing had happened: the client's repeated accept has the answer of the first, and the chain has exactly one
// payment.
func TestKilledAtEveryFailpointPaysOnce(t *testing.T) {
	points := []string{
		"accept.before_commit",
		"accept.after_commit",
		"settle.asked",
		"settle.planned",
		"chain.nonce_taken",
		"chain.signed_unsaved",
		"chain.saved_unsent",
		"chain.mid_broadcast",
		"chain.sent_unmarked",
		"chain.receipt_seen",
		"chain.final_seen",
		"chain.posted",
	}

	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		c.StaySignedIn()
		nodes := []string{h.NodeURL(), h.SecondNode()}

		ids := make([]string, len(points))
		for i := range points {
			ids[i] = c.Submitted("USDC", "10.01", "20.02")
		}

		tokens := make([]string, 2*len(points)) // each child lives at a time of its own
		for i := range tokens {
			tokens[i] = c.TokenAhead(time.Duration(i) * later)
		}

		h.Stop(h.App)

		for i, point := range points {
			accept := apptest.Request{
				Method: "POST",
				Path:   "/transactions/" + ids[i] + "/accept",
				Token:  tokens[2*i],
				Key:    "accept " + ids[i],
			}
			work := apptest.Work{
				Nodes:    nodes,
				Requests: []apptest.Request{accept},
				Ahead:    time.Duration(2*i) * later,
				Forever:  true,
			}
			h.Spawn(work, point).Wait().Killed()

			work.Ahead = work.Ahead + later
			work.Forever = false
			work.Requests[0].Token = tokens[2*i+1]
			answers := h.Spawn(work, "").Wait().Ended()
			require.Len(t, answers, 1, point)
			require.True(
				t,
				strings.HasPrefix(answers[0], "200 ") && strings.Contains(answers[0], ids[i]),
				"%s: %s",
				point,
				answers[0],
			)
		}

		h.Ahead(time.Duration(2*len(points)) * later)

		for i, point := range points {
			v := c.Ends(ids[i], transaction.StatusCompleted, transaction.PaymentCompleted, transaction.PaymentCompleted)
			require.Len(t, v.Chain, 1, point)
		}

		moved, _ := h.Ground()
		require.Len(t, moved, 2*len(points), "each payment is on the chain once")
		h.Oracle()
	})
}
