package invoice

import (
	"net/url"
	"strings"

	"slipway/internal/core/fault"
	"slipway/internal/payments/invoicelink"
)

// showInvoice asks for the invoice itself.
func showInvoice(v *visit, f filled) (page, error) {
	d := v.draft
	requested := v.link.Info.Requested

	if d == (draft{Way: d.Way, Account: d.Account, Wallet: d.Wallet}) {
		d.Amount = requested.Amount
		d.Reason = requested.Reason
	}

	unit, err := v.unit(f)
	if err != nil {
		return page{}, err
	}

	p := page{
		Name:     stepInvoice,
		Template: "form",
		Title:    "Your invoice",
		Button:   "Continue",
		Back:     v.before(stepInvoice),
		Files:    true,
		Document: v.document(),
		Fields:   append(amountFields(f, d, unit), billFields(f, d)...),
	}
	if p.Document != nil {
		p.Fields[len(p.Fields)-1].Label = "Use another file instead"
	}

	if requested.Amount != "" || requested.Reason != "" {
		p.Note = v.requestNote()
	}

	return p, nil
}

// amountFields ask for the amount, and for its unit if there is a choice.
func amountFields(f filled, d draft, unit field) []field {
	amount := ask(field{
		Name:  "amount",
		Label: "Amount",
		Kind:  "text",
		Keys:  "decimal",
		Max:   40,
		Place: "half",
	}, f, d.Amount)

	if len(unit.Options) == 1 {
		amount.Unit = unit.Options[0].Label
		amount.aliases = unit.aliases

		return []field{amount}
	}

	return []field{amount, unit}
}

// billFields ask for everything else of the invoice. The file comes last.
func billFields(f filled, d draft) []field {
	return []field{
		ask(field{
			Name:  "reason",
			Label: "What is it for?",
			Hint:  "One line, such as: Translation of the annual report.",
			Kind:  "text",
			Max:   400,
		}, f, d.Reason),
		ask(field{
			Name:     "invoiceNumber",
			Label:    "Your invoice number",
			Kind:     "text",
			Max:      70,
			Optional: true,
			Place:    "half",
		}, f, d.Number),
		ask(field{
			Name:     "dueDate",
			Label:    "To be paid by",
			Kind:     "date",
			Optional: true,
			Place:    "half",
		}, f, d.Due),
		{
			Name:     "file",
			Label:    "The invoice as a file",
			Hint:     "PDF, PNG or JPEG, at most 10 MB.",
			Kind:     "file",
			Optional: true,
			aliases:  []string{"documentStorageKey", "fileName", "contentType"},
		},
	}
}

// requestNote returns what the organisation has asked for, in words.
func (v *visit) requestNote() string {
	requested := v.link.Info.Requested
	name := v.link.Info.Organisation
	amount := v.words.Amount(requested.Amount, requested.Currency)
	reason := strings.TrimSuffix(requested.Reason, ".")

	switch {
	case requested.Reason == "":
		return v.words.Say("%[1]s has asked for an invoice of %[2]s.", name, amount)
	case requested.Amount == "":
		return v.words.Say("%[1]s has asked for an invoice: %[2]s.", name, reason)
	}

	return v.words.Say("%[1]s has asked for an invoice of %[2]s: %[3]s.", name, amount, reason)
}

// unit returns the question for the currency or token of the amount.
func (v *visit) unit(f filled) (field, error) {
	options, err := v.units(v.r.Context())

	known := v.draft.Currency
	if v.draft.Token != "" {
		known = tokenMark + v.draft.Token
	}

	if known == "" && v.way() == wayKnown {
		known = v.link.Info.Requested.Currency
	}

	label := "Currency"
	switch v.way() {
	case wayWallet:
		label = "Token"
	case wayKnown:
		label = "Currency or token"
	}

	return ask(field{
		Name:    "unit",
		Label:   label,
		Kind:    "select",
		Options: options,
		Place:   "half",
		aliases: []string{"currencyIsoCode", "tokenIsoCode", "currency"},
	}, f, known), err
}

// document returns the file that goes with the invoice: the one that the draft names, or else the newest; nil for none.
func (v *visit) document() *invoicelink.ShownDocument {
	all := v.link.Given.Documents
	if v.draft.Document == noDocument || len(all) == 0 {
		return nil
	}

	for i := range all {
		if all[i].Key == v.draft.Document {
			return &all[i]
		}
	}

	return &all[len(all)-1]
}

// takeInvoice stores the invoice in the draft and leads to the check. readParts has stored the file already, so that it
// is kept even if something else in the form is wrong.
func takeInvoice(v *visit, a url.Values) (string, error) {
	var l fault.List

	d := draft{
		Way:      v.way(),
		Amount:   readAmount(a.Get("amount"), &l),
		Number:   a.Get("invoiceNumber"),
		Reason:   a.Get("reason"),
		Document: v.draft.Document,
		Account:  v.draft.Account,
		Wallet:   v.draft.Wallet,
	}

	switch key := a.Get("file"); {
	case key != "":
		d.Document = key
	case a.Get("remove") != "":
		d.Document = noDocument
	case d.Document == "" && v.document() != nil:
		d.Document = v.document().Key
	}

	d.Due = dayText(dayOf(a.Get("dueDate"), "/dueDate", &l))

	if err := v.takeUnit(a.Get("unit"), &d, &l); err != nil {
		return "", err
	}

	v.draft = d

	if err := v.deps.Links.CheckInvoice(v.r.Context(), v.token, d.invoice()); err != nil {
		f, refused := fault.As(err)
		if !refused || len(f.Fields) == 0 {
			return "", err
		}

		addMissing(&l, f.Fields)
	}

	if err := l.Err(); err != nil {
		_ = v.storeDraft() // at least the file stays
		return "", err
	}

	return stepCheck, v.storeDraft()
}

// addMissing adds what the use case finds wrong, except for fields that are in l already.
func addMissing(l *fault.List, found []fault.Field) {
	listed := map[string]bool{}
	for _, x := range l.Fields() {
		listed[x.Pointer] = true
	}

	for _, x := range found {
		if !listed[x.Pointer] {
			l.Append(x)
		}
	}
}

// takeUnit stores the currency or token of the amount in the draft.
func (v *visit) takeUnit(answer string, d *draft, l *fault.List) error {
	options, err := v.units(v.r.Context())
	if err != nil {
		return err
	}

	if len(options) == 1 {
		answer = options[0].Value
	}

	token, isToken := strings.CutPrefix(answer, tokenMark)
	switch {
	case answer == "":
		l.Add("/currencyIsoCode", fault.Required, "is required.")
	case isToken:
		d.Token = token
	default:
		d.Currency = answer
	}

	return nil
}
