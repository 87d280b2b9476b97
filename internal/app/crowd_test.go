//go:build !nosandbox

package app_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/app/apptest"
	"slipway/internal/platform/db/dbtest"
)

const (
	// crowd is how many clients mean harm, each from an address of its own.
	crowd = 40
	// crowdConnections is how many connections the service has in these tests: fewer than the crowd wants.
	crowdConnections = 200
	// crowdPatience bounds every wait of these tests.
	crowdPatience = 30 * time.Second
)

// besieged is the service on loopback.
type besieged struct {
	*apptest.Harness
	t       *testing.T
	address string
}

// besiege serves the harness's app on loopback until the test ends.
func besiege(t *testing.T, h *apptest.Harness) *besieged {
	t.Helper()
	h.App.Config.HTTP.MaxConnections = crowdConnections
	h.App.Config.Shutdown.Grace = 0

	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(context.Background())

	ended := make(chan error, 1)
	go func() { ended <- h.App.Serve(ctx, l) }()
	t.Cleanup(func() {
		cancel()
		require.NoError(t, <-ended)
	})

	return &besieged{h, t, l.Addr().String()}
}

// connect opens a connection from one address of the crowd, or of anybody else. It may be called from several
// goroutines.
func (b *besieged) connect(from string) (net.Conn, error) {
	d := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}, Timeout: crowdPatience}

	c, err := d.Dial("tcp", b.address)
	if err != nil {
		return nil, err
	}

	b.t.Cleanup(func() { _ = c.Close() })

	return c, c.SetDeadline(time.Now().Add(crowdPatience))
}

// ask sends a request on a connection of its own, reads the answer, and waits for the service to close it: what one
// person opens next does not count beside it.
func (b *besieged) ask(from, method, path, token, body string) (status int, contentType string, err error) {
	c, err := b.connect(from)
	if err != nil {
		return 0, "", err
	}
	defer c.Close()

	_, err = fmt.Fprintf(c, "%s %s HTTP/1.1\r\nHost: a\r\nConnection: close\r\n"+
		"Authorization: Bearer %s\r\nContent-Length: %d\r\n\r\n%s",
		method, path, token, len(body), body)
	if err != nil {
		return 0, "", err
	}

	r := bufio.NewReader(c)

	answer, err := http.ReadResponse(r, nil)
	if err != nil {
		return 0, "", err
	}

	_, err = io.Copy(io.Discard, answer.Body)
	_, _ = io.Copy(io.Discard, r)

	return answer.StatusCode, answer.Header.Get("Content-Type"), err
}

// stillServes requires that others notice nothing: health and readiness answer from any address, one of the crowd's
// included, and a person who is no part of the crowd reads and writes.
func (b *besieged) stillServes(c *apptest.Client) {
	b.t.Helper()

	for _, from := range []string{"127.0.0.1", "127.9.9.9"} {
		for _, path := range []string{"/healthz", "/readyz"} {
			status, _, err := b.ask(from, "GET", path, "", "")
			require.NoError(b.t, err)
			require.Equal(b.t, 200, status, "%s from %s", path, from)
		}
	}

	for range 5 {
		status, _, err := b.ask("127.9.9.9", "GET", "/users/me", c.Token, "")
		require.NoError(b.t, err)
		require.Equal(b.t, 200, status)
		status, _, err = b.ask("127.9.9.9", "PATCH", "/users/me", c.Token, `{"firstName":"Ada"}`)
		require.NoError(b.t, err)
		require.Equal(b.t, 200, status)
	}
}

// of is an address of the crowd.
func of(client int) string { return fmt.Sprintf("127.0.0.%d", 1+client%crowd) }

// I-10: forty clients send a megabyte of empty objects at once. What all of it allocates, thrown away included, is a
// few times what came; it was three hundred times as much. Every answer is a refusal that says why.
func TestCrowdSendsBodiesThatGrow(t *testing.T) {
	b := besiege(t, apptest.New(t, apptest.Config{}, "sqlite:"+dbtest.SQLiteFile(t)))
	c := b.Client("Ada")
	victim := b.Client("Grace")
	body := `{"type":"CRYPTO","token":"USDC","payments":[` + strings.Repeat(`{},`, 340_000) + `{}]}`

	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	statuses := make([]int, crowd)

	var all sync.WaitGroup
	for i := range crowd {
		all.Go(func() { statuses[i], _, _ = b.ask(of(i), "POST", "/transactions", c.Token, body) })
	}

	b.stillServes(victim)
	all.Wait()
	runtime.ReadMemStats(&after)

	for _, status := range statuses {
		require.Contains(t, []int{422, 429, 503}, status)
	}

	require.Contains(t, statuses, 422)
	require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(crowd*8*len(body)), "allocated in all")
}

