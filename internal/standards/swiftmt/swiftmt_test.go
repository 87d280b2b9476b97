package swiftmt

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

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

func content(t testing.TB, name string) string {
	t.Helper()

	b, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}

	return string(b)
}

// read reads a file that is sound, at once and byte by byte.
func read(t testing.TB, file string) keeper {
	t.Helper()

	var once, slowly keeper
	if err := Read(strings.NewReader(file), iso20022.Limits{}, nil, &once); err != nil {
		t.Fatal(err)
	}

	if err := Read(iotest.OneByteReader(strings.NewReader(file)), iso20022.Limits{}, nil, &slowly); err != nil ||
		!reflect.DeepEqual(once, slowly) {
		t.Fatalf("byte by byte it is something else: %v", err)
	}

	if !Looks([]byte(file)) {
		t.Error("the file does not look like what it is")
	}

	return once
}

func euro(v string) iso20022.Amount { return iso20022.Amount{Value: v, Currency: "EUR"} }

func TestAGermanStatementIsRead(t *testing.T) {
	k := read(t, content(t, "german.940.txt"))

	h := k.heads[0]
	if h.Kind != camt.Statement || h.Format != MT940 || h.MsgID != "STARTUMSE" ||
		h.Account.IBAN != "DE89370400440532013000" ||
		h.Account.Currency != "EUR" ||
		h.Sequence != "224" ||
		h.Page.Number != "1" ||
		len(h.Balances) != 1 ||
		h.Balances[0] != (camt.Balance{
			Type:   "OPBD",
			Amount: euro("10000.00"),
			Credit: true,
			Signed: true,
			Date:   "2026-11-19",
		}) {
		t.Errorf("%+v", h)
	}

	if len(k.entries) != 4 {
		t.Fatalf("%+v", k.entries)
	}

	in := k.entries[0]

	d := in.Details[0]
	if !in.Credit || in.Amount != euro("250.00") || in.Status != camt.Booked || in.BookingDate != "2026-11-20" ||
		in.ValueDate != "2026-11-20" ||
		in.AcctSvcrRef != "POS 4711" ||
		in.Info != "GUTSCHR. UEBERWEISUNG" ||
		in.Code.String() != "NTRF+166" ||
		d.EndToEndID != "E-2026-11-20-0815-1" ||
		!slices.Equal(d.Remittance, []string{"Rechnung 4711 vom PX4K-7Q2M Danke für alles"}) ||
		d.Debtor.Account.IBAN != "DE02100100100006820101" ||
		d.DebtorAgentBIC != "MARKDEF1100" ||
		d.Debtor.Name != "Jürgen Müller und Söhne Gesellschaft mbH" ||
		d.InstrID != "" {
		t.Errorf("%+v", in)
	}

	out := k.entries[1]

	d = out.Details[0]
	if out.Credit || out.Reversal || out.Amount != euro("1010.00") || d.EndToEndID != "7ZZZZZZZZZZZZZZZZZZZZZZZZZZ" ||
		d.InstrID != "INSTR-1" ||
		d.Creditor.Name != "Payee AG" ||
		d.CreditorAgentBIC != "GIBAATWW" ||
		d.Instructed != (iso20022.Amount{
			Value:    "1100.5",
			Currency: "USD",
		}) ||
		out.Charges[0].Amount != euro("2") ||
		d.Return != nil {
		t.Errorf("%+v", out)
	}

	reversal := k.entries[2]
	if reversal.Credit || !reversal.Reversal || reversal.ValueDate != "2026-12-30" ||
		reversal.BookingDate != "2027-01-02" ||
		!slices.Equal(reversal.Details[0].Remittance, []string{"Storno einer Gutschrift, Zeile eins Zeile zwei"}) {
		t.Errorf("%+v", reversal)
	}

	back := k.entries[3]
	if r := back.Details[0].Return; !back.Credit || r == nil || r.Info != "RETOURE AC04 Konto aufgeloest" ||
		r.Reason != iso20022.ReasonNotSpecified ||
		back.Code.String() != "PMNT/ICDT/RRTN" ||
		back.Details[0].EndToEndID != "7ZZZZZZZZZZZZZZZZZZZZZZZZZZ" {
		t.Errorf("%+v", back)
	}

	total := k.totals[0]
	if len(total.Findings) > 0 || total.Entries != 4 || total.BookedCredits != "1260.00" ||
		total.BookedDebits != "1015.50" ||
		len(total.Balances) != 3 ||
		total.Balances[0] != (camt.Balance{
			Type:   "CLBD",
			Amount: euro("10244.50"),
			Credit: true,
			Signed: true,
			Date:   "2026-11-20",
		}) {
		t.Errorf("%+v", total)
	}
}

