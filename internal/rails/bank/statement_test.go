package bank_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
	"slipway/internal/rails/bank"
)

// D-01: however a booking is told again, it counts once.
func TestABookingCountsOnceHoweverItIsTold(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d)
		a := deposit(100_00, "R1", "first")
		b := deposit(200_00, "R2", "second")
		c := deposit(300_00, "R3", "third")
		require.Equal(t, 2, w.imported(advice(a, b).xml()).New)

		again := w.import_("renamed.xml", advice(a, b).xml())
		require.Equal(t, bank.Repeated, again.Outcome, "the same bytes under another name")

		require.Zero(t, w.imported(stmt(a, b).xml()).New, "the statement of what was advised (054 then 053)")
		longer := stmt(b, a, c)
		longer.id = "S1-again"
		report := w.imported(longer.xml())
		require.Equal(t, 1, report.New, "a statement that overlaps, in another order")
		require.Equal(t, []string{"100.00 first", "200.00 second", "300.00 third"}, w.told("credited"))
	})
}

// D-01: without a reference of the bank, deposits that are alike count as often as one statement tells of them, and
// no more.
func TestDepositsThatAreAlikeAreNumbered(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d)
		same := deposit(50_00, "", "rent")
		require.Equal(t, 2, w.imported(stmt(same, same).xml()).New)

		s := stmt(same, same, same)
		s.id = "again"
		require.Equal(t, 1, w.imported(s.xml()).New)
		require.Len(t, w.told("credited"), 3)

		placeholder := deposit(50_00, "NONREF", "rent")
		s = stmt(placeholder, placeholder, placeholder)
		s.id = "with placeholders"
		require.Zero(t, w.imported(s.xml()).New, "NONREF is no reference")
	})
}

// D-01: replayed a hundred times in any mixture of advices and statements.
func TestReplayCountsNothingTwice(t *testing.T) {
	w := newWorld(t, dbtest.SQLite(t))

	var entries []entry
	for i := range 7 {
		entries = append(entries, deposit(int64(100+i), fmt.Sprintf("R%d", i), fmt.Sprintf("d%d", i)))
	}

	for i := range 100 {
		from := i % 5
		s := advice(entries[from : from+3]...)
		s.id = fmt.Sprintf("A%d", i)
		w.imported(s.xml())
	}

	require.Len(t, w.told("credited"), 7)
}

// D-01: a booking that two messages of the bank tell in different words is not booked twice. Where the statement's
// balances do not prove that it is one, since something else was advised that does not stand in it, it waits for two
// persons.
func TestABookingToldInOtherWordsIsDoubted(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d)
		w.imported(
			advice(
				deposit(75_00, "", "PX4K-7Q2M from Payer"),
				deposit(1_00, "R8", "what the statement does not have"),
			).xml(),
		)
		report := w.import_("file.xml", stmt(entry{cents: 75_00, ref: "R9", info: "collective booking"}).xml())
		require.Equal(t, bank.Unbalanced, report.Outcome)
		require.Equal(t, bank.CodeUnbalanced, report.Code)
		require.Equal(t, 1, report.New)
		require.Len(t, w.told("credited"), 2, "only the first counts")
		alerts := w.alerts()
		require.Len(t, alerts, 2)
		require.Equal(t, bank.AlertUnbalanced+" "+report.File, alerts[0])
		id := strings.TrimPrefix(alerts[1], bank.AlertDoubt+" ")

		ctx := context.Background()
		require.ErrorIs(t, w.rail.ResolveDoubt(ctx, id, bank.Decision{
			Action:     bank.ActBook,
			AskedBy:    "ann",
			ApprovedBy: "ann",
		}), bank.ErrTwoPersons)
		require.NoError(t, w.rail.ResolveDoubt(ctx, id, bank.Decision{
			Action:     bank.ActBook,
			AskedBy:    "ann",
			ApprovedBy: "bob",
			Note:       "two deposits",
		}))
		require.ErrorIs(t, w.rail.ResolveDoubt(ctx, id, bank.Decision{
			Action:     bank.ActBook,
			AskedBy:    "ann",
			ApprovedBy: "bob",
		}), bank.ErrNotWaiting)
		require.Len(t, w.told("credited"), 3)

		require.Equal(
			t,
			[]string{bank.AlertUnbalanced + " " + report.File},
			w.alerts(),
			"two were advised and do not stand in it",
		)
		require.NoError(t, w.rail.ResolveFile(ctx, report.File, bank.Decision{
			Action:     bank.ActBook,
			AskedBy:    "ann",
			ApprovedBy: "bob",
			Note:       "asked the bank",
		}))
		require.Empty(t, w.alerts())
	})
}

