//go:build !nosandbox && !noconsole

package console_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/app/apptest"
	"slipway/internal/platform/browsertest"
)

// newcomer is a person with an account and no organisation.
func (s *stage) newcomer(name string) *apptest.Client {
	s.h.Do(s.h.App, "POST", "/auth/register", "", object{
		"firstName": name,
		"lastName":  "Neu",
		"email":     strings.ToLower(name) + "@example.org",
		"password":  apptest.Password,
	}).OK(200)

	c := *s.c
	c.Email = strings.ToLower(name) + "@example.org"
	c.Login()

	return &c
}

// countries waits until there are countries to choose from.
func (s *stage) countries(p *browsertest.Page) {
	s.h.Until("there are countries", func() bool {
		return p.Holds(`!!document.querySelector("select[name='/country'] option[value=CH]")`)
	})
}

// choose picks an option of a field as a person does, by its value.
func choose(p *browsertest.Page, name, value string) {
	p.Holds(`(e => { e.value = '` + value + `'; e.dispatchEvent(new Event('change', { bubbles: true })); return true })(
		document.querySelector("[name='` + name + `']"))`)
}

// TestANewcomerMakesAnOrganisation signs in without any organisation, sees what to do, and makes one with its name,
// country, address and register number. The next page is where it is verified. What the service refuses stands at its
// field, and nothing that was typed is lost.
func TestANewcomerMakesAnOrganisation(t *testing.T) {
	b := browsertest.Start(t)

	for _, by := range ways() {
		t.Run(by.name, func(t *testing.T) {
			s := newDoor(t)
			c := s.newcomer("Nina")
			p := b.Page(t, by.look)
			s.enter(t, p, c, "/console")
			p.Await("input[name='/name']")
			require.Contains(t, p.Text("main h1"), "Welcome, Nina")
			s.countries(p)
			p.Shot("begin")
			sound(t, p)

			p.Fill("input[name='/registrationNumber']", "CHE-123.456.789")
			p.Fill("input[name='/name']", "www.neu.example")
			choose(p, "/country", "CH")
			p.Fill("input[name='/address/addressLine1']", "Seestrasse 1")
			p.Fill("input[name='/address/postCode']", "8002")
			p.Fill("input[name='/address/city']", "Zürich")
			by.goes(t, p, "main .button.primary")
			p.Await("input[name='/name'][aria-invalid=true]")
			s.forget(p, "422")
			require.True(
				t,
				p.Holds(`document.querySelector("input[name='/registrationNumber']").value === 'CHE-123.456.789'`),
			)

			p.Fill("input[name='/name']", "Neu Handels AG")
			by.goes(t, p, "main .button.primary")
			s.h.Until("its page is shown", func() bool { return strings.HasSuffix(p.Address(), "/organisation") })
			p.Await("main:not(:has([aria-busy=true])) h1")
			require.Contains(t, p.Text("main .head"), "Verify the organisation")
			require.Contains(t, p.Text("main"), "CHE-123.456.789")
			require.Contains(t, p.Text("main"), "Seestrasse 1, 8002, Zürich")
			p.Shot("made")
			sound(t, p)
			require.EqualValues(
				t,
				1,
				s.h.Count("SELECT count(*) FROM organisations WHERE name = 'Neu Handels AG' AND country = 'CH'"),
			)
		})
	}
}

// TestANewcomerJoinsByALink pastes the link of an invitation, is told who asks him into what, and joins.
func TestANewcomerJoinsByALink(t *testing.T) {
	b := browsertest.Start(t)

	for _, by := range ways() {
		t.Run(by.name, func(t *testing.T) {
			s := newDoor(t)
			c := s.newcomer("Nina")

			var invited struct {
				Token string `json:"token"`
			}
			s.c.Do(
				"POST",
				"/organisations/"+s.c.Org+"/invitations",
				object{"email": c.Email, "roles": []string{"viewer"}},
			).
				OK(
					201,
				).Into(
				&invited,
			)

			p := b.Page(t, by.look)
			s.enter(t, p, c, "/console")
			p.Await("input[name='/invitationToken']")
			p.Fill("input[name='/invitationToken']", s.site+"/account/join#"+invited.Token)
			p.Await("main .note b")
			require.Contains(t, p.Text("main .note"), "invites you to join Northwind Trading AG.")
			p.Shot("asked")
			sound(t, p)
			by.goes(t, p, "form:has(input[name='/invitationToken']) .button")
			s.h.Until("he is in", func() bool { return strings.HasSuffix(p.Address(), "/o/"+s.c.Org) })
			p.Await("main h1")
			require.EqualValues(t, 2, s.h.Count("SELECT count(*) FROM members WHERE organisation = ?", s.c.Org))
		})
	}
}

