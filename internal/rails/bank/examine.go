package bank

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"fmt"

	"slipway/internal/standards/iso20022"
	"slipway/internal/standards/iso20022/camt"
	"slipway/internal/standards/swiftmt"
)

// examined is the result of the first pass: what would be booked, or why nothing can be.
type examined struct {
	kind       string
	err        error
	statements []statementRow
	findings   []string
	entries    int64
	statuses   []reportedStatus  // of a pain.002
	returns    []announcedReturn // of a pacs.004
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
	switch {
	case bytes.Contains(head, []byte("CstmrPmtStsRpt")):
		return r.examineReport(ctx, in, limits)
	case bytes.Contains(head, []byte("PmtRtr")):
		return r.examineReturns(ctx, in, limits)
	}

	e := &examiner{r: r}
	e.found.err = ReadStatements(in, limits, e)

	return e.found
}

// lookedAt is how much of a file's beginning is inspected to detect its format.
const lookedAt = 4 << 10

// ReadStatements reads a file of statements in the format that its content shows: camt.052, camt.053, camt.054, MT940
// or MT942. The error is *iso20022.Error, or the handler's.
func ReadStatements(in *bufio.Reader, limits iso20022.Limits, h camt.Handler) error {
	head, _ := in.Peek(lookedAt)
	if swiftmt.Looks(head) {
		return swiftmt.Read(in, limits, h)
	}

	return camt.Read(in, limits, h)
}

// examiner runs the first pass over statements.
type examiner struct {
	r      *Rail
	house  HouseAccount
	header camt.Header
	found  examined
}

// Statement checks that a statement is of one of our accounts.
func (e *examiner) Statement(h camt.Header) error {
	house, ok := e.r.house(h.Account, h.Account.Currency)

	e.found.kind = cmp.Or(h.Format, string(h.Kind))
	if !ok {
		e.house = HouseAccount{}
		return &Unusable{CodeAccount, fmt.Sprintf("statement %d is of an account that is not ours", h.Number+1)}
	}

	if len(e.found.statements) >= mostStatements {
		return &Unusable{CodeTooMany, fmt.Sprintf("more than %d statements", mostStatements)}
	}

	s, err := statementOf(h, house)
	if err != nil {
		return &Unusable{codeValue, fmt.Sprintf("statement %d: %v", h.Number+1, err)}
	}

	e.house = house
	e.header = h
	e.found.statements = append(e.found.statements, s)

	return nil
}

// Entry checks that an entry can be booked.
func (e *examiner) Entry(x camt.Entry) error {
	if e.house.ID == "" {
		return &Unusable{CodeAccount, fmt.Sprintf("statement %d is of an account that is not ours", x.Statement+1)}
	}

	e.found.entries++
	_, _, err := checkEntry(&e.house, x)

	return err
}

// End collects a statement's findings, and the balances that follow its entries.
func (e *examiner) End(t camt.Totals) error {
	if len(t.Balances) > 0 {
		e.header.Balances = append(e.header.Balances, t.Balances...)

		s, err := statementOf(e.header, e.house)
		if err != nil {
			return &Unusable{codeValue, fmt.Sprintf("statement %d: %v", t.Statement+1, err)}
		}

		e.found.statements[len(e.found.statements)-1] = s
	}

	for _, f := range t.Findings {
		e.found.findings = append(e.found.findings, fmt.Sprintf("statement %d: %s", t.Statement+1, f.Detail))
	}

	return nil
}
