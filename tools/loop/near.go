package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

const (
	// budget is how many seconds of tests near takes on besides those of what has changed itself.
	budget = 60

	// unknownCost is what a package counts whose time is not known from an earlier check.
	unknownCost = 10

	// journeys is the package of tests that go through the whole service. Of it those run that are named after what has
	// changed.
	journeys = "slipway/internal/app"
)

// far are folders whose tests go through the whole service or a browser: unless they have changed themselves, near
// leaves them out.
var far = []string{
	"slipway/cmd",
	"slipway/internal/app",
	"slipway/internal/demo",
	"slipway/internal/docs",
	"slipway/internal/pages",
}

// readers are packages whose tests read folders that no package is in.
var readers = []struct{ folder, by string }{
	{"docs/", "slipway/internal/docs"},
	{"contracts/", "slipway/internal/rails/chain/contract"},
	{"console/", "slipway/internal/pages/console"},
	{"clients/typescript/src/", "slipway/internal/pages/console"},
}

// pkg is a package of the program, as go list describes it.
type pkg struct {
	ImportPath   string
	Dir          string
	GoFiles      []string
	EmbedFiles   []string
	Imports      []string
	TestImports  []string
	XTestImports []string
	TestGoFiles  []string
	XTestGoFiles []string
}

func (p pkg) hasTests() bool { return len(p.TestGoFiles)+len(p.XTestGoFiles) > 0 }

// tree is the program's packages by import path.
type tree struct {
	root string
	all  map[string]pkg
}

// plan is what near runs and what it leaves out, as import paths.
type plan struct {
	changed  []string // packages in which something has changed
	run      []string
	journeys []string // names of tests
	left     []string // reached, and not run
	modules  []string // folders of other modules that have changed
	unread   []string // changed files that no test of the program is known to read
	reached  int      // packages with tests that see the change
	of       int      // packages with tests
}

// near runs the tests that are near to what has changed since a revision, on SQLite, and says what it leaves out.
//
//	loop near [--since REVISION] [--known FILE]     FILE: what log has kept of a run, for how long tests take
func near(arguments []string) error {
	flags := flag.NewFlagSet("near", flag.ContinueOnError)
	since := flags.String("since", "", "revision; empty: origin/main, or main")
	known := flags.String("known", "", "file that log has kept of a run")

	if err := flags.Parse(arguments); err != nil || flags.NArg() > 0 {
		return exitCode(64)
	}

	base, err := mergeBase(*since)
	if err != nil {
		return err
	}

	files, err := changedFiles(base)
	if err != nil {
		return err
	}

	if len(files) == 0 {
		fmt.Println("nothing has changed since " + base + "; every test: make test-all")
		return nil
	}

	t, err := readTree("")
	if err != nil {
		return err
	}

	times, _ := readResults(*known) // without it every package counts the same

	p := t.plan(files, times)
	p.say(os.Stdout, base)

	err = p.execute()
	p.sayLeft(os.Stdout)

	return err
}

// mergeBase returns the commit from which this branch and a revision went their own ways.
func mergeBase(since string) (string, error) {
	candidates := []string{"origin/main", "main"}
	if since != "" {
		candidates = []string{since}
	}

	for _, c := range candidates {
		if out, err := exec.Command("git", "merge-base", "HEAD", c).Output(); err == nil {
			short, err := exec.Command("git", "rev-parse", "--short", strings.TrimSpace(string(out))).Output()
			return strings.TrimSpace(string(short)), err
		}
	}

	return "", fmt.Errorf("there is no %s to compare with; --since names another revision",
		strings.Join(candidates, " and no "))
}

// changedFiles returns the files that differ from a commit, committed or not, by paths from the root.
func changedFiles(base string) ([]string, error) {
	var out []string
	for _, command := range [][]string{
		{"diff", "--name-only", "--no-renames", "--relative", base},
		{"ls-files", "--others", "--exclude-standard"},
	} {
		text, err := exec.Command("git", command...).Output()
		if err != nil {
			return nil, fmt.Errorf("git %s: %w", command[0], err)
		}

		out = append(out, strings.Fields(string(text))...)
	}

	slices.Sort(out)

	return slices.Compact(out), nil
}

// readTree asks for the packages of the program in a build with a tag, which may be empty.
func readTree(tag string) (tree, error) {
	t := tree{all: map[string]pkg{}}

	out, err := goList("-e", "-tags="+tag, "-json=ImportPath,Dir,GoFiles,EmbedFiles,Imports,TestImports,XTestImports,"+
		"TestGoFiles,XTestGoFiles", "./...")
	if err != nil {
		return t, err
	}

	if t.root, err = os.Getwd(); err != nil {
		return t, err
	}

	decoder := json.NewDecoder(bytes.NewReader(out))

	for {
		var p pkg

		err := decoder.Decode(&p)
		if errors.Is(err, io.EOF) {
			return t, nil
		}

		if err != nil {
			return t, err
		}

		t.all[p.ImportPath] = p
	}
}

