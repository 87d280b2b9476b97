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

	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	_, s.port, err = net.SplitHostPort(l.Addr().String())
	require.NoError(t, err)
	require.NoError(t, l.Close())

	s.folder, err = os.MkdirTemp("/tmp", "slipway-pg-own") // where every account may go
	require.NoError(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(s.folder) })

	if s.account != nil {
		require.NoError(t, os.Chown(s.folder, int(s.account.Uid), int(s.account.Gid)))
	}

	out, err := s.command("initdb", "-D", s.data(), "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C",
		"--no-sync").CombinedOutput()
	require.NoError(t, err, "%s", out)

	s.Address = "postgres://postgres@127.0.0.1:" + s.port + "/postgres?sslmode=disable"
	t.Cleanup(s.Kill)
	s.Start()

	return s
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