// D-02: only what is booked counts: pending, announced and intraday bookings are kept and move nothing.
func TestOnlyBookedEntriesCount(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d)
		pending := deposit(10_00, "P1", "pending")
		pending.status = "PDNG"
		future := deposit(20_00, "F1", "future")
		future.status = "FUTR"
		during := advice(deposit(10_00, "P1", "pending"))
		during.kind = "052"
		require.Equal(t, 2, w.imported(advice(pending, future).xml()).New)
		w.imported(during.xml())
		require.Empty(t, w.told("credited"))

		w.imported(stmt(deposit(10_00, "P1", "pending")).xml())
		require.Equal(t, []string{"10.00 pending"}, w.told("credited"))
		list, err := w.rail.Entries(context.Background(), d, bank.EntryFilter{Account: "eur", Status: "PDNG"})
		require.NoError(t, err)
		require.Len(t, list, 1, "the same pending booking of two messages")
	})
}

// D-03: a statement that does not follow the one before waits, with all that is in it, until the missing one is there.
func TestAMissingStatementStopsTheNext(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d)
		one := stmt(deposit(1_00, "R1", "one"))
		two := stmt(deposit(2_00, "R2", "two"))
		two.id = "S2"
		two.from = "2026-11-21"
		two.to = "2026-11-21"
		two.opening = 1_000_000 + 1_00
		three := stmt(deposit(3_00, "R3", "three"))
		three.id = "S3"
		three.from = "2026-11-22"
		three.to = "2026-11-22"
		three.opening = 1_000_000 + 3_00
		w.imported(one.xml())
		waits := w.import_("three.xml", three.xml())
		require.Equal(t, bank.Waiting, waits.Outcome)
		require.Equal(t, bank.CodeChain, waits.Code)
		require.Contains(t, waits.Reason, "10003.00 EUR")
		require.Equal(t, bank.Waiting, w.import_("three again.xml", three.xml()).Outcome)
		require.Equal(t, []string{"1.00 one"}, w.told("credited"), "nothing of it is credited")
		require.Equal(t, []string{bank.AlertWaiting + " " + waits.File}, w.alerts())

		w.imported(two.xml())
		require.Equal(t, []string{"1.00 one", "2.00 two", "3.00 three"}, w.told("credited"), "what waited follows")
		require.Empty(t, w.alerts())
		b, err := w.rail.LatestBalance(context.Background(), d, "eur")
		require.NoError(t, err)
		require.Equal(t, "10006.00", b.Amount.String())
	})
}

// D-03: two persons may have a statement booked whose predecessor never comes.
func TestTwoPersonsBookBehindAGap(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d)
		one := stmt(deposit(1_00, "R1", "one"))
		three := stmt(deposit(3_00, "R3", "three"))
		one.seq = "7"
		three.seq = "9"
		three.id = "S3"
		three.from = "2026-11-22"
		three.to = "2026-11-22"
		three.opening = 1_000_000 + 2_00
		w.imported(one.xml())
		waits := w.import_("three.xml", three.xml())
		require.Equal(t, bank.Waiting, waits.Outcome)

		ctx := context.Background()

		require.ErrorIs(t, w.rail.ResolveFile(ctx, waits.File, bank.Decision{
			Action:  bank.ActBook,
			AskedBy: "ann",
		}), bank.ErrTwoPersons)

		require.NoError(t, w.rail.ResolveFile(ctx, waits.File, bank.Decision{
			Action:     bank.ActBook,
			AskedBy:    "ann",
			ApprovedBy: "bob",
			Note:       "the bank has lost number 8",
		}))

		require.Equal(t, []string{"1.00 one", "3.00 three"}, w.told("credited"))

		require.ErrorIs(t, w.rail.ResolveFile(ctx, waits.File, bank.Decision{
			Action:     bank.ActDrop,
			AskedBy:    "ann",
			ApprovedBy: "bob",
		}), bank.ErrNotWaiting)
	})
}

