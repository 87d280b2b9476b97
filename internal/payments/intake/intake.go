// Package intake takes in a table of payees, of payments, or of both: what somebody has kept in a spreadsheet.
//
// It promises that a table is checked as a whole before anything is made of it: each row says what is wrong with it, by
// column, and what it would make. New payees come into being as if a member had typed them, so rules about payees count
// as ever, and payments are drafts that nothing pays. Taking in the same table again makes nothing twice: a payee is
// known by its account, and each payment has a key of its own (store.go). A run that has ended halfway goes on where it
// was.
//
// It does not promise that a draft can be submitted: a new payee may wait for a second person, or for its first day.
//
// Read in this order: intake.go (a table and its rows), columns.go (which column means what), orders.go (payment files
// as tables), check.go (what a row would make), take.go (make it), store.go (the keys of payments), http.go.
package intake

import (
	"context"
	"errors"

	"slipway/internal/core/fault"
	"slipway/internal/directory/bankaccount"
	"slipway/internal/identity/approval"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/db"
	"slipway/internal/standards/sheet"
)

// Limits of one table.
const (
	MaxRows  = 500
	MaxBytes = 2 << 20
	ofOne    = 30 // payments of one transaction
)

// Deps is what the use cases need from elsewhere.
type Deps struct {
	DB *db.DB
	// OrgApproved refuses with ORG_NOT_APPROVED while the organisation's onboardingStatus is not APPROVED.
	OrgApproved  func(ctx context.Context, q db.Querier, organisation string) error
	Accounts     *bankaccount.Service
	Payees       *approval.Payees // nil: no organisation has rules about payees
	Transactions *transaction.Service
}

// Service holds the use cases.
type Service struct{ Deps }

// New returns the service.
func New(d Deps) *Service { return &Service{d} }

// Options are what a person says of a table.
type Options struct {
	Columns []Column     // of each column, Ignored for one that says nothing; nil: they are recognised
	Header  *bool        // the first row names the columns; nil: it does if it names one
	Without map[int]bool // rows to leave out, by line
}

// Table is a table with what its columns mean.
type Table struct {
	Heads   []string // as the file names them; nil: it has no such row
	Columns []Column
	Rows    []sheet.Row
}

// Read returns the table of a file, and refuses what is none.
func Read(content []byte, o Options) (Table, error) {
	read := func() ([]sheet.Row, error) { return sheet.Read(content, MaxRows+1) }
	if isOrders(content) {
		read = func() ([]sheet.Row, error) { return orders(content) }
	}

	rows, err := read()

	switch {
	case errors.Is(err, sheet.ErrRows):
		return Table{}, refuse(fault.TooLong, "The table may have at most %d rows.", MaxRows)
	case err != nil:
		return Table{}, refuse(fault.FormatInvalid, "The file cannot be read as a table: %s.", err)
	}

	t := Table{Rows: rows}
	named := recognised(rows[0].Cells)

	if o.Header != nil && *o.Header || o.Header == nil && named != nil {
		t.Heads = rows[0].Cells
		t.Rows = rows[1:]
	} else {
		named = nil
	}

	if len(t.Rows) > MaxRows {
		return Table{}, refuse(fault.TooLong, "The table may have at most %d rows.", MaxRows)
	}

	width := len(t.Heads)
	for _, r := range t.Rows {
		width = max(width, len(r.Cells))
	}

	if t.Columns = o.Columns; t.Columns == nil {
		t.Columns = guessed(named, t.Rows, width)
	}

	for len(t.Columns) < width {
		t.Columns = append(t.Columns, Ignored)
	}

	return t, nil
}

func refuse(code fault.Code, message string, args ...any) error {
	var l fault.List
	l.Add("/file", code, message, args...)

	return l.Err()
}
