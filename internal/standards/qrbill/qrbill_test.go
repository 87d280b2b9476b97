package qrbill_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"slipway/internal/standards/creditorref"
	"slipway/internal/standards/iban"
	"slipway/internal/standards/qrbill"
)

// Numbers of nobody: institution 30999 makes a QR-IBAN, 9000 an ordinary one.
var (
	qrAccount    = account("CH", "30999000000012345")
	plainAccount = account("CH", "09000000000012345")
)

func account(country, bban string) iban.IBAN {
	return iban.IBAN(country + iban.CheckDigits(country, bban) + bban)
}

// full is a payload in which every line stands that may.
func full() []string {
	ref, _ := creditorref.QRR("123456")

	return []string{
		"SPC",
		"0200",
		"1",
		string(qrAccount),
		"S",
		"Werft & Söhne AG",
		"Hafenstrasse",
		"7a",
		"8001",
		"Zürich",
		"CH",
		"",
		"",
		"",
		"",
		"",
		"",
		"",
		"1949.75",
		"CHF",
		"K",
		"Anna Muster",
		"Dorfweg 3",
		"9490 Vaduz",
		"",
		"",
		"LI",
		"QRR",
		ref,
		"Rechnung 7",
		"EPD",
		"//S1/10/7/11/261101/40/0:30",
		"eBill/B/x@example.org",
		"XY;1",
	}
}

func parse(lines []string) (qrbill.Bill, error) { return qrbill.Parse(strings.Join(lines, "\n")) }

func TestEveryElementIsRead(t *testing.T) {
	lines := full()

	want := qrbill.Bill{
		Version: "0200",
		Account: qrAccount,
		Creditor: qrbill.Address{
			Type:     "S",
			Name:     "Werft & Söhne AG",
			Street:   "Hafenstrasse",
			Number:   "7a",
			PostCode: "8001",
			Town:     "Zürich",
			Country:  "CH",
		},
		Debtor: &qrbill.Address{
			Type:    "K",
			Name:    "Anna Muster",
			Line1:   "Dorfweg 3",
			Line2:   "9490 Vaduz",
			Country: "LI",
		},
		Amount:        "1949.75",
		Currency:      "CHF",
		ReferenceType: qrbill.QRR,
		Reference:     lines[28],
		Message:       "Rechnung 7",
		Billing:       lines[31],
		Schemes:       lines[32:],
	}
	for _, end := range []string{"\n", "\r\n"} {
		for _, last := range []string{"", end} {
			got, err := qrbill.Parse(strings.Join(lines, end) + last)
			require.NoError(t, err)
			require.Len(t, got.Warnings, 1)
			require.Equal(t, qrbill.CombinedAddress, got.Warnings[0].Code)
			require.Equal(t, "debtor", got.Warnings[0].Field)
			got.Warnings = nil
			require.Equal(t, want, got)
		}
	}
}

func TestOptionalElementsMayBeMissing(t *testing.T) {
	lines := full()[:31]

	lines[18] = ""
	lines[27] = "NON"
	lines[28] = ""
	lines[29] = ""

	lines[3] = string(plainAccount)
	for i := 20; i < 27; i++ {
		lines[i] = ""
	}

	b, err := parse(lines)
	require.NoError(t, err)
	require.Equal(t, "", b.Amount)
	require.Nil(t, b.Debtor)
	require.Empty(t, b.Warnings)
	require.False(t, b.Notification())
	b, err = parse(append(lines, "", "", ""))
	require.NoError(t, err, "empty lines behind the trailer say nothing")
	require.Empty(t, b.Schemes)
}

