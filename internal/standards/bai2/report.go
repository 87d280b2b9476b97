package bai2

import (
	"cmp"
	"regexp"
	"strconv"
	"strings"

	"slipway/internal/standards/iban"
	"slipway/internal/standards/iso20022"
	"slipway/internal/standards/iso20022/camt"
)

// The levels of a file, each within the one before.
type level int

const (
	outside level = iota
	inFile
	inGroup
	inAccount
)

// place says which records may stand at a level, and which level they lead to.
var places = map[string]struct{ at, to level }{
	"01": {outside, inFile},
	"02": {inFile, inGroup},
	"03": {inGroup, inAccount},
	"16": {inAccount, inAccount},
	"49": {inAccount, inGroup},
	"98": {inGroup, inFile},
	"99": {inFile, outside},
}

// control is what a trailer states of everything within.
type control struct {
	sum     iso20022.Sum // in minor units, debits added like credits
	members int64        // accounts of a group, groups of a file
	records int64        // physical ones, with the trailer
}

type reader struct {
	s     *scanner
	h     camt.Handler
	err   error // the handler's
	level level
	files int

	file, group, account control
	message              string // identifies file and group
	asOf, hour           string
	modifier, currency   string

	header camt.Header
	tally  camt.Tally
	number int // of the statement in the file
}

// take processes a record.
func (p *reader) take(rec record) {
	place, known := places[rec.code]
	if !known || place.at != p.level {
		p.s.fail(rec, iso20022.CodeStructure, "a record out of place")
		return
	}

	p.level = place.to
	lines := int64(len(rec.lines))
	p.file.records += lines
	p.group.records += lines
	p.account.records += lines

	switch rec.code {
	case "01":
		p.beginFile(rec)
	case "02":
		p.beginGroup(rec)
	case "03":
		p.beginAccount(rec)
	case "16":
		p.transaction(rec)
	case "49":
		p.endAccount(rec)
	case "98":
		p.endGroup(rec)
	case "99":
		p.endFile(rec)
	}
}

func (p *reader) beginFile(rec record) {
	f := rec.fields()
	sender := f.field()
	_ = f.field() // the receiver: us
	created := f.field()
	_ = f.field() // the time
	p.message = strings.Join([]string{sender, created, f.field()}, "-")
	p.file = control{records: int64(len(rec.lines))}
	p.files++
}

// The status of a group that is not simply taken.
const (
	groupDeletes = "2"
	groupTests   = "4"
)

func (p *reader) beginGroup(rec record) {
	f := rec.fields()
	_ = f.field() // the receiver
	_ = f.field() // the originator
	status := f.field()
	asOf, ok := day(f.field())
	p.asOf = asOf
	p.hour = strings.ReplaceAll(f.field(), ":", "")
	p.currency = f.field()
	p.modifier = f.field()
	p.group = control{records: int64(len(rec.lines))}

	switch {
	case status == groupDeletes:
		p.s.fail(rec, iso20022.CodeValue, "a group that deletes an earlier one: people have to compare the days")
	case status == groupTests:
		p.s.fail(rec, iso20022.CodeValue, "a group of test data")
	case !ok:
		p.s.fail(rec, iso20022.CodeValue, "a day that cannot be one")
	}
}

// The type codes of an account record that say a balance, and what ISO 20022 calls it.
var balances = map[string]string{
	"010": "OPBD",
	"015": "CLBD",
	"030": "ITBD",
	"040": "OPAV",
	"045": "CLAV",
	"060": "ITAV",
}

// defaultCurrency is that of an account for which neither its record nor its group names one.
const defaultCurrency = "USD"

func (p *reader) beginAccount(rec record) {
	f := rec.fields()
	p.account = control{records: int64(len(rec.lines))}
	p.tally = camt.Tally{}
	p.header = camt.Header{
		Format:  Format,
		MsgID:   p.message,
		Number:  p.number,
		ID:      p.asOf,
		From:    p.asOf,
		To:      p.asOf,
		Account: accountOf(f.field()),
	}
	p.header.Account.Currency = cmp.Or(f.field(), p.currency, defaultCurrency)

	if p.header.Account.ID() == "" {
		p.s.fail(rec, iso20022.CodeValue, "no account")
		return
	}

	for f.more && p.s.err == nil {
		p.summary(rec, f)
	}

	p.header.Kind = p.kind()
	if p.s.err == nil {
		p.err = p.h.Statement(p.header)
	}
}

// summary reads one of the groups of type code, amount, number of items and funds type.
func (p *reader) summary(rec record, f *cursor) {
	code, last := f.next()
	if code == "" && last {
		return // a comma before the end of a line, as some banks write
	}

	value := f.field()
	_ = f.field() // the number of items

	if !skipFunds(f) || code != "" && !isCode(code) {
		p.s.fail(rec, iso20022.CodeValue, "a type code or a kind of funds that cannot be one")
		return
	}

	if value == "" {
		return
	}

	minus := strings.HasPrefix(value, "-")
	amount, ok := p.amount(strings.TrimLeft(value, "+-"))

	if !ok || !p.add(value) {
		p.s.fail(rec, iso20022.CodeValue, "an amount that cannot be one")
		return
	}

	if kind := balances[code]; kind != "" {
		p.header.Balances = append(p.header.Balances, camt.Balance{
			Type:   kind,
			Amount: amount,
			Credit: !minus,
			Signed: true,
			Date:   p.asOf,
		})
	}
}

