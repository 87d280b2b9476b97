package main

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"
)

// quiet is after how long without a line log says what still runs.
const quiet = 30 * time.Second

// printer prints what go test itself would: the closing line of each package, and all of a test that failed.
type printer struct {
	out     io.Writer
	results results
	skips   io.Writer         // a line for each test that was skipped for want of a corpus
	said    map[string]string // by package and test, until the test ends
	running map[string]time.Time
}

// logTests reads go test -json on standard input and prints it; what it reads goes into a file, too. It ends with the
// commands that show each failure alone, and with status 1 if there is one.
//
//	go test -json … | loop log [--keep FILE] [--skips FILE] [--before 'VARIABLE=value'] [--flags '-tags x']
func logTests(arguments []string) error {
	flags := flag.NewFlagSet("log", flag.ContinueOnError)
	keep := flags.String("keep", os.DevNull, "file for what is read")
	skips := flags.String("skips", os.DevNull, "file for a line for each test that was skipped for want of a corpus")
	before := flags.String("before", "", "what stands before go test in commands that repeat a failure")

	if err := flags.Parse(arguments); err != nil {
		return exitCode(64)
	}

	kept, err := os.Create(*keep)
	if err != nil {
		return err
	}
	defer kept.Close()

	skipped, err := os.Create(*skips)
	if err != nil {
		return err
	}
	defer skipped.Close()

	p := &printer{
		out:     os.Stdout,
		results: results{},
		skips:   skipped,
		said:    map[string]string{},
		running: map[string]time.Time{},
	}
	copied := bufio.NewWriter(kept)

	if err := p.read(io.TeeReader(os.Stdin, copied)); err != nil {
		return err
	}

	if err := errors.Join(copied.Flush(), kept.Close(), skipped.Close()); err != nil {
		return err
	}

	shown := p.results.alone(*before)
	if len(shown) == 0 {
		return nil
	}

	fmt.Fprintf(p.out, "\nshown alone by:\n  %s\n", strings.Join(shown, "\n  "))

	return exitCode(1)
}

// read prints a stream until it ends. When nothing was printed for a while, it says what still runs.
func (p *printer) read(from io.Reader) error {
	type line struct {
		event event
		text  string
	}

	lines := make(chan line, 64)

	var err error

	go func() {
		defer close(lines)

		err = eachEvent(from, func(e event) { lines <- line{event: e} }, func(s string) { lines <- line{text: s} })
	}()

	tick := time.NewTicker(quiet)
	defer tick.Stop()

	for {
		select {
		case l, more := <-lines:
			if !more {
				return err
			}

			said := l.text
			if said == "" {
				said = p.print(l.event)
			}

			if said != "" {
				fmt.Fprint(p.out, said)
				tick.Reset(quiet)
			}

		case now := <-tick.C:
			fmt.Fprint(p.out, p.progress(now))
		}
	}
}

// print returns what is shown of an event.
func (p *printer) print(e event) string {
	hidden := p.results.add(e)
	key := e.Package + " " + e.Test

	switch e.Action {
	case "start":
		p.running[e.Package] = time.Now()

	case "build-output":
		return e.Output

	case "output":
		switch {
		case hidden || waitLine.MatchString(strings.TrimSuffix(e.Output, "\n")) || e.Output == "PASS\n" || strings.HasPrefix(e.Output, "coverage: "):
			return ""
		case e.Test == "":
			return e.Output
		case !strings.HasPrefix(e.Output, "=== "):
			p.said[key] += e.Output
		}

	case "pass", "fail", "skip":
		return p.ended(e, key)
	}

	return ""
}

// ended returns what is shown of a test or a package that has ended.
func (p *printer) ended(e event, key string) string {
	said := p.said[key]
	delete(p.said, key)

	if e.Action == "skip" && strings.Contains(said, "SLIPWAY_FIXTURES") {
		fmt.Fprintln(p.skips, reason(said))
	}

	if e.Test == "" {
		delete(p.running, e.Package)
	}

	if e.Action != "fail" {
		return ""
	}

	if e.Test == "" { // what was left unsaid by tests that did not end
		for k, text := range p.said {
			if strings.HasPrefix(k, key) {
				said += text

				delete(p.said, k)
			}
		}
	}

	return said
}

// place matches where in the source a test has said something.
var place = regexp.MustCompile(`^ *[^ ]+\.go:[0-9]+: *`)

// reason returns the first line of what a test has said, without its place.
func reason(said string) string {
	first, _, _ := strings.Cut(said, "\n")
	return place.ReplaceAllString(first, "")
}

// progress returns a line about what runs.
func (p *printer) progress(now time.Time) string {
	var all []string
	for name, began := range p.running {
		ended := 0
		for _, t := range p.results[name].tests {
			if t.result != "" {
				ended++
			}
		}

		all = append(all, fmt.Sprintf("%s %s (%d tests ended)", folder(name), now.Sub(began).Round(time.Second), ended))
	}

	if len(all) == 0 {
		return "... packages are being compiled\n"
	}

	slices.Sort(all)

	return "... " + strings.Join(all, ", ") + "\n"
}

// alone returns a command for each package that failed, which shows its failure alone.
func (r results) alone(before string) []string {
	if before != "" {
		before += " "
	}

	var out []string
	for _, p := range r {
		if p.failed {
			out = append(out, before+p.alone())
		}
	}

	slices.Sort(out)

	return out
}

// alone returns the command that shows the package's failure. Tests keep the order in which they have failed. What
// fails beside a PostgreSQL server needs one.
func (p *packageResult) alone() string {
	if !p.built {
		return "go test -run '^$' " + folder(p.name)
	}

	var names []string

	command := "go test"

	for _, t := range p.tests {
		if t.result != "fail" && (t.result != "" || t.name == "") {
			continue
		}

		names = append(names, t.name)

		if slices.ContainsFunc(t.failed, func(s string) bool { return strings.Contains(s, "/postgres") }) {
			command = "scripts/with-postgres go test"
		}
	}

	slices.Sort(names)

	if p.seed != "" {
		command += " -shuffle=" + p.seed
	}

	switch len(names) {
	case 0:
	case 1:
		command += " -run '^" + names[0] + "$'"
	default:
		command += " -run '^(" + strings.Join(names, "|") + ")$'"
	}

	return command + " " + folder(p.name)
}

// folder returns how a package is named on a command line at the root of the repository.
func folder(importPath string) string {
	_, rest, ours := strings.Cut(importPath, "slipway/")
	if !ours {
		return importPath
	}

	return "./" + rest
}