// Where the balance continues, a number that jumps is a remark: banks number by the day of the year, begin again in the
// middle of one, leave out days without bookings.
func TestNumbersThatJumpAreARemark(t *testing.T) {
	for name, c := range map[string]struct {
		first, second string
		on            string
		remarks       bool
	}{
		"the next":                         {"7", "8", "2026-11-21", false},
		"the day of the year":              {"32401", "32501", "2026-11-21", true},
		"a Monday behind a holiday":        {"7", "11", "2026-11-24", true},
		"begins again in the year":         {"210", "1", "2026-11-21", true},
		"begins again at the new year":     {"210", "1", "2027-01-04", false},
		"a number again for the next day":  {"7", "7", "2026-11-21", false},
		"another one for the same day":     {"7", "8", "2026-11-20", false},
		"corrected on the day, new number": {"7", "9", "2026-11-20", true},
	} {
		t.Run(name, func(t *testing.T) {
			dbtest.Each(t, func(t *testing.T, d *db.DB) {
				var log bytes.Buffer

				w := openWorld(
					t,
					d,
					t.TempDir(),
					func(c *bank.Config) { c.Log = slog.New(slog.NewTextHandler(&log, nil)) },
				)
				one := stmt(deposit(1_00, "R1", "one"))
				one.seq = c.first
				two := stmt(deposit(3_00, "R3", "three"))
				two.seq = c.second
				two.id = "S2"
				two.from = c.on
				two.to = c.on
				two.opening = one.opening + 1_00

				require.Empty(t, w.imported(one.xml()).Remark)
				got := w.imported(two.xml())
				require.Equal(t, c.remarks, strings.Contains(got.Remark, "has number "+c.second), got.Remark)
				require.Equal(t, c.remarks, strings.Contains(log.String(), "level=WARN"), log.String())
				require.Equal(t, []string{"1.00 one", "3.00 three"}, w.told("credited"))

				require.Equal(t, bank.Repeated, w.import_("again", two.xml()).Outcome)
				require.Equal(t, []string{"1.00 one", "3.00 three"}, w.told("credited"))
			})
		})
	}
}

// A statement that is issued again under another number counts nothing twice, and a correction of yesterday that
// changes a balance waits for people.
func TestAStatementIsIssuedAgain(t *testing.T) {
	w := newWorld(t, dbtest.SQLite(t))
	one := stmt(deposit(1_00, "R1", "one"))
	one.seq = "7"
	w.imported(one.xml())

	again := one
	again.id = "S1-REISSUED"
	again.seq = "8"
	w.imported(again.xml())
	require.Equal(t, []string{"1.00 one"}, w.told("credited"))

	corrected := stmt(deposit(1_00, "R1", "one"), deposit(2_00, "R2", "forgotten"))
	corrected.id = "S1-CORRECTED"
	corrected.seq = "7"
	w.imported(corrected.xml())
	require.Equal(t, []string{"1.00 one", "2.00 forgotten"}, w.told("credited"))

	wrong := stmt(deposit(4_00, "R4", "of nowhere"))
	wrong.id = "S3"
	wrong.seq = "9"
	wrong.from = "2026-11-21"
	wrong.to = "2026-11-21"
	wrong.opening = one.opening + 1_00
	require.Equal(t, bank.Waiting, w.import_("wrong", wrong.xml()).Outcome)
}

