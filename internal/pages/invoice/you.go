package invoice

import (
	"net/url"

	"slipway/internal/directory/receiver"
	"slipway/internal/payments/invoicelink"
	"slipway/internal/platform/words"
)

// showYou asks who the outside party is. It does not ask for the e-mail address, which is that of the link.
func showYou(v *visit, f filled) (page, error) {
	known := invoicelink.Receiver{Type: receiver.Company}
	if r := v.link.Given.Receiver; r != nil {
		known = *r
	}

	return page{
		Name:     stepYou,
		Template: "form",
		Title:    "Who sends the invoice?",
		Button:   "Continue",
		Lead: v.words.Say(
			"As it stands on the invoice and on the bank account. %s sees it, and the bank that carries the "+
				"payment.",
			v.link.Info.Organisation,
		),
		Fields: append(nameFields(f, known), addressFields(v.words, f, known)...),
	}, nil
}

// nameFields ask who the outside party is: a company or a person, and its name.
func nameFields(f filled, known invoicelink.Receiver) []field {
	company := string(receiver.Company)
	person := string(receiver.Individual)

	return []field{
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
	}
}

// addressFields ask for the outside party's address.
func addressFields(in *words.Words, f filled, known invoicelink.Receiver) []field {
	return []field{
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
			Options:  countries(in),
		}, f, known.Country),
	}
}

// takeYou stores who the outside party is. It ignores the fields that the page does not show: a company has no first
// name.
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

	return v.nextStep(), err
}

// nextStep returns the step after the one that was just completed: the first that is missing, or the check.
func (v *visit) nextStep() string {
	if v.way() == "" {
		return stepWay
	}

	if !v.draft.complete() {
		return stepInvoice
	}

	return stepCheck
}
