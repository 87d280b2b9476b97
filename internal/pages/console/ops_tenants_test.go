//go:build !nosandbox && !noconsole

package console_test

import (
	"bytes"
	"encoding/base64"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/app/apptest"
	"slipway/internal/platform/browsertest"
)

// scan is a picture of one point, as an applicant hands it in.
const scan = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="

// applies has a person hand in everything that verifying a company by hand asks for.
func (s *stage) applies(t *testing.T, c *apptest.Client) {
	t.Helper()

	var cookie *http.Cookie

	send := func(path, contentType, body string) *http.Response {
		r := httptest.NewRequest(http.MethodPost, path, strings.NewReader(body))
		r.Header.Set("Content-Type", contentType)

		if cookie != nil {
			r.AddCookie(cookie)
		}

		w := httptest.NewRecorder()
		s.h.App.Handler.ServeHTTP(w, r)
		require.Equal(t, http.StatusSeeOther, w.Code, w.Body)

		return w.Result()
	}

	const form = "application/x-www-form-urlencoded"

	var token struct {
		URL string `json:"url"`
	}

	c.Do(
		"POST",
		"/idv/get-applicant-token",
		object{"type": "organisation", "organisationId": c.Org},
	).OK(
		200,
	).Into(
		&token,
	)
	cookie = send("/verify/open", form, url.Values{"code": {token.URL}}.Encode()).Cookies()[0]
	send("/verify/form", form, url.Values{
		"registrationNumber": {"CHE-123.456.789"},
		"country":            {"CHE"},
		"street":             {"Seestrasse 1"},
		"postCode":           {"8002"},
		"city":               {"Zürich"},
		"representatives":    {"Ada Muster"},
		"owners":             {"Ada Muster, Bea Beispiel"},
	}.Encode())

	picture, err := base64.StdEncoding.DecodeString(scan)
	require.NoError(t, err)

	for _, kind := range []string{"REGISTER", "OWNERS", "SIGNATORY", "ADDRESS"} {
		var b bytes.Buffer

		parts := multipart.NewWriter(&b)
		part, err := parts.CreateFormFile(kind, "scan.png")
		require.NoError(t, err)
		_, err = part.Write(picture)
		require.NoError(t, err)
		require.NoError(t, parts.Close())
		send("/verify/documents", parts.FormDataContentType(), b.String())
	}

	send("/verify/send", form, "")
	s.h.RunJobs()
}

// approves gives one person's word about a verification by hand.
func approves(t *testing.T, p *browsertest.Page) {
	t.Helper()
	press(t, p, "main .head button.primary")
	p.Await("dialog[open] textarea")
	p.TabTo("dialog[open] button.primary")
	p.Press(browsertest.Enter, browsertest.Enter) // held down: it is one word
	p.Await("main:not(:has(dialog[open]))")
}

// TestTwoOperatorsVerifyACompanyByHand has one operator look at what a company has handed in, tick the checklist and
// propose, and another one confirm, each in a browser of his own and by keyboard alone. Then they agree on other terms.
func TestTwoOperatorsVerifyACompanyByHand(t *testing.T) {
	b := browsertest.Start(t)
	s := newDoor(t)
	s.h.Environ = append(s.h.Environ, "SLIPWAY_IDV__PROVIDER=manual")
	s.h.Restart()

	two := s.h.Operators()
	c := s.h.Person("Ada")
	c.StaySignedIn()
	s.applies(t, c)

	status := func() string {
		var o struct {
			Status string `json:"onboardingStatus"`
		}

		c.Do("GET", "/organisations/"+c.Org, nil).OK(200).Into(&o)

		return o.Status
	}
	require.Equal(t, "SUBMITTED", status())

	code := s.secondFactor(t, two.Client)
	p := b.Page(t, browsertest.Look{})
	s.signIn(p, two.Client, code, "/console/ops/organisations")
	p.Await("td a.whole")
	p.Await("main .head a.button")
	require.Contains(t, p.Text("main"), "Ada AG")
	p.Shot("organisations")
	sound(t, p)
	press(t, p, "main .head a.button")
	p.Await("section[aria-label=verifications] td a.whole")
	sound(t, p)
	press(t, p, "section[aria-label=verifications] td a.whole")
	p.Await("label.check input")
	require.Contains(t, p.Text("main"), "Zürich")

	for p.Holds("!!document.querySelector('label.check input:not(:checked)')") {
		p.TabTo("label.check input:not(:checked)")
		p.Press(browsertest.Space)
		p.Await("label.check input:not([disabled])")
	}

	p.Shot("verification")
	sound(t, p)
	approves(t, p)
	p.Await(".note.person")
	require.Contains(t, p.Text(".note.person"), "proposed by Olga")
	require.Equal(t, "SUBMITTED", status(), "one person alone approves nobody")

	second := b.Page(t, browsertest.Phone())
	s.enter(t, second, two.Second, "/console/ops/organisations/reviews")
	second.Await("td a.whole")
	press(t, second, "td a.whole")
	second.Await(".note.person")
	require.Contains(t, second.Text("main"), "proposed by Olga")
	second.Shot("verification-second")
	sound(t, second)
	approves(t, second)
	s.h.RunJobs()
	require.Equal(t, "APPROVED", status())
	p.Await("main .note:not(.person)")
	require.Contains(t, p.Text("main"), "Approved by Otto")
	require.NotContains(t, p.Text("main .head"), "Reject", "it is decided")
	require.Empty(t, p.Text("main .head button:first-of-type"))

	dark := b.Page(t, browsertest.Look{Dark: true})
	s.signIn(dark, two.Client, code, "/console/ops/organisations/"+c.Org)
	s.agree(t, dark, second, c.Org)
}

// agree has one operator ask for another limit of the organisation on his page, and a second one confirm it.
func (s *stage) agree(t *testing.T, p, second *browsertest.Page, organisation string) {
	t.Helper()

	const terms = "section[aria-label=Terms]"

	p.Await(terms + " header .button")
	require.Contains(t, p.Text("section[aria-label=People]"), "Ada")
	press(t, p, terms+" header .button")
	p.Await(terms + " input")
	p.Fill(terms+" input", "5000.00")
	p.Shot("terms")
	sound(t, p)
	p.TabTo(terms + " button.primary")
	p.Press(browsertest.Enter, browsertest.Enter)
	p.Await(terms + " .note")
	p.Fits()

	second.Open(s.site + "/console/ops/held")
	second.Await(".actions .primary")
	require.Contains(t, second.Text("main"), "asked by Olga")
	press(t, second, ".actions .primary")
	second.Await("dialog[open] textarea")
	second.TabTo("dialog[open] textarea")
	second.Type("Agreed by telephone")
	second.TabTo("dialog[open] button.primary")
	second.Press(browsertest.Enter, browsertest.Enter)
	second.Await("main:not(:has(dialog[open]))")
	second.Open(s.site + "/console/ops/organisations/" + organisation)
	second.Await(terms + " dd")
	require.Contains(t, second.Text(terms), "5,000.00")
	second.Shot("organisation")
	sound(t, second)
}
