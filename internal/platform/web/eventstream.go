package web

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"net/http"
	"reflect"
	"time"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/platform/limit"
	"slipway/internal/platform/secret"
)

// eventStreamType is the content type of server-sent events (HTML Living Standard, 9.2).
const eventStreamType = "text/event-stream"

// eventPause is how long a caller may take to receive what was sent at once.
const eventPause = 10 * time.Second

// EventStream is an answer of server-sent events, which goes on for as long as Send does.
type EventStream struct {
	// Send writes events until it returns. ctx ends with the connection. Its error is logged.
	Send func(ctx context.Context, w *EventWriter) error
}

// waitingPlaces are for requests that wait for something to happen: streams of events and long polls. They take no
// place from those that are worked on.
func waitingPlaces(c Config) *limit.Places {
	return limit.NewPlaces(cmp.Or(c.MaxWaiting, 2000), cmp.Or(c.MaxWaitingOfOne, 200))
}

// waitingSources are the same places by address: a quarter for one, where many people may sit, and never less than for
// one organisation.
func waitingSources(c Config) *limit.Places {
	all := cmp.Or(c.MaxWaiting, 2000)
	return limit.NewPlaces(all, max(all/shareOfOne, cmp.Or(c.MaxWaitingOfOne, 200)))
}

// Waiter is an In whose request may wait for something to happen, for longer than others may last.
type Waiter interface {
	Wait() time.Duration // 0: it does not wait
}

// waits reports whether a request waits, and for how long at most; 0 is for as long as it likes.
func (e *endpoint) waits(in reflect.Value) (most time.Duration, waits bool) {
	if e.outType == reflect.TypeFor[EventStream]() {
		return 0, true
	}

	if w, ok := in.Interface().(Waiter); ok {
		most = w.Wait()
	}

	return most, most > 0
}

// stillAdmits refuses a caller whose credential has ended since the request began, or who may no longer use the
// operation for its organisation.
func (e *endpoint) stillAdmits(ctx context.Context, c *call, r *http.Request) error {
	now := c.Request
	now.ReceivedAt = time.Now()

	p, _, err := e.authenticate(c, r.WithContext(caller.WithCall(ctx, &caller.Call{Request: now})), false)
	if err != nil {
		return err
	}

	if p.Organisation != c.Principal.Organisation {
		return fault.New(fault.Forbidden, fault.NoOrganisation, "You no longer act for this organisation.")
	}

	return e.op.admits(p)
}

// mayWait takes a place among those that wait, for the request's organisation, its person and its address.
func (a *API) mayWait(c *call) (leave func(), err error) {
	all := c.holders()
	source := all[len(all)-1]

	var leaveOwn func()

	leaveSource, err := a.waitingOf.Take(source)
	if err == nil {
		leaveOwn, err = a.waiting.Take(all[:max(len(all)-1, 1)]...) // those before it, if there are any
		if err != nil {
			leaveSource()
		}
	}

	switch {
	case errors.Is(err, limit.ErrShare):
		return nil, fault.New(fault.TooMany, fault.RateLimited,
			"Your organisation, you or your address have as many streams and waiting requests open as they may. "+
				"Close one of them.")

	case err != nil:
		return nil, fault.New(fault.Unavailable, fault.Overloaded,
			"Too many streams and waiting requests are open at the moment. Try again.")
	}

	a.leave(c)

	return func() { leaveOwn(); leaveSource() }, nil
}

// waitingContext is the context of a request that may wait longer than requestTimeout. It ends with the connection, and
// after the limit; 0 is none.
func waitingContext(c *call, r *http.Request, most time.Duration) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(context.WithoutCancel(r.Context()))
	if most > 0 {
		cancel()
		ctx, cancel = context.WithTimeout(context.WithoutCancel(r.Context()), most+requestTimeout)
	}

	// where a connection has deadlines: that of the request's body would end the wait
	_ = http.NewResponseController(c).SetReadDeadline(time.Time{})

	stop := context.AfterFunc(c.connection, cancel)

	return ctx, func() { stop(); cancel() }
}

// sendEvents sends a stream of events.
func (e *endpoint) sendEvents(ctx context.Context, c *call, r *http.Request, s *EventStream) {
	h := c.Header()
	h.Set("Content-Type", eventStreamType)
	h.Set("X-Accel-Buffering", "no") // a proxy that gathers answers would hold events back
	c.WriteHeader(http.StatusOK)

	if c.bodyless { // it would have no end
		return
	}

	w := &EventWriter{
		out:     c,
		control: http.NewResponseController(c),
		admits:  func() error { return e.stillAdmits(ctx, c, r) },
	}

	err := w.Flush()
	if err == nil {
		err = s.Send(ctx, w)
		_ = w.control.SetWriteDeadline(time.Now().Add(eventPause)) // for the end of the answer
	}

	if err != nil && ctx.Err() == nil {
		e.config.Log.InfoContext(ctx, "event stream ended",
			"requestId", c.Request.ID, "path", secret.Path(r.URL.Path), "error", err.Error())
	}
}

// EventWriter writes server-sent events. What is written is sent by Flush.
type EventWriter struct {
	out     io.Writer
	control *http.ResponseController
	buffer  bytes.Buffer
	admits  func() error
}

// Event writes an event whose data is one line. A client that connects again sends the last id as Last-Event-ID.
func (w *EventWriter) Event(id string, data []byte) {
	w.ID(id)
	w.buffer.Truncate(w.buffer.Len() - 1) // the empty line comes after the data
	w.buffer.WriteString("data: ")
	w.buffer.Write(data)
	w.buffer.WriteString("\n\n")
}

// ID tells the client from where to go on, without an event.
func (w *EventWriter) ID(id string) {
	w.buffer.WriteString("id: ")
	w.buffer.WriteString(id)
	w.buffer.WriteString("\n\n")
}

// Beat writes a comment, which clients ignore: it shows them and the proxies between that the connection lives.
func (w *EventWriter) Beat() { w.buffer.WriteString(":\n\n") }

// Flush sends what was written. It returns a refusal, and sends nothing, if the caller's credential has ended or may no
// longer use the operation.
func (w *EventWriter) Flush() error {
	if err := w.admits(); err != nil {
		return err
	}

	_ = w.control.SetWriteDeadline(time.Now().Add(eventPause)) // where a connection has deadlines

	_, err := w.out.Write(w.buffer.Bytes())
	w.buffer = bytes.Buffer{} // a stream waits most of the time, and keeps no memory meanwhile

	if err == nil {
		err = w.control.Flush()
	}

	if errors.Is(err, http.ErrNotSupported) {
		return nil
	}

	return err
}
