//go:build !nosandbox && !noconsole

package console_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/payments/transaction"
	"slipway/internal/platform/browsertest"
)

// TestAnOperatorPausesANetworkAndAnotherResumesIt has one operator pause a network with a reason, and see what that
// does not stop. What is accepted meanwhile waits. Another operator reads who paused it and why, and resumes it: each
// in a browser of his own and by keyboard alone.
func TestAnOperatorPausesANetworkAndAnotherResumesIt(t *testing.T) {
	b := browsertest.Start(t)
	s := newDoor(t)
	two := s.h.Operators()
	id := s.c.Submitted("USDC", "12.50")

	p := b.Page(t, browsertest.Look{})
	s.enter(t, p, two.Client, "/console/ops/rails")
	p.Await("main .actions .danger")
	press(t, p, "main .actions .danger")
	p.Await("dialog[open] textarea")
	require.Contains(t, p.Text("dialog[open]"), "what they send waits here")
	p.TabTo("dialog[open] textarea")
	p.Type("The nodes disagree")
	p.Shot("asked")
	p.TabTo("dialog[open] button.danger")
	p.Press(browsertest.Enter, browsertest.Enter) // held down: it happens once
	p.Await("main:not(:has(dialog[open])) .note.person")
	require.Contains(t, p.Text("main .note.person"), "Paused by Olga")
	require.Contains(t, p.Text("main ul"), "Sends that have a nonce are sent and observed: 0 now.")
	p.Shot("paused")
	sound(t, p)

	const waits = "SELECT count(*) FROM chain_sends WHERE state = 'PLANNED'"

	s.c.Act(id, "accept").OK(200)
	s.h.Until("it waits", func() bool { return s.h.Count(waits) == 1 })

	second := b.Page(t, browsertest.Phone())
	s.enter(t, second, two.Second, "/console/ops/rails")
	second.Await("main .note.person")
	require.Contains(t, second.Text("main .note.person"), "Paused by Olga")
	require.Contains(t, second.Text("main .note.person"), "The nodes disagree")
	require.Contains(t, second.Text("main dl"), "1 planned")
	second.Shot("second")
	sound(t, second)
	press(t, second, "main .actions .button")
	second.Await("dialog[open] button.primary")
	require.EqualValues(t, 1, s.h.Count(waits), "nothing is sent")
	second.TabTo("dialog[open] button.primary")
	second.Press(browsertest.Enter, browsertest.Enter)
	second.Await("main:not(:has(dialog[open], .note.person)) .actions .danger")
	sound(t, second)

	s.h.Settle()
	s.c.Ends(id, transaction.StatusCompleted, transaction.PaymentCompleted)
	require.EqualValues(t, 1, s.h.Count("SELECT count(*) FROM chain_sends"), "it is sent once")
	s.h.Oracle()
}
