//go:build !nosandbox && !noconsole

package console_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/browsertest"
	"slipway/internal/platform/paper"
)

// swissAccount is the account of a creditor whom nobody knows, at the one Swiss bank of the sample of banks.
const swissAccount = "CH9300762011623852957"

// withSetting starts the service again with one more setting.
func (s *stage) withSetting(name, value string) {
	s.h.Environ = append(s.h.Environ, "SLIPWAY_"+name+"="+value)
	s.h.Restart()
}

// counted is a way that counts what a person does with it.
func counted(by way) (goes func(t *testing.T, p *browsertest.Page, control string), clicks *int) {
	clicks = new(int)

	return func(t *testing.T, p *browsertest.Page, control string) {
		t.Helper()
		*clicks++
		by.goes(t, p, control)
	}, clicks
}

// TestAnInvoiceOfANewPayeeIsApprovedWithinTwelveClicks begins at the overview with a file. The payee is made beside the
// invoice of what its code says, the BIC comes from the table of banks, what is missing is said once and at its field,
// and the invoice is still there with the payee chosen. A second member approves.
func TestAnInvoiceOfANewPayeeIsApprovedWithinTwelveClicks(t *testing.T) {
	b := browsertest.Start(t)
	picture, err := paper.Symbol{Payload: billOf(t, swissAccount, "480.00", "Letterheads"), Cross: true}.PNG()
	require.NoError(t, err)

	banks, err := filepath.Abs("../../standards/bankcode/testdata/banks.csv")
	require.NoError(t, err)

	file := filepath.Join(t.TempDir(), "invoice.png")
	require.NoError(t, os.WriteFile(file, picture, 0o600))

	for _, by := range ways() {
		t.Run(by.name, func(t *testing.T) {
			s := newDoor(t)
			s.withSetting("BANK_ACCOUNTS__BANKS_FILE", banks)
			berta := s.c.Colleague("Berta", "authorized", "approver")
			goes, clicks := counted(by)

			p := b.Page(t, by.look)
			s.enter(t, p, s.c.Colleague("Ada", "authorized", "initiator"), s.path("/payables"))
			*clicks++ // to this page
			p.Await(".card .empty, .card.empty")
			*clicks += 2 // a file is chosen or dropped
			p.Drop("main", file)
			p.Await(".doc form .note .link")
			p.Fill(".doc form input[name='/name']", "Letterheads of the year")

			goes(t, p, ".doc form .note .link")
			p.Await("dialog[open] form")
			require.True(t, p.Holds("document.activeElement.name === '/email'"), "nothing else is missing")
			s.h.Until("the BIC is there", func() bool {
				return p.Holds("document.querySelector(\"dialog input[name='/bicSwift']\")?.value === 'BLKBCH22XXX'")
			})
			p.Shot("payee")
			sound(t, p)

			goes(t, p, "dialog[open] .button.primary")
			p.Await("dialog[open] .fault")
			p.Complained("422")
			require.True(t, p.Holds("document.querySelectorAll('dialog .fault').length === 1"))
			require.True(t, p.Holds("!document.querySelector('dialog .refusal')"), "said once")
			require.True(t, p.Holds("document.activeElement.name === '/email'"))
			p.Shot("missing")
			sound(t, p)

			p.Fill("dialog[open] input[name='/email']", "bills@keller.example")
			goes(t, p, "dialog[open] .button.primary")
			p.Await("main:not(:has(dialog[open]))")
			s.h.Until("she is chosen", func() bool {
				return p.Holds("document.querySelector(\"select[name='/bankAccount']\")" +
					".selectedOptions[0]?.label.startsWith('Alice Keller · CH93') ?? false")
			})
			require.True(t, s.typed(p, "Letterheads of the year"), "the invoice is as it was")
			p.Shot("chosen")
			sound(t, p)

			goes(t, p, ".doc form > .button.primary")
			p.Await(".doc dl")
			withoutPages(p)
			sound(t, p)

			second := b.Page(t, by.look)
			s.enter(t, second, berta, s.path("/payables"))
			*clicks++ // to this page
			goes(t, second, ".item a.whole")
			second.Await(".doc dl")
			s.h.Until("the account is whole", func() bool {
				return strings.Contains(second.Text(".doc dl"), "CH93 0076 2011 6238 5295 7")
			})
			goes(t, second, ".doc .button.primary")
			s.h.Until("it is approved", func() bool {
				return s.h.Count("SELECT count(*) FROM payables WHERE status = 'APPROVED'") == 1
			})
			require.LessOrEqual(t, *clicks, 12)
			require.EqualValues(t, 1,
				s.h.Count("SELECT count(*) FROM receivers WHERE legal_name = 'Alice Keller' AND country = 'CH'"))
			require.Contains(t, s.c.Do("GET", "/receivers/me", nil).OK(200).Raw, `"addressLine1":"Seestrasse 1"`)
		})
	}
}

// TestABICIsNotAskedForWhereNoneIsNeeded opens the form of a payee without and with the setting that lifts the rule.
func TestABICIsNotAskedForWhereNoneIsNeeded(t *testing.T) {
	b := browsertest.Start(t)

	for setting, asked := range map[string]bool{"required": true, "optional": false} {
		t.Run(setting, func(t *testing.T) {
			s := newDoor(t)
			s.withSetting("BANK_ACCOUNTS__EUR_BIC", setting)
			p := b.Page(t, browsertest.Look{})
			s.enter(t, p, s.c, s.path("/payees/new"))
			s.fillPayee(p, "Werft")
			p.Press(browsertest.Space) // with an account after all
			p.Fill("input[name='/iban']", "DE89370400440532013000")
			p.Press(browsertest.Tab)

			if asked {
				p.Await("input[name='/bicSwift']")
				p.Fill("input[name='/bicSwift']", "COBADEFFXXX")
			}

			p.Shot("payee")
			require.Equal(t, asked, p.Holds("!!document.querySelector(\"input[name='/bicSwift']\")"))
			p.Holds(`(() => {
				for (const name of ['/bankCountry', '/countryIsoCode']) {
					const list = document.querySelector("select[name='" + name + "']");
					list.value = 'DE';
					list.dispatchEvent(new Event('change', { bubbles: true }));
				}
				return true;
			})()`)
			press(t, p, "form .button.primary")
			p.Await("section.card h2.code")
			require.Contains(t, p.Text("section.card h2.code"), "DE89 3704")
			sound(t, p)
		})
	}
}
