package transaction

import (
	"context"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"slipway/internal/directory/receiver"
	"slipway/internal/platform/db"
)

const (
	columns = "id, organisation, number, type, status, settlement_status, status_info, token, decimals, network, " +
		"wallet, wallet_address, partner, debit, " +
		"content_hash, search, is_hidden, deleted, created_by, authors, accepted_by, accepted_at, created_at, " +
		"updated_at, version, of_payables, comments, manner"
	paymentColumns = "transaction_id, position, outcome, status_info, units, reason, instructions, document, " +
		"receiver, snapshot, wallet, address, wallet_type, network, again, updated_at"
)

var (
	insertTransaction = db.InsertInto("transactions", columns)
	insertPayment     = db.InsertInto("payments", paymentColumns)
	insertHistory     = db.InsertInto(
		"transaction_history",
		"transaction_id, version, status, settlement_status, info, actor, at",
	)
	insertWordRow = db.InsertInto("batch_words", "word, taken_at")
)

func insertWord(tx *db.Tx, word int64) { tx.Insert(insertWordRow, word, db.Micros(tx.Now)) }

// row is the database row of a transaction.
type row struct {
	t                                       Transaction
	decimals, acceptedAt, createdAt, edited int64
	debit, search                           string
}

func (r *row) dest() []any {
	t := &r.t

	return []any{
		&t.ID,
		&t.Organisation,
		&t.Number,
		(*string)(&t.Type),
		(*string)(&t.Status),
		(*string)(&t.Settlement),
		&t.StatusInfo,
		&t.Token,
		&r.decimals,
		&t.Network,
		&t.Wallet,
		&t.WalletAddress,
		&t.Partner,
		&r.debit,
		&t.ContentHash,
		&r.search,
		&t.Hidden,
		&t.Deleted,
		&t.CreatedBy,
		(*string)(&t.Authors),
		&t.AcceptedBy,
		&r.acceptedAt,
		&r.createdAt,
		&r.edited,
		&t.Version,
		&t.OfPayables,
		&t.Comments,
		(*string)(&t.Manner),
	}
}

func (r *row) value() (Transaction, error) {
	t := r.t
	t.Decimals = int(r.decimals)
	t.AcceptedAt = db.Time(r.acceptedAt)
	t.CreatedAt = db.Time(r.createdAt)
	t.UpdatedAt = db.Time(r.edited)

	var ok bool
	if t.Debit, ok = new(big.Int).SetString(r.debit, 10); !ok {
		return t, fmt.Errorf("transaction %s: debit %q is no number", t.ID, r.debit)
	}

	return t, nil
}

type paymentRow struct {
	transaction      string
	p                Payment
	position, edited int64
	units            string
}

func (r *paymentRow) dest() []any {
	p := &r.p

	return []any{
		&r.transaction,
		&r.position,
		(*string)(&p.Outcome),
		&p.StatusInfo,
		&r.units,
		&p.Reason,
		&p.Instructions,
		&p.Document,
		&p.Receiver,
		&p.Snapshot,
		&p.Wallet,
		&p.Address,
		&p.WalletType,
		&p.Network,
		&p.Again,
		&r.edited,
	}
}

func (r *paymentRow) value() (Payment, error) {
	p := r.p
	p.Position = int(r.position)
	p.UpdatedAt = db.Time(r.edited)

	var ok bool
	if p.Units, ok = new(big.Int).SetString(r.units, 10); !ok {
		return p, fmt.Errorf("payment %d of %s: %q is no number", p.Position, r.transaction, r.units)
	}

	return p, nil
}

func insert(tx *db.Tx, t Transaction, search string) {
	tx.Insert(
		insertTransaction,
		t.ID,
		t.Organisation,
		t.Number,
		string(t.Type),
		string(t.Status),
		string(t.Settlement),
		t.StatusInfo,
		t.Token,
		int64(t.Decimals),
		t.Network,
		t.Wallet,
		t.WalletAddress,
		t.Partner,
		t.Debit.String(),
		t.ContentHash,
		search,
		t.Hidden,
		t.Deleted,
		t.CreatedBy,
		string(t.Authors),
		t.AcceptedBy,
		db.Micros(t.AcceptedAt),
		db.Micros(t.CreatedAt),
		db.Micros(t.UpdatedAt),
		t.Version,
		t.OfPayables,
		t.Comments,
		string(t.Manner),
	)

	insertPayments(tx, t)
}

