package qrbill

import (
	"strings"
	"unicode/utf8"

	"slipway/internal/standards/bankcode"
	"slipway/internal/standards/creditorref"
	"slipway/internal/standards/iban"
)

// The lines of a payload (IG 4.2.2), from 1.
const (
	lineType = iota + 1
	lineVersion
	lineCoding
	lineAccount
	lineCreditor                                // the first of seven
	lineUltimate  = lineCreditor + addressLines // seven lines that stay empty: reserved
	lineAmount    = lineUltimate + addressLines
	lineCurrency  = lineAmount + 1
	lineDebtor    = lineCurrency + 1 // the first of seven
	lineRefType   = lineDebtor + addressLines
	lineReference = lineRefType + 1
	lineMessage   = lineReference + 1
	lineTrailer   = lineMessage + 1 // the last mandatory line
	lineBilling   = lineTrailer + 1
	lineScheme    = lineBilling + 1 // the first of two
	lastLine      = lineScheme + 1
	addressLines  = 7
)

// The values of the fixed lines.
const (
	header         = "SPC"  // Swiss payments code
	mainVersion    = "02"   // the only version; readers ignore the minor version after it
	defaultVersion = "0200" // of payloads written here
	codingUTF8     = "1"
	trailer        = "EPD" // end of payment data
)

// Maximum lengths in characters (IG 4.2.2).
const (
	maxPayload   = 997
	maxName      = 70
	maxStreet    = 70 // also of the two lines of a combined address
	maxNumber    = 16
	maxPostCode  = 16
	maxTown      = 35
	maxMessage   = 140 // also of billing information, and of both together
	maxScheme    = 100
	maxUnits     = 9 // digits before an amount's point
	manyBytes    = 4 * maxPayload
	refLengthQRR = 27
)

// Is reports whether a QR code's text claims to be a Swiss bill, by its first line.
func Is(text string) bool {
	rest, ok := strings.CutPrefix(text, header)
	return ok && rest != "" && (rest[0] == '\n' || rest[0] == '\r')
}

// Parse parses a payload, byte for byte as the QR code contains it. Its error is an *Error with every broken rule.
// Lines end with LF or with CR LF, all with the same; one line break after the last line is accepted, since many
// programs write it.
func Parse(payload string) (Bill, error) {
	lines, err := split(payload)
	if err != nil {
		return Bill{}, err
	}

	p := &parser{lines: lines}

	b := p.bill()
	if err := p.wrong.err(); err != nil {
		return Bill{}, err
	}

	b.Warnings = warnings(b)

	return b, nil
}

// split returns the lines of a payload that is text, has a valid length, and is a Swiss bill by its first line.
func split(payload string) ([]string, error) {
	var wrong problems
	switch {
	case len(payload) > manyBytes:
		wrong.add(0, "", TooLong, "a payload has at most %d characters", maxPayload)
		return nil, wrong.err()
	case !utf8.ValidString(payload):
		wrong.add(0, "", NotUTF8, "a payload is text in UTF-8")
		return nil, wrong.err()
	case utf8.RuneCountInString(payload) > maxPayload:
		wrong.add(0, "", TooLong, "a payload has at most %d characters", maxPayload)
	}

	end := "\n"
	if first := strings.IndexByte(payload, '\n'); first > 0 && payload[first-1] == '\r' {
		end = "\r\n"
	}

	lines := strings.Split(strings.TrimSuffix(payload, end), end)
	for i, line := range lines {
		if strings.ContainsAny(line, "\r\n") {
			wrong.add(i+1, "", BadSeparator, "lines end with LF or with CR LF, all of a payload alike")
		}
	}

	if lines[0] != header {
		wrong.add(lineType, "type", NotSwiss, "a Swiss bill's first line is %s", header)
	}

	if len(lines) < lineTrailer {
		wrong.add(0, "", LineCount, "a payload has at least %d lines, this one %d", lineTrailer, len(lines))
	}

	if len(lines) > lastLine {
		wrong.add(
			lastLine+1,
			"schemes",
			SchemeCount,
			"a payload has at most two alternative schemes and %d lines",
			lastLine,
		)
	}

	return lines, wrong.err()
}

// parser reads lines and collects problems.
type parser struct {
	lines []string
	wrong problems
}

func (p *parser) line(n int) string {
	if n > len(p.lines) {
		return ""
	}

	return p.lines[n-1]
}

