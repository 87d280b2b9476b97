package swiftmt

import (
	"bytes"
	"cmp"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"slipway/internal/standards/iso20022"
	"slipway/internal/standards/iso20022/camt"
)

// soundStatement is what all dialects of TestDialectsSayTheSame say: 100.00, a credit of 5.00, 105.00.
const soundStatement = ":20:A\n:25:DE89370400440532013000\n:28C:1/1\n:60F:C261119EUR100,00\n" +
	":61:2611201120C5,00NTRFNONREF//POS 1\n:86:a text\n:62F:C261120EUR105,00\n-\n"

func TestDialectsSayTheSame(t *testing.T) {
	const entry = ":61:2611201120C5,00NTRFNONREF//POS 1"

	for name, change := range map[string][2]string{
		"a blank before the kind":         {"C5,00NTRF", "C5,00 NTRF"},
		"no entry date":                   {"2611201120C", "261120C"},
		"blanks for the entry date":       {"2611201120C", "261120    C"},
		"no comma":                        {"C5,00NTRF", "C5NTRF"},
		"zeros before the amount":         {"C5,00NTRF", "C0000000000000000005,00NTRF"},
		"a dot before two digits":         {"C5,00NTRF", "C5.00NTRF"},
		"a short kind":                    {"NTRFNONREF", "NOV NONREF"},
		"a kind of one letter":            {"NTRFNONREF", "S   NONREF"},
		"no kind":                         {"NTRFNONREF//", "//"},
		"a long number":                   {"1/1", "1810118101/001"},
		"a day as number":                 {"1/1", "2026-11-20"},
		"no number":                       {"1/1", " /1"},
		"an empty number":                 {"1/1", ""},
		"blocks on lines of their own":    {":20:A", "{1:F01INGBNL2AXXXX00001}\n{2:I940INGBNL2AXXXN}\n{4:\n:20:A"},
		"the first field behind them":     {":20:A", "{1:F01INGBNL2AXXXX0000000000}{2:I940INGBNL2AXXXN}{4::20:A"},
		"braces of a national terminal":   {":20:A", "ä4:\n:20:A"},
		"the old header of ING":           {":20:A", "0000 01INGBNL2AXXXX00001\n0000 01INGBNL2AXXXX00001\n940 00\n:20:A"},
		"the old end of ING":              {"\n-\n", "\n-XXX\n"},
		"an end of a national terminal":   {"\n-\n", "\n-ü\n"},
		"the end of a file of DOS":        {"\n-\n", "\n-\n\x1a"},
		"fields behind the balance":       {"\n-\n", "\n:64:C261120EUR105,00\n:86:one\n:86 :two\n:99Z:of the bank\n-\n"},
		"numbers and sums of the entries": {"\n-\n", "\n:90D:0EUR0,00\n:90C:1EUR5,00\n-\n"},
		"a balance without its currency":  {"62F:C261120EUR", "62F:C261120"},
		"a field for each line of a text": {":86:a text", ":86:a\n:86:text"},
		"a time broken at its colons":     {":86:a text", ":86:a text of 2026-11-20T16\n:26:37 o'clock"},
		"a time of fields that exist":     {":86:a text", ":86:a text of 2026-11-20T16\n:25:37 o'clock"},
		"a joint within a text":           {":86:a text", ":86:a text, see\x01:61:2611201120C9,00NTRFNONREF"},
		"an end within a text":            {":86:a text", ":86:a text, see\n-\n-}{1:F01INGBNL2AXXXX0000000000}{4:"},
	} {
		t.Run(name, func(t *testing.T) {
			file := strings.Replace(soundStatement, change[0], change[1], 1)
			if file == soundStatement {
				t.Fatal("nothing was changed")
			}

			k := read(t, file)
			if len(k.heads) != 1 || len(k.entries) != 1 || len(k.totals[0].Findings) > 0 {
				t.Fatalf("%+v", k)
			}

			e := k.entries[0]
			if !e.Credit || e.ValueDate != "2026-11-20" || cmp.Or(e.BookingDate, e.ValueDate) != "2026-11-20" ||
				strings.TrimSuffix(e.Amount.Value, ".00") != "5" || e.AcctSvcrRef != "POS 1" ||
				!strings.HasPrefix(strings.Join(e.Details[0].Remittance, ""), "a text") {
				t.Errorf("%+v", e)
			}

			if total := k.totals[0]; total.Balances[0].Amount.Currency != "EUR" {
				t.Errorf("%+v", total)
			}
		})
	}

	if !strings.Contains(soundStatement, entry) {
		t.Error("the sound statement has another entry")
	}
}

// Banks join messages in the ways of SWIFT's own files, too.
func TestJoinedMessagesAreApart(t *testing.T) {
	const (
		head = "{1:F01COBADEFFAXXX0000000000}{2:I940XXXXXXXXXXXXN}{4:\r\n"
		body = ":20:A\r\n:25:DE89370400440532013000\r\n:28C:1/1\r\n:60F:C261119EUR100,00\r\n:62F:C261120EUR100,00\r\n"
	)

	for name, file := range map[string]string{
		"ETX and SOH":      "\x01" + head + body + "-}\x03\x01" + head + body + "-}\x03",
		"a dollar sign":    head + body + "-}$" + head + body + "-}$",
		"one of its own":   head + body + "-}\r\n$\r\n" + head + body + "-}",
		"nothing":          head + body + "-}{5:{CHK:1}}" + head + body + "-}",
		"no envelope":      body + "-$" + body + "-",
		"no end":           body + body,
		"no end, envelope": head + body + head + body,
	} {
		t.Run(name, func(t *testing.T) {
			if k := read(t, file); len(k.heads) != 2 || k.heads[1].Account.IBAN != "DE89370400440532013000" {
				t.Errorf("%+v", k.heads)
			}
		})
	}
}

