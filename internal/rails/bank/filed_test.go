package bank_test

import (
	"context"
	"io/fs"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
	"slipway/internal/rails/bank"
	"slipway/internal/schema"
)

// keys lists the payouts of a state.
func (w *world) keys(state bank.State) (out []string) {
	w.t.Helper()
	list, err := w.rail.Payouts(context.Background(), w.d, bank.PayoutFilter{State: state})
	require.NoError(w.t, err)

	for _, p := range list {
		require.Equal(w.t, state, p.State)

		require.Equal(
			w.t,
			state == bank.Planned,
			p.File == "",
			"a planned payout is in no file, a filed one in its file",
		)

		out = append(out, p.Key)
	}

	return out
}

// exec runs statements as they are.
func (w *world) exec(statements ...string) {
	w.t.Helper()

	for _, s := range statements {
		require.NoError(w.t, w.d.Write(context.Background(), func(tx *db.Tx) error {
			_, err := tx.Exec(s)
			return err
		}), s)
	}
}

// rewrite changes to whom a payout goes.
func (w *world) rewrite(payout, from, to string) {
	w.t.Helper()
	require.NoError(w.t, w.d.Rewrite(context.Background(), bank.Sealed()[0], func(key db.Key, texts []string) {
		if key[0] == payout {
			texts[0] = strings.ReplaceAll(texts[0], from, to)
		}
	}))
}

// A payout that waits for a file and one that is in a file are told apart wherever they are listed, and a file takes
// only the former.
func TestPlannedAndFiledAreToldApart(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w, ch := fickleWorld(t, d)
		ch.stage = func(context.Context, string) error { return errCut }
		w.plan(pay(0), pay(1))
		require.Equal(t, []string{pay(0).Key, pay(1).Key}, w.keys(bank.Planned))
		require.Empty(t, w.keys(bank.Filed))
		require.ErrorIs(t, w.rail.Work(context.Background()), errCut)

		w.plan(pay(2))
		require.Equal(t, []string{pay(0).Key, pay(1).Key}, w.keys(bank.Filed))
		require.Equal(t, []string{pay(2).Key}, w.keys(bank.Planned))

		inFirst, err := w.rail.Payouts(context.Background(), d, bank.PayoutFilter{File: w.status(0).File})
		require.NoError(t, err)
		require.Len(t, inFirst, 2)

		ch.stage = nil
		w.work()
		w.exactlyOnce(3)
		require.Len(t, w.sent(), 2)
		require.NotEqual(t, w.status(0).File, w.status(2).File)
	})
}

// F-03: the database itself keeps a payout out of a second file, whatever the two processes that would take it have
// read.
func TestAPayoutIsInOneFile(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d)
		w.paid(1)

		err := d.Write(context.Background(), func(tx *db.Tx) error {
			_, err := tx.Exec(
				"INSERT INTO bank_file_payouts (payout_id, file_id) VALUES (?, 'pfl_other')",
				w.status(0).ID,
			)

			return err
		})

		require.True(t, db.IsUnique(err, "bank_file_payouts"), "%v", err)
	})
}

// A payout that cannot be written is left out of its file, and the others leave. Planned again by two persons it goes
// with another file.
func TestWhatWasLeftOutGoesWithAnotherFile(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d)
		w.plan(pay(0), pay(1), pay(2))
		id := w.status(1).ID
		// as if the rules had become stricter
		w.rewrite(id, "AT61", "AT62")
		w.work()
		w.is(1, bank.Held)
		w.work()
		w.is(0, bank.HandedOver)
		w.is(2, bank.HandedOver)
		require.Len(t, w.sent(), 1)

		w.rewrite(id, "AT62", "AT61")

		require.NoError(t, w.rail.Resolve(context.Background(), pay(1).Key, bank.Decision{
			Action:     bank.ActPlanAgain,
			AskedBy:    "ann",
			ApprovedBy: "bob",
		}))

		require.Equal(t, []string{pay(1).Key}, w.keys(bank.Planned))

		w.work()
		w.exactlyOnce(3)
		require.Len(t, w.sent(), 2)
		require.NotEqual(t, w.status(0).File, w.status(1).File)
	})
}

// All payouts of a file are told of, also when that takes many writes and some of them are on hold for the file; then
// the file itself moves.
func TestAllOfALargeFileAreTold(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		const many = 520
		w, ch := fickleWorld(t, d)
		ch.commit = func(ctx context.Context, staged, name string) error { return errCut }

		for from := 0; from < many; from += 130 {
			var some []bank.Payout
			for i := range 130 {
				some = append(some, pay(from+i))
			}

			w.plan(some...)
		}

		require.ErrorIs(t, w.rail.Work(context.Background()), errCut)

		for _, n := range []int{0, 7, 300, many - 1} {
			w.exec(
				"UPDATE bank_payouts SET state = 'HELD', reason_code = 'ARRIVAL_UNKNOWN' WHERE id = '" + w.status(
					n,
				).ID + "'",
			)
		}

		ch.commit = nil
		w.work()
		require.Len(t, w.told("handed"), many)
		require.Empty(t, w.keys(bank.Filed))
		require.Empty(t, w.keys(bank.Held))
		list, err := w.rail.Files(context.Background(), d, bank.FileHandedOver, "", 0)
		require.NoError(t, err)
		require.Len(t, list, 1)
		w.later(time.Minute)
		w.work()
		require.Len(t, w.told("handed"), many)
	})
}

// A database in which files stood in the payouts' own rows goes on: nothing is sent twice or forgotten. The way back
// is open too.
func TestADatabaseFromBeforeFileRowsGoesOn(t *testing.T) {
	text, err := fs.ReadFile(schema.Files(), "0021_file_payouts.sql")
	require.NoError(t, err)

	up, down, found := strings.Cut(string(text), "-- +goose Down")
	require.True(t, found)

	statements := func(s string) (out []string) {
		for _, x := range strings.Split(s, ";") {
			if strings.TrimSpace(x) != "" {
				out = append(out, x)
			}
		}

		return out
	}

	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w, ch := fickleWorld(t, d)
		w.plan(pay(0))
		w.work()
		ch.stage = func(context.Context, string) error { return errCut }
		w.plan(pay(1))
		require.ErrorIs(t, w.rail.Work(context.Background()), errCut)

		w.plan(pay(2))
		before := []bank.PayoutStatus{w.status(0), w.status(1), w.status(2)}
		w.exec(statements(down)...)
		old, err := db.Select(context.Background(), d, func(s *string) []any {
			return []any{s}
		}, "SELECT state || ' ' || file_id FROM bank_payouts ORDER BY id")
		require.NoError(t, err)
		require.Equal(t, []string{"HANDED_OVER " + before[0].File, "FILED " + before[1].File, "PLANNED "}, old)

		w.exec(statements(up)...)

		_, err = d.Migrate(context.Background(), schema.Files()) // an upgrade ends with how keys are sorted
		require.NoError(t, err)
		require.Equal(t, before, []bank.PayoutStatus{w.status(0), w.status(1), w.status(2)})

		ch.stage = nil
		w.work()
		w.exactlyOnce(3)
		require.Len(t, w.sent(), 3)
	})
}
