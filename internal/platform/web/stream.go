package web

import (
	"errors"
	"io"
	"log/slog"
	"net/http"
	"strconv"
	"time"

	"slipway/internal/core/fault"
	"slipway/internal/platform/limit"
	"slipway/internal/platform/secret"
)

// Stream is an answer that is not held in memory. Body is closed after it was sent.
type Stream struct {
	ContentType string
	Header      http.Header
	Size        int64 // bytes of Body
	Body        io.ReadCloser
	// Write writes the answer, instead of Body, where its size is not known before. If it fails, the connection is
	// broken off.
	Write func(w io.Writer) error
}

// slowPlaces are for requests whose callers send or receive a file slowly, for minutes: half of all places, and an
// eighth for one organisation, person and address. So neither one of them nor all files together can block everything
// else.
func slowPlaces(c Config) *limit.Places {
	return limit.NewPlaces(max(inFlight(c)/2, 1), max(inFlight(c)/8, 1))
}

// mayBeSlow takes such a place for those that the request counts for.
func (a *API) mayBeSlow(c *call) (leave func(), err error) {
	leave, err = a.slow.Take(c.holders()...)
	switch {
	case errors.Is(err, limit.ErrShare):
		return nil, fault.New(fault.TooMany, fault.RateLimited,
			"You are sending and fetching as many files as you may at once. Try again when one of them has ended.")

	case err != nil:
		return nil, fault.New(fault.Unavailable, fault.Overloaded,
			"Too many files are being sent and fetched at the moment. Try again.")
	}

	return leave, nil
}

// streamPause is how long a caller may make us wait for each piece of an answer. It is longer than uploadPause, since
// we learn late what he has received.
const streamPause = 60 * time.Second

// stream sends an answer while it is read. If reading fails, the connection ends before the promised size, so that the
// caller does not take a part for the complete answer.
func (a *API) stream(c *call, r *http.Request, status int, s *Stream) {
	for k, vs := range s.Header {
		c.Header()[k] = vs
	}

	c.Header().Set("Content-Type", s.ContentType)

	write := s.Write
	if write == nil {
		defer s.Body.Close() // nothing depends on the end of what was only read

		c.Header().Set("Content-Length", strconv.FormatInt(s.Size, 10))

		write = func(w io.Writer) error {
			_, err := io.Copy(w, s.Body)
			return err
		}
	}

	c.WriteHeader(status)

	if c.bodyless {
		return
	}

	if err := write(newPacedWriter(c)); err != nil {
		c.broken = s.Write != nil
		a.config.Log.LogAttrs(r.Context(), slog.LevelWarn, "answer broken off",
			slog.String("requestId", c.Request.ID),
			slog.String("path", secret.Path(r.URL.Path)),
			slog.String("error", err.Error()))
	}
}

// pacedWriter writes for as long as the caller keeps receiving.
type pacedWriter struct {
	out     io.Writer
	control *http.ResponseController
	begun   time.Time
	stall   stallLimit
}

func newPacedWriter(w http.ResponseWriter) *pacedWriter {
	return &pacedWriter{
		out:     w,
		control: http.NewResponseController(w),
		begun:   time.Now(),
		stall:   stallLimit{pause: streamPause},
	}
}

// Write writes the next bytes. Once the caller receives too little, it fails for good.
func (p *pacedWriter) Write(b []byte) (int, error) {
	now := time.Now()
	if now.Sub(p.begun) > uploadTime || p.stall.exceeded() {
		return 0, http.ErrHandlerTimeout
	}

	if end, moved := p.stall.deadline(now); moved {
		_ = p.control.SetWriteDeadline(end) // where a connection has deadlines
	}

	n, err := p.out.Write(b)
	p.stall.spend(n, time.Since(now))

	return n, err
}
