package bai2_test

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"slipway/internal/standards/bai2"
	"slipway/internal/standards/iso20022"
	"slipway/internal/standards/iso20022/camt"
)

// keeper keeps everything.
type keeper struct {
	heads   []camt.Header
	entries []camt.Entry
	totals  []camt.Totals
}

func (k *keeper) Statement(h camt.Header) error { k.heads = append(k.heads, h); return nil }
func (k *keeper) Entry(e camt.Entry) error      { k.entries = append(k.entries, e); return nil }
func (k *keeper) End(t camt.Totals) error       { k.totals = append(k.totals, t); return nil }

// A day of an account: a wire in, a file of payments out, one of them back, and a text about the account.
const day = `01,021000021,SLIPWAY,261127,0700,42,,,2/
02,SLIPWAY,021000021,1,261126,2400,USD,2/
03,4471002233,,010,100000,,,015,+121500,,,045,121500,,,100,26500,2,,400,5000,1,/
16,195,25000,V,261126,1015,FT-771,INV-9,FROM ADA KELLER, ZURICH/INVOICE 9/
16,451,5000,0,ACH-12,BATCH 7,ACH CREDITS/
88,EREF: SLP7
88,CRNM: Muster AG
16,257,1500,,RT-3,SLP6,RETURN OF ACH CREDIT
88,Reason: "R02", account closed
16,890,,,,,ACCOUNT REVIEWED/
49,406000,9/
98,406000,1,11/
99,406000,1,13/
`

// read reads a file that is sound, at once and byte by byte.
func read(t *testing.T, file string) keeper {
	t.Helper()

	var once, slowly keeper

	require.True(t, bai2.Looks([]byte(file)))
	require.NoError(t, bai2.Read(strings.NewReader(file), iso20022.Limits{}, &once))
	require.NoError(t, bai2.Read(iotest.OneByteReader(strings.NewReader(file)), iso20022.Limits{}, &slowly))
	require.Equal(t, once, slowly)

	return once
}

// refused reads a file that is not, and returns why.
func refused(t *testing.T, file string) *iso20022.Error {
	t.Helper()

	var e *iso20022.Error

	require.ErrorAs(t, bai2.Read(strings.NewReader(file), iso20022.Limits{}, new(keeper)), &e)

	return e
}

func dollars(v string) iso20022.Amount { return iso20022.Amount{Value: v, Currency: "USD"} }

func TestADayIsRead(t *testing.T) {
	k := read(t, day)
	require.Len(t, k.heads, 1)

	h := k.heads[0]
	require.Equal(t, camt.Statement, h.Kind)
	require.Equal(t, "BAI2", h.Format)
	require.Equal(t, camt.Account{Other: "4471002233", Currency: "USD"}, h.Account)
	require.Equal(t, "2026-11-26", h.To)

	opening, _ := h.Balance("OPBD")
	closing, _ := h.Balance("CLBD")
	require.Equal(t, camt.Balance{
		Type:   "OPBD",
		Amount: dollars("1000.00"),
		Credit: true,
		Signed: true,
		Date:   "2026-11-26",
	}, opening)
	require.Equal(t, dollars("1215.00"), closing.Amount)

	require.Len(t, k.entries, 3, "a text about the account is no booking")

	in := k.entries[0]
	require.Equal(t, dollars("250.00"), in.Amount)
	require.True(t, in.Credit)
	require.Equal(t, camt.Booked, in.Status)
	require.Equal(
		t,
		[]string{"2026-11-26", "2026-11-26", "FT-771"},
		[]string{in.BookingDate, in.ValueDate, in.AcctSvcrRef},
	)
	require.Equal(t, "INV-9", in.Details[0].EndToEndID)
	require.Equal(t, []string{"FROM ADA KELLER, ZURICH/INVOICE 9"}, in.Details[0].Remittance)
	require.Equal(t, camt.TxCode{Proprietary: "195", Issuer: "BAI"}, in.Code)

	out := k.entries[1]
	require.False(t, out.Credit)
	require.Equal(t, []string{"SLP7", "Muster AG"}, []string{out.Details[0].EndToEndID, out.Details[0].Creditor.Name})

	back := k.entries[2]
	require.True(t, back.Credit)
	require.Equal(t, "SLP6", back.Details[0].EndToEndID)
	require.Equal(t, "R02", back.Details[0].Return.Code)
	require.Equal(t, iso20022.ReasonAccountClosed, back.Details[0].Return.Reason)
	require.Equal(t, "PMNT/ICDT/RRTN", back.Code.String())

	require.Equal(t, 3, k.totals[0].Entries)
	require.Equal(t, []string{"265.00", "50.00"}, []string{k.totals[0].BookedCredits, k.totals[0].BookedDebits})
	require.Empty(t, k.totals[0].Findings)
}

