// Command loop serves the scripts of the developer's loop: it runs test binaries and measures them, prints what go test
// says, finds the packages that a change reaches, and tells where the time goes. It needs nothing but Go.
//
// Read in this order: main.go, run.go (around one test binary), events.go (what go test -json says), log.go (what of it
// is printed, and how a failure is shown alone), tests.go and build.go (where the time goes), near.go (what a change
// reaches), differs.go (what a build tag changes), figures.go (the loop's own figures in docs/benchmarks.md).
package main

import (
	"errors"
	"fmt"
	"os"
)

// exitCode is the error of a command that has said already what is wrong.
type exitCode int

// Error returns the code in words.
func (c exitCode) Error() string { return fmt.Sprintf("exit status %d", int(c)) }

// commands are what the scripts call.
var commands = map[string]func(arguments []string) error{
	"run":       runBinary,
	"log":       logTests,
	"tests":     timeTests,
	"build":     timeBuild,
	"near":      near,
	"differs":   printDiffering,
	"yardstick": printYardstick,
	"keep":      keepFigures,
}

func main() {
	if len(os.Args) < 2 || commands[os.Args[1]] == nil {
		fmt.Fprintln(os.Stderr, "loop: scripts call this program; scripts/timings and make test say how")
		os.Exit(64)
	}

	err := commands[os.Args[1]](os.Args[2:])

	var code exitCode
	if errors.As(err, &code) {
		os.Exit(int(code))
	}

	if err != nil {
		fmt.Fprintf(os.Stderr, "loop %s: %v\n", os.Args[1], err)
		os.Exit(1)
	}
}
