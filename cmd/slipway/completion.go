package main

import (
	"fmt"
	"strings"

	"github.com/alecthomas/kong"

	"slipway/internal/app/cli"
	"slipway/internal/app/operations"
)

type completeCommand struct {
	Shell string   `arg:"" enum:"bash,zsh,fish,words" help:"bash, zsh or fish; words is what their scripts ask with."`
	Words []string `arg:"" optional:"" passthrough:"" help:"What was typed so far."`
}

// scripts ask this program for the words that may follow, so that they are never older than it.
var scripts = map[string]string{
	"bash": `_slipway() {
	COMPREPLY=($(compgen -W "$(slipway completion words "${COMP_WORDS[@]:1:COMP_CWORD-1}" 2>/dev/null)" -- "${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _slipway slipway
`,
	"zsh": `#compdef slipway
_slipway() {
	compadd -- ${(f)"$(slipway completion words "${(@)words[2,CURRENT-1]}" 2>/dev/null)"}
}
compdef _slipway slipway
`,
	"fish": `complete -c slipway -a '(slipway completion words (commandline -opc)[2..-1] 2>/dev/null)'
`,
}

// Run prints a script, or the words that may follow others.
func (c completeCommand) Run(g *globals, app *kong.Kong) error {
	if script, ok := scripts[c.Shell]; ok {
		_, err := fmt.Fprint(g.out, script)
		return err
	}

	return lines(g.out, following(app.Model.Node, c.Words))
}

// following returns what may come after the words of a command line.
func following(node *kong.Node, words []string) []string {
	for i, w := range words {
		if node.Name == "api" {
			return followingCall(words[i:])
		}

		next := node
		for _, child := range node.Children {
			if child.Name == w {
				next = child
			}
		}

		node = next
	}

	if node.Name == "api" {
		return operations.Resources()
	}

	var out []string

	for _, child := range node.Children {
		out = append(out, child.Name)
	}

	for _, f := range node.Flags {
		out = append(out, "--"+f.Name)
	}

	return out
}

// callFlags are the flags of every call.
const callFlags = "-o --columns --all --body --file --key --if-match --dry-run --yes --profile"

// followingCall returns what may come after the words of a call: verbs, then fields, or the values of a field.
func followingCall(words []string) []string {
	if len(words) == 1 {
		var out []string
		for _, o := range operations.Of(words[0]) {
			out = append(out, o.Verb)
		}

		return out
	}

	o, ok := operations.Find(words[0], words[1])
	if !ok {
		return nil
	}

	last := words[len(words)-1]
	if last == "-o" {
		return []string{"table", "json", "csv", "id"}
	}

	for _, f := range append(o.Queries[:len(o.Queries):len(o.Queries)], o.Body...) {
		if last == "--"+strings.TrimSuffix(f.Name, "[]") && len(f.Enum) > 0 {
			return f.Enum
		}
	}

	return append(cli.Names(o), strings.Fields(callFlags)...)
}
