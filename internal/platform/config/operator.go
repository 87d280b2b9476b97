package config

import "regexp"

// Operator is the company that runs this deployment, as shown on statements and invoices.
type Operator struct {
	Name     string `key:"name" help:"Name of the operator, who issues invoices. Empty: a made-up one in the sandbox; live issues no invoices."`
	Street   string `key:"street" help:"Street and number."`
	PostCode string `key:"post_code" help:"Post code."`
	Town     string `key:"town" help:"Town."`
	Country  string `key:"country" help:"Country, by ISO 3166, two letters."`
	TaxID    string `key:"tax_id" help:"Tax number, as required on invoices."`
	Contact  string `key:"contact" help:"Contact for questions about invoices, such as an e-mail address."`
	TaxNote  string `key:"tax_note" help:"Note about taxes on invoices, such as the law by which the fees are exempt. Slipway computes no taxes."`
}

var countryCode = regexp.MustCompile(`^[A-Z]{2}$`)

// operator checks the operator's address.
func (k *checker) operator(o Operator) {
	if o.Country != "" && !countryCode.MatchString(o.Country) {
		k.report("operator.country: %q is no code of ISO 3166 such as CH", o.Country)
	}

	if o.Name == "" && (o.Street+o.PostCode+o.Town+o.Country+o.TaxID+o.TaxNote) != "" {
		k.report("operator.name is needed beside the operator's address and taxes")
	}
}
