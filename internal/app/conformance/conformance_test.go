//go:build !nosandbox

package conformance

import (
	_ "embed"
	"flag"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/app/apptest"
)

//go:embed rows.txt
var rowsText string

var update = flag.Bool("update", false, "write docs/reference/conformance.md anew")

// row is one line of rows.txt.
type row struct {
	id   string // "field/Wallet/ownership"
	want string // what the test looks for
	open string // why it is not true yet; empty: it is
}

// part returns the n-th part of the row's name.
func (r row) part(n int) string {
	parts := strings.SplitN(r.id, "/", 3)
	if n < len(parts) {
		return parts[n]
	}

	return ""
}

// rest returns the name without its first part.
func (r row) rest() string {
	_, rest, _ := strings.Cut(r.id, "/")
	return rest
}

func readRows(t *testing.T) []row {
	t.Helper()

	var out []row

	seen := map[string]bool{}
	for _, line := range strings.Split(rowsText, "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}

		parts := strings.SplitN(line+" |  | ", " | ", 4)
		r := row{
			id:   strings.TrimSpace(parts[0]),
			want: strings.TrimSpace(parts[1]),
			open: strings.TrimSpace(parts[2]),
		}
		require.False(t, seen[r.id], "%s stands twice in rows.txt", r.id)
		seen[r.id] = true
		out = append(out, r)
	}

	require.Greater(t, len(out), 350)

	return out
}

// TestInterfaceFresh runs the test of every row, and compares docs/reference/conformance.md with what they find.
func TestInterfaceFresh(t *testing.T) {
	rows := readRows(t)
	found := findings{bad: map[string]string{}}

	apptest.EachMarket(t, func(t *testing.T, h *apptest.Harness, _ *apptest.Market) {
		s := play(t, h)

		for _, r := range rows {
			t.Run(r.id, func(t *testing.T) {
				err := s.check(r)

				switch {
				case err == nil && r.open == "":
				case err == nil:
					t.Errorf("it is true now: take %q out of rows.txt", r.open)

				case r.open == "":
					t.Error(err)
					found.note(r.id, err)

				default:
					found.note(r.id, err)
					t.Logf("open: %s: %v", r.open, err)
				}
			})
		}
	})

	if t.Failed() {
		return // the page would say what no test has found
	}

	page := writePage(rows, found.bad)
	path := "../../../docs/reference/conformance.md"

	if *update {
		require.NoError(t, os.WriteFile(path, []byte(page), 0o644))
	}

	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, page, string(text), "docs/reference/conformance.md is stale: make generate")
}

// findings are the rows whose tests have failed.
type findings struct {
	mu  sync.Mutex
	bad map[string]string
}

func (f *findings) note(id string, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()

	f.bad[id] = err.Error()
}

// check runs the test of a row.
func (s *stage) check(r row) error {
	switch r.part(0) {
	case "field":
		if strings.HasPrefix(r.want, "sent ") {
			return s.checkSent(r)
		}

		return s.checkField(r)

	case "endpoint":
		return s.checkEndpoint(r)
	}

	test, ok := rules()[r.id]
	if !ok {
		return fmt.Errorf("no test is called %s", r.id)
	}

	return test(s)
}

// TestEveryRuleHasARow: a test whose row is gone tests nothing that anybody asked for.
func TestEveryRuleHasARow(t *testing.T) {
	rows := map[string]bool{}
	for _, r := range readRows(t) {
		rows[r.id] = true
	}

	for id := range rules() {
		require.True(t, rows[id], "rows.txt has no row %s", id)
	}
}

// sections are the kinds of rows, in the order of the page.
var sections = []struct{ kind, title string }{
	{"field", "Fields"},
	{"region", "Bank accounts by region"},
	{"endpoint", "Endpoints"},
	{"transition", "Transitions"},
	{"error", "Errors"},
	{"limit", "Limits"},
}

// writePage writes the page of the reference.
func writePage(rows []row, bad map[string]string) string {
	var b strings.Builder
	b.WriteString(`# Conformance

Each row of each table of the interface has a test of its name. This page is written from what the tests find, on SQLite
and PostgreSQL: ` + "`go test ./internal/app/conformance -run TestInterfaceFresh/sqlite/field/Wallet`" + ` runs some of them.

| Rows | True | Open |
|---|---|---|
`)

	for _, section := range sections {
		total, open := 0, 0

		for _, r := range rows {
			if r.part(0) == section.kind {
				total++

				if bad[r.id] != "" {
					open++
				}
			}
		}

		fmt.Fprintf(&b, "| %s | %d | %d |\n", section.title, total-open, open)
	}

	for _, section := range sections {
		fmt.Fprintf(&b, "\n## %s\n\n| Row | Result |\n|---|---|\n", section.title)

		for _, r := range rows {
			if r.part(0) == section.kind {
				fmt.Fprintf(&b, "| `%s` | %s |\n", r.rest(), r.result(bad))
			}
		}
	}

	return b.String()
}

// result is a row's cell of the page.
func (r row) result(bad map[string]string) string {
	switch {
	case bad[r.id] != "" && r.open != "":
		return "open: " + r.open
	case bad[r.id] != "":
		return "not true"
	case strings.HasSuffix(r.want, "?"):
		return "true; `null` without a partner that fills it"
	case r.want == "never":
		return "true: taken, and never given out"
	}

	return "true"
}
