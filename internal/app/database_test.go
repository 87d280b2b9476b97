//go:build !nosandbox

package app_test

import (
	"context"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/app"
	"slipway/internal/app/apptest"
	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
	"slipway/internal/platform/epoch"
	"slipway/internal/platform/secret"
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

// A start whose keyring does not open what another one has sealed is refused before it has written anything: it lacks
// the key, or has another one of that name.
func TestAStartWithOtherKeysWritesNothing(t *testing.T) {
	apptest.EachWith(t, apptest.Config{Keys: secret.NewKey("k1")}, func(t *testing.T, h *apptest.Harness) {
		first := h.Keys
		epochs := func() int64 {
			n, err := db.Value[int64](t.Context(), h.DB(), "SELECT count(*) FROM epochs")
			require.NoError(t, err)

			return n
		}
		before := epochs()

		turnLastMigration := func() {
			require.NoError(t, h.DB().Write(t.Context(), func(tx *db.Tx) error {
				_, err := tx.Exec("UPDATE goose_db_version SET version_id = -version_id WHERE abs(version_id) = " +
					"(SELECT max(abs(version_id)) FROM goose_db_version)")

				return err
			}))
		}
		turnLastMigration() // as if one waited: to run it again fails

		for _, c := range []struct {
			keys secret.Text
			says string
		}{
			{secret.NewKey("k1"), "its key k1 is another one"},
			{secret.NewKey("k2"), "the key k1 is missing"},
		} {
			h.Keys = c.keys
			_, err := h.Open()
			require.ErrorIs(t, err, db.ErrKeys)
			require.ErrorContains(t, err, c.says)
			require.Equal(t, before, epochs())
		}

		turnLastMigration()

		h.Keys = first
		h.Restart()
		require.Greater(t, epochs(), before)
	})
}

// D11: two processes begin an empty database at once, each with a keyring and a witness that were made for it. One
// works, and the other is refused with a sentence.
func TestOfTwoFirstStartsWithOwnKeysOneIsRefused(t *testing.T) {
	apptest.EachURL(t, func(t *testing.T, url string) {
		empty(t, url)

		starts := make([]*apptest.Harness, 2)
		for i := range starts {
			starts[i] = apptest.New(t, apptest.Config{Keys: secret.NewKey("k1")}, "sqlite:"+dbtest.SQLiteFile(t))
			starts[i].URL = url
		}

		apps := make([]*app.App, len(starts))
		problems := make([]error, len(starts))

		var both sync.WaitGroup
		for i, h := range starts {
			both.Go(func() { apps[i], problems[i] = h.Open() })
		}

		both.Wait()

		refused := slices.Index(apps, nil)
		require.NotEqual(t, -1, refused, "both work")
		require.ErrorIs(t, problems[refused], db.ErrKeys)
		require.NoError(t, problems[1-refused])
		require.NoError(t, apps[1-refused].Close())
	})
}

// empty removes every table of a database.
func empty(t *testing.T, url string) {
	t.Helper()

	if path, ok := strings.CutPrefix(url, "sqlite:"); ok {
		require.NoError(t, os.Remove(path))
		return
	}

	d, err := db.Open(t.Context(), db.Config{URL: url})
	require.NoError(t, err)
	require.NoError(t, d.Write(t.Context(), func(tx *db.Tx) error {
		_, err := tx.Exec("DROP SCHEMA public CASCADE")
		if err == nil {
			_, err = tx.Exec("CREATE SCHEMA public")
		}

		return err
	}))
	require.NoError(t, d.Close())
}
