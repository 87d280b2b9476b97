package ecb

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math/big"
	"slices"
	"strings"
	"time"
)

// The namespaces of the file.
const (
	envelopeSpace = "http://www.gesmes.org/xml/2002-08-01"
	cubeSpace     = "http://www.ecb.int/vocabulary/2002-08-01/eurofxref"
)

// Limits of a file. The whole history since 1999 has about 7 MB and 7,000 days; no day had more than 42 currencies.
const (
	maxBytes      = 16 << 20
	maxDays       = 20_000
	maxCurrencies = 200
	maxRateDigits = 20
)

// Malformed means that a file is invalid. Line counts from 1.
type Malformed struct {
	Line   int
	Reason string
}

// Error returns the line and the reason.
func (m *Malformed) Error() string {
	return fmt.Sprintf("reference rates, line %d: %s", m.Line, m.Reason)
}

// Parse parses a file and returns its days, newest first. The error is a *Malformed, or the reader's own.
func Parse(r io.Reader) ([]Day, error) {
	p := &parser{in: &bounded{r: r, left: maxBytes}, seen: map[string]bool{}}
	p.xml = xml.NewDecoder(p.in)

	p.xml.Strict = true
	if err := p.run(); err != nil {
		return nil, err
	}

	slices.SortFunc(p.days, func(a, b Day) int { return b.Date.Compare(a.Date) })

	return p.days, nil
}

// parser is the state of parsing: the depth determines which element may come. Names are raw: Space holds the prefix as
// written.
type parser struct {
	in   *bounded
	xml  *xml.Decoder
	path []xml.Name
	days []Day
	seen map[string]bool // dates
	done bool            // the envelope was closed
}

func (p *parser) run() error {
	for {
		tok, err := p.xml.RawToken()
		if errors.Is(err, io.EOF) && p.done {
			return p.complete()
		}

		if err != nil {
			return p.broken(err)
		}

		switch t := tok.(type) {
		case xml.StartElement:
			err = p.start(t)
		case xml.EndElement:
			err = p.end(t)
		case xml.Directive:
			err = p.malformed("a document type has no place here")

		case xml.CharData:
			if (len(p.path) == 0 || p.at("Cube")) && strings.TrimSpace(string(t)) != "" {
				err = p.malformed("text between the rates")
			}
		}

		if err != nil {
			return err
		}
	}
}

// at reports whether the innermost open element has a local name.
func (p *parser) at(local string) bool {
	return len(p.path) > 0 && p.path[len(p.path)-1].Local == local
}

func (p *parser) start(e xml.StartElement) error {
	depth := len(p.path)
	switch {
	case p.done:
		return p.malformed("<%s> after the end", e.Name.Local)

	case depth == 0:
		if err := p.envelope(e); err != nil {
			return err
		}

	case e.Name.Local == "Cube" && e.Name.Space == "":
		if err := p.cube(e, depth); err != nil {
			return err
		}

	case depth > 2 || p.at("Cube") || !slices.Contains([]string{"subject", "Sender", "name"}, e.Name.Local):
		return p.malformed("<%s> has no place here", e.Name.Local)
	}

	p.path = append(p.path, e.Name)

	return nil
}

// envelope checks the root and that both vocabularies are the bank's.
func (p *parser) envelope(e xml.StartElement) error {
	if e.Name.Local != "Envelope" {
		return p.malformed("the root is <%s>, not an Envelope", e.Name.Local)
	}

	prefixed := ""

	plain := ""
	for _, a := range e.Attr {
		switch {
		case a.Name.Space == "xmlns" && a.Name.Local == e.Name.Space:
			prefixed = a.Value
		case a.Name.Space == "" && a.Name.Local == "xmlns":
			plain = a.Value
		}
	}

	if prefixed != envelopeSpace || plain != cubeSpace {
		return p.malformed("the namespaces are not those of the reference rates")
	}

	return nil
}

// cube parses one of the three: the outer one without attributes, one with a day, or one with a rate.
func (p *parser) cube(e xml.StartElement, depth int) error {
	for _, n := range p.path[1:] {
		if n.Local != "Cube" {
			return p.malformed("a Cube inside <%s>", n.Local)
		}
	}

	given := map[string]string{}
	for _, a := range e.Attr {
		if _, twice := given[a.Name.Local]; twice {
			return p.malformed("the attribute %s stands twice", a.Name.Local)
		}

		given[a.Name.Local] = a.Value
	}

	switch depth {
	case 1:
		if len(given) != 0 {
			return p.malformed("the outer Cube has attributes")
		}

		return nil

	case 2:
		return p.day(given)
	case 3:
		return p.rate(given)
	}

	return p.malformed("a Cube inside a rate")
}

