package pain

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"slipway/internal/standards/bankcode"
	"slipway/internal/standards/creditorref"
	"slipway/internal/standards/iban"
	"slipway/internal/standards/iso20022"
)

// Lengths of the schema (Max35Text and so on) and of the guidelines.
const (
	maxID         = 35
	maxRemittance = 140
	maxLine       = 70
	maxTown       = 35
	maxShort      = 16
	maxLines      = 2
	maxAccount    = 34
	maxFaults     = 1000
	maxTransfers  = 100_000
	maxBlocks     = 1000
)

// checker checks an initiation, collects faults, and converts texts to what will be written.
type checker struct {
	faults    []Fault
	changes   []Change
	guideline Guideline
	rules     rules
	seen      map[string]bool
}

func (c *checker) fault(path string, code FaultCode, detail string, args ...any) {
	if len(c.faults) < maxFaults {
		c.faults = append(c.faults, Fault{path, code, fmt.Sprintf(detail, args...)})
	}
}

// initiation checks everything and returns a copy with the texts as they will be written.
func (c *checker) initiation(d Initiation) Initiation {
	c.seen = map[string]bool{}
	c.rules = services[SEPA] // the header has SEPA's characters, whatever follows
	c.guideline = d.Guideline
	c.id("/msgID", d.MsgID)

	if d.CreatedAt.IsZero() || d.CreatedAt.Year() > 9999 {
		c.fault("/createdAt", Format, "the time of creation is needed")
	}

	d.InitiatingParty = c.party("/initiatingParty", d.InitiatingParty)
	switch {
	case len(d.Blocks) == 0:
		c.fault("/blocks", Missing, "a file has at least one block")
	case len(d.Blocks) > maxBlocks:
		c.fault("/blocks", TooMany, "a file has at most %d blocks", maxBlocks)
		return d
	}

	d.Blocks = slices.Clone(d.Blocks)

	total := 0
	for i := range d.Blocks {
		if total += len(d.Blocks[i].Transfers); total > maxTransfers {
			c.fault("/blocks", TooMany, "a file has at most %d payments", maxTransfers)
			return d
		}

		d.Blocks[i] = c.block("/blocks/"+strconv.Itoa(i), d.Blocks[i])
	}

	return d
}

func (c *checker) block(path string, b Block) Block {
	c.id(path+"/pmtInfID", b.PmtInfID)
	c.unique(path+"/pmtInfID", "block", b.PmtInfID)

	r, ok := rulesOf(b.Service, c.guideline)
	if !ok {
		c.fault(path+"/service", Format, "the service %q is not known", string(b.Service))
		return b
	}

	c.rules = r
	b.Debtor = c.party(path+"/debtor", b.Debtor)
	c.account(path+"/debtorAccount", b.DebtorAccount, false)

	b.DebtorAgent = c.debtorAgent(path+"/debtorAgent", b)

	if day, err := time.Parse(time.DateOnly, b.ExecutionDate); err != nil ||
		day.Format(time.DateOnly) != b.ExecutionDate {
		c.fault(path+"/executionDate", Format, "the day of execution is written 2006-01-02")
	}

	if _, known := bearer[b.Charges]; !known && !r.slev || b.Charges != "" && !known {
		c.fault(path+"/charges", Format, "charges are OUR, SHA or BEN")
	}

	if r.slev && b.Charges != "" && b.Charges != SHA {
		c.fault(path+"/charges", NotAllowed, "SEPA knows only shared charges")
	}

	c.code(path+"/categoryPurpose", b.CategoryPurpose)
	c.instrument(path, b)

	if len(b.Transfers) == 0 {
		c.fault(path+"/transfers", Missing, "a block has at least one payment")
	}

	b.Transfers = slices.Clone(b.Transfers)
	for i := range b.Transfers {
		b.Transfers[i] = c.transfer(path+"/transfers/"+strconv.Itoa(i), b.Transfers[i])
	}

	return b
}

