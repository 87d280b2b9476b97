package mail

import (
	"bytes"
	"embed"
	"fmt"
	htmltemplate "html/template"
	"io/fs"
	"maps"
	"strings"
	"text/template"
)

//go:embed templates
var files embed.FS

// textLayout is the frame of every text.
const textLayout = "templates/layout.txt"

// texts are the parsed templates of every kind.
type texts map[Kind]parsed

type parsed struct {
	subject, text *template.Template
	html          *htmltemplate.Template
}

// parseTexts reads every template. A text begins with its subject line.
func parseTexts() (texts, error) {
	out := texts{}

	names, err := fs.Glob(files, "templates/*.txt")
	if err != nil {
		return nil, err
	}

	for _, name := range names {
		if name == textLayout {
			continue
		}

		kind := Kind(strings.TrimSuffix(strings.TrimPrefix(name, "templates/"), ".txt"))

		raw, err := files.ReadFile(name)
		if err != nil {
			return nil, err
		}

		head, body, _ := strings.Cut(string(raw), "\n\n")

		var p parsed
		if p.subject, err = template.New("subject").Option(
			"missingkey=error",
		).Parse(strings.TrimPrefix(head, "Subject: ")); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}

		if p.text, err = template.New("layout.txt").Option("missingkey=error").ParseFS(files, textLayout); err != nil {
			return nil, err
		}

		if _, err = p.text.New("body").Parse(strings.TrimSpace(body)); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}

		p.html, err = htmltemplate.New("layout.html").Option("missingkey=error").ParseFS(files, "templates/layout.html",
			"templates/"+string(kind)+".html")
		if err != nil {
			return nil, fmt.Errorf("html of %s: %w", kind, err)
		}

		out[kind] = p
	}

	return out, nil
}

// render writes a mail. Texts of people cannot break out of it: the HTML is escaped by context, and the subject is one
// line.
func (t texts) render(kind Kind, data map[string]any) (subject, text, html string, err error) {
	p, ok := t[kind]
	if !ok {
		return "", "", "", fmt.Errorf("there is no mail of kind %q", kind)
	}

	var b bytes.Buffer
	if err := p.subject.Execute(&b, data); err != nil {
		return "", "", "", err
	}

	subject = strings.Join(strings.Fields(b.String()), " ")
	if mark, _ := data[markKey].(string); mark != "" {
		subject = "[" + mark + "] " + subject
	}

	b.Reset()

	if err := p.text.Execute(&b, data); err != nil {
		return "", "", "", err
	}

	text = b.String()
	b.Reset()
	values := map[string]any{"title": subject}
	maps.Copy(values, data)
	err = p.html.Execute(&b, values)

	return subject, text, b.String(), err
}
