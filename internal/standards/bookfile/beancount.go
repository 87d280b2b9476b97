package bookfile

import (
	"io"
	"strings"
	"time"
)

// beancount writes a file of beancount, version 2 and later.
type beancount struct {
	text

	currency string
	accounts map[string]bool
}

// opened is the day from which accounts are open: before all that is booked.
const opened = "1970-01-01"

// NewBeancount returns a writer of a file of beancount (Beancount Language Syntax).
func NewBeancount(out io.Writer, h Head) Writer {
	w := &beancount{text: text{out: out}, currency: h.Currency, accounts: map[string]bool{}}
	w.write("; ", oneLine(h.Title), ", ", h.From.Format(time.DateOnly), " to ", h.To.Format(time.DateOnly), "\n")
	w.write(`option "operating_currency" `, quoted(h.Currency), "\n")
	// A total price is divided by its amount to 28 digits, and multiplied again; no value has so many.
	w.write(`option "inferred_tolerance_default" `, quoted(h.Currency+":0.0001"), "\n")

	return w
}

// Journal writes a journal.
func (w *beancount) Journal(j Journal) error {
	for _, l := range j.Lines {
		if account := beancountAccount(l.Account); !w.accounts[account] {
			w.accounts[account] = true
			w.write("\n", opened, " open ", account, "\n  name: ", quoted(oneLine(l.Account.Name)), "\n")
		}
	}

	w.write(
		"\n",
		j.Day.Format(time.DateOnly),
		" * ",
		quoted(oneLine(j.Party)),
		" ",
		quoted(words(j.Text)),
		" ^",
		j.ID,
		"\n",
	)
	w.meta("  ", "document_number", j.Document)
	w.meta("  ", "reference", j.Reference)

	for _, l := range j.Lines {
		w.line(l)
	}

	return w.err
}

func (w *beancount) line(l Line) {
	account := beancountAccount(l.Account)
	code := l.Amount.Asset().Code

	if code == w.currency || l.Value == nil {
		w.posting(account, l.Amount.String()+" "+beancountCommodity(code), l)
		return
	}

	value := *l.Value

	// a price has no sign, so a value whose sign is not that of the amount stands on a line of its own
	if l.Amount.Sign()*value.Sign() < 0 || l.Amount.Sign() == 0 {
		w.posting(account, value.String()+" "+w.currency, l)

		value = value.Sub(value)
	}

	if l.Amount.Sign() == 0 {
		return
	}

	if value.Sign() < 0 {
		value = value.Neg()
	}

	w.posting(account, l.Amount.String()+" "+beancountCommodity(code)+" @@ "+value.String()+" "+w.currency, l)
}

func (w *beancount) posting(account, amount string, l Line) {
	w.write("  ", account, "  ", amount, "\n")
	w.meta("    ", "id", l.ID)
	w.meta("    ", "tax", l.Tax)
	w.meta("    ", "centre", l.Centre)
}

func (w *beancount) meta(indent, name, value string) {
	if value = oneLine(value); value != "" {
		w.write(indent, name, ": ", quoted(value), "\n")
	}
}

// Close has nothing to write.
func (w *beancount) Close() error { return w.err }

func quoted(s string) string { return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"` }

// beancountAccount returns the name of an account: each part begins with a capital letter or a digit, and has letters,
// digits and dashes.
func beancountAccount(a Account) string {
	part := func(s string) string {
		s = strings.Trim(keep(s, func(r rune) bool {
			return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-'
		}), "-")

		return strings.ToUpper(s[:min(1, len(s))]) + s[min(1, len(s)):]
	}

	name := classTypes[a.Class].beancount + ":" + part(a.Number+"-"+a.Name)
	if place := part(a.Place); place != "" {
		name += ":" + place
	}

	return name
}

// beancountCommodity returns the code of an asset: capitals, digits and what else is allowed inside.
func beancountCommodity(code string) string {
	return keep(strings.ToUpper(code), func(r rune) bool {
		return r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("'._-", r)
	})
}
