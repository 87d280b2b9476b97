//go:build !nosandbox && !noconsole

package console_test

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/browsertest"
	"slipway/internal/platform/platformtest"
	"slipway/internal/platform/qrscan/pdfium"
)

// TestEveryControlIsHit has the mouse point at the middle of each control of each page, on a desk and on a telephone:
// nothing lies over it.
func TestEveryControlIsHit(t *testing.T) {
	s := newDoor(t)
	own := s.records(t)
	operator := s.h.Operators().Client
	code := s.secondFactor(t, operator)

	b := browsertest.Start(t)
	p := b.Page(t, browsertest.Look{})
	controls := 0
	hit := func(at, ready string) {
		t.Helper()
		p.Open(s.site + at)
		p.Await(ready)

		for _, look := range []browsertest.Look{{Width: 1280, Height: 900}, browsertest.Phone()} {
			p.Resize(look.Width, look.Height)
			p.Fits()
			controls += p.Reachable()
		}
	}

	for _, path := range hosted {
		hit(path, "main h1")
	}

	const loaded = "main:not(:has([aria-busy=true])) h1"

	s.signIn(p, s.c, nil, s.path(""))

	for _, path := range append(own, pages...) {
		hit(s.path(path), loaded)
	}

	p = b.Page(t, browsertest.Look{})
	s.signIn(p, operator, code, "/console/ops")

	for _, path := range operatorPages {
		hit("/console/ops"+path, loaded)
	}

	t.Logf("%d controls", controls)
	require.Greater(t, controls, 1000)
}

// TestNobodyReadsAPageAfterSigningOut signs out on a payment and goes back: a browser may have kept the page as it was.
// It shows the sign-in.
func TestNobodyReadsAPageAfterSigningOut(t *testing.T) {
	s := newDoor(t)
	payment := s.c.Submitted("USDC", "12.50")

	b := browsertest.Start(t)
	p := b.Page(t, browsertest.Look{})
	s.signIn(p, s.c, nil, s.path("/transactions"))
	p.Click("a.whole[href$='" + payment + "']")
	p.Await("h1 .sum")

	other := p.Tab()
	other.Open(s.site + s.path("/payees"))
	other.Await("main tbody tr")

	p.Open(s.site + "/console/session/back") // the page before is kept, and shown again to the same person
	p.Back()
	p.Await("h1 .sum")

	p.Click(".shell > .side .out")
	p.Await("main:not(#content) h1")
	require.Contains(t, p.Address(), "/console/session/ended")
	other.Await("main:not(#content) h1")
	require.Contains(t, other.Address(), "/console/session/ended", "every tab is left")

	p.Back()
	p.Await("input[name=email]")
	require.NotContains(t, p.Text("body"), "12.50")
}

// TestAKeptPageAsksBeforeItIsSeen ends the session elsewhere while the browser keeps a payment for Back.
func TestAKeptPageAsksBeforeItIsSeen(t *testing.T) {
	s := newDoor(t)
	payment := s.c.Submitted("USDC", "12.50")

	b := browsertest.Start(t)
	p := b.Page(t, browsertest.Look{})
	s.signIn(p, s.c, nil, s.path("/transactions/"+payment))
	p.Await("h1 .sum")
	p.Open(s.site + "/console/session/back")
	s.h.World.Clock.Advance(31 * time.Minute) // a session ends after half an hour without a touch
	p.Back()
	p.Await("input[name=email]")
	require.NotContains(t, p.Text("body"), "12.50")
}

