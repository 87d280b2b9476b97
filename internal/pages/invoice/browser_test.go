//go:build !nosandbox

package invoice_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/app/apptest"
	"slipway/internal/platform/browsertest"
	"slipway/internal/platform/db/dbtest"
)

// looks are the screens on which the pages are tried.
func looks() map[string]browsertest.Look {
	phone := browsertest.Phone()
	bare := browsertest.Phone()
	bare.Dark = true
	bare.NoScript = true

	return map[string]browsertest.Look{"phone": phone, "desk": {}, "phone without scripts in the dark": bare}
}

// wish asks for a certain invoice.
func wish(to string) apptest.Object {
	return apptest.Object{
		"isExistingReceiver": false,
		"email":              to,
		"amount":             "1250.50",
		"currencyIsoCode":    "CHF",
		"reason":             "Translation of the annual report",
	}
}

// TestWithTheKeyboardAlone leads through every page without a mouse, with a mistake on each, on a telephone and at a
// desk, with scripts and without.
func TestWithTheKeyboardAlone(t *testing.T) {
	b := browsertest.Start(t)
	s := newScene(t, apptest.New(t, apptest.Config{}, "sqlite:"+dbtest.SQLiteFile(t)))
	file := filepath.Join(t.TempDir(), "Invoice 2026-117, annual report.pdf")
	require.NoError(t, os.WriteFile(file, pdf(), 0o600))

	for name, look := range looks() {
		t.Run(name, func(t *testing.T) {
			address, id := s.link(wish("anna.keller@example.com"))
			p := b.Page(t, look)
			p.Open(address)

			if look.NoScript {
				p.Shot("paste")
				p.TabTo("button")
				p.Submit()
				p.Shot("paste-wrong")
				p.Fill("#code", address)
				p.Submit()
			}

			p.Await("main[data-step=you]")
			require.Equal(t, s.site+"/i/"+id+"/you", p.Address(), "the code is out of the address bar")
			you(p)
			way(p)
			bank(p)
			bill(p, file)
			p.Await("main[data-step=check]")
			p.Shot("check")
			require.Contains(t, p.Text("main"), "CHF 1,250.50")

			p.Back() // and forward again by the page's own button
			p.Await("main[data-step=invoice]")
			p.TabTo("main button")
			p.Submit()
			p.Await("main[data-step=check]")
			p.TabTo("main button")
			p.Submit()
			p.Await("main[data-step=done]")
			p.Shot("done")
			require.Contains(t, p.Text("main"), id)
			p.Open(s.site + "/i/" + id + "/check") // what was sent is sent
			p.Await("main[data-step=done]")

			s.payable(id)
			p.Open(s.site + "/i/" + id)
			p.Await("main[data-step=done]")
			require.Contains(t, p.Text("h1"), "being looked at")

			address, id = s.link(wish("anna.keller@example.com"))
			p.Open(address)

			if look.NoScript {
				p.Fill("[name=code]", address)
				p.Submit()
			}

			p.Await("main[data-step=you]")
			s.h.Do(s.h.App, "DELETE", "/payables/invoice-links/"+id, s.c.Token, nil).OK(200)
			p.Open(s.site + "/i/" + id)
			p.Await("main[data-step=stop]")
			p.Shot("over")
		})
	}
}

// you fills in who sends the invoice. A person has other names than a company.
func you(p *browsertest.Page) {
	p.Shot("you")
	p.TabTo("[name=type]")
	p.Press(browsertest.Down)
	p.Shot("you-person")
	p.TabTo("#firstName")
	p.TabTo("main button")
	p.Submit()
	p.Await("[aria-invalid=true]:focus") // the first that is wrong
	p.Shot("you-wrong")
	p.Fill("#firstName", "Anna")
	p.Fill("#lastName", "Keller-Łukić")
	p.Fill("#addressLine1", "Seestrasse 14")
	p.Fill("#postCode", "8002")
	p.Fill("#city", "Zürich")
	p.TabTo("#countryIsoCode")
	p.Type("Switz")
	p.TabTo("main button")
	p.Submit()
}

func way(p *browsertest.Page) {
	p.Await("main[data-step=way]")
	p.Shot("way")
	p.TabTo("#currency") // country and currency are known: of the person and of what was asked for
	p.TabTo("main button")
	p.Submit()
}

func bank(p *browsertest.Page) {
	p.Await("main[data-step=bank]")
	p.Shot("bank")
	p.Fill("#iban", "CH93 0076 2011 6238 5295 8")
	p.Fill("#bicSwift", swissBIC)
	p.Submit() // Enter in a field sends the form
	p.Await("#iban[aria-invalid=true]:focus")
	p.Shot("bank-wrong")
	p.Fill("#iban", swissIBAN)
	p.Submit()
}

// bill states the invoice: amount and reason are there already as they were asked for.
func bill(p *browsertest.Page, file string) {
	p.Await("main[data-step=invoice]")
	p.Shot("invoice")
	p.Fill("#amount", "1,250")
	p.TabTo("#invoiceNumber")
	p.Type("2026-117")
	p.TabTo("#dueDate")
	p.Type("12122026")
	p.TabTo("#file")
	p.Choose(file)
	p.TabTo("main button")
	p.Submit()
	p.Await("#amount[aria-invalid=true]:focus")
	p.Shot("invoice-wrong")
	p.Fill("#amount", "1'250.50")
	p.TabTo("[name=remove]")
	p.TabTo("main button")
	p.Submit()
}

