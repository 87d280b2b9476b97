package signin

import (
	"net/http"

	"github.com/go-chi/chi/v5"
	"github.com/go-json-experiment/json"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/identity/passkey"
	"slipway/internal/pages/look"
	"slipway/internal/platform/web"
)

func (p *pages) scriptAddress() string {
	return scriptFiles + p.build + "/" + scriptName
}

// scripts answers with the script, at the address that has its hash. Any other hash gets nothing.
func (p *pages) scripts(w http.ResponseWriter, r *http.Request) {
	if chi.URLParam(r, "build") != p.build {
		look.Send(w, http.StatusNotFound, "text/plain; charset=utf-8", policy, []byte("There is no such file.\n"))
		return
	}

	w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	look.Send(w, http.StatusOK, look.Script, policy, p.script)
}

// tempToken returns the tempToken of the sign-in whose second factor a passkey is to be, or "".
func (p *pages) tempToken(r *http.Request) string {
	if r.URL.Query().Get("second") == "" {
		return ""
	}

	return p.site.Cookie(r, secondCookie)
}

// askPasskey answers with the options that the script gives to the browser. The tempToken stays in its cookie, where no
// script reads it.
func (p *pages) askPasskey(w http.ResponseWriter, r *http.Request) {
	options, err := p.deps.Auth.AskToSignIn(r.Context(), p.tempToken(r))

	if f, ok := fault.As(err); ok {
		look.Send(w, web.StatusOf(f), "text/plain; charset=utf-8", policy, []byte(string(f.Code)+"\n"))
		return
	}

	if err == nil {
		w.Header().Set("Content-Type", "application/json")
		err = json.MarshalWrite(w, options)
	}

	if err != nil {
		p.deps.Log.Error("request failed",
			"requestId", caller.RequestOf(r.Context()).ID, "path", r.URL.Path, "error", err.Error())
		w.WriteHeader(http.StatusInternalServerError)
	}
}

// signInByPasskey begins a session with what the browser has answered, by itself or as the second factor.
func (p *pages) signInByPasskey(w http.ResponseWriter, r *http.Request) {
	next := r.PostFormValue("next")
	temp := p.tempToken(r)

	cookie, err := p.deps.Auth.ConsoleLoginPasskey(r.Context(), temp, passkey.Answer(r.PostFormValue("answer")))

	switch {
	case fault.Is(err, fault.TokenInvalid):
		p.tooLate(w, r, next)
	case err != nil && temp != "":
		p.refused(w, r, "second", p.secondPage(next, ""), err)
	case err != nil:
		p.refused(w, r, "signin", p.signInPage(next), err)
	default:
		p.site.SetCookie(w, secondCookie, "", 0)
		p.begin(w, r, cookie, next)
	}
}
