package bank_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/core/money"
	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
	"slipway/internal/rails/bank"
)

// large is a payout of 2,000.00 euro.
func large() bank.Payout {
	p := pay(0)
	p.Amount = eur(2_000_00)
	return p
}

// executed is a world in which a payout of 2,000.00 euro is booked.
func executed(t *testing.T, d *db.DB, change func(*bank.Config)) *world {
	t.Helper()
	w := openWorld(t, d, t.TempDir(), change)
	w.plan(large())
	w.work()
	w.credit(entry{cents: -2_000_00, ref: "D0", details: []detail{{end: end(0)}}})
	w.is(0, bank.Booked)

	return w
}

// credit has one entry arrive, in a file of its own.
func (w *world) credit(e entry) {
	w.t.Helper()
	s := advice(e)
	s.id = "N-" + e.ref
	w.imported(s.xml())
}

// claim is a credit with the payout's identification that a test gives what it needs.
func claim(cents int64, ref string, change func(e *entry, d *detail)) entry {
	d := detail{end: end(0), name: "Jörg Müller", iban: "DE02120300000000202051"}
	e := entry{cents: cents, ref: ref}
	change(&e, &d)
	e.details = []detail{d}

	return e
}

func proven(_ *entry, d *detail) { d.returned = "AC04" }

func unproven(*entry, *detail) {}

// F-10: a credit is a return by what its bank shows, as far as that bank is known to show it; the payout's
// identification alone is nothing.
func TestAReturnNeedsTheBanksEvidence(t *testing.T) {
	const paidTo = "AT611904300234573201"
	account := func(change func(a *bank.HouseAccount)) func(*bank.Config) {
		return func(c *bank.Config) { change(&c.Accounts[0]) }
	}
	usual := account(func(*bank.HouseAccount) {})

	for name, c := range map[string]struct {
		bank   func(*bank.Config)
		change func(e *entry, d *detail)
		want   bank.State
	}{
		"the identification alone":      {usual, unproven, bank.Booked},
		"a reason":                      {usual, proven, bank.Returned},
		"a reversal":                    {usual, func(e *entry, _ *detail) { e.reversal = true }, bank.Returned},
		"the code of a return":          {usual, func(_ *entry, d *detail) { d.code = "RRTN" }, bank.Returned},
		"the code of something else":    {usual, func(_ *entry, d *detail) { d.code = "ESCT" }, bank.Booked},
		"a code of the bank's, unknown": {usual, func(_ *entry, d *detail) { d.own = "NTRF+159" }, bank.Booked},
		"a code of the bank's": {account(func(a *bank.HouseAccount) {
			a.ReturnCodes = []string{"NTRF+159"}
		}), func(_ *entry, d *detail) { d.own = "NTRF+159" }, bank.Returned},
		"the account that was paid": {account(func(a *bank.HouseAccount) {
			a.ReturnEvidence = []string{"sender"}
		}), func(_ *entry, d *detail) { d.iban = paidTo }, bank.Returned},
		"another account": {account(func(a *bank.HouseAccount) {
			a.ReturnEvidence = []string{"sender"}
		}), unproven, bank.Booked},
		"the paid account, not asked": {usual, func(_ *entry, d *detail) { d.iban = paidTo }, bank.Booked},
		"a reason of a bank without any": {account(func(a *bank.HouseAccount) {
			a.ReturnEvidence = []string{"code"}
		}), proven, bank.Booked},
	} {
		t.Run(name, func(t *testing.T) {
			w := executed(t, dbtest.SQLite(t), c.bank)
			w.credit(claim(2_000_00, "C1", c.change))
			w.is(0, c.want)

			if c.want == bank.Returned {
				require.Len(t, w.told("returned"), 1)
				require.Empty(t, w.told("credited"))
				return
			}

			require.Empty(t, w.told("returned"))
			require.Len(t, w.told("credited"), 1)
			require.Equal(t, []string{bank.AlertConflict + " " + large().Key}, w.alerts())
		})
	}
}

// F-10: a pacs.004 is evidence for the amount that it announces, and for no other.
func TestAnAnnouncementIsEvidenceForItsAmount(t *testing.T) {
	w := newWorld(t, dbtest.SQLite(t))
	w.paid(1)
	w.imported(stmt(debit(0, "D0")).xml())
	w.imported(returnMessage(0, "AC06")) // of 10.00
	w.credit(claim(9_99, "C1", unproven))
	w.is(0, bank.Booked)
	w.credit(claim(10_00, "C2", unproven))
	w.is(0, bank.Returned)
	require.Len(t, w.told("credited"), 1)
}

// F-10: what a stranger claims takes nothing from the true return, in either order, and no more is ever taken for
// returned than was paid.
func TestAClaimTakesNothingFromTheReturn(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := executed(t, d, nil)
		w.credit(claim(1, "C1", unproven))
		w.is(0, bank.Booked)
		w.credit(claim(2_000_00, "C2", proven))
		w.is(0, bank.Returned)
		require.Len(t, w.told("returned"), 1)

		w.credit(claim(1, "C3", unproven))
		w.credit(claim(1, "C4", proven))
		require.Len(t, w.told("returned"), 1)
		require.Equal(t, []string{"0.01 ", "0.01 ", "0.01 "}, w.told("credited"))
	})
}