// TestAnEmptyDateIsEmpty looks at the date of an invoice in each engine: WebKit would write today's there. It is seen
// once it is chosen.
func TestAnEmptyDateIsEmpty(t *testing.T) {
	s := newScene(t, apptest.New(t, apptest.Config{}, "sqlite:"+dbtest.SQLiteFile(t)))

	browsertest.Each(t, func(t *testing.T, b *browsertest.Browser) {
		address, _ := s.link(wish("anna.keller@example.com"))
		p := b.Page(t, browsertest.Look{})
		p.Open(address)
		p.Await("main[data-step=you]")
		you(p)
		way(p)
		bank(p)
		p.Await("#dueDate[data-empty]")
		bare := "document.querySelector('#dueDate').style.cssText = 'border: 0; border-radius: 0', true"
		drawn := "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))"
		p.Holds(bare)
		p.Holds(drawn)

		const button = 40 // pixels of the button of its calendar

		// Firefox has day, month and year there, as words.
		blank := p.Colours("#dueDate", button) == 1
		require.True(t, blank || p.Holds("navigator.userAgent.includes('Firefox')"))

		p.Holds("(f => { f.value = '2026-12-12'; f.dispatchEvent(new Event('input')); })(" +
			"document.querySelector('#dueDate')), true")
		p.Holds(drawn)
		require.Greater(t, p.Colours("#dueDate", button), 1)
	})
}

// Somebody who is known and wants tokens: three steps, one of them a wallet.
func TestKnownReceiverGivesAWallet(t *testing.T) {
	b := browsertest.Start(t)

	s := newScene(t, apptest.New(t, apptest.Config{}, "sqlite:"+dbtest.SQLiteFile(t)))
	for name, look := range map[string]browsertest.Look{"phone": browsertest.Phone(), "desk": {}} {
		t.Run(name, func(t *testing.T) {
			address, _ := s.known()
			p := b.Page(t, look)
			p.Open(address)
			p.Await("main[data-step=way]")
			p.Shot("way")
			p.TabTo("[name=way]")
			p.Press(browsertest.Down)
			p.Shot("way-wallet")

			require.True(t, p.Holds("!document.getElementById('currency').checkVisibility()"),
				"a wallet has no country")

			p.TabTo("main button")
			p.Submit()
			p.Await("main[data-step=wallet]")
			p.TabTo("#address")
			p.TabTo("main button")
			p.Submit()
			p.Await("[aria-invalid=true]:focus")
			p.Shot("wallet-wrong")
			p.TabTo("#address")
			p.Type(s.h.Account("known").Address.Hex())
			p.TabTo("#network")
			p.TabTo("main button")
			p.Submit()
			p.Await("main[data-step=prove]")
			p.Shot("prove")
			p.TabTo("#signedMessage")
			p.Type("0x12")
			p.TabTo("form button")
			p.Submit()
			p.Await("[aria-invalid=true]:focus")
			p.Shot("prove-wrong")
			p.TabTo(".after a")
			p.Submit()
			p.Await("main[data-step=invoice]")
			p.Shot("invoice")
			p.Fill("#amount", "10.25")
			p.TabTo("#unit")
			p.Type("USDC")
			p.Fill("#reason", "Audit of a contract")
			p.Submit()
			p.Await("main[data-step=check]")
			p.Shot("check")
			p.TabTo("main button")
			p.Submit()
			p.Await("main[data-step=done]")
			p.Shot("done")
		})
	}
}

// The narrowest telephones are 320 pixels wide, and 200 % of text on a small one is the same.
func TestNothingIsCutOffOnTheNarrowestScreen(t *testing.T) {
	b := browsertest.Start(t)
	s := newScene(t, apptest.New(t, apptest.Config{}, "sqlite:"+dbtest.SQLiteFile(t)))
	address, id := s.link(wish("anna.keller.with.a.very.long.address.indeed@subsidiary.of.a.company.example.com"))
	p := b.Page(t, browsertest.Look{Width: 320, Height: 568})
	p.Open(address)
	p.Await("main[data-step=you]")
	p.Shot("you")
	g := s.guest()
	g.until(address, id)

	for _, step := range []string{"way", "bank" + inSwiss, "wallet", "invoice"} {
		p.Open(s.site + "/i/" + id + "/" + step)
		p.Shot("step")
	}

	p.Open(s.site + "/i/" + id + "/invoice")
	p.TabTo("#amount")
	p.Submit()
	p.Await("main[data-step=check]")
	p.Shot("check")
}

// A browser that is cut off while it sends shows its own words: what is too much is read to its end and answered in
// ours.
func TestAFileThatIsTooLargeIsAnsweredInWords(t *testing.T) {
	b := browsertest.Start(t)
	s := newScene(t, apptest.New(t, apptest.Config{}, "sqlite:"+dbtest.SQLiteFile(t)))
	address, id := s.link(wish("anna.keller@example.com"))
	g := s.guest()
	g.until(address, id)
	file := filepath.Join(t.TempDir(), "large.pdf")
	require.NoError(t, os.WriteFile(file, append(pdf(), make([]byte, 40<<20)...), 0o600))

	p := b.Page(t, browsertest.Phone())
	p.Open(address)
	p.Await("main[data-step=invoice]")
	p.TabTo("#file")
	p.Choose(file)
	p.TabTo("main button")
	p.Submit()
	p.Await("#file[aria-invalid=true]:focus")
	p.Shot("too-large")
	require.Contains(t, p.Text("#wrong-file"), "larger than 10 MB")
}
