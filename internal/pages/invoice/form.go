package invoice

import (
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"slipway/internal/core/fault"
	"slipway/internal/directory/refdata"
	"slipway/internal/payments/invoicelink"
	"slipway/internal/platform/words"
)

// page is what a step shows.
type page struct {
	Name     string // the step
	Template string // form, check or done
	Title    string // a question or a thing to do
	Lead     string
	Note     string // what to know before answering
	Problem  string // what is wrong with the form as a whole
	Fields   []field
	Button   string
	Back     string // the step before; empty: none
	Files    bool   // the form carries a file
	Query    string // of the form's address
	Document *invoicelink.ShownDocument
	Sheets   []sheet // of check and done
	Standing standing
	Unproven bool  // of done: there is a wallet that nobody has proven
	Proof    proof // of prove

	Link  invoicelink.Opened
	Brand dress  // of the organisation that asks
	Path  string // of the link
	Steps []stage
}

// stage is one step as the top of a page shows it.
type stage struct {
	Name, Path string
	Past, Now  bool
}

// Number returns the number of the current stage, counted from 1.
func (p page) Number() int {
	for i, s := range p.Steps {
		if s.Now {
			return i + 1
		}
	}

	return len(p.Steps)
}

// Wrong returns how many fields are wrong.
func (p page) Wrong() int {
	n := 0
	for _, f := range p.Fields {
		if f.Wrong != "" {
			n++
		}
	}

	return n
}

// Dated reports whether a field of the page is a date.
func (p page) Dated() bool {
	return slices.ContainsFunc(p.Fields, func(f field) bool { return f.Kind == "date" })
}

// field is one question of a form. It has the name that the API gives the field, so that refusals find it.
type field struct {
	Name, Label, Hint, Value string
	Kind                     string // text, email, date, select, radio, area, file
	Complete                 string // HTML autocomplete
	Keys                     string // HTML inputmode
	Unit                     string // shown behind the input
	Options                  []option
	Max                      int // characters
	Optional                 bool
	Code                     bool   // a number to copy: monospaced, without spell check
	Only                     string // shown only with this answer to the form's first question; empty: always
	Place                    string // CSS class of its width
	Wrong                    string
	Focus                    bool // the first field that is wrong
	aliases                  []string
}

// option is one possible answer.
type option struct {
	Value, Label, Hint string
	Group              string // heading in a long list
	Chosen             bool
}

// ask returns a field filled with the answer, or else with what is known.
func ask(f field, answered filled, known string) field {
	f.Value = known
	if answered.answers != nil {
		f.Value = answered.answers.Get(f.Name)
	}

	for i := range f.Options {
		f.Options[i].Chosen = f.Options[i].Value == f.Value
	}

	return f
}

// showFault shows a refusal: beside the fields that it is about, and the rest at the top of the page. The first wrong
// field gets the focus.
func (p *page) showFault(in *words.Words, f *fault.Fault) {
	var rest []string
	for _, x := range f.Fields {
		if !p.showFieldFault(in, x) {
			rest = append(rest, upper(in.Refusal(string(x.Code), x.Message)))
		}
	}

	if len(f.Fields) == 0 {
		rest = append(rest, in.Refusal(string(f.Code), f.Detail))
	}

	for i := range p.Fields {
		if p.Fields[i].Wrong != "" {
			p.Fields[i].Focus = true
			break
		}
	}

	p.Problem = strings.Join(rest, " ")
}

// showFieldFault shows a fault beside its field and reports whether the page has that field. Of several faults of a
// field it shows the first.
func (p *page) showFieldFault(in *words.Words, x fault.Field) bool {
	name := x.Pointer[strings.LastIndexByte(x.Pointer, '/')+1:]
	for i := range p.Fields {
		f := &p.Fields[i]
		if f.Name != name && !slices.Contains(f.aliases, name) {
			continue
		}

		if f.Wrong == "" {
			f.Wrong = f.sentence(in, x)
		}

		return true
	}

	return false
}

// predicate matches messages whose subject is the field.
var predicate = regexp.MustCompile(`^(is|has|may|must|can|cannot|holds|needs) `)

// sentence returns a fault as a sentence: "IBAN has 22 places in Germany."
func (f field) sentence(in *words.Words, x fault.Field) string {
	switch {
	case x.Code == fault.Required && (f.Kind == "select" || f.Kind == "radio"):
		return in.Say("Choose one.")
	case x.Code == fault.Required, f.Value == "" && f.Kind == "text":
		return in.Say("Fill this in.")
	case in.Code() != "en":
		return in.Refusal(string(x.Code), x.Message)
	case predicate.MatchString(x.Message):
		return f.Label + " " + x.Message
	}

	return upper(x.Message)
}

// upper returns a sentence with a capital at the beginning.
func upper(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	if n == 0 {
		return s
	}

	return string(unicode.ToUpper(r)) + s[n:]
}

// countries returns all countries, for a list to choose from.
func countries(in *words.Words) []option {
	out := []option{{Label: "Choose a country"}}
	for _, c := range refdata.All().Countries {
		out = append(out, option{Value: c.Alpha2, Label: in.Country(c.Alpha2, c.Name)})
	}

	order := in.Order()
	slices.SortStableFunc(out[1:], func(a, b option) int { return order(a.Label, b.Label) })

	return out
}

// currencies returns the currencies that are offered, the requested one first.
func currencies(in *words.Words, requested string) []option {
	out := []option{{Label: "Choose a currency"}}
	for _, c := range refdata.All().Currencies {
		o := option{Value: c.Code, Label: c.Code + ", " + c.Name}
		if in.Code() != "en" {
			o.Label = c.Code // whose names are English
		}

		switch {
		case c.Code == requested:
			out = append(out[:1], append([]option{o}, out[1:]...)...)
		case !c.Hidden:
			out = append(out, o)
		}
	}

	return out
}

// dateForm is the form in which date fields send a day (HTML, valid date string).
const dateForm = "2006-01-02"

// dayOf parses a day; the zero time means none.
func dayOf(s string, pointer string, l *fault.List) time.Time {
	if s == "" {
		return time.Time{}
	}

	t, err := time.Parse(dateForm, s)
	if err != nil {
		l.Add(pointer, fault.FormatInvalid, "must be a day such as 2026-11-30.")
	}

	return t
}

func dayText(t time.Time) string {
	if t.IsZero() {
		return ""
	}

	return t.UTC().Format(dateForm)
}

func countryName(in *words.Words, code string) string {
	c, ok := refdata.All().Country(code)
	if !ok {
		return code
	}

	return in.Country(c.Alpha2, c.Name)
}
