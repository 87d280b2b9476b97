package look

import (
	"bytes"
	"html/template"
	"io/fs"
	"log/slog"
	"maps"
	"net/http"

	"slipway/internal/platform/words"
)

// Pages are templates that speak the browser's language. They are safe for concurrent use.
type Pages struct {
	languages *words.Languages
	templates map[string]*template.Template // by language
}

// Parse reads templates from a file of files. In them t says a text of the catalogue, lang is the language's code, day
// writes a day and icon is Icon; more adds functions, and may be nil. It panics if the file cannot be read, which every
// test of the pages shows.
func Parse(files fs.FS, file string, more func(in *words.Words) template.FuncMap) *Pages {
	p := &Pages{languages: words.Must(), templates: map[string]*template.Template{}}

	icon := func() template.HTML { return Icon }

	for _, in := range p.languages.All() {
		funcs := template.FuncMap{"t": in.Say, "lang": in.Code, "day": in.Day, "icon": icon}
		if more != nil {
			maps.Copy(funcs, more(in))
		}

		p.templates[in.Code()] = template.Must(template.New("").Funcs(funcs).ParseFS(files, file))
	}

	return p
}

// Words returns the words in the language that the browser wishes.
func (p *Pages) Words(r *http.Request) *words.Words {
	return p.languages.Wished(r.Header.Get("Accept-Language"))
}

// Render returns a page.
func (p *Pages) Render(in *words.Words, name string, v any) ([]byte, error) {
	var b bytes.Buffer
	err := p.templates[in.Code()].ExecuteTemplate(&b, name, v)

	return b.Bytes(), err
}

// Show answers with a page. Referrer-Policy is same-origin and not no-referrer: with no-referrer, browsers send forms
// with "Origin: null", and an older browser's own request looks like another site's. Neither sends other sites
// anything.
func (p *Pages) Show(
	w http.ResponseWriter, in *words.Words, log *slog.Logger, status int, name, policy string, v any,
) {
	body, err := p.Render(in, name, v)
	if err != nil {
		log.Error("a page cannot be rendered", "page", name, "error", err.Error())
		http.Error(w, "the page cannot be shown", http.StatusInternalServerError)

		return
	}

	w.Header().Set("Referrer-Policy", "same-origin")
	w.Header().Set("X-Robots-Tag", "noindex")
	Speaks(w.Header(), in)
	Send(w, status, HTML, policy, body)
}

// Speaks sets the headers of an answer in a language that the browser has wished.
func Speaks(h http.Header, in *words.Words) {
	h.Set("Content-Language", in.Code())
	h.Add("Vary", "Accept-Language")
}
