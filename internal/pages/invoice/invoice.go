// Package invoice serves the pages behind an invoice link. An outside party without an account enters who it is, where
// it wants to be paid and its invoice, checks everything, sends it, and gets a confirmation.
//
// It promises:
//   - The pages work with the keyboard alone, on a telephone, and without scripts.
//   - They set no cookie before a link is opened, load nothing from elsewhere and cannot be framed.
//   - The code of a link reaches no log and no other site. It stands behind the # of the address, and after opening in
//     a cookie that scripts cannot read and other sites' requests do not carry.
//   - Each link has its own path and cookies, so that two links open in one browser do not mix.
//   - Every form is answered with a redirect: to the next step, or to itself with the answers and what is wrong with
//     them. Going back, reloading and sending twice do no harm.
//
// Package invoicelink decides what is right and wrong, through the same use cases that programs call.
//
// Read in this order: invoice.go (routes), open.go (links and cookies), visit.go (which step follows, how refusals are
// shown), dress.go (in whose name), form.go, then the steps: you.go, pay.go, prove.go, bill.go with file.go and
// amount.go, check.go, standing.go (what became of the invoice). draft.go is what the person's browser stores until the
// invoice is sent.
package invoice

import (
	"embed"
	"html/template"
	"log/slog"
	"net/http"

	"github.com/go-chi/chi/v5"

	"slipway/internal/identity/brand"
	"slipway/internal/pages/look"
	"slipway/internal/payments/invoicelink"
	"slipway/internal/platform/db"
	"slipway/internal/platform/secret"
	"slipway/internal/platform/web"
	"slipway/internal/platform/words"
)

//go:embed pages.html open.js dates.js prove.js
var files embed.FS

// The Content-Security-Policies. Steps run no script, but for those with a date and where a wallet signs; they and the
// page that opens a link run one of ours. Forms go back to where they came from.
const (
	policy       = look.Policy
	scriptPolicy = policy + "; script-src 'self'"
)

// Deps is what the pages need from elsewhere.
type Deps struct {
	Links  *invoicelink.Service
	Brands *brand.Service
	DB     *db.DB // networks and their tokens
	Log    *slog.Logger
	// Keyring seals a refused form, which waits in the browser to be corrected.
	Keyring *secret.Keyring
	// Secure means that browsers reach the service over https. Cookies are then sent over https only.
	Secure bool
	Mark   string // that every page shows; empty: none
}

// pages serves the pages.
type pages struct {
	deps  Deps
	own   *http.CrossOriginProtection
	pages *look.Pages
}

// Routes mounts the pages with their script and style sheet.
func Routes(api *web.API, d Deps) {
	p := &pages{
		deps:  d,
		own:   http.NewCrossOriginProtection(),
		pages: look.Parse(files, "pages.html", templateFuncs),
	}

	p.own.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p.stop(w, r, http.StatusForbidden, "This came from another page",
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
		look.Send(w, http.StatusOK, look.Styles, policy, look.Sheet(p.deps.Mark))
	case "open.js", "dates.js", "prove.js":
		script, _ := files.ReadFile(chi.URLParam(r, "file")) // it is embedded above
		look.Send(w, http.StatusOK, look.Script, policy, script)
	default:
		p.stop(w, r, http.StatusNotFound, "There is nothing here", "Open the link in your mail once more.")
	}
}

func (p *pages) show(w http.ResponseWriter, in *words.Words, status int, name, policy string, v any) {
	p.pages.Show(w, in, p.deps.Log, status, name, policy, v)
}

// wordsOf returns the words in the language that the browser wishes.
func (p *pages) wordsOf(r *http.Request) *words.Words { return p.pages.Words(r) }

// templateFuncs returns what the templates can do besides, in one language.
func templateFuncs(in *words.Words) template.FuncMap {
	return template.FuncMap{
		"size": func(bytes int64) string { return size(in, bytes) },
		"add":  func(a, b int) int { return a + b },
	}
}
