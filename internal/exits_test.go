package internal

import (
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"go/ast"
	"go/token"
	"maps"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
)

// A state that nothing leaves is a dead end: what is in it waits for ever. This file reads the source, walks the
// moves of every record, and looks for what makes each: an operation, a command, a job, an approval, an event of a
// chain or of a bank. It follows calls by their names, so it may take something for an exit that is none. What only a
// test calls is never one.

var update = flag.Bool("update", false, "write the page of exits anew")

const (
	exitsPage = "../docs/reference/states/exits.md"
	mostExits = 6 // that the page lists of one move
	apart     = 3 // how many calls more than the nearest one may have between
)

// move is an allowed change of a state. from and to are names of constants; from is empty for a new record.
type move struct{ from, to, on string }

// record is a kind of record with the moves of its state.
type record struct {
	name  string
	pkg   string // its folder
	moves []move
}

// loose are records whose states have no transition table, with the moves that end them.
var loose = []record{
	{"Return of a payment", "internal/payments/settlement", []move{
		{"ReturnReceived", "ReturnGivenBack", "its worth is sent"},
		{"ReturnReceived", "ReturnHeld", "it cannot be valued"},
		{"ReturnReceived", "ReturnSetOff", "two operators set it off"},
		{"ReturnHeld", "ReturnResent", "two operators pay it again"},
		{"ReturnHeld", "ReturnGivenBack", "two operators send its worth"},
		{"ReturnHeld", "ReturnSetOff", "two operators set it off"},
	}},
	{"Payment file", "internal/rails/bank", []move{
		{"FileSelected", "FileStored", "its bytes are stored"},
		{"FileStored", "FileSending", "it is handed over"},
		{"FileSending", "FileArrived", "it is at the bank"},
		{"FileSending", "FileHeld", "unknown whether it arrived"},
		{"FileArrived", "FileHandedOver", "its payouts were told"},
		{"FileHeld", "FileArrived", "two persons, or a report"},
	}},
	{"File of a bank", "internal/rails/bank", []move{
		{"InboxImporting", "InboxImported", "booked"},
		{"InboxUnbalanced", "InboxImported", "another file, or two persons"},
		{"InboxWaiting", "InboxImporting", "what is missing has come, or two persons"},
		{"InboxWaiting", "InboxDropped", "two persons"},
	}},
	{"Verification of the book", "internal/payments/ledger", []move{
		{"Running", "Sound", "no fault"},
		{"Running", "Unsound", "a fault"},
	}},
	{"Delivery of an event", "internal/directory/endpoint", []move{
		{"Pending", "Delivered", "answered 2xx"},
		{"Pending", "Failed", "tried for seven days"},
		{"Failed", "Pending", "sent again"},
	}},
	{"Quote", "internal/payments/quote", []move{
		{"held", "current", "submit takes it"},
		{"held", "replaced", "a later one is locked"},
		{"held", "dead", "its draft ends"},
		{"current", "replaced", "a later one is locked"},
		{"current", "dead", "its transaction ends without effect"},
	}},
	{"Doubtful booking", "internal/rails/bank", []move{
		{"doubtOpen", "doubtCounted", "a statement, or two persons, say that it is one of its own"},
		{"doubtOpen", "doubtSame", "a statement, or two persons, say that it is another one told again"},
	}},
	{"Correction of a payee's account", "internal/rails/bank", []move{
		{"CorrectionOpen", "CorrectionApplied", "two operators let it in"},
		{"CorrectionOpen", "CorrectionDropped", "two operators leave the account alone"},
	}},
	{"Approval that a job carries out", "internal/identity/approval", []move{
		{"Waiting", "CarriedOut", "its job has done it"},
		{"Waiting", "Refused", "it cannot be done any more"},
	}},
	{"Event of the identity provider", "internal/identity/idv", []move{
		{"received", "applied", "the provider's review is applied"},
		{"received", "ignored", "it changes nothing, or the provider has no such applicant"},
	}},
	{"Mail", "internal/platform/mail", []move{
		{"Queued", "Sent", "a server has accepted it"},
		{"Queued", "Failed", "its recipient is refused, or three days are over"},
		{"Queued", "Unwanted", "the person has switched such mails off"},
		{"Queued", "Doubtful", "a back-up in which it waited was put back"},
		{"Queued", "Gathered", "the person wants one mail each morning"},
		{"Gathered", "Sent", "the morning mail has told of it"},
		{"Gathered", "Unwanted", "the person has switched such mails off, or it asked for what was decided"},
		{"Gathered", "Doubtful", "a back-up in which it waited was put back"},
	}},
	{"Message to a chat", "internal/payments/chatchannel", []move{
		{"Queued", "Sent", "the room has it"},
		{"Queued", "Failed", "the room refuses it, or a day is over"},
		{"Queued", "Unwanted", "what waited was decided, or the channel does not want it any more"},
		{"Queued", "Doubtful", "a back-up in which it waited was put back"},
	}},
	{"Re-reading of the world", "internal/platform/epoch", []move{
		{"StateOpen", "StateWaiting", "all was read, and two persons have to confirm"},
		{"StateOpen", "StateEnded", "all was read"},
		{"StateWaiting", "StateOpen", "something else shows that the database is old"},
		{"StateWaiting", "StateEnded", "two persons confirm"},
	}},
}

