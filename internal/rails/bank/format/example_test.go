package format_test

import (
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"slipway/internal/rails/bank/format"
	"slipway/internal/rails/bank/format/formattest"
)

// Table is a format as a bank of one country may have it: a table of payments, separated by semicolons. It is the
// example of CONTRIBUTING.md, and in no product.
type Table struct{}

// Name returns table.
func (Table) Name() string { return "table" }

// Rails returns the rail of the country's own clearing.
func (Table) Rails() []string { return []string{"NEFT"} }

// Check returns what an account lacks.
func (Table) Check(a format.Account) []string {
	if a.AccountNumber == "" {
		return []string{"account_number is needed for tables"}
	}

	return nil
}

// Identity returns all of an identification: the column has room for it.
func (Table) Identity(endToEnd string) string { return endToEnd }

// Names reports whether a text is such an identification.
func (Table) Names(text string) bool { return format.IsID(text, format.Tail) }

// Block returns nothing: the bank books each payment by itself.
func (Table) Block(string, format.Payment) string { return "" }

// MessageOfBlock knows no block.
func (Table) MessageOfBlock(string) (string, bool) { return "", false }

// FileName returns table-….csv.
func (Table) FileName(message string) string { return format.NamedFile("table", message, "csv") }

// MessageOf is the reverse of FileName.
func (Table) MessageOf(name string) (string, bool) { return format.MessageNamed("table", name, "csv") }

// Day returns the first working day.
func (Table) Day(_ format.Account, at time.Time, next func(time.Time) time.Time) time.Time {
	return next(at)
}

// Write writes a row for each payment, and a last one that counts them.
func (Table) Write(o format.Order) ([]byte, int, error) {
	rows := [][]string{{"PAY", o.Message, o.Day, o.From.AccountNumber, o.From.Currency}}
	refused := &format.Refused{}

	for i, p := range o.Payments {
		if p.Creditor.Name == "" || strings.ContainsAny(p.Creditor.Name, ";\n") {
			refused.Faults = append(
				refused.Faults,
				format.Fault{Payment: i, Field: "creditor/name", Detail: "is needed"},
			)
		}

		rows = append(
			rows,
			[]string{p.Identity, p.Amount.String(), p.Account.IFSC, p.Account.AccountNumber, p.Creditor.Name},
		)
	}

	if len(refused.Faults) > 0 {
		return nil, 0, refused
	}

	var b bytes.Buffer
	for _, row := range append(rows, []string{"END", "", "", "", ""}) {
		b.WriteString(strings.Join(row, ";") + "\n")
	}

	return b.Bytes(), 0, nil
}

// Looks reports whether a file is such a table.
func (Table) Looks(head []byte) bool { return bytes.HasPrefix(head, []byte("PAY;"+format.Prefix)) }

// Read reads a table again.
func (Table) Read(in io.Reader, limit int64) (out format.Written, err error) {
	r := csv.NewReader(io.LimitReader(in, limit))
	r.Comma = ';'

	rows, err := r.ReadAll()
	if err != nil || len(rows) < 2 || rows[len(rows)-1][0] != "END" {
		return out, errors.Join(err, errors.New("the last row is missing"))
	}

	out = format.Written{Message: rows[0][1], Day: rows[0][2], Debtor: rows[0][3], Currency: rows[0][4]}
	for _, row := range rows[1 : len(rows)-1] {
		out.Payments = append(
			out.Payments,
			format.WrittenPayment{Identity: row[0], Amount: row[1], Currency: out.Currency},
		)
	}

	return out, nil
}

// The example of CONTRIBUTING.md keeps what every format must.
func TestTheExampleIsAFormat(t *testing.T) {
	formattest.Check(t, Table{}, format.Account{Currency: "INR", Country: "IN", AccountNumber: "4711"}, "NEFT",
		format.AccountIDs{IFSC: "HDFC0000123", AccountNumber: "50100012345"})
}
