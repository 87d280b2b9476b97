package bookfile_test

import (
	"archive/zip"
	"bytes"
	"encoding/csv"
	"io"
	"math/big"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/core/money"
	"slipway/internal/platform/platformtest/parts"
	"slipway/internal/standards/bookfile"
)

var (
	eur  = money.Asset{Code: "EUR", Decimals: 2}
	usdc = money.Asset{Code: "USDC", Decimals: 6}

	wallet = bookfile.Account{Number: "1100", Name: "Your wallet", Place: "base/0xabc", Class: bookfile.Asset}
	hold   = bookfile.Account{Number: "1310", Name: "Set aside", Place: "base/org_1", Class: bookfile.Asset}
	payee  = bookfile.Account{Number: "2110", Name: "Payees", Place: "rcv_1", Class: bookfile.Liability}
	fees   = bookfile.Account{Number: "4100", Name: "Fees", Class: bookfile.Expense}
)

func line(id string, a bookfile.Account, value, units int64) bookfile.Line {
	worth := money.FromUnits(eur, big.NewInt(value))

	return bookfile.Line{
		ID:      id,
		Account: a,
		Value:   &worth,
		Amount:  money.FromUnits(usdc, big.NewInt(units)),
	}
}

func day(d int) time.Time { return time.Date(2026, time.November, d, 0, 0, 0, 0, time.UTC) }

func head() bookfile.Head {
	return bookfile.Head{
		Title:         `Müller & "Söhne" Ł (CH) 7.1-2/3`,
		From:          day(1),
		To:            day(30),
		Currency:      "EUR",
		Adviser:       "1001",
		Client:        "456",
		YearStart:     time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC),
		AccountLength: 4,
	}
}

// month is journals of all forms: with fees, in the file's own currency, of values that rounding has made zero or has
// given the other sign, and with texts that would mean something to each of the programs.
func month() []bookfile.Journal {
	paid := money.FromUnits(eur, big.NewInt(9000))
	taken := paid.Neg()
	own := bookfile.Line{ID: "jrn_3:0", Account: payee, Value: &paid, Amount: paid}
	back := own
	back.ID = "jrn_3:1"
	back.Account = bookfile.Account{Number: "1320", Name: `Under "way"; @x`, Place: "bank/SEPA", Class: bookfile.Asset}
	back.Value = &taken
	back.Amount = taken

	return []bookfile.Journal{
		{
			ID:        "jrn_1",
			Day:       day(5),
			Text:      "Tokens set aside for payments",
			Party:     `=HYPERLINK("x"); Łódź | Sp. z o.o.` + "\r\n",
			Document:  "2026_117/ä",
			Reference: "0x5e4d, a:b",
			Lines: []bookfile.Line{
				line("jrn_1:0", wallet, -10213, -110_500_000),
				line("jrn_1:1", hold, 10000, 108_000_000),
				line("jrn_1:2", fees, 213, 2_500_000),
			},
		},
		{
			ID:   "jrn_2",
			Day:  day(6),
			Text: "Fees",
			Lines: []bookfile.Line{
				line("jrn_2:0", fees, 0, 1),
				line("jrn_2:1", wallet, 1, -1),
				line("jrn_2:2", hold, -1, 0),
			},
		},
		{ID: "jrn_3", Day: day(30), Text: "Paid by the bank", Lines: []bookfile.Line{own, back}},
	}
}

func written(
	t *testing.T, begin func(io.Writer, bookfile.Head) bookfile.Writer, journals ...bookfile.Journal,
) []byte {
	t.Helper()

	var b bytes.Buffer

	w := begin(&b, head())
	for _, j := range journals {
		require.NoError(t, w.Journal(j))
	}

	require.NoError(t, w.Close())

	return b.Bytes()
}

func TestTheSameJournalsGiveTheSameBytes(t *testing.T) {
	for _, begin := range []func(io.Writer, bookfile.Head) bookfile.Writer{
		bookfile.NewDATEV,
		bookfile.NewXero,
		bookfile.NewQuickBooks,
		bookfile.NewHledger,
		bookfile.NewBeancount,
	} {
		require.Equal(t, written(t, begin, month()...), written(t, begin, month()...))
	}
}

// sums adds up cents by account number.
type sums map[string]*big.Int

func (s sums) add(account string, cents *big.Int) {
	if s[account] == nil {
		s[account] = new(big.Int)
	}

	s[account].Add(s[account], cents)
}

func (s sums) texts() map[string]string {
	out := map[string]string{}
	for account, sum := range s {
		if sum.Sign() != 0 {
			out[account] = sum.String()
		}
	}

	return out
}

func wanted(journals ...bookfile.Journal) map[string]string {
	out := sums{}
	for _, j := range journals {
		for _, l := range j.Lines {
			out.add(l.Account.Number, l.Value.Units())
		}
	}

	return out.texts()
}

