package transaction

import (
	"context"
	"slices"
	"time"

	"slipway/internal/directory/receiver"
	"slipway/internal/platform/db"
)

var (
	transactionRows = db.NewTable("transactions", (*Transaction).columns)
	draftRows       = transactionRows.Only(
		"token",
		"decimals",
		"network",
		"wallet",
		"wallet_address",
		"debit",
		"search",
		"authors",
		"updated_at",
		"version",
	)
	moveRows = transactionRows.Only("status", "settlement_status", "status_info", "content_hash", "authors",
		"accepted_by", "accepted_at", "updated_at", "version")

	paymentRows   = db.NewTable("payments", (*paymentRow).columns)
	lockedRows    = paymentRows.Only("snapshot", "address", "wallet_type", "updated_at")
	outcomeRows   = paymentRows.Only("outcome", "status_info", "updated_at")
	stepRows      = db.NewTable("transaction_history", (*step).columns)
	insertWordRow = db.InsertInto("batch_words", "word, taken_at")
)

func insertWord(tx *db.Tx, word int64) { tx.Insert(insertWordRow, word, db.Micros(tx.Now)) }

func (t *Transaction) columns(c *db.Columns) {
	c.Text("id", &t.ID)
	c.Text("organisation", &t.Organisation)
	c.Int64("number", &t.Number)
	c.Text("type", (*string)(&t.Type))
	c.Text("status", (*string)(&t.Status))
	c.Text("settlement_status", (*string)(&t.Settlement))
	c.Text("status_info", &t.StatusInfo)

	c.Text("token", &t.Token)
	c.Int("decimals", &t.Decimals)
	c.Text("network", &t.Network)
	c.Text("wallet", &t.Wallet)
	c.Text("wallet_address", &t.WalletAddress)
	c.Text("partner", &t.Partner)
	c.Units("debit", &t.Debit)
	c.Text("manner", (*string)(&t.Manner))
	c.Bool("of_payables", &t.OfPayables)

	c.Text("content_hash", &t.ContentHash)
	c.Written("search", func() string { return t.search })
	c.Bool("is_hidden", &t.Hidden)
	c.Bool("deleted", &t.Deleted)
	c.Int64("comments", &t.Comments)

	c.Text("created_by", &t.CreatedBy)
	c.Text("authors", (*string)(&t.Authors))
	c.Text("accepted_by", &t.AcceptedBy)
	c.Time("accepted_at", &t.AcceptedAt)
	c.Time("created_at", &t.CreatedAt)
	c.Time("updated_at", &t.UpdatedAt)
	c.Int64("version", &t.Version)
}

// paymentRow is the database row of a payment.
type paymentRow struct {
	transaction string
	Payment
	receiverKey int64
}

func (p *paymentRow) columns(c *db.Columns) {
	c.Text("transaction_id", &p.transaction)
	c.Int("position", &p.Position)
	c.Text("outcome", (*string)(&p.Outcome))
	c.Text("status_info", &p.StatusInfo)
	c.Units("units", &p.Units)
	c.Text("reason", &p.Reason)
	c.Text("instructions", &p.Instructions)
	c.Text("document", &p.Document)
	c.Text("receiver", &p.Receiver)
	c.Text("snapshot", &p.Snapshot)
	c.Text("wallet", &p.Wallet)
	c.Text("address", &p.Address)
	c.Text("wallet_type", &p.WalletType)
	c.Text("network", &p.Network)
	c.Text("again", &p.Again)
	c.Int64("receiver_key", &p.receiverKey)
	c.Time("updated_at", &p.UpdatedAt)
}

func insert(tx *db.Tx, t Transaction, search string) {
	t.search = search
	transactionRows.Insert(tx, &t)
	insertPayments(tx, t)
}

func insertPayments(tx *db.Tx, t Transaction) {
	rows := make([]paymentRow, len(t.Payments))
	for i, p := range t.Payments {
		p.Snapshot = storedSnapshot(t, p)
		p.UpdatedAt = t.UpdatedAt
		rows[i] = paymentRow{transaction: t.ID, Payment: p, receiverKey: receiverKey(p.Receiver)}
	}

	paymentRows.InsertAll(tx, rows)
}

// storedSnapshot is the part of a payment's Snapshot that its own row keeps. Where a bank carries the payment, the
// address stands sealed among its terms.
func storedSnapshot(t Transaction, p Payment) string {
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
		At:          tx.Now,
	}
	stepRows.Insert(tx, &x)

	if from.Status != StatusDraft && from.steps == nil {
		return nil
	}

	return append(slices.Clip(from.steps), x)
}

