package bookfile

import (
	"io"
	"strings"
	"time"
	"unicode"

	"slipway/internal/core/money"
)

// hledger writes a journal file of hledger, which ledger reads too. An amount of another asset has its value as a total
// price (@@), so that each transaction balances in the file's currency.
type hledger struct {
	text

	currency    string
	accounts    map[string]bool
	commodities map[string]bool
}

// NewHledger returns a writer of a journal file of hledger (hledger manual, "Journal").
func NewHledger(out io.Writer, h Head) Writer {
	w := &hledger{
		text:        text{out: out},
		currency:    h.Currency,
		accounts:    map[string]bool{},
		commodities: map[string]bool{},
	}
	w.write("; ", oneLine(h.Title), ", ", h.From.Format(time.DateOnly), " to ", h.To.Format(time.DateOnly), "\n")

	return w
}

// classTypes are the letters with which hledger marks the type of an account, and the names of the five top accounts.
var classTypes = map[Class]struct{ letter, hledger, beancount string }{
	Asset:     {"A", "assets", "Assets"},
	Liability: {"L", "liabilities", "Liabilities"},
	Equity:    {"E", "equity", "Equity"},
	Income:    {"R", "income", "Income"},
	Expense:   {"X", "expenses", "Expenses"},
}

// Journal writes a journal.
func (w *hledger) Journal(j Journal) error {
	for _, l := range j.Lines {
		w.declare(l)
	}

	w.write("\n", j.Day.Format(time.DateOnly), " * (", j.ID, ") ", plainText(words(j.Party)))

	if j.Party != "" {
		w.write(" | ")
	}

	w.write(plainText(words(j.Text)), "\n")
	w.tag("    ", "document", j.Document)
	w.tag("    ", "reference", j.Reference)

	for _, l := range j.Lines {
		w.line(l)
	}

	return w.err
}

func (w *hledger) line(l Line) {
	account := hledgerAccount(l.Account)
	code := l.Amount.Asset().Code

	if code == w.currency || l.Value == nil {
		w.posting(account, l.Amount.String()+" "+plainCommodity(code), l)
		return
	}

	value := *l.Value

	// a price has no sign, so a value whose sign is not that of the amount stands on a line of its own
	if l.Amount.Sign()*value.Sign() < 0 || l.Amount.Sign() == 0 {
		w.posting(account, value.String()+" "+plainCommodity(w.currency), l)

		value = value.Sub(value)
	}

	if l.Amount.Sign() == 0 {
		return
	}

	if value.Sign() < 0 {
		value = value.Neg()
	}

	w.posting(
		account,
		l.Amount.String()+" "+plainCommodity(code)+" @@ "+value.String()+" "+plainCommodity(w.currency),
		l,
	)
}

func (w *hledger) posting(account, amount string, l Line) {
	w.write("    ", account, "  ", amount, "  ; id:", l.ID)

	if l.Tax != "" {
		w.write(", tax:", plainTag(l.Tax))
	}

	if l.Centre != "" {
		w.write(", centre:", plainTag(l.Centre))
	}

	w.write("\n")
}

func (w *hledger) tag(indent, name, value string) {
	if value = plainTag(value); value != "" {
		w.write(indent, "; ", name, ":", value, "\n")
	}
}

// declare writes what a strict reader wants to know of an account and of a commodity before they are used.
func (w *hledger) declare(l Line) {
	account := hledgerAccount(l.Account)
	if !w.accounts[account] {
		w.accounts[account] = true
		w.write("\naccount ", account, "  ; type:", classTypes[l.Account.Class].letter, "\n")
	}

	w.commodity(l.Amount.Asset())

	if l.Value != nil {
		w.commodity(l.Value.Asset())
	}
}

func (w *hledger) commodity(a money.Asset) {
	if !w.commodities[a.Code] {
		w.commodities[a.Code] = true
		w.write("\ncommodity 1000.", strings.Repeat("0", max(a.Decimals, 2)), " ", plainCommodity(a.Code), "\n")
	}
}

// Close has nothing to write.
func (w *hledger) Close() error { return w.err }

// plainText is a text inside a description: a semicolon would begin a comment, and a bar parts the payee.
func plainText(s string) string { return strings.NewReplacer(";", ",", "|", "/").Replace(s) }

// plainTag is the value of a tag, which ends at a comma.
func plainTag(s string) string { return strings.NewReplacer(";", " ", ",", " ").Replace(oneLine(s)) }

// plainCommodity is the code of an asset: in quotes unless it has letters alone.
func plainCommodity(code string) string {
	for _, r := range code {
		if !unicode.IsLetter(r) {
			return `"` + strings.ReplaceAll(oneLine(code), `"`, "") + `"`
		}
	}

	return code
}

func hledgerAccount(a Account) string {
	may := func(r rune) bool {
		return unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune(" .-_/,", r)
	}

	name := classTypes[a.Class].hledger + ":" + keep(oneLine(a.Number+" "+a.Name), may)
	if a.Place != "" {
		name += ":" + keep(oneLine(a.Place), may)
	}

	return name
}