// What banks write otherwise says the same.
func TestDialectsSayTheSame(t *testing.T) {
	want := read(t, day)

	for name, change := range map[string][]string{
		"blanks to the end of the line": {"/\n", "/      \n"},
		"lines of Windows":              {"\n", "\r\n"},
		"no slashes":                    {"/\n", "\n"},
		"a comma before the end":        {"400,5000,1,/", "400,5000,1,,/"},
		"zeros before amounts":          {"195,25000", "195,000000000025000"},
		"a day with slashes":            {"1,261126,2400", "1,26/11/26,2400"},
		"a year of four digits":         {"1,261126,2400", "1,20261126,2400"},
		"another version":               {"42,,,2", "42,,,3"},
		"a mark of the byte order":      {"01,021", "\ufeff01,021"},
		"an hour with a colon":          {"261126,2400", "261126,24:00"},
		"no modifier":                   {"USD,2/", "USD,/"},
		"the currency of the account":   {"2400,USD,2/\n03,4471002233,,", "2400,,2/\n03,4471002233,USD,"},
		"no currency":                   {"2400,USD,", "2400,,"},
		"the end of a file of DOS":      {"99,406000,1,13/\n", "99,406000,1,13/\n\x1a"},
		"funds over several days":       {"451,5000,0,", "451,5000,D,2,0,2000,1,3000,"},
		"funds in three parts":          {"451,5000,0,", "451,5000,S,1000,,4000,"},
	} {
		file := strings.ReplaceAll(day, change[0], change[1])
		require.NotEqual(t, day, file, name)
		require.Equal(t, want, read(t, file), name)
	}

	// Where a line is broken means nothing, but it is a record more at each level.
	for name, change := range map[string][]string{
		"between type and amount of a balance": {"015,+121500", "015/\n88,+121500"},
		"behind a balance":                     {"015,+121500,,,045", "015,+121500,,/\n88,045"},
		"between type and amount of an entry":  {"195,25000,V", "195/\n88,25000,V"},
		"before the references":                {",FT-771,", "/\n88,FT-771,"},
		"within the text, with a slash":        {"ADA KELLER, ZURICH/INVOICE 9/", "ADA KELLER, ZURICH/INVOICE 9/\n88,/"},
	} {
		file := strings.NewReplacer(
			change[0],
			change[1],
			"406000,9/",
			"406000,10/",
			"1,11/",
			"1,12/",
			"1,13/",
			"1,14/",
		).Replace(
			day,
		)
		require.Equal(t, want, read(t, file), name)
	}
}

// What is of the present day, or does not say that its day is over, is shown and not booked.
func TestOnlyADayThatIsOverIsBooked(t *testing.T) {
	for line, want := range map[string]camt.Kind{
		"261126,2400,USD,1/": camt.Report,
		"261126,2400,USD,3/": camt.Report,
		"261126,2400,USD,4/": camt.Report,
		"261126,1200,USD,2/": camt.Statement,
		"261126,9999,USD,/":  camt.Statement,
		"261126,1200,USD,/":  camt.Statement, // it has both balances of a day
	} {
		k := read(t, strings.ReplaceAll(day, "261126,2400,USD,2/", line))
		require.Equal(t, want, k.heads[0].Kind, line)
		require.Equal(t, want == camt.Statement, k.entries[0].Status == camt.Booked, line)
	}

	without := strings.NewReplacer("261126,2400,USD,2/", "261126,1200,USD,/", "010,100000,,,", "", "406000", "306000")
	require.Equal(t, camt.Report, read(t, without.Replace(day)).heads[0].Kind)
}

func TestAmountsAreInMinorUnits(t *testing.T) {
	for currency, want := range map[string]string{"USD": "250.00", "JPY": "25000", "KWD": "25.000"} {
		k := read(t, strings.ReplaceAll(day, "USD", currency))
		require.Equal(t, iso20022.Amount{Value: want, Currency: currency}, k.entries[0].Amount)
	}

	small := strings.NewReplacer("195,25000", "195,7", "406000", "381007")
	require.Equal(t, dollars("0.07"), read(t, small.Replace(day)).entries[0].Amount)
}

