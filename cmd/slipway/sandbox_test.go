//go:build !nosandbox

package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/demo"
	"slipway/internal/pages/console"
	"slipway/internal/platform/browsertest"
	"slipway/internal/platform/config"
)

// A sandbox that is started again on its folder has the time, the ports and the people that it had, and sends no mail.
func TestSandboxContinuesWhereItStopped(t *testing.T) {
	dir := t.TempDir()

	ownPorts(t, dir)

	start := func() (*sandbox, demo.Person) {
		c, err := config.Load(config.Source{})
		require.NoError(t, err)

		s, err := startSandbox(t.Context(), sandboxSettings{
			dir:         dir,
			bank:        filepath.Join(dir, "bank"),
			period:      50 * time.Millisecond,
			listen:      "127.0.0.1:0",
			chainListen: "",
			keepChain:   true,
			log:         slog.New(slog.DiscardHandler),
			config:      c,
		})
		require.NoError(t, err)

		p, err := demo.SignUp(t.Context(), s.base, s.app.DB)
		require.NoError(t, err)

		return s, p
	}

	first, person := start()
	require.NoError(t, first.world.Advance(20*24*time.Hour))
	identity := first.world.Identity.URL
	chain := first.world.Chain.URL()
	mails, err := first.app.Mail.Mailbox(t.Context(), "")
	require.NoError(t, err)
	require.NoError(t, first.close())

	second, again := start()
	require.Equal(t, 20*24*time.Hour, second.app.DB.Clock().Advanced())
	require.Equal(t, identity, second.world.Identity.URL)
	require.Equal(t, chain, second.world.Chain.URL())
	require.Equal(t, person.Organisation, again.Organisation)

	after, err := second.app.Mail.Mailbox(t.Context(), "")
	require.NoError(t, err)
	require.Len(t, after, len(mails))
	require.NoError(t, second.close())
}

// What slipway dev prints leads a browser that nobody is signed in with to the form, where the sandbox's user is filled
// in. Enter signs in, and the console is there.
func TestAddressThatIsPrintedLeadsToAWorkingSignIn(t *testing.T) {
	browser := browsertest.Start(t)
	dev := startDev(t)

	p := browser.Page(t, browsertest.Look{})
	dev.signIn(p)
	require.Contains(t, p.Text("main h1"), "Dev", "the user is greeted")
}

// dev is slipway dev while it runs.
type dev struct {
	t       *testing.T
	printed []string
}

// startDev runs slipway dev on a folder of its own until the test ends, and returns when it is ready.
func startDev(t *testing.T) dev {
	t.Helper()

	if !console.Present {
		t.Skip("this build has no console")
	}

	dir := t.TempDir()
	data := filepath.Join(dir, "data")
	require.NoError(t, os.Mkdir(data, 0o700))
	ownPorts(t, data)

	settings := filepath.Join(dir, "slipway.toml")
	require.NoError(t, os.WriteFile(settings, []byte("[http]\nlisten = \"127.0.0.1:0\"\n"), 0o600))

	ctx, stop := context.WithCancel(t.Context())
	from, to := io.Pipe()
	ended := make(chan error, 1)

	go func() {
		err := run(ctx, []string{"--config", settings, "dev", "--data", data}, to)
		ended <- errors.Join(err, to.Close())
	}()

	d := dev{t: t}
	for lines := bufio.NewScanner(from); lines.Scan() && !strings.Contains(lines.Text(), "Stop with Ctrl-C"); {
		d.printed = append(d.printed, lines.Text())
	}

	go func() { _, _ = io.Copy(io.Discard, from) }() // until it has ended

	t.Cleanup(func() {
		stop()
		require.NoError(t, <-ended)
	})

	return d
}

// words returns the words of the lines that begin with one.
func (d dev) words(first string) (out [][]string) {
	d.t.Helper()

	for _, line := range d.printed {
		if words := strings.Fields(line); len(words) > 1 && strings.HasPrefix(words[0], first) {
			out = append(out, words)
		}
	}

	require.NotEmpty(d.t, out, "no line begins with %s: %s", first, strings.Join(d.printed, "\n"))

	return out
}

// signIn opens the address of the console that was printed, and signs in as the user that the page shows.
func (d dev) signIn(p *browsertest.Page) {
	d.t.Helper()
	p.Open(d.words("console")[0][1])
	p.Await("form input[name=email]")
	require.Contains(d.t, p.Text("main"), d.words("user")[0][1])
	p.TabTo("form button")
	p.Press(browsertest.Enter)
	p.Await("#console main h1") // the page with the form has a heading, too
	p.Await("#console main:not(:has([aria-busy=true]))")
}

// ownPorts has the sandbox of a folder use free ports: others may run one on the usual ones.
func ownPorts(t *testing.T, dir string) {
	t.Helper()

	for _, name := range []string{"chain.port", "identity.port"} {
		port, err := freePort(t.Context())
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), fmt.Append(nil, port), 0o600))
	}
}

func TestPortOfASandboxIsKept(t *testing.T) {
	file := filepath.Join(t.TempDir(), "port")

	busy, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)

	usual := busy.Addr().(*net.TCPAddr).Port
	port, err := keptPort(t.Context(), file, usual)
	require.NoError(t, err)
	require.NotEqual(t, usual, port, "somebody has the usual one")
	require.NoError(t, busy.Close())

	again, err := keptPort(t.Context(), file, usual)
	require.NoError(t, err)
	require.Equal(t, port, again, "although the usual one is free now")

	taken, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port))
	require.NoError(t, err)

	_, err = keptPort(t.Context(), file, usual)
	require.ErrorContains(t, err, "is in use")
	require.NoError(t, taken.Close())
}

// A sandbox on this machine is reached by a name: browsers bind passkeys to one. What others reach keeps its address.
func TestASandboxHasAName(t *testing.T) {
	for address, want := range map[string]string{
		"127.0.0.1:8080": "localhost:8080",
		"[::1]:8080":     "localhost:8080",
		"127.0.0.2:8080": "127.0.0.2:8080",
		"192.0.2.7:8080": "192.0.2.7:8080",
	} {
		require.Equal(t, want, named(net.TCPAddrFromAddrPort(netip.MustParseAddrPort(address))), address)
	}

	s := sandboxIn(t, t.TempDir(), "127.0.0.1:0")
	defer func() { require.NoError(t, s.close()) }()

	require.Regexp(t, `^http://localhost:\d+$`, s.base)
}