func (p *parser) bill() Bill {
	p.characters()
	p.head()

	b := Bill{
		Version:       p.line(lineVersion),
		Account:       p.account(),
		Currency:      p.line(lineCurrency),
		Amount:        p.line(lineAmount),
		ReferenceType: ReferenceType(p.line(lineRefType)),
		Reference:     p.line(lineReference),
	}
	if creditor := p.address(lineCreditor, "creditor"); creditor != nil {
		b.Creditor = *creditor
	} else {
		p.wrong.add(lineCreditor, "creditor", Missing, "the creditor is missing")
	}

	p.ultimateCreditor()

	if b.Amount != "" && !validAmount(b.Amount) {
		p.wrong.add(
			lineAmount,
			"amount",
			BadAmount,
			"an amount is 0.00 to 999999999.99 with two decimals, without grouping and leading zeros",
		)
	}

	if b.Currency != "CHF" && b.Currency != "EUR" {
		p.wrong.add(lineCurrency, "currency", BadCurrency, "the currency is CHF or EUR")
	}

	b.Debtor = p.address(lineDebtor, "debtor")
	p.reference(b)
	p.texts(&b)

	if p.line(lineTrailer) != trailer {
		p.wrong.add(lineTrailer, "trailer", BadTrailer, "line %d is %s", lineTrailer, trailer)
	}

	for n := lineScheme; n <= lastLine; n++ {
		if s := p.text(n, "schemes", maxScheme); s != "" {
			b.Schemes = append(b.Schemes, s)
		}
	}

	return b
}

func (p *parser) characters() {
	for i, line := range p.lines {
		if strings.ContainsFunc(line, func(r rune) bool { return !allowed(r) }) {
			p.wrong.add(i+1, "", BadCharacter, "a character is outside the set of the Swiss payment standards")
		}
	}
}

func (p *parser) ultimateCreditor() {
	const detail = "the ultimate creditor stays empty until the standard allows it"

	for n := lineUltimate; n < lineUltimate+addressLines; n++ {
		if p.line(n) != "" {
			p.wrong.add(n, "ultimateCreditor", NotAllowed, detail)
		}
	}
}

// texts reads the message and the billing information. Their common limit is that of StrdBkgInf (IG 4.2.2).
func (p *parser) texts(b *Bill) {
	b.Message = p.text(lineMessage, "message", maxMessage)
	b.Billing = p.text(lineBilling, "billing", maxMessage)

	if b.Message == "" || b.Billing == "" {
		return
	}

	if utf8.RuneCountInString(b.Message)+utf8.RuneCountInString(b.Billing) > maxMessage {
		const detail = "message and billing information together have at most %d characters"

		p.wrong.add(lineBilling, "billing", FieldTooLong, detail, maxMessage)
	}
}

func (p *parser) head() {
	v := p.line(lineVersion)
	if len(v) != len(defaultVersion) || !digits(v) || v[:2] != mainVersion {
		p.wrong.add(lineVersion, "version", BadVersion, "the version is four digits, the first two %s", mainVersion)
	}

	if p.line(lineCoding) != codingUTF8 {
		p.wrong.add(lineCoding, "coding", BadCoding, "the coding is %s (UTF-8)", codingUTF8)
	}
}

// account reads the IBAN, which must be in electronic form, and Swiss or from Liechtenstein.
func (p *parser) account() iban.IBAN {
	text := p.line(lineAccount)

	n, err := iban.Parse(text)
	switch {
	case err != nil:
		p.wrong.add(lineAccount, "account", BadIBAN, "%s", err.Error())
	case string(n) != text:
		p.wrong.add(lineAccount, "account", BadIBAN, "the IBAN stands in a payload without blanks and in capitals")

	case n.Country() != "CH" && n.Country() != "LI":
		p.wrong.add(
			lineAccount,
			"account",
			ForeignIBAN,
			"the account of a Swiss bill is in Switzerland or Liechtenstein",
		)

	default:
		return n
	}

	return ""
}

