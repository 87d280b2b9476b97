package transaction

import (
	"testing"

	"slipway/internal/platform/words/wordstest"
)

func TestEveryStatusInfoIsInEveryLanguage(t *testing.T) {
	wordstest.Code(t, wordstest.Rule{Calls: map[string]int{"Phrase": 0, "Detailed": 0}})
}
