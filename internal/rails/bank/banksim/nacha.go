//go:build !nosandbox

package banksim

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"math/big"
	"strconv"
	"strings"
	"time"
)

// The bank is an originating bank of ACH, too: it takes Nacha files of its customers, books each batch in one sum, and
// sends back returns, notifications of change, and entries that it has refused. It reads and writes records by itself.

const nachaWidth = 94

// ach is what the books keep of an entry besides, to send it back.
type ach struct {
	Trace, Routing, Account, Name string
	Code, Class, ODFI             string
	Company, CompanyID            string
	Day                           string // effective date
}

// isNacha reports whether a payment file is a Nacha file.
func isNacha(raw []byte) bool { return bytes.HasPrefix(raw, []byte("101 ")) }

// readNacha parses a Nacha file and checks what the network checks: lengths, blocks, counts, hashes and totals.
func readNacha(raw []byte) (*order, error) {
	o := &order{}

	if len(raw) > maxOrder {
		return o, refuse("FF01", "the file is larger than %d bytes", maxOrder)
	}

	lines := strings.Split(strings.TrimSuffix(string(raw), "\n"), "\n")
	if len(lines)%10 != 0 {
		return o, refuse("FF01", "%d records are no blocks of ten", len(lines))
	}

	for i, l := range lines {
		if len(l) != nachaWidth {
			return o, refuse("FF01", "record %d has %d characters", i+1, len(l))
		}
	}

	head := lines[0]
	o.Header.MsgID = "ACH-" + strings.TrimSpace(head[13:23]) + "-" + head[23:34]

	n := &nachaReader{o: o, origin: strings.TrimSpace(head[13:23])}
	for _, l := range lines[1:] {
		if err := n.take(l); err != nil {
			return o, err
		}
	}

	if !n.over {
		return o, refuse("FF01", "the control record is missing")
	}

	o.Header.Count = strconv.Itoa(n.payments)

	return o, nil
}

// nachaSums are the totals of a batch or a file.
type nachaSums struct{ count, hash, debit, credit int64 }

func (s *nachaSums) add(o nachaSums) {
	s.count += o.count
	s.hash += o.hash
	s.debit += o.debit
	s.credit += o.credit
}

// check compares totals with those of a control record, whose count begins at a position.
func (s nachaSums) check(l string, at, countWidth int) error {
	want := fmt.Sprintf("%0*d%010d%012d%012d", countWidth, s.count, s.hash%10_000_000_000, s.debit, s.credit)
	if got := l[at : at+len(want)]; got != want {
		return refuse("AM10", "the control record has %s, the entries make %s", got, want)
	}

	return nil
}

type nachaReader struct {
	o          *order
	origin     string
	in         *block
	now        *transfer
	head       ach
	last       string // trace number
	batch, all nachaSums
	payments   int
	over       bool
}

func (n *nachaReader) take(l string) error {
	switch l[0] {
	case '5':
		n.head = ach{
			Class:     l[50:53],
			ODFI:      l[79:87],
			Company:   strings.TrimSpace(l[4:20]),
			CompanyID: strings.TrimSpace(l[40:50]),
			Day:       l[69:75],
		}
		n.last = ""

		day, err := time.Parse("060102", l[69:75])
		if err != nil {
			return refuse("DT01", "the effective date is %q", l[69:75])
		}

		n.o.Blocks = append(n.o.Blocks, block{
			ID:       strings.TrimSpace(l[20:40]),
			Method:   "TRF",
			Batch:    "true",
			Service:  "ACH",
			Date:     day.Format(time.DateOnly),
			DebtorNo: n.origin,
			Currency: "USD",
			Charges:  "SHAR",
		})
		n.in = &n.o.Blocks[len(n.o.Blocks)-1]
		n.batch = nachaSums{}

	case '6':
		return n.entry(l)

	case '7':
		n.batch.count++

		if n.now == nil || l[1:3] != "05" {
			return refuse("FF01", "an addenda record of no entry")
		}

		n.now.Texts = []string{strings.TrimSpace(l[3:83])}

	case '8':
		if err := n.batch.check(l, 4, 6); err != nil {
			return err
		}

		n.all.add(n.batch)

	case '9':
		if n.over {
			return nil // fills the block
		}

		n.over = true

		return n.all.check(l, 13, 8)

	default:
		return refuse("FF01", "a record of the type %q", l[:1])
	}

	return nil
}

func (n *nachaReader) entry(l string) error {
	cents, err := strconv.ParseInt(l[29:39], 10, 64)

	eight, err2 := strconv.ParseInt(l[3:11], 10, 64)
	if err != nil || err2 != nil || n.in == nil {
		return refuse("FF01", "an entry that is none")
	}

	trace := l[79:94]
	if trace <= n.last || trace[:8] != n.head.ODFI {
		return refuse("FF01", "the trace number %s does not ascend, or is of another bank", trace)
	}

	n.last = trace
	n.now = nil
	n.batch.count++
	n.batch.hash += eight

	code := l[1:3]
	if code == "27" || code == "37" {
		n.batch.debit += cents // the offset: the bank books the batch in one sum anyway
		return nil
	}

	n.batch.credit += cents
	n.payments++

	t := transfer{
		InstrID:    strings.TrimSpace(l[39:54]),
		EndToEndID: strings.TrimSpace(l[39:54]),
		Creditor:   strings.TrimSpace(l[54:76]),
		Number:     strings.TrimSpace(l[12:29]),
		AgentNo:    l[3:12],
	}
	t.Amount.Currency = "USD"
	t.Amount.Text = fmt.Sprintf("%d.%02d", cents/100, cents%100)

	a := n.head
	a.Trace = trace
	a.Routing = l[3:12]
	a.Account = t.Number
	a.Name = t.Creditor
	a.Code = code
	t.ACH = &a

	n.in.Transfers = append(n.in.Transfers, t)
	n.now = &n.in.Transfers[len(n.in.Transfers)-1]

	return nil
}

