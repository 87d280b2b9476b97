package camt_test

import (
	"fmt"
	"strings"

	"slipway/internal/standards/iso20022"
	"slipway/internal/standards/iso20022/camt"
)

// printer prints what it is handed. What it is handed counts only when Read returns nil.
type printer struct{}

// Statement prints the account.
func (printer) Statement(h camt.Header) error {
	fmt.Println(h.Kind, h.Version, h.Account.IBAN)
	return nil
}

// Entry prints a booking.
func (printer) Entry(e camt.Entry) error {
	fmt.Println(e.Status, e.Amount, e.Credit)
	return nil
}

// End prints how many entries there were.
func (printer) End(t camt.Totals) error {
	fmt.Println(t.Entries)
	return nil
}

// A statement is read as a stream: memory does not grow with the file.
func ExampleRead() {
	file := `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt>
  <GrpHdr><MsgId>M1</MsgId><CreDtTm>2026-01-05T20:00:00Z</CreDtTm></GrpHdr>
  <Stmt>
    <Id>S1</Id><CreDtTm>2026-01-05T20:00:00Z</CreDtTm>
    <Acct><Id><IBAN>DE02100100100006820101</IBAN></Id><Ccy>EUR</Ccy></Acct>
    <Bal><Tp><CdOrPrtry><Cd>OPBD</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">100.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>2026-01-05</Dt></Dt></Bal>
    <Bal><Tp><CdOrPrtry><Cd>CLBD</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">125.50</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>2026-01-05</Dt></Dt></Bal>
    <Ntry>
      <Amt Ccy="EUR">25.50</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts>
      <BookgDt><Dt>2026-01-05</Dt></BookgDt><AcctSvcrRef>R1</AcctSvcrRef>
      <BkTxCd><Domn><Cd>PMNT</Cd><Fmly><Cd>RCDT</Cd><SubFmlyCd>ESCT</SubFmlyCd></Fmly></Domn></BkTxCd>
    </Ntry>
  </Stmt>
</BkToCstmrStmt></Document>`

	fmt.Println(camt.Read(strings.NewReader(file), iso20022.Limits{}, printer{}))

	// Output:
	// camt.053 08 DE02100100100006820101
	// BOOK {25.50 EUR} true
	// 1
	// <nil>
}
