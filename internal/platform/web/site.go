package web

import (
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

// Site is the deployment as browsers reach it, on a host name of its own. Everything comes from http.base_url: a
// request's Host is whatever its sender and the proxies between have made of it.
type Site struct {
	Secure bool // browsers reach it over https

	origins []string
}

// NewSite returns the site at a base URL. Without a sound one, every request that names its origin is a stranger's.
func NewSite(baseURL string) Site {
	u, err := url.Parse(baseURL)
	if err != nil || u.Host == "" {
		return Site{}
	}

	s := Site{
		Secure:  u.Scheme == "https",
		origins: []string{originOf(u.Scheme, u.Hostname(), u.Port())},
	}

	if !s.Secure && loopback(u.Hostname()) { // people write the address of their own machine as they like
		for _, name := range []string{"localhost", "127.0.0.1", "::1"} {
			s.origins = append(s.origins, originOf(u.Scheme, name, u.Port()))
		}
	}

	return s
}

// originOf returns an origin as browsers write it (RFC 6454, 6.2): in lower case, without the scheme's own port.
func originOf(scheme, host, port string) string {
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}

	out := scheme + "://" + strings.ToLower(host)
	if port == "" || scheme == "https" && port == "443" || scheme == "http" && port == "80" {
		return out
	}

	return out + ":" + port
}

func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// Sent reports whether one of the site's own pages has sent a request, as far as the browser says. What a browser
// leaves out is not held against it: Origin of most reads, and both headers of old ones.
func (s Site) Sent(r *http.Request) bool {
	for _, site := range r.Header["Sec-Fetch-Site"] {
		if site != "same-origin" {
			return false
		}
	}

	for _, origin := range r.Header["Origin"] {
		if !slices.Contains(s.origins, origin) {
			return false
		}
	}

	return true
}

// cookieName returns the name of a cookie. Over https it has the prefix by which browsers accept it only from this very
// host, over https, and for every path.
func (s Site) cookieName(name string) string {
	if s.Secure {
		return "__Host-" + name
	}

	return name
}

// Cookie returns the value of a cookie, or "".
func (s Site) Cookie(r *http.Request, name string) string {
	c, err := r.Cookie(s.cookieName(name))
	if err != nil {
		return ""
	}

	return c.Value
}

// SetCookie sends a cookie that no script reads and no other site's request carries. It ends with the browser, or after
// age unless that is 0. An empty value deletes it.
func (s Site) SetCookie(w http.ResponseWriter, name, value string, age time.Duration) {
	//nolint:gosec // Secure is false only where the base URL is http: on one's own machine
	c := &http.Cookie{
		Name:     s.cookieName(name),
		Value:    value,
		Path:     "/",
		MaxAge:   int(age / time.Second),
		Secure:   s.Secure,
		HttpOnly: true,
		SameSite: http.SameSiteStrictMode,
	}
	if value == "" {
		c.MaxAge = -1
	}

	http.SetCookie(w, c)
}
