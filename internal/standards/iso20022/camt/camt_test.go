package camt

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"slipway/internal/standards/iso20022"
	"slipway/internal/standards/iso20022/isotest"
	"slipway/internal/standards/iso20022/sample"
)

// file opens a statement of our own.
func file(t testing.TB, name string) io.Reader {
	t.Helper()

	f, err := os.Open(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}

	t.Cleanup(func() { f.Close() })

	return f
}

// keeper keeps everything.
type keeper struct {
	heads   []Header
	entries []Entry
	totals  []Totals
}

func (k *keeper) Statement(h Header) error { k.heads = append(k.heads, h); return nil }
func (k *keeper) Entry(e Entry) error      { k.entries = append(k.entries, e); return nil }
func (k *keeper) End(t Totals) error       { k.totals = append(k.totals, t); return nil }

func euro(v string) iso20022.Amount { return iso20022.Amount{Value: v, Currency: "EUR"} }

func TestAnOldStatementInISO88591(t *testing.T) {
	var k keeper
	if err := Read(file(t, "day.053.02.latin1.xml"), iso20022.Limits{}, &k); err != nil {
		t.Fatal(err)
	}

	h := k.heads[0]
	if h.Kind != Statement || h.Version != "02" || h.MsgID != "ST-2026-224" || h.ID != "ST-2026-224-1" ||
		h.Sequence != "224" ||
		h.LegalSequence != "220" ||
		h.MsgPage != (Page{"1", true}) ||
		h.From != "2026-11-20T00:00:00" ||
		h.Account.ID() != "DE02100100100006820101" ||
		h.Account.BIC != "PBNKDEFF" ||
		h.Account.Name != "Slipway" ||
		h.DeclaredCount != "5" ||
		h.DeclaredSum != "712.65" {
		t.Errorf("%+v", h)
	}

	opening, _ := h.Balance("OPBD", "PRCD")
	if opening != (Balance{
		Type:   "PRCD",
		Amount: euro("1000.00"),
		Credit: true,
		Signed: true,
		Date:   "2026-11-19",
	}) {
		t.Errorf("%+v", opening)
	}

	if _, ok := h.Balance("ITBD"); ok {
		t.Error("a balance that is not there")
	}

	e := k.entries
	if len(e) != 5 || e[0].Status != Booked || e[3].Status != Pending || e[4].Status != Informed ||
		e[4].Amount != euro("0.3") ||
		e[4].Info != "nur zur Info" {
		t.Fatalf("%+v", e)
	}

	in := e[0].Details[0]
	if in.EndToEndID != "" || in.Debtor.Name != "Jürgen Müller" || in.Debtor.Account.IBAN != "DE89370400440532013000" ||
		in.DebtorAgentBIC != "COBADEFF" ||
		!slices.Equal(in.Remittance, []string{"px4k-7q2m Einzahlung", "für Konto"}) ||
		in.Amount != euro("250.00") ||
		!in.Credit ||
		e[0].Code.String() != "PMNT/RCDT/ESCT" ||
		e[0].Code.Proprietary != "166" {
		t.Errorf("%+v", e[0])
	}

	if b := e[1]; b.BatchPmtInf != "BLOCK-1" || b.BatchCount != "2" || b.BookingDate != "2026-11-20" ||
		len(b.Details) != 2 ||
		b.Lump ||
		b.Details[1].Amount != euro("40.00") ||
		b.Details[1].Credit ||
		b.Code.String() != "117" {
		t.Errorf("%+v", b)
	}

	back := e[2]
	if !back.Reversal || !back.Credit || back.Amount != euro("37.35") ||
		back.Details[0].Instructed != euro("40.00") ||
		back.Charges[0] != (Charge{Amount: euro("2.65"), Bearer: "SHAR"}) {
		t.Errorf("%+v", back)
	}

	if r := back.Details[0].Return; r == nil || r.Reason != iso20022.ReasonAccountClosed || r.Code != "AC04" ||
		r.Info != "Konto aufgelöst" ||
		r.OriginalCode != "117" {
		t.Errorf("%+v", r)
	}

	want := Totals{
		Entries:       5,
		Booked:        3,
		Details:       4,
		BookedCredits: "287.35",
		BookedDebits:  "100.00",
	}
	if !reflect.DeepEqual(k.totals, []Totals{want}) {
		t.Errorf("%+v", k.totals)
	}
}

