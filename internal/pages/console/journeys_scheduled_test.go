//go:build !nosandbox && !noconsole

package console_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/browsertest"
)

// TestAPaymentIsScheduledSeenAndStopped makes a payment for every month, sees in one sentence what will happen, accepts
// it, finds it in the list and stops it, by mouse, keyboard and thumb.
func TestAPaymentIsScheduledSeenAndStopped(t *testing.T) {
	b := browsertest.Start(t)

	for _, by := range ways() {
		t.Run(by.name, func(t *testing.T) {
			s := newDoor(t)
			account := s.c.NewBankAccount("EUR", "000")
			first := s.h.DB().Now().UTC().AddDate(0, 0, 40)

			p := b.Page(t, by.look)
			s.enter(t, p, s.c, s.path("/transactions/new"))
			p.Await("select[name='/repeats']")
			s.set(p, "select[name='/payments/0/bankAccount']", account)
			p.Fill("input[name='/payments/0/amount']", "480.00")
			p.Fill("input[name='/payments/0/reason']", "Rent")
			s.set(p, "select[name='/repeats']", "MONTHLY")
			p.Await("input[name='/firstDay']")
			s.set(p, "input[name='/firstDay']", first.Format(time.DateOnly))
			p.Fill("input[name='/maxDebit']", "1")
			p.Shot("form")
			sound(t, p)

			by.goes(t, p, "form > .actions .primary")
			p.Await(".fault")
			s.forget(p, "422")
			require.Contains(t, p.Text(".fault"), "cost at present")
			p.Shot("refused")
			sound(t, p)

			p.Fill("input[name='/maxDebit']", "650")
			by.goes(t, p, "form > .actions .primary")
			p.Await("section.card[aria-label] .actions .primary")
			said := p.Text("section.card[aria-label] > p")
			require.Contains(t, said, "Once somebody has accepted it, it pays ")
			require.Contains(t, said, s.nextDay()+" and then every month; at most 650.00 USDC leave the wallet")
			require.EqualValues(t, 0, s.h.Count("SELECT count(*) FROM transactions"), "no draft is left beside it")
			p.Shot("waits")
			sound(t, p)

			p.Open(s.home() + "/decide")
			p.Await("main a.button.primary")
			p.Shot("approvals")
			sound(t, p)
			by.goes(t, p, "main a.button.primary")
			p.Await("section.card[aria-label] .actions .primary")

			by.goes(t, p, "section.card[aria-label] .actions .button.primary")
			p.Await("dialog[open] .primary")
			p.Shot("accept")
			sound(t, p)
			by.goes(t, p, "dialog[open] .primary")
			p.Await("section.card .status.moving")
			require.True(t, strings.HasPrefix(p.Text("section.card[aria-label] > p"), "It pays "))

			p.Open(s.home() + "/scheduled")
			p.Await("h2 a[href*='/scheduled/sch_']")
			p.Shot("list")
			sound(t, p)

			by.goes(t, p, "section.card .button.danger")
			by.goes(t, p, "dialog[open] .button.danger")
			p.Await("section.card .status.done")
			require.Contains(t, p.Text("section.card[aria-label]"), "nothing is paid any more")
			p.Shot("stopped")
			sound(t, p)
			require.EqualValues(t, 1, s.h.Count("SELECT count(*) FROM schedules WHERE state = 'STOPPED'"))
		})
	}
}

// nextDay returns the day on which the organisation's one schedule pays next: a rail may rest on the day that was
// asked.
func (s *stage) nextDay() string {
	var list struct {
		Results []struct {
			NextDay string `json:"nextDay"`
		} `json:"results"`
	}
	s.c.Do("GET", "/schedules", nil).OK(200).Into(&list)

	day, _ := time.Parse(time.DateOnly, list.Results[0].NextDay)

	return day.Format("2 Jan 2006")
}

// set sets a list, or a field of a day: what its parts are called and in which order they stand is the browser's.
func (s *stage) set(p *browsertest.Page, field, to string) {
	s.h.Until(field+" is there", func() bool {
		return p.Holds(fmt.Sprintf(`(() => {
			const field = document.querySelector(%q);
			if (!field) return false;
			field.value = %q;
			field.dispatchEvent(new Event('input', { bubbles: true }));
			field.dispatchEvent(new Event('change', { bubbles: true }));
			return field.value !== '';
		})()`, field, to))
	})
}
