package bank

import (
	"context"
	"fmt"
	"math/big"

	"github.com/go-json-experiment/json"

	"slipway/internal/core/money"
	"slipway/internal/platform/db"
)

var (
	insertPayout = db.InsertInto(
		"bank_payouts",
		"id, key, object, house, rail, currency, units, sealed, charges, purpose, reference, end_to_end_id, uetr, "+
			"state, created_at, updated_at",
	)
	insertFile = db.InsertInto("bank_files",
		"id, house, rail, execute_on, message_id, name, state, payouts, control_sum, created_at, updated_at")
	insertFiled      = db.InsertInto("bank_file_payouts", "payout_id, file_id")
	insertFileBytes  = db.InsertInto("bank_file_bytes", "file_id, content")
	insertResolution = db.InsertInto("bank_resolutions", "id, subject, action, asked_by, approved_by, note, created_at")
)

// Sealed columns: whom a payout goes to, as JSON, and its text; the bytes of a payment file.
var (
	payoutTo    = db.SealColumn("bank_payouts", "sealed", "id")
	sealedBytes = db.SealBytes("bank_file_bytes", "content", "file_id")
)

// Sealed are the columns that are sealed.
func Sealed() []*db.Sealed { return []*db.Sealed{payoutTo, sealedBytes, entryTexts, partTexts} }

// creditor is who gets a payout, as the row keeps it.
type creditor struct {
	Party   Party      `json:"party"`
	Account AccountIDs `json:"account"`
}

func creditorJSON(p Payout) (string, error) {
	raw, err := json.Marshal(creditor{p.Creditor, p.Account})
	return string(raw), err
}

// payoutRow is a row of bank_payouts, and the file it is in.
type payoutRow struct {
	ID, Key, Object, House, Rail, Currency, Units, creditor, Charges, Purpose, Remittance, Reference, EndToEndID, UETR string
	State                                                                                                              State
	ReasonCode, Reason, Conflict, FileID                                                                               string
	HandedAt, CreatedAt, UpdatedAt                                                                                     int64

	Creditor creditor // read from its JSON by unpack
}

// fileOf is the file that a payout is in, or nothing. It is asked for row by row: planners would read the whole table
// for a join.
const fileOf = "COALESCE((SELECT file_id FROM bank_file_payouts WHERE payout_id = id), '')"

// inFile follows on bank_payouts: those of one file.
const inFile = "JOIN bank_file_payouts ON payout_id = id WHERE file_id = ?"

const payoutColumns = "id, key, object, house, rail, currency, units, sealed, charges, purpose, reference, " +
	"end_to_end_id, uetr, state, reason_code, reason, conflict, " +
	fileOf + ", handed_at, created_at, updated_at"

// A payout in a file is PLANNED in its own row: what makes it FILED is its row in bank_file_payouts. So a file of
// thousands of payouts is made without changing any of their rows, which all of the table's indexes would follow.
func (p *payoutRow) read() {
	if p.State == Planned && p.FileID != "" {
		p.State = Filed
	}
}

// stored is a state as the payout's own row has it.
func stored(s State) string {
	if s == Filed {
		return string(Planned)
	}

	return string(s)
}

func (p *payoutRow) dest() []any {
	return []any{
		&p.ID,
		&p.Key,
		&p.Object,
		&p.House,
		&p.Rail,
		&p.Currency,
		&p.Units,
		payoutTo.Into(db.Key{&p.ID}, &p.creditor, &p.Remittance),
		&p.Charges,
		&p.Purpose,
		&p.Reference,
		&p.EndToEndID,
		&p.UETR,
		(*string)(&p.State),
		&p.ReasonCode,
		&p.Reason,
		&p.Conflict,
		&p.FileID,
		&p.HandedAt,
		&p.CreatedAt,
		&p.UpdatedAt,
	}
}

// payouts reads rows by a condition of this package.
func payouts(ctx context.Context, q db.Querier, rest string, args ...any) ([]payoutRow, error) {
	rows, err := db.Select(ctx, q, (*payoutRow).dest, "SELECT "+payoutColumns+" FROM bank_payouts "+rest, args...)
	if err != nil {
		return nil, err
	}

	for i := range rows {
		rows[i].read()

		if err := json.Unmarshal([]byte(rows[i].creditor), &rows[i].Creditor); err != nil {
			return nil, fmt.Errorf("creditor of payout %s: %w", rows[i].ID, err)
		}
	}

	return rows, nil
}

