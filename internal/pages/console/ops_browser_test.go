//go:build !nosandbox && !noconsole

package console_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/app"
	"slipway/internal/app/apptest"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/browsertest"
	"slipway/internal/rails/bank/banksim"
	"slipway/internal/rails/screening"
)

// TestTwoOperatorsSettleADeposit has one operator propose what a deposit in suspense pays, and another one carry it
// out, each in a browser of his own and by keyboard alone.
func TestTwoOperatorsSettleADeposit(t *testing.T) {
	b := browsertest.Start(t)
	s := newDoor(t)
	two := s.h.Operators()

	id, _ := s.c.OnrampSubmitted("USDC", "EUR", "2000.00")
	s.h.Deposit(banksim.Deposit{
		Currency:      "EUR",
		Amount:        "2000.00",
		Reference:     "without a reference",
		Sender:        s.c.Name(),
		SenderAccount: apptest.SenderAccount,
	})
	s.h.BankUntil("in suspense", func() bool { return len(s.h.Suspense()) == 1 })

	decide := func(who *apptest.Client, shot, says string, look browsertest.Look) {
		p := b.Page(t, look)

		s.enter(t, p, who, "/console/ops/suspense")
		p.Await("section[aria-label=Candidates] button.primary")
		require.Contains(t, p.Text("section[aria-label=Deposit]"), "names no reference")
		require.Contains(t, p.Text("section[aria-label=Candidates]"), "✓ amount")
		require.Contains(t, p.Text("section[aria-label=Candidates]"), "✗ reference")
		require.Contains(t, p.Text("section[aria-label=Candidates] button.primary"), says)
		p.Shot(shot)
		sound(t, p)

		p.TabTo("section[aria-label=Candidates] button.primary")
		p.Press(browsertest.Enter)
		p.Await("dialog[open] textarea")
		p.TabTo("dialog[open] textarea")
		p.Type("he called")
		p.TabTo("dialog[open] button.primary, dialog[open] button[type=submit]")
		p.Shot(shot + "-asked")
		p.Press(browsertest.Enter, browsertest.Enter) // held down: it happens once
		p.Await("main:not(:has(dialog[open]))")
	}

	decide(two.Client, "suspense", "It pays this", browsertest.Look{})
	require.Len(t, s.h.Suspense(), 1, "one person moves nothing")

	decide(two.Second, "suspense-second", "Confirm", browsertest.Phone())
	s.h.BankUntil("it is matched", func() bool { return len(s.h.Suspense()) == 0 })
	s.h.SettleAll()
	s.c.Ends(id, "COMPLETED", "COMPLETED")
}

// uncertain has the bank refuse a payment as a duplicate: nobody knows whether it was executed.
func (s *stage) uncertain() (transactionID string) {
	s.h.Control(banksim.Control{Op: "duplicate_reject", Count: 1})
	id := s.c.FiatAccepted("USDC", s.c.FiatPayment(s.c.NewBankAccount("EUR", "100"), "100.00"))
	s.h.BankUntil("held", func() bool { return s.c.Read(id).Payments[0].Status == transaction.PaymentUnknown })

	return id
}

// TestTwoOperatorsEndAnUncertainPayment has one operator look at the evidence, choose what becomes of the money and say
// why, and another one decide, each in a browser of his own and by keyboard alone.
func TestTwoOperatorsEndAnUncertainPayment(t *testing.T) {
	b := browsertest.Start(t)
	s := newDoor(t)
	two := s.h.Operators()
	id := s.uncertain()

	p := b.Page(t, browsertest.Look{})
	s.enter(t, p, two.Client, "/console/ops")
	p.Await("td a.whole")
	p.Shot("desk")
	sound(t, p)
	press(t, p, "td a.whole")
	p.Await(".choices .button")
	require.Contains(t, p.Text(".facts"), "No statement that was read has booked a debit for it.")
	require.Contains(t, p.Text(".choices"), "Its amount goes back to the organisation.")
	p.Shot("evidence")
	sound(t, p)

	press(t, p, ".choices li:last-child .button")
	p.Await("dialog[open] textarea")
	p.TabTo("dialog[open] textarea")
	p.Type("The clerk has no such payment")
	p.Shot("asked")
	press(t, p, "dialog[open] button.primary, dialog[open] button[type=submit]")
	p.Await("main:not(:has(dialog[open], .choices)) .note:not(.person)")
	require.Contains(t, p.Text("main"), "somebody else decides")
	require.False(t, p.Holds("!!document.querySelector('.choices')"), "it is asked for once")
	sound(t, p)
	require.Equal(t, transaction.PaymentUnknown, s.c.Read(id).Payments[0].Status, "one person moves nothing")

	second := b.Page(t, browsertest.Phone())
	s.enter(t, second, two.Second, "/console/ops/held")
	second.Await(".actions .primary")
	require.Contains(t, second.Text("main"), "The clerk has no such payment")
	second.Shot("second")
	sound(t, second)
	press(t, second, ".actions .primary")
	second.Await("dialog[open] textarea")
	second.TabTo("dialog[open] textarea")
	second.Type("Called, too")
	second.TabTo("dialog[open] button.primary")
	second.Press(browsertest.Enter, browsertest.Enter) // held down: it happens once
	second.Await("main:not(:has(dialog[open]))")

	s.h.SettleAll()
	require.Equal(t, transaction.PaymentRefunded, s.c.Read(id).Payments[0].Status)
	s.h.Oracle()
	second.Open(s.site + "/console/ops/held")
	second.Await("main h1")
	second.Await("main section[aria-label='Recently decided']")
	second.Shot("over")
	sound(t, second)
}

