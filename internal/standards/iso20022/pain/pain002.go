package pain

import (
	"io"

	"slipway/internal/standards/iso20022"
)

// Status is a bank's statement about one payment, one block or a complete file. It proves neither that money arrived
// nor that it did not: only a booked entry does. A settled payment can still be returned.
type Status struct {
	MsgID, CreatedAt string
	OriginalMsgID    string
	OriginalMsgName  string // pain.001.001.09
	OriginalPmtInfID string
	OriginalInstrID  string
	OriginalEndToEnd string // also empty if the bank writes NOTPROVIDED
	OriginalTxID     string
	OriginalUETR     string
	Level            Level  // the level that it refers to
	StatedStatus     string // status at this level; empty: inherited
	// the status of this level, or of the nearest one above: RJCT, ACSP, PDNG ...
	Status        string
	Meaning       Meaning                // of Status
	Reasons       []iso20022.ReasonGiven // of this level; with an inherited status also those beside it
	AcceptedAt    string
	AcctSvcrRef   string
	Amount        iso20022.Amount // original instructed amount, where repeated
	Number        int             // position in the message, from 0
	OriginalCount string          // the bank's count of the group or block
	OriginalSum   string
	// TransactionsBelow means that the report also lists transactions of the block. The block's status then applies to
	// those not listed.
	TransactionsBelow bool
}

// Level is what a status refers to.
type Level string

const (
	GroupLevel       Level = "GROUP"
	BlockLevel       Level = "BLOCK"
	TransactionLevel Level = "TRANSACTION"
)

// Meaning is the meaning of a status code for us.
type Meaning string

const (
	UnderWay  Meaning = "UNDER_WAY" // RCVD, ACTC, ACCP, ACFC, ACSP, ACWC ...: not refused so far
	Settled   Meaning = "SETTLED"   // ACSC, ACCC: at the debtor's or the creditor's bank
	PendingAt Meaning = "PENDING"   // PDNG and other states that wait for someone
	Rejected  Meaning = "REJECTED"  // RJCT: final
	Cancelled Meaning = "CANCELLED" // CANC: final
	Partly    Meaning = "PARTLY"    // PART: only the level below shows the result
	PayeeOnly Meaning = "PAYEE_VERIFICATION"
	Unknown   Meaning = "UNKNOWN" // no status or an unknown one: proves nothing
)

// meanings of the external payment status codes (group and transaction, 2025).
var meanings = map[string]Meaning{
	"RCVD": UnderWay,
	"ACTC": UnderWay,
	"ACCP": UnderWay,
	"ACFC": UnderWay,
	"ACSP": UnderWay,
	"ACWC": UnderWay,
	"ACWP": UnderWay,
	"ACPD": UnderWay,
	"ACIS": UnderWay, // a cheque was issued, but not cashed
	"ACSC": Settled,
	"ACCC": Settled,
	"CPUC": Settled,
	"PDNG": PendingAt,
	"PATC": PendingAt,
	"PRES": PendingAt,
	"BLCK": PendingAt,
	"ACFW": PendingAt,
	"RJCT": Rejected,
	"CANC": Cancelled,
	"PART": Partly,
	"RCVC": PayeeOnly,
	"RVNC": PayeeOnly,
	"RVCM": PayeeOnly,
	"RVNM": PayeeOnly,
	"RVMC": PayeeOnly,
	"RVNA": PayeeOnly,
}

// meaningOf returns the meaning of a status code.
func meaningOf(code string) Meaning {
	if m, ok := meanings[code]; ok {
		return m
	}

	return Unknown
}

var accept002 = iso20022.Accept{"pain.002": {Root: "CstmrPmtStsRpt", First: "03", Last: "14"}}

// lists are the elements that may be repeated, as far as they are read here.
var lists = iso20022.Lists{
	"CstmrPmtStsRpt/OrgnlPmtInfAndSts": true,
	"CstmrPmtStsRpt/TxInfAndSts":       true, // in the version of 2006 and its descendants
	"OrgnlGrpInfAndSts/StsRsnInf":      true,
	"OrgnlPmtInfAndSts/StsRsnInf":      true,
	"OrgnlPmtInfAndSts/TxInfAndSts":    true,
	"TxInfAndSts/StsRsnInf":            true,
	"StsRsnInf/AddtlInf":               true,
}

// reader reads one status report. It stores every status until the report ends, since the level above may follow later.
type reader struct {
	s      *iso20022.Scanner
	w      iso20022.Words
	group  Status
	spoken bool // the group has a status
	blocks []block
	count  int
}

// block holds the status of a block, or of no block, and of its transactions.
type block struct {
	Status
	named        bool
	transactions []Status
}

