//go:build !nosandbox && !noconsole

package console_test

import (
	"encoding/base64"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/app/apptest"
	"slipway/internal/platform/browsertest"
	"slipway/internal/rails/bank/banksim"
)

// What people who wish us ill write into fields: markup that runs, a formula, a style, and letters that turn the
// direction of reading. Addresses of web pages are refused in names.
const (
	markup  = `"><img src=x onerror="window.hacked=1"><script>window.hacked=1</script>`
	formula = `=cmd|' /C calc'!A0 {@html 1}</textarea><svg onload=window.hacked=1>`
	turned  = "\u05d0\u05d1\u05d2 42 \u0627\u0644\u0628\u0646\u0643 <b style=color:red>"
)

// hostile fills every text that somebody else writes, and returns the pages on which they are shown.
func (s *stage) hostile(t *testing.T) (pages []string) {
	t.Helper()
	s.c.Do("PATCH", "/users/me", object{"firstName": "<b onclick=window.hacked=1>Ada", "lastName": turned}).OK(200)

	receiver := s.c.Do("POST", "/receivers", object{
		"type":           "COMPANY",
		"email":          "bills@supplier.example",
		"legalName":      markup,
		"address":        object{"addressLine1": formula, "postCode": "8002", "city": turned},
		"countryIsoCode": "CH",
	}).OK(201).ID()

	of := *s.c
	of.Receiver = receiver
	account := of.NewBankAccount("EUR", "100")
	payment := of.FiatPayment(account, "100.00")
	payment["reason"] = formula
	transaction := s.c.Do("POST", "/transactions", object{
		"type":          "FIAT",
		"token":         "USDC",
		"walletAddress": s.c.Payer.Address.Hex(),
		"payments":      []any{payment},
	}).OK(201).ID()

	payable := s.c.Do("POST", "/payables", object{
		"name":            formula,
		"type":            "FIAT",
		"amount":          "12.50",
		"currencyIsoCode": "EUR",
		"reason":          markup,
		"receiver":        receiver,
		"bankAccount":     account,
	}).OK(201).ID()

	s.c.Do("POST", "/payables/upload", object{
		"fileBase64":  base64.StdEncoding.EncodeToString([]byte("%PDF-1.4\n%\u00e2\u00e3\n")),
		"fileName":    `"><img src=x onerror=window.hacked=1>.pdf`,
		"contentType": "application/pdf",
	})

	return []string{
		"/transactions/" + transaction,
		"/transactions/" + transaction + "/review",
		"/transactions?searchTerm=" + "%22%3E%3Cimg%20src%3Dx%20onerror%3Dwindow.hacked%3D1%3E",
		"/payables/" + payable,
		"/transactions/" + transaction + "/edit",
		"/payees/" + receiver,
		"/payees/new?iban=%22%3E%3Csvg%20onload%3Dwindow.hacked%3D1%3E&name=%3Cscript%3Ewindow.hacked%3D1%3C%2Fscript%3E",
		"/log?action=%3Cscript%3Ewindow.hacked%3D1%3C%2Fscript%3E",
	}
}

// harmless requires that nothing that was written has run, and that the page has asked nobody else.
func harmless(t *testing.T, p *browsertest.Page, path string) {
	t.Helper()

	for _, one := range p.Complaints() {
		if strings.Contains(one, "422") && strings.Contains(one, "/validate") {
			p.Complained(one) // a bank has no letters for the draft's reason
		}
	}

	require.Empty(t, p.Complaints(), path)
	require.False(t, p.Holds("!!window.hacked"), path)
	require.False(
		t,
		p.Holds(
			"!!document.querySelector('#console img[src=x], #console script, #console [onerror], #console [style*=red]')",
		),
		path,
	)
	require.True(t, p.Holds(`performance.getEntriesByType('resource').every(r => /^(data|blob):/.test(r.name) ||
		r.name.startsWith(location.origin + '/'))`), path)
	p.Fits()
}

// TestTextsOfOthersAreTexts opens every page in a scene whose every text is hostile. They are shown as they were
// written, and nothing of them runs, is asked for, or breaks the policy.
func TestTextsOfOthersAreTexts(t *testing.T) {
	b := browsertest.Start(t)
	s := newDoor(t)
	own := s.hostile(t)
	endpoint, delivery := s.hooked(t)
	own = append(own, "/webhooks/"+endpoint, "/webhooks/"+endpoint+"/deliveries/"+delivery, "/chats/"+s.chatting())

	two := s.h.Operators()
	s.h.Deposit(banksim.Deposit{
		Currency:      "EUR",
		Amount:        "17.00",
		Reference:     `<img src=x onerror=window.hacked=1>`,
		Sender:        `</script><svg onload=window.hacked=1>`,
		SenderAccount: apptest.SenderAccount,
	})
	s.h.BankUntil("in suspense", func() bool { return len(s.h.Suspense()) == 1 })

	p := b.Page(t, browsertest.Look{})
	s.signIn(p, s.c, nil, s.path(""))
	p.Await("main h1")

	for _, path := range append(own, pages...) {
		if path == "/nothing" {
			continue // it is answered 404, and the browser writes that down
		}

		p.Open(s.site + s.path(path))
		p.Await("main h1")
		p.Await("main:not(:has([aria-busy=true]))")
		harmless(t, p, path)
	}

	p.Open(s.site + s.path(own[0]))
	p.Await("h1 .sum")
	require.Contains(t, p.Text("main"), `<script>window.hacked=1</script>`, "it is shown as it was written")
	p.Shot("transaction")
	p.Accessible()

	desk := b.Page(t, browsertest.Phone())
	s.signIn(desk, two.Client, nil, "/console/ops")
	desk.Await("main h1")

	for _, path := range operatorPages {
		desk.Open(s.site + "/console/ops" + path)
		desk.Await("main h1")
		desk.Await("main:not(:has([aria-busy=true]))")
		harmless(t, desk, path)
		desk.Shot("ops" + strings.ReplaceAll(path, "/", "-"))
		desk.Accessible()
	}
}
