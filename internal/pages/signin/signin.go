// Package signin serves the pages that begin and end a session of the console: sign in, second factor, signed out.
//
// It promises:
//   - The pages work with the keyboard alone, on a telephone, and without scripts. The one script adds the button that
//     signs in by a passkey, which no browser can do otherwise.
//   - What signs the browser in is a cookie that no script reads and no other site's request carries. It works for the
//     console's calls only.
//   - Every sign-in makes a new session. Whatever cookie was there before gains nothing, and its session ends.
//   - Whoever must have a second factor and has none sets it up here, and gets no further before.
//   - Nobody is sent anywhere but to a page of the console.
//   - The pages speak the browser's language.
//
// Package auth decides who may sign in, by the use cases that the API's operations call: there is one way to check a
// password, with one set of limits.
//
// Read in this order: signin.go, passkey.go, setup.go, signon.go (by a provider of OpenID Connect), next.go.
package signin

import (
	"cmp"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"log/slog"
	"net/http"
	"net/url"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/identity/auth"
	"slipway/internal/identity/sso"
	"slipway/internal/pages/look"
	"slipway/internal/platform/web"
	"slipway/internal/platform/words"
)

//go:embed pages.html passkey.js
var files embed.FS

// The Content-Security-Policies: a style sheet, forms and pictures within the page; where a passkey can be used, also
// the script and what it asks for.
const (
	policy       = look.Policy
	scriptPolicy = policy + "; script-src 'self'; connect-src 'self'"
)

// The paths.
const (
	session = "/console/session"
	second  = session + "/second"
	end     = session + "/end"
	ended   = session + "/ended"
	back    = session + "/back" // where the tab ends that was opened to sign in again
	styles  = session + "/look.css"

	setUp       = session + "/setup"
	verify      = setUp + "/verify"
	byPasskey   = session + "/passkey"
	askPasskey  = byPasskey + "/options"
	scriptFiles = session + "/a/" // then the script's hash and name
	scriptName  = "passkey.js"
)

// secondCookie is the cookie that holds a tempToken while the second factor is missing.
const secondCookie = "slipway-second"

// signInName is the template of the form for address and password.
const signInName = "signin"

// maxForm is the most bytes of a form.
const maxForm = 16 << 10

// Deps is what the pages need from elsewhere.
type Deps struct {
	Auth *auth.Service
	// SignOn signs people in by providers; nil: there are none.
	SignOn *sso.Service
	Log    *slog.Logger
	Mark   string // that every page shows; "": none
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
	deps   Deps
	site   web.Site
	pages  *look.Pages
	script []byte
	build  string // beginning of the hash over the script
}

// Routes mounts the pages.
func Routes(api *web.API, d Deps) {
	p := &pages{
		deps:  d,
		site:  api.Site(),
		pages: look.Parse(files, "pages.html", nil),
	}

	p.script, _ = files.ReadFile(scriptName) // it is embedded above
	sum := sha256.Sum256(p.script)
	p.build = hex.EncodeToString(sum[:8])

	mount := func(method, path string, h http.HandlerFunc) { api.Mount(method, path, web.Public, h) }
	mount("GET", session, p.showSignIn)
	mount("POST", session, p.own(p.signIn))
	mount("GET", second, p.showSecond)
	mount("POST", second, p.own(p.proveSecond))
	mount("POST", end, p.own(p.signOut))
	mount("GET", ended, p.showEnded)
	mount("GET", back, p.showBack)
	mount("GET", styles, p.styles)
	mount("GET", scriptFiles+"{build}/"+scriptName, p.scripts)
	mount("POST", askPasskey, p.own(p.askPasskey))
	mount("POST", byPasskey, p.own(p.signInByPasskey))
	mount("GET", setUp, p.showSetUp)
	mount("POST", setUp, p.own(p.setUp))
	mount("POST", verify, p.own(p.finishSetUp))

	if d.SignOn != nil {
		mount("GET", signOn, p.showSignOn)
		mount("POST", signOn, p.own(p.leave))
		mount("GET", testSignOn, p.testSignOn)
		mount("GET", signOnBack+"{provider}", p.comeBack)
	}
}

// own refuses forms that another site's page has sent: it could sign somebody in as somebody else.
func (p *pages) own(h http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if !p.site.Sent(r) {
			p.stop(w, r, http.StatusForbidden, "This came from another page",
				"Nothing was changed. Open the console at its own address, and go on from there.")

			return
		}

		r.Body = http.MaxBytesReader(w, r.Body, maxForm)
		if err := r.ParseForm(); err != nil {
			p.stop(w, r, http.StatusBadRequest, "This form cannot be read", "It is too long, or did not arrive whole.")
			return
		}

		h(w, r)
	}
}

