//go:build !nosandbox && !noconsole

package console_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/browsertest"
)

// TestEveryStatusIsInTheGlossary compares the words of the table of looks with the page that explains them. Its entries
// stand in the order of the alphabet, and each says something.
func TestEveryStatusIsInTheGlossary(t *testing.T) {
	page, err := os.ReadFile("../../../docs/reference/glossary.md")
	require.NoError(t, err)

	var entries []string

	for _, m := range regexp.MustCompile(`(?m)^## (.+)\n\n(.*)$`).FindAllStringSubmatch(string(page), -1) {
		require.NotEmpty(t, m[2], m[1])
		entries = append(entries, strings.ToLower(m[1]))
	}

	require.True(t, slices.IsSorted(entries), "the entries are in order")
	require.Len(t, entries, strings.Count(string(page), "\n## "))

	table, err := os.ReadFile("../../../console/src/lib/status.ts")
	require.NoError(t, err)

	words := regexp.MustCompile(`(?m)^  [A-Z_]+: \{ kind: "[a-z]+", word: "([^"]+)" \}`).
		FindAllStringSubmatch(string(table), -1)
	require.Greater(t, len(words), 80)

	for _, m := range words {
		require.Contains(t, entries, strings.ToLower(m[1]))
	}
}

// TestTheGlossaryIsOneClickAway opens it from the menu on a desk and on a telephone, and from a status that has an
// explanation, whose own entry it leads to. Whatever is typed stays: the glossary opens beside the page.
func TestTheGlossaryIsOneClickAway(t *testing.T) {
	s := newStage(t)
	s.uncertain()

	b := browsertest.Start(t)

	for name, look := range map[string]browsertest.Look{"desk": {}, "phone": browsertest.Phone()} {
		t.Run(name, func(t *testing.T) {
			p := b.Page(t, look)
			p.Open(s.home() + "/transactions")
			p.Await("a.whole")

			menu := ".shell > .side"
			if look.Width > 0 {
				menu = "#menu"

				p.Click(".burger")
			}

			reads := func(link, entry string) {
				t.Helper()
				p.TabTo(link)
				require.Equal(t, "_blank", p.Attribute(link, "target"))

				beside := p.Tab()
				beside.Open(s.site + p.Attribute(link, "href"))
				beside.Await(entry)
				beside.Shot("glossary")
				sound(t, beside)
			}

			p.Shot("menu")
			reads(menu+" a[href^='/docs/glossary']", "main h1#glossary")
			p.Open(s.home() + "/transactions")
			p.Click("a.whole")
			p.Await("h1 .sum")
			require.Contains(t, p.Text("main .note:has(a)"), "What “Sent to the bank” means")
			p.Shot("status")
			reads("main .note a", "h2#sent-to-the-bank:target")
			sound(t, p)
		})
	}
}
