//go:build !nosandbox && !noconsole

package console_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/browsertest"
)

// tenThousand answers the list of transactions as if there were ten thousand, each a copy of the first one.
const tenThousand = `
	const real = window.fetch;
	window.fetch = async (...asked) => {
		const url = new URL(asked[0].url ?? asked[0], location.href);
		const first = url.searchParams.has('cursor') ? 50 : 0;
		url.searchParams.delete('cursor');
		const answer = await (first ? real(new Request(url, asked[0])) : real(...asked));
		if (url.pathname !== '/transactions' || url.searchParams.get('limit') !== '50') return answer;
		const body = await answer.json();
		const type = url.searchParams.get('type[]') ?? 'CRYPTO';
		body.results = Array.from({length: 50}, (_, i) => ({...body.results[0], _id: 'txn_' + (first + i), type}));
		return new Response(JSON.stringify({...body, total: 10_000, nextCursor: 'next'}), answer);
	};
	window.rowsAtOnce = 0;
	new MutationObserver(all => {
		const added = all.flatMap(m => [...m.addedNodes]).filter(n => n instanceof Element);
		const rows = added.flatMap(n => n.matches('tr') ? [n] : [...n.querySelectorAll('tbody tr')]);
		rowsAtOnce = Math.max(rowsAtOnce, new Set(rows).size);
	}).observe(document, {childList: true, subtree: true});`

// TestALongListIsDrawnInPages shows that what a list draws does not grow with its length: ten thousand rows scroll and
// filter as fifty do, and never more than ten come in one piece of work. Arrows go from row to row.
func TestALongListIsDrawnInPages(t *testing.T) {
	s := newStage(t)
	s.c.Draft("USDC", "12.50")
	p := browsertest.Start(t).Page(t, browsertest.Look{})
	p.Beside(tenThousand, func(string) string { return "" })

	p.Open(s.home() + "/transactions")
	p.Await("tbody tr:nth-child(50)")
	require.False(t, p.Holds("!!document.querySelector('tbody tr:nth-child(51)')"))
	require.Contains(t, p.Text(".below"), "10,000 in all")
	require.LessOrEqual(t, p.Number("rowsAtOnce"), 10.0)
	p.TabTo("a.whole")

	for range 30 {
		p.Press(browsertest.Down)
	}

	require.True(t, p.Holds("document.activeElement.closest('tr').matches(':nth-child(31)')"))
	require.True(t, p.Holds("scrollY > 0"), "the row is scrolled into view")
	sound(t, p)

	p.Open(s.home() + "/transactions?cursor=next")
	p.Await("a.whole[href$='/txn_99']")
	p.Open(s.home() + "/transactions?type%5B%5D=CRYPTO")
	p.Await(".chips")
	p.Await("tbody tr:nth-child(50)")
	sound(t, p)
}