func TestAStatementInSWIFTsEnvelopeIsRead(t *testing.T) {
	k := read(t, content(t, "envelope.940.txt"))
	if len(k.heads) != 2 || k.heads[0].Account.IBAN != "NL91ABNA0417164300" || k.heads[0].Account.Currency != "EUR" ||
		k.heads[0].Sequence != "" ||
		k.heads[1].Number != 1 ||
		k.heads[1].Balances[0].Type != "ITBD" ||
		k.totals[1].Balances[0].Type != "ITBD" {
		t.Errorf("%+v %+v", k.heads, k.totals)
	}

	in := k.entries[0].Details[0]
	if in.EndToEndID != "ORDER-1" || in.Debtor.Name != "J. Doe" || in.Debtor.Account.IBAN != "DE02100100100006820101" ||
		in.DebtorAgentBIC != "PBNKDEFF" ||
		!slices.Equal(in.Remittance, []string{"px4k-7q2m/IBAN/of somebody"}) {
		t.Errorf("%+v", in)
	}

	out := k.entries[1].Details[0]
	if out.EndToEndID != "7YYYYYYYYYYYYYYYYYYYYYYYYY" || out.PmtInfID != "BLOCK-1" || out.Return == nil ||
		out.Return.Code != "AC04" ||
		out.Return.Reason != iso20022.ReasonAccountClosed ||
		out.Return.Info != "closed" ||
		!slices.Equal(out.StructuredRefs, []string{"RF18539007547034/PURP/CD/GDDS"}) {
		t.Errorf("%+v", out)
	}

	if len(k.totals[0].Findings)+len(k.totals[1].Findings) > 0 {
		t.Errorf("%+v", k.totals)
	}
}

func TestAnInterimReportIsRead(t *testing.T) {
	k := read(t, content(t, "interim.942.txt"))

	h := k.heads[0]
	if h.Kind != camt.Report || h.Format != MT942 || h.Account.Currency != "EUR" || len(h.Balances) > 0 {
		t.Errorf("%+v", h)
	}

	if e := k.entries; len(e) != 3 || e[0].Details[0].Remittance[0] != "px4k-7q2m für € 12,34" ||
		e[1].Status != camt.Pending ||
		e[1].BookingDate != "" ||
		e[1].Amount != euro("99") ||
		e[2].Code.String() != "NCHG" {
		t.Errorf("%+v", e)
	}

	if len(k.totals[0].Findings) > 0 {
		t.Errorf("%+v", k.totals)
	}
}

// small is a statement of parts.
func small(parts ...string) string {
	return ":20:A\n:25:DE89370400440532013000\n:28C:1/1\n:60F:C261119EUR100,00\n" + strings.Join(
		parts,
		"\n",
	) + "\n:62F:C261120EUR105,00\n-\n"
}

const five = ":61:2611201120C5,00NTRFNONREF"

