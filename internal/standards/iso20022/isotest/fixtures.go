// Package isotest contains what tests of bank messages share: the corpus of real files, if available, and the official
// schemas.
//
// Read fixtures.go (the corpus), schema.go, then mutants.go (valid messages with one fault each).
package isotest

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Folder returns a folder of the corpus (SLIPWAY_FIXTURES/iso20022). It skips the test if there is none.
func Folder(t testing.TB) string {
	t.Helper()

	dir := os.Getenv("SLIPWAY_FIXTURES")
	if dir == "" {
		dir = filepath.Join(root(t), "..", "shared", "fixtures")
	}

	dir = filepath.Join(dir, "iso20022")
	if _, err := os.Stat(dir); err != nil {
		t.Skip("the shared fixtures are not on this machine (SLIPWAY_FIXTURES)")
	}

	return dir
}

// root returns the folder of go.mod, above the package under test.
func root(t testing.TB) string {
	t.Helper()

	dir, err := os.Getwd()
	for err == nil {
		if _, missing := os.Stat(filepath.Join(dir, "go.mod")); missing == nil {
			return dir
		}

		if dir == filepath.Dir(dir) {
			break
		}

		dir = filepath.Dir(dir)
	}

	t.Skip("the module's root is not above this package")

	return ""
}

// Expected reads a part of the corpus' expected contents, by file.
func Expected[T any](t testing.TB, part string) map[string]T {
	t.Helper()

	raw, err := os.ReadFile(filepath.Join(Folder(t), "expected_parsed.json"))
	if err != nil {
		t.Fatal(err)
	}

	var (
		parts map[string]json.RawMessage
		out   map[string]T
	)

	if err := json.Unmarshal(raw, &parts); err != nil {
		t.Fatal(err)
	}

	if err := json.Unmarshal(parts[part], &out); err != nil {
		t.Fatal(err)
	}

	return out
}

// Verdict is a line of the corpus' list: the message of a file, and whether it is valid by its schema.
type Verdict struct{ File, Message, Result string }

// Verdicts reads the list of all files.
func Verdicts(t testing.TB) []Verdict {
	t.Helper()

	f, err := os.Open(filepath.Join(Folder(t), "VALIDITY.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()

	var out []Verdict
	for s := bufio.NewScanner(f); s.Scan(); {
		if c := strings.Split(s.Text(), "\t"); len(c) > 2 && c[0] != "file" {
			out = append(out, Verdict{c[0], c[1], c[2]})
		}
	}

	return out
}

// Open opens a file of the corpus.
func Open(t testing.TB, name string) *os.File {
	t.Helper()

	f, err := os.Open(filepath.Join(Folder(t), filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}

	t.Cleanup(func() { f.Close() })

	return f
}
