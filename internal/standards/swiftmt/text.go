package swiftmt

import (
	"cmp"
	"strings"
	"unicode/utf8"

	"slipway/internal/standards/bankcode"
	"slipway/internal/standards/iban"
	"slipway/internal/standards/iso20022"
	"slipway/internal/standards/iso20022/camt"
)

// readText reads :86: into the entry before it. It has one of three forms: German banks write a code and numbered parts
// (166?00...?20...), Dutch and many others keywords between slashes (/EREF/.../NAME/...), the rest plain text.
func readText(e *camt.Entry, f field) {
	d := &e.Details[0]
	switch joined := f.text(); {
	case isNumbered(joined):
		readNumbered(e, d, joined)
	case isSlashed(joined):
		readSlashed(e, d, joined)
	default:
		d.Remittance = remittance(wrapped(f.lines, lineLength))
	}

	d.EndToEndID = iso20022.Provided(d.EndToEndID)
}

// The lengths at which banks break text without a blank: a line of :86:, and a part of the German form.
const (
	lineLength = 65
	partLength = 27
)

// wrapped joins pieces of text: a piece of full length continues in the next one, a shorter one was followed by a
// blank.
func wrapped(pieces []string, full int) string {
	text := ""
	for _, piece := range pieces {
		text += piece
		if utf8.RuneCountInString(piece) < full {
			text += " "
		}
	}

	return strings.TrimSpace(text)
}

func remittance(text string) []string {
	if text == "" {
		return nil
	}

	return []string{text}
}

// isNumbered reports whether a text has the German form: three digits, then parts that begin with a question mark and
// two more digits. Banks of other countries that use it have other marks.
func isNumbered(s string) bool {
	return len(s) >= 6 && digits(s[:3]) && strings.IndexByte(partMarks, s[3]) >= 0 && digits(s[4:6])
}

const partMarks = "?~<>^@"

func digits(s string) bool { return strings.Trim(s, "0123456789") == "" }

// numbered are the parts of the German form.
type numbered struct {
	booking string // the bank's name of the booking
	purpose []string
	name    []string
	account string
	bank    string
}

// cutNumbered splits a text at its marks. The parts are in ascending order. If they are not, one of them is
// the payer's own text, and no name or account is taken from any part.
func cutNumbered(text string) (n numbered) {
	last := ""
	mark := text[:1]

	ordered := true
	for _, part := range strings.Split(text[1:], mark) {
		if len(part) < 2 || !digits(part[:2]) { // a mark in the text
			if i := len(n.purpose) - 1; i >= 0 {
				n.purpose[i] += mark + part
			}

			continue
		}

		key := part[:2]
		value := part[2:]
		ordered = ordered && key > last

		last = key
		switch {
		case key == "00":
			n.booking = strings.TrimSpace(value)
		case key >= "20" && key <= "29", key >= "60" && key <= "63":
			n.purpose = append(n.purpose, value)
		case key == "30":
			n.bank = value
		case key == "31":
			n.account = value
		case key == "32", key == "33":
			n.name = append(n.name, value)
		}
	}

	if !ordered {
		n.name = nil
		n.account = ""
		n.bank = ""
	}

	return n
}

// readNumbered reads the German form (DFÜ-Abkommen, annex 3): booking text, lines of purpose, and the counterparty's
// bank, account and name.
func readNumbered(e *camt.Entry, d *camt.Detail, text string) {
	code := text[:3]
	n := cutNumbered(text[3:])
	e.Info = strings.TrimSpace(e.Info + " " + n.booking)
	swift, _, _ := strings.Cut(e.Code.Proprietary, "+")

	e.Code = codeOf(swift, code)
	if isReturn(swift, code) && d.Return == nil {
		d.Return = returned(code)
	}

	other := party{name: wrapped(n.name, partLength), account: n.account, bank: n.bank}
	readWords(d, n.purpose, &other)
	other.set(e, d)

	if d.Return != nil {
		d.Return.Info = strings.Join(d.Remittance, " ")
	}
}

// words are the keywords of the German form that begin a part of the purpose. The payer's own text follows SVWZ+; in
// it, all keywords but the last two are text: nobody can give himself another's reference.
var words = []string{
	"EREF",
	"KREF",
	"MREF",
	"CRED",
	"DEBT",
	"COAM",
	"OAMT",
	"PURP",
	"IBAN",
	"BIC",
	"SVWZ",
	"ABWA",
	"ABWE",
	notice,
}

// notice begins the bank's own words about a returned payment, with a colon instead of a plus sign.
const notice = "MTLG"

// maxReference is the length of an end-to-end identification (ISO 20022 Max35Text).
const maxReference = 35

// readWords reads the purpose. Without a keyword all of it is the payer's text.
func readWords(d *camt.Detail, parts []string, other *party) {
	values := map[string][]string{} // each begins with its keyword
	current := ""

	free := false
	for _, part := range parts {
		word := wordOf(part)
		if word != "" && (!free || word == "ABWA" || word == "ABWE") && values[word] == nil {
			current = word
		}

		if current == "" { // text before any keyword
			current = "SVWZ"
		}

		free = free || current == "SVWZ"
		values[current] = append(values[current], part)
	}

	joined := func(word string) string { return strings.TrimPrefix(wrapped(values[word], partLength), word+"+") }
	whole := func(word string) string {
		return strings.TrimSpace(strings.TrimPrefix(strings.Join(values[word], ""), word+"+"))
	}
	text := strings.TrimSpace(joined("SVWZ") + " " + strings.TrimPrefix(joined(notice), notice+":"))

	d.EndToEndID = whole("EREF")
	if len(
		d.EndToEndID,
	) > maxReference { // the bank's words follow it, without a keyword: nobody can tell where it ends
		text = strings.TrimSpace(joined("EREF") + " " + text)
		d.EndToEndID = ""
	}

	d.InstrID = cmp.Or(reference(whole("KREF")), d.InstrID)
	d.MandateID = whole("MREF")
	d.Purpose = whole("PURP")
	d.Remittance = remittance(text)
	d.UltimateDebtor = joined("ABWA")
	d.UltimateCreditor = joined("ABWE")
	other.account = cmp.Or(other.account, whole("IBAN"))
	other.bank = cmp.Or(other.bank, whole("BIC"))
}

