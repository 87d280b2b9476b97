package pain

import (
	"bytes"
	"cmp"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"slipway/internal/standards/iso20022"
	"slipway/internal/standards/iso20022/isotest"
)

var update = flag.Bool("update", false, "write the golden files anew")

var created = time.Date(2026, 11, 21, 10, 30, 15, 999, time.FixedZone("CET", 3600))

var (
	ourAddress = Address{
		Street:   "Bahnhofstrasse",
		Building: "1",
		PostCode: "8001",
		Town:     "Zürich",
		Country:  "CH",
	}
	us   = Party{Name: "Slipway AG", Address: ourAddress, LEI: "506700GE1G29325QX363"}
	jane = Party{
		Name:    "Jane Roe",
		Address: Address{Town: "Paris", Country: "FR", Lines: []string{"12 rue de la Paix"}},
	}
)

// example has a block of every service.
func example() Initiation {
	uetr := func(i int) string { return fmt.Sprintf("8a562c67-ca16-48ba-b074-65581be6f%03d", i) }
	iban := Account{IBAN: "DE02100100100006820101"}
	sepa := Account{IBAN: "FR7630006000011234567890189"}
	one := func(i int, t Transfer) []Transfer {
		t.EndToEndID = fmt.Sprintf("E2E-%d", i)
		t.UETR = uetr(i)
		t.Creditor = jane

		return []Transfer{t}
	}
	block := func(i int, s Service, b Block) Block {
		b.PmtInfID = fmt.Sprintf("BLOCK-%d", i)
		b.Service = s
		b.Debtor = us
		b.ExecutionDate = "2026-11-23"

		return b
	}

	return Initiation{MsgID: "FILE-1", CreatedAt: created, InitiatingParty: Party{Name: "Slipway"}, Blocks: []Block{
		block(1, SEPA, Block{
			DebtorAccount:   iban,
			DebtorAgent:     Agent{BIC: "PBNKDEFF"},
			CategoryPurpose: "SUPP",
			Transfers: one(1, Transfer{
				Amount:          "1234.5",
				Currency:        "EUR",
				CreditorAccount: sepa,
				CreditorAgent:   Agent{BIC: "AGRIFRPP"},
				Purpose:         "GDDS",
				Remittance:      "Invoice 7 & 8",
			}),
		}),
		block(2, SEPAInstant, Block{
			DebtorAccount: iban,
			Charges:       SHA,
			SingleBooking: true,
			Transfers: one(2, Transfer{
				Amount:          "0.01",
				Currency:        "EUR",
				CreditorAccount: sepa,
				Reference:       "RF18 5390 0754 7034",
			}),
		}),
		block(3, UK, Block{
			DebtorAccount: Account{Number: "12345678"},
			DebtorAgent:   Agent{SortCode: "200000"},
			Charges:       SHA,
			Transfers: one(3, Transfer{
				Amount:          "10.00",
				Currency:        "GBP",
				CreditorAccount: Account{Number: "87654321"},
				CreditorAgent:   Agent{SortCode: "040004"},
				Remittance:      "salary",
			}),
		}),
		block(4, ACH, Block{
			DebtorAccount:   Account{Number: "1234567890", Type: "CACC"},
			DebtorAgent:     Agent{ABA: "021000021"},
			Charges:         OUR,
			LocalInstrument: "PPD",
			Transfers: one(4, Transfer{
				Amount:          "99",
				Currency:        "USD",
				CreditorAccount: Account{Number: "000123456789", Type: "SVGS"},
				CreditorAgent:   Agent{ABA: "011000015", Name: "Federal Reserve Bank"},
				Remittance:      "50% off < list & more",
			}),
		}),
		block(5, Wire, Block{
			DebtorAccount: Account{Number: "1234567890"},
			DebtorAgent:   Agent{ABA: "021000021", BIC: "CHASUS33"},
			Charges:       OUR,
			Transfers: one(5, Transfer{
				Amount:          "250000.25",
				Currency:        "USD",
				CreditorAccount: Account{Number: "000123456789"},
				CreditorAgent: Agent{
					ABA:     "011000015",
					Name:    "Bank",
					Address: Address{Town: "Boston", Country: "US"},
				},
				Instruction: "call before payment",
			}),
		}),
		block(6, India, Block{
			DebtorAccount: Account{Number: "0011223344", Currency: "INR"},
			DebtorAgent:   Agent{IFSC: "HDFC0000001"},
			Charges:       SHA,
			Transfers: one(6, Transfer{
				Amount:          "50000.00",
				Currency:        "INR",
				CreditorAccount: Account{Number: "50100012345678"},
				CreditorAgent:   Agent{IFSC: "SBIN0000300"},
				Purpose:         "SALA",
			}),
		}),
		block(7, SWIFT, Block{
			DebtorAccount: iban,
			DebtorAgent:   Agent{BIC: "PBNKDEFF"},
			Charges:       BEN,
			Transfers: one(7, Transfer{
				Amount:          "1000",
				Currency:        "JPY",
				CreditorAccount: Account{Number: "1234567"},
				CreditorAgent:   Agent{BIC: "BOTKJPJT"},
				Intermediary:    Agent{BIC: "CHASUS33XXX"},
				Remittance:      "consulting",
			}),
		}),
	}}
}

