package dbtest

import (
	"context"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"slipway/internal/platform/platformtest/waits"
)

// Server is a PostgreSQL server of one test, which the test kills and starts again.
type Server struct {
	Address string // of its first database; tests make their own beside it

	t       testing.TB
	bin     string
	folder  string
	port    string
	account *syscall.Credential // nil: the test's own; PostgreSQL refuses to run as root
	process *exec.Cmd
}

// OwnServer starts a server; it ends with the test. Without the server's programs the test is skipped with a sentence.
func OwnServer(t testing.TB) *Server {
	t.Helper()

	s := &Server{t: t, bin: findServer()}
	if s.bin == "" {
		t.Skip("no programs of a PostgreSQL server were found: what happens when it is killed is left out")
	}

	s.chooseAccount()
	s.choosePlace()

	out, err := s.command("initdb", "-D", s.data(), "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C",
		"--no-sync").CombinedOutput()
	require.NoError(t, err, "%s", out)

	t.Cleanup(s.Kill)
	s.Start()

	return s
}

// choosePlace chooses a port and makes a folder.
func (s *Server) choosePlace() {
	s.t.Helper()

	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(s.t, err)
	_, s.port, err = net.SplitHostPort(l.Addr().String())
	require.NoError(s.t, err)
	require.NoError(s.t, l.Close())

	s.Address = "postgres://postgres@127.0.0.1:" + s.port + "/postgres?sslmode=disable"

	s.folder, err = os.MkdirTemp("/tmp", "slipway-pg-own") // where every account may go
	require.NoError(s.t, err)
	s.t.Cleanup(func() { _ = os.RemoveAll(s.folder) })

	if s.account != nil {
		require.NoError(s.t, os.Chown(s.folder, int(s.account.Uid), int(s.account.Gid)))
	}
}

func (s *Server) data() string { return filepath.Join(s.folder, "data") }

func (s *Server) command(program string, args ...string) *exec.Cmd {
	c := exec.Command(filepath.Join(s.bin, program), args...)
	c.Dir = s.folder
	c.SysProcAttr = &syscall.SysProcAttr{Credential: s.account}

	return c
}

// Start starts the server, after Kill with the recovery of what it had not written yet, and returns when it takes
// connections.
func (s *Server) Start() {
	s.t.Helper()
	defer waits.For(s.t, "start of a PostgreSQL server")()

	require.Eventually(s.t, func() bool {
		s.process = s.command("postgres", "-D", s.data(), "-p", s.port, "-k", s.folder, "-c",
			"listen_addresses=127.0.0.1", "-c", "fsync=off", "-c", "max_connections=100", "-c", "shared_buffers=32MB")
		require.NoError(s.t, s.process.Start())

		return s.takesConnections()
	}, time.Minute, 100*time.Millisecond, "the server does not start")
}

// takesConnections waits until the server answers, or has ended by itself: the processes of one that was killed may
// still be there.
func (s *Server) takesConnections() bool {
	ended := make(chan struct{})
	go func() { _ = s.process.Wait(); close(ended) }()

	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()

	for {
		select {
		case <-ended:
			return false
		case <-tick.C:
		}

		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		c, err := pgx.Connect(ctx, s.Address)
		cancel()

		if err == nil {
			_ = c.Close(context.Background())
			return true
		}
	}
}

// Do runs statements, each by itself.
func (s *Server) Do(statements ...string) {
	s.t.Helper()

	ctx := context.Background()
	c, err := pgx.Connect(ctx, s.Address)
	require.NoError(s.t, err)

	defer func() { _ = c.Close(ctx) }()

	for _, text := range statements {
		_, err := c.Exec(ctx, text)
		require.NoError(s.t, err, text)
	}
}

// Database returns the address of another database of the server.
func (s *Server) Database(name string) string { return withDatabase(s.Address, name) }

// LoseStandby makes every commit from now on wait for a standby that is not there; FindStandby ends that.
func (s *Server) LoseStandby() { s.waitFor("'lost'") }

// FindStandby confirms the commits that wait for a standby.
func (s *Server) FindStandby() { s.waitFor("''") }

// waitFor changes the server's setting, and returns once commits go by it.
func (s *Server) waitFor(standbys string) {
	s.t.Helper()
	s.Do("SET synchronous_commit = 'local'", "ALTER SYSTEM SET synchronous_standby_names = "+standbys,
		"SELECT pg_reload_conf()")

	lost := standbys != "''"
	require.Eventually(s.t, func() bool { return s.commitsWait() == lost }, time.Minute, 20*time.Millisecond)
}

