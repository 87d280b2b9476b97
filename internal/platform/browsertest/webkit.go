package browsertest

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
)

// webkitStyle lets the bar above the page shrink, so that a window can be as narrow as a telephone. It is no style of
// pages.
const webkitStyle = "* { min-width: 0; min-height: 0; margin: 0; border-width: 0; padding: 0; font-size: 1px; " +
	"-gtk-icon-source: none; }\n"

// webkit is what starts WebKitGTK's small browser, for each person one, on a screen that nobody sees. It is driven by
// WebDriver.
type webkit struct {
	program string
	screen  *exec.Cmd
	display string
	home    string

	mu      sync.Mutex
	drivers map[*exec.Cmd]struct{}

	order sync.Mutex // of windows
	front *webkitTab
}

func startWebKit(home, program string) (browser, error) {
	path, err := exec.LookPath("Xvfb")
	if err != nil {
		return nil, errCannot("there is no Xvfb, which WebKit's browser needs: scripts/browsers installs it")
	}

	style := filepath.Join(home, ".config", "gtk-3.0", "gtk.css")

	if err := os.MkdirAll(filepath.Dir(style), 0o700); err != nil {
		return nil, err
	}

	if err := os.WriteFile(style, []byte(webkitStyle), 0o600); err != nil {
		return nil, err
	}

	number, write, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer number.Close()

	geometry := fmt.Sprintf("%dx%dx24", screenWidth, screenHeight)
	screen := exec.Command(path, "-displayfd", "3", "-screen", "0", geometry, "-nolisten", "tcp")
	screen.ExtraFiles = []*os.File{write}
	err = screen.Start()
	_ = write.Close()

	if err != nil {
		return nil, err
	}

	w := &webkit{program: program, screen: screen, home: home, drivers: map[*exec.Cmd]struct{}{}}

	line, err := bufio.NewReader(number).ReadString('\n') // written when it is ready
	if err != nil {
		w.close()
		return nil, fmt.Errorf("start Xvfb: %w", err)
	}

	w.display = ":" + strings.TrimSpace(line)

	return w, nil
}

// ended is false: each person has a browser of its own, and the screen does not end.
func (w *webkit) ended() bool { return false }

func (w *webkit) close() {
	w.mu.Lock()
	defer w.mu.Unlock()

	for one := range w.drivers {
		end(one)
	}

	clear(w.drivers)
	end(w.screen)
}

// end ends a process, and returns when it has ended.
func end(process *exec.Cmd) {
	_ = process.Process.Kill()
	_ = process.Wait()
}

// webkitTab is a window of one session.
type webkitTab struct {
	browser *webkit
	session *webkitSession
	window  string
	width   int64
	height  int64
	closed  bool
}

// webkitSession is a browser of its own, with cookies of its own. Commands go to the window that was switched to.
type webkitSession struct {
	address string
	driver  *exec.Cmd

	mu      sync.Mutex
	current string
	windows int
}

func (w *webkit) open(l Look, _ func(string)) (tab, error) {
	if err := unlike(l); err != nil {
		return nil, err
	}

	opened, err := limited(func(ctx context.Context) (driver, error) {
		s, err := w.session(ctx)
		if err != nil {
			return nil, err
		}

		one := &webkitTab{browser: w, session: s}
		if err := s.call(ctx, http.MethodGet, "/window", nil, &one.window); err != nil {
			return nil, err
		}

		s.current = one.window
		s.windows = 1

		return one, one.resize(ctx, l.Width, l.Height)
	})

	return &driven{opened}, err
}

// sessionTries is how often a driver is started: on a busy machine, the browser of one now and then never says that it
// is there.
const sessionTries = 3

// session starts a driver, of which each has one session, and its browser.
func (w *webkit) session(ctx context.Context) (s *webkitSession, err error) {
	for range sessionTries {
		within, cancel := context.WithTimeout(ctx, waitLimit/sessionTries)
		s, err = w.trySession(within)

		cancel()

		if err == nil {
			return s, nil
		}

		if s != nil {
			w.leave(s)
		}
	}

	return nil, err
}

