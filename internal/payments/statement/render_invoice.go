package statement

import (
	"fmt"
	"strings"

	"slipway/internal/platform/paper"
)

// name is what a document is called.
func (v Invoice) name() string {
	switch {
	case v.Credit:
		return "Credit note"
	case v.Kind == KindCollective:
		return "Collective invoice"
	default:
		return "Invoice"
	}
}

func (v Invoice) fileName() string {
	if v.Credit {
		return "credit-note-" + v.Number + ".pdf"
	}

	return "invoice-" + v.Number + ".pdf"
}

// RenderInvoice returns an invoice or a credit note as a PDF document. logo is as in Render. The same content and logo
// give the same bytes.
func RenderInvoice(v Invoice, logo *paper.Picture) ([]byte, error) {
	title := v.name() + " " + v.Number
	s := paper.New(paper.Info{
		Title:  title,
		Made:   v.IssuedAt,
		Footer: title,
		Mark:   v.Mark,
		Brand:  v.Brand,
		Logo:   logo,
		Colour: colourOf(v.Colour),
	})

	f := figures{}
	for _, c := range append(v.Lines, v.Total) {
		f.see(c.Amount)
	}

	f.see(v.Value...)

	s.Title(title, issuerLines(v.Issuer)...)
	s.Facts(invoiceFacts(v, f))

	s.Heading("Fees")
	s.Table(chargeTable(v, f))

	s.Heading("Payment")
	s.Paragraph(v.paidText(f))

	homeSection(s, v)

	if note := v.note(); note != "" {
		s.Heading("Notes")
		s.Paragraph(note)
	}

	data := v.data()
	if data == nil {
		return s.Archive()
	}

	return s.Archive(paper.Attachment{
		Name:        "factur-x.xml",
		Type:        "text/xml",
		Description: "The invoice as data (Factur-X, EN 16931)",
		Content:     data,
		Metadata:    facturX,
	})
}

// collectiveNote is for who has single invoices too.
const collectiveNote = "It has the fees of the invoices and credit notes for single transactions of these days too: " +
	"book either this one, or those."

// note returns what else is to be said.
func (v Invoice) note() string {
	if v.Kind != KindCollective {
		return v.TaxNote
	}

	return strings.TrimSpace(v.TaxNote + " " + collectiveNote)
}

// paidText says why nothing is to be paid.
func (v Invoice) paidText(f figures) string {
	switch {
	case v.Kind == KindCollective:
		return "Paid in full: the fees were kept when each transaction was carried out, and what was given back was " +
			"given back then. Nothing is to be paid."
	case v.Credit:
		return "Settled: " + f.with(v.Total.Amount) +
			" was given back with the payments that were not made. Nothing is to be paid."
	case strings.Trim(v.Total.Amount.Value, "0.") == "":
		return "Nothing was charged for this transaction, and nothing is to be paid."
	default:
		return "Paid in full: " + f.with(v.Total.Amount) +
			" was kept when the transaction was carried out. Nothing is to be paid. What was given back of it later " +
			"is on a credit note."
	}
}

// homeSection draws the value in the customer's home currency, and the VAT in it.
func homeSection(s *paper.Sheet, v Invoice) {
	h := v.Home
	if h == nil {
		return
	}

	row := func(strong bool, label, value string) paper.Row {
		shown := figures{}.show(Amount{value, h.Currency})
		return paper.Row{Strong: strong, Cells: []paper.Cell{paper.C(label), paper.C(shown), paper.C(h.Currency)}}
	}

	t := paper.Table{Columns: []paper.Column{
		{Title: "What for"},
		{Title: "Value", Fit: true, Right: true},
		{Fit: true},
	}}
	for _, l := range h.Lines {
		t.Rows = append(t.Rows, row(false, l.Label, l.Net))
	}

	t.Rows = append(t.Rows, row(true, "Net", h.Net))
	for _, tax := range h.Taxes {
		t.Rows = append(t.Rows, row(false, h.label(tax), tax.VAT))
	}

	t.Rows = append(t.Rows, row(true, "Total", h.Total))

	s.Heading("Value in " + h.Currency)
	s.Table(t)

	if h.Rate == "" {
		s.Paragraph("The values are those of the customer's book.")
		return
	}

	s.Paragraph("1 " + v.Token + " = " + h.Rate + " " + h.Currency + ", reference rate of " + h.RateDate +
		" (" + h.RateSource + ").")
}

// label returns the line of VAT, or why there is none.
func (h *Home) label(t HomeTax) string {
	of := ""
	if len(h.Taxes) > 1 {
		of = " (on " + figures{}.show(Amount{t.Net, h.Currency}) + ")"
	}

	if t.Reason == "" {
		return "VAT, " + t.Percent + " %" + of
	}

	return "VAT" + of + ": " + t.Reason
}

