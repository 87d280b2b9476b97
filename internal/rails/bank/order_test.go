package bank_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
	"slipway/internal/rails/bank"
)

// from is a deposit with a payer of its own.
func from(name, iban string, e entry) entry {
	e.details = slices.Clone(e.details)
	e.details[0].name = name
	e.details[0].iban = iban

	return e
}

// next is the statement of the day after another one.
func next(s statement, id string, entries ...entry) statement {
	n := s
	n.id = id

	n.entries = entries
	for _, e := range s.entries {
		n.opening += e.cents
	}

	var day int
	_, _ = fmt.Sscanf(s.to, "2026-11-%d", &day)
	n.from = s.to
	n.to = fmt.Sprintf("2026-11-%02d", day+1)

	return n
}

// permutations calls f with every order of n things.
func permutations(n int, f func(order []int)) {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}

	var permute func(k int)
	permute = func(k int) {
		if k == n {
			f(order)
			return
		}

		for i := k; i < n; i++ {
			order[k], order[i] = order[i], order[k]
			permute(k + 1)
			order[k], order[i] = order[i], order[k]
		}
	}
	permute(0)
}

// F-11: a bank that uses its reference again has booked a second time: another day, another payer of the same day, or
// a statement that goes on behind the first one. The balances prove each.
func TestAReferenceUsedAgainIsASecondBooking(t *testing.T) {
	first := from("Anna", "AT611904300234573201", deposit(100_00, "R1", "one"))
	second := from("Bert", "DE89370400440532013000", deposit(100_00, "R1", "two"))

	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		one := stmt(first)

		for name, two := range map[string]statement{
			"another day":   next(one, "S2", second),
			"another payer": func() statement { s := next(one, "S2", second); s.to = one.to; return s }(),
			"all the same":  func() statement { s := next(one, "S2", first); s.to = one.to; return s }(),
		} {
			d := d
			if name != "another day" {
				d = dbtest.SQLite(t)
			}

			w := newWorld(t, d)
			w.imported(one.xml())
			require.Equal(t, 1, w.imported(two.xml()).New, name)
			require.Len(t, w.told("credited"), 2, name)
			require.Equal(t, bank.Repeated, w.import_("again", two.xml()).Outcome, name)
			require.Empty(t, w.alerts(), name)
		}
	})
}

// F-11: two advices of one day with one reference and amount are two bookings where their payers are two, and one
// where the bank tells of the same payer in other words.
func TestOneReferenceOfTwoPayersIsTwoBookings(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d)
		for i, e := range []entry{
			from("Anna Alt", "AT611904300234573201", deposit(100_00, "R1", "one")),
			from("ANNA ALT", "00234573201", deposit(100_00, "R1", "one")),
			from("Bert", "DE89370400440532013000", deposit(100_00, "R1", "one")),
		} {
			s := advice(e)
			s.id = fmt.Sprintf("A%d", i)
			w.imported(s.xml())
		}

		require.Equal(t, []string{"100.00 one", "100.00 one"}, w.told("credited"))
	})
}

// lump is what a statement tells of a collective booking, and collective the same with its details.
func lump() entry { return entry{cents: 1_537_00, ref: "07582000303KBMSU"} }

func collective() entry {
	e := lump()
	for i, cents := range []int64{250_00, 200_00, 300_00, 324_00, 463_00} {
		e.details = append(e.details, detail{
			cents: cents,
			ref:   fmt.Sprintf("21000000000313947143000901%d", i),
			name:  fmt.Sprintf("Payer %d", i),
			iban:  "AT611904300234573201",
		})
	}

	return e
}

var apart = []string{"200.00 ", "250.00 ", "300.00 ", "324.00 ", "463.00 "}

// F-11: details resolve a lump in whatever order, and however often, the bank tells of them.
func TestDetailsResolveALumpInAnyOrder(t *testing.T) {
	copied := advice(collective())
	copied.id = "A1-again"
	longer := stmt(lump(), deposit(1_00, "R2", "more"))
	longer.id = "S1-again"
	files := []statement{stmt(lump()), advice(collective()), copied, longer}

	permutations(len(files), func(order []int) {
		w := newWorld(t, dbtest.SQLite(t))
		for range 2 {
			for _, i := range order {
				w.import_(files[i].id, files[i].xml())
			}
		}

		require.Equal(t, append([]string{"1.00 more"}, apart...), w.told("credited"), "%v", order)
		require.Empty(t, w.alerts(), "%v", order)
	})

	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d)
		w.imported(stmt(lump()).xml())
		require.Equal(t, []string{"1537.00 "}, w.told("credited"))
		w.imported(advice(collective()).xml())
		require.Equal(t, apart, w.told("credited"))
		require.Len(t, w.told("withdrawn"), 1)
	})
}

