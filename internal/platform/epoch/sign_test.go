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
				require.NoError(t, i.Confirm(ctx, "ann", "ben", "asked the bank"))
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
