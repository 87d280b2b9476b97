//go:build !nosandbox && !noconsole

package console_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/browsertest"
)

// TestPeopleCommentOnRecords writes a comment on a payment, a payable and a payee, by mouse and by keyboard, on a desk
// and on a telephone. It stands there with its author, and pressing twice writes one comment. A viewer reads and has no
// form.
func TestPeopleCommentOnRecords(t *testing.T) {
	s := newStage(t)
	viewer := s.c.Colleague("Vera", "viewer", "viewer")
	account := s.c.NewBankAccount("EUR", "000")

	const (
		card  = "section.comments"
		field = card + " textarea"
	)

	b := browsertest.Start(t)
	paths := map[string]string{}

	for name, look := range looks() {
		t.Run(name, func(t *testing.T) {
			paths["transactions"] = s.c.Draft("USDC", "7.25")
			paths["payables"] = s.letterheads(account)
			paths["payees"] = s.c.Receiver

			p := b.Page(t, look)

			for kind, id := range paths {
				said := "Called them, the " + kind + " of " + name + " are right."
				before := s.h.Count("SELECT count(*) FROM comments WHERE object = ?", id)

				p.Open(s.home() + "/" + kind + "/" + id)
				p.Await(field)
				p.Click(field)
				p.Type(said)
				p.TabTo(card + " form .button")
				p.Press(browsertest.Enter, browsertest.Enter) // held down: it is written once
				p.Await(card + fmt.Sprintf(" li:nth-child(%d) .said", before+1))
				require.Contains(t, p.Text(card+" ul"), said)
				require.Contains(t, p.Text(card+" ul"), "Northwind Trading Muster")
				p.Shot(kind)
				sound(t, p)
				require.EqualValues(t, before+1, s.h.Count("SELECT count(*) FROM comments WHERE object = ?", id))
			}
		})
	}

	s.member = viewer
	p := b.Page(t, browsertest.Look{})

	for kind, id := range paths {
		p.Open(s.home() + "/" + kind + "/" + id)
		p.Await(card + " .said")
		require.False(t, p.Holds("!!document.querySelector('"+field+"')"))
		sound(t, p)
	}
}