// TestSigningOutSaysWhenItFailed has the service refuse to end a session: the page does not say that it has.
func TestSigningOutSaysWhenItFailed(t *testing.T) {
	s := newDoor(t)
	p := browsertest.Start(t).Page(t, browsertest.Look{})
	s.signIn(p, s.c, nil, s.path(""))
	p.Await("main h1")
	s.once("POST", "/console/session/end", func(w http.ResponseWriter, _ *http.Request, _ http.Handler) {
		http.Error(w, "no", http.StatusBadGateway)
	})

	p.Click(".shell > .side .out")
	p.Await(".shell > .side .failed")
	require.Contains(t, p.Text(".shell > .side .failed"), "still signed in")
	s.forget(p, "502")

	p.Click(".shell > .side .out")
	p.Await("main:not(#content) h1")
	require.Contains(t, p.Address(), "/console/session/ended")
}

// onPaper switches the rules for paper on, on the screen.
const onPaper = `[...document.styleSheets].flatMap(s => [...s.cssRules]).forEach(rule => {
	if (rule instanceof CSSMediaRule && rule.media.mediaText === 'print') rule.media.mediaText = 'all';
}), true`

// cut returns the texts of a page that do not fit where they stand, or lie beside it.
const cut = `[...document.querySelectorAll('main *')].filter(e => e.checkVisibility() && e.innerText?.trim() &&
	getComputedStyle(e).clipPath === 'none' && (e.getBoundingClientRect().right > innerWidth + 1 ||
	(getComputedStyle(e).overflowX !== 'visible' && e.scrollWidth > e.clientWidth + 1))).map(e => e.innerText).join(' | ')`

// TestPaperHasWholeFigures lays a payment, a list and a page of the documentation out as wide as A4 between its
// margins, by the rules for paper: whole figures, and nothing to press.
func TestPaperHasWholeFigures(t *testing.T) {
	s := newDoor(t)
	payment := s.c.Submitted("USDC", "1368.332677")

	b := browsertest.Start(t)
	p := b.Page(t, browsertest.Look{Width: 680, Height: 960})
	printed := func(path, ready string) {
		t.Helper()
		p.Open(s.site + path)
		p.Await(ready)
		p.Holds(onPaper)
		p.Shot("paper")
		require.Equal(t, 0, int(p.Number(`[...document.querySelectorAll('nav, button, a.button, input')]
			.filter(e => e.checkVisibility()).length`)), path)
		require.True(t, p.Holds("("+cut+") === ''"), "%s is cut: %s", path, p.Text("main"))
	}

	s.signIn(p, s.c, nil, s.path(""))
	p.Await("main h1")

	for _, path := range []string{"/transactions", "/transactions/" + payment} {
		printed(s.path(path), "main:not(:has([aria-busy=true])) :is(td.money, .sum)")
		require.Contains(t, p.Text("main"), "1,368.332677", path)
	}

	printed("/docs", "main h1")
}

// menuWords stand on the screen of each page of the console, where people press.
var menuWords = []string{"Sign out", "Payables", "Wallets", "Approvals"}

// unseen returns what has no letters of its own: pages break words and lines where they like.
func unseen(text string) string { return strings.Join(strings.Fields(text), "") }

