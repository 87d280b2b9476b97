package nacha

import (
	"bytes"
	"fmt"
)

const (
	width   = 94 // bytes of a record
	blocked = 10 // records of a block
)

// sums are the totals of a batch or a file.
type sums struct {
	count         int64 // entries and addenda
	hash          int64 // of the first eight digits of routing numbers
	debit, credit int64 // cents
}

const hashModulus = 10_000_000_000 // the hash has ten digits: what is above is dropped

// add adds what another level has.
func (s *sums) add(o sums) {
	s.count += o.count
	s.hash = (s.hash + o.hash) % hashModulus
	s.debit += o.debit
	s.credit += o.credit
}

// sumsOf returns the totals of an entry.
func (e Entry) sums() sums {
	s := sums{count: 1}
	for i := range 8 {
		s.hash = s.hash*10 + int64(e.Routing[i]-'0')
	}

	if e.Text != "" {
		s.count++
	}

	if e.Debit() {
		s.debit = e.Cents
	} else {
		s.credit = e.Cents
	}

	return s
}

// mostCentsTotal is the largest total of a batch or a file: twelve digits.
const mostCentsTotal = 999_999_999_999

// Render returns the bytes of a file, or *Refused with all faults. The file is not changed.
func Render(f File) ([]byte, error) {
	if faults := f.check(); len(faults) > 0 {
		return nil, &Refused{faults}
	}

	w := &writer{}
	w.record("101 %9s%10s%s%c094101%-23s%-23s%-8s", f.Destination, f.Origin, f.Created.Format("0601021504"), f.Modifier,
		f.DestinationName, f.OriginName, f.Reference)

	var all sums
	for i := range f.Batches {
		total := w.batch(i+1, &f.Batches[i])
		if total.debit > mostCentsTotal || total.credit > mostCentsTotal {
			return nil, &Refused{
				[]Fault{{i, -1, "Entries", BadAmount, "the total of a batch has at most twelve digits"}},
			}
		}

		all.add(total)
	}

	if all.debit > mostCentsTotal || all.credit > mostCentsTotal {
		return nil, &Refused{[]Fault{{-1, -1, "Batches", BadAmount, "the total of a file has at most twelve digits"}}}
	}

	blocks := (w.records + 1 + blocked - 1) / blocked
	w.record("9%06d%06d%08d%010d%012d%012d%39s", len(f.Batches), blocks, all.count, all.hash, all.debit, all.credit, "")

	for w.records%blocked != 0 {
		w.record("%s", fillRecord)
	}

	return w.b.Bytes(), nil
}

// writer collects records.
type writer struct {
	b       bytes.Buffer
	records int
}

func (w *writer) record(format string, args ...any) {
	fmt.Fprintf(&w.b, format, args...)
	w.b.WriteByte('\n')
	w.records++
}

// batch writes a batch and returns its totals.
func (w *writer) batch(number int, b *Batch) sums {
	service := b.service()

	w.record("5%d%-16s%-20s%-10s%s%-10s%-6s%s   1%s%07d", service, b.Company, b.Discretionary, b.CompanyID, b.Class,
		b.Description, b.Described, b.Effective.Format("060102"), b.ODFI, number)

	var total sums
	for i := range b.Entries {
		e := &b.Entries[i]
		total.add(e.sums())
		w.entry(e)
	}

	w.record("8%d%06d%010d%012d%012d%-10s%19s%6s%s%07d", service, total.count, total.hash, total.debit, total.credit,
		b.CompanyID, "", "", b.ODFI, number)

	return total
}

// service returns the service class of a batch: 200 if it has debits and credits.
func (b *Batch) service() int {
	debits, credits := false, false
	for i := range b.Entries {
		debits = debits || b.Entries[i].Debit()
		credits = credits || !b.Entries[i].Debit()
	}

	switch {
	case debits && credits:
		return 200
	case debits:
		return 225
	}

	return 220
}

func (w *writer) entry(e *Entry) {
	addenda := 0
	if e.Text != "" {
		addenda = 1
	}

	w.record(
		"6%02d%s%-17s%010d%-15s%-22s%-2s%d%s",
		e.Code,
		e.Routing,
		e.Account,
		e.Cents,
		e.ID,
		e.Name,
		e.Discretionary,
		addenda,
		e.Trace,
	)

	if addenda == 1 {
		w.record("705%-80s0001%s", e.Text, e.Trace[8:])
	}
}
