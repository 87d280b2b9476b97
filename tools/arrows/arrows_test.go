package main

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"golang.org/x/tools/go/packages"
)

// An arrow leads to the file that declares what is used; one to a file that is read before runs back up, and so does
// one of a file that the comment does not name.
func TestArrowsRunBackUp(t *testing.T) {
	folder := t.TempDir()

	for name, text := range map[string]string{
		"go.mod":   "module x\n\ngo 1.26\n",
		"top.go":   "// Package x is read from top.go to low.go.\npackage x\n\nfunc top() { low() }\n",
		"low.go":   "package x\n\nfunc low() { _ = top }\n",
		"other.go": "package x\n\nfunc other() { low() }\n",
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}

	loaded, err := packages.Load(&packages.Config{Dir: folder, Mode: needed}, ".")
	if err != nil || packages.PrintErrors(loaded) > 0 {
		t.Fatal(err)
	}

	arrows := arrowsOf(loaded[0])
	order, missing := readingOrder(loaded[0])

	if len(arrows) != 3 || !slices.Equal(order, []string{"top.go", "low.go"}) ||
		!slices.Equal(missing, []string{"other.go"}) {
		t.Fatal(arrows, order, missing)
	}

	if up := backUp(order, arrows); !slices.Equal(up, []arrow{{"low.go", "top.go"}, {"other.go", "low.go"}}) {
		t.Fatal(up)
	}

	if up := backUp(fewest(append(order, missing...), arrows), arrows); len(up) != 1 {
		t.Fatal("a circle of two has one", up)
	}
}
