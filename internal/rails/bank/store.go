package bank

import (
	"context"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"time"

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
	insertFile = db.InsertInto(
		"bank_files",
		"id, house, rail, execute_on, message_id, name, format, number, state, payouts, control_sum, created_at, updated_at",
	)
	insertFiled      = db.InsertInto("bank_file_payouts", "payout_id, file_id")
	insertFileBytes  = db.InsertInto("bank_file_bytes", "file_id, content")
	insertResolution = db.InsertInto("bank_resolutions", "id, subject, action, asked_by, approved_by, note, created_at")
)

// Sealed columns: the receiver of a payout, as JSON, and its text; the bytes of a payment file.
var (
	payoutTo    = db.SealColumn("bank_payouts", "sealed", "id")
	sealedBytes = db.SealBytes("bank_file_bytes", "content", "file_id")
)

// Sealed returns the sealed columns of this package.
func Sealed() []*db.Sealed {
	return []*db.Sealed{payoutTo, sealedBytes, entryTexts, partTexts, payeeNames, correctionTexts}
}

// creditor is the receiver of a payout, as the row holds it.
type creditor struct {
	Party   Party      `json:"party"`
	Account AccountIDs `json:"account"`
}

func creditorJSON(p Payout) (string, error) {
	raw, err := json.Marshal(creditor{p.Creditor, p.Account})
	return string(raw), err
}

// payoutRow is a row of bank_payouts, with the file it is in.
type payoutRow struct {
	ID, Key, Object, House, Rail, Currency, Units string
	Charges, Purpose, Remittance, Reference       string
	EndToEndID, UETR                              string
	State                                         State
	ReasonCode, Reason, Conflict, FileID          string
	HandedAt, CreatedAt, UpdatedAt                int64

	creditor string   // JSON, as stored
	Creditor creditor // parsed from it
}

// fileOf is the file that contains a payout, or "". It is a subquery per row: for a join, planners would read the
// complete table.
const fileOf = "COALESCE((SELECT file_id FROM bank_file_payouts WHERE payout_id = id), '')"

// inFile follows "FROM bank_payouts" and selects those of one file.
const inFile = "JOIN bank_file_payouts ON payout_id = id WHERE file_id = ?"

const payoutColumns = "id, key, object, house, rail, currency, units, sealed, charges, purpose, reference, " +
	"end_to_end_id, uetr, state, reason_code, reason, conflict, " +
	fileOf + ", handed_at, created_at, updated_at"

// read sets the state of a payout in a file. Its own row says PLANNED; the row in bank_file_payouts makes it FILED. So
// a file of thousands of payouts is created without updating their rows and all indexes of the table.
func (p *payoutRow) read() {
	if p.State == Planned && p.FileID != "" {
		p.State = Filed
	}
}

// stored returns a state as the payout's own row holds it.
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

// payouts reads rows; rest is a condition written in this package.
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

// amount returns stored units as an amount.
func amount(currency, units string) money.Amount {
	n, ok := new(big.Int).SetString(units, 10)
	if !ok {
		n = new(big.Int) // the columns hold digits only
	}

	return money.FromUnits(Asset(currency), n)
}

// public returns the row as callers and observers see it.
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

// FileState is the state of a payment file.
type FileState string

// The states of a payment file, and who acts next.
const (
	FileSelected   FileState = "SELECTED"    // its payouts are selected; the renderer acts next
	FileStored     FileState = "STORED"      // its bytes are stored; nothing has left
	FileSending    FileState = "SENDING"     // from here on it may be at the bank
	FileArrived    FileState = "ARRIVED"     // it is at the bank; observers are being notified
	FileHandedOver FileState = "HANDED_OVER" // it is at the bank and all observers were notified
	FileHeld       FileState = "HELD"        // unknown whether it is at the bank; a person acts next
	// it never left: none of its payouts could be written, or a restore dissolved it
	FileDropped FileState = "DROPPED"
)