// F-11: who paid and what for may stand in one message or the other, or be cut in one of them. What is known in the
// end does not depend on their order.
func TestTheFullerWordsCountInAnyOrder(t *testing.T) {
	bare := entry{cents: 10_00, ref: "R1"}
	cut := deposit(10_00, "R1", "Deposit PX4K")
	named := deposit(10_00, "R1", "Deposit PX4K-7Q2M of Payer")
	named.details[0].iban = ""
	named.details[0].name = ""
	files := []statement{stmt(bare), advice(cut), advice(named)}
	files[2].id = "A2"
	files[2].version = "04"

	permutations(len(files), func(order []int) {
		w := newWorld(t, dbtest.SQLite(t))
		for _, i := range order {
			w.imported(files[i].xml())
		}

		require.Equal(t, []string{"10.00 Deposit PX4K-7Q2M of Payer"}, w.told("credited"), "%v", order)
		list, err := w.rail.Entries(context.Background(), w.d, bank.EntryFilter{Account: "eur"})
		require.NoError(t, err)
		require.Len(t, list, 1)
		require.Equal(t, 1, list[0].Parts)
		require.Equal(t, "AT611904300234573201", list[0].CounterpartyAccount, "%v", order)
	})
}

// F-11: details that come when people have decided about the lump change nothing; people are told.
func TestDetailsOfADecidedLumpAreShown(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d)
		w.imported(stmt(lump()).xml())
		list, err := w.rail.Entries(context.Background(), d, bank.EntryFilter{Account: "eur"})
		require.NoError(t, err)
		require.NoError(t, d.Write(context.Background(), func(tx *db.Tx) error {
			return books{}.note(tx, "decided/"+list[0].ID, "decided", list[0].ID, "")
		}))

		for i := range 2 {
			s := advice(collective())
			s.id = fmt.Sprintf("A%d", i)
			w.imported(s.xml())
		}

		require.Equal(t, []string{"1537.00 "}, w.told("credited"))
		require.Equal(t, []string{bank.AlertLate + " " + list[0].ID}, w.alerts())
	})
}

// F-11: a debit that was nobody's is the payouts' when the bank tells what it is made of.
func TestDetailsResolveADebitOfPayouts(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d)
		w.paid(2)
		whole := entry{cents: -(10_00 + 10_01), ref: "B1"}
		w.imported(stmt(whole).xml())
		require.Len(t, w.told("debited"), 1)

		whole.details = []detail{{cents: -10_00, end: end(0)}, {cents: -10_01, end: end(1)}}
		w.imported(advice(whole).xml())
		w.is(0, bank.Booked)
		w.is(1, bank.Booked)
		require.Empty(t, w.told("debited"))
		require.Empty(t, w.alerts())
	})
}

// F-11: an advice and a statement that tell of one booking under different references count it once: the statement's
// balances prove it.
func TestReferencesThatDifferBetweenMessages(t *testing.T) {
	files := []statement{
		advice(deposit(10_00, "ADV-1", "one"), deposit(10_00, "ADV-2", "two"), deposit(7_00, "", "three")),
		stmt(entry{
			cents: 10_00,
			ref:   "STM-1",
		}, entry{cents: 10_00, ref: "STM-2"}, entry{cents: 7_00, ref: "STM-3"}, deposit(5_00, "STM-4", "four")),
	}

	files = append(files, next(files[1], "S2", deposit(6_00, "STM-5", "five")))

	permutations(len(files), func(order []int) {
		dbtest.Each(t, func(t *testing.T, d *db.DB) {
			w := newWorld(t, d)
			for range 2 {
				for _, i := range order {
					w.import_(files[i].id, files[i].xml())
				}
			}

			require.Equal(
				t,
				[]string{"10.00 one", "10.00 two", "5.00 four", "6.00 five", "7.00 three"},
				w.told("credited"),
				"%v",
				order,
			)
			require.Empty(t, w.alerts(), "%v", order)
		})
	})
}

