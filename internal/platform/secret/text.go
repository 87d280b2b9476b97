// Package secret keeps values that must not be seen: in memory and logs (Text), at rest (Keyring), and on the way to
// the one who may have them (Token).
//
// What it promises: a Text never prints itself; what a Keyring sealed opens only under the same context and an
// untouched key; keys are replaced without downtime, since old ones still open. What it does not promise: that a
// value is wiped from memory.
//
// Read in this order: text.go, keyring.go, token.go.
package secret

import "log/slog"

// hidden is what a Text shows instead of itself.
const hidden = "[set]"

// Text is a secret in memory: a password, a key, an address with a password in it. Printing, logging or encoding it
// gives "[set]", or nothing when it is empty. Only Reveal gives it away, so that a search for Reveal finds every
// place that sees a secret.
type Text string

// Reveal returns the secret itself.
func (t Text) Reveal() string { return string(t) }

// String hides the secret.
func (t Text) String() string {
	if t == "" {
		return ""
	}

	return hidden
}

// GoString hides the secret from %#v.
func (t Text) GoString() string { return `secret.Text("` + t.String() + `")` }

// LogValue hides the secret from slog.
func (t Text) LogValue() slog.Value { return slog.StringValue(t.String()) }

// MarshalText hides the secret from JSON and every other encoding that asks for text.
func (t Text) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// RevealAll returns the secrets of a list.
func RevealAll(texts []Text) []string {
	out := make([]string, len(texts))
	for i, t := range texts {
		out[i] = string(t)
	}

	return out
}