// stored are the columns of the schema that hold a state, with the records whose states they are.
var stored = map[string][]string{
	"approvals.outcome":               {"Approval that a job carries out"},
	"approvals.status":                {"Approval"},
	"bank_accounts.validation_status": {"Bank account validation"},
	"bank_corrections.state":          {"Correction of a payee's account"},
	"bank_doubts.state":               {"Doubtful booking"},
	"bank_files.state":                {"Payment file"},
	"bank_inbox.state":                {"File of a bank"},
	"bank_payouts.state":              {"Bank payout"},
	"chain_sends.state":               {"Chain send"},
	"deposits.state":                  {"Deposit"},
	"documents.status":                {"Document"},
	"ebics_contracts.state":           {"EBICS contract"},
	"ebics_uploads.state":             {"EBICS upload"},
	"idv_applicants.status":           {"Organisation onboarding"},
	"idv_events.state":                {"Event of the identity provider"},
	"invoice_links.status":            {"Invoice link"},
	"ledger_verifications.state":      {"Verification of the book"},
	"chat_messages.state":             {"Message to a chat"},
	"mails.state":                     {"Mail"},
	"members.onboarding_status":       {"Organisation onboarding"},
	"organisations.onboarding_status": {"Organisation onboarding"},
	"payables.status":                 {"Payable"},
	"payments.outcome":                {"Outcome of a payment"},
	"payout_returns.state":            {"Return of a payment"},
	"quotes.status":                   {"Quote"},
	"receivables.state":               {"Receivable"},
	"rereadings.state":                {"Re-reading of the world"},
	"review_cases.status":             {"Review by hand"},
	"screening_cases.status":          {"Screening case"},
	"stock_reservations.state":        {"Reservation of stock"},
	"transactions.settlement_status": {
		"Settlement status of a CRYPTO transaction",
		"Settlement status of a FIAT transaction",
		"Settlement status of an ONRAMP transaction",
	},
	"transactions.status": {
		"Transaction status",
		"Status of a FIAT transaction",
		"Status of an ONRAMP transaction",
	},
	"effects.state":             {"Effect of the house"},
	"schedules.state":           {"Schedule"},
	"schedule_days.state":       {"Day of a schedule"},
	"wallets.ownership_status":  {"Wallet ownership"},
	"wallets.screening_status":  {"Wallet screening"},
	"webhook_deliveries.status": {"Delivery of an event"},
}

// told are columns that are named like a state in which no record waits, and what they hold.
var told = map[string]string{
	"bank_entries.status":                   "what the bank says of a booking; a doubtful one waits in bank_doubts",
	"bank_reports.status":                   "what a report of the bank says, for ever",
	"chain_attempts.outcome":                "what a node answered to a broadcast; evidence of nothing",
	"house_checks.state":                    "what the latest comparison found; the next one, each minute, finds it anew",
	"idempotency.status":                    "the status of an HTTP answer",
	"idv_applicants.review_status":          "the provider's words",
	"idv_events.outcome":                    "a sentence for people",
	"screenings.status":                     "a provider's answer",
	"transaction_history.settlement_status": "what a transaction was",
	"transaction_history.status":            "what a transaction was",
	"webhook_attempts.http_status":          "the status of an HTTP answer",
}

