package bank

import (
	"context"
	"strings"

	"slipway/internal/core/money"
	"slipway/internal/platform/db"
)

const entryColumns = "id, account, file_id, kind, position, status, named, units, currency, credit, reversal, booked_at, value_at, bank_ref, code, end_to_end_id, uetr, " +
	"instr_id, payment_info_id, mandate_id, remittance, refs, counterparty, counterparty_account, return_code, return_text, info, parts"

const partColumns = "entry_id, number, units, credit, end_to_end_id, uetr, instr_id, payment_info_id, mandate_id, remittance, refs, counterparty, " +
	"counterparty_account, return_code, return_text, info"

var (
	insertInbox     = db.InsertInto("bank_inbox", "id, hash, name, kind, size, state, reason_code, reason, entries, created_at, updated_at")
	insertStatement = db.InsertInto("bank_statements",
		"id, file_id, number, account, kind, statement_id, sequence, page, year, opening, opening_on, closing, closing_on, created_at")
	insertEntry   = db.InsertInto("bank_entries", entryColumns)
	insertUnnamed = db.InsertInto("bank_unnamed", "account").OrIgnore("(account)")
	insertPart    = db.InsertInto("bank_parts", partColumns)
	insertMatch   = db.InsertInto("bank_matches", "payout_id, kind, movement, units, settled, created_at")
	insertNotice  = db.InsertInto("bank_notices", "file_id, number, payout_id, code, text, units, created_at")
	insertReport  = db.InsertInto("bank_reports", "file_id, number, level, message_id, target, status, code, text, created_at")
	insertDoubt   = db.InsertInto("bank_doubts", "entry_id, like_entry, state, created_at, updated_at")
)

// InboxState is how far a file of the bank has come.
type InboxState string

// The states of an incoming file, and who acts next.
const (
	InboxImporting   InboxState = "IMPORTING"   // it is sound; being booked, and gone on with after a crash
	InboxImported    InboxState = "IMPORTED"    // booked as a whole
	InboxWaiting     InboxState = "WAITING"     // sound, but not next in its account's chain, or its sums do not hold; a statement or a person acts next
	InboxQuarantined InboxState = "QUARANTINED" // nothing of it is used
	InboxDropped     InboxState = "DROPPED"     // given up by two persons
)

// inboxRow is a row of bank_inbox.
type inboxRow struct {
	ID, Hash, Name, Kind                    string
	Size                                    int64
	State                                   InboxState
	ReasonCode, Reason                      string
	Entries, Fresh, Matched, Statuses, Done int64
	Created, Updated                        int64
}

const inboxColumns = "id, hash, name, kind, size, state, reason_code, reason, entries, fresh, matched, statuses, done, created_at, updated_at"

func (f *inboxRow) dest() []any {
	return []any{&f.ID, &f.Hash, &f.Name, &f.Kind, &f.Size, (*string)(&f.State), &f.ReasonCode, &f.Reason, &f.Entries, &f.Fresh, &f.Matched, &f.Statuses, &f.Done,
		&f.Created, &f.Updated}
}

func inboxWhere(ctx context.Context, q db.Querier, rest string, args ...any) ([]inboxRow, error) {
	return db.Select(ctx, q, (*inboxRow).dest, "SELECT "+inboxColumns+" FROM bank_inbox "+rest, args...)
}

func inboxByHash(ctx context.Context, q db.Querier, hash string) (inboxRow, error) {
	return db.One(ctx, q, (*inboxRow).dest, "SELECT "+inboxColumns+" FROM bank_inbox WHERE hash = ?", hash)
}

// noteInbox writes what became of a file; the row must be as it was read.
func noteInbox(tx *db.Tx, was, f inboxRow) {
	tx.Change("UPDATE bank_inbox SET kind = ?, state = ?, reason_code = ?, reason = ?, entries = ?, fresh = ?, matched = ?, statuses = ?, done = ?, updated_at = ? "+
		"WHERE id = ? AND state = ? AND done = ?", f.Kind, string(f.State), f.ReasonCode, f.Reason, f.Entries, f.Fresh, f.Matched, f.Statuses, f.Done, db.Micros(tx.Now),
		f.ID, string(was.State), was.Done)
}

// statementRow is a row of bank_statements.
type statementRow struct {
	ID, FileID                             string
	Number                                 int64
	Account, Kind, StatementID             string
	Sequence, Page, Year                   int64
	Opening, OpeningOn, Closing, ClosingOn string

	currency string // of the account; not stored
}

// shown is a stored balance for people.
func (s statementRow) shown(units string) string {
	return signedAmount(s.currency, units).String() + " " + s.currency
}

// signedAmount is stored units with a sign as an amount.
func signedAmount(currency, units string) money.Amount {
	if rest, ok := strings.CutPrefix(units, "-"); ok {
		return amount(currency, rest).Neg()
	}
	return amount(currency, units)
}

const statementColumns = "id, file_id, number, account, kind, statement_id, sequence, page, year, opening, opening_on, closing, closing_on"

func (s *statementRow) dest() []any {
	return []any{&s.ID, &s.FileID, &s.Number, &s.Account, &s.Kind, &s.StatementID, &s.Sequence, &s.Page, &s.Year, &s.Opening, &s.OpeningOn, &s.Closing, &s.ClosingOn}
}

func addStatement(tx *db.Tx, s statementRow) {
	tx.Insert(insertStatement, s.ID, s.FileID, s.Number, s.Account, s.Kind, s.StatementID, s.Sequence, s.Page, s.Year, s.Opening, s.OpeningOn, s.Closing, s.ClosingOn,
		db.Micros(tx.Now))
}

