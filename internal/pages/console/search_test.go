//go:build !nosandbox && !noconsole

package console_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/browsertest"
)

// TestOneBoxFindsEverything searches from one box: a payee by name, with what is paid to it; a payment by its amount
// as pages write it; a person by mail address; a wallet by the end of its address. Rows are reached by click, tap and
// arrow.
func TestOneBoxFindsEverything(t *testing.T) {
	b := browsertest.Start(t)

	for _, by := range ways() {
		t.Run(by.name, func(t *testing.T) {
			s := newDoor(t)
			ada := s.c.Colleague("Ada", "authorized", "initiator")
			id := s.c.Submitted("USDC", "1250.50")
			s.letterheads(s.c.NewBankAccount("EUR", "000"))

			p := b.Page(t, by.look)
			s.enter(t, p, ada, s.path(""))
			p.Await("main h1")

			searches := func(term string) {
				p.Press("/")
				p.Control("a")
				p.Type(term)
				p.Press(browsertest.Enter)
				s.h.Until("it was searched for", func() bool {
					return p.Holds("document.querySelector('main h1')?.innerText.includes('" + term + "') === true")
				})
				p.Await("main:not(:has([aria-busy=true]))")
			}

			searches("Alice")

			for _, group := range []string{"Payees", "Transactions"} {
				p.Await("section[aria-label=" + group + "] a.hit")
			}

			p.Shot("found")
			sound(t, p)

			searches("Letterheads")
			p.Await("section[aria-label=Payables] a.hit")

			searches("Ada")
			p.Await("section[aria-label=People] a.hit")

			searches(s.c.Payer.Address.Hex()[36:])
			p.Await("section[aria-label=Wallets] a.hit")

			searches("nothing of this name")
			p.Await("main .empty")
			sound(t, p)

			searches("1,250.50")
			p.Await("section[aria-label=Transactions] a.hit[href$='" + id + "']")

			if by.name == "keyboard" {
				p.Press(browsertest.Down)
				p.Press(browsertest.Enter)
			} else {
				by.goes(t, p, "a.hit[href$='"+id+"']")
			}

			p.Await("h1 .sum")
			require.Contains(t, p.Text("h1"), "1,250.50")
		})
	}
}
