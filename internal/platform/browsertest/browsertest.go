// Package browsertest lets tests use pages as people do: in a headless Chromium, by the keys of a keyboard, at the
// width of a telephone or of a desk, and keeps pictures of what was seen.
//
// Nothing here clicks. Whatever a test does with a page can be done without a mouse, or the test cannot do it.
//
// Chromium is found in PATH or named by SLIPWAY_TEST_CHROMIUM (scripts/chromium installs it); without one the test is
// skipped with a sentence. Pictures go to the folder in SLIPWAY_TEST_ARTIFACTS, or else to the test's own (go test
// -artifacts keeps those).
package browsertest

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"
)

// patience ends a test whose page never comes to be as it waits for. Nothing is measured by it.
const patience = time.Minute

// Keys that have no letter.
const (
	Tab   = kb.Tab
	Enter = kb.Enter
	Space = " "
	Down  = kb.ArrowDown
	Right = kb.ArrowRight
)

// names are what Chromium is called where it is installed.
var names = []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "headless-shell"}

// Find returns the path of a Chromium, empty when there is none.
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

// Start starts a Chromium, or skips the test when there is none.
func Start(t testing.TB) *Browser {
	t.Helper()

	path := Find()
	if path == "" {
		t.Skip(
			"no Chromium was found (scripts/chromium gets it; SLIPWAY_TEST_CHROMIUM names another): pages are not " +
				"tried in a browser",
		)
	}

	options := append(
		chromedp.DefaultExecAllocatorOptions[:len(chromedp.DefaultExecAllocatorOptions):len(chromedp.DefaultExecAllocatorOptions)],
		chromedp.ExecPath(path),
		chromedp.UserDataDir(t.TempDir()),
		chromedp.WSURLReadTimeout(patience),
		chromedp.Flag("lang", "en-GB"),
		chromedp.Flag("font-render-hinting", "none"),
	)
	if os.Geteuid() == 0 {
		options = append(options, chromedp.NoSandbox) // Chromium's sandbox refuses to be set up by root
	}

	allocator, stop := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, cancel := chromedp.NewContext(allocator)
	t.Cleanup(func() {
		bounded, done := context.WithTimeout(ctx, patience)
		defer done()
		_ = chromedp.Cancel(bounded) // waits for the process: its folder is removed after this
		cancel()
		stop()
	})
	require.NoError(t, chromedp.Do(ctx), "start %s", path)

	return &Browser{ctx}
}

// Look is how a page is looked at. The zero value is a desk's screen, light, with scripts.
type Look struct {
	Width, Height int64 // CSS pixels; 0: 1280 by 900
	Dark          bool  // the person prefers dark pages
	NoScript      bool  // scripts are switched off
}

// Phone is a telephone held upright.
func Phone() Look { return Look{Width: 390, Height: 844} }

// Page is one tab of a person who was never here before: no cookie, no history.
type Page struct {
	t      testing.TB
	ctx    context.Context
	look   Look
	folder string
	shots  int
}

// Page opens an empty tab, which is closed with the test: the browser's own or one within it.
func (b *Browser) Page(t testing.TB, l Look) *Page {
	t.Helper()

	if l.Width == 0 {
		l.Width = 1280
		l.Height = 900
	}

	ctx, cancel := chromedp.NewContext(b.ctx, chromedp.WithNewBrowserContext())
	t.Cleanup(cancel)
	p := &Page{t: t, ctx: ctx, look: l, folder: folder(t)}

	scheme := "light"
	if l.Dark {
		scheme = "dark"
	}

	require.NoError(t, chromedp.Do(ctx, chromedp.EmulateViewport(l.Width, l.Height)))
	_, err := chromedp.Call(
		ctx,
		emulation.SetEmulatedMedia,
		emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{
			Name:  "prefers-color-scheme",
			Value: scheme,
		}}},
	)
	require.NoError(t, err)
	// several tabs, each of which is in front
	_, err = chromedp.Call(
		ctx,
		emulation.SetFocusEmulationEnabled,
		emulation.SetFocusEmulationEnabledParams{Enabled: true},
	)
	require.NoError(t, err)
	_, err = chromedp.Call(
		ctx,
		emulation.SetScriptExecutionDisabled,
		emulation.SetScriptExecutionDisabledParams{Value: l.NoScript},
	)
	require.NoError(t, err)

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

// do runs actions with patience.
func (p *Page) do(actions ...chromedp.Action[chromedp.Void]) {
	p.t.Helper()

	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	require.NoError(p.t, chromedp.Do(ctx, actions...))
}

// Open goes to an address, as if it stood in a mail.
func (p *Page) Open(url string) {
	p.t.Helper()
	p.do(chromedp.Navigate(url))
}