// Each row changes one line of a good payload; nothing but the named problem may be found, at that line.
func TestEachRuleIsRefusedWithItsCodeAndLine(t *testing.T) {
	rf, err := creditorref.RF("7")
	require.NoError(t, err)

	for _, c := range []struct {
		line  int
		value string
		code  qrbill.Code
	}{
		{1, "BCD", qrbill.NotSwiss},
		{1, "spc", qrbill.NotSwiss},
		{1, "\ufeffSPC", qrbill.NotSwiss},
		{2, "0100", qrbill.BadVersion},
		{2, "0300", qrbill.BadVersion},
		{2, "020", qrbill.BadVersion},
		{2, "02a0", qrbill.BadVersion},
		{2, "", qrbill.BadVersion},
		{3, "2", qrbill.BadCoding},
		{3, "", qrbill.BadCoding},
		{3, "01", qrbill.BadCoding},
		{4, "", qrbill.BadIBAN},
		{4, "CH9300762011623852958", qrbill.BadIBAN},
		{4, qrAccount.String(), qrbill.BadIBAN},
		{4, strings.ToLower(string(qrAccount)), qrbill.BadIBAN},
		{4, "DE75512108001245126199", qrbill.ForeignIBAN},
		{4, string(plainAccount), qrbill.QRRNeedsQRIBAN},
		{5, "", qrbill.BadAddressType},
		{5, "s", qrbill.BadAddressType},
		{5, "X", qrbill.BadAddressType},
		{6, "", qrbill.Missing},
		{6, "  ", qrbill.Missing},
		{6, strings.Repeat("ä", 71), qrbill.FieldTooLong},
		{7, strings.Repeat("x", 71), qrbill.FieldTooLong},
		{8, strings.Repeat("1", 17), qrbill.FieldTooLong},
		{9, "", qrbill.Missing},
		{9, strings.Repeat("1", 17), qrbill.FieldTooLong},
		{10, "", qrbill.Missing},
		{10, strings.Repeat("x", 36), qrbill.FieldTooLong},
		{11, "ch", qrbill.BadCountry},
		{11, "", qrbill.BadCountry},
		{11, "ZZ", qrbill.BadCountry},
		{11, "CHE", qrbill.BadCountry},
		{11, "H ", qrbill.BadCountry},
		{12, "S", qrbill.NotAllowed},
		{15, "7", qrbill.NotAllowed},
		{18, "CH", qrbill.NotAllowed},
		{19, "1949.7", qrbill.BadAmount},
		{19, "1949", qrbill.BadAmount},
		{19, "1'949.75", qrbill.BadAmount},
		{19, "1949,75", qrbill.BadAmount},
		{19, "01949.75", qrbill.BadAmount},
		{19, "-1.00", qrbill.BadAmount},
		{19, "1000000000.00", qrbill.BadAmount},
		{19, ".75", qrbill.BadAmount},
		{19, " 1949.75", qrbill.BadAmount},
		{19, "1949.750", qrbill.BadAmount},
		{19, "1.9.75", qrbill.BadAmount},
		{19, "00.10", qrbill.BadAmount},
		{20, "USD", qrbill.BadCurrency},
		{20, "chf", qrbill.BadCurrency},
		{20, "", qrbill.BadCurrency},
		{21, "", qrbill.BadAddressType},
		{22, "", qrbill.Missing},
		{24, "", qrbill.Missing},
		{25, "9490", qrbill.NotAllowed},
		{26, "Vaduz", qrbill.NotAllowed},
		{28, "XXX", qrbill.BadRefType},
		{28, "", qrbill.BadRefType},
		{29, "", qrbill.BadReference},
		{29, strings.Repeat("0", 27), qrbill.BadReference},
		{29, "00000000000000000000123457", qrbill.BadReference},
		{29, rf, qrbill.BadReference},
		{29, " " + full()[28], qrbill.BadReference},
		{30, strings.Repeat("x", 141), qrbill.FieldTooLong},
		{31, "", qrbill.BadTrailer},
		{31, "epd", qrbill.BadTrailer},
		{32, strings.Repeat("x", 131), qrbill.FieldTooLong},
		{33, strings.Repeat("x", 101), qrbill.FieldTooLong},
		{34, strings.Repeat("x", 101), qrbill.FieldTooLong},
		{30, "a\tb", qrbill.BadCharacter},
		{30, "a\x00b", qrbill.BadCharacter},
		{30, "a\u202eb", qrbill.BadCharacter},
		{30, "Ω", qrbill.BadCharacter},
		{30, "a\rb", qrbill.BadSeparator},
		{6, "e\u0301", qrbill.BadCharacter},
		{6, "\u200b", qrbill.BadCharacter},
	} {
		lines := full()
		lines[c.line-1] = c.value
		b, err := parse(lines)

		var refused *qrbill.Error
		require.ErrorAs(t, err, &refused, "line %d: %q", c.line, c.value)
		require.Equal(t, qrbill.Bill{}, b, "line %d: %q", c.line, c.value)

		found := false
		for _, p := range refused.Problems {
			found = found || p.Code == c.code

			// An account of the other kind is found where the kind of the reference is told, a long message where
			// billing information is.
			require.True(
				t,
				p.Line == c.line || c.line == 4 && p.Line == 28 || c.line == 30 && p.Line == 32,
				"line %d, %q: %+v",
				c.line,
				c.value,
				p,
			)
		}

		require.True(t, found, "line %d, %q: %v", c.line, c.value, err)
	}
}

