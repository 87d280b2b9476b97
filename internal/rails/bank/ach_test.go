package bank_test

import (
	"bytes"
	"context"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
	"slipway/internal/rails/bank"
	"slipway/internal/standards/iso20022"
	"slipway/internal/standards/nacha"

	"slipway/internal/core/money"
)

// americans are the house accounts, of which the one in dollars pays by Nacha files.
func americans(c *bank.Config) {
	c.Accounts = houseAccounts()
	c.Accounts[2].Format = "nacha"
	c.Accounts[2].ACH = bank.ACH{Origin: "1234567890"}
}

// ach is a payout in dollars to a numbered key.
func ach(n int) bank.Payout {
	return bank.Payout{
		Key:      fmt.Sprintf("transaction/txn_9/payout/%d", n),
		Object:   "txn_9",
		From:     "usd",
		Rail:     "ACH",
		Amount:   money.FromUnits(bank.Asset("USD"), big.NewInt(int64(5000+n))),
		Charges:  "SHA",
		Creditor: bank.Party{Name: "Kranz Inc"},
		Account: bank.AccountIDs{
			RoutingNumber: "231380104",
			AccountNumber: "77001",
			AccountType:   "CHECKING",
			Country:       "US",
		},
		Remittance: fmt.Sprintf("Invoice %d", n),
	}
}

// achWorld has payouts 0 to n-1 in a Nacha file at the bank.
func achWorld(t *testing.T, d *db.DB, n int) *world {
	t.Helper()

	w := openWorld(t, d, t.TempDir(), americans)
	for i := range n {
		w.plan(ach(i))
	}

	w.work()

	for i := range n {
		require.Equal(t, bank.HandedOver, w.achStatus(i).State)
	}

	return w
}

func (w *world) achStatus(n int) bank.PayoutStatus {
	w.t.Helper()
	s, err := w.rail.Status(context.Background(), w.d, ach(n).Key)
	require.NoError(w.t, err)

	return s
}

// sentACH reads the one Nacha file that lies at the bank.
func (w *world) sentACH() (entries []nacha.Entry, batch nacha.Batch) {
	w.t.Helper()

	names := files(w.t, w.out)
	require.Len(w.t, names, 1)
	require.Regexp(w.t, `^nacha-[0-9a-z]{26}\.ach$`, names[0])

	content, err := os.ReadFile(filepath.Join(w.out, names[0]))
	require.NoError(w.t, err)

	_, err = nacha.Read(bytes.NewReader(content), iso20022.Limits{}, func(b *nacha.Batch, e nacha.Entry) error {
		entries = append(entries, e)
		batch = *b

		return nil
	})
	require.NoError(w.t, err)

	return entries, batch
}

// answer is an entry that a bank sends back.
type answer struct {
	id, addenda, trace, class string
	cents                     int64
}

// nachaOf writes a file of a bank by hand.
func nachaOf(list ...answer) string {
	var (
		b     strings.Builder
		lines int
		count int
		sum   int64
	)

	line := func(format string, args ...any) {
		fmt.Fprintf(&b, format+"\n", args...)
		lines++
	}

	const hash = 23138010

	line("101 021000021 0210000212612021430A094101%-23s%-23s%8s", "Slipway", "Bank", "")

	for i, x := range list {
		n := 1
		class := "CCD"
		code := "21"
		trace := fmt.Sprintf("23138010%07d", i+1)

		if x.addenda != "" {
			n = 2
		}

		if x.class != "" {
			class = x.class
		}

		if x.trace != "" {
			trace = x.trace
		}

		line(
			"5220%-16s%-20s%-10s%s%-10s%-6s%s   1%s%07d",
			"Slipway Inc",
			"",
			"1234567890",
			class,
			"RETURN",
			"",
			"261202",
			"23138010",
			i+1,
		)
		line(
			"6%s%s%-17s%010d%-15s%-22s%-2s%d%-15s",
			code,
			"231380104",
			"77001",
			x.cents,
			x.id,
			"Kranz Inc",
			"",
			n-1,
			trace,
		)

		if x.addenda != "" {
			line("%-79s%-15s", x.addenda, trace)
		}

		line("8220%06d%010d%012d%012d%-10s%19s%6s%s%07d", n, hash, 0, x.cents, "1234567890", "", "", "23138010", i+1)

		count += n
		sum += x.cents
	}

	line("9%06d%06d%08d%010d%012d%012d%39s", len(list), (lines+10)/10, count, hash*len(list), 0, sum, "")

	for lines%10 != 0 {
		line("%s", strings.Repeat("9", 94))
	}

	return b.String()
}

