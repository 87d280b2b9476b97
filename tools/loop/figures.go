package main

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"
)

// figuresPage has the table of the loop at its end. `make bench` writes what stands before it anew.
const figuresPage = "docs/benchmarks.md"

// rowsKept is how many rows the table has at most.
const rowsKept = 10

// columns are the figures by the names in which keep takes them, with their heads.
var columns = []struct{ name, head string }{
	{"demo-cold", "demo, cold"},
	{"check-cold", "check, cold"},
	{"check-warm", "check, warm"},
	{"test", "make test"},
	{"generate", "generate, warm"},
}

const loopHead = "\n## The loop\n"

const loopText = `
How long a developer waits, in seconds by the clock; ` + "`scripts/timings loop`" + ` measures a row and keeps the last ten.
The yardstick is of the same run: what compiling ` + "`encoding/json`" + ` and all that it needs into an empty cache takes of the
processor. Cold is with empty caches of the compiler and the linters, warm a second run without a change. ` + "`make test`" + `
is after a change of ` + "`internal/directory/receiver`" + `.

`

// keepFigures takes the yardstick and adds a row to the table of the loop.
//
//	loop keep demo-cold=410 test=38     seconds; what is not named is not known
func keepFigures(arguments []string) error {
	figures := map[string]float64{}

	for _, a := range arguments {
		name, text, _ := strings.Cut(a, "=")

		seconds, err := strconv.ParseFloat(text, 64)
		if err != nil ||
			!slices.ContainsFunc(columns, func(c struct{ name, head string }) bool { return c.name == name }) {
			return fmt.Errorf("%q is no figure of the loop with its seconds", a)
		}

		figures[name] = seconds
	}

	took, err := takeYardstick()
	if err != nil {
		return err
	}

	page, err := os.ReadFile(figuresPage)
	if err != nil {
		return err
	}

	row := newRow(time.Now(), took, figures)
	fmt.Print(row)

	return os.WriteFile(figuresPage, []byte(withRow(string(page), row)), 0o644)
}

// newRow returns a row of the table.
func newRow(at time.Time, yardstick time.Duration, figures map[string]float64) string {
	row := fmt.Sprintf(
		"| %s | %d | %.1f |",
		at.UTC().Format("2 January 2006 15:04"),
		runtime.NumCPU(),
		yardstick.Seconds(),
	)

	for _, c := range columns {
		if seconds, ok := figures[c.name]; ok {
			row += fmt.Sprintf(" %.0f |", seconds)
		} else {
			row += " - |"
		}
	}

	return row + "\n"
}

// withRow returns the page with one row more, and without those that are too many.
func withRow(page, row string) string {
	before, section, _ := strings.Cut(page, loopHead)

	var rows []string
	for line := range strings.Lines(section) {
		if strings.HasPrefix(line, "| ") && !strings.HasPrefix(line, "| date ") {
			rows = append(rows, line)
		}
	}

	rows = append(rows, row)
	rows = rows[max(0, len(rows)-rowsKept):]

	head := "| date | cores | yardstick |"
	line := "|---|---|---|"

	for _, c := range columns {
		head += " " + c.head + " |"
		line += "---|"
	}

	return before + loopHead + loopText + head + "\n" + line + "\n" + strings.Join(rows, "")
}
