package cii

import (
	"bytes"
	"encoding/xml"
	"strconv"
	"strings"
	"time"
)

// The namespaces of CII D16B.
const (
	rsm = "urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100"
	ram = "urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100"
	udt = "urn:un:unece:uncefact:data:standard:UnqualifiedDataType:100"
	qdt = "urn:un:unece:uncefact:data:standard:QualifiedDataType:100"
)

// The codes of a commercial invoice and of a credit note (BT-3, UNTDID 1001).
const (
	invoiceType    = "380"
	creditNoteType = "381"
)

// one is the unit of a service: a piece (UN/ECE Recommendation 20).
const one = "C62"

// Write returns an invoice as XML. It returns the error of Check if the invoice breaks a rule.
func (v Invoice) Write() ([]byte, error) {
	if err := v.Check(); err != nil {
		return nil, err
	}

	d := &document{}
	d.WriteString(xml.Header)
	d.WriteString(`<rsm:CrossIndustryInvoice xmlns:rsm="` + rsm + `" xmlns:ram="` + ram + `" xmlns:qdt="` + qdt +
		`" xmlns:udt="` + udt + `">`)

	d.in("rsm:ExchangedDocumentContext", func() {
		d.in("ram:GuidelineSpecifiedDocumentContextParameter", func() { d.leaf("ram:ID", Guideline) })
	})
	d.in("rsm:ExchangedDocument", func() {
		d.leaf("ram:ID", v.Number)
		d.leaf("ram:TypeCode", v.typeCode())
		d.date("ram:IssueDateTime", v.Issued)

		if v.Note != "" {
			d.in("ram:IncludedNote", func() { d.leaf("ram:Content", v.Note) })
		}
	})
	d.in("rsm:SupplyChainTradeTransaction", func() {
		for i, l := range v.Lines {
			d.line(v, i, l)
		}

		d.in("ram:ApplicableHeaderTradeAgreement", func() {
			d.party("ram:SellerTradeParty", v.Seller, v.notSubject())

			buyer := v.Buyer
			buyer.TaxNumber = "" // EN 16931 has no place for it
			d.party("ram:BuyerTradeParty", buyer, v.notSubject())
		})
		d.in("ram:ApplicableHeaderTradeDelivery", func() {
			if !v.Supplied.IsZero() {
				d.in("ram:ActualDeliverySupplyChainEvent", func() { d.date("ram:OccurrenceDateTime", v.Supplied) })
			}
		})
		d.in("ram:ApplicableHeaderTradeSettlement", func() { d.settlement(v) })
	})
	d.WriteString("</rsm:CrossIndustryInvoice>\n")

	return d.Bytes(), nil
}

func (v Invoice) typeCode() string {
	if v.Credit {
		return creditNoteType
	}

	return invoiceType
}

// document is XML being written, element by element in the schema's order.
type document struct{ bytes.Buffer }

func (d *document) in(tag string, body func()) {
	d.WriteString("<" + tag + ">")
	body()
	d.WriteString("</" + tag + ">")
}

// leaf writes a text, or nothing for an empty one.
func (d *document) leaf(tag, text string) {
	if text != "" {
		d.in(tag, func() { _ = xml.EscapeText(d, []byte(text)) }) // a buffer accepts everything
	}
}

// marked writes a text with one attribute, whose value is a constant of the standard.
func (d *document) marked(tag, attribute, value, text string) {
	d.WriteString("<" + tag + " " + attribute + `="` + value + `">`)
	_ = xml.EscapeText(d, []byte(text)) // a buffer accepts everything
	d.WriteString("</" + tag + ">")
}

func (d *document) date(tag string, at time.Time) { d.dateAs(tag, "udt:DateTimeString", at) }

func (d *document) dateAs(tag, form string, at time.Time) {
	d.in(tag, func() { d.marked(form, "format", "102", at.UTC().Format("20060102")) })
}

