package endpoint

import (
	"testing"

	"slipway/internal/platform/words/wordstest"
)

func TestWhatMailsSayIsInEveryLanguage(t *testing.T) {
	wordstest.Code(t, wordstest.Rule{Fields: []string{"offGone", "offFailing"}})
}
