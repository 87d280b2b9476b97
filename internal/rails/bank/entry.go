package bank

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math/big"
	"strconv"
	"strings"
	"time"

	"slipway/internal/core/id"
	"slipway/internal/platform/db"
	"slipway/internal/standards/iso20022/camt"
)

// source is the statement or notification that reports bookings.
type source struct {
	id       string // id of the statement's row
	name     string // the bank's identification
	kind     camt.Kind
	place    string // of a statement within its account's chain
	position int64  // of its first entry, in the file
}

// booking is an entry of a statement as it will be stored.
type booking struct {
	id         string // key and number
	key        string // derived from what identifies the booking
	occurrence int    // its number among the entries of its source with this key
	position   int64  // in its file
	house      *HouseAccount
	source     *source
	status     camt.Status // the effective status, which may be weaker than the bank's
	named      bool        // the bank gave it its own reference
	units      string
	bookedAt   int64
	valueAt    int64
	credit     bool
	reversal   bool
	like       string // the booking that it may duplicate, if its key alone shows that
	parts      []part
	moves      []Entry // what observers receive: one movement, or one per part
	complete   *Entry  // what is stored of a booking with several parts
	rows       [][]any // its row, and one per part if there are several
}

// part is one movement of a booking: the complete booking, or one of several transactions.
type part struct {
	units  string
	credit bool
	detail *camt.Detail // nil: the bank gave none; dropped with the entry
}

// counter numbers the entries of one statement that share a key, so that two equal deposits both count, and a repeated
// statement finds both again (D-01). It stores 64 bits of each key. With 100,000 entries, two keys collide in one of
// three billion files, and would then only be numbered one and two.
type counter map[uint64]int32

func (c counter) next(identity []byte) int {
	n := c[binary.BigEndian.Uint64(identity)] + 1
	c[binary.BigEndian.Uint64(identity)] = n
	return int(n)
}

// placeholders are what banks write if they have no reference.
const placeholders = " NONREF NOTPROVIDED NOREF NONE 0 - "

// bankRef returns the bank's own reference of an entry, or of its only transaction; "" if it gave none.
func bankRef(e *camt.Entry) string {
	ref := strings.TrimSpace(e.AcctSvcrRef)
	if ref == "" && len(e.Details) == 1 {
		ref = strings.TrimSpace(e.Details[0].AcctSvcrRef)
	}

	if strings.Contains(placeholders, " "+strings.ToUpper(strings.ReplaceAll(ref, " ", ""))+" ") {
		return ""
	}

	return ref
}

// prepare turns an entry into a booking, or returns why the file cannot be used. seen belongs to the entry's statement.
func prepare(h *HouseAccount, by *source, e camt.Entry, fileID string, position int64, seen counter) (*booking, error) {
	b := &booking{
		position: position,
		house:    h,
		source:   by,
		status:   e.Status,
		credit:   e.Credit,
		reversal: e.Reversal,
	}

	var err error
	if b.units, b.bookedAt, err = checkEntry(h, e); err != nil {
		return b, err
	}

	b.valueAt = dayMicros(e.ValueDate)
	switch {
	case b.status == camt.Booked && by.kind == camt.Report:
		b.status = camt.Pending // intraday reports are not final
	case b.status == camt.Booked && h.BooksFrom != "" && h.BooksFrom != string(by.kind):
		b.status = camt.Informed // the bank's other message counts for this account
	}

	ref := bankRef(&e)
	b.named = ref != ""
	b.identify(&e, ref, seen)
	b.parts = partsOf(b, &e)

	b.moves = b.movements(&e, fileID)
	if len(b.moves) > 1 {
		complete := b.movement(&e, fileID, part{units: b.units, credit: b.credit})
		b.complete = &complete
	}

	for i := range b.parts {
		b.parts[i].detail = nil
	}

	return b, nil
}

