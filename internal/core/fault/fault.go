// Package fault holds refusals: the answers when Slipway does not do what it was asked.
//
// A refusal is made where the rule is known. It has a kind (which determines the HTTP status), a stable code (part of
// the API, registered in codes.go), a sentence for the caller, and one entry for each wrong field: all of them at once.
// Every other error is internal: wrapped, logged, never shown.
package fault

import (
	"errors"
	"fmt"
	"strings"
)

// Kind is the sort of a refusal. It alone determines the HTTP status.
type Kind int

// The kinds, each with its HTTP status.
const (
	Malformed       Kind = iota + 1 // 400: not JSON, or a value of the wrong JSON type
	Unauthenticated                 // 401: no credential, or one that is no longer valid
	// 403: known caller, but a gate is closed (organisation not APPROVED, member not AUTHORIZED, role)
	Forbidden
	NotFound      // 404: unknown, or another tenant's; both answers are the same
	MethodUnknown // 405
	Conflict      // 409: wrong state, or the same is already under way
	Gone          // 410: a token that was used or has expired
	Precondition  // 412: If-Match names another version
	TooLarge      // 413
	MediaType     // 415
	Invalid       // 422: well formed, but against a rule
	Locked        // 423: held by compliance
	TooMany       // 429
	Unavailable   // 503: an outside party did not answer; safe to try again
)

// Field is one wrong value in a request. Pointer is an RFC 6901 JSON pointer into the body, or the name of a query
// parameter or header with "?" or "header " before it.
type Field struct {
	Pointer string `json:"pointer"`
	Code    Code   `json:"code"`
	Message string `json:"message"`
}

// Fault is a refusal. It is an error. Compare it with Is or As, by code, never by text.
type Fault struct {
	Kind   Kind
	Code   Code
	Detail string
	Fields []Field
	// Extra holds further members of the problem document, such as "previousRate". Usually nil.
	Extra map[string]any
}

// Error returns the code and the sentence, for logs and tests.
func (f *Fault) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s", f.Code, f.Detail)

	for _, x := range f.Fields {
		fmt.Fprintf(&b, "; %s %s: %s", x.Pointer, x.Code, x.Message)
	}

	return b.String()
}

// New returns a refusal. The detail is a sentence for the caller, formatted with args.
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

// Missing returns the refusal for an unknown record. Another tenant's record gets the same one, word for word.
func Missing(noun string) *Fault {
	return New(NotFound, NotFoundCode, "There is no such %s.", noun)
}

// As returns the refusal inside err, if there is one.
func As(err error) (*Fault, bool) {
	var f *Fault
	ok := errors.As(err, &f)
	return f, ok
}

// Is reports whether err is a refusal with this code.
func Is(err error, code Code) bool {
	f, ok := As(err)
	return ok && f.Code == code
}

// MaxFields limits the problems in one refusal. The largest sensible body has 30 payments of 8 fields. A body full of
// errors must not produce an answer ten times its size.
const MaxFields = 250

// List collects the problems of one request, so that all are reported at once. The zero value is ready.
type List struct{ fields []Field }

// Add notes one problem. The message is a sentence, formatted with args. Beyond MaxFields it does nothing.
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

// Fields returns what was noted so far.
func (l *List) Fields() []Field { return l.fields }

// Full reports whether Add would do nothing.
func (l *List) Full() bool { return len(l.fields) >= MaxFields }

// Empty reports whether nothing was noted.
func (l *List) Empty() bool { return len(l.fields) == 0 }

// Err returns nil if nothing was noted, or else one Invalid refusal with every problem. With a single problem, the
// refusal has that problem's code, so a client that reads only the refusal's code still sees the reason.
func (l *List) Err() error {
	switch len(l.fields) {
	case 0:
		return nil

	case 1:
		f := l.fields[0]

		detail := f.Message
		if f.Pointer != "" {
			// "is required." alone is not helpful to a client that reads only the detail
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
