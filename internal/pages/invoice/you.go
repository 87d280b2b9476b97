package invoice

import (
	"net/url"

	"slipway/internal/directory/receiver"
	"slipway/internal/payments/invoicelink"
)

// showYou asks who the outside party is. Its e-mail address is that of the link, and is not asked.
func showYou(v *visit, f filled) (page, error) {
	known := invoicelink.Receiver{Type: receiver.Company}
	if r := v.link.Given.Receiver; r != nil {
		known = *r
	}

	company := string(receiver.Company)
	person := string(receiver.Individual)

	return page{
		Name:     stepYou,
		Template: "form",
		Title:    "Who sends the invoice?",
		Button:   "Continue",
		Lead:     "As it stands on the invoice and on the bank account. " + v.link.Info.Organisation + " sees it, and the bank that carries the payment.",
		Fields: []field{
			ask(field{Name: "type", Label: "I am", Kind: "radio", Options: []option{
				{Value: company, Label: "A company or organisation"},
				{Value: person, Label: "A person", Hint: "self-employed, freelance or private"},
			}}, f, string(known.Type)),
			ask(field{
				Name:     "legalName",
				Label:    "Name of the company",
				Hint:     "The full name, as it is registered.",
				Kind:     "text",
				Complete: "organization",
				Max:      140,
				Only:     company,
			}, f, known.LegalName),
			ask(field{
				Name:     "firstName",
				Label:    "First name",
				Kind:     "text",
				Complete: "given-name",
				Max:      70,
				Only:     person,
			}, f, known.FirstName),
			ask(field{
				Name:     "lastName",
				Label:    "Last name",
				Kind:     "text",
				Complete: "family-name",
				Max:      70,
				Only:     person,
			}, f, known.LastName),
			ask(field{
				Name:     "addressLine1",
				Label:    "Street and number",
				Kind:     "text",
				Complete: "address-line1",
				Max:      140,
				aliases:  []string{"address"},
			}, f, known.AddressLine1),
			ask(field{
				Name:     "postCode",
				Label:    "Postcode",
				Kind:     "text",
				Complete: "postal-code",
				Max:      16,
				Place:    "short",
			}, f, known.PostCode),
			ask(field{
				Name:     "city",
				Label:    "Town or city",
				Kind:     "text",
				Complete: "address-level2",
				Max:      70,
				Place:    "long",
			}, f, known.City),
			ask(field{
				Name:     "countryIsoCode",
				Label:    "Country",
				Kind:     "select",
				Complete: "country",
				Options:  countries(),
			}, f, known.Country),
		},
	}, nil
}

// takeYou hands in who the outside party is. A company has no first name: what stands in a field that is not shown
// does not count.
func takeYou(v *visit, a url.Values) (string, error) {
	r := invoicelink.Receiver{
		Type:         receiver.Type(a.Get("type")),
		Email:        v.link.Info.Email,
		AddressLine1: a.Get("addressLine1"),
		PostCode:     a.Get("postCode"),
		City:         a.Get("city"),
		Country:      a.Get("countryIsoCode"),
	}
	if r.Type == receiver.Company {
		r.LegalName = a.Get("legalName")
	} else {
		r.FirstName = a.Get("firstName")
		r.LastName = a.Get("lastName")
	}

	_, err := v.deps.Links.GiveReceiver(v.r.Context(), v.token, r)

	return v.onwards(), err
}

// onwards is the step that follows the one which was just done: back to the check when that is all that is left.
func (v *visit) onwards() string {
	if v.way() == "" {
		return stepWay
	}

	if !v.draft.complete() {
		return stepInvoice
	}

	return stepCheck
}
