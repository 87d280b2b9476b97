package epcqr

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"slipway/internal/standards/bankcode"
	"slipway/internal/standards/creditorref"
	"slipway/internal/standards/iban"
	"slipway/internal/standards/qrbill"
)

// Codes of payload errors besides those of a Swiss bill.
const (
	BadService qrbill.Code = "QR_BAD_SERVICE"
	BadBIC     qrbill.Code = "QR_BAD_BIC"
	BadPurpose qrbill.Code = "QR_BAD_PURPOSE"
)

// The lines of a payload, from 1. Those after the amount's may be omitted from the end.
const (
	lineTag = iota + 1
	lineVersion
	lineCharset
	lineService
	lineBIC
	lineName
	lineAccount // the last mandatory line
	lineAmount
	linePurpose
	lineReference
	lineText
	lineInformation
)

// maxLong limits the input: twice what a code may contain.
const maxLong = 2 * maxBytes

// Is reports whether a QR code's text claims to start a SEPA credit transfer, by its first line.
func Is(text string) bool {
	rest, ok := strings.CutPrefix(text, tag)
	return ok && rest != "" && (rest[0] == '\n' || rest[0] == '\r')
}

// Parse parses a payload of version 001 or 002, byte for byte as the QR code contains it. A payload that breaks a rule
// gives no transfer but all broken rules, with the texts and codes of package qrbill. Amounts are returned with two
// decimals: EUR20, as many programs write it, is 20.00.
//
// Texts are read as UTF-8. A payload that declares another character set and has characters that depend on it is
// refused, since it is unclear which of the two was meant.
func Parse(payload string) (Transfer, error) {
	lines, err := split(payload)
	if err != nil {
		return Transfer{}, err
	}

	p := &parser{lines: lines}

	t := p.transfer()
	if len(p.wrong) > 0 {
		return Transfer{}, &qrbill.Error{Problems: p.wrong}
	}

	return t, nil
}

// parser reads lines and collects problems.
type parser struct {
	lines []string
	wrong []qrbill.Problem
}

func (p *parser) add(line int, field string, c qrbill.Code, detail string, args ...any) {
	p.wrong = append(p.wrong, qrbill.Problem{Line: line, Field: field, Code: c, Detail: fmt.Sprintf(detail, args...)})
}

func (p *parser) line(n int) string {
	if n > len(p.lines) {
		return ""
	}

	return p.lines[n-1]
}

// split returns the lines of a payload that is text and neither too long nor too short.
func split(payload string) ([]string, error) {
	p := &parser{}
	if len(payload) > maxLong || !utf8.ValidString(payload) {
		p.add(0, "", qrbill.TooLong, "a payload is text of at most %d bytes", maxBytes)
		return nil, &qrbill.Error{Problems: p.wrong}
	}

	if len(payload) > maxBytes {
		p.add(0, "", qrbill.TooLong, "a payload has at most %d bytes", maxBytes)
	}

	end := "\n"
	if first := strings.IndexByte(payload, '\n'); first > 0 && payload[first-1] == '\r' {
		end = "\r\n"
	}

	lines := strings.Split(strings.TrimRight(payload, end), end) // empty elements at the end may be omitted
	for i, line := range lines {
		if strings.ContainsAny(line, "\r\n") {
			p.add(i+1, "", qrbill.BadSeparator, "lines end with LF or with CR LF, all of a payload alike")
		}
	}

	if len(lines) < lineAccount || len(lines) > lineInformation {
		p.add(
			0,
			"",
			qrbill.LineCount,
			"a payload has %d to %d lines, this one %d",
			lineAccount,
			lineInformation,
			len(lines),
		)
	}

	if len(p.wrong) > 0 {
		return nil, &qrbill.Error{Problems: p.wrong}
	}

	return lines, nil
}