// Read002 reads a payment status report to its end and calls each with every status: the group's first, then every
// block followed by its transactions, whatever their order in the file. It calls each only for a valid report; an error
// of each ends it. The error is *iso20022.Error, or that of each.
func Read002(r io.Reader, l iso20022.Limits, each func(Status) error) error {
	p := &reader{s: iso20022.NewScanner(r, l)}
	if _, ok := p.s.Open(accept002, lists); !ok {
		return p.s.Err()
	}

	p.report()

	if p.count == 0 {
		p.s.Fail(iso20022.CodeStructure, "a report without a status")
	}

	if err := p.s.Close(); err != nil {
		return err
	}

	return p.handOn(each)
}

// report reads the root element.
func (p *reader) report() {
	loose := block{}
	for p.s.Child() {
		switch string(p.s.Name()) {
		case "GrpHdr":
			p.header()
		case "OrgnlGrpInfAndSts":
			p.original()
		case "OrgnlPmtInfAndSts":
			p.blocks = append(p.blocks, p.block())
		case "TxInfAndSts":
			loose.transactions = append(loose.transactions, p.transaction())
		default:
			p.s.Skip()
		}
	}

	p.blocks = append(p.blocks, loose)
}

// add counts a status and ends the scanner if there are too many, or too much text.
func (p *reader) add() {
	p.count++

	limits := p.s.Limits()
	if p.count > limits.Statuses || p.w.Size() > 2*limits.Kept {
		p.s.Fail(iso20022.CodeTooMany, "more statuses, or more text in them, than allowed")
	}

	p.s.Record()
}

// handOn calls each with every status and what it inherits from the level above.
func (p *reader) handOn(each func(Status) error) error {
	number := 0
	give := func(s, above Status) (Status, error) {
		s.MsgID = p.group.MsgID
		s.CreatedAt = p.group.CreatedAt
		s.OriginalMsgID = p.group.OriginalMsgID
		s.OriginalMsgName = p.group.OriginalMsgName

		s.Status = s.StatedStatus
		if s.StatedStatus == "" {
			s.Status = above.Status
			s.Reasons = orElse(s.Reasons, above.Reasons)
		}

		s.Meaning = meaningOf(s.Status)
		s.Number = number
		number++

		return s, each(s)
	}

	group := p.group
	if p.spoken {
		var err error
		if group, err = give(p.group, Status{}); err != nil {
			return err
		}
	}

	for _, b := range p.blocks {
		above := group
		if b.named {
			var err error
			if above, err = give(b.Status, group); err != nil {
				return err
			}
		}

		for _, t := range b.transactions {
			t.OriginalPmtInfID = b.OriginalPmtInfID
			if _, err := give(t, above); err != nil {
				return err
			}
		}
	}

	return nil
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
			g.StatedStatus = p.s.Value()
		case "StsRsnInf":
			p.reason(g)
		default:
			p.s.Skip()
		}
	}

	p.spoken = true
	p.add()
}

func (p *reader) reason(s *Status) {
	if p.s.Fresh(len(s.Reasons)) {
		s.Reasons = append(s.Reasons, p.s.Reasons(&p.w, iso20022.StatusReason))
	}
}

func (p *reader) block() block {
	b := block{named: true, Status: Status{Level: BlockLevel}}
	for p.s.Child() {
		switch string(p.s.Name()) {
		case "OrgnlPmtInfId":
			b.OriginalPmtInfID = p.w.Keep(p.s.Text())
		case "OrgnlNbOfTxs":
			b.OriginalCount = p.s.Value()
		case "OrgnlCtrlSum":
			b.OriginalSum = p.s.Value()
		case "PmtInfSts":
			b.StatedStatus = p.w.Code(p.s.Text())
		case "StsRsnInf":
			p.reason(&b.Status)
		case "TxInfAndSts":
			b.TransactionsBelow = true
			b.transactions = append(b.transactions, p.transaction())
		default:
			p.s.Skip()
		}
	}

	p.add()

	return b
}

func orElse(a, b []iso20022.ReasonGiven) []iso20022.ReasonGiven {
	if len(a) > 0 {
		return a
	}

	return b
}

func (p *reader) transaction() Status {
	t := Status{Level: TransactionLevel}
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
			t.StatedStatus = p.w.Code(p.s.Text())
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

	p.add()

	return t
}

// reference reads what the bank repeats of the order: its amount.
func (p *reader) reference(t *Status) {
	p.s.Within(func() { p.s.Within(func() { t.Amount = p.s.Amount(&p.w) }, "InstdAmt") }, "Amt")
}
