//go:build !nosandbox && !noconsole

package console_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/app/apptest"
	"slipway/internal/platform/browsertest"
)

// TestAnOperatorReadsTheHousesBook sees the profit, the balance sheet and the trial balance after a payment to a bank
// account, on a telephone too.
func TestAnOperatorReadsTheHousesBook(t *testing.T) {
	b := browsertest.Start(t)
	s := newDoor(t)
	two := s.h.Operators()
	s.c.FiatAccepted("USDC", s.c.FiatPayment(s.c.NewBankAccount("EUR", "000"), "90.01"))
	s.h.SettleAll()

	reads := func(p *browsertest.Page, who *apptest.Client) {
		p.Beside(saved, func(string) string { return "" })
		s.enter(t, p, who, "/console/ops/books")
		p.Await("section[aria-label='Trial balance'] tbody tr .strong")
		p.Await("section[aria-label='Balance sheet'] tbody tr .strong")

		require.Contains(t, p.Text("section[aria-label='Profit and loss']"), "Fees: commission")
		require.NotContains(t, p.Text("section[aria-label='Profit and loss']"), "Treasury")
		require.Contains(t, p.Text("section[aria-label='Balance sheet']"), "Treasury")
		require.Contains(t, p.Text("section[aria-label='Trial balance']"), "90.01")
		press(t, p, "section[aria-label='Export the books'] button")
		require.Contains(t, s.savedText(p), "bookedOn")
		p.Shot("books")
		sound(t, p)
		p.Fits()
	}

	reads(b.Page(t, browsertest.Look{}), two.Client)
	reads(b.Page(t, browsertest.Phone()), two.Second)
}