// trySession is session, once. With an error it may return the session of a driver that has to be ended.
func (w *webkit) trySession(ctx context.Context) (*webkitSession, error) {
	port, err := freePort()
	if err != nil {
		return nil, err
	}

	process := exec.Command(w.program, "--host=127.0.0.1", "--port="+port)
	process.Env = append(os.Environ(),
		"DISPLAY="+w.display,
		"GDK_BACKEND=x11",
		"HOME="+w.home,
		"LIBGL_ALWAYS_SOFTWARE=1",
		"NO_AT_BRIDGE=1",
		"XDG_CONFIG_HOME="+filepath.Join(w.home, ".config"),
	)

	if err := process.Start(); err != nil {
		return nil, err
	}

	w.mu.Lock()
	w.drivers[process] = struct{}{}
	w.mu.Unlock()

	s := &webkitSession{address: "http://127.0.0.1:" + port, driver: process}
	if err := s.listening(ctx, port); err != nil {
		return s, err
	}

	var made struct {
		SessionID string `json:"sessionId"`
	}

	wish := object{"capabilities": object{"alwaysMatch": object{"timeouts": object{
		"script":   waitLimit.Milliseconds(),
		"pageLoad": waitLimit.Milliseconds(),
	}}}}
	if err := s.call(ctx, http.MethodPost, "/session", wish, &made); err != nil {
		return s, err
	}

	s.address += "/session/" + made.SessionID

	return s, nil
}

// leave ends a session's driver, and with it the browser.
func (w *webkit) leave(s *webkitSession) {
	w.mu.Lock()
	delete(w.drivers, s.driver)
	w.mu.Unlock()

	end(s.driver)
}

// freePort returns a port that nobody listens at.
func freePort() (string, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer listener.Close()

	_, port, err := net.SplitHostPort(listener.Addr().String())

	return port, err
}

// listening waits until the driver answers.
func (s *webkitSession) listening(ctx context.Context, port string) error {
	for {
		c, err := (&net.Dialer{}).DialContext(ctx, "tcp", "127.0.0.1:"+port)
		if err == nil {
			return c.Close()
		}

		if ctx.Err() != nil {
			return err
		}
	}
}

// call carries a command out and reads its value into a pointer, unless that is nil.
func (s *webkitSession) call(ctx context.Context, method, path string, params, into any) error {
	var body io.Reader

	if method == http.MethodPost {
		if params == nil {
			params = object{}
		}

		text, err := json.Marshal(params)
		if err != nil {
			return err
		}

		body = bytes.NewReader(text)
	}

	r, err := http.NewRequestWithContext(ctx, method, s.address+path, body)
	if err != nil {
		return err
	}

	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return err
	}
	defer answer.Body.Close()

	var a struct {
		Value json.RawMessage `json:"value"`
	}
	if err := json.NewDecoder(answer.Body).Decode(&a); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}

	switch {
	case answer.StatusCode != http.StatusOK:
		return fmt.Errorf("%s: %s", path, a.Value)
	case into == nil:
		return nil
	}

	return json.Unmarshal(a.Value, into)
}

// call is webkitSession.call in this window.
func (w *webkitTab) call(ctx context.Context, method, path string, params, into any) error {
	w.session.mu.Lock()
	defer w.session.mu.Unlock()

	if w.session.current != w.window {
		if err := w.session.call(ctx, http.MethodPost, "/window", object{"handle": w.window}, nil); err != nil {
			return err
		}

		w.session.current = w.window
	}

	return w.session.call(ctx, method, path, params, into)
}

// The screen has no window manager: a window has the focus while the pointer is in it, and the pointer rests in the
// middle of the screen. Pages never see it there: what a test clicks on is told to the browser alone.
const (
	screenWidth  = 600
	screenHeight = 1200
	pointerX     = screenWidth / 2
	pointerY     = screenHeight / 2
)

// raise brings the window to the front, and moves the one that was there off the screen: in any other one, nothing has
// the focus.
func (w *webkitTab) raise(ctx context.Context) error {
	w.browser.order.Lock()
	defer w.browser.order.Unlock()

	before := w.browser.front
	if before == w {
		return nil
	}

	if before != nil {
		_ = before.move(ctx, 2*screenWidth, 0) // it may be closed already
	}

	if err := w.move(ctx, pointerX-1, pointerY-1); err != nil {
		return err
	}

	w.browser.front = w

	return nil
}

