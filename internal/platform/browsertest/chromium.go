package browsertest

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/chromedp/cdproto"
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
)

// chromium is a Chromium process, driven by the DevTools protocol.
type chromium struct {
	ctx  context.Context
	stop func()
}

func startChromium(folder, program string) (browser, error) {
	options := append(
		slices.Clone(chromedp.DefaultExecAllocatorOptions[:]),
		chromedp.ExecPath(program),
		chromedp.UserDataDir(folder),
		chromedp.WSURLReadTimeout(waitLimit),
		chromedp.Flag("lang", "en-GB"),
		chromedp.Flag("font-render-hinting", "none"),
	)
	if os.Geteuid() == 0 {
		options = append(options, chromedp.NoSandbox) // Chromium's sandbox refuses to be set up by root
	}

	allocator, stop := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, cancel := chromedp.NewContext(allocator)
	c := &chromium{ctx: ctx, stop: func() {
		cancel()
		stop()
	}}

	if err := chromedp.Do(ctx); err != nil {
		c.close()
		return nil, err
	}

	return c, nil
}

func (c *chromium) ended() bool { return c.ctx.Err() != nil }

func (c *chromium) close() {
	bounded, done := context.WithTimeout(c.ctx, waitLimit)
	defer done()
	_ = chromedp.Cancel(bounded) // waits for the process: its folder is removed after this
	c.stop()
}

func (c *chromium) open(l Look, complain func(string)) (tab, error) {
	return openChromium(c.ctx, l, complain, chromedp.WithNewBrowserContext())
}

// chromiumTab is a tab of Chromium.
type chromiumTab struct {
	ctx  context.Context // chromedp finds the tab by it
	stop context.CancelFunc
	look Look
}

func openChromium(parent context.Context, l Look, complain func(string), o ...chromedp.ContextOption) (tab, error) {
	ctx, cancel := chromedp.NewContext(parent, o...)
	c := &chromiumTab{ctx: ctx, stop: cancel, look: l}

	if err := c.dress(complain); err != nil {
		cancel()
		return nil, err
	}

	return c, nil
}

// written are the calls of console with which a page, or the framework within it, writes that something is wrong.
var written = []runtime.ConsoleAPICalledType{
	runtime.ConsoleAPICalledTypeWarning,
	runtime.ConsoleAPICalledTypeError,
	runtime.ConsoleAPICalledTypeAssert,
}

// textOf returns what values of a page are as text, with a space before each: an error with the lines it came from.
func textOf(values []*runtime.RemoteObject) string {
	var text strings.Builder

	for _, v := range values {
		switch {
		case v == nil:
		case v.Description != "":
			text.WriteString(" " + v.Description)
		default:
			text.WriteString(" " + string(v.Value))
		}
	}

	return text.String()
}