// facturX says in the file's metadata that factur-x.xml is the invoice, in which profile, and what these words mean
// (Factur-X 1.0, 6.2.2).
const facturX = `<rdf:Description rdf:about="" xmlns:fx="urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#">` +
	`<fx:DocumentType>INVOICE</fx:DocumentType><fx:DocumentFileName>factur-x.xml</fx:DocumentFileName>` +
	`<fx:Version>1.0</fx:Version><fx:ConformanceLevel>EN 16931</fx:ConformanceLevel></rdf:Description>` + "\n" +
	`<rdf:Description rdf:about="" xmlns:pdfaExtension="http://www.aiim.org/pdfa/ns/extension/"` +
	` xmlns:pdfaSchema="http://www.aiim.org/pdfa/ns/schema#" xmlns:pdfaProperty="http://www.aiim.org/pdfa/ns/property#">` +
	`<pdfaExtension:schemas><rdf:Bag><rdf:li rdf:parseType="Resource">` +
	`<pdfaSchema:schema>Factur-X PDFA Extension Schema</pdfaSchema:schema>` +
	`<pdfaSchema:namespaceURI>urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#</pdfaSchema:namespaceURI>` +
	`<pdfaSchema:prefix>fx</pdfaSchema:prefix><pdfaSchema:property><rdf:Seq>` +
	`<rdf:li rdf:parseType="Resource"><pdfaProperty:name>DocumentFileName</pdfaProperty:name>` +
	`<pdfaProperty:valueType>Text</pdfaProperty:valueType><pdfaProperty:category>external</pdfaProperty:category>` +
	`<pdfaProperty:description>name of the embedded invoice</pdfaProperty:description></rdf:li>` +
	`<rdf:li rdf:parseType="Resource"><pdfaProperty:name>DocumentType</pdfaProperty:name>` +
	`<pdfaProperty:valueType>Text</pdfaProperty:valueType><pdfaProperty:category>external</pdfaProperty:category>` +
	`<pdfaProperty:description>INVOICE</pdfaProperty:description></rdf:li>` +
	`<rdf:li rdf:parseType="Resource"><pdfaProperty:name>Version</pdfaProperty:name>` +
	`<pdfaProperty:valueType>Text</pdfaProperty:valueType><pdfaProperty:category>external</pdfaProperty:category>` +
	`<pdfaProperty:description>version of the data's format</pdfaProperty:description></rdf:li>` +
	`<rdf:li rdf:parseType="Resource"><pdfaProperty:name>ConformanceLevel</pdfaProperty:name>` +
	`<pdfaProperty:valueType>Text</pdfaProperty:valueType><pdfaProperty:category>external</pdfaProperty:category>` +
	`<pdfaProperty:description>profile of the data</pdfaProperty:description></rdf:li>` +
	`</rdf:Seq></pdfaSchema:property></rdf:li></rdf:Bag></pdfaExtension:schemas></rdf:Description>` + "\n"

// invoiceFacts returns the two columns of facts above the fees.
func invoiceFacts(v Invoice, f figures) (left, right []paper.Fact) {
	var value []string
	for _, a := range v.Value {
		value = append(value, f.with(a))
	}

	var rates []string
	for _, r := range v.Rates {
		rates = append(rates, fmt.Sprintf("1 %s = %s %s (%s, %s)", r.Token, r.Rate, r.Currency, day(r.AsOf), r.Source))
	}

	left = []paper.Fact{{Label: "For", Value: v.Customer.Name, Small: v.Customer.Lines}}
	if v.Transaction != "" {
		left = append(left, paper.Fact{
			Label: "Service",
			Value: "Carrying out a transaction",
			Small: []string{word(kindWords, v.Type)},
		})
	}

	corrects := ""
	if c := v.Corrects; c != nil {
		corrects = c.Number + " of " + day(c.IssuedAt)
	}

	period := ""
	if !v.From.IsZero() {
		period = day(v.From) + " to " + day(v.To)
	}

	right = []paper.Fact{
		{Label: "Number", Value: v.Number},
		{Label: "Date", Value: day(v.IssuedAt)},
		{Label: "Corrects invoice", Value: corrects},
		{Label: "Date of supply", Value: day(v.SuppliedAt)},
		{Label: "Period", Value: period},
		{Label: "Transaction", Value: v.Transaction},
		{Label: "Reference", Value: v.Reference},
		{Label: "Value of it", Value: strings.Join(value, ", ")},
		{Label: "Network", Value: v.Network},
		{Label: "Rates", Small: rates},
	}

	return left, right
}

// chargeTable returns the table of fees, of one transaction with their total.
func chargeTable(v Invoice, f figures) paper.Table {
	title := "Charged"
	if v.Credit {
		title = "Given back"
	}

	t := paper.Table{Columns: []paper.Column{
		{Title: "What for"},
		{Title: title, Fit: true, Right: true},
		{Fit: true},
	}}

	row := func(strong bool, c Charge) {
		t.Rows = append(t.Rows, paper.Row{
			Strong: strong,
			Cells:  []paper.Cell{paper.C(c.Label), paper.C(f.show(c.Amount)), paper.C(c.Amount.Asset)},
		})
	}

	for _, c := range v.Lines {
		row(false, c)
	}

	if v.Kind != KindCollective { // which may have several tokens
		row(true, v.Total)
	}

	return t
}
