package notice

import (
	"testing"

	"slipway/internal/platform/words/wordstest"
)

func TestWhatMailsSayIsInEveryLanguage(t *testing.T) {
	wordstest.Code(
		t,
		wordstest.Rule{Fields: []string{"headline", "lead", "deposit"}, Calls: map[string]int{"Phrase": 0}},
	)
}
