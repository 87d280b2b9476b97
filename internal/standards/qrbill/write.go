package qrbill

import "strings"

// Payload returns the text of a bill's QR code, with LF between lines and none at the end. Version may be empty. Parse
// returns the same bill. The error is an *Error, as in Parse. Combined addresses are refused, since new bills may not
// have them.
func (b Bill) Payload() (string, error) {
	if b.Version == "" {
		b.Version = defaultVersion
	}

	lines := make([]string, 0, lastLine)
	lines = append(lines, header, b.Version, codingUTF8, string(b.Account))
	lines = append(lines, b.Creditor.lines()...)
	lines = append(lines, make([]string, addressLines)...)

	lines = append(lines, b.Amount, b.Currency)
	if b.Debtor != nil {
		lines = append(lines, b.Debtor.lines()...)
	} else {
		lines = append(lines, make([]string, addressLines)...)
	}

	lines = append(lines, string(b.ReferenceType), b.Reference, b.Message, trailer)
	if b.Billing != "" || len(b.Schemes) > 0 {
		lines = append(lines, b.Billing)
	}

	lines = append(lines, b.Schemes...)

	var wrong problems
	for i, line := range lines {
		if strings.ContainsAny(line, "\r\n") {
			wrong.add(i+1, "", BadCharacter, "an element is one line")
		}
	}

	if b.Creditor.Type == Combined {
		wrong.add(lineCreditor, "creditor.type", BadAddressType, "a bill is made with structured addresses only")
	}

	if b.Debtor != nil && b.Debtor.Type == Combined {
		wrong.add(lineDebtor, "debtor.type", BadAddressType, "a bill is made with structured addresses only")
	}

	if err := wrong.err(); err != nil {
		return "", err
	}

	text := strings.Join(lines, "\n")
	if _, err := Parse(text); err != nil {
		return "", err
	}

	return text, nil
}

// lines returns the seven lines of an address. Fields that its form does not have are omitted.
func (a Address) lines() []string {
	if a.Type == Combined {
		return []string{string(a.Type), a.Name, a.Line1, a.Line2, "", "", a.Country}
	}

	return []string{string(a.Type), a.Name, a.Street, a.Number, a.PostCode, a.Town, a.Country}
}
