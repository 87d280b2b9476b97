package camt

import (
	"io"

	"slipway/internal/standards/iso20022"
)

// accept are the messages and versions read here.
var accept = iso20022.Accept{
	string(Report):       {Root: "BkToCstmrAcctRpt", First: "01", Last: "14"},
	string(Statement):    {Root: "BkToCstmrStmt", First: "01", Last: "14"},
	string(Notification): {Root: "BkToCstmrDbtCdtNtfctn", First: "01", Last: "14"},
}

// lists are the elements that may be repeated (in any version), as far as they are read here. Of those below OrgId and
// PrvtId the first value counts.
var lists = iso20022.Lists{
	"BkToCstmrAcctRpt/Rpt":            true,
	"BkToCstmrStmt/Stmt":              true,
	"BkToCstmrDbtCdtNtfctn/Ntfctn":    true,
	"BkToCstmrAcctRptV01/Rpt":         true,
	"BkToCstmrStmtV01/Stmt":           true,
	"BkToCstmrDbtCdtNtfctnV01/Ntfctn": true,
	"Rpt/Bal":                         true,
	"Rpt/Ntry":                        true,
	"Stmt/Bal":                        true,
	"Stmt/Ntry":                       true,
	"Ntfctn/Bal":                      true, // not in the schema, but some banks do it
	"Ntfctn/Ntry":                     true,
	"Ntry/Btch":                       true, // version 01
	"Ntry/TxDtls":                     true, // version 01
	"Ntry/Chrgs":                      true,
	"Ntry/NtryDtls":                   true,
	"NtryDtls/TxDtls":                 true,
	"TxDtls/Chrgs":                    true,
	"Chrgs/Rcrd":                      true,
	"OrgId/Othr":                      true,
	"PrvtId/Othr":                     true,
	"RmtInf/Strd":                     true,
	"RmtInf/Ustrd":                    true,
	"Strd/AddtlRmtInf":                true,
	"RtrInf/AddtlInf":                 true,
	"RtrInf/AddtlRtrRsnInf":           true, // version 01
}

// maxBalances of one statement. The standard has some twenty types.
const maxBalances = 1000

// reader is one file being read.
type reader struct {
	s       *iso20022.Scanner
	w       iso20022.Words
	h       Handler
	err     error // of the handler
	header  Header
	begun   bool // Handler.Statement was called for header
	entry   Entry
	totals  Tally
	spare   []Detail // room for details, many in one allocation
	kept    int64    // bytes of text stored before the entry
	batches []batch  // of the entry
	sub     string   // element of one statement: Stmt, Rpt or Ntfctn
	number  int      // statements so far
}

// Read reads a message to its end. The error is *iso20022.Error, or the Handler's own.
func Read(r io.Reader, l iso20022.Limits, h Handler) error {
	p := &reader{s: iso20022.NewScanner(r, l), h: h}

	m, ok := p.s.Open(accept, lists)
	if !ok {
		return p.s.Err()
	}

	p.header = Header{Kind: Kind(m.Name), Version: m.Version}
	p.sub = map[Kind]string{Report: "Rpt", Statement: "Stmt", Notification: "Ntfctn"}[p.header.Kind]
	p.message()

	if p.err != nil {
		return p.err
	}

	return p.s.Close()
}

// message reads the root element.
func (p *reader) message() {
	group := p.header
	for p.next() {
		switch string(p.s.Name()) {
		case "GrpHdr":
			if p.number > 0 {
				p.s.Fail(iso20022.CodeStructure, "the head of the message behind a statement")
				return
			}

			p.group(&group)

		case p.sub:
			p.header = group
			p.header.Number = p.number
			p.statement()
			p.number++

		default:
			p.s.Skip()
		}
	}

	if p.err == nil && p.s.Err() == nil && p.number == 0 {
		p.s.Fail(iso20022.CodeStructure, "a message without a statement")
	}
}

// next is Child until the handler has returned an error.
func (p *reader) next() bool { return p.err == nil && p.s.Child() }

func (p *reader) group(h *Header) {
	for p.s.Child() {
		switch string(p.s.Name()) {
		case "MsgId":
			h.MsgID = p.s.Value()
		case "CreDtTm":
			h.CreatedAt = p.s.Value()
		case "MsgPgntn":
			h.MsgPage = p.page()
		default:
			p.s.Skip()
		}
	}
}

func (p *reader) page() (page Page) {
	for p.s.Child() {
		switch string(p.s.Name()) {
		case "PgNb":
			page.Number = p.s.Value()
		case "LastPgInd":
			page.Last = p.s.Truth()
		default:
			p.s.Skip()
		}
	}

	return page
}

// statement reads one account's part.
func (p *reader) statement() {
	p.begun = false

	p.totals = Tally{}
	for p.next() {
		name := p.s.Name()
		if string(name) == "Ntry" {
			p.begin()
			p.readEntry()
			continue
		}

		if p.begun &&
			(string(name) == "Bal" || string(name) == "TxsSummry" || string(name) == "Acct" || string(name) == "Id") {
			p.s.Fail(iso20022.CodeStructure, "a part of the head behind the entries")
			return
		}

		p.headPart(string(name))
	}

	p.begin()

	if p.err != nil || p.s.Err() != nil {
		return
	}

	p.s.Record()

	t := p.totals.Result(&p.header)
	if remark := p.s.Remark(); remark != "" {
		t.Remarks = []string{remark}
	}

	p.err = p.h.End(t)
}

