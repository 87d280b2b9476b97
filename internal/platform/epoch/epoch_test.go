package epoch_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
	"slipway/internal/platform/epoch"
	"slipway/internal/platform/witness"
)

// place is a witness that can fail.
type place struct {
	witness.Store
	refuse error // of Put
}

func (p *place) Put(ctx context.Context, name string, content []byte) error {
	if p.refuse != nil {
		return p.refuse
	}

	return p.Store.Put(ctx, name, content)
}

func newPlace(t *testing.T) *place {
	t.Helper()
	f, err := witness.OpenFolder(t.TempDir())
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, f.Close()) })

	return &place{Store: f}
}

// start begins a process on a database.
func start(t *testing.T, d *db.DB, w witness.Store) *epoch.Instance {
	t.Helper()
	i := epoch.New(epoch.Config{DB: d, Witness: w})
	require.NoError(t, i.Start(context.Background()))

	return i
}

func held(t *testing.T, i *epoch.Instance) bool {
	t.Helper()
	h, err := i.Held(context.Background())
	require.NoError(t, err)

	return h
}

func cause(t *testing.T, i *epoch.Instance) epoch.Cause {
	t.Helper()
	r, err := i.Current(context.Background())
	require.NoError(t, err)

	return r.Cause
}

// confirm ends whatever re-reading is open by the decision of two persons.
func confirm(d *db.DB, askedBy, approvedBy, note string) error {
	ctx := context.Background()

	return d.Write(ctx, func(tx *db.Tx) error {
		open, err := epoch.Waiting(ctx, tx)
		if err != nil {
			return err
		}

		return epoch.Confirm(ctx, tx, epoch.Confirmation{
			Rereading:  open.ID,
			AskedBy:    askedBy,
			ApprovedBy: approvedBy,
			Note:       note,
		})
	})
}

// backup copies what the database knows of epochs, and gives the function that puts it back.
func backup(t *testing.T, d *db.DB) (restore func()) {
	t.Helper()
	ctx := context.Background()

	type row struct {
		number          int64
		token, instance string
		at              int64
	}
	rows, err := db.Select(ctx, d, func(r *row) []any { return []any{&r.number, &r.token, &r.instance, &r.at} },
		"SELECT number, token, instance, created_at FROM epochs")
	require.NoError(t, err)

	return func() {
		require.NoError(t, d.Write(ctx, func(tx *db.Tx) error {
			for _, text := range []string{"DELETE FROM epochs", "DELETE FROM rereadings"} {
				if _, err := tx.Exec(text); err != nil {
					return err
				}
			}

			for _, r := range rows {
				tx.Insert(db.InsertInto("epochs", "number, token, instance, created_at"), r.number, r.token, r.instance,
					r.at)
			}

			return nil
		}))
	}
}

// slow is a witness whose answer to its nth List arrives after something else has happened.
type slow struct {
	witness.Store
	n         int
	meanwhile func()
}

func (s *slow) List(ctx context.Context, kind string) ([]string, error) {
	names, err := s.Store.List(ctx, kind)

	s.n--
	if s.n == 0 {
		s.meanwhile()
	}

	return names, err
}

// B-06: of two processes that start for the first time at once, neither takes the other's first epochs for a witness
// that was lost, at whichever question the other one comes in between.
func TestFirstStartsAtOnceHoldNothing(t *testing.T) {
	others := func(context.Context) (bool, error) { return true, nil }

	for question := 1; question <= 3; question++ {
		d := dbtest.SQLite(t)
		w := newPlace(t)

		var first *epoch.Instance

		second := epoch.New(epoch.Config{
			DB:      d,
			Witness: &slow{Store: w, n: question, meanwhile: func() { first = start(t, d, w) }},
			Others:  others,
		})
		require.NoError(t, second.Start(t.Context()), "question %d", question)
		require.NotNil(t, first, "question %d", question)
		require.False(t, held(t, second), "question %d", question)
		require.NoError(t, first.Advance(t.Context()))
		require.NoError(t, second.Advance(t.Context()))
	}
}