// line writes a line. What takes a service back has a quantity below zero, since a price must not be (BR-27).
func (d *document) line(v Invoice, i int, l Line) {
	price, back := strings.CutPrefix(l.Net, "-")
	quantity := "1"

	if back {
		quantity = "-1"
	}

	d.in("ram:IncludedSupplyChainTradeLineItem", func() {
		d.in("ram:AssociatedDocumentLineDocument", func() { d.leaf("ram:LineID", strconv.Itoa(i+1)) })
		d.in("ram:SpecifiedTradeProduct", func() {
			d.leaf("ram:Name", l.Name)
			d.leaf("ram:Description", v.Text)
		})
		d.in("ram:SpecifiedLineTradeAgreement", func() {
			d.in("ram:NetPriceProductTradePrice", func() { d.leaf("ram:ChargeAmount", price) })
		})
		d.in("ram:SpecifiedLineTradeDelivery", func() { d.marked("ram:BilledQuantity", "unitCode", one, quantity) })
		d.in("ram:SpecifiedLineTradeSettlement", func() {
			d.in("ram:ApplicableTradeTax", func() {
				d.leaf("ram:TypeCode", "VAT")
				d.leaf("ram:CategoryCode", string(v.Taxes[l.Tax].Category))
				d.rate(v.Taxes[l.Tax])
			})
			d.in("ram:SpecifiedTradeSettlementLineMonetarySummation", func() {
				d.leaf("ram:LineTotalAmount", l.Net)
			})
		})
	})
}

// rate writes the rate of VAT, which what is not subject to VAT must not have (BR-O-05).
func (d *document) rate(t Tax) {
	if t.Category != NotSubject {
		d.leaf("ram:RateApplicablePercent", t.Percent)
	}
}

// party writes a party. What is not subject to VAT must not name VAT identifiers (BR-O-02).
func (d *document) party(tag string, p Party, notSubject bool) {
	d.in(tag, func() {
		d.leaf("ram:Name", p.Name)

		if p.Registration != "" {
			d.in("ram:SpecifiedLegalOrganization", func() { d.leaf("ram:ID", p.Registration) })
		}

		d.in("ram:PostalTradeAddress", func() {
			d.leaf("ram:PostcodeCode", p.PostCode)
			d.leaf("ram:LineOne", p.Street)
			d.leaf("ram:CityName", p.Town)
			d.leaf("ram:CountryID", p.Country)
		})

		if p.VATID != "" && !notSubject {
			d.in("ram:SpecifiedTaxRegistration", func() { d.marked("ram:ID", "schemeID", "VA", p.VATID) })
		}

		if p.TaxNumber != "" {
			d.in("ram:SpecifiedTaxRegistration", func() { d.marked("ram:ID", "schemeID", "FC", p.TaxNumber) })
		}
	})
}

func (d *document) settlement(v Invoice) {
	d.leaf("ram:PaymentReference", v.TransactionID)
	d.leaf("ram:InvoiceCurrencyCode", v.Currency)

	for _, t := range v.Taxes {
		d.in("ram:ApplicableTradeTax", func() {
			d.leaf("ram:CalculatedAmount", t.VAT)
			d.leaf("ram:TypeCode", "VAT")
			d.leaf("ram:ExemptionReason", t.Reason)
			d.leaf("ram:BasisAmount", t.Net)
			d.leaf("ram:CategoryCode", string(t.Category))
			d.rate(t)
		})
	}

	if !v.From.IsZero() {
		d.in("ram:BillingSpecifiedPeriod", func() {
			d.date("ram:StartDateTime", v.From)
			d.date("ram:EndDateTime", v.To)
		})
	}

	d.in("ram:SpecifiedTradeSettlementHeaderMonetarySummation", func() {
		d.leaf("ram:LineTotalAmount", v.Net)
		d.leaf("ram:TaxBasisTotalAmount", v.Net)
		d.marked("ram:TaxTotalAmount", "currencyID", v.Currency, v.VAT)
		d.leaf("ram:GrandTotalAmount", v.Total)
		d.leaf("ram:TotalPrepaidAmount", v.Paid)
		d.leaf("ram:DuePayableAmount", "0.00")
	})

	if p := v.Preceding; p != nil {
		d.in("ram:InvoiceReferencedDocument", func() {
			d.leaf("ram:IssuerAssignedID", p.Number)
			d.dateAs("ram:FormattedIssueDateTime", "qdt:DateTimeString", p.Issued)
		})
	}
}