func (p *parser) day(given map[string]string) error {
	date, err := time.Parse(time.DateOnly, given["time"])
	if err != nil || len(given) != 1 {
		return p.malformed("a day needs time='YYYY-MM-DD' and nothing else")
	}

	if p.seen[given["time"]] {
		return p.malformed("the day %s stands twice", given["time"])
	}

	p.seen[given["time"]] = true
	if len(p.days) == maxDays {
		return p.malformed("more than %d days", maxDays)
	}

	p.days = append(p.days, Day{Date: date, Rates: map[string]*big.Rat{}})

	return nil
}

func (p *parser) rate(given map[string]string) error {
	day := p.days[len(p.days)-1]
	currency := given["currency"]

	text := given["rate"]
	if len(given) != 2 || !isCode(currency) || currency == Euro {
		return p.malformed("a rate needs currency='ABC' and rate='1.23' and nothing else")
	}

	if day.Rates[currency] != nil {
		return p.malformed("%s stands twice", currency)
	}

	if len(day.Rates) == maxCurrencies {
		return p.malformed("more than %d currencies", maxCurrencies)
	}

	r, ok := parseRate(text)
	if !ok {
		return p.malformed(
			"the rate of %s is %.32q: digits with a point are needed, and more than zero",
			currency,
			text,
		)
	}

	day.Rates[currency] = r

	return nil
}

func isCode(s string) bool {
	for i := range len(s) {
		if s[i] < 'A' || s[i] > 'Z' {
			return false
		}
	}

	return len(s) == 3
}

// parseRate parses digits with at most one point, without sign, exponent or comma: a file re-saved by a spreadsheet
// must not pass with rates ten thousand times too large.
func parseRate(s string) (*big.Rat, bool) {
	whole, frac, point := strings.Cut(s, ".")
	if whole == "" || point && frac == "" || len(s) > maxRateDigits {
		return nil, false
	}

	for _, c := range []byte(whole + frac) {
		if c < '0' || c > '9' {
			return nil, false
		}
	}

	r, ok := new(big.Rat).SetString(s)

	return r, ok && r.Sign() > 0
}

func (p *parser) end(e xml.EndElement) error {
	if len(p.path) == 0 || p.path[len(p.path)-1] != e.Name {
		return p.malformed("</%s> closes nothing", e.Name.Local)
	}

	if len(p.path) == 3 && e.Name.Local == "Cube" && len(p.days[len(p.days)-1].Rates) == 0 {
		return p.malformed("a day without rates")
	}

	p.path = p.path[:len(p.path)-1]
	p.done = len(p.path) == 0

	return nil
}

func (p *parser) complete() error {
	if len(p.days) == 0 {
		return p.malformed("no day has rates")
	}

	return nil
}

func (p *parser) malformed(format string, args ...any) error {
	line, _ := p.xml.InputPos()
	return &Malformed{Line: line, Reason: fmt.Sprintf(format, args...)}
}

// broken converts an error of the XML reader into a *Malformed, and passes on an error of the source.
func (p *parser) broken(err error) error {
	var syntax *xml.SyntaxError
	switch {
	case p.in.over:
		return p.malformed("more than %d bytes", maxBytes)
	case p.in.err != nil:
		return fmt.Errorf("read reference rates: %w", p.in.err)
	case errors.As(err, &syntax):
		return &Malformed{Line: syntax.Line, Reason: syntax.Msg}
	case errors.Is(err, io.EOF):
		return p.malformed("the file breaks off")
	}

	return p.malformed("%v", err)
}

// bounded reads at most left bytes and remembers why it ended.
type bounded struct {
	r    io.Reader
	left int
	over bool
	err  error
}

// Read implements io.Reader.
func (b *bounded) Read(into []byte) (int, error) {
	if b.left == 0 {
		if n, err := io.ReadFull(b.r, make([]byte, 1)); n == 0 {
			return 0, err
		}

		b.over = true

		return 0, io.ErrUnexpectedEOF
	}

	n, err := b.r.Read(into[:min(len(into), b.left)])

	b.left -= n
	if err != nil && !errors.Is(err, io.EOF) {
		b.err = err
	}

	return n, err
}