// readText joins transactions with their payments, so that one statement needs one round trip. The transaction's own
// columns come only with its first payment, since they would otherwise be sent and decoded up to thirty times.
var readText = "SELECT " + transactionRows.ListIf("p.position = 0", "t") + ", " + paymentRows.List("p") +
	" FROM transactions t JOIN payments p ON p.transaction_id = t.id"

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
			first Transaction
			p     paymentRow
		)
		if err := rows.Scan(append(transactionRows.Dest(&first), paymentRows.Dest(&p)...)...); err != nil {
			return nil, err
		}

		if p.Position == 0 {
			t = first
		}

		t.Payments = append(t.Payments, p.Payment)
		out[t.ID] = t
	}

	return out, rows.Err()
}

// step is one line of a transaction's timeline.
type step struct {
	Transaction                     string
	Version                         int64
	Status, Settlement, Info, Actor string
	At                              time.Time
}

func (x *step) columns(c *db.Columns) {
	c.Text("transaction_id", &x.Transaction)
	c.Int64("version", &x.Version)
	c.Text("status", &x.Status)
	c.Text("settlement_status", &x.Settlement)
	c.Text("info", &x.Info)
	c.Text("actor", &x.Actor)
	c.Time("at", &x.At)
}

// histories returns the timelines of transactions in one statement.
func histories(ctx context.Context, q db.Querier, ids []string) (map[string][]step, error) {
	if len(ids) == 0 {
		return nil, nil
	}

	var w db.Where
	db.In(&w, "transaction_id", ids)

	all, err := stepRows.Where(ctx, q, w, "ORDER BY transaction_id, version")

	out := make(map[string][]step, len(ids))
	for _, x := range all {
		out[x.Transaction] = append(out[x.Transaction], x)
	}

	return out, err
}

// storeMove changes a transaction from the version that was read. The status stands beside it so that a reader of the
// statement sees what is guarded. gates are further conditions, with their values.
func storeMove(tx *db.Tx, from, to Transaction, gates string, args ...any) {
	args = append([]any{to.ID, from.Version, string(from.Status)}, args...)
	moveRows.Change(tx, &to, "id = ? AND version = ? AND status = ? AND deleted = FALSE"+gates, args...)
}

// replace overwrites a draft: it updates the row and inserts all payments again.
func replace(tx *db.Tx, t Transaction, search string, version int64) error {
	const condition = "id = ? AND version = ? AND status = ? AND deleted = FALSE"

	t.search = search
	if err := draftRows.ChangeNow(tx, &t, condition, t.ID, version, string(StatusDraft)); err != nil {
		return err
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
		p.UpdatedAt = tx.Now
		locked[i] = p
		p.Snapshot = storedSnapshot(t, p)
		lockedRows.Change(tx, &paymentRow{Payment: p}, "transaction_id = ? AND position = ?", t.ID, int64(p.Position))
	}

	return locked
}

func setOutcome(tx *db.Tx, id string, from PaymentStatus, p Payment) {
	p.UpdatedAt = tx.Now
	outcomeRows.Change(tx, &paymentRow{Payment: p}, "transaction_id = ? AND position = ? AND outcome = ?",
		id, int64(p.Position), string(from))
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
	return transactionRows.Select(ctx, q, "WHERE status = 'PROCESSING' AND settlement_status <> 'UNCERTAIN' "+
		"AND updated_at < ? AND id > ? ORDER BY id LIMIT ?", before, after, int64(limit))
}

// standing is what a cached transaction is compared with.
type standing struct {
	id        string
	version   int64
	deletions int64 // of receivers in its organisation, so far
}

var standings = db.NewView("FROM transactions", (*standing).columns)

func (s *standing) columns(c *db.Columns) {
	c.Text("id", &s.id)
	c.Int64("version", &s.version)
	c.Int64(receiver.Deletions("transactions.organisation"), &s.deletions)
}

// standingOf returns how the transactions that exist stand, by id.
func standingOf(ctx context.Context, q db.Querier, ids []string) (map[string]standing, error) {
	if len(ids) == 0 {
		return nil, nil
	}

	var w db.Where
	db.In(&w, "id", ids)
	w.And("deleted = FALSE")

	rows, err := standings.Where(ctx, q, w, "")

	out := make(map[string]standing, len(rows))
	for _, r := range rows {
		out[r.id] = r
	}

	return out, err
}

// progressRow is a payment with the columns of its transaction that decide its status.
type progressRow struct {
	t Transaction
	p Payment
}

var progress = db.NewView("FROM transactions t JOIN payments p ON p.transaction_id = t.id", (*progressRow).columns)

func (r *progressRow) columns(c *db.Columns) {
	c.Text("t.id", &r.t.ID)
	c.Text("t.status", (*string)(&r.t.Status))
	c.Text("t.settlement_status", (*string)(&r.t.Settlement))
	c.Int("p.position", &r.p.Position)
	c.Text("p.outcome", (*string)(&r.p.Outcome))
	c.Text("p.status_info", &r.p.StatusInfo)
}

func progressOf(ctx context.Context, q db.Querier, ids []string) ([]progressRow, error) {
	var w db.Where
	db.In(&w, "t.id", ids)
	w.And("t.deleted = FALSE")

	return progress.Where(ctx, q, w, "")
}