// B-06: a start that follows the last one holds nothing, however often and with how many processes, and whatever a
// crash left out.
func TestAStartThatFollowsHoldsNothing(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newPlace(t)
		ctx := context.Background()

		lost := errors.New("cut")
		for range 3 { // a first start that dies between the row and the place
			w.refuse = lost
			require.ErrorIs(t, epoch.New(epoch.Config{DB: d, Witness: w}).Start(ctx), lost)
		}

		w.refuse = nil
		first := start(t, d, w)

		second := start(t, d, w)
		for range 3 { // any later one
			w.refuse = lost
			require.ErrorIs(t, first.Advance(ctx), lost)
			w.refuse = nil
		}

		var wg sync.WaitGroup
		for _, i := range []*epoch.Instance{first, second, start(t, d, w)} {
			wg.Go(func() {
				for range 10 {
					require.NoError(t, i.Advance(ctx))
				}
			})
		}

		wg.Wait()
		require.False(t, held(t, start(t, d, w)))
		names, err := w.List(ctx, "epochs")
		require.NoError(t, err)
		require.LessOrEqual(t, len(names), 3, "old epochs do not stay outside")
	})
}

// B-06, B-09: a back-up that is one step old is noticed at the start, and by a process that runs on while it is put
// back. Nothing leaves before the world was re-read; then it goes on, and the next back-up is noticed again.
func TestARestoredDatabaseIsNoticed(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newPlace(t)
		ctx := context.Background()
		running := start(t, d, w)

		restore := backup(t, d)
		for round := range 3 {
			require.NoError(t, running.Advance(ctx), "something leaves")
			restore()

			if round > 0 {
				require.ErrorIs(t, running.Advance(ctx), epoch.ErrRereading)
			}

			i := epoch.New(epoch.Config{DB: d, Witness: w})
			fails := true
			read := 0
			i.Reader("the bank", func(context.Context, time.Time) ([]string, error) {
				read++

				if fails {
					return []string{"one file"}, errors.New("no connection")
				}

				return []string{"one file", "two payouts"}, nil
			})
			require.NoError(t, i.Start(ctx))
			require.True(t, held(t, i))
			require.Equal(t, epoch.Behind, cause(t, i))
			require.ErrorIs(t, running.Advance(ctx), epoch.ErrRereading, "in every process")

			require.ErrorContains(t, i.Reread(ctx), "no connection")
			require.True(t, held(t, i), "what was not read to its end proves nothing")
			require.ErrorIs(t, confirm(d, "a", "b", ""), epoch.ErrNotWaiting)
			fails = false
			require.NoError(t, i.Reread(ctx))
			require.False(t, held(t, i))
			require.NoError(t, i.Reread(ctx))
			require.Equal(t, 2, read, "once it has ended nothing is read any more")
			past, err := i.Past(ctx, 10)
			require.NoError(t, err)
			require.Equal(t, []string{"one file", "two payouts"}, past[0].Found)
			require.False(t, held(t, start(t, d, w)))
		}
	})
}

