//go:build !nosandbox

package apptest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http/httptest"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/require"

	"slipway/internal/app"
	"slipway/internal/app/world"
	"slipway/internal/platform/db"
	"slipway/internal/platform/failpoint"
	"slipway/internal/rails/chain/faultrpc"
)

// childVariable holds the Work of a process that a test has started; it is empty in the test itself.
const childVariable = "SLIPWAY_TEST_CHILD"

// Work is what a child process does: it opens the service on a database and a chain, runs rail and jobs, sends
// requests one after the other, and ends when nothing is under way any more.
type Work struct {
	Database string   `json:"database"`
	Nodes    []string `json:"nodes"`
	Bank     string   `json:"bank"` // folder of the bank, whose simulator works in the test
	// address of the identity provider, which the test serves; empty: there is none
	Identity string `json:"identity"`
	// of its clock before the wall's: what a process that was killed has left is old then
	Ahead    time.Duration `json:"ahead,format:nano"`
	Requests []Request     `json:"requests"`
	Webhooks bool          `json:"webhooks"` // it numbers events and sends webhooks, too
	Forever  bool          `json:"forever"`  // it does not end by itself
	Open     string        `json:"open"`     // counts what is under way; empty: transactions that have not ended
}

// Request is one request of a child, or an answer's place in its output.
type Request struct {
	Method string `json:"method"`
	Path   string `json:"path"`
	Token  string `json:"token"`
	Key    string `json:"key"` // Idempotency-Key
	Body   string `json:"body"`

	Header map[string][]string `json:"header"` // further ones
}

// Main runs a package's tests, or the work of a child. Call it from TestMain. All tests together fail if there is an
// event of the chart that the folder's scenarios must post (charttest.Example) and have not posted.
func Main(m *testing.M, folder string) {
	text := os.Getenv(childVariable)
	if text == "" {
		code := m.Run()

		if missing := neverPosted(folder); code == 0 && len(missing) > 0 {
			fmt.Fprintln(os.Stderr, "no scenario posts:", strings.Join(missing, ", "))

			code = 1
		}

		os.Exit(code)
	}

	if err := child(text); err != nil {
		fmt.Fprintln(os.Stderr, "child:", err)
		os.Exit(1)
	}

	os.Exit(0)
}

func child(text string) error {
	var w Work
	if err := json.Unmarshal([]byte(text), &w); err != nil {
		return err
	}

	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	places := world.At(w.Nodes[0])
	places.BankFolder = w.Bank
	places.Identity.URL = w.Identity
	out := Outside(places)
	out.Networks[0].Rail.URLs = w.Nodes

	a, err := open(w.Database, w.Bank, out, "")
	if err != nil {
		return err
	}

	a.DB.Clock().Advance(w.Ahead)

	leave, err := a.Announce(ctx)
	if err != nil {
		return errors.Join(err, a.Close())
	}

	work, cancel := context.WithCancel(ctx)
	defer cancel()

	runs := []func(context.Context) error{a.Rail.Run, a.Jobs.Run}
	if w.Webhooks {
		runs = append(runs, a.Feed.Run, a.Deliveries.Run)
	}

	ended := make(chan error, len(runs))
	for _, run := range runs {
		go func() {
			err := run(work)
			if work.Err() != nil {
				err = nil // it was told to end
			}

			ended <- err
		}()
	}

	err = w.do(ctx, a)
	cancel()

	for range runs {
		err = errors.Join(err, <-ended)
	}

	leave()

	return errors.Join(err, a.Close())
}

// do sends the requests, prints each answer on a line, and waits for the end of what they began.
func (w Work) do(ctx context.Context, a *app.App) error {
	for _, r := range w.Requests {
		req := httptest.NewRequest(r.Method, r.Path, strings.NewReader(r.Body))
		for name, values := range r.Header {
			req.Header[name] = values
		}

		if r.Token != "" {
			req.Header.Set("Authorization", "Bearer "+r.Token)
		}

		if r.Key != "" {
			req.Header.Set("Idempotency-Key", r.Key)
		}

		rec := httptest.NewRecorder()
		a.Handler.ServeHTTP(rec, req)
		fmt.Printf("%d %s\n", rec.Code, bytes.ReplaceAll(rec.Body.Bytes(), []byte("\n"), nil))
	}

	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()

	open := w.Open
	if open == "" {
		open = openStates
	}

	for {
		n, err := db.Value[int64](ctx, a.DB, open)
		if ctx.Err() != nil {
			return nil // told to end
		}

		if err != nil || (n == 0 && !w.Forever) {
			return err
		}

		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
	}
}

