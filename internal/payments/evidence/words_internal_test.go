package evidence

import (
	"testing"

	"slipway/internal/platform/words/wordstest"
)

// A mail states in its reader's language what a chain has shown.
func TestEveryTextIsInEveryLanguage(t *testing.T) {
	wordstest.Code(t, wordstest.Rule{
		Fields: []string{"holds", "approved"},
		Calls:  map[string]int{"Phrase": 0, "Detailed": 0},
	})
}