// plan chooses. Packages that have changed always run. Those that import them follow while there is time for them,
// nearest first.
func (t tree) plan(files []string, times results) plan {
	var p plan

	sources := map[string]bool{} // changed in what others import
	changed := map[string]bool{} // changed at all

	for _, file := range files {
		t.place(file, &p, sources, changed)
	}

	reached := t.reached(sources, changed)
	maps.DeleteFunc(reached, func(name string, _ bool) bool { return !t.all[name].hasTests() })
	p.reached = len(reached)

	for _, one := range t.all {
		if one.hasTests() {
			p.of++
		}
	}

	p.changed = slices.Sorted(maps.Keys(changed))
	p.journeys = t.journeysOf(files, p.changed)

	seconds := 0.0

	for _, name := range t.byDistance(reached, p.changed) {
		importsIt := t.importsAny(name, sources)
		isFar := slices.ContainsFunc(far, func(f string) bool { return name == f || strings.HasPrefix(name, f+"/") })

		runs := changed[name] && name != journeys || importsIt && !isFar && seconds < budget
		if !runs {
			p.left = append(p.left, name)
			continue
		}

		p.run = append(p.run, name)

		if !changed[name] {
			seconds += costOf(name, times)
		}
	}

	return p
}

// place notes what a changed file belongs to.
func (t tree) place(file string, p *plan, sources, changed map[string]bool) {
	if file == "go.mod" || file == "go.sum" {
		for name := range t.all {
			sources[name] = true
		}

		return
	}

	for _, m := range []string{"bench", "clients/go", "tools/loop", "tools/manifests"} {
		if strings.HasPrefix(file, m+"/") && !slices.Contains(p.modules, m) {
			p.modules = append(p.modules, m)
		}
	}

	if name := t.owner(file); name != "" {
		changed[name] = true

		if !strings.HasSuffix(file, "_test.go") && !strings.Contains(file, "/testdata/") {
			sources[name] = true
		}

		return
	}

	if strings.HasPrefix(file, "clients/go/") {
		sources["slipway-client"] = true
	}

	for _, r := range readers {
		if strings.HasPrefix(file, r.folder) {
			changed[r.by] = true
			return
		}
	}

	if !slices.ContainsFunc(p.modules, func(m string) bool { return strings.HasPrefix(file, m+"/") }) {
		p.unread = append(p.unread, file)
	}
}

// owner returns the package in whose folder a file is, or the nearest above it: it embeds the file, or its tests read
// it.
func (t tree) owner(file string) string {
	for folder := path.Dir(file); folder != "."; folder = path.Dir(folder) {
		if _, ours := t.all["slipway/"+folder]; ours {
			return "slipway/" + folder
		}
	}

	return ""
}

// reached returns the packages whose tests can see a change: those that import what has changed, by however many
// others.
func (t tree) reached(sources, changed map[string]bool) map[string]bool {
	seen := maps.Clone(sources)

	for grown := true; grown; {
		grown = false

		for name, p := range t.all {
			if !seen[name] && slices.ContainsFunc(p.Imports, func(i string) bool { return seen[i] }) {
				seen[name] = true
				grown = true
			}
		}
	}

	out := maps.Clone(changed)

	for name := range t.all {
		if seen[name] || t.importsAny(name, seen) {
			out[name] = true
		}
	}

	return out
}

// importsAny reports whether a package or its tests import one of the packages themselves.
func (t tree) importsAny(name string, of map[string]bool) bool {
	p := t.all[name]
	is := func(i string) bool { return of[i] }

	return slices.ContainsFunc(p.Imports, is) || slices.ContainsFunc(p.TestImports, is) ||
		slices.ContainsFunc(p.XTestImports, is)
}

// byDistance sorts packages: those whose path has more in common with one that has changed go first.
func (t tree) byDistance(reached map[string]bool, changed []string) []string {
	common := func(name string) int {
		most := 0

		for _, c := range changed {
			n := 0
			for a, b := strings.Split(name, "/"), strings.Split(c, "/"); n < min(len(a), len(b)) && a[n] == b[n]; n++ {
			}

			most = max(most, n)
		}

		return most
	}

	return slices.SortedFunc(maps.Keys(reached), func(a, b string) int {
		return cmp.Or(cmp.Compare(common(b), common(a)), strings.Compare(a, b))
	})
}

// costOf returns how many seconds a package counts.
func costOf(name string, times results) float64 {
	if p := times[name]; p != nil && p.cost.wall > 0 {
		return p.cost.wall
	}

	return unknownCost
}

