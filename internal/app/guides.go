package app

import (
	"embed"
	"html/template"
	"regexp"

	"slipway/internal/platform/web"
)

// The guides of /docs are pages of this project's documentation, rendered when they change: the program needs no
// renderer.
//
//go:embed guides/*.html
var guidePages embed.FS

// GuideSources are the guides by the name of their page, in the order in which a developer meets them.
var GuideSources = [][2]string{
	{"first-payment", "tutorial/first-payment.md"},
	{"call-the-api", "how-to/call-the-api.md"},
	{"pay-a-bank-account", "how-to/pay-a-bank-account.md"},
	{"buy-tokens-by-deposit", "how-to/buy-tokens-by-deposit.md"},
	{"pay-from-a-safe", "how-to/pay-from-a-safe.md"},
	{"pay-invoices", "how-to/pay-invoices.md"},
	{"require-a-second-person", "how-to/require-a-second-person.md"},
	{"formats", "reference/formats.md"},
	{"events", "reference/events.md"},
	{"errors", "reference/errors.md"},
}

var guideTitle = regexp.MustCompile(`<h1[^>]*>([^<]*)</h1>`)

// guides returns the rendered pages.
func guides() []web.Guide {
	var out []web.Guide

	for _, source := range GuideSources {
		text, err := guidePages.ReadFile("guides/" + source[0] + ".html")
		if err != nil {
			panic(err) // it is embedded above
		}

		title := source[0]
		if m := guideTitle.FindSubmatch(text); m != nil {
			title = string(m[1])
		}

		out = append(out, web.Guide{
			Name:  source[0],
			Title: title,
			HTML:  template.HTML(text), //nolint:gosec // our own documentation, rendered without raw HTML
		})
	}

	return out
}