// page is what a template shows.
type page struct {
	Title    string
	Next     string // where the browser goes afterwards
	Wrong    string
	Email    string
	Standing Person
	Script   string // address of the script; "": the page has none
	Of       string // "?second=1" where a passkey is the second factor of a sign-in
	Secret   secretShown
	Codes    []string
	Recovery bool // a recovery code is asked for, which has letters

	SignOn  bool        // people can sign in by a provider
	Leads   string      // where the page leads by itself; "": nowhere
	Host    string      // of the provider that it leads to; "": it is a page of ours
	Details string      // what a provider's admins can do something with
	Report  *sso.Report // of a test

	Challenge string // of work that the script proves while a person types; "": none is asked for
}

// at returns a page with its title.
func (p *pages) at(title, next string) page {
	pg := page{Title: title, Next: localPage(next), SignOn: p.deps.SignOn != nil}
	if p.deps.Standing != nil {
		pg.Standing = p.deps.Standing()
	}

	return pg
}

func (p *pages) signInPage(next string) page {
	pg := p.at("Sign in", next)
	pg.Email = pg.Standing.Email
	pg.Script = p.scriptAddress()

	return pg
}

func (p *pages) secondPage(next, recovery string) page {
	pg := p.at("Second factor", next)
	pg.Recovery = recovery != ""
	pg.Script = p.scriptAddress()
	pg.Of = "?second=1"

	return pg
}

func (p *pages) showSignIn(w http.ResponseWriter, r *http.Request) {
	p.show(w, r, http.StatusOK, "signin", p.signInPage(r.URL.Query().Get("next")))
}

// signIn begins a session, or goes on with the second factor. A refusal shows the form again, without the password.
func (p *pages) signIn(w http.ResponseWriter, r *http.Request) {
	next := r.PostFormValue("next")
	caller.Prove(r.Context(), r.PostFormValue("proof"))

	got, err := p.deps.Auth.ConsoleLogin(r.Context(), r.PostFormValue("email"), r.PostFormValue("password"))
	if fault.Is(err, fault.SignOnRequired) && p.deps.SignOn != nil {
		p.leave(w, r)
		return
	}

	if err != nil {
		pg := p.signInPage(next)
		pg.Email = cmp.Or(r.PostFormValue("email"), pg.Email)
		p.refused(w, r, "signin", pg, err)

		return
	}

	if got.Temp != "" {
		p.site.SetCookie(w, secondCookie, got.Temp, auth.ChallengeLifetime)
		http.Redirect(w, r, second+"?next="+url.QueryEscape(localPage(next)),
			http.StatusSeeOther)

		return
	}

	if got.SetUp {
		p.beginSetUp(w, r, got.Cookie, next)
		return
	}

	p.begin(w, r, got.Cookie, next)
}

func (p *pages) showSecond(w http.ResponseWriter, r *http.Request) {
	next := r.URL.Query().Get("next")

	if p.site.Cookie(r, secondCookie) == "" {
		pg := p.signInPage(next)
		pg.Wrong = "That took too long. Begin again."
		p.show(w, r, http.StatusOK, "signin", pg)

		return
	}

	p.show(w, r, http.StatusOK, "second", p.secondPage(next, r.URL.Query().Get("recovery")))
}

// proveSecond begins a session with the code of the second factor. After too many wrong codes it begins anew.
func (p *pages) proveSecond(w http.ResponseWriter, r *http.Request) {
	next := r.PostFormValue("next")

	cookie, err := p.deps.Auth.ConsoleLoginSecond(r.Context(), p.site.Cookie(r, secondCookie), r.PostFormValue("code"))

	switch {
	case fault.Is(err, fault.TokenInvalid):
		p.tooLate(w, r, next)

	case err != nil:
		p.refused(w, r, "second", p.secondPage(next, r.PostFormValue("recovery")), err)

	default:
		p.site.SetCookie(w, secondCookie, "", 0)
		p.begin(w, r, cookie, next)
	}
}

// tooLate shows the first page again: what the next one stood on is over.
func (p *pages) tooLate(w http.ResponseWriter, r *http.Request, next string) {
	p.site.SetCookie(w, secondCookie, "", 0)
	pg := p.signInPage(next)
	pg.Wrong = "That took too long, or there were too many wrong codes. Begin again."
	p.show(w, r, http.StatusUnauthorized, "signin", pg)
}