// A report has no balances to end it.
func TestAnInterimReportWithoutAnEnd(t *testing.T) {
	const report = ":20:A\n:25:DE89370400440532013000\n:28C:1/1\n:34F:PLN0\n:13D:2611201815+0100\n:61:2611201120CN0,01NTRFNONREF\n:86:x\n"

	if k := read(t, report+report); len(k.heads) != 2 || k.heads[0].Account.Currency != "PLN" || len(k.entries) != 2 {
		t.Errorf("%+v", k.heads)
	}
}

// Banks that count interest in months of thirty days have a 30 February. Nothing is booked on one.
func TestTheThirtiethOfFebruary(t *testing.T) {
	for written, want := range map[string]string{
		"260230": "2026-02-28",
		"260229": "2026-02-28",
		"240230": "2024-02-29",
		"240229": "2024-02-29",
	} {
		k := read(t, strings.Replace(soundStatement, "2611201120C", written+"0301C", 1))
		if e := k.entries[0]; e.ValueDate != want || e.BookingDate != want[:4]+"-03-01" {
			t.Errorf("%s: %+v", written, e)
		}
	}
}

// A letter that cannot be read never stops a day, and never becomes another one.
func TestLettersOfTheBanksEncoding(t *testing.T) {
	file := func(letters string) string { return strings.Replace(soundStatement, "a text", "a text "+letters, 1) }

	for _, c := range []struct{ charset, letters, want string }{
		{"", "Müller", "Müller"},
		{"", "M\xfcller", "Müller"},
		{"cp850", "M\x81ller", "Müller"},
		{"CP852", "\xa0tutal\xa0s bel\x81li", "átutalás belüli"},
		{"cp437", "M\x81ller", "Müller"},
		{"iso-8859-2", "Praha \xb9", "Praha š"},
		{"iso-8859-7", "\xc1", "Α"},
		{"windows-1250", "\x9a\xe8", "šč"},
		{"", "M\x81ller\x07", "M\ufffdller\ufffd"},
		{"no such", "M\xfcller", "Müller"},
	} {
		var k keeper

		charset := func(a camt.Account) string {
			if a.IBAN != "DE89370400440532013000" {
				t.Errorf("asked for %+v", a)
			}

			return c.charset
		}
		if err := Read(strings.NewReader(file(c.letters)), iso20022.Limits{}, charset, &k); err != nil {
			t.Fatalf("%+v: %v", c, err)
		}

		if got := k.entries[0].Details[0].Remittance[0]; got != "a text "+c.want {
			t.Errorf("%+v: %q", c, got)
		}
	}
}

// What cannot be read may not hide where money is: no digit, direction or day comes from such a byte.
func TestAnUnreadableAmountIsRefused(t *testing.T) {
	for _, to := range []string{"C5,\x810NTRF", "C\x815,00NTRF", "\x815,00NTRF", "C5,00\x81TRF"} {
		file := strings.Replace(soundStatement, "C5,00NTRF", to, 1)

		err := Read(strings.NewReader(file), iso20022.Limits{}, nil, new(keeper))
		if e := new(iso20022.Error); !errors.As(err, &e) || e.Code != iso20022.CodeValue || e.Line != 5 {
			t.Errorf("%q: %v", to, err)
		}
	}
}

// Banks of other countries write the German form with marks of their own.
func TestPartsHaveOtherMarks(t *testing.T) {
	for _, mark := range strings.Split(partMarks, "") {
		text := strings.ReplaceAll(
			"020?00PRZELEW?20EREF+E-1?21SVWZ+Deposit PX4K?30PBNKDEFF?31DE02100100100006820101?32Payer AG",
			"?",
			mark,
		)

		d := read(t, strings.Replace(soundStatement, "a text", text, 1)).entries[0].Details[0]
		if d.EndToEndID != "E-1" || d.Remittance[0] != "Deposit PX4K" || d.Debtor.Name != "Payer AG" {
			t.Errorf("%s: %+v", mark, d)
		}
	}
}

// brokenFiles are those of the published files that are damaged, with what is wrong with them.
var brokenFiles = map[string]string{
	"016.txt": "ends within its second message",
	"025.txt": "states a balance of 31 November",
	"027.txt": "has an entry and a balance of days that are none, and an amount with a blank in it",
	"028.txt": "states a balance of 31 November",
	"030.txt": "ends within a text",
	"034.txt": "states no closing balance, but one whose day and currency are the word null",
	"060.txt": "has a text where an account must be",
	"084.txt": "goes on with an entry of no statement",
}

// Every published file of a bank that is not damaged is read.
func TestPublishedFilesAreRead(t *testing.T) {
	folder := filepath.Join(cmp.Or(os.Getenv("SLIPWAY_FIXTURES"), "../../../../shared/fixtures"), "swiftmt", "files")

	names, _ := filepath.Glob(filepath.Join(folder, "*.txt"))
	if len(names) == 0 {
		t.Skip("the files of banks are not on this machine (SLIPWAY_FIXTURES)")
	}

	for _, name := range names {
		content, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}

		err = Read(bytes.NewReader(content), iso20022.Limits{}, nil, new(keeper))

		why := brokenFiles[filepath.Base(name)]
		if (err != nil) != (why != "") {
			t.Errorf("%s: %v, and it is broken because it %q", filepath.Base(name), err, why)
		}

		if why == "" && !Looks(content) {
			t.Errorf("%s does not look like what it is", filepath.Base(name))
		}
	}
}
