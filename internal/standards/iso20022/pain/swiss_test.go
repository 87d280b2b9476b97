package pain

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"slipway/internal/standards/iso20022/isotest"
)

// swiss is a file for a bank in Switzerland, with a block of each of its services. The bank is named in all ways that
// an operator may know.
func swiss() Initiation {
	block := func(id string, s Service, t Transfer) Block {
		t.EndToEndID = id + "-1"
		t.Creditor = jane

		return Block{
			PmtInfID:      id,
			Service:       s,
			Debtor:        us,
			ExecutionDate: "2026-11-23",
			Charges:       SHA,
			DebtorAccount: Account{IBAN: "CH9300762011623852957", Currency: "CHF"},
			DebtorAgent: Agent{
				BIC:      "BLKBCH22XXX",
				SortCode: "200000",
				Name:     "Basellandschaftliche Kantonalbank",
				Address:  Address{Country: "CH"},
			},
			Transfers: []Transfer{t},
		}
	}
	payee := Agent{
		BIC:      "POFICHBEXXX",
		SortCode: "040004",
		Name:     "PostFinance",
		Address:  Address{Town: "Bern", Country: "CH"},
	}

	return Initiation{
		MsgID:           "FILE-CH",
		CreatedAt:       created,
		InitiatingParty: Party{Name: "Slipway"},
		Guideline:       SPS,
		Blocks: []Block{
			block("TEXT", SIC, Transfer{
				Amount:          "3949.75",
				Currency:        "CHF",
				CreditorAccount: Account{IBAN: "CH5604835012345678009", Type: "CACC"},
				CreditorAgent:   payee,
				Remittance:      "Auftrag vom 10. Februar",
			}),
			block("QRR", SIC, Transfer{
				Amount:          "199.95",
				Currency:        "CHF",
				CreditorAccount: Account{IBAN: "CH4431999123000889012"},
				Reference:       "210000000003139471430009017",
			}),
			block("SEPA", SEPA, Transfer{
				Amount:          "8479.25",
				Currency:        "EUR",
				CreditorAccount: Account{IBAN: "DE89370400440532013000", Type: "SVGS"},
				CreditorAgent:   payee,
				Remittance:      "Rechnung 408",
			}),
			block("DOLLAR", SWIFT, Transfer{
				Amount:          "1000",
				Currency:        "USD",
				CreditorAccount: Account{Number: "000123456789", Type: "CACC"},
				CreditorAgent:   Agent{BIC: "CHASUS33", ABA: "021000021", Name: "JPMorgan"},
				Remittance:      "consulting",
			}),
		},
	}
}

// A Swiss bank refuses a whole file for one element that its schema does not have, so there is none: neither the name
// of our own bank nor that of one with a BIC, no clearing number beside a BIC, no type of the payee's account. A
// payment in francs has no service level, which would order an urgent one (Swiss Payment Standards 2025, Implementation
// Guidelines pain.001 3.12 and 3.15).
func TestASwissFileKeepsToTheSwissGuideline(t *testing.T) {
	file, _, err := Render(swiss())
	if err != nil {
		t.Fatal(err)
	}

	golden := filepath.Join("testdata", "swiss.xml")
	if *update {
		if err := os.WriteFile(golden, file, 0o644); err != nil {
			t.Fatal(err)
		}
	}

	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}

	if !bytes.Equal(file, want) {
		t.Errorf("the bytes differ from %s (-update writes it anew):\n%s", golden, file)
	}

	for _, never := range []string{"URGP", "kantonalbank", "PostFinance", "JPMorgan", "ClrSysMmbId", "CACC", "SVGS"} {
		if bytes.Contains(file, []byte(never)) {
			t.Errorf("%s is written", never)
		}
	}

	if n := bytes.Count(file, []byte("<SvcLvl>")); n != 1 {
		t.Errorf("%d service levels: SEPA alone has one", n)
	}

	isotest.Valid(t, "ch/pain.001.001.09.ch.03.xsd", file)
	isotest.Valid(t, "pain.001.001.09.xsd", file)
}

