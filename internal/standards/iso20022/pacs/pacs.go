// Package pacs reads pacs.004, the return of a payment between banks, which some banks pass on to their customers. It
// reads versions 02 to 14.
package pacs

import (
	"io"

	"slipway/internal/standards/iso20022"
)

// Return is one returned payment. OriginalEndToEndID is that of our order.
type Return struct {
	MsgID, CreatedAt string
	Number           int // position in the message, from 0

	ReturnID            string
	OriginalMsgID       string // of the message between the banks, which is not ours
	OriginalInstrID     string
	OriginalEndToEndID  string
	OriginalTxID        string
	OriginalUETR        string
	OriginalClearingRef string
	OriginalAmount      iso20022.Amount // of the payment between the banks
	Returned            iso20022.Amount // may be less because of charges
	Instructed          iso20022.Amount // returned instructed amount, before charges
	SettlementDate      string          // 2006-01-02, or empty
	Charges             []Charge
	Reasons             []iso20022.ReasonGiven
	Debtor, Creditor    string // of the original payment
	DebtorAccount       string // IBAN or other number
	CreditorAccount     string
	Remittance          []string
}

// Charge that was taken from the returned amount.
type Charge struct {
	Amount iso20022.Amount
	Agent  string // BIC
}

var accept = iso20022.Accept{"pacs.004": {Root: "PmtRtr", First: "02", Last: "14"}}

// lists are the elements that may be repeated, as far as they are read here.
var lists = iso20022.Lists{
	"PmtRtr/TxInf":       true,
	"TxInf/ChrgsInf":     true,
	"TxInf/RtrRsnInf":    true,
	"RtrRsnInf/AddtlInf": true,
	"RmtInf/Ustrd":       true,
}

// reader is one file being read.
type reader struct {
	s *iso20022.Scanner
	w iso20022.Words

	msgID, createdAt, settled, originalMsgID string // of the message
}

// Read004 reads a message to its end and passes every return to each. What was passed counts only if it returns nil.
// The error is *iso20022.Error, or that of each.
func Read004(r io.Reader, l iso20022.Limits, each func(Return) error) error {
	p := &reader{s: iso20022.NewScanner(r, l)}
	if _, ok := p.s.Open(accept, lists); !ok {
		return p.s.Err()
	}

	n := 0
	for p.s.Child() {
		switch string(p.s.Name()) {
		case "GrpHdr", "OrgnlGrpInf":
			if n > 0 {
				p.s.Fail(iso20022.CodeStructure, "the head of the message behind a return")
				return p.s.Err()
			}

			if string(p.s.Name()) == "GrpHdr" {
				p.group()
				continue
			}

			p.originalMsgID = p.originalMessage()

		case "TxInf":
			t := p.transaction()
			t.Number = n

			if p.s.Err() != nil {
				return p.s.Err()
			}

			if t.Returned.Empty() {
				p.s.Fail(iso20022.CodeStructure, "a return without an amount")
				return p.s.Err()
			}

			p.s.Record()

			if err := each(t); err != nil {
				return err
			}

			n++

		default:
			p.s.Skip()
		}
	}

	// a complete group may be returned at once (GrpRtr): the message then does not list the payments, and a person must
	// check
	if n == 0 {
		p.s.Fail(iso20022.CodeStructure, "a message without a return")
	}

	return p.s.Close()
}

func (p *reader) group() {
	for p.s.Child() {
		switch string(p.s.Name()) {
		case "MsgId":
			p.msgID = p.s.Value()
		case "CreDtTm":
			p.createdAt = p.s.Time()
		case "IntrBkSttlmDt":
			p.settled = p.s.Date(&p.w)
		default:
			p.s.Skip()
		}
	}
}

func (p *reader) originalMessage() (id string) {
	p.s.Within(func() { id = p.w.Keep(p.s.Text()) }, "OrgnlMsgId")
	return id
}

func (p *reader) transaction() Return {
	t := Return{MsgID: p.msgID, CreatedAt: p.createdAt, SettlementDate: p.settled, OriginalMsgID: p.originalMsgID}
	for p.s.Child() {
		switch string(p.s.Name()) {
		case "RtrId":
			t.ReturnID = p.w.Keep(p.s.Text())
		case "OrgnlGrpInf":
			t.OriginalMsgID = p.originalMessage()
		case "OrgnlInstrId":
			t.OriginalInstrID = p.w.Keep(p.s.Text())
		case "OrgnlEndToEndId":
			t.OriginalEndToEndID = iso20022.Provided(p.w.Keep(p.s.Text()))
		case "OrgnlTxId":
			t.OriginalTxID = p.w.Keep(p.s.Text())
		case "OrgnlUETR":
			t.OriginalUETR = p.w.Keep(p.s.Text())
		case "OrgnlClrSysRef":
			t.OriginalClearingRef = p.w.Keep(p.s.Text())
		case "OrgnlIntrBkSttlmAmt":
			t.OriginalAmount = p.s.Amount(&p.w)
		case "RtrdIntrBkSttlmAmt":
			t.Returned = p.s.Amount(&p.w)
		case "RtrdInstdAmt":
			t.Instructed = p.s.Amount(&p.w)
		case "IntrBkSttlmDt":
			t.SettlementDate = p.s.Date(&p.w)

		case "ChrgsInf":
			if p.s.Fresh(len(t.Charges)) {
				t.Charges = append(t.Charges, p.charge())
			}

		case "RtrRsnInf":
			if p.s.Fresh(len(t.Reasons)) {
				t.Reasons = append(t.Reasons, p.s.Reasons(&p.w, iso20022.ReturnReason))
			}

		case "OrgnlTxRef":
			p.original(&t)
		default:
			p.s.Skip()
		}
	}

	return t
}

func (p *reader) charge() (c Charge) {
	for p.s.Child() {
		switch string(p.s.Name()) {
		case "Amt":
			c.Amount = p.s.Amount(&p.w)
		case "Agt", "Pty":
			p.s.Within(func() { p.s.Within(func() { c.Agent = p.w.Keep(p.s.Text()) }, "BIC", "BICFI") }, "FinInstnId")
		default:
			p.s.Skip()
		}
	}

	return c
}

// original reads the returned payment.
func (p *reader) original(t *Return) {
	for p.s.Child() {
		switch string(p.s.Name()) {
		case "Dbtr":
			t.Debtor = p.party()
		case "DbtrAcct":
			t.DebtorAccount = p.account()
		case "Cdtr":
			t.Creditor = p.party()
		case "CdtrAcct":
			t.CreditorAccount = p.account()

		case "RmtInf":
			p.s.Within(func() {
				if p.s.Fresh(len(t.Remittance)) {
					t.Remittance = append(t.Remittance, p.w.Keep(p.s.Text()))
				}
			}, "Ustrd")

		default:
			p.s.Skip()
		}
	}
}

// party reads a name; since version 08 it is one level deeper.
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
		default:
			p.s.Skip()
		}
	}

	return name
}

func (p *reader) account() (id string) {
	read := false
	p.s.Within(func() {
		for p.s.Child() {
			switch string(p.s.Name()) {
			case "IBAN":
				p.s.Alone(&read)
				id = p.w.Keep(p.s.Text())
			case "Othr":
				p.s.Alone(&read)
				p.s.Within(func() { id = p.w.Keep(p.s.Text()) }, "Id")
			default:
				p.s.Skip()
			}
		}
	}, "Id")

	return id
}
