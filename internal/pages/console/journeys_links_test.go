//go:build !nosandbox && !noconsole

package console_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/app/apptest"
	"slipway/internal/platform/browsertest"
)

// asks makes a link as a member does, and returns its token and identifier. receiver is empty for somebody new.
func (s *stage) asks(email, receiver string) (token, id string) {
	wish := object{
		"isExistingReceiver": receiver != "",
		"email":              email,
		"amount":             "1250.00",
		"currencyIsoCode":    "EUR",
		"reason":             "Logo and letterhead",
	}
	if receiver != "" {
		wish["receiverId"] = receiver
	}

	var made struct {
		Link string `json:"link"`
		ID   string `json:"tokenId"`
	}
	s.c.Do("POST", "/payables/generate-invoice-link", wish).OK(201).Into(&made)
	_, token, _ = strings.Cut(made.Link, "#")

	return token, made.ID
}

// handsIn does what an outside party does with a link. name is empty for one that is known.
func (s *stage) handsIn(token, email, name, amount string) {
	guest := func(path string, body object) apptest.Answer {
		body["token"] = token
		return s.h.Do(s.h.App, "POST", path, "", body).OK(200)
	}

	if name != "" {
		guest("/payables/create-invoice-receiver", object{
			"type":           "COMPANY",
			"email":          email,
			"legalName":      name,
			"address":        object{"addressLine1": "Hauptstr. 5", "postCode": "10115", "city": "Berlin"},
			"countryIsoCode": "DE",
		})
	}

	guest("/payables/create-invoice-bank-account", object{
		"bankCountry": "DE", "currency": "EUR", "iban": "DE89370400440532013000", "bicSwift": "COBADEFFXXX",
	})
	guest("/payables/submit-invoice", object{
		"amount":          amount,
		"currencyIsoCode": "EUR",
		"invoiceNumber":   "2026-17",
		"reason":          "Logo and letterhead",
	})
}

// way is how somebody gets from page to page: presses go to a control and use it.
type way struct {
	name string
	look browsertest.Look
	goes func(t *testing.T, p *browsertest.Page, control string)
}

func ways() []way {
	click := func(_ *testing.T, p *browsertest.Page, control string) {
		p.Await(control)
		p.Click(control)
	}

	return []way{
		{"mouse", browsertest.Look{}, click},
		{"keyboard", browsertest.Look{Dark: true}, press},
		{"phone", browsertest.Phone(), func(_ *testing.T, p *browsertest.Page, control string) {
			p.Await(control)
			p.Tap(control)
		}},
	}
}

// TestAnInvoiceByLinkIsMadeAPayableInThreeClicks begins at the overview, where it waits, and ends at the payable. A new
// payee comes into being with it.
func TestAnInvoiceByLinkIsMadeAPayableInThreeClicks(t *testing.T) {
	b := browsertest.Start(t)

	for _, by := range ways() {
		t.Run(by.name, func(t *testing.T) {
			s := newDoor(t)
			token, id := s.asks("studio@example.com", "")
			s.handsIn(token, "studio@example.com", "Studio Ana", "1300.00")

			p := b.Page(t, by.look)
			s.enter(t, p, s.c.Colleague("Ada", "authorized", "initiator"), s.path(""))
			by.goes(t, p, "main a[href$='/payables?status=LINKS']")
			p.Await("main a[href$='" + id + "']")
			p.Shot("list")
			sound(t, p)
			by.goes(t, p, "main a[href$='"+id+"']")
			p.Await("main .button.primary")
			p.Await("main:not(:has([aria-busy=true]))")
			p.Shot("link")
			sound(t, p)

			said := p.Text("main")
			require.Contains(t, said, "Studio Ana")
			require.Contains(t, said, "DE89 3704 0044 0532 0130 00")
			require.Contains(t, said, "1,300.00")
			require.Contains(t, said, "1,250.00", "what was asked for")
			require.Contains(t, said, "The invoice is not what you asked for.")

			by.goes(t, p, "main .button.primary")
			p.Await("section.doc dl")
			require.Contains(t, p.Address(), "/payables/pbl_")
			require.Contains(t, p.Text("section.doc"), "Studio Ana")
			p.Shot("payable")
			sound(t, p)
			require.EqualValues(t, 1, s.h.Count("SELECT count(*) FROM payables"))
			require.EqualValues(t, 1,
				s.h.Count("SELECT count(*) FROM receivers WHERE NOT is_self AND legal_name = 'Studio Ana'"))
		})
	}
}

