package bank

import (
	"context"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"slipway/internal/core/money"
	"slipway/internal/platform/db"
)

const entryColumns = "id, account, file_id, kind, position, status, named, statement, advised, bare, units, " +
	"currency, credit, reversal, booked_at, value_at, bank_ref, code, end_to_end_id, uetr, " +
	"instr_id, payment_info_id, mandate_id, sealed, refs, counterparty, return_code, parts"

const partColumns = "entry_id, number, units, credit, end_to_end_id, uetr, instr_id, payment_info_id, mandate_id, " +
	"sealed, refs, counterparty, " +
	"return_code, replaced"

// Sealed texts of an entry or part: the counterparty's account, remittance, return text, info. They name an account or
// are free text.
var (
	entryTexts = db.SealColumn("bank_entries", "sealed", "id")
	partTexts  = db.SealColumn("bank_parts", "sealed", "entry_id, number")
)

var (
	insertInbox = db.InsertInto(
		"bank_inbox",
		"id, hash, name, kind, size, state, reason_code, reason, remark, entries, created_at, updated_at",
	)
	insertStatement = db.InsertInto(
		"bank_statements",
		"id, file_id, number, account, kind, statement_id, sequence, page, year, opening, opening_on, closing, "+
			"closing_on, first_on, base, place, created_at",
	)
	insertCounted       = db.InsertInto("bank_counted", "statement, number, units, created_at")
	insertEntry         = db.InsertInto("bank_entries", entryColumns)
	insertReportingKind = db.InsertInto("bank_tellers", "account, kind").OrIgnore("(account, kind)")
	insertPart          = db.InsertInto("bank_parts", partColumns)
	insertMatch         = db.InsertInto("bank_matches", "payout_id, kind, movement, units, settled, created_at")
	insertReturn        = db.InsertInto("bank_returns", "movement, payout_id, units, evidence, settled, created_at")
	insertNotice        = db.InsertInto("bank_notices", "file_id, number, payout_id, code, text, units, created_at")
	insertReport        = db.InsertInto(
		"bank_reports",
		"file_id, number, level, message_id, target, status, code, text, created_at",
	)
	insertDoubt = db.InsertInto("bank_doubts", "entry_id, like_entry, state, created_at, updated_at")
	insertLate  = db.InsertInto("bank_late", "entry_id, file_id, created_at").OrIgnore("(entry_id)")
	insertBlock = db.InsertInto("bank_blocks", "entry_id, message, settled, created_at")
)

// InboxState is the state of an incoming file.
type InboxState string

// The states of an incoming file, and who acts next.
const (
	InboxImporting InboxState = "IMPORTING" // valid, being booked; resumed after a crash
	InboxImported  InboxState = "IMPORTED"  // booked completely
	// booked, but what is booked for its account does not match its balances; another file or two persons act next
	InboxUnbalanced InboxState = "UNBALANCED"
	// valid, but not next in its account's chain, or its sums are wrong; a statement or a person acts next
	InboxWaiting     InboxState = "WAITING"
	InboxQuarantined InboxState = "QUARANTINED" // nothing of it is used
	InboxDropped     InboxState = "DROPPED"     // what was not booked is discarded by two persons
)

// inboxRow is a row of bank_inbox.
type inboxRow struct {
	ID, Hash, Name, Kind                    string
	Size                                    int64
	State                                   InboxState
	ReasonCode, Reason, Remark              string
	Entries, Fresh, Matched, Statuses, Done int64
	Created, Updated                        int64
}

const inboxColumns = "id, hash, name, kind, size, state, reason_code, reason, remark, entries, fresh, matched, " +
	"statuses, done, created_at, updated_at"

func (f *inboxRow) dest() []any {
	return []any{
		&f.ID,
		&f.Hash,
		&f.Name,
		&f.Kind,
		&f.Size,
		(*string)(&f.State),
		&f.ReasonCode,
		&f.Reason,
		&f.Remark,
		&f.Entries,
		&f.Fresh,
		&f.Matched,
		&f.Statuses,
		&f.Done,
		&f.Created,
		&f.Updated,
	}
}

