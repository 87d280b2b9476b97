package docs

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// described is an operation of the OpenAPI document, as far as this file looks at it.
type described struct {
	ID         string `json:"operationId"`
	Summary    string `json:"summary"`
	Parameters []struct {
		Name string `json:"name"`
	} `json:"parameters"`
	Responses map[string]any `json:"responses"`
}

// asksForCode reports whether the operation takes the code of a second factor.
func (d described) asksForCode() bool {
	for _, p := range d.Parameters {
		if p.Name == "X-2FA-Code" {
			return true
		}
	}

	return false
}

// TestOperatorsPageIsFresh (Z-09) compares docs/reference/operators.md with the writes that the platform's people may
// make. The last column is written by hand and kept: whether a second person is asked, and if not, why not. An
// operation without it fails, and so does a write that asks for no recent second factor.
func TestOperatorsPageIsFresh(t *testing.T) {
	raw, err := os.ReadFile(filepath.Join(root, "docs", "openapi.json"))
	require.NoError(t, err)

	var document struct {
		Paths map[string]map[string]described `json:"paths"`
	}

	require.NoError(t, json.Unmarshal(raw, &document))

	routes, err := os.ReadFile(filepath.Join(reference, "routes.txt"))
	require.NoError(t, err)

	page, err := os.ReadFile(filepath.Join(reference, "operators.md"))
	require.NoError(t, err)

	var rows [][]string

	for _, line := range strings.Split(string(routes), "\n") {
		words := strings.Fields(line)
		if len(words) < 4 || words[0] == "GET" || words[2] != "staff" && words[2] != "operator" {
			continue
		}

		op := document.Paths[words[1]][strings.ToLower(words[0])]
		require.Equal(t, words[3], op.ID, line)
		require.True(t, op.asksForCode(), "%s asks for no recent second factor", line)

		route := "`" + words[0] + " " + words[1] + "`"
		rows = append(rows, []string{route, words[2] + ": " + op.Summary})

		if _, asks := op.Responses["202"]; asks && strings.HasPrefix(op.Summary, "Ask a second operator") {
			require.Regexp(
				t,
				"(?m)^"+strings.NewReplacer("{", "\\{", "}", "\\}", "|", "\\|").Replace("| "+route+" |")+".*\\| Yes",
				string(page),
			)
		}
	}

	require.Greater(t, len(rows), 15)
	keptTable(t, "operators.md", []string{"Operation", "Who, and what for", "Second person"}, rows)
}