func TestTheAgreedFileIsFresh(t *testing.T) {
	got, changes, err := Render(example())
	if err != nil {
		t.Fatal(err)
	}

	golden := filepath.Join("testdata", "every-service.xml")
	if *update {
		if err := os.WriteFile(golden, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}

	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}

	if !bytes.Equal(got, want) {
		t.Errorf("the bytes differ from %s (-update writes it anew):\n%s", golden, got)
	}

	if twice, _, err := Render(example()); err != nil || !bytes.Equal(twice, got) {
		t.Errorf("the same input gives other bytes: %v", err)
	}

	for _, c := range changes {
		if strings.HasSuffix(c.Path, "/town") && c == (Change{c.Path, "Zürich", "Zuerich"}) ||
			c == (Change{"/blocks/0/transfers/0/remittance", "Invoice 7 & 8", "Invoice 7 + 8"}) {
			continue
		}

		t.Errorf("a change that was not needed: %+v", c)
	}

	if len(changes) != 8 {
		t.Errorf("%d changes", len(changes))
	}

	for _, must := range []string{
		"<NbOfTxs>7</NbOfTxs>\n   <CtrlSum>302343.76</CtrlSum>", // exact, over all blocks, whatever the currency
		"<CreDtTm>2026-11-21T09:30:15Z</CreDtTm>", "<Cd>INST</Cd>", "<ChrgBr>SLEV</ChrgBr>", "<Cd>GBDSC</Cd>", "<Cd>USABA</Cd>", "<Cd>INFSC</Cd>",
		"<Id>NOTPROVIDED</Id>", `<InstdAmt Ccy="JPY">1000</InstdAmt>`, `<InstdAmt Ccy="EUR">1234.50</InstdAmt>`, "50% off &lt; list &amp; more", "<Ref>RF18539007547034</Ref>",
	} {
		if !strings.Contains(string(got), must) {
			t.Errorf("%q is missing", must)
		}
	}
}

func TestEveryFileKeepsToTheOfficialSchema(t *testing.T) {
	all := example()

	file, _, err := Render(all)
	if err != nil {
		t.Fatal(err)
	}

	isotest.Valid(t, "pain.001.001.09.xsd", file)

	for _, b := range all.Blocks {
		single := all

		single.Blocks = []Block{b}
		if file, _, err = Render(single); err != nil {
			t.Fatal(err)
		}

		t.Run(string(b.Service), func(t *testing.T) { isotest.Valid(t, "pain.001.001.09.xsd", file) })
	}

	many, _, err := Render(thousands(1000))
	if err != nil {
		t.Fatal(err)
	}

	isotest.Valid(t, "pain.001.001.09.xsd", many)
}

