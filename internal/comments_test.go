package internal

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// fileName is how a comment names a file of its package.
var fileName = regexp.MustCompile(`\b[a-z0-9_]+\.go\b`)

// A reader begins with the package comment. Where a package has several files it names each of them, in the order in
// which they are read, and none that is not there.
func TestPackageCommentsNameTheirFiles(t *testing.T) {
	files := map[string][]string{}    // by folder
	comments := map[string][]string{} // by folder

	visit := func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") {
			return err
		}

		folder := filepath.Dir(path)
		files[folder] = append(files[folder], entry.Name())

		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.PackageClauseOnly|parser.ParseComments)
		if err == nil && file.Doc != nil {
			comments[folder] = append(comments[folder], file.Doc.Text())
		}

		return err
	}

	// The Go client is left out: its comment is for programs that use it.
	for _, root := range []string{".", "../cmd", "../bench", "../tools"} {
		require.NoError(t, filepath.WalkDir(root, visit))
	}

	var faults []string

	for folder, names := range files {
		named := fileName.FindAllString(strings.Join(comments[folder], "\n"), -1)
		isTest := func(name string) bool { return strings.HasSuffix(name, "_test.go") }
		sources := slices.DeleteFunc(slices.Clone(names), isTest)

		for _, n := range sources {
			if len(sources) > 1 && !slices.Contains(named, n) {
				faults = append(faults, folder+": its comment does not name "+n)
			}
		}

		for _, n := range named {
			if !slices.Contains(names, n) {
				faults = append(faults, folder+": its comment names "+n+", which is not there")
			}
		}
	}

	slices.Sort(faults)
	require.Empty(t, faults, strings.Join(faults, "\n"))
}