func TestTheTypeSaysTheDirection(t *testing.T) {
	for _, code := range strings.Fields("101 399 920 959") {
		require.True(t, read(t, strings.ReplaceAll(day, "16,195,", "16,"+code+",")).entries[0].Credit, code)
	}

	for _, code := range strings.Fields("401 699 960 999") {
		require.False(t, read(t, strings.ReplaceAll(day, "16,195,", "16,"+code+",")).entries[0].Credit, code)
	}

	for _, code := range []string{"100", "400", "010", "700", "899", "919", "19", "1955", "abc", ""} {
		e := refused(t, strings.ReplaceAll(day, "16,195,", "16,"+code+","))
		require.Equal(t, []any{iso20022.CodeValue, 4, "record 16"}, []any{e.Code, e.Line, e.Path}, code)
	}
}

func TestAnOverdraftIsNegative(t *testing.T) {
	k := read(t, strings.NewReplacer("010,100000", "010,-100000", "406000", "206000").Replace(day))
	opening, _ := k.heads[0].Balance("OPBD")
	require.False(t, opening.Credit)
	require.Equal(t, dollars("1000.00"), opening.Amount)
	require.Equal(t, camt.BalanceDiffers, k.totals[0].Findings[0].Code)
}

func TestWhatCannotBeReadIsRefused(t *testing.T) {
	for name, x := range map[string]struct {
		from, to string
		code     iso20022.Code
		line     int
	}{
		"total of the account":       {"49,406000", "49,404501", iso20022.CodeValue, 11},
		"total of the group":         {"98,406000", "98,-406000", iso20022.CodeValue, 12},
		"total of the file":          {"99,406000", "99,", iso20022.CodeValue, 13},
		"records of the account":     {"406000,9/", "406000,8/", iso20022.CodeValue, 11},
		"records of the group":       {"1,11/", "1,x/", iso20022.CodeValue, 12},
		"records of the file":        {"1,13/", "1,/", iso20022.CodeValue, 13},
		"accounts of the group":      {"98,406000,1", "98,406000,2", iso20022.CodeValue, 12},
		"groups of the file":         {"99,406000,1", "99,406000,0", iso20022.CodeValue, 13},
		"an amount with a point":     {"195,25000", "195,250.00", iso20022.CodeValue, 4},
		"an amount that is missing":  {"195,25000", "195,", iso20022.CodeValue, 4},
		"an amount with a sign":      {"195,25000", "195,-25000", iso20022.CodeValue, 4},
		"an endless amount":          {"195,25000", "195,0000000000000000000025000", iso20022.CodeValue, 4},
		"a balance that is none":     {"010,100000", "010,1OOOOO", iso20022.CodeValue, 3},
		"a balance with two signs":   {"015,+121500", "015,+-121500", iso20022.CodeValue, 3},
		"a day that is none":         {"1,261126,", "1,261131,", iso20022.CodeValue, 2},
		"a value day that is none":   {"V,261126", "V,260230", iso20022.CodeValue, 4},
		"an unknown kind of funds":   {"V,261126", "X,261126", iso20022.CodeValue, 4},
		"endless shares of funds":    {"451,5000,0,", "451,5000,D,99999999,", iso20022.CodeValue, 5},
		"no account":                 {"03,4471002233", "03,", iso20022.CodeValue, 3},
		"an unknown type of balance": {"010,100000", "1O,100000", iso20022.CodeValue, 3},
		"a deletion":                 {"021000021,1,", "021000021,2,", iso20022.CodeValue, 2},
		"a test":                     {"021000021,1,", "021000021,4,", iso20022.CodeValue, 2},
		"a record of no format":      {"16,195", "17,195", iso20022.CodeStructure, 4},
		"an entry of no account":     {"49,406000,9/\n", "", iso20022.CodeStructure, 11},
		"no group":                   {"02,SLIPWAY,021000021,1,261126,2400,USD,2/\n", "", iso20022.CodeStructure, 2},
		"no code":                    {"16,195", "SIXTEEN", iso20022.CodeStructure, 4},
		"a byte of zero":             {"ADA", "A\x00A", iso20022.CodeEncoding, 4},
		"the trailer is missing":     {"99,406000,1,13/\n", "", iso20022.CodeTruncated, 12},
	} {
		file := strings.Replace(day, x.from, x.to, 1)
		require.NotEqual(t, day, file, name)

		e := refused(t, file)
		require.Equal(t, x.code, e.Code, "%s: %v", name, e)
		require.InDelta(t, x.line, e.Line, 1, "%s: %v", name, e)
	}

	// Wherever a file breaks off, nothing of it is taken.
	for n := range len(day) - len("/\n") {
		require.Error(t, bai2.Read(strings.NewReader(day[:n]), iso20022.Limits{}, new(keeper)), day[:n])
	}
}