// Await waits until something that a CSS selector describes is to be seen.
func (p *Page) Await(selector string) {
	p.t.Helper()

	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()

	if err := chromedp.Do(ctx, chromedp.WaitVisible(chromedp.CSS(selector))); err != nil {
		p.t.Fatalf("%s never came (%v); the page: %s", selector, err, p.Text("body"))
	}
}

// Back goes back, as the browser's own button does.
func (p *Page) Back() {
	p.t.Helper()
	p.do(chromedp.NavigateBack())
}

// Press presses keys; plain letters are typed by theirs.
func (p *Page) Press(keys ...string) {
	p.t.Helper()

	for _, k := range keys {
		p.do(chromedp.KeyEvent(k))
	}
}

// Type types a text. Letters that no key has come as from an input method: chromedp takes some of them for keys
// without a letter.
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

// mostTabs bounds the way to a control: no page has more of them.
const mostTabs = 60

// TabTo presses Tab until what the selector describes has the focus, and fails when no number of presses gets there.
// A control that shows no sign of the focus fails as well: whoever uses a keyboard would not know where he is.
func (p *Page) TabTo(selector string) {
	p.t.Helper()

	for range mostTabs {
		if p.Holds(fmt.Sprintf("document.activeElement.matches(%q)", selector)) {
			require.True(
				p.t,
				p.Holds(
					"(s => s.outlineStyle !== 'none' && parseFloat(s.outlineWidth) >= "+
						"2)(getComputedStyle(document.activeElement.closest('.choice') || document.activeElement))",
				),
				"%s does not show that it has the focus",
				selector,
			)

			return
		}

		p.Press(Tab)
	}

	p.t.Fatalf("no way to %s with the Tab key", selector)
}

// Fill goes to a field with Tab and types over what stands there.
func (p *Page) Fill(selector, text string) {
	p.t.Helper()
	p.TabTo(selector)
	p.do(chromedp.KeyEvent("a", chromedp.KeyModifiers(chromedp.ModifierCtrl)), chromedp.KeyEvent(kb.Delete))
	p.Type(text)
}

// Submit presses Enter and waits for the page that comes.
func (p *Page) Submit() {
	p.t.Helper()

	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	_, err := chromedp.Run(ctx, chromedp.WaitEvent(page.LoadEventFired, nil, chromedp.KeyEvent(Enter)))
	require.NoError(p.t, err)
}

// Choose opens the file dialog of the control that has the focus, by Enter, and picks a file in it.
func (p *Page) Choose(file string) {
	p.t.Helper()

	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	_, err := chromedp.Call(
		ctx,
		page.SetInterceptFileChooserDialog,
		page.SetInterceptFileChooserDialogParams{Enabled: true},
	)
	require.NoError(p.t, err)
	opened, err := chromedp.Run(ctx, chromedp.WaitEvent(page.FileChooserOpened, nil, chromedp.KeyEvent(Enter)))
	require.NoError(p.t, err)
	_, err = chromedp.Call(ctx, dom.SetFileInputFiles, dom.SetFileInputFilesParams{
		Files:         []string{file},
		BackendNodeID: opened.BackendNodeID,
	})
	require.NoError(p.t, err)
}

// Holds evaluates an expression of JavaScript; the page's own policy and switched-off scripts do not hinder it.
func (p *Page) Holds(expression string) bool {
	p.t.Helper()

	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	held, err := chromedp.Run(ctx, chromedp.Evaluate[bool](expression))
	require.NoError(p.t, err, expression)

	return held
}

// Text returns what can be read in what a selector describes.
func (p *Page) Text(selector string) string {
	p.t.Helper()
	return p.value(fmt.Sprintf("document.querySelector(%q)?.innerText ?? ''", selector))
}

// Address returns the page's, as the address bar shows it.
func (p *Page) Address() string {
	p.t.Helper()
	return p.value("location.href")
}

func (p *Page) value(expression string) string {
	p.t.Helper()

	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	text, err := chromedp.Run(ctx, chromedp.Evaluate[string](expression))
	require.NoError(p.t, err, expression)

	return text
}

// Fits fails when the page is wider than the screen: on a telephone nobody finds what lies beside it.
func (p *Page) Fits() {
	p.t.Helper()
	require.True(
		p.t,
		p.Holds("document.documentElement.scrollWidth <= document.documentElement.clientWidth"),
		"the page is wider than the screen",
	)
}

// Shot keeps a picture of the whole page, numbered in the order of the test. It checks that the page fits.
func (p *Page) Shot(name string) {
	p.t.Helper()
	p.Fits()

	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	picture, err := chromedp.Run(ctx, chromedp.FullScreenshot(100))
	require.NoError(p.t, err)
	p.shots++
	require.NoError(
		p.t,
		os.WriteFile(
			filepath.Join(p.folder, fmt.Sprintf("%02d-%s-%d.png", p.shots, name, p.look.Width)),
			picture,
			0o644,
		),
	)
}
