package invoice

import (
	"net/http"
	"strings"

	"slipway/internal/core/fault"
	"slipway/internal/core/text"
)

// maxForm is the most bytes of a form without a file.
const maxForm = 64 << 10

// opening is the page that asks for a link's code.
type opening struct{ Code, Wrong string }

// showOpen shows the page that links lead to. Its script reads the code behind the #, removes it from the address bar
// and submits the page's form. Without scripts a person pastes the code into the form. Opening the page changes
// nothing, because mail scanners open links, too.
func (p *pages) showOpen(w http.ResponseWriter, r *http.Request) {
	p.show(w, p.wordsOf(r), http.StatusOK, "open", scriptPolicy, opening{})
}

// open verifies the code and stores it in a cookie for the link's own path.
func (p *pages) open(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, maxForm)

	token := codeOf(r.PostFormValue("code"))
	if token == "" {
		p.show(w, p.wordsOf(r), http.StatusUnprocessableEntity, "open", scriptPolicy,
			opening{Wrong: "Paste the link, or the part of it behind the #."})

		return
	}

	o, err := p.deps.Links.Open(r.Context(), token)
	if fault.Is(err, fault.LinkInvalid) {
		p.show(w, p.wordsOf(r), http.StatusGone, "open", scriptPolicy, opening{
			Wrong: "This link does not work. It is not complete, was used or withdrawn, or is too old. " +
				"Copy all of it from the mail; if it still does not work, ask whoever has sent it for a new one.",
		})

		return
	}

	if err != nil {
		p.refused(w, r, err)
		return
	}

	p.setCookie(w, cookieToken, o.ID, token)
	p.setCookie(w, cookieDraft, o.ID, "") // may be another person's, in a browser that several people use
	p.setCookie(w, cookieForm, o.ID, "")
	http.Redirect(w, r, at(o.ID, ""), http.StatusSeeOther)
}

// codeOf returns the code in what somebody pasted: all of a link, or the part behind its #.
func codeOf(pasted string) string {
	return text.Unspaced(pasted[strings.LastIndexByte(pasted, '#')+1:])
}

// The cookies. They end with the browser, and no script reads them.
const (
	cookieToken = "invoice-link"
	cookieDraft = "invoice-draft"
	cookieForm  = "invoice-form" // one that was refused
)

// at returns the path of a link's step.
func at(link, step string) string {
	if step == "" {
		return "/i/" + link
	}

	return "/i/" + link + "/" + step
}

// cookieName returns the name of a cookie. With https it has the prefix that lets browsers accept the cookie over https
// only.
func (p *pages) cookieName(name string) string {
	if p.deps.Secure {
		return "__Secure-" + name
	}

	return name
}

// setCookie sets a cookie for one link's pages; an empty value deletes it. With SameSite=Strict, requests that another
// site causes do not carry it.
func (p *pages) setCookie(w http.ResponseWriter, name, link, value string) {
	//nolint:gosec // Secure is false only where the base URL is http: a sandbox on this machine
	c := &http.Cookie{
		Name:     p.cookieName(name),
		Value:    value,
		Path:     at(link, ""),
		Secure:   p.deps.Secure,
		HttpOnly: true,
		SameSite: http.SameSiteStrictMode,
	}
	if value == "" {
		c.MaxAge = -1
	}

	http.SetCookie(w, c)
}

func (p *pages) cookie(r *http.Request, name string) string {
	c, err := r.Cookie(p.cookieName(name))
	if err != nil {
		return ""
	}

	return c.Value
}
