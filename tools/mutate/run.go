package main

import (
	"cmp"
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/tools/go/packages"
)

//go:embed mutant/mutant.go
var mutantSource []byte

// binary is the compiled tests of a package.
type binary struct {
	path   string
	folder string // in which its tests run
}

// test is one test of a binary.
type test struct {
	binary

	name string
	firstRun
}

// tries bounds how often lines whose mutants do not compile are left out.
const tries = 20

// build compiles the tests with all mutants of the packages.
func build(ctx context.Context, o options, folder string) ([]point, []binary, error) {
	mode := packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedSyntax |
		packages.NeedTypes | packages.NeedTypesInfo | packages.NeedImports

	found, err := packages.Load(&packages.Config{Context: ctx, Mode: mode, Dir: o.root}, o.pkgs...)
	if err != nil {
		return nil, nil, err
	}

	for _, pkg := range found {
		if len(pkg.Errors) > 0 {
			return nil, nil, fmt.Errorf("%s does not compile: %v", pkg.PkgPath, pkg.Errors)
		}
	}

	without := map[string]bool{}

	for range tries {
		points, binaries, err := compile(ctx, o, folder, found, without)
		if err == nil {
			return points, binaries, nil
		}

		var failed *exec.ExitError
		if !errors.As(err, &failed) {
			return nil, nil, err
		}

		before := len(without)

		for _, m := range regexp.MustCompile(`([\w.]+\.go):(\d+):\d+: `).FindAllStringSubmatch(err.Error(), -1) {
			without[m[1]+":"+m[2]] = true
		}

		if len(without) == before {
			return nil, nil, err
		}
	}

	return nil, nil, fmt.Errorf("it still does not compile after %d tries", tries)
}

// compile compiles the tests with the mutants of all lines but some.
func compile(
	ctx context.Context,
	o options,
	folder string,
	pkgs []*packages.Package,
	without map[string]bool,
) (points []point, binaries []binary, err error) {
	root, err := filepath.Abs(o.root)
	if err != nil {
		return nil, nil, err
	}

	points, list, err := write(root, folder, pkgs, without)
	if err != nil {
		return nil, nil, err
	}

	for i, tests := range o.tests {
		b := binary{path: filepath.Join(folder, fmt.Sprintf("tests%d", i)), folder: filepath.Join(root, tests)}

		c := exec.CommandContext(
			ctx,
			"go",
			"test",
			"-gcflags=-e",
			"-vet=off",
			"-c",
			"-overlay",
			list,
			"-o",
			b.path,
			tests,
		)
		c.Dir = root

		if out, err := c.CombinedOutput(); err != nil {
			return nil, nil, fmt.Errorf("compile the tests of %s: %w\n%s", tests, err, out)
		}

		binaries = append(binaries, b)
	}

	return points, binaries, nil
}

// write writes the files of some packages with their mutants into a folder, and the list by which the compiler takes
// them in place of the module's own (go help build, -overlay).
func write(
	root, folder string,
	pkgs []*packages.Package,
	without map[string]bool,
) (points []point, list string, err error) {
	m := &mutator{without: without}
	overlay := map[string]string{}

	place := func(of string, text []byte) error {
		path := filepath.Join(folder, strconv.Itoa(len(overlay))+".go")
		overlay[of] = path

		return os.WriteFile(path, text, 0o600)
	}

	if err := place(filepath.Join(root, "internal", "mutant", "mutant.go"), mutantSource); err != nil {
		return nil, "", err
	}

	for _, pkg := range pkgs {
		m.pkg = pkg

		for i, file := range pkg.Syntax {
			source, err := os.ReadFile(pkg.CompiledGoFiles[i])
			if err != nil {
				return nil, "", err
			}

			text := m.mutate(filepath.Base(pkg.CompiledGoFiles[i]), file, source)
			if text == nil {
				continue
			}

			if err := place(pkg.CompiledGoFiles[i], text); err != nil {
				return nil, "", err
			}
		}
	}

	text, err := json.Marshal(map[string]any{"Replace": overlay})
	if err != nil {
		return nil, "", err
	}

	list = filepath.Join(folder, "overlay.json")

	return m.points, list, os.WriteFile(list, text, 0o600)
}

// firstRun is what a test took and which mutants it reached without one, or that it failed.
type firstRun struct {
	Took    time.Duration
	Reaches []int
	Failed  bool
}

