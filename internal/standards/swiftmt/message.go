package swiftmt

import (
	"cmp"
	"regexp"
	"strconv"
	"strings"

	"slipway/internal/standards/bankcode"
	"slipway/internal/standards/iban"
	"slipway/internal/standards/iso20022"
	"slipway/internal/standards/iso20022/camt"
)

// ranks define the order of fields in a message.
var ranks = map[string]int{
	"20":  1,
	"21":  2,
	"25":  3,
	"25P": 3,
	"28":  4,
	"28C": 4,
	"60F": 5,
	"60M": 5,
	"34F": 5,
	"13":  5,
	"13D": 5,
	"61":  6,
	"62F": 7,
	"62M": 7,
	"90D": 7,
	"90C": 7,
	"64":  8,
	"65":  8,
}

// entriesRank and closingRank are those of the statement lines and of the first field after them.
const (
	entriesRank = 6
	closingRank = 7
)

// often lists the fields that may be repeated in a message, with their limit.
var often = map[string]int{"61": 1 << 30, "65": 100, "34F": 2}

// reader is one file being read.
type reader struct {
	s       *scanner
	h       camt.Handler
	charset Charset
	err     error // of the handler
	number  int   // messages so far

	m message
}

// message is the state of the message being read.
type message struct {
	rank    int
	seen    map[string]int // fields by number; 60F and 60M count as one
	header  camt.Header
	begun   bool
	closing []camt.Balance
	counted declared
	tally   camt.Tally

	entry camt.Entry // waits for its text
	text  field
	open  bool
}

// declared is the number and sum of debits or credits in an MT942.
type declared struct {
	count int
	sum   iso20022.Sum
	sides int
}

// take processes a field.
func (p *reader) take(f field) {
	m := &p.m
	switch {
	case f.tag == "-":
		p.finish(f, iso20022.CodeStructure)
		return
	case f.tag == "20" && m.rank > ranks["28C"]: // the next message, without an end of this one
		p.finish(f, iso20022.CodeStructure)
	case f.tag == "NS": // a bank's own
		return
	}

	if p.err != nil || p.s.err != nil {
		return
	}

	if f.tag == "86" {
		p.text(f)
		return
	}

	p.endEntry()

	if _, known := ranks[f.tag]; !known && m.rank >= closingRank { // a bank's own, behind the balance
		return
	}

	if p.inOrder(f) {
		p.put(f)
	}
}

// inOrder reports whether a field may be at this position.
func (p *reader) inOrder(f field) bool {
	m := &p.m

	rank, known := ranks[f.tag]
	if !known {
		p.s.fail(f, iso20022.CodeStructure, "a field that an MT940 or MT942 does not have")
		return false
	}

	if rank < m.rank || m.rank == 0 && rank > 1 {
		p.s.fail(f, iso20022.CodeStructure, "a field out of place")
		return false
	}

	m.rank = rank
	if m.seen == nil {
		m.seen = map[string]int{}
	}

	name := f.tag
	if often[name] == 0 && name != "90D" && name != "90C" {
		name = name[:2]
	}

	if m.seen[name]++; m.seen[name] > max(1, often[f.tag]) {
		p.s.fail(f, iso20022.CodeStructure, "a field is repeated that may occur once")
		return false
	}

	if rank >= entriesRank &&
		(m.header.Kind == "" || m.header.Account.ID() == "" || m.header.Account.Currency == "" || m.header.ID == "") {
		p.s.fail(
			f,
			iso20022.CodeStructure,
			"an entry or a total before account, number, and opening balance (MT940) or floor limit (MT942)",
		)

		return false
	}

	return true
}

// put processes a field that is in order.
func (p *reader) put(f field) {
	h := &p.m.header

	text := strings.TrimSpace(f.text())
	switch f.tag {
	case "20":
		h.MsgID = text
		h.Number = p.number

	case "25", "25P":
		h.Account = accountOf(f.lines[0])
		if h.Account.ID() == "" {
			p.s.fail(f, iso20022.CodeValue, "no account")
		}

		p.s.high = nil
		if p.charset != nil {
			p.s.high = iso20022.Charset(p.charset(h.Account))
		}

	case "28", "28C":
		p.numbers(f, text)
	case "60F":
		p.opening(f, "OPBD")
	case "60M":
		p.opening(f, "ITBD")
	case "34F":
		p.floor(f, text)
	case "13", "13D":
		p.kind(f, camt.Report)
		h.CreatedAt = text
	case "61":
		p.line(f)
	case "62F":
		p.closing(f, "CLBD")
	case "62M":
		p.closing(f, "ITBD")
	case "64":
		p.closing(f, "CLAV")
	case "65":
		p.closing(f, "FWAV")
	case "90D", "90C":
		p.count(f, text)
	}
}

