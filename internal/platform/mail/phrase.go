package mail

import (
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"slipway/internal/platform/words"
)

// A phrase is a value of a template that is said in the reader's language, which is known only when the mail is sent. The
// signs that begin it are control characters, which no text of people has.
const (
	phraseSign = "\x01" // then a list in JSON: the key and the arguments
	momentSign = "\x02"
)

// Phrase returns a value that says a text of the catalogue, with its arguments. An argument is a text of people, a time
// of When, or a phrase.
func Phrase(key string, args ...string) string {
	parts, err := json.Marshal(append([]string{key}, args...))
	if err != nil {
		panic("mail: " + err.Error()) // texts always encode
	}

	return phraseSign + string(parts)
}

// When returns a value that says a time, to the minute.
func When(t time.Time) string { return momentSign + t.UTC().Format(time.RFC3339) }

// said returns a value in a language. Nothing in it adds lines or becomes a link.
func said(in *words.Words, value string) string {
	if at, ok := strings.CutPrefix(value, momentSign); ok {
		if t, err := time.Parse(time.RFC3339, at); err == nil {
			return in.Moment(t)
		}
	}

	var parts []string

	text, ok := strings.CutPrefix(value, phraseSign)
	if !ok || json.Unmarshal([]byte(text), &parts) != nil || len(parts) == 0 {
		return unlinked(value)
	}

	args := make([]any, len(parts)-1)

	for i, a := range parts[1:] {
		args[i] = said(in, a)
	}

	return in.Say(parts[0], args...)
}