// The modifiers of a day: 1 and 2 are of a day before, interim and final, 3 and 4 of the present day.
const finalOfADayBefore = "2"

// kind says whether the day is over: it is said so or, where a bank says nothing, the report has the balances of a
// whole day or is of its end (2400, or 9999). Everything else is a report during the day, of which nothing is booked.
func (p *reader) kind() camt.Kind {
	_, opening := p.header.Balance("OPBD")
	_, closing := p.header.Balance("CLBD")
	over := p.modifier == "" && (opening && closing || p.hour == "2400" || p.hour == "9999")

	if p.modifier == finalOfADayBefore || over {
		return camt.Statement
	}

	return camt.Report
}

// notMonetary is the type code of a text about the account.
const notMonetary = "890"

func (p *reader) transaction(rec record) {
	f := rec.fields()
	code := f.field()
	value := f.field()

	if code == notMonetary {
		if value != "" && !p.add(value) {
			p.s.fail(rec, iso20022.CodeValue, "an amount that cannot be one")
		}

		return
	}

	credit, known := direction(code)
	if !known {
		p.s.fail(rec, iso20022.CodeValue, "a type code that says neither credit nor debit")
		return
	}

	amount, ok := p.amount(value)
	valued, okFunds := p.funds(f)

	if !ok || !p.add(value) {
		p.s.fail(rec, iso20022.CodeValue, "an amount that cannot be one")
		return
	}

	if !okFunds {
		p.s.fail(rec, iso20022.CodeValue, "a kind of funds that cannot be one")
		return
	}

	e := camt.Entry{
		Account:     p.header.Account,
		Statement:   p.header.Number,
		Number:      p.tally.Entries(),
		Amount:      amount,
		Credit:      credit,
		Reversal:    reversals[code],
		Status:      camt.Booked,
		BookingDate: p.asOf,
		ValueDate:   cmp.Or(valued, p.asOf),
		AcctSvcrRef: iso20022.Provided(f.field()),
		Code:        camt.TxCode{Proprietary: code, Issuer: "BAI"},
	}
	if p.header.Kind != camt.Statement {
		e.Status = camt.Pending
	}

	d := camt.Detail{Amount: amount, Credit: credit, EndToEndID: iso20022.Provided(f.field())}
	readTexts(&d, f.texts())

	if returns[code] {
		d.Return = &camt.Return{OriginalCode: code}
		d.Return.Code = reasonForm.FindString(d.Info)
		d.Return.Reason = iso20022.ReturnReason(d.Return.Code)
		e.Code.Domain = "PMNT"
		e.Code.Family = "ICDT"
		e.Code.SubFamily = "RRTN"
	}

	if strings.Trim(amount.Value, "0.") == "" {
		return // nothing moved
	}

	e.Details = []camt.Detail{d}
	p.tally.Add(&e)
	p.err = p.h.Entry(e)
}

// Entries that undo an earlier one, and those that are returned payments: items of the clearing house and wires that
// came back, or were never let through. A return's reason stands in its text, if anywhere.
var (
	reversals  = map[string]bool{"252": true, "258": true, "552": true}
	returns    = map[string]bool{"257": true, "261": true, "266": true, "557": true}
	reasonForm = regexp.MustCompile(`\bR[0-9]{2}\b`)
)

// direction says which way the money of a type code went: 101 to 399 and a bank's own from 920 are credits, 401 to 699
// and a bank's own from 960 debits. 100 and 400 are sums.
func direction(code string) (credit, known bool) {
	n, err := strconv.Atoi(code)

	switch {
	case err != nil || !isCode(code):
		return false, false
	case n > 100 && n < 400, n >= 920 && n < 960:
		return true, true
	case n > 400 && n < 700, n >= 960:
		return false, true
	}

	return false, false
}

// readTexts reads the text of a transaction. Some banks begin each continuation with a word that says what it is.
func readTexts(d *camt.Detail, texts []string) {
	for _, text := range texts {
		word, value, named := strings.Cut(text, ":")
		value = strings.TrimSpace(value)

		switch {
		case named && word == "EREF":
			d.EndToEndID = cmp.Or(iso20022.Provided(value), d.EndToEndID)
		case named && word == "DBNM":
			d.Debtor.Name = value
		case named && word == "CRNM":
			d.Creditor.Name = value
		case named && word == "REMI":
			d.Remittance = append(d.Remittance, value)
		}
	}

	d.Info = strings.Join(texts, " ")
	if len(d.Remittance) == 0 && d.Info != "" {
		d.Remittance = []string{d.Info}
	}
}