func inboxWhere(ctx context.Context, q db.Querier, rest string, args ...any) ([]inboxRow, error) {
	return db.Select(ctx, q, (*inboxRow).dest, "SELECT "+inboxColumns+" FROM bank_inbox "+rest, args...)
}

func inboxByHash(ctx context.Context, q db.Querier, hash string) (inboxRow, error) {
	return db.One(ctx, q, (*inboxRow).dest, "SELECT "+inboxColumns+" FROM bank_inbox WHERE hash = ?", hash)
}

// knownHashes reports which archived files the database knows.
func knownHashes(ctx context.Context, q db.Querier, files []fs.DirEntry) (map[string]bool, error) {
	names := make([]string, len(files))
	for i, f := range files {
		names[i] = f.Name()
	}

	var w db.Where
	db.In(&w, "hash", names)

	rows, err := db.Select(ctx, q, func(hash *string) []any { return []any{hash} },
		"SELECT hash FROM bank_inbox"+w.SQL(), w.Args...)

	out := make(map[string]bool, len(rows))
	for _, hash := range rows {
		out[hash] = true
	}

	return out, err
}

func addInbox(tx *db.Tx, f inboxRow) {
	tx.Insert(
		insertInbox,
		f.ID,
		f.Hash,
		f.Name,
		f.Kind,
		f.Size,
		string(f.State),
		f.ReasonCode,
		f.Reason,
		f.Remark,
		f.Entries,
		f.Created,
		f.Created,
	)
}

// noteInbox writes a file's row, which must be unchanged since it was read.
func noteInbox(tx *db.Tx, was, f inboxRow) {
	tx.Change(
		`UPDATE bank_inbox
			SET kind = ?, state = ?, reason_code = ?, reason = ?, remark = ?, entries = ?, fresh = ?, matched = ?,
			statuses = ?, done = ?, updated_at = ?
			WHERE id = ? AND state = ? AND done = ?`,
		f.Kind,
		string(f.State),
		f.ReasonCode,
		f.Reason,
		f.Remark,
		f.Entries,
		f.Fresh,
		f.Matched,
		f.Statuses,
		f.Done,
		db.Micros(tx.Now),
		f.ID,
		string(was.State),
		was.Done,
	)
}

// statementRow is a row of bank_statements.
type statementRow struct {
	ID, FileID                             string
	Number                                 int64
	Account, Kind, StatementID             string
	Sequence, Page, Year                   int64
	Opening, OpeningOn, Closing, ClosingOn string
	FirstOn                                string // the first day that it covers
	Base                                   string // earlier statements account for everything up to this balance
	Place                                  string // within the account's chain; "" without balances
	Created                                int64  // the same of all that are booked together

	currency string // of the account; not stored
}

// shown formats a stored balance for people.
func (s statementRow) shown(units string) string {
	return signedAmount(s.currency, units).String() + " " + s.currency
}

// signedAmount returns stored units with a sign as an amount.
func signedAmount(currency, units string) money.Amount {
	if rest, ok := strings.CutPrefix(units, "-"); ok {
		return amount(currency, rest).Neg()
	}

	return amount(currency, units)
}

const statementColumns = "id, file_id, number, account, kind, statement_id, sequence, page, year, opening, " +
	"opening_on, closing, closing_on, first_on, base, place, created_at"

func (s *statementRow) dest() []any {
	return []any{
		&s.ID,
		&s.FileID,
		&s.Number,
		&s.Account,
		&s.Kind,
		&s.StatementID,
		&s.Sequence,
		&s.Page,
		&s.Year,
		&s.Opening,
		&s.OpeningOn,
		&s.Closing,
		&s.ClosingOn,
		&s.FirstOn,
		&s.Base,
		&s.Place,
		&s.Created,
	}
}

func addStatement(tx *db.Tx, s statementRow) {
	tx.Insert(
		insertStatement,
		s.ID,
		s.FileID,
		s.Number,
		s.Account,
		s.Kind,
		s.StatementID,
		s.Sequence,
		s.Page,
		s.Year,
		s.Opening,
		s.OpeningOn,
		s.Closing,
		s.ClosingOn,
		s.FirstOn,
		s.Base,
		s.Place,
		s.Created,
	)
}

