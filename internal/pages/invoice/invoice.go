// Package invoice serves the pages behind an invoice link: an outside party, who has no account, says who it is and
// where it wants to be paid, states its invoice, looks at all of it once more, and gets a reference.
//
// What it promises: the pages work with the keyboard alone, on a telephone, and without scripts; they set no cookie
// before a link was opened, load nothing from elsewhere and cannot be framed. The code of a link stands behind the #
// of its address, so no log and no other site learns it; from the moment it is opened it lies in a cookie that no
// script reads and that no other site's request carries. Each link has a path and cookies of its own, so that two
// links that are open in one browser do not mix. Every form is answered with a redirect, to the next step or to
// itself with what was typed and what is wrong with it; going back, loading anew and sending twice do no harm.
//
// What is right and what is wrong is not decided here but in package invoicelink, through the same use cases that
// programs call.
//
// Read in this order: invoice.go (routes), open.go (links and cookies), visit.go (which step follows, how refusals
// are shown), form.go, then the steps: you.go, pay.go, bill.go with file.go and amount.go, check.go. draft.go is what
// lies in the person's own browser until it is sent.
package invoice

import (
	"bytes"
	"embed"
	"html/template"
	"log/slog"
	"net/http"
	"time"

	"github.com/go-chi/chi/v5"

	"slipway/internal/pages/look"
	"slipway/internal/payments/invoicelink"
	"slipway/internal/platform/db"
	"slipway/internal/platform/secret"
	"slipway/internal/platform/web"
)

//go:embed pages.html open.js
var files embed.FS

// The policies: steps run no script at all; the page that opens a link runs one of ours. Forms go back to where they
// came from.
const (
	policy     = "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
	openPolicy = policy + "; script-src 'self'"
)

// Deps is what the pages need from elsewhere.
type Deps struct {
	Links *invoicelink.Service
	DB    *db.DB // networks and their tokens
	Log   *slog.Logger
	// Keyring seals what a person has typed while it waits in the browser to be corrected.
	Keyring *secret.Keyring
	// Secure says that browsers reach the service over https: the cookies are then sent over nothing else.
	Secure bool
}

// pages serves them.
type pages struct {
	deps      Deps
	own       *http.CrossOriginProtection
	templates *template.Template
}

// Routes mounts the pages and what they are made of.
func Routes(api *web.API, d Deps) {
	p := &pages{
		deps:      d,
		own:       http.NewCrossOriginProtection(),
		templates: template.Must(template.New("").Funcs(words()).ParseFS(files, "pages.html")),
	}

	p.own.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		p.stop(w, http.StatusForbidden, "This came from another page",
			"Nothing was changed. Open the link in your mail once more, and go on from there.")
	}))

	mount := func(method, path string, h http.HandlerFunc) { api.Mount(method, path, web.Public, p.own.Handler(h)) }
	mount("GET", "/i", p.showOpen)
	mount("POST", "/i/open", p.open)
	mount("GET", "/i/assets/{file}", p.asset)
	mount("GET", "/i/{link}", p.step)
	mount("GET", "/i/{link}/{step}", p.step)
	mount("POST", "/i/{link}/{step}", p.step)
}

func (p *pages) asset(w http.ResponseWriter, r *http.Request) {
	switch chi.URLParam(r, "file") {
	case "look.css":
		look.Send(w, http.StatusOK, look.Styles, policy, look.CSS)
	case "open.js":
		script, _ := files.ReadFile("open.js") // it is embedded above
		look.Send(w, http.StatusOK, look.Script, policy, script)
	default:
		p.stop(w, http.StatusNotFound, "There is nothing here", "Open the link in your mail once more.")
	}
}

// show answers with a page. Referrer-Policy is same-origin and not no-referrer: under the latter, browsers send the
// forms of a page with "Origin: null", by which an older browser's own request cannot be told from another site's.
// Either tells other sites nothing.
func (p *pages) show(w http.ResponseWriter, status int, name, policy string, v any) {
	var b bytes.Buffer
	if err := p.templates.ExecuteTemplate(&b, name, v); err != nil {
		p.deps.Log.Error("a page cannot be made", "page", name, "error", err.Error())
		http.Error(w, "the page cannot be shown", http.StatusInternalServerError)
		return
	}

	w.Header().Set("Referrer-Policy", "same-origin")
	w.Header().Set("X-Robots-Tag", "noindex")
	look.Send(w, status, look.HTML, policy, b.Bytes())
}

// words are what templates say things with.
func words() template.FuncMap {
	return template.FuncMap{
		"day":  func(t time.Time) string { return t.UTC().Format("2 January 2006") },
		"size": size,
		"add":  func(a, b int) int { return a + b },
	}
}
