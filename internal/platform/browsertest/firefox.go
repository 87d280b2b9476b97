package browsertest

import (
	"bufio"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"

	"github.com/gorilla/websocket"
)

// firefoxPreferences make Firefox quiet, light, and ask nobody for anything. What tests need besides it sets by itself,
// because it is driven.
const firefoxPreferences = `user_pref("app.normandy.enabled", false);
user_pref("browser.aboutwelcome.enabled", false);
user_pref("browser.shell.checkDefaultBrowser", false);
user_pref("datareporting.policy.dataSubmissionEnabled", false);
user_pref("intl.accept_languages", "en-GB, en");
user_pref("layout.css.prefers-color-scheme.content-override", 1);
user_pref("network.captive-portal-service.enabled", false);
user_pref("network.connectivity-service.enabled", false);
user_pref("ui.useOverlayScrollbars", 1);
`

// firefox is a Firefox process, driven by WebDriver BiDi over one connection.
type firefox struct {
	process *exec.Cmd
	socket  *websocket.Conn

	mu       sync.Mutex // guards what follows, and writing
	last     int
	waiting  map[int]chan reply
	complain map[string]func(string) // by tab
	tabs     map[string]int          // open ones, by person
	front    string                  // the tab that was raised last
	broken   error
}

// reply is the answer to a command, or an event.
type reply struct {
	ID      int             `json:"id"`
	Type    string          `json:"type"`
	Error   string          `json:"error"`
	Message string          `json:"message"`
	Result  json.RawMessage `json:"result"`
	Params  struct {
		Level  string `json:"level"`
		Text   string `json:"text"`
		Source struct {
			Context string `json:"context"`
		} `json:"source"`
	} `json:"params"`
}

func startFirefox(profile, program string) (browser, error) {
	if err := os.WriteFile(filepath.Join(profile, "user.js"), []byte(firefoxPreferences), 0o600); err != nil {
		return nil, err
	}

	process := exec.Command(program, "--headless", "--no-remote", "--profile", profile, "--remote-debugging-port=0")
	process.Env = append(os.Environ(), "HOME="+profile)

	said, err := process.StderrPipe()
	if err != nil {
		return nil, err
	}

	if err := process.Start(); err != nil {
		return nil, err
	}

	f := &firefox{
		process:  process,
		waiting:  map[int]chan reply{},
		complain: map[string]func(string){},
		tabs:     map[string]int{},
	}
	if err := within(func(ctx context.Context) error { return f.connect(ctx, said) }); err != nil {
		f.close()
		return nil, err
	}

	return f, nil
}

// connect finds the address in what Firefox says, and begins a session there.
func (f *firefox) connect(ctx context.Context, said io.Reader) error {
	const listening = "WebDriver BiDi listening on "

	lines := bufio.NewScanner(said)
	address := ""

	for address == "" && lines.Scan() {
		_, address, _ = strings.Cut(lines.Text(), listening)
	}

	if address == "" {
		return errors.New("it does not listen to WebDriver BiDi")
	}

	go func() { _, _ = io.Copy(io.Discard, said) }()

	socket, answer, err := websocket.DefaultDialer.DialContext(ctx, strings.TrimSpace(address)+"/session", nil)
	if err != nil {
		return err
	}

	_ = answer.Body.Close()
	f.socket = socket

	go f.listen()

	if err := f.call(ctx, "session.new", object{"capabilities": object{}}, nil); err != nil {
		return err
	}

	return f.call(ctx, "session.subscribe", object{"events": []string{"log.entryAdded"}}, nil)
}

// listen hands answers to those who wait for them, until the connection ends.
func (f *firefox) listen() {
	for {
		var r reply
		err := f.socket.ReadJSON(&r)

		f.mu.Lock()

		switch {
		case err != nil:
			f.broken = err
			for _, one := range f.waiting {
				close(one)
			}

			clear(f.waiting)
		case r.Type == "event":
			if complain := f.complain[r.Params.Source.Context]; complain != nil && bad(r.Params.Level) {
				complain(r.Params.Text)
			}
		default:
			if one := f.waiting[r.ID]; one != nil {
				one <- r
				delete(f.waiting, r.ID)
			}
		}

		f.mu.Unlock()

		if err != nil {
			return
		}
	}
}

// bad reports whether what is written at a level says that something is wrong.
func bad(level string) bool { return level == "error" || level == "warn" }

// call carries a command out and reads its result into a pointer, unless that is nil.
func (f *firefox) call(ctx context.Context, method string, params object, into any) error {
	answer := make(chan reply, 1)

	f.mu.Lock()
	f.last++
	id := f.last
	f.waiting[id] = answer

	err := f.broken
	if err == nil {
		err = f.socket.WriteJSON(object{"id": id, "method": method, "params": params})
	}

	f.mu.Unlock()

	if err != nil {
		return err
	}

	select {
	case <-ctx.Done():
		return fmt.Errorf("%s: %w", method, ctx.Err())
	case r, ok := <-answer:
		switch {
		case !ok:
			return errors.New(method + ": Firefox has ended")
		case r.Error != "":
			return fmt.Errorf("%s: %s: %s", method, r.Error, r.Message)
		case into == nil:
			return nil
		}

		return json.Unmarshal(r.Result, into)
	}
}

func (f *firefox) ended() bool {
	f.mu.Lock()
	defer f.mu.Unlock()

	return f.broken != nil
}

func (f *firefox) close() {
	if f.socket != nil {
		_ = f.socket.Close()
	}

	_ = f.process.Process.Kill()
	_ = f.process.Wait()
}