// dress makes the tab look as the test wants it.
func (c *chromiumTab) dress(complain func(string)) error {
	listen := func(event any) {
		switch e := event.(type) {
		case *log.EventEntryAdded:
			if e.Entry.Level == log.EntryLevelError || e.Entry.Level == log.EntryLevelWarning {
				complain(e.Entry.Text + " " + e.Entry.URL)
			}
		case *runtime.EventConsoleAPICalled:
			if slices.Contains(written, e.Type) {
				complain(string(e.Type) + textOf(e.Args))
			}
		case *runtime.EventExceptionThrown:
			complain(e.ExceptionDetails.Text + textOf([]*runtime.RemoteObject{e.ExceptionDetails.Exception}))
		}
	}
	if err := chromedp.Listen(c.ctx, listen); err != nil {
		return err
	}

	scheme := "light"
	if c.look.Dark {
		scheme = "dark"
	}

	media := emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}},
	}
	if _, err := chromedp.Call(c.ctx, emulation.SetEmulatedMedia, media); err != nil {
		return err
	}

	// each of several tabs has the focus
	focus := emulation.SetFocusEmulationEnabledParams{Enabled: true}
	if _, err := chromedp.Call(c.ctx, emulation.SetFocusEmulationEnabled, focus); err != nil {
		return err
	}

	script := emulation.SetScriptExecutionDisabledParams{Value: c.look.NoScript}
	if _, err := chromedp.Call(c.ctx, emulation.SetScriptExecutionDisabled, script); err != nil {
		return err
	}

	touch := emulation.SetTouchEmulationEnabledParams{Enabled: c.look.Touch}
	if _, err := chromedp.Call(c.ctx, emulation.SetTouchEmulationEnabled, touch); err != nil {
		return err
	}

	if c.look.Zone != "" {
		zone := emulation.SetTimezoneOverrideParams{TimezoneID: c.look.Zone}
		if _, err := chromedp.Call(c.ctx, emulation.SetTimezoneOverride, zone); err != nil {
			return err
		}
	}

	if c.look.Language != "" {
		wish := emulation.SetUserAgentOverrideParams{UserAgent: "browsertest", AcceptLanguage: c.look.Language}
		if _, err := chromedp.Call(c.ctx, emulation.SetUserAgentOverride, wish); err != nil {
			return err
		}
	}

	return c.resize(c.look.Width, c.look.Height)
}

// do runs actions, for at most waitLimit.
func (c *chromiumTab) do(actions ...chromedp.Action[chromedp.Void]) error {
	ctx, cancel := context.WithTimeout(c.ctx, waitLimit)
	defer cancel()

	return chromedp.Do(ctx, actions...)
}

func (c *chromiumTab) navigate(url string) error { return c.do(chromedp.Navigate(url)) }

// chromiumKeys are chromedp's own names of the keys without a letter.
var chromiumKeys = map[string]string{
	Tab:    kb.Tab,
	Enter:  kb.Enter,
	Down:   kb.ArrowDown,
	Right:  kb.ArrowRight,
	Escape: kb.Escape,
	remove: kb.Delete,
}

// press inserts letters outside of ASCII, because chromedp takes some of them for keys without a letter.
func (c *chromiumTab) press(key, held string) error {
	if own, ok := chromiumKeys[key]; ok {
		key = own
	} else if key[0] >= utf8.RuneSelf {
		return c.insert(key)
	}

	switch held {
	case control:
		return c.do(chromedp.KeyEvent(key, chromedp.KeyModifiers(chromedp.ModifierCtrl)))
	case shift:
		return c.do(chromedp.KeyEvent(key, chromedp.KeyModifiers(chromedp.ModifierShift)))
	}

	return c.do(chromedp.KeyEvent(key))
}

func (c *chromiumTab) insert(text string) error {
	_, err := chromedp.Call(c.ctx, input.InsertText, input.InsertTextParams{Text: text})
	return err
}

func (c *chromiumTab) click(x, y float64) error {
	if !c.look.Touch {
		return c.do(chromedp.MouseClickXY(x, y))
	}

	for _, event := range []input.DispatchTouchEventParams{
		{Type: input.DispatchTouchEventTypeTouchStart, TouchPoints: []*input.TouchPoint{{X: x, Y: y}}},
		{Type: input.DispatchTouchEventTypeTouchEnd, TouchPoints: []*input.TouchPoint{}},
	} {
		if _, err := chromedp.Call(c.ctx, input.DispatchTouchEvent, event); err != nil {
			return err
		}
	}

	return nil
}

func (c *chromiumTab) submit() error {
	ctx, cancel := context.WithTimeout(c.ctx, waitLimit)
	defer cancel()
	_, err := chromedp.Run(ctx, chromedp.WaitEvent(page.LoadEventFired, nil, chromedp.KeyEvent(kb.Enter)))

	return err
}