func payoutByKey(ctx context.Context, q db.Querier, key string) (payoutRow, error) {
	rows, err := payouts(ctx, q, "WHERE key = ?", key)
	if err == nil && len(rows) == 0 {
		err = db.ErrNone
	}

	if err != nil {
		return payoutRow{}, err
	}

	return rows[0], nil
}

// amount is a stored number of units as an amount.
func amount(currency, units string) money.Amount {
	n, ok := new(big.Int).SetString(units, 10)
	if !ok {
		n = new(big.Int) // the columns hold digits only
	}

	return money.FromUnits(Asset(currency), n)
}

// public is the row as callers and observers see it.
func (p payoutRow) public() Payout {
	return Payout{
		Key:        p.Key,
		Object:     p.Object,
		From:       p.House,
		Rail:       p.Rail,
		Currency:   p.Currency,
		Amount:     amount(p.Currency, p.Units),
		Creditor:   p.Creditor.Party,
		Account:    p.Creditor.Account,
		Charges:    p.Charges,
		Purpose:    p.Purpose,
		Remittance: p.Remittance,
		Reference:  p.Reference,
		ID:         p.ID,
		State:      p.State,
		EndToEndID: p.EndToEndID,
		UETR:       p.UETR,
	}
}

// FileState is how far a payment file has come.
type FileState string

// The states of a payment file, and who acts next.
const (
	FileSelected   FileState = "SELECTED"    // its payouts are chosen; the writer acts next
	FileStored     FileState = "STORED"      // its bytes are on disk; nothing has left
	FileSending    FileState = "SENDING"     // from here on it may be at the bank
	FileArrived    FileState = "ARRIVED"     // it is at the bank; its payouts are being told
	FileHandedOver FileState = "HANDED_OVER" // it is at the bank and all know
	FileHeld       FileState = "HELD"        // not known whether it is at the bank; a person acts next
	FileDropped    FileState = "DROPPED"     // none of its payouts could be written; it never left
)

// fileRow is a row of bank_files.
type fileRow struct {
	ID, House, Rail, ExecuteOn, MessageID, Name          string
	State                                                FileState
	Reason                                               string
	Payouts                                              int64
	ControlSum, SHA256, Staged                           string
	Size, Attempts, AskedSince, SentAt, Created, Updated int64
}

const fileColumns = "id, house, rail, execute_on, message_id, name, state, reason, payouts, control_sum, sha256, " +
	"size, attempts, staged, asked_since, sent_at, created_at, updated_at"

func (f *fileRow) dest() []any {
	return []any{
		&f.ID,
		&f.House,
		&f.Rail,
		&f.ExecuteOn,
		&f.MessageID,
		&f.Name,
		(*string)(&f.State),
		&f.Reason,
		&f.Payouts,
		&f.ControlSum,
		&f.SHA256,
		&f.Size,
		&f.Attempts,
		&f.Staged,
		&f.AskedSince,
		&f.SentAt,
		&f.Created,
		&f.Updated,
	}
}

func filesIn(ctx context.Context, q db.Querier, state FileState, limit int) ([]fileRow, error) {
	return db.Select(
		ctx,
		q,
		(*fileRow).dest,
		"SELECT "+fileColumns+" FROM bank_files WHERE state = ? ORDER BY id LIMIT ?",
		string(state),
		int64(limit),
	)
}

func fileByID(ctx context.Context, q db.Querier, id string) (fileRow, error) {
	return db.One(ctx, q, (*fileRow).dest, "SELECT "+fileColumns+" FROM bank_files WHERE id = ?", id)
}

func filesByMessage(ctx context.Context, q db.Querier, messages []string) ([]fileRow, error) {
	var w db.Where
	db.In(&w, "message_id", messages)

	return db.Select(
		ctx,
		q,
		(*fileRow).dest,
		"SELECT "+fileColumns+" FROM bank_files"+w.SQL()+" AND state <> 'DROPPED'",
		w.Args...)
}

func fileBytes(ctx context.Context, q db.Querier, id string) ([]byte, error) {
	return db.One(ctx, q, func(content *[]byte) []any {
		return []any{sealedBytes.IntoBytes(db.Key{id}, content)}
	}, "SELECT content FROM bank_file_bytes WHERE file_id = ?", id)
}

// queue is the planned payouts of one account and rail.
type queue struct {
	house, rail   string
	count, oldest int64
}

func queues(ctx context.Context, q db.Querier) ([]queue, error) {
	return db.Select(
		ctx,
		q,
		func(g *queue) []any { return []any{&g.house, &g.rail, &g.count, &g.oldest} },
		"SELECT house, rail, count(*), min(created_at) FROM bank_payouts WHERE state = 'PLANNED' AND "+fileOf+" = '' GROUP BY house, rail ORDER BY house, rail",
	)
}