func (p *reader) endAccount(rec record) {
	p.group.members++

	sum := p.account.sum
	p.group.sum.AddSum(&sum)

	f := rec.fields()
	if !p.holds(rec, &p.account, f.field(), "", f.field()) {
		return
	}

	p.err = p.h.End(p.tally.Result(&p.header))
	p.number++
}

func (p *reader) endGroup(rec record) {
	p.file.members++

	sum := p.group.sum
	p.file.sum.AddSum(&sum)

	f := rec.fields()
	p.holds(rec, &p.group, f.field(), f.field(), f.field())
}

func (p *reader) endFile(rec record) {
	f := rec.fields()
	p.holds(rec, &p.file, f.field(), f.field(), f.field())
}

// holds compares a trailer with what was read.
func (p *reader) holds(rec record, c *control, sum, members, records string) bool {
	count := func(text string, n int64) bool {
		stated, err := strconv.ParseInt(text, 10, 64)
		return err == nil && stated == n
	}

	switch {
	case !c.sum.Equal(sum):
		p.s.fail(rec, iso20022.CodeValue, "a control total that the amounts do not make")
	case members != "" && !count(members, c.members):
		p.s.fail(rec, iso20022.CodeValue, "another number of accounts or groups than there are")
	case !count(records, c.records):
		p.s.fail(rec, iso20022.CodeValue, "another number of records than there are")
	}

	return p.s.err == nil
}

// add adds an amount, with its sign, to the account's control total.
func (p *reader) add(value string) bool {
	digits := strings.TrimLeft(value, "+-")
	if len(value)-len(digits) > 1 || !isNumber(digits) {
		return false
	}

	if strings.HasPrefix(value, "-") {
		p.account.sum.Sub(digits)
	} else {
		p.account.sum.Add(digits)
	}

	return true
}

// mostDigits limits an amount.
const mostDigits = 18

// amount returns digits in minor units as an amount of the account's currency.
func (p *reader) amount(digits string) (iso20022.Amount, bool) {
	if !isNumber(digits) {
		return iso20022.Amount{}, false
	}

	currency := p.header.Account.Currency
	decimals := iso20022.MinorUnits(currency)
	digits = strings.TrimLeft(digits, "0")
	digits = strings.Repeat("0", max(0, decimals+1-len(digits))) + digits

	value := digits[:len(digits)-decimals]
	if decimals > 0 {
		value += "." + digits[len(digits)-decimals:]
	}

	return iso20022.Amount{Value: value, Currency: currency}, true
}

// funds reads when the money of a transaction is available, and returns the value day where it is stated.
func (p *reader) funds(f *cursor) (valued string, ok bool) {
	kind := f.field()

	switch kind {
	case "V":
		text := f.field()
		_ = f.field() // the time

		if text == "" {
			return "", true
		}

		return day(text)
	case "", "Z", "0", "1", "2":
		return "", true
	}

	return "", skipShares(kind, f)
}

// skipFunds reads past the kind of funds of a summary.
func skipFunds(f *cursor) bool {
	switch kind := f.field(); kind {
	case "V":
		_ = f.field()
		_ = f.field()

		return true
	case "", "Z", "0", "1", "2":
		return true
	default:
		return skipShares(kind, f)
	}
}

// mostShares limits the days over which funds become available.
const mostShares = 1_000

// skipShares reads past the shares of an amount that become available on several days.
func skipShares(kind string, f *cursor) bool {
	n := 3 // S: immediately, after a day, after more

	if kind == "D" {
		days, err := strconv.Atoi(f.field())
		if err != nil || days < 0 || days > mostShares {
			return false
		}

		n = 2 * days
	} else if kind != "S" {
		return false
	}

	for range n {
		_ = f.field()
	}

	return true
}

// day reads YYMMDD, and YYYYMMDD, with slashes as some banks write. The two digits mean 1980 to 2079.
func day(text string) (string, bool) {
	text = strings.ReplaceAll(text, "/", "")
	if !isNumber(text) || len(text) != 6 && len(text) != 8 {
		return "", false
	}

	if len(text) == 6 {
		century := "20"
		if text >= "80" {
			century = "19"
		}

		text = century + text
	}

	year, _ := strconv.Atoi(text[:4])
	month, _ := strconv.Atoi(text[4:6])
	of, _ := strconv.Atoi(text[6:])

	return text[:4] + "-" + text[4:6] + "-" + text[6:], iso20022.DayExists(year, month, of)
}

func accountOf(text string) camt.Account {
	if _, err := iban.Parse(text); err == nil {
		return camt.Account{IBAN: iban.Normalise(text)}
	}

	return camt.Account{Other: text}
}

func isCode(text string) bool { return len(text) == 3 && isNumber(text) }

func isNumber(text string) bool {
	return text != "" && len(text) <= mostDigits && strings.Trim(text, "0123456789") == ""
}