// noRecords are types of states that no record waits in, and why.
var noRecords = map[string]string{
	"internal/app/setup.State":                "what a check of the set-up found",
	"internal/directory/safetx.Status":        "worked out from the chain when it is read",
	"internal/payments/house.State":           "what the latest comparison found; the next one, each minute, finds it anew",
	"internal/rails/bank.PayeeStatus":         "what a bank said of a name",
	"internal/rails/chain/contract.LegStatus": "what a receipt says",
	"internal/rails/liquidity.Status":         "a provider's answer",
	"internal/rails/screening.Status":         "a provider's answer",
	"internal/standards/iso20022/camt.Status": "what a statement says",
}

// simulated are files that are no part of the product.
var simulated = regexp.MustCompile(
	`_test\.go$|test/|sim/|/world/|devchain|faultrpc|/demo/|anvil|safecode|simulator|bench/|^clients/`,
)

// node is a function of the source: its folder, and its name without the receiver.
type node struct{ pkg, name string }

// graph is who names whom in the product's source.
type graph struct {
	calls    map[node]map[node]bool
	mentions map[node]map[node]bool // constants of states, as node{folder, constant}
	roots    map[string]map[node]bool
	consts   map[node]string     // texts of constants
	kinds    map[node]string     // folder.Type of constants of states
	abstract map[node]bool       // methods of interfaces
	known    map[string][]string // by folder: itself, and the folders of records that it imports
	types    map[string]bool     // folder.Type of states
	records  []record
	ops      map[string]string // method and path by operation
}

// A column that holds a state belongs to a record of the walk, so that a new record cannot be forgotten.
func TestEveryStoredStateIsWalked(t *testing.T) {
	columns, err := db.Select(t.Context(), dbtest.SQLite(t), func(s *string) []any { return []any{s} },
		`SELECT t.name || '.' || c.name FROM sqlite_master t, pragma_table_info(t.name) c
			WHERE t.type = 'table' ORDER BY 1`)
	if err != nil {
		t.Fatal(err)
	}

	columns = slices.DeleteFunc(columns, func(name string) bool { return !stateColumn.MatchString(name) })
	walked := map[string]bool{}

	for _, r := range readGraph(t).records {
		walked[r.name] = false
	}

	for _, column := range columns {
		if (stored[column] == nil) == (told[column] == "") {
			t.Errorf("%s: name the records whose state it holds in stored, or in told what it holds instead", column)
		}
	}

	for _, column := range slices.Concat(slices.Collect(maps.Keys(stored)), slices.Collect(maps.Keys(told))) {
		if !slices.Contains(columns, column) {
			t.Errorf("the schema has no column %s", column)
		}

		for _, record := range stored[column] {
			if _, known := walked[record]; !known {
				t.Errorf("%s: no record of the walk is called %q", column, record)
			}

			walked[record] = true
		}
	}

	for _, name := range slices.Sorted(maps.Keys(walked)) {
		if !walked[name] {
			t.Errorf("%s: no column of stored holds its state", name)
		}
	}
}

