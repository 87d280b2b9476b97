package browsertest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/platformtest/waits"
)

// engine is a kind of browser.
type engine struct {
	name     string   // of subtests, and in SLIPWAY_TEST_ENGINE
	variable string   // names the program
	programs []string // names of its command
	start    func(folder, program string) (browser, error)
}

// engines are all that there are. The first one is taken where a test does not ask for more.
var engines = []engine{
	{
		name:     "chromium",
		variable: "SLIPWAY_TEST_CHROMIUM",
		programs: []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "headless-shell"},
		start:    startChromium,
	},
	{
		name:     "firefox",
		variable: "SLIPWAY_TEST_FIREFOX",
		programs: []string{"firefox-esr", "firefox"},
		start:    startFirefox,
	},
	{
		name:     "webkit",
		variable: "SLIPWAY_TEST_WEBKIT",
		programs: []string{"WebKitWebDriver"},
		start:    startWebKit,
	},
}

// browser is a running one.
type browser interface {
	// open opens an empty tab without cookies, or returns an error with errCannot if this engine has no such look.
	// complain is called with each error of the page, from another goroutine.
	open(l Look, complain func(text string)) (tab, error)
	// ended reports whether it is known that the browser has ended by itself.
	ended() bool
	// close ends the processes, and returns when they have ended.
	close()
}

// tab is what an engine does with one tab. Each method returns after waitLimit at the latest.
type tab interface {
	navigate(url string) error
	// press presses a key, while another one is held down, or "".
	press(key, held string) error
	// insert inserts a text into the focused field, as an input method does.
	insert(text string) error
	// click clicks with the mouse, or taps where the look has a screen to tap, at a point of the viewport.
	click(x, y float64) error
	// submit presses Enter and waits until the next page is loaded.
	submit() error
	// choose presses Enter on the focused file field and chooses a file in its dialog.
	choose(file string) error
	// evaluate returns the value of a JavaScript expression, or what its promise leads to: a bool, string, float64 or
	// nil. No content security policy applies.
	evaluate(expression string) (any, error)
	// resize changes the size of the viewport.
	resize(width, height int64) error
	// picture returns a screenshot as PNG, of the full page where the engine has such.
	picture() ([]byte, error)
	// print returns the page on A4, with margins of a centimetre, as PDF.
	print() ([]byte, error)
	// another opens another tab with the same cookies.
	another(complain func(text string)) (tab, error)
	close()
}

// pollInterval is how often a page is looked at. The page does not wait by itself: WebKit never answers for one that is
// left meanwhile, and one without scripts has no clock.
const pollInterval = 20 * time.Millisecond

// until waits until a condition holds on the page, whichever page that is then.
func until(on tab, condition string) error {
	ctx, cancel := context.WithTimeout(context.Background(), waitLimit)
	defer cancel()

	poll := time.NewTicker(pollInterval)
	defer poll.Stop()

	for {
		held, err := on.evaluate(condition)
		if err == nil && held == true {
			return nil
		}

		select {
		case <-ctx.Done():
			return errors.Join(ctx.Err(), err)
		case <-poll.C:
		}
	}
}

// errCannot is the reason for which an engine cannot do what a test asks for.
type errCannot string

// Error returns the reason.
func (e errCannot) Error() string { return string(e) }

// program returns the path of an engine's program, or "".
func (e engine) program() string {
	if path := os.Getenv(e.variable); path != "" {
		return path
	}

	for _, name := range e.programs {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}

	return ""
}

// Browser is one browser, which ends with the test, or with the tests of the package that share it.
type Browser struct {
	engine  string
	browser browser
}

// shared are the browsers that a package's tests share, one of each engine.
var shared struct {
	mu     sync.Mutex
	folder string // empty: each test has a browser of its own
	all    map[string]browser
}

// Main runs a package's tests, which share one browser of each engine: to start one costs as much as a short test. Each
// page is another person's all the same, with cookies, a history and files of its own. Call it from TestMain, and exit
// with its result.
func Main(m *testing.M) (code int) {
	folder, err := os.MkdirTemp("", "slipway-browser-")
	if err != nil {
		fmt.Fprintln(os.Stderr, "browsertest:", err)
		return 1
	}

	shared.folder = folder
	shared.all = map[string]browser{}

	code = m.Run()

	for _, b := range shared.all {
		b.close()
	}

	if err := os.RemoveAll(folder); err != nil {
		fmt.Fprintln(os.Stderr, "browsertest:", err)
	}

	return code
}

// Start starts the browser that SLIPWAY_TEST_ENGINE names, or a Chromium. It skips the test if there is none.
func Start(t testing.TB) *Browser {
	t.Helper()

	wanted := os.Getenv("SLIPWAY_TEST_ENGINE")
	if wanted == "" {
		return start(t, engines[0])
	}

	at := slices.IndexFunc(engines, func(e engine) bool { return e.name == wanted })
	require.GreaterOrEqual(t, at, 0, "SLIPWAY_TEST_ENGINE is chromium, firefox or webkit, not %q", wanted)

	return start(t, engines[at])
}

// Each runs a test in each engine that is installed here, or in the one that SLIPWAY_TEST_ENGINE names. The others are
// skipped by name.
func Each(t *testing.T, test func(t *testing.T, b *Browser)) {
	t.Helper()

	for _, e := range engines {
		if wanted := os.Getenv("SLIPWAY_TEST_ENGINE"); wanted != "" && wanted != e.name {
			continue
		}

		t.Run(e.name, func(t *testing.T) { test(t, start(t, e)) })
	}
}

func start(t testing.TB, e engine) *Browser {
	t.Helper()

	path := e.program()
	if path == "" {
		t.Skipf("there is no %s: scripts/browsers installs one, or %s names one", e.name, e.variable)
	}

	if shared.folder == "" {
		b := e.begin(t, t.TempDir(), path)
		t.Cleanup(b.close)

		return &Browser{engine: e.name, browser: b}
	}

	shared.mu.Lock()
	defer shared.mu.Unlock()

	b := shared.all[e.name]
	if b != nil && b.ended() { // what ended it has failed the test before
		b.close()

		b = nil
	}

	if b == nil {
		folder, err := os.MkdirTemp(shared.folder, e.name)
		require.NoError(t, err)

		b = e.begin(t, folder, path)
		shared.all[e.name] = b
	}

	return &Browser{engine: e.name, browser: b}
}

// begin starts a browser, or skips the test if something is missing for it.
func (e engine) begin(t testing.TB, folder, path string) browser {
	t.Helper()

	started := waits.For(t, "start of a browser")
	defer started()

	b, err := e.start(folder, path)

	var cannot errCannot
	if errors.As(err, &cannot) {
		t.Skip(cannot.Error())
	}

	require.NoError(t, err, "start %s", path)

	return b
}
