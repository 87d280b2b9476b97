package caller

import (
	"bytes"
	"encoding/json"
	"strings"

	"slipway/internal/core/fault"
)

// maxRef is the longest identifier.
const maxRef = 64

// Ref is a reference to another record in a request: its identifier as a text, or an object with `_id`, as lists and
// answers give it. Of such an object only `_id` is read here; platform/web compares the other members with the record.
type Ref string

// JSONKind returns the expected form of a Ref, for refusals.
func (Ref) JSONKind() string { return "an identifier, or an object with _id" }

// UnmarshalJSON reads either form. null means empty.
func (r *Ref) UnmarshalJSON(raw []byte) error {
	if raw[0] != '{' {
		return r.text(raw, "")
	}

	var record map[string]json.RawMessage // decoding into a struct would accept _ID too
	if err := json.Unmarshal(raw, &record); err != nil {
		return err
	}

	if err := r.text(record["_id"], "/_id"); err != nil {
		return err
	}

	if *r == "" {
		return wrong("/_id", fault.Required, "is required.")
	}

	return nil
}

func (r *Ref) text(raw []byte, at string) error {
	*r = ""

	if raw == nil || raw[0] == 'n' {
		return nil
	}

	s, ok := unescaped(raw)
	if !ok && json.Unmarshal(raw, &s) != nil {
		return wrong(at, fault.TypeMismatch, "must be "+r.JSONKind()+".")
	}

	if len(s) > maxRef {
		return wrong(at, fault.TooLong, "is longer than any identifier.")
	}

	if strings.ContainsFunc(s, func(c rune) bool { return c <= ' ' || c > '~' }) {
		return wrong(at, fault.FormatInvalid, "is not an identifier.")
	}

	*r = Ref(s)

	return nil
}

// unescaped returns what stands in a JSON text in which nothing is escaped. Every payment has some, and json.Unmarshal
// takes twenty times as long.
func unescaped(raw []byte) (string, bool) {
	last := len(raw) - 1
	if raw[0] != '"' || last < 1 || bytes.IndexByte(raw, '\\') >= 0 || bytes.IndexByte(raw[1:], '"') != last-1 {
		return "", false
	}

	return string(raw[1:last]), true
}

func wrong(at string, code fault.Code, message string) error {
	var l fault.List
	l.Add(at, code, "%s", message)
	return l.Err()
}