// checkEntry returns an entry's units and day, or why it cannot be booked.
func checkEntry(h *HouseAccount, e camt.Entry) (units string, bookedAt int64, err error) {
	if e.Amount.Currency != h.Currency {
		return "", 0, &Unusable{
			CodeCurrency,
			fmt.Sprintf("entry %d is in %s, the account %s in %s", e.Number+1, e.Amount.Currency, h.ID, h.Currency),
		}
	}

	if units, err = decimalUnits(h.Currency, e.Amount.Value); err != nil {
		return "", 0, &Unusable{codeValue, fmt.Sprintf("entry %d: %v", e.Number+1, err)}
	}

	bookedAt = dayMicros(cmp.Or(e.BookingDate, e.ValueDate))
	if bookedAt == 0 && e.Status == camt.Booked {
		return "", 0, &Unusable{codeValue, fmt.Sprintf("entry %d is booked but has no day", e.Number+1)}
	}

	return units, bookedAt, nil
}

// dayMicros returns a date as it is stored; 0 for none.
func dayMicros(s string) int64 {
	if len(s) != 10 {
		return 0
	}

	y, err1 := strconv.Atoi(s[:4])
	m, err2 := strconv.Atoi(s[5:7])

	d, err3 := strconv.Atoi(s[8:])
	if err1 != nil || err2 != nil || err3 != nil {
		return 0
	}

	return db.Micros(time.Date(y, time.Month(m), d, 0, 0, 0, 0, time.UTC))
}

// identify derives the key of a booking from what identifies it: account, amount, direction, and the bank's reference
// with the booking day, since banks reuse references. Without a reference, the key includes everything known of the
// booking. The key is the same in a repeated statement, in an overlapping one, in a renamed file, and in the advice
// (camt.054) and the statement (camt.053) of one booking. Bookings with the same key are distinguished by counterparty
// and number (assign). An entry that is not booked has a different key: it moves nothing.
func (b *booking) identify(e *camt.Entry, ref string, seen counter) {
	var s []byte

	add := func(parts ...string) {
		for _, p := range parts {
			s = append(append(s, p...), 0x1f)
		}
	}

	add(string(b.status), b.house.ID, b.units, direction(e.Credit), direction(e.Reversal))

	if ref != "" {
		add("ref", ref, cmp.Or(e.BookingDate, e.ValueDate))
	} else {
		add("text", e.BookingDate, e.ValueDate)

		for _, d := range e.Details {
			other, _ := counterparty(e.Credit, &d)

			add(
				d.EndToEndID,
				d.UETR,
				d.TxID,
				other.Account.ID(),
				fold(strings.Join(d.Remittance, "")),
				strings.Join(d.StructuredRefs, " "),
			)
		}

		if len(e.Details) == 0 {
			add(fold(e.Info))
		}
	}

	sum := sha256.Sum256(s)
	b.key = entryPrefix + "_" + strings.ToLower(base32Letters.EncodeToString(sum[:keyBytes])[:keyLetters])
	b.occurrence = seen.next(sum[:8])
	b.id = numbered(b.key, b.occurrence)
}

// An entry's id consists of a prefix, 105 bits of its key's hash, and a number of 25 bits. No file has more entries.
const (
	keyBytes      = 14
	keyLetters    = 21
	numberLetters = id.Length - keyLetters
)

// numbered returns the id of the booking with a key and a number, starting at 1. Ids of one key sort by number.
func numbered(key string, n int) string {
	var digits [numberLetters]byte
	for i := numberLetters - 1; i >= 0; i-- {
		digits[i] = crockford[n&31] | 0x20 // lower-case letters; digits have this bit already
		n >>= 5
	}

	return key + string(digits[:])
}

// keyOf returns the key in a booking's id.
func keyOf(bookingID string) string { return bookingID[:len(bookingID)-numberLetters] }

