// Package internal has no code: this test keeps the house in order.
//
// It reads the source of every package and holds it against the rules below: who may import whom, and what may not be
// used where. A rule has exceptions, each with its reason; an exception that nothing needs any more fails the test,
// so that the list stays true.
package internal

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"sort"
	"strconv"
	"strings"
	"testing"
)

const module = "slipway/"

// benchmark is the folder of the benchmark. It is a module of its own, so that nobody else compiles it, and it obeys
// the house.
const benchmark = "bench"

// level says what the packages under a folder may import of ours. Longer folders go before shorter ones. Tests may
// import anything.
type level struct {
	in   string
	may  []string
	pure bool // nothing but the standard library besides
}

var levels = []level{
	{in: "internal/core", may: []string{"internal/core"}, pure: true},
	{in: "internal/standards", may: []string{"internal/core", "internal/standards"}, pure: true},
	{in: "internal/schema", pure: true},
	{in: "internal/platform", may: []string{"internal/core", "internal/platform"}}, // knows no business noun
	{
		in:  "internal/rails/*",
		may: []string{"internal/core", "internal/standards", "internal/platform", "internal/rails/*"},
	},
	{
		in: "internal/identity",
		may: []string{
			"internal/core",
			"internal/standards",
			"internal/platform",
			"internal/rails",
			"internal/identity",
		},
	},
	{
		in: "internal/directory",
		may: []string{
			"internal/core",
			"internal/standards",
			"internal/platform",
			"internal/rails",
			"internal/identity",
			"internal/directory",
		},
	},
	{
		in: "internal/payments",
		may: []string{
			"internal/core",
			"internal/standards",
			"internal/platform",
			"internal/rails",
			"internal/identity",
			"internal/directory",
			"internal/payments",
		},
	},
	{
		in: "internal/pages",
		may: []string{
			"internal/core",
			"internal/standards",
			"internal/platform",
			"internal/rails",
			"internal/identity",
			"internal/directory",
			"internal/payments",
			"internal/pages",
		},
	},
	{in: "internal/app", may: []string{"internal"}},
	{in: "internal/demo", may: []string{"internal"}}, // tells the story and audits it afterwards
	{in: "cmd", may: []string{"internal", "cmd", "contracts"}},
	{in: benchmark, may: []string{"internal"}},
	{in: "contracts", pure: true},
}

// moneyRails are the packages through which value leaves. Only those under moneyMovers may import them. Payments may
// import harmless too: calldata and receipts in words, which sends nothing.
var (
	moneyRails  = []string{"internal/rails/chain", "internal/rails/bank", "internal/rails/liquidity"}
	moneyMovers = []string{
		"internal/payments/settlement",
		"internal/payments/outbound", // for settlement
		"internal/payments/evidence", // reads, and sends nothing
		"internal/payments/stock",    // is a provider of liquidity, and sends nothing
		"internal/app",
		"internal/demo",
		"cmd",
		benchmark,
		"internal/rails/chain",
		"internal/rails/bank",
		"internal/rails/liquidity",
	}
	harmless = "internal/rails/chain/contract"
)

// kinds are what each type of transaction does differently. The use cases call them through transaction.Kind, so only
// the wiring names them, and none knows another.
var kinds = []string{
	"internal/payments/transaction/crypto",
	"internal/payments/transaction/fiat",
	"internal/payments/transaction/onramp",
}

// exception allows what a rule forbids: in every file whose path begins with in, for what begins with what.
type exception struct{ rule, in, what, why string }