// chainOf reads the statements of an account that have balances: the latest ones, newest first, and the first of all.
func chainOf(ctx context.Context, q db.Querier, account string) ([]statementRow, error) {
	const with = " FROM bank_statements WHERE account = ? AND kind = 'camt.053' AND opening <> '' ORDER BY "

	newest, err := db.Select(
		ctx,
		q,
		(*statementRow).dest,
		"SELECT "+statementColumns+with+"closing_on DESC, id DESC LIMIT 500",
		account,
	)
	if err != nil || len(newest) < 500 {
		return newest, err
	}

	first, err := db.Select(
		ctx,
		q,
		(*statementRow).dest,
		"SELECT "+statementColumns+with+"closing_on, id LIMIT 1",
		account,
	)

	return append(newest, first...), err
}

// statementsOf reads the statements of a file.
func statementsOf(ctx context.Context, q db.Querier, fileID string) ([]statementRow, error) {
	return db.Select(
		ctx,
		q,
		(*statementRow).dest,
		"SELECT "+statementColumns+" FROM bank_statements WHERE file_id = ? ORDER BY number",
		fileID,
	)
}

func statementByID(ctx context.Context, q db.Querier, id string) (statementRow, error) {
	return db.One(ctx, q, (*statementRow).dest, "SELECT "+statementColumns+" FROM bank_statements WHERE id = ?", id)
}

// reportingKinds reads which kinds of messages have ever reported bookings of an account. A separate small table holds
// them, so that the bookings need not be searched.
func reportingKinds(ctx context.Context, q db.Querier, account string) (map[string]bool, error) {
	rows, err := db.Select(ctx, q, func(s *string) []any {
		return []any{s}
	}, "SELECT kind FROM bank_tellers WHERE account = ?", account)

	out := make(map[string]bool, len(rows))
	for _, kind := range rows {
		out[kind] = true
	}

	return out, err
}

// known is a stored booking that an entry may repeat.
type known struct {
	id, account, file, kind, status, statement string
	units, ref, payer, payerAccount            string
	remittance, returnText, info               string
	position, bookedAt, parts                  int64
	named, advised, bare, credit, reversal     bool
}

const knownColumns = "id, account, file_id, kind, status, statement, units, bank_ref, counterparty, sealed, " +
	"position, booked_at, parts, " +
	"named, advised, bare, credit, reversal"

func (k *known) dest() []any {
	return []any{
		&k.id,
		&k.account,
		&k.file,
		&k.kind,
		&k.status,
		&k.statement,
		&k.units,
		&k.ref,
		&k.payer,
		entryTexts.Into(db.Key{&k.id}, &k.payerAccount, &k.remittance, &k.returnText, &k.info),
		&k.position,
		&k.bookedAt,
		&k.parts,
		&k.named,
		&k.advised,
		&k.bare,
		&k.credit,
		&k.reversal,
	}
}

func knownWhere(ctx context.Context, q db.Querier, w db.Where) ([]known, error) {
	return db.Select(
		ctx,
		q,
		(*known).dest,
		"SELECT "+knownColumns+" FROM bank_entries"+w.SQL()+" ORDER BY id",
		w.Args...)
}

// movementRow is an entry or a part, as Entry needs it.
type movementRow struct {
	Entry
	units, currency string
	booked, value   int64
	refs            string
	parts           int64
}

func (m *movementRow) dest() []any {
	e := &m.Entry

	return []any{
		&e.Booking,
		&e.Account,
		&e.File,
		&m.units,
		&m.currency,
		&e.Credit,
		&e.Reversal,
		&m.booked,
		&m.value,
		&e.BankRef,
		&e.Code,
		&e.EndToEndID,
		&e.UETR,
		&e.InstrID,
		&e.PaymentInfoID,
		&e.MandateID,
		entryTexts.Into(db.Key{&e.Booking}, e.sealed()...),
		&m.refs,
		&e.Counterparty,
		&e.ReturnCode,
		&m.parts,
	}
}

