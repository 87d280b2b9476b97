package pain

import (
	"io"
	"strings"

	"slipway/internal/standards/iso20022"
)

// Order is one payment of an existing payment file: its identifications, debtor account and amount, and whom it pays.
type Order struct {
	MsgID, PmtInfID string
	ExecutionDate   string // 2026-11-23
	DebtorAccount   string // IBAN or account number
	DebtorCurrency  string
	EndToEndID      string
	Amount          iso20022.Amount
	Payee           Payee
}

// Payee is whom an order pays, and what for. What other programs write of it is kept as it is.
type Payee struct {
	Name, Street, Building, PostCode, Town, Country string
	Lines                                           string // of the address, with a line end between them
	IBAN, Number, BIC                               string
	Clearing, Member                                string // system of the bank's number, such as GBDSC, and the number
	Remittance                                      string // its lines, with spaces between
	Reference                                       string // structured creditor reference
}

var accept001 = iso20022.Accept{"pain.001": {Root: "CstmrCdtTrfInitn", First: "03", Last: "12"}}

// ordersLists are the elements of a payment file that may be repeated.
var ordersLists = iso20022.Lists{
	"CstmrCdtTrfInitn/PmtInf": true,
	"PmtInf/CdtTrfTxInf":      true,
	"PstlAdr/AdrLine":         true,
	"RmtInf/Ustrd":            true,
	"RmtInf/Strd":             true,
	"Strd/RfrdDocInf":         true,
	"Strd/AddtlRmtInf":        true,
}

// orders is a payment file being read.
type orders struct {
	s    *iso20022.Scanner
	w    iso20022.Words
	each func(Order) error
	err  error // of each
	now  Order
}

// Read001 reads a payment file to its end and passes each payment to each. It does not validate the file: Render has
// written it. What was passed counts only if it returns nil. The error is *iso20022.Error, or that of each. The texts
// of an Order stay valid.
func Read001(r io.Reader, l iso20022.Limits, each func(Order) error) error {
	p := &orders{s: iso20022.NewScanner(r, l), each: each}
	if _, ok := p.s.Open(accept001, ordersLists); !ok {
		return p.s.Err()
	}

	for p.err == nil && p.s.Child() {
		switch string(p.s.Name()) {
		case "GrpHdr":
			p.find(&p.now.MsgID, "MsgId")
		case "PmtInf":
			p.block()
		default:
			p.s.Skip()
		}
	}

	if p.err != nil {
		return p.err
	}

	return p.s.Close()
}

// find reads the text of one element below the current one, by a path of names.
func (p *orders) find(into *string, path ...string) {
	for p.s.Child() {
		switch {
		case string(p.s.Name()) != path[0]: //nolint:gosec // callers name one element or more
			p.s.Skip()
		case len(path) == 1:
			*into = p.w.Keep(p.s.Text())
		default:
			p.find(into, path[1:]...) //nolint:gosec // the case above has the last one
		}
	}
}

func (p *orders) block() {
	p.now = Order{MsgID: p.now.MsgID}

	for p.err == nil && p.s.Child() {
		switch string(p.s.Name()) {
		case "PmtInfId":
			p.now.PmtInfID = p.w.Keep(p.s.Text())
		case "ReqdExctnDt":
			p.find(&p.now.ExecutionDate, "Dt")
		case "DbtrAcct":
			p.debtor()
		case "CdtTrfTxInf":
			p.payment()
		default:
			p.s.Skip()
		}
	}
}

func (p *orders) debtor() {
	for p.s.Child() {
		switch string(p.s.Name()) {
		case "Id":
			p.account(&p.now.DebtorAccount, &p.now.DebtorAccount)
		case "Ccy":
			p.now.DebtorCurrency = p.w.Keep(p.s.Text())
		default:
			p.s.Skip()
		}
	}
}

func (p *orders) account(iban, other *string) {
	for p.s.Child() {
		switch string(p.s.Name()) {
		case "IBAN":
			*iban = p.w.Keep(p.s.Text())
		case "Othr":
			p.find(other, "Id")
		default:
			p.s.Skip()
		}
	}
}

func (p *orders) payment() {
	p.now.EndToEndID = ""
	p.now.Amount = iso20022.Amount{}
	p.now.Payee = Payee{}

	for p.s.Child() {
		switch string(p.s.Name()) {
		case "PmtId":
			p.find(&p.now.EndToEndID, "EndToEndId")
		case "Amt":
			p.amount()
		case "CdtrAgt":
			p.within("FinInstnId", p.bank)
		case "Cdtr":
			p.creditor()
		case "CdtrAcct":
			p.within("Id", func() { p.account(&p.now.Payee.IBAN, &p.now.Payee.Number) })
		case "RmtInf":
			p.remittance()
		default:
			p.s.Skip()
		}
	}

	if p.s.Err() != nil {
		return
	}

	p.s.Record()
	p.err = p.each(p.now)
}

func (p *orders) amount() {
	for p.s.Child() {
		if string(p.s.Name()) == "InstdAmt" {
			p.now.Amount = p.s.Amount(&p.w)
			continue
		}

		p.s.Skip()
	}
}

// within calls read in one child of the current element.
func (p *orders) within(name string, read func()) {
	for p.s.Child() {
		if string(p.s.Name()) == name {
			read()
			continue
		}

		p.s.Skip()
	}
}

func (p *orders) bank() {
	for p.s.Child() {
		switch string(p.s.Name()) {
		case "BICFI", "BIC":
			p.now.Payee.BIC = p.w.Keep(p.s.Text())
		case "ClrSysMmbId":
			p.member()
		default:
			p.s.Skip()
		}
	}
}

func (p *orders) member() {
	for p.s.Child() {
		switch string(p.s.Name()) {
		case "ClrSysId":
			p.find(&p.now.Payee.Clearing, "Cd")
		case "MmbId":
			p.now.Payee.Member = p.w.Keep(p.s.Text())
		default:
			p.s.Skip()
		}
	}
}

func (p *orders) creditor() {
	for p.s.Child() {
		switch string(p.s.Name()) {
		case "Nm":
			p.now.Payee.Name = p.w.Keep(p.s.Text())
		case "PstlAdr":
			p.address(&p.now.Payee)
		default:
			p.s.Skip()
		}
	}
}

func (p *orders) address(a *Payee) {
	var lines []string

	for p.s.Child() {
		switch string(p.s.Name()) {
		case "StrtNm":
			a.Street = p.w.Keep(p.s.Text())
		case "BldgNb":
			a.Building = p.w.Keep(p.s.Text())
		case "PstCd":
			a.PostCode = p.w.Keep(p.s.Text())
		case "TwnNm":
			a.Town = p.w.Keep(p.s.Text())
		case "Ctry":
			a.Country = p.w.Keep(p.s.Text())
		case "AdrLine":
			lines = append(lines, p.w.Keep(p.s.Text()))
		default:
			p.s.Skip()
		}
	}

	a.Lines = strings.Join(lines, "\n")
}

func (p *orders) remittance() {
	var lines []string

	for p.s.Child() {
		switch string(p.s.Name()) {
		case "Ustrd":
			lines = append(lines, p.w.Keep(p.s.Text()))
		case "Strd":
			p.within("CdtrRefInf", func() { p.find(&p.now.Payee.Reference, "Ref") })
		default:
			p.s.Skip()
		}
	}

	p.now.Payee.Remittance = strings.Join(lines, " ")
}
