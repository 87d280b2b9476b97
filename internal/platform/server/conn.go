package server

import (
	"bytes"
	"context"
	"net"
	"strconv"
	"sync"
	"sync/atomic"

	"slipway/internal/platform/limit"
)

// Conn is a connection of a client. A handler asks for its own by ConnOf.
//
// It hands the HTTP library no byte of a request before the one in front of it has been read, so that what is known of
// a header is known of the request under way; and it replaces the plain texts by which the library refuses what it
// cannot read.
type Conn struct {
	net.Conn

	server *Server
	share  *limit.Share // nil: of a trusted proxy, whose connections carry the requests of many
	spare  bool
	state  atomic.Int32

	framing   framing
	rest      []byte // read and not handed on: it belongs to the next request
	ambiguous atomic.Bool
	refused   bool // the library has refused what came: what it writes further is dropped

	closing sync.Once
	closed  error
}

// What a connection does at the moment. Only one that waits for its client may be closed in favour of others.
const (
	waitingForRequest int32 = iota
	waitingForBody
	working
	evicted
)

// connKey finds a connection in the context of its requests.
type connKey struct{}

// ConnOf returns the connection that a request came on; nil where the handler was called without one.
func ConnOf(ctx context.Context) *Conn {
	c, _ := ctx.Value(connKey{}).(*Conn)
	return c
}

// Begin says that a request is worked on from now on. It reports false if the connection was closed in favour of
// others: nothing may be done for the request then.
func (c *Conn) Begin() bool {
	return c.state.CompareAndSwap(waitingForRequest, working) ||
		c.state.CompareAndSwap(waitingForBody, working) ||
		c.state.Load() == working
}

// Await says that the request's body is waited for. The connection may be closed meanwhile; Begin ends the wait.
func (c *Conn) Await() { c.state.CompareAndSwap(working, waitingForBody) }

// Ambiguous reports whether the header of the request under way states the length of its body in more than one way.
func (c *Conn) Ambiguous() bool { return c.ambiguous.Load() }

// Spare reports whether the connection is one of those that are kept for questions about the service's health: it has
// as many others as it may have.
func (c *Conn) Spare() bool { return c.spare }

// Share is what the connection's address has under way; nil for a trusted proxy.
func (c *Conn) Share() *limit.Share { return c.share }

// idle says that the request is over.
func (c *Conn) idle() { c.state.CompareAndSwap(working, waitingForRequest) }

// evict reports whether the connection waits for its client, and keeps it from doing anything else.
func (c *Conn) evict() bool {
	return c.state.CompareAndSwap(waitingForRequest, evicted) || c.state.CompareAndSwap(waitingForBody, evicted)
}

// Read reads up to the end of the request under way.
func (c *Conn) Read(p []byte) (n int, err error) {
	if len(c.rest) > 0 {
		n = copy(p, c.rest)
		c.rest = c.rest[n:]
	} else {
		n, err = c.Conn.Read(p)
	}

	take, ended := c.framing.advance(p[:n])
	if ended {
		c.ambiguous.Store(c.framing.ambiguous())
	}

	if take < n {
		c.rest = append(bytes.Clone(p[take:n]), c.rest...)
		return take, nil // an error comes again with the next Read
	}

	return n, err
}

// Write writes on. Before a handler has begun, the HTTP library speaks for itself: its refusals become problem
// documents.
func (c *Conn) Write(p []byte) (int, error) {
	if c.state.Load() != waitingForRequest {
		return c.Conn.Write(p)
	}

	if c.refused {
		return len(p), nil
	}

	status, reason := refusal(p)
	if status == 0 {
		return c.Conn.Write(p)
	}

	c.refused = true
	if _, err := c.Conn.Write(c.server.problem(c, status, reason)); err != nil {
		return 0, err
	}

	return len(p), nil
}

// refusal reads the status and the text of an answer that refuses; 0 for any other.
func refusal(answer []byte) (status int, reason string) {
	line, rest, _ := bytes.Cut(answer, []byte("\r\n"))
	version, words, _ := bytes.Cut(line, []byte(" "))
	code, _, _ := bytes.Cut(words, []byte(" "))

	status, err := strconv.Atoi(string(code))
	if err != nil || status < 400 || !bytes.HasPrefix(version, []byte("HTTP/1.")) {
		return 0, ""
	}

	_, text, _ := bytes.Cut(rest, []byte("\r\n\r\n"))
	if _, after, found := bytes.Cut(text, []byte(": ")); found {
		text = after
	}

	return status, string(text)
}

// CloseWrite ends what is written, so that the client reads the last answer before the connection is reset.
func (c *Conn) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}

	return nil
}

// Close closes the connection and gives its place back. A second call returns what the first one did.
func (c *Conn) Close() error {
	c.closing.Do(func() {
		c.server.leave(c)
		c.closed = c.Conn.Close()
	})

	return c.closed
}
