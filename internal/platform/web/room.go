package web

import (
	"cmp"
	"net/http"
	"sync/atomic"
	"time"

	"slipway/internal/core/fault"
	"slipway/internal/platform/limit"
	"slipway/internal/platform/server"
)

const (
	// shareOfOne is the part of all places, and of the memory for bodies, that one caller may have.
	shareOfOne = 4
	// healthPlaces are reserved for the operations that are answered however busy the others are.
	healthPlaces = 64
	// unreadTime is how long the rest of an unread body may take after its request was refused.
	unreadTime = time.Second
)

// room is where requests are worked on. A request has a place while it is worked on, and none while it waits for its
// client. So whoever sends slowly, or not at all, takes nothing from the others but a connection.
type room struct {
	most, ofOne int64
	under       atomic.Int64
	health      atomic.Int64
	sources     limit.Shares // of callers behind trusted proxies; the others have theirs with their connections
}

// inFlight returns how many requests are worked on at once.
func inFlight(c Config) int { return cmp.Or(c.MaxInFlight, 4096) }

// placeKind is the kind of place that a request has.
type placeKind int8

const (
	noPlace placeKind = iota
	ordinaryPlace
	healthPlace
)

// begin takes a place for a request, or refuses it.
func (a *API) begin(c *call, health bool) error {
	switch {
	case c.conn != nil && c.conn.Ambiguous():
		c.close()
		return fault.New(fault.Malformed, fault.RequestMalformed, "The header states the length of the body "+
			"in more than one way: send Content-Length or Transfer-Encoding, and no folded lines.")

	case health:
		return a.enterHealth(c)

	case c.conn != nil && c.conn.Spare():
		c.close()
		return fault.New(fault.Unavailable, fault.Overloaded,
			"There are as many connections as there may be, of your address or in all. Try again.")
	}

	return a.enter(c)
}

// errGone ends a request whose connection was closed while it waited for its client. Nobody reads the answer.
var errGone = fault.New(fault.Unavailable, fault.Overloaded, "The connection was closed because too many were waiting.")

// enter takes a place from the total, and from the caller's address.
func (a *API) enter(c *call) error {
	if a.room.under.Add(1) > a.room.most {
		a.room.under.Add(-1)
		return fault.New(fault.Unavailable, fault.Overloaded, "Too many requests wait at the moment. Try again.")
	}

	if s := c.share; s != nil && s.Under.Add(1) > a.room.ofOne {
		s.Under.Add(-1)
		a.room.under.Add(-1)

		return fault.New(fault.TooMany, fault.RateLimited, "Too many requests from your address are under way. "+
			"Try again when one of them has been answered.")
	}

	c.has = ordinaryPlace

	return nil
}

// enterHealth takes a place reserved for requests about the service's health.
func (a *API) enterHealth(c *call) error {
	if c.conn != nil && c.conn.Spare() {
		c.close()
	}

	if a.room.health.Add(1) > healthPlaces {
		a.room.health.Add(-1)

		return fault.New(fault.Unavailable, fault.Overloaded,
			"Too many ask for the service's health at the moment. Try again.")
	}

	c.has = healthPlace

	return nil
}

// leave gives a request's place back. A second call does nothing.
func (a *API) leave(c *call) {
	switch c.has {
	case noPlace:
	case ordinaryPlace:
		a.room.under.Add(-1)

		if c.share != nil {
			c.share.Under.Add(-1)
		}

	case healthPlace:
		a.room.health.Add(-1)
	}

	c.has = noPlace
}

// await gives the place back while the request waits for its client.
func (a *API) await(c *call) {
	a.leave(c)

	if c.conn != nil {
		c.conn.Await()
	}
}

// resume takes a place again when the wait is over.
func (a *API) resume(c *call) error {
	if c.conn != nil && !c.conn.Begin() {
		return errGone
	}

	return a.enter(c)
}

// rejoin takes a place again even if there is none, because the handler was admitted before and is in the middle of a
// body.
func (a *API) rejoin(c *call) error {
	if c.conn != nil && !c.conn.Begin() {
		return errGone
	}

	a.room.under.Add(1)

	if c.share != nil {
		c.share.Under.Add(1)
	}

	c.has = ordinaryPlace

	return nil
}

// identify finds out who calls: the connection, and whose share a place counts for. Behind a proxy that names the
// caller, it is the caller's.
func (a *API) identify(c *call, r *http.Request) {
	source, proxied := a.source(r)

	c.Request.Source = source
	if c.conn = server.ConnOf(r.Context()); c.conn != nil {
		c.share = c.conn.Share()
	}

	if proxied {
		c.share, _ = a.room.sources.Hold(limit.SourceKey(source))
		c.holds = true
	}
}

// release gives back everything that a request has taken.
func (a *API) release(c *call) {
	a.leave(c)

	if c.holds {
		a.room.sources.Release(c.share)
	}

	if c.memory > 0 {
		a.memory.Give(c.memory, c.holders()...)
	}

	c.cancel()
}

// close ends the connection with the answer.
func (c *call) close() { c.Header().Set("Connection", "close") }

// limitUnread limits how long the unread rest of a body may take, because the HTTP library reads it before it sends the
// answer.
func (c *call) limitUnread(r *http.Request) {
	if r.ContentLength != 0 && !c.bodyOver {
		// where a connection has deadlines
		_ = http.NewResponseController(c).SetReadDeadline(time.Now().Add(unreadTime))
	}
}
