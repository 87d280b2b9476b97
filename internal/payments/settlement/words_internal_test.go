package settlement

import (
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/words"
	"slipway/internal/platform/words/wordstest"
)

// A mail states in its reader's language why a payment stands where it does.
func TestEveryStatusInfoIsInEveryLanguage(t *testing.T) {
	wordstest.Code(t, wordstest.Rule{
		Sets:  []string{"summary"},
		Calls: map[string]int{"Phrase": 0, "Detailed": 0},
	})

	known := words.Must().In("en")
	for _, verb := range []string{"failed", "came back", "are being looked at", "wait at the bank"} {
		require.True(t, known.Knows("%[1]s of %[2]s payments "+verb+"."), verb)
		require.True(t, known.Knows("%[1]s of %[2]s payments "+verb+": %[3]s."), verb)
	}
}