// begin passes the header to the handler, once.
func (p *reader) begin() {
	if p.begun || p.err != nil || p.s.Err() != nil {
		return
	}

	if p.header.Account.ID() == "" {
		p.s.Fail(iso20022.CodeStructure, "a statement without an account")
		return
	}

	p.begun = true
	p.s.Record()
	p.err = p.h.Statement(p.header)
}

func (p *reader) headPart(name string) {
	h := &p.header

	switch name {
	case "Id":
		h.ID = p.s.Value()
	case "StmtPgntn", "RptPgntn", "NtfctnPgntn":
		h.Page = p.page()
	case "ElctrncSeqNb":
		h.Sequence = p.s.Value()
	case "LglSeqNb":
		h.LegalSequence = p.s.Value()
	case "FrToDt":
		p.period(h)
	case "CpyDplctInd":
		h.CopyDuplicate = p.s.Value()
	case "Acct":
		h.Account = p.account()

	case "Bal":
		if len(h.Balances) == maxBalances {
			p.s.Fail(iso20022.CodeTooMany, "more balances than allowed")
			return
		}

		h.Balances = append(h.Balances, p.balance())

	case "TxsSummry":
		p.summary(h)
	default:
		p.s.Skip()
	}
}

func (p *reader) period(h *Header) {
	for p.s.Child() {
		switch string(p.s.Name()) {
		case "FrDtTm":
			h.From = p.s.Time()
		case "ToDtTm":
			h.To = p.s.Time()
		default:
			p.s.Skip()
		}
	}
}

func (p *reader) balance() (b Balance) {
	for p.s.Child() {
		switch string(p.s.Name()) {
		case "Tp":
			b.Type, _ = p.s.Choice(&p.w)
		case "Amt":
			b.Amount = p.s.Amount(&p.w)
		case "CdtDbtInd":
			b.Credit = p.s.IsCredit()
			b.Signed = true
		case "Dt":
			b.Date = p.s.DateChoice(&p.w)
		default:
			p.s.Skip()
		}
	}

	return b
}

// summary reads the bank's own totals. The net amount is TtlNetNtryAmt up to version 02 and TtlNetNtry/Amt since.
func (p *reader) summary(h *Header) {
	p.s.Within(func() {
		for p.s.Child() {
			switch string(p.s.Name()) {
			case "NbOfNtries":
				h.DeclaredCount = p.s.Value()
			case "Sum":
				h.DeclaredSum = p.s.Number(&p.w)
			default:
				p.s.Skip()
			}
		}
	}, "TtlNtries")
}

// account reads Acct, DbtrAcct and CdtrAcct.
func (p *reader) account() (a Account) {
	for p.s.Child() {
		switch string(p.s.Name()) {
		case "Id":
			p.accountID(&a)
		case "Ccy":
			a.Currency = p.w.Code(p.s.Text())
		case "Nm":
			a.Name = p.w.Keep(p.s.Text())
		case "Ownr":
			p.owner(&a)
		case "Svcr":
			a.BIC = p.agent()
		default:
			p.s.Skip()
		}
	}

	return a
}

func (p *reader) accountID(a *Account) {
	read := false

	for p.s.Child() {
		switch string(p.s.Name()) {
		case "IBAN":
			p.s.Alone(&read)
			a.IBAN = p.w.Code(p.s.Text())
		case "Othr", "PrtryAcct":
			p.s.Alone(&read)
			p.s.Within(func() { a.Other = p.w.Code(p.s.Text()) }, "Id")
		case "BBAN", "UPIC": // version 01, and messages of 2006 in newer namespaces
			p.s.Alone(&read)
			a.Other = p.w.Code(p.s.Text())
		default:
			p.s.Skip()
		}
	}
}

func (p *reader) owner(a *Account) {
	for p.s.Child() {
		switch string(p.s.Name()) {
		case "Nm":
			if name := p.w.Keep(p.s.Text()); a.Name == "" {
				a.Name = name
			}

		case "Id":
			p.find("AnyBIC", "BICOrBEI", &a.OwnerBIC)
		default:
			p.s.Skip()
		}
	}
}

// find reads the current element to its end and stores the value of the first descendant with one of two names.
func (p *reader) find(name, other string, into *string) {
	for p.s.Child() {
		switch n := string(p.s.Name()); {
		case n == name || n == other:
			if v := p.w.Code(p.s.Text()); *into == "" {
				*into = v
			}

		case p.s.Leaf():
			p.s.Skip()
		default:
			p.find(name, other, into)
		}
	}
}

// agent reads a bank and returns its BIC (BICFI since version 03).
func (p *reader) agent() (bic string) {
	read := false
	for p.s.Child() {
		if string(p.s.Name()) != "FinInstnId" {
			p.s.Skip()
			continue
		}

		for p.s.Child() {
			switch string(p.s.Name()) {
			case "BIC", "BICFI":
				p.s.Alone(&read)
				bic = p.w.Code(p.s.Text())
			default:
				p.s.Skip()
			}
		}
	}

	return bic
}

// party reads a debtor or creditor; since version 08 the party is one level deeper, and may be a bank.
func (p *reader) party() (name string) {
	read := false
	for p.s.Child() {
		switch string(p.s.Name()) {
		case "Nm":
			p.s.Alone(&read)
			name = p.w.Keep(p.s.Text())
		case "Pty":
			p.s.Alone(&read)
			name = p.party()
		case "Agt":
			p.s.Alone(&read)
			name = p.agentName()
		default:
			p.s.Skip()
		}
	}

	return name
}

// agentName reads the name of a bank that is itself the party.
func (p *reader) agentName() (name string) {
	p.s.Within(func() { p.s.Within(func() { name = p.w.Keep(p.s.Text()) }, "Nm") }, "FinInstnId")
	return name
}
