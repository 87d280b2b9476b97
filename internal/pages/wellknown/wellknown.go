// Package wellknown answers at the addresses that browsers, password managers and researchers look at without being
// told: /.well-known/change-password, /.well-known/security.txt and /favicon.ico.
//
// Read in this order: wellknown.go, mark.go (the picture).
package wellknown

import (
	"net/http"

	"slipway/internal/core/fault"
	"slipway/internal/platform/web"
)

// Deps is what the addresses lead to.
type Deps struct {
	// ChangePassword is the path of the page on which a person changes the password.
	ChangePassword string
	// SecurityText is the text of security.txt (RFC 9116); "": there is none.
	SecurityText string
}

// Routes mounts the addresses.
func Routes(api *web.API, deps Deps) {
	mount := func(path string, h http.HandlerFunc) { api.Mount("GET", path, web.Public, h) }

	// A Well-Known URL for Changing Passwords (W3C): a redirect to the page.
	mount("/.well-known/change-password", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, deps.ChangePassword, http.StatusSeeOther)
	})

	mount("/.well-known/security.txt", func(w http.ResponseWriter, r *http.Request) {
		if deps.SecurityText == "" {
			api.Refuse(w, r, fault.New(fault.NotFound, fault.NotFoundCode, "The operator has given no security.txt."))
			return
		}

		send(w, "text/plain; charset=utf-8", []byte(deps.SecurityText))
	})

	picture := icon()
	mount("/favicon.ico", func(w http.ResponseWriter, _ *http.Request) { send(w, "image/x-icon", picture) })
}

// send answers with what is the same for everybody, and changes with a new configuration or version alone.
func send(w http.ResponseWriter, contentType string, body []byte) {
	w.Header().Set("Content-Type", contentType)
	w.Header().Set("Cache-Control", "public, max-age=86400")
	_, _ = w.Write(body)
}
