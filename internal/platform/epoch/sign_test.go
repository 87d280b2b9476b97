package epoch_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
	"slipway/internal/platform/epoch"
)

// B-14: a sign from outside holds everything although the witness agrees, in every process, until the world was read
// and two persons have confirmed. The same sign holds nothing a second time; another one does.
func TestASignHoldsUntilTwoPersonsConfirm(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newPlace(t)
		ctx := t.Context()
		other := start(t, d, w)

		for _, sign := range []string{"the chain counts 7", "the chain counts 9"} {
			for range 2 {
				i := start(t, d, w)
				i.Looker("the chain", func(context.Context) ([]string, error) { return []string{sign}, nil })
				require.NoError(t, i.Look(ctx))

				r, err := i.Current(ctx)
				if errors.Is(err, db.ErrNone) {
					continue // the second time
				}

				require.NoError(t, err)
				require.Equal(t, epoch.Behind, r.Cause)
				require.Equal(t, sign, r.Sign)
				require.True(t, held(t, other))
				require.ErrorIs(t, other.Advance(ctx), epoch.ErrRereading)

				require.NoError(t, i.Reread(ctx))
				require.True(t, held(t, i), "reading alone is not enough: the copies may be as old")
				require.NoError(t, confirm(d, "ann", "ben", "asked the bank"))
				require.False(t, held(t, i))
				require.NoError(t, i.Advance(ctx))
			}
		}

		past, err := other.Past(ctx, 10)
		require.NoError(t, err)
		require.Len(t, past, 2)
	})
}

// B-14: nothing passes the gate before every part of the world was asked; one that did not answer is asked again.
func TestNothingPassesBeforeTheWorldWasAsked(t *testing.T) {
	d := dbtest.SQLite(t)
	i := start(t, d, newPlace(t))
	gate := epoch.Gate{Instance: i}
	away := errors.New("no node answers")
	asked := 0

	i.Reader("nothing", func(context.Context, time.Time) ([]string, error) { return nil, nil })
	i.Looker("the bank", func(context.Context) ([]string, error) { asked++; return nil, nil })
	i.Looker("the chain", func(context.Context) ([]string, error) { return nil, away })

	require.ErrorIs(t, gate.Advance(t.Context()), away)
	require.ErrorIs(t, gate.Advance(t.Context()), away)
	require.Equal(t, 1, asked)

	away = nil
	require.NoError(t, gate.Advance(t.Context()))
	require.NoError(t, gate.Advance(t.Context()))
}

// B-14: what is seen while the world is read again because of the witness is dealt with by that, however long it stays
// to be seen: the next start holds nothing. What is seen after the reading has it read once more.
func TestASignOfAReReadingHoldsNothingAfterwards(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newPlace(t)
		ctx := t.Context()
		start(t, d, w)
		require.NoError(t, start(t, d, w).Advance(ctx))

		w = newPlace(t) // the witness is gone
		reads := 0
		open := func() *epoch.Instance {
			i := start(t, d, w)
			i.Reader("the bank", func(context.Context, time.Time) ([]string, error) { reads++; return nil, nil })
			i.Looker(
				"the chain",
				func(context.Context) ([]string, error) { return []string{"the chain counts 7"}, nil },
			)
			require.NoError(t, i.Look(ctx))

			return i
		}

		i := open()
		r, err := i.Current(ctx)
		require.NoError(t, err)
		require.Equal(t, epoch.Lost, r.Cause)
		require.NoError(t, i.Reread(ctx))
		require.Equal(t, 1, reads)

		require.NoError(
			t,
			d.Write(ctx, func(tx *db.Tx) error { return i.Behind(ctx, tx, "a statement names a payment") }),
		)
		require.ErrorIs(t, confirm(d, "ann", "ben", ""), epoch.ErrNotWaiting, "it is read once more first")
		require.NoError(t, i.Reread(ctx))
		require.Equal(t, 2, reads)
		require.NoError(t, confirm(d, "ann", "ben", ""))

		require.False(t, held(t, open()), "the chain still counts 7")
	})
}
