package bank_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
	"slipway/internal/rails/bank"
)

// F-11, F-12: of a batch of three of which the bank shows one, the whole is nobody's: neither that one's payer nor
// its text.
func TestALumpHasNoPayer(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d)
		one := detail{
			cents: 100_00,
			text:  "PX4K-7Q2M",
			end:   "E1",
			name:  "Payer AG",
			iban:  "AT611904300234573201",
		}
		batch := advice(entry{cents: 300_00, ref: "B1", pmtInf: "BLOCK", details: []detail{one}})
		w.imported(strings.Replace(batch.xml(), "<PmtInfId>BLOCK</PmtInfId>", "<NbOfTxs>3</NbOfTxs>", 1))
		require.Equal(t, []string{"300.00 "}, w.told("credited"))

		entry, err := db.Value[string](
			t.Context(),
			d,
			"SELECT counterparty || end_to_end_id || sealed FROM bank_entries",
		)
		require.NoError(t, err)
		require.Empty(t, entry)
	})
}

// mt940 is a statement of the euro account in the form of German banks.
func mt940(number int, opening, closing string, entries ...string) string {
	return fmt.Sprintf(
		":20:STARTUMSE\r\n:25:37040044/0532013000\r\n:28C:%d/1\r\n:60F:C261119EUR%s\r\n%s\r\n:62F:C261120EUR%s\r\n-\r\n",
		number,
		opening,
		strings.Join(entries, "\r\n"),
		closing,
	)
}

// ends is an end-to-end identification as it stands in the text of an MT940: broken behind 27 characters.
func ends(n int) string {
	id := "EREF+" + bank.EndToEndID(pay(n).Key)
	return "?20" + id[:27] + "?21" + id[27:]
}

// F-12: a deposit, the debit of a payout, and its return come in MT940 as in camt.053, once however often the file
// comes.
func TestAStatementOfSWIFTIsBooked(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d)
		w.paid(2)
		deposit := ":61:2611201120C2500,00NTRFNONREF//POS 1\r\n:86:166?00GUTSCHRIFT?20SVWZ+Deposit " +
			"PX4K-7Q2M?30PBNKDEFF?31DE02100100100006820101?32Payer AG"
		paid := ":61:2611201120D10,00NTRFNONREF//POS 2\r\n:86:116?00UEBERWEISUNG" + ends(
			0,
		) + "?22SVWZ+Invoice 0?31AT611904300234573201?32Payee"
		file := mt940(1, "10000,00", "12490,00", deposit, paid)

		report := w.imported(file)
		require.Equal(t, "MT940", report.Kind)
		require.Equal(t, []int{2, 2, 1}, []int{report.Entries, report.New, report.Matched})
		require.Equal(t, []string{"2500.00 Deposit PX4K-7Q2M"}, w.told("credited"))
		w.is(0, bank.Booked)
		w.is(1, bank.HandedOver)
		require.Equal(t, bank.Repeated, w.import_("again.sta", file).Outcome)

		back := ":61:2611201120C10,00NRTINONREF//POS 3\r\n:86:159?00RUECKUEBERWEISUNG" + ends(
			0,
		) + "?22SVWZ+AC04 Konto geloescht?31AT611904300234573201?32Payee"
		w.imported(mt940(2, "12490,00", "12500,00", back))
		w.is(0, bank.Returned)
		require.Len(t, w.told("credited"), 1)

		gap := w.import_("gap.sta", mt940(3, "99,00", "100,00", ":61:2611201120C1,00NTRFNONREF"))
		require.Equal(
			t,
			[]string{string(bank.Waiting), bank.CodeChain},
			[]string{string(gap.Outcome), gap.Code},
			"its opening balance is another",
		)
	})
}

// F-12: what an MT942 tells of during the day books nothing; the statement of the day does.
func TestAnInterimReportOfSWIFTBooksNothing(t *testing.T) {
	w := newWorld(t, dbtest.SQLite(t))
	line := ":61:2611201120C25,00NTRFNONREF//POS 1\r\n:86:166?20SVWZ+Deposit"
	interim := ":20:A\r\n:25:37040044/0532013000\r\n:28C:1/1\r\n:34F:EUR0,\r\n:13D:2611201200+0100\r\n" + line + "\r\n-\r\n"
	require.Equal(t, "MT942", w.imported(interim).Kind)
	require.Empty(t, w.told("credited"))

	w.imported(mt940(1, "100,00", "125,00", line))
	require.Equal(t, []string{"25.00 Deposit"}, w.told("credited"))
}

// F-12: what is wrong in an MT940 quarantines it whole, and a statement that does not add up waits.
func TestABadStatementOfSWIFTIsNotBooked(t *testing.T) {
	line := ":61:2611201120C25,00NTRFNONREF\r\n:86:Deposit"

	good := mt940(1, "100,00", "125,00", line)
	for name, c := range map[string]struct{ file, code string }{
		"cut off":       {good[:len(good)-30], "TRUNCATED"},
		"no day":        {strings.Replace(good, "2611201120C", "2611311120C", 1), "VALUE"},
		"not ours":      {strings.Replace(good, "0532013000", "0532013001", 1), bank.CodeAccount},
		"another sum":   {strings.Replace(good, "C25,00", "C26,00", 1), bank.CodeFinding},
		"forged entry":  {strings.Replace(good, ":86:Deposit", ":86:Deposit\r\n:61:2611201120C9000,00NTRFNONREF", 1), bank.CodeFinding},
		"trailing text": {good + "more\r\n", "STRUCTURE"},
	} {
		w := newWorld(t, dbtest.SQLite(t))
		report := w.import_(name, c.file)
		require.Equal(t, c.code, report.Code, "%s: %s", name, report.Reason)
		require.Contains(t, []bank.Outcome{bank.Quarantined, bank.Waiting}, report.Outcome, name)
		require.Empty(t, w.told("entry"), name)
	}
}