func (f *firefox) open(l Look, complain func(string)) (tab, error) {
	if err := unlike(l); err != nil {
		return nil, err
	}

	opened, err := limited(func(ctx context.Context) (driver, error) {
		var person struct {
			UserContext string `json:"userContext"`
		}
		if err := f.call(ctx, "browser.createUserContext", object{}, &person); err != nil {
			return nil, err
		}

		return f.window(ctx, person.UserContext, l.Width, l.Height, complain)
	})

	return &driven{opened}, err
}

// firefoxTab is a window of Firefox: in one with several tabs, only one of them is awake.
type firefoxTab struct {
	firefox       *firefox
	context       string
	person        string // whose cookies
	width, height int64
}

func (f *firefox) window(
	ctx context.Context, person string, width, height int64, complain func(string),
) (driver, error) {
	var made struct {
		Context string `json:"context"`
	}

	wish := object{"type": "window", "userContext": person}
	if err := f.call(ctx, "browsingContext.create", wish, &made); err != nil {
		return nil, err
	}

	f.mu.Lock()
	f.complain[made.Context] = complain
	f.tabs[person]++
	f.front = made.Context
	f.mu.Unlock()

	w := &firefoxTab{firefox: f, context: made.Context, person: person}

	return w, w.resize(ctx, width, height)
}

// call is firefox.call for this tab.
func (w *firefoxTab) call(ctx context.Context, method string, params object, into any) error {
	all := object{"context": w.context}
	maps.Copy(all, params)

	return w.firefox.call(ctx, method, all, into)
}

// navigate goes to an address, again if the page before was just going somewhere by itself.
func (w *firefoxTab) navigate(ctx context.Context, url string) error {
	for {
		err := w.call(ctx, "browsingContext.navigate", object{"url": url, "wait": "complete"}, nil)
		if err == nil || ctx.Err() != nil || !strings.Contains(err.Error(), "NS_BINDING_ABORTED") {
			return err
		}
	}
}

// raise brings the window to the front: in another one, nothing has the focus.
func (w *firefoxTab) raise(ctx context.Context) error {
	w.firefox.mu.Lock()
	front := w.firefox.front == w.context
	w.firefox.front = w.context
	w.firefox.mu.Unlock()

	if front {
		return nil
	}

	return w.call(ctx, "browsingContext.activate", object{}, nil)
}

func (w *firefoxTab) act(ctx context.Context, actions ...object) error {
	if err := w.raise(ctx); err != nil {
		return err
	}

	return w.call(ctx, "input.performActions", object{"actions": actions}, nil)
}

// remote is a value of the page.
type remote struct {
	Type   string `json:"type"`
	Result struct {
		Type     string `json:"type"`
		Value    any    `json:"value"`
		SharedID string `json:"sharedId"`
	} `json:"result"`
	ExceptionDetails struct {
		Text string `json:"text"`
	} `json:"exceptionDetails"`
}

func (w *firefoxTab) run(ctx context.Context, expression string) (remote, error) {
	var r remote
	if err := w.raise(ctx); err != nil {
		return r, err
	}

	err := w.firefox.call(ctx, "script.evaluate", object{
		"expression":   expression,
		"target":       object{"context": w.context},
		"awaitPromise": true,
	}, &r)

	if err == nil && r.Type == "exception" {
		err = errors.New(r.ExceptionDetails.Text)
	}

	return r, err
}

func (w *firefoxTab) evaluate(ctx context.Context, expression string) (any, error) {
	r, err := w.run(ctx, expression)
	return r.Result.Value, err
}

func (w *firefoxTab) choose(ctx context.Context, file string) error {
	field, err := w.run(ctx, "document.activeElement")
	if err != nil {
		return err
	}

	return w.call(ctx, "input.setFiles", object{
		"element": object{"sharedId": field.Result.SharedID},
		"files":   []string{file},
	}, nil)
}

func (w *firefoxTab) resize(ctx context.Context, width, height int64) error {
	w.width = width
	w.height = height

	return w.call(ctx, "browsingContext.setViewport", object{"viewport": object{"width": width, "height": height}}, nil)
}

func (w *firefoxTab) picture(ctx context.Context) ([]byte, error) {
	var shot struct {
		Data string `json:"data"`
	}
	if err := w.call(ctx, "browsingContext.captureScreenshot", object{"origin": "document"}, &shot); err != nil {
		return nil, err
	}

	return base64.StdEncoding.DecodeString(shot.Data)
}

func (w *firefoxTab) print(ctx context.Context) ([]byte, error) {
	var paper struct {
		Data string `json:"data"`
	}

	wish := object{"page": object{"width": 21.0, "height": 29.7}} // centimetres; the margins are one by themselves
	if err := w.call(ctx, "browsingContext.print", wish, &paper); err != nil {
		return nil, err
	}

	return base64.StdEncoding.DecodeString(paper.Data)
}

func (w *firefoxTab) another(ctx context.Context, complain func(string)) (driver, error) {
	return w.firefox.window(ctx, w.person, w.width, w.height, complain)
}

// close closes the window. With a person's last one, what the browser has kept of the person goes.
func (w *firefoxTab) close(ctx context.Context) {
	f := w.firefox

	f.mu.Lock()
	_, open := f.complain[w.context]
	delete(f.complain, w.context)

	if open {
		f.tabs[w.person]--
	}

	last := f.tabs[w.person] == 0
	f.mu.Unlock()

	if !open {
		return
	}

	_ = w.call(ctx, "browsingContext.close", nil, nil)

	if last {
		_ = f.call(ctx, "browser.removeUserContext", object{"userContext": w.person}, nil)
	}
}