// F-10: what is not plausible is for people, whatever the bank shows: more than is out, much less than is out, and
// what comes after the time. Parts are returned up to the payout's amount.
func TestAReturnIsPlausible(t *testing.T) {
	for name, c := range map[string]struct {
		parts []int64
		late  time.Duration
		want  int // of them returns
	}{
		"all":                         {[]int64{2_000_00}, 0, 1},
		"more":                        {[]int64{2_000_01}, 0, 0},
		"less the usual charges":      {[]int64{1_900_00}, 0, 1},
		"less more than that":         {[]int64{1_899_99}, 0, 0},
		"in two parts":                {[]int64{1_950_00, 50_00}, 0, 2},
		"in two parts that are more":  {[]int64{1_950_00, 50_01}, 0, 1},
		"in two large parts":          {[]int64{1_200_00, 800_00}, 0, 0},
		"within the time":             {[]int64{2_000_00}, 395 * 24 * time.Hour, 1},
		"after the time":              {[]int64{2_000_00}, 398 * 24 * time.Hour, 0},
		"one cent, as a return":       {[]int64{1}, 0, 0},
		"a part, and then everything": {[]int64{1_950_00, 2_000_00}, 0, 1},
	} {
		t.Run(name, func(t *testing.T) {
			w := executed(t, dbtest.SQLite(t), nil)
			w.later(c.late)

			for i, cents := range c.parts {
				e := claim(cents, fmt.Sprint("C", i), proven)
				e.day = w.d.Now().Format(time.DateOnly)
				w.credit(e)
			}

			require.Len(t, w.told("returned"), c.want)
			require.Len(t, w.told("credited"), len(c.parts)-c.want)
		})
	}
}

// What banks may keep of a return is the account's setting, and five percent in any case.
func TestWhatBanksMayKeepIsASetting(t *testing.T) {
	for _, c := range []struct {
		fee   string
		cents int64 // of 10.00
		want  int
	}{{"", 1_00, 1}, {"1.00", 9_00, 1}, {"1.00", 8_99, 0}, {"0.01", 9_50, 1}, {"0.01", 9_49, 0}} {
		w := openWorld(t, dbtest.SQLite(t), t.TempDir(), func(c2 *bank.Config) { c2.Accounts[0].ReturnFee = c.fee })
		w.paid(1)
		w.imported(stmt(debit(0, "D0")).xml())
		w.credit(claim(c.cents, "C1", proven))
		require.Len(t, w.told("returned"), c.want, "%s %d", c.fee, c.cents)
	}
}

// What two people say is a return is one, up to what is out; it is not theirs to say of a payout that was not executed.
func TestTwoPeopleTakeACreditForAReturn(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := executed(t, d, nil)
		for i, cents := range []int64{1_200_00, 900_00, 800_00} {
			w.credit(claim(cents, fmt.Sprint("C", i), unproven))
		}

		entries, err := db.Select(t.Context(), d, func(s *string) []any {
			return []any{s}
		}, "SELECT id FROM bank_entries WHERE credit ORDER BY position, file_id, bank_ref")
		require.NoError(t, err)
		require.Len(t, entries, 3)

		of := map[string]string{}
		for _, id := range entries {
			units, err := db.Value[string](t.Context(), d, "SELECT units FROM bank_entries WHERE id = ?", id)
			require.NoError(t, err)
			of[units] = id
		}

		take := func(key, units string) (back bank.Return, err error) {
			err = d.Write(context.Background(), func(tx *db.Tx) (err error) {
				_, back, err = w.rail.RecordReturn(t.Context(), tx, key, of[units])
				return err
			})

			return back, err
		}

		_, err = take("transaction/txn_1/payout/9", "120000")
		require.ErrorIs(t, err, bank.ErrNotReturn)
		first, err := take(large().Key, "120000")
		require.NoError(t, err)
		require.False(t, first.Complete, "800.00 are still with the payee")
		w.is(0, bank.Returned)
		_, err = take(large().Key, "90000")
		require.ErrorIs(t, err, bank.ErrNotReturn)
		_, err = take(large().Key, "120000")
		require.Error(t, err)
		last, err := take(large().Key, "80000")
		require.NoError(t, err)
		require.True(t, last.Complete)
		require.Equal(t, money.Zero(bank.Asset("EUR")).String(), last.Deducted.String())
	})
}

// An account whose settings of returns cannot work is refused at the start.
func TestSettingsOfReturnsAreChecked(t *testing.T) {
	a := houseAccounts()[0]
	a.ReturnEvidence = []string{"reason", "people"}
	a.ReturnFee = "fifty"
	require.Len(t, a.Check(), 2)
	a.ReturnEvidence = bank.Evidences()
	a.ReturnFee = "12.50"
	require.Empty(t, a.Check())
}