var exceptions = []exception{
	{
		"export",
		"internal/platform/web/csv.go",
		"encoding/csv.NewWriter",
		"the one writer of lists as tables: it neutralises cells that begin like a formula",
	},
	{
		"export",
		"internal/standards/bookfile/sheet.go",
		"encoding/csv.NewWriter",
		"files that bookkeeping programs import: it neutralises cells that begin like a formula, too",
	},
	{
		"import",
		"internal/platform/db/dbtest",
		"slipway/internal/schema",
		"gives tests a database with the current schema",
	},
	{
		"import",
		"internal/standards/eip",
		"github.com/ethereum/go-ethereum",
		"Keccak and secp256k1 recovery: not to be written twice",
	},
	{
		"import",
		"internal/standards/safe",
		"github.com/ethereum/go-ethereum",
		"Keccak, secp256k1 recovery and ABI encoding: not to be written twice",
	},
	{
		"import",
		"internal/core/text",
		"golang.org/x/text/unicode/norm",
		"the normalisation forms of Unicode: not to be written twice",
	},
	{
		"import",
		"internal/standards/mailbox",
		"golang.org/x/net/idna",
		"domains in other alphabets (IDNA, UTS 46): not to be written twice",
	},
	{
		"kind",
		"internal/payments/paymentstest",
		"slipway/internal/payments/transaction/",
		"wires transactions for tests, as internal/app does",
	},
	{
		"kind",
		"internal/payments/transaction/transactiontest",
		"slipway/internal/payments/transaction/",
		"wires transactions for tests, as internal/app does",
	},
	{
		"kind",
		"internal/payments/paymentstest",
		"slipway/internal/payments/transaction/",
		"wires payments for tests, as internal/app does",
	},
	{
		"kind",
		"internal/payments/statement",
		"slipway/internal/payments/transaction/onramp",
		"prints the bank details of a deposit",
	},
	{"clock", "internal/platform/clock", "time.", "it is the clock"},
	{
		"clock",
		"internal/platform/db/line.go",
		"time.Now",
		"the limit of a wait for a socket; nothing that is stored",
	},
	{
		"clock",
		"internal/platform/db/postgres.go",
		"time.Now",
		"the limit of a wait for the answer to a COMMIT; nothing that is stored",
	},
	{"clock", "internal/rails/chain/devchain", "time.Now", "a chain has a clock of its own, as others have"},
	{
		"float",
		"internal/rails/chain/devchain",
		"float64",
		"how full blocks are, and percentiles, as eth_feeHistory has them",
	},
	{"clock", "internal/app/cli", "time.Now", "runs beside a service: when its own token ends, and when it has signed"},
	{"clock", "internal/platform/web", "", "measures requests and names them; nothing that is stored"},
	{"clock", "internal/platform/platformtest/waits", "", "measures tests; nothing that is stored"},
	{"clock", "internal/platform/observe", "", "measures; nothing that is stored"},
	{"secret", "internal/identity/auth/second.go", "password", "is the number of the password's version"},
	{"secret", "internal/payments/invoicelink/submit.go", "Token", "is the name of the money"},
	{"secret", "internal/rails/liquidity/client.go", "CodeSignature", "is an error's code"},
}

// source is one parsed file.
type source struct {
	path    string // from the module's root, with slashes
	test    bool
	file    *ast.File
	set     *token.FileSet
	imports map[string]string // by the name used in the file
}

func (s source) folder() string { return path.Dir(s.path) }

// finding is one breach of a rule.
type finding struct{ rule, path, what, text string }

// rules are every check of one file. The name is what exceptions refer to.
var rules = map[string]func(s source) []finding{
	"import":     checkImports,
	"money rail": checkMoneyRails,
	"kind":       checkKinds,
	"http":       checkHTTP,
	"init":       checkInit,
	"float":      checkFloats,
	"clock":      checkClock,
	"random":     checkRandom,
	"secret":     checkSecrets,
	"sleep":      checkSleep,
	"export":     checkExports,
	"write body": checkWriteBodies,
}

func TestArchitecture(t *testing.T) {
	sources := load(t, "..")
	used := make([]bool, len(exceptions))

	var found []finding
	for _, s := range sources {
		for name, check := range rules {
			for _, f := range check(s) {
				f.rule = name

				f.path = s.path
				if !excused(f, used) {
					found = append(found, f)
				}
			}
		}
	}

	sort.Slice(found, func(i, j int) bool { return found[i].text < found[j].text })

	for _, f := range found {
		t.Errorf("%s (rule %q)", f.text, f.rule)
	}

	for i, e := range exceptions {
		if !used[i] && applies(e, sources) {
			t.Errorf("the exception from %q for %s in %s is needed no more: take it out", e.rule, e.what, e.in)
		}
	}
}