// address reads seven lines and collects their problems; nil if all are empty.
func (p *parser) address(first int, field string) *Address {
	empty := true
	for n := first; n < first+addressLines; n++ {
		empty = empty && p.line(n) == ""
	}

	if empty {
		return nil
	}

	a := &Address{
		Type:    AddressType(p.line(first)),
		Name:    p.text(first+1, field+".name", maxName),
		Country: p.line(first + 6),
	}
	p.must(first+1, field+".name")

	if !bankcode.IsCountry(a.Country) {
		p.wrong.add(first+6, field+".country", BadCountry, "a country is two capitals of ISO 3166-1")
	}

	switch a.Type {
	case Structured:
		a.Street = p.text(first+2, field+".street", maxStreet)
		a.Number = p.text(first+3, field+".number", maxNumber)
		a.PostCode = p.text(first+4, field+".postCode", maxPostCode)
		a.Town = p.text(first+5, field+".town", maxTown)
		p.must(first+4, field+".postCode")
		p.must(first+5, field+".town")

	case Combined:
		a.Line1 = p.text(first+2, field+".line1", maxStreet)
		a.Line2 = p.text(first+3, field+".line2", maxStreet)
		p.must(first+3, field+".line2")

		for i, name := range []string{".postCode", ".town"} {
			if p.line(first+4+i) != "" {
				p.wrong.add(
					first+4+i,
					field+name,
					NotAllowed,
					"a combined address has post code and town in its second line only",
				)
			}
		}

	default:
		p.wrong.add(first, field+".type", BadAddressType, "an address is structured (S) or combined (K)")
	}

	return a
}

// must refuses an empty line, also one of blanks.
func (p *parser) must(n int, field string) {
	if strings.TrimSpace(p.line(n)) == "" {
		p.wrong.add(n, field, Missing, "this element must be there")
	}
}

func (p *parser) text(n int, field string, most int) string {
	s := p.line(n)
	if utf8.RuneCountInString(s) > most {
		p.wrong.add(n, field, FieldTooLong, "this element has at most %d characters", most)
	}

	return s
}

// reference checks the reference against its kind, and the kind against the account (IG 4.2.2, Tp and Ref): a QR-IBAN
// requires a QR reference.
func (p *parser) reference(b Bill) {
	switch b.ReferenceType {
	case QRR:
		if ref, ok := creditorref.ValidQRR(b.Reference); !ok || ref != b.Reference {
			p.wrong.add(
				lineReference,
				"reference",
				BadReference,
				"a QR reference has %d digits, the last of which checks the others",
				refLengthQRR,
			)
		}

		if b.Account != "" && !b.Account.QR() {
			p.wrong.add(lineRefType, "referenceType", QRRNeedsQRIBAN, "a QR reference goes with a QR-IBAN only")
		}

		return

	case SCOR:
		if ref, ok := creditorref.ValidRF(b.Reference); !ok || len(ref) != len(b.Reference) {
			p.wrong.add(
				lineReference,
				"reference",
				BadReference,
				"a creditor reference is RF, two check digits and 1 to 21 letters and digits",
			)
		}

	case NON:
		if b.Reference != "" {
			p.wrong.add(lineReference, "reference", NotAllowed, "without a reference (NON) this line is empty")
		}

	default:
		p.wrong.add(lineRefType, "referenceType", BadRefType, "the kind of reference is QRR, SCOR or NON")
		return
	}

	if b.Account != "" && b.Account.QR() {
		p.wrong.add(lineRefType, "referenceType", NeedsQRR, "a QR-IBAN takes payments with a QR reference only")
	}
}

func warnings(b Bill) (out []Warning) {
	const old = "combined addresses are no longer made since 21 November 2025: the bill is an older one, or its " +
		"maker is"
	if b.Creditor.Type == Combined {
		out = append(out, Warning{CombinedAddress, "creditor", old})
	}

	if b.Debtor != nil && b.Debtor.Type == Combined {
		out = append(out, Warning{CombinedAddress, "debtor", old})
	}

	if b.Notification() {
		out = append(out, Warning{ForInformation, "amount", "this bill informs only and must not be paid"})
	}

	return out
}

// allowed reports whether a character is in the set of IG 2.3, 4.1.1.
func allowed(r rune) bool {
	switch {
	case r >= 0x20 && r <= 0x7e, r >= 0xa0 && r <= 0x17f:
		return true
	case r >= 0x218 && r <= 0x21b, r == '€': // S and T with comma, of Romanian
		return true
	}

	return false
}

// validAmount also accepts 0.00, which bills for information contain.
func validAmount(s string) bool {
	units, cents, ok := strings.Cut(s, ".")
	return ok && len(cents) == 2 && digits(cents) && units != "" && len(units) <= maxUnits && digits(units) &&
		(units == "0" || units[0] != '0')
}

func digits(s string) bool { return strings.Trim(s, "0123456789") == "" }
