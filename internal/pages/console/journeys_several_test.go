//go:build !nosandbox && !noconsole

package console_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/browsertest"
)

// TestTwoAcceptTogether has an admin make a rule about large payments by keyboard. Then one person agrees, on a
// telephone, sees that she has, and another one accepts; what each sees is who has agreed so far.
func TestTwoAcceptTogether(t *testing.T) {
	b := browsertest.Start(t)
	s := newDoor(t)
	grace := s.c.Colleague("Grace", "authorized", "admin")
	alan := s.c.Colleague("Alan", "authorized", "initiator")

	p := b.Page(t, browsertest.Look{})
	s.enter(t, p, s.c, s.path("/people"))
	p.Await("fieldset > .button")
	press(t, p, "fieldset > .button")
	p.Await("select[name='/acceptRules/0/people']")
	s.set(p, "select[name='/acceptRules/0/currency']", "USDC")
	p.Await("input[name='/acceptRules/0/above']")
	p.Fill("input[name='/acceptRules/0/above']", "ten")
	p.Holds(keepTold)
	p.Press(browsertest.Enter)
	p.Await("input[name='/acceptRules/0/above'][aria-invalid=true]")
	p.Complained("422")
	p.Shot("refused")
	p.Fill("input[name='/acceptRules/0/above']", "10")
	p.Press(browsertest.Enter)
	s.hears(p, "Save: done.")
	s.h.Until("it is said what that means", func() bool {
		return strings.Contains(p.Text("main"), "2 people accept every payment above 10.00 USDC together.")
	})
	p.Shot("rule")
	sound(t, p)

	id := alan.Submitted("USDC", "12.50")

	phone := b.Page(t, browsertest.Look{Width: 390, Height: 844, Touch: true})
	s.enter(t, phone, grace, s.path("/transactions/"+id+"/review"))
	phone.Await("form .button.primary")
	require.Contains(t, phone.Text("main"), "Nobody has agreed yet.")
	require.Contains(t, phone.Text("form .button.primary"), "Agree to pay 12.")
	phone.Shot("agree")
	phone.Fits()
	sound(t, phone)
	phone.Click("form .button.primary")
	phone.Await("h1 .status")
	s.h.Until("she has agreed", func() bool { return s.h.Count("SELECT count(*) FROM agreements") == 1 })
	phone.Await(".note")
	require.Contains(t, phone.Text("main"), "You have agreed.")
	require.False(t, phone.Holds("!!document.querySelector('.head a.button.primary')"), "nothing is left for her")
	phone.Shot("agreed")
	phone.Fits()
	sound(t, phone)

	desk := b.Page(t, browsertest.Look{})
	s.enter(t, desk, alan, s.path("/decide"))
	desk.Await("a.button.primary")
	press(t, desk, "a.button.primary")
	desk.Await("form .button.primary")
	require.Contains(t, desk.Text("main"), "Agreed so far: Grace")
	desk.Shot("accept")
	press(t, desk, "form .button.primary")
	desk.Await("h1 .status.moving")
}
