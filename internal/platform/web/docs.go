package web

import (
	"bytes"
	"cmp"
	"embed"
	"fmt"
	"html/template"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/danielgtaylor/huma/v2"

	"slipway/internal/core/fault"
)

//go:embed docs
var pages embed.FS

// serveDocs serves /openapi.json, the pages below /docs, and /problems/<code>.
func (a *API) serveDocs() {
	// at the first request: every operation is registered by then
	document := sync.OnceValues(func() (docsFile, error) {
		text, err := a.OpenAPI()
		return docsFile{newFixed(text), jsonDocument[0]}, err
	})

	a.Mount("GET", "/openapi.json", Public, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		doc, err := document()
		if err != nil {
			a.Refuse(w, r, err)
			return
		}

		doc.send(w, r)
	}))

	site := sync.OnceValues(a.site)

	show := func(w http.ResponseWriter, r *http.Request) {
		all, err := site()
		if err != nil {
			a.Refuse(w, r, err)
			return
		}

		name := strings.TrimPrefix(strings.TrimPrefix(r.URL.Path, "/docs"), "/")

		page, ok := all[name]
		if !ok {
			a.Refuse(w, r, fault.Missing("page"))
			return
		}

		page.send(w, r)
	}

	a.Mount("GET", "/docs", Public, http.HandlerFunc(show))
	a.Mount("GET", "/docs/{page}", Public, http.HandlerFunc(show))
	a.Mount("GET", "/", Public, http.HandlerFunc(a.front))

	problems := sync.OnceValue(func() *template.Template { return templates(nil) })

	a.Mount("GET", "/problems/{code}", Public, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		code := strings.TrimPrefix(r.URL.Path, "/problems/")

		text, ok := fault.Explain(fault.Code(code))
		if !ok {
			a.Refuse(w, r, fault.Missing("problem code"))
			return
		}

		html, err := render(problems(), "problem", map[string]string{"Code": code, "Text": text})
		if err != nil {
			a.Refuse(w, r, err)
			return
		}

		docsFile{newFixed(html), htmlType}.send(w, r)
	}))
}

// front leads people to the console, or to the documentation where there is none, and programs to the document.
func (a *API) front(w http.ResponseWriter, r *http.Request) {
	to := "/openapi.json"

	if strings.Contains(r.Header.Get("Accept"), "text/html") {
		to = "/docs"

		for _, route := range a.routes {
			if route.Path == "/console" {
				to = route.Path
			}
		}
	}

	w.Header().Set("Vary", "Accept")
	http.Redirect(w, r, to, http.StatusSeeOther)
}

// docsPolicy lets the pages run their own script and call this deployment, and nothing else.
const docsPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const htmlType = "text/html; charset=utf-8"

// docsFile is a page of the documentation, or what it is drawn with.
type docsFile struct {
	fixed
	contentType string
}

func (f docsFile) send(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", f.contentType)
	w.Header().Set("Content-Security-Policy", docsPolicy)
	f.deliver(w, r)
}

// site renders all pages: the overview "", one for each tag and each guide, the script and the style.
func (a *API) site() (map[string]docsFile, error) {
	r := a.reference()
	d := a.document(r)
	t := templates(d)
	p := a.docs(d, r.Guides)
	out := map[string]docsFile{}

	for name, kind := range map[string]string{
		"docs.js":  "text/javascript; charset=utf-8",
		"docs.css": "text/css; charset=utf-8",
	} {
		text, err := pages.ReadFile("docs/" + name)
		if err != nil {
			return nil, err
		}

		out[name] = docsFile{newFixed(text), kind}
	}

	shown := map[string]docsPage{"": p}

	for i, g := range p.Groups {
		page := p
		page.Group = &p.Groups[i]
		shown[g.Tag] = page
	}

	for i, g := range p.Guides {
		page := p
		page.Guide = &p.Guides[i]
		shown[g.Name] = page
	}

	for name, page := range shown {
		html, err := render(t, "page", page)
		if err != nil {
			return nil, err
		}

		out[name] = docsFile{newFixed(html), htmlType}
	}

	return out, nil
}

// templates are those of the pages; d holds the types that an operation's page shows.
func templates(d *huma.OpenAPI) *template.Template {
	return template.Must(template.New("docs.html").Funcs(template.FuncMap{
		"field":   func(s *huma.Schema) docsField { return fieldOf(d, "", s, 0) },
		"ticks":   ticks,
		"answers": func(o *huma.Operation) []docsAnswer { return answersOf(d, o) },
		"samples": func(o *huma.Operation) []sample { return samplesOf(d, o) },
		"body":    bodyExample,
		"example": exampleText,
		"lines":   func(s string) []string { return strings.Split(s, "\n\n") },
	}).ParseFS(pages, "docs/docs.html"))
}

func render(pages *template.Template, name string, data any) ([]byte, error) {
	var b bytes.Buffer
	err := pages.ExecuteTemplate(&b, name, data)
	return b.Bytes(), err
}

// docsGroup is the operations of one tag.
type docsGroup struct {
	Tag, Description string
	Operations       []*huma.Operation
}

// Guide is a page for people beside the reference: a title, and its text in HTML.
type Guide struct {
	Name  string // of its address below /docs
	Title string
	HTML  template.HTML
}

// docsPage is what every page shows, and the group or guide that is its own; neither: the overview.
type docsPage struct {
	Title, Version, Introduction string
	Groups                       []docsGroup
	Guides                       []Guide
	Codes                        []fault.Code
	Group                        *docsGroup
	Guide                        *Guide
}

