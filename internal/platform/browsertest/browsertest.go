// Package browsertest drives pages in a browser as people do: with the keyboard, the mouse or a finger, at the width of
// a telephone or a desktop. It saves screenshots.
//
// There are three engines: Chromium, Firefox and WebKit, which is Safari's. Start starts the one in
// SLIPWAY_TEST_ENGINE, by default Chromium; Each runs a test in all of them, and is for the few that are worth it each
// time. A test that uses what an engine cannot do is skipped there, with a reason: Firefox and WebKit have no dark
// screen, no time zone or language of the test's choice, no passkeys, no files dropped from a desktop and no scripts
// beside the page here, and WebKit does not report errors of a page and prints nothing.
//
// Programs are found in PATH or named by SLIPWAY_TEST_CHROMIUM, SLIPWAY_TEST_FIREFOX and SLIPWAY_TEST_WEBKIT
// (scripts/browsers installs them). Without one the test is skipped. Screenshots are taken where they are kept: in the
// folder of SLIPWAY_TEST_ARTIFACTS, or among the test's artifacts with go test -artifacts.
//
// Read in this order:
//
//   - What tests call: browsertest.go (pages, and what a person does on one), touch.go (fingers), beside.go (scripts
//     beside the page), axe.go (accessibility), measure.go (time of scripts).
//   - The engines: engine.go (what each must do, and how it starts), chromium.go; firefox.go and webkit.go, with
//     webdriver.go, which both share.
package browsertest

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// waitLimit limits how long a test waits for a page. No test depends on its length.
const waitLimit = time.Minute

// Keys without a letter. Their code points are those of WebDriver (W3C WebDriver, 17.4.2).
const (
	Tab    = "\uE004"
	Enter  = "\uE007"
	Space  = " "
	Escape = "\uE00C"
	Down   = "\uE015"
	Right  = "\uE014"
	remove = "\uE017"
)

// hasOutline reports whether the focused element, or the choice that it belongs to, has a visible outline.
const hasOutline = `(s => s.outlineStyle !== 'none' && parseFloat(s.outlineWidth) >= 2)(
	getComputedStyle(document.activeElement.closest('.choice') || document.activeElement))`

// Look is how a page is displayed. The zero value is a desktop's screen, light, with scripts.
type Look struct {
	Width, Height int64  // CSS pixels; 0: 1280 by 900
	Dark          bool   // prefers-color-scheme: dark
	NoScript      bool   // without JavaScript
	Language      string // of the header Accept-Language; empty: en-GB
	Zone          string // the person's time zone, such as Pacific/Auckland; empty: the machine's
	Touch         bool   // has a screen to tap
}

// Phone returns the look of a telephone held upright.
func Phone() Look { return Look{Width: 390, Height: 844} }

// Page is one tab, without cookies or history.
type Page struct {
	t          testing.TB
	engine     string
	tab        tab
	look       Look
	folder     string // of pictures and papers; empty: none is kept
	shots      int
	complaints *complaints
}

// complaints are what the browser reports as errors. Its events come from another goroutine.
type complaints struct {
	mu  sync.Mutex
	all []string
}

func (c *complaints) add(text string) {
	c.mu.Lock()
	defer c.mu.Unlock()

	c.all = append(c.all, text)
}

// Complaints returns what the browser has written into its log as an error or a warning on this tab: exceptions,
// breaches of the policy, failed requests, what the page writes itself. WebKit reports nothing, Firefox no failed
// requests.
func (p *Page) Complaints() []string {
	p.complaints.mu.Lock()
	defer p.complaints.mu.Unlock()

	return slices.Clone(p.complaints.all)
}

// Complained requires that the browser has reported an error with this text, as it does for each answer that refuses
// something, and forgets it.
func (p *Page) Complained(text string) {
	p.t.Helper()

	if p.engine != engines[0].name {
		return // it reports no answers
	}

	p.complaints.mu.Lock()
	defer p.complaints.mu.Unlock()

	i := slices.IndexFunc(p.complaints.all, func(one string) bool { return strings.Contains(one, text) })
	require.GreaterOrEqual(p.t, i, 0, "no error has %q: %q", text, p.complaints.all)
	p.complaints.all = slices.Delete(p.complaints.all, i, i+1)
}

// Page opens an empty tab, which is closed at the end of the test.
func (b *Browser) Page(t testing.TB, l Look) *Page {
	t.Helper()

	if l.Width == 0 {
		l.Width = 1280
		l.Height = 900
	}

	one := &complaints{}
	opened, err := b.browser.open(l, one.add)

	return toPage(t, b.engine, l, opened, one, err)
}

// Tab opens another tab of the same person, with the same cookies. It is closed at the end of the test.
func (p *Page) Tab() *Page {
	p.t.Helper()

	one := &complaints{}
	opened, err := p.tab.another(one.add)

	return toPage(p.t, p.engine, p.look, opened, one, err)
}

