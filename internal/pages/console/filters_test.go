package console_test

import (
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// listPage is a page of the console that shows a list of the API.
type listPage struct {
	path, source string
	controls     string            // what stands before the name of a parameter that has a control
	without      map[string]string // the parameters without a control, each with the reason
}

// ofPages are the parameters that every list has to show its pages.
var ofPages = map[string]bool{
	"limit":                true,
	"offset":               true,
	"page":                 true,
	"cursor":               true,
	"Slipway-Organisation": true,
}

func listPages() []listPage {
	const (
		found  = "the search finds them by their names, and the list is short"
		states = "the page is one list for each state, as work goes from one to the next"
	)

	return []listPage{
		{
			path:     "/transactions",
			source:   "Transactions.svelte",
			controls: "name: ",
			without: map[string]string{
				"organisations[]": "a page is of one organisation",
				"partners[]":      "partners are those of a credential, and the console has none",
				"currencies[]":    "the type tells them apart, and the search finds an amount",
				"commissionType":  "it says how a price was set, which nobody looks for",
				"columnId":        "a saved view is what the other filters choose",
				"selectedYear":    "the two dates choose a year, too",
				"isHidden":        "hiding is for other programs; people see all",
			},
		},
		{
			path:     "/payables/me",
			source:   "Payables.svelte",
			controls: "const query = { ",
			without: map[string]string{
				"from":         states,
				"to":           states,
				"type[]":       states,
				"receiver":     states,
				"currencies[]": states,
				"tokens[]":     states,
				"expectedFrom": states,
				"expectedTo":   states,
				"searchTerm":   states,
			},
		},
		{
			path:     "/receivers/me",
			source:   "Payees.svelte",
			controls: "name: ",
			without: map[string]string{
				"direction": found,
				"isSelf":    "the organisation itself has a page of its own",
				"isHidden":  "hiding is for other programs; people see all",
			},
		},
	}
}

// sorts is where a page says by what its list can be sorted.
var sorts = regexp.MustCompile(`\bsort: "|\bconst sorts = `)

// TestEachFilterHasItsControl compares the parameters of the lists that people work with to what their pages offer. A
// parameter has a control, or it is named above with the reason, and not both.
func TestEachFilterHasItsControl(t *testing.T) {
	raw, err := os.ReadFile("../../../docs/openapi.json")
	require.NoError(t, err)

	var api struct {
		Paths map[string]struct {
			Get struct {
				Parameters []struct {
					Name string `json:"name"`
				} `json:"parameters"`
			} `json:"get"`
		} `json:"paths"`
	}
	require.NoError(t, json.Unmarshal(raw, &api))

	for _, page := range listPages() {
		source, err := os.ReadFile("../../../console/src/pages/" + page.source)
		require.NoError(t, err)

		parameters := map[string]bool{}

		for _, p := range api.Paths[page.path].Get.Parameters {
			if ofPages[p.Name] {
				continue
			}

			parameters[p.Name] = true
			offered := strings.Contains(string(source), page.controls+`"`+p.Name+`"`) ||
				(p.Name == "sortBy" || p.Name == "direction") && sorts.Match(source) ||
				p.Name == "searchTerm" && strings.Contains(string(source), "<List")

			require.NotEqual(t, offered, page.without[p.Name] != "",
				"%s: %s has a control, or a reason why it has none", page.source, p.Name)
		}

		require.NotEmpty(t, parameters, page.path)

		for name := range page.without {
			require.True(t, parameters[name], "%s has no parameter %s any more", page.path, name)
		}
	}
}
