package docs

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// packaging is where alerts and board are.
const packaging = "../../packages/prometheus"

var (
	metricName = regexp.MustCompile(`slipway_[a-z_]+`)
	labelUse   = regexp.MustCompile(`(?:by \(|\{)([a-z_]+)`)
)

// served returns the labels of every metric of the code, by name. A histogram has three names.
func served(t *testing.T) map[string][]string {
	t.Helper()

	out := map[string][]string{}
	for _, g := range gauges(t) {
		var labels []string
		if g["Label"] != "" {
			labels = []string{g["Label"]}
		}

		out["slipway_"+g["Name"]] = labels
	}

	out["slipway_gauge_failures_total"] = []string{"gauge"} // internal/platform/observe/gauges.go

	for _, end := range []string{"_count", "_sum", "_bucket"} { // internal/platform/observe/metrics.go
		out["slipway_http_request_duration_seconds"+end] = []string{"method", "route", "status", "le"}
	}

	return out
}

// check requires that an expression names only metrics that are known, with labels that they have.
func check(t *testing.T, known map[string][]string, expression string) {
	t.Helper()

	var labels []string

	for _, name := range metricName.FindAllString(expression, -1) {
		require.Contains(t, known, name, expression)
		labels = append(labels, known[name]...)
	}

	for _, use := range labelUse.FindAllStringSubmatch(expression, -1) {
		if strings.HasPrefix(expression, "up{") { // Prometheus makes it
			continue
		}

		require.Contains(t, labels, use[1], expression)
	}
}

// Every alert asks for what is served, and links to a page that says what to do.
func TestAlertsAskForWhatIsServed(t *testing.T) {
	raw, err := os.ReadFile(filepath.Join(packaging, "alerts.yaml"))
	require.NoError(t, err)

	text := string(raw)
	expressions := regexp.MustCompile(`(?m)^ +expr: '(.*)'$`).FindAllStringSubmatch(text, -1)
	links := regexp.MustCompile(`(?m)^ +runbook_url: (.*)$`).FindAllStringSubmatch(text, -1)

	require.Len(t, links, strings.Count(text, "- alert: "))
	require.Len(t, expressions, len(links))

	known := served(t)

	for _, e := range expressions {
		check(t, known, e[1])
	}

	for _, l := range links {
		page, anchor, _ := strings.Cut(l[1], "#")

		body, err := os.ReadFile(filepath.Join("../..", page))
		require.NoError(t, err)

		if anchor != "" {
			require.True(t, slices.ContainsFunc(strings.Split(string(body), "\n"), func(line string) bool {
				heading := strings.ToLower(strings.TrimLeft(line, "# "))
				return strings.HasPrefix(line, "#") && strings.ReplaceAll(heading, " ", "-") == anchor
			}), "%s has no heading for %s", page, anchor)
		}
	}
}

// Every alert fires on figures that are wrong, and stays silent inside its bounds: promtool runs the rules.
func TestAlertsFireAndStaySilent(t *testing.T) {
	rules, err := os.ReadFile(filepath.Join(packaging, "alerts.yaml"))
	require.NoError(t, err)

	cases, err := os.ReadFile(filepath.Join(packaging, "alerts_test.yaml"))
	require.NoError(t, err)

	for _, alert := range regexp.MustCompile(`(?m)- alert: (.*)$`).FindAllStringSubmatch(string(rules), -1) {
		for _, does := range []string{"fires", "stays silent"} {
			require.Contains(t, string(cases), "- name: "+alert[1]+" "+does+"\n")
		}
	}

	out, err := promtool(t, "test", "rules", filepath.Join(packaging, "alerts_test.yaml"))
	require.NoError(t, err, out)
}

// promtool runs Prometheus' own tool, and skips the test where it is not installed.
func promtool(t *testing.T, args ...string) (string, error) {
	t.Helper()

	tool, err := exec.LookPath("promtool")
	if err != nil {
		t.Skip("promtool is not installed (scripts/promtool gets it): rules and queries are not run")
	}

	out, err := exec.CommandContext(t.Context(), tool, args...).CombinedOutput()

	return string(out), err
}

