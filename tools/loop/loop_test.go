package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// stream is what go test -json says of a package that passes, one that fails in an order of its own, one that does not
// compile and one whose result is of an earlier run.
const stream = `{"Action":"start","Package":"slipway/internal/a"}
{"Action":"output","Package":"slipway/internal/a","Output":"-test.shuffle 42\n"}
{"Action":"run","Package":"slipway/internal/a","Test":"TestGood"}
{"Action":"output","Package":"slipway/internal/a","Test":"TestGood","Output":"=== RUN   TestGood\n"}
{"Action":"output","Package":"slipway/internal/a","Test":"TestGood/postgres","Output":"    x.go:1: waits: database 0.250 s\n"}
{"Action":"pass","Package":"slipway/internal/a","Test":"TestGood/postgres","Elapsed":0.9}
{"Action":"output","Package":"slipway/internal/a","Test":"TestGood","Output":"    x.go:1: waits: start of chain 0.500 s\n"}
{"Action":"pass","Package":"slipway/internal/a","Test":"TestGood","Elapsed":1}
{"Action":"output","Package":"slipway/internal/a","Test":"TestCorpus","Output":"    y.go:7: SLIPWAY_FIXTURES names no folder\n"}
{"Action":"skip","Package":"slipway/internal/a","Test":"TestCorpus","Elapsed":0}
{"Action":"output","Package":"slipway/internal/a","Output":"PASS\n"}
{"Action":"output","Package":"slipway/internal/a","Output":"loop: cost wall 2.500 processor 1.250\n"}
{"Action":"output","Package":"slipway/internal/a","Output":"ok  \tslipway/internal/a\t2.5s\n"}
{"Action":"pass","Package":"slipway/internal/a","Elapsed":2.5}
{"Action":"output","Package":"slipway/internal/b","Output":"-test.shuffle 7\n"}
{"Action":"output","Package":"slipway/internal/b","Test":"TestBad/postgres","Output":"    b_test.go:3: it broke \u003cagain\u003e\n"}
{"Action":"output","Package":"slipway/internal/b","Test":"TestBad/postgres","Output":"    x.go:1: waits: database 0.125 s\n"}
{"Action":"fail","Package":"slipway/internal/b","Test":"TestBad/postgres","Elapsed":0.1}
{"Action":"output","Package":"slipway/internal/b","Test":"TestBad","Output":"--- FAIL: TestBad (0.10s)\n"}
{"Action":"fail","Package":"slipway/internal/b","Test":"TestBad","Elapsed":0.1}
{"Action":"output","Package":"slipway/internal/b","Test":"TestHangs","Output":"panic: test timed out\n"}
{"Action":"output","Package":"slipway/internal/b","Output":"FAIL\tslipway/internal/b\t0.2s\n"}
{"Action":"fail","Package":"slipway/internal/b","Elapsed":0.2}
{"ImportPath":"slipway/internal/c","Action":"build-output","Output":"c/c.go:3:1: syntax error\n"}
{"Action":"output","Package":"slipway/internal/c","Output":"FAIL\tslipway/internal/c [build failed]\n"}
{"Action":"fail","Package":"slipway/internal/c","Elapsed":0,"FailedBuild":"slipway/internal/c"}
{"Action":"output","Package":"slipway/internal/d","Output":"loop: cost wall 60.000 processor 1.000\n"}
{"Action":"output","Package":"slipway/internal/d","Output":"ok  \tslipway/internal/d\t(cached)\n"}
{"Action":"pass","Package":"slipway/internal/d","Elapsed":0}
go: a line of the go command itself
`

func readStream(t *testing.T) (shown, skipped string, r results) {
	t.Helper()

	var out, skips bytes.Buffer

	p := &printer{
		out:     &out,
		results: results{},
		skips:   &skips,
		said:    map[string]string{},
		running: map[string]time.Time{},
	}
	if err := p.read(strings.NewReader(stream)); err != nil {
		t.Fatal(err)
	}

	return out.String(), skips.String(), p.results
}

// What a test that passes says stays unsaid, and so does what is meant for these books.
func TestLogPrintsWhatGoTestWould(t *testing.T) {
	shown, skipped, _ := readStream(t)

	want := "ok  \tslipway/internal/a\t2.5s\n" +
		"    b_test.go:3: it broke <again>\n--- FAIL: TestBad (0.10s)\n" +
		"FAIL\tslipway/internal/b\t0.2s\npanic: test timed out\n" +
		"c/c.go:3:1: syntax error\nFAIL\tslipway/internal/c [build failed]\n" +
		"ok  \tslipway/internal/d\t(cached)\n" +
		"go: a line of the go command itself\n"
	if shown != want {
		t.Errorf("shown:\n%s\nwant:\n%s", shown, want)
	}

	if skipped != "SLIPWAY_FIXTURES names no folder\n" {
		t.Errorf("skipped: %q", skipped)
	}
}

