package invoice

import (
	"fmt"
	"net/url"
	"strings"

	"slipway/internal/directory/network"
	"slipway/internal/payments/invoicelink"
	"slipway/internal/platform/words"
	"slipway/internal/standards/iban"
	"slipway/internal/standards/mailbox"
)

// sheet is one part of what was entered, as the check shows it.
type sheet struct {
	Name, Change string // Change is the step that changes it; empty: it cannot be changed
	Lines        []line
}

type line struct {
	Name, Text string
	Sum, Code  bool
}

// showCheck shows everything once more.
func showCheck(v *visit, _ filled) (page, error) {
	sheets, err := v.sheets(v.draft.invoice(), true)

	return page{
		Name:     stepCheck,
		Template: "check",
		Title:    "Is this right?",
		Lead:     "Once it is sent you cannot change it any more.",
		Button:   "Send the invoice",
		Back:     stepInvoice,
		Sheets:   sheets,
	}, err
}

// takeCheck sends the invoice. A second call leads to the same confirmation.
func takeCheck(v *visit, _ url.Values) (string, error) {
	in := v.draft.invoice()
	if d := v.document(); d != nil {
		in.DocumentKey = d.Key
	}

	if _, err := v.deps.Links.Submit(v.r.Context(), v.token, in); err != nil {
		return stepDone, err
	}

	if v.unproven() && v.draft.Wallet != "" {
		v.draft = draft{Wallet: v.draft.Wallet} // which can still be proven
		return stepDone, v.storeDraft()
	}

	v.setCookie(v.w, cookieDraft, v.link.ID, "")

	return stepDone, nil
}

// showDone confirms that the invoice has arrived, and shows what became of it since.
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

	p := page{Name: stepDone, Template: "done", Sheets: sheets, Standing: v.standing()}
	p.Title = p.Standing.title

	if v.draft.Way != wayKnown {
		p.Note = v.nextNote(v.draft.Way)
	}

	p.Unproven = v.draft.Way == wayWallet && v.unproven()

	return p, err
}

// sheets returns what was entered, part by part. change adds links to the steps.
func (v *visit) sheets(in invoicelink.Invoice, change bool) ([]sheet, error) {
	bill := sheet{
		Name:   "Invoice",
		Change: stepInvoice,
		Lines: []line{
			{Name: "Amount", Text: v.words.Amount(in.Amount, in.Currency+in.Token), Sum: true},
			{Name: "For", Text: in.Reason},
		},
	}
	add := func(s *sheet, name, text string) {
		if text != "" {
			s.Lines = append(s.Lines, line{Name: name, Text: text})
		}
	}
	add(&bill, "Number", in.Number)

	if !in.DueDate.IsZero() {
		add(&bill, "Pay by", v.words.Day(in.DueDate))
	}

	if d := v.document(); d != nil {
		add(&bill, "File", d.Name+" ("+size(v.words, d.Size)+")")
	}

	where, err := v.where()
	if err != nil {
		return nil, err
	}

	out := []sheet{bill, where}
	if r := v.link.Given.Receiver; r != nil {
		who := sheet{Name: "You", Change: stepYou}
		add(&who, "Name", strings.TrimSpace(r.LegalName+r.FirstName+" "+r.LastName))

		town := strings.TrimSpace(r.PostCode + " " + r.City)
		add(&who, "Address", strings.Join(present(r.AddressLine1, town, countryName(v.words, r.Country)), ", "))
		add(&who, "E-mail", mailbox.Show(v.link.Info.Email))
		out = append(out, who)
	}

	if !change {
		for i := range out {
			out[i].Change = ""
		}
	}

	return out, nil
}

// where returns the part that shows where the money goes.
func (v *visit) where() (sheet, error) {
	s := sheet{Name: "Where to pay", Change: stepWay}
	switch v.way() {
	case wayBank:
		a := v.link.Given.Account

		s.Lines = []line{{Name: "Account", Text: v.accountNumber(a.Ending), Code: true}}
		if a.BankName != "" {
			s.Lines = append(s.Lines, line{Name: "Bank", Text: a.BankName})
		}

		s.Lines = append(s.Lines,
			line{Name: "Country", Text: countryName(v.words, a.Country)}, line{Name: "Currency", Text: a.Currency})

	case wayWallet:
		w := v.link.Given.Wallet

		n, err := network.ByID(v.r.Context(), v.deps.DB, w.Network)
		if err != nil {
			return s, err
		}

		s.Lines = []line{{Name: "Wallet", Text: w.Ending, Code: true}, {Name: "Network", Text: n.Name}}

	default:
		s.Lines = []line{{Name: "Account", Text: v.words.Say("where %s has paid you before", v.link.Info.Organisation)}}
	}

	return s, nil
}

// accountNumber returns the whole number of the account in groups of four, to be checked, in the browser in which it
// was entered. Elsewhere it returns how the number ends: a link can be forwarded.
func (v *visit) accountNumber(ending string) string {
	number := iban.Normalise(v.draft.Account)
	if number == "" || !strings.HasSuffix(number, ending) {
		return v.words.Say("ends in %s", ending)
	}

	var groups []string
	for len(number) > 4 {
		groups = append(groups, number[:4])
		number = number[4:]
	}

	return strings.Join(append(groups, number), " ")
}

// size returns the size of a file in words.
func size(in *words.Words, bytes int64) string {
	if bytes < 1_000_000 {
		return fmt.Sprintf("%d\u00a0kB", max(1, (bytes+999)/1000))
	}

	return in.Amount(fmt.Sprintf("%d.%d", bytes/1_000_000, bytes%1_000_000/100_000), "") + "\u00a0MB"
}

// present returns the texts that are not empty.
func present(texts ...string) []string {
	var out []string
	for _, t := range texts {
		if t != "" {
			out = append(out, t)
		}
	}

	return out
}
