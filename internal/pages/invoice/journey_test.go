//go:build !nosandbox

package invoice_test

import (
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/app/apptest"
	"slipway/internal/app/world"
	"slipway/internal/platform/browsertest"
	"slipway/internal/platform/db/dbtest"
)

// walletBeside puts a wallet beside a page (EIP-6963, EIP-1193), which signs with an account's key.
func walletBeside(t *testing.T, p *browsertest.Page, owner world.Account) {
	t.Helper()

	const script = `const provider = Object.freeze({
	request: async ({ method, params }) => (method === 'eth_requestAccounts' ? ['%s'] : ask(params[0])),
});
const detail = Object.freeze({ info: Object.freeze({ uuid: '1', name: 'Birch' }), provider });
addEventListener('eip6963:requestProvider', () => dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail })));`

	p.Beside(fmt.Sprintf(script, owner.Address.Hex()), func(text string) string {
		raw, err := hex.DecodeString(strings.TrimPrefix(text, "0x"))
		if err != nil {
			return err.Error()
		}

		return signed(t, owner, string(raw))
	})
}

// outsider is an outside party in front of the hosted pages, with a browser in one language.
type outsider struct {
	t        *testing.T
	p        *browsertest.Page
	language string
}

// on awaits a step, in the language, the name and the colour of who asks.
func (o outsider) on(step string) {
	o.t.Helper()
	o.p.Await("main[data-step=" + step + "]")
	require.True(o.t, o.p.Holds("document.documentElement.lang === '"+o.language+"'"), step)
	require.True(
		o.t,
		o.p.Holds("getComputedStyle(document.documentElement).getPropertyValue('--own').trim() === '#7a1fa2'"),
	)
	require.Contains(o.t, o.p.Text("body"), "Northwind", step)
	o.p.Shot(step)
	o.p.Accessible()
}

// next goes on by the page's own button.
func (o outsider) next() {
	o.t.Helper()
	o.p.TabTo("main button")
	o.p.Submit()
}

// introduces opens a link and says who sends the invoice.
func (o outsider) introduces(address string) {
	o.t.Helper()
	o.p.Open(address)
	o.on("you")
	o.p.Fill("#legalName", "Keller Übersetzungen GmbH")
	o.p.Fill("#addressLine1", "Seestrasse 14")
	o.p.Fill("#postCode", "8002")
	o.p.Fill("#city", "Zürich")
	o.p.Holds("document.querySelector('#countryIsoCode').value = 'CH', true")
	o.next()
	o.on("way")
}

// follows opens the link again and again while a member approves the invoice and it is paid.
func (o outsider) follows(s *scene, address, payable string) {
	o.t.Helper()
	stands := func(words map[string]string) {
		o.t.Helper()
		o.p.Open(address)
		o.on("done")
		require.Contains(o.t, o.p.Text("h1"), words[o.language])
		o.p.Fits()
	}

	stands(map[string]string{"en": "being looked at", "de": "wird geprüft", "fr": "est examinée"})
	s.approve("Berta"+o.language, payable)
	stands(map[string]string{"en": "is approved", "de": "ist freigegeben", "fr": "est approuvée"})
	s.paid(payable)
	stands(map[string]string{"en": "is paid", "de": "ist bezahlt", "fr": "est payée"})
	require.Contains(o.t, o.p.Text("main"), strconv.Itoa(s.h.DB().Now().Year()))
}

// TestADeclinedInvoiceSaysSo tells the outside party that its invoice will not be paid, and neither why nor by whom.
func TestADeclinedInvoiceSaysSo(t *testing.T) {
	each(t, func(t *testing.T, s *scene) {
		address, id := s.link(wish("anna@example.com"))
		g := s.guest()
		g.until(address, id)
		g.send("/i/"+id+"/invoice", "amount", "1250.50", "reason", "Audit").on(200, "/i/"+id+"/check")
		g.send("/i/"+id+"/check").on(200, "/i/"+id+"/done")
		payable := s.payable(id).ID()
		reason := apptest.Object{"reason": "We know no such company"}
		s.h.Do(s.h.App, "POST", "/payables/"+payable+"/reject", s.c.Token, reason).OK(200)

		page := s.guest().send("/i/open", "code", address).on(200, "/i/"+id+"/done")
		require.Contains(t, page.Body, "Your invoice will not be paid")
		require.NotContains(t, page.Body, "We know no such company")
		require.NotContains(t, page.Body, "What happens next")
	})
}

// TestAnOutsidePartyIsServedInItsLanguage leads an outside party through the pages of an organisation with a brand, by
// keyboard alone, in English, German and French: it is paid on a bank account and sees the whole IBAN to check, and
// then into a wallet, which its browser wallet proves.
func TestAnOutsidePartyIsServedInItsLanguage(t *testing.T) {
	b := browsertest.Start(t)
	s := newScene(t, apptest.New(t, apptest.Config{}, "sqlite:"+dbtest.SQLiteFile(t)))
	s.brand("Northwind", "#7a1fa2")

	for n, language := range []string{"en", "de", "fr"} {
		t.Run(language, func(t *testing.T) {
			look := browsertest.Phone()
			look.Language = language
			o := outsider{t, b.Page(t, look), language}
			owner := s.h.Account("owner " + strconv.Itoa(n))
			walletBeside(t, o.p, owner)

			address, id := s.link(wish(language + "@example.com"))
			o.introduces(address)
			o.next()
			o.on("bank")
			o.p.Fill("#iban", swissIBAN)
			o.p.Fill("#bicSwift", swissBIC)
			o.next()
			o.on("invoice")
			o.next()
			o.on("check")
			require.Contains(t, o.p.Text("main"), swissIBAN, "the whole number")
			require.Contains(
				t,
				o.p.Text("main"),
				map[string]string{"en": "1,250.50", "de": "1.250,50", "fr": "250,50"}[language],
			)
			o.next()
			o.on("done")
			require.Contains(t, o.p.Text("main"), id)
			o.follows(s, address, s.payable(id).ID())

			address, id = s.link(asked(language + ".wallet@example.com"))
			o.introduces(address)
			o.p.TabTo("[name=way]")
			o.p.Press(browsertest.Down)
			o.next()
			o.on("wallet")
			o.p.Fill("#address", owner.Address.Hex())
			o.next()
			o.on("prove")
			o.p.TabTo("#browser button")
			require.Contains(t, o.p.Text("#browser button"), "Birch")
			o.p.Submit()
			o.on("invoice")
			o.p.Fill("#amount", "10.25")
			o.p.TabTo("#unit")
			o.p.Type("USDC")
			o.p.Fill("#reason", "Audit")
			o.p.Submit()
			o.on("check")
			o.next()
			o.on("done")
			require.Empty(t, o.p.Complaints())

			ownership, _ := s.wallet(id) // that the name is known by now is a warning of its own
			require.Equal(t, "VERIFIED", ownership)
		})
	}
}