// F-11: a second advice without a reference tells of a second booking or of the first again. It waits until the
// statement says which.
func TestTwoAdvicesInTheSameWords(t *testing.T) {
	same := deposit(50_00, "", "rent")

	for name, c := range map[string]struct {
		booked []entry
		want   int
	}{
		"two bookings":    {[]entry{same, same}, 2},
		"one told twice":  {[]entry{same}, 1},
		"in other words":  {[]entry{{cents: 50_00, ref: "R1"}, {cents: 50_00, ref: "R2"}}, 2},
		"once in another": {[]entry{{cents: 50_00, ref: "R1"}}, 1},
	} {
		for _, statementFirst := range []bool{false, true} {
			w := newWorld(t, dbtest.SQLite(t))
			one := advice(same)
			two := advice(same)
			again := advice(same)
			two.id = "A2"
			again.id = "A2"
			again.version = "04"

			if statementFirst {
				w.imported(stmt(c.booked...).xml())
			}

			w.imported(one.xml())
			w.imported(two.xml())
			w.imported(again.xml())

			if !statementFirst {
				require.Len(t, w.told("credited"), 1, name)
				require.Len(t, w.alerts(), 1, name)
				w.imported(stmt(c.booked...).xml())
			}

			w.imported(next(stmt(c.booked...), "S2").xml()) // the day is over
			require.Len(t, w.told("credited"), c.want, "%s, statement first: %v", name, statementFirst)
			require.Empty(t, w.alerts(), "%s, statement first: %v", name, statementFirst)
		}
	}
}

// F-11: a statement that leaves out what was advised in its days does not fit. The next one, which has it, explains it.
func TestAStatementThatDoesNotFitIsShownUntilItIsExplained(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d)
		late := deposit(9_00, "R2", "late at night")
		late.day = "2026-11-20"
		one := stmt(deposit(1_00, "R1", "one"))
		w.imported(advice(late).xml())
		report := w.import_("one", one.xml())
		require.Equal(t, bank.Unbalanced, report.Outcome)
		require.Equal(t, []string{bank.AlertUnbalanced + " " + report.File}, w.alerts())
		require.Equal(t, bank.Unbalanced, w.import_("one again", one.xml()).Outcome)

		w.imported(next(one, "S2", late).xml())
		require.Empty(t, w.alerts())
		require.Equal(t, []string{"1.00 one", "9.00 late at night"}, w.told("credited"))
	})
}

// F-11: a statement told again in other words counts nothing again: stored ones account for all of it.
func TestAStatementToldAgainInOtherWords(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d)
		w.imported(stmt(deposit(1_00, "", "one"), deposit(2_00, "", "two")).xml())
		again := stmt(deposit(1_00, "", "ONE, in other words"), deposit(2_00, "", "two"))
		again.id = "S1-again"
		w.imported(again.xml())
		require.Equal(t, []string{"1.00 one", "2.00 two"}, w.told("credited"))
		require.Len(t, w.alerts(), 1)
		require.Contains(t, w.alerts()[0], bank.AlertDoubt)
	})
}

// F-05, F-11: a debit for a whole block may come before the report that refuses some of its payouts: the report
// explains it.
func TestADebitOfABlockBeforeItsReport(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d)
		w.paid(3)
		m := w.status(0).MessageID
		w.imported(stmt(entry{cents: -(10_00 + 10_02), ref: "B1", pmtInf: m + "-S"}).xml())
		require.Equal(t, []string{"20.02 "}, w.told("debited"))
		require.Len(t, w.alerts(), 3, "the three payouts are contradicted")

		w.imported(report{id: "P1", message: m, group: "PART", tx: []txStatus{{end(1), "RJCT", "AC04", ""}}}.xml())
		w.is(0, bank.Booked)
		w.is(1, bank.Rejected)
		w.is(2, bank.Booked)
		require.Empty(t, w.told("debited"))
		require.Len(t, w.told("booked"), 2)
		require.Equal(t, []string{bank.AlertConflict + " " + pay(1).Key}, w.alerts()[:len(w.alerts())])
	})
}

// booked is what a bank really booked, for the property below.
type truth struct {
	day    int
	told   entry // as the statement tells of it
	detail entry // as an advice does
}

// F-11: whatever a bank books, and in whatever order its files come, with any repetitions: every booking counts once,
// with what the fullest message tells of it, and nothing is left to people.
//
//  1. What is credited is what the bank booked.
//  2. It is the same for every order of the files.
func TestAnyOrderOfFilesGivesTheSameDeposits(t *testing.T) {
	for seed := range uint64(5) {
		rnd := rand.New(rand.NewPCG(seed, 11))
		days := make([]statement, 2)
		want := []string(nil)

		var files []statement
		for i := range days {
			s := stmt()
			if i > 0 {
				s = next(days[i-1], fmt.Sprintf("S%d", i+1))
			}

			a := advice()
			a.id = fmt.Sprintf("A%d", i+1)
			a.to = s.to
			b := a

			b.id = a.id + "-more"
			for n := range 2 + rnd.IntN(4) {
				x := someBooking(rnd, i, n)

				s.entries = append(s.entries, x.told)
				switch rnd.IntN(4) {
				case 0: // never advised
					want = append(want, credits(x.told)...)
					continue
				case 1:
					b.entries = append(b.entries, x.detail)
				default:
					a.entries = append(a.entries, x.detail)
				}

				want = append(want, credits(x.detail)...)
			}

			days[i] = s
			for _, f := range []statement{s, a, b} {
				if len(f.entries) > 0 {
					files = append(files, f)
				}
			}
		}

		slices.Sort(want)
		turn := 0
		permutations(min(len(files), 5), func(order []int) {
			turn++
			if turn%3 != int(seed)%3 {
				return // each seed takes every third order
			}

			w := newWorld(t, dbtest.SQLite(t))

			list := append(slices.Clone(order), order[rnd.IntN(len(order))])
			for n := len(order); n < len(files); n++ {
				list = append(list, n)
			}

			for _, i := range list {
				w.import_("f", files[i].xml())
			}

			require.Equal(t, want, w.told("credited"), "seed %d, order %v", seed, list)
			require.Empty(t, w.alerts(), "seed %d, order %v", seed, list)
		})
	}
}