// F-12: what is damaged, doubled, out of place or impossible is refused with its place.
func TestWhatCannotBeReadIsRefused(t *testing.T) {
	change := func(from, to string) string { return strings.Replace(small(five), from, to, 1) }

	for _, c := range []struct {
		name, file string
		want       iso20022.Code
	}{
		{"nothing", "", iso20022.CodeStructure},
		{"no field", "hello world\n", iso20022.CodeStructure},
		{"no account", change(":25:DE89370400440532013000\n", ""), iso20022.CodeStructure},
		{"an empty account", change("DE89370400440532013000", ""), iso20022.CodeValue},
		{"two accounts", change(":28C:", ":25:DE89370400440532013000\n:28C:"), iso20022.CodeStructure},
		{"two opening balances", change(":61:", ":60F:C261119EUR100,00\n:61:"), iso20022.CodeStructure},
		{"two kinds of opening balance", change(":61:", ":60M:C261119EUR100,00\n:61:"), iso20022.CodeStructure},
		{"two closing balances", change("\n-", "\n:62F:C261120EUR900,00\n-"), iso20022.CodeStructure},
		{"no opening balance", change(":60F:C261119EUR100,00\n", ""), iso20022.CodeStructure},
		{"no closing balance", change(":62F:C261120EUR105,00\n", ""), iso20022.CodeStructure},
		{"no number", change(":28C:1/1\n", ""), iso20022.CodeStructure},
		{"a number that is none", change("1/1", "one"), iso20022.CodeValue},
		{"two references", change(":25:", ":20:B\n:25:"), iso20022.CodeStructure},
		{"a text before the entries", small(":86:a", five), iso20022.CodeStructure},
		{"an entry behind the balance", small(five) + five + "\n", iso20022.CodeStructure},
		{"a floor limit", small(":34F:EUR0,", five), iso20022.CodeStructure},
		{"a field that is none", small(":99X:a", five), iso20022.CodeStructure},
		{"text behind the end", small(five) + "some more text\n", iso20022.CodeStructure},
		{"30 February", change("2611201120", "2602300230"), iso20022.CodeValue},
		{"an entry date that is none", change("2611201120", "2611201131"), iso20022.CodeValue},
		{"a balance of no day", change("C261119", "C261131"), iso20022.CodeValue},
		{"no direction", change("C5,00", "X5,00"), iso20022.CodeValue},
		{"a dot before three digits", change("C5,00", "C5.000"), iso20022.CodeValue},
		{"a dot and a comma", change("C5,00", "C1.005,00"), iso20022.CodeValue},
		{"a blank in the amount", change("C5,00", "C5 000,00"), iso20022.CodeValue},
		{"two commas", change("C5,00", "C5,0,0"), iso20022.CodeValue},
		{"a minus", change("C5,00", "C-5,00"), iso20022.CodeValue},
		{"no amount", change("C5,00", "C,"), iso20022.CodeValue},
		{"too many digits", change("C5,00", "C12345678901234567,00"), iso20022.CodeValue},
		{"another currency at the end", change("C261120EUR", "C261120USD"), iso20022.CodeValue},
		{"a currency that is none", change("C261119EUR", "C261119E1R"), iso20022.CodeValue},
		{"cut off", strings.TrimSuffix(small(five), ":62F:C261120EUR105,00\n-\n"), iso20022.CodeTruncated},
		{"cut off in a balance", strings.TrimSuffix(small(five), ",00\n-\n"), iso20022.CodeTruncated},
		{"a NUL", change("NONREF", "\x00"), iso20022.CodeEncoding},
		{"a long line", small(five, ":86:"+strings.Repeat("a", 1<<17)), iso20022.CodeTooLong},
		{"a long field", small(five, ":86:"+strings.Repeat("a\n", 1<<17)), iso20022.CodeTooLong},
	} {
		err := Read(strings.NewReader(c.file), iso20022.Limits{}, nil, new(keeper))

		var e *iso20022.Error
		if !errors.As(err, &e) || e.Code != c.want {
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
	}
}

func TestPlaceOfAFault(t *testing.T) {
	file := strings.Replace(small(five), "C5,00", "X5,00", 1)

	err := Read(strings.NewReader(file), iso20022.Limits{}, nil, new(keeper))
	if e := new(iso20022.Error); !errors.As(err, &e) || e.Line != 5 || e.Offset != int64(strings.Index(file, ":61:")) ||
		e.Path != ":61:" {
		t.Errorf("%+v", e)
	}
}

// What does not add up is a finding; the entries are handed on.
func TestWhatDoesNotAddUpIsSaid(t *testing.T) {
	interim := content(t, "interim.942.txt")

	for name, c := range map[string]struct {
		file string
		want []camt.FindingCode
	}{
		"it fits":       {small(five), nil},
		"it does not":   {small(five, five), []camt.FindingCode{camt.BalanceDiffers}},
		"parts fit":     {strings.NewReplacer("60F", "60M", "62F", "62M").Replace(small(five)), nil},
		"parts do not":  {strings.NewReplacer("60F", "60M", "62F", "62M").Replace(small()), []camt.FindingCode{camt.BalanceDiffers}},
		"another count": {strings.Replace(interim, "90D:1", "90D:2", 1), []camt.FindingCode{camt.CountDiffers}},
		"another sum":   {strings.Replace(interim, "111,34", "111,35", 1), []camt.FindingCode{camt.SumDiffers}},
	} {
		t.Run(name, func(t *testing.T) {
			var got []camt.FindingCode
			for _, f := range read(t, c.file).totals[0].Findings {
				got = append(got, f.Code)
			}

			if !slices.Equal(got, c.want) {
				t.Errorf("%s: %v, want %v", name, got, c.want)
			}
		})
	}
}

// The year of an entry date is the one next to the value date.
func TestTheYearRollsOver(t *testing.T) {
	for _, c := range []struct{ value, entry, want string }{
		{"261120", "1120", "2026-11-20"},
		{"261230", "0102", "2027-01-02"},
		{"270102", "1230", "2026-12-30"},
		{"260601", "1130", "2026-11-30"},
		{"991231", "0101", "2000-01-01"},
		{"240228", "0229", "2024-02-29"},
	} {
		value, ok := date(c.value)

		got, okEntry := entryDate(value, c.entry)
		if !ok || !okEntry || got != c.want {
			t.Errorf("%v: %s", c, got)
		}
	}

	if _, ok := entryDate("2025-12-30", "0229"); ok {
		t.Error("29 February of no leap year")
	}
}

func TestAccountsAreTold(t *testing.T) {
	for text, want := range map[string]camt.Account{
		"DE89370400440532013000":          {IBAN: "DE89370400440532013000"},
		"NL91 ABNA 0417 1643 00 EUR":      {IBAN: "NL91ABNA0417164300", Currency: "EUR"},
		"37040044/532013000":              {IBAN: "DE89370400440532013000"},
		"37040044/0532013000EUR":          {IBAN: "DE89370400440532013000", Currency: "EUR"},
		"COBADEFF/DE89370400440532013000": {IBAN: "DE89370400440532013000", BIC: "COBADEFF"},
		"NWBKGB2L/31926819":               {Other: "31926819", BIC: "NWBKGB2L"},
		"601613/31926819":                 {Other: "60161331926819"},
		"123456789":                       {Other: "123456789"},
		"123456789USD":                    {Other: "123456789", Currency: "USD"},
		"":                                {},
	} {
		t.Run(text, func(t *testing.T) {
			if got := accountOf(text); got != want {
				t.Errorf("%q is %+v, want %+v", text, got, want)
			}
		})
	}
}

// F-10, D-11: the payer's own text makes nobody another: neither an identification, nor a reason of return, nor a
// name is taken from it.
func TestThePayersTextIsText(t *testing.T) {
	for name, text := range map[string]string{
		"words of the German form":        "166?20EREF+MINE?21SVWZ+hello?22EREF+YOURS?23KREF+YOURS?30PBNKDEFF?31DE02100100100006820101?32Me",
		"parts of the German form":        "166?20EREF+MINE?21SVWZ+hello?32You?22more?30PBNKDEFF?31DE02100100100006820101?32Me",
		"words between slashes":           "/EREF/MINE/NAME/Me/IBAN/DE02100100100006820101/REMI/hello/RTRN/AC04/NAME/You/IBAN/DE89370400440532013000/KREF/YOURS",
		"an identification twice":         "/NAME/Me/REMI/hello/EREF/YOURS/EREF/MINE",
		"a word between slashes in words": "166?20EREF+MINE?21SVWZ+/RTRN/AC04/EREF/YOURS?32Me",
	} {
		var k keeper
		if err := Read(strings.NewReader(small(five, ":86:"+text)), iso20022.Limits{}, nil, &k); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}

		d := k.entries[0].Details[0]
		if d.EndToEndID != "MINE" && d.EndToEndID != "" || d.InstrID != "" || d.Return != nil ||
			d.Debtor.Name != "Me" && d.Debtor.Name != "" ||
			d.Debtor.Account.IBAN == "DE89370400440532013000" ||
			k.entries[0].Code.SubFamily != "" {
			t.Errorf("%s: %+v", name, d)
		}
	}
}

