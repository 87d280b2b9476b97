//go:build !nosandbox

package app_test

import (
	"encoding/csv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/app/apptest"
	"slipway/internal/platform/db/dbtest"
)

// Every list of a member can be had as CSV, with a header even where there are no rows. The feed of events is none: it
// is followed, not kept.
func TestEveryListCanBeHadAsCSV(t *testing.T) {
	h := apptest.New(t, apptest.Config{}, "sqlite:"+dbtest.SQLiteFile(t))
	c := h.Client("Ada")

	var document struct {
		Paths map[string]map[string]struct {
			Responses map[string]struct {
				Table string `json:"x-table"`
			} `json:"responses"`
		} `json:"paths"`
	}
	h.Do(h.App, "GET", "/openapi.json", "", nil).OK(200).Into(&document)

	answered := 0

	for path, operations := range document.Paths {
		if operations["get"].Responses["200"].Table != "text/csv" || strings.Contains(path, "{") {
			continue
		}

		a := c.Do("GET", path, nil, asCSV)
		if a.Status != 200 { // not a member's, or it wants a parameter
			continue
		}

		rows, err := csv.NewReader(strings.NewReader(a.Raw)).ReadAll()
		require.NoError(t, err, path)
		require.NotEmpty(t, rows, path)
		require.Contains(t, a.Header.Get("Content-Type"), "header=present", path)

		answered++
	}

	require.Greater(t, answered, 15, "lists of a member")
}