// kind sets which of the two messages it is; fields of both contradict each other.
func (p *reader) kind(f field, k camt.Kind) {
	h := &p.m.header
	if h.Kind != "" && h.Kind != k {
		p.s.fail(f, iso20022.CodeStructure, "fields of an MT940 and of an MT942 in one message")
		return
	}

	h.Kind = k
	h.Format = map[camt.Kind]string{camt.Statement: MT940, camt.Report: MT942}[k]
}

var (
	numbersForm = regexp.MustCompile(`^([0-9]{0,18}) *(?:/ *([0-9]{1,9}))?$`)
	dayForm     = regexp.MustCompile(`^[0-9]{1,4}[-.][0-9]{1,2}[-.][0-9]{1,4}(?:/[0-9]{1,9})?$`)
)

// numbers reads :28C:, the number of the statement and of its part. Banks without numbers write 0, nothing or a day.
func (p *reader) numbers(f field, text string) {
	h := &p.m.header
	h.ID = cmp.Or(text, "0")

	found := numbersForm.FindStringSubmatch(text)
	if found == nil {
		if !dayForm.MatchString(text) {
			p.s.fail(f, iso20022.CodeValue, "a statement number that cannot be one")
		}

		return
	}

	if n := strings.TrimLeft(found[1], "0"); n != "" {
		h.Sequence = n
	}

	h.Page.Number = strings.TrimLeft(found[2], "0")
}

var balanceForm = regexp.MustCompile(`^([CD])([0-9]{6})([A-Z]{3})?([0-9][0-9,.]*)$`)

// balance reads a balance field. One that names no currency is in the account's, as far as that is known.
func (p *reader) balance(f field, kind string) (b camt.Balance, ok bool) {
	found := balanceForm.FindStringSubmatch(strings.TrimSpace(f.text()))
	if found == nil {
		p.s.fail(f, iso20022.CodeValue, "a balance that cannot be one")
		return b, false
	}

	if f.cut && !strings.ContainsAny(found[4], ",.") {
		p.s.fail(f, iso20022.CodeTruncated, "the file ends within an amount")
		return b, false
	}

	currency := cmp.Or(found[3], p.m.header.Account.Currency)
	day, okDay := date(found[2])

	value, okValue := amount(found[4])
	if !okDay || !okValue || currency == "" {
		p.s.fail(f, iso20022.CodeValue, "a balance whose day or amount cannot be one")
		return b, false
	}

	return camt.Balance{
		Type:   kind,
		Amount: iso20022.Amount{Value: value, Currency: currency},
		Credit: found[1] == "C",
		Signed: true,
		Date:   day,
	}, true
}

func (p *reader) opening(f field, kind string) {
	p.kind(f, camt.Statement)

	b, ok := p.balance(f, kind)
	if !ok {
		return
	}

	p.currency(f, b.Amount.Currency)
	p.m.header.Balances = append(p.m.header.Balances, b)
}

// currency sets the account's currency, or compares another field with it.
func (p *reader) currency(f field, currency string) {
	a := &p.m.header.Account
	if a.Currency != "" && a.Currency != currency {
		p.s.fail(f, iso20022.CodeValue, "another currency than the account's")
		return
	}

	a.Currency = currency
}

func (p *reader) closing(f field, kind string) {
	if p.m.header.Kind != camt.Statement {
		p.s.fail(f, iso20022.CodeStructure, "a balance in an MT942")
		return
	}

	b, ok := p.balance(f, kind)
	if !ok {
		return
	}

	if kind == "CLBD" || kind == "ITBD" {
		p.currency(f, b.Amount.Currency)
	}

	p.m.closing = append(p.m.closing, b)
}

var floorForm = regexp.MustCompile(`^([A-Z]{3}) ?([CD]?) ?([0-9][0-9,.]*)$`)

// floor reads :34F:, the limit below which an MT942 omits entries.
func (p *reader) floor(f field, text string) {
	p.kind(f, camt.Report)

	found := floorForm.FindStringSubmatch(text)
	if found == nil {
		p.s.fail(f, iso20022.CodeValue, "a floor limit that cannot be one")
		return
	}

	if _, ok := amount(found[3]); !ok {
		p.s.fail(f, iso20022.CodeValue, "a floor limit that is not a number")
		return
	}

	p.currency(f, found[1])
}

var countForm = regexp.MustCompile(`^([0-9]{1,9})([A-Z]{3})([0-9][0-9,.]*)$`)

