//go:build !nosandbox && !noconsole

package console_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/app/apptest"
	"slipway/internal/platform/browsertest"
	"slipway/internal/rails/bank/banksim"
)

// TestAnOnrampShowsWhatToTransfer orders an on-ramp. The page shows where to, how much, under which reference, and the
// same as a QR code. When the money has come the steps move to the end.
func TestAnOnrampShowsWhatToTransfer(t *testing.T) {
	s := newDoor(t)
	s.alive(t)
	p := browsertest.Start(t).Page(t, browsertest.Look{})

	s.enter(t, p, s.c.Colleague("Ada", "authorized", "initiator"), s.path("/transactions/new"))
	p.Await("form select")
	p.TabTo("form select")
	p.Type("Bank transfer")
	p.Await("input[type=date]")
	p.Fill("input.amount", "2000")
	p.Shot("order")
	sound(t, p)
	press(t, p, "form .button.primary")
	p.Await(".actions button.primary.big")
	p.Shot("review")
	sound(t, p)

	p.Back() // to the draft that was made, not to an empty form that would make another
	p.Await("input.amount")
	require.True(t, p.Holds(`location.pathname.endsWith('/edit')`))
	require.True(t, p.Holds(`document.querySelector('input.amount').value.startsWith('2000')`))
	press(t, p, "form .button.primary")
	p.Await(".actions button.primary.big")
	require.EqualValues(t, 1, s.h.Count("SELECT count(*) FROM transactions"))
	press(t, p, ".actions button.primary.big")
	p.Await("figure img")
	require.Contains(t, p.Text("figure"), "SEPA payment code")
	require.Contains(t, p.Text("main"), "DE91 1000 0000 0123 4567 89")
	require.True(t, p.Holds("document.querySelector('figure img').naturalWidth > 200"))
	p.Shot("transfer")
	sound(t, p)

	id := p.Address()[strings.LastIndex(p.Address(), "/")+1:]

	var details struct {
		Reference string `json:"reference"`
	}
	s.c.Do("GET", "/transactions/"+id+"/bank-details", nil).OK(200).Into(&details)
	s.h.Deposit(banksim.Deposit{
		Account:   "eur",
		Amount:    "2000.00",
		Sender:    s.c.Name(),
		Reference: details.Reference,
	})
	s.h.BankUntil("the tokens were delivered", func() bool { return s.c.Read(id).Status == "COMPLETED" })
	p.Await("h1 .status.good")
	p.Shot("completed")
	sound(t, p)
}

// TestThirtyReceiversComeFromASheet pastes thirty lines of a sheet: by number or by name, with amounts as people write
// them. A line whose payee is unknown says so.
func TestThirtyReceiversComeFromASheet(t *testing.T) {
	s := newDoor(t)
	p := browsertest.Start(t).Page(t, browsertest.Look{})

	var sheet []string
	for n := range 29 {
		name := fmt.Sprintf("Receiver%02d", n)
		c := *s.c
		c.Receiver = s.c.NewReceiver(name)
		id := c.NewBankAccount("EUR", fmt.Sprintf("%03d", n))

		var kept struct {
			IBAN string `json:"iban"`
		}
		c.Do("GET", "/bank-accounts/"+id, nil).OK(200).Into(&kept)

		who := kept.IBAN[:4] + " " + kept.IBAN[4:]
		if n%2 == 1 {
			who = name + " Keller"
		}

		sheet = append(sheet, fmt.Sprintf("%s\t1'%03d.50\tWages %d", who, n, n))
	}

	sheet = append(sheet, "Nobody AG\t10.00\tnothing")

	s.enter(t, p, s.c.Colleague("Ada", "authorized", "initiator"), s.path("/transactions/new"))
	p.Await("header .link")
	press(t, p, "header .link")
	p.Await("dialog[open] textarea")
	p.TabTo("dialog[open] textarea")
	p.Paste(strings.Join(sheet, "\n"))
	require.Contains(t, p.Text("dialog[open] .primary"), "Add 30 payments")
	press(t, p, "dialog[open] .primary")
	p.Await("ol li:nth-child(30)")
	require.Contains(t, p.Text("ol li:nth-child(30)"), "is no known payee")
	p.Shot("pasted")
	sound(t, p)
	require.True(t, p.Holds("document.activeElement.closest('ol li:nth-child(30)') !== null"),
		"the keyboard is at the first line that nobody is known for")
	press(t, p, "ol li:nth-child(30) .link")
	p.Await("ol li:nth-child(29):last-child")
	press(t, p, ".actions .primary")
	p.Await(".payee:nth-child(29)")
	require.Contains(t, p.Text(".payee:nth-child(2)"), "Receiver01 Keller")
	require.Contains(t, p.Text(".payee:nth-child(2)"), "1,001.50")
	p.Shot("review")
	sound(t, p)
}

