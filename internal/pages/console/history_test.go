//go:build !nosandbox && !noconsole

package console_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/browsertest"
)

// TestEveryEventHasItsWords compares the events that the documentation lists, which are all that the code writes, with
// the table by which the console calls them. Each event has words, and the table has no others.
func TestEveryEventHasItsWords(t *testing.T) {
	page, err := os.ReadFile("../../../docs/reference/events.md")
	require.NoError(t, err)

	table, err := os.ReadFile("../../../console/src/lib/history.ts")
	require.NoError(t, err)

	words := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^  "([a-z_.]+)": "[A-Z].*",$`).FindAllStringSubmatch(string(table), -1) {
		require.False(t, words[m[1]], "%s is there twice", m[1])
		words[m[1]] = true
	}

	_, lists, _ := strings.Cut(string(page), "\n## Transactions\n")
	name := regexp.MustCompile("`([a-z_.]+)`")
	seen := map[string]bool{"transaction.accepted_for": true, "transaction.agreed_for": true} // stand below its table

	for _, line := range strings.Split(lines(lists), "\n") {
		for _, m := range name.FindAllStringSubmatch(strings.Split(line, "|")[1], -1) {
			event := m[1]
			if !strings.Contains(event, ".") {
				event = "transaction." + event
			}

			require.True(t, words[event], "%s has no words", event)
			seen[event] = true
		}
	}

	require.Greater(t, len(seen), 150)

	for event := range words {
		require.True(t, seen[event], "%s does not occur", event)
	}
}

// lines returns the lines of tables that name events.
func lines(page string) string {
	return strings.Join(regexp.MustCompile("(?m)^\\| `.*$").FindAllString(page, -1), "\n")
}

// TestHistorySpeaksInWords reads what has happened to a payment, a payable and a payee, by mouse and by keyboard, on a
// desk and on a telephone: there is no name of an event and no state as the API writes it.
func TestHistorySpeaksInWords(t *testing.T) {
	s := newStage(t)
	paid := s.c.Submitted("USDC", "12.50")
	payable := s.letterheads(s.c.NewBankAccount("EUR", "000"))
	s.c.Do("POST", "/payables/"+payable+"/approve", object{}).OK(200)

	b := browsertest.Start(t)

	for name, look := range looks() {
		t.Run(name, func(t *testing.T) {
			p := b.Page(t, look)
			p.Open(s.home() + "/transactions/" + paid)
			p.Await("[role=tab]:nth-child(2)")
			p.Click("[role=tab]:nth-child(2)")
			p.Await("[role=tabpanel] td.when")
			p.Shot("payment")

			told := p.Text("[role=tabpanel]")
			require.Contains(t, told, "Awaiting acceptance")
			require.NotContains(t, told, "_")
			sound(t, p)

			for path, happenings := range map[string][]string{
				"/payables/" + payable:    {"Payable created", "Payable approved"},
				"/payees/" + s.c.Receiver: {"Payee created", "Bank account added"},
			} {
				p.Open(s.home() + path)
				p.Await("details.history summary")
				press(t, p, "details.history summary")
				p.Await("details.history td.when")

				told := p.Text("details.history")
				for _, one := range happenings {
					require.Contains(t, told, one)
				}

				require.NotRegexp(t, `[a-z]\.[a-z]|_`, told)
				p.Shot("history")
				sound(t, p)
			}
		})
	}

	p := b.Page(t, browsertest.Look{})
	p.Open(s.home() + "/log")
	p.Await("main tbody tr")
	require.Contains(t, p.Text("main tbody"), "Payable approved")
	require.NotContains(t, p.Text("main tbody"), "payable.approved")
	p.Shot("log")
	sound(t, p)
}