func TestANewNotificationWithPrefixes(t *testing.T) {
	var k keeper
	if err := Read(file(t, "details.054.08.xml"), iso20022.Limits{}, &k); err != nil {
		t.Fatal(err)
	}

	first := k.entries[0]
	second := k.entries[1]

	d := first.Details[0]
	if k.heads[0].Kind != Notification || k.heads[0].Version != "08" || first.Account.ID() != "12345678" ||
		d.Debtor.Name != "Jane & John" ||
		!slices.Equal(d.StructuredRefs, []string{"RF18539007547034"}) ||
		!slices.Equal(d.StructuredInfo, []string{"thank you"}) ||
		d.UETR != "8a562c67-ca16-48ba-b074-65581be6f001" {
		t.Errorf("%+v", first)
	}

	if first.Lump { // 11.50 in and 1.50 out are 10.00 in
		t.Error("the entry's parts do not pass for them")
	}

	if second.Status != "" { // the bank's own word for a status is not ours, even when it looks the same
		t.Errorf("status %q", second.Status)
	}

	if !reflect.DeepEqual(second.Charges, []Charge{{
		Amount:   iso20022.Amount{Value: "1.00", Currency: "GBP"},
		Included: true,
		Type:     "FEE",
	}}) {
		t.Errorf("%+v", second.Charges)
	}

	if k.totals[0].Booked != 1 {
		t.Errorf("%+v", k.totals)
	}
}

// statement makes a camt.053.001.08 of parts.
func statement(parts ...string) string {
	const head = `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08">` +
		`<BkToCstmrStmt><GrpHdr><MsgId>M</MsgId></GrpHdr><Stmt>`

	return head + strings.Join(parts, "") + `</Stmt></BkToCstmrStmt></Document>`
}

const (
	account = `<Acct><Id><IBAN>DE02100100100006820101</IBAN></Id><Ccy>EUR</Ccy></Acct>`
	credit  = `<Ntry><Amt Ccy="EUR">5.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts></Ntry>`
)

func balance(kind, amount, sign string) string {
	return `<Bal><Tp><CdOrPrtry><Cd>` + kind + `</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">` + amount + `</Amt>` + sign + `<Dt><Dt>2026-11-20</Dt></Dt></Bal>`
}

const in, out = "<CdtDbtInd>CRDT</CdtDbtInd>", "<CdtDbtInd>DBIT</CdtDbtInd>"

