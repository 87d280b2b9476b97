package pain

import (
	"io"

	"slipway/internal/standards/iso20022"
)

// Status is what a bank says of one payment, one block or a whole file. None of it is proof that money arrived or did not: only a booked
// entry is. A payment that settled can still come back.
type Status struct {
	MsgID, CreatedAt string
	OriginalMsgID    string
	OriginalMsgName  string // pain.001.001.09
	OriginalPmtInfID string
	OriginalInstrID  string
	OriginalEndToEnd string // empty, too, where the bank writes NOTPROVIDED
	OriginalTxID     string
	OriginalUETR     string
	Level            Level                  // what it speaks of
	Said             string                 // status at that very level; empty: inherited
	Status           string                 // the lowest that is said at this level or above: RJCT, ACSP, PDNG ...
	Meaning          Meaning                // of Status
	Reasons          []iso20022.ReasonGiven // of this level; with an inherited status those beside it
	AcceptedAt       string
	AcctSvcrRef      string
	Amount           iso20022.Amount // original instructed amount, where repeated
	Number           int             // position in the message, from 0
	OriginalCount    string          // as the bank counts the group or block
	OriginalSum      string
	// TransactionsBelow: a block whose transactions are spoken of, too. What holds for the block then holds for those not named.
	TransactionsBelow bool
}

// Level of a status.
type Level string

const (
	GroupLevel       Level = "GROUP"
	BlockLevel       Level = "BLOCK"
	TransactionLevel Level = "TRANSACTION"
)

// Meaning of a status code for us.
type Meaning string

const (
	UnderWay  Meaning = "UNDER_WAY" // RCVD, ACTC, ACCP, ACFC, ACSP, ACWC ...: not refused so far
	Settled   Meaning = "SETTLED"   // ACSC, ACCC: at the debtor's or the creditor's bank
	PendingAt Meaning = "PENDING"   // PDNG and what waits for somebody
	Rejected  Meaning = "REJECTED"  // RJCT: final
	Cancelled Meaning = "CANCELLED" // CANC: final
	Partly    Meaning = "PARTLY"    // PART: only the level below tells
	PayeeOnly Meaning = "PAYEE_VERIFICATION"
	Unknown   Meaning = "UNKNOWN" // nothing said, or none that we know: nothing follows from it
)

// meanings of the external payment status codes (group and transaction, 2025).
var meanings = map[string]Meaning{
	"RCVD": UnderWay, "ACTC": UnderWay, "ACCP": UnderWay, "ACFC": UnderWay, "ACSP": UnderWay, "ACWC": UnderWay, "ACWP": UnderWay, "ACPD": UnderWay,
	"ACSC": Settled, "ACCC": Settled,
	"PDNG": PendingAt, "PATC": PendingAt, "PRES": PendingAt, "BLCK": PendingAt,
	"RJCT": Rejected, "CANC": Cancelled, "PART": Partly,
	"RCVC": PayeeOnly, "RVNC": PayeeOnly, "RVCM": PayeeOnly, "RVNM": PayeeOnly, "RVMC": PayeeOnly, "RVNA": PayeeOnly,
}

// meaningOf a status code.
func meaningOf(code string) Meaning {
	if m, ok := meanings[code]; ok {
		return m
	}
	return Unknown
}

var accept002 = iso20022.Accept{"pain.002": {Root: "CstmrPmtStsRpt", First: "03", Last: "14"}}

// reader is one status report being read.
type reader struct {
	s      *iso20022.Scanner
	w      iso20022.Words
	each   func(Status) error
	err    error // of each
	number int
	group  Status
}

// Read002 reads a payment status report to its end and gives each status to each: the group's first, then every block with its
// transactions behind it. What was given counts only when it returns nil. The error is *iso20022.Error, or that of each.
func Read002(r io.Reader, l iso20022.Limits, each func(Status) error) error {
	p := &reader{s: iso20022.NewScanner(r, l), each: each}
	if _, ok := p.s.Open(accept002); !ok {
		return p.s.Err()
	}
	for p.err == nil && p.s.Child() {
		switch string(p.s.Name()) {
		case "GrpHdr":
			p.header()
		case "OrgnlGrpInfAndSts":
			p.original()
		case "OrgnlPmtInfAndSts":
			p.block()
		case "TxInfAndSts": // directly in the report in the version of 2006 and its descendants
			p.transaction(p.group)
		default:
			p.s.Skip()
		}
	}
	if p.err != nil {
		return p.err
	}
	if p.number == 0 {
		p.s.Fail(iso20022.CodeStructure, "a report without a status")
	}
	return p.s.Close()
}