// fileRow is a row of bank_files.
type fileRow struct {
	ID, House, Rail, ExecuteOn, MessageID, Name, Format  string
	State                                                FileState
	Reason                                               string
	Payouts                                              int64
	ControlSum, SHA256, Staged                           string
	Size, Attempts, AskedSince, SentAt, Created, Updated int64
	Number                                               int64 // of the account's files by this rail on their day
}

const fileColumns = "id, house, rail, execute_on, message_id, name, format, number, state, reason, payouts, control_sum, sha256, " +
	"size, attempts, staged, asked_since, sent_at, created_at, updated_at"

func (f *fileRow) dest() []any {
	return []any{
		&f.ID,
		&f.House,
		&f.Rail,
		&f.ExecuteOn,
		&f.MessageID,
		&f.Name,
		&f.Format,
		&f.Number,
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

// filesBeginning reads the files whose identification begins with a text, two at most. Identifications have letters up
// to Z only, so that the range holds in every order of letters.
func filesBeginning(ctx context.Context, q db.Querier, message string) ([]fileRow, error) {
	upTo := message + strings.Repeat("Z", messageLength-len(message))

	return db.Select(
		ctx,
		q,
		(*fileRow).dest,
		"SELECT "+fileColumns+" FROM bank_files WHERE message_id >= ? AND message_id <= ? AND state <> 'DROPPED' LIMIT 2",
		message,
		upTo,
	)
}

// fileMessages returns the identifications of the files that payouts are in, by the payouts' own.
func fileMessages(ctx context.Context, q db.Querier, names []string) (map[string]string, error) {
	out := map[string]string{}

	for some := range slices.Chunk(names, idsPerQuery) {
		var w db.Where
		db.In(&w, "end_to_end_id", some)

		rows, err := db.Select(ctx, q, func(r *[2]string) []any { return []any{&r[0], &r[1]} },
			"SELECT end_to_end_id, message_id FROM bank_payouts JOIN bank_file_payouts ON payout_id = bank_payouts.id "+
				"JOIN bank_files ON bank_files.id = file_id"+w.SQL(), w.Args...)
		if err != nil {
			return nil, err
		}

		for _, r := range rows {
			out[r[0]] = r[1]
		}
	}

	return out, nil
}

func fileBytes(ctx context.Context, q db.Querier, id string) ([]byte, error) {
	return db.One(ctx, q, func(content *[]byte) []any {
		return []any{sealedBytes.IntoBytes(db.Key{id}, content)}
	}, "SELECT content FROM bank_file_bytes WHERE file_id = ?", id)
}

// queue counts the planned payouts of one account and rail.
type queue struct {
	house, rail   string
	count, oldest int64
}

func queues(ctx context.Context, q db.Querier) ([]queue, error) {
	const query = `SELECT house, rail, count(*), min(created_at) FROM bank_payouts
		WHERE state = 'PLANNED' AND ` + fileOf + " = '' GROUP BY house, rail ORDER BY house, rail"

	return db.Select(ctx, q, func(g *queue) []any { return []any{&g.house, &g.rail, &g.count, &g.oldest} }, query)
}

// planned reads the oldest payouts of an account and rail that are in no file and did not leave before a restore. It
// reads only what a file's row needs.
func planned(ctx context.Context, q db.Querier, house, rail string, limit int) ([]payoutRow, error) {
	return db.Select(
		ctx,
		q,
		func(p *payoutRow) []any { return []any{&p.ID, &p.Key, &p.EndToEndID, &p.Currency, &p.Units} },
		`SELECT id, key, end_to_end_id, currency, units FROM bank_payouts
			WHERE state = 'PLANNED' AND house = ? AND rail = ? AND `+fileOf+" = '' AND "+notHanded+
			" ORDER BY id LIMIT ?",
		house,
		rail,
		int64(limit),
	)
}

// filesOfDay counts the files of an account by a rail on the day of a moment, in UTC.
func filesOfDay(ctx context.Context, q db.Querier, house, rail string, at time.Time) (int64, error) {
	from := at.UTC().Truncate(24 * time.Hour)

	return db.Value[int64](
		ctx,
		q,
		"SELECT count(*) FROM bank_files WHERE house = ? AND rail = ? AND created_at >= ? AND created_at < ?",
		house,
		rail,
		db.Micros(from),
		db.Micros(from.Add(24*time.Hour)),
	)
}

// noteIdentity changes how files name a payout, in the write that puts it into its first one.
func noteIdentity(tx *db.Tx, p payoutRow, identity string) {
	tx.Change(
		"UPDATE bank_payouts SET end_to_end_id = ?, updated_at = ? WHERE id = ? AND state = 'PLANNED' AND end_to_end_id = ?",
		identity,
		db.Micros(tx.Now),
		p.ID,
		p.EndToEndID,
	)
}

// membersOf returns ids of payouts in a file that are greater than after.
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

// leaveFile removes a payout from its file.
func leaveFile(tx *db.Tx, p *payoutRow) {
	tx.Change("DELETE FROM bank_file_payouts WHERE payout_id = ? AND file_id = ?", p.ID, p.FileID)
	p.FileID = ""
}

// noteFile writes a file's row, which must be unchanged since it was read.
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

// renameFile changes the identity of a file that has not left after its payouts changed.
func renameFile(tx *db.Tx, f fileRow, message string) {
	tx.Change(
		"UPDATE bank_files SET message_id = ?, name = ? WHERE id = ? AND state = ?",
		message,
		formatNamed(f.Format).FileName(message),
		f.ID,
		string(f.State),
	)
}

// notePayout writes a payout's row, which must be unchanged since it was read, and in the same file.
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

// noteHandedOver marks payouts in a file as handed over. All rows must be unchanged since they were read.
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

// noteBooked marks payouts of one state as booked. All rows must be unchanged since they were read.
func noteBooked(tx *db.Tx, was State, ids []string) error {
	return noteMany(tx, ids, was, "state = 'BOOKED', reason_code = '', reason = '', updated_at = ?", db.Micros(tx.Now))
}

// noteMany updates payouts of one state in one statement. Appending the empty text keeps planners from using the index
// on the state instead of these ids.
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

// anyDecided reports whether a payout of a file is no longer on hold.
func anyDecided(ctx context.Context, q db.Querier, fileID string) (bool, error) {
	return db.Value[bool](ctx, q,
		"SELECT EXISTS(SELECT 1 FROM bank_payouts "+inFile+" AND state <> 'HELD' AND reason_code <> ?)",
		fileID, HoldUnwritable)
}

// noteFiledAgain ends the hold of all payouts of a file whose arrival was unknown.
func noteFiledAgain(tx *db.Tx, fileID string) error {
	_, err := tx.Exec(
		`UPDATE bank_payouts
			SET state = ?, reason_code = '', reason = '', updated_at = ?
			WHERE state = 'HELD' AND reason_code = ? AND id IN (SELECT payout_id
			FROM bank_file_payouts WHERE file_id = ?)`,
		stored(Filed),
		db.Micros(tx.Now),
		HoldUnknown,
		fileID,
	)

	return err
}

// isUnnotified selects payouts in a file that is at the bank whose observer was not notified: in the file, or on hold
// for it.
const isUnnotified = "(state = 'PLANNED' OR state = 'HELD' AND reason_code = '" + HoldUnknown + "')"

func unnotified(ctx context.Context, q db.Querier, members []string) ([]payoutRow, error) {
	var w db.Where
	w.And(isUnnotified)
	db.In(&w, "id", members)

	return payouts(ctx, q, w.SQL()[1:]+" ORDER BY id", w.Args...)
}

func anyUnnotified(ctx context.Context, q db.Querier, fileID string) (bool, error) {
	return db.Value[bool](ctx, q, "SELECT EXISTS(SELECT 1 FROM bank_payouts "+inFile+" AND "+isUnnotified+")", fileID)
}
