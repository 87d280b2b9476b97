//go:build !nosandbox

package app_test

import (
	"context"
	"regexp"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/app/apptest"
	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
	"slipway/internal/platform/epoch"
)

// B-12: a database that answers reads and confirms no commit is not ready, and a figure says for how long.
func TestADatabaseThatConfirmsNoCommitIsNotReady(t *testing.T) {
	server := dbtest.OwnServer(t)
	t.Setenv("SLIPWAY_TEST_POSTGRES", server.Address)
	h := apptest.New(t, apptest.Config{}, dbtest.PostgresURL(t))

	_, checks := ready(h, h.App)
	require.Equal(t, "ok", checks["database"])

	server.LoseStandby()
	t.Cleanup(server.FindStandby) // else a test that fails waits for it, too

	outcome := make(chan error, 1)
	go func() { outcome <- h.DB().Confirm(context.Background()) }()

	h.Await("it is told", func() bool { // answers are kept for a second
		status, checks := ready(h, h.App)
		return status == "unavailable" && checks["database"] == "late"
	})

	line := regexp.MustCompile(`\nslipway_db_unconfirmed_seconds (\S+)\n`)
	unconfirmed := func() float64 {
		found := line.FindStringSubmatch(h.Do(h.App, "GET", "/metrics", "", nil).Raw)
		require.NotNil(t, found)
		seconds, err := strconv.ParseFloat(found[1], 64)
		require.NoError(t, err)

		return seconds
	}
	require.Greater(t, unconfirmed(), time.Second.Seconds())

	server.FindStandby()

	if err := <-outcome; err != nil { // the machine was slower than the writer's patience
		require.ErrorIs(t, err, db.ErrUnknown)
	}

	h.Until("it is told", func() bool {
		_, checks := ready(h, h.App)
		return checks["database"] == "ok"
	})
}

// B-13: PostgreSQL takes no writes of the service's role any more, as some providers do while the disk is nearly full.
// Writes are answered 503 and not 500, and the service is not ready; both end by themselves.
func TestADatabaseThatTakesNoWritesIsNotReady(t *testing.T) {
	server := dbtest.OwnServer(t)
	t.Setenv("SLIPWAY_TEST_POSTGRES", server.Address)
	h := apptest.New(t, apptest.Config{}, dbtest.PostgresURL(t))
	c := h.Client("Ada")
	body := c.Body("USDC", c.Payment(c.Payee, "5.00"))

	const renew = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname LIKE 'test%'"

	server.Do("ALTER ROLE postgres SET default_transaction_read_only = on", renew)
	h.Await("it is told", func() bool {
		status, checks := ready(h, h.App)
		return status == "unavailable" && checks["database"] == "failed"
	})

	again := apptest.Key("once")
	c.Do("POST", "/transactions", body, again).Refused(503, "DATABASE_AWAY")

	server.Do("SET default_transaction_read_only = off", "ALTER ROLE postgres RESET default_transaction_read_only")
	h.Await("it is told", func() bool {
		_, checks := ready(h, h.App)
		return checks["database"] == "ok"
	})
	untilAnswered(t, h, new(atomic.Int64), "POST", "/transactions", c.Token, body, again).OK(201)
}

// A process with a witness of its own is refused while another one works on the database, which goes on.
func TestAWitnessOfItsOwnIsRefusedBesideAReplica(t *testing.T) {
	h := apptest.New(t, apptest.Config{}, dbtest.PostgresURL(t))
	require.NoError(t, h.App.Instance.Start(t.Context()))

	leave, err := h.App.Announce(t.Context())
	require.NoError(t, err)

	defer leave()

	h.Environ = append(h.Environ, "SLIPWAY_WITNESS__FOLDER="+t.TempDir())
	_, err = h.Open()
	require.ErrorIs(t, err, epoch.ErrOtherWitness)

	held, err := h.App.Instance.Held(t.Context())
	require.NoError(t, err)
	require.False(t, held)
}
