//go:build !nosandbox && !noconsole

package console_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/browsertest"
	"slipway/internal/platform/web"
)

// TestAnApproverDecidesOnATelephone has a member accept a payment with her second factor, confirm a payee's account and
// approve a payable, with a thumb on a screen of 390 pixels. What she taps is nowhere smaller than the thumb.
func TestAnApproverDecidesOnATelephone(t *testing.T) {
	s := newDoor(t)
	berta := s.c.Colleague("Berta", "authorized", "approver", "admin")
	payment := s.c.Submitted("USDC", "1250.50")
	account := s.c.NewBankAccount("EUR", "000")
	payable := s.letterheads(account)
	s.c.Do("PUT", "/organisations/"+s.c.Org+"/approval-policy", object{
		"fourEyes": true, "payeeApproval": true, "payeeDelayHours": 0,
	}).OK(200)
	s.c.NewBankAccount("GBP", "000")
	code := s.secondFactor(t, berta)

	look := browsertest.Phone()
	look.Touch = true
	p := browsertest.Start(t).Page(t, look)
	s.signIn(p, berta, code, s.path("/decide"))
	s.h.World.Clock.Advance(web.StepUpLifetime)
	p.Await("a.button.primary")
	p.Shot("decide")
	sound(t, p)

	p.Tap("a.button.primary")
	p.Tap("form .button.primary")
	p.Tap("input[autocomplete=one-time-code]")
	p.Complained("403")
	p.Type(code())
	p.Shot("code")
	p.Tap("form .button.primary")
	p.Await("h1 .status.moving, h1 .status.good")
	sound(t, p)

	const confirm = "section.card[aria-label] .actions > .button.primary:enabled"

	p.Tap(".bottom a[href$='/decide']")
	p.Await(confirm)
	require.Contains(
		t,
		p.Text("section.card[aria-label] .code.strong"),
		"601613 · 3192 6000",
		"the bank and the whole number",
	)
	p.Shot("change")
	sound(t, p)
	p.Tap(confirm)
	p.Tap("dialog[open] .button.primary")
	p.Await("main:not(:has(dialog[open]))")
	s.h.Until("it is confirmed", func() bool {
		return s.h.Count("SELECT count(*) FROM approvals WHERE status = 'PENDING' AND organisation = ?", s.c.Org) == 0
	})

	p.Tap(".bottom a[href$='/payables']")
	p.Tap(".item a.whole")
	p.Await(".doc .button.primary")
	p.Shot("payable")
	sound(t, p)
	p.Tap(".doc .button.primary")
	s.h.Until("it is approved", func() bool {
		return s.h.Count("SELECT count(*) FROM payables WHERE id = ? AND status = 'APPROVED'", payable) == 1
	})

	s.h.Settle()
	s.c.Ends(payment, "COMPLETED", "COMPLETED")
	require.EqualValues(t, 1, s.h.Count("SELECT count(*) FROM chain_sends"), "it is sent once")
}

// TestAQuoteThatEndedIsAskedAgain accepts after the quote has ended. The answer is 409: the page shows both rates and
// the new sum, keeps the form, and the next press accepts that.
func TestAQuoteThatEndedIsAskedAgain(t *testing.T) {
	s := newDoor(t)
	id := s.c.FiatSubmitted("USDC", s.c.FiatPayment(s.c.NewBankAccount("EUR", "000"), "100.00"))
	p := browsertest.Start(t).Page(t, browsertest.Look{})
	s.signIn(p, s.c, nil, s.path("/transactions/"+id+"/review"))
	p.Await("form .button.primary")
	s.h.World.Clock.Advance(11 * time.Minute)

	press(t, p, "form .button.primary")
	p.Await("form > .note")
	require.Contains(t, p.Text("form > .note"), "The rate has changed.")
	require.NotContains(t, p.Text("form > .note"), "undefined")
	s.forget(p, "409")
	p.Shot("new-rate")
	sound(t, p)
	require.EqualValues(t, 0, s.h.Count("SELECT count(*) FROM chain_sends"))

	version := s.c.Read(id).Version
	require.NotZero(t, version)
	p.Await("form .button.primary:enabled")
	press(t, p, "form .button.primary")
	p.Await("h1 .status.moving")
	s.h.SettleAll()
	s.c.Ends(id, "COMPLETED", "COMPLETED")
	require.EqualValues(t, 1, s.h.Count("SELECT count(*) FROM chain_sends"), "it is sent once")
	require.Empty(t, p.Complaints())
}

// unread fails to answer what an account is, until the test allows it.
const unread = `
	const real = window.fetch;
	window.fetch = async (...asked) => {
		const url = new URL(asked[0].url ?? asked[0], location.href);
		if (window.readable || !url.pathname.startsWith('/bank-accounts/')) return real(...asked);
		return Response.json({status: 503, code: 'UNAVAILABLE', detail: 'Try again.'}, {status: 503});
	};`

// TestNobodyConfirmsANumberThatIsNotShown has the number of a payee's account not come: what cannot be seen cannot be
// confirmed, until it is read again.
func TestNobodyConfirmsANumberThatIsNotShown(t *testing.T) {
	s := newDoor(t)
	berta := s.c.Colleague("Berta", "authorized", "approver", "admin")
	s.c.Do("PUT", "/organisations/"+s.c.Org+"/approval-policy", object{
		"fourEyes": true, "payeeApproval": true, "payeeDelayHours": 0,
	}).OK(200)
	s.c.NewBankAccount("EUR", "000")
	code := s.secondFactor(t, berta)

	p := browsertest.Start(t).Page(t, browsertest.Look{})
	p.Beside(unread, func(string) string { return "" })
	s.signIn(p, berta, code, s.path("/decide"))

	const confirm = "section.card[aria-label] .actions > .button.primary"

	p.Await("section.card[aria-label] .refusal button")
	p.Await(confirm + ":disabled")
	p.Shot("unread")
	sound(t, p)

	p.Holds("window.readable = true")
	p.Holds("document.querySelector('section.card[aria-label] .refusal button').click(), true")
	p.Await(confirm + ":enabled")
	require.Contains(t, p.Text("section.card[aria-label] .code.strong"), "CH33 0076 2011")
}
