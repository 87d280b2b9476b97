//go:build !nosandbox

package main

import (
	"bytes"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/db"
)

// process is `slipway serve` in a process of its own.
type process struct {
	*exec.Cmd
	t     *testing.T
	base  string
	said  text // what it wrote to standard error, if nobody else reads that
	ended chan struct{}
	err   error // of Wait; once it has ended
}

// text is what a process has written so far.
type text struct {
	mu sync.Mutex
	b  bytes.Buffer
}

// Write keeps what is written.
func (x *text) Write(p []byte) (int, error) {
	x.mu.Lock()
	defer x.mu.Unlock()

	return x.b.Write(p)
}

// String returns what was written.
func (x *text) String() string {
	x.mu.Lock()
	defer x.mu.Unlock()

	return x.b.String()
}

// spawn starts the service with the place's settings, further ones from the environment, and a standard error; nil:
// said.
func (p place) spawn(t *testing.T, stderr *os.File, environ ...string) *process {
	t.Helper()

	program := filepath.Join(programs(t, "slipway"), "slipway")

	s := &process{
		Cmd:   exec.Command(program, "--config", p.config(t, liveChainID, p.router.Hex()), "serve"),
		t:     t,
		base:  "http://" + p.listen,
		ended: make(chan struct{}),
	}

	s.Env = append(os.Environ(), environ...)
	s.Stderr = &s.said

	if stderr != nil {
		s.Stderr = stderr
	}

	require.NoError(t, s.Start())

	go func() {
		s.err = s.Wait()
		close(s.ended)
	}()
	t.Cleanup(func() {
		_ = s.Process.Kill()
		<-s.ended
	})

	return s
}

// serve starts the service and waits until it is ready.
func (p place) serve(t *testing.T, environ ...string) *process {
	t.Helper()

	s := p.spawn(t, nil, environ...)
	s.until("/readyz", http.StatusOK)

	return s
}

// until waits until a path is answered with a status, while the process runs.
func (s *process) until(path string, status int) {
	s.t.Helper()

	for got := 0; got != status; got, _ = s.get(path) {
		select {
		case <-s.ended:
			s.t.Fatalf("serve ended: %v\n%s", s.err, s.said.String())
		default:
		}
	}
}

// get returns a status and what came with it; 0 if there is no connection.
func (s *process) get(path string) (int, string) {
	res, err := http.Get(s.base + path)
	if err != nil {
		return 0, ""
	}
	defer res.Body.Close()

	body, _ := io.ReadAll(res.Body)

	return res.StatusCode, string(body)
}

// wait waits for the end of the process and returns its error and what it said.
func (s *process) wait() (string, error) {
	<-s.ended
	return s.said.String(), s.err
}

// unread is a standard error whose reader stands still. It ends with the test.
func unread(t *testing.T) (reader, writer *os.File) {
	t.Helper()

	reader, writer, err := os.Pipe()
	require.NoError(t, err)
	t.Cleanup(func() {
		_ = reader.Close()
		_ = writer.Close()
	})

	return reader, writer
}

// logged makes one request whose log line is long, and requires an answer.
func (s *process) logged() {
	s.t.Helper()

	status, _ := s.get(strings.Repeat("/none", 4000))
	require.Equal(s.t, http.StatusNotFound, status)
}

// dropped returns how many lines of the log were dropped.
func (s *process) dropped(metrics string) float64 {
	s.t.Helper()

	res, err := http.Get("http://" + metrics + "/metrics")
	require.NoError(s.t, err)

	defer res.Body.Close()

	body, err := io.ReadAll(res.Body)
	require.NoError(s.t, err)

	_, rest, found := strings.Cut(string(body), "\nslipway_log_lines_dropped_total ")
	require.True(s.t, found, "the figure is missing")

	value, _, _ := strings.Cut(rest, "\n")
	n, err := strconv.ParseFloat(value, 64)
	require.NoError(s.t, err)

	return n
}