// wordOf returns the keyword at the beginning of a part, or "".
func wordOf(part string) string {
	for _, w := range words {
		if strings.HasPrefix(part, w+"+") || w == notice && strings.HasPrefix(part, w+":") {
			return w
		}
	}

	return ""
}

// party is the counterparty of an entry according to the text.
type party struct{ name, account, bank string }

// set stores the counterparty: the payer of a credit, the payee of a debit. A reversal keeps the roles of the reversed
// entry.
func (o party) set(e *camt.Entry, d *camt.Detail) {
	p := camt.Party{Name: o.name}
	if isIBAN(o.account) {
		p.Account.IBAN = iban.Normalise(o.account)
	} else {
		p.Account.Other = strings.TrimSpace(o.account)
	}

	bic := ""
	if b, err := bankcode.ParseBIC(o.bank); err == nil {
		bic = string(b)
	}

	if e.Credit != e.Reversal {
		d.Debtor = p
		d.DebtorAgentBIC = bic
	} else {
		d.Creditor = p
		d.CreditorAgentBIC = bic
	}
}

// keys are the keywords between slashes that begin a value; unused ones only end others.
var keys = map[string]bool{
	"EREF": true,
	"KREF": true,
	"PREF": true,
	"IREF": true,
	"MARF": true,
	"CSID": true,
	"RTRN": true,
	"TRTP": true,
	"IBAN": true,
	"BIC":  true,
	"NAME": true,
	"CNTP": true,
	"BENM": true,
	"ORDP": true,
	"REMI": true,
	"PURP": true,
	"ULTC": true,
	"ULTD": true,
	"ADDR": true,
	"ISDT": true,
	"SVCL": true,
	"BUSP": true,
	"INST": true,
	"NRTX": true,
	"OCMT": true,
	"CHGS": true,
	"EXCH": true,
}

// isSlashed reports whether a text begins with a keyword between slashes.
func isSlashed(s string) bool {
	if s == "" || s[0] != '/' {
		return false
	}

	word, _, found := strings.Cut(s[1:], "/")

	return found && keys[word]
}

// slashed is a keyword between slashes with its value.
type slashed struct{ key, value string }

// cutSlashed splits a text at the keywords between slashes. The payer's own text follows REMI; in it, all keywords but
// EREF, which some banks write last, are text.
func cutSlashed(text string) (out []slashed) {
	free := false
	for _, word := range strings.Split(text[1:], "/") {
		n := len(out)
		if keys[word] && (!free || word == "EREF") {
			out = append(out, slashed{key: word})
			free = free || word == "REMI"
			continue
		}

		if n > 0 {
			out[n-1].value += "/" + word
		}
	}

	for i := range out {
		out[i].value = strings.TrimPrefix(out[i].value, "/")
	}

	return out
}

// readSlashed reads the form with keywords between slashes. A repeated keyword is ignored: one of its values may be the
// payer's.
func readSlashed(e *camt.Entry, d *camt.Detail, text string) {
	values := map[string]string{}

	twice := map[string]bool{}
	for _, x := range cutSlashed(text) {
		if _, again := values[x.key]; again {
			twice[x.key] = true
		}

		values[x.key] = x.value
	}

	value := func(key string) string {
		if twice[key] {
			return ""
		}

		return strings.TrimSpace(strings.TrimRight(values[key], "/"))
	}

	d.EndToEndID = value("EREF")
	d.InstrID = cmp.Or(reference(value("KREF")), d.InstrID)
	d.PmtInfID = reference(value("PREF"))
	d.MandateID = value("MARF")
	d.Purpose = strings.TrimPrefix(value("PURP"), "CD/")
	d.UltimateDebtor = value("ULTD")
	d.UltimateCreditor = value("ULTC")
	e.Info = strings.TrimSpace(e.Info + " " + value("TRTP"))

	d.Remittance, d.StructuredRefs = remitted(value("REMI"))
	if why := value("RTRN"); why != "" {
		code, info, _ := strings.Cut(why, "/")
		d.Return = returned(e.Code.Proprietary)
		d.Return.Code = code
		d.Return.Reason = iso20022.ReturnReason(code)
		d.Return.Info = strings.Trim(info, "/ ")
		e.Code.Domain = "PMNT"
		e.Code.Family = "ICDT"
		e.Code.SubFamily = "RRTN"
	}

	other := party{name: value("NAME"), account: value("IBAN"), bank: value("BIC")}
	if c := strings.Split(values["CNTP"], "/"); !twice["CNTP"] && len(c) >= 3 { // account, bank, name, town
		other = party{name: strings.TrimSpace(c[2]), account: c[0], bank: c[1]}
	}

	other.set(e, d)
}

// remitted reads what follows REMI: USTD//text, STRD/CUR/reference, or text at once.
func remitted(s string) (text, refs []string) {
	if rest, ok := strings.CutPrefix(s, "STRD/"); ok {
		_, ref, _ := strings.Cut(rest, "/")
		return nil, remittance(strings.Trim(ref, "/ "))
	}

	s = strings.TrimPrefix(s, "USTD/")

	return remittance(strings.Trim(s, "/ ")), nil
}
