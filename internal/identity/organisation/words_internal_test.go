package organisation

import (
	"testing"

	"slipway/internal/platform/words/wordstest"
)

func TestWhatApprovalsSayIsInEveryLanguage(t *testing.T) {
	wordstest.Code(t, wordstest.Rule{Calls: map[string]int{"Phrase": 0, "Count": 0}})
}