// count reads :90D: or :90C:, the number and sum of debits or credits.
func (p *reader) count(f field, text string) {
	found := countForm.FindStringSubmatch(text)
	if found == nil {
		p.s.fail(f, iso20022.CodeValue, "a number and sum that cannot be one")
		return
	}

	value, ok := amount(found[3])
	if !ok {
		p.s.fail(f, iso20022.CodeValue, "a sum that is not a number")
		return
	}

	p.currency(f, found[2])
	n, _ := strconv.Atoi(found[1])
	p.m.counted.count += n
	p.m.counted.sum.Add(value)
	p.m.counted.sides++
}

// begin passes the header to the handler, once.
func (p *reader) begin() {
	m := &p.m
	if m.begun || p.err != nil || p.s.err != nil {
		return
	}

	m.begun = true
	p.s.record = p.s.offset
	p.err = p.h.Statement(m.header)
}

// finish ends a message and checks its mandatory fields.
func (p *reader) finish(f field, code iso20022.Code) {
	m := &p.m
	p.endEntry()

	if p.err != nil || p.s.err != nil {
		return
	}

	h := &m.header

	complete := h.Account.ID() != "" && h.ID != "" &&
		(h.Kind == camt.Report || h.Kind == camt.Statement && m.seen["62"] > 0)
	if !complete {
		p.s.fail(f, code, "a message that ends before it is complete")
		return
	}

	p.begin()

	if p.err != nil {
		return
	}

	p.err = p.h.End(p.totals())
	p.number++
	p.m = message{}
}

// totals compares the entries with the balances, or with the totals of an MT942.
func (p *reader) totals() camt.Totals {
	m := &p.m

	h := m.header
	if h.Kind == camt.Statement {
		opening := h.Balances[0]
		closing := m.closing[0]
		opening.Type = "OPBD" // also if it is that of one part of several
		closing.Type = "CLBD"
		h.Balances = []camt.Balance{opening, closing}
	}

	if m.counted.sides == 2 { // the totals of one side alone prove nothing
		h.DeclaredCount = strconv.Itoa(m.counted.count)
		h.DeclaredSum = m.counted.sum.String()
	}

	t := m.tally.Result(&h)
	t.Balances = m.closing

	return t
}

// text reads :86:, which belongs to the entry before it, or to the message if it follows the balances. Some banks
// repeat the field for each line of the text.
func (p *reader) text(f field) {
	m := &p.m

	switch {
	case !m.open && m.rank < closingRank:
		p.s.fail(f, iso20022.CodeStructure, "a text that belongs to no entry")
	case !m.open:
		return
	case len(m.text.lines)+len(f.lines) > maxLines:
		p.s.fail(f, iso20022.CodeTooLong, "a field is longer than allowed")
	default:
		m.text.lines = append(m.text.lines, f.lines...)
	}
}

// endEntry passes the entry that waited for its text to the handler.
func (p *reader) endEntry() {
	m := &p.m
	if !m.open || p.err != nil || p.s.err != nil {
		return
	}

	m.open = false
	if len(m.text.lines) > 0 {
		readText(&m.entry, m.text)
	}

	m.text = field{}
	p.begin()

	if p.err != nil {
		return
	}

	m.tally.Add(&m.entry)
	p.s.record = p.s.offset
	p.err = p.h.Entry(m.entry)
}

var germanAccount = regexp.MustCompile(`^([0-9]{8})/([0-9]{1,10})$`)

// accountOf reads :25:: an IBAN, or a bank's code and an account number, perhaps followed by the currency.
func accountOf(text string) (a camt.Account) {
	text = strings.TrimSpace(text)

	bank, number, both := strings.Cut(text, "/")
	if !both {
		number = text
	}

	number = strings.ReplaceAll(number, " ", "")
	if n := len(number) - 3; n > 4 && isCurrency(number[n:]) &&
		(isIBAN(number[:n]) || number[n-1] >= '0' && number[n-1] <= '9' && !isIBAN(number)) {
		a.Currency = number[n:]
		number = number[:n]
	}

	_, err := bankcode.ParseBIC(bank)
	switch german := germanAccount.FindStringSubmatch(bank + "/" + number); {
	case isIBAN(number):
		a.IBAN = iban.Normalise(number)
	case both && german != nil:
		bban := german[1] + strings.Repeat("0", 10-len(german[2])) + german[2]
		a.IBAN = "DE" + iban.CheckDigits("DE", bban) + bban
	case !both || err == nil:
		a.Other = number
	default:
		a.Other = strings.ReplaceAll(bank, " ", "") + number
	}

	if both && err == nil {
		a.BIC = bank
	}

	return a
}

func isIBAN(s string) bool {
	_, err := iban.Parse(s)
	return err == nil
}

func isCurrency(s string) bool {
	return len(s) == 3 && strings.Trim(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
}
