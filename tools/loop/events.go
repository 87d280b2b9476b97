package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"os"
	"regexp"
	"strconv"
	"strings"
)

// event is one line of go test -json (go doc test2json).
type event struct {
	Action, Package, Test, ImportPath, Output, FailedBuild string
	Elapsed                                                float64 // seconds
}

// testResult is what became of a test, with its subtests.
type testResult struct {
	name    string
	result  string  // pass, fail or skip; empty: it has not ended
	elapsed float64 // seconds
	waits   map[string]float64
	failed  []string // names of subtests that failed
}

// packageResult is what became of the tests of one package.
type packageResult struct {
	name   string // import path
	failed bool
	built  bool // false: a build failed
	cached bool // what is said of it is of an earlier run
	cost   cost
	seed   string // of the order of its tests; empty: as they stand
	tests  map[string]*testResult
}

// waitLine matches what a test logs of what it has waited for; SLIPWAY_TEST_WAITS makes the helpers of tests do it.
var waitLine = regexp.MustCompile(`waits: (.+) ([0-9.]+) s$`)

// seedLine matches what a test binary says of the order of its tests.
var seedLine = regexp.MustCompile(`^-test\.shuffle ([0-9]+)\n$`)

// results are those of a run by import path.
type results map[string]*packageResult

// add notes what an event says. It reports whether the event is for these books alone, and not to be shown.
func (r results) add(e event) (hidden bool) {
	if e.Package == "" {
		return false
	}

	p := r[e.Package]
	if p == nil {
		p = &packageResult{name: e.Package, built: true, tests: map[string]*testResult{}}
		r[e.Package] = p
	}

	if e.Test != "" {
		p.addTest(e)
		return false
	}

	switch e.Action {
	case "pass", "skip", "fail":
		p.failed = e.Action == "fail"
		p.built = e.FailedBuild == ""

		if p.cost.wall == 0 {
			p.cost.wall = e.Elapsed
		}

	case "output":
		return p.addOutput(e.Output)
	}

	return false
}

// addOutput notes what a package says of itself.
func (p *packageResult) addOutput(line string) (hidden bool) {
	if c, before, ok := parseCost(line); ok {
		p.cost = c
		return strings.TrimSpace(before) == ""
	}

	if m := seedLine.FindStringSubmatch(line); m != nil {
		p.seed = m[1]
		return true
	}

	p.cached = p.cached || strings.HasSuffix(line, "\t(cached)\n")

	return false
}

// addTest notes an event of a test for the test and not for its subtests: theirs are added up.
func (p *packageResult) addTest(e event) {
	name, _, sub := strings.Cut(e.Test, "/")

	t := p.tests[name]
	if t == nil {
		t = &testResult{name: name, waits: map[string]float64{}}
		p.tests[name] = t
	}

	switch e.Action {
	case "output":
		if m := waitLine.FindStringSubmatch(strings.TrimRight(e.Output, "\n")); m != nil {
			seconds, _ := strconv.ParseFloat(m[2], 64)
			t.waits[m[1]] += seconds
		}

	case "pass", "fail", "skip":
		if sub && e.Action == "fail" {
			t.failed = append(t.failed, e.Test)
		}

		if !sub {
			t.result = e.Action
			t.elapsed = e.Elapsed
		}
	}
}

// eachEvent reads a stream of go test -json. Lines that are no events go to other: they are of the go command itself.
func eachEvent(from io.Reader, do func(e event), other func(line string)) error {
	lines := bufio.NewReader(from)

	for {
		line, err := lines.ReadString('\n')
		if line != "" {
			var e event
			if line[0] == '{' && json.Unmarshal([]byte(line), &e) == nil {
				do(e)
			} else {
				other(line)
			}
		}

		if errors.Is(err, io.EOF) {
			return nil
		}

		if err != nil {
			return err
		}
	}
}

// readResults reads what log has kept of a run.
func readResults(file string) (results, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()

	r := results{}

	return r, eachEvent(f, func(e event) { r.add(e) }, func(string) {})
}
