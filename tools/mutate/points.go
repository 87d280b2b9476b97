package main

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// A point is one change of one place: one mutant.
type point struct {
	Number  int
	Package string // its path
	File    string // relative to the root of the module
	Line    int
	Column  int
	Change  string // such as "< to <="
	Source  string // the line
	Nth     int    // of the same changes in lines of the file that read the same
}

// edit inserts text at an offset of a file, in place of some bytes.
type edit struct {
	from, to int
	text     string
	outer    int // of two insertions at one offset, the outer one's begins first and ends last
}

// mutator collects the mutants of packages and the edits by which all of them are compiled at once.
type mutator struct {
	pkg    *packages.Package
	points []point
	edits  []edit

	file   *token.File
	name   string
	source []byte
	depth  int

	swapped map[ast.Node]bool // selectors of which the whole text was replaced
	without map[string]bool   // lines, such as "send.go:17", whose mutants do not compile
}

// swaps are methods that undo each other. Amounts are added and subtracted by them.
var swaps = map[string]string{"Add": "Sub", "Sub": "Add", "Before": "After", "After": "Before"}

var comparisons = map[token.Token][3]string{
	token.LSS: {"Less", "< to <=", "< to >="},
	token.GTR: {"More", "> to >=", "> to <="},
	token.LEQ: {"AtMost", "<= to <", "<= to >"},
	token.GEQ: {"AtLeast", ">= to >", ">= to <"},
}

var sums = map[token.Token][2]string{
	token.ADD: {"Add", "+ to -"},
	token.SUB: {"Sub", "- to +"},
	token.MUL: {"Mul", "* to /"},
	token.QUO: {"Div", "/ to *"},
}

// mutate returns the text of a file with all of its mutants.
func (m *mutator) mutate(name string, file *ast.File, source []byte) []byte {
	m.name = name
	m.file = m.pkg.Fset.File(file.FileStart)
	m.source = source
	m.edits = nil
	m.swapped = map[ast.Node]bool{}

	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Body != nil {
			m.depth = 1
			m.visit(f.Body)
			m.walk(f.Body)
		}
	}

	if len(m.edits) == 0 {
		return nil
	}

	at := m.offset(file.Name.End())
	m.edits = append(m.edits, edit{from: at, to: at, text: "; import mutant \"slipway/internal/mutant\""})

	return m.apply()
}

// apply makes the edits. Of several at one offset, ends come before beginnings.
func (m *mutator) apply() []byte {
	slices.SortStableFunc(m.edits, func(a, b edit) int {
		return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.outer, b.outer))
	})

	var out []byte

	at := 0
	for _, e := range m.edits {
		out = append(out, m.source[at:e.from]...)
		out = append(out, e.text...)
		at = e.to
	}

	return append(out, m.source[at:]...)
}

func (m *mutator) offset(p token.Pos) int { return m.file.Offset(p) }

func (m *mutator) text(n ast.Node) string {
	return string(m.source[m.offset(n.Pos()):m.offset(n.End())])
}

// add notes a mutant at a place and returns its number.
func (m *mutator) add(at token.Pos, change string) int {
	p := m.file.Position(at)
	line := strings.TrimSpace(strings.Split(string(m.source), "\n")[p.Line-1])
	nth := 0

	for _, other := range m.points {
		if other.Package == m.pkg.PkgPath && other.File == m.name && other.Source == line && other.Change == change {
			nth++
		}
	}

	m.points = append(m.points, point{
		Number:  len(m.points) + 1,
		Package: m.pkg.PkgPath,
		File:    m.name,
		Line:    p.Line,
		Column:  p.Column,
		Change:  change,
		Source:  line,
		Nth:     nth,
	})

	return len(m.points)
}

// wrap puts text before and after a node.
func (m *mutator) wrap(n ast.Node, before, after string) {
	m.edits = append(m.edits,
		edit{from: m.offset(n.Pos()), to: m.offset(n.Pos()), text: before, outer: m.depth},
		edit{from: m.offset(n.End()), to: m.offset(n.End()), text: after, outer: -m.depth},
	)
}