func cents(t *testing.T, s string) *big.Int {
	t.Helper()

	n, ok := new(big.Int).SetString(strings.NewReplacer(",", "", ".", "").Replace(s), 10)
	require.True(t, ok, s)

	return n
}

// datevRows returns the fields of each row, without those of the quotes.
func datevRows(t *testing.T, file []byte) [][]string {
	t.Helper()

	r := csv.NewReader(bytes.NewReader(file))
	r.Comma = ';'
	r.FieldsPerRecord = -1
	rows, err := r.ReadAll()
	require.NoError(t, err)

	return rows
}

// 1. A header of 31 fields, 125 names, 125 fields in each booking. 2. The bookings add up to the journals' values.
// 3. No text has more characters than its field, or others than it may have. 4. The bytes are of Windows-1252.
func TestDATEVBatch(t *testing.T) {
	file := written(t, bookfile.NewDATEV, month()...)
	rows := datevRows(t, file)

	require.Len(t, rows[0], 31)
	require.Equal(t, []string{"EXTF", "700", "21", "Buchungsstapel", "13", "20261201000000000"}, rows[0][:6])
	require.Equal(
		t,
		[]string{"1001", "456", "20260101", "4", "20261101", "20261130", "M\xfcller S\xf6hne CH 7.1-2/3"},
		rows[0][10:17],
	)
	require.Len(t, rows[1], 125)
	require.True(t, bytes.HasSuffix(file, []byte("\r\n")))

	got := sums{}

	for _, r := range rows[2:] {
		require.Len(t, r, 125)
		require.Regexp(t, `^[0-9]{1,10},[0-9]{2}$`, r[0])
		require.NotEqual(t, "0,00", r[0])
		require.Equal(t, "S", r[1])
		require.NotEqual(t, r[6], r[7])
		require.Regexp(t, `^[A-Za-z0-9$%&*+/-]{1,36}$`, r[10])
		require.LessOrEqual(t, len(r[13]), 60)
		require.NotRegexp(t, `^[=+@-]`, r[13])

		got.add(r[6], cents(t, r[0]))
		got.add(r[7], new(big.Int).Neg(cents(t, r[0])))
	}

	require.Equal(t, wanted(month()...), got.texts())
	require.Equal(t, "0511", rows[2][9])
	require.Equal(t, "2026-117/-", rows[2][10])
	require.Contains(t, string(file), "?\xf3d?", "a letter that the code page does not have, beside one that it has")
}

// A currency without decimals has two in the file, and an amount has ten digits at most before them.
func TestDATEVAmounts(t *testing.T) {
	yen := money.Asset{Code: "JPY"}
	value := money.FromUnits(yen, big.NewInt(1250))
	back := value.Neg()
	j := bookfile.Journal{ID: "jrn_9", Day: day(9), Text: "Yen", Lines: []bookfile.Line{
		{ID: "jrn_9:0", Account: payee, Value: &value, Amount: value},
		{ID: "jrn_9:1", Account: wallet, Value: &back, Amount: back},
	}}
	require.Equal(t, "1250,00", datevRows(t, written(t, bookfile.NewDATEV, j))[2][0])

	require.True(t, bookfile.DATEVAmount(money.FromUnits(eur, big.NewInt(-999_999_999_999))))
	require.False(t, bookfile.DATEVAmount(money.FromUnits(eur, big.NewInt(1_000_000_000_000))))
	require.False(t, bookfile.DATEVAmount(money.FromUnits(yen, big.NewInt(-10_000_000_000))))
}

// A checker of others, the npm package @seamless-engineering/datev-extf, finds nothing wrong in a batch, and finds what
// is.
func TestRealDATEVChecker(t *testing.T) {
	batch := string(written(t, bookfile.NewDATEV, month()...))
	rows, findings := parts.DATEV(t, batch)
	require.Empty(t, findings)
	require.Len(t, datevRows(t, []byte(batch)), rows+2)

	_, findings = parts.DATEV(t, strings.Replace(batch, ",00;", ".00;", 1))
	require.Len(t, findings, 1)
	require.Contains(t, findings[0], "amount-dot")
}

// Each journal of random amounts is paired so that every account keeps its value.
func TestPairsKeepTheValueOfEachAccount(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 36))

	for range 300 {
		j := bookfile.Journal{ID: "jrn_9", Day: day(9), Text: "Random"}
		rest := int64(0)

		for i := range 2 + random.IntN(8) {
			value := random.Int64N(2001) - 1000
			rest += value
			a := bookfile.Account{Number: strconv.Itoa(1000 + random.IntN(6)), Name: "n", Class: bookfile.Asset}
			j.Lines = append(j.Lines, line("jrn_9:"+strconv.Itoa(i), a, value, value))
		}

		j.Lines = append(j.Lines, line("jrn_9:99", wallet, -rest, 0))

		got := sums{}
		for _, r := range datevRows(t, written(t, bookfile.NewDATEV, j))[2:] {
			got.add(r[6], cents(t, r[0]))
			got.add(r[7], new(big.Int).Neg(cents(t, r[0])))
		}

		require.Equal(t, wanted(j), got.texts())
	}
}

