package web

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/platform/db"
	"slipway/internal/platform/jsonout"
	"slipway/internal/platform/secret"
)

var statusOf = map[fault.Kind]int{
	fault.Malformed:       400,
	fault.Unauthenticated: 401,
	fault.Forbidden:       403,
	fault.NotFound:        404,
	fault.MethodUnknown:   405,
	fault.Conflict:        409,
	fault.Gone:            410,
	fault.Precondition:    412,
	fault.TooLarge:        413,
	fault.MediaType:       415,
	fault.Invalid:         422,
	fault.Locked:          423,
	fault.TooMany:         429,
	fault.Unavailable:     503,
}

// Problem is the body of every refusal (RFC 9457). Message repeats Detail for clients that read only that.
type Problem struct {
	Type      string         `json:"type" doc:"address of a page that explains the code"`
	Title     string         `json:"title"`
	Status    int            `json:"status"`
	Detail    string         `json:"detail"`
	Message   string         `json:"message"`
	Instance  string         `json:"instance" doc:"path of the request"`
	Code      fault.Code     `json:"code" doc:"stable name of the reason"`
	RequestID string         `json:"requestId" doc:"finds the request in the log"`
	Errors    []FieldProblem `json:"errors,omitempty" doc:"every value that is wrong"`
}

// FieldProblem is one wrong value of a request. Either pointer says where it stands, or in and name do.
type FieldProblem struct {
	Pointer *string    `json:"pointer,omitzero" format:"json-pointer" doc:"place in the body (RFC 6901)"`
	In      string     `json:"in,omitempty" enum:"query,path,header" doc:"where it stands if not in the body"`
	Name    string     `json:"name,omitempty" doc:"of the parameter or header"`
	Code    fault.Code `json:"code" doc:"stable name of the reason"`
	Message string     `json:"message" doc:"what would be right"`
}

// FieldProblems returns the form in which a problem document names wrong values.
func FieldProblems(fields []fault.Field) []FieldProblem {
	if len(fields) == 0 {
		return nil
	}

	out := make([]FieldProblem, len(fields))
	for i, f := range fields {
		out[i] = FieldProblem{In: f.In, Name: f.Name, Code: f.Code, Message: f.Message}
		if f.In == "" {
			out[i].Pointer = &fields[i].Pointer
		}
	}

	return out
}

// Refuse answers a request of a mounted handler with a problem document, like that of an operation.
func (a *API) Refuse(w http.ResponseWriter, r *http.Request, err error) {
	a.refuse(w, r, err)
}

// refuse answers with a problem document. An error that is not a refusal is logged with its text and answered without
// it.
func (a *API) refuse(w http.ResponseWriter, r *http.Request, err error) {
	ctx := r.Context()

	f := refusalOf(err)
	if f == nil {
		f = fault.New(0, fault.Internal, "Something failed on our side.")
	}

	if f.Code == fault.Internal || f.Code == fault.DatabaseAway || f.Code == fault.OutcomeUnknown {
		level := slog.LevelError
		if errors.Is(err, context.Canceled) && ctx.Err() != nil { // the caller hung up: nothing of ours has failed
			level = slog.LevelInfo
		}

		a.config.Log.LogAttrs(
			ctx,
			level,
			"request failed",
			slog.String("requestId", caller.RequestOf(ctx).ID),
			slog.String("method", r.Method),
			slog.String("path", secret.Path(r.URL.Path)),
			slog.String("error", err.Error()),
		)
	}

	status := cmp.Or(statusOf[f.Kind], 500)
	if (status == 503 || status == 429) && w.Header().Get("Retry-After") == "" {
		w.Header().Set("Retry-After", retryAfter(f.Code))
	}

	body, merr := a.problem(ctx, r, f, status)
	if merr != nil {
		http.Error(w, "internal error", http.StatusInternalServerError)
		return
	}

	w.Header().Set("Content-Type", "application/problem+json")
	w.WriteHeader(status)
	_, _ = w.Write(body) //nolint:gosec // it is JSON, and the header says so
}

// refusalOf returns what the caller is told about an error, or nil for an internal one. If the database could not do
// something, or may have done it, that is not a failure of the request: the caller is asked to repeat it.
func refusalOf(err error) *fault.Fault {
	f, ok := fault.As(err)
	switch {
	case ok && statusOf[f.Kind] == 0:
		return nil
	case ok:
		return f

	case errors.Is(err, db.ErrUnknown):
		return fault.New(fault.Unavailable, fault.OutcomeUnknown, "The database's answer was lost. The request may "+
			"have had its effect: repeat it with the same Idempotency-Key, or read the record first.")

	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return fault.New(fault.Unavailable, fault.OutcomeUnknown, "The request took too long. It may have had its "+
			"effect: repeat it with the same Idempotency-Key, or read the record first.")

	case errors.Is(err, db.ErrUnavailable):
		return fault.New(fault.Unavailable, fault.DatabaseAway, "The database does not answer at the moment. "+
			"Repeat the request with the same Idempotency-Key: that is safe and tells its outcome.")
	case errors.Is(err, db.ErrBusy), errors.Is(err, db.ErrRetry), errors.Is(err, db.ErrClosed):
		return fault.New(fault.Unavailable, fault.Overloaded, "The service is busy. Nothing was changed; try again.")
	}

	return nil
}

// retryAfter returns seconds. An unavailable database takes longer to recover than a full queue.
func retryAfter(code fault.Code) string {
	if code == fault.DatabaseAway {
		return "3"
	}

	return "1"
}

func (a *API) problem(ctx context.Context, r *http.Request, f *fault.Fault, status int) ([]byte, error) {
	p := Problem{
		Type:      a.config.BaseURL + "/problems/" + string(f.Code),
		Title:     http.StatusText(status),
		Status:    status,
		Detail:    f.Detail,
		Message:   f.Detail,
		Instance:  r.URL.Path,
		Code:      f.Code,
		RequestID: caller.RequestOf(ctx).ID,
		Errors:    FieldProblems(f.Fields),
	}
	// a path may hold anything
	body, err := json.Marshal(p, json.Deterministic(true), jsontext.AllowInvalidUTF8(true),
		jsontext.EscapeForHTML(true))
	if err != nil || len(f.Extra) == 0 {
		return body, err
	}

	extra, err := jsonout.Marshal(f.Extra)
	if err != nil {
		return nil, err
	}

	return []byte(strings.TrimSuffix(string(body), "}") + "," + strings.TrimPrefix(string(extra), "{")), nil
}

// Raw is an answer that is not JSON.
type Raw struct {
	Status      int // 0: the operation's own
	ContentType string
	Header      http.Header
	Body        []byte
}

func (e *endpoint) answer(c *call, r *http.Request, status int, out any) {
	switch v := out.(type) {
	case *Empty:
		c.WriteHeader(http.StatusNoContent)
	case *Stream:
		e.stream(c, r, status, v)

	case *Raw:
		for k, vs := range v.Header {
			c.Header()[k] = vs
		}

		c.Header().Set("Content-Type", v.ContentType)
		c.WriteHeader(cmp.Or(v.Status, status))
		_, _ = c.Write(v.Body)

	default:
		err := jsonout.Lend(out, func(body []byte) {
			if same := e.label(c, r, status, out, body); same {
				c.WriteHeader(http.StatusNotModified)
			} else {
				e.write(c, r, status, body)
			}
		})
		if err != nil {
			e.refuse(c, r, err)
		}
	}
}

func (a *API) write(w http.ResponseWriter, r *http.Request, status int, body []byte) {
	w.Header()["Content-Type"] = jsonDocument
	deliver(w, r, status, body)
}
