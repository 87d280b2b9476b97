package bank_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
	"slipway/internal/rails/bank"
)

// sent reads every payment file in the folder to the bank.
func (w *world) sent() []string {
	w.t.Helper()

	var out []string
	for _, name := range files(w.t, w.out) {
		if !strings.HasSuffix(name, ".tmp") {
			raw, err := os.ReadFile(filepath.Join(w.out, name))
			require.NoError(w.t, err)

			out = append(out, string(raw))
		}
	}

	return out
}

// exactlyOnce checks that every one of the first n payouts stands in one file at the bank, once (F-03).
func (w *world) exactlyOnce(n int) {
	w.t.Helper()

	all := strings.Join(w.sent(), "")
	for i := range n {
		require.Equal(w.t, 1, strings.Count(all, "<EndToEndId>"+bank.EndToEndID(pay(i).Key)+"<"), "payout %d", i)
		require.Equal(w.t, 1, strings.Count(all, "<UETR>"+bank.UETR(pay(i).Key)+"<"), "payout %d", i)
	}

	require.Equal(w.t, n, strings.Count(all, "<EndToEndId>"))
	require.Len(w.t, w.told("handed"), n)
}

// A key is planned once, and its identifiers are the same for ever.
func TestAKeyIsPlannedOnce(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d)
		w.plan(pay(0))
		err := d.Write(context.Background(), func(tx *db.Tx) error { return w.rail.Plan(tx, pay(0)) })
		require.True(t, db.IsUnique(err, "bank_payouts"), "%v", err)

		s := w.status(0)
		require.Equal(t, bank.Planned, s.State)
		require.Regexp(t, regexp.MustCompile(`^[0-9A-HJKMNP-TV-Z]{26}$`), s.EndToEndID)

		require.Regexp(
			t,
			regexp.MustCompile(`^[a-f0-9]{8}-[a-f0-9]{4}-4[a-f0-9]{3}-[89ab][a-f0-9]{3}-[a-f0-9]{12}$`),
			s.UETR,
		)

		require.Equal(
			t,
			"8YG595Q13039H95VQCQR5KBJS8",
			bank.EndToEndID("transaction/txn_1/payout/0"),
			"a bank compares it with what it had years ago",
		)

		require.Equal(t, pay(0).Creditor, s.Creditor)
	})
}

// F-08: what no file could carry is refused when it is planned, all reasons at once and each with its place, and
// nothing is written.
func TestWhatNoFileCanCarryIsNeverPlanned(t *testing.T) {
	w := newWorld(t, dbtest.SQLite(t))

	for name, c := range map[string]struct {
		change func(*bank.Payout)
		paths  []string
	}{
		"IBAN with wrong check digits": {
			func(p *bank.Payout) { p.Account.IBAN = "AT621904300234573201" },
			[]string{"creditorAccount/iban"},
		},
		"no account": {
			func(p *bank.Payout) { p.Account.IBAN = "" },
			[]string{"creditorAccount/iban"},
		},
		"letters SEPA has not": {
			func(p *bank.Payout) { p.Creditor.Name = "株式会社" },
			[]string{"creditor/name"},
		},
		"no name": {
			func(p *bank.Payout) { p.Creditor.Name = "" },
			[]string{"creditor/name"},
		},
		"letters in two places": {
			func(p *bank.Payout) {
				p.Creditor.Name = "株式会社"
				p.Remittance = "🚀"
			},
			[]string{"creditor/name", "remittance"},
		},
		"a text that is too long": {
			func(p *bank.Payout) { p.Remittance = strings.Repeat("x", 141) },
			[]string{"remittance"},
		},
		"a text that grows too long": {
			func(p *bank.Payout) { p.Remittance = strings.Repeat("ä", 71) },
			[]string{"remittance"},
		},
		"rail the account has not": {func(p *bank.Payout) { p.Rail = "ACH" }, []string{""}},
		"another currency":         {func(p *bank.Payout) { p.Currency = "USD" }, []string{""}},
		"charges nobody knows":     {func(p *bank.Payout) { p.Charges = "ALL" }, []string{""}},
	} {
		t.Run(name, func(t *testing.T) {
			p := pay(0)
			c.change(&p)
			err := w.d.Write(context.Background(), func(tx *db.Tx) error { return w.rail.Plan(tx, p) })

			var refused *bank.Refusal
			require.ErrorAs(t, err, &refused)
			require.ErrorAs(t, w.rail.Check(p), &refused)

			var paths []string
			for _, reason := range refused.Reasons {
				paths = append(paths, reason.Path)
				require.NotEmpty(t, reason.Detail)
			}

			require.Equal(t, c.paths, paths)
		})
	}

	_, err := w.rail.Status(context.Background(), w.d, pay(0).Key)
	require.ErrorIs(t, err, db.ErrNone)
	p := pay(0)
	p.From = "chf"
	require.ErrorIs(t, w.rail.Check(p), bank.ErrUnknownAccount)
}