// innermost comes after everything that begins at the same place.
const innermost = 1 << 20

// replace puts text in place of what is between two places. The lines keep their numbers.
func (m *mutator) replace(from, to token.Pos, text string) {
	a, b := m.offset(from), m.offset(to)
	lines := strings.Repeat("\n", strings.Count(string(m.source[a:b]), "\n"))
	m.edits = append(m.edits, edit{from: a, to: b, text: strings.Replace(text, ", ", ", "+lines, 1), outer: innermost})
}

// walk looks at everything below a node; what is further inside is deeper.
func (m *mutator) walk(n ast.Node) {
	ast.Inspect(n, func(c ast.Node) bool {
		if c == nil || c == n {
			return c != nil
		}

		m.depth++
		if m.visit(c) {
			m.walk(c)
		}

		m.depth--

		return false
	})
}

// visit adds the mutants of one node. It reports whether there are others inside of it.
func (m *mutator) visit(n ast.Node) (inside bool) {
	if m.without[fmt.Sprintf("%s:%d", m.name, m.file.Line(n.Pos()))] {
		return true
	}

	switch n := n.(type) {
	case *ast.BlockStmt:
		m.statements(n.List)
	case *ast.CaseClause:
		m.statements(n.Body)
	case *ast.CommClause:
		m.statements(n.Body)
	case *ast.IfStmt:
		m.condition(n.Cond)
	case *ast.BinaryExpr:
		m.binary(n)
	case *ast.CallExpr:
		m.call(n)
	case *ast.SelectorExpr:
		return !m.swapped[n]
	case *ast.GenDecl:
		return n.Tok == token.VAR
	}

	return true
}

// statements leaves out one call or assignment at a time, and counts the other way.
func (m *mutator) statements(list []ast.Stmt) {
	for _, s := range list {
		if m.without[fmt.Sprintf("%s:%d", m.name, m.file.Line(s.Pos()))] {
			continue
		}

		switch s := s.(type) {
		case *ast.ExprStmt:
			call, ok := s.X.(*ast.CallExpr)
			if !ok || m.text(call.Fun) == "panic" || m.quiet(call) {
				continue
			}

			n := m.add(s.Pos(), "left out")
			m.wrap(s, fmt.Sprintf("if !mutant.On(%d) { ", n), " }")

		case *ast.AssignStmt:
			m.assignment(s)

		case *ast.IncDecStmt:
			other := map[token.Token]string{token.INC: "--", token.DEC: "++"}[s.Tok]
			n := m.add(s.Pos(), s.Tok.String()+" to "+other)
			m.wrap(s, fmt.Sprintf("if mutant.On(%d) { %s%s } else { ", n, m.text(s.X), other), " }")
		}
	}
}

func (m *mutator) assignment(s *ast.AssignStmt) {
	switch s.Tok {
	case token.ASSIGN:
		if m.text(s.Lhs[0]) == "_" || len(s.Lhs) > 1 {
			return
		}

		n := m.add(s.Pos(), "left out")
		m.wrap(s, fmt.Sprintf("if !mutant.On(%d) { ", n), " }")

	case token.ADD_ASSIGN, token.SUB_ASSIGN:
		if !m.numeric(s.Lhs[0]) || strings.Contains(m.text(s), "\n") {
			return
		}

		other := map[token.Token]string{token.ADD_ASSIGN: "-=", token.SUB_ASSIGN: "+="}[s.Tok]
		n := m.add(s.Pos(), s.Tok.String()+" to "+other)
		m.wrap(
			s,
			fmt.Sprintf("if mutant.On(%d) { %s %s %s } else { ", n, m.text(s.Lhs[0]), other, m.text(s.Rhs[0])),
			" }",
		)
	}
}

