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
)

// page is what a step shows.
type page struct {
	Name     string // the step
	Template string // form, check or done
	Title    string // a question or a thing to do
	Lead     string
	Note     string // what is good to know before one answers
	Problem  string // what is wrong as a whole
	Fields   []field
	Button   string
	Back     string // the step before; empty: none
	Files    bool   // the form carries a file
	Query    string // of the form's address
	Document *invoicelink.ShownDocument
	Sheets   []sheet // of check and done

	Link  invoicelink.Opened
	Path  string // of the link
	Steps []stage
}

// stage is one part of the way, as the top of a page shows it.
type stage struct {
	Name, Path string
	Past, Now  bool
}

// Number is the place of the current stage, from 1.
func (p page) Number() int {
	for i, s := range p.Steps {
		if s.Now {
			return i + 1
		}
	}

	return len(p.Steps)
}

// Wrong counts the fields that something is wrong with.
func (p page) Wrong() int {
	n := 0
	for _, f := range p.Fields {
		if f.Wrong != "" {
			n++
		}
	}

	return n
}

// field is one question of a form. Its name is the interface's name of the field, so that a refusal finds it.
type field struct {
	Name, Label, Hint, Value string
	Kind                     string // text, email, date, select, radio, area, file
	Complete                 string // the browser's own word for what belongs there (autocomplete)
	Keys                     string // which keys a telephone shows (inputmode)
	Unit                     string // stands behind what is typed
	Options                  []option
	Max                      int // characters
	Optional                 bool
	Code                     bool // a number to copy: wide letters, no spelling
	// the answer to the form's first question with which this one is asked; empty: always
	Only    string
	Place   string // CSS class of its width
	Wrong   string
	Focus   bool // the first that is wrong
	aliases []string
}

// option is one answer of several.
type option struct {
	Value, Label, Hint string
	Group              string // heading in a long list
	Chosen             bool
}

// ask fills a field from what was answered, or else from what is known.
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

// blame writes what is wrong beside the fields it is about, and what is about none of them on top. The first field
// that is wrong gets the focus when the page is shown.
func (p *page) blame(f *fault.Fault) {
	var rest []string
	for _, x := range f.Fields {
		if !p.blameField(x) {
			rest = append(rest, upper(x.Message))
		}
	}

	if len(f.Fields) == 0 {
		rest = append(rest, f.Detail)
	}

	for i := range p.Fields {
		if p.Fields[i].Wrong != "" {
			p.Fields[i].Focus = true
			break
		}
	}

	p.Problem = strings.Join(rest, " ")
}

// blameField finds the field that a pointer names and reports whether there is one. The first thing that is wrong with a
// field is said.
func (p *page) blameField(x fault.Field) bool {
	name := x.Pointer[strings.LastIndexByte(x.Pointer, '/')+1:]
	for i := range p.Fields {
		f := &p.Fields[i]
		if f.Name != name && !slices.Contains(f.aliases, name) {
			continue
		}

		if f.Wrong == "" {
			f.Wrong = f.says(x)
		}

		return true
	}

	return false
}

// predicate is how messages begin that say something of a field.
var predicate = regexp.MustCompile(`^(is|has|may|must|can|cannot|holds|needs) `)

// says puts a fault into words for a person: "IBAN has 22 places in Germany."
func (f field) says(x fault.Field) string {
	switch {
	case x.Code == fault.Required && (f.Kind == "select" || f.Kind == "radio"):
		return "Choose one."
	case x.Code == fault.Required, f.Value == "" && f.Kind == "text":
		return "Fill this in."
	case predicate.MatchString(x.Message):
		return f.Label + " " + x.Message
	}

	return upper(x.Message)
}

// upper is a sentence that begins with a capital.
func upper(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	if n == 0 {
		return s
	}

	return string(unicode.ToUpper(r)) + s[n:]
}

// countries are all of them, for a list to choose from.
func countries() []option {
	out := []option{{Label: "Choose a country"}}
	for _, c := range refdata.All().Countries {
		out = append(out, option{Value: c.Alpha2, Label: c.Name})
	}

	return out
}

// currencies are those that are offered. A requested one stands first.
func currencies(requested string) []option {
	out := []option{{Label: "Choose a currency"}}
	for _, c := range refdata.All().Currencies {
		o := option{Value: c.Code, Label: c.Code + ", " + c.Name}
		switch {
		case c.Code == requested:
			out = append(out[:1], append([]option{o}, out[1:]...)...)
		case !c.Hidden:
			out = append(out, o)
		}
	}

	return out
}

// dateForm is how date fields send a day (HTML, valid date string).
const dateForm = "2006-01-02"

// dayOf reads a day; the zero time is none.
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

func countryName(code string) string {
	c, ok := refdata.All().Country(code)
	if !ok {
		return code
	}

	return c.Name
}
