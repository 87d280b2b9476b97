//go:build !nosandbox

package main

import (
	"bufio"
	"errors"
	"fmt"
	"os"

	"slipway/internal/rails/bank"
	"slipway/internal/standards/creditorref"
)

// depositEntry is the statement's entry that pays an on-ramp.
func depositEntry(n int) int { return 10*n + 5 }

func depositReference(n int) string {
	n *= 2_654_435 // far apart, as random ones are
	return creditorref.Deposit([5]byte{byte(n >> 32), byte(n >> 24), byte(n >> 16), byte(n >> 8), byte(n)})
}

// customer is the other side of an entry; of a deposit the organisation that waits for it.
func customer(entry int) string {
	if entry%10 == 5 {
		entry %= 10 * depositors
	}

	return fmt.Sprintf("Customer Number %d Aktiengesellschaft", entry)
}

// cents is the amount of an entry, below zero for a debit.
func cents(entry int) int64 {
	if entry%10 == 0 {
		return -1000
	}

	return int64(1000 + entry)
}

func statementSum() (sum int64) {
	for i := range statementEntries {
		sum += cents(i)
	}

	return sum
}

// writeStatement writes a camt.053 of which one entry in ten is the debit of a payout, one in ten the deposit of an
// on-ramp, and the rest are credits that nobody waits for.
func writeStatement(path string) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}

	out := bufio.NewWriterSize(f, 1<<20)
	fmt.Fprintf(
		out,
		`<?xml version="1.0" encoding="UTF-8"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><GrpHdr><MsgId>M</MsgId><CreDtTm>2026-11-20T20:00:00</CreDtTm></GrpHdr><Stmt><Id>S</Id><CreDtTm>2026-11-20T20:00:00</CreDtTm><Acct><Id><IBAN>%s</IBAN></Id><Ccy>EUR</Ccy></Acct>`,
		house.IBAN,
	)

	for _, side := range []struct {
		kind  string
		cents int64
	}{{"OPBD", 0}, {"CLBD", statementSum()}} {
		amount, sign := euros(side.cents)

		fmt.Fprintf(
			out,
			`<Bal><Tp><CdOrPrtry><Cd>%s</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">%s</Amt><CdtDbtInd>%s</CdtDbtInd><Dt><Dt>2026-11-20</Dt></Dt></Bal>`,
			side.kind,
			amount,
			sign,
		)
	}

	for i := range statementEntries {
		amount, sign := euros(cents(i))
		reference := fmt.Sprintf("CUSTOMER-REFERENCE-%08d", i)
		party := "Dbtr"

		structured := ""
		switch i % 10 {
		case 0:
			reference = bank.EndToEndID(payout(i / 10).Key)
			party = "Cdtr"
		case 5:
			structured = "<Strd><CdtrRefInf><Ref>" + depositReference(i/10) + "</Ref></CdtrRefInf></Strd>"
		}

		fmt.Fprintf(
			out,
			`<Ntry><NtryRef>%[1]d</NtryRef><Amt Ccy="EUR">%[2]s</Amt><CdtDbtInd>%[3]s</CdtDbtInd><RvslInd>false</RvslInd><Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>2026-11-20</Dt></BookgDt><ValDt><Dt>2026-11-20</Dt></ValDt>`+
				`<AcctSvcrRef>2026112000%08[1]d</AcctSvcrRef><BkTxCd><Domn><Cd>PMNT</Cd><Fmly><Cd>RCDT</Cd><SubFmlyCd>ESCT</SubFmlyCd></Fmly></Domn></BkTxCd><NtryDtls><TxDtls><Refs>`+
				`<AcctSvcrRef>2026112000%08[1]d</AcctSvcrRef><InstrId>INSTR-%08[1]d</InstrId><EndToEndId>%[4]s</EndToEndId></Refs><Amt Ccy="EUR">%[2]s</Amt><CdtDbtInd>%[3]s</CdtDbtInd>`+
				`<RltdPties><%[5]s><Pty><Nm>%[6]s</Nm></Pty></%[5]s><%[5]sAcct><Id><IBAN>AT611904300234573201</IBAN></Id></%[5]sAcct></RltdPties>`+
				`<RltdAgts><DbtrAgt><FinInstnId><BICFI>BKAUATWWXXX</BICFI></FinInstnId></DbtrAgt></RltdAgts><RmtInf><Ustrd>Invoice %[1]d of 20 November 2026, customer number %[1]d</Ustrd>%[7]s</RmtInf></TxDtls></NtryDtls></Ntry>`+"\n",
			i,
			amount,
			sign,
			reference,
			party,
			customer(i),
			structured,
		)
	}

	_, err = out.WriteString("</Stmt></BkToCstmrStmt></Document>")

	return errors.Join(err, out.Flush(), f.Close())
}

// euros gives an amount as a statement writes it.
func euros(cents int64) (amount, sign string) {
	sign = "CRDT"
	if cents < 0 {
		cents = -cents
		sign = "DBIT"
	}

	return fmt.Sprintf("%d.%02d", cents/100, cents%100), sign
}