// excused looks for an exception and notes that it was needed.
func excused(f finding, used []bool) bool {
	ok := false
	for i, e := range exceptions {
		if e.rule == f.rule && strings.HasPrefix(f.path, e.in) && strings.HasPrefix(f.what, e.what) {
			used[i] = true
			ok = true
		}
	}

	return ok
}

// applies says whether an exception's folder has code already; before that it cannot be stale.
func applies(e exception, sources []source) bool {
	for _, s := range sources {
		if strings.HasPrefix(s.path, e.in) && (!s.test || strings.HasSuffix(e.in, "_test.go")) {
			return true
		}
	}

	return false
}

// load parses every Go file that people wrote. A file that does not parse is left to the compiler.
func load(t *testing.T, root string) []source {
	t.Helper()

	var out []source

	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return nil // gone while we walk
		}

		base := d.Name()
		if d.IsDir() && name != root &&
			(base == "node_modules" || base == "testdata" || base[0] == '.' || base == "bin" || base == "data") {
			return fs.SkipDir
		}

		if _, err := os.Stat(filepath.Join(name, "go.mod")); d.IsDir() && name != root && err == nil &&
			name != filepath.Join(root, benchmark) {
			return fs.SkipDir // a module of its own
		}

		if d.IsDir() || !strings.HasSuffix(base, ".go") {
			return nil
		}

		text, err := os.ReadFile(name)
		if err != nil {
			return nil
		}

		rel, err := filepath.Rel(root, name)
		if err != nil {
			return err
		}

		if s, ok := parse(filepath.ToSlash(rel), text); ok {
			out = append(out, s)
		}

		return nil
	})
	if err != nil {
		t.Fatal(err)
	}

	if len(out) < 20 {
		t.Fatalf("only %d files under %s: this test looks at the wrong place", len(out), root)
	}

	return out
}

func parse(name string, text []byte) (source, bool) {
	s := source{
		path:    name,
		test:    strings.HasSuffix(name, "_test.go"),
		set:     token.NewFileSet(),
		imports: map[string]string{},
	}

	var err error

	s.file, err = parser.ParseFile(s.set, name, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil || ast.IsGenerated(s.file) || strings.Contains(string(text), "//go:build never\n") {
		return s, false
	}

	for _, spec := range s.file.Imports {
		p, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return s, false
		}

		base := path.Base(p)
		if len(base) > 1 && base[0] == 'v' && strings.Trim(base[1:], "0123456789") == "" {
			base = path.Base(path.Dir(p)) // math/rand/v2 is used as rand
		}

		if spec.Name != nil {
			base = spec.Name.Name
		}

		s.imports[base] = p
	}

	return s, true
}

func (s source) found(at token.Pos, what, format string, args ...any) finding {
	p := s.set.Position(at)
	return finding{what: what, text: fmt.Sprintf("%s:%d: %s", s.path, p.Line, fmt.Sprintf(format, args...))}
}

// under says whether a package is a folder or lies in it; a * stands for one folder's name, the same as in like.
func under(pkg, folder, like string) bool {
	if before, _, star := strings.Cut(folder, "*"); star {
		rest, ok := strings.CutPrefix(like, before)
		if !ok {
			return false
		}

		name, _, _ := strings.Cut(rest, "/")
		folder = before + name
	}

	return pkg == folder || strings.HasPrefix(pkg, folder+"/")
}

func checkImports(s source) []finding {
	if s.test {
		return nil
	}

	var l *level
	for i := range levels {
		if under(s.folder(), levels[i].in, s.folder()) {
			l = &levels[i]
			break
		}
	}

	if l == nil {
		return []finding{
			s.found(
				s.file.Package,
				"",
				"the folder %s belongs to no level: add it to the list in internal/arch_test.go",
				s.folder(),
			),
		}
	}

	var out []finding
	for _, spec := range s.file.Imports {
		p, _ := strconv.Unquote(spec.Path.Value)
		ours, mine := strings.CutPrefix(p, module)

		allowed := false
		for _, m := range l.may {
			allowed = allowed || under(ours, m, s.folder())
		}

		switch {
		case mine && !allowed:
			out = append(out, s.found(spec.Pos(), p, "%s must not import %s", l.in, p))
		case !mine && l.pure && strings.Contains(strings.Split(p, "/")[0], ".") && !slices.Contains(tables, p):
			out = append(
				out,
				s.found(spec.Pos(), p, "%s imports only the standard library and its own level, not %s", l.in, p),
			)
		}
	}

	return out
}