// commitsWait reports whether a commit waits for a standby now. It is tried, since the setting that a new session shows
// says nothing of it: commits go by what another process of the server, the checkpointer, has read.
func (s *Server) commitsWait() bool {
	ctx := context.Background()
	probe, err := pgx.Connect(ctx, s.Address)
	require.NoError(s.t, err)

	defer func() { _ = probe.Close(ctx) }()

	look, err := pgx.Connect(ctx, s.Address)
	require.NoError(s.t, err)

	defer func() { _ = look.Close(ctx) }()

	ended := make(chan error, 1)

	go func() {
		_, err := probe.Exec(ctx, "SELECT pg_logical_emit_message(true, 'probe', '')")
		ended <- err
	}()

	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()

	for waits := false; !waits; {
		select {
		case err := <-ended:
			require.NoError(s.t, err)
			return false
		case <-tick.C:
		}

		err := look.QueryRow(ctx, "SELECT count(*) > 0 FROM pg_stat_activity WHERE pid = $1 AND wait_event = 'SyncRep'",
			probe.PgConn().PID()).Scan(&waits)
		require.NoError(s.t, err)
	}

	// the commit counts then, without its standby (PostgreSQL, SyncRepWaitForLSN)
	_, err = look.Exec(ctx, "SELECT pg_cancel_backend($1)", probe.PgConn().PID())
	require.NoError(s.t, err)
	require.NoError(s.t, <-ended)

	return true
}

// Standby starts a server that follows this one by nothing but what it has copied: it answers reads and refuses writes,
// as every standby does. This server is stopped for the copy and started again.
func (s *Server) Standby() *Server {
	s.t.Helper()

	out, err := s.command("pg_ctl", "stop", "-D", s.data(), "-m", "fast", "-w").CombinedOutput()
	require.NoError(s.t, err, "%s", out)

	other := &Server{t: s.t, bin: s.bin, account: s.account}
	other.choosePlace()

	copied := exec.Command("cp", "-a", s.data(), other.data())
	out, err = copied.CombinedOutput()
	require.NoError(s.t, err, "%s", out)
	require.NoError(s.t, os.WriteFile(filepath.Join(other.data(), "standby.signal"), nil, 0o600))

	if s.account != nil {
		require.NoError(s.t, os.Chown(filepath.Join(other.data(), "standby.signal"), int(s.account.Uid),
			int(s.account.Gid)))
	}

	s.t.Cleanup(other.Kill)
	s.Start()
	other.Start()

	return other
}

// Kill ends the server and all its processes by SIGKILL.
func (s *Server) Kill() {
	children := childrenOf(s.process.Process.Pid)

	_ = s.process.Process.Kill()
	for _, pid := range children { // one that came meanwhile sees that its parent is gone, and ends
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
}

// childrenOf reads whom a process has started; on Linux only.
func childrenOf(parent int) (out []int) {
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, path := range stats {
		text, err := os.ReadFile(path)
		if err != nil {
			continue
		}

		_, after, _ := strings.Cut(string(text), ") ") // pid (name) state parent …
		fields := strings.Fields(after)

		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(path)))
		if err == nil && len(fields) > 1 && fields[1] == strconv.Itoa(parent) {
			out = append(out, pid)
		}
	}

	return out
}

// findServer looks where scripts/with-postgres does and returns the folder of the newest server; empty: there is none.
func findServer() string {
	var found []string
	if path, err := exec.LookPath("postgres"); err == nil {
		found = append(found, filepath.Dir(path))
	}

	for _, pattern := range []string{
		"/usr/lib/postgresql/*/bin",
		"/usr/pgsql-*/bin",
		"/usr/local/pgsql/bin",
		"/opt/homebrew/opt/postgresql*/bin",
	} {
		matches, _ := filepath.Glob(pattern)
		slices.Reverse(matches)
		found = append(found, matches...)
	}

	for _, folder := range found {
		if _, err := os.Stat(filepath.Join(folder, "initdb")); err == nil {
			return folder
		}
	}

	return ""
}

// chooseAccount takes the account that the server's package made, where the test runs as root.
func (s *Server) chooseAccount() {
	if os.Getuid() != 0 {
		return
	}

	for _, name := range []string{"postgres", "nobody"} {
		u, err := user.Lookup(name)
		if err != nil {
			continue
		}

		uid, err := strconv.ParseUint(u.Uid, 10, 32)
		require.NoError(s.t, err)
		gid, err := strconv.ParseUint(u.Gid, 10, 32)
		require.NoError(s.t, err)
		s.account = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}

		return
	}

	s.t.Skip("PostgreSQL does not run as root, and there is no account postgres or nobody to run it as")
}
