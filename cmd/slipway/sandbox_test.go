//go:build !nosandbox

package main

import (
	"fmt"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/demo"
	"slipway/internal/platform/config"
)

// A sandbox that is started again on its folder has the time, the ports and the people that it had, and sends no mail.
func TestSandboxContinuesWhereItStopped(t *testing.T) {
	dir := t.TempDir()

	for _, name := range []string{"chain.port", "identity.port"} { // others may run a sandbox on the usual ones
		port, err := freePort(t.Context())
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), fmt.Append(nil, port), 0o600))
	}

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