// returned is the return of an entry that was sent, with a code.
func returned(e nacha.Entry, code string) answer {
	return answer{
		id:      e.ID,
		cents:   e.Cents,
		addenda: fmt.Sprintf("799%s%s%6s%s", code, e.Trace, "", e.Routing[:8]),
	}
}

// usdStatement is a statement of the account in dollars.
func usdStatement(id string, opening int64, entries ...entry) statement {
	s := stmt(entries...)
	s.account = "123456789"
	s.ccy = "USD"
	s.id = id
	s.opening = opening

	return s
}

// achLump is the debit of a whole batch, as banks book it.
func achLump(cents int64, text string) entry {
	return entry{cents: -cents, ref: "L" + text[:4], details: []detail{{text: "ACH SETTLEMENT 1234567890 " + text}}}
}

// B-17: an ACH payment is named by 15 characters that everything which comes back repeats. The bank books the batch in
// one sum; a return that came as a Nacha file gives the reason, and the booked credit the money.
func TestAnACHPaymentIsPaidAndComesBack(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := achWorld(t, d, 3)
		entries, batch := w.sentACH()
		require.Len(t, entries, 3)
		require.Equal(t, "CCD", batch.Class)

		for i := range 3 {
			require.Len(t, w.achStatus(i).EndToEndID, 15)
		}

		w.imported(usdStatement("A", 1_000_000, achLump(5000+5001+5002, batch.Discretionary)).xml())

		for i := range 3 {
			require.Equal(t, bank.Booked, w.achStatus(i).State, "payout %d", i)
		}

		first := entryOf(entries, w.achStatus(0).EndToEndID)
		report := w.imported(nachaOf(returned(first, "R03")))
		require.Equal(t, "Nacha", report.Kind)
		require.Equal(t, 1, report.Statuses)
		require.Equal(t, bank.Booked, w.achStatus(0).State, "the money is not back yet")
		require.Empty(t, w.told("returned"))

		back := usdStatement("B", 1_000_000-15003, entry{
			cents:   first.Cents,
			ref:     "C1",
			details: []detail{{text: "ACH RETURN " + first.ID}},
		})
		back.from, back.to = "2026-11-21", "2026-11-21"
		w.imported(back.xml())

		require.Equal(t, bank.Returned, w.achStatus(0).State)
		require.Equal(t, "R03", w.achStatus(0).Reason.Code)
		require.Contains(t, w.achStatus(0).Reason.Text, "there is no such account")
		require.Equal(t, []string{ach(0).Key}, w.told("returned"))
		require.Equal(t, bank.Booked, w.achStatus(1).State)
		require.Empty(t, w.alerts())
	})
}

func entryOf(all []nacha.Entry, id string) nacha.Entry {
	for _, e := range all {
		if e.ID == id {
			return e
		}
	}

	return nacha.Entry{}
}

// A bank that books each entry, or the offset of a balanced file, under its identification.
func TestABankMayBookEntriesOneByOne(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := achWorld(t, d, 2)
		w.imported(usdStatement(
			"A",
			1_000_000,
			entry{cents: -5000, ref: "D0", details: []detail{{end: w.achStatus(0).EndToEndID}}},
			entry{
				cents:   -5001,
				ref:     "D1",
				details: []detail{{text: "ACH CREDIT IND ID:" + w.achStatus(1).EndToEndID + " KRANZ"}},
			},
		).xml())
		require.Equal(t, bank.Booked, w.achStatus(0).State)
		require.Equal(t, bank.Booked, w.achStatus(1).State)
	})
}

