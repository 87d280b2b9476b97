package bank_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
	"slipway/internal/platform/secret"
	"slipway/internal/platform/witness"
	"slipway/internal/rails/bank"
)

// gate is closed while a test says so, and counts what asked to leave.
type gate struct {
	closed bool
	asked  int
}

func (g *gate) Held(context.Context) (bool, error) { return g.closed, nil }
func (g *gate) Advance(context.Context) error      { g.asked++; return nil }

// guarded is a world whose files are copied to a witness in its folder.
func guarded(t *testing.T, d *db.DB, dir string, g *gate) *world {
	t.Helper()
	copies, err := witness.OpenFolder(filepath.Join(dir, "witness"))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, copies.Close()) })
	w := openWorld(t, d, dir, func(c *bank.Config) {
		c.Copies = copies
		c.Gate = g
	})
	w.copies = copies

	return w
}

// restored is a world after the payouts of lost were handed over and its database was put back to one that has only
// planned some of them. What the bank has taken lies there no more.
func restored(t *testing.T, d *db.DB, lost func(w *world), planned ...bank.Payout) (*world, *gate) {
	t.Helper()
	dir := t.TempDir()
	g := &gate{}
	before := guarded(t, dbtest.SQLite(t), dir, &gate{})
	lost(before)
	w := guarded(t, d, dir, g)
	w.plan(planned...)
	g.closed = true

	return w, g
}

// bankTakes empties the folder to the bank, and gives what lay there.
func (w *world) bankTakes() string {
	w.t.Helper()

	all := strings.Join(w.sent(), "")
	for _, name := range files(w.t, w.out) {
		require.NoError(w.t, os.Remove(filepath.Join(w.out, name)))
	}

	return all
}

func (w *world) reread() []string {
	w.t.Helper()
	found, err := w.rail.Reread(context.Background())
	require.NoError(w.t, err)

	return found
}

// B-06, F-03: the same payouts make a file of the same MsgId and name in every database, in whatever order they were
// planned; others another.
func TestAFileIsNamedByItsPayouts(t *testing.T) {
	var seen []bank.File
	for _, payouts := range [][]bank.Payout{{pay(0), pay(1)}, {pay(1), pay(0)}, {pay(0)}, {pay(0), pay(2)}} {
		w := newWorld(t, dbtest.SQLite(t))
		w.plan(payouts...)
		w.work()
		list, err := w.rail.Files(context.Background(), w.d, "", "", 0)
		require.NoError(t, err)
		require.Len(t, list, 1)
		require.Contains(t, w.sent()[0], "<MsgId>"+list[0].MessageID+"</MsgId>")
		require.Regexp(t, `^SLW[0-9A-Z]{26}$`, list[0].MessageID)
		require.Equal(t, []string{list[0].Name}, files(t, w.out))

		seen = append(seen, list[0])
	}

	require.Equal(t, seen[0].MessageID, seen[1].MessageID)
	require.Equal(t, seen[0].Name, seen[1].Name)

	for _, other := range seen[2:] {
		require.NotEqual(t, seen[0].MessageID, other.MessageID)
		require.NotEqual(t, seen[0].Name, other.Name)
	}
}

// B-06, B-09, F-03: payouts that had only been planned when the back-up was made are not sent again: not while the
// gate is closed, and not after the files that left were read again. One that had not left goes.
func TestWhatLeftIsNotSentAgainAfterARestore(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w, g := restored(t, d, func(w *world) {
			w.paid(3)
			w.bankTakes()
		}, pay(2), pay(3), pay(0), pay(1))
		w.work()
		require.Empty(t, w.sent(), "nothing leaves while the gate is closed")
		require.Len(t, w.keys(bank.Planned), 4)

		found := w.reread()
		require.Equal(
			t,
			[]string{
				"1 payment files had left that this database did not know of",
				"3 payouts in them are not sent again",
			},
			found,
		)

		for i := range 3 {
			w.is(i, bank.HandedOver)
		}

		require.Empty(t, w.reread(), "again finds nothing")

		g.closed = false
		w.work()
		require.Equal(t, 1, strings.Count(strings.Join(w.sent(), ""), "<EndToEndId>"))
		require.Contains(t, w.sent()[0], bank.EndToEndID(pay(3).Key))
		require.Positive(t, g.asked)
		w.imported(stmt(debit(0, "D0"), debit(1, "D1"), debit(2, "D2"), debit(3, "D3")).xml())

		for i := range 4 {
			w.is(i, bank.Booked)
		}

		require.Empty(t, w.alerts())
		require.Len(t, w.told("handed"), 4)
	})
}