// renumber changes a booking's number from its place within its statement to n, and everything derived from its id.
func (b *booking) renumber(n int) {
	b.id = numbered(b.key, n)

	for i := range b.moves {
		m := &b.moves[i]
		m.ID = b.id

		m.Booking = b.id
		if len(b.moves) > 1 {
			m.ID = partID(b.id, int64(i+1))
		}
	}

	if b.rows != nil { // their sealed columns are bound to the id
		file, _ := b.rows[0][fileColumn].(string)
		b.rows = b.row(file)
	}
}

func direction(yes bool) string {
	if yes {
		return "+"
	}

	return "-"
}

// fold keeps only the letters and digits of a text, in upper case: what survives a bank's line breaks.
func fold(s string) string {
	out := make([]byte, 0, len(s))

	for i := range len(s) {
		switch c := s[i]; {
		case c >= 'a' && c <= 'z':
			out = append(out, c-'a'+'A')
		case c >= '0' && c <= '9', c >= 'A' && c <= 'Z', c >= 0x80:
			out = append(out, c)
		}
	}

	return string(out)
}

// partsOf splits a booking if the bank split it exactly: several transactions in the account's currency whose sum is
// the booking. Anything else stays one part: nothing is split by guessing.
func partsOf(b *booking, e *camt.Entry) []part {
	single := []part{{units: b.units, credit: e.Credit}}
	if e.Lump || len(e.Details) == 0 {
		return single
	}

	if len(e.Details) == 1 {
		single[0].detail = &e.Details[0]
		return single
	}

	var out []part
	sum := new(big.Int)

	for i := range e.Details {
		d := &e.Details[i]

		units, err := decimalUnits(b.house.Currency, d.Amount.Value)
		if err != nil || d.Amount.Currency != b.house.Currency || d.Amount.Empty() {
			return single
		}

		n, _ := new(big.Int).SetString(units, 10)
		if d.Credit != e.Credit {
			n.Neg(n)
		}

		sum.Add(sum, n)

		out = append(out, part{units: units, credit: d.Credit, detail: d})
	}

	if sum.String() != b.units {
		return single
	}

	return out
}

// counterparty returns the other party of a movement and the BIC of its bank.
func counterparty(credit bool, d *camt.Detail) (p camt.Party, bic string) {
	p = d.Creditor
	bic = d.CreditorAgentBIC

	ultimate := d.UltimateCreditor
	if credit {
		p = d.Debtor
		bic = d.DebtorAgentBIC
		ultimate = d.UltimateDebtor
	}

	p.Name = cmp.Or(p.Name, ultimate)

	return p, bic
}

// partID returns the id of one movement of several.
func partID(booking string, number int64) string {
	return booking + "/" + strconv.FormatInt(number, 10)
}

// movements returns what observers receive of a booking.
func (b *booking) movements(e *camt.Entry, fileID string) []Entry {
	out := make([]Entry, len(b.parts))

	for i, p := range b.parts {
		out[i] = b.movement(e, fileID, p)
		if len(b.parts) > 1 {
			out[i].ID = partID(b.id, int64(i+1))
		}
	}

	return out
}