func TestEveryStateHasAnExitFresh(t *testing.T) {
	g := readGraph(t)
	reach := g.reach()

	var page strings.Builder

	page.WriteString(
		"# What ends a state\n\nWritten from the source by a test. For each state that is not final: the moves out " +
			"of it, and what makes them. Calls are\nfollowed by their names, so a move may list more than makes it; at most " +
			fmt.Sprint(
				mostExits,
			) + " are listed, the nearest first. An approval is\n`POST /operations/approvals/{id}/decision`, or of an " +
			"organisation's own `POST /approvals/{id}/decision`.\n",
	)

	for _, r := range g.records {
		fmt.Fprintf(&page, "\n## %s\n\n| State | Becomes | When | By |\n|---|---|---|---|\n", r.name)

		left := map[string]bool{}
		open := map[string]bool{}

		for _, m := range merged(r.moves) {
			open[m.from] = true

			exits := reach[node{r.pkg, m.to}]
			if len(exits) == 0 {
				t.Logf("%s: nothing moves %s to %s (%s)", r.name, m.from, m.to, m.on)
				continue
			}

			left[m.from] = true
			from, to := g.consts[node{r.pkg, m.from}], g.consts[node{r.pkg, m.to}]
			fmt.Fprintf(&page, "| %s | %s | %s | %s |\n", from, to, m.on, strings.Join(exits, ", "))
		}

		for _, s := range slices.Sorted(maps.Keys(open)) {
			if !left[s] {
				t.Errorf("%s: nothing but tests leaves %s", r.name, s)
			}
		}
	}

	for name := range g.types {
		if _, excused := noRecords[name]; !excused && !g.tabled(name) {
			t.Errorf(
				"%s is the state of a record without moves: give it a table, or list it in loose or noRecords",
				name,
			)
		}
	}

	if *update {
		if err := os.WriteFile(exitsPage, []byte(page.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}

	if text, _ := os.ReadFile(exitsPage); string(text) != page.String() {
		t.Errorf("%s is stale: run this test with -update", exitsPage)
	}
}

// merged returns the moves that leave a state, each once, with all of their causes.
func merged(all []move) []move {
	var out []move

	for _, m := range all {
		i := slices.IndexFunc(out, func(x move) bool { return x.from == m.from && x.to == m.to })

		switch {
		case m.from == "" || m.from == m.to: // it begins, or stays

		case i < 0:
			out = append(out, m)
		default:
			out[i].on += "; " + m.on
		}
	}

	return out
}

// tabled reports whether a type of states, as folder.Type, has moves.
func (g *graph) tabled(name string) bool {
	return slices.ContainsFunc(g.records, func(r record) bool {
		return slices.ContainsFunc(r.moves, func(m move) bool { return g.typeOf(node{r.pkg, m.to}) == name })
	})
}

func (g *graph) typeOf(constant node) string { return g.kinds[constant] }

// readGraph reads the product's source.
func readGraph(t *testing.T) *graph {
	t.Helper()

	g := &graph{
		calls:    map[node]map[node]bool{},
		mentions: map[node]map[node]bool{},
		roots:    map[string]map[node]bool{},
		consts:   map[node]string{},
		kinds:    map[node]string{},
		abstract: map[node]bool{},
		known:    map[string][]string{},
		types:    map[string]bool{},
		records:  slices.Clone(loose),
		ops:      operations(t),
	}

	var product []source

	for _, s := range load(t, "..") {
		if !s.test && !simulated.MatchString(s.path) {
			product = append(product, s)
		}
	}

	for _, s := range product {
		g.readConstants(s)
		g.readImports(s)
	}

	for _, s := range product {
		g.readTables(s)
	}

	for _, r := range loose { // their constants may have no type of their own
		for _, m := range r.moves {
			for _, name := range []string{m.from, m.to} {
				if at := (node{r.pkg, name}); g.kinds[at] == "" {
					g.kinds[at] = r.pkg + "." + r.name
				}
			}
		}
	}

	for _, s := range product {
		for _, d := range s.file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Body != nil {
				g.readFunction(s, f)
			}
		}
	}

	return g
}

// readImports notes of which packages the methods may be that a folder calls, and the methods of interfaces.
func (g *graph) readImports(s source) {
	known := append(g.known[s.folder()], imported(s)...)
	slices.Sort(known)
	g.known[s.folder()] = slices.Compact(known)

	ast.Inspect(s.file, func(n ast.Node) bool {
		if i, ok := n.(*ast.InterfaceType); ok {
			for _, m := range i.Methods.List {
				for _, name := range m.Names {
					g.abstract[node{s.folder(), name.Name}] = true
				}
			}
		}

		return true
	})
}

// imported returns the folder of a file, and the folders that it imports and in which something waits.
func imported(s source) []string {
	out := []string{s.folder()}

	for _, pkg := range s.imports {
		if pkg, ours := strings.CutPrefix(pkg, module); ours && business(pkg) {
			out = append(out, pkg)
		}
	}

	return out
}

// business reports whether a folder is one of a business noun, or of a record of the platform's own.
func business(pkg string) bool {
	return !strings.HasPrefix(pkg, "internal/platform") && !strings.HasPrefix(pkg, "internal/core") &&
		!strings.HasPrefix(pkg, "internal/standards") ||
		slices.ContainsFunc(loose, func(r record) bool { return r.pkg == pkg })
}

// reachable returns of which packages the methods may be that a file calls. A command has only those that its file
// imports, since all commands are one package.
func (g *graph) reachable(s source) []string {
	if strings.HasPrefix(s.folder(), "cmd/") {
		return imported(s)
	}

	return g.known[s.folder()]
}

// operations returns the operations of the interface, by their identifiers.
func operations(t *testing.T) map[string]string {
	t.Helper()

	raw, err := os.ReadFile("../docs/openapi.json")
	if err != nil {
		t.Fatal(err)
	}

	var document struct {
		Paths map[string]map[string]struct {
			ID string `json:"operationId"`
		} `json:"paths"`
	}
	if err := json.Unmarshal(raw, &document); err != nil {
		t.Fatal(err)
	}

	out := map[string]string{}

	for at, methods := range document.Paths {
		for method, o := range methods {
			if o.ID != "" {
				out[o.ID] = strings.ToUpper(method) + " " + at
			}
		}
	}

	return out
}

var (
	stateType   = regexp.MustCompile(`(State|Status)$`)
	stateColumn = regexp.MustCompile(`[._](state|status|outcome)$`)
)

// readConstants notes the constants of types of states, with their texts.
func (g *graph) readConstants(s source) {
	for _, d := range s.file.Decls {
		decl, ok := d.(*ast.GenDecl)
		if !ok || decl.Tok != token.CONST {
			continue
		}

		for _, spec := range decl.Specs {
			v, ok := spec.(*ast.ValueSpec)
			if !ok || len(v.Names) != 1 || len(v.Values) != 1 {
				continue
			}

			text, ok := textOf(v.Values[0])
			if !ok {
				continue
			}

			at := node{s.folder(), v.Names[0].Name}
			g.consts[at] = text

			if kind, ok := v.Type.(*ast.Ident); ok && stateType.MatchString(kind.Name) {
				g.kinds[at] = s.folder() + "." + kind.Name
				g.types[g.kinds[at]] = true
			}
		}
	}
}

func textOf(x ast.Expr) (string, bool) {
	l, ok := x.(*ast.BasicLit)
	if !ok || l.Kind != token.STRING {
		return "", false
	}

	text, err := strconv.Unquote(l.Value)

	return text, err == nil
}

// readTables notes the transition tables of a file: each call of state.New with the moves in it.
func (g *graph) readTables(s source) {
	ast.Inspect(s.file, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || !isSelector(call.Fun, "state", "New") {
			return true
		}

		name, _ := textOf(call.Args[0])
		r := record{name: name, pkg: s.folder()}

		for _, arg := range call.Args[1:] {
			ast.Inspect(arg, func(n ast.Node) bool {
				if m, ok := moveOf(n); ok {
					r.moves = append(r.moves, m)
				}

				return true
			})
		}

		g.records = append(g.records, r)

		for _, m := range r.moves {
			if at := (node{r.pkg, m.to}); g.kinds[at] == "" {
				g.kinds[at] = r.pkg + "." + r.name
			}
		}

		return false
	})
}