func TestReferenceAndAccountGoTogether(t *testing.T) {
	qrr, _ := creditorref.QRR("7")

	scor, _ := creditorref.RF("7")
	for _, c := range []struct {
		account         iban.IBAN
		kind, reference string
		want            qrbill.Code
	}{
		{qrAccount, "QRR", qrr, ""},
		{plainAccount, "SCOR", scor, ""},
		{plainAccount, "NON", "", ""},
		{qrAccount, "SCOR", scor, qrbill.NeedsQRR},
		{qrAccount, "NON", "", qrbill.NeedsQRR},
		{plainAccount, "QRR", qrr, qrbill.QRRNeedsQRIBAN},
		{plainAccount, "NON", scor, qrbill.NotAllowed},
		{plainAccount, "SCOR", qrr, qrbill.BadReference},
		{plainAccount, "SCOR", "", qrbill.BadReference},
	} {
		lines := full()
		lines[3] = string(c.account)
		lines[27] = c.kind
		lines[28] = c.reference
		_, err := parse(lines)

		var refused *qrbill.Error
		if errors.As(err, &refused) {
			require.Len(t, refused.Problems, 1)
			require.Equal(t, c.want, refused.Problems[0].Code)
		}

		require.Equal(t, c.want == "", err == nil, "%s %s: %v", c.kind, c.reference, err)
	}
}

// L-03: what is no payload at all is refused before its lines are looked at.
func TestHostilePayloads(t *testing.T) {
	for text, want := range map[string]qrbill.Code{
		"":                                qrbill.NotSwiss,
		"SPC":                             qrbill.LineCount,
		strings.Join(full(), "\r"):        qrbill.BadSeparator,
		strings.Join(full()[:30], "\n"):   qrbill.LineCount,
		"\n" + strings.Join(full(), "\n"): qrbill.NotSwiss,
		strings.Join(append(full(), "a third scheme"), "\n"):                       qrbill.SchemeCount,
		strings.Join(full(), "\n") + "\n\n":                                        qrbill.SchemeCount,
		strings.Join(full()[:5], "\r\n") + "\n" + strings.Join(full()[5:], "\r\n"): qrbill.BadSeparator,
		strings.Join(full()[:5], "\n") + "\r\n" + strings.Join(full()[5:], "\n"):   qrbill.BadSeparator,
		strings.Replace(strings.Join(full(), "\n"), "ö", "\xf6", 1):                qrbill.NotUTF8, // ISO-8859-1
		strings.Join(full(), "\n") + strings.Repeat("x", 1000):                     qrbill.TooLong,
		strings.Join(full(), "\n") + strings.Repeat("x", 1<<20):                    qrbill.TooLong,
	} {
		t.Run(text, func(t *testing.T) {
			_, err := qrbill.Parse(text)

			var refused *qrbill.Error
			require.ErrorAs(t, err, &refused)
			require.True(t, refused.Has(want), "%.40q: %v", text, err)
		})
	}
}

func TestEverythingThatIsWrongIsTold(t *testing.T) {
	lines := full()
	lines[1] = "9"
	lines[10] = "x"
	lines[18] = "y"
	lines[19] = "z"
	lines[30] = "q"
	_, err := parse(lines)

	var refused *qrbill.Error
	require.ErrorAs(t, err, &refused)

	for _, c := range []qrbill.Code{qrbill.BadVersion, qrbill.BadCountry, qrbill.BadAmount, qrbill.BadCurrency, qrbill.BadTrailer} {
		require.True(t, refused.Has(c), c)
	}

	require.NotContains(t, err.Error(), "Muster", "problems do not repeat what the bill says of people")
}

