//go:build !nosandbox && !noconsole

package console_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/browsertest"
)

// A finance lead takes along what his list shows, in the columns that he books, on a telephone and by keyboard.
func TestPaymentsAreTakenAlong(t *testing.T) {
	const form = "form[aria-label='Export payments']"

	s := newDoor(t)
	s.c.Accepted("USDC", "12.50", "7.25")
	s.h.SettleAll()
	s.c.Draft("USDC", "3.00")

	p := browsertest.Start(t).Page(t, browsertest.Phone())
	p.Beside(saved, func(string) string { return "" })
	s.signIn(p, s.c, nil, s.path("/transactions?status%5B%5D=COMPLETED"))
	p.Await("main tbody tr")
	press(t, p, "main .head .sub a")
	p.Await(form)
	require.Contains(t, p.Text("main .sub"), "of those that your list shows")

	p.TabTo(form + " select[name='/format']")
	p.Type("Other")
	p.TabTo(form + " fieldset .row button:last-child")
	p.Press(browsertest.Enter)
	require.True(t, p.Holds("document.querySelector(\""+form+" .primary\").disabled"), "a table has columns")

	for _, column := range []string{"payee", "amount"} {
		p.TabTo(form + " input[value=" + column + "]")
		p.Type(" ")
	}

	p.Shot("table")
	press(t, p, form+" .primary")
	require.Equal(t, "payee,amount\r\nAlice Keller,12.50\r\nAlice Keller,7.25\r\n", s.savedText(p))
	sound(t, p)

	press(t, p, form+" .actions a")
	p.Await("main tbody tr")
	require.Contains(t, p.Address(), "status%5B%5D=COMPLETED", "the list is as it was")
}
