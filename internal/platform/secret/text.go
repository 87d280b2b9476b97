// Package secret protects values that must not be seen: in memory and logs (Text), at rest (Keyring), and on the way to
// their owner (Token).
//
// It promises that a Text never prints itself, and that what a Keyring sealed opens only with the same context and the
// unchanged key. Keys are replaced without downtime, since old ones still decrypt. It does not promise that a value is
// wiped from memory.
//
// Read in this order: text.go, path.go (secrets in the paths of requests), keyring.go, bytes.go, token.go.
package secret

import "log/slog"

// hidden is what a Text shows instead of itself.
const hidden = "[set]"

// Text is a secret in memory: a password, a key, an address that contains a password. Printing, logging or encoding it
// writes "[set]", or nothing if it is empty. Only Reveal returns it, so searching for Reveal finds every place that
// sees a secret.
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
