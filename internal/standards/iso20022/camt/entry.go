package camt

import (
	"cmp"
	"strconv"
	"strings"

	"slipway/internal/standards/iso20022"
)

// readEntry reads one Ntry and passes it to the handler.
func (p *reader) readEntry() {
	p.entry = Entry{Account: p.header.Account, Statement: p.number, Number: p.totals.Entries()}
	p.kept = p.w.Size()
	p.batches = p.batches[:0]
	e := &p.entry

	var direction bool
	for p.s.Child() {
		switch string(p.s.Name()) {
		case "NtryRef":
			e.Ref = p.w.Keep(p.s.Text())
		case "Amt":
			e.Amount = p.s.Amount(&p.w)
		case "CdtDbtInd":
			e.Credit = p.s.IsCredit()
			direction = true
		case "RvslInd":
			e.Reversal = p.s.Truth()
		case "Sts":
			e.Status = p.status()
		case "BookgDt":
			e.BookingDate = p.s.DateChoice(&p.w)
		case "ValDt":
			e.ValueDate = p.s.DateChoice(&p.w)
		case "AcctSvcrRef":
			e.AcctSvcrRef = p.w.Keep(p.s.Text())
		case "BkTxCd":
			e.Code = p.txCode()
		case "Chrgs":
			e.Charges = p.charges(e.Charges)
		case "NtryDtls":
			p.needs(!e.Amount.Empty() && direction)
			p.details(e)

		case "Btch": // here in version 01
			own := batch{whole: true}
			p.readBatch(&own)
			p.addBatch(own)

		case "TxDtls": // here in version 01
			p.needs(!e.Amount.Empty() && direction)
			p.addDetail(e)
		case "AddtlNtryInf":
			e.Info = p.w.Keep(p.s.Text())
		default:
			p.s.Skip()
		}
	}

	if p.s.Err() != nil {
		return
	}

	if e.Amount.Empty() || !direction {
		p.s.Fail(iso20022.CodeStructure, "an entry without amount or direction")
		return
	}

	p.settle(e)
	p.totals.Add(e)
	p.s.Record()
	p.err = p.h.Entry(*e)
}

// needs ends the scanner if details come before the elements that they depend on.
func (p *reader) needs(there bool) {
	if !there {
		p.s.Fail(iso20022.CodeStructure, "details before the entry's amount and direction")
	}
}

// status is text up to version 07 and a code element since. An entry of unknown status is not booked, whatever else it
// contains.
func (p *reader) status() Status {
	code, own := p.s.Choice(&p.w)
	if own {
		return Status("")
	}

	return Status(code)
}

// settle compares the details with the entry.
func (p *reader) settle(e *Entry) {
	p.settleBatches(e)

	if len(e.Details) == 0 || e.Lump {
		return
	}

	if len(e.Details) == 1 && e.Details[0].Amount == e.Amount && e.Details[0].Credit == e.Credit {
		return
	}

	var rest iso20022.Sum
	rest.Sub(e.Amount.Value)

	for i := range e.Details {
		d := &e.Details[i]
		if d.Amount.Empty() || d.Amount.Currency != e.Amount.Currency {
			return // nothing can be concluded
		}

		if d.Credit == e.Credit {
			rest.Add(d.Amount.Value)
		} else {
			rest.Sub(d.Amount.Value)
		}
	}

	e.Lump = rest.Sign() != 0 && !chargesAre(e, &rest)
}

// chargesAre reports whether the bank's charges explain the difference between the details and the entry.
func chargesAre(e *Entry, rest *iso20022.Sum) bool {
	var sum iso20022.Sum
	add := func(list []Charge) {
		for _, c := range list {
			if c.Amount.Currency == e.Amount.Currency {
				sum.Add(c.Amount.Value)
			}
		}
	}
	add(e.Charges)

	for i := range e.Details {
		add(e.Details[i].Charges)
	}

	if rest.Sign() < 0 {
		var positive iso20022.Sum
		positive.SubSum(rest)
		rest = &positive
	}

	return sum.Cmp(rest) == 0
}

// settleBatches compares the stated numbers of transactions with the details. A single batch belongs to the entry; each
// of several belongs to its own details.
func (p *reader) settleBatches(e *Entry) {
	if len(p.batches) == 0 {
		return
	}

	stated, given := p.stated(e)
	e.Lump = len(e.Details) > 0 && stated != given

	if len(p.batches) == 1 {
		b := p.batches[0]
		e.BatchMsgID = b.msgID
		e.BatchPmtInf = b.pmtInf
		e.BatchCount = b.count

		return
	}

	for _, b := range p.batches {
		own := e.Details[b.from:b.to]
		for i := range own {
			own[i].PmtInfID = cmp.Or(own[i].PmtInfID, b.pmtInf)
		}
	}
}

// stated adds up the numbers of transactions that the bank states, and the details that it lists for the same batches.
func (p *reader) stated(e *Entry) (stated, given int) {
	for _, b := range p.batches {
		n, err := strconv.Atoi(b.count)
		if err != nil {
			continue
		}

		stated += n

		if b.whole {
			given = len(e.Details)
		} else {
			given += b.to - b.from
		}
	}

	return stated, given
}

