// Package browsertest drives pages in a headless Chromium as people do: with the keyboard, at the width of a telephone
// or a desktop. It saves screenshots.
//
// It has no mouse. Whatever a test does with a page can be done without one. On a telephone's screen it can be tapped.
//
// Chromium is found in PATH or named by SLIPWAY_TEST_CHROMIUM (scripts/chromium installs it). Without one the test is
// skipped. Screenshots go to the folder in SLIPWAY_TEST_ARTIFACTS, or to the test's artifacts (go test -artifacts keeps
// them).
package browsertest

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/webauthn"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"slipway/internal/platform/platformtest/waits"
)

// waitLimit limits how long a test waits for a page. No test depends on its length.
const waitLimit = time.Minute

// Keys without a letter.
const (
	Tab   = kb.Tab
	Enter = kb.Enter
	Space = " "
	Down  = kb.ArrowDown
	Right = kb.ArrowRight
)

// names are the names of Chromium's command.
var names = []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "headless-shell"}

// hasOutline reports whether the focused element, or the choice that it belongs to, has a visible outline.
const hasOutline = `(s => s.outlineStyle !== 'none' && parseFloat(s.outlineWidth) >= 2)(
	getComputedStyle(document.activeElement.closest('.choice') || document.activeElement))`

// Find returns the path of a Chromium, or "" if there is none.
func Find() string {
	if path := os.Getenv("SLIPWAY_TEST_CHROMIUM"); path != "" {
		return path
	}

	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}

	return ""
}

// Browser is one Chromium process, which ends with the test.
type Browser struct{ ctx context.Context }

// Start starts a Chromium, or skips the test if there is none.
func Start(t testing.TB) *Browser {
	t.Helper()

	path := Find()
	if path == "" {
		t.Skip("there is no Chromium: scripts/chromium installs one, or SLIPWAY_TEST_CHROMIUM names one")
	}

	options := append(
		slices.Clone(chromedp.DefaultExecAllocatorOptions[:]),
		chromedp.ExecPath(path),
		chromedp.UserDataDir(t.TempDir()),
		chromedp.WSURLReadTimeout(waitLimit),
		chromedp.Flag("lang", "en-GB"),
		chromedp.Flag("font-render-hinting", "none"),
	)
	if os.Geteuid() == 0 {
		options = append(options, chromedp.NoSandbox) // Chromium's sandbox refuses to be set up by root
	}

	allocator, stop := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, cancel := chromedp.NewContext(allocator)
	t.Cleanup(func() {
		bounded, done := context.WithTimeout(ctx, waitLimit)
		defer done()
		_ = chromedp.Cancel(bounded) // waits for the process: its folder is removed after this
		cancel()
		stop()
	})

	started := waits.For(t, "start of a browser")
	require.NoError(t, chromedp.Do(ctx), "start %s", path)
	started()

	return &Browser{ctx}
}

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
	ctx        context.Context
	close      context.CancelFunc
	look       Look
	folder     string
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

// listen adds what the page throws, writes to its console as an error, and is refused by its policy or by a server.
func (c *complaints) listen(ev any) {
	switch e := ev.(type) {
	case *log.EventEntryAdded:
		if e.Entry.Level == log.EntryLevelError {
			c.add(e.Entry.Text + " " + e.Entry.URL)
		}
	case *runtime.EventExceptionThrown:
		c.add(e.ExceptionDetails.Text)
	}
}

// Complaints returns what the browser has reported as errors on this tab: exceptions, breaches of the policy, failed
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

	return open(t, b.ctx, l, chromedp.WithNewBrowserContext())
}

// Tab opens another tab of the same person, with the same cookies. It is closed at the end of the test.
func (p *Page) Tab() *Page {
	p.t.Helper()
	return open(p.t, p.ctx, p.look)
}

// Close closes the tab before the end of the test, so that it takes no more of the machine.
func (p *Page) Close() { p.close() }