// Every rule refuses, names its field, and nothing is written.
func TestWhatIsWrongIsRefusedWithItsField(t *testing.T) {
	for _, c := range []struct {
		name, path string
		code       FaultCode
		spoil      func(d *Initiation)
	}{
		{"no identifier", "/msgID", Missing, func(d *Initiation) { d.MsgID = "" }},
		{"a UUID with hyphens", "/msgID", TooLong, func(d *Initiation) {
			d.MsgID = "8a562c67-ca16-48ba-b074-65581be6f001"
		}},
		{"two slashes", "/msgID", Format, func(d *Initiation) { d.MsgID = "A//B" }},
		{"slash at the end", "/blocks/0/pmtInfID", Format, func(d *Initiation) { d.Blocks[0].PmtInfID = "A/" }},
		{"an identifier is never mapped", "/blocks/0/transfers/0/endToEndID", Characters, func(d *Initiation) {
			d.Blocks[0].Transfers[0].EndToEndID = "E_1"
		}},
		{"no time", "/createdAt", Format, func(d *Initiation) { d.CreatedAt = time.Time{} }},
		{"no blocks", "/blocks", Missing, func(d *Initiation) { d.Blocks = nil }},
		{"no payments", "/blocks/1/transfers", Missing, func(d *Initiation) { d.Blocks[1].Transfers = nil }},
		{"unknown service", "/blocks/0/service", Format, func(d *Initiation) { d.Blocks[0].Service = "BACS" }},
		{"a day that is none", "/blocks/0/executionDate", Format, func(d *Initiation) {
			d.Blocks[0].ExecutionDate = "2026-02-30"
		}},
		{"SEPA with our charges", "/blocks/0/charges", NotAllowed, func(d *Initiation) { d.Blocks[0].Charges = OUR }},
		{"no charges", "/blocks/2/charges", Format, func(d *Initiation) { d.Blocks[2].Charges = "" }},
		{"two payments of one name", "/blocks/1/transfers/0/endToEndID", Duplicate, func(d *Initiation) {
			d.Blocks[1].Transfers[0].EndToEndID = d.Blocks[0].Transfers[0].EndToEndID
		}},
		{"two blocks of one name", "/blocks/1/pmtInfID", Duplicate, func(d *Initiation) {
			d.Blocks[1].PmtInfID = d.Blocks[0].PmtInfID
		}},
		{"UETR of version 5", "/blocks/0/transfers/0/uetr", Format, func(d *Initiation) {
			d.Blocks[0].Transfers[0].UETR = "d0826d0f-a005-5e3b-b3dc-54da4ac7f0d0"
		}},
		{"UETR cut short", "/blocks/0/transfers/0/uetr", Format, func(d *Initiation) {
			d.Blocks[0].Transfers[0].UETR = "d0826d0f-a005-4e3b-b3dc"
		}},
		{"dollars by SEPA", "/blocks/0/transfers/0/currency", Currency, func(d *Initiation) {
			d.Blocks[0].Transfers[0].Currency = "USD"
		}},
		{"a third decimal", "/blocks/0/transfers/0/amount", BadAmount, func(d *Initiation) {
			d.Blocks[0].Transfers[0].Amount = "1.001"
		}},
		{"decimals of yen", "/blocks/6/transfers/0/amount", BadAmount, func(d *Initiation) {
			d.Blocks[6].Transfers[0].Amount = "1.0"
		}},
		{"zero", "/blocks/0/transfers/0/amount", BadAmount, func(d *Initiation) {
			d.Blocks[0].Transfers[0].Amount = "0.00"
		}},
		{"minus", "/blocks/0/transfers/0/amount", BadAmount, func(d *Initiation) {
			d.Blocks[0].Transfers[0].Amount = "-1"
		}},
		{"exponent", "/blocks/0/transfers/0/amount", BadAmount, func(d *Initiation) {
			d.Blocks[0].Transfers[0].Amount = "1e3"
		}},
		{"more than SEPA carries", "/blocks/0/transfers/0/amount", BadAmount, func(d *Initiation) {
			d.Blocks[0].Transfers[0].Amount = "1000000000"
		}},
		{"no name", "/blocks/0/transfers/0/creditor/name", Missing, func(d *Initiation) {
			d.Blocks[0].Transfers[0].Creditor.Name = " "
		}},
		{"a name in Chinese", "/blocks/0/transfers/0/creditor/name", Characters, func(d *Initiation) {
			d.Blocks[0].Transfers[0].Creditor.Name = "王小明"
		}},
		{"a name of 71", "/blocks/0/transfers/0/creditor/name", TooLong, func(d *Initiation) {
			d.Blocks[0].Transfers[0].Creditor.Name = strings.Repeat("x", 71)
		}},
		{"a name that grows past 70", "/blocks/0/transfers/0/creditor/name", TooLong, func(d *Initiation) {
			d.Blocks[0].Transfers[0].Creditor.Name = strings.Repeat("ü", 36)
		}},
		{"a text of 141", "/blocks/0/transfers/0/remittance", TooLong, func(d *Initiation) {
			d.Blocks[0].Transfers[0].Remittance = strings.Repeat("x", 141)
		}},
		{"an emoji", "/blocks/0/transfers/0/remittance", Characters, func(d *Initiation) {
			d.Blocks[0].Transfers[0].Remittance = "🎉"
		}},
		{"address without town", "/blocks/0/transfers/0/creditor/address", Missing, func(d *Initiation) {
			d.Blocks[0].Transfers[0].Creditor.Address = Address{Lines: []string{"12 rue de la Paix, Paris"}}
		}},
		{"three lines", "/blocks/0/debtor/address/lines", TooMany, func(d *Initiation) {
			d.Blocks[0].Debtor.Address.Lines = []string{"a", "b", "c"}
		}},
		{"a country that is none", "/blocks/0/debtor/address/country", Format, func(d *Initiation) {
			d.Blocks[0].Debtor.Address.Country = "ch"
		}},
		{"SEPA without IBAN", "/blocks/0/transfers/0/creditorAccount/iban", Missing, func(d *Initiation) {
			d.Blocks[0].Transfers[0].CreditorAccount = Account{Number: "12345678"}
		}},
		{"an IBAN that does not check", "/blocks/0/transfers/0/creditorAccount/iban", Format, func(d *Initiation) {
			d.Blocks[0].Transfers[0].CreditorAccount.IBAN = "FR7630006000011234567890188"
		}},
		{"IBAN and number", "/blocks/2/transfers/0/creditorAccount", NotAllowed, func(d *Initiation) {
			d.Blocks[2].Transfers[0].CreditorAccount.IBAN = "GB29NWBK60161331926819"
		}},
		{"UK without sort code", "/blocks/2/transfers/0/creditorAgent/sortCode", Missing, func(d *Initiation) {
			d.Blocks[2].Transfers[0].CreditorAgent = Agent{}
		}},
		{"a UK account of seven digits", "/blocks/2/transfers/0/creditorAccount/number", Format, func(d *Initiation) {
			d.Blocks[2].Transfers[0].CreditorAccount.Number = "1234567"
		}},
		{"a routing number that does not check", "/blocks/3/transfers/0/creditorAgent/aba", Format, func(d *Initiation) {
			d.Blocks[3].Transfers[0].CreditorAgent.ABA = "011000016"
		}},
		{"ACH without the account's type", "/blocks/3/transfers/0/creditorAccount/type", Missing, func(d *Initiation) {
			d.Blocks[3].Transfers[0].CreditorAccount.Type = ""
		}},
		{"ACH of another kind", "/blocks/3/localInstrument", Format, func(d *Initiation) {
			d.Blocks[3].LocalInstrument = "WEB"
		}},
		{"wire without routing number", "/blocks/4/transfers/0/creditorAgent/aba", Missing, func(d *Initiation) {
			d.Blocks[4].Transfers[0].CreditorAgent.ABA = ""
		}},
		{"India without IFSC", "/blocks/5/transfers/0/creditorAgent/ifsc", Missing, func(d *Initiation) {
			d.Blocks[5].Transfers[0].CreditorAgent = Agent{}
		}},
		{"SWIFT without BIC", "/blocks/6/transfers/0/creditorAgent/bic", Missing, func(d *Initiation) {
			d.Blocks[6].Transfers[0].CreditorAgent = Agent{}
		}},
		{"our bank is not named", "/blocks/6/debtorAgent", Missing, func(d *Initiation) {
			d.Blocks[6].DebtorAgent = Agent{}
		}},
		{"two clearing numbers", "/blocks/6/transfers/0/creditorAgent", NotAllowed, func(d *Initiation) {
			d.Blocks[6].Transfers[0].CreditorAgent.IFSC = "SBIN0000300"
			d.Blocks[6].Transfers[0].CreditorAgent.ABA = "011000015"
		}},
		{"SWIFT without a town", "/blocks/6/transfers/0/creditor/address", Missing, func(d *Initiation) {
			d.Blocks[6].Transfers[0].Creditor.Address = Address{Street: "Sheikh Zayed Road", Country: "AE"}
		}},
		{"SWIFT without an address", "/blocks/6/transfers/0/creditor/address", Missing, func(d *Initiation) {
			d.Blocks[6].Transfers[0].Creditor.Address = Address{}
		}},
		{"text and reference", "/blocks/1/transfers/0/reference", NotAllowed, func(d *Initiation) {
			d.Blocks[1].Transfers[0].Remittance = "x"
		}},
		{"a reference that does not check", "/blocks/1/transfers/0/reference", Format, func(d *Initiation) {
			d.Blocks[1].Transfers[0].Reference = "RF19539007547034"
		}},
		{"a purpose of five", "/blocks/0/transfers/0/purpose", Format, func(d *Initiation) {
			d.Blocks[0].Transfers[0].Purpose = "GOODS"
		}},
	} {
		d := example()
		c.spoil(&d)

		var refused *Refused
		if out, _, err := Render(d); !errors.As(err, &refused) || len(out) > 0 {
			t.Errorf("%s: %v, %d bytes written", c.name, err, len(out))
			continue
		}

		if len(refused.Faults) != 1 || refused.Faults[0].Path != c.path || refused.Faults[0].Code != c.code {
			t.Errorf("%s: %+v, want %s %s", c.name, refused.Faults, c.path, c.code)
		}
	}

	d := example()
	d.MsgID = ""
	d.Blocks[0].ExecutionDate = "tomorrow"
	d.Blocks[3].Transfers[0].Amount = "many"

	var refused *Refused
	if _, _, err := Render(d); !errors.As(err, &refused) || len(refused.Faults) != 3 {
		t.Errorf("not all faults at once: %+v", refused)
	}
}