func (p *reader) txCode() (c TxCode) {
	for p.s.Child() {
		switch string(p.s.Name()) {
		case "Domn":
			p.domain(&c)

		case "Prtry":
			for p.s.Child() {
				switch string(p.s.Name()) {
				case "Cd":
					c.Proprietary = p.w.Code(p.s.Text())
				case "Issr":
					c.Issuer = p.w.Code(p.s.Text())
				default:
					p.s.Skip()
				}
			}

		default:
			p.s.Skip()
		}
	}

	return c
}

func (p *reader) domain(c *TxCode) {
	for p.s.Child() {
		switch string(p.s.Name()) {
		case "Cd":
			c.Domain = p.w.Code(p.s.Text())

		case "Fmly":
			for p.s.Child() {
				switch string(p.s.Name()) {
				case "Cd":
					c.Family = p.w.Code(p.s.Text())
				case "SubFmlyCd":
					c.SubFamily = p.w.Code(p.s.Text())
				default:
					p.s.Skip()
				}
			}

		default:
			p.s.Skip()
		}
	}
}

// charges reads Chrgs: a single charge up to version 03, a list of records since.
func (p *reader) charges(list []Charge) []Charge {
	var own Charge
	for p.s.Child() {
		if string(p.s.Name()) == "Rcrd" {
			var c Charge
			for p.s.Child() {
				p.chargePart(&c)
			}

			list = p.addCharge(list, c)

			continue
		}

		p.chargePart(&own)
	}

	return p.addCharge(list, own)
}

func (p *reader) addCharge(list []Charge, c Charge) []Charge {
	if c.Amount.Empty() || !p.s.Fresh(len(list)) {
		return list
	}

	return append(list, c)
}

func (p *reader) chargePart(c *Charge) {
	switch string(p.s.Name()) {
	case "Amt":
		c.Amount = p.s.Amount(&p.w)
	case "CdtDbtInd":
		c.Credit = p.s.IsCredit()
	case "ChrgInclInd":
		c.Included = p.s.Truth()
	case "Br":
		c.Bearer = p.w.Code(p.s.Text())
	case "Tp":
		c.Type, _ = p.s.Choice(&p.w)
	default:
		p.s.Skip()
	}
}

// batch is a Btch with its details.
type batch struct {
	msgID, pmtInf, count string
	from, to             int
	whole                bool // of the complete entry (version 01)
	given                bool
}

// details reads NtryDtls, of which an entry may have several.
func (p *reader) details(e *Entry) {
	own := batch{from: len(e.Details)}
	for p.s.Child() {
		switch string(p.s.Name()) {
		case "Btch":
			p.readBatch(&own)
		case "TxDtls":
			p.addDetail(e)
		default:
			p.s.Skip()
		}
	}

	own.to = len(e.Details)
	if own.given {
		p.addBatch(own)
	}
}

func (p *reader) addBatch(b batch) {
	if p.s.Fresh(len(p.batches)) {
		p.batches = append(p.batches, b)
	}
}

// addDetail reads a TxDtls. The total size of an entry's details is limited: an entry is passed on in one piece.
func (p *reader) addDetail(e *Entry) {
	if !p.s.Fresh(len(e.Details)) {
		return
	}

	e.Details = p.room(e.Details)
	p.detail(e, &e.Details[len(e.Details)-1])

	if p.w.Size()-p.kept > p.s.Limits().Kept {
		p.s.Fail(iso20022.CodeEntrySize, "one entry has more text than allowed")
	}

	p.s.Record()
}

// room extends the list by one. Most entries have one detail, so their room is cut from a larger allocation.
func (p *reader) room(list []Detail) []Detail {
	if len(list) > 0 {
		return append(list, Detail{})
	}

	if len(p.spare) == 0 {
		p.spare = make([]Detail, 32)
	}

	list = p.spare[:1:1]
	p.spare = p.spare[1:]

	return list
}

func (p *reader) readBatch(b *batch) {
	b.given = true

	for p.s.Child() {
		switch string(p.s.Name()) {
		case "MsgId":
			b.msgID = p.w.Keep(p.s.Text())
		case "PmtInfId":
			b.pmtInf = p.w.Keep(p.s.Text())
		case "NbOfTxs":
			b.count = p.w.Keep(p.s.Text())
		default:
			p.s.Skip()
		}
	}
}

// detail reads one TxDtls.
func (p *reader) detail(e *Entry, d *Detail) {
	d.Credit = e.Credit
	for p.s.Child() {
		switch string(p.s.Name()) {
		case "Refs":
			p.refs(d)
		case "Amt":
			d.Amount = p.s.Amount(&p.w)
		case "CdtDbtInd":
			d.Credit = p.s.IsCredit()
		case "AmtDtls":
			p.amounts(d)
		case "BkTxCd":
			d.Code = p.txCode()
		case "Chrgs":
			d.Charges = p.charges(d.Charges)
		case "RltdPties":
			p.parties(d)
		case "RltdAgts":
			p.agents(d)
		case "Purp":
			d.Purpose, _ = p.s.Choice(&p.w)
		case "RmtInf":
			p.remittance(d)
		case "RtrInf":
			d.Return = p.returned()
		case "AddtlTxInf":
			d.Info = p.w.Keep(p.s.Text())
		default:
			p.s.Skip()
		}
	}

	if d.Amount.Empty() {
		d.Amount = d.Original
	}
}