// nachaReason returns the return code for a reason of ISO 20022.
func nachaReason(code string) string {
	switch code {
	case "AC01":
		return "R03"
	case "AC04":
		return "R02"
	case "AC06":
		return "R16"
	}

	if len(code) == 3 && code[0] == 'R' {
		return code
	}

	return "R23"
}

// nachaBack is an entry that the bank sends back, and what it says about it.
type nachaBack struct {
	p       payment
	units   *big.Int
	addenda string // of 94 characters; empty: none
	trace   string // empty: one of the bank's own
	code    string // transaction code; empty: as it was
	class   string // empty: as it was
}

// sendBack writes a Nacha file of entries, each in a batch of its own.
func (b *Bank) sendBack(ctx context.Context, t *sql.Tx, account string, list []nachaBack) error {
	if len(list) == 0 {
		return nil
	}

	now := time.UnixMicro(b.now()).UTC()

	return b.answer(ctx, t, nachaKind, account, func(string) []byte {
		w := &nachaWriter{}
		w.line(
			"101 %9s%10s%s%c094101%-23s%-23s%8s",
			"123456780",
			"123456780",
			now.Format("0601021504"),
			'A',
			"",
			"",
			"",
		)

		for i, x := range list {
			w.back(i+1, x)
		}

		w.line("9%06d%06d%08d%010d%012d%012d%39s", len(list), (w.n+1+9)/10, w.all.count, w.all.hash%10_000_000_000,
			w.all.debit, w.all.credit, "")

		for w.n%10 != 0 {
			w.line("%s", strings.Repeat("9", nachaWidth))
		}

		return w.Bytes()
	})
}

type nachaWriter struct {
	bytes.Buffer
	n   int
	all nachaSums
}

func (w *nachaWriter) line(format string, args ...any) {
	fmt.Fprintf(w, format+"\n", args...)
	w.n++
}

func (w *nachaWriter) back(number int, x nachaBack) {
	a := x.p.ACH
	s := nachaSums{count: 1, credit: x.units.Int64()}
	s.hash, _ = strconv.ParseInt(a.Routing[:8], 10, 64)

	addenda := 0
	if x.addenda != "" {
		addenda = 1
		s.count++
	}

	trace := orText(x.trace, fmt.Sprintf("12345678%07d", number))
	class := orText(x.class, a.Class)

	w.line(
		"5220%-16s%-20s%-10s%s%-10s%-6s%s   1%s%07d",
		a.Company,
		x.p.PmtInfID,
		a.CompanyID,
		class,
		"RETURN",
		"",
		a.Day,
		"12345678",
		number,
	)
	w.line("6%2s%s%-17s%010d%-15s%-22s%-2s%d%-15s", orText(x.code, a.Code), a.Routing, a.Account, x.units.Int64(),
		x.p.EndToEndID, a.Name, "", addenda, trace)

	if addenda == 1 {
		w.line("%s", x.addenda+strings.Repeat(" ", nachaWidth-15-len(x.addenda))+trace)
	}

	w.line(
		"8220%06d%010d%012d%012d%-10s%19s%6s%s%07d",
		s.count,
		s.hash,
		s.debit,
		s.credit,
		a.CompanyID,
		"",
		"",
		"12345678",
		number,
	)
	w.all.add(s)
}

// nachaReturn announces that an entry has come back.
func (b *Bank) nachaReturn(ctx context.Context, t *sql.Tx, i instruction, reason string) error {
	a := i.payment.ACH

	return b.sendBack(ctx, t, i.account.ID, []nachaBack{{
		p:       i.payment,
		units:   i.units,
		code:    a.Code[:1] + "1",
		addenda: fmt.Sprintf("799%s%s%6s%s", nachaReason(reason), a.Trace, "", a.Routing[:8]),
	}})
}

// nachaChange says that an account's number has changed: its last digits are zeros now.
func (b *Bank) nachaChange(ctx context.Context, t *sql.Tx, i instruction) error {
	a := i.payment.ACH
	right := a.Account[:len(a.Account)-3] + "000"

	return b.sendBack(ctx, t, i.account.ID, []nachaBack{{
		p:       i.payment,
		units:   new(big.Int),
		code:    a.Code[:1] + "1",
		class:   "COR",
		addenda: fmt.Sprintf("798C01%s%6s%s%-29s", a.Trace, "", a.Routing[:8], right),
	}})
}

// nachaRefusals sends back the entries of a report that the bank has refused. Of the others it says nothing: they are
// booked.
func (b *Bank) nachaRefusals(ctx context.Context, t *sql.Tx, f answered) error {
	var list []nachaBack

	for _, s := range f.blocks {
		for _, p := range s.payments {
			if p.status == "RJCT" && p.payment.ACH != nil {
				units, err := parseAmount("USD", p.payment.Amount)
				if err != nil {
					return err
				}

				list = append(list, nachaBack{p: p.payment, units: units, trace: "REJ" + p.refused.code})
			}
		}
	}

	return b.sendBack(ctx, t, "", list)
}

// nachaKind is the kind of answers in Nacha files.
const nachaKind = "nacha"