// A bank's numbers for other services are no fault and are not written.
func TestOnlyTheServicesOwnClearingNumberIsWritten(t *testing.T) {
	d := example()
	d.Blocks = d.Blocks[:3]
	d.Blocks[0].Transfers[0].CreditorAgent = Agent{SortCode: "040004", BIC: "AGRIFRPP", Address: Address{Country: "FR"}}
	d.Blocks[0].DebtorAgent = Agent{SortCode: "200000"}
	d.Blocks[2].Transfers[0].CreditorAgent.ABA = "011000015"

	file, _, err := Render(d)
	if err != nil {
		t.Fatal(err)
	}

	if s := string(file); strings.Count(s, "GBDSC") != 2 || strings.Contains(s, "USABA") ||
		strings.Count(s, "NOTPROVIDED") != 2 {
		t.Error(s)
	}

	isotest.Valid(t, "pain.001.001.09.xsd", file)
}

// What the caller gave is not changed, whatever was mapped.
func TestTheInputStaysAsItWas(t *testing.T) {
	d := example()

	d.Blocks[0].Transfers[0].Creditor.Address.Lines = []string{"Straße 1"}
	if _, _, err := Render(d); err != nil || d.Blocks[0].Transfers[0].Creditor.Address.Lines[0] != "Straße 1" ||
		d.Blocks[0].Transfers[0].InstrID != "" {
		t.Errorf("the input was changed: %v", err)
	}
}

