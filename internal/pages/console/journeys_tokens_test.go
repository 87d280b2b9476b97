//go:build !nosandbox && !noconsole

package console_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/browsertest"
)

// An address in lower case, and one with a checksum of which a letter is mistyped.
const (
	plainAddress = "0x52908400098527886e0f7030069857d2e4169ee7"
	mistyped     = "0x5aaeb6053F3E94C9b9A09f33669435E7Ef1BeAed"
)

// toNewAddress names an address for the first payment of the form.
func (s *stage) toNewAddress(t *testing.T, p *browsertest.Page, by way, address string) {
	t.Helper()
	by.goes(t, p, "li .rest > .link")
	p.Await("dialog[open] select")
	s.h.Until("the payees are listed", func() bool {
		return p.Holds("[...document.querySelectorAll('dialog[open] select option')]" +
			".some(o => o.label.startsWith('Alice Keller'))")
	})
	p.Holds(`(() => {
		const list = document.querySelector('dialog[open] select');
		list.value = [...list.options].find(o => o.label.startsWith('Alice Keller')).value;
		list.dispatchEvent(new Event('change', { bubbles: true }));
		return true;
	})()`)
	p.Fill("dialog[open] input.code", address)
	p.Await("dialog[open] .whole-address")
}

// asTokens opens a new payment of tokens.
func (s *stage) asTokens(p *browsertest.Page) {
	p.Await("form select")
	p.Holds(`(() => {
		const list = document.querySelector('form select');
		list.value = 'CRYPTO';
		list.dispatchEvent(new Event('change', { bubbles: true }));
		return true;
	})()`)
	p.Await("li .rest > .link")
}

// TestTokensGoToANewAddress pays an address that is no stored wallet: it is seen whole, with the known one that it is
// taken for, and with what the service says of it, before anything is submitted. A mistyped letter is found.
func TestTokensGoToANewAddress(t *testing.T) {
	b := browsertest.Start(t)

	for _, by := range ways() {
		t.Run(by.name, func(t *testing.T) {
			s := newDoor(t)
			p := b.Page(t, by.look)
			s.enter(t, p, s.c.Colleague("Ada", "authorized", "initiator"), s.path("/transactions/new"))
			s.asTokens(p)
			s.toNewAddress(t, p, by, mistyped)
			p.Shot("address")
			sound(t, p)
			by.goes(t, p, "dialog[open] .button.primary")
			p.Await("main:not(:has(dialog[open]))")
			p.Fill("input[name='/payments/0/amount']", "12.50")
			p.Fill("input[name='/payments/0/reason']", "Audit")
			by.goes(t, p, "form > .actions .primary")
			p.Await("li .fault")
			p.Complained("422")
			require.Contains(t, p.Text("li .fault"), "checksum")
			p.Shot("mistyped")
			sound(t, p)

			s.toNewAddress(t, p, by, plainAddress)
			by.goes(t, p, "dialog[open] .button.primary")
			p.Await("main:not(:has(dialog[open]))")
			by.goes(t, p, "form > .actions .primary")
			p.Await(".payee .double")
			p.Shot("review")
			sound(t, p)
			require.Contains(t, p.Text(".payee"), "0x 5290 8400 0985 2788 6E0F 7030 0698 57D2 E416 9EE7")
			require.Contains(t, p.Text(".payee .double"), "Nothing was paid to this address")
			require.EqualValues(t, 1, s.h.Count("SELECT count(*) FROM payments WHERE wallet = '' AND address <> ''"))
		})
	}
}

// TestAPolicyAboutPayeesWantsTheWalletStored says so where the address would be typed, as the service would refuse it.
func TestAPolicyAboutPayeesWantsTheWalletStored(t *testing.T) {
	b := browsertest.Start(t)

	for _, by := range ways() {
		t.Run(by.name, func(t *testing.T) {
			s := newDoor(t)
			s.c.Colleague("Berta", "authorized", "admin")
			s.c.Do("PUT", "/organisations/"+s.c.Org+"/approval-policy", object{
				"fourEyes": false, "payeeApproval": true, "payeeDelayHours": 24,
			}).OK(200)

			p := b.Page(t, by.look)
			s.enter(t, p, s.c, s.path("/transactions/new"))
			s.asTokens(p)
			by.goes(t, p, "li .rest > .link")
			p.Await("dialog[open] .note")
			p.Shot("policy")
			sound(t, p)

			for _, words := range []string{"before a second person has approved it", "for 24 hours", "Add the wallet"} {
				require.Contains(t, p.Text("dialog[open]"), words)
			}

			require.False(t, p.Holds("!!document.querySelector('dialog[open] input.code')"))
		})
	}
}