// socket is a standard error as journald gives it: a socket, of which it holds the other end.
func socket(t *testing.T) (reader, writer *os.File) {
	t.Helper()

	ends, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
	require.NoError(t, err)

	reader, writer = os.NewFile(uintptr(ends[0]), "journal"), os.NewFile(uintptr(ends[1]), "stderr")
	t.Cleanup(func() {
		_ = reader.Close()
		_ = writer.Close()
	})

	return reader, writer
}

// The reader of the log goes away (journald restarts, a pipe is closed): the service goes on, counts what it could not
// log, and ends in order when it is told to. A signal that rotates logs does not end it.
func TestServeOutlivesTheReaderOfItsLog(t *testing.T) {
	for name, stderr := range map[string]func(*testing.T) (reader, writer *os.File){"pipe": unread, "socket": socket} {
		t.Run(name, func(t *testing.T) {
			p := newPlace(t)
			metrics := freeAddress(t)

			reader, writer := stderr(t)
			s := p.spawn(t, writer, "SLIPWAY_TELEMETRY__METRICS_LISTEN="+metrics)
			require.NoError(t, writer.Close())

			s.until("/readyz", http.StatusOK)
			require.NoError(t, reader.Close())

			for s.dropped(metrics) == 0 {
				s.logged()
			}

			require.NoError(t, s.Process.Signal(syscall.SIGHUP))
			s.logged()
			s.logged()

			require.NoError(t, s.Process.Signal(syscall.SIGTERM))
			_, err := s.wait()
			require.NoError(t, err)
		})
	}
}

// The reader of the log stands still: requests go on, and the process ends when it is told to.
func TestServeDoesNotWaitForTheReaderOfItsLog(t *testing.T) {
	p := newPlace(t)
	metrics := freeAddress(t)

	_, writer := unread(t)
	s := p.spawn(t, writer, "SLIPWAY_TELEMETRY__METRICS_LISTEN="+metrics)
	s.until("/readyz", http.StatusOK)

	for s.dropped(metrics) == 0 {
		s.logged()
	}

	require.NoError(t, s.Process.Signal(syscall.SIGTERM))
	_, err := s.wait()
	require.NoError(t, err)
}

// A second service on the database of a running one is refused before it has written anything, by whatever name it
// reaches the file: no witness of its own is compared with that database.
func TestASecondStartWritesNothing(t *testing.T) {
	p := newPlace(t)
	first := p.serve(t)

	link := p.file("link.db")
	require.NoError(t, os.Symlink(p.file("slipway.db"), link))

	for _, name := range []string{p.file("slipway.db"), link} {
		said, err := p.spawn(t, nil,
			"SLIPWAY_DATABASE__URL=sqlite:"+name,
			"SLIPWAY_DATA_DIR="+filepath.Join(p.dir, "another"),
			"SLIPWAY_HTTP__LISTEN=127.0.0.1:0",
		).wait()
		require.Error(t, err)
		require.Contains(t, said, db.ErrInUse.Error())
		require.NotContains(t, said, `"ready"`)
		require.NoDirExists(t, filepath.Join(p.dir, "another", "witness"))
	}

	incidents, err := slip(t, "--config", p.file("slipway.toml"), "reread", "show")
	require.NoError(t, err)
	require.NotContains(t, incidents, "LOST")

	status, _ := first.get("/readyz")
	require.Equal(t, http.StatusOK, status)
}

// A signal first makes /readyz 503, and the service goes on answering, so that no new request is sent to it; then it
// ends in order.
func TestServeDrainsBeforeItEnds(t *testing.T) {
	p := newPlace(t)
	s := p.serve(t, "SLIPWAY_SHUTDOWN__DRAIN=3s")

	require.NoError(t, s.Process.Signal(syscall.SIGTERM))
	s.until("/readyz", http.StatusServiceUnavailable)

	_, body := s.get("/readyz")
	require.Contains(t, body, `"draining"`)

	status, _ := s.get("/openapi.json")
	require.Equal(t, http.StatusOK, status, "everything else goes on")

	_, err := s.wait()
	require.NoError(t, err)
}