// I-10: forty clients leave more bodies unfinished than the service has connections, without credentials.
func TestCrowdLeavesBodiesUnfinished(t *testing.T) {
	b := besiege(t, apptest.New(t, apptest.Config{}, "sqlite:"+dbtest.SQLiteFile(t)))

	victim := b.Client("Grace")
	for i := range crowd * 8 {
		c, err := b.connect(of(i))
		require.NoError(t, err)
		path := []string{"/auth/login", "/transactions", "/idv/webhook"}[i%3]
		_, err = fmt.Fprintf(c, "POST %s HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n{", path)
		require.NoError(t, err)
	}

	b.stillServes(victim)
}

// I-10: forty clients open more connections than the service has, and leave them idle, before their first request or
// after it. The descriptors that they take have an end.
func TestCrowdLeavesConnectionsIdle(t *testing.T) {
	b := besiege(t, apptest.New(t, apptest.Config{}, "sqlite:"+dbtest.SQLiteFile(t)))
	victim := b.Client("Grace")

	before := descriptors(t)
	for i := range crowd * 20 {
		c, err := b.connect(of(i))
		require.NoError(t, err)

		if i%2 == 0 {
			_, _ = io.WriteString(c, "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n") // some are closed before that
		}
	}

	b.stillServes(victim)

	ours := crowd * 20 // the crowd's own ends are in this process too
	require.Less(t, descriptors(t), before+ours+crowdConnections+150)
	name := t.TempDir() + "/file"
	require.NoError(t, os.WriteFile(name, []byte("x"), 0o600), "the service's own files have descriptors left")
}

// descriptors is how many files this process has open.
func descriptors(t *testing.T) int {
	t.Helper()

	open, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Skip("open files are not counted on this system")
	}

	return len(open)
}

// I-10: forty clients register at once and again, each byte by byte. Health answers meanwhile, and every registration
// has an answer.
func TestCrowdRegistersSlowly(t *testing.T) {
	b := besiege(t, apptest.New(t, apptest.Config{}, "sqlite:"+dbtest.SQLiteFile(t)))
	victim := b.Client("Grace")

	var all sync.WaitGroup

	statuses := make([]int, crowd)
	for i := range crowd {
		all.Go(func() { statuses[i] = b.register(of(i), i) })
	}

	b.stillServes(victim)
	all.Wait()

	for _, status := range statuses {
		require.Contains(t, []int{200, 429, 503}, status)
	}
}

// register sends a registration in pieces of a byte.
func (b *besieged) register(from string, i int) (status int) {
	c, err := b.connect(from)
	if err != nil {
		return 0
	}

	body := fmt.Sprintf(
		`{"firstName":"Eve","lastName":"Muster","email":"eve%d@example.org","password":%q}`,
		i,
		apptest.Password,
	)

	request := fmt.Sprintf("POST /auth/register HTTP/1.1\r\nHost: a\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
	for at := range len(request) {
		if _, err := io.WriteString(c, request[at:at+1]); err != nil {
			return 0
		}
	}

	answer, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		return 0
	}

	return answer.StatusCode
}

// What cannot be read, and what two readers would read differently, is refused by the whole service as everything else
// is.
func TestServiceRefusesWhatIsNoRequest(t *testing.T) {
	b := besiege(t, apptest.New(t, apptest.Config{}, "sqlite:"+dbtest.SQLiteFile(t)))

	for request, want := range map[string]string{
		"GET /healthz HTTP/1.1\r\nHost: a\r\nX: " + strings.Repeat("x", 64<<10) + "\r\n\r\n": "431 HEADER_TOO_LARGE",
		"GET /healthz HTTP/1.1\r\n\r\n": "400 REQUEST_MALFORMED",
		"POST /auth/login HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nTransfer-Encoding: " +
			"chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n": "400 REQUEST_MALFORMED",
		"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n": "404 NOT_FOUND",
	} {
		c, err := b.connect("127.0.0.1")
		require.NoError(t, err)
		_, err = io.WriteString(c, request)
		require.NoError(t, err)
		answer, err := http.ReadResponse(bufio.NewReader(c), nil)
		require.NoError(t, err)
		raw, err := io.ReadAll(answer.Body)
		require.NoError(t, err)

		require.Equal(t, "application/problem+json", answer.Header.Get("Content-Type"))
		require.NotEmpty(t, answer.Header.Get("X-Request-Id"))
		a := apptest.Answer{T: t, Status: answer.StatusCode, Raw: string(raw)}
		require.Equal(t, want, fmt.Sprintf("%d %s", a.Status, a.Code()))
	}
}