// What does not add up is said, and does not keep the entries back.
func TestWhatDoesNotAddUpIsSaid(t *testing.T) {
	for _, c := range []struct {
		name, file string
		want       []FindingCode
	}{
		{"balances fit", statement(account, balance("OPBD", "1", out), balance("CLBD", "4", in), credit), nil},
		{"balances do not", statement(account, balance("OPBD", "1", in), balance("CLBD", "4", in), credit), []FindingCode{BalanceDiffers}},
		{"no entries, same balance", statement(account, balance("OPBD", "7.0", in), balance("CLBD", "7.00", in)), nil},
		{"no entries, other balance", statement(account, balance("OPBD", "7.00", in), balance("CLBD", "7.01", in)), []FindingCode{BalanceDiffers}},
		{"balances without signs", statement(account, balance("OPBD", "1", ""), balance("CLBD", "4", ""), credit), nil},
		{"a pending entry moves no balance", statement(account, balance("OPBD", "1", in), balance("CLBD", "1", in), strings.Replace(credit, "BOOK", "PDNG", 1)), nil},
		{"count", statement(account, "<TxsSummry><TtlNtries><NbOfNtries>2</NbOfNtries></TtlNtries></TxsSummry>", credit), []FindingCode{CountDiffers}},
		{"sum", statement(account, "<TxsSummry><TtlNtries><NbOfNtries>1</NbOfNtries><Sum>5.01</Sum></TtlNtries></TxsSummry>", credit), []FindingCode{SumDiffers}},
		{"currency", statement(account, strings.Replace(credit, "EUR", "USD", 1)), []FindingCode{CurrencyMixed}},
		{"two currencies", statement(account, credit, strings.Replace(credit, "EUR", "USD", 1)), []FindingCode{CurrencyMixed}},
	} {
		var k keeper
		if err := Read(strings.NewReader(c.file), iso20022.Limits{}, &k); err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}

		var got []FindingCode
		for _, f := range k.totals[0].Findings {
			got = append(got, f.Code)
		}

		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, k.totals[0].Findings, c.want)
		}
	}
}