func TestTextsAreMappedByTheTable(t *testing.T) {
	for _, c := range []struct {
		service  Service
		in, want string
	}{
		{SEPA, "Jürgen Groß & Söhne", "Juergen Gross + Soehne"},
		{SEPA, "Ju\u0308rgen", "Juergen"},
		{SEPA, "ÖBB", "OEBB"},
		{SEPA, "Öffner", "Oeffner"},
		{SEPA, "Łukasz Żółć", "Lukasz Zolc"},
		{SEPA, "Ștefan Țăran", "Stefan Taran"},
		{SEPA, "Ğ ı İ ş", "G i I s"},
		{SEPA, "Γιώργος Παπαδόπουλος", "Giorgos Papadopoylos"},
		{SEPA, "Иван Щербаков", "Ivan Shterbakov"},
		{SEPA, "  a\t\nb  ", "a b"},
		{SEPA, "Zoe\u0301\u200b", "Zoe"},
		{SEPA, "Z\u2061o\ufe0fe\u180e", "Zoe"},
		{SEPA, "“Café” – n° 5", ""},
		{SEPA, "“Café” – 5", "'Cafe' - 5"},
		{SEPA, "#7 a@b.c €5", "No 7 a(at)b.c EUR5"},
		{SEPA, "5 $", ""},
		{SEPA, "100 %", ""},
		{SEPA, "a\x00b", ""},
		{SEPA, "\xff", ""},
		{ACH, "100 % & $5 <", "100 % & $5 <"},
		{ACH, "Jürgen", "Juergen"},
	} {
		got, err := services[c.service].converted(c.in)
		if (err == nil) != (c.want != "") || err == nil && got != c.want {
			t.Errorf("%s %q: %q %v, want %q", c.service, c.in, got, err, c.want)
		}

		if again, err2 := services[c.service].converted(got); err == nil && (err2 != nil || again != got) {
			t.Errorf("%q is mapped once more to %q", got, again)
		}
	}
}