// toPage returns a tab that was opened, or ends the test.
func toPage(t testing.TB, engine string, l Look, opened tab, c *complaints, err error) *Page {
	t.Helper()

	var cannot errCannot
	if errors.As(err, &cannot) {
		t.Skip(cannot.Error())
	}

	require.NoError(t, err)
	t.Cleanup(opened.close)

	return &Page{
		t:          t,
		engine:     engine,
		tab:        opened,
		look:       l,
		folder:     folder(t),
		complaints: c,
	}
}

// Close closes the tab before the end of the test, so that it takes no more of the machine.
func (p *Page) Close() { p.tab.close() }

// folder returns where the pictures and papers of a test are kept, or "".
func folder(t testing.TB) string {
	t.Helper()

	if at := os.Getenv("SLIPWAY_TEST_ARTIFACTS"); at != "" {
		at = filepath.Join(at, strings.NewReplacer("/", "-", " ", "-").Replace(t.Name()))
		require.NoError(t, os.MkdirAll(at, 0o755))
		return at
	}

	if kept := flag.Lookup("test.artifacts"); kept == nil || kept.Value.String() != "true" {
		return ""
	}

	return t.ArtifactDir()
}

// Open opens an address.
func (p *Page) Open(url string) {
	p.t.Helper()
	require.NoError(p.t, p.tab.navigate(url), url)
}

// visible reports whether the first element that matches a selector can be seen.
const visible = `(e => !!e && e.getClientRects().length > 0 &&
	getComputedStyle(e).visibility === 'visible')(document.querySelector(%q))`

// Await waits until the first element that matches a CSS selector is visible.
func (p *Page) Await(selector string) {
	p.t.Helper()

	if err := until(p.tab, fmt.Sprintf(visible, selector)); err != nil {
		p.t.Fatalf("%s did not appear (%v); the page: %s", selector, err, p.Text("body"))
	}
}

// Raise brings the tab's window to the front, as a person does who comes back to it, and the page gets the focus. In
// Chromium without a screen, where all windows are in front, the page gets the event alone.
func (p *Page) Raise() {
	p.t.Helper()

	if !p.Raised() {
		p.Holds("dispatchEvent(new Event('focus'))")
		return
	}

	require.NoError(p.t, until(p.tab, "document.hasFocus()"))
}

// Raised reports whether a window comes to the front by itself when it is used: keys and the focus exist there alone.
// In Chromium without a screen, each window has them.
func (p *Page) Raised() bool { return p.engine != engines[0].name }

// Back goes back in the history, and waits for nothing: a page that the browser has kept is not loaded. WebKit answers
// nothing after it if the other page has another Cross-Origin-Opener-Policy.
func (p *Page) Back() {
	p.t.Helper()

	back := "setTimeout(() => history.back())" // after the answer
	if p.look.NoScript {
		back = "history.back()" // no timer runs there
	}

	p.Holds(back + ", true")
}

// Resize changes the size of the screen.
func (p *Page) Resize(width, height int64) {
	p.t.Helper()
	require.NoError(p.t, p.tab.resize(width, height))
	p.look.Width = width
	p.look.Height = height
}

// Press presses keys. A plain letter is its own key.
func (p *Page) Press(keys ...string) {
	p.t.Helper()

	for _, k := range keys {
		require.NoError(p.t, p.tab.press(k, ""))
	}
}

// Control presses a key while the control key is held down.
func (p *Page) Control(key string) {
	p.t.Helper()
	require.NoError(p.t, p.tab.press(key, control))
}

// Type types a text.
func (p *Page) Type(text string) {
	p.t.Helper()

	for _, r := range text {
		p.Press(string(r))
	}
}

// Paste inserts a text into the focused field, as from the clipboard.
func (p *Page) Paste(text string) {
	p.t.Helper()
	require.NoError(p.t, p.tab.insert(text))
}

// maxTabs limits TabTo: no page has more controls.
const maxTabs = 60

// behind reports whether all elements that match a selector stand before the one that has the focus.
const behind = `(selector => {
	const at = document.activeElement;
	const all = [...document.querySelectorAll(selector)];
	return at !== document.body && all.length > 0 &&
		all.every(e => at.compareDocumentPosition(e) & Node.DOCUMENT_POSITION_PRECEDING);
})(%q)`

// TabTo presses Tab until an element that matches the selector has the focus. The test fails if the element cannot be
// reached, or if it does not show that it has the focus. Behind the last element of a page the key leads into the
// browser's own controls, but in Chromium without a screen: elsewhere, it goes back to what stands before.
func (p *Page) TabTo(selector string) {
	p.t.Helper()

	for pressed := range 2 * maxTabs {
		if p.Holds(fmt.Sprintf("document.activeElement.matches(%q)", selector)) {
			if err := until(p.tab, hasOutline); err != nil { // the sheet of a page may come after its fields
				p.t.Fatalf("%s does not show that it has the focus: %v", selector, err)
			}

			return
		}

		held := ""

		switch elsewhere := p.Raised(); {
		case elsewhere && (pressed > maxTabs || p.Holds(fmt.Sprintf(behind, selector))):
			held = shift
		case !elsewhere && pressed == maxTabs:
			p.t.Fatalf("the Tab key does not reach %s", selector)
		}

		require.NoError(p.t, p.tab.press(Tab, held))
	}

	p.t.Fatalf("the Tab key does not reach %s", selector)
}

