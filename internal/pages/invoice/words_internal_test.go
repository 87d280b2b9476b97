package invoice

import (
	"testing"

	"slipway/internal/platform/words/wordstest"
)

func TestEveryTextIsInEveryLanguage(t *testing.T) {
	wordstest.Template(t, "pages.html", "Slipway",
		"width=device-width, initial-scale=1", "noindex", "telephone=no") // for browsers
	wordstest.Code(t, wordstest.Rule{
		Fields: []string{
			"Title", "Lead", "Label", "Hint", "Button", "Note", "Problem", "Group", "Wrong",
			"line.Name", "sheet.Name", "stage.Name",
		},
		Calls: map[string]int{"Say": 0, "stop": 3},
	})
}