// Planned payouts leave in one file for each account and rail; bytes and hash are stored, and the file at the bank is
// those bytes.
func TestPayoutsLeaveInAFile(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d)
		instant := pay(3)
		instant.Rail = "SEPA_INSTANT"
		instant.Charges = "OUR"
		w.plan(pay(0), pay(1), pay(2), instant)
		w.work()
		ctx := context.Background()
		list, err := w.rail.Files(ctx, d, "", "", 0)
		require.NoError(t, err)
		require.Len(t, list, 2)

		for _, f := range list {
			require.Equal(t, bank.FileHandedOver, f.State)

			_, content, err := w.rail.File(ctx, d, f.ID)
			require.NoError(t, err)

			raw, err := os.ReadFile(filepath.Join(w.out, f.Name))
			require.NoError(t, err)
			require.Equal(t, string(content), string(raw))
			require.Contains(t, string(raw), "<MsgId>"+f.MessageID+"</MsgId>")
			require.Contains(t, string(raw), "<CtrlSum>"+f.ControlSum+"</CtrlSum>")
		}

		w.exactlyOnce(4)
		w.is(0, bank.HandedOver)
		require.Equal(t, "30.03", list[1].ControlSum, "10.00 + 10.01 + 10.02")
		w.work()
		w.exactlyOnce(4)
		require.Len(t, files(t, w.out), 2, "nothing is left under a temporary name")
	})
}

// A payout may wait for others, and a file holds only so many.
func TestPayoutsGather(t *testing.T) {
	d := dbtest.SQLite(t)

	w := openWorld(t, d, t.TempDir(), func(c *bank.Config) {
		c.Gather = time.Minute
		c.MaxInFile = 2
	})

	w.plan(pay(0))
	w.work()
	require.Empty(t, w.sent())

	w.plan(pay(1), pay(2))
	w.work()
	require.Len(t, w.sent(), 2, "a full file goes at once, and what is left with it")

	w.exactlyOnce(3)
}

// F-09: what is paid is what was planned, whatever becomes of the receiver's record: the row keeps its own copy. (The
// copy is taken from the payment's snapshot by whoever plans.)
func TestThePayoutKeepsItsOwnDetails(t *testing.T) {
	w := newWorld(t, dbtest.SQLite(t))
	p := pay(0)
	w.plan(p)
	p.Account.IBAN = "DE02120300000000202051"
	p.Creditor.Name = "Somebody Else"
	w.work()
	require.Contains(t, w.sent()[0], "AT611904300234573201")
	require.NotContains(t, w.sent()[0], "DE02120300000000202051")
}

// fickle is a channel that fails or lies on demand.
type fickle struct {
	bank.Channel
	stage, look func(ctx context.Context, staged string) error
	commit      func(ctx context.Context, staged, name string) error
}

func (f *fickle) Stage(ctx context.Context, staged string, content []byte) error {
	if f.stage != nil {
		if err := f.stage(ctx, staged); err != nil {
			return err
		}
	}

	return f.Channel.Stage(ctx, staged, content)
}

