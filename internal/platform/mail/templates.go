package mail

import (
	"bytes"
	"embed"
	"fmt"
	htmltemplate "html/template"
	"io/fs"
	"strings"
	"text/template"

	"slipway/internal/platform/words"
)

//go:embed templates
var files embed.FS

// texts are the parsed templates in one language.
type texts struct {
	kinds map[Kind]parsed
	text  *template.Template // the frame
	html  *htmltemplate.Template
}

type parsed struct{ subject, body *template.Template }

// parseTexts reads every template, in each language. A template begins with the subject's line. Each further line is a
// block of the mail, and its first word says of which kind:
//
//	p      a paragraph
//	s      a paragraph in small print
//	w      what stands out, such as a reason
//	f, F   a fact: its name, "||", and the fact; F in large letters
//	b      the words on the button that leads to the link
//	items  the list
//
// A block without a text is left out, and so is a button without a link. So one template serves as text and as HTML.
func parseTexts() (map[string]texts, error) {
	out := map[string]texts{}

	for _, in := range words.Must().All() {
		t, err := parseLanguage(template.FuncMap{"t": in.Say, "lang": in.Code})
		if err != nil {
			return nil, err
		}

		out[in.Code()] = t
	}

	return out, nil
}

func parseLanguage(funcs template.FuncMap) (t texts, err error) {
	t.kinds = map[Kind]parsed{}

	if t.text, err = template.New("layout.txt").Funcs(funcs).ParseFS(files, "templates/layout.txt"); err != nil {
		return t, err
	}

	t.html, err = htmltemplate.New("layout.html").Funcs(funcs).
		ParseFS(files, "templates/layout.html")
	if err != nil {
		return t, err
	}

	names, err := fs.Glob(files, "templates/*.txt")
	if err != nil {
		return t, err
	}

	for _, name := range names {
		kind := Kind(strings.TrimSuffix(strings.TrimPrefix(name, "templates/"), ".txt"))
		if kind == "layout" {
			continue
		}

		raw, err := files.ReadFile(name)
		if err != nil {
			return t, err
		}

		subject, body, _ := strings.Cut(string(raw), "\n\n")

		var p parsed
		if p.subject, err = parseStrict(funcs, strings.TrimPrefix(subject, "Subject: ")); err != nil {
			return t, fmt.Errorf("%s: %w", name, err)
		}

		if p.body, err = parseStrict(funcs, body); err != nil {
			return t, fmt.Errorf("%s: %w", name, err)
		}

		t.kinds[kind] = p
	}

	return t, nil
}

// parseStrict parses a template that fails on a value that is not there.
func parseStrict(funcs template.FuncMap, text string) (*template.Template, error) {
	return template.New("").Funcs(funcs).Option("missingkey=error").Parse(text)
}

// block is a part of a mail. A table has rows in place of a text.
type block struct {
	Kind, Text string
	Rows       []row
}

// row is a fact or an item of a list.
type row struct {
	Name, Text string
	Big, Item  bool
}

// letterContent is what the frames show.
type letterContent struct {
	Subject, Mark, Site, Stop, Link string
	Head                            head
	Blocks                          []block
}

// add adds the block of a line.
func (c *letterContent) add(line string, items []Item) {
	kind, text, _ := strings.Cut(strings.TrimSpace(line), " ")
	text = strings.TrimSpace(text)

	var rows []row

	switch kind {
	case "f", "F":
		name, fact, _ := strings.Cut(text, "||")
		if fact = strings.TrimSpace(fact); fact != "" {
			rows = []row{{Name: strings.TrimSpace(name), Text: fact, Big: kind == "F"}}
		}

	case "items":
		for _, x := range items {
			rows = append(rows, row{Name: x.Title, Text: x.Text, Item: true})
		}

	default:
		if text != "" && (kind != "b" || c.Link != "") {
			c.Blocks = append(c.Blocks, block{Kind: kind, Text: text})
		}

		return
	}

	if len(rows) == 0 {
		return
	}

	if last := len(c.Blocks) - 1; last >= 0 && len(c.Blocks[last].Rows) > 0 {
		c.Blocks[last].Rows = append(c.Blocks[last].Rows, rows...)
		return
	}

	c.Blocks = append(c.Blocks, block{Kind: "table", Rows: rows})
}

// render writes a mail. Texts of people cannot break out of it: they are one line each, the HTML is escaped by context,
// and the subject is one line.
func (t texts) render(kind Kind, h head, data map[string]any) (subject, text, html string, err error) {
	p, ok := t.kinds[kind]
	if !ok {
		return "", "", "", fmt.Errorf("there is no mail of kind %q", kind)
	}

	var b bytes.Buffer
	if err := p.subject.Execute(&b, data); err != nil {
		return "", "", "", err
	}

	is := func(name string) string { s, _ := data[name].(string); return s }
	c := letterContent{
		Subject: strings.Join(strings.Fields(b.String()), " "),
		Mark:    is(markKey),
		Head:    h,
		Site:    is("site"),
		Stop:    is("stop"),
		Link:    is(linkKey),
	}

	if c.Mark != "" {
		c.Subject = "[" + c.Mark + "] " + c.Subject
	}

	b.Reset()

	if err := p.body.Execute(&b, data); err != nil {
		return "", "", "", err
	}

	items, _ := data["items"].([]Item)
	for _, line := range strings.Split(b.String(), "\n") {
		c.add(line, items)
	}

	b.Reset()

	if err := t.text.Execute(&b, c); err != nil {
		return "", "", "", err
	}

	text = b.String()
	b.Reset()
	err = t.html.Execute(&b, c)

	return c.Subject, text, b.String(), err
}