// B-06: a witness that is lost, that belongs to another database, or to one that went another way, waits for two
// persons.
func TestALostOrForeignWitnessWaitsForTwoPersons(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		ctx := context.Background()
		own := newPlace(t)
		other := newPlace(t)
		start(t, d, own)

		stranger := start(t, dbtest.SQLite(t), other)
		for range 5 {
			require.NoError(t, stranger.Advance(ctx))
		}

		for _, c := range []struct {
			cause epoch.Cause
			place witness.Store
		}{{epoch.Lost, newPlace(t)}, {epoch.Other, other}} {
			i := start(t, d, c.place)
			require.True(t, held(t, i))
			require.Equal(t, c.cause, cause(t, i))
			require.NoError(t, i.Reread(ctx))
			require.True(t, held(t, i), "reading alone is not enough")

			require.ErrorIs(t, confirm(d, "ann", "", "n"), epoch.ErrTwoPersons)
			require.ErrorIs(t, confirm(d, "ann", "ann", "n"), epoch.ErrTwoPersons)
			require.ErrorIs(t, d.Write(ctx, func(tx *db.Tx) error {
				other := epoch.Confirmation{Rereading: "rrd_other", AskedBy: "ann", ApprovedBy: "ben"}
				return epoch.Confirm(ctx, tx, other)
			}), epoch.ErrNotWaiting, "what was asked about another one")
			require.NoError(t, confirm(d, "ann", "ben", "asked the bank"))
			require.ErrorIs(t, confirm(d, "ann", "ben", "again"), epoch.ErrNotWaiting)
			require.False(t, held(t, i))
			require.NoError(t, i.Advance(ctx))
			require.False(t, held(t, start(t, d, c.place)))
		}
	})
}

// B-06: an empty database under a witness that has seen another one is not a first start; and two that went apart are
// told from each other.
func TestAnEmptyDatabaseUnderAWitnessIsNoFirstStart(t *testing.T) {
	w := newPlace(t)
	ctx := context.Background()
	start(t, dbtest.SQLite(t), w)
	fresh := start(t, dbtest.SQLite(t), w)
	require.Equal(t, epoch.Other, cause(t, fresh))

	d := dbtest.SQLite(t)
	place := newPlace(t)
	one := start(t, d, place)
	restore := backup(t, d)
	require.NoError(t, one.Advance(ctx))
	restore()
	elsewhere := newPlace(t)
	require.NoError(t, elsewhere.Put(ctx, "epochs/0000000000000000002", read(t, d)))

	two := start(t, d, elsewhere) // the copy went its own way, further than the first
	for range 3 {
		require.NoError(t, two.Advance(ctx))
	}

	require.Equal(t, epoch.Other, cause(t, start(t, d, place)))
}

// read is the second epoch as it stands outside.
func read(t *testing.T, d *db.DB) []byte {
	t.Helper()
	text, err := db.Value[string](context.Background(), d,
		"SELECT number || ' ' || token || ' ' || instance FROM epochs WHERE number = 2")
	require.NoError(t, err)

	return []byte(text)
}

// A record that cannot be read, or is another one's, is an error: nobody takes it for a first start.
func TestAnUnreadableWitnessIsAnError(t *testing.T) {
	d := dbtest.SQLite(t)

	ctx := context.Background()
	for _, content := range []string{"", "x", "0 a b", "-1 a b", "7 a", "8 a b"} {
		w := newPlace(t)
		require.NoError(t, w.Put(ctx, "epochs/0000000000000000007", []byte(content)))
		require.Error(t, epoch.New(epoch.Config{DB: d, Witness: w}).Start(ctx), content)
	}
}

// While another process works on the database, one with a witness of its own is refused, and changes nothing. If nobody
// works there, the witness was lost.
func TestAWitnessOfItsOwnIsRefusedBesideAnotherProcess(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		ctx := context.Background()
		w := newPlace(t)
		first := start(t, d, w)
		works := true
		beside := func(w witness.Store) *epoch.Instance {
			return epoch.New(epoch.Config{
				DB:      d,
				Witness: w,
				Others:  func(context.Context) (bool, error) { return works, nil },
			})
		}

		require.NoError(t, beside(w).Start(ctx), "they share it")

		another := newPlace(t)
		require.ErrorIs(t, beside(another).Start(ctx), epoch.ErrOtherWitness)
		require.False(t, held(t, first))
		require.NoError(t, first.Advance(ctx))

		works = false
		require.NoError(t, beside(another).Start(ctx))
		require.Equal(t, epoch.Lost, cause(t, first))
	})
}
