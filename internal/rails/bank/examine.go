package bank

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"

	"slipway/internal/standards/iso20022"
	"slipway/internal/standards/iso20022/camt"
	"slipway/internal/standards/swiftmt"
)

// examined is the result of the first pass: what would be booked, or why nothing can be.
type examined struct {
	kind       string
	err        error
	statements []statementRow
	findings   []unsound
	remarks    []string
	entries    int64
	report     *reported // of payments; nil for statements
}

// unsound is why the sums of a statement do not hold.
type unsound struct {
	statement int64 // its number
	text      string
}

// rest returns what would be booked of a file besides the statements of it that are stored: those that were left out,
// because their accounts were not ours.
func (f examined) rest(stored []statementRow) examined {
	known := map[int64]bool{}
	for _, s := range stored {
		known[s.Number] = true
	}

	f.statements = slices.DeleteFunc(slices.Clone(f.statements), func(s statementRow) bool { return known[s.Number] })
	f.findings = slices.DeleteFunc(slices.Clone(f.findings), func(x unsound) bool { return known[x.statement] })

	return f
}

// mostStatements limits what is held in memory of one file.
const mostStatements = 1000

// examine reads a file to its end and keeps only the headers of statements, or the contents of a report.
func (r *Rail) examine(ctx context.Context, s *spool) examined {
	return r.examineStream(ctx, bufio.NewReaderSize(s, 64<<10))
}

func (r *Rail) examineStream(ctx context.Context, in *bufio.Reader) examined {
	head, _ := in.Peek(lookedAt)
	head = iso20022.Head(head)

	limits := iso20022.Limits{Bytes: r.c.MaxFile, Statuses: mostStatuses}

	for _, reporter := range reporters() {
		if reporter.Looks(head) {
			return r.examineReport(ctx, reporter, in, limits)
		}
	}

	e := &examiner{r: r}

	e.found.err = ReadStatements(in, limits, r.Charset, e)
	if e.found.err == nil {
		e.found.err = e.nothingOurs()
	}

	return e.found
}

// lookedAt is how much of a file's beginning is inspected to detect its format.
const lookedAt = 4 << 10

// ReadStatements reads a file of statements in the format that its content shows: camt.052, camt.053, camt.054, MT940,
// MT942 or BAI2. charset says in which encoding an account's MT940 is written, and may be nil. The error is
// *iso20022.Error, or the handler's.
func ReadStatements(in *bufio.Reader, limits iso20022.Limits, charset swiftmt.Charset, h camt.Handler) error {
	head, _ := in.Peek(lookedAt)

	for _, f := range statements() {
		if f.looks(head) {
			return f.read(in, limits, charset, h)
		}
	}

	return nil // the last one takes everything
}

// Charset returns the encoding of an account's MT940, as its bank writes it.
func (r *Rail) Charset(a camt.Account) string {
	h, _ := r.house(a, a.Currency)
	return h.StatementEncoding
}

// examiner runs the first pass over statements.
type examiner struct {
	r      *Rail
	house  HouseAccount
	header camt.Header
	left   int // statements of accounts that are not ours
	found  examined
}

// Statement notes a statement of one of our accounts. One of another account is left out: a bank may put all accounts
// of a company into one file.
func (e *examiner) Statement(h camt.Header) error {
	house, ok := e.r.house(h.Account, h.Account.Currency)

	e.house = house

	e.found.kind = cmp.Or(h.Format, string(h.Kind))
	if !ok {
		e.leftOut(h)
		return nil
	}

	if len(e.found.statements) >= mostStatements {
		return &Unusable{CodeTooMany, fmt.Sprintf("more than %d statements", mostStatements)}
	}

	s, err := statementOf(h, house)
	if err != nil {
		return &Unusable{codeValue, fmt.Sprintf("statement %d: %v", h.Number+1, err)}
	}

	e.header = h
	e.found.statements = append(e.found.statements, s)

	return nil
}

// leftOut remarks that a statement is of an account that is not ours.
func (e *examiner) leftOut(h camt.Header) {
	account := cmp.Or(h.Account.ID(), "without a number")
	if h.Account.Currency != "" {
		account += " (" + h.Account.Currency + ")"
	}

	e.left++
	e.remark(
		"statement " + strconv.Itoa(h.Number+1) + " is of the account " + account + ", which is not ours: left out",
	)
}

// mostRemarks limits what is said about one file.
const mostRemarks = 20

func (e *examiner) remark(what string) {
	if !slices.Contains(e.found.remarks, what) && len(e.found.remarks) < mostRemarks {
		e.found.remarks = append(e.found.remarks, what)
	}
}

// nothingOurs is the refusal of a file in which every statement is of another's account.
func (e *examiner) nothingOurs() error {
	if e.left == 0 || len(e.found.statements) > 0 {
		return nil
	}

	what := "statement 1 is"
	if e.left > 1 {
		what = "all " + strconv.Itoa(e.left) + " statements are"
	}

	return &Unusable{CodeAccount, what + " of an account that is not ours"}
}

// Entry checks that an entry can be booked.
func (e *examiner) Entry(x camt.Entry) error {
	if e.house.ID == "" {
		return nil
	}

	e.found.entries++
	_, _, err := checkEntry(&e.house, x)

	return err
}

// End collects a statement's findings, and the balances that follow its entries.
func (e *examiner) End(t camt.Totals) error {
	for _, remark := range t.Remarks {
		e.remark(remark)
	}

	if e.house.ID == "" {
		return nil
	}

	if len(t.Balances) > 0 {
		e.header.Balances = append(e.header.Balances, t.Balances...)

		s, err := statementOf(e.header, e.house)
		if err != nil {
			return &Unusable{codeValue, fmt.Sprintf("statement %d: %v", t.Statement+1, err)}
		}

		e.found.statements[len(e.found.statements)-1] = s
	}

	for _, f := range t.Findings {
		e.found.findings = append(
			e.found.findings,
			unsound{int64(t.Statement), fmt.Sprintf("statement %d: %s", t.Statement+1, f.Detail)},
		)
	}

	return nil
}