// TestTwoPeopleClearAName has a payee whose name is like a listed one compared with it by two of the platform's people,
// each in a browser of his own and by keyboard alone. After both said that it is somebody else, the payment can be
// submitted.
func TestTwoPeopleClearAName(t *testing.T) {
	b := browsertest.Start(t)
	path := filepath.Join(t.TempDir(), "list.txt")
	require.NoError(t, os.WriteFile(path, []byte("name: Nobody In Particular\n"), 0o600))
	lists, err := screening.NewLists(path)
	require.NoError(t, err)

	s := newDoorWith(t, apptest.Config{Tune: func(out *app.Outside) {
		out.Screening = app.Screening{Addresses: lists, Names: lists, Lists: lists}
	}})
	two := s.h.Operators()
	id := s.c.Draft("USDC", "1.00")
	require.NoError(t, os.WriteFile(path, []byte("name: KELLER, Alice\n"), 0o600))
	require.NoError(t, lists.Reload())
	s.c.Act(id, "submit").Refused(422, "NAME_SCREENING_REJECTED")

	for n, who := range []*apptest.Client{two.Client, two.Second} {
		p := b.Page(t, []browsertest.Look{{}, browsertest.Phone()}[n])
		s.enter(t, p, who, "/console/ops/cases")
		p.Await("div > .actions > .button:not(.danger)")
		require.Contains(t, p.Text("main"), "KELLER, Alice")
		p.Shot("case")
		sound(t, p)
		press(t, p, "div > .actions > .button:not(.danger)")
		p.Await("dialog[open] textarea")
		p.TabTo("dialog[open] textarea")
		p.Type("Born in another year")
		p.TabTo("dialog[open] button.primary")
		p.Press(browsertest.Enter, browsertest.Enter) // held down: it is one word
		p.Await("main:not(:has(dialog[open]))")

		if n == 0 {
			p.Await(".note.person")
			require.Contains(t, p.Text("main"), "somebody else has to confirm it")
			s.c.Act(id, "submit").Refused(422, "NAME_SCREENING_REJECTED")
		}

		sound(t, p)
	}

	s.c.Act(id, "submit").OK(200)
}

// TestAnOperatorImportsABanksFile drops a file of a bank onto the page. The second time nothing is new.
func TestAnOperatorImportsABanksFile(t *testing.T) {
	b := browsertest.Start(t)
	s := newDoor(t)
	two := s.h.Operators()

	s.c.FiatAccepted("USDC", s.c.FiatPayment(s.c.NewBankAccount("EUR", "100"), "100.00"))
	s.h.SettleAll()

	file := filepath.Join(t.TempDir(), "note.txt")
	require.NoError(t, os.WriteFile(file, []byte("no message of a bank"), 0o600))

	p := b.Page(t, browsertest.Look{})
	s.enter(t, p, two.Client, "/console/ops/files")
	p.Await("main table")
	p.Shot("files-in")
	sound(t, p)

	p.Drop("main", file)
	p.Await("section[aria-label=Import] b")
	require.Contains(t, p.Text("section[aria-label=Import]"), "Quarantined")
	p.Shot("files-imported")
	sound(t, p)

	p.Open(s.site + "/console/ops/files?direction=OUT")
	p.Await("main table")
	require.Contains(t, p.Text("main table"), "100")
	p.Shot("files-out")
	sound(t, p)
}

// TestOperatorsPagesFit opens the operators' pages on four screens, and pauses a network with a reason.
func TestOperatorsPagesFit(t *testing.T) {
	b := browsertest.Start(t)
	s := newStage(t)
	two := s.h.Operators()
	s.member = two.Client

	s.uncertain()
	two.Do("POST", "/operations/rails/net_dev/pause", apptest.Object{
		"paused": true,
		"reason": "The nodes disagree",
	}).OK(200)
	s.h.Deposit(banksim.Deposit{
		Currency:      "EUR",
		Amount:        "17.00",
		Reference:     "of nobody",
		Sender:        "Niemand Bekannt",
		SenderAccount: apptest.SenderAccount,
	})
	s.h.BankUntil("in suspense", func() bool { return len(s.h.Suspense()) == 1 })

	for name, look := range map[string]browsertest.Look{
		"320":  {Width: 320, Height: 700},
		"390":  browsertest.Phone(),
		"768":  {Width: 768, Height: 900, Dark: true},
		"1280": {},
	} {
		t.Run(name, func(t *testing.T) {
			p := b.Page(t, look)

			for _, page := range []string{"", "cases", "held", "suspense", "owed", "files", "ledger", "organisations", "rails"} {
				p.Open(strings.TrimSuffix(s.site+"/console/ops/"+page, "/"))
				p.Await("main h1")
				p.Await("main:not(:has([aria-busy=true]))")
				p.Shot("ops" + page)
				p.Fits()
				require.Empty(t, p.Complaints(), page)

				if look.Dark || look.Width == 0 {
					p.Accessible()
				}
			}

			require.Contains(t, p.Text("main"), "The nodes disagree")
		})
	}
}
