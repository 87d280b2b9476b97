package nacha

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"slipway/internal/rails/bank/format"
	"slipway/internal/standards/iso20022/pain"
	"slipway/internal/standards/nacha"
)

// placed is an entry and which payment it is of.
type placed struct {
	payment int // position in the order; -1: the offset
	entry   nacha.Entry
	number  int64 // from which its trace number is made
}

// Write writes a file of up to four batches: persons and companies, each with what is above the same-day limit apart.
func (Format) Write(o format.Order) ([]byte, int, error) {
	w := &writer{o: o, a: o.From.ACH}

	var batches []nacha.Batch

	for _, at := range []byte{persons, companies, personsNext, companieNext} {
		if b, of := w.batch(at); len(of) > 0 {
			batches = append(batches, b)
			w.placed = append(w.placed, of)
		}
	}

	if len(w.faults) > 0 {
		return nil, 0, &format.Refused{Faults: w.faults}
	}

	place, err := time.LoadLocation(zone)
	if err != nil {
		return nil, 0, fmt.Errorf("time zone of ACH: %w", err)
	}

	content, err := nacha.Render(nacha.File{
		Destination:     cmp.Or(w.a.Destination, o.From.RoutingNumber),
		Origin:          w.a.Origin,
		DestinationName: cut(w.plain(cmp.Or(w.a.DestinationName, o.From.BankName)), 23),
		OriginName:      cut(w.plain(cmp.Or(w.a.OriginName, o.From.Holder)), 23),
		Created:         o.Created.In(place),
		Modifier:        nacha.Modifier(o.Number),
		Batches:         batches,
	})

	var refused *nacha.Refused
	if errors.As(err, &refused) {
		return nil, 0, &format.Refused{Faults: w.faultsOf(refused)}
	}

	return content, w.changed, err
}

type writer struct {
	o       format.Order
	a       format.ACH
	placed  [][]placed
	faults  []format.Fault
	changed int
}

// batch returns one batch of the order and its entries.
func (w *writer) batch(at byte) (nacha.Batch, []placed) {
	var of []placed

	for i, p := range w.o.Payments {
		if letter(p) == at {
			of = append(of, w.entry(i, p))
		}
	}

	if len(of) == 0 {
		return nacha.Batch{}, nil
	}

	class := nacha.CCD
	if at == persons || at == personsNext {
		class = nacha.PPD
	}

	if len(w.a.Classes) > 0 && !slices.Contains(w.a.Classes, class) {
		for _, x := range of {
			w.refuse(x.payment, "creditor/name", "the bank has not agreed to entries of class %s", class)
		}
	}

	b := nacha.Batch{
		Company:       cut(w.plain(cmp.Or(w.a.CompanyName, w.o.From.Holder)), 16),
		CompanyID:     cmp.Or(w.a.CompanyID, w.a.Origin),
		Discretionary: blockOf(w.o.Message, at), // statements repeat it beside the sum
		Class:         class,
		Description:   cmp.Or(w.a.Description, "PAYMENT"),
		Effective:     w.effective(at),
		ODFI:          odfi(w.o.From),
	}

	number(of, b.ODFI)

	if w.a.Balanced {
		of = append(of, w.offset(b, of))
	}

	for _, x := range of {
		b.Entries = append(b.Entries, x.entry)
	}

	return b, of
}

// odfi returns the originating bank's eight digits.
func odfi(a format.Account) string { return a.RoutingNumber[:min(8, len(a.RoutingNumber))] }

// effective returns the day of a batch. What is above the same-day limit is for the next day in a file of the same day.
func (w *writer) effective(at byte) time.Time {
	day := w.o.Day

	place, err := time.LoadLocation(zone)
	if err == nil && (at == personsNext || at == companieNext) && w.o.Created.In(place).Format(time.DateOnly) == day {
		day = w.o.NextDay
	}

	out, _ := time.Parse(time.DateOnly, day) // the writer refuses a file without a day

	return out
}