// B-06: what the bank's folder still has counts as well, without any copy, also in its folder done.
func TestFilesInTheBanksFolderAreReadAgain(t *testing.T) {
	for _, folder := range []string{".", "done"} {
		dbtest.Each(t, func(t *testing.T, d *db.DB) {
			dir := t.TempDir()
			g := &gate{}
			openWorld(t, dbtest.SQLite(t), dir, nil).paid(2)
			w := openWorld(t, d, dir, func(c *bank.Config) { c.Gate = g })
			require.NoError(t, os.MkdirAll(filepath.Join(w.out, folder), 0o700))

			for _, name := range files(t, w.out) {
				require.NoError(t, os.Rename(filepath.Join(w.out, name), filepath.Join(w.out, folder, name)))
			}

			w.plan(pay(0), pay(1))
			w.reread()
			w.is(0, bank.HandedOver)
			w.is(1, bank.HandedOver)
			w.work()
			require.Len(t, w.told("handed"), 2)
			require.Len(t, files(t, filepath.Join(w.out, folder)), 1)
		})
	}
}

// B-06: payouts that stand in other groups in the database than in the files that left are taken out one by one, also
// out of a file whose bytes were stored.
func TestPayoutsAreTakenOutOfOtherGroups(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		dir := t.TempDir()
		g := &gate{}
		before := guarded(t, dbtest.SQLite(t), dir, &gate{})
		before.paid(3)
		before.bankTakes()

		fails := &fickle{stage: func(context.Context, string) error { return errCut }}
		w := guarded(t, d, dir, g)
		stuck := openWorld(t, d, t.TempDir(), func(c *bank.Config) { fails.Channel = c.Channel; c.Channel = fails })
		stuck.plan(pay(1), pay(3))
		require.ErrorIs(t, stuck.rail.Work(context.Background()), errCut) // STORED when the back-up is made
		stuck.plan(pay(2))

		w.reread()
		w.is(1, bank.HandedOver)
		w.is(2, bank.HandedOver)
		w.is(3, bank.Planned)
		w.work()
		require.Equal(t, 1, strings.Count(strings.Join(w.sent(), ""), "<EndToEndId>"))
		require.Contains(t, w.sent()[0], bank.EndToEndID(pay(3).Key))
		require.Equal(t, []string{bank.AlertUnknown + " " + bank.EndToEndID(pay(0).Key)}, w.alerts())
	})
}

// B-06: payments of payouts that the back-up does not even have. The bank's word about them waits; when they are
// planned again they are in the file that left, and what the bank has said counts. Those whose payouts never come are
// looked at by two persons.
func TestPayoutsThatArePlannedAgainAreInTheFileThatLeft(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		var said string
		w, g := restored(t, d, func(w *world) {
			w.paid(4)

			said = report{
				id:      "P1",
				message: w.status(0).MessageID,
				group:   "PART",
				tx:      []txStatus{{bank.EndToEndID(pay(2).Key), "RJCT", "AC04", ""}},
			}.xml()

			require.NoError(t, os.WriteFile(filepath.Join(w.in, "report.xml"), []byte(said), 0o600))

			require.NoError(
				t,
				os.WriteFile(
					filepath.Join(w.in, "statement.xml"),
					[]byte(stmt(debit(0, "D0"), debit(1, "D1")).xml()),
					0o600,
				),
			)

			w.work()
			w.is(0, bank.Booked)
			w.is(2, bank.Rejected)
			w.bankTakes()
		}, pay(0))
		found := w.reread()
		require.Contains(
			t,
			strings.Join(found, "\n"),
			"3 payments in them are of payouts that this database does not have",
		)
		require.Contains(t, strings.Join(found, "\n"), "2 statements and reports of banks were imported again")
		w.is(0, bank.Booked)
		require.Len(t, w.told("debited"), 1, "of payment 1, as long as nobody knows what it is for")
		require.Equal(t, 3, strings.Count(strings.Join(w.alerts(), "\n"), bank.AlertUnknown))

		g.closed = false
		w.work()
		w.plan(pay(1), pay(2))
		w.work()
		require.Empty(t, w.sent())
		w.is(1, bank.Booked)
		w.is(2, bank.Rejected)
		require.Empty(t, w.told("debited"))
		require.Len(t, w.told("handed"), 3)
		require.Equal(t, []string{bank.AlertUnknown + " " + bank.EndToEndID(pay(3).Key)}, w.alerts())

		two := bank.Decision{Action: bank.ActDrop, AskedBy: "ann", ApprovedBy: "ben"}
		require.ErrorIs(t, w.rail.ResolveHanded(context.Background(), bank.EndToEndID(pay(3).Key), bank.Decision{
			Action:  bank.ActDrop,
			AskedBy: "ann",
		}), bank.ErrTwoPersons)
		require.NoError(t, w.rail.ResolveHanded(context.Background(), bank.EndToEndID(pay(3).Key), two))
		require.ErrorIs(
			t,
			w.rail.ResolveHanded(context.Background(), bank.EndToEndID(pay(3).Key), two),
			bank.ErrNotHeld,
		)
		require.Empty(t, w.alerts())
		w.plan(pay(3))
		w.work()
		require.Empty(t, w.sent(), "it is not paid when it comes all the same")
		w.is(3, bank.HandedOver)
	})
}

