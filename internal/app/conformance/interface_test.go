//go:build !nosandbox

package conformance

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestRowsAreThoseOfTheInterface compares rows.txt with the tables of the interface, where its text stands beside the
// project. It is no part of the project.
func TestRowsAreThoseOfTheInterface(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(os.Getenv("SLIPWAY_FIXTURES"), "..", "spec", "interface.md"))
	if os.Getenv("SLIPWAY_FIXTURES") == "" || err != nil {
		t.Skip("the interface's text is not here: set SLIPWAY_FIXTURES")
	}

	p := parser{lines: strings.Split(string(text), "\n"), count: map[string]int{}}
	want := p.rows()

	var have []string
	for _, r := range readRows(t) {
		have = append(have, r.id)
	}

	require.ElementsMatch(t, want, have)
}

// parser reads the names of all rows.
type parser struct {
	lines                   []string
	section, heading, label string // where it is
	head                    []string
	count                   map[string]int
	out                     []string
}

var (
	lineOfFields = regexp.MustCompile(`^([A-Z][A-Za-z]+)(?: \(fiat\))?: (.*)`)
	parentheses  = regexp.MustCompile(`\([^)]*\)`)
	fieldName    = regexp.MustCompile(`^[A-Za-z_0-9]+$`)
	numbered     = regexp.MustCompile(`^(\d+)\. `)
	parameter    = regexp.MustCompile(`:(\w+)`)
	camelCase    = regexp.MustCompile(`\b[a-z]+[A-Z]\w+`)
)

func (p *parser) rows() []string {
	for _, line := range p.lines {
		switch {
		case strings.HasPrefix(line, "## "):
			p.section = line[3:]
			p.heading = ""
			p.label = ""

		case strings.HasPrefix(line, "### "):
			p.heading = line[4:]
			p.label, _, _ = strings.Cut(p.heading, " (")

		case strings.HasPrefix(line, "|---"):
		case strings.HasPrefix(line, "|"):
			p.table(line)

		default:
			p.head = nil
			p.line(line)
		}
	}

	return p.out
}

// table reads a line of a table; the first one is its head.
func (p *parser) table(line string) {
	cells := strings.Split(strings.Trim(line, "| "), "|")
	for i, c := range cells {
		cells[i] = strings.TrimSpace(c)
	}

	if p.head == nil {
		p.head = cells
		return
	}

	switch p.head[0] {
	case "Field":
		for _, name := range strings.Split(cells[0], ",") {
			p.add("field/" + record(p.label) + "/" + strings.TrimSpace(name))
		}

	case "From":
		to := cells[2]
		if p.head[2] == "Condition" {
			to = cells[3]
		}

		to, _, _ = strings.Cut(to, " (")
		noun, _, _ := strings.Cut(p.heading, " ")
		p.add(fmt.Sprintf("transition/%s/%s→%s", noun, strings.Trim(cells[0], "()"), to))

	case "Method":
		p.add("endpoint/" + cells[0] + " " + parameter.ReplaceAllString(cells[1], "{$1}"))
	case "Region":
		p.add("region/" + cells[0])
	case "Limit":
		p.add("limit/" + cells[0])
	}
}

// record returns our name of a kind of payment, or the label itself.
func record(label string) string {
	if kind, ok := strings.CutSuffix(label, " payment"); ok {
		return kind[:1] + strings.ToLower(kind[1:]) + "Payment"
	}

	return label
}

// line reads fields that stand in a sentence, and the numbered errors.
func (p *parser) line(line string) {
	if m := numbered.FindStringSubmatch(line); m != nil && p.section == "Errors" {
		p.add("error/" + m[1])
	}

	if !strings.HasPrefix(p.section, "Resources") {
		return
	}

	m := lineOfFields.FindStringSubmatch(line)

	switch {
	case strings.HasSuffix(line, "payment:"):
		p.label = strings.TrimSuffix(line, ":")
	case p.heading == "User" && strings.HasPrefix(line, "_id"):
		p.fields("User", line)
	case strings.HasPrefix(line, "Response fields:"):
		p.fields("Payment", line)

	case strings.HasPrefix(line, "Input-only"):
		names, us, _ := strings.Cut(line, ", and ")
		p.fields("BankAccountInput", names)

		for _, name := range camelCase.FindAllString(us, -1) {
			p.add("field/BankAccountInput/" + name)
		}

	case m != nil:
		p.fields(m[1], m[2])
	}
}

// fields adds the names in a sentence, without what explains them.
func (p *parser) fields(of, sentence string) {
	sentence = parentheses.ReplaceAllString(sentence, "")

	for _, name := range strings.FieldsFunc(sentence, func(r rune) bool { return strings.ContainsRune(",;:", r) }) {
		if name = strings.Trim(name, " ."); fieldName.MatchString(name) {
			p.add("field/" + of + "/" + name)
		}
	}
}

// add numbers rows that have the same name.
func (p *parser) add(id string) {
	p.count[id]++
	if n := p.count[id]; n > 1 {
		id = fmt.Sprintf("%s #%d", id, n)
	}

	p.out = append(p.out, id)
}