// thousands makes a file of so many SEPA payments, with names to map.
func thousands(n int) Initiation {
	d := example()
	d.Blocks = d.Blocks[:1]
	model := d.Blocks[0].Transfers[0]

	d.Blocks[0].Transfers = nil
	for i := range n {
		t := model
		t.EndToEndID = fmt.Sprintf("E2E%08d", i)
		t.UETR = fmt.Sprintf("8a562c67-ca16-48ba-b074-%012x", i)
		t.Amount = fmt.Sprintf("%d.%02d", i+1, i%100)
		t.Creditor.Name = fmt.Sprintf("Jürgen Müller %d", i)
		d.Blocks[0].Transfers = append(d.Blocks[0].Transfers, t)
	}

	return d
}

// BenchmarkRender writes 10,000 payments, everything checked and mapped.
func BenchmarkRender(b *testing.B) {
	d := thousands(10_000)

	var size int
	for b.Loop() {
		file, changes, err := Render(d)
		if err != nil || len(changes) == 0 {
			b.Fatal(err)
		}

		size = len(file)
	}

	b.ReportMetric(b.Elapsed().Seconds()/float64(b.N), "s/10000-payments")
	b.ReportMetric(float64(size)/1e6, "MB")
}

// FuzzRender gives any text to every field: what is written is well-formed and has nothing outside the SEPA
// characters in it.
func FuzzRender(f *testing.F) {
	f.Add("Jane", "E1", "12.50", "DE02100100100006820101", "Zürich")
	f.Add("<a>&", "]]>", "1e5", "", "\x00")

	f.Fuzz(func(t *testing.T, name, id, amount, iban, town string) {
		d := example()
		d.Blocks = d.Blocks[:1]
		before := example().Blocks[0]
		p := &d.Blocks[0].Transfers[0]
		p.Creditor.Name = name
		p.EndToEndID = id
		p.Amount = amount
		p.CreditorAccount.IBAN = iban
		p.Creditor.Address.Town = town
		p.Remittance = name
		file, _, err := Render(d)

		var refused *Refused
		if err != nil && (!errors.As(err, &refused) || len(refused.Faults) == 0 || file != nil) {
			t.Fatalf("%v", err)
		}

		for _, c := range string(file) {
			if c >= 0x7F || c < ' ' && c != '\n' {
				t.Errorf("%q is written", c)
			}
		}

		if !reflect.DeepEqual(before.Debtor, d.Blocks[0].Debtor) {
			t.Error("the input was changed")
		}
	})
}