// sealed returns pointers to the texts that are sealed together.
func (e *Entry) sealed() []*string {
	return []*string{&e.CounterpartyAccount, &e.Remittance, &e.ReturnText, &e.Info}
}

func (m movementRow) entry(id string) Entry {
	e := m.Entry
	e.ID = id
	e.Amount = amount(m.currency, m.units)
	e.BookedAt = db.Time(m.booked)

	e.ValueAt = db.Time(m.value)
	if m.refs != "" {
		e.References = strings.Split(m.refs, "\n")
	}

	if e.ID == e.Booking {
		e.mentions = e.mentionsIn(e.Info)
	} else {
		e.mentions = e.mentionsIn()
	}

	return e
}

const movementColumns = "id, account, file_id, units, currency, credit, reversal, booked_at, value_at, bank_ref, " +
	"code, end_to_end_id, uetr, instr_id, payment_info_id, " +
	"mandate_id, sealed, refs, counterparty, return_code, parts"

// movements reads the movements of a booking in order; db.ErrNone if there is no such booking.
func movements(ctx context.Context, q db.Querier, booking string) ([]Entry, error) {
	all, err := movementsOf(ctx, q, []string{booking})
	if err == nil && all[booking] == nil {
		err = db.ErrNone
	}

	return all[booking], err
}

// movementsOf reads the movements of bookings, each in order. Missing bookings are left out.
func movementsOf(ctx context.Context, q db.Querier, bookings []string) (map[string][]Entry, error) {
	out := map[string][]Entry{}

	for some := range slices.Chunk(bookings, idsPerQuery) {
		var w db.Where
		db.In(&w, "id", some)

		rows, err := db.Select(
			ctx,
			q,
			(*movementRow).dest,
			"SELECT "+movementColumns+" FROM bank_entries"+w.SQL(),
			w.Args...)
		if err != nil {
			return nil, err
		}

		apart := map[string]*movementRow{}

		for i := range rows {
			if booking := &rows[i]; booking.parts == 0 {
				out[booking.Booking] = []Entry{booking.entry(booking.Booking)}
			} else {
				apart[booking.Booking] = booking
			}
		}

		if err := addParts(ctx, q, apart, out); err != nil {
			return nil, err
		}
	}

	return out, nil
}

// addParts reads the movements of bookings with several parts.
func addParts(ctx context.Context, q db.Querier, apart map[string]*movementRow, out map[string][]Entry) error {
	if len(apart) == 0 {
		return nil
	}

	type partRow struct {
		movementRow
		number int64
	}

	var w db.Where
	w.And("NOT replaced")
	db.In(&w, "entry_id", slices.Sorted(maps.Keys(apart)))

	rows, err := db.Select(ctx, q, func(p *partRow) []any {
		e := &p.Entry

		return []any{
			&e.Booking,
			&p.number,
			&p.units,
			&e.Credit,
			&e.EndToEndID,
			&e.UETR,
			&e.InstrID,
			&e.PaymentInfoID,
			&e.MandateID,
			partTexts.Into(db.Key{&e.Booking, &p.number}, e.sealed()...),
			&p.refs,
			&e.Counterparty,
			&e.ReturnCode,
		}
	}, `SELECT entry_id, number, units, credit, end_to_end_id, uetr, instr_id, payment_info_id, mandate_id, sealed,
		refs, counterparty, return_code
		FROM bank_parts`+w.SQL()+" ORDER BY entry_id, number", w.Args...)
	for _, p := range rows {
		booking := apart[p.Entry.Booking]
		e := &p.Entry
		e.Account = booking.Account
		e.File = booking.File
		e.Reversal = booking.Reversal
		e.BankRef = booking.BankRef
		e.Code = booking.Code
		p.currency = booking.currency
		p.booked = booking.booked
		p.value = booking.value
		out[booking.Booking] = append(out[booking.Booking], p.entry(partID(booking.Booking, p.number)))
	}

	return err
}