// Files of other formats are not taken for these.
// What follows an identification without a keyword of its own is the bank's text: nothing of it is taken for the
// identification, and people can read why a payment came back.
func TestTheBanksWordsAreNoIdentification(t *testing.T) {
	for text, want := range map[string][2]string{
		"159?20EREF+8YG595Q13039H95VQCQR5K?21BJS8?22MTLG:Konto gesperrt?23Rueckueberweisung": {
			"8YG595Q13039H95VQCQR5KBJS8", "Konto gesperrt Rueckueberweisung",
		},
		"159?20EREF+8YG595Q13039H95VQCQR5KBJS8?21Rueckueberweisung wegen Kontosperre": {
			"", "8YG595Q13039H95VQCQR5KBJS8Rueckueberweisung wegen Kontosperre",
		},
		"159?20EREF+ID?21SVWZ+hello?22MTLG:Konto": {"ID", "hello MTLG:Konto"},
	} {
		e := camt.Entry{Code: camt.TxCode{Proprietary: "NRTI"}, Details: []camt.Detail{{}}}
		readText(&e, field{lines: []string{text}})

		got := [2]string{e.Details[0].EndToEndID, strings.Join(e.Details[0].Remittance, " ")}
		if got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

func TestOtherFilesDoNotLookLikeThese(t *testing.T) {
	for _, s := range []string{"", "<?xml version=\"1.0\"?>", "<Document>", "hello", "A\nB\nC\nD\nE\n:20:A", ":21:A", "{\"1\":2}", "{1:", "PK\x03\x04", "\xff\xfe:\x002\x000\x00:\x00"} {
		if Looks([]byte(s)) {
			t.Errorf("%q looks like a message of SWIFT", s)
		}
	}

	for _, s := range []string{":20:A", "\r\n:20:A", "\xef\xbb\xbf:20:A", "\x01{1:F01", ":940:\r\n:20:A", "ABNANL2A\r\n940\r\nABNANL2A\r\n:20:A"} {
		if !Looks([]byte(s)) {
			t.Errorf("%q does not look like a message of SWIFT", s)
		}
	}
}

// D-10: a file without end is refused after a bounded number of bytes.
func TestEndlessFilesEnd(t *testing.T) {
	for name, c := range map[string]struct {
		unit string
		want iso20022.Code
	}{
		"entries":   {five + "\n", iso20022.CodeTooLarge},
		"one line":  {"a", iso20022.CodeTooLong},
		"one field": {"a\n", iso20022.CodeTooLong},
		"blanks":    {"\n", iso20022.CodeNoRecord},
	} {
		t.Run(name, func(t *testing.T) {
			begin := strings.SplitAfter(small(five), "NONREF\n")[0]
			if name == "one line" || name == "one field" {
				begin += ":86:"
			}

			r := io.MultiReader(strings.NewReader(begin), io.LimitReader(&again{unit: c.unit}, 1<<30))
			counted := &counter{r: r}

			err := Read(counted, iso20022.Limits{Bytes: 16 << 20}, nil, &dropper{})
			if e := new(iso20022.Error); !errors.As(err, &e) || e.Code != c.want || counted.n > 20<<20 {
				t.Errorf("%s: %v after %d bytes, want %s", name, err, counted.n, c.want)
			}
		})
	}
}

type again struct {
	unit string
	at   int
}

func (a *again) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = a.unit[a.at]
		a.at = (a.at + 1) % len(a.unit)
	}

	return len(p), nil
}

