package replica_test

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
	"slipway/internal/platform/replica"
)

var insertJob = db.InsertInto("jobs", "id, kind, key, payload, run_at, planned_at, owner, lease_until, created_at")

// lease writes a lease as jobs have them.
func lease(t *testing.T, d *db.DB, id, owner string) {
	t.Helper()
	until := db.Micros(d.ServerNow().Add(2 * time.Minute))
	require.NoError(t, d.Write(context.Background(), func(tx *db.Tx) error {
		tx.Insert(insertJob, id, "k", id, "", int64(0), int64(0), owner, until, int64(0))
		return nil
	}))
}

// held returns who holds a lease; empty: nobody.
func held(t *testing.T, d *db.DB, id string) string {
	t.Helper()
	owner, err := db.Value[string](context.Background(), d,
		"SELECT CASE WHEN lease_until = 0 THEN '' ELSE owner END FROM jobs WHERE id = ?", id)
	require.NoError(t, err)

	return owner
}

type member struct {
	*replica.Replica
	woken int
}

func join(t *testing.T, d *db.DB) *member {
	t.Helper()
	m := &member{Replica: replica.New(d, slog.New(slog.DiscardHandler))}
	m.Leases("jobs", func() { m.woken++ })
	require.NoError(t, m.Join(context.Background()))

	return m
}

// P-12: the leases of a replica end when it has been silent for three seconds, whatever their length; those of one
// that beats do not. One that was taken for dead announces itself again.
func TestLeasesEndWithTheHeartbeat(t *testing.T) {
	d := dbtest.Postgres(t)
	ctx := context.Background()
	dead := join(t, d)
	alive := join(t, d)
	third := join(t, d)
	lease(t, d, "of the dead", dead.ID())
	lease(t, d, "of the living", alive.ID())

	d.Clock().Advance(2 * time.Second)
	require.NoError(t, alive.Beat(ctx))
	require.Equal(t, dead.ID(), held(t, d, "of the dead"), "two seconds are not yet silence")

	d.Clock().Advance(2 * time.Second)
	require.NoError(t, third.Beat(ctx))
	require.Empty(t, held(t, d, "of the dead"))
	require.Equal(t, alive.ID(), held(t, d, "of the living"))
	require.Equal(t, 1, third.woken, "whoever may take it now is told")

	require.NoError(t, dead.Beat(ctx), "it was paused, and announces itself again")
	lease(t, d, "its next", dead.ID())
	require.NoError(t, third.Beat(ctx))
	require.Equal(t, dead.ID(), held(t, d, "its next"))
}

// P-12: a heartbeat that lies in the future was written before the database's clock was set back. It ends like one
// that is too old.
func TestAHeartbeatFromTheFutureIsNone(t *testing.T) {
	address := dbtest.PostgresURL(t)
	open := func(ahead time.Duration) *db.DB {
		d, err := db.Open(context.Background(), db.Config{URL: address})
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, d.Close()) })
		d.Clock().Advance(ahead)

		return d
	}
	before := open(27 * time.Hour)
	dead := join(t, before)
	lease(t, before, "x", dead.ID())

	after := open(0)
	require.NoError(t, join(t, after).Beat(context.Background()))
	require.Empty(t, held(t, after, "x"))
}

// P-12: nobody else can hold a lease on an SQLite file, so that all of them end when a process starts on it.
func TestAllLeasesOfASQLiteFileEndAtTheStart(t *testing.T) {
	d := dbtest.SQLite(t)
	lease(t, d, "of one that was killed", "rep_gone")
	m := join(t, d)
	require.Empty(t, held(t, d, "of one that was killed"))
	require.Equal(t, 1, m.woken)
	require.True(t, m.MayTake())
}

// P-12: who is announced by no row was never buried: its leases end when the next one comes.
func TestLeasesOfNobodyEndWhenSomebodyJoins(t *testing.T) {
	d := dbtest.Postgres(t)
	first := join(t, d)
	lease(t, d, "of nobody", "rep_gone")
	lease(t, d, "of the first", first.ID())
	join(t, d)
	require.Empty(t, held(t, d, "of nobody"))
	require.Equal(t, first.ID(), held(t, d, "of the first"))
}

// P-05, P-12: a replica whose heartbeat does not come through takes nothing, before anybody has told it that it is
// taken for dead.
func TestAReplicaThatIsSilentTakesNothing(t *testing.T) {
	d := dbtest.Postgres(t)
	m := replica.New(d, slog.New(slog.DiscardHandler))
	require.True(t, m.MayTake(), "one that never joined is nobody's replica: its leases end by time")
	require.NoError(t, m.Join(context.Background()))
	require.True(t, m.MayTake())

	replica.Silence(m, 4*time.Second)
	require.False(t, m.MayTake())
	require.NoError(t, m.Beat(context.Background()))
	require.True(t, m.MayTake())
}

// P-07: an orderly end leaves nothing to wait for.
func TestLeaveEndsTheLeasesAtOnce(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		m := join(t, d)
		lease(t, d, "x", m.ID())
		require.NoError(t, m.Leave(context.Background()))
		require.Empty(t, held(t, d, "x"))
		n, err := db.Value[int64](context.Background(), d, "SELECT count(*) FROM replicas")
		require.NoError(t, err)
		require.Zero(t, n)
	})
}

// P-12: whoever starts sees whether another one works: not itself, not one that left or is silent, and nobody on a file
// that it has opened alone.
func TestOthersAreThoseThatBeat(t *testing.T) {
	d := dbtest.Postgres(t)
	ctx := context.Background()
	others := func(m *member) bool {
		t.Helper()
		any, err := m.Others(ctx)
		require.NoError(t, err)

		return any
	}

	first := join(t, d)
	require.False(t, others(first))

	second := join(t, d)
	require.True(t, others(first))
	require.NoError(t, second.Leave(ctx))
	require.False(t, others(first))

	third := join(t, d)
	d.Clock().Advance(4 * time.Second)
	require.False(t, others(first), "it is silent")
	require.NoError(t, third.Beat(ctx))
	require.True(t, others(first))

	require.False(t, others(join(t, dbtest.SQLite(t))))
}