// A statement whose balance did not change looks like the next one when it is issued again under another number. Only
// the number that comes next shows that it is another one; else people decide.
func TestAStatementThatChangedNothingIsIssuedAgain(t *testing.T) {
	number := func(seq, id string) statement {
		s := stmt(deposit(5_00, "", "one"), entry{cents: -5_00, info: "charge"})
		s.id = id
		s.seq = seq

		return s
	}

	for name, c := range map[string]struct {
		first, second string
		later         bool // a day is stored behind it
		want          bank.Outcome
		credited      int
	}{
		"the next number":          {"7", "8", false, bank.Imported, 2},
		"the same number":          {"7", "7", false, bank.Imported, 1},
		"a number that jumps":      {"7", "20", false, bank.Waiting, 1},
		"a number, at last":        {"", "20", false, bank.Waiting, 1},
		"no number, at last":       {"7", "", false, bank.Imported, 1},
		"before the following day": {"7", "20", true, bank.Waiting, 1},
	} {
		t.Run(name, func(t *testing.T) {
			dbtest.Each(t, func(t *testing.T, d *db.DB) {
				w := newWorld(t, d)
				w.imported(number(c.first, "S1").xml())

				if c.later {
					next := stmt(entry{cents: -3_00, info: "charge"})
					next.id = "S2"
					next.seq = "8"
					next.from = "2026-11-21"
					next.to = "2026-11-21"
					w.imported(next.xml())
				}

				got := w.import_("again.xml", number(c.second, "S1-REISSUED").xml())
				require.Equal(t, c.want, got.Outcome, got.Reason)
				require.Len(t, w.told("credited"), c.credited)

				if c.want == bank.Waiting {
					require.Equal(t, bank.CodeChain, got.Code)
					require.NoError(t, w.rail.ResolveFile(t.Context(), got.File, bank.Decision{
						Action:     bank.ActBook,
						AskedBy:    "ann",
						ApprovedBy: "bob",
						Note:       "it is another one",
					}))
					require.Len(t, w.told("credited"), 2)
				}
			})
		})
	}
}

// History that comes backwards continues no balance, and no remark says that it does.
func TestHistoryBackwardsIsNoJump(t *testing.T) {
	w := newWorld(t, dbtest.SQLite(t))
	later := stmt(deposit(2_00, "R2", "two"))
	later.seq = "30"
	later.opening += 1_00
	w.imported(later.xml())

	earlier := stmt(deposit(1_00, "R1", "one"))
	earlier.id = "S0"
	earlier.seq = "2"
	earlier.from = "2026-11-19"
	earlier.to = "2026-11-19"
	require.Empty(t, w.imported(earlier.xml()).Remark)
	require.Len(t, w.told("credited"), 2)
}

// D-03: a statement whose own sums do not hold waits for a person.
func TestAStatementThatDoesNotAddUpWaits(t *testing.T) {
	w := newWorld(t, dbtest.SQLite(t))
	s := stmt(deposit(1_00, "R1", "one"))
	wrong := s.opening + 2_00
	s.closing = &wrong
	report := w.import_("wrong.xml", s.xml())
	require.Equal(t, bank.Waiting, report.Outcome)
	require.Equal(t, bank.CodeFinding, report.Code)
	require.Empty(t, w.told("credited"))

	require.NoError(t, w.rail.ResolveFile(context.Background(), report.File, bank.Decision{
		Action:     bank.ActDrop,
		AskedBy:    "ann",
		ApprovedBy: "bob",
	}))

	require.Empty(t, w.alerts())
}

