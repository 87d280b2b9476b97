package safetx

import (
	"context"
	"errors"
	"fmt"
	"time"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/directory/wallet"
	"slipway/internal/platform/db"
)

var (
	transactionTable  = db.NewTable("safe_transactions", (*Transaction).columns).OrIgnore("(wallet, safe_tx_hash)")
	confirmationTable = db.NewTable("safe_confirmations", (*Confirmation).columns).
				OrIgnore("(wallet, safe_tx_hash, owner)")
)

func (t *Transaction) columns(c *db.Columns) {
	c.Text("id", &t.ID)
	c.Text("safe_tx_hash", &t.Hash)
	c.Text("wallet", &t.Wallet)
	c.Text("organisation", &t.Organisation)
	c.Text("transaction_id", &t.Payment)
	c.Text("network", &t.Network)
	c.Text("account", &t.Account)
	c.Text("version", &t.Version)
	c.Int64("nonce", &t.Nonce)
	c.Text("destination", &t.To)
	c.Text("data", &t.Data)
	c.Int64("operation", &t.Operation)
	c.Text("purposes", &t.Purposes)
	c.Time("created_at", &t.CreatedAt)
}

// Source says by which way a confirmation came.
type Source string

// The ways.
const (
	FromAPI     Source = "API"
	FromService Source = "SERVICE" // Safe's transaction service
)

// Confirmation is what one owner has confirmed. It was verified when it came.
type Confirmation struct {
	Wallet, Hash, Organisation string
	Owner                      string // EIP-55
	Kind                       string // safe.Kind
	Signature                  string
	Source                     Source
	CreatedAt                  time.Time
}

func (x *Confirmation) columns(c *db.Columns) {
	c.Text("wallet", &x.Wallet)
	c.Text("safe_tx_hash", &x.Hash)
	c.Text("organisation", &x.Organisation)
	c.Text("owner", &x.Owner)
	c.Text("kind", &x.Kind)
	c.Text("signature", &x.Signature)
	c.Text("source", (*string)(&x.Source))
	c.Time("created_at", &x.CreatedAt)
}

// ofPayment returns what was made for a payment and is not behind the Safe's nonce, the newest first.
func ofPayment(
	ctx context.Context,
	q db.Querier,
	w wallet.Wallet,
	payment string,
	nonce uint64,
) ([]Transaction, error) {
	return transactionTable.Select(
		ctx,
		q,
		"WHERE organisation = ? AND transaction_id = ? AND wallet = ? AND account = ? AND network = ? AND nonce >= ? "+
			"ORDER BY id DESC LIMIT 200",
		w.Organisation,
		payment,
		w.ID,
		w.Address,
		w.Network,
		int64(nonce),
	)
}

// waitingNonces returns the nonces that SafeTx of a wallet wait for: those made since then, and those that somebody has
// confirmed.
func waitingNonces(
	ctx context.Context,
	q db.Querier,
	w wallet.Wallet,
	nonce uint64,
	since time.Time,
) ([]int64, error) {
	return db.Select(
		ctx,
		q,
		func(n *int64) []any { return []any{n} },
		"SELECT DISTINCT nonce FROM safe_transactions t WHERE wallet = ? AND organisation = ? AND account = ? "+
			"AND nonce >= ? AND (created_at > ? OR EXISTS (SELECT 1 FROM safe_confirmations c "+
			"WHERE c.wallet = t.wallet AND c.safe_tx_hash = t.safe_tx_hash)) ORDER BY nonce LIMIT 1000",
		w.ID,
		w.Organisation,
		w.Address,
		int64(nonce),
		db.Micros(since),
	)
}

// rivals returns the other SafeTx of a wallet that have the nonces of some, by nonce.
func rivals(ctx context.Context, q db.Querier, all []Transaction) (map[int64][]Transaction, error) {
	out := map[int64][]Transaction{}
	if len(all) == 0 {
		return out, nil
	}

	var nonces []int64
	for _, t := range all {
		nonces = append(nonces, t.Nonce)
	}

	var where db.Where
	where.And("wallet = ?", all[0].Wallet)
	where.And("organisation = ?", all[0].Organisation)
	where.And("account = ?", all[0].Account)
	db.In(&where, "nonce", nonces)

	rows, err := transactionTable.Select(ctx, q, where.SQL()+" ORDER BY id DESC LIMIT 1000", where.Args...)
	for _, r := range rows {
		out[r.Nonce] = append(out[r.Nonce], r)
	}

	return out, err
}

// byHash returns a SafeTx of a wallet.
func byHash(ctx context.Context, q db.Querier, w wallet.Wallet, hash string) (Transaction, error) {
	t, err := transactionTable.One(
		ctx,
		q,
		"WHERE wallet = ? AND organisation = ? AND safe_tx_hash = ?",
		w.ID,
		w.Organisation,
		hash,
	)
	if errors.Is(err, db.ErrNone) {
		return t, fault.Missing("Safe transaction")
	}

	if err != nil {
		return t, fmt.Errorf("read Safe transaction %s: %w", hash, err)
	}

	return t, nil
}

// page returns a page of a wallet's SafeTx, the newest first.
func page(ctx context.Context, q db.Querier, w wallet.Wallet, p caller.Window) ([]Transaction, int64, error) {
	var where db.Where
	where.And("wallet = ?", w.ID)
	where.And("organisation = ?", w.Organisation)

	return transactionTable.Page(ctx, q, db.Page{Where: where, Window: p, Order: caller.Order{}})
}

// confirmationsOf returns what was confirmed of some SafeTx, by hash.
func confirmationsOf(ctx context.Context, q db.Querier, all []Transaction) (map[string][]Confirmation, error) {
	out := map[string][]Confirmation{}
	if len(all) == 0 {
		return out, nil
	}

	var hashes []string
	for _, t := range all {
		hashes = append(hashes, t.Hash)
	}

	var where db.Where
	where.And("wallet = ?", all[0].Wallet)
	where.And("organisation = ?", all[0].Organisation)
	db.In(&where, "safe_tx_hash", hashes)

	rows, err := confirmationTable.Select(ctx, q, where.SQL()+" ORDER BY owner LIMIT 15000", where.Args...)
	for _, r := range rows {
		out[r.Hash] = append(out[r.Hash], r)
	}

	return out, err
}

// isConfirmed reports whether an owner's confirmation of a SafeTx is stored.
func isConfirmed(ctx context.Context, q db.Querier, t Transaction, owner string) (bool, error) {
	n, err := db.Value[int64](
		ctx,
		q,
		`SELECT count(*) FROM safe_confirmations
			WHERE organisation = ? AND wallet = ? AND safe_tx_hash = ? AND owner = ?`,
		t.Organisation,
		t.Wallet,
		t.Hash,
		owner,
	)

	return n > 0, err
}
