// Package wordstest finds texts of pages that are not in the catalogue.
package wordstest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/words"
)

// Rule is where the Go files of a package hold texts for people.
type Rule struct {
	Fields []string       // of composite literals: "Label", or "line.Name" for those of one type
	Sets   []string       // fields that are assigned
	Calls  map[string]int // functions, with the index of the first argument that is a text
}

// Code requires that every text in the Go files of the current folder is in the catalogue.
func Code(t *testing.T, r Rule) {
	t.Helper()

	in := words.Must().Wished("")
	notTest := func(i fs.FileInfo) bool { return !strings.HasSuffix(i.Name(), "_test.go") }

	//nolint:staticcheck // one folder without build tags
	packages, err := parser.ParseDir(token.NewFileSet(), ".", notTest, 0)
	require.NoError(t, err)

	found := 0

	check := func(e ast.Expr) {
		text, ok := constant(e)
		if !ok || text == "" {
			return
		}

		found++

		if !in.Knows(text) {
			t.Errorf("the catalogue has no %q", text)
		}
	}

	for _, p := range packages {
		ast.Inspect(p, func(n ast.Node) bool {
			switch x := n.(type) {
			case *ast.CompositeLit:
				r.literal(x, nameOf(x.Type), check)
			case *ast.AssignStmt:
				for i, to := range x.Lhs {
					if i < len(x.Rhs) && slices.Contains(r.Sets, nameOf(to)) {
						check(x.Rhs[i])
					}
				}
			case *ast.CallExpr:
				if first, ok := r.Calls[nameOf(x.Fun)]; ok && first < len(x.Args) {
					for _, a := range x.Args[first:] {
						check(a)
					}
				}
			}

			return true
		})
	}

	require.NotZero(t, found, "texts of this package")
}

// literal checks the fields of a literal of a type, and of the items that leave their type out.
func (r Rule) literal(x *ast.CompositeLit, of string, check func(ast.Expr)) {
	for _, e := range x.Elts {
		if item, ok := e.(*ast.CompositeLit); ok && item.Type == nil {
			r.literal(item, of, check)
		}

		kv, ok := e.(*ast.KeyValueExpr)
		if !ok {
			continue
		}

		key := nameOf(kv.Key)
		if slices.Contains(r.Fields, key) || slices.Contains(r.Fields, of+"."+key) {
			check(kv.Value)

			if list, ok := kv.Value.(*ast.CompositeLit); ok {
				for _, item := range list.Elts {
					check(item)
				}
			}
		}
	}
}

func nameOf(e ast.Expr) string {
	switch x := e.(type) {
	case *ast.Ident:
		return x.Name
	case *ast.SelectorExpr:
		return x.Sel.Name
	case *ast.ArrayType:
		return nameOf(x.Elt)
	}

	return ""
}

// constant returns the text of a literal, or of several that are joined.
func constant(e ast.Expr) (string, bool) {
	switch x := e.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(x.Value)
		return text, err == nil && x.Kind == token.STRING

	case *ast.BinaryExpr:
		a, first := constant(x.X)
		b, second := constant(x.Y)

		return a + b, first && second
	}

	return "", false
}

var (
	action    = regexp.MustCompile(`\{\{.*?\}\}`)
	key       = regexp.MustCompile(`\bt "((?:[^"\\]|\\.)*)"`)
	tag       = regexp.MustCompile(`(?s)<[^>]*>`)
	attribute = regexp.MustCompile(`[a-z-]+="[^"]*"`)
	spoken    = regexp.MustCompile(`(?:aria-label|alt|title|placeholder|content)="([^"]*)"`)
	letter    = regexp.MustCompile(`\pL`)
)

// Template requires that a template says nothing but by the catalogue. allowed are the words that are the same in every
// language.
func Template(t *testing.T, file string, allowed ...string) {
	t.Helper()

	in := words.Must().Wished("")

	raw, err := os.ReadFile(file)
	require.NoError(t, err)

	text := string(raw)
	for _, m := range key.FindAllStringSubmatch(text, -1) {
		if !in.Knows(m[1]) {
			t.Errorf("the catalogue has no %q, which %s says", m[1], file)
		}
	}

	bare := action.ReplaceAllString(text, "")

	var said []string
	for _, m := range spoken.FindAllStringSubmatch(bare, -1) {
		said = append(said, m[1])
	}

	outside := attribute.ReplaceAllString(tag.ReplaceAllString(bare, "\n"), "") // of a part that stands within a tag
	said = append(said, strings.Split(outside, "\n")...)

	for _, s := range said {
		for _, a := range allowed {
			s = strings.ReplaceAll(s, a, "")
		}

		if letter.MatchString(s) {
			t.Errorf("%s says %q in English alone: use t", file, strings.TrimSpace(s))
		}
	}
}