func isSelector(x ast.Expr, of, name string) bool {
	sel, ok := x.(*ast.SelectorExpr)
	if !ok || sel.Sel.Name != name {
		return false
	}

	id, ok := sel.X.(*ast.Ident)

	return ok && id.Name == of
}

// moveOf returns the move that a literal with a field To writes.
func moveOf(n ast.Node) (m move, ok bool) {
	l, is := n.(*ast.CompositeLit)
	if !is {
		return m, false
	}

	for _, e := range l.Elts {
		kv, is := e.(*ast.KeyValueExpr)
		if !is {
			return m, false
		}

		key, is := kv.Key.(*ast.Ident)
		if !is {
			return m, false
		}

		value, _ := kv.Value.(*ast.Ident)
		text, _ := textOf(kv.Value)

		switch {
		case key.Name == "From" && value != nil:
			m.from = value.Name
		case key.Name == "To" && value != nil:
			m.to = value.Name
		case key.Name == "On":
			m.on = text
		}
	}

	return m, m.to != ""
}

// readFunction notes whom a function names, which states it mentions, and what calls it from outside.
func (g *graph) readFunction(s source, f *ast.FuncDecl) {
	at := node{s.folder(), f.Name.Name}

	for name := range g.namesIn(s, f.Body, at) {
		add(g.calls, at, name)
	}

	if strings.HasPrefix(at.pkg, "cmd/") && f.Name.Name == "Run" && f.Recv != nil {
		g.addCommand(s, f)
	}

	ast.Inspect(f.Body, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			g.readRegistration(s, f, call)
		}

		return true
	})

	if observes(s.folder(), f) {
		g.addRoot("a chain's or a bank's report ("+f.Name.Name+")", map[node]bool{at: true})
	}

	if at == (node{"internal/rails/chain", "Run"}) {
		g.addRoot("the sender of the chain", map[node]bool{at: true})
	}
}

