//go:build !nosandbox && !noconsole

package account_test

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/app/apptest"
	"slipway/internal/platform/browsertest"
)

// ways are how a person goes through a page: with the mouse at a desk, with the keys there, and on a telephone.
func ways() map[string]struct {
	look browsertest.Look
	goes func(p *browsertest.Page, selector string)
} {
	type way = struct {
		look browsertest.Look
		goes func(p *browsertest.Page, selector string)
	}

	keys := func(p *browsertest.Page, selector string) {
		p.TabTo(selector)
		p.Press(browsertest.Enter)
	}
	mouse := func(p *browsertest.Page, selector string) { p.Click(selector) }

	return map[string]way{
		"mouse":     {browsertest.Look{}, mouse},
		"keys":      {browsertest.Look{Dark: true}, keys},
		"telephone": {browsertest.Phone(), mouse},
	}
}

// confirmation is the link of the mail that confirms an address.
var confirmation = regexp.MustCompile(`/account/confirm#lk_[A-Za-z0-9]+`)

// TestANewcomerOpensAnAccount goes from the page that signs in to the one that opens an account, by the mailed link to
// the confirmation, and back to where people sign in. What the service refuses is said at its field, and the rest
// stays.
func TestANewcomerOpensAnAccount(t *testing.T) {
	b := browsertest.Start(t)

	for name, by := range ways() {
		t.Run(name, func(t *testing.T) {
			g := newGuest(t)
			p := b.Page(t, by.look)

			p.Open(g.at + "/console/session")
			p.Await("a[href='/account/register']")
			by.goes(p, "a[href='/account/register']")
			p.Await("#password")
			p.Shot("register")
			p.Fits()
			p.Accessible()
			p.Fill("#firstName", "Nina")
			p.Fill("#lastName", "Neu")
			p.Fill("#email", "nina@example.org")
			p.Fill("#password", "short")
			by.goes(p, sends)
			p.Await("#password[aria-invalid=true]")
			p.Complained("422")
			require.True(t, p.Holds("document.getElementById('email').value === 'nina@example.org'"))

			p.Fill("#password", apptest.Password)
			by.goes(p, sends)
			p.Await("#said.good:focus")
			p.Await("main a.button[href='/console']")
			p.Shot("registered")
			p.Accessible()
			require.Empty(t, p.Complaints())

			mails := g.Mails("nina@example.org")
			require.Len(t, mails, 1)
			p.Open(g.at + confirmation.FindString(mails[0]))
			p.Await(sends)
			by.goes(p, sends)
			p.Await("#said.good:focus")
			by.goes(p, "main a.button[href='/console']")
			p.Await("form[action='/console/session']")
			require.EqualValues(
				t,
				1,
				g.h.Count("SELECT count(*) FROM users WHERE email_confirmed_at > 0 AND email_key = 'nina@example.org'"),
			)
		})
	}
}

// TestAnInvitationSaysWhoInvites names who invites, and says that nobody has verified the organisation while that is
// so. Whoever has joined is led to where people sign in.
func TestAnInvitationSaysWhoInvites(t *testing.T) {
	b := browsertest.Start(t)

	for name, by := range ways() {
		t.Run(name, func(t *testing.T) {
			g := newGuest(t)

			var invited struct {
				Token string `json:"token"`
			}
			g.host.Do("POST", "/organisations/"+g.host.Org+"/invitations",
				apptest.Object{"email": "nina@example.org", "roles": []string{"viewer"}}).OK(201).Into(&invited)
			g.h.Exec("UPDATE organisations SET onboarding_status = 'PENDING' WHERE id = ?", g.host.Org)

			p := b.Page(t, by.look)
			p.Open(g.at + "/account/join#" + invited.Token)
			g.h.Until("the address is filled in", func() bool {
				return p.Holds("document.getElementById('email').value === 'nina@example.org'")
			})
			require.Contains(t, p.Text("#lead"), "Northwind Trading Muster invites you to join Northwind Trading AG.")
			require.Contains(t, p.Text("#lead"), "Nobody has verified yet")
			p.Shot("join")
			p.Fits()
			p.Accessible()
			p.Fill("#firstName", "Nina")
			p.Fill("#lastName", "Neu")
			p.Fill("#password", apptest.Password)
			by.goes(p, sends)
			p.Await("#said.good:focus")
			require.Empty(t, p.Complaints())
			by.goes(p, "main a.button[href='/console']")
			p.Await("form[action='/console/session']")
			require.EqualValues(t, 2, g.h.Count("SELECT count(*) FROM members WHERE organisation = ?", g.host.Org))
		})
	}
}
