//go:build !nosandbox && !noconsole

package console_test

import (
	"io"
	"net/http"
	"net/url"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/browsertest"
)

// screens are those on which every page is tried, in light and dark.
func screens() map[string]browsertest.Look {
	return map[string]browsertest.Look{
		"320":  {Width: 320, Height: 700},
		"390":  browsertest.Phone(),
		"768":  {Width: 768, Height: 900, Dark: true},
		"1280": {},
		"dark": {Dark: true},
		"200%": {Width: 640, Height: 450}, // what 1280 pixels have room for at twice the size
	}
}

// hosted are the pages that people see who are not signed in.
var hosted = []string{
	"/console/session",
	"/console/session/back",
	"/console/session/ended",
	"/console/nothing",
	"/account/confirm",
	"/account/reset",
	"/account/forgot",
	"/account/complete",
	"/account/join",
	"/verify",
	"/verify/form",
	"/i",
	"/i/nothing",
}

// TestHostedPagesAreAccessibleAndFit opens each page of those who are not signed in on every screen: signing in, the
// account, verification by hand, and an invoice link, whose organisation has a hostile name. The steps behind the first
// one of a link are tried where they are walked: in package invoice.
func TestHostedPagesAreAccessibleAndFit(t *testing.T) {
	b := browsertest.Start(t)
	s := newDoor(t)
	s.h.Environ = append(s.h.Environ, "SLIPWAY_IDV__PROVIDER=manual")
	s.h.Restart()
	s.c.Do("PUT", "/organisations/"+s.c.Org+"/brand", object{"name": markup[:60], "colour": "#7a1fa2"}).OK(200)

	for name, look := range screens() {
		t.Run(name, func(t *testing.T) {
			p := b.Page(t, look)
			shown := func(n int, path string) {
				t.Helper()
				p.Await("main h1")
				p.Shot(shotName(n, path))
				p.Accessible()
				require.False(t, p.Holds("!!window.hacked"), path)

				for _, one := range p.Complaints() {
					p.Complained(one) // that there is nothing, or no visit
					require.Regexp(t, "40[0134]|410", one)
				}
			}

			for n, path := range hosted {
				p.Open(s.site + path)
				shown(n, path)
			}

			var token struct {
				URL string `json:"url"`
			}
			applicant := s.h.Person("Applicant " + name)
			applicant.Do("POST", "/idv/get-applicant-token", object{
				"type":           "organisation",
				"organisationId": applicant.Org,
			}).OK(200).Into(&token)
			opens(t, s, p, token.URL)
			p.Await("input[name=registrationNumber]")
			shown(20, "/verify/form/one")

			opens(t, s, p, s.invited(t, name))
			p.Await("main[data-step=you]")
			shown(21, "/i/you")
		})
	}
}

// TestHostedPagesBringTheirIcon reads each page of those who are not signed in, and the documentation. No browser asks
// for /favicon.ico besides, which the policy would refuse.
func TestHostedPagesBringTheirIcon(t *testing.T) {
	s := newDoor(t)
	s.h.Environ = append(s.h.Environ, "SLIPWAY_IDV__PROVIDER=manual")
	s.h.Restart()

	for _, path := range append(hosted, "/console", "/docs") {
		answer, err := http.Get(s.site + path)
		require.NoError(t, err)

		page, err := io.ReadAll(answer.Body)
		require.NoError(t, err)
		require.NoError(t, answer.Body.Close())

		require.Regexp(t, `<link\s+rel="icon"\s+href="data:`, string(page), path)
		require.Regexp(t, `img-src [^;]*data:`, answer.Header.Get("Content-Security-Policy"), path)
	}
}

// invoiceLink is the address of an invoice link in a mail.
var invoiceLink = regexp.MustCompile(`https?://[^/\s]+/i#\S+`)

// opens follows a link of this service, wherever it says that the service is.
func opens(t *testing.T, s *stage, p *browsertest.Page, link string) {
	t.Helper()

	at, err := url.Parse(link)
	require.NoError(t, err)
	p.Open(s.site + at.RequestURI() + "#" + at.Fragment)
}

// invited makes an invoice link, and returns it as it stands in its mail.
func (s *stage) invited(t *testing.T, name string) string {
	t.Helper()

	to := "bills." + url.QueryEscape(name) + "@supplier.example"
	s.c.Do("POST", "/payables/generate-invoice-link", object{
		"isExistingReceiver": false,
		"email":              to,
		"amount":             "1250.50",
		"currencyIsoCode":    "CHF",
		"reason":             formula,
	}).OK(201)

	var mails struct {
		Results []struct {
			Text string `json:"text"`
		} `json:"results"`
	}
	s.c.Do("GET", "/sandbox/mails?recipient="+url.QueryEscape(to), nil).OK(200).Into(&mails)
	require.NotEmpty(t, mails.Results)

	found := invoiceLink.FindString(mails.Results[0].Text)
	require.NotEmpty(t, found, mails.Results[0].Text)

	return found
}

// TestEveryEmptyPageIsAccessible opens every page of an organisation, and the operators', with nothing on them so far.
func TestEveryEmptyPageIsAccessible(t *testing.T) {
	b := browsertest.Start(t)

	for name, look := range map[string]browsertest.Look{"desk": {}, "phone in the dark": {Width: 390, Height: 844, Dark: true}} {
		t.Run(name, func(t *testing.T) {
			s := newStage(t)
			two := s.h.Operators()
			c := s.h.Person("Nobody")
			s.c.Org = c.Org
			s.as(c)
			p := b.Page(t, look)

			empty := func(n int, at, path string) {
				t.Helper()
				p.Open(s.site + at + path)
				p.Await("main h1")
				p.Await("main:not(:has([aria-busy=true]))")
				p.Shot(shotName(n, at+path))
				sound(t, p)
			}

			for n, path := range append(pages, "/transactions?type%5B%5D=ONRAMP", "/log?action=nothing") {
				empty(n, "/console/o/"+c.Org, path)
			}

			s.as(two.Client)

			for n, path := range operatorPages {
				empty(50+n, "/console/ops", path)
			}
		})
	}
}
