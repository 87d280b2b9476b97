// Package sample generates statements of any size for tests and benchmarks, and reads them as a program with
// encoding/xml would: the yardstick for the scanner, in the same run.
//
// Read statement.go, then yardstick.go.
package sample

import (
	"io"
	"strconv"
)

// Statement returns a camt.053.001.08 with any number of entries, generated while it is read: about 960 bytes per
// entry, all of them different, with entities in the names, on one account with matching balances. pretty indents it.
func Statement(entries int, pretty bool) io.Reader {
	m := &maker{entries: entries}
	m.buf = append(m.buf, statementHead...)
	m.buf = strconv.AppendInt(m.buf, int64(entries), 10)

	m.buf = append(m.buf, statementSummary...)
	if pretty {
		m.indent = "\n      "
	}

	return m
}

// Reference returns the structured reference of an entry of Statement.
func Reference(entry int) string { return "INV" + padded(entry, 12) }

const statementHead = `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><GrpHdr><MsgId>MADE-1</MsgId><CreDtTm>2026-11-20T20:00:00Z</CreDtTm></GrpHdr>
<Stmt><Id>MADE-1-1</Id><ElctrncSeqNb>224</ElctrncSeqNb><CreDtTm>2026-11-20T20:00:00Z</CreDtTm><Acct><Id><IBAN>DE02100100100006820101</IBAN></Id><Ccy>EUR</Ccy></Acct>` +
	`<TxsSummry><TtlNtries><NbOfNtries>`

const statementSummary = "</NbOfNtries></TtlNtries></TxsSummry>\n"

const statementTail = "</Stmt></BkToCstmrStmt></Document>\n"

// maker generates entry after entry into a small buffer.
type maker struct {
	entries, next int
	buf           []byte
	at            int
	indent        string
	ended         bool
}

// Read implements io.Reader.
func (m *maker) Read(p []byte) (int, error) {
	for m.at == len(m.buf) {
		if m.ended {
			return 0, io.EOF
		}

		m.buf = m.buf[:0]

		m.at = 0
		if m.next == m.entries {
			m.buf = append(m.buf, statementTail...)
			m.ended = true
			break
		}

		m.entry(m.next)
		m.next++
	}

	n := copy(p, m.buf[m.at:])
	m.at += n

	return n, nil
}

// entry writes one booking: a credit, and every fifth a debit.
func (m *maker) entry(i int) {
	sign := "CRDT"
	if i%5 == 4 {
		sign = "DBIT"
	}

	number := padded(i, 12)
	amount := strconv.Itoa(1+i%9973) + "." + padded(i%100, 2)
	m.lines(
		"<Ntry>",
		"<NtryRef>N"+number+"</NtryRef>",
		`<Amt Ccy="EUR">`+amount+"</Amt>",
		"<CdtDbtInd>"+sign+"</CdtDbtInd>",
		"<Sts><Cd>BOOK</Cd></Sts>",
		"<BookgDt><Dt>2026-11-20</Dt></BookgDt>",
		"<ValDt><Dt>2026-11-20</Dt></ValDt>",
		"<AcctSvcrRef>BANK"+number+"</AcctSvcrRef>",
		"<BkTxCd><Domn><Cd>PMNT</Cd><Fmly><Cd>RCDT</Cd><SubFmlyCd>ESCT</SubFmlyCd></Fmly></Domn></BkTxCd>",
		"<NtryDtls><TxDtls>",
		"<Refs><InstrId>I"+number+"</InstrId><EndToEndId>E"+number+"</EndToEndId><TxId>T"+number+"</TxId></Refs>",
		`<Amt Ccy="EUR">`+amount+"</Amt>",
		"<CdtDbtInd>"+sign+"</CdtDbtInd>",
		"<RltdPties><Dbtr><Pty><Nm>Payer &amp; Sons "+number+"</Nm></Pty></Dbtr>",
		"<DbtrAcct><Id><IBAN>FR7630006000011234567890189</IBAN></Id></DbtrAcct>",
		"<Cdtr><Pty><Nm>Slipway Customer</Nm></Pty></Cdtr></RltdPties>",
		"<RltdAgts><DbtrAgt><FinInstnId><BICFI>AGRIFRPP</BICFI></FinInstnId></DbtrAgt></RltdAgts>",
		"<RmtInf><Ustrd>Invoice "+number+" of October, thank "+
			"you</Ustrd><Strd><CdtrRefInf><Tp><CdOrPrtry><Cd>SCOR</Cd></CdOrPrtry></Tp><Ref>"+Reference(i)+
			"</Ref></CdtrRefInf></Strd></RmtInf>",
		"</TxDtls></NtryDtls></Ntry>",
	)
	m.buf = append(m.buf, '\n')
}

func (m *maker) lines(lines ...string) {
	for _, l := range lines {
		m.buf = append(m.buf, m.indent...)
		m.buf = append(m.buf, l...)
	}
}

func padded(n, width int) string {
	s := strconv.Itoa(n)
	for len(s) < width {
		s = "0" + s
	}

	return s
}
