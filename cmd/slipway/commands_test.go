//go:build !nosandbox

package main

import (
	"flag"
	"fmt"
	"os"
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