// TestAnAdminSetsUpTheOrganisation invites a member, asks for two people, makes a program's access, and reads in the
// log that she has done so, on the screen and as a file.
func TestAnAdminSetsUpTheOrganisation(t *testing.T) {
	s := newDoor(t)
	berta := s.c.Colleague("Berta", "authorized", "admin") // two people need a second one
	p := browsertest.Start(t).Page(t, browsertest.Look{})
	p.Beside(saved, func(string) string { return "" })

	s.enter(t, p, berta, s.path("/people"))
	p.Await("input[type=email]")
	p.Fill("input[type=email]", "cleo@example.org")
	press(t, p, "form:has(input[type=email]) .button")
	p.Await("form .note.good")
	require.Contains(t, p.Text("form .note.good"), "cleo@example.org")
	p.Shot("invited")

	p.TabTo("form:has(input[type=checkbox]):not(:has(input[type=email])) input[type=checkbox]")
	p.Press(browsertest.Space)
	press(t, p, "form:has(input[type=checkbox]):not(:has(input[type=email])) .button:not([type=button])")
	s.h.Until("two people are needed", func() bool {
		var policy struct {
			FourEyes bool `json:"fourEyes"`
		}
		s.c.Do("GET", "/organisations/"+s.c.Org+"/approval-policy", nil).OK(200).Into(&policy)

		return policy.FourEyes
	})
	p.Await("form:has(input[type=checkbox]):not(:has(input[type=email])) .button:not(:disabled)")
	require.True(
		t,
		p.Holds(
			`document.querySelector("form:has(input[type=checkbox]):not(:has(input[type=email])) input[type=checkbox]").checked`,
		),
		"the form shows the new policy",
	)
	p.Shot("two")
	sound(t, p)

	p.Open(s.home() + "/organisation")
	p.Await("select[name='/timeZone']")
	p.TabTo("select[name='/homeCurrency']")
	p.Type("CHF")
	p.TabTo("select[name='/timeZone']")
	p.Type("Asia/To")
	p.Shot("settings")
	press(t, p, "form:has(select[name='/timeZone']) .button")
	s.h.Until("the books are kept in Tokyo", func() bool {
		text := s.c.Do("GET", "/organisations/"+s.c.Org, nil).OK(200).Raw
		return strings.Contains(text, `"timeZone":"Asia/Tokyo"`) && strings.Contains(text, `"homeCurrency":"CHF"`)
	})

	p.Open(s.home() + "/clients")
	p.Await(".scopes input")
	require.True(
		t,
		p.Holds("document.querySelector('form .button.primary').disabled"),
		"not everything, by leaving it out",
	)
	p.Shot("scopes")
	sound(t, p)
	p.TabTo(".scopes input[value='transactions:read']")
	p.Press(browsertest.Space)
	p.TabTo(".scopes input[value='payables:write']")
	p.Press(browsertest.Space)
	s.h.World.Clock.Advance(6 * time.Minute) // the password that she gave at the door is no proof any more
	p.Fill("input[name='/name']", "Ledger")
	p.Press(browsertest.Enter)
	p.Await("input[type=password]")
	p.Complained("403")
	require.Contains(t, p.Text("form .refusal"), "Your password is asked for once more")
	p.Fill("input[type=password]", apptest.Password)
	p.Press(browsertest.Enter)
	p.Await("dl dd:last-child")
	require.Contains(t, p.Text("dl"), "sk_")
	p.Await("td .status.good")
	require.Equal(t, "payables:write transactions:read", p.Text("td.code"))
	p.Shot("client")
	sound(t, p)

	p.Open(s.home() + "/log")
	p.Await("tbody tr")
	require.Contains(t, p.Text("tbody"), "API client created")
	p.TabTo("search select")
	p.Type("Person inv")
	p.Await(".chips")
	p.Await("tbody tr")
	require.NotContains(t, p.Text("tbody"), "API client created")
	p.Shot("log")
	sound(t, p)
	press(t, p, "search .link")
	p.Await("search .link:not(:disabled)")

	lines := strings.Split(strings.TrimSpace(s.savedText(p)), "\n")
	require.Contains(t, lines[0], "action")
	require.Len(t, lines, 3, "the header, and both invitations")
	require.NotContains(t, strings.Join(lines, "\n"), "api_client.created")
}