// B-06, F-02: a copy alone does not prove that the file left. The bank is asked, and two persons decide; a statement
// decides before them.
func TestACopyAloneProvesNothing(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w, g := restored(t, d, func(w *world) {
			w.plan(pay(0), pay(1))
			w.work()
			w.bankTakes()

			for _, name := range files(t, filepath.Join(w.dir, "witness", "payments")) {
				if strings.HasSuffix(name, ".left") { // as after a kill between the rename and the mark
					require.NoError(t, os.Remove(filepath.Join(w.dir, "witness", "payments", name)))
				}
			}
		}, pay(1), pay(0))

		require.Contains(t, strings.Join(w.reread(), "\n"), "1 of the files may have left or not")

		g.closed = false
		w.work()
		w.is(0, bank.Filed)
		w.later(20 * time.Minute)
		w.work()
		require.Empty(t, w.sent())

		w.is(0, bank.Held)
		require.Contains(t, w.alerts(), bank.AlertHeld+" "+pay(0).Key)

		require.NoError(t, w.rail.Resolve(context.Background(), pay(0).Key, bank.Decision{
			Action:     bank.ActSendAgain,
			AskedBy:    "ann",
			ApprovedBy: "ben",
		}))

		w.work()
		w.exactlyOnce(2)
		w.is(1, bank.HandedOver)
	})
}

// B-06: a copy whose bytes were changed ends the reading with an error: what left is not
// known then.
func TestAChangedCopyEndsTheReading(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w, _ := restored(t, d, func(w *world) {
			w.paid(1)
			w.bankTakes()
		}, pay(0))

		folder := filepath.Join(w.dir, "witness", "payments")
		names := files(t, folder)
		at := slices.IndexFunc(names, func(n string) bool { return strings.HasSuffix(n, ".xml") })
		require.NoError(t, os.WriteFile(filepath.Join(folder, names[at]), []byte("<x/>"), 0o600))

		_, err := w.rail.Reread(context.Background())
		require.ErrorIs(t, err, secret.ErrForm, "it was sealed by nobody")

		w.is(0, bank.Planned)
	})
}

// deaf is an observer that cannot take a hand-over.
type deaf struct{ books }

func (deaf) HandedOver(context.Context, *db.Tx, bank.Payout) error { return errCut }

// B-06: a reading that was broken off goes on.
func TestARereadingThatWasBrokenOffGoesOn(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		const many = 520 // three writes

		var payouts []bank.Payout
		for i := range many {
			payouts = append(payouts, pay(i))
		}

		w, g := restored(t, d, func(w *world) {
			w.plan(payouts...)
			w.work()
			w.bankTakes()
		}, payouts...)
		silent := openWorld(t, d, w.dir, func(c *bank.Config) {
			c.Observer = deaf{}
			c.Gate = g
			c.Copies = w.copies
		})
		_, err := silent.rail.Reread(context.Background())
		require.ErrorIs(t, err, errCut)
		// as killed between
		w.exec(
			`UPDATE bank_files
				SET state = 'HELD', reason = 'it is being read again, since a back-up of the database was put back'`,
			"DELETE FROM bank_file_payouts WHERE payout_id IN (SELECT id FROM bank_payouts ORDER BY id LIMIT 100)",
		)
		w.reread()
		g.closed = false
		w.work()
		require.Empty(t, w.sent())
		require.Len(t, w.told("handed"), many)
	})
}

// Copies of files that a database knows may go, as the page about back-ups says: nothing is sent again or missed. There
// are two records for each file, and no others.
func TestOldCopiesMayGo(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		dir := t.TempDir()
		g := &gate{}
		w := guarded(t, d, dir, g)
		w.paid(2)
		w.bankTakes()

		copies := files(t, filepath.Join(dir, "witness", "payments"))
		require.Len(t, copies, 2)
		require.Equal(t, []string{".left", ".xml"}, []string{filepath.Ext(copies[0]), filepath.Ext(copies[1])})

		for _, name := range copies {
			require.NoError(t, os.Remove(filepath.Join(dir, "witness", "payments", name)))
		}

		require.Empty(t, w.reread())
		w.plan(pay(2))
		w.work()
		require.Len(t, w.sent(), 1)
		require.Contains(t, w.sent()[0], bank.EndToEndID(pay(2).Key))
		require.NotContains(t, w.sent()[0], bank.EndToEndID(pay(0).Key))
		require.Len(t, files(t, filepath.Join(dir, "witness", "payments")), 2)
		w.is(0, bank.HandedOver)
		require.Empty(t, w.alerts())
	})
}