// observes reports whether a method is one by which the rails report.
func observes(folder string, f *ast.FuncDecl) bool {
	reports := []string{
		"Seen",
		"Lost",
		"Final",
		"Refused",
		"Failed",
		"HandedOver",
		"Booked",
		"Rejected",
		"Held",
		"Returned",
		"Credited",
		"Debited",
		"Withdrawn",
		"Answered",
	}

	return folder == "internal/payments/settlement" && f.Recv != nil && slices.Contains(reports, f.Name.Name)
}

// addCommand notes a command that works on the database: bankSettleCommand is slipway bank settle.
func (g *graph) addCommand(s source, f *ast.FuncDecl) {
	kind := f.Recv.List[0].Type
	if p, ok := kind.(*ast.StarExpr); ok {
		kind = p.X
	}

	id, ok := kind.(*ast.Ident)
	if !ok {
		return
	}

	var words []string

	word := ""
	for _, r := range strings.TrimSuffix(id.Name, "Command") {
		if unicode.IsUpper(r) {
			words = append(words, word)
			word = ""
		}

		word += string(unicode.ToLower(r))
	}

	names := g.namesIn(s, f.Body, node{})
	if names[node{s.folder(), "tool"}] || names[node{s.folder(), "withBank"}] ||
		names[node{s.folder(), "withEBICS"}] { // others call the API, or begin the service
		g.addRoot("`slipway "+strings.TrimSpace(strings.Join(append(words, word), " "))+"`", names)
	}
}

// readRegistration notes an operation, a job or an approval.
func (g *graph) readRegistration(s source, f *ast.FuncDecl, call *ast.CallExpr) {
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || len(call.Args) < 2 {
		return
	}

	last := call.Args[len(call.Args)-1]

	switch {
	case isSelector(call.Fun, "web", "Register") && len(call.Args) == 3:
		for _, id := range g.operationsIn(s, f, call.Args[1]) {
			if strings.HasPrefix(g.ops[id], "GET ") {
				continue // a read moves nothing
			}

			g.addRoot("`"+g.ops[id]+"`", g.namesIn(s, last, node{}))
		}

	case sel.Sel.Name == "Reader": // of internal/platform/epoch
		g.addRoot("job reread", g.namesIn(s, last, node{}))

	case sel.Sel.Name == "Handle" || sel.Sel.Name == "Every":
		name := g.nameOf(s, call.Args[0])
		if _, approval := last.(*ast.CompositeLit); approval {
			g.addRoot("approval "+strings.ToUpper(name), g.namesIn(s, last, node{}))
		} else {
			g.addRoot("job "+name, g.namesIn(s, last, node{}))
		}
	}
}