func TestWhatCannotBeReadIsRefused(t *testing.T) {
	for _, c := range []struct {
		name, file string
		want       iso20022.Code
	}{
		{"no account", statement(credit), iso20022.CodeStructure},
		{"no statement", strings.Replace(statement(), "<Stmt></Stmt>", "", 1), iso20022.CodeStructure},
		{"no amount", statement(account, strings.Replace(credit, `<Amt Ccy="EUR">5.00</Amt>`, "", 1)), iso20022.CodeStructure},
		{"no direction", statement(account, strings.Replace(credit, in, "", 1)), iso20022.CodeStructure},
		{"a direction that is none", statement(account, strings.Replace(credit, "CRDT", "C", 1)), iso20022.CodeValue},
		{"no currency", statement(account, strings.Replace(credit, ` Ccy="EUR"`, "", 1)), iso20022.CodeValue},
		{"a currency that is none", statement(account, strings.Replace(credit, `"EUR"`, `"Euro"`, 1)), iso20022.CodeValue},
		{"a minus", statement(account, strings.Replace(credit, "5.00", "-5.00", 1)), iso20022.CodeValue},
		{"a decimal comma", statement(account, strings.Replace(credit, "5.00", "5,00", 1)), iso20022.CodeValue},
		{"an exponent", statement(account, strings.Replace(credit, "5.00", "5e3", 1)), iso20022.CodeValue},
		{"too many digits", statement(account, strings.Replace(credit, "5.00", "1234567890123456789", 1)), iso20022.CodeValue},
		{"no number", statement(account, strings.Replace(credit, "5.00", "", 1)), iso20022.CodeValue},
		{"a day that is none", statement(account, strings.Replace(credit, "</Ntry>", "<BookgDt><Dt>2026-13-01</Dt></BookgDt></Ntry>", 1)), iso20022.CodeValue},
		{"a day in another form", statement(account, strings.Replace(credit, "</Ntry>", "<BookgDt><Dt>21.11.2026</Dt></BookgDt></Ntry>", 1)), iso20022.CodeValue},
		{"a reversal that may be one", statement(account, strings.Replace(credit, "</Ntry>", "<RvslInd>maybe</RvslInd></Ntry>", 1)), iso20022.CodeValue},
		{"a balance behind the entries", statement(account, credit, balance("CLBD", "1", in)), iso20022.CodeStructure},
		{"an account behind the entries", statement(account, credit, account), iso20022.CodeStructure},
		{"cut off behind an entry", strings.TrimSuffix(statement(account, credit), "</Stmt></BkToCstmrStmt></Document>"), iso20022.CodeTruncated},
		{"garbage behind", statement(account, credit) + "garbage", iso20022.CodeTrailing},
		{"too many details", statement(account, strings.Replace(credit, "</Ntry>", "<NtryDtls>"+strings.Repeat("<TxDtls/>", 11)+"</NtryDtls></Ntry>", 1)), iso20022.CodeTooMany},
	} {
		err := Read(strings.NewReader(c.file), iso20022.Limits{Details: 10}, new(keeper))

		var e *iso20022.Error
		if !errors.As(err, &e) || e.Code != c.want {
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
	}
}

// Details whose sum is not the entry's amount are marked; where one has no amount, nothing is said.
func TestDetailsAreHeldAgainstTheirEntry(t *testing.T) {
	part := func(amount, direction string) string {
		return `<TxDtls><Amt Ccy="EUR">` + amount + `</Amt>` + direction + `</TxDtls>`
	}

	for _, c := range []struct {
		details string
		differ  bool
	}{
		{part("5", ""), false},
		{part("5.01", ""), true},
		{part("5.00", out), true},
		{part("2.5", in) + part("2.50", in), false},
		{part("6", in) + part("1", out), false},
		{part("2.5", in) + part("2.50", out), true},
		{part("9", in) + "<TxDtls/>", false},
		{strings.ReplaceAll(part("9", in), "EUR", "USD"), false},
	} {
		var k keeper
		if err := Read(
			strings.NewReader(
				statement(account, strings.Replace(credit, "</Ntry>", "<NtryDtls>"+c.details+"</NtryDtls></Ntry>", 1)),
			),
			iso20022.Limits{},
			&k,
		); err != nil {
			t.Fatal(err)
		}

		if k.entries[0].Lump != c.differ {
			t.Errorf("%s: %v", c.details, !c.differ)
		}
	}
}

// Every statement of a file is handed on in order, with its own account and numbers.
func TestSeveralStatementsInOneFile(t *testing.T) {
	second := strings.Replace(account, "DE02100100100006820101", "DE89370400440532013000", 1)

	var k keeper

	text := strings.Replace(statement(account, credit, credit), "</Stmt>", "</Stmt><Stmt>"+second+credit+"</Stmt>", 1)
	if err := Read(strings.NewReader(text), iso20022.Limits{}, &k); err != nil {
		t.Fatal(err)
	}

	var got []string
	for _, e := range k.entries {
		got = append(got, fmt.Sprintf("%d %d %s", e.Statement, e.Number, e.Account.IBAN[:4]))
	}

	if !slices.Equal(got, []string{"0 0 DE02", "0 1 DE02", "1 0 DE89"}) || len(k.totals) != 2 ||
		k.totals[1].Statement != 1 ||
		k.heads[1].Number != 1 ||
		k.heads[1].MsgID != "M" {
		t.Errorf("%v %+v", got, k.totals)
	}
}

type stopper struct {
	keeper
	at error
}

func (s *stopper) Entry(Entry) error { s.entries = append(s.entries, Entry{}); return s.at }

func TestAHandlersErrorEndsTheReading(t *testing.T) {
	s := &stopper{at: errors.New("stop")}

	if err := Read(
		strings.NewReader(statement(account, credit, credit)),
		iso20022.Limits{},
		s,
	); !errors.Is(err, s.at) || len(s.entries) != 1 ||
		len(s.totals) > 0 {
		t.Errorf("%v, %d entries", err, len(s.entries))
	}
}

// What is handed on stays as it is while the rest is read.
func TestEntriesMayBeKept(t *testing.T) {
	var k keeper
	if err := Read(sample.Statement(5000, false), iso20022.Limits{}, &k); err != nil {
		t.Fatal(err)
	}

	for i, e := range k.entries {
		if e.Number != i || e.Details[0].StructuredRefs[0] != sample.Reference(i) || e.Ref[1:] != e.AcctSvcrRef[4:] ||
			e.Details[0].EndToEndID[1:] != e.Ref[1:] {
			t.Fatalf("entry %d is now %+v", i, e)
		}
	}
}

// However long a statement is, reading it takes at most 32 MB.
func TestMemoryDoesNotGrowWithTheFile(t *testing.T) {
	if testing.Short() {
		t.Skip("reads 170 MB")
	}

	runtime.GC()

	var before, now runtime.MemStats
	runtime.ReadMemStats(&before)
	high := uint64(0)
	entries := 0

	h := &watcher{each: func() {
		if entries++; entries%20_000 == 0 {
			runtime.ReadMemStats(&now)
			high = max(high, now.HeapAlloc)
		}
	}}
	if err := Read(sample.Statement(150_000, true), iso20022.Limits{Bytes: 1 << 30}, h); err != nil ||
		entries != 150_000 {
		t.Fatal(err, entries)
	}

	if high-before.HeapAlloc > 32<<20 && high > before.HeapAlloc {
		t.Errorf("%d MB over idle", (high-before.HeapAlloc)>>20)
	}
}

type watcher struct {
	keeper
	each func()
}

func (w *watcher) Entry(Entry) error { w.each(); return nil }

// Every file of the corpus that is a statement by its schema is read; every other message is refused with a code.
func TestTheCorpusIsToldApart(t *testing.T) {
	read := 0
	for _, v := range isotest.Verdicts(t) {
		err := Read(isotest.Open(t, v.File), iso20022.Limits{}, new(keeper))

		ours := len(v.Message) > 8 && accept[v.Message[:8]].Root != ""
		switch {
		case ours && v.Result == "valid":
			if read++; err != nil {
				t.Errorf("%s is valid and refused: %v", v.File, err)
			}

		case v.File == "samples/libfintx/Camt052_Spardabank.txt": // it says UTF-8 and is not: read with a remark
			if err != nil {
				t.Errorf("%s: %v", v.File, err)
			}

		case !ours && !iso20022.IsRefusal(err):
			t.Errorf("%s (%s) is taken for a statement: %v", v.File, v.Message, err)
		}
	}

	if read < 50 {
		t.Errorf("only %d statements were read", read)
	}
}

// A bank that leaves the namespace out is read where its channel allows it.
func TestWithoutNamespaceWhereAllowed(t *testing.T) {
	bare := strings.Replace(
		statement(account, credit),
		` xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"`,
		"",
		1,
	)

	var e *iso20022.Error
	if err := Read(strings.NewReader(bare), iso20022.Limits{}, new(keeper)); !errors.As(err, &e) ||
		e.Code != iso20022.CodeNoNamespace {
		t.Error(err)
	}

	var k keeper
	if err := Read(
		strings.NewReader(bare),
		iso20022.Limits{NoNamespace: true},
		&k,
	); err != nil || len(k.entries) != 1 || k.heads[0].Kind != Statement ||
		k.heads[0].Version != "" {
		t.Errorf("%v %+v", err, k)
	}
}

func FuzzRead(f *testing.F) {
	f.Add(statement(account, balance("OPBD", "1", in), credit))

	for _, name := range []string{"day.053.02.latin1.xml", "details.054.08.xml"} {
		b, err := io.ReadAll(file(f, name))
		if err != nil {
			f.Fatal(err)
		}

		f.Add(string(b))
	}

	f.Fuzz(func(t *testing.T, file string) {
		var k keeper

		err := Read(strings.NewReader(file), iso20022.Limits{NoNamespace: true}, &k)
		if err != nil && !iso20022.IsRefusal(err) {
			t.Fatalf("no refusal: %v", err)
		}

		for _, e := range k.entries {
			if e.Amount.Empty() || len(e.Amount.Currency) != 3 || e.Account.ID() == "" {
				t.Errorf("%+v", e)
			}
		}

		if err == nil && (len(k.heads) == 0 || len(k.heads) != len(k.totals)) {
			t.Errorf("%d statements, %d ends", len(k.heads), len(k.totals))
		}
	})
}
