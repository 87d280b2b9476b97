package slipway

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Problem is a refusal, as RFC 9457 describes them. Go by Code, which is stable, and never by a text.
type Problem struct {
	Status    int     `json:"status"`
	Code      string  `json:"code"`
	Detail    string  `json:"detail"`
	RequestID string  `json:"requestId"` // finds the request in the service's log
	Errors    []Field `json:"errors"`

	RetryAfter time.Duration `json:"-"` // what the service asks for before the next try; 0: nothing
	Key        string        `json:"-"` // the Idempotency-Key that was sent
	Body       []byte        `json:"-"` // the document as it came, with what only this Code has
}

// Field is what a Problem says about one value of the request: at Pointer in the body, or the parameter Name in
// "query", "path" or "header".
type Field struct {
	Pointer string `json:"pointer"`
	In      string `json:"in"`
	Name    string `json:"name"`
	Code    string `json:"code"`
	Message string `json:"message"`
}

// Where returns the place of the value: the pointer, "?limit" or "header If-Match".
func (f Field) Where() string {
	switch f.In {
	case "":
		return f.Pointer
	case "query":
		return "?" + f.Name
	default:
		return f.In + " " + f.Name
	}
}

// Error returns status, code and sentence, and every field with its code.
func (p *Problem) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d %s: %s", p.Status, p.Code, p.Detail)

	for _, f := range p.Errors {
		fmt.Fprintf(&b, " [%s %s]", f.Where(), f.Code)
	}

	return b.String()
}

// CodeOf returns the code of a refusal, or "" for any other error.
func CodeOf(err error) string {
	var p *Problem
	if errors.As(err, &p) {
		return p.Code
	}

	return ""
}

// LostError means that no answer came, or none that could be read: nobody knows whether the call had its effect. Send
// it again with its Key to learn that.
type LostError struct {
	Method, Path string
	Key          string // the Idempotency-Key that was sent; "": none
	Err          error
}

// Error returns the call and what happened to it.
func (e *LostError) Error() string { return e.Method + " " + e.Path + ": " + e.Err.Error() }

// Unwrap returns what happened.
func (e *LostError) Unwrap() error { return e.Err }

// OutcomeUnknown reports whether a call that returned err may have had its effect all the same: no answer came, or one
// that says as much. A call that changes something is then repeated with the same key, and never with another one.
func OutcomeUnknown(err error) bool {
	var (
		lost *LostError
		p    *Problem
	)

	switch {
	case errors.As(err, &p):
		return p.Status >= http.StatusInternalServerError
	case errors.As(err, &lost):
		return true
	}

	return false
}

// Problem returns the problem document of a refusal, and false for every other answer.
func (a Answer) Problem() (*Problem, bool) {
	p := &Problem{}
	if a.Status < http.StatusBadRequest || json.Unmarshal(a.Body, p) != nil || p.Code == "" {
		return nil, false
	}

	p.Status = a.Status
	p.Body = a.Body
	p.RetryAfter = retryAfter(a.Header)

	if p.RequestID == "" {
		p.RequestID = a.Header.Get("X-Request-Id")
	}

	return p, true
}

// retryAfter returns the seconds of Retry-After, the form in which the service sends it.
func retryAfter(h http.Header) time.Duration {
	seconds, err := strconv.ParseUint(h.Get("Retry-After"), 10, 31)
	if err != nil {
		return 0
	}

	return time.Duration(seconds) * time.Second
}