type counter struct {
	r io.Reader
	n int64
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}

// dropper keeps nothing.
type dropper struct{}

func (dropper) Statement(camt.Header) error { return nil }
func (dropper) Entry(camt.Entry) error      { return nil }
func (dropper) End(camt.Totals) error       { return nil }

// A source that fails is no bad file, and a handler's error ends the reading.
func TestErrorsOfOthersComeBack(t *testing.T) {
	broken := errors.New("connection lost")

	err := Read(
		io.MultiReader(strings.NewReader(small(five)[:60]), iotest.ErrReader(broken)),
		iso20022.Limits{},
		nil,
		&dropper{},
	)
	if !errors.Is(err, broken) || iso20022.IsRefusal(err) {
		t.Error(err)
	}

	s := &stopper{at: errors.New("stop")}
	if err := Read(strings.NewReader(small(five, five)), iso20022.Limits{}, nil, s); !errors.Is(err, s.at) ||
		s.entries != 1 {
		t.Errorf("%v, %d entries", err, s.entries)
	}
}

type stopper struct {
	dropper
	at      error
	entries int
}

func (s *stopper) Entry(camt.Entry) error { s.entries++; return s.at }

// The message of an error holds nothing of the file's content.
func FuzzRead(f *testing.F) {
	for _, name := range []string{"german.940.txt", "envelope.940.txt", "interim.942.txt"} {
		f.Add(content(f, name))
	}

	f.Add(small(five, ":86:/EREF/a/REMI/b"))
	f.Fuzz(func(t *testing.T, file string) {
		var once, slowly keeper
		err := Read(strings.NewReader(file), iso20022.Limits{Token: 1000}, nil, &once)
		err2 := Read(iotest.OneByteReader(strings.NewReader(file)), iso20022.Limits{Token: 1000}, nil, &slowly)

		if err != nil && !iso20022.IsRefusal(err) {
			t.Fatalf("no refusal: %v", err)
		}

		if fmt.Sprint(err) != fmt.Sprint(err2) || !reflect.DeepEqual(once, slowly) {
			t.Errorf("byte by byte it is something else: %v, %v", err, err2)
		}

		for _, e := range once.entries {
			if e.Amount.Empty() || len(e.Amount.Currency) != 3 || e.Account.ID() == "" || len(e.ValueDate) != 10 ||
				len(e.Details) != 1 {
				t.Errorf("%+v", e)
			}
		}

		if err == nil && (len(once.heads) == 0 || len(once.heads) != len(once.totals)) {
			t.Errorf("%d statements, %d ends", len(once.heads), len(once.totals))
		}
	})
}
