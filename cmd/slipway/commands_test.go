//go:build !nosandbox

package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write docs/reference/commands.md anew")

// TestCommandsPageIsFresh compares docs/reference/commands.md with the command line.
func TestCommandsPageIsFresh(t *testing.T) {
	parser, err := kong.New(&commandLine{}, kong.Name("slipway"))
	require.NoError(t, err)

	b := &strings.Builder{}
	b.WriteString("# Commands\n\n<!-- Written by a test of cmd/slipway; `make generate` writes it anew. -->\n\n" +
		"This page lists every command of `slipway` with its flags. Every command takes `--config FILE` (`-c`): a " +
		"TOML file " +
		"with\n[settings](settings.md). `demo` and `dev` are left out of a production build.\n")

	for _, command := range parser.Model.Leaves(true) {
		describeCommand(b, command)
	}

	const page = "../../docs/reference/commands.md"
	if *update {
		require.NoError(t, os.WriteFile(page, []byte(b.String()), 0o644))
		return
	}

	got, err := os.ReadFile(page)
	require.NoError(t, err)
	require.Equal(t, b.String(), string(got), "docs/reference/commands.md is stale: make generate writes it anew")
}

func describeCommand(b *strings.Builder, command *kong.Node) {
	usage := "slipway " + command.Path()
	for _, p := range command.Positional {
		usage += " " + strings.ToUpper(p.Name)
	}

	fmt.Fprintf(b, "\n## %s\n\n%s\n\n```sh\n%s\n```\n", command.Path(), command.Help, usage)

	var rows []string
	for _, p := range command.Positional {
		rows = append(rows, row(strings.ToUpper(p.Name), p))
	}

	for _, f := range command.Flags {
		if f.Name == "help" {
			continue
		}

		rows = append(rows, row("--"+f.Name, f.Value))
	}

	if len(rows) > 0 {
		b.WriteString("\n| Argument | Default | Meaning |\n|---|---|---|\n" + strings.Join(rows, ""))
	}
}

func row(name string, v *kong.Value) string {
	value := "–"
	switch {
	case v.HasDefault && v.Default != "":
		value = "`" + v.Default + "`"
	case v.Required && v.Flag != nil && len(v.Flag.Xor) > 0:
		value = "one of these"
	case v.Required:
		value = "required"
	}

	return fmt.Sprintf("| `%s` | %s | %s |\n", name, value, strings.ReplaceAll(v.Help, "|", "\\|"))
}

// What pages write of this program: the words behind its name, in a line of a block of code, and in a sentence.
var (
	calls  = regexp.MustCompile(`(?m)(?:^ *|cmd/)slipway ((?:\\\n|[^\n|<>;&#])+)`)
	spoken = regexp.MustCompile("`slipway ([^`|<>]+)`")
)

// Every call of this program on a page names a command and flags that there are.
func TestCallsOnThePagesAreThoseOfTheProgram(t *testing.T) {
	parser, err := kong.New(&commandLine{}, kong.Name("slipway"))
	require.NoError(t, err)

	pages, err := filepath.Glob("../../docs/*/*.md")
	require.NoError(t, err)

	found := 0

	for _, page := range append(pages, "../../README.md") {
		raw, err := os.ReadFile(page)
		require.NoError(t, err)

		all := spoken.FindAllStringSubmatch(string(raw), -1)

		for _, block := range fenced.FindAllStringSubmatch(string(raw), -1) {
			if block[1] == "sh" {
				all = append(all, calls.FindAllStringSubmatch(block[2], -1)...)
			}
		}

		for _, call := range all {
			found++

			words := strings.Fields(strings.ReplaceAll(call[1], "\\\n", " "))
			require.NoError(t, isCall(parser.Model.Node, words), "%s: slipway %s", page, call[1])
		}
	}

	require.Greater(t, found, 100)
}

// started is how the packages start this program: a unit's line, and a container's list of words.
var started = regexp.MustCompile(`(?m)^(?:ExecStart=/usr/bin/slipway (.+)| +(?:args|command): \[(.+)\])$`)

// Every call of this program in the packages names a command and flags that there are.
func TestPackagesCallWhatThereIs(t *testing.T) {
	parser, err := kong.New(&commandLine{}, kong.Name("slipway"))
	require.NoError(t, err)

	for _, file := range []string{"systemd/slipway.service", "kubernetes/slipway.yaml", "compose/compose.yaml"} {
		raw, err := os.ReadFile("../../packages/" + file)
		require.NoError(t, err)

		all := started.FindAllStringSubmatch(string(raw), -1)
		require.NotEmpty(t, all, file)

		for _, call := range all {
			words := strings.Fields(strings.NewReplacer(",", " ", `"`, "").Replace(call[1] + call[2]))
			require.NoError(t, isCall(parser.Model.Node, words), "%s: %s", file, call[0])
		}
	}
}

// isCall reports what of a call is not in the program: a command below node, or a flag. What api takes is in the
// OpenAPI document.
func isCall(node *kong.Node, words []string) error {
	for i, word := range words {
		if name, ok := strings.CutPrefix(word, "--"); ok {
			name, _, _ = strings.Cut(name, "=")
			if !hasFlag(node, name) {
				return fmt.Errorf("%s has no flag %s", node.Path(), word)
			}

			continue
		}

		child := childOf(node, word)
		if child != nil {
			node = child
		}

		if node.Name == "api" {
			return nil
		}

		value := strings.HasPrefix(words[max(i-1, 0)], "-") // of a flag
		if child == nil && len(node.Children) > 0 && !value && !strings.HasPrefix(word, "-") {
			return fmt.Errorf("%s has no command %s", node.Path(), word)
		}
	}

	return nil
}

func childOf(node *kong.Node, name string) *kong.Node {
	for _, c := range node.Children {
		if c.Name == name {
			return c
		}
	}

	return nil
}

func hasFlag(node *kong.Node, name string) bool {
	if node.DefaultCmd != nil && hasFlag(node.DefaultCmd, name) {
		return true
	}

	for _, group := range node.AllFlags(false) {
		for _, f := range group {
			if f.Name == name {
				return true
			}
		}
	}

	return false
}