// A bill of 0.00 informs; so does one that says so. Neither may become something to pay.
func TestBillsThatOnlyInform(t *testing.T) {
	lines := full()
	lines[18] = "0.00"
	b, err := parse(lines)
	require.NoError(t, err)
	require.True(t, b.Notification())
	require.Equal(t, qrbill.ForInformation, b.Warnings[len(b.Warnings)-1].Code)

	lines[18] = ""
	lines[29] = "Nicht zur Zahlung verwenden"
	b, err = parse(lines)
	require.NoError(t, err)
	require.True(t, b.Notification())

	lines[18] = "0.01"
	lines[29] = "Rechnung"
	b, err = parse(lines)
	require.NoError(t, err)
	require.False(t, b.Notification())
}

func TestWhatIsWrittenReadsTheSame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := func(most int) *rapid.Generator[string] {
			return rapid.Map(
				rapid.StringOfN(rapid.RuneFrom([]rune("abcXYZ 019&/+-äöüéÇŁșț€\u00a0")), 0, most, -1),
				func(s string) string {
					return s + "z" // never blanks only
				},
			)
		}

		b := qrbill.Bill{
			Version:       "0200",
			Account:       plainAccount,
			ReferenceType: qrbill.NON,
			Currency:      rapid.SampledFrom([]string{"CHF", "EUR"}).Draw(t, "currency"),
			Creditor: qrbill.Address{
				Type:     "S",
				Name:     text(60).Draw(t, "name"),
				PostCode: text(9).Draw(t, "code"),
				Town:     text(30).Draw(t, "town"),
				Country:  "CH",
			},
		}
		if rapid.Bool().Draw(t, "amount") {
			b.Amount = fmt.Sprintf(
				"%d.%02d",
				rapid.IntRange(1, 999999999).Draw(t, "units"),
				rapid.IntRange(0, 99).Draw(t, "cents"),
			)
		}

		if rapid.Bool().Draw(t, "debtor") {
			b.Debtor = &qrbill.Address{
				Type:     "S",
				Name:     text(60).Draw(t, "name"),
				Street:   text(60).Draw(t, "street"),
				Number:   text(9).Draw(t, "number"),
				PostCode: text(9).Draw(t, "code"),
				Town:     text(30).Draw(t, "town"),
				Country:  "LI",
			}
		}

		if rapid.Bool().Draw(t, "qrr") {
			b.Account = qrAccount
			b.ReferenceType = qrbill.QRR
			b.Reference, _ = creditorref.QRR(rapid.StringMatching("[1-9][0-9]{0,25}").Draw(t, "reference"))
		}

		if rapid.Bool().Draw(t, "message") {
			b.Message = text(60).Draw(t, "message")
			b.Billing = text(60).Draw(t, "billing")
		}

		for range rapid.IntRange(0, 2).Draw(t, "schemes") {
			b.Schemes = append(b.Schemes, text(90).Draw(t, "scheme"))
		}

		payload, err := b.Payload()
		require.NoError(t, err)
		again, err := qrbill.Parse(payload)
		require.NoError(t, err)
		again.Warnings = nil
		require.Equal(t, b, again)
	})
}

func TestBillsAreNotWrittenAgainstTheRules(t *testing.T) {
	good, err := parse(full())
	require.NoError(t, err)

	for code, change := range map[qrbill.Code]func(*qrbill.Bill){
		qrbill.BadAddressType: func(b *qrbill.Bill) {}, // the debtor's is combined
		qrbill.BadCharacter:   func(b *qrbill.Bill) { b.Debtor = nil; b.Message = "a\nEPD" },
		qrbill.BadAmount:      func(b *qrbill.Bill) { b.Debtor = nil; b.Amount = "1" },
		qrbill.SchemeCount:    func(b *qrbill.Bill) { b.Debtor = nil; b.Schemes = []string{"a", "b", "c"} },
		qrbill.Missing:        func(b *qrbill.Bill) { b.Debtor = nil; b.Creditor.Town = "" },
	} {
		b := good
		change(&b)
		_, err := b.Payload()

		var refused *qrbill.Error
		require.ErrorAs(t, err, &refused)
		require.True(t, refused.Has(code), "%s: %v", code, err)
	}
}

