// Package server serves HTTP to clients of whom some mean harm. What it promises:
//
//   - There are at most Config.Connections connections, and at most a quarter of them of one address. Whoever has most
//     gives way: when all places are taken, a connection that waits for its client is closed in favour of an address
//     that has fewer.
//   - The service's health can be read whatever the others do: a few further connections are reserved for that, the
//     oldest of which gives way to the newest.
//   - Connections leave the process descriptors for its own files: see Descriptors.
//   - Whatever is refused, by the HTTP library as well, is refused with a problem document.
//   - A header that states the length of its body in two ways is known to the handler: see Conn.Ambiguous.
//
// Not promised: that an attack from very many addresses leaves a place to everybody. HTTP/2 is not served: it comes
// with TLS, which ends at the proxy in front.
//
// Read in this order: server.go, admit.go (who gets a place), conn.go, framing.go, descriptors.go.
package server

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"strconv"
	"sync"
	"time"

	"slipway/internal/platform/limit"
)

// How long a client may take. A handler that reads more than a small body moves the deadline while the body comes.
const (
	headerTime = 5 * time.Second
	bodyTime   = 10 * time.Second // for the header and the beginning of the body
	answerTime = 60 * time.Second
	idleTime   = 2 * time.Minute
)

// maxHeader bounds the header of a request. The HTTP library adds 4 KiB for the request line.
const maxHeader = 32 << 10

// Config holds a server's settings.
type Config struct {
	Handler http.Handler
	Log     *slog.Logger
	// Connections is the limit of connections, without the spare ones.
	Connections int
	// Trusted are the proxies in front: their connections count in total and not by address.
	Trusted []netip.Prefix
	// Problem returns the document for what the HTTP library could not parse; nil: its plain text is sent. status is
	// the library's, and reason its sentence, which may be empty.
	Problem func(source string, status int, reason string) (header http.Header, body []byte)
}

// Server serves one listener.
type Server struct {
	config Config
	http   http.Server

	mu     sync.Mutex
	conns  map[*Conn]struct{} // without the spare ones
	shares limit.Shares       // by address: its holders are its connections
	spares [spareConnections]*Conn
	oldest int // of spares
}

// New returns a server. Serve starts answering.
func New(c Config) *Server {
	s := &Server{config: c, conns: map[*Conn]struct{}{}}
	s.http = http.Server{
		Handler:                      begun{c.Handler},
		ReadHeaderTimeout:            headerTime,
		ReadTimeout:                  bodyTime,
		WriteTimeout:                 answerTime,
		IdleTimeout:                  idleTime,
		MaxHeaderBytes:               maxHeader,
		ErrorLog:                     slog.NewLogLogger(c.Log.Handler(), slog.LevelWarn),
		DisableGeneralOptionsHandler: true,
		ConnContext:                  withConn,
		ConnState:                    noteState,
	}
	s.http.Protocols = new(http.Protocols)
	s.http.Protocols.SetHTTP1(true)

	return s
}

// withConn lets the requests of a connection find it.
func withConn(ctx context.Context, c net.Conn) context.Context {
	return context.WithValue(ctx, connKey{}, c)
}

// begun calls a handler for requests whose connection still exists.
type begun struct{ next http.Handler }

// ServeHTTP answers a request.
func (b begun) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if c := ConnOf(r.Context()); c == nil || c.Begin() {
		b.next.ServeHTTP(w, r)
	}
}

// noteState learns from the HTTP library that a request is over.
func noteState(c net.Conn, state http.ConnState) {
	if own, ok := c.(*Conn); ok && state == http.StateIdle {
		own.idle()
	}
}

// Serve answers requests until ctx ends; those under way then get the grace time. It closes the listener. Call it once.
func (s *Server) Serve(ctx context.Context, l net.Listener, grace time.Duration) error {
	ended := make(chan error, 1)
	go func() { ended <- s.http.Serve(listener{l, s}) }()

	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}

	stop, cancel := context.WithTimeout(context.WithoutCancel(ctx), grace)
	defer cancel()

	err := s.http.Shutdown(stop)
	if errors.Is(err, context.DeadlineExceeded) {
		err = s.http.Close()
	}

	return err
}

// problem writes a complete answer that refuses what the HTTP library could not parse, and ends the connection.
func (s *Server) problem(c *Conn, status int, reason string) []byte {
	header := http.Header{"Content-Type": {"text/plain; charset=utf-8"}}

	body := []byte(reason)
	if s.config.Problem != nil {
		header, body = s.config.Problem(hostOf(c.RemoteAddr()), status, reason)
	}

	header.Set("Connection", "close")
	header.Set("Content-Length", strconv.Itoa(len(body)))

	var out bytes.Buffer
	fmt.Fprintf(&out, "HTTP/1.1 %d %s\r\n", status, http.StatusText(status))
	_ = header.Write(&out) // a buffer takes everything
	out.WriteString("\r\n")
	out.Write(body)

	return out.Bytes()
}