// tables are packages of others that hold tables and nothing else, which pure packages may use, too: nobody should type
// the characters of twelve encodings again.
var tables = []string{"golang.org/x/text/encoding/charmap"}

func checkMoneyRails(s source) []finding {
	if s.test {
		return nil
	}

	for _, m := range moneyMovers {
		if under(s.folder(), m, "") {
			return nil
		}
	}

	var out []finding
	for _, spec := range s.file.Imports {
		p, _ := strconv.Unquote(spec.Path.Value)

		for _, rail := range moneyRails {
			if ours := strings.TrimPrefix(
				p,
				module,
			); under(ours, rail, "") &&
				!(ours == harmless && under(s.folder(), "internal/payments", "")) {
				out = append(
					out,
					s.found(
						spec.Pos(),
						p,
						"only payments/settlement and payments/outbound move money; %s must not import %s",
						s.folder(),
						p,
					),
				)
			}
		}
	}

	return out
}

func checkKinds(s source) []finding {
	if s.test || under(s.folder(), "internal/app", "") {
		return nil
	}

	var out []finding
	for _, spec := range s.file.Imports {
		p, _ := strconv.Unquote(spec.Path.Value)
		if slices.Contains(kinds, strings.TrimPrefix(p, module)) {
			out = append(
				out,
				s.found(spec.Pos(), p, "only internal/app names %s; %s must call transaction.Kind", p, s.folder()),
			)
		}
	}

	return out
}

// nouns are the folders of business nouns: what they decide, they decide without knowing that a request came by HTTP.
var nouns = []string{"internal/identity", "internal/directory", "internal/payments"}

// checkHTTP keeps platform/web in a noun's http files. What a use case needs of a request is in core/caller.
func checkHTTP(s source) []finding {
	noun := false
	for _, folder := range nouns {
		noun = noun || under(s.folder(), folder, "")
	}

	if !noun || s.test || strings.HasSuffix(s.folder(), "test") || strings.HasPrefix(path.Base(s.path), "http") {
		return nil
	}

	var out []finding
	for _, spec := range s.file.Imports {
		if p, _ := strconv.Unquote(spec.Path.Value); p == module+"internal/platform/web" {
			out = append(out, s.found(spec.Pos(), p, "only http files import %s; use core/caller", p))
		}
	}

	return out
}

func checkInit(s source) []finding {
	var out []finding
	for _, d := range s.file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && f.Name.Name == "init" {
			out = append(
				out,
				s.found(f.Pos(), "init", "no init functions: what happens at start stands in one readable list"),
			)
		}
	}

	return out
}

func checkFloats(s source) []finding {
	money := false
	for _, folder := range []string{"internal/core/money", "internal/payments", "internal/rails", "internal/standards"} {
		money = money || under(s.folder(), folder, "")
	}

	if !money || s.test {
		return nil
	}

	var out []finding
	ast.Inspect(s.file, func(n ast.Node) bool {
		switch x := n.(type) {
		case *ast.Ident:
			if x.Name == "float64" || x.Name == "float32" {
				out = append(out, s.found(x.Pos(), x.Name, "no %s where money is", x.Name))
			}

		case *ast.SelectorExpr:
			name := s.qualified(x)
			if name == "math/big.Float" || name == "math/big.NewFloat" || name == "strconv.ParseFloat" {
				out = append(out, s.found(x.Pos(), name, "no %s where money is", name))
			}
		}

		return true
	})

	return out
}

// qualified is "time.Now" for a selector on an imported package, else "".
func (s source) qualified(x *ast.SelectorExpr) string {
	id, ok := x.X.(*ast.Ident)
	if !ok || s.imports[id.Name] == "" {
		return ""
	}

	return s.imports[id.Name] + "." + x.Sel.Name
}

