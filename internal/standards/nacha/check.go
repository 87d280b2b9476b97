package nacha

import (
	"fmt"
	"strings"
)

const (
	mostBatches = 999_999
	mostEntries = 9_999_999 // what the seven digits of a trace number tell apart
)

// checker collects the faults of a file.
type checker struct{ faults []Fault }

// at is a place in a file.
type at struct{ batch, entry int }

func (c *checker) add(p at, field string, code FaultCode, format string, args ...any) {
	c.faults = append(c.faults, Fault{p.batch, p.entry, field, code, fmt.Sprintf(format, args...)})
}

// text checks a field of letters and digits.
func (c *checker) text(p at, field, value string, most int, needed bool) {
	switch {
	case value == "" && needed:
		c.add(p, field, Missing, "is needed")
	case len(value) > most:
		c.add(p, field, TooLong, "has at most %d characters", most)
	case strings.ContainsFunc(value, func(r rune) bool { return r < ' ' || r > '~' }):
		c.add(p, field, Characters, "has letters without accents, digits and signs only")
	case needed && strings.TrimSpace(value) == "":
		c.add(p, field, Missing, "is needed")
	}
}

// check returns the faults of a file.
func (f *File) check() []Fault {
	c := &checker{}
	top := at{-1, -1}

	if !routing(f.Destination) {
		c.add(top, "Destination", Format, "is a routing number of nine digits")
	}

	c.text(top, "Origin", f.Origin, 10, true)
	c.text(top, "DestinationName", f.DestinationName, 23, false)
	c.text(top, "OriginName", f.OriginName, 23, false)
	c.text(top, "Reference", f.Reference, 8, false)

	if !strings.ContainsRune(modifiers, rune(f.Modifier)) {
		c.add(top, "Modifier", Format, "is A to Z or 0 to 9")
	}

	if len(f.Batches) == 0 {
		c.add(top, "Batches", Missing, "a file needs a batch")
	}

	if len(f.Batches) > mostBatches {
		c.add(top, "Batches", TooMany, "a file has at most %d batches", mostBatches)
	}

	for i := range f.Batches {
		c.batch(i, &f.Batches[i])
	}

	return c.faults
}

func (c *checker) batch(n int, b *Batch) {
	here := at{n, -1}

	c.text(here, "Company", b.Company, 16, true)
	c.text(here, "CompanyID", b.CompanyID, 10, true)
	c.text(here, "Discretionary", b.Discretionary, 20, false)
	c.text(here, "Description", b.Description, 10, true)
	c.text(here, "Described", b.Described, 6, false)

	if b.Class != PPD && b.Class != CCD {
		c.add(here, "Class", Format, "is PPD or CCD")
	}

	if !digits(b.ODFI, 8) {
		c.add(here, "ODFI", Format, "has eight digits")
	}

	if b.Effective.IsZero() {
		c.add(here, "Effective", Missing, "is needed")
	}

	if len(b.Entries) == 0 {
		c.add(here, "Entries", Missing, "a batch needs an entry")
	}

	if len(b.Entries) > mostEntries {
		c.add(here, "Entries", TooMany, "a batch has at most %d entries", mostEntries)
	}

	last := ""
	for i := range b.Entries {
		c.entry(at{n, i}, b, &b.Entries[i], last)
		last = b.Entries[i].Trace
	}
}

func (c *checker) entry(here at, b *Batch, e *Entry, last string) {
	switch e.Code {
	case CheckingCredit, CheckingDebit, SavingsCredit, SavingsDebit:
	default:
		c.add(here, "Code", Format, "is 22, 27, 32 or 37")
	}

	if !routing(e.Routing) {
		c.add(here, "Routing", Format, "is a routing number of nine digits")
	}

	c.text(here, "Account", e.Account, 17, true)
	c.text(here, "ID", e.ID, 15, false)
	c.text(here, "Name", e.Name, 22, true)
	c.text(here, "Discretionary", e.Discretionary, 2, false)
	c.text(here, "Text", e.Text, 80, false)

	if e.Cents <= 0 || e.Cents > MostCents {
		c.add(here, "Cents", BadAmount, "is more than nothing and has at most ten digits")
	}

	switch {
	case !digits(e.Trace, 15) || e.Trace[:8] != b.ODFI:
		c.add(here, "Trace", Format, "has the eight digits of the ODFI and seven more")
	case e.Trace <= last:
		c.add(here, "Trace", Duplicate, "ascends within a batch")
	}
}
