// Package parts starts the real programs that adapters speak to, each as a server of one test: OpenSSH, ClamAV, an S3
// server, Postfix with OpenDKIM, nginx, HAProxy, SoftHSM, anvil and Bruno. It finds those that read our files, too:
// hledger, ledger and beancount, and packages of npm. Tests that use it are skipped unless `make parts` runs them,
// which installs what can be had and names what it left out.
//
// Read parts.go (programs and servers), then datev.go (what a checker of DATEV's files says).
package parts

import (
	"bytes"
	"context"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// variable names the folders, separated as in PATH, with programs that no package of the system installs.
const variable = "SLIPWAY_PARTS"

// Need returns the paths of programs. It skips the test where `make parts` does not run it, or where one is missing.
func Need(t testing.TB, names ...string) []string {
	t.Helper()

	extra, set := os.LookupEnv(variable)
	if !set {
		t.Skip("needs a real " + strings.Join(names, " and ") + ": make parts")
	}

	out := make([]string, len(names))
	for i, name := range names {
		out[i] = find(name, append(filepath.SplitList(extra), "/usr/sbin", "/usr/local/sbin"))
		if out[i] == "" {
			t.Skipf("left out: there is no %s here", name)
		}
	}

	return out
}

// Module returns the folder of a package that npm installed beside the programs. It skips as Need does.
func Module(t testing.TB, name string) string {
	t.Helper()

	for _, folder := range filepath.SplitList(os.Getenv(variable)) {
		module := filepath.Join(filepath.Dir(folder), name)
		if _, err := os.Stat(filepath.Join(module, "package.json")); err == nil {
			return module
		}
	}

	t.Skipf("needs the npm package %s: make parts", name)

	return ""
}

func find(name string, folders []string) string {
	if path, err := exec.LookPath(name); err == nil {
		return path
	}

	for _, folder := range folders {
		if path, err := exec.LookPath(filepath.Join(folder, name)); err == nil {
			return path
		}
	}

	return ""
}

// Port returns a port of this machine that nobody listens on.
func Port(t testing.TB) int {
	t.Helper()

	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	require.NoError(t, l.Close())

	return l.Addr().(*net.TCPAddr).Port
}

// Address returns a port of this machine as host:port.
func Address(port int) string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(port)) }

// File writes a file that everybody may read into a folder, and returns its path.
func File(t testing.TB, folder, name, content string) string {
	t.Helper()

	path := filepath.Join(folder, name)
	require.NoError(t, os.WriteFile(path, []byte(content), 0o644))

	return path
}

// Dir returns a folder for servers that give up their rights: their account can reach it. It is removed with the test.
func Dir(t testing.TB) string {
	t.Helper()

	dir, err := os.MkdirTemp("/tmp", "slipway-part-")
	require.NoError(t, err)
	require.NoError(t, os.Chmod(dir, 0o755))
	t.Cleanup(func() { _ = os.RemoveAll(dir) })

	return dir
}

// Server is a program that runs until the test ends.
type Server struct {
	t    testing.TB
	cmd  *exec.Cmd
	done chan struct{}
	mu   sync.Mutex
	said bytes.Buffer
}

// Start runs a program that stays in the foreground, and waits until it listens at the port. What it has said is in the
// test's log if it does not.
func Start(t testing.TB, port int, program string, args ...string) *Server {
	t.Helper()

	s := &Server{t: t, done: make(chan struct{})}
	s.cmd = exec.Command(program, args...)
	s.cmd.Stdout = s
	s.cmd.Stderr = s
	s.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	s.cmd.WaitDelay = time.Second // what it has started may outlive it and keep its output open
	require.NoError(t, s.cmd.Start())

	go func() {
		_ = s.cmd.Wait()
		close(s.done)
	}()

	t.Cleanup(s.Stop)
	s.await(port)

	return s
}

// Stop ends the program with all it has started. A second call does nothing.
func (s *Server) Stop() {
	select {
	case <-s.done:
		return
	default:
	}

	_ = syscall.Kill(-s.cmd.Process.Pid, syscall.SIGTERM)

	select {
	case <-s.done:
	case <-time.After(5 * time.Second):
		_ = syscall.Kill(-s.cmd.Process.Pid, syscall.SIGKILL)
		<-s.done
	}
}

// Write takes what the program says.
func (s *Server) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()

	return s.said.Write(p)
}

// Said returns what the program has said so far.
func (s *Server) Said() string {
	s.mu.Lock()
	defer s.mu.Unlock()

	return s.said.String()
}

// await waits until the program listens.
func (s *Server) await(port int) {
	s.t.Helper()

	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()

	for {
		conn, err := net.Dial("tcp", Address(port))
		if err == nil {
			_ = conn.Close()
			return
		}

		select {
		case <-s.done:
			require.FailNow(s.t, filepath.Base(s.cmd.Path)+" has ended", s.Said())
		case <-ctx.Done():
			require.FailNow(s.t, filepath.Base(s.cmd.Path)+" does not listen", s.Said())
		case <-time.After(20 * time.Millisecond):
		}
	}
}