// Process is a child that runs, or has ended.
type Process struct {
	h      *Harness
	cmd    *exec.Cmd
	output bytes.Buffer
	done   chan struct{}
	err    error
}

// Spawn starts a child on the harness's database. point is the failpoint at which it dies, empty for none. Stop the
// harness's own apps first where they would take the work.
func (h *Harness) Spawn(w Work, point string) *Process {
	h.T.Helper()
	w.Database = h.URL

	w.Bank = h.World.BankFolder
	if len(w.Nodes) == 0 {
		w.Nodes = []string{h.NodeURL()}
	}

	text, err := json.Marshal(w)
	require.NoError(h.T, err)
	p := &Process{h: h, cmd: exec.Command(os.Args[0]), done: make(chan struct{})}

	p.cmd.Env = append(os.Environ(), childVariable+"="+string(text), failpoint.Variable+"="+point)
	p.cmd.Stdout = &p.output
	p.cmd.Stderr = &p.output

	require.NoError(h.T, p.cmd.Start())
	go func() {
		p.err = p.cmd.Wait()
		close(p.done)
	}()
	h.T.Cleanup(func() {
		_ = p.cmd.Process.Kill()
		<-p.done
	})

	return p
}

// Wait mines, and has the bank work, until the child has ended. It has longer than others: a child begins with
// starting a whole service.
func (p *Process) Wait() *Process {
	p.h.T.Helper()

	deadline := time.NewTimer(3 * patience)
	defer deadline.Stop()

	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()

	for {
		select {
		case <-p.done:
			return p
		case <-deadline.C:
			p.h.T.Fatalf("a child does not end:\n%s", p.output.String())

		case <-tick.C:
			p.h.World.Chain.Mine(1)
			_, err := p.h.World.Bank.Step(context.Background())
			require.NoError(p.h.T, err)
		}
	}
}

// Signal sends a signal to the child.
func (p *Process) Signal(s os.Signal) { _ = p.cmd.Process.Signal(s) }

// Killed requires that the child has died by SIGKILL: at its failpoint, or by Signal.
func (p *Process) Killed() *Process {
	p.h.T.Helper()

	var exit *exec.ExitError
	require.ErrorAs(p.h.T, p.err, &exit, p.output.String())
	status, ok := exit.Sys().(syscall.WaitStatus)
	require.True(
		p.h.T,
		ok && status.Signaled() && status.Signal() == syscall.SIGKILL,
		"%v\n%s",
		p.err,
		p.output.String(),
	)

	return p
}

// Ended requires that the child has ended in order, and gives its answers as "status body".
func (p *Process) Ended() []string {
	p.h.T.Helper()
	require.NoError(p.h.T, p.err, p.output.String())

	text := strings.TrimSpace(p.output.String())
	if text == "" {
		return nil
	}

	return strings.Split(text, "\n")
}

// SecondNode is another address of the same node, for a service that wants two.
func (h *Harness) SecondNode() string {
	h.T.Helper()
	p, err := faultrpc.New(h.World.URL)
	require.NoError(h.T, err)
	h.T.Cleanup(p.Close)

	return p.URL()
}

// Ahead starts the first app anew with a clock that is ahead of the wall's, after children with such clocks.
func (h *Harness) Ahead(d time.Duration) {
	h.T.Helper()
	h.App = h.Start()
	h.App.DB.Clock().Advance(d)
}

// MineFor mines while the child works, for some time: how far it comes is left to chance.
func (p *Process) MineFor(d time.Duration) {
	p.h.T.Helper()

	over := time.NewTimer(d)
	defer over.Stop()

	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()

	for {
		select {
		case <-p.done:
			p.h.T.Fatalf("a child has ended by itself: %v\n%s", p.err, p.output.String())
		case <-over.C:
			return
		case <-tick.C:
			p.h.World.Chain.Mine(1)
		}
	}
}

// Until waits for a condition while the child works and no block comes.
func (p *Process) Until(what string, condition func() bool) {
	p.h.T.Helper()

	deadline := time.NewTimer(patience)
	defer deadline.Stop()

	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()

	for !condition() {
		select {
		case <-p.done:
			p.h.T.Fatalf("a child has ended by itself: %v\n%s", p.err, p.output.String())
		case <-deadline.C:
			p.h.T.Fatalf("waited in vain: %s", what)
		case <-tick.C:
		}
	}
}