func insertPayments(tx *db.Tx, t Transaction) {
	var id, at any = t.ID, db.Micros(t.UpdatedAt) // converted once, not for each payment

	for i := range t.Payments {
		p := &t.Payments[i]

		tx.Insert(
			insertPayment,
			id,
			int64(p.Position),
			string(p.Outcome),
			p.StatusInfo,
			p.Units.String(),
			p.Reason,
			p.Instructions,
			p.Document,
			p.Receiver,
			storedSnapshot(t, p),
			p.Wallet,
			p.Address,
			p.WalletType,
			p.Network,
			p.Again,
			at,
		)
	}
}

// storedSnapshot is the part of a payment's Snapshot that its own row keeps. Where a bank carries the payment, the
// address stands sealed among its terms.
func storedSnapshot(t Transaction, p *Payment) string {
	if t.Type != TypeFiat {
		return p.Snapshot
	}

	snapshot, _ := cutAddress(p.Snapshot)

	return snapshot
}

// insertStep stores a move in the timeline. It returns the timeline, or nil if what was before the move is not known: a
// draft has no timeline yet.
func insertStep(tx *db.Tx, from, to Transaction, actor string) []step {
	x := step{
		Transaction: to.ID,
		Version:     to.Version,
		Status:      string(to.Status),
		Settlement:  string(to.Settlement),
		Info:        to.StatusInfo,
		Actor:       actor,
		At:          db.Micros(tx.Now),
	}
	tx.Insert(insertHistory, x.Transaction, x.Version, x.Status, x.Settlement, x.Info, x.Actor, x.At)

	if from.Status != StatusDraft && from.steps == nil {
		return nil
	}

	return append(slices.Clip(from.steps), x)
}

// readText joins transactions with their payments, so that one statement needs one round trip. The transaction's own
// columns come only with its first payment, since they would otherwise be sent and decoded up to thirty times.
var readText = "SELECT " + firstOnly("t", columns) + ", " + prefixed(
	"p",
	paymentColumns,
) + " FROM transactions t JOIN payments p ON p.transaction_id = t.id"

// firstOnly makes each column empty except in the row of payment 0.
func firstOnly(alias, list string) string {
	names := strings.Split(list, ", ")
	empty := new(row).dest()

	for i, n := range names {
		zero := "''"

		switch empty[i].(type) {
		case *int64:
			zero = "0"
		case *bool:
			zero = "FALSE"
		}

		names[i] = "CASE WHEN p.position = 0 THEN " + alias + "." + n + " ELSE " + zero + " END"
	}

	return strings.Join(names, ", ")
}

// load reads a transaction with its payments, or returns db.ErrNone. The caller checks which organisation may see it.
func load(ctx context.Context, q db.Querier, id string) (Transaction, error) {
	loaded, err := loadAll(ctx, q, []string{id})
	if err != nil {
		return Transaction{}, err
	}

	t, ok := loaded[id]
	if !ok {
		return t, db.ErrNone
	}

	return t, nil
}