// TestAPersonWithoutAnOrganisationHasHisOwnPage sets up a second factor and asks to be verified before there is any
// organisation. The menu has no page that is not there.
func TestAPersonWithoutAnOrganisationHasHisOwnPage(t *testing.T) {
	b := browsertest.Start(t)

	for _, by := range ways() {
		t.Run(by.name, func(t *testing.T) {
			s := newDoor(t)
			s.h.Environ = append(s.h.Environ, "SLIPWAY_IDV__PROVIDER=manual")
			s.h.Restart()

			c := s.newcomer("Nina")
			p := b.Page(t, by.look)
			s.enter(t, p, c, "/console/me")
			p.Await("main .button.primary")
			p.Await("main:not(:has([aria-busy=true]))")
			require.NotContains(t, p.Text("body"), "Payables")
			p.Shot("you")
			sound(t, p)
			p.Holds(
				`[...document.querySelectorAll('main .button')].find(b => b.innerText === 'Verify yourself').id = 'verify', true`,
			)
			by.goes(t, p, "#verify")
			s.h.Until(
				"he is where documents are handed in",
				func() bool { return strings.Contains(p.Address(), "/verify") },
			)
		})
	}
}

// joinLink is what an admin hands over.
var joinLink = regexp.MustCompile(`/account/join#it_[A-Za-z0-9]+`)

// TestAnAdminSendsAnInvitationAgainAndRevokesIt invites, sees the invitation among the open ones, sends it again, and
// revokes it.
func TestAnAdminSendsAnInvitationAgainAndRevokesIt(t *testing.T) {
	b := browsertest.Start(t)

	for _, by := range ways() {
		t.Run(by.name, func(t *testing.T) {
			s := newDoor(t)
			p := b.Page(t, by.look)
			s.enter(t, p, s.c, s.path("/people"))
			p.Await("input[name='/email']")
			p.Fill("input[name='/email']", "nina@example.org")
			by.goes(t, p, "form:has(input[name='/email']) .button.primary")
			p.Await("section[aria-label=Invitations] td .button")
			require.Contains(t, p.Text("section[aria-label=Invitations]"), "nina@example.org")

			first := joinLink.FindString(p.Text("main .note.good"))
			require.NotEmpty(t, first)
			p.Shot("invited")
			sound(t, p)

			p.Holds("document.querySelector('section[aria-label=Invitations] tbody tr').id = 'old', true")
			by.goes(t, p, "section[aria-label=Invitations] td .button:not(.danger)")
			p.Await("dialog[open] .button.primary")
			p.Shot("again")
			by.goes(t, p, "dialog[open] .button.primary")
			p.Await("main:not(:has(dialog[open]))")
			s.h.Until("there is another link", func() bool {
				now := joinLink.FindString(p.Text("main .note.good"))
				return now != "" && now != first
			})
			s.h.Until("the list has the other one", func() bool { return !p.Holds("!!document.getElementById('old')") })
			require.Len(t, s.c.Mails("nina@example.org"), 2)

			by.goes(t, p, "section[aria-label=Invitations] td .button.danger")
			p.Await("dialog[open] .button.danger")
			by.goes(t, p, "dialog[open] .button.danger")
			p.Await("main:not(:has(section[aria-label=Invitations]))")
			require.Zero(t, s.h.Count("SELECT count(*) FROM invitations WHERE expires_at > ? AND used_at = 0",
				s.h.DB().Now().UnixMicro()))
			sound(t, p)
		})
	}
}

// TestAnOperatorAddsACustomer fills in one form. The admin completes the account by the mailed link, and is led to
// where people sign in.
func TestAnOperatorAddsACustomer(t *testing.T) {
	b := browsertest.Start(t)

	for _, by := range ways() {
		t.Run(by.name, func(t *testing.T) {
			s := newDoor(t)
			two := s.h.Operators()
			p := b.Page(t, by.look)
			s.enter(t, p, two.Client, "/console/ops/organisations")
			p.Await("main .head .button.primary")
			by.goes(t, p, "main .head .button.primary")
			p.Await("input[name='/name']")
			s.countries(p)
			p.Shot("new")
			sound(t, p)
			p.Fill("input[name='/name']", "Neu Handels AG")
			choose(p, "/country", "CH")
			p.Fill("input[name='/firstName']", "Nina")
			p.Fill("input[name='/lastName']", "Neu")
			p.Fill("input[name='/email']", "nina@example.org")
			by.goes(t, p, "main .button.primary")
			p.Await("section[aria-label=People] td")
			require.Contains(t, p.Text("main"), "Neu Handels AG")
			require.Contains(t, p.Text("section[aria-label=People]"), "nina@example.org")
			sound(t, p)

			mails := s.c.Mails("nina@example.org")
			require.Len(t, mails, 1)
			require.Contains(t, mails[0], "/account/complete#")
		})
	}
}