func open(t testing.TB, parent context.Context, l Look, options ...chromedp.ContextOption) *Page {
	t.Helper()

	ctx, cancel := chromedp.NewContext(parent, options...)
	t.Cleanup(cancel)
	p := &Page{
		t:          t,
		ctx:        ctx,
		close:      cancel,
		look:       l,
		folder:     folder(t),
		complaints: &complaints{},
	}
	require.NoError(t, chromedp.Listen(ctx, p.complaints.listen))

	scheme := "light"
	if l.Dark {
		scheme = "dark"
	}

	require.NoError(t, chromedp.Do(ctx, chromedp.EmulateViewport(l.Width, l.Height)))

	media := emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}},
	}
	_, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, media)
	require.NoError(t, err)
	// each of several tabs has the focus
	focus := emulation.SetFocusEmulationEnabledParams{Enabled: true}
	_, err = chromedp.Call(ctx, emulation.SetFocusEmulationEnabled, focus)
	require.NoError(t, err)

	script := emulation.SetScriptExecutionDisabledParams{Value: l.NoScript}
	_, err = chromedp.Call(ctx, emulation.SetScriptExecutionDisabled, script)
	require.NoError(t, err)

	touch := emulation.SetTouchEmulationEnabledParams{Enabled: l.Touch}
	_, err = chromedp.Call(ctx, emulation.SetTouchEmulationEnabled, touch)
	require.NoError(t, err)

	if l.Zone != "" {
		zone := emulation.SetTimezoneOverrideParams{TimezoneID: l.Zone}
		_, err = chromedp.Call(ctx, emulation.SetTimezoneOverride, zone)
		require.NoError(t, err)
	}

	if l.Language != "" {
		wish := emulation.SetUserAgentOverrideParams{UserAgent: "browsertest", AcceptLanguage: l.Language}
		_, err = chromedp.Call(ctx, emulation.SetUserAgentOverride, wish)
		require.NoError(t, err)
	}

	return p
}

func folder(t testing.TB) string {
	t.Helper()

	if at := os.Getenv("SLIPWAY_TEST_ARTIFACTS"); at != "" {
		at = filepath.Join(at, strings.NewReplacer("/", "-", " ", "-").Replace(t.Name()))
		require.NoError(t, os.MkdirAll(at, 0o755))
		return at
	}

	return t.ArtifactDir()
}

// do runs actions, for at most waitLimit.
func (p *Page) do(actions ...chromedp.Action[chromedp.Void]) {
	p.t.Helper()

	ctx, cancel := context.WithTimeout(p.ctx, waitLimit)
	defer cancel()
	require.NoError(p.t, chromedp.Do(ctx, actions...))
}

// Authenticator gives the tab a device that makes passkeys and answers by them at once, its owner verified.
func (p *Page) Authenticator() {
	p.t.Helper()

	_, err := chromedp.Call(p.ctx, webauthn.Enable, webauthn.EnableParams{})
	require.NoError(p.t, err)

	device := webauthn.VirtualAuthenticatorOptions{
		Protocol:                    webauthn.AuthenticatorProtocolCtap2,
		Transport:                   webauthn.AuthenticatorTransportInternal,
		HasResidentKey:              true,
		HasUserVerification:         true,
		IsUserVerified:              true,
		AutomaticPresenceSimulation: true,
	}
	_, err = chromedp.Call(p.ctx, webauthn.AddVirtualAuthenticator,
		webauthn.AddVirtualAuthenticatorParams{Options: &device})
	require.NoError(p.t, err)
}

// Open opens an address.
func (p *Page) Open(url string) {
	p.t.Helper()
	p.do(chromedp.Navigate(url))
}

// Await waits until an element that matches a CSS selector is visible.
func (p *Page) Await(selector string) {
	p.t.Helper()

	ctx, cancel := context.WithTimeout(p.ctx, waitLimit)
	defer cancel()

	if err := chromedp.Do(ctx, chromedp.WaitVisible(chromedp.CSS(selector))); err != nil {
		p.t.Fatalf("%s did not appear (%v); the page: %s", selector, err, p.Text("body"))
	}
}

// Back goes back in the history.
func (p *Page) Back() {
	p.t.Helper()
	p.do(chromedp.NavigateBack())
}

// Press presses keys. A plain letter is its own key.
func (p *Page) Press(keys ...string) {
	p.t.Helper()

	for _, k := range keys {
		p.do(chromedp.KeyEvent(k))
	}
}

// Control presses a key while the control key is held down.
func (p *Page) Control(key string) {
	p.t.Helper()
	p.do(chromedp.KeyEvent(key, chromedp.KeyModifiers(chromedp.ModifierCtrl)))
}

// Type types a text. Letters outside of ASCII are inserted as by an input method, because chromedp takes some of them
// for keys without a letter.
func (p *Page) Type(text string) {
	p.t.Helper()

	for _, r := range text {
		if r < utf8.RuneSelf {
			p.Press(string(r))
			continue
		}

		_, err := chromedp.Call(p.ctx, input.InsertText, input.InsertTextParams{Text: string(r)})
		require.NoError(p.t, err)
	}
}

// maxTabs limits TabTo: no page has more controls.
const maxTabs = 60

