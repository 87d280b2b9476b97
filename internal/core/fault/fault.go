// Package fault holds refusals: what Slipway answers when it will not do what it was asked.
//
// A refusal is made where the rule is known. It has a kind (which decides the HTTP status), a stable code (part of
// the API, registered in codes.go), a sentence for the caller, and one entry for each field that is wrong: all of
// them at once. Everything that is not a refusal is internal: wrapped, logged, never shown.
package fault

import (
	"errors"
	"fmt"
	"strings"
)

// Kind says what sort of refusal it is; the HTTP status follows from it alone.
type Kind int

// The kinds, with the status each is answered with.
const (
	Malformed       Kind = iota + 1 // 400: not JSON, or a value of the wrong JSON type
	Unauthenticated                 // 401: no credential, or one that is no longer good
	// 403: known caller, closed gate (organisation not APPROVED, member not AUTHORIZED, role)
	Forbidden
	NotFound      // 404: unknown, or another tenant's: the two answers are the same
	MethodUnknown // 405
	Conflict      // 409: wrong state, or the same thing is under way
	Gone          // 410: a token that was used or has expired
	Precondition  // 412: If-Match names another version
	TooLarge      // 413
	MediaType     // 415
	Invalid       // 422: well formed, but against a rule
	Locked        // 423: held by compliance
	TooMany       // 429
	Unavailable   // 503: an outside party did not answer; safe to try again
)

// Field is one thing that is wrong in what was sent. Pointer is an RFC 6901 JSON pointer into the body, or the name
// of a query parameter or header with "?" or "header " before it.
type Field struct {
	Pointer string `json:"pointer"`
	Code    Code   `json:"code"`
	Message string `json:"message"`
}

// Fault is a refusal. It is an error; callers compare with Is or As, by code, never by text.
type Fault struct {
	Kind   Kind
	Code   Code
	Detail string
	Fields []Field
	// Extra members of the problem document, such as "previousRate". Nil for most.
	Extra map[string]any
}

// Error gives the code and sentence, for logs and tests.
func (f *Fault) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s", f.Code, f.Detail)

	for _, x := range f.Fields {
		fmt.Fprintf(&b, "; %s %s: %s", x.Pointer, x.Code, x.Message)
	}

	return b.String()
}

// New makes a refusal. The detail is a sentence for the caller and may be formatted.
func New(kind Kind, code Code, detail string, args ...any) *Fault {
	if len(args) > 0 {
		detail = fmt.Sprintf(detail, args...)
	}

	return &Fault{Kind: kind, Code: code, Detail: detail}
}

// With adds a member to the problem document and returns the same refusal.
func (f *Fault) With(name string, value any) *Fault {
	if f.Extra == nil {
		f.Extra = map[string]any{}
	}

	f.Extra[name] = value

	return f
}

// Missing is the answer for an unknown record and for another tenant's record: word for word the same.
func Missing(noun string) *Fault {
	return New(NotFound, NotFoundCode, "There is no such %s.", noun)
}

// As gives the refusal inside err, if there is one.
func As(err error) (*Fault, bool) {
	var f *Fault
	ok := errors.As(err, &f)
	return f, ok
}

// Is says whether err is a refusal with this code.
func Is(err error, code Code) bool {
	f, ok := As(err)
	return ok && f.Code == code
}

// MaxFields bounds the problems that one refusal carries: the largest body that is meant well has 30 payments of 8
// fields. A body made of nothing but faults must not be answered with ten times its size.
const MaxFields = 250

// List collects the problems of one request, so that all are reported at once. The zero value is ready.
type List struct{ fields []Field }

// Add notes one problem. The message is a sentence and may be formatted. Beyond MaxFields it does nothing.
func (l *List) Add(pointer string, code Code, message string, args ...any) {
	if len(l.fields) >= MaxFields {
		return
	}

	if len(args) > 0 {
		message = fmt.Sprintf(message, args...)
	}

	l.fields = append(l.fields, Field{Pointer: pointer, Code: code, Message: message})
}

// Append notes problems found elsewhere, up to MaxFields.
func (l *List) Append(fields ...Field) {
	l.fields = append(l.fields, fields[:min(len(fields), MaxFields-len(l.fields))]...)
}

// Fields gives what was noted so far.
func (l *List) Fields() []Field { return l.fields }

// Full reports whether Add would do nothing.
func (l *List) Full() bool { return len(l.fields) >= MaxFields }

// Empty says whether nothing was noted.
func (l *List) Empty() bool { return len(l.fields) == 0 }

// Err is nil when nothing was noted, else one Invalid refusal that carries every problem. With a single problem its
// code is the refusal's code, so that a client which looks at one place only still sees the reason.
func (l *List) Err() error {
	switch len(l.fields) {
	case 0:
		return nil

	case 1:
		f := l.fields[0]

		detail := f.Message
		if f.Pointer != "" {
			// "is required." alone says little to a client that reads only the detail
			detail = f.Pointer + ": " + f.Message
		}

		return &Fault{Kind: Invalid, Code: f.Code, Detail: detail, Fields: l.fields}
	}

	return &Fault{
		Kind:   Invalid,
		Code:   Validation,
		Detail: fmt.Sprintf("%d things in the request need to be corrected.", len(l.fields)),
		Fields: l.fields,
	}
}
