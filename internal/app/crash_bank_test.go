//go:build !nosandbox

package app_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/app/apptest"
	"slipway/internal/rails/bank/banksim"
)

// P-01, F-01, F-03: a process that is killed at a persisted step of a FIAT transaction leaves something that the next
// one brings to the same end: one pull, one order for each currency, one instruction at the bank for each payment,
// one refund for the one it refuses.
func TestKilledAtEveryStepOfFiatPaysOnce(t *testing.T) {
	points := []string{
		"accept.after_commit",
		"settle.asked",
		"settle.planned",
		"chain.mid_broadcast",
		"chain.final_seen",
		"chain.posted",
		"convert.asked",
		"convert.answered",
		"convert.recorded",
		"payout.planned",
		"bank.rows_selected",
		"bank.bytes_built",
		"bank.bytes_saved",
		"bank.upload_half",
		"bank.uploaded_unrenamed",
		"bank.renamed_unmarked",
		"bank.pain002_half",
		"bank.statement_half",
		"treasury.planned",
	}

	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		c.StaySignedIn()
		good := c.NewBankAccount("EUR", "100")
		bad := c.NewBankAccount("GBP", "002")
		ids := make([]string, len(points))
		h.Stop(h.App)
		nodes := []string{h.NodeURL()}

		ahead := time.Duration(0) // of the world's clock, which the apps of this process share
		for i, point := range points {
			h.Ahead(2 * later)
			ahead += 2 * later
			// its price holds for five minutes
			ids[i] = c.FiatSubmitted("USDC", c.FiatPayment(good, "100.00"), c.FiatPayment(bad, "200.00"))
			h.Stop(h.App)

			accept := apptest.Request{
				Method: "POST",
				Path:   "/transactions/" + ids[i] + "/accept",
				Token:  c.Token,
				Key:    "accept " + ids[i],
			}

			work := apptest.Work{
				Nodes:    nodes,
				Requests: []apptest.Request{accept},
				Ahead:    ahead + time.Second,
				Forever:  true,
			}

			h.Spawn(work, point).Wait().Killed()
			work.Ahead = ahead + later
			work.Forever = false
			h.Spawn(work, "").Wait().Ended()
		}

		h.Ahead(2 * later)

		for i := range points {
			require.Equal(t, "SETTLED", c.Ends(ids[i], completed, paid, refunded).Settlement, points[i])
		}

		require.Equal(t, len(points), h.ExecutedOnce())
		moved, _ := h.Ground()
		require.Len(t, moved, 2*len(points), "a pull and a refund for each")
		require.EqualValues(t, 2*len(points), h.Count("SELECT count(*) FROM effects WHERE word = 'convert'"))
		h.Oracle()
	})
}

// P-01: the same for ONRAMP: each deposit is booked, matched and converted once, and its tokens are sent once.
func TestKilledAtEveryStepOfOnrampDeliversOnce(t *testing.T) {
	points := []string{
		"bank.statement_half",
		"bank.entry_saved_unmatched",
		"bank.matched",
		"convert.asked",
		"convert.answered",
		"convert.recorded",
		"onramp.delivery_planned",
		"treasury.planned",
		"chain.mid_broadcast",
		"chain.final_seen",
		"chain.posted",
	}

	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		c.StaySignedIn()
		ids := make([]string, len(points))

		references := make([]string, len(points))
		for i := range points {
			ids[i], references[i] = c.OnrampSubmitted("USDC", "EUR", "2500.00")
		}

		h.Stop(h.App)

		nodes := []string{h.NodeURL()}
		for i, point := range points {
			h.Deposit(banksim.Deposit{Currency: "EUR", Amount: "2500.00", Reference: references[i], Sender: c.Name()})

			work := apptest.Work{
				Nodes:   nodes,
				Ahead:   time.Duration(2*i) * later,
				Forever: true,
				Open:    "SELECT count(*) FROM transactions WHERE id = '" + ids[i] + "' AND status <> 'COMPLETED'",
			}

			h.Spawn(work, point).Wait().Killed()
			work.Ahead = work.Ahead + later
			work.Forever = false
			h.Spawn(work, "").Wait().Ended()
		}

		h.Ahead(time.Duration(2*len(points)) * later)

		for i := range points {
			require.Equal(t, "SETTLED", c.Ends(ids[i], completed, paid).Settlement, points[i])
		}

		moved, _ := h.Ground()
		require.Len(t, moved, len(points))
		require.EqualValues(t, len(points), h.Count("SELECT count(*) FROM effects WHERE word = 'convert'"))
		require.EqualValues(t, len(points), h.Count("SELECT count(*) FROM deposit_matches"))
		h.Oracle()
	})
}