// The Swiss schema has no place for a bank that is not named: the institution in the account's IBAN names it.
func TestASwissBankWithoutABICIsNamedByTheIBAN(t *testing.T) {
	d := swiss()
	for i := range d.Blocks {
		d.Blocks[i].DebtorAgent = Agent{Name: "Kantonalbank"}
	}

	file, _, err := Render(d)
	if err != nil {
		t.Fatal(err)
	}

	if bytes.Contains(file, []byte("NOTPROVIDED")) ||
		bytes.Count(file, []byte("<Cd>CHBCC</Cd>")) != len(d.Blocks) ||
		bytes.Count(file, []byte("<MmbId>762</MmbId>")) != len(d.Blocks) {
		t.Errorf("%s", file)
	}

	isotest.Valid(t, "ch/pain.001.001.09.ch.03.xsd", file)

	d.Blocks = d.Blocks[:1]
	d.Blocks[0].DebtorAccount = Account{Number: "123456", Currency: "CHF"}

	var refused *Refused
	if _, _, err := Render(d); !errors.As(err, &refused) || refused.Faults[len(refused.Faults)-1].Code != Missing {
		t.Errorf("a bank that nothing names: %v", err)
	}
}

// A QR-IBAN is paid with a QR reference and with nothing else (Swiss Payment Standards 3.14.2).
func TestAQRIBANTakesAQRReferenceAlone(t *testing.T) {
	for name, spoil := range map[string]func(x *Transfer){
		"a text to a QR-IBAN":           func(x *Transfer) { x.Reference, x.Remittance = "", "Auftrag" },
		"an ISO reference to it":        func(x *Transfer) { x.Reference = "RF18539007547034" },
		"a QR reference to a usual one": func(x *Transfer) { x.CreditorAccount.IBAN = "CH5604835012345678009" },
	} {
		d := swiss()
		spoil(&d.Blocks[1].Transfers[0])

		var refused *Refused
		if _, _, err := Render(d); !errors.As(err, &refused) || len(refused.Faults) != 1 ||
			refused.Faults[0].Path != "/blocks/1/transfers/0/reference" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// What no rail can carry of a name is said with a proposal, and with none where a letter would be lost.
func TestANameThatCannotBeWrittenHasAProposal(t *testing.T) {
	for name, want := range map[string][2]string{
		"Jürgen Groß & Söhne":  {"", ""},
		"100% Pure AG":         {"%", "100 percent Pure AG"},
		"Ca$h <Berlin> 5%, 6%": {"$<>%", "Ca dollar h (Berlin) 5 percent , 6 percent"},
		"Smile 🎉 GmbH":         {"🎉", "Smile GmbH"},
		"ＡＢＣ ½ Ltd":            {"ＡＢＣ½", ""},
		"北京公司":                 {"北京公司", ""},
		"Acme™ 北":              {"™北", ""},
	} {
		characters, proposal := Unwritable(name)
		if characters != want[0] || proposal != want[1] {
			t.Errorf("%q: %q %q", name, characters, proposal)
		}

		if again, _ := Unwritable(proposal); again != "" {
			t.Errorf("the proposal %q cannot be written: %s", proposal, again)
		}
	}
}

// The parts of an address that identify nothing are written as far as they can be, and never hold up a payment.
func TestAStreetThatCannotBeWrittenHoldsNothingUp(t *testing.T) {
	d := swiss()
	d.Blocks[0].Transfers[0].Creditor.Address = Address{Street: "100% Street 🎉", Town: "Bern", Country: "CH"}

	file, changes, err := Render(d)
	if err != nil || !strings.Contains(string(file), "<StrtNm>100 Street</StrtNm>") || len(changes) == 0 {
		t.Errorf("%v\n%s", err, file)
	}
}
