package signin

import (
	"html/template"
	"net/http"

	"slipway/internal/core/fault"
	"slipway/internal/identity/auth"
	"slipway/internal/platform/web"
)

// A person who must have a second factor and has none gets a session that opens nothing but its set-up. These pages do
// it: a secret as a picture, its first code, and the recovery codes, which are shown once. From then on the same
// session, with another cookie, opens the console.

// secretShown is a secret for an authenticator app as the page shows it.
type secretShown struct {
	Picture template.URL
	Key     string // in groups of four
	Address string
}

func shown(v *auth.GeneratedView) secretShown {
	s := secretShown{
		Picture: template.URL(v.QRCodeDataURL), //nolint:gosec // a PNG of ours
		Address: v.OtpauthURL,
	}

	for i, r := range v.Secret {
		if i > 0 && i%4 == 0 {
			s.Key += " "
		}

		s.Key += string(r)
	}

	return s
}

// beginSetUp goes on after a right password with the set-up, so that the password is typed once.
func (p *pages) beginSetUp(w http.ResponseWriter, r *http.Request, cookie, next string) {
	if p.changeSession(w, r, cookie, next) {
		p.offer(w, r, cookie, next)
	}
}

// showSetUp asks for the password of somebody who comes back to the set-up.
func (p *pages) showSetUp(w http.ResponseWriter, r *http.Request) {
	p.show(w, r, http.StatusOK, "again", p.at("Set up your second factor", r.URL.Query().Get("next")))
}

func (p *pages) setUp(w http.ResponseWriter, r *http.Request) {
	p.offer(w, r, p.site.Cookie(r, web.SessionCookie), r.PostFormValue("next"))
}

// offer shows a new secret. The form has sent the password.
func (p *pages) offer(w http.ResponseWriter, r *http.Request, cookie, next string) {
	v, needed, err := p.deps.Auth.ConsoleSetUp(r.Context(), cookie, r.PostFormValue("password"))

	switch {
	case fault.Is(err, fault.TokenInvalid):
		p.tooLate(w, r, next)

	case fault.Is(err, fault.CredentialsInvalid):
		pg := p.at("Set up your second factor", next)
		pg.Wrong = "The password is wrong."
		p.show(w, r, http.StatusUnprocessableEntity, "again", pg)

	case err != nil:
		p.refused(w, r, "again", p.at("Set up your second factor", next), err)

	case !needed:
		http.Redirect(w, r, localPage(next), http.StatusSeeOther)

	default:
		pg := p.at("Set up your second factor", next)
		pg.Secret = shown(v)
		p.show(w, r, http.StatusOK, "setup", pg)
	}
}

// finishSetUp puts the secret in use if the code is right, and shows the recovery codes. After a wrong code the same
// picture is shown again.
func (p *pages) finishSetUp(w http.ResponseWriter, r *http.Request) {
	next := r.PostFormValue("next")

	codes, cookie, err := p.deps.Auth.ConsoleFinishSetUp(
		r.Context(),
		p.site.Cookie(r, web.SessionCookie),
		r.PostFormValue("code"),
	)

	v, drawn := auth.DrawAgain(r.PostFormValue("address"))

	switch {
	case fault.Is(err, fault.TokenInvalid):
		p.tooLate(w, r, next)

	case err != nil && (!drawn || fault.Is(err, fault.TwoFactorNotBegun)):
		p.refused(w, r, "again", p.at("Set up your second factor", next), err)

	case err != nil:
		pg := p.at("Set up your second factor", next)
		pg.Secret = shown(v)
		p.refused(w, r, "setup", pg, err)

	default:
		p.site.SetCookie(w, web.SessionCookie, cookie, 0)
		pg := p.at("Your recovery codes", next)
		pg.Codes = codes
		p.show(w, r, http.StatusOK, "codes", pg)
	}
}