func (s source) uses(root ast.Node, names ...string) []*ast.SelectorExpr {
	var out []*ast.SelectorExpr
	ast.Inspect(root, func(n ast.Node) bool {
		if x, ok := n.(*ast.SelectorExpr); ok {
			for _, name := range names {
				if s.qualified(x) == name {
					out = append(out, x)
				}
			}
		}

		return true
	})

	return out
}

// checkClock keeps the wall clock out of everything that stores or compares times. What is shown to a person may
// measure.
func checkClock(s source) []finding {
	if s.test || under(s.folder(), "cmd", "") || under(s.folder(), benchmark, "") ||
		under(s.folder(), "internal/demo", "") {
		return nil
	}

	var out []finding
	for _, x := range s.uses(s.file, "time.Now", "time.Since", "time.Until") {
		out = append(
			out,
			s.found(x.Pos(), s.qualified(x), "ask the clock of the database or platform/clock, not %s", s.qualified(x)),
		)
	}

	return out
}

func checkRandom(s source) []finding {
	if !under(s.folder(), "internal/identity", "") && !under(s.folder(), "internal/platform/secret", "") &&
		!under(s.folder(), "internal/core/id", "") {
		return nil
	}

	var out []finding
	for _, spec := range s.file.Imports {
		if p, _ := strconv.Unquote(spec.Path.Value); strings.HasPrefix(p, "math/rand") {
			out = append(out, s.found(spec.Pos(), p, "whoever makes credentials uses crypto/rand (C-04)"))
		}
	}

	return out
}

// secretFolders are where credentials are checked. Elsewhere a token is money, and a hash names a block or a file.
var secretFolders = []string{
	"internal/identity",
	"internal/platform/secret",
	"internal/platform/web",
	"internal/rails/idv",
	"internal/rails/liquidity",
	"internal/payments/invoicelink",
	"internal/pages",
}

// secretWords are in the names of what must not be compared byte by byte until the first difference.
var secretWords = []string{"secret", "mac", "signature", "token", "digest", "hash", "password"}

// checkSecrets finds comparisons that take longer the more of a secret was guessed (C-03). A comparison with a literal
// or nil asks for something else. Best effort: it goes by names.
func checkSecrets(s source) []finding {
	checked := false
	for _, folder := range secretFolders {
		checked = checked || under(s.folder(), folder, "")
	}

	if !checked || s.test {
		return nil
	}

	var out []finding
	compare := func(at ast.Node, a, b ast.Expr) {
		if plain(a) || plain(b) {
			return
		}

		for _, e := range []ast.Expr{a, b} {
			if name := secretName(e); name != "" {
				out = append(
					out,
					s.found(
						at.Pos(),
						name,
						"%s is compared in a time that tells of it: use hmac.Equal or subtle.ConstantTimeCompare "+
							"(C-03)",
						name,
					),
				)

				return
			}
		}
	}
	ast.Inspect(s.file, func(n ast.Node) bool {
		switch x := n.(type) {
		case *ast.BinaryExpr:
			if x.Op == token.EQL || x.Op == token.NEQ {
				compare(x, x.X, x.Y)
			}

		case *ast.CallExpr:
			f, ok := x.Fun.(*ast.SelectorExpr)
			if !ok || len(x.Args) != 2 {
				return true
			}

			switch s.qualified(f) {
			case "bytes.Equal", "bytes.Compare", "strings.Compare", "strings.EqualFold", "slices.Equal":
				compare(x, x.Args[0], x.Args[1])
			}
		}

		return true
	})

	return out
}

// plain reports whether a value is no secret whatever it is compared with: a literal, nil, a truth value, a length.
func plain(e ast.Expr) bool {
	switch x := e.(type) {
	case *ast.BasicLit:
		return true
	case *ast.Ident:
		return x.Name == "nil" || x.Name == "true" || x.Name == "false"
	case *ast.CallExpr:
		f, ok := x.Fun.(*ast.Ident)
		return ok && f.Name == "len"
	}

	return false
}