// reach runs each test whose name matches alone and notes which mutants it reaches. What the same binary has shown
// before, by a file in the folder, is not run again.
func reach(ctx context.Context, binaries []binary, folder, only string) (tests []test, err error) {
	file := filepath.Join(folder, "reach.json")
	runs := map[string]firstRun{}

	if text, err := os.ReadFile(file); err == nil {
		if err := json.Unmarshal(text, &runs); err != nil {
			return nil, err
		}
	}

	for _, b := range binaries {
		list := exec.CommandContext(ctx, b.path, "-test.list", only)
		list.Dir = b.folder

		out, err := list.Output()
		if err != nil {
			return nil, fmt.Errorf("list the tests of %s: %w", b.folder, err)
		}

		content, err := os.ReadFile(b.path)
		if err != nil {
			return nil, err
		}

		sum := sha256.Sum256(content)

		for _, name := range strings.Fields(string(out)) {
			key := hex.EncodeToString(sum[:]) + " " + name

			first, ok := runs[key]
			if !ok {
				if first, err = b.reach(ctx, name, folder); err != nil {
					return nil, err
				}

				runs[key] = first
			}

			if !first.Failed && len(first.Reaches) > 0 {
				tests = append(tests, test{binary: b, name: name, firstRun: first})
			}
		}

		text, err := json.Marshal(runs)
		if err != nil {
			return nil, err
		}

		if err := os.WriteFile(file, text, 0o600); err != nil {
			return nil, err
		}
	}

	slices.SortStableFunc(tests, func(a, b test) int { return cmp.Compare(a.Took, b.Took) })

	return tests, nil
}

// reach runs one test of a binary without a mutant.
func (b binary) reach(ctx context.Context, name, folder string) (first firstRun, err error) {
	reached := filepath.Join(folder, "reached")
	_ = os.Remove(reached)

	began := time.Now()

	ok, out, err := b.run(ctx, 10*time.Minute, []string{name}, "MUTANT_REACHED="+reached)
	if err != nil {
		return first, err
	}

	if !ok {
		fmt.Printf("left out: %s fails without a mutant\n%s\n", name, last(out))
		return firstRun{Failed: true}, nil
	}

	first.Took = time.Since(began)

	text, _ := os.ReadFile(reached) // absent where a test reaches none
	for _, line := range strings.Fields(string(text)) {
		n, err := strconv.Atoi(line)
		if err != nil {
			return first, fmt.Errorf("what %s reaches: %w", name, err)
		}

		first.Reaches = append(first.Reaches, n)
	}

	return first, nil
}

// last returns the end of what a program said.
func last(out []byte) []byte { return out[max(0, len(out)-2000):] }

// run runs some tests of the binary and reports whether they passed. Tests that hang have failed.
func (b binary) run(ctx context.Context, limit time.Duration, names []string, env ...string) (bool, []byte, error) {
	bounded, cancel := context.WithTimeout(ctx, limit)
	defer cancel()

	c := exec.CommandContext(bounded, b.path, "-test.failfast", "-test.run", "^("+strings.Join(names, "|")+")$")
	c.Dir = b.folder

	c.Env = append(os.Environ(), env...)
	c.WaitDelay = time.Second

	out, err := c.CombinedOutput()
	if ctx.Err() != nil {
		return false, out, ctx.Err()
	}

	var failed *exec.ExitError

	switch {
	case err == nil:
		return true, out, nil
	case errors.As(err, &failed) || bounded.Err() != nil || errors.Is(err, exec.ErrWaitDelay):
		return false, out, nil
	}

	return false, out, err
}

// firstBudget bounds what is run in one process before the result is looked at; the second process runs twice as much,
// and so on.
const firstBudget = time.Second

// try runs the tests that reach a mutant, the quick ones first, until one fails.
func try(ctx context.Context, o options, p point, tests []test) (result, error) {
	r := result{point: p}

	var left []test

	for _, t := range tests {
		if slices.Contains(t.Reaches, p.Number) {
			left = append(left, t)
		}
	}

	r.Tests = len(left)

	for budget := firstBudget; len(left) > 0; budget *= 2 {
		var (
			names []string
			sum   time.Duration
			rest  []test
		)

		first := left[0].binary

		for _, t := range left {
			if t.binary != first || len(names) > 0 && sum+t.Took > budget {
				rest = append(rest, t)
				continue
			}

			names = append(names, t.name)
			sum += t.Took
		}

		ok, _, err := first.run(ctx, 3*sum+o.grace, names, "MUTANT="+strconv.Itoa(p.Number))
		if err != nil {
			return r, err
		}

		if !ok {
			r.By = strings.Join(names, " ")
			return r, nil
		}

		left = rest
	}

	return r, nil
}
