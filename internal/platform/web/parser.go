package web

import (
	"cmp"
	"context"
	"log/slog"
	"net/http"
	"net/url"
	"time"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/core/id"
)

// ParserProblem returns the answer to what the HTTP library refuses before a handler sees it. status is the library's,
// and reason its sentence, which may be empty. It is logged and counted like a request with unknown method and path.
func (a *API) ParserProblem(source string, status int, reason string) (header http.Header, body []byte) {
	f := fault.New(fault.Malformed, fault.RequestMalformed, "%s.", cmp.Or(reason, http.StatusText(status)))
	if status == http.StatusRequestHeaderFieldsTooLarge {
		f = fault.New(fault.TooLarge, fault.HeaderTooLarge,
			"The header is larger than the service reads: it may have 32 KiB.")
	}

	c := &call{Call: caller.Call{Request: caller.Request{ID: id.New("req", time.Now()), Source: source}}}
	ctx := caller.WithCall(context.Background(), &c.Call)
	header = http.Header{}
	c.standard(header)

	if a.config.Metrics != nil {
		a.config.Metrics.Request("", "", status, 0)
	}

	a.config.Log.LogAttrs(ctx, slog.LevelInfo, "request that could not be read",
		slog.String("requestId", c.Request.ID),
		slog.Int("status", status),
		slog.String("reason", reason),
		slog.String("source", source))

	body, err := a.problem(ctx, &http.Request{URL: &url.URL{}}, f, status)
	if err != nil {
		return header, nil // a document of plain words can always be written
	}

	header.Set("Content-Type", "application/problem+json")

	return header, body
}
