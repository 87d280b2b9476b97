package invoice

import (
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/url"
	"strings"

	"slipway/internal/core/fault"
	"slipway/internal/directory/document"
	"slipway/internal/directory/network"
	"slipway/internal/payments/invoicelink"
	"slipway/internal/platform/web"
)

// showInvoice asks for the invoice itself.
func showInvoice(v *visit, f filled) (page, error) {
	d, asked := v.draft, v.link.Info.Requested
	if d == (draft{Way: d.Way}) {
		d.Amount, d.Reason = asked.Amount, asked.Reason
	}
	unit, err := v.unit(f)
	if err != nil {
		return page{}, err
	}
	amount := ask(field{Name: "amount", Label: "Amount", Kind: "text", Keys: "decimal", Max: 40, Place: "half"}, f, d.Amount)
	fields := []field{amount, unit}
	if len(unit.Options) == 1 {
		fields[0].Unit = unit.Options[0].Label
		fields = fields[:1]
		fields[0].aliases = unit.aliases
	}
	file := field{Name: "file", Label: "The invoice as a file", Hint: "PDF, PNG or JPEG, at most 10 MB.", Kind: "file", Optional: true, aliases: []string{"documentStorageKey", "fileName", "contentType"}}
	p := page{
		Name: stepInvoice, Template: "form", Title: "Your invoice", Button: "Continue", Back: v.before(stepInvoice), Files: true, Document: v.document(),
		Fields: append(fields,
			ask(field{Name: "reason", Label: "What is it for?", Hint: "One line, such as: Translation of the annual report.", Kind: "text", Max: 500}, f, d.Reason),
			ask(field{Name: "invoiceNumber", Label: "Your invoice number", Kind: "text", Max: 70, Optional: true, Place: "half"}, f, d.Number),
			ask(field{Name: "dueDate", Label: "To be paid by", Kind: "date", Optional: true, Place: "half"}, f, d.Due),
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
	text, asked := v.link.Info.Organisation+" has asked for an invoice", v.link.Info.Requested
	if asked.Amount != "" {
		text += " over " + strings.TrimSpace(showAmount(asked.Amount, asked.Currency))
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
	return ask(field{Name: "unit", Label: label, Kind: "select", Options: options, Place: "half", aliases: []string{"currencyIsoCode", "tokenIsoCode", "currency"}}, f, known), err
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

// takeInvoice keeps the invoice and lets it be looked at. A file is handed in as it arrives, so that it is kept even when something else of
// the form is wrong; readParts has done that.
func takeInvoice(v *visit, a url.Values) (string, error) {
	var l fault.List
	d := draft{Way: v.way(), Amount: readAmount(a.Get("amount"), &l), Number: a.Get("invoiceNumber"), Reason: a.Get("reason"), Document: v.draft.Document}
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

// maxPart is the most bytes of one answer in a form with a file; maxParts bounds their number.
const (
	maxPart  = 8 << 10
	maxParts = 20
)

// maxUpload is the most bytes of a form with a file. It is far more than of a file that is taken: what is too much is read to its end, for a
// browser that is cut off shows its own words and not ours.
const maxUpload = 8 * document.MaxSize

// readParts reads a form with a file. The file is handed in as it arrives and is never held in memory; its key is the answer of its field.
func (v *visit) readParts() (url.Values, error) {
	answers := url.Values{}
	r, done := web.Unhurried(v.w, v.r, maxUpload)
	defer done()
	form, err := r.MultipartReader()
	for n := 0; err == nil && n < maxParts; n++ {
		var part *multipart.Part
		if part, err = form.NextPart(); err != nil {
			break
		}
		if part.FileName() != "" {
			var d invoicelink.ShownDocument
			d, err = v.deps.Links.GiveDocument(r.Context(), v.token, document.New{Name: part.FileName(), DeclaredType: part.Header.Get("Content-Type"), Body: part})
			if err != nil {
				_, _ = io.Copy(io.Discard, r.Body)
				return answers, aboutFile(err)
			}
			answers.Set(part.FormName(), d.Key)
			continue
		}
		var text []byte
		if text, err = io.ReadAll(io.LimitReader(part, maxPart)); err == nil {
			answers.Set(part.FormName(), clean(string(text)))
		}
	}
	if errors.Is(err, io.EOF) {
		if answers.Get("file") != "" {
			v.link, err = v.deps.Links.Open(v.r.Context(), v.token) // with the file
			return answers, err
		}
		return answers, nil
	}
	return answers, fault.New(fault.Malformed, fault.BodyMalformed, "The form did not arrive whole. Send it once more.")
}

// aboutFile says of a refusal without fields that it is about the file. What ends the visit stays as it is.
func aboutFile(err error) error {
	f, refused := fault.As(err)
	switch {
	case !refused || len(f.Fields) > 0 || f.Code == fault.LinkInvalid:
		return err
	case f.Kind == fault.TooLarge:
		f.Detail = "The file is larger than 10 MB. Send a smaller one, or a picture with fewer points."
	}
	return &fault.Fault{Kind: f.Kind, Code: f.Code, Detail: f.Detail, Fields: []fault.Field{{Pointer: "/file", Code: f.Code, Message: f.Detail}}}
}

func tooLong() error {
	var l fault.List
	l.Add("/reason", fault.TooLong, "is too long.")
	return l.Err()
}

// sheet is one part of what was stated, as it is looked at before it is sent.
type sheet struct {
	Name, Change string // Change: the step that changes it; empty: nothing does
	Lines        []line
}

type line struct {
	Name, Text string
	Sum, Code  bool
}

// showCheck shows everything once more.
func showCheck(v *visit, _ filled) (page, error) {
	sheets, err := v.sheets(v.draft.invoice(), true)
	return page{Name: stepCheck, Template: "check", Title: "Is this right?", Lead: "Once it is sent you cannot change it any more.", Button: "Send the invoice", Back: stepInvoice, Sheets: sheets}, err
}

// takeCheck hands in the invoice. Sending twice gives the same confirmation.
func takeCheck(v *visit, _ url.Values) (string, error) {
	in := v.draft.invoice()
	if d := v.document(); d != nil {
		in.DocumentKey = d.Key
	}
	_, err := v.deps.Links.Submit(v.r.Context(), v.token, in)
	if err == nil {
		v.setCookie(v.w, cookieDraft, v.link.ID, "")
	}
	return stepDone, err
}

// showDone confirms that the invoice has arrived.
func showDone(v *visit, _ filled) (page, error) {
	in := v.link.Given.Invoice
	if in == nil {
		return page{}, fmt.Errorf("link %s is %s and has no invoice", v.link.ID, v.link.Status)
	}
	v.draft = draft{Document: noDocument}
	switch {
	case in.Token != "" && v.link.Steps.Wallet:
		v.draft.Way = wayWallet
	case in.Currency != "" && v.link.Steps.BankAccount:
		v.draft.Way = wayBank
	default:
		v.draft.Way = wayKnown
	}
	if in.DocumentKey != "" {
		v.draft.Document = in.DocumentKey
	}
	sheets, err := v.sheets(*in, false)
	p := page{Name: stepDone, Template: "done", Title: "Your invoice has arrived", Sheets: sheets}
	if v.link.Info.Existing && v.draft.Way != wayKnown {
		p.Note = v.asksBack(map[string]string{wayBank: "account", wayWallet: "wallet"}[v.draft.Way])
	}
	return p, err
}

// sheets is what was stated, part by part.
func (v *visit) sheets(in invoicelink.Invoice, change bool) ([]sheet, error) {
	bill := sheet{Name: "Invoice", Change: stepInvoice, Lines: []line{{Name: "Amount", Text: showAmount(in.Amount, in.Currency+in.Token), Sum: true}, {Name: "For", Text: in.Reason}}}
	add := func(s *sheet, name, text string) {
		if text != "" {
			s.Lines = append(s.Lines, line{Name: name, Text: text})
		}
	}
	add(&bill, "Number", in.Number)
	if !in.DueDate.IsZero() {
		add(&bill, "Pay by", in.DueDate.Format("2 January 2006"))
	}
	if d := v.document(); d != nil {
		add(&bill, "File", d.Name+" ("+size(d.Size)+")")
	}
	where, err := v.where()
	if err != nil {
		return nil, err
	}
	out := []sheet{bill, where}
	if r := v.link.Given.Receiver; r != nil {
		who := sheet{Name: "You", Change: stepYou}
		add(&who, "Name", strings.TrimSpace(r.LegalName+r.FirstName+" "+r.LastName))
		add(&who, "Address", strings.Join(present(r.AddressLine1, strings.TrimSpace(r.PostCode+" "+r.City), countryName(r.Country)), ", "))
		add(&who, "E-mail", v.link.Info.Email)
		out = append(out, who)
	}
	if !change {
		for i := range out {
			out[i].Change = ""
		}
	}
	return out, nil
}

// where is the part that says where the money goes.
func (v *visit) where() (sheet, error) {
	s := sheet{Name: "Where to pay", Change: stepWay}
	switch v.way() {
	case wayBank:
		a := v.link.Given.Account
		s.Lines = []line{{Name: "Account", Text: "ends in " + a.Ending, Code: true}}
		if a.BankName != "" {
			s.Lines = append(s.Lines, line{Name: "Bank", Text: a.BankName})
		}
		s.Lines = append(s.Lines, line{Name: "Country", Text: countryName(a.Country)}, line{Name: "Currency", Text: a.Currency})
	case wayWallet:
		w := v.link.Given.Wallet
		n, err := network.ByID(v.r.Context(), v.deps.DB, w.Network)
		if err != nil {
			return s, err
		}
		s.Lines = []line{{Name: "Wallet", Text: w.Ending, Code: true}, {Name: "Network", Text: n.Name}}
	default:
		s.Lines = []line{{Name: "Account", Text: "where " + v.link.Info.Organisation + " has paid you before"}}
	}
	return s, nil
}

// size is a file's, for people.
func size(bytes int64) string {
	if bytes < 1_000_000 {
		return fmt.Sprintf("%d\u00a0kB", max(1, (bytes+999)/1000))
	}
	return fmt.Sprintf("%d.%d\u00a0MB", bytes/1_000_000, bytes%1_000_000/100_000)
}

func present(texts ...string) []string {
	var out []string
	for _, t := range texts {
		if t != "" {
			out = append(out, t)
		}
	}
	return out
}