// chainOf reads the statements of an account that have balances: its latest ones, the newest first, and the first of all.
func chainOf(ctx context.Context, q db.Querier, account string) ([]statementRow, error) {
	const with = " FROM bank_statements WHERE account = ? AND kind = 'camt.053' AND opening <> '' ORDER BY "
	newest, err := db.Select(ctx, q, (*statementRow).dest, "SELECT "+statementColumns+with+"closing_on DESC, id DESC LIMIT 500", account)
	if err != nil || len(newest) < 500 {
		return newest, err
	}
	first, err := db.Select(ctx, q, (*statementRow).dest, "SELECT "+statementColumns+with+"closing_on, id LIMIT 1", account)
	return append(newest, first...), err
}

// known gives those of some entry ids that are stored.
func known(ctx context.Context, q db.Querier, ids []string) (map[string]bool, error) {
	var w db.Where
	db.In(&w, "id", ids)
	rows, err := db.Select(ctx, q, func(s *string) []any { return []any{s} }, "SELECT id FROM bank_entries"+w.SQL(), w.Args...)
	out := make(map[string]bool, len(rows))
	for _, id := range rows {
		out[id] = true
	}
	return out, err
}

// alike is a stored booking that may be another one told in other words.
type alike struct {
	id, kind, units string
	bookedAt        int64
	credit, named   bool
}

// hasUnnamed says whether an account ever had a booking without a reference of the bank. A small table of its own tells it: the bookings
// would have to be searched for what most accounts never have.
func hasUnnamed(ctx context.Context, q db.Querier, account string) (bool, error) {
	return db.Value[bool](ctx, q, "SELECT EXISTS(SELECT 1 FROM bank_unnamed WHERE account = ?)", account)
}

// bookedBetween reads an account's bookings of some days that another message told of.
func bookedBetween(ctx context.Context, q db.Querier, account, notKind string, from, to int64) ([]alike, error) {
	return db.Select(ctx, q, func(a *alike) []any { return []any{&a.id, &a.kind, &a.units, &a.bookedAt, &a.credit, &a.named} },
		"SELECT id, kind, units, booked_at, credit, named FROM bank_entries WHERE account = ? AND booked_at >= ? AND booked_at <= ? AND status = 'BOOK' AND kind <> ? ORDER BY id",
		account, from, to, notKind)
}

// movementRow is an entry or a part of one, as Entry needs it.
type movementRow struct {
	Entry
	units, currency string
	booked, value   int64
	refs            string
	parts           int64
}

func (m *movementRow) dest() []any {
	e := &m.Entry
	return []any{&e.Booking, &e.Account, &e.File, &m.units, &m.currency, &e.Credit, &e.Reversal, &m.booked, &m.value, &e.BankRef, &e.Code, &e.EndToEndID, &e.UETR, &e.InstrID,
		&e.PaymentInfoID, &e.MandateID, &e.Remittance, &m.refs, &e.Counterparty, &e.CounterpartyAccount, &e.ReturnCode, &e.ReturnText, &e.Info, &m.parts}
}

func (m movementRow) entry(id string) Entry {
	e := m.Entry
	e.ID, e.Amount, e.BookedAt, e.ValueAt = id, amount(m.currency, m.units), db.Time(m.booked), db.Time(m.value)
	if m.refs != "" {
		e.References = strings.Split(m.refs, "\n")
	}
	return e
}

const movementColumns = "id, account, file_id, units, currency, credit, reversal, booked_at, value_at, bank_ref, code, end_to_end_id, uetr, instr_id, payment_info_id, " +
	"mandate_id, remittance, refs, counterparty, counterparty_account, return_code, return_text, info, parts"

// movements reads a booking as what it is made of, in order.
func movements(ctx context.Context, q db.Querier, booking string) ([]Entry, error) {
	whole, err := db.One(ctx, q, (*movementRow).dest, "SELECT "+movementColumns+" FROM bank_entries WHERE id = ?", booking)
	if err != nil {
		return nil, err
	}
	if whole.parts == 0 {
		return []Entry{whole.entry(booking)}, nil
	}
	type partRow struct {
		movementRow
		number int64
	}
	rows, err := db.Select(ctx, q, func(p *partRow) []any {
		e := &p.Entry
		return []any{&p.number, &p.units, &e.Credit, &e.EndToEndID, &e.UETR, &e.InstrID, &e.PaymentInfoID, &e.MandateID, &e.Remittance, &p.refs, &e.Counterparty,
			&e.CounterpartyAccount, &e.ReturnCode, &e.ReturnText, &e.Info}
	}, "SELECT number, units, credit, end_to_end_id, uetr, instr_id, payment_info_id, mandate_id, remittance, refs, counterparty, counterparty_account, return_code, "+
		"return_text, info FROM bank_parts WHERE entry_id = ? ORDER BY number", booking)
	out := make([]Entry, 0, len(rows))
	for _, p := range rows {
		e := p.Entry
		e.Booking, e.Account, e.File, e.Reversal, e.BankRef, e.Code = whole.Booking, whole.Account, whole.File, whole.Reversal, whole.BankRef, whole.Code
		p.Entry, p.currency, p.booked, p.value = e, whole.currency, whole.booked, whole.value
		out = append(out, p.entry(partID(booking, p.number)))
	}
	return out, err
}
