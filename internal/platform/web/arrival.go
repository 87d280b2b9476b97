package web

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"time"

	"slipway/internal/core/fault"
	"slipway/internal/platform/limit"
)

// A body must arrive without pauses: bodyPause for its beginning, and then at bodyRate. The server's own timeout is for
// bodies that arrive at once, as nearly all do.
const (
	bodyPause = 5 * time.Second
	bodyRate  = 32 << 10 // bytes a second
)

// Memory for bodies.
const (
	// smallBody is what any request may keep in memory; nearly all bodies are smaller. Larger bodies share a budget, so
	// that they never block small ones.
	smallBody = 16 << 10
	// bodyCost is the memory that each byte of a body takes, including what is made from it while it is parsed and
	// checked.
	bodyCost = 4
	// bodyMemory is the budget unless Config sets another.
	bodyMemory = 128 << 20
	// memoryWait is how long a large body waits for memory.
	memoryWait = 2 * time.Second
)

// arrive reads the body of an operation. The request gives its place up while it waits, and takes one again when the
// body is there.
func (e *endpoint) arrive(c *call, r *http.Request) ([]byte, error) {
	if e.in.uploadAt != nil || e.op.ForeignBody {
		return nil, nil
	}

	if r.ContentLength == 0 {
		c.bodyOver = true
		return nil, nil
	}

	if r.ContentLength > e.op.MaxBody {
		return nil, e.tooLarge()
	}

	e.await(c)

	raw, err := e.readAll(c, r)
	if cerr := e.resume(c); cerr != nil {
		return nil, cerr
	}

	return raw, err
}

func (e *endpoint) tooLarge() *fault.Fault {
	return fault.New(fault.TooLarge, fault.BodyTooLarge, "The body may have at most %d bytes.", e.op.MaxBody)
}

// readAll reads a body into memory that grows with the bytes received, never with the declared length alone.
func (e *endpoint) readAll(c *call, r *http.Request) ([]byte, error) {
	expected := min(e.op.MaxBody, smallBody)
	if r.ContentLength > 0 {
		expected = min(expected, r.ContentLength)
	}

	raw := make([]byte, 0, expected+1) // one more: a full buffer has to grow before the end is seen

	pace := pace{body: r.Body, c: c}
	for {
		if int64(len(raw)) > e.op.MaxBody {
			return nil, e.tooLarge()
		}

		if len(raw) == cap(raw) {
			grown, err := e.grow(c, r, raw)
			if err != nil {
				return nil, err
			}

			raw = grown
		}

		n, err := pace.Read(raw[len(raw):cap(raw)])

		raw = raw[:len(raw)+n]
		switch {
		case errors.Is(err, io.EOF) && int64(len(raw)) > e.op.MaxBody:
			return nil, e.tooLarge()
		case errors.Is(err, io.EOF):
			c.bodyOver = true
			return raw, nil
		case err != nil:
			c.bodyOver = true
			return nil, err
		}
	}
}

// grow makes the buffer four times as large, and takes the difference from the budget.
func (e *endpoint) grow(c *call, r *http.Request, raw []byte) ([]byte, error) {
	size := min(int64(cap(raw))*4, e.op.MaxBody+1)
	if r.ContentLength > 0 {
		size = min(size, r.ContentLength+1)
	}

	size = max(size, int64(cap(raw))+1)
	if err := e.API.reserveMemory(r.Context(), c, size*bodyCost-c.memory); err != nil {
		return nil, err
	}

	grown := make([]byte, len(raw), size)
	copy(grown, raw)

	return grown, nil
}

// reserveMemory takes memory for a body from the budget; release gives it back. It blocks for up to memoryWait if there
// is none.
func (a *API) reserveMemory(ctx context.Context, c *call, n int64) error {
	ctx, cancel := context.WithTimeout(ctx, memoryWait)
	defer cancel()

	switch err := a.memory.Take(ctx, n, c.holders()...); {
	case errors.Is(err, limit.ErrShare):
		return fault.New(fault.TooMany, fault.RateLimited, "You are sending as many large bodies as you may at once. "+
			"Try again when one of them has been answered.")
	case err != nil:
		return fault.New(fault.Unavailable, fault.Overloaded, "Too many large bodies are being read at the moment. "+
			"Nothing was changed; try again.")
	}

	c.memory += n

	return nil
}

// holders returns who a request's memory and places count for: the organisation, the person and the address, each by
// itself. So nobody has more of them by having many organisations, nor by having many accounts. They are the same from
// when the caller is known to the end of the request.
func (c *call) holders() []string {
	source := limit.SourceKey(c.Request.Source)
	if c.Principal == nil {
		return []string{source}
	}

	return []string{c.Principal.Organisation, c.Principal.User, source}
}

// pace reads a body for as long as it keeps coming. All its errors except io.EOF are refusals.
type pace struct {
	body     io.Reader
	c        *call
	received int64
	until    time.Time // of the connection's deadline; zero: the server's own
}

// Read reads the next bytes. What came together with the header needs no deadline of its own.
func (p *pace) Read(b []byte) (int, error) {
	if p.received > 0 {
		p.extendDeadline()
	}

	n, err := p.body.Read(b)

	p.received += int64(n)
	if err == nil || errors.Is(err, io.EOF) {
		return n, err
	}

	var late net.Error
	if errors.As(err, &late) && late.Timeout() {
		return n, fault.New(fault.Malformed, fault.BodyMalformed, "The body came too slowly: "+
			"it may take %d seconds, and one more for each %d bytes.", int(bodyPause.Seconds()), bodyRate)
	}

	return n, fault.New(fault.Malformed, fault.BodyMalformed, "The body could not be read to its end.")
}

// extendDeadline sets the deadline of the next bytes, if it has moved by a second.
func (p *pace) extendDeadline() {
	until := p.c.Request.ReceivedAt.Add(bodyPause + time.Duration(p.received)*time.Second/bodyRate)
	if most := p.c.Request.ReceivedAt.Add(requestTimeout); until.After(most) {
		until = most
	}

	if until.Sub(p.until) >= time.Second {
		p.until = until
		_ = http.NewResponseController(p.c).SetReadDeadline(until) // where a connection has deadlines
	}
}

// arriving is the body of a mounted handler, which reads it when it likes. The request has no place while it waits.
type arriving struct {
	io.ReadCloser
	api *API
	c   *call
}

// Read reads the next bytes.
func (b arriving) Read(p []byte) (int, error) {
	b.api.await(b.c)

	n, err := b.ReadCloser.Read(p)
	if cerr := b.api.rejoin(b.c); cerr != nil {
		return n, cerr
	}

	return n, err
}
