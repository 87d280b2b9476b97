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

// Conn is a client's connection. A handler gets its own by ConnOf.
//
// It passes no byte of a request to the HTTP library before the previous request has been read, so what is known about
// a header belongs to the request under way. It also replaces the plain texts with which the library refuses what it
// cannot parse.
type Conn struct {
	net.Conn

	server *Server
	share  *limit.Share // nil: of a trusted proxy, whose connections carry the requests of many
	spare  bool
	state  atomic.Int32

	framing   framing
	rest      []byte // read and not yet returned by Read: it belongs to the next request
	ambiguous atomic.Bool
	refused   bool // the library has refused the input: what else it writes is dropped

	closing sync.Once
	closed  error
}

// What a connection is doing. Only one that waits for its client may be closed in favour of others.
const (
	waitingForRequest int32 = iota
	waitingForBody
	working
	evicted
)

// connKey is the key of a connection in the context of its requests.
type connKey struct{}

// ConnOf returns the connection of a request, or nil if the handler was called without one.
func ConnOf(ctx context.Context) *Conn {
	c, _ := ctx.Value(connKey{}).(*Conn)
	return c
}

// Begin marks that a request is worked on from now on. It returns false if the connection was closed in favour of
// others: then do nothing for the request.
func (c *Conn) Begin() bool {
	return c.state.CompareAndSwap(waitingForRequest, working) ||
		c.state.CompareAndSwap(waitingForBody, working) ||
		c.state.Load() == working
}

// Await marks that the server waits for the request's body. The connection may be closed meanwhile; Begin ends the
// wait.
func (c *Conn) Await() { c.state.CompareAndSwap(working, waitingForBody) }

// Ambiguous reports whether the header of the current request states the length of its body in more than one way.
func (c *Conn) Ambiguous() bool { return c.ambiguous.Load() }

// Spare reports whether the connection is a reserved one for requests about the service's health, because its address
// has as many others as it may have.
func (c *Conn) Spare() bool { return c.spare }

// Share returns what the connection's address has under way, or nil for a trusted proxy.
func (c *Conn) Share() *limit.Share { return c.share }

// idle marks that the request is over.
func (c *Conn) idle() { c.state.CompareAndSwap(working, waitingForRequest) }

// evict reports whether the connection waits for its client, and then prevents it from doing anything else.
func (c *Conn) evict() bool {
	return c.state.CompareAndSwap(waitingForRequest, evicted) || c.state.CompareAndSwap(waitingForBody, evicted)
}

// Read reads up to the end of the current request.
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

// Write writes an answer. Before a handler has begun, the HTTP library writes its own refusals; they become problem
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

// refusal returns the status and the text of an answer that refuses, or 0 for any other answer.
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

// CloseWrite ends writing, so that the client reads the last answer before the connection is reset.
func (c *Conn) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}

	return nil
}

// Close closes the connection and frees its place. A second call returns the same as the first.
func (c *Conn) Close() error {
	c.closing.Do(func() {
		c.server.leave(c)
		c.closed = c.Conn.Close()
	})

	return c.closed
}