func (c *checker) instrument(path string, b Block) {
	if b.LocalInstrument == "" {
		return
	}

	if b.Service != ACH {
		c.fault(path+"/localInstrument", NotAllowed, "only ACH leaves a choice of local instrument")
	} else if b.LocalInstrument != "CCD" && b.LocalInstrument != "PPD" && b.LocalInstrument != "CTX" {
		c.fault(path+"/localInstrument", Format, "the local instrument of an ACH credit is CCD, PPD or CTX")
	}
}

func (c *checker) transfer(path string, t Transfer) Transfer {
	c.id(path+"/endToEndID", t.EndToEndID)
	c.unique(path+"/endToEndID", "end-to-end", t.EndToEndID)

	if t.InstrID == "" {
		t.InstrID = t.EndToEndID
	} else {
		c.id(path+"/instrID", t.InstrID)
		c.unique(path+"/instrID", "instruction", t.InstrID)
	}

	if t.UETR != "" {
		if !isUETR(t.UETR) {
			c.fault(path+"/uetr", Format, "a UETR is a UUID of version 4 in lower case")
		}

		c.unique(path+"/uetr", "uetr", t.UETR)
	}

	t.Amount = c.amount(path, t)

	t.Creditor = c.party(path+"/creditor", t.Creditor)
	if c.rules.address && t.Creditor.Address.empty() {
		c.located(path+"/creditor/address", t.Creditor.Address)
	}

	c.account(path+"/creditorAccount", t.CreditorAccount, true)

	if c.rules.iban || c.rules.swiss { // both have no place for it
		t.CreditorAccount.Type = ""
	}

	t.CreditorAgent = c.agent(path+"/creditorAgent", t.CreditorAgent)
	c.creditorBank(path, t)

	t.Intermediary = c.agent(path+"/intermediary", t.Intermediary)
	if c.rules.iban && !t.Intermediary.empty() {
		c.fault(path+"/intermediary", NotAllowed, "this service has no intermediary banks")
	}

	c.code(path+"/purpose", t.Purpose)
	t.Remittance = c.text(path+"/remittance", t.Remittance, maxRemittance)
	t.Reference = c.reference(path, t)

	t.Instruction = c.text(path+"/instruction", t.Instruction, maxRemittance)
	if c.rules.iban && t.Instruction != "" {
		c.fault(path+"/instruction", NotAllowed, "this service carries no instructions to banks")
	}

	return t
}

// amount returns the amount with all decimals of its currency.
func (c *checker) amount(path string, t Transfer) string {
	if len(t.Currency) != 3 || strings.Trim(t.Currency, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") != "" {
		c.fault(path+"/currency", Format, "a currency has three capital letters")
		return t.Amount
	}

	if c.rules.currency != "" && t.Currency != c.rules.currency {
		c.fault(path+"/currency", Currency, "this service carries %s only", c.rules.currency)
		return t.Amount
	}

	value, ok := iso20022.Decimal([]byte(t.Amount))
	whole, fraction, _ := strings.Cut(string(value), ".")

	n := iso20022.MinorUnits(t.Currency)
	if !ok || len(fraction) > n || strings.HasPrefix(t.Amount, "+") {
		c.fault(path+"/amount", BadAmount, "an amount of %s has digits and at most %d decimals", t.Currency, n)
		return t.Amount
	}

	if n > 0 {
		whole += "." + fraction + strings.Repeat("0", n-len(fraction))
	}

	if strings.Trim(whole, "0.") == "" {
		c.fault(path+"/amount", BadAmount, "an amount of zero cannot be paid")
	}

	if c.rules.largest != "" && exceeds(whole, c.rules.largest) {
		c.fault(path+"/amount", BadAmount, "this service carries at most %s", c.rules.largest)
	}

	return whole
}

func (c *checker) party(path string, p Party) Party {
	if strings.TrimSpace(p.Name) == "" {
		c.fault(path+"/name", Missing, "a name is needed")
	} else {
		p.Name = c.text(path+"/name", p.Name, c.rules.name)
	}

	if p.LEI != "" && !isLEI(p.LEI) {
		c.fault(path+"/lei", Format, "an LEI has 18 letters and digits and two check digits")
	}

	p.Address = c.address(path+"/address", p.Address)

	return p
}