func TestEndlessFilesEnd(t *testing.T) {
	limits := iso20022.Limits{Bytes: 1 << 20, Token: 1 << 10, Kept: 1 << 16}
	head := "01,A,B,261127,0700,42,,,2/\n02,B,A,1,261126,2400,USD,2/\n03,4471002233,,/\n"

	for code, file := range map[iso20022.Code]string{
		iso20022.CodeTooLong:   head + "16,195," + strings.Repeat("1", 1<<11),
		iso20022.CodeEntrySize: head + "16,195,1,,,\n" + strings.Repeat("88,"+strings.Repeat("x", 100)+"\n", 1<<10),
		iso20022.CodeTooLarge:  head + strings.Repeat("16,195,1,,,\n", 1<<17),
	} {
		var e *iso20022.Error

		require.ErrorAs(t, bai2.Read(strings.NewReader(file), limits, new(keeper)), &e)
		require.Equal(t, code, e.Code)
	}
}

func TestErrorsOfOthersComeBack(t *testing.T) {
	broken := errors.New("broken")

	var e *iso20022.Error

	require.ErrorAs(t, bai2.Read(iotest.ErrReader(broken), iso20022.Limits{}, new(keeper)), &e)
	require.Equal(t, iso20022.CodeRead, e.Code)
	require.ErrorIs(t, e, broken)

	for at := range 3 {
		require.ErrorIs(t, bai2.Read(strings.NewReader(day), iso20022.Limits{}, stopper{at, broken}), broken)
	}
}

type stopper struct {
	at  int
	err error
}

func (s stopper) say(at int) error {
	if s.at == at {
		return s.err
	}

	return nil
}

func (s stopper) Statement(camt.Header) error { return s.say(0) }
func (s stopper) Entry(camt.Entry) error      { return s.say(1) }
func (s stopper) End(camt.Totals) error       { return s.say(2) }

// Several accounts and groups in one file are statements of their own.
func TestAFileHasSeveralAccounts(t *testing.T) {
	k := read(t, `01,A,B,261127,0700,42,,,2/
02,B,A,1,261126,2400,USD,2/
03,1,,010,100,,,015,100,,/
49,200,2/
03,2,EUR,010,100,,,015,90,,/
16,495,10,,,,OUT/
49,200,3/
98,400,2,7/
02,B,A,1,261125,2400,USD,2/
03,1,,015,100,,/
49,100,2/
98,100,1,4/
99,500,2,13/
`)
	require.Len(t, k.heads, 3)

	for i, account := range []string{"1", "2", "1"} {
		require.Equal(t, i, k.heads[i].Number)
		require.Equal(t, account, k.heads[i].Account.Other)
	}

	require.Equal(t, "2026-11-25", k.heads[2].ID)
	require.Equal(t, []any{1, "EUR"}, []any{k.entries[0].Statement, k.entries[0].Amount.Currency})
	require.Len(t, k.totals, 3)
}

// brokenFiles are damaged, and why.
var brokenFiles = map[string]string{
	"moov-sample-parseError.txt":                       "begins with a record that the format does not have",
	"moov-sample4-continuations-newline-delimited.txt": "states totals that its amounts do not make",
}

func TestPublishedFilesAreRead(t *testing.T) {
	folder := filepath.Join(cmp.Or(os.Getenv("SLIPWAY_FIXTURES"), "../../../../shared/fixtures"), "bai2", "files")

	names, _ := filepath.Glob(filepath.Join(folder, "*"))
	if len(names) == 0 {
		t.Skip("the files of banks are not on this machine (SLIPWAY_FIXTURES)")
	}

	for _, name := range names {
		content, err := os.ReadFile(name)
		require.NoError(t, err)

		err = bai2.Read(strings.NewReader(string(content)), iso20022.Limits{}, new(keeper))
		why := brokenFiles[filepath.Base(name)]
		require.Equal(t, why != "", err != nil, "%s: %v", name, err)
		require.Equal(t, !strings.Contains(why, "record"), bai2.Looks(content), name)
	}
}

func FuzzRead(f *testing.F) {
	f.Add(day)
	f.Fuzz(func(t *testing.T, file string) {
		var k keeper
		if bai2.Read(strings.NewReader(file), iso20022.Limits{}, &k) == nil && len(k.heads) != len(k.totals) {
			t.Fatalf("%d statements and %d ends", len(k.heads), len(k.totals))
		}
	})
}

// A report of a bank in the United States is handed to the same kind of handler as a camt.053.
func ExampleRead() {
	var k keeper

	fmt.Println(bai2.Read(strings.NewReader(day), iso20022.Limits{}, &k))
	fmt.Println(k.heads[0].Format, k.heads[0].Account.ID(), k.entries[0].Amount, k.entries[0].Credit)

	// Output:
	// <nil>
	// BAI2 4471002233 {250.00 USD} true
}
