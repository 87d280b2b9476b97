//go:build !nosandbox && !noconsole

package console_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/browsertest"
)

// TestAMonthsFeesAreInvoicedOnItsPage gets the invoice for all fees of a month that is over from the page of the books,
// and the statement of its wallets.
func TestAMonthsFeesAreInvoicedOnItsPage(t *testing.T) {
	s := newDoor(t)
	s.c.Do("PATCH", "/organisations/"+s.c.Org, object{"timeZone": "UTC"}).OK(200)
	s.c.FiatAccepted("USDC", s.c.FiatPayment(s.c.NewBankAccount("EUR", "000"), "900.01"))
	s.h.SettleAll()

	now := s.h.DB().Now().UTC()
	later := time.Date(now.Year(), now.Month()+1, 7, 12, 0, 0, 0, time.UTC)
	s.h.DB().Clock().Advance(later.Sub(now))

	p := browsertest.Start(t).Page(t, browsertest.Phone())
	p.Beside(saved, func(string) string { return "" })
	s.signIn(p, s.c, nil, s.path("/books"))

	for at, file := range map[string]string{"2": "statement", "3": "invoice"} {
		button := "section[aria-label='" + now.Format("January 2006") + "'] .actions > .button:nth-child(" + at + ")"
		p.Await(button + ":enabled")
		p.Holds("delete window.saved, true")
		press(t, p, button)
		require.True(t, strings.HasPrefix(s.savedText(p), "%PDF"))
		require.True(t, p.Holds("performance.getEntriesByType('resource').at(-1).name.endsWith('/"+file+"')"), file)
	}

	p.Shot("month")
	sound(t, p)
}

// TestTheBookSaysHowItValues sets what tokens leave a wallet at, by keyboard.
func TestTheBookSaysHowItValues(t *testing.T) {
	s := newDoor(t)
	p := browsertest.Start(t).Page(t, browsertest.Phone())
	s.signIn(p, s.c, nil, s.path("/books"))

	p.Await("select[name='/costMethod']")
	p.TabTo("select[name='/costMethod']")
	p.Type("average")
	press(t, p, "section[aria-label='How the book values what it has'] button.button")
	s.h.Until("the settings are kept", func() bool {
		return s.h.Count("SELECT count(*) FROM book_settings WHERE cost_method = 'AVERAGE' AND fees_in_cost") == 1
	})
	p.Shot("values")
	sound(t, p)
}

// A bookkeeper records what the bank had when the book begins, gives the wallets an account, sees both in the trial
// balance, and takes the lines along, by keyboard on a telephone. An opening balance that was wrong is taken back.
func TestABookBeginsOnItsPage(t *testing.T) {
	const (
		opening = "form[aria-label='An opening balance']"
		account = "form[aria-label='An account']"
	)

	s := newDoor(t)
	s.c.Do("PATCH", "/organisations/"+s.c.Org, object{"timeZone": "UTC", "homeCurrency": "EUR"}).OK(200)
	s.c.Accepted("USDC", "12.50")
	s.h.SettleAll()

	day := s.h.DB().Now().UTC().Format(time.DateOnly)
	p := browsertest.Start(t).Page(t, browsertest.Phone())
	p.Beside(saved, func(string) string { return "" })
	s.signIn(p, s.c, nil, s.path("/books"))

	p.Await("section[aria-label='Opening balances'] header button")
	press(t, p, "section[aria-label='Opening balances'] header button")
	p.Await(opening)
	p.Type("money at")
	p.Fill(opening+" input[name='/currency']", "EUR")
	p.TabTo(opening + " input[name='/on']")
	p.Holds("document.activeElement.value = '" + day + "', " +
		"document.activeElement.dispatchEvent(new Event('input', { bubbles: true }))")
	p.Fill(opening+" input[name='/amount']", "1000.00")
	p.Fill(opening+" input[name='/reason']", "Statement 31")
	p.Shot("opening")
	p.Press(browsertest.Enter)
	p.Await("section[aria-label='Opening balances'] .line")

	press(t, p, "section[aria-label='Accounts'] tbody button")
	p.Await(account)
	p.Fill(account+" .field:first-child input", "1234")
	p.Shot("account")
	p.Press(browsertest.Enter)

	p.Holds("[...document.querySelectorAll('button')].find(b => b.innerText.startsWith('Figures')).click(), true")
	s.h.Until("the trial balance has the new account and the bank", func() bool {
		text := p.Text("section[aria-label='Trial balance']")
		return strings.Contains(text, "1234") && strings.Contains(text, "1,000.00")
	})
	press(t, p, "section[aria-label='Export the books'] button")
	require.Contains(t, s.savedText(p), "bookedOn")

	p.Holds("delete window.saved")
	p.TabTo("select[name='/format']")
	p.Type("hledger")
	press(t, p, "section[aria-label='Export the books'] button")
	require.Contains(t, s.savedText(p), "1000.00 EUR")
	p.Shot("figures")
	sound(t, p)

	press(t, p, "section[aria-label='Opening balances'] .line button")
	p.Await("dialog[open]")
	p.Type("Of another account")
	press(t, p, "dialog[open] button.danger")
	s.h.Until("it counts no more", func() bool {
		return s.h.Count("SELECT count(*) FROM book_openings WHERE withdrawn_at > 0") == 1
	})
	sound(t, p)
}
