// Package look holds what all of Slipway's own pages share: the style sheet, which each set of pages serves under its
// own path, and the headers of every answer. The pages load nothing from elsewhere and need no build step.
package look

import (
	_ "embed" // the style sheet
	"net/http"
)

// CSS is the style sheet of all pages: light and dark, from 320 CSS pixels on.
//
//go:embed look.css
var CSS []byte

// Content types.
const (
	HTML   = "text/html; charset=utf-8"
	Styles = "text/css; charset=utf-8"
	Script = "text/javascript; charset=utf-8"
)

// Send answers with a page or a part of one. policy is the Content-Security-Policy: what the page may load and where
// its forms may go.
func Send(w http.ResponseWriter, status int, contentType, policy string, body []byte) {
	h := w.Header()
	h.Set("Content-Type", contentType)
	h.Set("Content-Security-Policy", policy)
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	w.WriteHeader(status)
	_, _ = w.Write(body)
}
