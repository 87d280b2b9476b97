package pain

import (
	"cmp"
	"strconv"

	"slipway/internal/standards/iso20022"
)

// Namespace is the namespace of written files.
const Namespace = "urn:iso:std:iso:20022:tech:xsd:pain.001.001.09"

// Render returns the file's bytes and the texts that it had to change. The error is a *Refused.
func Render(d Initiation) ([]byte, []Change, error) {
	var c checker

	d = c.initiation(d)
	if len(c.faults) > 0 {
		return nil, nil, &Refused{c.faults}
	}

	size := usualHead
	for _, b := range d.Blocks {
		size += len(b.Transfers) * usualTransfer
	}

	x := writer{b: make([]byte, 0, size)}
	x.document(d)

	return x.b, c.changes, nil
}

// The usual sizes of a message without its transfers, and of one transfer.
const (
	usualHead     = 4 << 10
	usualTransfer = 1 << 10
)

// writer writes XML, one element per line.
type writer struct {
	b     []byte
	depth int
}

func (x *writer) line() {
	x.b = append(x.b, '\n')
	for range x.depth {
		x.b = append(x.b, ' ')
	}
}

// in writes an element around what inside writes.
func (x *writer) in(name string, inside func()) {
	x.line()
	x.b = append(append(append(x.b, '<'), name...), '>')
	x.depth++
	inside()
	x.depth--
	x.line()
	x.end(name)
}

func (x *writer) end(name string) { x.b = append(append(append(x.b, '<', '/'), name...), '>') }

// is writes an element with a value, or nothing without a value.
func (x *writer) is(name, value string) {
	if value == "" {
		return
	}

	x.line()
	x.b = append(append(append(x.b, '<'), name...), '>')
	x.text(value)
	x.end(name)
}

func (x *writer) text(s string) {
	for i := range len(s) {
		switch s[i] {
		case '&':
			x.b = append(x.b, "&amp;"...)
		case '<':
			x.b = append(x.b, "&lt;"...)
		case '>':
			x.b = append(x.b, "&gt;"...)
		default:
			x.b = append(x.b, s[i])
		}
	}
}

// document writes everything. Counts and control sums cover all blocks, in exact decimals, whatever the currencies.
func (x *writer) document(d Initiation) {
	count := 0
	total := iso20022.Sum{}

	sums := make([]iso20022.Sum, len(d.Blocks))
	for i, b := range d.Blocks {
		for _, t := range b.Transfers {
			sums[i].Add(t.Amount)
		}

		total.AddSum(&sums[i])
		count += len(b.Transfers)
	}

	x.b = append(
		make([]byte, 0, 4096+count*2048),
		`<?xml version="1.0" encoding="UTF-8"?>`+"\n"+`<Document xmlns="`+Namespace+`">`...)
	x.depth = 1
	x.in("CstmrCdtTrfInitn", func() {
		x.in("GrpHdr", func() {
			x.is("MsgId", d.MsgID)
			x.is("CreDtTm", d.CreatedAt.UTC().Format("2006-01-02T15:04:05Z"))
			x.is("NbOfTxs", strconv.Itoa(count))
			x.is("CtrlSum", total.String())
			x.party("InitgPty", d.InitiatingParty)
		})

		for i, b := range d.Blocks {
			r, _ := rulesOf(b.Service, d.Guideline)
			x.in("PmtInf", func() { x.block(b, r, sums[i].String()) })
		}
	})
	x.b = append(x.b, "\n</Document>\n"...)
}

func (x *writer) block(b Block, r rules, sum string) {
	x.is("PmtInfId", b.PmtInfID)
	x.is("PmtMtd", "TRF")
	x.is("BtchBookg", strconv.FormatBool(!b.SingleBooking))
	x.is("NbOfTxs", strconv.Itoa(len(b.Transfers)))
	x.is("CtrlSum", sum)
	x.paymentType(b, r)
	x.in("ReqdExctnDt", func() { x.is("Dt", b.ExecutionDate) })
	x.party("Dbtr", b.Debtor)
	x.account("DbtrAcct", b.DebtorAccount)
	x.agent("DbtrAgt", b.DebtorAgent)

	if r.slev {
		x.is("ChrgBr", "SLEV")
	} else {
		x.is("ChrgBr", bearer[b.Charges])
	}

	for _, t := range b.Transfers {
		x.in("CdtTrfTxInf", func() { x.transfer(t) })
	}
}