// condition turns round a condition that is no comparison, which binary does.
func (m *mutator) condition(cond ast.Expr) {
	if _, ok := ast.Unparen(cond).(*ast.BinaryExpr); ok {
		return
	}

	n := m.add(cond.Pos(), "turned round")
	m.depth++
	m.wrap(cond, "((", fmt.Sprintf(") != mutant.On(%d))", n))
	m.depth--
}

func (m *mutator) binary(b *ast.BinaryExpr) {
	info := m.pkg.TypesInfo
	if info.Types[b].Value != nil {
		return // a constant
	}

	switch b.Op {
	case token.LSS, token.GTR, token.LEQ, token.GEQ:
		c := comparisons[b.Op]
		n := m.add(b.OpPos, c[1])
		m.add(b.OpPos, c[2])

		m.function(b, fmt.Sprintf("mutant.%s(%d, ", c[0], n), ", ", ")")

	case token.EQL, token.NEQ:
		other := map[token.Token]string{token.EQL: "== to !=", token.NEQ: "!= to =="}[b.Op]
		n := m.add(b.OpPos, other)
		m.wrap(b, "((", fmt.Sprintf(") != mutant.On(%d))", n))

	case token.LAND:
		n := m.add(b.OpPos, "&& to ||")
		m.function(b, fmt.Sprintf("mutant.And(%d, ", n), ", func() bool { return ", " })")

	case token.LOR:
		n := m.add(b.OpPos, "|| to &&")
		m.function(b, fmt.Sprintf("mutant.Or(%d, ", n), ", func() bool { return ", " })")

	case token.ADD, token.SUB, token.MUL, token.QUO:
		if !m.numeric(b) {
			return
		}

		c := sums[b.Op]
		n := m.add(b.OpPos, c[1])
		m.function(b, fmt.Sprintf("mutant.%s(%d, ", c[0], n), ", ", ")")
	}
}

// function writes an operator as a call.
func (m *mutator) function(b *ast.BinaryExpr, before, between, after string) {
	m.wrap(b, before, after)
	m.replace(b.X.End(), b.Y.Pos(), between)
}

// call swaps a method for the one that undoes it, where its type has both.
func (m *mutator) call(c *ast.CallExpr) {
	s, ok := c.Fun.(*ast.SelectorExpr)
	if !ok || swaps[s.Sel.Name] == "" {
		return
	}

	chosen := m.pkg.TypesInfo.Selections[s]
	if chosen == nil || chosen.Kind() != types.MethodVal {
		return
	}

	other, _, _ := types.LookupFieldOrMethod(chosen.Recv(), true, m.pkg.Types, swaps[s.Sel.Name])

	f, ok := other.(*types.Func)
	if !ok || !types.Identical(f.Type(), chosen.Type()) {
		return
	}

	x := m.text(s.X)
	if strings.Contains(x, "\n") {
		return
	}

	m.swapped[s] = true
	n := m.add(s.Sel.Pos(), s.Sel.Name+" to "+swaps[s.Sel.Name])
	m.replace(s.Pos(), s.End(), fmt.Sprintf("mutant.Pick(%d, %s.%s, %s.%s)", n, x, s.Sel.Name, x, swaps[s.Sel.Name]))
}

// numeric reports whether a value can be calculated with.
func (m *mutator) numeric(e ast.Expr) bool {
	t := m.pkg.TypesInfo.TypeOf(e)
	if t == nil {
		return false
	}

	basic, ok := t.Underlying().(*types.Basic)

	return ok && basic.Info()&types.IsNumeric != 0 && basic.Info()&types.IsUntyped == 0
}

// quiet reports whether a call only tells of what happens: a log line, a metric, a lock.
func (m *mutator) quiet(c *ast.CallExpr) bool {
	s, ok := c.Fun.(*ast.SelectorExpr)
	if !ok {
		return false
	}

	switch s.Sel.Name {
	case "Lock", "Unlock", "RLock", "RUnlock", "Debug", "Info", "Warn", "Error", "Helper", "End", "Observe":
		return true
	}

	return false
}