// planned reads the oldest payouts of an account and rail that are in no file, and in none that left before the
// database was put back: what a file's row is made of.
func planned(ctx context.Context, q db.Querier, house, rail string, limit int) ([]payoutRow, error) {
	return db.Select(
		ctx,
		q,
		func(p *payoutRow) []any { return []any{&p.ID, &p.EndToEndID, &p.Currency, &p.Units} },
		`SELECT id, end_to_end_id, currency, units FROM bank_payouts
			WHERE state = 'PLANNED' AND house = ? AND rail = ? AND `+fileOf+" = '' AND "+notHanded+
			" ORDER BY id LIMIT ?",
		house,
		rail,
		int64(limit),
	)
}

// membersOf gives payouts of a file, behind one of them.
func membersOf(ctx context.Context, q db.Querier, fileID, after string, limit int) ([]string, error) {
	return db.Select(
		ctx,
		q,
		func(s *string) []any { return []any{s} },
		"SELECT payout_id FROM bank_file_payouts WHERE file_id = ? AND payout_id > ? ORDER BY payout_id LIMIT ?",
		fileID,
		after,
		int64(limit),
	)
}

// leaveFile takes a payout out of its file.
func leaveFile(tx *db.Tx, p *payoutRow) {
	tx.Change("DELETE FROM bank_file_payouts WHERE payout_id = ? AND file_id = ?", p.ID, p.FileID)
	p.FileID = ""
}

// noteFile writes what became of a file; the row must be as it was read.
func noteFile(tx *db.Tx, was, f fileRow) {
	tx.Change(
		`UPDATE bank_files
			SET state = ?, reason = ?, payouts = ?, control_sum = ?, sha256 = ?, size = ?, attempts = ?,
			staged = ?, asked_since = ?, sent_at = ?, updated_at = ?
			WHERE id = ? AND state = ? AND attempts = ? AND staged = ?`,
		string(f.State),
		f.Reason,
		f.Payouts,
		f.ControlSum,
		f.SHA256,
		f.Size,
		f.Attempts,
		f.Staged,
		f.AskedSince,
		f.SentAt,
		db.Micros(tx.Now),
		f.ID,
		string(was.State),
		was.Attempts,
		was.Staged,
	)
}

// renameFile gives a file that has not left the identity that follows from its payouts.
func renameFile(tx *db.Tx, f fileRow, message string) {
	tx.Change(
		"UPDATE bank_files SET message_id = ?, name = ? WHERE id = ? AND state = ?",
		message,
		fileName(message),
		f.ID,
		string(f.State),
	)
}

// notePayout writes what became of a payout; the row must be as it was read, and in the same file.
func notePayout(tx *db.Tx, was State, p payoutRow) {
	tx.Change(
		`UPDATE bank_payouts
			SET state = ?, reason_code = ?, reason = ?, conflict = ?, handed_at = ?, updated_at = ?
			WHERE id = ? AND state = ? AND `+fileOf+" = ?",
		stored(p.State),
		p.ReasonCode,
		p.Reason,
		p.Conflict,
		p.HandedAt,
		db.Micros(tx.Now),
		p.ID,
		stored(was),
		p.FileID,
	)
}

// noteHandedOver writes that payouts in a file are at the bank; all of them must be as they were read.
func noteHandedOver(tx *db.Tx, ids []string) error {
	return noteMany(
		tx,
		ids,
		Filed,
		"state = 'HANDED_OVER', handed_at = ?, updated_at = ?",
		db.Micros(tx.Now),
		db.Micros(tx.Now),
	)
}

// noteBooked writes that payouts of one state were booked; all of them must be as they were read.
func noteBooked(tx *db.Tx, was State, ids []string) error {
	return noteMany(tx, ids, was, "state = 'BOOKED', reason_code = '', reason = '', updated_at = ?", db.Micros(tx.Now))
}

// noteMany changes payouts of one state in one statement. The empty text keeps planners from looking for everything
// in that state instead of these rows.
func noteMany(tx *db.Tx, ids []string, was State, set string, args ...any) error {
	if len(ids) == 0 {
		return nil
	}

	var w db.Where
	w.And("state || '' = ?", stored(was))
	db.In(&w, "id", ids)

	n, err := tx.Exec("UPDATE bank_payouts SET "+set+w.SQL(), append(args, w.Args...)...)
	if err == nil && n != int64(len(ids)) {
		return db.ErrStale
	}

	return err
}
