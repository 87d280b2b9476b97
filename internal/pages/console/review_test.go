//go:build !nosandbox && !noconsole

package console_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/browsertest"
)

// TestAChangedAccountIsSeenBeforeItIsPaid opens the review page of a first payment, of one to the same account, and of
// one to another account of the same payee. The page says what has changed since the last time.
func TestAChangedAccountIsSeenBeforeItIsPaid(t *testing.T) {
	s := newStage(t)
	p := browsertest.Start(t).Page(t, browsertest.Phone())
	first := s.c.NewBankAccount("EUR", "000")
	second := s.c.NewBankAccount("EUR", "010")

	says := func(shot, account string) string {
		id := s.c.FiatSubmitted("USDC", s.c.FiatPayment(account, "100.00"))
		p.Open(s.home() + "/transactions/" + id + "/review")
		p.Await(".last")
		p.Shot(shot)
		sound(t, p)
		s.c.Act(id, "accept").OK(200)
		s.h.SettleAll()
		s.c.Ends(id, "COMPLETED", "COMPLETED")

		return p.Text(".last")
	}

	require.Contains(t, says("first", first), "First payment to this payee")
	require.Contains(t, says("same", first), "Paid before, same account")
	require.Contains(t, says("another", second), "Another account than the last time")
}