// A booking of several transactions comes as its parts where they add up to it exactly, and whole where they do not.
func TestABookingIsTakenApartOnlyWhereItAddsUp(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d)
		parts := []detail{{cents: 10_00, text: "a"}, {cents: 20_00, text: "b"}, {cents: -5_00, text: "c"}}
		w.imported(advice(entry{cents: 25_00, ref: "B1", details: parts}).xml())
		require.Equal(t, []string{"10.00 a", "20.00 b"}, w.told("credited"))
		require.Equal(t, []string{"5.00 c"}, w.told("debited"))

		other := advice(entry{cents: 26_00, ref: "B2", details: parts})
		other.id = "other"
		w.imported(other.xml())
		require.Equal(t, []string{"10.00 a", "20.00 b", "26.00 "}, w.told("credited"))

		w.imported(stmt(entry{cents: 25_00, ref: "B1"}, entry{cents: 26_00, ref: "B2"}).xml())
		require.Len(t, w.told("credited"), 3, "the statement tells of the booking as a whole")
	})
}

// Versions up to 07 write the status as text, from 08 on as a code; both count.
func TestBothVersionsOfTheStatusAreRead(t *testing.T) {
	w := newWorld(t, dbtest.SQLite(t))
	old := advice(deposit(1_00, "R1", "old"))
	old.version = "02"
	w.imported(old.xml())
	w.imported(advice(deposit(2_00, "R2", "new")).xml())
	require.Equal(t, []string{"1.00 old", "2.00 new"}, w.told("credited"))
}

// An account whose bank tells of one booking in different words counts one of the two messages alone.
func TestBooksFromOneMessageAlone(t *testing.T) {
	d := dbtest.SQLite(t)
	w := openWorld(t, d, t.TempDir(), func(c *bank.Config) { c.Accounts[0].BooksFrom = "camt.054" })
	w.imported(stmt(entry{cents: 30_00, info: "collective"}).xml())
	w.imported(advice(deposit(10_00, "", "a"), deposit(20_00, "", "b")).xml())
	require.Equal(t, []string{"10.00 a", "20.00 b"}, w.told("credited"))
	require.Empty(t, w.alerts())
}

// D-10: what cannot be read or used is quarantined with its reason, and nothing of it is booked.
func TestBadFilesAreQuarantinedWhole(t *testing.T) {
	good := stmt(deposit(1_00, "R1", "one"), deposit(2_00, "R2", "two"))
	wrongCurrency := stmt(deposit(1_00, "R1", "one"), entry{cents: 1_00, ccy: "USD", ref: "R2"})
	stranger := good
	stranger.account = "FR1420041010050500013M02606"

	cases := map[string]struct{ content, code string }{
		"cut off":        {good.xml()[:900], "TRUNCATED"},
		"more behind it": {good.xml() + "<more/>", "TRAILING_CONTENT"},
		"document type": {
			strings.Replace(good.xml(), "<Document", `<!DOCTYPE x [<!ENTITY e "x">]><Document`, 1),
			"DTD_FORBIDDEN",
		},
		"foreign namespace": {strings.Replace(good.xml(), "urn:iso:std:iso:20022", "urn:else", 1), "NAMESPACE_FOREIGN"},
		"not ours":          {stranger.xml(), bank.CodeAccount},
		"other currency":    {wrongCurrency.xml(), bank.CodeCurrency},
		"fraction of cents": {strings.Replace(good.xml(), ">2.00<", ">2.001<", 1), "VALUE"},
		"empty":             {"", "EMPTY"},
		"no xml":            {"hello", "STRUCTURE"},
		"zip":               {"\x1f\x8b\x08\x00\x00", "COMPRESSED"},
	}

	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d)
		for name, c := range cases {
			report := w.import_(name, c.content)
			require.Equal(t, bank.Quarantined, report.Outcome, name)
			require.Equal(t, c.code, report.Code, "%s: %s", name, report.Reason)
		}

		require.Empty(t, w.told("entry"), "nothing of any of them is booked")
		n, err := db.Value[int64](context.Background(), d, "SELECT count(*) FROM bank_entries")
		require.NoError(t, err)
		require.Zero(t, n)
		list, err := w.rail.Inbox(context.Background(), d, bank.InboxQuarantined, "", 0)
		require.NoError(t, err)
		require.Len(t, list, len(cases))
		require.Len(t, w.alerts(), len(cases))
	})
}
