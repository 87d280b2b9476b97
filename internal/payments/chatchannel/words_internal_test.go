package chatchannel

import (
	"testing"

	"slipway/internal/platform/words/wordstest"
)

func TestWhatChatsSayIsInEveryLanguage(t *testing.T) {
	wordstest.Code(t, wordstest.Rule{
		Fields: []string{"offGone", "offFailing", "Words"},
		Calls:  map[string]int{"Phrase": 0, "titled": 0, "Count": 0},
	})
}
