package approval

import (
	"unicode/utf8"

	"slipway/internal/core/fault"
	"slipway/internal/core/text"
)

// mostReason is how many characters of words are kept with a request or a decision.
const mostReason = 500

// Reason returns the words with which somebody explains a request, cleaned. It refuses none, and more than mostReason
// characters. Every request that needs a reason calls it, wherever the words come from: routes and commands alike.
func Reason(pointer, words string) (string, error) {
	words, err := Comment(pointer, words)
	if err == nil && words == "" {
		var l fault.List
		l.Add(pointer, fault.Required, "is required.")
		err = l.Err()
	}

	return words, err
}

// Comment is Reason for words that may be left out.
func Comment(pointer, words string) (string, error) {
	var l fault.List

	words = text.Trim(words)
	if utf8.RuneCountInString(words) > mostReason {
		l.Add(pointer, fault.TooLong, "may have at most %d characters.", mostReason)
	}

	return words, l.Err()
}