// secretName returns the name by which a value looks like a secret, else "".
func secretName(e ast.Expr) string {
	var name string
	switch x := e.(type) {
	case *ast.Ident:
		name = x.Name
	case *ast.SelectorExpr:
		name = x.Sel.Name

	case *ast.CallExpr:
		if len(x.Args) == 1 && secretName(x.Fun) == "" { // a conversion, most often
			return secretName(x.Args[0])
		}

		return secretName(x.Fun)

	case *ast.SliceExpr:
		return secretName(x.X)
	}

	for _, word := range secretWords {
		if strings.Contains(strings.ToLower(name), word) {
			return name
		}
	}

	return ""
}

// checkSleep finds tests that wait. Inside synctest.Test a sleep is virtual and costs nothing.
func checkSleep(s source) []finding {
	if !s.test {
		return nil
	}

	virtual := map[*ast.SelectorExpr]bool{}
	ast.Inspect(s.file, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			if f, ok := call.Fun.(*ast.SelectorExpr); ok && s.qualified(f) == "testing/synctest.Test" {
				for _, x := range s.uses(call, "time.Sleep") {
					virtual[x] = true
				}
			}
		}

		return true
	})

	var out []finding
	for _, x := range s.uses(s.file, "time.Sleep") {
		if !virtual[x] {
			out = append(out, s.found(x.Pos(), "time.Sleep", "a test waits for what it waits for, not for a time"))
		}
	}

	return out
}

// checkExports keeps tables for spreadsheets out: a cell that begins with =, +, - or @ is a formula there, whoever
// wrote it (I-05). An export that is needed gets a writer that neutralises them, and an exception here.
func checkExports(s source) []finding {
	var out []finding
	for _, x := range s.uses(s.file, "encoding/csv.NewWriter") {
		out = append(
			out,
			s.found(x.Pos(), "encoding/csv.NewWriter", "a table for spreadsheets whose cells may be formulas"),
		)
	}

	return out
}

// outsideCalls are methods that ask somebody outside. The check knows no types, so the names are those that only such
// things have.
var outsideCalls = []string{
	"Do",
	"RoundTrip",
	"DialContext",
	"CallContext",
	"BatchCallContext",
	"CallContract",
	"SendTransaction",
	"SendRawTransaction",
	"PendingNonceAt",
	"HeaderByNumber",
	"TransactionReceipt",
	"FilterLogs",
	"Exchange",
}

// outsidePackages have no place in a write body at all.
var outsidePackages = []string{
	"net/http",
	"net",
	"os/exec",
	"github.com/ethereum/go-ethereum/ethclient",
	"github.com/ethereum/go-ethereum/rpc",
}

// checkWriteBodies looks into every function that takes a *db.Tx: it is a write body or part of one, so it may run
// twice and while it runs others wait. Best effort: it sees what is written there, not what is called from there.
func checkWriteBodies(s source) []finding {
	if under(s.folder(), "internal/platform/db", "") {
		return nil // where transactions are made
	}

	var out []finding
	ast.Inspect(s.file, func(n ast.Node) bool {
		var (
			typ  *ast.FuncType
			body *ast.BlockStmt
		)
		switch f := n.(type) {
		case *ast.FuncDecl:
			typ = f.Type
			body = f.Body
		case *ast.FuncLit:
			typ = f.Type
			body = f.Body
		}

		if body == nil || !s.takesTx(typ) {
			return true
		}

		out = append(out, s.outside(body)...)

		return false // what is nested was looked at
	})

	return out
}

func (s source) takesTx(f *ast.FuncType) bool {
	for _, p := range f.Params.List {
		if star, ok := p.Type.(*ast.StarExpr); ok {
			if x, ok := star.X.(*ast.SelectorExpr); ok && s.qualified(x) == module+"internal/platform/db.Tx" {
				return true
			}
		}
	}

	return false
}

func (s source) outside(body *ast.BlockStmt) []finding {
	var out []finding
	ast.Inspect(body, func(n ast.Node) bool {
		switch x := n.(type) {
		case *ast.GoStmt:
			out = append(
				out,
				s.found(x.Pos(), "go", "a write body may run twice: no goroutine in it (use tx.OnCommit)"),
			)

		case *ast.SelectorExpr:
			name := s.qualified(x)
			for _, p := range outsidePackages {
				if strings.HasPrefix(name, p+".") && !strings.Contains(name[len(p):], "/") &&
					!strings.HasPrefix(x.Sel.Name, "Status") &&
					!strings.HasPrefix(x.Sel.Name, "Method") {
					out = append(
						out,
						s.found(x.Pos(), name, "no network inside a database transaction, ever: %s", name),
					)
				}
			}

			// benchmarks fill tables with the time they like
			if (name == "time.Now" || name == "time.Sleep") && !under(s.folder(), benchmark, "") {
				out = append(out, s.found(x.Pos(), name, "a write body asks tx.Now and never waits: %s", name))
			}

		case *ast.CallExpr:
			out = append(out, s.outsideCall(x)...)
		}

		return true
	})

	return out
}