// address checks an address. What is not its town and country is for people and may be truncated.
func (c *checker) address(path string, a Address) Address {
	if a.empty() {
		return a
	}

	c.located(path, a)

	if a.Country != "" && !isCountry(a.Country) {
		c.fault(path+"/country", Format, "a country has two capital letters")
	}

	if len(a.Lines) > maxLines {
		c.fault(path+"/lines", TooMany, "an address has at most two free lines")
	}

	a.Town = c.text(path+"/town", a.Town, maxTown)
	a.Street = c.short(path+"/street", a.Street, maxLine)
	a.Building = c.short(path+"/building", a.Building, maxShort)
	a.PostCode = c.text(path+"/postCode", a.PostCode, maxShort)
	a.Subdivision = c.short(path+"/subdivision", a.Subdivision, maxTown)

	a.Lines = slices.Clone(a.Lines)
	for i := range a.Lines {
		a.Lines[i] = c.short(path+"/lines/"+strconv.Itoa(i), a.Lines[i], maxLine)
	}

	return a
}

// located checks that an address says town and country: structured or hybrid (EPC and CBPR+, November 2026).
func (c *checker) located(path string, a Address) {
	var lacks []string
	if a.Town == "" {
		lacks = append(lacks, "town")
	}

	if a.Country == "" {
		lacks = append(lacks, "country")
	}

	if len(lacks) > 0 {
		c.fault(
			path,
			Missing,
			"the address lacks its %s: since November 2026 banks refuse a payment without it",
			strings.Join(lacks, " and "),
		)
	}
}

func (c *checker) account(path string, a Account, creditor bool) {
	switch {
	case a.IBAN != "" && a.Number != "":
		c.fault(path, NotAllowed, "an account has an IBAN or a number, not both")

	case a.IBAN != "":
		if x, err := iban.Parse(a.IBAN); err != nil || string(x) != a.IBAN {
			c.fault(path+"/iban", Format, "this is no IBAN in its electronic form")
		} else if c.rules.clearing == byABA || c.rules.clearing == byIFSC {
			c.fault(path+"/iban", NotAllowed, "this service has account numbers, not IBANs")
		}

	case c.rules.iban:
		c.fault(path+"/iban", Missing, "this service needs an IBAN")
	case a.Number == "":
		c.fault(path, Missing, "an account is needed")
	case len(a.Number) > maxAccount || !every(a.Number, alnum):
		c.fault(path+"/number", Format, "an account number has at most 34 letters and digits")
	case c.rules.clearing == bySortCode && (len(a.Number) != 8 || !every(a.Number, digit)):
		c.fault(path+"/number", Format, "a UK account number has eight digits")
	case c.rules.clearing == byABA && len(a.Number) > 17:
		c.fault(path+"/number", Format, "a US account number has at most 17 characters")
	}

	if a.Type != "" && a.Type != "CACC" && a.Type != "SVGS" {
		c.fault(path+"/type", Format, "an account is CACC (current) or SVGS (savings)")
	}

	if creditor && c.rules.accountTp && a.Type == "" {
		c.fault(path+"/type", Missing, "this service needs the account's type: CACC or SVGS")
	}

	if a.Currency != "" && (len(a.Currency) != 3 || !every(a.Currency, upper)) {
		c.fault(path+"/currency", Format, "a currency has three capital letters")
	}
}

// creditorBank checks the number by which the service finds the bank.
func (c *checker) creditorBank(path string, t Transfer) {
	a := t.CreditorAgent

	missing := func(field, what string) {
		c.fault(path+"/creditorAgent/"+field, Missing, "this service needs the bank's %s", what)
	}

	switch c.rules.clearing {
	case byNothing: // the account's number is enough
	case byBIC:
		if a.BIC == "" {
			missing("bic", "BIC")
		}

	case bySortCode:
		if a.SortCode == "" && t.CreditorAccount.IBAN == "" {
			missing("sortCode", "sort code")
		}

	case byABA:
		if a.ABA == "" {
			missing("aba", "routing number")
		}

	case byIFSC:
		if a.IFSC == "" {
			missing("ifsc", "IFSC")
		}
	}
}

