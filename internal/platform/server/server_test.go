package server

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// patience bounds every wait of a test; nothing is judged by it.
const patience = 20 * time.Second

// house is a server on loopback. Its handler answers with what it knows of the connection, waits on /wait, and reads
// the body on /read.
type house struct {
	t       *testing.T
	server  *Server
	address string
	entered chan string
	release chan struct{}
}

func newHouse(t *testing.T, connections int, trusted ...netip.Prefix) *house {
	t.Helper()
	h := &house{t: t, entered: make(chan string, 1000), release: make(chan struct{})}
	h.server = New(Config{
		Handler:     http.HandlerFunc(h.handle),
		Log:         slog.New(slog.DiscardHandler),
		Connections: connections,
		Trusted:     trusted,
		Problem: func(_ string, status int, reason string) (http.Header, []byte) {
			header := http.Header{"Content-Type": {"application/problem+json"}}
			return header, fmt.Appendf(nil, `{"status":%d,"detail":%q}`, status, reason)
		},
	})

	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	h.address = l.Addr().String()
	ctx, cancel := context.WithCancel(context.Background())

	ended := make(chan error, 1)
	go func() { ended <- h.server.Serve(ctx, l, 0) }()
	t.Cleanup(func() {
		cancel()
		require.NoError(t, <-ended)
	})

	return h
}

func (h *house) handle(w http.ResponseWriter, r *http.Request) {
	c := ConnOf(r.Context())
	switch r.URL.Path {
	case "/wait":
		h.entered <- r.URL.Path
		<-h.release

	case "/read":
		c.Await()

		h.entered <- r.URL.Path

		_, err := io.Copy(io.Discard, r.Body)
		if err != nil || !c.Begin() {
			h.entered <- "gone"
			return
		}

	case "/missing":
		http.Error(w, "HTTP/1.1 404 in a body", http.StatusNotFound)
		return
	}

	_, _ = fmt.Fprintf(w, "spare=%v ambiguous=%v", c.Spare(), c.Ambiguous())
}

// client is one connection to a house.
type client struct {
	t *testing.T
	net.Conn
	in *bufio.Reader
}

// from connects from one of the addresses of loopback.
func (h *house) from(address string) *client {
	h.t.Helper()
	d := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(address)}, Timeout: patience}
	c, err := d.Dial("tcp", h.address)
	require.NoError(h.t, err)
	h.t.Cleanup(func() { _ = c.Close() })
	require.NoError(h.t, c.SetDeadline(time.Now().Add(patience)))

	return &client{h.t, c, bufio.NewReader(c)}
}

// send writes bytes as they are.
func (c *client) send(text string) *client {
	c.t.Helper()
	_, err := io.WriteString(c, text)
	require.NoError(c.t, err)

	return c
}

// answer reads one answer.
func (c *client) answer() (*http.Response, string) {
	c.t.Helper()
	r, err := http.ReadResponse(c.in, nil)
	require.NoError(c.t, err)
	body, err := io.ReadAll(r.Body)
	require.NoError(c.t, err)

	return r, string(body)
}

// closed requires that the service ends the connection and says nothing more.
func (c *client) closed() {
	c.t.Helper()

	rest, err := io.ReadAll(c.in)
	if err != nil {
		require.NotErrorIs(c.t, err, context.DeadlineExceeded)
		require.Contains(c.t, err.Error(), "reset")
	}

	require.Empty(c.t, string(rest))
}

const get = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"

// count waits until the server has so many connections.
func (h *house) count(want int) {
	h.t.Helper()
	require.Eventually(h.t, func() bool {
		h.server.mu.Lock()
		defer h.server.mu.Unlock()
		return len(h.server.conns) == want
	}, patience, time.Millisecond)
}