// operationsIn returns the operations that an expression names by their identifiers. A variable stands for all that the
// function writes, and a call of the file's own for what is called.
func (g *graph) operationsIn(s source, f *ast.FuncDecl, x ast.Expr) []string {
	var within ast.Node = x
	if variable, ok := x.(*ast.Ident); ok {
		within = assigned(f, variable.Name)
	}

	if call, ok := x.(*ast.CallExpr); ok && len(call.Args) == 0 {
		within = called(s, call)
	}

	if within == nil {
		return nil
	}

	var out []string

	ast.Inspect(within, func(n ast.Node) bool {
		if l, ok := n.(*ast.BasicLit); ok {
			if text, ok := textOf(l); ok && g.ops[text] != "" {
				out = append(out, text)
			}
		}

		return true
	})

	return out
}

// called returns the function of a file that a call names.
func called(s source, call *ast.CallExpr) ast.Node {
	for _, d := range s.file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if id, plain := call.Fun.(*ast.Ident); ok && plain && f.Recv == nil && f.Name.Name == id.Name {
			return f.Body
		}
	}

	return call
}

// assigned returns what a function assigns to a variable last.
func assigned(f *ast.FuncDecl, name string) (out ast.Node) {
	ast.Inspect(f.Body, func(n ast.Node) bool {
		if a, ok := n.(*ast.AssignStmt); ok && a.Tok == token.DEFINE {
			if id, ok := a.Lhs[0].(*ast.Ident); ok && id.Name == name {
				out = a.Rhs[0]
			}
		}

		return true
	})

	return out
}

// nameOf returns the text of a name of a job or of a kind of approvals.
func (g *graph) nameOf(s source, x ast.Expr) string {
	if text, ok := textOf(x); ok {
		return text
	}

	switch v := x.(type) {
	case *ast.Ident:
		return cmp.Or(g.consts[node{s.folder(), v.Name}], v.Name)
	case *ast.SelectorExpr:
		if pkg, ok := v.X.(*ast.Ident); ok {
			return cmp.Or(g.consts[node{strings.TrimPrefix(s.imports[pkg.Name], module), v.Sel.Name}], v.Sel.Name)
		}
	}

	return "?"
}

func (g *graph) addRoot(name string, to map[node]bool) {
	for n := range to {
		add(g.roots, name, n)
	}
}

func add[K comparable](all map[K]map[node]bool, from K, to node) {
	if all[from] == nil {
		all[from] = map[node]bool{}
	}

	all[from][to] = true
}

// field is the folder of fields that hold a function, and anywhere the one of methods of interfaces.
const (
	field    = "*"
	anywhere = "**"
)

// isFunction reports whether an expression may be a function that is called later.
func isFunction(x ast.Expr) bool {
	switch x.(type) {
	case *ast.SelectorExpr, *ast.Ident, *ast.FuncLit:
		return true
	}

	return false
}

// namesIn returns whom a piece of source names, and notes the states that it mentions for a function. A state that is
// only compared is not mentioned.
func (g *graph) namesIn(s source, within ast.Node, of node) map[node]bool {
	out := map[node]bool{}

	ast.Inspect(within, func(n ast.Node) bool {
		switch v := n.(type) {
		case *ast.CaseClause:
			for _, stmt := range v.Body {
				maps.Copy(out, g.namesIn(s, stmt, of))
			}

			return false

		case *ast.BinaryExpr:
			if v.Op == token.EQL || v.Op == token.NEQ {
				return false
			}

		case *ast.KeyValueExpr: // a function that is kept in a field is called by the field's name
			if key, ok := v.Key.(*ast.Ident); ok {
				value := g.namesIn(s, v.Value, of)
				maps.Copy(out, value)

				if isFunction(v.Value) {
					for name := range value {
						add(g.calls, node{field, key.Name}, name)
					}
				}

				return false
			}

		case *ast.SelectorExpr:
			if pkg, ok := v.X.(*ast.Ident); ok && strings.HasPrefix(s.imports[pkg.Name], module) {
				g.name(out, node{strings.TrimPrefix(s.imports[pkg.Name], module), v.Sel.Name}, of)
				return false
			}

			out[node{field, v.Sel.Name}] = true

			for _, pkg := range g.reachable(s) {
				out[node{pkg, v.Sel.Name}] = true

				if g.abstract[node{pkg, v.Sel.Name}] {
					out[node{anywhere, v.Sel.Name}] = true
				}
			}

		case *ast.Ident:
			g.name(out, node{s.folder(), v.Name}, of)

		case *ast.BasicLit: // a state that SQL writes
			if text, ok := textOf(v); ok && strings.Contains(text, "SET ") {
				g.mentionSQL(s.folder(), text, of)
			}
		}

		return true
	})

	return out
}