// entry returns the entry of a payment, without its trace number.
func (w *writer) entry(i int, p format.Payment) placed {
	code := nacha.CheckingCredit
	if p.Account.AccountType == "SAVINGS" {
		code = nacha.SavingsCredit
	}

	cents := int64(-1)
	if p.Amount.Units().IsInt64() {
		cents = p.Amount.Units().Int64()
	}

	text := w.text(i, "remittance", strings.TrimSpace(p.Reference+" "+p.Remittance))
	if len(text) > 80 {
		w.refuse(i, "remittance", "has at most 80 characters on ACH")
	}

	return placed{
		payment: i,
		number:  numberOf(p.Identity),
		entry: nacha.Entry{
			Code:    code,
			Routing: p.Account.RoutingNumber,
			Account: p.Account.AccountNumber,
			Cents:   cents,
			ID:      p.Identity,
			Name:    cut(w.text(i, "creditor/name", p.Creditor.Name), 22),
			Text:    text,
		},
	}
}

// traces is how many trace numbers an originating bank has.
const traces = 10_000_000

// numberOf returns the number from which a payment's trace number is made. It is not 0.
func numberOf(identity string) int64 {
	sum := sha256.Sum256([]byte("slipway/trace/" + identity))
	return 1 + int64(binary.BigEndian.Uint64(sum[:8])%(traces-1))
}

// number orders entries and gives each its trace number: ascending, and made from the payments alone. Two that would
// have the same one move apart in the order of their identifications.
func number(of []placed, odfi string) {
	slices.SortFunc(of, func(a, b placed) int {
		return cmp.Or(cmp.Compare(a.number, b.number), cmp.Compare(a.entry.ID, b.entry.ID))
	})

	for i := 1; i < len(of); i++ {
		of[i].number = max(of[i].number, of[i-1].number+1)
	}

	next := int64(traces - 1) // the offset's
	for i := len(of) - 1; i >= 0; i-- {
		next = min(of[i].number, next-1)
		of[i].number = next
		of[i].entry.Trace = fmt.Sprintf("%s%07d", odfi, next)
	}
}

// offset returns the debit of our account that balances a batch. Its identification is that of the batch.
func (w *writer) offset(b nacha.Batch, of []placed) placed {
	var sum int64
	for _, x := range of {
		sum += x.entry.Cents
	}

	last := of[len(of)-1].number + 1

	return placed{
		payment: -1,
		entry: nacha.Entry{
			Code:    nacha.CheckingDebit,
			Routing: w.o.From.RoutingNumber,
			Account: w.o.From.AccountNumber,
			Cents:   sum,
			ID:      b.Discretionary,
			Name:    cut(w.plain(w.o.From.Holder), 22),
			Trace:   fmt.Sprintf("%s%07d", b.ODFI, last),
		},
	}
}

// cut returns the beginning of a text: the fields for names are short, and banks look at the account's number alone.
func cut(s string, most int) string { return strings.TrimSpace(s[:min(most, len(s))]) }

// text returns a text in the characters of ACH.
func (w *writer) text(i int, field, s string) string {
	out, err := pain.ASCII(s)
	if err != nil {
		w.refuse(i, field, "%s", err.Error())
		return ""
	}

	if out != s {
		w.changed++
	}

	return out
}

// plain returns a text of our own account in the characters of ACH.
func (w *writer) plain(s string) string { return w.text(-1, "holder", s) }

func (w *writer) refuse(payment int, field, detail string, args ...any) {
	w.faults = append(w.faults, format.Fault{Payment: payment, Field: field, Detail: fmt.Sprintf(detail, args...)})
}

// fields maps the fields of entries to those of payments.
func fields() map[string]string {
	return map[string]string{
		"Routing": "account/routingNumber",
		"Account": "account/accountNumber",
		"Cents":   "amount",
		"Name":    "creditor/name",
		"Text":    "remittance",
		"ID":      "identity",
		"Trace":   "identity",
	}
}

// faultsOf returns the faults of a file as faults of its payments.
func (w *writer) faultsOf(r *nacha.Refused) []format.Fault {
	var out []format.Fault

	for _, f := range r.Faults {
		payment := -1
		if f.Batch >= 0 && f.Entry >= 0 {
			payment = w.placed[f.Batch][f.Entry].payment
		}

		out = append(out, format.Fault{
			Payment: payment,
			Field:   cmp.Or(fields()[f.Field], strings.ToLower(f.Field)),
			Detail:  f.Detail,
		})
	}

	return out
}

// refusedFile returns what is wrong with a file apart from its payments, as sentences.
func refusedFile(err error) ([]string, bool) {
	var r *format.Refused
	if !errors.As(err, &r) {
		return nil, false
	}

	var out []string
	for _, f := range r.Faults {
		out = append(out, f.Field+" "+f.Detail)
	}

	return out, true
}