func (b *booking) movement(e *camt.Entry, fileID string, p part) Entry {
	out := Entry{
		ID:            b.id,
		Booking:       b.id,
		Account:       b.house.ID,
		File:          fileID,
		Amount:        amount(b.house.Currency, p.units),
		Credit:        p.credit,
		Reversal:      e.Reversal,
		BookedAt:      db.Time(b.bookedAt),
		ValueAt:       db.Time(b.valueAt),
		BankRef:       bankRef(e),
		Code:          b.house.codeOf(e, p.detail),
		PaymentInfoID: e.BatchPmtInf,
		Info:          e.Info,
	}
	if p.detail == nil {
		out.mentions = out.mentionsIn(e.Info)
		return out
	}

	d := p.detail
	// a reversal moves money in the opposite direction of the payment that it reverses
	other, bic := counterparty(p.credit != e.Reversal, d)
	out.EndToEndID = d.EndToEndID
	out.UETR = d.UETR
	out.InstrID = d.InstrID
	out.MandateID = d.MandateID
	out.PaymentInfoID = cmp.Or(d.PmtInfID, e.BatchPmtInf)
	out.Remittance = strings.Join(d.Remittance, "\n")
	out.References = d.StructuredRefs
	out.Counterparty = other.Name
	out.CounterpartyAccount = other.Account.ID()

	out.CounterpartyBank = bic
	if d.Return != nil {
		out.ReturnCode = d.Return.Code
		out.ReturnText = d.Return.Info
	}

	if d.Info != "" && d.Info != e.Info {
		out.Info = strings.TrimPrefix(e.Info+"\n"+d.Info, "\n")
	}

	out.mentions = out.mentionsIn(d.StructuredInfo...)
	out.mentions = addMentions(out.mentions, d.TxID)
	out.mentions = addMentions(out.mentions, d.Info)

	if len(b.parts) == 1 { // what the bank says of the whole is said of none of its parts
		out.mentions = addMentions(out.mentions, e.Info)
	}

	return out
}

// bare reports whether a booking contains only what the bank's books require, neither a payer nor a text. Such an entry
// may stand for many payments whose details come in another message.
func (b *booking) bare() bool {
	m := &b.moves[0]
	return len(b.moves) == 1 && m.EndToEndID == "" && m.UETR == "" && m.Remittance == "" && len(m.References) == 0 &&
		m.Counterparty == "" && m.CounterpartyAccount == ""
}

// accountedFor returns the row of the statement that lists the booking; "" if only an advice reports it.
func (b *booking) accountedFor() string {
	if b.source.kind == camt.Statement {
		return b.source.id
	}

	return ""
}

func (b *booking) advised() bool { return b.source.kind == camt.Notification }

// The positions of a booking's file and status in its row.
const (
	fileColumn   = 2
	statusColumn = 5
)

// row builds a booking's rows.
func (b *booking) row(fileID string) [][]any {
	complete := &b.moves[0]

	parts := int64(0)
	if len(b.moves) > 1 {
		complete = b.complete
		parts = int64(len(b.moves))
	}

	texts := entryTexts.Of(
		db.Key{b.id},
		complete.CounterpartyAccount,
		complete.Remittance,
		complete.ReturnText,
		complete.Info,
	)
	out := make([][]any, 1, 1+parts)

	out[0] = []any{
		b.id,
		b.house.ID,
		fileID,
		string(b.source.kind),
		b.position,
		string(b.status),
		b.named,
		b.accountedFor(),
		b.advised(),
		b.bare(),
		b.units,
		b.house.Currency,
		b.credit,
		b.reversal,
		b.bookedAt,
		b.valueAt,
		complete.BankRef,
		complete.Code,
		complete.EndToEndID,
		complete.UETR,
		complete.InstrID,
		complete.PaymentInfoID,
		complete.MandateID,
		texts,
		strings.Join(complete.References, "\n"),
		complete.Counterparty,
		complete.ReturnCode,
		parts,
	}

	for i := range parts {
		out = append(out, partRow(b.id, i+1, &b.moves[i]))
	}

	return out
}

// partRow builds the row of one movement of several.
func partRow(booking string, number int64, m *Entry) []any {
	return []any{
		booking,
		number,
		m.Amount.Units().String(),
		m.Credit,
		m.EndToEndID,
		m.UETR,
		m.InstrID,
		m.PaymentInfoID,
		m.MandateID,
		partTexts.Of(db.Key{booking, number}, m.CounterpartyAccount, m.Remittance, m.ReturnText, m.Info),
		strings.Join(m.References, "\n"),
		m.Counterparty,
		m.ReturnCode,
		false,
	}
}

// store inserts a booking's rows.
func (b *booking) store(tx *db.Tx) {
	tx.Insert(insertEntry, b.rows[0]...)

	for _, part := range b.rows[1:] {
		tx.Insert(insertPart, part...)
	}
}