// paymentType writes how a block is executed, or nothing where the accounts and the currency tell it.
func (x *writer) paymentType(b Block, r rules) {
	instrument := cmp.Or(b.LocalInstrument, r.instrument)
	if r.level+instrument+b.CategoryPurpose == "" {
		return
	}

	code := func(name, value string) {
		if value != "" {
			x.in(name, func() { x.is("Cd", value) })
		}
	}

	x.in("PmtTpInf", func() {
		code("SvcLvl", r.level)
		code("LclInstrm", instrument)
		code("CtgyPurp", b.CategoryPurpose)
	})
}

func (x *writer) transfer(t Transfer) {
	x.in("PmtId", func() {
		x.is("InstrId", t.InstrID)
		x.is("EndToEndId", t.EndToEndID)
		x.is("UETR", t.UETR)
	})
	x.in("Amt", func() {
		x.line()
		x.b = append(x.b, `<InstdAmt Ccy="`+t.Currency+`">`+t.Amount+`</InstdAmt>`...)
	})

	if !t.Intermediary.empty() {
		x.agent("IntrmyAgt1", t.Intermediary)
	}

	if !t.CreditorAgent.empty() {
		x.agent("CdtrAgt", t.CreditorAgent)
	}

	x.party("Cdtr", t.Creditor)
	x.account("CdtrAcct", t.CreditorAccount)
	x.is("InstrForDbtrAgt", t.Instruction)

	if t.Purpose != "" {
		x.in("Purp", func() { x.is("Cd", t.Purpose) })
	}

	if t.Remittance == "" && t.Reference == "" {
		return
	}

	x.in("RmtInf", func() {
		x.is("Ustrd", t.Remittance)

		if t.Reference != "" {
			x.reference(t.Reference)
		}
	})
}

// reference writes a structured reference: SCOR for ISO 11649, the Swiss QRR by its own name.
func (x *writer) reference(ref string) {
	x.in("Strd", func() {
		x.in("CdtrRefInf", func() {
			x.in("Tp", func() {
				x.in("CdOrPrtry", func() {
					if digit(ref[0]) {
						x.is("Prtry", "QRR")
					} else {
						x.is("Cd", "SCOR")
					}
				})
			})

			x.is("Ref", ref)
		})
	})
}

func (x *writer) party(name string, p Party) {
	x.in(name, func() {
		x.is("Nm", p.Name)
		x.address(p.Address)

		if p.LEI != "" {
			x.in("Id", func() { x.in("OrgId", func() { x.is("LEI", p.LEI) }) })
		}
	})
}

func (x *writer) address(a Address) {
	if a.empty() {
		return
	}

	x.in("PstlAdr", func() {
		x.is("StrtNm", a.Street)
		x.is("BldgNb", a.Building)
		x.is("PstCd", a.PostCode)
		x.is("TwnNm", a.Town)
		x.is("CtrySubDvsn", a.Subdivision)
		x.is("Ctry", a.Country)

		for _, l := range a.Lines {
			x.is("AdrLine", l)
		}
	})
}

func (x *writer) account(name string, a Account) {
	x.in(name, func() {
		x.in("Id", func() {
			x.is("IBAN", a.IBAN)

			if a.IBAN == "" {
				x.in("Othr", func() { x.is("Id", a.Number) })
			}
		})

		if a.Type != "" {
			x.in("Tp", func() { x.is("Cd", a.Type) })
		}

		x.is("Ccy", a.Currency)
	})
}

// agent writes a bank. The debtor's is mandatory even if its IBAN is enough: NOTPROVIDED, then (EPC132-08).
func (x *writer) agent(name string, a Agent) {
	x.in(name, func() {
		x.in("FinInstnId", func() {
			x.is("BICFI", a.BIC)

			for _, n := range []struct {
				system clearing
				member string
			}{{bySortCode, a.SortCode}, {byABA, a.ABA}, {byIFSC, a.IFSC}, {"CHBCC", a.iid}} {
				if n.member != "" {
					x.in("ClrSysMmbId", func() {
						x.in("ClrSysId", func() { x.is("Cd", string(n.system)) })
						x.is("MmbId", n.member)
					})
				}
			}

			x.is("Nm", a.Name)
			x.address(a.Address)

			if a.empty() {
				x.in("Othr", func() { x.is("Id", "NOTPROVIDED") })
			}
		})
	})
}
