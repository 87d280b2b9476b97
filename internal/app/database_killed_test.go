//go:build !nosandbox

package app_test

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"slipway/internal/app/apptest"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/db/dbtest"
)

// B-04, B-10: PostgreSQL is killed under load, twice, and is away for a while. Whoever asks is told 503 with a code
// that says that repeating is safe, never 500; the same key tells the outcome. After the recovery nothing is lost,
// nothing is doubled, and the oracle is clean.
func TestDatabaseKilledUnderLoad(t *testing.T) {
	server := dbtest.OwnServer(t)
	t.Setenv("SLIPWAY_TEST_POSTGRES", server.Address)
	h := apptest.New(t, apptest.Config{}, dbtest.PostgresURL(t))
	c := h.Client("Ada")
	c.StaySignedIn()
	stop := workInBackground(t, h)

	const clients, kills, atLeast = 4, 2, 6

	var (
		accepted, asked, refused atomic.Int64
		over                     atomic.Bool
		all                      sync.WaitGroup
	)
	for client := range clients {
		all.Go(func() {
			ask := func(method, path, key string, body any) apptest.Answer {
				asked.Add(1)
				return untilAnswered(t, h, &refused, method, path, c.Token, body, apptest.Key(key))
			}

			for n := 0; !over.Load(); n++ {
				name := fmt.Sprintf("%d of %d", n, client)

				a := ask("POST", "/transactions", "create "+name, c.Body("USDC", c.Payment(c.Payee, "0.01")))
				if a.Status != 201 {
					t.Errorf("create: %d %s", a.Status, a.Raw)
					return
				}

				path := "/transactions/" + a.ID()
				ask("POST", path+"/submit", "submit "+name, nil)
				ask("POST", path+"/accept", "accept "+name, nil)
				accepted.Add(1)
			}
		})
	}

	for range kills {
		before := accepted.Load()
		enough := func() bool { return t.Failed() || accepted.Load() >= before+atLeast }
		require.Eventually(t, enough, time.Minute, time.Millisecond)

		server.Kill()
		seen := refused.Load()
		require.Eventually(t, func() bool {
			return t.Failed() || refused.Load() >= seen+clients
		}, time.Minute, time.Millisecond)

		server.Start()
	}

	before := accepted.Load()
	require.Eventually(t, func() bool {
		return t.Failed() || accepted.Load() >= before+clients
	}, time.Minute, time.Millisecond)
	over.Store(true)
	all.Wait()
	stop()
	require.False(t, t.Failed())

	h.Settle()
	require.EqualValues(t, accepted.Load(), h.Count("SELECT count(*) FROM transactions"))
	require.EqualValues(
		t,
		accepted.Load(),
		h.Count("SELECT count(*) FROM transactions WHERE status = ?", transaction.StatusCompleted),
	)
	moved, _ := h.Ground()
	require.Len(t, moved, int(accepted.Load()))
	h.Oracle()
	t.Logf("%d transactions, %d requests, %d answers that said: again", accepted.Load(), asked.Load(), refused.Load())
}

// untilAnswered repeats a request, with its key, as long as it is told to.
func untilAnswered(
	t *testing.T,
	h *apptest.Harness,
	refused *atomic.Int64,
	method, path, token string,
	body any,
	key apptest.Header,
) apptest.Answer {
	again := time.NewTicker(20 * time.Millisecond)
	defer again.Stop()

	for {
		a := h.Do(h.App, method, path, token, body, key)
		if a.Status != 503 {
			assert.Contains(t, []int{200, 201}, a.Status, "%s %s: %s", method, path, a.Raw)
			return a
		}

		refused.Add(1)
		assert.Contains(t, []string{"DATABASE_AWAY", "OUTCOME_UNKNOWN", "OVERLOADED"}, a.Code(), a.Raw)
		assert.NotEmpty(t, a.Header.Get("Retry-After"))

		if t.Failed() {
			return a
		}

		<-again.C
	}
}

// workInBackground runs jobs and makes blocks, as the service does, until stop.
func workInBackground(t *testing.T, h *apptest.Harness) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())

	var all sync.WaitGroup
	all.Go(func() { assert.NoError(t, h.App.Jobs.Run(ctx)) })
	all.Go(func() {
		tick := time.NewTicker(10 * time.Millisecond)
		defer tick.Stop()

		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
				h.World.Chain.Mine(1)
			}
		}
	})

	return func() {
		cancel()
		all.Wait()
	}
}
