//go:build !nosandbox && !noconsole

package console_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/browsertest"
)

// TestATelephoneShowsWholeFiguresAndPayees looks at payments of eighteen decimals on a telephone: no figure is cut, and
// the list names who is paid. What waits for a bank transfer is nothing to decide, so the menu does not count it.
func TestATelephoneShowsWholeFiguresAndPayees(t *testing.T) {
	s := newDoor(t)
	id := s.c.Submitted("DAI", "123456.123456789012345678", "2.5")
	s.c.OnrampSubmitted("USDC", "EUR", "2000.00")

	p := browsertest.Start(t).Page(t, browsertest.Phone())
	s.signIn(p, s.c, nil, s.path("/transactions"))
	p.Await("main:not(:has([aria-busy=true])) td.money")
	require.Contains(t, p.Text("tbody"), "Alice Keller")
	require.Contains(t, p.Text("tbody"), "123,458.623456789012345678")
	p.Shot("list")
	sound(t, p)

	p.Open(s.site + s.path("/transactions/"+id))
	p.Await("main:not(:has([aria-busy=true])) h1 .sum")
	require.Contains(t, p.Text("table"), "123,456.123456789012345678")
	p.Shot("payment")

	p.Resize(1280, 900)
	p.Open(s.site + s.path("/people"))
	p.Await("nav .count")
	require.Contains(t, unseen(p.Text("nav")), "Decide1waiting")
}