// docs groups the operations by tag, in the order of the configuration.
func (a *API) docs(d *huma.OpenAPI, guides []Guide) docsPage {
	out := docsPage{
		Title:        a.config.Title,
		Version:      a.config.Version,
		Introduction: a.config.Description,
		Guides:       guides,
		Codes:        fault.Codes(),
	}

	byTag := map[string][]*huma.Operation{}

	for _, path := range slices.Sorted(maps.Keys(d.Paths)) {
		item := d.Paths[path]

		for _, op := range []*huma.Operation{item.Get, item.Post, item.Put, item.Patch, item.Delete} {
			if op != nil {
				tag := append(op.Tags, "other")[0]
				byTag[tag] = append(byTag[tag], op)
			}
		}
	}

	tags := slices.Clone(a.config.Tags)

	for _, tag := range slices.Sorted(maps.Keys(byTag)) {
		if !slices.ContainsFunc(tags, func(t Tag) bool { return t.Name == tag }) {
			tags = append(tags, Tag{Name: tag})
		}
	}

	for _, t := range tags {
		if len(byTag[t.Name]) > 0 {
			out.Groups = append(out.Groups, docsGroup{t.Name, t.Description, byTag[t.Name]})
		}
	}

	return out
}

// docsAnswer is one answer of an operation.
type docsAnswer struct {
	Status, Description string
	Success             bool
	Schema              *huma.Schema
	Example             any
}

// answersOf returns the answers in the order of their status, with what is shared put in place.
func answersOf(d *huma.OpenAPI, o *huma.Operation) []docsAnswer {
	var out []docsAnswer

	for _, status := range slices.Sorted(maps.Keys(o.Responses)) {
		r := o.Responses[status]
		if r.Ref != "" {
			r = d.Components.Responses[r.Ref[strings.LastIndexByte(r.Ref, '/')+1:]]
		}

		x := docsAnswer{Status: status, Description: r.Description, Success: status < "400"}

		for _, media := range r.Content {
			x.Schema = media.Schema
			x.Example = media.Example
		}

		out = append(out, x)
	}

	return out
}

// docsField is a value in a body or an answer, with what it holds.
type docsField struct {
	Name, Kind string
	Fields     []docsField
}

// docsDepth is how deep values within values are shown.
const docsDepth = 4

// fieldOf returns a value of a schema. A name ends with a star where the value must be there.
func fieldOf(d *huma.OpenAPI, name string, s *huma.Schema, depth int) docsField {
	if s != nil && s.Ref != "" {
		if depth > docsDepth {
			return docsField{Name: name, Kind: s.Ref[strings.LastIndexByte(s.Ref, '/')+1:]}
		}

		s = d.Components.Schemas.SchemaFromRef(s.Ref)
	}

	switch {
	case s == nil:
		return docsField{Name: name}

	case s.Type == huma.TypeArray:
		out := fieldOf(d, name, s.Items, depth+1)
		out.Kind = strings.TrimSuffix("list: "+out.Kind, ": ")

		return out
	}

	out := docsField{Name: name, Kind: kindText(s)}

	for _, p := range slices.Sorted(maps.Keys(s.Properties)) {
		field := fieldOf(d, p, s.Properties[p], depth+1)
		if slices.Contains(s.Required, p) {
			field.Name += " *"
		}

		out.Fields = append(out.Fields, field)
	}

	return out
}

// kindText returns a value's type, its limits, and its meaning.
func kindText(s *huma.Schema) string {
	kind := cmp.Or(s.Type, "any value")

	switch {
	case len(s.OneOf) > 0:
		kind = "one of several forms"

	case len(s.Enum) > 0:
		var words []string

		for _, e := range s.Enum {
			if word := strings.Trim(exampleText(e), `"`); word != "" { // an empty text stands for none
				words = append(words, word)
			}
		}

		kind = strings.Join(words, " | ")

	case s.Type == huma.TypeString && s.Format != "":
		kind = s.Format
	}

	return kind + inWords(" from %v", s.Minimum) + inWords(" to %v", s.Maximum) +
		inWords(", at least %v characters", s.MinLength) + inWords(", at most %v characters", s.MaxLength) +
		inWords(", else %v", given(s.Default)) + inWords(": %v", given(s.Description))
}

// inWords returns a limit in words; nothing where there is none.
func inWords[T any](words string, value *T) string {
	if value == nil {
		return ""
	}

	return fmt.Sprintf(words, strings.Trim(exampleText(*value), `"`))
}

// given returns a value that is not empty, or nil.
func given[T comparable](value T) *T {
	if value == *new(T) {
		return nil
	}

	return &value
}

// strongText is what Markdown shows as strong.
var strongText = regexp.MustCompile(`\*\*([^*]+)\*\*`)

// ticks renders text between backticks as code, and outside of it what stands between pairs of asterisks as strong.
func ticks(s string) template.HTML {
	var b strings.Builder
	for i, part := range strings.Split(s, "`") {
		part = template.HTMLEscapeString(part)
		if i%2 == 1 {
			part = "<code>" + part + "</code>"
		} else {
			part = strongText.ReplaceAllString(part, "<strong>$1</strong>")
		}

		b.WriteString(part)
	}

	return template.HTML(b.String()) //nolint:gosec // every part is escaped above
}
