package config

// Operator is the company that runs this deployment, as shown on statements and invoices.
type Operator struct {
	Name         string `key:"name" help:"Name of the operator, who issues invoices. Empty: live issues no invoices; else a made-up one."`
	Street       string `key:"street" help:"Street and number."`
	PostCode     string `key:"post_code" help:"Post code."`
	Town         string `key:"town" help:"Town."`
	Country      string `key:"country" form:"country" help:"Country, by ISO 3166, two letters."`
	TaxID        string `key:"tax_id" help:"Tax number, as required on invoices."`
	VATID        string `key:"vat_id" help:"VAT identification number, beginning with the country's letters."`
	Registration string `key:"registration" help:"Number in the commercial register. Invoices as data (Factur-X) need it or a VAT identification number."`
	VATPercent   string `key:"vat_percent" form:"vat" help:"Rate of VAT that the fees contain, such as 19. Empty: they are exempt or not taxed. It counts for prices that are locked from then on. See the page on bookkeeping for which customers are charged it."`
	Currency     string `key:"currency" form:"currency" default:"EUR" help:"Currency of invoices and exports for organisations that have set no home currency, by ISO 4217."`
	Contact      string `key:"contact" help:"Contact for questions about invoices, such as an e-mail address."`
	TaxNote      string `key:"tax_note" help:"Note about taxes on invoices, such as the law by which the fees are exempt."`
}

// operator checks the operator's address.
func (k *checker) operator(o Operator) {
	k.when(o.Name == "" && (o.Street+o.PostCode+o.Town+o.Country+o.TaxID+o.TaxNote) != "",
		"operator.name is needed beside the operator's address and taxes")
}
