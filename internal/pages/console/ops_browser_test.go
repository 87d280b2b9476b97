//go:build !nosandbox && !noconsole

package console_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/app/apptest"
	"slipway/internal/platform/browsertest"
	"slipway/internal/rails/bank/banksim"
)

// TestTwoOperatorsSettleADeposit has one operator propose what a deposit in suspense pays, and another one carry it out,
// each in a browser of his own and by keyboard alone.
func TestTwoOperatorsSettleADeposit(t *testing.T) {
	b := browsertest.Start(t)
	s := newStage(t)
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
		s.member = who
		p := b.Page(t, look)

		p.Open(s.site + "/console/ops/suspense")
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

// TestAnOperatorImportsABanksFile drops a file of a bank onto the page. The second time nothing is new.
func TestAnOperatorImportsABanksFile(t *testing.T) {
	b := browsertest.Start(t)
	s := newStage(t)
	two := s.h.Operators()
	s.member = two.Client

	s.c.FiatAccepted("USDC", s.c.FiatPayment(s.c.NewBankAccount("EUR", "100"), "100.00"))
	s.h.SettleAll()

	file := filepath.Join(t.TempDir(), "note.txt")
	require.NoError(t, os.WriteFile(file, []byte("no message of a bank"), 0o600))

	p := b.Page(t, browsertest.Look{})
	p.Open(s.site + "/console/ops/files")
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

			for _, page := range []string{"suspense", "files", "rails"} {
				p.Open(s.site + "/console/ops/" + page)
				p.Await("main h1")
				p.Await("main:not(:has([aria-busy=true]))")
				p.Shot(page)
				p.Fits()
				require.Empty(t, p.Complaints(), page)

				if look.Dark || look.Width == 0 {
					accessible(t, p)
				}
			}

			require.Contains(t, p.Text("main"), "The nodes disagree")
		})
	}
}
