//go:build !nosandbox && !noconsole

package console_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/browsertest"
)

// TestListsAreSorted sorts payments by the heads of columns and payables by a choice, by mouse and by keyboard, on a
// desk and on a telephone. The order is the API's, over all pages, and stands in the address; the file has it, too.
func TestListsAreSorted(t *testing.T) {
	s := newStage(t)
	waiting := s.c.Submitted("USDC", "12.50")
	draft := s.c.Draft("USDC", "7.25")
	account := s.c.NewBankAccount("EUR", "000")

	for _, amount := range []string{"90.00", "1000.00", "100.00"} {
		s.c.Do("POST", "/payables", object{
			"name":            "Letterheads",
			"type":            "FIAT",
			"amount":          amount,
			"currencyIsoCode": "EUR",
			"reason":          "Letterheads",
			"receiver":        s.c.Receiver,
			"bankAccount":     account,
		}).OK(201)
	}

	const byStatus = "th.sorts a[href*='sortBy=status']"

	b := browsertest.Start(t)

	for name, look := range looks() {
		t.Run(name, func(t *testing.T) {
			p := b.Page(t, look)
			first := func(id string) string { return "tbody tr:first-child a[href$='" + id + "']" }

			p.Open(s.home() + "/transactions")
			p.Await(first(draft))
			p.Click(byStatus)
			p.Await("th[aria-sort=descending]")
			p.Await(first(waiting)) // WAITING_ACCEPTANCE is behind DRAFT
			require.Contains(t, p.Address(), "sortBy=status")
			p.Shot("sorted")
			sound(t, p)

			press(t, p, byStatus)
			p.Await("th[aria-sort=ascending]")
			p.Await(first(draft))
			require.Contains(t, p.Address(), "direction=1")

			p.Open(s.home() + "/payables")
			p.Await(".sort select")
			require.Equal(t, "100.00 1,000.00 90.00", amounts(p))
			p.TabTo(".sort select")
			p.Type("Larg")
			p.Await("a.whole[href*='sortBy=amount']")
			require.Equal(t, "1,000.00 100.00 90.00", amounts(p))
			require.Contains(t, p.Address(), "sortBy=amount")
			p.Shot("payables")
			sound(t, p)

			p.Click("section[aria-label='To approve'] .item:nth-child(1) a.whole")
			p.Await("details.history")
			require.Equal(t, "1,000.00 100.00 90.00", amounts(p), "the order stays while one is open")
		})
	}
}

// amounts returns those of the payables on the page, in their order.
func amounts(p *browsertest.Page) string {
	all := regexp.MustCompile(`[0-9,]+\.[0-9]{2}`).FindAllString(p.Text("section[aria-label='To approve']"), -1)
	return strings.Join(all, " ")
}