func (f *fickle) Commit(ctx context.Context, staged, name string) error {
	if f.commit != nil {
		return f.commit(ctx, staged, name)
	}

	return f.Channel.Commit(ctx, staged, name)
}

func (f *fickle) Look(ctx context.Context, staged, name string) (bank.Presence, int64, error) {
	if f.look != nil {
		if err := f.look(ctx, staged); err != nil {
			return bank.Gone, 0, err
		}
	}

	return f.Channel.Look(ctx, staged, name)
}

func fickleWorld(t *testing.T, d *db.DB) (*world, *fickle) {
	t.Helper()
	f := &fickle{}
	w := openWorld(t, d, t.TempDir(), func(c *bank.Config) { f.Channel = c.Channel; c.Channel = f })

	return w, f
}

var errCut = errors.New("the connection was cut")

// A payment within SEPA follows the IBAN: the BIC of a bank in another country is left out, that of one in the same
// country stays.
func TestABICOfAnotherCountryIsLeftOutOfSEPA(t *testing.T) {
	for bic, written := range map[string]bool{"BKAUATWWXXX": true, "REVOLT21XXX": false} {
		w := newWorld(t, dbtest.SQLite(t))
		p := pay(0)
		p.Account.BIC = bic
		w.plan(p)
		w.work()
		require.Equal(t, written, strings.Contains(strings.Join(w.sent(), ""), bic), bic)
	}
}

// P-08: what cannot be written at the bank is not sent, and is tried again.
func TestAFileThatCannotBeWrittenIsTriedAgain(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w, ch := fickleWorld(t, d)
		ch.stage = func(context.Context, string) error { return errCut }
		w.plan(pay(0))
		require.ErrorIs(t, w.rail.Work(context.Background()), errCut)

		w.is(0, bank.Filed)
		ch.stage = nil
		w.work()
		w.exactlyOnce(1)
	})
}

// F-02: the file was handed over but the answer was lost: the channel is asked, and it is not sent again.
func TestALostAnswerIsAskedFor(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w, ch := fickleWorld(t, d)
		ch.commit = func(ctx context.Context, staged, name string) error {
			return errors.Join(ch.Channel.Commit(ctx, staged, name), errCut)
		}
		w.plan(pay(0))
		require.ErrorIs(t, w.rail.Work(context.Background()), errCut)

		w.is(0, bank.Filed)
		ch.look = func(context.Context, string) error { return errCut }
		require.ErrorIs(t, w.rail.Work(context.Background()), errCut)

		w.is(0, bank.Filed)
		ch.look = nil
		w.work()
		w.is(0, bank.HandedOver)
		w.exactlyOnce(1)
	})
}

// F-02: the rename did not happen: the file still has its temporary name, and gets its own.
func TestARenameThatDidNotHappenIsMadeUpFor(t *testing.T) {
	w, ch := fickleWorld(t, dbtest.SQLite(t))
	ch.commit = func(context.Context, string, string) error { return errCut }
	w.plan(pay(0))
	require.ErrorIs(t, w.rail.Work(context.Background()), errCut)
	require.Empty(t, w.sent())

	ch.commit = nil
	w.work()
	w.exactlyOnce(1)
}

// F-03: a process is held up before it stages a file. Another one hands the file over, the bank takes it away, and
// the answer is lost. What the first then stages late is nobody's to hand over: the bank gets the file once.
func TestWhatIsStagedLateIsNotHandedOver(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w, ch := fickleWorld(t, d)

		var late string
		ch.stage = func(_ context.Context, staged string) error { late = staged; return errCut }
		w.plan(pay(0))
		require.ErrorIs(t, w.rail.Work(context.Background()), errCut)
		ch.stage = nil
		ch.commit = func(ctx context.Context, staged, name string) error {
			require.NotEqual(t, late, staged)
			require.NoError(t, ch.Channel.Commit(ctx, staged, name))
			require.NoError(t, os.Rename(filepath.Join(w.out, name), filepath.Join(w.dir, "taken.xml")))

			return errCut
		}
		require.ErrorIs(t, w.rail.Work(context.Background()), errCut)
		ch.commit = nil
		taken, err := os.ReadFile(filepath.Join(w.dir, "taken.xml"))
		require.NoError(t, err)
		require.NoError(t, ch.Channel.Stage(context.Background(), late, taken))
		w.work()
		w.is(0, bank.Filed)
		require.Empty(t, w.sent())
	})
}

