package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// files are a module whose tests see some faults and not others.
var files = map[string]string{
	"go.mod": "module slipway\n\ngo 1.26.0\n",
	"fee/fee.go": `package fee

type Amount struct{ Units int }

func (a Amount) Add(b Amount) Amount { return Amount{a.Units + b.Units} }

func (a Amount) Sub(b Amount) Amount { return Amount{a.Units - b.Units} }

// Of is what an amount costs.
func Of(a Amount) (out Amount) {
	if a.Units > 100 {
		out = Amount{1}
	}

	return a.
		Sub(out)
}

// Total is never tested.
func Total(a, b Amount) Amount { return a.Add(b) }

func Waits(n int) (rounds int) {
	for n > 0 {
		n--
		rounds++
	}

	return rounds
}
`,
	"fee/fee_test.go": `package fee

import "testing"

func TestOf(t *testing.T) {
	if got := Of(Amount{200}); got.Units != 199 {
		t.Fatal(got)
	}

	if got := Of(Amount{50}); got.Units != 50 {
		t.Fatal(got)
	}
}

func TestWaits(t *testing.T) {
	if Waits(3) != 3 {
		t.Fatal()
	}
}
`,
}

func TestFaultsThatNoTestSeesAreAlive(t *testing.T) {
	root := t.TempDir()
	out := filepath.Join(root, "results.json")

	for name, text := range files {
		path := filepath.Join(root, name)
		check(t, os.MkdirAll(filepath.Dir(path), 0o700))
		check(t, os.WriteFile(path, []byte(text), 0o600))
	}

	o := options{
		root:  root,
		pkgs:  many{"./fee"},
		tests: many{"./fee"},
		only:  "^Test",
		out:   out,
		grace: 3 * time.Second,
	}
	check(t, run(t.Context(), o))

	alive, dead := split(t, out)

	same(t, alive, []string{
		"func (a Amount) Add(b Amount) Amount { return Amount{a.Units + b.Units} }: + to -",
		"if a.Units > 100 {: > to >=",
		"func Total(a, b Amount) Amount { return a.Add(b) }: Add to Sub",
	})
	same(t, dead, []string{
		"func (a Amount) Sub(b Amount) Amount { return Amount{a.Units - b.Units} }: - to +",
		"if a.Units > 100 {: > to <=",
		"out = Amount{1}: left out",
		"Sub(out): Sub to Add",
		"for n > 0 {: > to >=",
		"for n > 0 {: > to <=",
		"n--: -- to ++",
		"rounds++: ++ to --",
	})

	// A test is added and a line goes; only what was alive is tried again, by that test alone.
	fee := strings.Replace(files["fee/fee.go"], "\t\tn--\n", "", 1)
	fee = strings.Replace(fee, "package fee\n", "package fee\n\n// One more line.\n", 1)
	check(t, os.WriteFile(filepath.Join(root, "fee/fee.go"), []byte(fee), 0o600))
	check(t, os.WriteFile(filepath.Join(root, "fee/more_test.go"), []byte(more), 0o600))

	o.only = "^TestTotal"
	o.after = out
	check(t, run(t.Context(), o))

	again, stays := split(t, out)
	same(t, again, []string{"if a.Units > 100 {: > to >="})
	same(t, stays, []string{
		"func (a Amount) Add(b Amount) Amount { return Amount{a.Units + b.Units} }: + to -",
		"func (a Amount) Sub(b Amount) Amount { return Amount{a.Units - b.Units} }: - to +",
		"if a.Units > 100 {: > to <=",
		"out = Amount{1}: left out",
		"Sub(out): Sub to Add",
		"func Total(a, b Amount) Amount { return a.Add(b) }: Add to Sub",
		"for n > 0 {: > to >=",
		"for n > 0 {: > to <=",
		"rounds++: ++ to --",
	})
}

const more = `package fee

import "testing"

func TestTotal(t *testing.T) {
	if Total(Amount{1}, Amount{2}) != (Amount{3}) {
		t.Fatal()
	}
}
`

// split returns which mutants of a file of results are alive and which are dead.
func split(t *testing.T, file string) (alive, dead []string) {
	t.Helper()

	results, err := read(file)
	check(t, err)

	for _, r := range results {
		said := r.Source + ": " + r.Change
		if r.By == "" {
			alive = append(alive, said)
		} else {
			dead = append(dead, said)
		}
	}

	return alive, dead
}

func same(t *testing.T, got, want []string) {
	t.Helper()

	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func check(t *testing.T, err error) {
	t.Helper()

	if err != nil {
		t.Fatal(err)
	}
}
