package console_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestEveryScopeHasItsSentence compares the scopes from which people choose with those that the API's operations name,
// and with the general ones that stand for all of a kind.
func TestEveryScopeHasItsSentence(t *testing.T) {
	raw, err := os.ReadFile("../../../docs/openapi.json")
	require.NoError(t, err)

	asked := map[string]bool{}

	for _, m := range regexp.MustCompile("Scope for API clients: `([a-z-]+:[a-z]+)`").FindAllStringSubmatch(string(raw), -1) {
		asked[m[1]] = true
		_, general, _ := strings.Cut(m[1], ":")
		asked[general] = true
	}

	require.Greater(t, len(asked), 30)

	table, err := os.ReadFile("../../../console/src/lib/scopes.ts")
	require.NoError(t, err)

	offered := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^  "?([a-z:-]+)"?: "[A-Z].*\.",$`).FindAllStringSubmatch(string(table), -1) {
		offered[m[1]] = true
	}

	require.Equal(t, asked, offered)
}
