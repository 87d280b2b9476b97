// Package signin serves the pages that begin and end a session of the console: sign in, second factor, signed out.
//
// It promises:
//   - The pages work with the keyboard alone, on a telephone, and without scripts: they have none.
//   - What signs the browser in is a cookie that no script reads and no other site's request carries. It works for the
//     console's calls only.
//   - Every sign-in makes a new session. Whatever cookie was there before gains nothing, and its session ends.
//   - Nobody is sent anywhere but to a page of the console.
//
// Package auth decides who may sign in, by the use cases that the API's operations call: there is one way to check a
// password, with one set of limits.
//
// Read in this order: signin.go, next.go.
package signin

import (
	"bytes"
	"cmp"
	"embed"
	"html/template"
	"log/slog"
	"net/http"
	"net/url"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/identity/auth"
	"slipway/internal/pages/look"
	"slipway/internal/platform/web"
)

//go:embed pages.html
var files embed.FS

// policy lets the pages have a style sheet and forms, and nothing else.
const policy = "default-src 'none'; style-src 'self'; img-src data:; form-action 'self'; base-uri 'none'; " +
	"frame-ancestors 'none'"

// The paths.
const (
	session = "/console/session"
	second  = session + "/second"
	end     = session + "/end"
	ended   = session + "/ended"
	back    = session + "/back" // where the tab ends that was opened to sign in again
	styles  = session + "/look.css"
)

// secondCookie is the cookie that holds a tempToken while the second factor is missing.
const secondCookie = "slipway-second"

// maxForm is the most bytes of a form.
const maxForm = 16 << 10

// Deps is what the pages need from elsewhere.
type Deps struct {
	Auth *auth.Service
	Log  *slog.Logger
	Mark string // that every page shows; "": none
	// Standing returns the user of a sandbox, who is shown; nil: there is none.
	Standing func() Person
}

// Person is a user whom everybody may know, because nothing in a sandbox is worth anything. The zero value is nobody.
type Person struct {
	Email    string
	Password string
	Code     string // of the second factor, at present; "": it is not known, or there is none
}

type pages struct {
	deps      Deps
	site      web.Site
	templates *template.Template
}

// Routes mounts the pages.
func Routes(api *web.API, d Deps) {
	p := &pages{
		deps:      d,
		site:      api.Site(),
		templates: template.Must(template.New("").ParseFS(files, "pages.html")),
	}

	mount := func(method, path string, h http.HandlerFunc) { api.Mount(method, path, web.Public, h) }
	mount("GET", session, p.showSignIn)
	mount("POST", session, p.own(p.signIn))
	mount("GET", second, p.showSecond)
	mount("POST", second, p.own(p.proveSecond))
	mount("POST", end, p.own(p.signOut))
	mount("GET", ended, p.showEnded)
	mount("GET", back, p.showBack)
	mount("GET", styles, p.styles)
}

// own refuses forms that another site's page has sent: it could sign somebody in as somebody else.
func (p *pages) own(h http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if !p.site.Sent(r) {
			p.stop(w, http.StatusForbidden, "This came from another page",
				"Nothing was changed. Open the console at its own address, and go on from there.")

			return
		}

		r.Body = http.MaxBytesReader(w, r.Body, maxForm)
		if err := r.ParseForm(); err != nil {
			p.stop(w, http.StatusBadRequest, "This form cannot be read", "It is too long, or did not arrive whole.")
			return
		}

		h(w, r)
	}
}

// page is what a template shows.
type page struct {
	Prefix   string
	Title    string
	Next     string // where the browser goes afterwards
	Wrong    string
	Email    string
	Standing Person
}

// at returns a page with its title.
func (p *pages) at(title, next string) page {
	pg := page{Prefix: p.site.Prefix, Title: title, Next: localPage(p.site.Prefix, next)}
	if p.deps.Standing != nil {
		pg.Standing = p.deps.Standing()
	}

	return pg
}

func (p *pages) signInPage(next string) page {
	pg := p.at("Sign in", next)
	pg.Email = pg.Standing.Email

	return pg
}

func (p *pages) showSignIn(w http.ResponseWriter, r *http.Request) {
	p.show(w, http.StatusOK, "signin", p.signInPage(r.URL.Query().Get("next")))
}

// signIn begins a session, or goes on with the second factor. A refusal shows the form again, without the password.
func (p *pages) signIn(w http.ResponseWriter, r *http.Request) {
	next := r.PostFormValue("next")

	got, err := p.deps.Auth.ConsoleLogin(r.Context(), r.PostFormValue("email"), r.PostFormValue("password"))
	if err != nil {
		pg := p.signInPage(next)
		pg.Email = cmp.Or(r.PostFormValue("email"), pg.Email)
		p.refused(w, r, "signin", pg, err)

		return
	}

	if got.Temp != "" {
		p.site.SetCookie(w, secondCookie, got.Temp, auth.ChallengeLifetime)
		http.Redirect(w, r, p.site.Prefix+second+"?next="+url.QueryEscape(localPage(p.site.Prefix, next)),
			http.StatusSeeOther)

		return
	}

	p.begin(w, r, got.Cookie, next)
}