// A sum that is not that of the batch books nothing: people look.
func TestALumpOfAnotherSumBooksNothing(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := achWorld(t, d, 2)
		_, batch := w.sentACH()
		w.imported(usdStatement("A", 1_000_000, achLump(5000+5001+1, batch.Discretionary)).xml())
		require.Equal(t, bank.HandedOver, w.achStatus(0).State)
		require.NotEmpty(t, w.alerts())
	})
}

// A number of others that looks like the name of a batch alarms nobody, and hides no payment.
func TestANumberThatLooksLikeABatchHidesNothing(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		behind := 0
		w := openWorld(t, d, t.TempDir(), func(c *bank.Config) {
			americans(c)
			c.Behind = func(context.Context, *db.Tx, string) error { behind++; return nil }
		})
		w.plan(ach(0))
		w.work()
		w.imported(usdStatement("A", 1_000_000,
			entry{cents: -700, ref: "D1", details: []detail{{text: "RENT 2026113000123-C"}}},
			entry{cents: -5000, ref: "D0", details: []detail{{text: "2026113000123-C " + w.achStatus(0).EndToEndID}}},
		).xml())
		require.Equal(t, bank.Booked, w.achStatus(0).State)
		require.Zero(t, behind)
	})
}

// What the bank sends back unpaid is refused, and its batch is booked without it.
func TestARefusedEntryIsNotPaid(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := achWorld(t, d, 2)
		entries, batch := w.sentACH()
		e := entryOf(entries, w.achStatus(1).EndToEndID)
		w.imported(nachaOf(answer{id: e.ID, cents: e.Cents, trace: "REJ01234"}))
		require.Equal(t, bank.Rejected, w.achStatus(1).State)
		require.Equal(t, "REJ01234", w.achStatus(1).Reason.Code)

		w.imported(usdStatement("A", 1_000_000, achLump(5000, batch.Discretionary)).xml())
		require.Equal(t, bank.Booked, w.achStatus(0).State)
		require.Equal(t, bank.Rejected, w.achStatus(1).State)
	})
}

// F-07: a refusal does not tell whether it is of a copy. Of a file that was sent again it proves nothing.
func TestARefusalOfAFileThatWasSentAgainHoldsIt(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := achWorld(t, d, 1)
		entries, _ := w.sentACH()
		require.NoError(t, d.Write(context.Background(), func(tx *db.Tx) error {
			tx.Change("UPDATE bank_files SET attempts = 2")
			return nil
		}))

		w.imported(nachaOf(answer{id: entries[0].ID, cents: entries[0].Cents, trace: "REJ01234"}))
		require.Equal(t, bank.Held, w.achStatus(0).State)
		require.Empty(t, w.told("rejected"))
	})
}

// An acknowledgement of the payee's bank proves that the file arrived, and no more.
func TestAnAcknowledgementMovesNoMoney(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := achWorld(t, d, 1)
		entries, _ := w.sentACH()
		w.imported(nachaOf(answer{id: entries[0].ID, class: "ACK"}))
		require.Equal(t, bank.Accepted, w.achStatus(0).State)
		require.Empty(t, w.told("booked"))
	})
}

