//go:build !nosandbox

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// child is a running service.
type child struct {
	address string
	cmd     *exec.Cmd
	errs    bytes.Buffer
	ready   time.Duration // from the start of the process to the first 200 of /readyz
	heir    bool          // of one that was killed, which it says
}

// readyLimit is how long a service may take to be ready before the run is given up.
const readyLimit = 30 * time.Second

// startChild starts the service on a database and waits until it is ready. Every service on one database has the same
// data folder: there lies the witness, without which it would take its database for another one and send nothing.
func (b *bench) startChild(
	ctx context.Context,
	database, profile string,
	work bool,
	flags ...string,
) (*child, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}

	port, err := freePort()
	if err != nil {
		return nil, err
	}

	c := &child{address: net.JoinHostPort("127.0.0.1", strconv.Itoa(port))}

	args := []string{
		"service",
		"--database=" + database,
		"--data=" + b.dataDir(database),
		"--chain=" + b.world.URL,
		"--listen=" + c.address,
	}

	args = append(args, flags...)
	if work {
		args = append(args, "--work")
	}

	if profile != "" {
		args = append(args, "--profile="+profile)
	}

	return c, c.launch(exec.CommandContext(ctx, self, args...))
}

// launch starts a service's process and waits until it says that it is ready.
func (c *child) launch(cmd *exec.Cmd) error {
	c.cmd = cmd
	c.cmd.Cancel = func() error { return c.cmd.Process.Signal(syscall.SIGTERM) }
	c.cmd.WaitDelay = 10 * time.Second
	c.cmd.Stderr = &c.errs
	begin := time.Now()

	if err := c.cmd.Start(); err != nil {
		return err
	}

	for time.Since(begin) < readyLimit {
		if status, _, err := get(c.address, "/readyz"); err == nil && status == 200 {
			c.ready = time.Since(begin)
			return nil
		}

		time.Sleep(time.Millisecond)
	}

	return errors.Join(fmt.Errorf("the service was not ready after %s", readyLimit), c.stop())
}

func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer l.Close()

	return l.Addr().(*net.TCPAddr).Port, nil
}

// get is one request on a connection of its own.
func get(address, path string) (int, []byte, error) {
	c, err := dial(address)
	if err != nil {
		return 0, nil, err
	}
	defer c.close()

	return c.do([]byte("GET " + path + " HTTP/1.1\r\nHost: bench\r\n\r\n"))
}

// ofTheDead matches what a service says of one that was killed before it.
var ofTheDead = regexp.MustCompile(`(?m)^.* msg="a replica is gone: .*$`)

// stop ends the service in good order; what it said on standard error becomes an error.
func (c *child) stop() error {
	if c == nil || c.cmd.Process == nil {
		return nil
	}

	_ = c.cmd.Process.Signal(syscall.SIGTERM)

	err := c.cmd.Wait()

	said := strings.TrimSpace(c.errs.String())
	if c.heir {
		said = strings.TrimSpace(ofTheDead.ReplaceAllString(said, ""))
	}

	if said != "" {
		return errors.Join(err, errors.New("the service said: "+last(said, 2000)))
	}

	return err
}

func last(s string, n int) string { return s[max(0, len(s)-n):] }

// memory gives a line of /proc/PID/status in megabytes: VmRSS now, VmHWM at most so far. 0 where there is no such file.
func (c *child) memory(line string) float64 { return memoryOf(c.cmd.Process.Pid, line) }

func memoryOf(process int, line string) float64 {
	raw, err := os.ReadFile("/proc/" + strconv.Itoa(process) + "/status")
	if err != nil {
		return 0
	}

	_, after, ok := strings.Cut(string(raw), line+":")
	if !ok {
		return 0
	}

	kb, _ := strconv.ParseFloat(strings.Fields(after)[0], 64)

	return kb * 1024 / 1e6
}
