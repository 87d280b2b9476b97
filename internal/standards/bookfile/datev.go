package bookfile

import (
	"cmp"
	"io"
	"math/big"
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/encoding/charmap"

	"slipway/internal/core/money"
)

// datev writes a batch of bookings in DATEV's exchange format: EXTF 700, category 21, version 13 (DATEV developer
// portal, "Buchungsstapel"). The text is of Windows-1252, parted by semicolons. A text always stands in quotes, a
// number never.
type datev struct {
	text

	currency string
	fields   []string // of the row that is written
}

// DATEVRows is how many bookings a file may have.
const DATEVRows = 99_999

// The places of fields in a row, as the format counts them: from 1.
const (
	datevAmount    = 1
	datevSide      = 2
	datevAccount   = 7
	datevAgainst   = 8
	datevTax       = 9
	datevDay       = 10
	datevDocument  = 11
	datevText      = 14
	datevInfo      = 21 // to 36: pairs of what an information is, and the information
	datevCentre    = 37
	datevLock      = 114
	datevColumns   = 125
	datevMaxText   = 60
	datevMaxInfo   = 210
	datevMaxCentre = 36
)

// datevQuoted are the fields of texts, from first to last. All others are numbers, dates and flags.
var datevQuoted = [][2]int{
	{2, 3},
	{6, 6},
	{9, 9},
	{11, 12},
	{14, 14},
	{16, 16},
	{20, 38},
	{40, 40},
	{42, 42},
	{48, 87},
	{91, 91},
	{95, 96},
	{98, 98},
	{102, 103},
	{105, 105},
	{107, 107},
	{109, 110},
	{112, 112},
	{118, 118},
	{120, 121},
	{123, 123},
}

// NewDATEV returns a writer of a batch for DATEV. The batch has the day after its period as the time at which it was
// made, so that the same content has the same bytes. It is not locked on import.
func NewDATEV(out io.Writer, h Head) Writer {
	w := &datev{text: text{out: out}, currency: h.Currency}
	day := "20060102"

	w.row([]string{
		`"EXTF"`,
		"700",
		"21",
		`"Buchungsstapel"`,
		"13",
		h.To.AddDate(0, 0, 1).Format(day) + "000000000",
		"",
		`"SL"`,
		`"Slipway"`,
		`""`,
		h.Adviser,
		h.Client,
		h.YearStart.Format(day),
		strconv.Itoa(h.AccountLength),
		h.From.Format(day),
		h.To.Format(day),
		datevQuote(datevLabel(h.Title)),
		`""`,
		"1",
		"0",
		"0",
		datevQuote(h.Currency),
		"",
		`""`,
		"",
		"",
		`""`,
		"",
		"",
		`""`,
		`"Slipway"`,
	})
	w.row(datevNames())

	return w
}

// datevNames returns the names of the columns.
func datevNames() []string {
	several := func(count int, names ...string) (out []string) {
		for i := 1; i <= count; i++ {
			for _, n := range names {
				out = append(out, n+" "+strconv.Itoa(i))
			}
		}

		return out
	}

	out := strings.Split("Umsatz (ohne Soll/Haben-Kz);Soll/Haben-Kennzeichen;WKZ Umsatz;Kurs;Basis-Umsatz;"+
		"WKZ Basis-Umsatz;Konto;Gegenkonto (ohne BU-Schlüssel);BU-Schlüssel;Belegdatum;Belegfeld 1;Belegfeld 2;Skonto;"+
		"Buchungstext;Postensperre;Diverse Adressnummer;Geschäftspartnerbank;Sachverhalt;Zinssperre;Beleglink", ";")
	out = append(out, several(8, "Beleginfo - Art", "Beleginfo - Inhalt")...)
	out = append(out, strings.Split("KOST1 - Kostenstelle;KOST2 - Kostenstelle;Kost-Menge;"+
		"EU-Land u. UStID (Bestimmung);EU-Steuersatz (Bestimmung);Abw. Versteuerungsart;Sachverhalt L+L;"+
		"Funktionsergänzung L+L;BU 49 Hauptfunktionstyp;BU 49 Hauptfunktionsnummer;BU 49 Funktionsergänzung", ";")...)
	out = append(out, several(20, "Zusatzinformation - Art", "Zusatzinformation- Inhalt")...)

	return append(out, strings.Split("Stück;Gewicht;Zahlweise;Forderungsart;Veranlagungsjahr;Zugeordnete Fälligkeit;"+
		"Skontotyp;Auftragsnummer;Buchungstyp;USt-Schlüssel (Anzahlungen);EU-Land (Anzahlungen);"+
		"Sachverhalt L+L (Anzahlungen);EU-Steuersatz (Anzahlungen);Erlöskonto (Anzahlungen);Herkunft-Kz;Buchungs GUID;"+
		"KOST-Datum;SEPA-Mandatsreferenz;Skontosperre;Gesellschaftername;Beteiligtennummer;Identifikationsnummer;"+
		"Zeichnernummer;Postensperre bis;Bezeichnung SoBil-Sachverhalt;Kennzeichen SoBil-Buchung;Festschreibung;"+
		"Leistungsdatum;Datum Zuord. Steuerperiode;Fälligkeit;Generalumkehr (GU);Steuersatz;Land;Abrechnungsreferenz;"+
		"BVV-Position;EU-Land u. UStID (Ursprung);EU-Steuersatz (Ursprung);Abw. Skontokonto", ";")...)
}