func (g *graph) name(out map[node]bool, n, of node) {
	if _, constant := g.kinds[n]; constant {
		if of != (node{}) {
			add(g.mentions, of, n)
		}

		return
	}

	out[n] = true
}

var sqlText = regexp.MustCompile(`SET .*?'([A-Z_]+)'`)

func (g *graph) mentionSQL(folder, text string, of node) {
	for _, found := range sqlText.FindAllStringSubmatch(text, -1) {
		for at := range g.kinds {
			if at.pkg == folder && g.consts[at] == found[1] {
				add(g.mentions, of, at)
			}
		}
	}
}

// cut are functions that name all others, because they build or register them.
func cut(n node) bool {
	return n.name == "New" || n.name == "Routes" || strings.HasSuffix(n.name, "Routes") ||
		strings.HasPrefix(n.name, "build") || n.name == "tool" || n.name == "withBank" || n.name == "Open"
}

// reach returns, for each constant of a state, what leads to a function that mentions it: the nearest first.
func (g *graph) reach() map[node][]string {
	number, next := g.numbered()
	nearest := map[node]map[string]int{}

	for root, first := range g.roots {
		seen := make([]int, len(next))

		var queue []int

		for n := range first {
			if i, known := number[n]; known {
				seen[i] = 1
				queue = append(queue, i)
			}
		}

		for len(queue) > 0 {
			n := queue[0]
			queue = queue[1:]

			for _, x := range next[n].calls {
				if seen[x] == 0 {
					seen[x] = seen[n] + 1
					queue = append(queue, x)
				}
			}

			for _, c := range next[n].mentions {
				if nearest[c] == nil {
					nearest[c] = map[string]int{}
				}

				if d, known := nearest[c][root]; !known || seen[n] < d {
					nearest[c][root] = seen[n]
				}
			}
		}
	}

	out := map[node][]string{}
	for c, roots := range nearest {
		names := slices.Collect(maps.Keys(roots))
		slices.SortFunc(
			names,
			func(a, b string) int { return cmp.Or(cmp.Compare(roots[a], roots[b]), cmp.Compare(a, b)) },
		)
		names = slices.DeleteFunc(names, func(name string) bool { return roots[name] > roots[names[0]]+apart })
		out[c] = names[:min(len(names), mostExits)]
	}

	return out
}

// step is what follows from a function.
type step struct {
	calls    []int
	mentions []node
}

// numbered returns the functions by numbers, with what follows from each.
func (g *graph) numbered() (number map[node]int, next []step) {
	number = map[node]int{}
	all := map[node]bool{}

	for n, calls := range g.calls {
		all[n] = true
		maps.Copy(all, calls)
	}

	for n := range g.mentions {
		all[n] = true
	}

	byName := map[string][]int{}

	for n := range all {
		number[n] = len(number)

		if n.pkg != anywhere && n.pkg != field {
			byName[n.name] = append(byName[n.name], number[n])
		}
	}

	next = make([]step, len(number))

	for n, i := range number {
		if cut(n) {
			continue
		}

		for c := range g.calls[n] {
			next[i].calls = append(next[i].calls, number[c])
		}

		if n.pkg == anywhere {
			next[i].calls = append(next[i].calls, byName[n.name]...)
		}

		next[i].mentions = slices.Collect(maps.Keys(g.mentions[n]))
	}

	return number, next
}