// TestPrintedPagesHaveWholeFigures prints a payment, a list and a page of the documentation, and reads the files:
// figures of six and of eighteen decimals are whole, and neither the menu nor a button is there (of the
// documentation, it looks at its heading alone).
func TestPrintedPagesHaveWholeFigures(t *testing.T) {
	s := newDoor(t)

	const six, eighteen = "1368.332677", "0.000123456789012345"
	paid := s.c.Submitted("USDC", six)
	fine := s.c.Submitted("DAI", eighteen)

	ctx := context.Background()

	reader := pdfium.New(platformtest.PDFCache())
	defer func() { require.NoError(t, reader.Close(ctx)) }()

	browsertest.Each(t, func(t *testing.T, b *browsertest.Browser) {
		p := b.Page(t, browsertest.Look{})
		s.signIn(p, s.c, nil, s.path(""))
		p.Await("main h1")

		for n, page := range []struct {
			path, ready string
			figures     []string
		}{
			{s.path("/transactions"), "main:not(:has([aria-busy=true])) td.money", []string{"1,368.332677", eighteen}},
			{s.path("/transactions/" + paid), "h1 .sum", []string{"1,368.332677"}},
			{s.path("/transactions/" + fine), "h1 .sum", []string{eighteen}},
			{"/docs", "main h1", nil},
		} {
			p.Open(s.site + page.path)
			p.Await(page.ready)
			heading := p.Text("main h1")
			seen := page.figures == nil || strings.Contains(p.Text("body"), menuWords[0])
			require.True(t, seen, "the menu is on the screen")

			d, err := reader.Open(ctx, p.Print(fmt.Sprintf("paper%d", n)), pdfium.MemoryLimit)
			require.NoError(t, err)

			if page.figures != nil {
				require.Equal(t, 1, d.Pages(), "%s: no empty page follows", page.path)
			}

			var all strings.Builder
			for i := range d.Pages() {
				text, err := d.Text(ctx, i)
				require.NoError(t, err)
				all.WriteString(text + "\n")
			}

			require.NoError(t, d.Close(ctx))
			require.Contains(t, unseen(all.String()), unseen(heading), page.path)

			for _, figure := range page.figures {
				require.Contains(t, all.String(), figure, page.path)
			}

			if page.figures == nil { // its text may have these words
				continue
			}

			for _, word := range append(menuWords, "Menu", "Search", "Skip to the content", "Cancel it", "Duplicate") {
				require.NotContains(t, all.String(), word, page.path)
			}
		}
	})
}

// TestAnEmptyDateIsEmpty looks at a date that nobody has chosen: WebKit would write today's there.
func TestAnEmptyDateIsEmpty(t *testing.T) {
	s := newDoor(t)
	s.c.Submitted("USDC", "12.50")

	b := browsertest.Start(t)
	p := b.Page(t, browsertest.Look{})
	s.signIn(p, s.c, nil, s.path("/transactions"))
	p.Await("input[type=date]")
	p.Holds("document.querySelector('input[type=date]').style.cssText = 'border: 0; border-radius: 0', true")

	const button = 40 // pixels of the button of its calendar

	// Firefox has day, month and year there, as words.
	blank := p.Colours("input[type=date]", button) == 1
	require.True(t, blank || p.Holds("navigator.userAgent.includes('Firefox')"))
}

// TestTheFocusGoesAlong goes from a form to the review of what it has saved. The heading there has the focus, though it
// comes with the data.
func TestTheFocusGoesAlong(t *testing.T) {
	s := newDoor(t)
	draft := s.c.Draft("USDC", "7.25")
	p := browsertest.Start(t).Page(t, browsertest.Look{})
	s.signIn(p, s.c, nil, s.path("/transactions/"+draft+"/edit"))
	p.Await("form > .actions .button.primary:enabled")
	press(t, p, "form > .actions .button.primary")
	p.Await("main h1:focus")
	require.Contains(t, p.Address(), "/review")
}

// withoutNewer takes away what browsers have since the autumn of 2023: a line of ours replaces the first, and the
// others are not used.
const withoutNewer = "delete AbortSignal.any; delete Object.groupBy; delete Map.groupBy; delete Promise.withResolvers"

// strictPopovers has a popover that is not shown refuse to be hidden, as browsers did until the summer of 2023.
const strictPopovers = `const hide = HTMLElement.prototype.hidePopover;
	HTMLElement.prototype.hidePopover = function () {
		if (!this.matches(':popover-open')) throw new DOMException('it is not shown', 'InvalidStateError');
		hide.call(this);
	};`

// withoutPopovers takes away what the console cannot do without.
const withoutPopovers = "delete HTMLElement.prototype.showPopover"