// begin sends the cookie of a new session and leads to the console.
func (p *pages) begin(w http.ResponseWriter, r *http.Request, cookie, next string) {
	if p.changeSession(w, r, cookie, next) {
		http.Redirect(w, r, localPage(next), http.StatusSeeOther)
	}
}

// changeSession sends the cookie of a new session. The session that the browser had ends. ok is false if it could not
// be ended, which is answered.
func (p *pages) changeSession(w http.ResponseWriter, r *http.Request, cookie, next string) (ok bool) {
	if err := p.deps.Auth.ConsoleLogout(r.Context(), p.site.Cookie(r, web.SessionCookie)); err != nil {
		p.refused(w, r, "signin", p.signInPage(next), err)
		return false
	}

	p.site.SetCookie(w, web.SessionCookie, cookie, 0)

	return true
}

// signOut ends the session and deletes its cookie. A second call does the same.
func (p *pages) signOut(w http.ResponseWriter, r *http.Request) {
	if err := p.deps.Auth.ConsoleLogout(r.Context(), p.site.Cookie(r, web.SessionCookie)); err != nil {
		p.refused(w, r, "stop", p.at("Not signed out", ""), err)
		return
	}

	p.site.SetCookie(w, web.SessionCookie, "", 0)
	http.Redirect(w, r, ended, http.StatusSeeOther)
}

// showEnded says that nobody is signed in any more. Pages that the browser has kept for Back go with its cache.
func (p *pages) showEnded(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Clear-Site-Data", `"cache"`)
	p.show(w, r, http.StatusOK, "ended", p.at("You are signed out", ""))
}

func (p *pages) showBack(w http.ResponseWriter, r *http.Request) {
	p.show(w, r, http.StatusOK, "back", p.at("You are signed in", ""))
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
		p.show(w, r, http.StatusInternalServerError, template, pg)

		return
	}

	pg.Wrong = refusal(p.pages.Words(r), f)
	p.show(w, r, web.StatusOf(f), template, pg)
}

// refusal says to a person why a sign-in was refused.
func refusal(in *words.Words, f *fault.Fault) string {
	switch f.Code {
	case fault.CredentialsInvalid:
		return in.Say("E-mail address and password do not belong together.")
	case fault.CodeInvalid:
		return in.Say("The code is wrong, or was used before. Every code works once.")
	case fault.TooManyAttempts:
		return in.Say("There were too many attempts. Try again in a while.")
	case fault.WorkRequired:
		return in.Say(
			"Very many sign in at the moment. Type your password once more; your browser takes a moment longer.",
		)
	case fault.AccountInactive:
		return in.Say("The account is switched off. Ask an admin of your organisation.")
	case fault.EmailUnconfirmed:
		return in.Say("Confirm your e-mail address first. A new link is on its way to you.")
	case fault.PasskeyInvalid, fault.PasskeyNone:
		return in.Say("The passkey was not accepted: it is unknown here, or the answer came too late.")
	case fault.PasskeyCopied:
		return in.Say(
			"The passkey was not accepted: there may be a copy of it. Sign in otherwise, delete it and add another.",
		)
	case fault.TwoFactorNotBegun:
		return in.Say("That took too long. Begin again.")
	case fault.SignOnRequired:
		return in.Say("People of your organisation sign in by its provider. Choose the organisation's sign-in.")
	case fault.SignOnNone:
		return in.Say("No organisation signs people with this address in. Use your password.")
	case fault.SignOnState:
		return in.Say("That took too long, or was begun in another browser. Begin again.")
	case fault.SignOnNoAccess:
		return in.Say("Your organisation's provider has signed you in, and you are not let in here.")
	case fault.SignOnRefused:
		return in.Say("Your organisation's provider has not signed you in, or its answer is not sound.")
	case fault.Overloaded:
		return in.Say("Too many people sign in at the moment. Try again.")
	default:
		return f.Detail
	}
}

func (p *pages) stop(w http.ResponseWriter, r *http.Request, status int, title, text string) {
	pg := p.at(title, "")
	pg.Wrong = text
	p.show(w, r, status, "stop", pg)
}

// show answers with a page.
func (p *pages) show(w http.ResponseWriter, r *http.Request, status int, name string, pg page) {
	if name == signInName {
		pg.Challenge = p.deps.Auth.ConsoleAhead(r.Context())
	}

	policy := policy
	if pg.Script != "" {
		policy = scriptPolicy
	}

	p.pages.Show(w, p.pages.Words(r), p.deps.Log, status, name, policy, pg)
}