func (p *reader) refs(d *Detail) {
	for p.s.Child() {
		var into *string
		switch string(p.s.Name()) {
		case "MsgId":
			into = &d.MsgID
		case "AcctSvcrRef":
			into = &d.AcctSvcrRef
		case "PmtInfId":
			into = &d.PmtInfID
		case "InstrId":
			into = &d.InstrID
		case "EndToEndId":
			into = &d.EndToEndID
		case "UETR":
			into = &d.UETR
		case "TxId":
			into = &d.TxID
		case "MndtId":
			into = &d.MandateID
		case "ClrSysRef":
			into = &d.ClearingRef
		default:
			p.s.Skip()
			continue
		}

		*into = p.w.Keep(p.s.Text())
	}

	d.EndToEndID = iso20022.Provided(d.EndToEndID)
}

// amounts reads AmtDtls: what was ordered, what was booked, what was exchanged.
func (p *reader) amounts(d *Detail) {
	for p.s.Child() {
		switch string(p.s.Name()) {
		case "InstdAmt":
			d.Instructed = p.inner()
		case "TxAmt":
			d.Original = p.inner()
		case "CntrValAmt":
			d.CounterVal = p.inner()
		default:
			p.s.Skip()
		}
	}
}

func (p *reader) inner() (a iso20022.Amount) {
	for p.s.Child() {
		if string(p.s.Name()) == "Amt" {
			a = p.s.Amount(&p.w)
		} else {
			p.s.Skip()
		}
	}

	return a
}

func (p *reader) parties(d *Detail) {
	for p.s.Child() {
		switch string(p.s.Name()) {
		case "Dbtr":
			d.Debtor.Name = p.party()
		case "DbtrAcct":
			d.Debtor.Account = p.account()
		case "UltmtDbtr":
			d.UltimateDebtor = p.party()
		case "Cdtr":
			d.Creditor.Name = p.party()
		case "CdtrAcct":
			d.Creditor.Account = p.account()
		case "UltmtCdtr":
			d.UltimateCreditor = p.party()
		default:
			p.s.Skip()
		}
	}
}

func (p *reader) agents(d *Detail) {
	for p.s.Child() {
		switch string(p.s.Name()) {
		case "DbtrAgt":
			d.DebtorAgentBIC = p.agent()
		case "CdtrAgt":
			d.CreditorAgentBIC = p.agent()
		default:
			p.s.Skip()
		}
	}
}

func (p *reader) remittance(d *Detail) {
	for p.s.Child() {
		switch string(p.s.Name()) {
		case "Ustrd":
			if text := p.w.Keep(p.s.Text()); text != "" && p.s.Fresh(len(d.Remittance)) {
				d.Remittance = append(d.Remittance, text)
			}

		case "Strd":
			p.structured(d)
		default:
			p.s.Skip()
		}
	}
}

// structured reads Strd. Its free part (AddtlRmtInf) is ordinary text: banks put the payer's message there.
func (p *reader) structured(d *Detail) {
	for p.s.Child() {
		switch string(p.s.Name()) {
		case "CdtrRefInf":
			for p.s.Child() {
				if name := string(p.s.Name()); name != "Ref" && name != "CdtrRef" { // the latter in version 01
					p.s.Skip()
					continue
				}

				if ref := p.w.Keep(p.s.Text()); ref != "" && p.s.Fresh(len(d.StructuredRefs)) {
					d.StructuredRefs = append(d.StructuredRefs, ref)
				}
			}

		case "AddtlRmtInf":
			if text := p.w.Keep(p.s.Text()); text != "" && p.s.Fresh(len(d.StructuredInfo)) {
				d.StructuredInfo = append(d.StructuredInfo, text)
			}

		default:
			p.s.Skip()
		}
	}
}

// returned reads RtrInf.
func (p *reader) returned() *Return {
	var r Return

	var info []string // joined once: a hostile file may have very many
	for p.s.Child() {
		switch string(p.s.Name()) {
		case "OrgnlBkTxCd":
			r.OriginalCode = p.txCode().String()
		case "Rsn", "RtrRsn": // the latter in version 01
			r.Code, r.Proprietary = p.s.Choice(&p.w)

		case "AddtlInf", "AddtlRtrRsnInf": // the latter in version 01
			if text := p.w.Keep(p.s.Text()); text != "" && p.s.Fresh(len(info)) {
				info = append(info, text)
			}

		default:
			p.s.Skip()
		}
	}

	r.Info = strings.Join(info, " ")
	r.Reason = iso20022.ReturnReason(r.Code)

	return &r
}