func (p *pages) showSecond(w http.ResponseWriter, r *http.Request) {
	next := r.URL.Query().Get("next")

	if p.site.Cookie(r, secondCookie) == "" {
		pg := p.signInPage(next)
		pg.Wrong = "That took too long. Begin again."
		p.show(w, http.StatusOK, "signin", pg)

		return
	}

	p.show(w, http.StatusOK, "second", p.at("Second factor", next))
}

// proveSecond begins a session with the code of the second factor. After too many wrong codes it begins anew.
func (p *pages) proveSecond(w http.ResponseWriter, r *http.Request) {
	next := r.PostFormValue("next")

	cookie, err := p.deps.Auth.ConsoleLoginSecond(r.Context(), p.site.Cookie(r, secondCookie), r.PostFormValue("code"))

	switch {
	case fault.Is(err, fault.TokenInvalid):
		p.site.SetCookie(w, secondCookie, "", 0)
		pg := p.signInPage(next)
		pg.Wrong = "That took too long, or there were too many wrong codes. Begin again."
		p.show(w, http.StatusUnauthorized, "signin", pg)

	case err != nil:
		p.refused(w, r, "second", p.at("Second factor", next), err)

	default:
		p.site.SetCookie(w, secondCookie, "", 0)
		p.begin(w, r, cookie, next)
	}
}

// begin sends the cookie of a new session. The session that the browser had ends.
func (p *pages) begin(w http.ResponseWriter, r *http.Request, cookie, next string) {
	if err := p.deps.Auth.ConsoleLogout(r.Context(), p.site.Cookie(r, web.SessionCookie)); err != nil {
		p.refused(w, r, "signin", p.signInPage(next), err)
		return
	}

	p.site.SetCookie(w, web.SessionCookie, cookie, 0)
	http.Redirect(w, r, localPage(p.site.Prefix, next), http.StatusSeeOther)
}

// signOut ends the session and deletes its cookie. A second call does the same.
func (p *pages) signOut(w http.ResponseWriter, r *http.Request) {
	if err := p.deps.Auth.ConsoleLogout(r.Context(), p.site.Cookie(r, web.SessionCookie)); err != nil {
		p.refused(w, r, "stop", p.at("Not signed out", ""), err)
		return
	}

	p.site.SetCookie(w, web.SessionCookie, "", 0)
	http.Redirect(w, r, p.site.Prefix+ended, http.StatusSeeOther)
}

func (p *pages) showEnded(w http.ResponseWriter, r *http.Request) {
	p.show(w, http.StatusOK, "ended", p.at("You are signed out", ""))
}

func (p *pages) showBack(w http.ResponseWriter, r *http.Request) {
	p.show(w, http.StatusOK, "back", p.at("You are signed in", ""))
}

func (p *pages) styles(w http.ResponseWriter, _ *http.Request) {
	look.Send(w, http.StatusOK, look.Styles, policy, look.Sheet(p.deps.Mark))
}

// refused shows a page once more with why it was refused.
func (p *pages) refused(w http.ResponseWriter, r *http.Request, template string, pg page, err error) {
	f, ok := fault.As(err)
	if !ok {
		p.deps.Log.Error("request failed",
			"requestId", caller.RequestOf(r.Context()).ID, "path", r.URL.Path, "error", err.Error())

		pg.Wrong = "Something failed on our side. It was noted. Try again in a moment."
		p.show(w, http.StatusInternalServerError, template, pg)

		return
	}

	pg.Wrong = f.Detail
	p.show(w, web.StatusOf(f), template, pg)
}

func (p *pages) stop(w http.ResponseWriter, status int, title, text string) {
	pg := p.at(title, "")
	pg.Wrong = text
	p.show(w, status, "stop", pg)
}

// show answers with a page. Referrer-Policy is same-origin for the reason that package invoice has: forms need their
// Origin.
func (p *pages) show(w http.ResponseWriter, status int, name string, pg page) {
	var b bytes.Buffer
	if err := p.templates.ExecuteTemplate(&b, name, pg); err != nil {
		p.deps.Log.Error("a page cannot be rendered", "page", name, "error", err.Error())
		http.Error(w, "the page cannot be shown", http.StatusInternalServerError)

		return
	}

	w.Header().Set("Referrer-Policy", "same-origin")
	w.Header().Set("X-Robots-Tag", "noindex")
	look.Send(w, status, look.HTML, policy, b.Bytes())
}
