package nacha

import (
	"bytes"
	"io"
	"strings"
	"time"

	"slipway/internal/standards/iso20022"
)

// Looks reports whether the first bytes of a file are those of a Nacha file: its header's fixed fields.
func Looks(head []byte) bool {
	head = bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), " \r\n")

	return len(head) >= 40 && bytes.HasPrefix(head, []byte("101")) && string(head[34:40]) == "094101"
}

// fillRecord fills the last block.
var fillRecord = strings.Repeat("9", width)

// mostAddenda limits the addenda records of one entry.
const mostAddenda = 9999

// Read reads a file to its end and passes each entry with its batch to each; the batch has no Entries. Entries of
// classes with a layout of their own (IAT, ADV) are counted and not passed. It returns the file without batches. The
// error is *iso20022.Error, or that of each. What was passed counts only if it is nil.
func Read(r io.Reader, l iso20022.Limits, each func(b *Batch, e Entry) error) (File, error) {
	p := &reader{s: newScanner(r, l), each: each}

	for p.s.err == nil && p.err == nil {
		rec, ok := p.s.next()
		if !ok {
			break
		}

		p.take(rec)
	}

	if p.err != nil {
		return File{}, p.err
	}

	if p.s.err == nil && p.level != over {
		code := iso20022.CodeTruncated
		if p.level == outside {
			code = iso20022.CodeEmpty
		}

		p.s.fail(record{}, code, "the file ends before its control record (9)")
	}

	if p.s.err != nil {
		return File{}, p.s.err
	}

	return p.file, nil
}

// level is where in a file a reader is.
type level int

const (
	outside level = iota
	inFile
	inBatch
	over
)

type reader struct {
	s       *scanner
	each    func(*Batch, Entry) error
	err     error // of each
	level   level
	file    File
	batch   Batch
	opaque  bool // the batch has a layout of its own
	skipped bool // the file has batches whose totals were not added up
	now     *Entry
	addenda int
	total   sums // of the batch
	all     sums // of the file
	batches int64
}

// take reads one record.
func (p *reader) take(rec record) {
	wanted := map[level]string{outside: "1", inFile: "59", inBatch: "678", over: "9"}[p.level]
	if !bytes.ContainsRune([]byte(wanted), rune(rec.kind())) {
		p.s.fail(rec, iso20022.CodeStructure, "a record in the wrong place")
		return
	}

	switch rec.kind() {
	case '1':
		p.header(rec)
	case '5':
		p.open(rec)
	case '6':
		p.flush()
		p.entry(rec)
	case '7':
		p.addendum(rec)
	case '8':
		p.flush()
		p.close(rec)
	case '9':
		p.end(rec)
	}
}

// number returns a field of digits. Blanks are 0.
func (p *reader) number(rec record, from, to int) int64 {
	var n int64

	for _, c := range []byte(rec.field(from, to)) {
		if c < '0' || c > '9' {
			p.s.fail(rec, iso20022.CodeValue, "a number with other characters than digits")
			return 0
		}

		n = n*10 + int64(c-'0')
	}

	return n
}

func (p *reader) header(rec record) {
	p.level = inFile
	p.file = File{
		Destination:     rec.field(4, 13),
		Origin:          rec.field(14, 23),
		Modifier:        rec.text[33],
		DestinationName: rec.field(41, 63),
		OriginName:      rec.field(64, 86),
		Reference:       rec.field(87, 94),
	}

	if rec.text[34:40] != "094101" {
		p.s.fail(rec, iso20022.CodeStructure, "a header of other records than those of 94 characters in blocks of ten")
	}

	p.file.Created, _ = time.Parse("0601021504", rec.field(24, 33)) // some banks leave the minute out
	if p.file.Created.IsZero() {
		p.file.Created, _ = time.Parse("060102", rec.field(24, 29))
	}
}

func (p *reader) open(rec record) {
	p.level = inBatch
	p.total = sums{}
	p.batches++
	p.batch = Batch{
		Service:       int(p.number(rec, 2, 4)),
		Company:       rec.field(5, 20),
		Discretionary: rec.field(21, 40),
		CompanyID:     rec.field(41, 50),
		Class:         rec.field(51, 53),
		Description:   rec.field(54, 63),
		Described:     rec.field(64, 69),
		ODFI:          rec.field(80, 87),
		line:          rec.line,
	}
	p.batch.Effective, _ = time.Parse("060102", rec.field(70, 75))
	p.batch.Number = int(p.number(rec, 88, 94))
	p.opaque = p.batch.Class == iat || p.batch.Class == adv || rec.field(5, 20) == "IATCOR"
	p.skipped = p.skipped || p.batch.Class == adv
}

