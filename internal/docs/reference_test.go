// Package docs has no code: its tests keep the book in docs/ true.
//
// reference_test.go writes the pages that follow from the code (settings, errors, metrics) and fails when one is
// stale. links_test.go follows every link and finds pages that nothing leads to.
package docs

import (
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/core/fault"
	"slipway/internal/platform/config"
)

var update = flag.Bool("update", false, "write the generated pages of docs/reference anew")

const (
	root      = "../.."
	reference = root + "/docs/reference"
	notice    = "<!-- Written by a test of internal/docs; `make generate` writes it anew. -->\n\n"
)

// TestSettingsPageIsFresh compares docs/reference/settings.md with the settings of the code.
func TestSettingsPageIsFresh(t *testing.T) {
	b := &strings.Builder{}
	b.WriteString("# Settings\n\n" + notice)
	b.WriteString("This page lists every setting, its default and its meaning.\n\n" +
		"- Settings come from defaults, then from the file of `--config` (TOML), then from the\n" +
		"  environment. The last one counts.\n" +
		"- The environment variable of `http.listen` is `SLIPWAY_HTTP__LISTEN`: capital letters, two\n" +
		"  underscores for the dot, dashes as underscores.\n" +
		"- A secret may stand in a file of its own: add `_file` to its key, or `_FILE` to its environment\n" +
		"  variable.\n" +
		"- A name that is not on this page is refused, with the nearest one that is.\n" +
		"- `slipway config` shows the value of each setting and where it comes from.\n" +
		"  `slipway config --toml` prints a file to start from.\n")

	section := "-"
	for _, s := range config.Describe() {
		table, _, inside := strings.Cut(s.Key, ".")
		if !inside {
			table = ""
		}

		if table != section {
			section = table
			b.WriteString("\n## " + heading(table) + "\n\n| Setting | Default | Meaning |\n|---|---|---|\n")
		}

		fmt.Fprintf(b, "| `%s` | %s | %s |\n", s.Key, defaultOf(s), strings.ReplaceAll(s.Help+facts(s), "|", "\\|"))
	}

	compare(t, "settings.md", b.String())
}

// heading returns the title of a table's section.
func heading(table string) string {
	switch table {
	case "":
		return "General"
	case "network", "house_account", "liquidity_provider":
		return "[[" + table + "]]"
	default:
		return "[" + table + "]"
	}
}

func defaultOf(s config.Setting) string {
	if s.Default == "" {
		return "–"
	}

	return "`" + s.Default + "`"
}

// facts returns what a setting's help leaves out: its choices, and that it is secret.
func facts(s config.Setting) string {
	var out string
	for _, choice := range s.Choices {
		if !strings.Contains(s.Help, choice) {
			out = " One of: " + strings.Join(s.Choices, ", ") + "."
		}
	}

	if s.Secret {
		out += " Secret."
	}

	return out
}

// TestErrorsPageIsFresh compares docs/reference/errors.md with the codes of the code. The last column is written by
// hand and kept; a code without it fails.
func TestErrorsPageIsFresh(t *testing.T) {
	var rows [][]string
	for _, code := range fault.Codes() {
		explained, _ := fault.Explain(code)
		rows = append(rows, []string{"`" + string(code) + "`", explained})
	}

	keptTable(t, "errors.md", []string{"Code", "What it means", "What to do"}, rows)
}

// TestMetricsPageIsFresh compares docs/reference/metrics.md with the gauges of the code. The last column is written
// by hand and kept; a gauge without it fails.
func TestMetricsPageIsFresh(t *testing.T) {
	var rows [][]string
	for _, g := range gauges(t) {
		name := "`slipway_" + g["Name"] + "`"
		if g["Label"] != "" {
			name += " by " + g["Label"]
		}

		rows = append(rows, []string{name, g["Help"]})
	}

	sort.Slice(rows, func(i, j int) bool { return rows[i][0] < rows[j][0] })
	keptTable(t, "metrics.md", []string{"Metric", "What it means", "What to do"}, rows)
}

// gauges returns the constant texts of every metric.
func gauges(t *testing.T) []map[string]string {
	t.Helper()

	var found []map[string]string
	for _, file := range sources(t) {
		ast.Inspect(file, func(n ast.Node) bool {
			literal, ok := n.(*ast.CompositeLit)
			if !ok {
				return true
			}

			switch typeName(literal.Type) {
			case "Gauge", "HistogramOpts", "CounterOpts":
				found = append(found, fieldTexts(literal))
				for _, e := range literal.Elts {
					if inner, ok := e.(*ast.CompositeLit); ok {
						found = append(found, fieldTexts(inner))
					}
				}
			}

			return true
		})
	}

	found = slices.DeleteFunc(found, func(g map[string]string) bool { return g["Name"] == "" || g["Help"] == "" })
	require.Greater(t, len(found), 15, "the gauges are no longer where this test looks")

	return found
}

