package signin

import (
	"net/http"
	"net/url"

	"github.com/go-chi/chi/v5"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/identity/auth"
	"slipway/internal/identity/sso"
	"slipway/internal/platform/web"
)

// The paths of signing in by a provider.
const (
	signOn     = sso.Path
	testSignOn = signOn + "/test"
	signOnBack = signOn + "/back/" // then whose provider it is
)

// signOnCookie is the cookie by which a browser is known that comes back from a provider.
const signOnCookie = "slipway-sign-on"

// here marks a return that comes from a page of ours. A browser that comes from the provider sends none of our cookies,
// since they are for our own pages' requests alone. So it gets a page that leads on to the same address.
const here = "here"

// showSignOn asks for the address by which the provider is found.
func (p *pages) showSignOn(w http.ResponseWriter, r *http.Request) {
	p.show(w, r, http.StatusOK, "signon", p.at("Sign in with your organisation", r.URL.Query().Get("next")))
}

// leave leads to the provider of an address. Browsers do not let a form end at another site, which the policy says, so
// a page leads there.
func (p *pages) leave(w http.ResponseWriter, r *http.Request) {
	next := r.PostFormValue("next")

	begun, err := p.deps.SignOn.Begin(r.Context(), r.PostFormValue("email"), localPage(next))
	if err != nil {
		pg := p.at("Sign in with your organisation", next)
		pg.Email = r.PostFormValue("email")
		pg.Details = detailsOf(err)
		p.refused(w, r, "signon", pg, err)

		return
	}

	p.lead(w, r, begun)
}

// testSignOn leads an admin to the provider of his organisation, to see what it says.
func (p *pages) testSignOn(w http.ResponseWriter, r *http.Request) {
	orgID := r.URL.Query().Get("organisation")

	who, _, err := p.deps.Auth.AuthenticateCookie(r.Context(), p.site.Cookie(r, web.SessionCookie), orgID, true)
	if err != nil || who.SetupOnly {
		p.show(w, r, http.StatusUnauthorized, signInName, p.signInPage(""))
		return
	}

	begun, err := p.deps.SignOn.BeginTest(r.Context(), *who, orgID)
	if err != nil {
		p.failed(w, r, err)
		return
	}

	p.lead(w, r, begun)
}

// lead sends the cookie and the page that leads to the provider.
func (p *pages) lead(w http.ResponseWriter, r *http.Request, begun sso.Begun) {
	p.site.SetCookie(w, signOnCookie, begun.Cookie, sso.AttemptLifetime)

	pg := p.at("On to your organisation", "")
	pg.Leads = begun.Address
	pg.Host = begun.Host
	p.show(w, r, http.StatusOK, "leads", pg)
}

// comeBack takes the answer of a provider.
func (p *pages) comeBack(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()

	if !q.Has(here) {
		q.Set(here, "1")

		on := url.URL{Path: r.URL.Path, RawQuery: q.Encode()}
		pg := p.at("One moment", "")
		pg.Leads = on.String()
		p.show(w, r, http.StatusOK, "leads", pg)

		return
	}

	got, err := p.deps.SignOn.Return(r.Context(), sso.Back{
		Provider:    chi.URLParam(r, "provider"),
		State:       q.Get("state"),
		Code:        q.Get("code"),
		Issuer:      q.Get("iss"),
		Problem:     q.Get("error"),
		Description: q.Get("error_description"),
		Cookie:      p.site.Cookie(r, signOnCookie),
	})
	p.site.SetCookie(w, signOnCookie, "", 0)

	switch {
	case err != nil:
		p.failed(w, r, err)

	case got.Report != nil:
		pg := p.at("What your provider says", "")
		pg.Report = got.Report
		p.show(w, r, http.StatusOK, "report", pg)

	case got.Temp != "":
		p.site.SetCookie(w, secondCookie, got.Temp, auth.ChallengeLifetime)
		http.Redirect(w, r, second+"?next="+url.QueryEscape(got.Next), http.StatusSeeOther)

	case got.SetUp:
		p.beginSetUp(w, r, got.Cookie, got.Next)

	default:
		p.begin(w, r, got.Cookie, got.Next)
	}
}

// failed says why nobody is signed in, and what his organisation's admins can do something with.
func (p *pages) failed(w http.ResponseWriter, r *http.Request, err error) {
	pg := p.at("You are not signed in", "")
	pg.Details = detailsOf(err)

	if f, ok := fault.As(err); ok && f.Code == fault.SignOnRefused { // the others name people
		p.deps.Log.Warn("the answer of a provider was refused",
			"requestId", caller.RequestOf(r.Context()).ID, "why", f.Detail)
	}

	p.refused(w, r, "failed", pg, err)
}

// detailsOf returns what a refusal says to whoever runs the provider; "": nothing.
func detailsOf(err error) string {
	f, ok := fault.As(err)
	if !ok || f.Code != fault.SignOnRefused && f.Code != fault.SignOnNoAccess {
		return ""
	}

	return f.Detail
}
