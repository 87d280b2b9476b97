package main

import (
	"bufio"
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
)

// startOf begins what tests say they have waited for when they have started something.
const startOf = "start of "

// How many lines the end of a check has of each.
const (
	briefSteps    = 3
	briefPackages = 4
	briefTests    = 3
)

const explanation = `
wall       from the start of the package's test binary to its end, beside others
processor  of that binary and of the processes that it has waited for, on all cores
database   what PostgreSQL has spent on the tests' statements, and making and dropping their databases
starts     of chains, browsers, servers and other processes
rest       of a test: elapsed without database and starts: its own work, polls, and waiting for a processor
idle       of a package: wall without all others; 0 where its tests ran side by side

Lines of (cached) packages are of the run that their result is of.
`

// timeTests prints where the time of a run has gone, from what log has kept of it.
//
//	loop tests [--top N] FILE
//	loop tests --steps STEPS FILE     the dearest lines alone; STEPS has a line for each step: seconds, a tab, its name
func timeTests(arguments []string) error {
	flags := flag.NewFlagSet("tests", flag.ContinueOnError)
	top := flags.Int("top", 50, "how many tests")
	steps := flags.String("steps", "", "file of a check's steps: prints the dearest lines alone")

	if err := flags.Parse(arguments); err != nil || flags.NArg() != 1 {
		return exitCode(64)
	}

	r, err := readResults(flags.Arg(0))
	if err != nil && !(*steps != "" && errors.Is(err, fs.ErrNotExist)) {
		return err
	}

	if *steps != "" {
		return r.brief(os.Stdout, *steps)
	}

	r.table(os.Stdout, *top)
	fmt.Print(explanation)

	return nil
}

// dearest returns the packages, dearest first.
func (r results) dearest() []*packageResult {
	var out []*packageResult
	for _, p := range r {
		out = append(out, p)
	}

	slices.SortFunc(out, func(a, b *packageResult) int {
		return cmp.Or(cmp.Compare(b.cost.wall, a.cost.wall), strings.Compare(a.name, b.name))
	})

	return out
}

// slow is a test of a package.
type slow struct {
	*testResult
	of *packageResult
}

// slowest returns the tests, slowest first. With fresh, those whose result came from the cache are left out.
func (r results) slowest(fresh bool) []slow {
	var out []slow
	for _, p := range r {
		for _, t := range p.tests {
			if !fresh || !p.cached {
				out = append(out, slow{t, p})
			}
		}
	}

	slices.SortFunc(out, func(a, b slow) int {
		return cmp.Or(cmp.Compare(b.elapsed, a.elapsed), strings.Compare(a.name, b.name))
	})

	return out
}

// waited returns what a test has waited for databases, and for the start of others.
func (t *testResult) waited() (database, starts float64) {
	for what, seconds := range t.waits {
		if strings.HasPrefix(what, startOf) {
			starts += seconds
		} else {
			database += seconds
		}
	}

	return database, starts
}

// waited is that of all tests.
func (p *packageResult) waited() (database, starts float64) {
	for _, t := range p.tests {
		d, s := t.waited()
		database += d
		starts += s
	}

	return database, starts
}

// table prints all packages and the slowest tests.
func (r results) table(to io.Writer, top int) {
	out := tabwriter.NewWriter(to, 0, 0, 2, ' ', tabwriter.AlignRight)
	defer out.Flush()

	fmt.Fprint(out, "wall\tprocessor\tdatabase\tstarts\tidle\t package\n")

	var all, processor float64
	for _, p := range r.dearest() {
		database, starts := p.waited()
		idle := max(0, p.cost.wall-p.cost.processor-database-starts)
		all += p.cost.wall
		processor += p.cost.processor
		fmt.Fprintf(out, "%.1f\t%.1f\t%.1f\t%.1f\t%.1f\t %s%s\n",
			p.cost.wall, p.cost.processor, database, starts, idle, folder(p.name), p.mark())
	}

	fmt.Fprintf(out, "%.1f\t%.1f\t\t\t\t all\n", all, processor)
	fmt.Fprint(out, "\t\t\t\t\t \nelapsed\tdatabase\tstarts\trest\t\t test\n")

	for i, t := range r.slowest(false) {
		if i == top {
			break
		}

		database, starts := t.waited()
		rest := max(0, t.elapsed-database-starts)
		fmt.Fprintf(out, "%.2f\t%.2f\t%.2f\t%.2f\t\t %s %s%s\n",
			t.elapsed, database, starts, rest, t.name, folder(t.of.name), t.of.mark())
	}
}

// mark says whether what is said of the package is of an earlier run.
func (p *packageResult) mark() string {
	if p.cached {
		return " (cached)"
	}

	return ""
}

// brief prints the dearest steps of a check, and of its packages and tests those that have run.
func (r results) brief(to io.Writer, file string) error {
	steps, err := readSteps(file)
	if err != nil {
		return err
	}

	out := tabwriter.NewWriter(to, 0, 0, 2, ' ', 0)

	for i, s := range steps {
		if i == briefSteps {
			break
		}

		fmt.Fprintf(out, "  step\t%.0f s\t%s\n", s.seconds, s.name)
	}

	packages := slices.DeleteFunc(r.dearest(), func(p *packageResult) bool { return p.cached })
	for i, p := range packages {
		if i == briefPackages {
			break
		}

		fmt.Fprintf(out, "  package\t%.0f s\t%s, %.0f s of it processor\n",
			p.cost.wall, folder(p.name), p.cost.processor)
	}

	for i, t := range r.slowest(true) {
		if i == briefTests {
			break
		}

		fmt.Fprintf(out, "  test\t%.0f s\t%s of %s\n", t.elapsed, t.name, folder(t.of.name))
	}

	return out.Flush()
}

// step is one of a check.
type step struct {
	name    string
	seconds float64
}

// readSteps reads a check's steps, longest first.
func readSteps(file string) ([]step, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()

	var out []step

	lines := bufio.NewScanner(f)
	for lines.Scan() {
		seconds, name, _ := strings.Cut(lines.Text(), "\t")

		n, err := strconv.ParseFloat(seconds, 64)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}

		out = append(out, step{name, n})
	}

	slices.SortStableFunc(out, func(a, b step) int { return cmp.Compare(b.seconds, a.seconds) })

	return out, lines.Err()
}