// A collector of traces that takes connections and says nothing keeps no process from ending well: the log names it.
func TestServeEndsBesideASilentCollector(t *testing.T) {
	collector, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, collector.Close()) })

	p := newPlace(t)
	s := p.serve(t, "SLIPWAY_TELEMETRY__OTLP_ENDPOINT=http://"+collector.Addr().String())

	require.NoError(t, s.Process.Signal(syscall.SIGTERM))
	said, err := s.wait()
	require.NoError(t, err, said)
	require.Contains(t, said, "a part does not end in time")
	require.Contains(t, said, `"part":"traces"`)
}

// A signal before the service is ready ends it well, too.
func TestServeEndsWhileItStarts(t *testing.T) {
	p := newPlace(t)
	s := p.spawn(t, nil)

	for !strings.Contains(s.said.String(), "\n") { // it has begun to log
		select {
		case <-s.ended:
			t.Fatalf("serve ended: %v\n%s", s.err, s.said.String())
		default:
		}
	}

	require.NoError(t, s.Process.Signal(syscall.SIGTERM))
	said, err := s.wait()
	require.NoError(t, err, said)
}

// proxy notes whom it is asked to connect to, and connects to nobody.
type proxy struct {
	*httptest.Server
	mu    sync.Mutex
	asked []string
}

func newProxy(t *testing.T) *proxy {
	t.Helper()

	p := &proxy{}
	p.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p.mu.Lock()
		defer p.mu.Unlock()

		p.asked = append(p.asked, r.Host)
		w.WriteHeader(http.StatusBadGateway)
	}))
	t.Cleanup(p.Close)

	return p
}

// hosts returns whom it was asked for since the last call, in order and each once.
func (p *proxy) hosts() []string {
	p.mu.Lock()
	defer p.mu.Unlock()

	out := slices.Compact(slices.Sorted(slices.Values(p.asked)))
	p.asked = nil

	return out
}

// wasAsked reports whether it was asked for all of these since the last call of hosts.
func (p *proxy) wasAsked(hosts []string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()

	return !slices.ContainsFunc(hosts, func(host string) bool { return !slices.Contains(p.asked, host) })
}