func (c *chromiumTab) choose(file string) error {
	ctx, cancel := context.WithTimeout(c.ctx, waitLimit)
	defer cancel()

	intercept := page.SetInterceptFileChooserDialogParams{Enabled: true}
	if _, err := chromedp.Call(ctx, page.SetInterceptFileChooserDialog, intercept); err != nil {
		return err
	}

	opened, err := chromedp.Run(ctx, chromedp.WaitEvent(page.FileChooserOpened, nil, chromedp.KeyEvent(kb.Enter)))
	if err != nil {
		return err
	}

	_, err = chromedp.Call(ctx, dom.SetFileInputFiles, dom.SetFileInputFilesParams{
		Files:         []string{file},
		BackendNodeID: opened.BackendNodeID,
	})

	return err
}

// leftPage is Chromium's answer for a page that was replaced by another site's or process's while it was asked.
const leftPage = "Inspected target navigated or closed"

// evaluate asks the page that is there. A page that is left meanwhile takes the answer with it: the next one is asked.
func (c *chromiumTab) evaluate(expression string) (any, error) {
	ctx, cancel := context.WithTimeout(c.ctx, waitLimit)
	defer cancel()

	for {
		got, err := chromedp.Run(ctx, chromedp.Evaluate[any](expression, chromedp.EvalAwaitPromise))
		if refused, ok := errors.AsType[*cdproto.Error](err); !ok || refused.Message != leftPage {
			return got, err
		}
	}
}

func (c *chromiumTab) resize(width, height int64) error {
	return c.do(chromedp.EmulateViewport(width, height))
}

func (c *chromiumTab) picture() ([]byte, error) {
	ctx, cancel := context.WithTimeout(c.ctx, waitLimit)
	defer cancel()

	return chromedp.Run(ctx, chromedp.FullScreenshot(100))
}

func (c *chromiumTab) print() ([]byte, error) {
	const width, height = 21 / 2.54, 29.7 / 2.54 // inches; the margins are a centimetre by themselves

	ctx, cancel := context.WithTimeout(c.ctx, waitLimit)
	defer cancel()

	paper, err := chromedp.Call(ctx, page.PrintToPDF, page.PrintToPDFParams{PaperWidth: width, PaperHeight: height})

	return paper.Data, err
}

func (c *chromiumTab) another(complain func(string)) (tab, error) {
	return openChromium(c.ctx, c.look, complain)
}

func (c *chromiumTab) close() { c.stop() }

// chromium returns the context that leads to a tab of Chromium. In another engine the test is skipped: what says for
// what.
func (p *Page) chromium(what string) context.Context {
	p.t.Helper()

	c, ok := p.tab.(*chromiumTab)
	if !ok {
		p.t.Skipf("only Chromium has %s here", what)
	}

	return c.ctx
}

// Authenticator gives the tab a device that makes passkeys and answers by them at once, its owner verified.
func (p *Page) Authenticator() {
	p.t.Helper()

	ctx := p.chromium("passkeys")
	_, err := chromedp.Call(ctx, webauthn.Enable, webauthn.EnableParams{})
	require.NoError(p.t, err)

	device := webauthn.VirtualAuthenticatorOptions{
		Protocol:                    webauthn.AuthenticatorProtocolCtap2,
		Transport:                   webauthn.AuthenticatorTransportInternal,
		HasResidentKey:              true,
		HasUserVerification:         true,
		IsUserVerified:              true,
		AutomaticPresenceSimulation: true,
	}
	_, err = chromedp.Call(ctx, webauthn.AddVirtualAuthenticator,
		webauthn.AddVirtualAuthenticatorParams{Options: &device})
	require.NoError(p.t, err)
}

// TakesPasskeys skips the test in a browser in which pages offer no passkeys, since it does not read their options.
func (p *Page) TakesPasskeys() {
	p.t.Helper()

	if !p.Holds("'parseCreationOptionsFromJSON' in (window.PublicKeyCredential ?? {})") {
		p.t.Skip("this browser does not read the options of passkeys, and pages offer none in it")
	}
}