// testName matches the declaration of a test.
var testName = regexp.MustCompile(`(?m)^func (Test\w+)\(t \*testing\.T\)`)

// nouns are the folders of what the business speaks of: tests of the whole service are named after them.
var nouns = []string{"slipway/internal/identity/", "slipway/internal/directory/", "slipway/internal/payments/"}

// journeysOf returns the tests of the whole service in files that have changed, and those that are named after a noun
// or a file that has: of receiver, all of receivers_test.go and TestReceiversAreListed in any file.
func (t tree) journeysOf(files, changed []string) []string {
	inside := strings.TrimPrefix(journeys, "slipway/") + "/"
	words := []string{}

	for _, name := range changed {
		isNoun := slices.ContainsFunc(nouns, func(f string) bool { return strings.HasPrefix(name, f) })
		if isNoun && !strings.HasSuffix(name, "test") {
			words = append(words, path.Base(name))
		}
	}

	for _, file := range files {
		if name, ok := strings.CutPrefix(file, inside); ok && !strings.Contains(name, "/") {
			stem := strings.TrimSuffix(strings.TrimSuffix(name, ".go"), "_test")
			words = append(words, strings.TrimSuffix(stem, "s"))
		}
	}

	var out []string

	p := t.all[journeys]
	for _, file := range append(slices.Clone(p.TestGoFiles), p.XTestGoFiles...) {
		text, err := os.ReadFile(filepath.Join(p.Dir, file))
		if err != nil {
			continue // it was removed: there is nothing to run
		}

		whole := slices.ContainsFunc(words, func(w string) bool { return strings.HasPrefix(file, w) })

		for _, m := range testName.FindAllSubmatch(text, -1) {
			name := string(m[1])
			isNamed := func(w string) bool { return strings.Contains(strings.ToLower(name), w) }

			if whole || slices.ContainsFunc(words, isNamed) {
				out = append(out, name)
			}
		}
	}

	slices.Sort(out)

	return slices.Compact(out)
}

// commands returns the calls of go test.
func (p plan) commands() [][]string {
	var out [][]string

	if len(p.run) > 0 {
		all := make([]string, 0, len(p.run))
		for _, name := range p.run {
			all = append(all, folder(name))
		}

		out = append(out, append([]string{"go", "test", "-vet=off", "-timeout", "8m"}, all...))
	}

	if len(p.journeys) > 0 {
		run := "^(" + strings.Join(p.journeys, "|") + ")$"
		out = append(out, []string{"go", "test", "-vet=off", "-timeout", "8m", "-run", run, folder(journeys)})
	}

	for _, m := range p.modules {
		out = append(out, []string{"go", "-C", m, "test", "-timeout", "5m", "./..."})
	}

	return out
}

// execute runs the commands on SQLite, all of them, and returns the first error.
func (p plan) execute() error {
	var failed error
	for _, command := range p.commands() {
		cmd := exec.Command(command[0], command[1:]...)

		cmd.Env = append(os.Environ(), "SLIPWAY_TEST_POSTGRES=")
		cmd.Stdout = os.Stdout
		cmd.Stderr = os.Stderr

		if err := cmd.Run(); err != nil {
			failed = cmp.Or(failed, error(exitCode(1)))
		}
	}

	return failed
}

// say prints what has changed and what runs.
func (p plan) say(to io.Writer, base string) {
	fmt.Fprintf(to, "changed since %s:%s\n", base, names(p.changed))

	fmt.Fprintf(
		to,
		"it reaches the tests of %d of %d packages; near to it, and run on SQLite: %d packages, and %d tests of the "+
			"whole service\n",
		p.reached,
		p.of,
		len(p.run),
		len(p.journeys),
	)
}

// sayLeft prints what was not run, and the commands that run it.
func (p plan) sayLeft(to io.Writer) {
	if len(p.unread) > 0 {
		fmt.Fprintf(to, "no test here is known to read %s\n", strings.Join(p.unread, ", "))
	}

	if len(p.left) == 0 {
		fmt.Fprintln(to, "nothing was left out on SQLite; on both databases: make check")
		return
	}

	fmt.Fprintf(to, "left out: %d packages that the change reaches:%s\n", len(p.left), names(p.left))

	if slices.Contains(p.left, journeys) && len(p.journeys) > 0 {
		fmt.Fprintln(to, "(of ./internal/app the tests above have run)")
	}

	fmt.Fprintln(to, "they run with: make test-all; on both databases: make check")
}

// names returns packages as folders, a few of many.
func names(all []string) string {
	const most = 12

	var out strings.Builder
	for i, name := range all {
		if i == most {
			fmt.Fprintf(&out, " and %d more", len(all)-most)
			break
		}

		out.WriteString(" " + folder(name))
	}

	return out.String()
}