// B-18: what a bank says is right about an account changes nothing until two persons have decided.
func TestANotificationOfChangeWaitsForTwo(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := achWorld(t, d, 1)
		entries, _ := w.sentACH()
		e := entries[0]
		noc := nachaOf(answer{
			id:      e.ID,
			class:   "COR",
			addenda: fmt.Sprintf("798C03%s%6s%s%-29s", e.Trace, "", e.Routing[:8], "231380104   900055"),
		})
		w.imported(noc)

		list, err := w.rail.Attention(context.Background(), d)
		require.NoError(t, err)
		require.Len(t, list, 1)
		require.Equal(t, bank.AlertCorrection, list[0].Kind)
		require.Contains(t, list[0].Text, "Right is the account number 900055.")
		require.Contains(t, list[0].Text, "(C03)")
		require.Equal(t, bank.HandedOver, w.achStatus(0).State)
		require.Empty(t, w.told("CORRECTED"))

		w.imported(noc + "\n") // the same again, in another file
		require.Len(t, w.alerts(), 1)

		two := bank.Decision{Action: bank.ActCorrect, AskedBy: "a", ApprovedBy: "a", Note: "as the bank says"}
		require.ErrorIs(t, w.rail.End(context.Background(), list[0].Subject, two), bank.ErrTwoPersons)
		require.ErrorIs(t, w.rail.ResolveCorrection(context.Background(), list[0].Subject, two), bank.ErrTwoPersons)
		require.Empty(t, w.told("CORRECTED"))

		two.ApprovedBy = "b"
		require.NoError(t, w.rail.End(context.Background(), list[0].Subject, two))
		require.Equal(t, []string{ach(0).Key}, w.told("CORRECTED"))
		require.ErrorIs(t, w.rail.End(context.Background(), list[0].Subject, two), bank.ErrNotWaiting)
		require.Len(t, w.told("CORRECTED"), 1)
		require.Empty(t, w.alerts())

		sealed, err := db.Value[string](context.Background(), d, "SELECT sealed FROM bank_corrections")
		require.NoError(t, err)
		require.NotContains(t, sealed, "900055")
	})
}

// A notice in a form that nobody knows can be left alone, and not taken over.
func TestACorrectionThatCannotBeReadIsNotTakenOver(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := achWorld(t, d, 1)
		entries, _ := w.sentACH()
		e := entries[0]
		w.imported(nachaOf(answer{
			id:      e.ID,
			class:   "COR",
			addenda: fmt.Sprintf("798C02%s%6s%s%-29s", e.Trace, "", e.Routing[:8], "231380105"),
		}))

		list, err := w.rail.Attention(context.Background(), d)
		require.NoError(t, err)
		require.Contains(t, list[0].Text, "change the payee by hand")

		two := bank.Decision{Action: bank.ActCorrect, AskedBy: "a", ApprovedBy: "b", Note: "x"}
		require.Error(t, w.rail.End(context.Background(), list[0].Subject, two))

		two.Action = bank.ActDrop
		require.NoError(t, w.rail.End(context.Background(), list[0].Subject, two))
		require.Empty(t, w.told("CORRECTED"))
		require.Empty(t, w.alerts())
	})
}

// A dishonoured return is a quarrel between banks about money that came back: people look, nothing moves.
func TestADishonouredReturnIsLookedAt(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := achWorld(t, d, 1)
		entries, batch := w.sentACH()
		w.imported(usdStatement("A", 1_000_000, achLump(5000, batch.Discretionary)).xml())
		w.imported(nachaOf(returned(entries[0], "R68")))
		require.Equal(t, bank.Booked, w.achStatus(0).State)
		require.Equal(t, []string{bank.AlertConflict + " " + ach(0).Key}, w.alerts())
	})
}

// Entries of others, such as debits of our account by a supplier, are left out; a return of a payment of ours that this
// database does not know is not: it waits.
func TestEntriesOfOthersAreLeftOut(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := achWorld(t, d, 1)
		entries, _ := w.sentACH()
		other := returned(entries[0], "R02")
		other.id = "PAYROLL 4711"
		report := w.imported(nachaOf(answer{id: "X", cents: 5}, other))
		require.Contains(t, report.Remark, "left out")
		require.Zero(t, report.Statuses)

		strange := returned(entries[0], "R02")
		strange.id = otherIdentity()
		require.Equal(t, bank.CodeUnknownOrder, w.import_("r.ach", nachaOf(strange)).Code)
	})
}

// otherIdentity is the identification of a payment that nobody has planned.
func otherIdentity() string {
	list := houseAccounts()
	list[2].Format = "nacha"

	return bank.IdentityOf(list[2], "transaction/txn_0/payout/0", "ACH")
}