func TestBillingInformation(t *testing.T) {
	s, err := qrbill.ParseSwico(
		`//S1/10/X.66711\/8824/11/200712/20/MW-2020-04/30/107978798/31/200601200630/32/2.5:117.22/33/7.7:16.15/40/3:5;1.5:20;0:30/97/new`,
	)
	require.NoError(t, err)
	require.Equal(t, qrbill.Swico{
		Invoice:     "X.66711/8824",
		Date:        "2020-07-12",
		CustomerRef: "MW-2020-04",
		VATNumber:   "107978798",
		VATFrom:     "2020-06-01",
		VATTo:       "2020-06-30",
		VAT:         []qrbill.VATRate{{Percent: "2.5", Amount: "117.22"}},
		ImportVAT:   []qrbill.VATRate{{Percent: "7.7", Amount: "16.15"}},
		Conditions: []qrbill.Discount{
			{Percent: "3", Days: 5},
			{Percent: "1.5", Days: 20},
			{Percent: "0", Days: 30},
		},
		UnknownElements: []qrbill.Element{{Tag: 97, Value: "new"}},
	}, s)
	require.Equal(t, "2020-08-11", s.Due())
	s.UnknownElements = nil
	again, err := qrbill.ParseSwico(s.String())
	require.NoError(t, err)
	require.Equal(t, s, again)

	for _, other := range []string{"", "Bill Information", "//S2/10/7", "//S1", "S1/10/7"} {
		_, err := qrbill.ParseSwico(other)
		require.ErrorIs(t, err, qrbill.ErrNotSwico, other)
	}
}

// A value that breaks its rule is missing, and the others are there all the same.
func TestFaultyBillingInformationIsLeftOut(t *testing.T) {
	for text, problems := range map[string]int{
		"11/201301":           1,
		"11/20201301":         1,
		"11/":                 1,
		"30/107978797":        1,
		"30/CHE107978798":     1,
		"31/200630200601":     1,
		"31/2006":             1,
		"32/a":                1,
		"32/7.7;2.5":          1,
		"33/7.7":              1,
		"33/7.7:":             1,
		"40/30":               1,
		"40/0:-1":             1,
		"40/0:30;":            1,
		"40/0:1000":           1,
		"32/7.":               1,
		"20/a/10/b":           2,
		"11/201201/x":         1,
		"11/201201/40":        1,
		"11/201201/11/201202": 1,
	} {
		t.Run(text, func(t *testing.T) {
			s, err := qrbill.ParseSwico("//S1/10/7/" + text)
			require.NoError(t, err)

			if text == "20/a/10/b" {
				problems = 1 // 10 comes twice, and behind 20
			}

			require.Len(t, s.Problems, problems)
			require.Equal(t, "7", s.Invoice)

			if strings.HasPrefix(text, "11/201201") {
				require.Equal(t, "2020-12-01", s.Date)
				return
			}

			require.Empty(t, s.Date+s.VATNumber+s.VATFrom+s.VATTo)
			require.Empty(t, s.VAT)
			require.Empty(t, s.ImportVAT)
			require.Empty(t, s.Conditions)
		})
	}
}

// L-03, I-09. What is accepted is written back the same.
func FuzzParse(f *testing.F) {
	f.Add(strings.Join(full(), "\n"))
	f.Add(strings.Join(full(), "\r\n") + "\r\n")
	f.Add(strings.Join(full()[:31], "\n"))

	f.Fuzz(func(t *testing.T, text string) {
		b, err := qrbill.Parse(text)
		if _, err := qrbill.ParseSwico(text); err == nil && !strings.HasPrefix(text, "//S1/") {
			t.Fatal("not in this syntax")
		}

		if err != nil {
			return
		}

		if b.Debtor != nil && b.Debtor.Type == qrbill.Combined || b.Creditor.Type == qrbill.Combined {
			return
		}

		again, err := b.Payload()
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}

		back, err := qrbill.Parse(again)
		if err != nil || back.Account != b.Account || back.Amount != b.Amount || back.Reference != b.Reference {
			t.Fatalf("%q came back as %q: %v", text, again, err)
		}
	})
}