func (s source) outsideCall(call *ast.CallExpr) []finding {
	f, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return nil
	}

	for _, name := range outsideCalls {
		if f.Sel.Name == name && s.qualified(f) == "" {
			return []finding{
				s.found(f.Pos(), name, "no network inside a database transaction, ever: a call of %s", name),
			}
		}
	}

	if f.Sel.Name == "Write" && len(call.Args) == 2 {
		if inner, ok := call.Args[1].(*ast.FuncLit); ok && s.takesTx(inner.Type) {
			return []finding{s.found(f.Pos(), "Write", "a write body inside a write body waits for itself")}
		}
	}

	return nil
}

// C-03: every rule catches what it is for: each file is one breach, at the path where it would be one.
func TestRulesCatchBreaches(t *testing.T) {
	const tx = "package x\nimport (\"context\"; \"net/http\"; \"time\"; \"slipway/internal/platform/db\")\nvar _ " +
		"http.Client; var _ time.Duration; var _ context.Context\n"

	for _, test := range []struct{ rule, path, text string }{
		{"import", "internal/core/id/x.go", `package x; import _ "github.com/a/b"`},
		{"import", "internal/core/id/x.go", `package x; import _ "slipway/internal/platform/db"`},
		{"import", "internal/standards/iban/x.go", `package x; import _ "slipway/internal/platform/db"`},
		{"import", "internal/platform/web/x.go", `package x; import _ "slipway/internal/identity/user"`},
		{"import", "internal/platform/web/x.go", `package x; import _ "slipway/internal/schema"`},
		{"import", "internal/rails/bank/x.go", `package x; import _ "slipway/internal/rails/chain"`},
		{"import", "internal/rails/bank/x.go", `package x; import _ "slipway/internal/payments/ledger"`},
		{"import", "internal/identity/user/x.go", `package x; import _ "slipway/internal/directory/wallet"`},
		{"import", "internal/directory/wallet/x.go", `package x; import _ "slipway/internal/payments/payable"`},
		{"import", "internal/payments/quote/x.go", `package x; import _ "slipway/internal/pages"`},
		{"import", "internal/pages/x.go", `package x; import _ "slipway/internal/app"`},
		{"import", "internal/helpers/x.go", `package x`},
		{"import", "bench/x.go", `package main; import _ "slipway/cmd/slipway"`},
		{"money rail", "internal/payments/transaction/x.go", `package x; import _ "slipway/internal/rails/chain"`},
		{"money rail", "internal/identity/user/x.go", `package x; import _ "slipway/internal/rails/bank/simulator"`},
		{"money rail", "internal/pages/x.go", `package x; import _ "slipway/internal/rails/chain/contract"`},
		{"money rail", "internal/payments/quote/x.go", `package x; import _ "slipway/internal/rails/liquidity"`},
		{"http", "internal/payments/payable/accept.go", `package x; import _ "slipway/internal/platform/web"`},
		{"init", "internal/core/id/x.go", `package x; func init() {}`},
		{"float", "internal/payments/quote/x.go", `package x; var y float64`},
		{"float", "internal/rails/rates/x.go", `package x; import "strconv"; var _, _ = strconv.ParseFloat("1", 32)`},
		{"float", "internal/core/money/x.go", `package x; import b "math/big"; var y *b.Float`},
		{"clock", "internal/payments/quote/x.go", `package x; import "time"; var y = time.Now()`},
		{"clock", "internal/platform/jobs/x.go", `package x; import t "time"; var y = t.Since`},
		{"random", "internal/identity/session/x.go", `package x; import _ "math/rand/v2"`},
		{"secret", "internal/identity/x.go", `package x; func y(secretHash, b string) bool { return secretHash == b }`},
		{"secret", "internal/rails/idv/x.go", `package x; import "bytes"; func y(a, mac []byte) bool { return bytes.Equal(a, mac) }`},
		{"secret", "internal/platform/web/x.go", `package x; func y(c struct{ Token string }, b []byte) bool { return string(b) != c.Token }`},
		{"sleep", "internal/core/id/x_test.go", `package x; import "time"; func y() { time.Sleep(1) }`},
		{"write body", "internal/identity/x.go", tx + `func y(tx *db.Tx) { http.Get("x") }`},
		{"write body", "internal/identity/x.go", tx + `func y(d *db.DB, c *http.Client) { d.Write(nil, func(tx *db.Tx) error { c.Do(nil); return nil }) }`},
		{"write body", "internal/identity/x.go", tx + `func y(d *db.DB, tx *db.Tx) { d.Write(nil, func(tx *db.Tx) error { return nil }) }`},
		{"write body", "internal/identity/x.go", tx + `func y(tx *db.Tx) { go func() {}() }`},
		{"write body", "internal/identity/x.go", tx + `func y(tx *db.Tx) { _ = time.Now() }`},
	} {
		s, ok := parse(test.path, []byte(test.text))
		if !ok {
			t.Errorf("%s does not parse", test.text)
			continue
		}

		found := rules[test.rule](s)
		if len(found) != 1 {
			t.Errorf("%s at %s: %d findings of %q, want one: %v", test.text, test.path, len(found), test.rule, found)
		}
	}
}

