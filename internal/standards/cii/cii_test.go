package cii

import (
	"encoding/xml"
	"strings"
	"testing"
	"time"
)

// sound is an invoice of fees with VAT.
func sound() Invoice {
	at := time.Date(2026, 11, 23, 9, 30, 0, 0, time.UTC)

	return Invoice{
		Number:   "2026-000001",
		Issued:   at,
		Supplied: at.AddDate(0, 0, -1),
		Currency: "EUR",
		Seller: Party{
			Name:      "Slip & Way AG",
			Street:    "Hafen 1",
			PostCode:  "20095",
			Town:      "Hamburg",
			Country:   "DE",
			TaxNumber: "12/345/67890",
			VATID:     "DE123456789",
		},
		Buyer:         Party{Name: "Kunde <GmbH>", Town: "Köln", Country: "DE"},
		Lines:         []Line{{"Commission", "10.00", 0}, {"Network fee", "0.55", 0}},
		Taxes:         []Tax{{Category: Standard, Percent: "19", Net: "10.55", VAT: "2.00"}},
		Net:           "10.55",
		VAT:           "2.00",
		Total:         "12.55",
		Paid:          "12.55",
		TransactionID: "txn_1",
		Text:          "Transaction txn_1",
	}
}

// Every rule is broken by one change of a sound invoice, and named.
func TestBrokenRulesAreNamed(t *testing.T) {
	if err := sound().Check(); err != nil {
		t.Fatal(err)
	}

	free := func(c Category, reason string) func(*Invoice) {
		return func(v *Invoice) {
			v.Taxes = []Tax{{c, "0", reason, "10.55", "0.00"}}
			v.VAT = "0.00"
			v.Total = "10.55"
			v.Paid = "10.55"
		}
	}
	further := func(t Tax) func(*Invoice) {
		return func(v *Invoice) {
			v.Taxes = append(v.Taxes, t)
			v.Lines = append(v.Lines, Line{"Another fee", "1.00", 1})
			v.Net = "11.55"
			v.Total = "13.55"
			v.Paid = "13.55"
		}
	}

	for rule, change := range map[string]func(v *Invoice){
		"BR-02":    func(v *Invoice) { v.Number = "" },
		"BR-03":    func(v *Invoice) { v.Issued = time.Time{} },
		"BR-05":    func(v *Invoice) { v.Currency = "USDC" },
		"BR-06":    func(v *Invoice) { v.Seller.Name = "" },
		"BR-07":    func(v *Invoice) { v.Buyer.Name = "" },
		"BR-09":    func(v *Invoice) { v.Seller.Country = "Germany" },
		"BR-11":    func(v *Invoice) { v.Buyer.Country = "" },
		"BR-16":    func(v *Invoice) { v.Lines = nil },
		"BR-25":    func(v *Invoice) { v.Lines[0].Name = "" },
		"BR-29":    func(v *Invoice) { v.From = v.Issued; v.To = v.Supplied },
		"BR-55":    func(v *Invoice) { v.Preceding = &Reference{} },
		"BR-DEC":   func(v *Invoice) { v.Net = "10.550" },
		"BR-CO-10": func(v *Invoice) { v.Lines[0].Net = "10.01" },
		"BR-CO-15": func(v *Invoice) { v.Total = "12.56"; v.Paid = "12.56" },
		"BR-CO-16": func(v *Invoice) { v.Paid = "12.00" },
		"BR-CO-17": func(v *Invoice) { v.VAT = "3.02"; v.Taxes[0].VAT = "3.02"; v.Total = "13.57"; v.Paid = "13.57" },
		"BR-CO-04": func(v *Invoice) { v.Lines[0].Tax = 1 },
		"BR-CO-14": func(v *Invoice) { v.Taxes[0].VAT = "2.01" },
		"BR-CO-18": func(v *Invoice) { v.Taxes = nil },
		"BR-S-01":  further(Tax{Standard, "19", "", "1.00", "0.00"}),
		"BR-S-08":  further(Tax{Standard, "7", "", "1.01", "0.00"}),
		"BR-AE-08": further(Tax{ReverseCharge, "0", "Reverse charge", "2.00", "0.00"}),
		"BR-O-11":  further(Tax{NotSubject, "0", "Abroad", "1.00", "0.00"}),
		"BR-CO-26": func(v *Invoice) { v.Seller.VATID = "" },
		"BR-S-02":  func(v *Invoice) { v.Seller = Party{Name: "A", Country: "DE", Registration: "HRB 1"} },
		"BR-S-05":  free(Standard, ""),
		"BR-S-10":  func(v *Invoice) { v.Taxes[0].Reason = "none" },
		"BR-E-10":  free(Exempt, ""),
		"BR-AE-02": free(ReverseCharge, "Reverse charge"),
		"BR-AE-10": free(ReverseCharge, ""),
		"BR-O-10":  free(NotSubject, ""),
		"BR-47":    func(v *Invoice) { v.Taxes[0].Category = "Z" },
	} {
		v := sound()
		change(&v)

		err := v.Check()
		if err == nil || !strings.Contains(err.Error(), rule+": ") {
			t.Errorf("%s is not named: %v", rule, err)
		}

		if raw, err := v.Write(); err == nil || raw != nil {
			t.Errorf("an invoice that breaks %s was written", rule)
		}
	}
}

