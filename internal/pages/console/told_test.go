//go:build !nosandbox && !noconsole

package console_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/browsertest"
)

// otherRegions are what a screen reader would speak of besides the one region.
const otherRegions = `[...document.querySelectorAll('[aria-live], [role=status], [role=alert], [role=log], output')]
	.filter(e => e.id !== 'told')`

// keepTold keeps what the live region has said, in order.
const keepTold = `(() => {
	window.told = [];
	const region = document.querySelector('#told');
	new MutationObserver(() => { if (region.textContent) told.push(region.textContent); })
		.observe(region, {childList: true, characterData: true, subtree: true});
	return true;
})()`

// hears waits until the live region has said a text.
func (s *stage) hears(p *browsertest.Page, text string) {
	s.h.T.Helper()
	s.h.Until("it is told: "+text, func() bool {
		return p.Holds(fmt.Sprintf("told.some(one => one.includes(%q))", text))
	})
}

// TestOneRegionTellsWhatHappens has a member save something, be refused, search, and hear of an event of somebody else,
// without looking at the screen. One polite region says all of it.
func TestOneRegionTellsWhatHappens(t *testing.T) {
	s := newStage(t)
	s.alive(t)
	s.c.Draft("USDC", "12.50")
	p := browsertest.Start(t).Page(t, browsertest.Look{})

	p.Open(s.home() + "/webhooks")
	p.Await("input[type=url]")
	require.Equal(t, "polite", p.Attribute("#told", "aria-live"))
	p.Holds(keepTold)

	p.Fill("input[type=url]", "gopher://nowhere")
	press(t, p, "form .button.primary")
	p.Await("[aria-invalid=true]")
	p.Complained("422")
	s.hears(p, p.Text(".refusal b"))
	require.NotContains(t, p.Text(".refusal"), "/url", "a field is called as the form calls it")

	taker := newHook(t)
	p.Fill("input[type=url]", taker.url)
	press(t, p, "form .button.primary")
	p.Await(".newkey")
	s.hears(p, "Copy it now")
	s.hears(p, "Add the endpoint: done.")

	s.c.Submitted("USDC", "1250.50")
	s.hears(p, "News: ")

	p.TabTo(".side a[href$='/transactions']")
	p.Press(browsertest.Enter)
	p.Await("tbody a.whole")
	p.Holds("(f => { f.value = 'DRAFT'; f.dispatchEvent(new Event('change', {bubbles: true})); return true })(" +
		"document.querySelector('.filter select'))")
	s.hears(p, "1 found.")

	for _, path := range append(s.records(t), pages...) {
		p.Open(s.home() + path)
		p.Await("main h1")
		p.Await("main:not(:has([aria-busy=true]))")
		require.True(t, p.Holds(otherRegions+".length === 0"), path)
	}
}
