// Command arrows measures how well packages can be read from their first file to their last.
//
//	tools/arrows ./internal/payments/settlement ./internal/rails/bank
//
// An arrow leads from a file to another one of the same package that declares something it uses. The package's comment
// names its files in the order of reading, callers before what they call; an arrow to a file that stands before runs
// back up. For each package it prints the arrows and the share of those that run back up, and the files that the
// comment does not name. With -each it lists the arrows back up, and with -best the order with the fewest of them.
package main

import (
	"cmp"
	"flag"
	"fmt"
	"go/ast"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// needed is what is read of a package.
const needed = packages.NeedName | packages.NeedFiles | packages.NeedSyntax | packages.NeedTypes |
	packages.NeedTypesInfo | packages.NeedImports | packages.NeedDeps

func main() {
	root := flag.String("root", ".", "the folder of the module")
	each := flag.Bool("each", false, "list the arrows that run back up, with what they lead to")
	best := flag.Bool("best", false, "print the order with the fewest arrows back up")
	flag.Parse()

	loaded, err := packages.Load(&packages.Config{Dir: *root, Mode: needed}, flag.Args()...)
	if err != nil {
		fmt.Fprintln(os.Stderr, "arrows:", err)
		os.Exit(1)
	}

	if packages.PrintErrors(loaded) > 0 {
		os.Exit(1)
	}

	for _, p := range loaded {
		report(p, *each, *best)
	}
}

// arrow leads from a file to another one.
type arrow struct{ from, to string }

func report(p *packages.Package, each, best bool) {
	arrows := arrowsOf(p)
	order, missing := readingOrder(p)

	if best {
		order = fewest(append(order, missing...), arrows)
	}

	up := backUp(order, arrows)

	share := 0
	if len(arrows) > 0 {
		share = (100*len(up) + len(arrows)/2) / len(arrows)
	}

	fmt.Printf("%s: %d files, %d arrows, %d back up (%d %%), not named: %s\n", p.PkgPath, len(p.Syntax), len(arrows),
		len(up), share, cmp.Or(strings.Join(missing, ", "), "none"))

	if best {
		fmt.Println("  order:", strings.Join(order, ", "))
	}

	if each {
		for _, a := range up {
			fmt.Printf("  %s -> %s: %s\n", a.from, a.to, strings.Join(slices.Sorted(maps.Keys(arrows[a])), ", "))
		}
	}
}

// arrowsOf returns the arrows of a package, each with the names that it leads to.
func arrowsOf(p *packages.Package) map[arrow]map[string]bool {
	out := map[arrow]map[string]bool{}
	at := func(pos token.Pos) string { return filepath.Base(p.Fset.Position(pos).Filename) }

	for _, file := range p.Syntax {
		from := at(file.Package)

		ast.Inspect(file, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			if !ok {
				return true
			}

			used := p.TypesInfo.Uses[id]
			if used == nil || used.Pkg() != p.Types || !used.Pos().IsValid() {
				return true
			}

			if to := at(used.Pos()); to != from {
				a := arrow{from, to}
				if out[a] == nil {
					out[a] = map[string]bool{}
				}

				out[a][used.Name()] = true
			}

			return true
		})
	}

	return out
}

var fileName = regexp.MustCompile(`[a-z0-9_]+\.go\b`)

// readingOrder returns the files that a package's comment names, and those that it does not.
func readingOrder(p *packages.Package) (order, missing []string) {
	present := map[string]bool{}

	for _, name := range p.GoFiles {
		present[filepath.Base(name)] = true
	}

	for _, file := range p.Syntax {
		for _, name := range fileName.FindAllString(file.Doc.Text(), -1) {
			if present[name] && !slices.Contains(order, name) {
				order = append(order, name)
			}
		}
	}

	for _, name := range slices.Sorted(maps.Keys(present)) {
		if !slices.Contains(order, name) {
			missing = append(missing, name)
		}
	}

	return order, missing
}

// backUp returns the arrows to a file that stands before, or that one of whose files has no place.
func backUp(order []string, arrows map[arrow]map[string]bool) (out []arrow) {
	place := map[string]int{}
	for i, name := range order {
		place[name] = i + 1
	}

	for a := range arrows {
		if place[a.from] == 0 || place[a.to] == 0 || place[a.to] < place[a.from] {
			out = append(out, a)
		}
	}

	slices.SortFunc(out, func(a, b arrow) int { return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to)) })

	return out
}

// fewest returns an order with few arrows back up: single files are moved as long as that leaves fewer of them.
func fewest(order []string, arrows map[arrow]map[string]bool) []string {
	order = slices.Clone(order)

	for better := true; better; {
		better = false
		least := len(backUp(order, arrows))

		for i := range order {
			for j := range order {
				moved := slices.Delete(slices.Clone(order), i, i+1)
				moved = slices.Insert(moved, j, order[i])

				if n := len(backUp(moved, arrows)); n < least {
					order = moved
					least = n
					better = true
				}
			}
		}
	}

	return order
}
