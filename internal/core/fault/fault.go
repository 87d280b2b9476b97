// Package fault holds refusals: the answers when Slipway does not do what it was asked.
//
// A refusal is made where the rule is known. It has a kind (which determines the HTTP status), a stable code (part of
// the API, registered in codes.go), a sentence for the caller, and one entry for each wrong field: all of them at once.
// Every other error is internal: wrapped, logged, never shown.
//
// Read fault.go. The codes stand in one file for each part of the service, by the noun whose rules they name; codes.go
// puts them together:
//
//   - Who calls: codes_access.go, codes_signin.go (second factors, API clients, links), codes_email.go, codes_idv.go,
//     codes_approval.go.
//   - The directory: codes_directory.go (networks, receivers, wallets), codes_bankaccount.go, codes_screening.go,
//     codes_document.go, codes_events.go (with webhooks).
//   - Payments: codes_payments.go, codes_fiat.go (FIAT and ONRAMP), codes_quotes.go, codes_payables.go,
//     codes_billscan.go, codes_invoicelink.go, codes_statement.go (with invoices and bookkeeping), codes_reconcile.go,
//     codes_house.go, codes_schedules.go.
//
// kinds.go is generated: the kind of each code, as the rules use it.
package fault

import (
	"errors"
	"fmt"
	"slices"
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

// Field is one wrong value in a request. Pointer is an RFC 6901 JSON pointer into the body. For a value that stands
// elsewhere, In is "query", "path" or "header", Name is the name there, and Pointer is empty.
type Field struct {
	Pointer  string
	In, Name string
	Code     Code
	Message  string
}

// Where returns the place of the value, for logs and sentences: the pointer, or "query limit".
func (f Field) Where() string {
	if f.In != "" {
		return f.In + " " + f.Name
	}

	return f.Pointer
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
		fmt.Fprintf(&b, "; %s %s: %s", x.Where(), x.Code, x.Message)
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
//
// A list that continues another one (Continue) has the problems of an earlier stage. It ignores what a later stage
// notes about those values: whoever found them unsound has already named the reason.
type List struct {
	fields  []Field
	earlier int // how many of the fields an earlier stage has noted
}

// Continue returns a list that begins with the problems of an earlier stage.
func Continue(earlier []Field) List {
	return List{fields: earlier[:len(earlier):len(earlier)], earlier: len(earlier)}
}

// Add notes one problem of the body. The message is a sentence, formatted with args. Beyond MaxFields it does nothing.
func (l *List) Add(pointer string, code Code, message string, args ...any) {
	if len(args) > 0 {
		message = fmt.Sprintf(message, args...)
	}

	l.Append(Field{Pointer: pointer, Code: code, Message: message})
}

// AddParameter notes one problem of a value that stands outside of the body: in is "query", "path" or "header".
func (l *List) AddParameter(in, name string, code Code, message string, args ...any) {
	if len(args) > 0 {
		message = fmt.Sprintf(message, args...)
	}

	l.Append(Field{In: in, Name: name, Code: code, Message: message})
}

// Append notes problems found elsewhere, up to MaxFields.
func (l *List) Append(fields ...Field) {
	for _, f := range fields {
		if len(l.fields) < MaxFields && l.isNews(f) {
			l.fields = append(l.fields, f)
		}
	}
}

// Note notes what err refuses: its fields, or at the pointer if it names none. It returns an error that is no refusal
// of a value: such an error ends the request.
func (l *List) Note(pointer string, err error) error {
	f, ok := As(err)

	switch {
	case !ok, f.Kind != Invalid:
		return err
	case len(f.Fields) == 0:
		l.Add(pointer, f.Code, "%s", f.Detail)
	default:
		l.Append(f.Fields...)
	}

	return nil
}

// isNews reports whether a problem says more than what was noted before: of a value that an earlier stage has refused
// nothing is news, the same reason is said once, and a value that is wrong is not missing.
func (l *List) isNews(f Field) bool {
	if f.In != "" {
		return true
	}

	for i, x := range l.fields {
		switch {
		case x.In != "":
		case i < l.earlier && within(f.Pointer, x.Pointer):
			return false
		case x.Pointer == f.Pointer && (x.Code == f.Code || f.Code == Required):
			return false
		}
	}

	return true
}

// within reports whether a pointer is that of a value, or of something inside it. The pointer of the whole body is
// above every other one, and refuses nothing but itself.
func within(pointer, value string) bool {
	rest, ok := strings.CutPrefix(pointer, value)
	return ok && (rest == "" || value != "" && rest[0] == '/')
}

// Sound reports whether an earlier stage has noted nothing about the values at these pointers. A rule that compares
// several values asks before it runs.
func (l *List) Sound(pointers ...string) bool {
	for _, x := range l.fields[:l.earlier] {
		for _, p := range pointers {
			if x.In == "" && (within(p, x.Pointer) || within(x.Pointer, p)) {
				return false
			}
		}
	}

	return true
}

// Clone returns a list with the same problems, for a write body, which may run twice.
func (l *List) Clone() List { return List{fields: slices.Clone(l.fields), earlier: l.earlier} }

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
		if at := f.Where(); at != "" {
			// "is required." alone is not helpful to a client that reads only the detail
			detail = at + ": " + f.Message
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