// debtorAgent checks the bank of our own account. It knows its name and address, and nothing may be said of them: the
// Swiss schema has no place for it. It also has none for a bank that is not named, so a Swiss bank without a BIC is
// named by the institution in its IBAN.
func (c *checker) debtorAgent(path string, b Block) Agent {
	a := b.DebtorAgent
	a.Name = ""
	a.Address = Address{}
	a = c.agent(path, a)

	if x, err := iban.Parse(b.DebtorAccount.IBAN); c.rules.swiss && a.BIC == "" && err == nil {
		a.iid = strings.TrimLeft(x.Bank(), "0")
	}

	if a.empty() && (c.rules.clearing != byNothing || c.rules.swiss) {
		c.fault(path, Missing, "the bank of our account is needed: its BIC or clearing number")
	}

	return a
}

// agent checks a bank. A BIC says everything about it: neither name nor address may stand beside it (CBPR+; Swiss
// Payment Standards 3.12), and in Switzerland no clearing number either. Where the IBAN alone leads to the bank there
// is no place for a name at all.
func (c *checker) agent(path string, a Agent) Agent {
	if a.BIC != "" {
		if b, err := bankcode.ParseBIC(a.BIC); err != nil || string(b) != a.BIC {
			c.fault(path+"/bic", Format, "this is no BIC")
		}
	}

	a = c.ownNumbers(a)
	if a.SortCode != "" {
		if s, err := bankcode.ParseSortCode(a.SortCode); err != nil || string(s) != a.SortCode {
			c.fault(path+"/sortCode", Format, "a sort code has six digits")
		}
	}

	if a.ABA != "" {
		if n, err := bankcode.ParseRoutingNumber(a.ABA); err != nil || string(n) != a.ABA {
			c.fault(path+"/aba", Format, "a routing number has nine digits, the last of which checks the others")
		}
	}

	if a.IFSC != "" {
		if n, err := bankcode.ParseIFSC(a.IFSC); err != nil || string(n) != a.IFSC {
			c.fault(path+"/ifsc", Format, "an IFSC has four letters, a zero and six more")
		}
	}

	if (a.SortCode != "" && a.ABA+a.IFSC != "") || (a.ABA != "" && a.IFSC != "") {
		c.fault(path, NotAllowed, "a bank has one clearing number")
	}

	if a.BIC != "" || c.rules.iban {
		a.Name = ""
		a.Address = Address{}
	}

	a.Name = c.short(path+"/name", a.Name, maxRemittance)
	if !a.Address.countryAlone() {
		a.Address = c.address(path+"/address", a.Address)
	} else if !isCountry(a.Address.Country) { // for a bank the country alone is useful
		c.fault(path+"/address/country", Format, "a country has two capital letters")
	}

	return a
}

// ownNumbers keeps only those clearing numbers of a bank that the service uses: an account may have others too.
func (c *checker) ownNumbers(a Agent) Agent {
	switch own := c.rules.clearing; {
	case own == byNothing || c.rules.swiss:
		a.SortCode = ""
		a.ABA = ""
		a.IFSC = ""

	case own == bySortCode:
		a.ABA = ""
		a.IFSC = ""
	case own == byABA:
		a.SortCode = ""
		a.IFSC = ""
	case own == byIFSC:
		a.SortCode = ""
		a.ABA = ""
	}

	return a // by BIC: all of them may be given besides it
}