func TestEachFailureHasACommandThatShowsItAlone(t *testing.T) {
	_, _, r := readStream(t)

	want := []string{
		"A=1 go test -run '^$' ./internal/c",
		"A=1 scripts/with-postgres go test -shuffle=7 -run '^(TestBad|TestHangs)$' ./internal/b",
	}
	if got := r.alone("A=1"); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestTimesSayWhatWasWaitedFor(t *testing.T) {
	_, _, r := readStream(t)

	var out bytes.Buffer
	r.table(&out, 1)

	lines := strings.Split(out.String(), "\n")
	for _, want := range []string{
		"60.0 1.0 0.0 0.0 59.0 ./internal/d (cached)",
		"2.5 1.2 0.2 0.5 0.5 ./internal/a",
		"1.00 0.25 0.50 0.25 TestGood ./internal/a",
	} {
		if !slices.ContainsFunc(lines, func(l string) bool { return strings.Join(strings.Fields(l), " ") == want }) {
			t.Errorf("there is no line %q in\n%s", want, &out)
		}
	}
}

// What came from the cache was not waited for.
func TestBriefTimesAreOfThisRun(t *testing.T) {
	_, _, r := readStream(t)
	steps := filepath.Join(t.TempDir(), "steps")

	if err := os.WriteFile(steps, []byte("5\tlint\n70\tgo test\n"), 0o600); err != nil {
		t.Fatal(err)
	}

	var out bytes.Buffer
	if err := r.brief(&out, steps); err != nil {
		t.Fatal(err)
	}

	text := out.String()
	if !strings.HasPrefix(text, "  step     70 s  go test\n  step     5 s   lint\n") ||
		strings.Contains(text, "internal/d") ||
		!strings.Contains(text, "TestGood of ./internal/a") {
		t.Error(text)
	}
}

func TestCostIsReadBehindAnUnfinishedLine(t *testing.T) {
	c, before, ok := parseCost("dots..." + cost{12.5, 3.25}.String() + "\n")
	if !ok || before != "dots..." || c != (cost{12.5, 3.25}) {
		t.Errorf("%v %q %v", c, before, ok)
	}

	if _, _, ok := parseCost("loop: cost of living\n"); ok {
		t.Error("this is no such line")
	}
}

// go test keeps the result of a test that has run within loop run, and what that has said. It runs again when a file
// that it reads has changed, or when it fails.
func TestResultsOfMeasuredTestsAreKept(t *testing.T) {
	dir := t.TempDir()
	loop := filepath.Join(dir, "loop")

	if _, err := os.ReadFile("run.go"); err != nil { // the test's own result does not outlive a change of it
		t.Fatal(err)
	}

	if out, err := exec.Command("go", "build", "-o", loop, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}

	write := func(name, text string) {
		t.Helper()

		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}

		old := time.Unix(1_000_000_000, 0) // go test keeps nothing of a test that has read a file of this moment
		if err := os.Chtimes(path, old, old); err != nil {
			t.Fatal(err)
		}
	}

	test := func() (string, error) {
		cmd := exec.Command("go", "test", "-v", "-exec", loop+" run", "./...")
		cmd.Dir = dir

		cmd.Env = append(os.Environ(), "GOFLAGS=", shuffleVariable+"=42")
		out, err := cmd.CombinedOutput()

		return string(out), err
	}

	write("go.mod", "module x\n\ngo 1.26\n")
	write("x_test.go", `package x

import (
	"os"
	"testing"
)

func TestX(t *testing.T) {
	if text, _ := os.ReadFile("data.txt"); string(text) != "good" {
		t.Fatal("bad")
	}
}
`)

	for _, step := range []struct {
		data   string
		cached bool
		fails  bool
	}{
		{data: "good"},
		{data: "good", cached: true},
		{data: "bad", fails: true},
		{data: "bad", fails: true},
	} {
		write("data.txt", step.data)

		out, err := test()
		if (err != nil) != step.fails || strings.Contains(out, "(cached)") != step.cached ||
			!strings.Contains(out, costMark) || !strings.Contains(out, "-test.shuffle 42") {
			t.Errorf("%+v: %v\n%s", step, err, out)
		}
	}
}