// Fill goes to a field with Tab and replaces its text.
func (p *Page) Fill(selector, text string) {
	p.t.Helper()
	p.TabTo(selector)
	p.Control("a")
	p.Press(remove)
	p.Type(text)
}

// Submit presses Enter and waits for the next page.
func (p *Page) Submit() {
	p.t.Helper()
	require.NoError(p.t, p.tab.submit())
}

// Choose presses Enter on the focused control and chooses a file in its dialog.
func (p *Page) Choose(file string) {
	p.t.Helper()
	require.NoError(p.t, p.tab.choose(file))
}

// Holds returns the value of a JavaScript expression, or what its promise leads to. It works with a content security
// policy and without scripts.
func (p *Page) Holds(expression string) bool {
	p.t.Helper()
	return value[bool](p, expression)
}

// Text returns the visible text of the element that matches a selector, or "".
func (p *Page) Text(selector string) string {
	p.t.Helper()
	return value[string](p, fmt.Sprintf("document.querySelector(%q)?.innerText ?? ''", selector))
}

// Attribute returns an attribute of the element that matches a selector, or "".
func (p *Page) Attribute(selector, name string) string {
	p.t.Helper()
	return value[string](p, fmt.Sprintf("document.querySelector(%q)?.getAttribute(%q) ?? ''", selector, name))
}

// Address returns the page's URL.
func (p *Page) Address() string {
	p.t.Helper()
	return value[string](p, "location.href")
}

// value returns the value of a JavaScript expression, which must be of type T.
func value[T any](p *Page, expression string) T {
	p.t.Helper()

	got, err := p.tab.evaluate(expression)
	require.NoError(p.t, err, expression)
	v, ok := got.(T)
	require.True(p.t, ok, "%s is %v", expression, got)

	return v
}

// Fits fails if the page is wider than the screen. A page that is still loading, or just being replaced by another one,
// is waited for: without its styles, it may well be wider.
func (p *Page) Fits() {
	p.t.Helper()

	const (
		fits = "document.readyState === 'complete' && !!document.body && " +
			"document.documentElement.scrollWidth <= document.documentElement.clientWidth"
		wide = "[...document.querySelectorAll('*')].filter(e => e.scrollWidth > document.documentElement.clientWidth)" +
			".slice(-3).map(e => e.outerHTML.slice(0, 200)).join(' ')"
	)

	if err := until(p.tab, fits); err != nil {
		p.t.Fatalf("%s is wider than the screen (%v): %s", p.Address(), err, value[string](p, wide))
	}
}

// Colours returns how many colours are drawn in an element, without its last pixels on the right: 1 where it is blank.
// Pixels that the element covers in part are left out, since some browsers draw a mixture of two colours there. The
// page is not scrolled.
func (p *Page) Colours(selector string, without int) int {
	p.t.Helper()

	text, err := p.tab.picture()
	require.NoError(p.t, err)
	drawn, err := png.Decode(bytes.NewReader(text))
	require.NoError(p.t, err)

	box := fmt.Sprintf("document.querySelector(%q).getBoundingClientRect()", selector)
	edge := func(round, side string) int { return int(p.Number("Math." + round + "(" + box + "." + side + ")")) }
	area := image.Rect(
		edge("ceil", "left"),
		edge("ceil", "top"),
		edge("floor", "right")-without,
		edge("floor", "bottom"),
	)
	seen := map[color.Color]bool{}

	for x := area.Min.X; x < area.Max.X; x++ {
		for y := area.Min.Y; y < area.Max.Y; y++ {
			seen[drawn.At(x, y)] = true
		}
	}

	return len(seen)
}

// Print prints the page on A4 and returns the PDF file, which is kept beside the screenshots.
func (p *Page) Print(name string) []byte {
	p.t.Helper()

	paper, err := p.tab.print()

	var cannot errCannot
	if errors.As(err, &cannot) {
		p.t.Skip(cannot.Error())
	}

	require.NoError(p.t, err)

	if p.folder != "" {
		require.NoError(p.t, os.WriteFile(filepath.Join(p.folder, name+".pdf"), paper, 0o644))
	}

	return paper
}

// Shot checks that the page fits, and saves a screenshot of all of it where somebody keeps them, numbered in the order
// of the test.
func (p *Page) Shot(name string) {
	p.t.Helper()
	p.Fits()

	if p.folder == "" {
		return
	}

	picture, err := p.tab.picture()
	require.NoError(p.t, err)
	p.shots++
	path := filepath.Join(p.folder, fmt.Sprintf("%02d-%s-%d.png", p.shots, name, p.look.Width))
	require.NoError(p.t, os.WriteFile(path, picture, 0o644))
}