// reference returns a structured reference in its electronic form: ISO 11649 (RF), or a QR reference, which belongs to
// a QR-IBAN as that belongs to it (SIX, QR-bill 3.2).
func (c *checker) reference(path string, t Transfer) string {
	qrr, isQRR := creditorref.ValidQRR(t.Reference)
	rf, isRF := creditorref.ValidRF(t.Reference)

	account, err := iban.Parse(t.CreditorAccount.IBAN)
	toQR := err == nil && account.QR()

	switch {
	case toQR && !isQRR:
		c.fault(path+"/reference", Missing, "a QR-IBAN is paid with a QR reference only")
	case t.Reference == "":
	case t.Remittance != "":
		c.fault(path+"/reference", NotAllowed, "a payment has a structured reference or a text, not both")
	case isQRR && !toQR:
		c.fault(path+"/reference", NotAllowed, "a QR reference goes to a QR-IBAN only")
	case isQRR && !c.rules.slev:
		return qrr
	case isRF:
		return rf
	default:
		c.fault(path+"/reference", Format, "a structured reference is one of ISO 11649 (RF)")
	}

	return t.Reference
}

// text converts a text and refuses one that is then too long: its content matters.
func (c *checker) text(path, text string, most int) string {
	if text == "" {
		return ""
	}

	out, err := c.rules.converted(text)
	switch {
	case err != nil:
		c.fault(path, Characters, "%s", err.Error())
		return text
	case out == "":
		c.fault(path, Characters, "nothing of the text can be written")
	case len(out) > most:
		c.fault(path, TooLong, "there is room for %d characters, the text has %d", most, len(out))
	}

	c.changed(path, text, out)

	return out
}

// short converts a text, leaves out what has no place, and truncates it: for parts of addresses and names of banks,
// which identify nothing.
func (c *checker) short(path, text string, most int) string {
	out, _ := c.rules.written(text)
	if len(out) > most {
		out = strings.TrimSpace(out[:most]) // ASCII by now
	}

	c.changed(path, text, out)

	return out
}

func (c *checker) changed(path, from, to string) {
	if from != to {
		c.changes = append(c.changes, Change{path, from, to})
	}
}

func (c *checker) id(path, id string) {
	if code, detail := wrongID(id); code != "" {
		c.fault(path, code, "%s", detail)
	}
}

func (c *checker) unique(path, kind, id string) {
	key := kind + "\x00" + id
	if c.seen[key] && id != "" {
		c.fault(path, Duplicate, "the identifier is used twice in the file")
	}

	c.seen[key] = true
}

// code checks the form of a code of an external list: one to four characters.
func (c *checker) code(path, code string) {
	if code != "" && (len(code) > 4 || !every(code, func(b byte) bool { return upper(b) || digit(b) })) {
		c.fault(path, Format, "a code has at most four capital letters and digits")
	}
}

// isUETR reports whether a text is a unique end-to-end transaction reference: a UUID of version 4 in lower case, with
// hyphens.
func isUETR(s string) bool {
	if len(s) != 36 || s[14] != '4' || !strings.ContainsRune("89ab", rune(s[19])) {
		return false
	}

	for i := range len(s) {
		hyphen := i == 8 || i == 13 || i == 18 || i == 23
		if hyphen != (s[i] == '-') || !hyphen && !digit(s[i]) && (s[i] < 'a' || s[i] > 'f') {
			return false
		}
	}

	return true
}

func isLEI(s string) bool {
	return len(s) == 20 && every(s[:18], func(b byte) bool { return upper(b) || digit(b) }) && every(s[18:], digit)
}

func isCountry(s string) bool { return len(s) == 2 && every(s, upper) }

func (a Address) empty() bool {
	return a.Street+a.Building+a.PostCode+a.Town+a.Subdivision+a.Country == "" && len(a.Lines) == 0
}

func (a Address) countryAlone() bool {
	return a.Country != "" && a.Street+a.Building+a.PostCode+a.Town+a.Subdivision == "" && len(a.Lines) == 0
}

func (a Agent) empty() bool { return a.BIC+a.SortCode+a.ABA+a.IFSC+a.iid == "" }

func every(s string, is func(byte) bool) bool {
	for i := range len(s) {
		if !is(s[i]) {
			return false
		}
	}

	return utf8.ValidString(s)
}

func digit(b byte) bool { return b >= '0' && b <= '9' }
func upper(b byte) bool { return b >= 'A' && b <= 'Z' }
func alnum(b byte) bool { return digit(b) || upper(b&^0x20) }