// The service and doctor reach the outside by the same way, which a setting decides: by the environment's proxy, or
// directly whatever the environment says. The parties that the service asks only when a payment or a person needs them
// are asked by doctor here, and by each adapter in TestEachAdapterGoesByTheEnvironmentsProxy.
func TestServeAndDoctorGoTheSameWay(t *testing.T) {
	for rule, want := range map[string][]string{
		"environment": {"one.nodes.example:443", "rates.example:443", "two.nodes.example:443"},
		"none":        nil,
	} {
		t.Run(rule, func(t *testing.T) {
			by := newProxy(t)
			p := newPlace(t)
			environ := []string{
				"HTTPS_PROXY=" + by.URL,
				"SLIPWAY_OUTGOING__PROXY=" + rule,
				"SLIPWAY_NETWORK__SEVEN__RPC_URLS=https://one.nodes.example,https://two.nodes.example",
				"SLIPWAY_RATES__SOURCE=market",
				"SLIPWAY_RATES__ECB_URL=https://rates.example/daily.xml",
				"SLIPWAY_RATES__FEEDS=USDC/USD seven 0x8fFfFfd4AfB6115b954Bd326cbe7B4BA576818f6 24h",
				"SLIPWAY_BANK_ACCOUNTS__PROVIDER=ibansuite",
				"SLIPWAY_BANK_ACCOUNTS__URL=https://iban.example/v4",
				"SLIPWAY_BANK_ACCOUNTS__KEY=eight open windows",
				"SLIPWAY_LIQUIDITY__PROVIDER=http",
				"SLIPWAY_LIQUIDITY__URL=https://liquidity.example",
				"SLIPWAY_LIQUIDITY__KEY_ID=house",
				"SLIPWAY_LIQUIDITY__SECRET=nine slow rivers, with bridges over each",
				"SLIPWAY_NETWORK__SEVEN__SAFE_SERVICE_URL=https://safe.example",
			}
			bucket := []string{
				"SLIPWAY_WITNESS__STORE=s3",
				"SLIPWAY_WITNESS__S3__ENDPOINT=https://bucket.example",
				"SLIPWAY_WITNESS__S3__BUCKET=witness",
				"SLIPWAY_WITNESS__S3__PATH_STYLE=true",
				"SLIPWAY_WITNESS__S3__ACCESS_KEY=name",
				"SLIPWAY_WITNESS__S3__SECRET=five quiet ladders",
			}
			and := func(hosts ...string) []string {
				if want == nil {
					return nil
				}

				return slices.Concat(want, hosts)
			}

			doctor := exec.Command(filepath.Join(programs(t, "slipway"), "slipway"),
				"--config", p.config(t, liveChainID, p.router.Hex()), "doctor")

			doctor.Env = append(os.Environ(), slices.Concat(environ, bucket)...)
			found, _ := doctor.CombinedOutput()
			require.Equal(t, rule == "none",
				strings.Contains(string(found), "the environment names one in HTTPS_PROXY"), string(found))
			require.NotContains(t, string(found), "SLIPWAY_OUTGOING__PROXY", "which is no proxy's")

			require.ElementsMatch(t, and(
				"bucket.example:443",
				"iban.example:443",
				"idv.example.org:443",
				"liquidity.example:443",
				"safe.example:443",
			), by.hosts(), "doctor")

			said, err := p.spawn(t, nil, slices.Concat(environ, bucket)...).wait()
			require.Error(t, err, "nothing is done without the witness")
			require.Equal(t, want != nil, slices.Contains(by.hosts(), "bucket.example:443"), said)

			s := p.spawn(t, nil, append(environ, "SLIPWAY_TELEMETRY__OTLP_ENDPOINT=https://traces.example")...)
			s.until("/readyz", http.StatusServiceUnavailable) // no node answers

			if want != nil {
				require.Eventually(t, func() bool { return by.wasAsked(want) }, time.Minute, 10*time.Millisecond)
			}

			require.NoError(t, s.Process.Signal(syscall.SIGTERM))
			said, err = s.wait()
			require.NoError(t, err, said)
			require.Equal(t, rule == "none", strings.Contains(said, "the environment names a proxy"))
			require.ElementsMatch(t, and("traces.example:443"), by.hosts(), "serve")
		})
	}
}

// The process that signs reaches the key service by the same setting as the service reaches everybody.
func TestTheSignerAsksTheKeyServiceByTheRule(t *testing.T) {
	credentials := filepath.Join(t.TempDir(), "credentials")
	text := "[default]\naws_access_key_id = name\naws_secret_access_key = ten even stones\n"
	require.NoError(t, os.WriteFile(credentials, []byte(text), 0o600))

	for rule, want := range map[string][]string{"environment": {"kms.example:443"}, "none": nil} {
		t.Run(rule, func(t *testing.T) {
			by := newProxy(t)
			signer := exec.Command(filepath.Join(programs(t, "slipway"), "slipway"), "signer", "run",
				"--kms-key=alias/operator",
				"--kms-region=eu-west-1",
				"--kms-credentials="+credentials,
				"--kms-endpoint=https://kms.example",
				"--socket="+filepath.Join(t.TempDir(), "socket"),
				"--journal="+filepath.Join(t.TempDir(), "journal"),
				"--router=7=0x52908400098527886E0F7030069857D2E4169EE7",
			)

			signer.Env = append(os.Environ(), "HTTPS_PROXY="+by.URL, "SLIPWAY_OUTGOING__PROXY="+rule)
			said, err := signer.CombinedOutput()
			require.Error(t, err, "there is no such service")
			require.Contains(t, string(said), "public key of alias/operator")
			require.ElementsMatch(t, want, by.hosts())
		})
	}
}