// TestAnOldBrowserIsTakenOrTold uses the console with what browsers had two years ago, and with less than it needs.
func TestAnOldBrowserIsTakenOrTold(t *testing.T) {
	s := newDoor(t)
	b := browsertest.Start(t)

	p := b.Page(t, browsertest.Look{})
	p.Beside(withoutNewer+";"+strictPopovers, nil)
	s.signIn(p, s.c, nil, s.path("/payees"))
	p.Await("main tbody tr")
	sound(t, p)
	p.Open(s.site + s.path("/transactions/"+s.c.Submitted("USDC", "12.50")))
	p.Await("h1 .sum")
	sound(t, p)

	p = b.Page(t, browsertest.Look{})
	p.Beside(withoutPopovers, nil)
	s.signIn(p, s.c, nil, s.path("/payees"))
	p.Await("#console > p")
	require.Contains(t, p.Text("#console"), "It needs Chrome or Edge 114, Firefox 125, Safari 17")
	require.Empty(t, p.Complaints())
}

// TestSupportedBrowsersAreTheSameEverywhere compares what the bundle is built for with what its page and the
// documentation say. The colours of the bundle need no newer browser.
func TestSupportedBrowsersAreTheSameEverywhere(t *testing.T) {
	read := func(file string) string {
		text, err := os.ReadFile("../../../" + file)
		require.NoError(t, err)

		return strings.Join(strings.Fields(string(text)), " ")
	}

	require.Contains(t, read("console/vite.config.ts"), `target: ["chrome114", "edge114", "firefox125", "safari17"]`)
	require.Contains(
		t,
		read("console/tsconfig.json"),
		`"lib": ["ES2023", "DOM", "DOM.Iterable"]`,
		"of the language, no more",
	)
	require.Contains(t, read("console/index.html"), "Chrome or Edge 114, Firefox 125, Safari 17, or a newer one")
	require.Contains(t, read("docs/explanation/console.md"),
		"Chrome and Edge from version 114 on, in Firefox from 125 on and in Safari from 17 on")
	require.NotContains(t, read("internal/pages/console/dist/app.css"), "light-dark(")
}

// TestTheMouseGoesEverywhere pays, finds and leaves with real clicks alone, in every engine: the menu, a row by a cell
// that is no link, a button, the search; and on a telephone the menu that unfolds and the bar at the bottom.
func TestTheMouseGoesEverywhere(t *testing.T) {
	s := newDoor(t)
	s.c.Draft("USDC", "7.25")
	waiting := s.c.Submitted("USDC", "12.50")

	browsertest.Each(t, func(t *testing.T, b *browsertest.Browser) {
		p := b.Page(t, browsertest.Look{})
		s.signIn(p, s.c, nil, s.path(""))
		p.Await("main tbody tr")

		p.Click(".shell > .side a[href$='/transactions']")
		p.Await("tbody tr:nth-child(2)")
		p.Click("tr:has(a[href$='" + waiting + "']) td.money")
		p.Await("h1 .sum")
		require.Contains(t, p.Text("h1"), "12.50")

		p.Click("main .button.primary")
		p.Await("form .button.primary")
		p.Click(".shell > .side a[href$='/transactions']")
		p.Await("tbody tr:nth-child(2)")
		p.Click(".search input")
		p.Type("7.25")
		p.Press(browsertest.Enter)
		p.Await("section[aria-label=Transactions] li:only-child")
		p.Click("section[aria-label=Transactions] a.hit .money")
		p.Await("h1 .sum")
		require.Contains(t, p.Text("h1"), "7.25")

		p.Resize(browsertest.Phone().Width, browsertest.Phone().Height)
		p.Click(".bottom a[href$='/transactions']")
		p.Await("tbody tr:nth-child(2)")
		p.Click("tr:has(a[href$='" + waiting + "']) td.money")
		p.Await("h1 .sum")
		require.Contains(t, p.Text("h1"), "12.50")
		p.Click(".burger")
		p.Click("#menu a[href$='/payees']")
		p.Await(".head a[href$='/payees/new']")
		p.Click(".head a[href$='/payees/new']")
		p.Await("input[name='/legalName']")
		require.Empty(t, p.Complaints())
	})
}
