package docs

import (
	"encoding/json"
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

	for _, end := range []string{"_count", "_sum", "_bucket"} { // internal/platform/observe/metrics.go
		out["slipway_http_request_duration_seconds"+end] = []string{"method", "route", "status", "le"}
	}

	return out
}

// check requires that an expression names only metrics that are served, with labels that they have.
func check(t *testing.T, expression string) {
	t.Helper()

	known := served(t)

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

	for _, e := range expressions {
		check(t, e[1])
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

	promtool, err := exec.LookPath("promtool")
	if err != nil {
		t.Skip("promtool is not installed (scripts/promtool gets it): the alert rules are not run")
	}

	out, err := exec.CommandContext(t.Context(), promtool, "test", "rules",
		filepath.Join(packaging, "alerts_test.yaml")).CombinedOutput()
	require.NoError(t, err, string(out))
}

// Every query of the board asks for what is served.
func TestBoardAsksForWhatIsServed(t *testing.T) {
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

	for _, p := range board.Panels {
		require.NotEmpty(t, p.Targets, p.Title)

		for _, q := range p.Targets {
			require.Regexp(t, metricName, q.Expr)
			check(t, q.Expr)
		}
	}
}
