package idv

import (
	"testing"

	"slipway/internal/platform/words/wordstest"
)

func TestWhatMailsSayIsInEveryLanguage(t *testing.T) {
	wordstest.Code(t, wordstest.Rule{Calls: map[string]int{"Phrase": 0}})
}
