// Package account serves the pages that links in mails lead to: confirm an address, set a new password, complete an
// account, join an organisation, end mails. The first four are one static page and one script, which calls the same
// operations as any client.
//
// The token of a link stands behind the # of its address. Browsers do not send it, so it reaches no log and no other
// site. The pages set no cookie, load nothing from elsewhere and cannot be framed.
package account

import (
	"embed"
	"net/http"
	"slices"

	"github.com/go-chi/chi/v5"

	"slipway/internal/pages/look"
	"slipway/internal/platform/web"
)

//go:embed account.html unsubscribe.html account.js
var files embed.FS

// names are the names of the pages, the last part of their paths.
var names = []string{"confirm", "reset", "forgot", "complete", "join"}

const policy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; " +
	"form-action 'none'; frame-ancestors 'none'"

// Routes mounts the pages with their script and style sheet. mark is what every page shows; "" for nothing.
func Routes(api *web.API, mark string) {
	assets := assets{look.Sheet(mark)}
	api.Mount("GET", "/account/{page}", web.Public, http.HandlerFunc(servePage))
	api.Mount("GET", "/account/assets/{file}", web.Public, http.HandlerFunc(assets.serve))
}

func servePage(w http.ResponseWriter, r *http.Request) {
	if !slices.Contains(names, chi.URLParam(r, "page")) {
		http.NotFound(w, r)
		return
	}

	serve(w, "account.html", look.HTML)
}

// assets are what the pages load.
type assets struct{ styles []byte }

func (a assets) serve(w http.ResponseWriter, r *http.Request) {
	switch chi.URLParam(r, "file") {
	case "account.js":
		serve(w, "account.js", look.Script)
	case "look.css":
		look.Send(w, http.StatusOK, look.Styles, policy, a.styles)
	default:
		http.NotFound(w, r)
	}
}

// serve answers with an embedded file.
func serve(w http.ResponseWriter, file, contentType string) {
	body, err := files.ReadFile(file)
	if err != nil {
		http.Error(w, "the page cannot be read", http.StatusInternalServerError) // cannot happen: it is embedded
		return
	}

	look.Send(w, http.StatusOK, contentType, policy, body)
}