// No rule finds fault with what is allowed.
func TestRulesLetTheRestPass(t *testing.T) {
	for _, test := range []struct{ path, text string }{
		{"internal/core/id/x_test.go", `package x; import (_ "github.com/stretchr/testify/require"; _ "slipway/internal/platform/db")`},
		{"internal/core/id/x.go", `package x; import (_ "math/big"; _ "slipway/internal/core/money")`},
		{"internal/rails/chain/x.go", `package x; import (_ "slipway/internal/rails/chain/contract"; _ "slipway/internal/standards/iban"; _ "github.com/a/b")`},
		{"internal/payments/settlement/x.go", `package x; import (_ "slipway/internal/rails/chain"; _ "slipway/internal/rails/bank"; _ "slipway/internal/payments/payable")`},
		{"internal/payments/transaction/x.go", `package x; import _ "slipway/internal/rails/chain/contract"`},
		{"internal/directory/wallet/x.go", `package x; import (_ "slipway/internal/identity/user"; _ "slipway/internal/rails/screening")`},
		{"internal/payments/payable/http_accept.go", `package x; import _ "slipway/internal/platform/web"`},
		{"internal/directory/directorytest/x.go", `package x; import _ "slipway/internal/platform/web"`},
		{"internal/app/x.go", `package x; import (_ "slipway/internal/rails/bank"; _ "slipway/internal/pages")`},
		{"internal/core/id/x_test.go", `package x; import ("testing"; "testing/synctest"; "time"); func y(t *testing.T) { synctest.Test(t, func(t *testing.T) { time.Sleep(1) }) }`},
		{"internal/identity/x.go", `package x; import ("net/http"; "slipway/internal/platform/db"); func y(d *db.DB) { http.Get(""); d.Write(nil, func(tx *db.Tx) error { _ = http.StatusOK; return nil }) }`},
		{"internal/core/money/x_test.go", `package x; var y float64`},
		{"bench/x.go", `package main; import (_ "slipway/internal/rails/chain"; "time"; "slipway/internal/platform/db"); func y(tx *db.Tx) { _ = time.Now() }`},
		{"internal/rails/chain/contract/x.go", "// Code generated by abigen. DO NOT EDIT.\n\npackage x\nfunc " +
			"init() {}"},
	} {
		s, ok := parse(test.path, []byte(test.text))
		if !ok {
			continue // generated
		}

		for name, check := range rules {
			if found := check(s); len(found) != 0 {
				t.Errorf("%s: rule %q: %v", test.text, name, found)
			}
		}
	}
}
