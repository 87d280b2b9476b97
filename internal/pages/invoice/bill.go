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

	asked := v.link.Info.Requested
	if d == (draft{Way: d.Way}) {
		d.Amount = asked.Amount
		d.Reason = asked.Reason
	}

	unit, err := v.unit(f)
	if err != nil {
		return page{}, err
	}

	amount := ask(field{
		Name:  "amount",
		Label: "Amount",
		Kind:  "text",
		Keys:  "decimal",
		Max:   40,
		Place: "half",
	}, f, d.Amount)

	fields := []field{amount, unit}
	if len(unit.Options) == 1 {
		fields[0].Unit = unit.Options[0].Label
		fields = fields[:1]
		fields[0].aliases = unit.aliases
	}

	file := field{
		Name:     "file",
		Label:    "The invoice as a file",
		Hint:     "PDF, PNG or JPEG, at most 10 MB.",
		Kind:     "file",
		Optional: true,
		aliases:  []string{"documentStorageKey", "fileName", "contentType"},
	}

	p := page{
		Name:     stepInvoice,
		Template: "form",
		Title:    "Your invoice",
		Button:   "Continue",
		Back:     v.before(stepInvoice),
		Files:    true,
		Document: v.document(),
		Fields: append(fields,
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
			file),
	}
	if p.Document != nil {
		p.Fields[len(p.Fields)-1].Label = "Use another file instead"
	}

	if asked.Amount != "" || asked.Reason != "" {
		p.Note = v.asks()
	}

	return p, nil
}

// asks says what the organisation has asked for.
func (v *visit) asks() string {
	text := v.link.Info.Organisation + " has asked for an invoice"

	asked := v.link.Info.Requested
	if asked.Amount != "" {
		text += " of " + strings.TrimSpace(showAmount(asked.Amount, asked.Currency))
	}

	if asked.Reason != "" {
		text += ": " + strings.TrimSuffix(asked.Reason, ".")
	}

	return text + "."
}

// unit is what the amount is of. With one option it is no question.
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

// document is the file that goes with the invoice: the one the draft names, or else the last that came.
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

// takeInvoice keeps the invoice and lets it be looked at. A file is handed in as it arrives, so that it is kept even
// when something else of the form is wrong; readParts has done that.
func takeInvoice(v *visit, a url.Values) (string, error) {
	var l fault.List

	d := draft{
		Way:      v.way(),
		Amount:   readAmount(a.Get("amount"), &l),
		Number:   a.Get("invoiceNumber"),
		Reason:   a.Get("reason"),
		Document: v.draft.Document,
	}
	if key := a.Get("file"); key != "" {
		d.Document = key
	} else if a.Get("remove") != "" {
		d.Document = noDocument
	} else if d.Document == "" && v.document() != nil {
		d.Document = v.document().Key
	}

	day := dayOf(a.Get("dueDate"), "/dueDate", &l)

	d.Due = dayText(day)
	if err := v.takeUnit(a.Get("unit"), &d, &l); err != nil {
		return "", err
	}

	v.draft = d

	in := d.invoice()
	if err := v.deps.Links.CheckInvoice(v.r.Context(), v.token, in); err != nil {
		f, refused := fault.As(err)
		if !refused || len(f.Fields) == 0 {
			return "", err
		}

		note(&l, f.Fields)
	}

	if err := l.Err(); err != nil {
		_ = v.keep() // the file that came, at least
		return "", err
	}

	return stepCheck, v.keep()
}

// note adds what the use case finds wrong, unless the page has said something of the same field already.
func note(l *fault.List, found []fault.Field) {
	said := map[string]bool{}
	for _, x := range l.Fields() {
		said[x.Pointer] = true
	}

	for _, x := range found {
		if !said[x.Pointer] {
			l.Append(x)
		}
	}
}

// takeUnit reads what the amount is of.
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