func TestBuildIsSummedByModule(t *testing.T) {
	of := map[string]string{"x/a": "x", "x/b": "x", "slipway/internal/y": "Slipway itself"}
	cmd := []string{"compile"}
	second := time.Second

	got := sumByModule([]action{
		{"build", "x/a", cmd, second, second},
		{"build", "x/b", cmd, second, 0},
		{"build", "slipway/internal/y", cmd, second, 0},
		{"build", "slipway/internal/y", nil, 9 * second, 0}, // was in the cache
		{"link", "slipway/internal/y", cmd, 2 * second, 0},
	}, of)

	want := []spent{{"x", 2, 3 * second}, {"linking", 1, 2 * second}, {"Slipway itself", 1, second}}
	if !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestTableOfTheLoopKeepsItsLastRows(t *testing.T) {
	page := "# Benchmarks\n\n| date | what |\n"

	for i := range rowsKept + 3 {
		at := time.Date(2026, 11, 1, 0, i, 0, 0, time.UTC)
		page = withRow(page, newRow(at, 9*time.Second, map[string]float64{"test": float64(i)}))
	}

	rows := strings.Count(page, "\n| 1 November 2026")
	if rows != rowsKept || !strings.HasPrefix(page, "# Benchmarks\n\n| date | what |\n\n## The loop\n") ||
		!strings.Contains(page, "00:12 | ") || strings.Contains(page, "00:02 | ") ||
		!strings.HasSuffix(page, "| 9.0 | - | - | - | 12 | - |\n") {
		t.Errorf("%d rows:\n%s", rows, page)
	}
}

// program returns a tree: app imports payable, which imports receiver, which imports db.
func program(t *testing.T) tree {
	t.Helper()

	dir := t.TempDir()
	for name, text := range map[string]string{
		"receiver_list_test.go": "func TestAllAreListed(t *testing.T) {}",
		"fiat_test.go":          "func TestFiat(t *testing.T) {}\nfunc TestReceiverInEuro(t *testing.T) {}",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}

	all := map[string]pkg{}
	for name, imports := range map[string][]string{
		"slipway/internal/platform/db":        nil,
		"slipway/internal/directory/receiver": {"slipway/internal/platform/db"},
		"slipway/internal/directory/payee":    {"slipway/internal/directory/receiver"},
		"slipway/internal/payments/payable":   {"slipway/internal/directory/receiver"},
		"slipway/internal/payments/ledger":    {"slipway/internal/platform/db"},
		"slipway/internal/app":                {"slipway/internal/payments/payable"},
		"slipway/internal/docs":               nil,
	} {
		all[name] = pkg{ImportPath: name, Dir: dir, Imports: imports, TestGoFiles: []string{"x_test.go"}}
	}

	app := all[journeys]
	app.XTestGoFiles = []string{"receiver_list_test.go", "fiat_test.go"}
	all[journeys] = app

	docs := all["slipway/internal/docs"]
	docs.XTestImports = []string{journeys}
	all["slipway/internal/docs"] = docs

	return tree{all: all}
}

func TestNearRunsWhatHasChangedAndItsImporters(t *testing.T) {
	receiver := "slipway/internal/directory/receiver"
	payee := "slipway/internal/directory/payee"
	payable := "slipway/internal/payments/payable"
	docs := "slipway/internal/docs"

	for _, test := range []struct {
		name     string
		files    []string
		times    results
		run      []string
		journeys []string
		left     []string
		unread   []string
	}{
		{
			name:     "a package in the middle",
			files:    []string{"internal/directory/receiver/store.go"},
			run:      []string{receiver, payee, payable},
			journeys: []string{"TestAllAreListed", "TestReceiverInEuro"},
			left:     []string{journeys, docs},
		},
		{
			name:     "its tests alone",
			files:    []string{"internal/directory/receiver/store_test.go", "internal/directory/receiver/testdata/x.txt"},
			run:      []string{receiver},
			journeys: []string{"TestAllAreListed", "TestReceiverInEuro"},
		},
		{
			name:     "importers that take too long",
			files:    []string{"internal/directory/receiver/store.go"},
			times:    results{payee: {cost: cost{wall: 70}}},
			run:      []string{receiver, payee},
			journeys: []string{"TestAllAreListed", "TestReceiverInEuro"},
			left:     []string{journeys, docs, payable},
		},
		{
			name:     "a journey",
			files:    []string{"internal/app/fiat_test.go"},
			journeys: []string{"TestFiat", "TestReceiverInEuro"},
			left:     []string{journeys},
		},
		{
			name:   "a page and a script",
			files:  []string{"docs/README.md", "scripts/x"},
			run:    []string{docs},
			unread: []string{"scripts/x"},
		},
	} {
		p := program(t).plan(test.files, test.times)

		for what, both := range map[string][2][]string{
			"run":      {p.run, test.run},
			"journeys": {p.journeys, test.journeys},
			"left":     {p.left, test.left},
			"unread":   {p.unread, test.unread},
		} {
			if !slices.Equal(both[0], both[1]) {
				t.Errorf("%s: %s is %q, want %q", test.name, what, both[0], both[1])
			}
		}
	}
}

func TestNearSaysWhatItLeavesOut(t *testing.T) {
	p := program(t).plan([]string{"internal/platform/db/tx.go", "bench/main.go"}, nil)

	var out bytes.Buffer
	p.say(&out, "main")
	p.sayLeft(&out)

	for _, want := range []string{"7 of 7 packages", "./internal/app", "make test-all"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is not in\n%s", want, &out)
		}
	}

	if got := fmt.Sprint(p.commands()[1]); got != "[go -C bench test -timeout 5m ./...]" {
		t.Error(got)
	}
}

func TestPackagesThatATagReachesAreFound(t *testing.T) {
	usual := program(t)
	tagged := program(t)

	payee := tagged.all["slipway/internal/directory/payee"]
	payee.XTestGoFiles = []string{"more_test.go"}
	tagged.all[payee.ImportPath] = payee

	payable := tagged.all["slipway/internal/payments/payable"]
	payable.GoFiles = []string{"without.go"}
	tagged.all[payable.ImportPath] = payable

	want := []string{journeys, payee.ImportPath, "slipway/internal/docs", payable.ImportPath}
	if got := tagged.differing(usual); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