// TestAKnownPayeesAccountByLinkIsConfirmedBesideWhatIsKnown compares the account that came by a link with those that
// are known, and confirms one and refuses another. Only what was confirmed is paid; after a refusal a known one is.
func TestAKnownPayeesAccountByLinkIsConfirmedBesideWhatIsKnown(t *testing.T) {
	b := browsertest.Start(t)

	for _, by := range ways() {
		t.Run(by.name, func(t *testing.T) {
			s := newDoor(t)
			account := s.c.NewBankAccount("EUR", "000")

			var known struct {
				IBAN string `json:"iban"`
			}
			s.c.Do("GET", "/bank-accounts/"+account, nil).OK(200).Into(&known)

			refused, second := s.asks("alice@example.com", s.c.Receiver)
			s.handsIn(refused, "", "", "1250.00")

			token, first := s.asks("alice@example.com", s.c.Receiver)
			s.handsIn(token, "", "", "1250.00")

			p := b.Page(t, by.look)
			s.enter(t, p, s.c.Colleague("Ada", "authorized", "approver", "initiator"), s.path("/payables"))
			by.goes(t, p, "section[aria-label='Received by link'] a[href$='"+first+"']")
			p.Await("section[aria-label='Where to pay'] .button.primary")
			p.Await(".known")
			p.Shot("proposal")
			sound(t, p)
			require.Contains(t, strings.ReplaceAll(p.Text(".known"), " ", ""), known.IBAN)
			require.NotContains(t, p.Text("main"), "Create a payable")

			by.goes(t, p, "section[aria-label='Where to pay'] .button.primary")
			p.Await("section[aria-label='Where to pay'] .status.good")
			by.goes(t, p, "main .button.primary")
			p.Await("section.doc dd .code")
			require.Contains(t, p.Text("section.doc"), "DE89 3704 0044 0532 0130 00")

			p.Open(s.home() + "/payables/invoice-links/" + second)
			by.goes(t, p, "section[aria-label='Where to pay'] .button.danger")
			p.Await("section[aria-label='Where to pay'] .status.wrong")
			p.Await("main select")
			p.Shot("refused")
			sound(t, p)
			by.goes(t, p, "main .button.primary")
			p.Await("section.doc dd .code")
			require.Contains(t, strings.ReplaceAll(p.Text("section.doc"), " ", ""), known.IBAN)
		})
	}
}

// TestALinkIsSentAgainAndRevoked sends a link a second time, and ends it.
func TestALinkIsSentAgainAndRevoked(t *testing.T) {
	b := browsertest.Start(t)

	for _, by := range ways() {
		t.Run(by.name, func(t *testing.T) {
			s := newDoor(t)
			_, id := s.asks("studio@example.com", "")

			p := b.Page(t, by.look)
			s.enter(t, p, s.c.Colleague("Ada", "authorized", "initiator"), s.path("/payables/invoice-links/"+id))
			by.goes(t, p, ".head > .row > .button:not(.danger)")
			s.h.Until("it says so", func() bool { return strings.Contains(p.Text(".head"), "mailed 2 times") })
			p.Shot("again")
			sound(t, p)
			require.EqualValues(t, 1, s.h.Count("SELECT count(*) FROM invoice_links WHERE mails = 2"))

			by.goes(t, p, ".head > .row > .button.danger")
			p.Await("dialog[open]")
			by.goes(t, p, "dialog[open] button.danger")
			p.Await("main:not(:has(dialog[open]))")
			s.h.Until("it is over", func() bool { return strings.Contains(p.Text(".head"), "Revoked") })
			sound(t, p)
			require.EqualValues(t, 1, s.h.Count("SELECT count(*) FROM invoice_links WHERE status = 'REVOKED'"))
		})
	}
}

// TestAKnownPayeeIsAskedForAnInvoice sends the link from the payee's page, to the address that is known.
func TestAKnownPayeeIsAskedForAnInvoice(t *testing.T) {
	b := browsertest.Start(t)

	for _, by := range ways() {
		t.Run(by.name, func(t *testing.T) {
			s := newDoor(t)
			p := b.Page(t, by.look)
			s.enter(t, p, s.c.Colleague("Ada", "authorized", "initiator"), s.path("/payees/"+s.c.Receiver))
			by.goes(t, p, ".head .row > .button:nth-of-type(2)")
			p.Await("dialog[open] input[type=email]")
			p.Shot("asks")
			sound(t, p)
			by.goes(t, p, "dialog[open] .button.primary")
			p.Await("dialog[open] p.code")
			require.EqualValues(t, 1, s.h.Count(
				"SELECT count(*) FROM invoice_links WHERE is_existing AND NOT other_address AND receiver = ?",
				s.c.Receiver,
			))
		})
	}
}