// A bank that puts all accounts of a company into one file: what is ours is booked, the rest is named.
func TestOtherAccountsOfAFileAreLeftOut(t *testing.T) {
	line := ":61:2611201120C25,00NTRFNONREF\r\n:86:Deposit"
	ours := mt940(1, "100,00", "125,00", line)
	foreign := strings.Replace(mt940(1, "7,00", "32,00", line), "0532013000", "0532013001", 1)

	for name, file := range map[string]string{
		"first":   foreign + ours,
		"last":    ours + foreign,
		"between": mt940(1, "100,00", "100,00") + foreign + strings.Replace(mt940(2, "100,00", "125,00", line), "C261119", "C261120", 1),
	} {
		t.Run(name, func(t *testing.T) {
			dbtest.Each(t, func(t *testing.T, d *db.DB) {
				w := newWorld(t, d)
				got := w.imported(file)
				require.Contains(t, got.Remark, "which is not ours: left out")
				require.Equal(t, 1, got.Entries)
				require.Equal(t, []string{"25.00 Deposit"}, w.told("credited"))

				f, err := bank.InboxByID(t.Context(), d, got.File)
				require.NoError(t, err)
				require.Equal(t, got.Remark, f.Remark)
			})
		})
	}
}

// euroOnly is the configuration before the other accounts were set up.
func euroOnly(c *bank.Config) { c.Accounts = c.Accounts[:1] }

// inPounds is a statement of the euro account as one of the account in pounds.
func inPounds(mt940 string) string {
	return strings.NewReplacer("37040044/0532013000", "GB29NWBK60161331926819", "EUR", "GBP").Replace(mt940)
}

// Once an account is set up, the file that had its statements is imported again, and books them alone.
func TestWhatWasLeftOutIsBookedOnceItsAccountIsSetUp(t *testing.T) {
	line := func(text string) string { return ":61:2611201120C25,00NTRFNONREF\r\n:86:" + text }
	ours := mt940(1, "100,00", "150,00", line("ours"), line("ours"))
	added := inPounds(mt940(1, "100,00", "150,00", line("added"), line("added")))
	gap := inPounds(mt940(2, "900,00", "925,00", line("gap")))

	for name, c := range map[string]struct {
		file string
		want bank.Outcome
	}{
		"behind": {ours + added, bank.Imported},
		"before": {added + ours, bank.Imported},
		"a gap":  {ours + added + gap, bank.Waiting},
	} {
		t.Run(name, func(t *testing.T) {
			dbtest.Each(t, func(t *testing.T, d *db.DB) {
				dir := t.TempDir()
				w := openWorld(t, d, dir, euroOnly)
				require.Contains(t, w.imported(c.file).Remark, "left out")
				require.Equal(t, bank.Repeated, w.import_("again", c.file).Outcome)
				require.Equal(t, []string{"25.00 ours", "25.00 ours"}, w.told("credited"))

				w = openWorld(t, d, dir, nil)
				got := w.import_("again", c.file)
				require.Equal(t, c.want, got.Outcome, got.Reason)

				if c.want == bank.Waiting {
					require.Equal(t, []string{"25.00 ours", "25.00 ours"}, w.told("credited"))
					require.NoError(t, w.rail.ResolveFile(t.Context(), got.File, bank.Decision{
						Action:     bank.ActBook,
						AskedBy:    "ann",
						ApprovedBy: "bob",
						Note:       "the bank has no other",
					}))
					require.Contains(t, w.told("credited"), "25.00 gap")
				}

				require.Subset(t, w.told("credited"), []string{"25.00 added", "25.00 ours"})
				n := len(w.told("credited"))
				require.Equal(t, strings.Count(c.file, ":61:"), n)

				got = w.import_("again", c.file)
				require.Equal(t, bank.Repeated, got.Outcome)
				require.Empty(t, got.Remark)
				require.Len(t, w.told("credited"), n)
				require.Empty(t, w.alerts())
			})
		})
	}
}

// A file whose encoding is not the one it declares is booked, with a remark.
func TestALyingEncodingIsARemark(t *testing.T) {
	w := newWorld(t, dbtest.SQLite(t))
	file := strings.Replace(stmt(deposit(1_00, "R1", "caf\xe9")).xml(), "ISO-8859-1", "UTF-8", 1)

	got := w.imported(file)
	require.Contains(t, got.Remark, "says that it is UTF-8")
	require.Equal(t, []string{"1.00 café"}, w.told("credited"))
}

// The bank of an account may write a code page of DOS.
func TestTheEncodingOfAnAccountIsASetting(t *testing.T) {
	file := mt940(1, "100,00", "125,00", ":61:2611201120C25,00NTRFNONREF\r\n:86:az \xa0tutal\xa0s bel\x81li")

	for charset, want := range map[string]string{"": "az \u00a0tutal\u00a0s bel\ufffdli", "cp852": "az átutalás belüli"} {
		dbtest.Each(t, func(t *testing.T, d *db.DB) {
			w := openWorld(t, d, t.TempDir(), func(c *bank.Config) { c.Accounts[0].StatementEncoding = charset })
			w.imported(file)
			require.Equal(t, []string{"25.00 " + want}, w.told("credited"))
		})
	}
}