// What is written is well formed, whatever stands in the texts; what is not subject to VAT names no VAT identifier.
func TestWrittenInvoice(t *testing.T) {
	raw, err := sound().Write()
	if err != nil {
		t.Fatal(err)
	}

	for _, want := range []string{
		"<ram:ID>urn:cen.eu:en16931:2017</ram:ID>",
		`<udt:DateTimeString format="102">20261122</udt:DateTimeString>`,
		"<ram:Name>Kunde &lt;GmbH&gt;</ram:Name>",
		`<ram:ID schemeID="VA">DE123456789</ram:ID>`,
		"<ram:RateApplicablePercent>19</ram:RateApplicablePercent>",
		`<ram:TaxTotalAmount currencyID="EUR">2.00</ram:TaxTotalAmount>`,
		"<ram:DuePayableAmount>0.00</ram:DuePayableAmount>",
	} {
		if !strings.Contains(string(raw), want) {
			t.Errorf("%s is missing in %s", want, raw)
		}
	}

	if err := xml.Unmarshal(raw, new(struct{})); err != nil {
		t.Error(err)
	}

	v := sound()
	v.Taxes = []Tax{{NotSubject, "0", "Not subject to VAT.", "10.55", "0.00"}}
	v.VAT = "0.00"
	v.Total = "10.55"
	v.Paid = "10.55"
	v.Seller.Registration = "HRB 1"

	if raw, err = v.Write(); err != nil {
		t.Fatal(err)
	}

	for _, never := range []string{"schemeID=\"VA\"", "RateApplicablePercent"} {
		if strings.Contains(string(raw), never) {
			t.Errorf("%s stands in %s", never, raw)
		}
	}
}

// Fees that are taxed in several ways have a part for each category and rate, and each line names its own.
func TestWrittenInvoiceOfSeveralTaxes(t *testing.T) {
	v := sound()
	v.Buyer.VATID = "FR12345678901"
	v.Lines = []Line{{"Fees in Germany", "10.00", 0}, {"Fees in France", "5.00", 1}, {"Fees at 7 %", "0.55", 2}}
	v.Taxes = []Tax{
		{Standard, "19", "", "10.00", "1.90"},
		{ReverseCharge, "0", "Reverse charge", "5.00", "0.00"},
		{Standard, "7", "", "0.55", "0.04"},
	}
	v.Net = "15.55"
	v.VAT = "1.94"
	v.Total = "17.49"
	v.Paid = "17.49"

	raw, err := v.Write()
	if err != nil {
		t.Fatal(err)
	}

	part := func(vat, reason, net, category, rate string) string {
		return "<ram:ApplicableTradeTax><ram:CalculatedAmount>" + vat + "</ram:CalculatedAmount>" +
			"<ram:TypeCode>VAT</ram:TypeCode>" + reason + "<ram:BasisAmount>" + net + "</ram:BasisAmount>" +
			"<ram:CategoryCode>" + category + "</ram:CategoryCode>" +
			"<ram:RateApplicablePercent>" + rate + "</ram:RateApplicablePercent></ram:ApplicableTradeTax>"
	}
	line := func(category, rate, net string) string {
		return "<ram:ApplicableTradeTax><ram:TypeCode>VAT</ram:TypeCode><ram:CategoryCode>" + category +
			"</ram:CategoryCode><ram:RateApplicablePercent>" + rate + "</ram:RateApplicablePercent>" +
			"</ram:ApplicableTradeTax><ram:SpecifiedTradeSettlementLineMonetarySummation><ram:LineTotalAmount>" + net
	}

	for _, want := range []string{
		"<ram:InvoiceCurrencyCode>EUR</ram:InvoiceCurrencyCode>" +
			part("1.90", "", "10.00", "S", "19") +
			part("0.00", "<ram:ExemptionReason>Reverse charge</ram:ExemptionReason>", "5.00", "AE", "0") +
			part("0.04", "", "0.55", "S", "7"),
		line("S", "19", "10.00"),
		line("AE", "0", "5.00"),
		line("S", "7", "0.55"),
		`<ram:TaxTotalAmount currencyID="EUR">1.94</ram:TaxTotalAmount>`,
	} {
		if !strings.Contains(string(raw), want) {
			t.Errorf("%s is missing in %s", want, raw)
		}
	}
}

// A credit note names what it corrects and its days. What is taken back in an invoice has a quantity below zero, and
// never a price below zero.
func TestWrittenCreditNote(t *testing.T) {
	v := sound()

	if raw, err := v.Write(); err != nil || !strings.Contains(string(raw), "<ram:TypeCode>380</ram:TypeCode>") {
		t.Errorf("an invoice is none: %v %s", err, raw)
	}

	v.Credit = true
	v.From = v.Supplied
	v.To = v.Issued
	v.Supplied = time.Time{}
	v.Preceding = &Reference{"2026-000007", v.From}
	v.Lines = []Line{{"Commission", "10.85", 0}, {"Network fee", "-0.30", 0}}

	raw, err := v.Write()
	if err != nil {
		t.Fatal(err)
	}

	for _, want := range []string{
		"<ram:TypeCode>381</ram:TypeCode>",
		`<ram:StartDateTime><udt:DateTimeString format="102">20261122</udt:DateTimeString></ram:StartDateTime>`,
		`<ram:EndDateTime><udt:DateTimeString format="102">20261123</udt:DateTimeString></ram:EndDateTime>`,
		"<ram:InvoiceReferencedDocument><ram:IssuerAssignedID>2026-000007</ram:IssuerAssignedID>" +
			`<ram:FormattedIssueDateTime><qdt:DateTimeString format="102">20261122</qdt:DateTimeString>`,
		"<ram:ChargeAmount>0.30</ram:ChargeAmount>",
		`<ram:BilledQuantity unitCode="C62">-1</ram:BilledQuantity>`,
		"<ram:LineTotalAmount>-0.30</ram:LineTotalAmount>",
	} {
		if !strings.Contains(string(raw), want) {
			t.Errorf("%s is missing in %s", want, raw)
		}
	}

	if strings.Contains(string(raw), "<ram:ChargeAmount>-") {
		t.Errorf("a price is below zero in %s", raw)
	}
}