// unknown brings payouts 0 and 1 to where nobody can say whether their file arrived: the answer was lost and the bank
// has taken the file away.
func unknown(t *testing.T, d *db.DB) *world {
	t.Helper()
	w, ch := fickleWorld(t, d)
	ch.commit = func(ctx context.Context, staged, name string) error {
		require.NoError(t, ch.Channel.Commit(ctx, staged, name))
		require.NoError(t, os.Rename(filepath.Join(w.out, name), filepath.Join(w.dir, "taken.xml")))
		return errCut
	}
	w.plan(pay(0), pay(1))
	require.ErrorIs(t, w.rail.Work(context.Background()), errCut)
	ch.commit = nil
	w.work()
	w.is(0, bank.Filed)

	return w
}

// F-02: when the channel does not know, nothing is sent again: a person is asked, who says what is the case.
func TestAnUnknownHandOverIsHeldForAPerson(t *testing.T) {
	ctx := context.Background()
	both := bank.Decision{AskedBy: "ann", ApprovedBy: "bob", Note: "the bank was called"}
	as := func(a bank.Action) bank.Decision { d := both; d.Action = a; return d }

	held := func(t *testing.T, d *db.DB) *world {
		w := unknown(t, d)
		w.later(16 * time.Minute)
		w.work()
		w.is(0, bank.Held)
		w.is(1, bank.Held)
		require.Len(t, w.told("held"), 2)
		w.work()
		require.Empty(t, w.sent(), "nothing is sent again")
		require.Contains(t, w.alerts(), bank.AlertHeld+" "+pay(0).Key)
		require.ErrorIs(t, w.rail.Resolve(ctx, pay(0).Key, bank.Decision{
			Action:     bank.ActSendAgain,
			AskedBy:    "ann",
			ApprovedBy: "ann",
		}), bank.ErrTwoPersons)

		return w
	}

	t.Run("it arrived", func(t *testing.T) {
		dbtest.Each(t, func(t *testing.T, d *db.DB) {
			w := held(t, d)
			require.NoError(t, w.rail.Resolve(ctx, pay(0).Key, as(bank.ActArrived)))

			w.work()
			w.is(0, bank.HandedOver)
			w.is(1, bank.HandedOver)
			require.Len(t, w.told("handed"), 2)
			require.Empty(t, w.sent())
			require.ErrorIs(t, w.rail.Resolve(ctx, pay(0).Key, as(bank.ActArrived)), bank.ErrNotHeld)
		})
	})

	t.Run("it did not", func(t *testing.T) {
		dbtest.Each(t, func(t *testing.T, d *db.DB) {
			w := held(t, d)
			require.NoError(t, w.rail.Resolve(ctx, pay(0).Key, as(bank.ActSendAgain)))
			w.work()
			w.exactlyOnce(2)
			taken, err := os.ReadFile(filepath.Join(w.dir, "taken.xml"))
			require.NoError(t, err)
			require.Equal(t, string(taken), w.sent()[0], "the same bytes, so that the bank can tell a copy (F-01)")
		})
	})

	t.Run("one of them will not be executed", func(t *testing.T) {
		w := held(t, dbtest.SQLite(t))
		require.NoError(t, w.rail.Resolve(ctx, pay(1).Key, as(bank.ActReject)))

		w.is(1, bank.Rejected)
		require.Equal(t, []string{pay(1).Key}, w.told("rejected"))

		n, err := db.Value[int64](
			ctx,
			w.d,
			`SELECT count(*) FROM bank_resolutions
				WHERE action = 'REJECT' AND asked_by = 'ann' AND approved_by = 'bob'`,
		)

		require.NoError(t, err)
		require.EqualValues(t, 1, n, "what two persons decided is kept")

		require.ErrorIs(
			t,
			w.rail.Resolve(ctx, pay(0).Key, as(bank.ActSendAgain)),
			bank.ErrNotHeld,
			"the stored bytes would pay the other one, which was given back",
		)

		w.work()
		require.Empty(t, w.sent())
	})
}

