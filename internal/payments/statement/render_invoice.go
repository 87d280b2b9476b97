package statement

import (
	"fmt"
	"strings"

	"slipway/internal/platform/paper"
)

// RenderInvoice returns an invoice as a PDF document. The same content gives the same bytes.
func RenderInvoice(v Invoice) ([]byte, error) {
	s := paper.New(paper.Info{Title: "Invoice " + v.Number, Made: v.IssuedAt, Footer: "Invoice " + v.Number})

	f := figures{}
	for _, c := range append(v.Lines, v.Total) {
		f.see(c.Charged, c.Back, c.Net)
	}

	f.see(v.Value...)

	s.Title("Invoice "+v.Number, issuerLines(v.Issuer)...)
	s.Facts(invoiceFacts(v, f))

	s.Heading("Fees")
	s.Table(chargeTable(v, f))

	s.Heading("Payment")
	s.Paragraph("Paid in full: " + f.with(v.Total.Net) +
		" was kept when the transaction was carried out. Nothing is to be paid.")

	if v.TaxNote != "" {
		s.Heading("Taxes")
		s.Paragraph(v.TaxNote)
	}

	return s.Bytes()
}

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

	left = []paper.Fact{
		{Label: "For", Value: v.Customer.Name, Small: v.Customer.Lines},
		{Label: "Service", Value: "Carrying out a transaction", Small: []string{word(kindWords, v.Type)}},
	}
	right = []paper.Fact{
		{Label: "Invoice number", Value: v.Number},
		{Label: "Date of invoice", Value: day(v.IssuedAt)},
		{Label: "Date of supply", Value: day(v.SuppliedAt)},
		{Label: "Transaction", Value: v.Transaction},
		{Label: "Reference", Value: v.Reference},
		{Label: "Value of it", Value: strings.Join(value, ", ")},
		{Label: "Network", Value: v.Network},
		{Label: "Rates", Small: rates},
	}

	return left, right
}

// chargeTable returns the table of fees with their total.
func chargeTable(v Invoice, f figures) paper.Table {
	t := paper.Table{Columns: []paper.Column{
		{Title: "What for"},
		{Title: "Charged", Fit: true, Right: true},
		{Title: "Given back, payments not made", Fit: true, Right: true},
		{Title: "Net", Fit: true, Right: true},
		{Fit: true},
	}}

	for i, c := range append(v.Lines, v.Total) {
		t.Rows = append(t.Rows, paper.Row{
			Strong: i == len(v.Lines),
			Cells: []paper.Cell{
				paper.C(c.Label),
				paper.C(f.show(c.Charged)),
				paper.C(f.show(c.Back)),
				paper.C(f.show(c.Net)),
				paper.C(c.Net.Asset),
			},
		})
	}

	return t
}