// Journal writes a journal.
func (w *datev) Journal(j Journal) error {
	for _, p := range pairs(j.Lines) {
		if p.debit.Account.Number != p.credit.Account.Number { // from one place to another of the same account
			w.booking(j, p)
		}
	}

	return w.err
}

func (w *datev) booking(j Journal, p pair) {
	w.fields = make([]string, datevColumns)
	w.set(datevAmount, datevNumber(p.value))
	w.set(datevSide, "S")
	w.set(datevAccount, p.debit.Account.Number)
	w.set(datevAgainst, p.credit.Account.Number)
	w.set(datevTax, cmp.Or(p.debit.Tax, p.credit.Tax))
	w.set(datevDay, j.Day.Format("0201"))
	w.set(datevDocument, cut(datevDocumentNumber(cmp.Or(j.Document, j.ID)), 36))
	w.set(datevText, cut(inert(words(j.Text, j.Party)), datevMaxText))
	w.set(datevCentre, cut(datevCentreCode(cmp.Or(p.debit.Centre, p.credit.Centre)), datevMaxCentre))
	w.set(datevLock, "0")

	at := datevInfo

	for _, i := range [][2]string{
		{"Journal", j.ID},
		{"Debit", p.debit.ID},
		{"Credit", p.credit.ID},
		{"Amount", words(lineText(p.debit), lineText(p.credit))},
		{"Reference", j.Reference},
		{"Party", j.Party},
	} {
		if i[1] != "" {
			w.set(at, i[0])
			w.set(at+1, cut(inert(oneLine(i[1])), datevMaxInfo))

			at += 2
		}
	}

	for _, span := range datevQuoted {
		for i := span[0]; i <= span[1]; i++ {
			w.set(i, datevQuote(w.fields[i-1]))
		}
	}

	w.row(w.fields)
}

func (w *datev) set(field int, s string) { w.fields[field-1] = s }

func (w *datev) row(fields []string) { w.write(windows1252(strings.Join(fields, ";")), "\r\n") }

// Close has nothing to write.
func (w *datev) Close() error { return w.err }

// datevTaxForm is a tax key there.
var datevTaxForm = regexp.MustCompile(`^[0-9]{1,4}$`)

// datevAccountForm is the number of an account there: digits, and not only zeros.
var datevAccountForm = regexp.MustCompile(`^[0-9]{1,8}$`)

// DATEVAccount reports whether DATEV takes a text as the number of an account.
func DATEVAccount(number string) bool {
	return datevAccountForm.MatchString(number) && strings.Trim(number, "0") != ""
}

// DATEVLength returns the length of account numbers that a file has whose longest number is given: 4 to 8.
func DATEVLength(longest int) int { return min(max(longest, 4), 8) }

// datevNumber writes an amount with two decimals after a comma, also of a currency that has none.
func datevNumber(a money.Amount) string { return strings.ReplaceAll(a.Rat().FloatString(2), ".", ",") }

// datevMost is what the amount of a booking is below: it has ten digits before the comma.
var datevMost = big.NewRat(10_000_000_000, 1)

// DATEVAmount reports whether DATEV takes a value as the amount of a booking, whatever its sign.
func DATEVAmount(value money.Amount) bool { return new(big.Rat).Abs(value.Rat()).Cmp(datevMost) < 0 }

func datevQuote(s string) string { return `"` + strings.ReplaceAll(s, `"`, `""`) + `"` }

// datevLabel returns the name of a batch: letters and digits of Windows-1252, and four signs.
func datevLabel(s string) string {
	return cut(oneLine(strings.Map(func(r rune) rune {
		_, ok := charmap.Windows1252.EncodeRune(r)
		if ok && (unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("_.-/", r)) {
			return r
		}

		return ' '
	}, s)), 30)
}

// datevDocumentNumber returns a number with the characters that the field takes.
func datevDocumentNumber(s string) string {
	return keep(oneLine(s), func(r rune) bool {
		return r < unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("$%&*+-/", r))
	})
}

// datevCentreCode returns a cost centre with letters, digits and spaces alone.
func datevCentreCode(s string) string {
	return strings.Map(func(r rune) rune {
		if r < unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r)) {
			return r
		}

		return ' '
	}, oneLine(s))
}

// DATEVTax reports whether DATEV takes a text as a tax key.
func DATEVTax(code string) bool { return datevTaxForm.MatchString(code) }

// windows1252 returns a text in that code page. What it does not have is a question mark.
func windows1252(s string) string {
	out := make([]byte, 0, len(s))

	for _, r := range s {
		c, ok := charmap.Windows1252.EncodeRune(r)
		if !ok {
			c = '?'
		}

		out = append(out, c)
	}

	return string(out)
}