// F-02: a debit in a statement, or a status report, answers the question by itself.
func TestABookingAnswersAnUnknownHandOver(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := unknown(t, d)
		w.imported(stmt(debit(0, "D0")).xml())
		w.is(0, bank.Booked)
		w.work()
		w.is(1, bank.HandedOver)
		require.Len(t, w.told("handed"), 2)
		require.Empty(t, w.sent())
	})
}

// B-06: a payout that the bank's statement shows as executed is not sent, although this database has only just
// planned it.
func TestWhatTheBankKnowsIsNotSentAgain(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d)
		w.plan(pay(0))

		require.NoError(
			t,
			os.WriteFile(filepath.Join(w.in, "statement.xml"), []byte(stmt(debit(0, "D0")).xml()), 0o600),
		)

		w.work()
		w.is(0, bank.Booked)
		require.Empty(t, w.sent())
		require.Equal(t, []string{"statement.xml"}, files(t, filepath.Join(w.in, "done")))
	})
}

// Stored bytes that are not what was hashed never leave.
func TestChangedBytesNeverLeave(t *testing.T) {
	w, ch := fickleWorld(t, dbtest.SQLite(t))
	ch.stage = func(context.Context, string) error { return errCut }
	w.plan(pay(0))
	require.Error(t, w.rail.Work(context.Background()))

	dbtest.Replace(t, w.d, bank.Sealed()[1], "EUR", "USD")

	ch.stage = nil
	require.ErrorContains(t, w.rail.Work(context.Background()), "hash")
	require.Empty(t, files(t, w.out))
}

// P-05: two rounds at the same time hand everything over once.
func TestTwoWorkersHandOverOnce(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d)

		other := openWorld(t, d, w.dir, nil)
		for i := range 20 {
			w.plan(pay(i))
		}

		var both sync.WaitGroup
		for _, x := range []*world{w, other} {
			both.Go(func() {
				for range 5 {
					_ = x.rail.Work(context.Background()) // one of the two may find that the other was first
				}
			})
		}

		both.Wait()
		w.work()
		w.exactlyOnce(20)
	})
}

// F-06: without any word of the bank a payout stays where it is, and after a while stands on the list of what needs
// attention.
func TestAPayoutWithoutAnswerAges(t *testing.T) {
	w := newWorld(t, dbtest.SQLite(t))
	w.paid(1)
	require.Empty(t, w.alerts())

	w.later(49 * time.Hour)
	w.work()
	w.is(0, bank.HandedOver)
	require.Equal(t, []string{bank.AlertUnanswered + " " + pay(0).Key}, w.alerts())

	w.imported(stmt(debit(0, "D0")).xml())
	require.Empty(t, w.alerts())
}

// All states that a payout of these tests was seen to move between are in its table.
func TestStatesHaveATable(t *testing.T) {
	table := bank.States()
	for _, move := range []string{"PLANNED FILED", "FILED HANDED_OVER", "HANDED_OVER BOOKED", "BOOKED RETURNED", "HELD FILED"} {
		from, to, _ := strings.Cut(move, " ")
		require.True(t, table.Allows(bank.State(from), bank.State(to)), move)
	}

	for _, move := range []string{"REJECTED HELD", "BOOKED REJECTED", "PLANNED BOOKED", "REJECTED BOOKED", "HANDED_OVER PLANNED"} {
		from, to, _ := strings.Cut(move, " ")
		require.False(t, table.Allows(bank.State(from), bank.State(to)), move)
	}

	require.True(t, table.Final(bank.Rejected) && table.Final(bank.Returned), fmt.Sprint(table.States()))
}
