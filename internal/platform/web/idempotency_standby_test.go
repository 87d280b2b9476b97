package web

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/core/fault"
	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
)

// B-11: the server crashes while a commit waits for its standby. After the recovery the effect can be read, and would
// be lost with this server: under its key it is acknowledged only after a commit of its own is confirmed.
func TestAnAnswerIsReplayedOnlyOnceACommitIsConfirmed(t *testing.T) {
	server := dbtest.OwnServer(t)
	t.Setenv("SLIPWAY_TEST_POSTGRES", server.Address)

	d, err := db.Open(t.Context(), db.Config{
		URL:         dbtest.PostgresURL(t),
		Writers:     1,
		AnswerLimit: time.Second,
		Keys:        dbtest.Keys(t),
	})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, d.Close()) })

	w := newWorld(t, d)
	send := func() answer { return w.send("POST", "/orders", soundOrder, "Idempotency-Key: k") }

	stored := func() bool {
		n, err := db.Value[int64](t.Context(), d, "SELECT count(*) FROM idempotency")
		return err == nil && n == 1
	}

	server.LoseStandby()
	require.Equal(t, fault.OutcomeUnknown, send().problem().Code)
	require.False(t, stored())

	server.Kill()
	server.Start()
	require.Eventually(t, stored, time.Minute, 20*time.Millisecond)

	ran := w.ran.Load()
	a := send()
	require.Equal(t, 503, a.Code, "%s", a.Body)
	require.Equal(t, fault.OutcomeUnknown, a.problem().Code)
	require.Equal(t, ran+1, w.ran.Load(), "this process has not answered it: it runs, and finds its key")

	server.FindStandby()
	require.Eventually(t, func() bool { a = send(); return a.Code == 201 }, time.Minute, 20*time.Millisecond)
	require.Equal(t, "true", a.Header().Get("Idempotent-Replayed"))
	require.EqualValues(t, 1, w.records("1 = 1"))
	require.Equal(t, 201, send().Code, "now this process knows")
}
