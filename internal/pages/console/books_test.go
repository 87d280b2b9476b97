//go:build !nosandbox && !noconsole

package console_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/browsertest"
)

// TestAMonthsFeesAreInvoicedOnItsPage gets the invoice for all fees of a month that is over from the page of the books.
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

	button := "section[aria-label='" + now.Format("January 2006") + "'] .actions > .button"
	p.Await(button)
	press(t, p, button)
	require.True(t, strings.HasPrefix(s.savedText(p), "%PDF"))
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
