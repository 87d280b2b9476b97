//go:build !nosandbox && !noconsole

package console_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/browsertest"
)

// TestAnAdminLetsAPersonAccept makes a member one who accepts with one click, and takes it back with another. Nobody
// does that for himself.
func TestAnAdminLetsAPersonAccept(t *testing.T) {
	b := browsertest.Start(t)

	for _, by := range ways() {
		t.Run(by.name, func(t *testing.T) {
			s := newDoor(t)
			admin := s.c.Colleague("Ada", "viewer", "admin")
			s.c.Colleague("Berta", "viewer", "viewer")
			authorized := func() int64 {
				return s.h.Count("SELECT count(*) FROM members WHERE user_type = 'authorized' AND roles = 'viewer'")
			}

			const row = "tr:has(td:first-child .strong)"

			p := b.Page(t, by.look)
			s.enter(t, p, admin, s.path("/people"))
			p.Await(row)
			p.Holds(`[...document.querySelectorAll('tbody tr')].forEach(r => {
				r.id = 'of-' + r.querySelector('.strong').innerText.split(' ')[0];
			}), true`)
			p.Await("#of-Berta td:nth-child(3) .link")
			p.Shot("people")
			sound(t, p)
			require.False(t, p.Holds("!!document.querySelector('#of-Ada td:nth-child(3) .link')"), "not for herself")

			by.goes(t, p, "#of-Berta td:nth-child(3) .link")
			s.h.Until("she accepts", func() bool { return authorized() == 1 })
			s.h.Until("it is shown", func() bool {
				return p.Holds("document.querySelector('#of-Berta td:nth-child(3)').innerText.startsWith('accepts')")
			})
			by.goes(t, p, "#of-Berta td:nth-child(3) .link")
			s.h.Until("she does no more", func() bool { return authorized() == 0 })
			sound(t, p)
		})
	}
}

// TestSentencesAboutRulesAreTheServices shows beside each rule what the service says that it means, also after a
// change.
func TestSentencesAboutRulesAreTheServices(t *testing.T) {
	b := browsertest.Start(t)
	s := newDoor(t)
	s.c.Colleague("Berta", "authorized", "admin")
	s.c.Do("PUT", "/organisations/"+s.c.Org+"/approval-policy", object{
		"fourEyes": true, "payeeApproval": false, "payeeDelayHours": 24,
		"fourEyesLimits": []object{{"currency": "EUR", "amount": "100.00"}},
	}).OK(200)

	p := b.Page(t, browsertest.Look{})
	s.enter(t, p, s.c, s.path("/people"))
	p.Await("input[name='/payeeDelayHours']")
	p.Shot("rules")
	sound(t, p)

	for _, sentence := range s.shown("/organisations/" + s.c.Org + "/approval-policy")["sentences"].([]any) {
		require.Contains(t, p.Text("main"), sentence.(object)["text"])
	}

	require.Contains(t, p.Text("main"), "Up to 100.00 EUR one person is enough.")
}

// TestAnAdminLetsAPersonStandIn has a member accept for another one for some days, by two controls on the page of
// people: the first opens the days, the second sets them. What it means is said in the service's words, and ends there.
func TestAnAdminLetsAPersonStandIn(t *testing.T) {
	b := browsertest.Start(t)

	for _, by := range ways() {
		t.Run(by.name, func(t *testing.T) {
			s := newDoor(t)
			berta := s.c.Colleague("Berta", "viewer", "viewer")
			waiting := s.c.Submitted("USDC", "12.50")

			const cell = "tbody tr:nth-child(2) td:nth-child(3)"

			p := b.Page(t, by.look)
			s.enter(t, p, s.c, s.path("/people"))
			p.Await(cell + " .link:nth-of-type(2)")
			by.goes(t, p, cell+" .link:nth-of-type(2)")
			p.Await("dialog[open] select[name='/standsIn/member']")
			p.Shot("days")
			sound(t, p)
			by.goes(t, p, "dialog[open] .button.primary")
			p.Await("main:not(:has(dialog[open]))")
			s.h.Until(
				"it is said",
				func() bool { return strings.Contains(p.Text(cell), "Accepts for Northwind Trading") },
			)
			require.Contains(
				t,
				p.Text(cell),
				s.shown("/organisations/" + s.c.Org + "/members/" + berta.Member)["standsInText"],
			)
			p.Shot("stands-in")
			sound(t, p)
			berta.Act(waiting, "accept").OK(200)

			by.goes(t, p, cell+" .link:nth-of-type(2)")
			p.Await("dialog[open] .button.danger")
			by.goes(t, p, "dialog[open] .button.danger")
			p.Await("main:not(:has(dialog[open]))")
			s.h.Until("it has ended", func() bool { return !strings.Contains(p.Text(cell), "Accepts for") })
			berta.Act(s.c.Submitted("USDC", "12.50"), "accept").Refused(403, "MEMBER_NOT_AUTHORIZED")
		})
	}
}
