//go:build !nosandbox

package app_test

import (
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/app/apptest"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/db/dbtest"
)

// P-12, P-05: a process is killed in the middle of its work, and its clock stays as it is. What it held goes on
// without waiting for the end of its leases: on PostgreSQL with the replica beside it, on SQLite with the process
// that is started in its place. How long it takes until all is terminal is logged; an hour's virtual time would not
// show it.
func TestTheWorkOfAKilledProcessGoesOnAtOnce(t *testing.T) {
	const rounds, each = 3, 8

	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		c.StaySignedIn()

		var ids []string
		for range rounds * each {
			ids = append(ids, c.Submitted("USDC", "1.00", "2.00"))
		}

		h.Stop(h.App)

		var times []time.Duration
		for round := range rounds {
			work := apptest.Work{Forever: true}
			for _, id := range ids[round*each : (round+1)*each] {
				work.Requests = append(work.Requests, apptest.Request{
					Method: "POST",
					Path:   "/transactions/" + id + "/accept",
					Token:  c.Token,
					Key:    "accept " + id,
				})
			}

			beside := apptest.Work{Open: "SELECT count(*) FROM transactions WHERE id IN ('" +
				strings.Join(ids[round*each:(round+1)*each], "', '") + "') AND status <> 'COMPLETED'"}
			shared := h.SQLiteFile() == ""

			dying := h.Spawn(work, "")

			var heir *apptest.Process
			if shared {
				heir = h.Spawn(beside, "")
			}

			dying.Until("something is sent", func() bool { waiting, _ := h.World.Chain.PoolSize(); return waiting > 0 })
			dying.Signal(syscall.SIGKILL)
			killed := time.Now()
			dying.Wait().Killed()

			if !shared {
				// What it was asked for may not have been accepted: the client repeats itself.
				beside.Requests = work.Requests
				heir = h.Spawn(beside, "")
			} else {
				h.Spawn(apptest.Work{Requests: work.Requests, Open: beside.Open}, "").Wait().Ended()
			}

			heir.Wait().Ended()

			times = append(times, time.Since(killed).Round(time.Millisecond))
		}

		slices.Sort(times)
		t.Logf("until all was terminal after a kill: p50 %s, max %s", times[len(times)/2], times[len(times)-1])

		h.App = h.Start()

		for _, id := range ids {
			c.Ends(id, transaction.StatusCompleted)
		}

		moved, _ := h.Ground()
		require.Len(t, moved, 2*len(ids))
		h.Oracle()
	})
}

// P-12, P-05: a replica is paused for longer than the others wait, and goes on. What it held was taken over and paid
// once; it takes nothing before it has announced itself again.
func TestAPausedReplicaComesBack(t *testing.T) {
	h := apptest.New(t, apptest.Config{}, dbtest.PostgresURL(t))
	c := h.Client("Ada")
	c.StaySignedIn()
	work := apptest.Work{Forever: true}

	var ids []string
	for range 6 {
		id := c.Submitted("USDC", "1.00", "2.00")
		ids = append(ids, id)

		work.Requests = append(work.Requests, apptest.Request{
			Method: "POST",
			Path:   "/transactions/" + id + "/accept",
			Token:  c.Token,
			Key:    "accept " + id,
		})
	}

	h.Stop(h.App)

	paused := h.Spawn(work, "")
	paused.Until("something is sent", func() bool { waiting, _ := h.World.Chain.PoolSize(); return waiting > 0 })
	paused.Signal(syscall.SIGSTOP)
	h.Spawn(apptest.Work{Requests: work.Requests}, "").Wait().Ended()
	paused.Signal(syscall.SIGCONT)
	paused.Signal(syscall.SIGTERM)
	paused.Wait().Ended()

	h.App = h.Start()

	for _, id := range ids {
		c.Ends(id, transaction.StatusCompleted)
	}

	moved, _ := h.Ground()
	require.Len(t, moved, 2*len(ids))
	h.Oracle()
}
