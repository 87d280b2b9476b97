// Package look holds what all of Slipway's own pages share: the style sheet, which each set of pages serves under its
// own path, and the headers of every answer. The pages load nothing from elsewhere and need no build step.
//
// Read look.go (style and headers), then pages.go (templates that speak the browser's language).
package look

import (
	_ "embed" // the style sheet
	"fmt"
	"net/http"
	"slices"
)

// CSS is the style sheet of all pages: light and dark, from 320 CSS pixels on.
//
//go:embed look.css
var CSS []byte

// Sheet returns the style sheet of a deployment. With a mark, every page that uses it shows the mark above everything.
// The mark must be plain words: it becomes a text of the style sheet.
func Sheet(mark string) []byte {
	if mark == "" {
		return CSS
	}

	const banner = `
body::before { content: "%s"; position: fixed; inset: 0 0 auto; padding: 4px 16px; text-align: center;
  font-size: .875rem; font-weight: 700; background: #8a4b00; color: #fff; z-index: 1 }
`

	return fmt.Appendf(slices.Clone(CSS), banner, mark+": nothing here is worth anything")
}

// Content types.
const (
	HTML   = "text/html; charset=utf-8"
	Styles = "text/css; charset=utf-8"
	Script = "text/javascript; charset=utf-8"
)

// Policy is the Content-Security-Policy of pages without a script. A page that has one adds what it needs. Pictures are
// in the page itself: its icon (Icon) among them.
const Policy = "default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; form-action 'self'; " +
	"frame-ancestors 'none'"

// Icon is what stands in the head of each page: without it, browsers ask for /favicon.ico, which the policy refuses and
// the browser reports as an error.
const Icon = `<link rel="icon" href="data:,">`

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
