package slipway

import (
	"net/http"
	"strconv"
)

// Option changes one call.
type Option func(*request)

// Key sets the Idempotency-Key: the number of your order, say, stored before the call. Without it a call that changes
// something gets a random one, which repeats it within this call alone.
func Key(key string) Option { return Header("Idempotency-Key", key) }

// IfVersion has the call refused (412 VERSION_MISMATCH) unless the record has this version.
func IfVersion(version int64) Option { return Header("If-Match", strconv.FormatInt(version, 10)) }

// Code sends a code of the caller's second factor.
func Code(code string) Option { return Header("X-2FA-Code", code) }

// For acts for one of the caller's organisations.
func For(organisation string) Option { return Header("Slipway-Organisation", organisation) }

// Header sets a header of the request.
func Header(name, value string) Option {
	return func(r *request) { r.header.Set(name, value) }
}

// Into copies the answer's status and header, also those of a refusal.
func Into(a *Answer) Option {
	return func(r *request) { r.seen = a }
}

// Answer is an answer with any status.
type Answer struct {
	Status int
	Header http.Header
	Body   []byte
}

// File is a file to be sent.
type File struct {
	Name    string
	Content []byte
}
