package nacha

import (
	"fmt"
	"io"
	"strings"

	"slipway/internal/rails/bank/format"
	"slipway/internal/standards/iso20022"
	"slipway/internal/standards/iso20022/pain"
	"slipway/internal/standards/nacha"
)

// Report reads what an originating bank sends in the form of a Nacha file.
type Report struct{}

// Kind returns Nacha.
func (Report) Kind() string { return "Nacha" }

// Looks reports whether a file is a Nacha file.
func (Report) Looks(head []byte) bool { return nacha.Looks(head) }

// rejected begins the place of the trace number, or of the batch's originating bank, where banks send back what they
// have not taken.
const rejected = "REJ"

// Read reads returns (addenda 99), notifications of change (addenda 98), acknowledgements (ACK, ATX) and entries that
// the bank has refused. Entries that say nothing of a payment of ours, such as debits of others, are counted.
func (Report) Read(in io.Reader, limits iso20022.Limits) (format.Report, error) {
	limits = limits.WithDefaults()

	var (
		out    format.Report
		n      int
		others int
	)

	_, err := nacha.Read(in, limits, func(b *nacha.Batch, e nacha.Entry) error {
		n++

		if n > limits.Statuses {
			return &iso20022.Error{
				Code:   iso20022.CodeTooMany,
				Line:   e.Line,
				Detail: "more entries than a report of our payments has",
			}
		}

		if !take(&out, n, b, e) {
			others++
		}

		return nil
	})

	if others > 0 {
		out.Remarks = append(
			out.Remarks,
			fmt.Sprintf("%d entries that say nothing about our payments: left out", others),
		)
	}

	return out, err
}

// take adds what an entry says of a payment, and reports whether it says anything.
func take(out *format.Report, n int, b *nacha.Batch, e nacha.Entry) bool {
	switch {
	case e.Change != nil && e.Change.Refused:
		out.Disputes = append(out.Disputes, format.Dispute{
			Number:   n,
			Identity: e.ID,
			Text:     "the notification of change was refused: " + e.Change.Code,
		})

	case e.Change != nil:
		out.Changes = append(out.Changes, changeOf(n, e))

	case e.Return != nil && nacha.KindOf(e.Return.Code) == nacha.Dishonoured:
		out.Disputes = append(out.Disputes, format.Dispute{
			Number:   n,
			Identity: e.ID,
			Text:     strings.TrimSpace(e.Return.Code + " " + nacha.ReturnText(e.Return.Code)),
		})

	case e.Return != nil:
		out.Returns = append(out.Returns, format.Return{
			Number:     n,
			Identity:   e.ID,
			ReasonCode: e.Return.Code,
			Text:       textOf(e.Return),
			Amount:     iso20022.Amount{Value: decimal(e.Cents), Currency: "USD"},
		})

	case strings.HasPrefix(e.Trace, rejected), strings.HasPrefix(b.ODFI, rejected):
		code := e.Trace
		if !strings.HasPrefix(code, rejected) {
			code = b.ODFI
		}

		out.Statuses = append(out.Statuses, status(n, e, pain.Rejected, "RJCT", strings.TrimSpace(code)))

	case b.Class == "ACK" || b.Class == "ATX":
		out.Statuses = append(out.Statuses, status(n, e, pain.UnderWay, "ACSP", ""))

	default:
		return false
	}

	return true
}

func status(n int, e nacha.Entry, meaning pain.Meaning, word, code string) format.Status {
	return format.Status{
		Number:     n,
		Level:      pain.TransactionLevel,
		Identity:   e.ID,
		Status:     word,
		Meaning:    meaning,
		ReasonCode: code,
		Vague:      true,
	}
}

// textOf returns a return's reason in words, with what the bank has added.
func textOf(r *nacha.Return) string {
	text := nacha.ReturnText(r.Code)
	if r.Info == "" {
		return text
	}

	return strings.TrimPrefix(text+": "+r.Info, ": ")
}

func changeOf(n int, e nacha.Entry) format.Change {
	right, ok := e.Change.Corrected()

	out := format.Change{
		Number:   n,
		Identity: e.ID,
		Code:     e.Change.Code,
		Text:     nacha.ChangeText(e.Change.Code),
		Corrected: format.Corrected{
			RoutingNumber: right.Routing,
			AccountNumber: right.Account,
			Name:          right.Name,
		},
		Intelligible: ok,
	}

	switch {
	case right.Code == 0:
	case right.Savings():
		out.Corrected.AccountType = "SAVINGS"
	default:
		out.Corrected.AccountType = "CHECKING"
	}

	return out
}