// loadAll reads transactions with their payments. Unknown ones are left out.
func loadAll(ctx context.Context, q db.Querier, ids []string) (map[string]Transaction, error) {
	var w db.Where
	db.In(&w, "t.id", ids)
	w.And("t.deleted = FALSE")

	rows, err := q.Query(ctx, readText+w.SQL()+" ORDER BY p.transaction_id, p.position", w.Args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	out := make(map[string]Transaction, len(ids))

	var t Transaction

	for rows.Next() {
		var (
			first row
			p     paymentRow
		)
		if err := rows.Scan(append(first.dest(), p.dest()...)...); err != nil {
			return nil, err
		}

		if p.position == 0 {
			if t, err = first.value(); err != nil {
				return nil, err
			}
		}

		value, err := p.value()
		if err != nil {
			return nil, err
		}

		t.Payments = append(t.Payments, value)
		out[t.ID] = t
	}

	return out, rows.Err()
}

// step is one line of a transaction's timeline.
type step struct {
	Transaction                     string
	Version                         int64
	Status, Settlement, Info, Actor string
	At                              int64
}

// histories returns the timelines of transactions in one statement.
func histories(ctx context.Context, q db.Querier, ids []string) (map[string][]step, error) {
	if len(ids) == 0 {
		return nil, nil
	}

	var w db.Where
	db.In(&w, "transaction_id", ids)

	all, err := db.Select(
		ctx,
		q,
		func(s *step) []any {
			return []any{&s.Transaction, &s.Version, &s.Status, &s.Settlement, &s.Info, &s.Actor, &s.At}
		},
		"SELECT transaction_id, version, status, settlement_status, info, actor, at FROM transaction_history"+
			w.SQL()+" ORDER BY transaction_id, version",
		w.Args...)

	out := make(map[string][]step, len(ids))
	for _, x := range all {
		out[x.Transaction] = append(out[x.Transaction], x)
	}

	return out, err
}

// changeText moves a transaction from the version that was read. The status stands beside it so that a reader of the
// statement sees what is guarded.
const changeText = `UPDATE transactions
	SET status = ?, settlement_status = ?, status_info = ?, content_hash = ?, authors = ?, accepted_by = ?,
	accepted_at = ?, updated_at = ?, version = ?
	WHERE id = ? AND version = ? AND status = ? AND deleted = FALSE`

func changeArgs(t Transaction, from Status, version int64) []any {
	return []any{
		string(t.Status),
		string(t.Settlement),
		t.StatusInfo,
		t.ContentHash,
		string(t.Authors),
		t.AcceptedBy,
		db.Micros(t.AcceptedAt),
		db.Micros(t.UpdatedAt),
		t.Version,
		t.ID,
		version,
		string(from),
	}
}

// replace overwrites a draft: it updates the row and inserts all payments again.
func replace(tx *db.Tx, t Transaction, search string, version int64) error {
	n, err := tx.Exec(
		`UPDATE transactions
			SET token = ?, decimals = ?, network = ?, wallet = ?, wallet_address = ?, debit = ?, search = ?,
			authors = ?, updated_at = ?, version = ?
			WHERE id = ? AND version = ? AND status = ? AND deleted = FALSE`,
		t.Token,
		int64(t.Decimals),
		t.Network,
		t.Wallet,
		t.WalletAddress,
		t.Debit.String(),
		search,
		string(t.Authors),
		db.Micros(t.UpdatedAt),
		t.Version,
		t.ID,
		version,
		string(StatusDraft),
	)
	if err != nil {
		return err
	}

	if n != 1 {
		return db.ErrStale
	}

	if _, err := tx.Exec("DELETE FROM payments WHERE transaction_id = ?", t.ID); err != nil {
		return err
	}

	insertPayments(tx, t)

	return nil
}

// markDeleted hides a transaction for good. Its row and its history stay.
func markDeleted(tx *db.Tx, t Transaction) {
	tx.Change(
		`UPDATE transactions SET deleted = TRUE, updated_at = ?, version = ?
			WHERE id = ? AND version = ? AND deleted = FALSE`,
		db.Micros(tx.Now),
		t.Version+1,
		t.ID,
		t.Version,
	)
}

// setSearch stores what is searched of a transaction. It needs an Advance in the same write.
func setSearch(tx *db.Tx, t Transaction, text string) {
	tx.Change("UPDATE transactions SET search = ? WHERE id = ? AND deleted = FALSE", text, t.ID)
}

func organisationOf(ctx context.Context, q db.Querier, id string) (string, error) {
	const query = "SELECT organisation FROM transactions WHERE id = ? AND deleted = FALSE"
	return db.Value[string](ctx, q, query, id)
}

// addComment counts a comment.
func addComment(tx *db.Tx, t Transaction) {
	tx.Change(
		`UPDATE transactions SET comments = ?, updated_at = ?, version = ?
			WHERE id = ? AND version = ? AND deleted = FALSE`,
		t.Comments+1,
		db.Micros(tx.Now),
		t.Version+1,
		t.ID,
		t.Version,
	)
}

// setHidden stores whether lists leave a transaction out, as its next version.
func setHidden(tx *db.Tx, t Transaction, hidden bool) {
	tx.Change(
		`UPDATE transactions SET is_hidden = ?, updated_at = ?, version = ?
			WHERE id = ? AND version = ? AND deleted = FALSE`,
		hidden,
		db.Micros(tx.Now),
		t.Version+1,
		t.ID,
		t.Version,
	)
}

// setSnapshots stores the records of each payment as they are at submit: the receiver, and the address of its wallet.
// It returns the payments as they are now.
func setSnapshots(tx *db.Tx, t Transaction) []Payment {
	locked := slices.Clone(t.Payments)

	for i, p := range locked {
		locked[i].UpdatedAt = tx.Now

		tx.Change(
			`UPDATE payments
				SET snapshot = ?, address = ?, wallet_type = ?, updated_at = ?
				WHERE transaction_id = ? AND position = ?`,
			storedSnapshot(t, &p),
			p.Address,
			p.WalletType,
			db.Micros(tx.Now),
			t.ID,
			int64(p.Position),
		)
	}

	return locked
}

func setOutcome(tx *db.Tx, id string, from PaymentStatus, p Payment) {
	tx.Change(
		`UPDATE payments SET outcome = ?, status_info = ?, updated_at = ?
			WHERE transaction_id = ? AND position = ? AND outcome = ?`,
		string(p.Outcome),
		p.StatusInfo,
		db.Micros(tx.Now),
		id,
		int64(p.Position),
		string(from),
	)
}

// openOnNetwork returns the number of transactions that still need a network.
func openOnNetwork(ctx context.Context, q db.Querier, network string) (int64, error) {
	return db.Value[int64](
		ctx,
		q,
		`SELECT count(*) FROM transactions
			WHERE network = ? AND deleted = FALSE AND status IN ('WAITING_ACCEPTANCE', 'PROCESSING', 'RELEASED')`,
		network,
	)
}

// stranded returns transactions that have been PROCESSING since before a moment, starting after an id. Those that wait
// for a person are left out.
func stranded(ctx context.Context, q db.Querier, before int64, after string, limit int) ([]Transaction, error) {
	rows, err := db.Select(ctx, q, (*row).dest, "SELECT "+columns+
		" FROM transactions WHERE status = 'PROCESSING' AND settlement_status <> 'UNCERTAIN' AND updated_at < ? "+
		"AND id > ? ORDER BY id LIMIT ?", before, after, int64(limit))
	out := make([]Transaction, len(rows))

	for i := range rows {
		if out[i], err = rows[i].value(); err != nil {
			return nil, err
		}
	}

	return out, err
}

// prefixed puts an alias before each column of a list.
func prefixed(alias, list string) string {
	return alias + "." + strings.ReplaceAll(list, ", ", ", "+alias+".")
}

// standing is what a cached transaction is compared with.
type standing struct {
	id        string
	version   int64
	deletions int64 // of receivers in its organisation, so far
}

// standingOf returns how the transactions that exist stand, by id.
func standingOf(ctx context.Context, q db.Querier, ids []string) (map[string]standing, error) {
	if len(ids) == 0 {
		return nil, nil
	}

	var w db.Where
	db.In(&w, "id", ids)
	w.And("deleted = FALSE")

	rows, err := db.Select(ctx, q, func(s *standing) []any {
		return []any{&s.id, &s.version, &s.deletions}
	}, "SELECT id, version, "+receiver.Deletions("transactions.organisation")+" FROM transactions"+w.SQL(), w.Args...)

	out := make(map[string]standing, len(rows))
	for _, r := range rows {
		out[r.id] = r
	}

	return out, err
}

// progressRow is a payment with the columns of its transaction that decide its status.
type progressRow struct {
	t        Transaction
	p        Payment
	position int64
}

func progressOf(ctx context.Context, q db.Querier, ids []string) ([]progressRow, error) {
	var w db.Where
	db.In(&w, "t.id", ids)
	w.And("t.deleted = FALSE")

	return db.Select(ctx, q, func(r *progressRow) []any {
		return []any{
			&r.t.ID,
			(*string)(&r.t.Status),
			(*string)(&r.t.Settlement),
			&r.position,
			(*string)(&r.p.Outcome),
			&r.p.StatusInfo,
		}
	}, `SELECT t.id, t.status, t.settlement_status, p.position, p.outcome, p.status_info
		FROM transactions t JOIN payments p ON p.transaction_id = t.id`+w.SQL(), w.Args...)
}