// What the HTTP library refuses before a handler sees it is a problem document too: of header and request line in
// every way they may be wrong, on a new connection and behind requests that were answered.
func TestWhatCannotBeReadIsRefusedWithAProblemDocument(t *testing.T) {
	h := newHouse(t, 100)
	for name, c := range map[string]struct {
		request string
		status  int
	}{
		"header too large":     {"GET / HTTP/1.1\r\nHost: a\r\nX: " + strings.Repeat("x", 64<<10) + "\r\n\r\n", 431},
		"no host":              {"GET / HTTP/1.1\r\n\r\n", 400},
		"two hosts":            {"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400},
		"malformed host":       {"GET / HTTP/1.1\r\nHost: a b\r\n\r\n", 400},
		"no request line":      {"nonsense\r\n\r\n", 400},
		"bad field name":       {"GET / HTTP/1.1\r\nHost: a\r\nA b: c\r\n\r\n", 400},
		"no colon":             {"GET / HTTP/1.1\r\nHost: a\r\nnonsense\r\n\r\n", 400},
		"control character":    {"GET / HTTP/1.1\r\nHost: a\r\nX: \x00\r\n\r\n", 400},
		"two lengths":          {"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab", 400},
		"length is no number":  {"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: +1\r\n\r\na", 400},
		"unknown coding":       {"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\n\r\n", 501},
		"another version":      {"GET / HTTP/3.0\r\nHost: a\r\n\r\n", 505},
		"unknown expectation":  {"GET / HTTP/1.1\r\nHost: a\r\nExpect: nothing\r\n\r\n", 417},
		"bad escape in a path": {"GET /%zz HTTP/1.1\r\nHost: a\r\n\r\n", 400},
	} {
		for _, before := range []string{"", get + get} {
			c2 := h.from("127.0.0.1").send(before + c.request)
			for range strings.Count(before, "GET") {
				r, _ := c2.answer()
				require.Equal(t, 200, r.StatusCode)
			}

			r, body := c2.answer()
			require.Equal(t, c.status, r.StatusCode, "%s: %s", name, body)
			require.Equal(t, "application/problem+json", r.Header.Get("Content-Type"), name)
			require.Contains(t, body, fmt.Sprintf(`{"status":%d,`, c.status), name)
			require.True(t, r.Close)
			c2.closed()
		}
	}

	r, body := h.from("127.0.0.1").send("GET /missing HTTP/1.1\r\nHost: a\r\n\r\n").answer()
	require.Equal(t, "text/plain; charset=utf-8", r.Header.Get("Content-Type"), "what a handler refuses is its own")
	require.Contains(t, body, "404 in a body")
	c := h.from("127.0.0.1").send("POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\n")
	r, _ = c.answer()
	require.Equal(t, 200, r.StatusCode, "a handler that reads nothing asks for nothing")
}

// A header with both Content-Length and Transfer-Encoding is known to the handler, also behind other requests in the
// same packet.
func TestHandlerKnowsOfAmbiguousHeaders(t *testing.T) {
	h := newHouse(t, 100)

	c := h.from("127.0.0.1").send(get + inChunks + measured + get + twoWays)
	for range 4 {
		_, body := c.answer()
		require.Contains(t, body, "ambiguous=false")
	}

	_, body := c.answer()
	require.Contains(t, body, "ambiguous=true")
}

// I-10: one address has a quarter of the connections. Beyond, it can ask how the service is, and others can do
// everything.
func TestOneAddressHasAShareOfTheConnections(t *testing.T) {
	h := newHouse(t, 40)
	for range 10 {
		_, body := h.from("127.0.0.2").send(get).answer()
		require.Contains(t, body, "spare=false")
	}

	_, body := h.from("127.0.0.2").send(get).answer()
	require.Contains(t, body, "spare=true")
	_, body = h.from("127.0.0.3").send(get).answer()
	require.Contains(t, body, "spare=false")
}

// I-10: the connections of a trusted proxy are those of many, and are not counted by its address.
func TestTrustedProxyHasAllConnectionsThereAre(t *testing.T) {
	h := newHouse(t, 40, netip.MustParsePrefix("127.0.0.2/32"))
	for range 40 {
		_, body := h.from("127.0.0.2").send(get).answer()
		require.Contains(t, body, "spare=false")
	}
}

// I-10: when all connections are taken, whoever has most gives way: connections that wait for their client, be it for
// its next request, the rest of its header, or its body. Those whose request is worked on stay.
func TestWhoHasMostGivesWay(t *testing.T) {
	h := newHouse(t, 40)
	working := h.from("127.0.0.2").send("GET /wait HTTP/1.1\r\nHost: a\r\n\r\n")
	<-h.entered

	for i := range 39 {
		c := h.from(fmt.Sprintf("127.0.0.%d", 2+(i+1)%4)) // ten of each

		switch i % 3 {
		case 0:
			c.send(get).answer()
		case 1:
			c.send("POST /read HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nabc")
			<-h.entered
		case 2:
			c.send("GET / HTTP/1.1\r\nHo")
		}
	}

	h.count(40)

	for i := range 9 { // each has fewer than those
		_, body := h.from(fmt.Sprintf("127.0.1.%d", i)).send(get).answer()
		require.Contains(t, body, "spare=false")
	}

	h.count(40)
	close(h.release)
	_, body := working.answer()
	require.Contains(t, body, "spare=false", "its request was worked on")
}

// I-10: however many connections are open and silent, a question that comes at once is answered.
func TestSpareConnectionIsThereForWhoeverAsksAtOnce(t *testing.T) {
	h := newHouse(t, 4)
	for i := range 4 + 3*spareConnections {
		h.from(fmt.Sprintf("127.0.%d.%d", i/200, 1+i%200))
	}

	_, body := h.from("127.0.0.1").send(get).answer()
	require.Contains(t, body, "spare=")

	h.server.mu.Lock()
	open := len(h.server.conns) + spareConnections
	h.server.mu.Unlock()
	require.LessOrEqual(t, open, 4+spareConnections)
}

func TestPlacesComeBackWhenConnectionsEnd(t *testing.T) {
	h := newHouse(t, 8)
	for range 50 {
		c := h.from("127.0.0.2").send(get)
		_, body := c.answer()
		require.Contains(t, body, "spare=false")
		require.NoError(t, c.Close())
		h.count(0)
	}

	require.Zero(t, h.server.oldest)
}

func TestConnectionsLeaveDescriptorsForTheService(t *testing.T) {
	for _, c := range []struct {
		limit            uint64
		wanted, database int
		want             int
	}{
		{1 << 20, 8192, 10, 8192},
		{20_000, 8192, 10, 8192},
		{4_096, 8192, 10, 1883},
		{1_024, 8192, 10, 347},
		{1_024, 100, 10, 100},
		{394, 8192, 10, 32},
		{393, 8192, 10, 0},
		{64, 8192, 10, 0},
	} {
		got, err := connections(c.limit, c.wanted, c.database)
		require.Equal(t, c.want, got, "of %d", c.limit)
		require.Equal(t, c.want == 0, err != nil)
	}

	got, err := Connections(32, 10)
	require.NoError(t, err)
	require.Equal(t, 32, got)
}