// B-06, B-17: a Nacha file that left before a back-up was put back is read again, and nothing in it is sent twice,
// whichever format the account has since.
func TestANachaFileIsReadAgainAfterARestore(t *testing.T) {
	for _, now := range []string{"nacha", ""} {
		dbtest.Each(t, func(t *testing.T, d *db.DB) {
			dir := t.TempDir()

			before := openWorld(t, dbtest.SQLite(t), dir, americans)
			before.plan(ach(0), ach(1))
			before.work()
			require.Len(t, files(t, before.out), 1)

			w := openWorld(t, d, dir, func(c *bank.Config) {
				americans(c)
				c.Accounts[2].Format = now
			})
			w.plan(ach(0), ach(2))
			w.reread()
			require.Equal(t, bank.HandedOver, w.achStatus(0).State)
			require.Equal(t, bank.Planned, w.achStatus(2).State)

			w.work()
			require.Equal(t, bank.HandedOver, w.achStatus(2).State)
			require.Len(t, files(t, w.out), 2)

			w.plan(ach(1)) // which this database did not have
			w.work()
			require.Equal(t, bank.HandedOver, w.achStatus(1).State)
			require.Len(t, files(t, w.out), 2, "it is in the file that left")

			// the bank books what left under the name that left
			for i := range 2 {
				require.Len(t, w.achStatus(i).EndToEndID, 15)
			}

			w.imported(usdStatement("A", 1_000_000,
				entry{cents: -5000, ref: "D0", details: []detail{{end: w.achStatus(0).EndToEndID}}},
				entry{cents: -5001, ref: "D1", details: []detail{{end: w.achStatus(1).EndToEndID}}},
			).xml())
			require.Equal(t, bank.Booked, w.achStatus(0).State)
			require.Equal(t, bank.Booked, w.achStatus(1).State)
		})
	}
}

// An account that takes another format names the payouts that wait as that format does.
func TestWhatWaitsIsNamedByTheNewFormat(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		dir := t.TempDir()
		old := openWorld(t, d, dir, nil)
		old.plan(ach(0))

		w := openWorld(t, d, dir, americans)
		w.work()
		require.Len(t, w.achStatus(0).EndToEndID, 15)

		entries, _ := w.sentACH()
		require.Equal(t, w.achStatus(0).EndToEndID, entries[0].ID)
	})
}

// Files of one day are told apart by their modifier.
func TestFilesOfADayHaveModifiers(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := openWorld(t, d, t.TempDir(), americans)

		seen := map[byte]bool{}

		for i := range 3 {
			w.plan(ach(i))
			w.work()
		}

		for _, name := range files(t, w.out) {
			content, err := os.ReadFile(filepath.Join(w.out, name))
			require.NoError(t, err)

			seen[content[33]] = true
		}

		require.Equal(t, map[byte]bool{'A': true, 'B': true, 'C': true}, seen)
	})
}

// The day is a working day of the Federal Reserve, by its rules: Christmas of 2026 is a Friday.
func TestEffectiveDatesKeepTheHolidays(t *testing.T) {
	for at, want := range map[string]string{
		"2026-12-23T15:00:00Z": "2026-12-24",
		"2026-12-24T15:00:00Z": "2026-12-28", // Friday is Christmas
		"2026-11-25T15:00:00Z": "2026-11-27", // Thanksgiving
		"2027-07-02T15:00:00Z": "2027-07-06", // the fourth is a Sunday
		"2026-07-02T15:00:00Z": "2026-07-03", // the fourth is a Saturday, and lost
	} {
		moment, err := time.Parse(time.RFC3339, at)
		require.NoError(t, err)

		a := houseAccounts()[2]
		a.Format = "nacha"
		a.ACH.Origin = "1234567890"

		day, err := bank.DayOf(a, "ACH", moment)
		require.NoError(t, err)
		require.Equal(t, want, day.Format(time.DateOnly), at)
	}
}

// An account without its bank's set-up sheet stops the start.
func TestAnAccountNeedsItsSetUpSheet(t *testing.T) {
	list := houseAccounts()
	list[0].Format = "nacha"
	list[2].Format = "fax"
	_, err := bank.New(bank.Config{Accounts: list})
	require.ErrorContains(t, err, "ach.origin is needed")
	require.ErrorContains(t, err, `payment_format "fax" is not one of pain.001, nacha`)
}