// The bank is told by the service level on which clearing a payment goes: a wrong one sends it another way, or nowhere.
func TestServiceLevels(t *testing.T) {
	for service, want := range map[Service]string{
		SEPA:        "SEPA",
		SEPAInstant: "SEPA INST",
		UK:          "URNS",
		CHAPS:       "URGP",
		ACH:         "NURG CCD",
		Wire:        "URGP",
		India:       "NURG",
		IMPS:        "URNS",
		SIC:         "",
		SWIFT:       "URGP",
	} {
		r, _ := rulesOf(service, CGI)
		if got := strings.TrimSpace(r.level + " " + r.instrument); got != want {
			t.Errorf("%s: %s, not %s", service, got, want)
		}
	}

	if len(services) != 10 {
		t.Errorf("%d services", len(services))
	}

	for service, want := range map[Service]string{SEPA: "SEPA", SEPAInstant: "SEPA", SIC: "", SWIFT: ""} {
		if r, _ := rulesOf(service, SPS); r.level != want {
			t.Errorf("%s in Switzerland: %q, not %q", service, r.level, want)
		}
	}
}

// What Render has written is read again: each payment with its block, account and amount.
func TestRead001ReadsWhatRenderWrote(t *testing.T) {
	d := example()

	content, _, err := Render(d)
	if err != nil {
		t.Fatal(err)
	}

	var got []Order

	err = Read001(bytes.NewReader(content), iso20022.Limits{}, func(o Order) error {
		got = append(got, o)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}

	var want []Order
	// with the currency's decimals
	amounts := []string{"1234.50", "0.01", "10.00", "99.00", "250000.25", "50000.00", "1000"}
	for _, b := range d.Blocks {
		for _, p := range b.Transfers {
			want = append(want, Order{
				MsgID:          d.MsgID,
				PmtInfID:       b.PmtInfID,
				ExecutionDate:  b.ExecutionDate,
				DebtorAccount:  cmp.Or(b.DebtorAccount.IBAN, b.DebtorAccount.Number),
				DebtorCurrency: b.DebtorAccount.Currency,
				EndToEndID:     p.EndToEndID,
				Amount:         iso20022.Amount{Value: amounts[len(want)], Currency: p.Currency},
			})
		}
	}

	at := 0

	for _, b := range d.Blocks {
		for _, p := range b.Transfers {
			payee := got[at].Payee
			got[at].Payee = Payee{} // what is written of it depends on the service
			at++

			if payee.Name == "" ||
				cmp.Or(payee.IBAN, payee.Number) != cmp.Or(p.CreditorAccount.IBAN, p.CreditorAccount.Number) ||
				payee.Clearing == "" && payee.Member != "" ||
				(payee.Remittance+payee.Reference == "") != (p.Remittance+p.Reference == "") {
				t.Errorf("payee %+v of %+v", payee, p)
			}
		}
	}

	if len(want) == 0 || !slices.Equal(got, want) {
		t.Errorf("got %v\nwant %v", got, want)
	}

	if err := Read001(bytes.NewReader(content[:len(content)/2]), iso20022.Limits{}, func(Order) error {
		return nil
	}); err == nil {
		t.Error("half a file is read")
	}
}

func TestTextsAreWrittenOnceForEachSetOfCharacters(t *testing.T) {
	for text, want := range map[string][]string{
		"Acme AG":        {"Acme AG"},
		"Müller & Söhne": {"Mueller + Soehne", "Mueller & Soehne"},
		"Ac\u200bme":     {"Acme"},
		"北京":             nil,
		"":               nil,
	} {
		if got := Written(text); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
