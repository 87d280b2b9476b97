//go:build !nosandbox && !noconsole

package console_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/app/world"
	"slipway/internal/platform/browsertest"
)

// TestAPayeeIsFoundAmongThreeHundred pays one of three hundred payees. The list holds the newest 250; the others are
// found by name, and by the lines of a sheet.
func TestAPayeeIsFoundAmongThreeHundred(t *testing.T) {
	s := newDoor(t)

	for n := range 300 {
		c := *s.c
		c.Receiver = s.c.NewReceiver(fmt.Sprintf("Receiver%03d", n))
		c.NewBankAccount("EUR", fmt.Sprintf("%03d", n))
	}

	const (
		list   = "select[name='/payments/0/bankAccount']"
		chosen = "document.querySelector(%q).selectedOptions[0].label.startsWith(%q)"
		listed = "document.querySelector(%q).textContent.includes(%q)"
	)

	p := browsertest.Start(t).Page(t, browsertest.Look{})
	s.enter(t, p, s.c.Colleague("Ada", "authorized", "initiator"), s.path("/transactions/new"))
	p.Await(".whom input")
	p.Await(".whom input")
	s.h.Until("the newest are listed", func() bool { return p.Holds(fmt.Sprintf(listed, list, "Receiver299 Keller")) })
	require.False(t, p.Holds(fmt.Sprintf(listed, list, "Receiver000 Keller")))
	p.Fill(".whom input", "receiver000")
	s.h.Until("he is found", func() bool { return p.Holds(fmt.Sprintf(chosen, list, "Receiver000 Keller")) })
	p.Shot("found")
	sound(t, p)
	p.Fill("input[name='/payments/0/amount']", "12.50")
	p.Fill("input[name='/payments/0/reason']", "Wages")
	press(t, p, "form .actions .primary")
	p.Await(".payee")
	require.Contains(t, p.Text(".payee"), "Receiver000 Keller")

	p.Open(s.home() + "/transactions/new")
	p.Await(".whom input")
	p.Fill(".whom input", "nobody of this name")
	s.h.Until("nobody is found", func() bool { return p.Text(".whom > .hint") == "Nobody is found" })
	press(t, p, "header .link")
	p.Await("dialog[open] textarea")
	p.TabTo("dialog[open] textarea")
	p.Paste("Receiver001 Keller\t10.00\tWages")
	press(t, p, "dialog[open] .primary")
	p.Await("main:not(:has(dialog[open]))")
	s.h.Until("he is in the list", func() bool { return p.Holds(fmt.Sprintf(chosen, list, "Receiver001 Keller")) })
	require.False(t, p.Holds("!!document.querySelector('.whom input')"), "all payees have been read")
}

// likeness is an address as somebody makes it who wants it to be taken for another one: its ends are the same.
const (
	genuine  = "0x5290840009852788600f7030069857d2e4169ee7"
	likeness = "0x5290c1aa77b3f0be2d6e0b915f3c48d07a339ee7"
)

// TestALookalikeIsShownBesideTheKnownOne has one member look at the payment to a wallet whose address begins and ends
// like one that is known, and at its payee, and another one decide about it, each on a telephone of her own. Each page
// shows both, with the difference marked, and the wallet is refused.
func TestALookalikeIsShownBesideTheKnownOne(t *testing.T) {
	b := browsertest.Start(t)
	s := newDoor(t)
	ada := s.c.Colleague("Ada", "authorized", "initiator")
	berta := s.c.Colleague("Berta", "authorized", "approver", "admin")
	store := func(receiver, address string) {
		s.c.Do("POST", "/wallets", object{
			"address": address, "network": world.NetworkID, "type": "EOA", "receiver": receiver,
		}).OK(201)
		s.h.RunJobs()
	}
	store(s.c.NewReceiver("Genuine"), genuine)
	other := s.c.NewReceiver("Other")

	draft := func(to string) string {
		return s.c.Do("POST", "/transactions", s.c.Body("USDC", object{
			"type":          "CRYPTO",
			"receiver":      other,
			"walletAddress": to,
			"walletType":    "EOA",
			"network":       world.NetworkID,
			"amount":        "1.00",
			"reason":        "Invoice",
		})).OK(201).ID()
	}
	strange := draft(likeness)
	known := draft(genuine)

	s.c.Do("PUT", "/organisations/"+s.c.Org+"/approval-policy", object{
		"fourEyes": true, "payeeApproval": true, "payeeDelayHours": 0,
	}).OK(200)
	store(other, likeness)

	marks := func(p *browsertest.Page, page string) {
		p.Await(".alike mark")
		require.Contains(t, p.Text(".alike"), "Genuine Keller", page)
		require.Contains(t, p.Text(".alike"), "0x 5290 8400", page)
		require.NotContains(t, p.Text(".alike mark"), "5290", page)
		p.Shot("alike" + strings.ReplaceAll(page, "/", "-"))
		p.Fits()
		p.Accessible()
	}

	p := b.Page(t, browsertest.Phone())
	review := "/transactions/" + strange + "/review"
	s.enter(t, p, ada, s.path(review))
	marks(p, review)
	p.Open(s.home() + "/payees/" + other)
	marks(p, "/payees/"+other)

	p.Open(s.home() + "/transactions/" + known + "/review")
	p.Await(".payee")
	p.Await(".alike mark") // the likeness is known now, too: the genuine one is shown beside it
	require.Contains(t, p.Text(".alike"), "Other Keller")

	second := b.Page(t, browsertest.Phone())
	s.enter(t, second, berta, s.path("/decide"))
	marks(second, "/decide")
	press(t, second, "section.card[aria-label] .actions > .danger")
	second.Await("dialog[open] textarea")
	second.TabTo("dialog[open] textarea")
	second.Type("Not the one we know")
	press(t, second, "dialog[open] button.danger")
	second.Await("main:not(:has(dialog[open]))")
	require.EqualValues(t, 1, s.h.Count("SELECT count(*) FROM approvals WHERE status = 'REJECTED'"))
}