// sheets returns the rows of each file of an archive, without their headers.
func sheets(t *testing.T, file []byte) (out [][][]string) {
	t.Helper()

	z, err := zip.NewReader(bytes.NewReader(file), int64(len(file)))
	require.NoError(t, err)

	for _, f := range z.File {
		in, err := f.Open()
		require.NoError(t, err)

		rows, err := csv.NewReader(in).ReadAll()
		require.NoError(t, err)

		out = append(out, rows[1:])
	}

	return out
}

// 1. No file has more rows than the program takes. 2. Each journal is in one file and balances; one that is longer than
// a file is several that balance. 3. All together have the journals' values. 4. No row is of nothing.
func TestSheetsAreAsLongAsTheProgramTakes(t *testing.T) {
	long := bookfile.Journal{ID: "jrn_01kaj3w8r8q2m5x9v7t4b6c1dn", Day: day(7), Text: "A long one"}
	for i := range 700 {
		long.Lines = append(long.Lines, line("l", payee, int64(100+i), 1))
	}

	total := int64(0)
	for i := range 700 {
		total += int64(100 + i)
	}

	long.Lines = append(long.Lines, line("l", wallet, -total, -700))

	all := append(month(), long)
	for range 150 {
		all = append(all, month()...)
	}

	for _, c := range []struct {
		begin            func(io.Writer, bookfile.Head) bookfile.Writer
		most, id, amount int
		account          func(row []string) string
		value            func(row []string) *big.Int
	}{
		{
			begin:   bookfile.NewXero,
			most:    300,
			account: func(r []string) string { return r[3] },
			value:   func(r []string) *big.Int { return cents(t, r[5]) },
		},
		{
			begin: bookfile.NewQuickBooks,
			most:  999,
			account: func(r []string) string {
				return map[string]string{
					"Your wallet":     "1100",
					"Set aside":       "1310",
					"Payees":          "2110",
					"Fees":            "4100",
					`Under "way", @x`: "1320",
				}[r[2]]
			},
			value: func(r []string) *big.Int {
				if r[3] != "" {
					return cents(t, r[3])
				}

				return new(big.Int).Neg(cents(t, r[4]))
			},
		},
	} {
		got := sums{}

		for _, file := range sheets(t, written(t, c.begin, all...)) {
			require.LessOrEqual(t, len(file), c.most)

			journals := map[string]*big.Int{}

			for _, r := range file {
				require.NotZero(t, c.value(r).Sign())

				if journals[r[0]] == nil {
					journals[r[0]] = new(big.Int)
				}

				journals[r[0]].Add(journals[r[0]], c.value(r))
				got.add(c.account(r), c.value(r))

				for _, cell := range r {
					require.NotRegexp(t, `^[=+@]|;`, cell)
				}
			}

			for id, sum := range journals {
				require.Zero(t, sum.Sign(), id)
				require.True(t, c.most == 300 || len(id) <= 21, id)
			}
		}

		require.Equal(t, wanted(all...), got.texts())
	}
}

// 1. hledger and ledger read the file, and hledger finds nothing wrong when it is strict. 2. The balance of every
// account in the file's currency is that of the journals.
func TestRealHledger(t *testing.T) {
	program := parts.Need(t, "hledger")[0]
	file := filepath.Join(t.TempDir(), "book.journal")
	require.NoError(t, os.WriteFile(file, written(t, bookfile.NewHledger, month()...), 0o644))

	run(t, program, "-f", file, "check", "--strict")

	out := run(t, program, "-f", file, "balance", "--flat", "--no-total", "--value=cost", "-O", "csv", "-E")
	rows, err := csv.NewReader(strings.NewReader(out)).ReadAll()
	require.NoError(t, err)

	got := sums{}

	for _, r := range rows[1:] {
		_, name, _ := strings.Cut(r[0], ":")

		if amount, _, _ := strings.Cut(r[1], " "); strings.Contains(r[1], "EUR") {
			got.add(name[:4], cents(t, amount))
		}
	}

	require.Equal(t, wanted(month()...), got.texts())

	if ledger := parts.Need(t, "ledger")[0]; ledger != "" {
		require.Contains(t, run(t, ledger, "-f", file, "balance", "--cost"), "1100 Your wallet")
	}
}

// beancount takes the file without an error.
func TestRealBeancount(t *testing.T) {
	program := parts.Need(t, "bean-check")[0]
	file := filepath.Join(t.TempDir(), "book.beancount")
	require.NoError(t, os.WriteFile(file, written(t, bookfile.NewBeancount, month()...), 0o644))
	require.Empty(t, run(t, program, file))
}

func run(t *testing.T, program string, args ...string) string {
	t.Helper()

	out, err := exec.Command(program, args...).CombinedOutput()
	require.NoError(t, err, string(out))

	return string(out)
}