// TabTo presses Tab until an element that matches the selector has the focus. The test fails if the element cannot be
// reached, or if it does not show that it has the focus.
func (p *Page) TabTo(selector string) {
	p.t.Helper()

	for range maxTabs {
		if p.Holds(fmt.Sprintf("document.activeElement.matches(%q)", selector)) {
			require.True(p.t, p.Holds(hasOutline), "%s does not show that it has the focus", selector)
			return
		}

		p.Press(Tab)
	}

	p.t.Fatalf("the Tab key does not reach %s", selector)
}

// Fill goes to a field with Tab and replaces its text.
func (p *Page) Fill(selector, text string) {
	p.t.Helper()
	p.TabTo(selector)
	p.Control("a")
	p.Press(kb.Delete)
	p.Type(text)
}

// Submit presses Enter and waits for the next page.
func (p *Page) Submit() {
	p.t.Helper()

	ctx, cancel := context.WithTimeout(p.ctx, waitLimit)
	defer cancel()
	_, err := chromedp.Run(ctx, chromedp.WaitEvent(page.LoadEventFired, nil, chromedp.KeyEvent(Enter)))
	require.NoError(p.t, err)
}

// Choose presses Enter on the focused control and chooses a file in its dialog.
func (p *Page) Choose(file string) {
	p.t.Helper()

	ctx, cancel := context.WithTimeout(p.ctx, waitLimit)
	defer cancel()

	intercept := page.SetInterceptFileChooserDialogParams{Enabled: true}
	_, err := chromedp.Call(ctx, page.SetInterceptFileChooserDialog, intercept)
	require.NoError(p.t, err)

	opened, err := chromedp.Run(ctx, chromedp.WaitEvent(page.FileChooserOpened, nil, chromedp.KeyEvent(Enter)))
	require.NoError(p.t, err)
	_, err = chromedp.Call(ctx, dom.SetFileInputFiles, dom.SetFileInputFilesParams{
		Files:         []string{file},
		BackendNodeID: opened.BackendNodeID,
	})
	require.NoError(p.t, err)
}

// Holds returns the value of a JavaScript expression. It works with a content security policy and without scripts.
func (p *Page) Holds(expression string) bool {
	p.t.Helper()

	ctx, cancel := context.WithTimeout(p.ctx, waitLimit)
	defer cancel()
	holds, err := chromedp.Run(ctx, chromedp.Evaluate[bool](expression))
	require.NoError(p.t, err, expression)

	return holds
}

// Text returns the visible text of the element that matches a selector, or "".
func (p *Page) Text(selector string) string {
	p.t.Helper()
	return p.value(fmt.Sprintf("document.querySelector(%q)?.innerText ?? ''", selector))
}

// Attribute returns an attribute of the element that matches a selector, or "".
func (p *Page) Attribute(selector, name string) string {
	p.t.Helper()
	return p.value(fmt.Sprintf("document.querySelector(%q)?.getAttribute(%q) ?? ''", selector, name))
}

// Address returns the page's URL.
func (p *Page) Address() string {
	p.t.Helper()
	return p.value("location.href")
}

func (p *Page) value(expression string) string {
	p.t.Helper()

	ctx, cancel := context.WithTimeout(p.ctx, waitLimit)
	defer cancel()
	text, err := chromedp.Run(ctx, chromedp.Evaluate[string](expression))
	require.NoError(p.t, err, expression)

	return text
}

// Fits fails if the page is wider than the screen.
func (p *Page) Fits() {
	p.t.Helper()

	const (
		fits = "document.documentElement.scrollWidth <= document.documentElement.clientWidth"
		wide = "[...document.querySelectorAll('*')].filter(e => e.scrollWidth > document.documentElement.clientWidth)" +
			".slice(-3).map(e => e.outerHTML.slice(0, 200)).join(' ')"
	)
	require.True(p.t, p.Holds(fits), "%s is wider than the screen: %s", p.Address(), p.value(wide))
}

// Shot saves a screenshot of the full page, numbered in the order of the test. It checks that the page fits.
func (p *Page) Shot(name string) {
	p.t.Helper()
	p.Fits()

	ctx, cancel := context.WithTimeout(p.ctx, waitLimit)
	defer cancel()
	picture, err := chromedp.Run(ctx, chromedp.FullScreenshot(100))
	require.NoError(p.t, err)
	p.shots++
	path := filepath.Join(p.folder, fmt.Sprintf("%02d-%s-%d.png", p.shots, name, p.look.Width))
	require.NoError(p.t, os.WriteFile(path, picture, 0o644))
}