func (w *webkitTab) move(ctx context.Context, x, y int64) error {
	return w.call(ctx, http.MethodPost, "/window/rect", object{"x": x, "y": y}, nil)
}

func (w *webkitTab) navigate(ctx context.Context, url string) error {
	return w.call(ctx, http.MethodPost, "/url", object{"url": url}, nil)
}

func (w *webkitTab) act(ctx context.Context, actions ...object) error {
	if err := w.raise(ctx); err != nil {
		return err
	}

	return w.call(ctx, http.MethodPost, "/actions", object{"actions": actions}, nil)
}

func (w *webkitTab) evaluate(ctx context.Context, expression string) (any, error) {
	if err := w.raise(ctx); err != nil {
		return nil, err
	}

	var got any

	script := object{"script": "return (" + expression + ")", "args": []any{}}
	err := w.call(ctx, http.MethodPost, "/execute/sync", script, &got)

	return got, err
}

func (w *webkitTab) choose(ctx context.Context, file string) error {
	field := map[string]string{}
	if err := w.call(ctx, http.MethodGet, "/element/active", nil, &field); err != nil {
		return err
	}

	for _, id := range field { // there is one, under a key that the standard has chosen
		return w.call(ctx, http.MethodPost, "/element/"+id+"/value", object{"text": file}, nil)
	}

	return errors.New("nothing has the focus")
}

// resize sets the size of the window, which has a frame and a bar around the viewport.
func (w *webkitTab) resize(ctx context.Context, width, height int64) error {
	w.width = width
	w.height = height

	outer := width
	outerHeight := height

	const tries = 5
	for range tries {
		rect := object{"width": outer, "height": outerHeight}
		if err := w.call(ctx, http.MethodPost, "/window/rect", rect, nil); err != nil {
			return err
		}

		size, err := w.evaluate(
			ctx,
			"new Promise(done => requestAnimationFrame(() => done([innerWidth, innerHeight])))",
		)
		if err != nil {
			return err
		}

		inner, ok := size.([]any)
		if !ok {
			return fmt.Errorf("the size is %v", size)
		}

		if inner[0] == float64(width) && inner[1] == float64(height) {
			return nil
		}

		outer += width - int64(inner[0].(float64))
		outerHeight += height - int64(inner[1].(float64))
	}

	return fmt.Errorf("the window cannot be made %d by %d", width, height)
}

// picture waits until what was changed last is painted: the driver does not.
func (w *webkitTab) picture(ctx context.Context) ([]byte, error) {
	const painted = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))"
	if _, err := w.evaluate(ctx, painted); err != nil {
		return nil, err
	}

	var text string
	if err := w.call(ctx, http.MethodGet, "/screenshot", nil, &text); err != nil {
		return nil, err
	}

	return base64.StdEncoding.DecodeString(text)
}

// print returns an error: the driver answers "unknown command" to WebDriver's command for it.
func (w *webkitTab) print(context.Context) ([]byte, error) {
	return nil, errCannot("WebKit's driver has no print")
}

func (w *webkitTab) another(ctx context.Context, _ func(string)) (driver, error) {
	var made struct {
		Handle string `json:"handle"`
	}
	if err := w.call(ctx, http.MethodPost, "/window/new", object{"type": "window"}, &made); err != nil {
		return nil, err
	}

	w.session.windows++
	other := &webkitTab{browser: w.browser, session: w.session, window: made.Handle}

	return other, other.resize(ctx, w.width, w.height)
}

// close closes the window. With the last one, the session, its browser and its driver end.
func (w *webkitTab) close(ctx context.Context) {
	if w.closed {
		return
	}

	w.closed = true
	_ = w.call(ctx, http.MethodDelete, "/window", nil, nil)

	if w.session.windows--; w.session.windows > 0 {
		return
	}

	_ = w.session.call(ctx, http.MethodDelete, "", nil, nil)
	w.browser.leave(w.session)
}
