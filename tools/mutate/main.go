// Command mutate breaks packages at each of their places, one at a time, and tells which faults no test sees.
//
//	tools/mutate --package ./internal/payments/ledger --tests ./internal/payments/ledger --tests ./internal/payments/settlement
//
// All mutants are compiled into one test binary at once (go test -overlay; nothing in the tree changes), and the one
// whose number is in an environment variable is on. A first run notes which test reaches which mutant, so that each
// mutant is tried by the tests that reach it, the quick ones first, until one fails. A mutant that no test reaches is
// alive. One that makes a test hang is dead.
//
// Read in this order: main.go, points.go (what is a mutant), run.go (the tests), mutant/ (what is compiled in).
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/signal"
	"slices"
	"strings"
	"time"
)

// many is a flag that may be given more than once.
type many []string

// String returns what was given.
func (m *many) String() string { return strings.Join(*m, ",") }

// Set takes another one.
func (m *many) Set(s string) error {
	*m = append(*m, s)
	return nil
}

// options are the flags.
type options struct {
	root   string
	pkgs   many
	tests  many
	sample int
	seed   uint64
	grace  time.Duration
	only   string
	after  string
	folder string
	out    string
}

func main() {
	var o options

	flag.StringVar(&o.root, "root", ".", "the folder of the module")
	flag.Var(&o.pkgs, "package", "a package that is broken; may be given more than once")
	flag.Var(&o.tests, "tests", "a package whose tests try it; may be given more than once")
	flag.IntVar(&o.sample, "sample", 0, "try so many mutants of each package, drawn by chance; 0: all")
	flag.Uint64Var(&o.seed, "seed", 1, "of the draw")
	flag.DurationVar(&o.grace, "grace", 20*time.Second, "how much longer than three times as usual tests may take")
	flag.StringVar(&o.only, "run", "^(Test|Example|Fuzz)", "the tests that try it, as a regular expression")
	flag.StringVar(&o.after, "after", "", "the results of an earlier run: try what was alive again, in place of a draw")
	flag.StringVar(&o.folder, "folder", "", "keep there which test reaches what, for runs of the same binaries")
	flag.StringVar(&o.out, "out", "", "a file for the results as JSON")
	flag.Parse()

	if len(o.pkgs) == 0 || len(o.tests) == 0 || flag.NArg() > 0 {
		flag.Usage()
		os.Exit(64)
	}

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()

	if err := run(ctx, o); err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(1)
	}
}

// result is what became of a mutant.
type result struct {
	point

	Tests int    // that reach it
	By    string // the tests of which one failed; "" if the mutant is alive
}

func run(ctx context.Context, o options) error {
	folder := o.folder

	if folder == "" {
		made, err := os.MkdirTemp("", "mutate-")
		if err != nil {
			return err
		}

		defer func() { _ = os.RemoveAll(made) }()

		folder = made
	}

	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}

	earlier, err := read(o.after)
	if err != nil {
		return err
	}

	points, binaries, err := build(ctx, o, folder)
	if err != nil {
		return err
	}

	tests, err := reach(ctx, binaries, folder, o.only)
	if err != nil {
		return err
	}

	var results []result

	for _, pkg := range distinct(points) {
		tried, err := tryAll(ctx, o, pkg, points, earlier, tests)
		if err != nil {
			return err
		}

		results = append(results, tried...)
	}

	if o.out == "" {
		return nil
	}

	text, err := json.MarshalIndent(results, "", "  ")
	if err != nil {
		return err
	}

	return os.WriteFile(o.out, text, 0o644)
}

// distinct returns the packages of the mutants, each once.
func distinct(points []point) (pkgs []string) {
	for _, p := range points {
		if !slices.Contains(pkgs, p.Package) {
			pkgs = append(pkgs, p.Package)
		}
	}

	return pkgs
}

// read returns the results of an earlier run, none without a file.
func read(file string) (earlier []result, err error) {
	if file == "" {
		return nil, nil
	}

	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}

	return earlier, json.Unmarshal(text, &earlier)
}

// tryAll tries the mutants of one package, or those that are drawn, or those that an earlier run has left alive. What
// was dead stays so, since tests are only ever added between two runs.
func tryAll(
	ctx context.Context,
	o options,
	pkg string,
	points []point,
	earlier []result,
	tests []test,
) (results []result, err error) {
	all := slices.DeleteFunc(slices.Clone(points), func(p point) bool { return p.Package != pkg })

	if o.after == "" {
		for _, p := range draw(o, all) {
			results = append(results, result{point: p})
		}
	} else {
		results = again(pkg, all, earlier)
	}

	dead := 0

	for i, r := range results {
		if r.By == "" {
			if r, err = try(ctx, o, r.point, tests); err != nil {
				return nil, err
			}

			results[i] = r
		}

		if r.By != "" {
			dead++
		} else {
			fmt.Printf(
				"alive %s %s:%d:%d  %s  (%d tests reach it)  %s\n",
				pkg,
				r.File,
				r.Line,
				r.Column,
				r.Change,
				r.Tests,
				r.Source,
			)
		}

		if i%25 == 24 {
			fmt.Printf("… %s: %d of %d tried, %d dead\n", pkg, i+1, len(results), dead)
		}
	}

	fmt.Printf("%s: %d of %d mutants tried, %d dead, %.1f %%\n",
		pkg, len(results), len(all), dead, 100*float64(dead)/float64(max(1, len(results))))

	return results, nil
}

// draw returns as many mutants as are asked for, by chance, in their order.
func draw(o options, all []point) []point {
	if o.sample == 0 || o.sample >= len(all) {
		return all
	}

	drawn := slices.Clone(all)
	rand.New(
		rand.NewPCG(o.seed, o.seed),
	).Shuffle(
		len(drawn),
		func(i, j int) { drawn[i], drawn[j] = drawn[j], drawn[i] },
	)
	drawn = drawn[:o.sample]
	slices.SortFunc(drawn, func(a, b point) int { return a.Number - b.Number })

	return drawn
}

// again returns the results of an earlier run at the places where the mutants are now. It leaves out, and prints, those
// whose line has gone.
func again(pkg string, all []point, earlier []result) (results []result) {
	for _, r := range earlier {
		if r.Package != pkg {
			continue
		}

		i := slices.IndexFunc(all, func(p point) bool {
			return p.File == r.File && p.Source == r.Source && p.Change == r.Change && p.Nth == r.Nth
		})
		if i < 0 {
			fmt.Printf("gone %s %s:%d  %s  %s\n", pkg, r.File, r.Line, r.Change, r.Source)
			continue
		}

		r.point = all[i]
		results = append(results, r)
	}

	return results
}
