//go:build !nosandbox && !noconsole

package console_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/browsertest"
)

// TestAFailedPaymentOfABatchIsSeenAndPaidAgain follows a batch of which one payment could not be made: the list and the
// page of the transaction say so, and from there a draft of just that payment is made, which both pages know of.
func TestAFailedPaymentOfABatchIsSeenAndPaidAgain(t *testing.T) {
	s := newStage(t)
	s.c.StaySignedIn()
	good := s.c.NewBankAccount("EUR", "100")
	closed := s.c.NewBankAccount("EUR", "002")
	id := s.c.FiatAccepted(
		"USDC",
		s.c.FiatPayment(good, "120.00"),
		s.c.FiatPayment(closed, "80.00"),
		s.c.FiatPayment(good, "5.00"),
	)
	s.c.FiatAccepted("USDC", s.c.FiatPayment(good, "9.00"))
	s.h.SettleAll()
	s.c.Ends(id, "COMPLETED", "COMPLETED", "REFUNDED", "COMPLETED")

	for name, look := range map[string]browsertest.Look{"desk": {}, "phone": browsertest.Phone()} {
		p := browsertest.Start(t).Page(t, look)
		s.c.Login()

		p.Open(s.home() + "/transactions")
		p.Await("td .status.partly")
		require.Contains(t, p.Text("tr:has(.status.partly)"), "Paid in part")
		require.Contains(t, p.Text("tr:has(.status.partly)"), "1 of 3 failed")
		p.Shot(name + " list")
		sound(t, p)

		p.Open(s.home() + "/transactions?paymentsFailed=true")
		p.Await("td .status.partly")
		require.True(t, p.Holds("document.querySelectorAll('tbody tr').length === 1"))

		p.Open(s.home() + "/transactions/" + id)
		p.Await("h1 .status.partly")
		require.Contains(
			t,
			p.Text(".note.outcome"),
			"2 of 3 payments paid: 125.00 EUR · 1 failed: 80.00 EUR · 1 refunded: 80.00 EUR",
		)
		p.Shot(name + " transaction")
		sound(t, p)
	}

	p := browsertest.Start(t).Page(t, browsertest.Look{})
	p.Open(s.home() + "/transactions/" + id)
	p.Await("h1 .status.partly")
	require.Contains(t, p.Text(".head .button.primary"), "Pay the failed ones again")
	press(t, p, ".head .button.primary")
	p.Await("input[name='/payments/0/amount']")
	require.True(t, p.Holds("document.querySelector(\"input[name='/payments/0/amount']\").value === '80.00'"))
	require.True(t, p.Holds("document.querySelectorAll('ol > li').length === 1"), "just that payment")
	p.Shot("draft")
	sound(t, p)

	p.Open(s.home() + "/transactions/" + id)
	p.Await("td a")
	require.Contains(t, p.Text("tr:has(td a)"), "Paid again in")
	require.NotContains(t, p.Text(".head"), "Pay the failed ones again")
}

// TestWhatMayBePaidTwiceIsSeenBeforeItIsPaid opens the review page of a payment that another transaction makes already.
func TestWhatMayBePaidTwiceIsSeenBeforeItIsPaid(t *testing.T) {
	s := newStage(t)
	account := s.c.NewBankAccount("EUR", "000")
	first := s.c.FiatSubmitted("USDC", s.c.FiatPayment(account, "100.00"))
	second := s.c.FiatSubmitted("USDC", s.c.FiatPayment(account, "100.00"))

	for name, look := range map[string]browsertest.Look{"desk": {}, "phone": browsertest.Phone()} {
		p := browsertest.Start(t).Page(t, look)
		p.Open(s.home() + "/transactions/" + second + "/review")
		p.Await(".double")
		require.Contains(t, p.Text(".double"), "May be paid already, or twice: the same receiver and amount")
		require.Contains(t, p.Attribute(".double a", "href"), first)
		p.Shot(name)
		sound(t, p)
	}
}