// Every figure of which the page of metrics says what to do is watched by an alert: nobody looks at a board at night.
func TestEveryFigureToActOnHasAnAlert(t *testing.T) {
	page, err := os.ReadFile(filepath.Join(reference, "metrics.md"))
	require.NoError(t, err)

	rules, err := os.ReadFile(filepath.Join(packaging, "alerts.yaml"))
	require.NoError(t, err)

	rows := regexp.MustCompile("(?m)^\\| `(slipway_[a-z_]+)`.*\\| (.*) \\|$").FindAllStringSubmatch(string(page), -1)
	require.Greater(t, len(rows), 20)

	for _, row := range rows {
		if row[2] == "–" || row[1] == "slipway_house_difference" { // a difference halts the house, which has its alert
			continue
		}

		require.Contains(t, string(rules), row[1], "nothing watches %s, of which the page says: %s", row[1], row[2])
	}
}

// boardQueries returns the queries of each panel of the board, by its title.
func boardQueries(t *testing.T) map[string][]string {
	t.Helper()

	raw, err := os.ReadFile(filepath.Join(packaging, "board.json"))
	require.NoError(t, err)

	var board struct {
		Panels []struct {
			Title   string `json:"title"`
			Targets []struct {
				Expr string `json:"expr"`
			} `json:"targets"`
		} `json:"panels"`
	}
	require.NoError(t, json.Unmarshal(raw, &board))
	require.Greater(t, len(board.Panels), 10)

	out := map[string][]string{}
	for _, p := range board.Panels {
		require.NotEmpty(t, p.Targets, p.Title)

		for _, q := range p.Targets {
			out[p.Title] = append(out[p.Title], q.Expr)
		}
	}

	return out
}

// Every query of the board asks for what is served.
func TestBoardAsksForWhatIsServed(t *testing.T) {
	known := served(t)

	for _, queries := range boardQueries(t) {
		for _, q := range queries {
			require.Regexp(t, metricName, q)
			check(t, known, q)
		}
	}
}

// Every figure that is served stands on the board: who looks at it misses nothing that an alert asks for.
func TestEveryFigureStandsOnTheBoard(t *testing.T) {
	shown := map[string]bool{}

	for _, queries := range boardQueries(t) {
		for _, q := range queries {
			for _, name := range metricName.FindAllString(q, -1) {
				shown[name] = true
			}
		}
	}

	for name := range served(t) {
		if strings.HasPrefix(
			name,
			"slipway_http_request_duration_seconds",
		) { // three names, of which a panel takes some
			continue
		}

		require.True(t, shown[name], "no panel of the board shows %s", name)
	}
}

// Every query of the board is one that Prometheus reads: promtool takes each as a rule.
func TestPrometheusReadsTheBoardsQueries(t *testing.T) {
	type rule struct {
		Record string `json:"record"`
		Expr   string `json:"expr"`
	}

	type group struct {
		Name  string `json:"name"`
		Rules []rule `json:"rules"`
	}

	written := func(rules []rule) string {
		raw, err := json.Marshal(map[string][]group{"groups": {{Name: "board", Rules: rules}}}) // JSON is YAML
		require.NoError(t, err)

		path := filepath.Join(t.TempDir(), "board.yaml")
		require.NoError(t, os.WriteFile(path, raw, 0o600))

		return path
	}

	var rules []rule

	for _, queries := range boardQueries(t) {
		for _, q := range queries {
			rules = append(rules, rule{Record: fmt.Sprintf("board:%d", len(rules)), Expr: q})
		}
	}

	out, err := promtool(t, "check", "rules", written(rules))
	require.NoError(t, err, out)

	_, err = promtool(t, "check", "rules", written([]rule{{Record: "board:x", Expr: "sum by (status (up)"}}))
	require.Error(t, err, "a query that cannot be read is told")
}
