// Package guides has the guides of /docs: pages of this project's documentation, rendered when they change, so that the
// program needs no renderer.
package guides

import (
	"embed"
	"html/template"
	"regexp"

	"slipway/internal/platform/web"
)

//go:embed *.html
var pages embed.FS

// Sources are the guides by the name of their page, in the order in which a developer meets them.
var Sources = [][2]string{
	{"first-payment", "tutorial/first-payment.md"},
	{"call-the-api", "how-to/call-the-api.md"},
	{"pay-a-bank-account", "how-to/pay-a-bank-account.md"},
	{"buy-tokens-by-deposit", "how-to/buy-tokens-by-deposit.md"},
	{"pay-from-a-safe", "how-to/pay-from-a-safe.md"},
	{"pay-invoices", "how-to/pay-invoices.md"},
	{"require-a-second-person", "how-to/require-a-second-person.md"},
	{"formats", "reference/formats.md"},
	{"events", "reference/events.md"},
	{"glossary", "reference/glossary.md"},
	{"errors", "reference/errors.md"},
}

var title = regexp.MustCompile(`<h1[^>]*>([^<]*)</h1>`)

// All returns the rendered pages.
func All() []web.Guide {
	var out []web.Guide

	for _, source := range Sources {
		text, err := pages.ReadFile(source[0] + ".html")
		if err != nil {
			panic(err) // it is embedded above
		}

		name := source[0]
		if m := title.FindSubmatch(text); m != nil {
			name = string(m[1])
		}

		out = append(out, web.Guide{
			Name:  source[0],
			Title: name,
			HTML:  template.HTML(text), //nolint:gosec // our own documentation, rendered without raw HTML
		})
	}

	return out
}
