//go:build !nosandbox && !noconsole

package console_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/app/apptest"
	"slipway/internal/platform/browsertest"
	"slipway/internal/rails/bank/banksim"
)

// TestWhatIsOwedIsSeenAndEnds has a member see what the organisation owes and how to pay it, one operator propose that
// a part is paid by a deposit in suspense and ask to write off the rest, and another one agree to both, by keyboard
// alone.
func TestWhatIsOwedIsSeenAndEnds(t *testing.T) {
	b := browsertest.Start(t)
	s := newDoor(t)
	two := s.h.Operators()

	deposit := func(amount, reference string) string {
		return s.h.Deposit(banksim.Deposit{
			Currency:      "EUR",
			Amount:        amount,
			Reference:     reference,
			Sender:        s.c.Name(),
			SenderAccount: apptest.SenderAccount,
		})[0]
	}

	id, reference := s.c.OnrampSubmitted("USDC", "EUR", "2500.00")
	entry := deposit("2500.00", reference)
	s.h.BankUntil("delivered", func() bool { return s.c.Read(id).Status == "COMPLETED" })
	s.h.Control(banksim.Control{Op: "reverse", Entry: entry})
	s.h.BankUntil("owed", func() bool { return s.c.Read(id).Settlement == "RETURNED" })

	member := b.Page(t, browsertest.Phone())
	s.enter(t, member, s.c, s.path(""))
	member.Await("main .note.person a")
	require.Contains(t, member.Text("main .note.person"), "2,500.00")
	press(t, member, "main .note.person a")
	member.Await("section[aria-label=Transfer] img")
	require.Contains(t, member.Text("section[aria-label=Transfer]"), "Reference")
	require.Contains(t, member.Text("section[aria-label=Open]"), "Owed")
	member.Shot("owing")
	member.Fits()
	sound(t, member)

	deposit("1000.00", "a part of what we owe")
	s.h.BankUntil("in suspense", func() bool { return len(s.h.Suspense()) == 1 })

	const owed = "section[aria-label=Owed]"

	codes := map[*apptest.Client]func() string{
		two.Client: s.secondFactor(t, two.Client),
		two.Second: s.secondFactor(t, two.Second),
	}

	// opened is the page of an operator who has just signed in: what moves money wants a recent second factor.
	opened := func(who *apptest.Client, page string, look browsertest.Look) *browsertest.Page {
		p := b.Page(t, look)
		s.signIn(p, who, codes[who], "/console/ops/"+page)

		return p
	}

	says := func(p *browsertest.Page, button, note string) {
		press(t, p, button)
		p.Await("dialog[open] textarea")
		p.TabTo("dialog[open] textarea")
		p.Type(note)
		press(t, p, "dialog[open] .actions .button:last-child")
		p.Await("main:not(:has(dialog[open]))")
	}

	settle := func(who *apptest.Client, word, shot string, look browsertest.Look) {
		p := opened(who, "suspense", look)
		p.Await(owed + " .button")
		require.Contains(t, p.Text(owed+" .button"), word)
		says(p, owed+" .button", "they called")
		p.Shot(shot)
		sound(t, p)
	}

	settle(two.Client, "It settles this", "owed-deposit", browsertest.Look{})
	require.Len(t, s.h.Suspense(), 1, "one person moves nothing")
	settle(two.Second, "Confirm", "owed-deposit-second", browsertest.Phone())
	s.h.BankUntil("a part is settled", func() bool { return len(s.h.Suspense()) == 0 })

	first := opened(two.Client, "owed", browsertest.Look{Dark: true})
	first.Await(owed + " .actions .button")
	require.Contains(t, first.Text(owed), "1,500.00")
	says(first, owed+" .actions .button", "not worth a lawyer")
	first.Await("main:not(:has(" + owed + " .actions .danger))")
	first.Shot("owed-asked")
	sound(t, first)
	open := func() int64 { return s.h.Count("SELECT count(*) FROM receivables WHERE state = 'OPEN'") }
	require.EqualValues(t, 1, open(), "one person moves nothing")

	second := opened(two.Second, "owed", browsertest.Look{})
	second.Await(".actions .primary")
	require.Contains(t, second.Text("main"), "not worth a lawyer")
	says(second, ".actions .primary", "agreed")
	second.Shot("owed-second")
	sound(t, second)

	require.Zero(t, open())
	s.h.Oracle()
}
