package internal

import (
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
)

// modulesPage says of each module what it saves.
const modulesPage = "docs/adr/0001-dependencies.md"

// TestEveryModuleSaysWhatItSaves compares the modules that go.mod requires directly with those of the page, and with
// what the code imports.
func TestEveryModuleSaysWhatItSaves(t *testing.T) {
	required := slices.Collect(maps.Keys(requiredModules(t, "../go.mod", false)))
	listed := listedModules(t)

	for _, m := range required {
		if !slices.Contains(listed, m) {
			t.Errorf("go.mod requires %s, and %s does not say what it saves", m, modulesPage)
		}
	}

	for _, m := range listed {
		if !slices.Contains(required, m) {
			t.Errorf("%s lists %s, which go.mod does not require directly", modulesPage, m)
		}
	}

	for _, s := range load(t, "..") {
		for _, p := range s.imports {
			of := func(m string) bool { return under(p, m, "") }

			first, _, _ := strings.Cut(p, "/")
			if strings.Contains(first, ".") && !slices.ContainsFunc(required, of) {
				t.Errorf("%s imports %s, whose module go.mod does not require directly: run go mod tidy", s.path, p)
			}
		}
	}
}

// TestBenchmarkMeasuresTheVersionsOfTheProgram compares the two files by the versions of all modules: what the
// benchmark measures is what the program links.
func TestBenchmarkMeasuresTheVersionsOfTheProgram(t *testing.T) {
	program := requiredModules(t, "../go.mod", true)

	for m, version := range requiredModules(t, "../"+benchmark+"/go.mod", true) {
		if m != "slipway" && program[m] != version {
			t.Errorf("%s/go.mod requires %s %s, and go.mod %q: copy the line", benchmark, m, version, program[m])
		}
	}
}

// requiredModules returns the versions of the modules that a go.mod requires: for our own code, or also those that
// modules require for themselves.
func requiredModules(t *testing.T, file string, indirect bool) map[string]string {
	t.Helper()

	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}

	out := map[string]string{}

	inside := false
	for _, line := range strings.Split(string(text), "\n") {
		line, comment, _ := strings.Cut(line, " // ")
		words := strings.Fields(line)

		switch {
		case line == "require (":
			inside = true
		case line == ")":
			inside = false
		case inside && len(words) == 2 && (indirect || comment == ""):
			out[words[0]] = words[1]
		}
	}

	if len(out) < 10 {
		t.Fatalf("only %d modules were read from %s", len(out), file)
	}

	return out
}

// listedModules returns the modules of the page's tables. A row without an explanation is none.
func listedModules(t *testing.T) []string {
	t.Helper()

	text, err := os.ReadFile("../" + modulesPage)
	if err != nil {
		t.Fatal(err)
	}

	var out []string
	for _, line := range strings.Split(string(text), "\n") {
		cells := strings.Split(line, "|")
		if len(cells) == 4 && strings.ContainsAny(cells[1], ".-") && len(strings.TrimSpace(cells[2])) > 10 {
			out = append(out, strings.TrimSpace(cells[1]))
		}
	}

	return out
}