func (p *parser) transfer() Transfer {
	p.head()
	t := Transfer{
		Version:   p.line(lineVersion),
		BIC:       p.line(lineBIC),
		Purpose:   p.line(linePurpose),
		Reference: p.line(lineReference),
	}
	t.Name = p.text(lineName, "name", maxName)
	t.Text = p.text(lineText, "text", maxText)

	t.Information = p.text(lineInformation, "information", maxInformation)
	if strings.TrimSpace(t.Name) == "" {
		p.add(lineName, "name", qrbill.Missing, "the payee's name is missing")
	}

	t.Account = p.account()
	switch _, err := bankcode.ParseBIC(t.BIC); {
	case t.BIC == "" && t.Version == version1:
		p.add(lineBIC, "bic", qrbill.Missing, "version 001 has the BIC of the payee's bank")
	case t.BIC != "" && err != nil:
		p.add(lineBIC, "bic", BadBIC, "%s", err.Error())
	}

	if amount := p.line(lineAmount); amount != "" {
		var ok bool

		if t.Amount, ok = readAmount(amount); !ok {
			p.add(
				lineAmount,
				"amount",
				qrbill.BadAmount,
				"an amount is EUR and 0.01 to 999999999.99 with a point, without grouping and leading zeros",
			)
		}
	}

	if !validPurpose(t.Purpose) {
		p.add(linePurpose, "purpose", BadPurpose, "a purpose has up to four capital letters")
	}

	t.Reference = p.reference(t)

	return t
}

// head checks the lines before the transfer.
func (p *parser) head() {
	if p.line(lineTag) != tag {
		p.add(lineTag, "tag", qrbill.NotSwiss, "the first line is %s", tag)
	}

	if v := p.line(lineVersion); v != version1 && v != version2 {
		p.add(lineVersion, "version", qrbill.BadVersion, "the version is 001 or 002")
	}

	switch c := p.line(lineCharset); {
	case len(c) != 1 || c[0] < '1' || c[0] > '8':
		p.add(lineCharset, "charset", qrbill.BadCoding, "the character set is a digit from 1 to 8")

	case c != charsetUTF8 && strings.ContainsFunc(strings.Join(p.lines, ""), func(r rune) bool { return r > 0x7e }):
		p.add(
			lineCharset,
			"charset",
			qrbill.BadCoding,
			"another character set than UTF-8 is declared, and there are characters that differ in it",
		)
	}

	if p.line(lineService) != service {
		p.add(lineService, "service", BadService, "the service is %s", service)
	}
}

func (p *parser) text(n int, field string, most int) string {
	s := p.line(n)
	if utf8.RuneCountInString(s) > most {
		p.add(n, field, qrbill.FieldTooLong, "this element has at most %d characters", most)
	}

	if !line(s, len(s)) {
		p.add(n, field, qrbill.BadCharacter, "a text contains a control character")
	}

	return s
}

// account reads the IBAN, which many programs write in groups of four.
func (p *parser) account() iban.IBAN {
	n, err := iban.Parse(p.line(lineAccount))
	switch {
	case err != nil:
		p.add(lineAccount, "account", qrbill.BadIBAN, "%s", err.Error())
	case !n.InSEPA():
		p.add(lineAccount, "account", qrbill.ForeignIBAN, "the account's country is not one that SEPA reaches")
	}

	return n
}

// reference reads the structured reference. It may be a creditor reference of ISO 11649 or another one (EPC069-12,
// AT-05): what begins as the former must be valid, anything else is accepted as written.
func (p *parser) reference(t Transfer) string {
	if t.Reference == "" {
		return ""
	}

	if t.Text != "" {
		p.add(lineText, "text", qrbill.NotAllowed, "a reference and a text exclude each other")
	}

	if normal, ok := creditorref.ValidRF(t.Reference); ok {
		return normal
	}

	if strings.HasPrefix(t.Reference, "RF") {
		p.add(
			lineReference,
			"reference",
			qrbill.BadReference,
			"the check digits of the reference (ISO 11649) do not fit the others",
		)
	}

	return p.text(lineReference, "reference", maxReference)
}

// readAmount returns the amount after EUR with two decimals.
func readAmount(s string) (string, bool) {
	s, ok := strings.CutPrefix(s, currency)

	units, cents, point := strings.Cut(s, ".")
	if !ok || point && cents == "" || len(cents) > 2 {
		return "", false
	}

	s = units + "." + (cents + "00")[:2]

	return s, validAmount(s)
}
