//go:build !nosandbox

package matrix

import (
	"context"
	"flag"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/app"
	"slipway/internal/core/fault"
)

var update = flag.Bool("update", false, "write the OpenAPI document, the route list and the state diagrams anew")

// root is the module's folder.
const root = "../../.."

// TestDocumentsAreFresh compares the route list and the OpenAPI document with what this build gives.
func TestDocumentsAreFresh(t *testing.T) {
	routes, err := app.RouteList(context.Background())
	require.NoError(t, err)
	document, err := app.OpenAPI(context.Background())
	require.NoError(t, err)

	for name, want := range map[string]string{"reference/routes.txt": routes, "openapi.json": string(document)} {
		path := filepath.Join(root, "docs", name)
		if *update {
			require.NoError(t, os.WriteFile(path, []byte(want), 0o644))
			continue
		}

		got, err := os.ReadFile(path)
		require.NoError(t, err)

		if string(got) != want {
			t.Errorf("docs/%s is stale: go test ./internal/app/matrix -run TestDocumentsAreFresh -update", name)
		}
	}
}

// TestEveryCodeIsRegisteredAndUsed: a code that is nowhere given out, or that the document does not know, is a fault.
func TestEveryCodeIsRegisteredAndUsed(t *testing.T) {
	constants, used := codesInSource(t)
	registered := fault.Codes()
	require.True(t, slices.IsSorted(registered))

	for name, code := range constants {
		if _, ok := fault.Explain(fault.Code(code)); !ok {
			t.Errorf("fault.%s (%s) is not registered", name, code)
		}

		if !used[name] {
			t.Errorf("fault.%s (%s) is given out nowhere", name, code)
		}
	}

	require.Len(t, registered, len(constants), "a registered code has no constant, or two have one text")
}

// codesInSource gives the constants of type fault.Code by name, and which of them are used outside of their package
// and of tests.
func codesInSource(t *testing.T) (constants map[string]string, used map[string]bool) {
	t.Helper()
	constants = map[string]string{}
	used = map[string]bool{}
	err := filepath.WalkDir(filepath.Join(root, "internal"), func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}

		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			return nil // the compiler says so
		}

		inFault := file.Name.Name == "fault"
		ast.Inspect(file, func(n ast.Node) bool {
			switch x := n.(type) {
			case *ast.ValueSpec:
				if id, ok := x.Type.(*ast.Ident); ok && inFault && id.Name == "Code" && len(x.Values) == 1 {
					text, _ := strconv.Unquote(x.Values[0].(*ast.BasicLit).Value)
					constants[x.Names[0].Name] = text
				}

			case *ast.SelectorExpr:
				if id, ok := x.X.(*ast.Ident); ok && id.Name == "fault" {
					used[x.Sel.Name] = true
				}
			}

			return true
		})

		if inFault && strings.HasSuffix(path, "fault.go") { // the package itself gives out two
			ast.Inspect(file, func(n ast.Node) bool {
				if id, ok := n.(*ast.Ident); ok {
					used[id.Name] = true
				}

				return true
			})
		}

		return nil
	})
	require.NoError(t, err)
	require.Greater(t, len(constants), 80)

	return constants, used
}
