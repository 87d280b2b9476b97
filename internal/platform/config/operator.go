package config

import "regexp"

// Operator is who runs this deployment, as it stands on statements and invoices.
type Operator struct {
	Name     string `key:"name" help:"Name of the operator, in which invoices are written. Empty: the sandbox has one; live writes no invoices."`
	Street   string `key:"street" help:"Street and number."`
	PostCode string `key:"post_code" help:"Post code."`
	Town     string `key:"town" help:"Town."`
	Country  string `key:"country" help:"Country, by ISO 3166, two letters."`
	TaxID    string `key:"tax_id" help:"Tax number, as it has to stand on invoices."`
	Contact  string `key:"contact" help:"How clients reach those who answer for invoices, such as an e-mail address."`
	TaxNote  string `key:"tax_note" help:"What invoices say about taxes, such as the law by which the fees are exempt. Slipway works out no taxes."`
}

var countryCode = regexp.MustCompile(`^[A-Z]{2}$`)

// operator finds an address that no document could carry.
func (k *checker) operator(o Operator) {
	if o.Country != "" && !countryCode.MatchString(o.Country) {
		k.say("operator.country: %q is no code of ISO 3166 such as CH", o.Country)
	}

	if o.Name == "" && (o.Street+o.PostCode+o.Town+o.Country+o.TaxID+o.TaxNote) != "" {
		k.say("operator.name is needed beside the operator's address and taxes")
	}
}