// give hands a status on, with what it inherits from the level above.
func (p *reader) give(s Status, above Status) {
	if p.err != nil || p.s.Err() != nil {
		return
	}
	s.Status = s.Said
	if s.Said == "" {
		s.Status = above.Status
		if len(s.Reasons) == 0 {
			s.Reasons = above.Reasons
		}
	}
	s.Meaning = meaningOf(s.Status)
	s.Number = p.number
	p.number++
	p.s.Record()
	p.err = p.each(s)
}

func (p *reader) header() {
	for p.s.Child() {
		switch string(p.s.Name()) {
		case "MsgId":
			p.group.MsgID = p.s.Value()
		case "CreDtTm":
			p.group.CreatedAt = p.s.Value()
		default:
			p.s.Skip()
		}
	}
}

// original reads the group's part.
func (p *reader) original() {
	g := &p.group
	g.Level = GroupLevel
	for p.s.Child() {
		switch string(p.s.Name()) {
		case "OrgnlMsgId":
			g.OriginalMsgID = p.s.Value()
		case "OrgnlMsgNmId":
			g.OriginalMsgName = p.s.Value()
		case "OrgnlNbOfTxs":
			g.OriginalCount = p.s.Value()
		case "OrgnlCtrlSum":
			g.OriginalSum = p.s.Value()
		case "GrpSts":
			g.Said = p.s.Value()
		case "StsRsnInf":
			p.reason(g)
		default:
			p.s.Skip()
		}
	}
	g.Status = g.Said
	p.give(*g, Status{})
}

func (p *reader) reason(s *Status) {
	if p.s.Fresh(len(s.Reasons)) {
		s.Reasons = append(s.Reasons, p.s.Reasons(&p.w, iso20022.StatusReason))
	}
}

// below begins a status of a lower level.
func (s Status) below(level Level) Status {
	return Status{MsgID: s.MsgID, CreatedAt: s.CreatedAt, OriginalMsgID: s.OriginalMsgID, OriginalMsgName: s.OriginalMsgName,
		OriginalPmtInfID: s.OriginalPmtInfID, Level: level}
}

func (p *reader) block() {
	b := p.group.below(BlockLevel)
	given := false
	give := func() {
		if !given {
			given = true
			p.give(b, p.group)
			if b.Said == "" { // what its transactions inherit in turn
				b.Status, b.Reasons = p.group.Status, orElse(b.Reasons, p.group.Reasons)
			} else {
				b.Status = b.Said
			}
		}
	}
	for p.err == nil && p.s.Child() {
		switch string(p.s.Name()) {
		case "OrgnlPmtInfId":
			b.OriginalPmtInfID = p.w.Keep(p.s.Text())
		case "OrgnlNbOfTxs":
			b.OriginalCount = p.s.Value()
		case "OrgnlCtrlSum":
			b.OriginalSum = p.s.Value()
		case "PmtInfSts":
			b.Said = p.w.Code(p.s.Text())
		case "StsRsnInf":
			p.reason(&b)
		case "TxInfAndSts":
			b.TransactionsBelow = true
			give()
			p.transaction(b)
		default:
			p.s.Skip()
		}
	}
	give()
}

func orElse(a, b []iso20022.ReasonGiven) []iso20022.ReasonGiven {
	if len(a) > 0 {
		return a
	}
	return b
}

func (p *reader) transaction(above Status) {
	t := above.below(TransactionLevel)
	for p.s.Child() {
		switch string(p.s.Name()) {
		case "OrgnlInstrId":
			t.OriginalInstrID = p.w.Keep(p.s.Text())
		case "OrgnlEndToEndId":
			t.OriginalEndToEnd = iso20022.Provided(p.w.Keep(p.s.Text()))
		case "OrgnlTxId":
			t.OriginalTxID = p.w.Keep(p.s.Text())
		case "OrgnlUETR":
			t.OriginalUETR = p.w.Keep(p.s.Text())
		case "TxSts":
			t.Said = p.w.Code(p.s.Text())
		case "StsRsnInf":
			p.reason(&t)
		case "AccptncDtTm":
			t.AcceptedAt = p.w.Keep(p.s.Text())
		case "AcctSvcrRef":
			t.AcctSvcrRef = p.w.Keep(p.s.Text())
		case "OrgnlTxRef":
			p.reference(&t)
		default:
			p.s.Skip()
		}
	}
	p.give(t, above)
}

// reference reads what the bank repeats of the order: its amount.
func (p *reader) reference(t *Status) {
	p.s.Within(func() { p.s.Within(func() { t.Amount = p.s.Amount(&p.w) }, "InstdAmt") }, "Amt")
}