// someBooking is one of the ways in which banks tell of bookings. References come again from day to day.
func someBooking(rnd *rand.Rand, day, n int) truth {
	cents := int64(100 * (1 + rnd.IntN(3)))
	ref := fmt.Sprintf("R%d", n)
	name := fmt.Sprintf("Payer %d %d", day, n)
	iban := "AT611904300234573201"
	text := fmt.Sprintf("text %d %d", day, n)

	full := from(name, iban, deposit(cents, ref, text))
	switch rnd.IntN(4) {
	case 0: // alike in both
		return truth{day, full, full}
	case 1: // the statement has only the sum
		return truth{day, entry{cents: cents, ref: ref}, full}

	case 2: // a lump and its details
		whole := entry{cents: cents, ref: ref}
		parts := whole
		parts.details = []detail{
			{cents: cents - 40, text: text + " a", name: name, iban: iban},
			{cents: 40, text: text + " b", name: name, iban: iban},
		}

		return truth{day, whole, parts}

	default: // without any reference, in the same words
		full.ref = ""
		return truth{day, full, full}
	}
}

// credits are the deposits of a booking as the books of these tests write them.
func credits(e entry) (out []string) {
	if len(e.details) == 0 {
		return []string{decimal(e.cents) + " "}
	}

	for _, d := range e.details {
		cents := d.cents
		if cents == 0 {
			cents = e.cents
		}

		out = append(out, decimal(cents)+" "+d.text)
	}

	return out
}

// F-11: PostFinance's own examples: a statement with lumps, of which three have one reference, and the advice with
// the details of one of them. The advice is of the year before; a lump and the details of the same reference and
// amount are one booking all the same, where the lump came first, and a doubt where it came last. Either way its five
// payments are credited and not the lump besides.
func TestPostFinanceExamplesInEitherOrder(t *testing.T) {
	dir := filepath.Join("..", "..", "..", "..", "shared", "fixtures", "iso20022", "samples", "moov_iso20022")
	read := func(name string) string {
		content, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Skip("the bank's examples are not on this machine (SLIPWAY_FIXTURES)")
		}

		return string(content)
	}
	st := read("camt.053_P_CH2909000000250094239_1110092698_0_2020112503071366.xml")
	details := read("200519_camt054-ESR-ASR_P_CH2909000000250094239_1110092704_0_2019042500372179.xml")
	details = details[:strings.Index(details, "<NtryRef>020010001<")]
	details = details[:strings.LastIndex(details, "<Ntry>")] + "</Ntfctn></BkToCstmrDbtCdtNtfctn></Document>"
	sameDay := strings.NewReplacer("2019-04-24", "2020-11-24", "2019-04-25", "2020-11-25").Replace(details)

	for name, advice := range map[string]string{"as they are": details, "of one day": sameDay} {
		var results [][]string
		for _, files := range [][]string{{st, advice, st, advice}, {advice, st, advice, st}} {
			w := openWorld(t, dbtest.SQLite(t), t.TempDir(), func(c *bank.Config) {
				c.Accounts = append(c.Accounts, bank.HouseAccount{
					ID:         "chf",
					Currency:   "CHF",
					Country:    "CH",
					IBAN:       "CH2909000000250094239",
					Holder:     "Slipway AG",
					HolderTown: "Bern",
					BankName:   "Bank",
					Rails:      []string{"SIC"},
				})
			})
			for i, f := range files {
				w.import_(fmt.Sprint(i), f)
			}

			results = append(results, w.told("credited"))
			require.NotContains(t, w.told("credited"), "1537.00 ", name)

			for _, amount := range []string{"250.00 ", "200.00 ", "300.00 ", "324.00 ", "463.00 "} {
				require.Contains(t, w.told("credited"), amount, name)
			}
		}

		require.Equal(t, results[0], results[1], name)
	}
}