func (p *reader) entry(rec record) {
	p.total.count++
	p.addenda = 0

	if p.batch.Class == adv {
		return
	}

	e := Entry{
		Code:          int(p.number(rec, 2, 3)),
		Routing:       rec.field(4, 12),
		Account:       rec.field(13, 29),
		Cents:         p.number(rec, 30, 39),
		ID:            rec.field(40, 54),
		Name:          rec.field(55, 76),
		Discretionary: rec.field(77, 78),
		Trace:         rec.field(80, 94),
		Line:          rec.line,
	}

	p.total.hash = (p.total.hash + p.number(rec, 4, 11)) % hashModulus

	if e.Debit() {
		p.total.debit += e.Cents
	} else {
		p.total.credit += e.Cents
	}

	if !p.opaque {
		p.now = &e
	}
}

func (p *reader) addendum(rec record) {
	p.total.count++
	p.addenda++

	if p.addenda > mostAddenda {
		p.s.fail(rec, iso20022.CodeTooMany, "more addenda records than an entry has")
		return
	}

	e := p.now
	if e == nil {
		if !p.opaque || p.total.count == 1 {
			p.s.fail(rec, iso20022.CodeStructure, "an addenda record of no entry")
		}

		return
	}

	switch rec.field(2, 3) {
	case "05":
		if e.Text == "" {
			e.Text = rec.field(4, 83)
		}

	case "98":
		e.Change = &Change{
			Code:    rec.field(4, 6),
			Trace:   rec.field(7, 21),
			RDFI:    rec.field(28, 35),
			Data:    rec.text[35:64],
			Refused: rec.field(4, 6) >= "C61",
		}

	case "99":
		e.Return = &Return{
			Code:  rec.field(4, 6),
			Trace: rec.field(7, 21),
			RDFI:  rec.field(28, 35),
			Info:  rec.field(36, 79),
		}
	}
}

// flush passes the entry that is complete.
func (p *reader) flush() {
	if p.now == nil || p.s.err != nil {
		return
	}

	e := *p.now
	p.now = nil

	if err := p.each(&p.batch, e); err != nil {
		p.err = err
	}
}

// close compares a batch with its control record.
func (p *reader) close(rec record) {
	p.level = inFile
	p.all.add(p.total)

	if p.batch.Class == adv {
		return
	}

	want := sums{
		count:  p.number(rec, 5, 10),
		hash:   p.number(rec, 11, 20),
		debit:  p.number(rec, 21, 32),
		credit: p.number(rec, 33, 44),
	}

	p.compare(rec, want, p.total, "batch")
}

func (p *reader) compare(rec record, want, got sums, what string) {
	detail := ""

	switch {
	case p.s.err != nil:
		return
	case want.count != got.count:
		detail = "the number of entries and addenda"
	case want.hash != got.hash:
		detail = "the entry hash"
	case want.debit != got.debit:
		detail = "the total of debits"
	case want.credit != got.credit:
		detail = "the total of credits"
	default:
		return
	}

	p.s.fail(rec, iso20022.CodeValue, detail+" of the "+what+" is not that of its entries")
}

// end compares the file with its control record. Behind it stand only records that fill the last block.
func (p *reader) end(rec record) {
	if p.level == over {
		if rec.text != fillRecord {
			p.s.fail(rec, iso20022.CodeTrailing, "something follows the control record")
		}

		return
	}

	p.level = over

	if p.skipped {
		return
	}

	if p.number(rec, 2, 7) != p.batches {
		p.s.fail(rec, iso20022.CodeValue, "the number of batches is not that of the file")
	}

	p.compare(rec, sums{
		count:  p.number(rec, 14, 21),
		hash:   p.number(rec, 22, 31),
		debit:  p.number(rec, 32, 43),
		credit: p.number(rec, 44, 55),
	}, p.all, "file")
}
