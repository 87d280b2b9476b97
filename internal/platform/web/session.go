package web

import (
	"net/http"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/platform/limit"
)

// A browser sends a cookie whoever makes it call. So a cookie shows who calls only together with what a foreign page
// cannot cause: the header Slipway-Console, which no form and no link can carry, and for which another origin's script
// needs a permission that is never given; and, where the browser says from where a call comes, our own origin. That
// holds for every method, since a read of another one's figures is a theft, too.

// SessionCookie is the name of the cookie with which the console calls, without the prefix that it has over https.
const SessionCookie = "slipway"

// The headers of the console's calls.
const (
	consoleHeader = "Slipway-Console"
	// unattendedHeader marks what the console asks for by itself, while nobody has touched it for a while.
	unattendedHeader = "Slipway-Unattended"
)

// BuildHeader is the header of answers that carries Config.Build.
const BuildHeader = "Slipway-Build"

// Site returns the deployment as browsers reach it.
func (a *API) Site() Site { return a.here }

// sessionCookie returns the cookie of the session that a request is made in, or "" if it is made in none. Beside an
// Authorization header, a cookie means nothing: it is clear who calls.
func (a *API) sessionCookie(r *http.Request) string {
	if a.config.Session == nil || first(r.Header, consoleHeader) != "1" || len(r.Header["Authorization"]) > 0 {
		return ""
	}

	return a.here.Cookie(r, SessionCookie)
}

// bySession returns who calls by the cookie of a session.
func (a *API) bySession(
	c *call, r *http.Request, cookie, organisation string, attended bool,
) (*caller.Principal, *limit.Meters, error) {
	if !a.here.Sent(r) {
		return nil, nil, fault.New(fault.Forbidden, fault.SessionForeign,
			"The cookie of the console is taken only from the console's own pages, at http.base_url.")
	}

	c.Cookie = cookie
	c.Renew = func(fresh string) { a.here.SetCookie(c, SessionCookie, fresh, 0) }

	return a.config.Session(r.Context(), cookie, organisation, attended)
}
