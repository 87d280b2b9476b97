package internal

import (
	"bufio"
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const (
	widest       = 120 // columns of a line, a tab counted as four
	tall         = 20  // lines of a body that has paragraphs
	manyFields   = 5   // fields of a literal that stand one a line
	wideShare    = 200 // of so many lines one may be wider: tables of tests, tags of fields
	packedAtMost = 10  // literals that share lines on purpose: points, matrices
)

var generatedFile = regexp.MustCompile(`(?m)^// Code generated .* DO NOT EDIT\.$`)

// layout collects where the tree departs from the layout that CONTRIBUTING.md describes. The formatters do most of
// it; what they cannot see is found here.
type layout struct {
	lines  int
	wide   int
	walls  []string
	packed []string
	joined []string
}

// TestCodeIsLaidOut holds every Go file that is not generated against the layout of the house.
func TestCodeIsLaidOut(t *testing.T) {
	var found layout

	err := filepath.WalkDir("..", func(name string, entry os.DirEntry, err error) error {
		switch {
		case err != nil:
			return err

		case entry.IsDir() && (entry.Name() == "node_modules" || entry.Name() == "testdata" || entry.Name() == ".git"):
			return filepath.SkipDir

		case entry.IsDir() || !strings.HasSuffix(name, ".go"):
			return nil
		}

		source, err := os.ReadFile(name)
		if err != nil || generatedFile.Match(source) {
			return err
		}

		return found.read(name, source)
	})
	if err != nil {
		t.Fatal(err)
	}

	if found.wide > found.lines/wideShare {
		t.Errorf("%d of %d lines are wider than %d columns", found.wide, found.lines, widest)
	}

	for _, place := range found.walls {
		t.Errorf("%s: more than %d lines without a paragraph", place, tall)
	}

	for _, place := range found.joined {
		t.Errorf("%s: three assignments in one", place)
	}

	if len(found.packed) > packedAtMost {
		t.Errorf("literals of %d fields or more that share lines:\n%s", manyFields, strings.Join(found.packed, "\n"))
	}
}

// read adds what one file departs in.
func (l *layout) read(name string, source []byte) error {
	files := token.NewFileSet()

	file, err := parser.ParseFile(files, name, source, parser.SkipObjectResolution)
	if err != nil {
		return err
	}

	blank := l.readLines(source)
	line := func(p token.Pos) int { return files.Position(p).Line }
	place := func(p token.Pos) string { return fmt.Sprintf("%s:%d", name, line(p)) }

	ast.Inspect(file, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.FuncDecl:
			if node.Body != nil && isWall(line(node.Pos()), line(node.Body.Rbrace), node.Body.List, blank) {
				l.walls = append(l.walls, place(node.Pos()))
			}

		case *ast.CompositeLit:
			if isPacked(node, line) {
				l.packed = append(l.packed, place(node.Pos()))
			}

		case *ast.AssignStmt:
			if len(node.Lhs) >= 3 && len(node.Rhs) == len(node.Lhs) && !isSwap(node) {
				l.joined = append(l.joined, place(node.Pos()))
			}
		}

		return true
	})

	return nil
}

// readLines counts a file's lines and returns which of them are blank, counted from 1.
func (l *layout) readLines(source []byte) map[int]bool {
	blank := map[int]bool{}
	lines := bufio.NewScanner(bytes.NewReader(source))
	lines.Buffer(nil, 1<<20)

	for number := 1; lines.Scan(); number++ {
		text := lines.Text()
		blank[number] = strings.TrimSpace(text) == ""
		l.lines++

		// An address cannot be broken, and neither can a raw string.
		broken := strings.Contains(text, "://") || strings.HasPrefix(strings.TrimSpace(text), "`")
		if columns := len([]rune(text)) + 3*strings.Count(text, "\t"); columns > widest && !broken {
			l.wide++
		}
	}

	return blank
}

// isWall reports whether a body of several statements is long and has no blank line.
func isWall(first, last int, body []ast.Stmt, blank map[int]bool) bool {
	if last-first <= tall || len(body) < 3 {
		return false
	}

	for number := first; number < last; number++ {
		if blank[number] {
			return false
		}
	}

	return true
}

// isPacked reports whether a literal of many named fields has two of them on one line.
func isPacked(literal *ast.CompositeLit, line func(token.Pos) int) bool {
	if len(literal.Elts) < manyFields {
		return false
	}

	taken := map[int]bool{}
	shared := false

	for _, field := range literal.Elts {
		if _, named := field.(*ast.KeyValueExpr); !named {
			return false
		}

		shared = shared || taken[line(field.Pos())]
		taken[line(field.Pos())] = true
	}

	return shared
}

// isSwap reports whether an assignment reads one of the variables that it sets.
func isSwap(assignment *ast.AssignStmt) bool {
	set := map[string]bool{}

	for _, left := range assignment.Lhs {
		if name, ok := left.(*ast.Ident); ok {
			set[name.Name] = true
		}
	}

	reads := false

	for _, right := range assignment.Rhs {
		ast.Inspect(right, func(node ast.Node) bool {
			name, ok := node.(*ast.Ident)
			reads = reads || ok && set[name.Name]

			return true
		})
	}

	return reads
}
