package receivable

import (
	"testing"

	"slipway/internal/platform/words/wordstest"
)

// A mail says in its reader's language what is to be approved.
func TestEverySummaryIsInEveryLanguage(t *testing.T) {
	wordstest.Code(t, wordstest.Rule{Calls: map[string]int{"Phrase": 0}})
}
