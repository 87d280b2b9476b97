package camt

import (
	"errors"
	"runtime"
	"strings"
	"testing"

	"slipway/internal/standards/iso20022"
)

// with puts something into the credit of the tests.
func with(part string) string { return strings.Replace(credit, "</Ntry>", part+"</Ntry>", 1) }

func details(parts ...string) string { return "<NtryDtls>" + strings.Join(parts, "") + "</NtryDtls>" }

func batch3(count string) string { return "<Btch><NbOfTxs>" + count + "</NbOfTxs></Btch>" }

func tx(amount, name string) string {
	return `<TxDtls><Amt Ccy="EUR">` + amount + `</Amt><RltdPties><Dbtr><Nm>` + name + `</Nm></Dbtr></RltdPties></TxDtls>`
}

// F-12: of two elements of which one may stand none is taken, nor what is booked on a day that does not exist.
func TestWhatContradictsItselfIsRefused(t *testing.T) {
	day := func(d string) string { return statement(account, with("<BookgDt>"+d+"</BookgDt>")) }

	for _, c := range []struct {
		name, file string
		want       iso20022.Code
	}{
		{"two amounts", statement(account, with(`<Amt Ccy="EUR">900.00</Amt>`)), iso20022.CodeStructure},
		{"two directions", statement(account, with(out)), iso20022.CodeStructure},
		{"two states", statement(account, with("<Sts><Cd>PDNG</Cd></Sts>")), iso20022.CodeStructure},
		{"two words for a state", statement(account, strings.Replace(credit, "<Cd>BOOK</Cd>", "<Cd>BOOK</Cd><Prtry>X</Prtry>", 1)), iso20022.CodeStructure},
		{
			"two payers", statement(account, with(details("<TxDtls><RltdPties><Dbtr><Nm>A</Nm></Dbtr><Dbtr><Nm>B</Nm></Dbtr></RltdPties></TxDtls>"))),
			iso20022.CodeStructure,
		},
		{
			"two names of a payer", statement(account, with(details("<TxDtls><RltdPties><Dbtr><Nm>A</Nm><Pty><Nm>B</Nm></Pty></Dbtr></RltdPties></TxDtls>"))),
			iso20022.CodeStructure,
		},
		{"two accounts", statement(account, account), iso20022.CodeStructure},
		{"two numbers of an account", statement(strings.Replace(account, "</Id>", "<Othr><Id>1</Id></Othr></Id>", 1)), iso20022.CodeStructure},
		{"two heads", strings.Replace(statement(account), "</GrpHdr>", "</GrpHdr><GrpHdr/>", 1), iso20022.CodeStructure},
		{"a head behind the statement", strings.Replace(statement(account), "</Stmt>", "</Stmt><GrpHdr/>", 1), iso20022.CodeStructure},
		{"details before the direction", statement(account, strings.Replace(credit, in, details(tx("5", "A"))+in, 1)), iso20022.CodeStructure},
		{"a day and a time", day("<Dt>2026-11-20</Dt><DtTm>2026-11-21T00:00:00</DtTm>"), iso20022.CodeStructure},
		{"30 February", day("<Dt>2026-02-30</Dt>"), iso20022.CodeValue},
		{"29 February of no leap year", day("<Dt>2100-02-29</Dt>"), iso20022.CodeValue},
		{"31 November", day("<Dt>2026-11-31</Dt>"), iso20022.CodeValue},
		{"no day", day("<Dt>2026-11-00</Dt>"), iso20022.CodeValue},
		{"hour 25", day("<DtTm>2026-11-20T25:00:00</DtTm>"), iso20022.CodeValue},
		{"a zone that is none", day("<Dt>2026-11-20+99:00</Dt>"), iso20022.CodeValue},
		{"a period of no day", statement("<FrToDt><FrDtTm>2026-02-30T00:00:00</FrDtTm></FrToDt>", account), iso20022.CodeValue},
	} {
		err := Read(strings.NewReader(c.file), iso20022.Limits{}, new(keeper))

		var e *iso20022.Error
		if !errors.As(err, &e) || e.Code != c.want {
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
	}
}

// F-12: days in every form of XML Schema are read.
func TestDaysThatExistAreRead(t *testing.T) {
	for _, day := range []string{
		"<Dt>2024-02-29</Dt>", "<Dt>2000-02-29Z</Dt>", "<Dt>2026-12-31+14:00</Dt>", "<DtTm>2026-11-20T24:00:00</DtTm>",
		"<DtTm>2026-11-20T23:59:59.123456-05:00</DtTm>", "<DtTm>2026-11-20T00:00:00Z</DtTm>",
	} {
		var k keeper

		if err := Read(
			strings.NewReader(statement(account, with("<ValDt>"+day+"</ValDt>"))),
			iso20022.Limits{},
			&k,
		); err != nil {
			t.Errorf("%s: %v", day, err)
		} else if got := k.entries[0].ValueDate; !strings.Contains(day, got) ||
			len(got) != 10 {
			t.Errorf("%s is %s", day, got)
		}
	}
}

// F-12: comments may stand where XML lets them stand, in a state too.
func TestCommentsBreakNothing(t *testing.T) {
	commented := strings.NewReplacer(
		"<Sts><Cd>BOOK",
		"<Sts><!-- the new form --> <Cd><!-- booked -->BOOK",
		"5.00",
		"5<!-- euro -->.00",
	).Replace(credit)

	var k keeper
	if err := Read(strings.NewReader(statement(account, commented)), iso20022.Limits{}, &k); err != nil ||
		k.entries[0].Status != Booked ||
		k.entries[0].Amount.Value != "5.00" {
		t.Errorf("%v %+v", err, k.entries)
	}
}

// F-11, F-12: an entry that its details do not make up is a lump: none of them is its payer.
func TestAnEntryThatItsDetailsAreNotIsALump(t *testing.T) {
	charge := func(c string) string {
		return strings.Replace(tx("5.25", "A"), "</TxDtls>", `<Chrgs><Amt Ccy="EUR">`+c+`</Amt></Chrgs></TxDtls>`, 1)
	}

	for _, c := range []struct {
		name, details string
		lump          bool
	}{
		{"one detail of all", details(tx("5.00", "A")), false},
		{"one detail of a part", details(tx("2.00", "A")), true},
		{"one detail of a batch of three", details(batch3("3"), tx("2.00", "A")), true},
		{"one detail of a batch of three, without amount", details(batch3("3"), "<TxDtls><RltdPties><Dbtr><Nm>A</Nm></Dbtr></RltdPties></TxDtls>"), true},
		{"one detail of a batch of three that has all of the amount", details(batch3("3"), tx("5.00", "A")), true},
		{"one detail of a batch of one", details(batch3("1"), "<TxDtls/>"), false},
		{"two details of a batch of two", details(batch3("2"), tx("2.00", "A"), tx("3.00", "B")), false},
		{"two details of a batch of three", details(batch3("3"), tx("2.00", "A"), tx("3.00", "B")), true},
		{"two batches", details(batch3("1"), tx("2.00", "A")) + details(batch3("1"), tx("3.00", "B")), false},
		{"two batches, one of them without details", details(batch3("1"), tx("5.00", "A")) + details(batch3("2")), true},
		{"a number that is none", details(batch3("x"), tx("5.00", "A")), false},
		{"the rest is charges", details(charge("0.25")), false},
		{"the rest is more than charges", details(charge("0.20")), true},
	} {
		var k keeper

		if err := Read(strings.NewReader(statement(account, with(c.details))), iso20022.Limits{}, &k); err != nil ||
			k.entries[0].Lump != c.lump {
			t.Errorf("%s: %v, lump %v", c.name, err, !c.lump)
		}
	}
}

// F-12: of several batches in one entry each is that of its own details.
func TestBatchesBelongToTheirDetails(t *testing.T) {
	one := "<Btch><PmtInfId>P1</PmtInfId></Btch>"
	two := "<Btch><PmtInfId>P2</PmtInfId></Btch>"

	var k keeper

	file := statement(account, with(details(one, tx("2.00", "A"))+details(two, tx("3.00", "B"))))
	if err := Read(strings.NewReader(file), iso20022.Limits{}, &k); err != nil {
		t.Fatal(err)
	}

	if e := k.entries[0]; e.BatchPmtInf != "" || e.Details[0].PmtInfID != "P1" || e.Details[1].PmtInfID != "P2" {
		t.Errorf("%+v", e)
	}
}

// F-12: one entry of very many large details is refused before it fills the memory; one of as many usual ones is read.
func TestOneEntryHasALimit(t *testing.T) {
	large := tx("1.00", strings.Repeat("x", 25<<10))
	usual := strings.Replace(
		tx("1.00", "A payer"),
		"</TxDtls>",
		"<RmtInf><Ustrd>"+strings.Repeat("text ", 100)+"</Ustrd></RmtInf></TxDtls>",
		1,
	)
	read := func(detail string, times int) (uint64, error) {
		file := statement(account, strings.Replace(with(details(strings.Repeat(detail, times))), "5.00", "9999.00", 1))

		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		err := Read(strings.NewReader(file), iso20022.Limits{}, new(keeper))
		runtime.ReadMemStats(&after)

		return after.TotalAlloc - before.TotalAlloc, err
	}

	allocated, err := read(large, 9999)

	var e *iso20022.Error
	if !errors.As(err, &e) || e.Code != iso20022.CodeEntrySize || allocated > 64<<20 {
		t.Errorf("%v, %d MB", err, allocated>>20)
	}

	if _, err := read(usual, 9999); err != nil {
		t.Errorf("usual details: %v", err)
	}
}

// F-12: version 01 has its details in the entry itself, and other words for some things.
func TestTheFirstVersionIsRead(t *testing.T) {
	entry := `<Ntry><Amt Ccy="EUR">300.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>2026-11-20</Dt></BookgDt>` +
		`<BkTxCd><Prtry><Cd>166</Cd></Prtry></BkTxCd><Btch><NbOfTxs>2</NbOfTxs></Btch>` +
		`<TxDtls><AmtDtls><TxAmt><Amt Ccy="EUR">100.00</Amt></TxAmt></AmtDtls><RmtInf><Strd><CdtrRefInf><CdtrRef>RF18539007547034</CdtrRef>` +
		`</CdtrRefInf></Strd></RmtInf></TxDtls>` +
		`<TxDtls><AmtDtls><TxAmt><Amt Ccy="EUR">200.00</Amt></TxAmt></AmtDtls><RtrInf><RtrRsn><Cd>AC04</Cd></RtrRsn>` +
		`<AddtlRtrRsnInf>closed</AddtlRtrRsnInf></RtrInf></TxDtls></Ntry>`
	account := `<Acct><Id><PrtryAcct><Id>12345678</Id></PrtryAcct></Id></Acct>`
	file := strings.NewReplacer(".08", ".01", "BkToCstmrStmt>", "BkToCstmrStmtV01>").Replace(statement(account, entry))

	var k keeper
	if err := Read(strings.NewReader(file), iso20022.Limits{}, &k); err != nil {
		t.Fatal(err)
	}

	e := k.entries[0]
	if k.heads[0].Version != "01" || e.Account.ID() != "12345678" || e.Status != Booked || e.Lump ||
		len(e.Details) != 2 ||
		e.Details[1].Amount != euro("200.00") ||
		e.Details[0].StructuredRefs[0] != "RF18539007547034" ||
		e.Details[1].Return.Code != "AC04" ||
		e.Details[1].Return.Info != "closed" {
		t.Errorf("%+v", e)
	}
}
