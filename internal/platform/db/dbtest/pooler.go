package dbtest

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
)

// Pooler starts pgbouncer in a pool mode in front of a server and returns the address of the server through it. It ends
// with the test. Without the program the test is skipped with a sentence.
func Pooler(t testing.TB, s *Server, mode string) string {
	t.Helper()

	program, err := exec.LookPath("pgbouncer")
	if err != nil {
		program = "/usr/sbin/pgbouncer" // where packages put it, beside the path of users
	}

	if _, err := os.Stat(program); err != nil {
		t.Skip("pgbouncer was not found: what a connection pooler changes is left out")
	}

	p := &Server{t: t, bin: filepath.Dir(program), account: s.account}
	p.choosePlace()

	const form = `[databases]
* = host=127.0.0.1 port=%s user=postgres
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = %s
unix_socket_dir =
auth_type = any
pool_mode = %s
server_tls_sslmode = disable
logfile = %s
pidfile = %s
`
	ini := filepath.Join(p.folder, "pgbouncer.ini")
	text := fmt.Sprintf(form, s.port, p.port, mode, filepath.Join(p.folder, "log"), filepath.Join(p.folder, "pid"))
	require.NoError(t, os.WriteFile(ini, []byte(text), 0o644)) // another account reads it

	p.process = p.command("pgbouncer", "-q", ini)
	require.NoError(t, p.process.Start())
	t.Cleanup(func() {
		_ = p.process.Process.Signal(syscall.SIGKILL)
		_ = p.process.Wait()
	})

	u, err := url.Parse(p.Address)
	require.NoError(t, err)
	require.Eventually(t, func() bool {
		c, err := pgx.Connect(context.Background(), u.String())
		if err == nil {
			_ = c.Close(context.Background())
		}

		return err == nil
	}, time.Minute, 20*time.Millisecond, "pgbouncer takes no connections")

	return u.String()
}