// typeName returns the last word of a literal's type, or of its elements' type.
func typeName(e ast.Expr) string {
	switch x := e.(type) {
	case *ast.Ident:
		return x.Name
	case *ast.SelectorExpr:
		return x.Sel.Name
	case *ast.ArrayType:
		return typeName(x.Elt)
	default:
		return ""
	}
}

// fieldTexts returns the fields of a literal that are constant texts.
func fieldTexts(literal *ast.CompositeLit) map[string]string {
	texts := map[string]string{}
	for _, e := range literal.Elts {
		field, ok := e.(*ast.KeyValueExpr)
		if !ok {
			continue
		}

		if text, ok := constant(field.Value); ok {
			texts[fmt.Sprint(field.Key)] = text
		}
	}

	return texts
}

// constant returns the text of a literal, or of literals that are added up.
func constant(e ast.Expr) (string, bool) {
	switch x := e.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(x.Value)
		return text, err == nil && x.Kind == token.STRING

	case *ast.BinaryExpr:
		left, ok1 := constant(x.X)
		right, ok2 := constant(x.Y)
		return left + right, ok1 && ok2

	default:
		return "", false
	}
}

// TestEventsPageNamesEveryAction looks for every action of the audit log and every event that the code writes under a
// fixed name.
func TestEventsPageNamesEveryAction(t *testing.T) {
	page, err := os.ReadFile(reference + "/events.md")
	require.NoError(t, err)

	named := 0
	for _, file := range sources(t) {
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || !isTrail(call) {
				return true
			}

			for _, argument := range call.Args {
				action, ok := constant(argument)
				if !ok || !strings.Contains(action, ".") || strings.Contains(action, " ") {
					continue
				}

				named++
				require.Contains(t, string(page), "`"+action+"`", "docs/reference/events.md does not name it")
			}

			return true
		})
	}

	require.Greater(t, named, 40, "the actions are no longer where this test looks")
}

func isTrail(call *ast.CallExpr) bool {
	f, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return false
	}

	from, ok := f.X.(*ast.Ident)

	return ok && from.Name == "trail" && (f.Sel.Name == "Audit" || f.Sel.Name == "Event")
}

// sources returns every Go file under internal that is no test.
func sources(t *testing.T) []*ast.File {
	t.Helper()

	var files []*ast.File
	err := filepath.WalkDir(root+"/internal", func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}

		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		files = append(files, file)

		return err
	})
	require.NoError(t, err)

	return files
}

// keptTable compares the table under head with rows. The last column is what the page has, as is what stands around
// the table.
func keptTable(t *testing.T, name string, head []string, rows [][]string) {
	t.Helper()

	raw, err := os.ReadFile(filepath.Join(reference, name))
	require.NoError(t, err)
	first := "| " + strings.Join(head, " | ") + " |\n"
	require.Contains(t, string(raw), first, "docs/reference/%s has lost its table", name)
	before, after, kept := takeTable(string(raw), first)
	b := &strings.Builder{}
	b.WriteString(before)
	b.WriteString(first + strings.Repeat("|---", len(head)) + "|\n")

	for _, row := range rows {
		advice := kept[row[0]]
		if advice == "" {
			t.Errorf("docs/reference/%s says nothing about what to do with %s", name, row[0])
		}

		fmt.Fprintf(b, "| %s | %s | %s |\n", row[0], strings.ReplaceAll(row[1], "|", "\\|"), advice)
	}

	b.WriteString(after)

	compare(t, name, b.String())
}

// takeTable cuts a table out of a page, and returns the last cell of each row by the first.
func takeTable(page, head string) (before, after string, kept map[string]string) {
	kept = map[string]string{}

	before, rest, _ := strings.Cut(page, head)
	for _, line := range strings.SplitAfter(rest, "\n") {
		if !strings.HasPrefix(line, "|") {
			break
		}

		rest = strings.TrimPrefix(rest, line)
		cells := strings.Split(strings.Trim(line, "|\n"), " | ")
		kept[strings.TrimSpace(cells[0])] = strings.TrimSpace(cells[len(cells)-1])
	}

	return before, rest, kept
}

// compare holds a page against what it should be, or writes it with -update.
func compare(t *testing.T, name, want string) {
	t.Helper()

	path := filepath.Join(reference, name)
	if *update {
		require.NoError(t, os.WriteFile(path, []byte(want), 0o644))
		return
	}

	got, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, want, string(got), "docs/reference/%s is stale: make generate writes it anew", name)
}
