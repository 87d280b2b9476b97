// Package account serves the pages that links in mails lead to: confirm an address, set a new password, complete an
// account, join an organisation, end mails, and the one that opens an account. All but that which ends mails are one
// static page and one script, which calls the same
// operations as any client.
//
// The token of a link stands behind the # of its address. Browsers do not send it, so it reaches no log and no other
// site. The pages set no cookie, load nothing from elsewhere and cannot be framed. They speak the browser's language:
// what the script says comes with the page.
//
// Read account.go, then unsubscribe.go (ending mails).
package account

import (
	"embed"
	"log/slog"
	"net/http"
	"regexp"
	"slices"

	"github.com/go-chi/chi/v5"
	"github.com/go-json-experiment/json"

	"slipway/internal/core/fault"
	"slipway/internal/pages/look"
	"slipway/internal/platform/web"
	"slipway/internal/platform/words"
)

//go:embed pages.html account.js
var files embed.FS

// said finds the texts that the script says.
var said = regexp.MustCompile(`\bt\('([^']+)'`)

// names are the names of the pages, the last part of their paths.
var names = []string{"confirm", "reset", "forgot", "complete", "join", "register"}

const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// Routes mounts the pages with their script and style sheet. log takes what goes wrong; mark is what every page shows,
// "" for nothing. home is where people sign in afterwards; "": the pages lead nowhere.
func Routes(api *web.API, log *slog.Logger, mark, home string) {
	p := &pages{
		home:   home,
		log:    log,
		pages:  look.Parse(files, "pages.html", nil),
		styles: look.Sheet(mark),
		words:  map[string]string{},
	}
	p.script, _ = files.ReadFile("account.js") // it is embedded above

	for _, in := range words.Must().All() {
		p.words[in.Code()] = spoken(in, p.script)
	}

	api.Mount("GET", "/account/{page}", web.Public, http.HandlerFunc(p.page))
	api.Mount("GET", "/account/assets/{file}", web.Public, http.HandlerFunc(p.asset))
}

type pages struct {
	home           string
	log            *slog.Logger
	pages          *look.Pages
	script, styles []byte
	words          map[string]string // by language: what the script says, as JSON
}

// page is what the template shows: what the script says, and where it leads.
type page struct{ Words, Home string }

// refusals are the codes that people meet on these pages.
var refusals = []fault.Code{
	fault.Required,
	fault.TooLong,
	fault.FormatInvalid,
	fault.PasswordWeak,
	fault.EmailTaken,
	fault.CredentialsInvalid,
	fault.CodeInvalid,
	fault.TooManyAttempts,
	fault.AccountInactive,
	fault.EmailUnconfirmed,
}

// spoken returns what the script says in a language: its texts, and a sentence for each refusal.
func spoken(in *words.Words, script []byte) string {
	all := map[string]string{}
	for _, m := range said.FindAllSubmatch(script, -1) {
		all[string(m[1])] = in.Say(string(m[1]))
	}

	for _, key := range append([]fault.Code{"otherwise"}, refusals...) {
		all["refused: "+string(key)] = in.Say("refused: " + string(key))
	}

	text, err := json.Marshal(all, json.Deterministic(true))
	if err != nil {
		panic(err) // texts always encode
	}

	return string(text)
}

func (p *pages) page(w http.ResponseWriter, r *http.Request) {
	if !slices.Contains(names, chi.URLParam(r, "page")) {
		http.NotFound(w, r)
		return
	}

	in := p.pages.Words(r)

	body, err := p.pages.Render(in, "account", page{Words: p.words[in.Code()], Home: p.home})
	if err != nil {
		p.log.Error("a page cannot be rendered", "page", "account", "error", err.Error())
		http.Error(w, "the page cannot be shown", http.StatusInternalServerError)

		return
	}

	look.Speaks(w.Header(), in)
	look.Send(w, http.StatusOK, look.HTML, policy, body)
}

// asset answers with what the pages load.
func (p *pages) asset(w http.ResponseWriter, r *http.Request) {
	switch chi.URLParam(r, "file") {
	case "account.js":
		look.Send(w, http.StatusOK, look.Script, policy, p.script)
	case "look.css":
		look.Send(w, http.StatusOK, look.Styles, policy, p.styles)
	default:
		http.NotFound(w, r)
	}
}
