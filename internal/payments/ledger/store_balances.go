package ledger

import (
	"context"
	"math/big"

	"slipway/internal/platform/db"
)

var insertBalance = db.InsertInto("ledger_balances", "account, asset, units")

// houseCondition is the condition on postings p for accounts that are folded.
const houseCondition = "(p.account LIKE 'bank/%' OR p.account LIKE 'treasury/%' OR p.account LIKE 'stock/%' " +
	"OR p.account LIKE 'trade/%' OR p.account LIKE 'capital/%' OR p.account LIKE 'exchange/%' " +
	"OR p.account LIKE 'expense/stock/%' OR p.account LIKE 'provider/%')"

// sumRow is a posting or a balance as it is added up.
type sumRow struct{ account, asset, units string }

func (r *sumRow) dest() []any { return []any{&r.account, &r.asset, &r.units} }

func foldedSums(ctx context.Context, q db.Querier) ([]sumRow, error) {
	return db.Select(ctx, q, (*sumRow).dest, "SELECT account, asset, units FROM ledger_balances")
}

func foldedUntil(ctx context.Context, q db.Querier) (int64, error) {
	return db.Value[int64](ctx, q, "SELECT seq FROM ledger_folds WHERE name = 'balances'")
}

// linkedPostings reads the postings of the house's accounts in the journals of some links.
func linkedPostings(ctx context.Context, q db.Querier, after, until int64) ([]sumRow, error) {
	return db.Select(
		ctx,
		q,
		(*sumRow).dest,
		"SELECT p.account, p.asset, p.units FROM ledger_chain c JOIN postings p ON p.journal = c.journal "+
			"WHERE c.seq > ? AND c.seq <= ? AND "+houseCondition,
		after,
		until,
	)
}

// housePostingsOf reads the postings of the house's accounts in some journals.
func housePostingsOf(ctx context.Context, q db.Querier, journals []string) ([]sumRow, error) {
	var w db.Where
	w.And(houseCondition)
	db.In(&w, "p.journal", journals)

	return db.Select(ctx, q, (*sumRow).dest, "SELECT p.account, p.asset, p.units FROM postings p"+w.SQL(), w.Args...)
}

// postingsByKey reads the postings to an account in the journals with some keys.
func postingsByKey(ctx context.Context, q db.Querier, account Account, keys []string) ([]sumRow, error) {
	var w db.Where
	w.And("p.account = ?", string(account))
	db.In(&w, "j.key", keys)

	return db.Select(ctx, q, (*sumRow).dest,
		"SELECT p.account, p.asset, p.units FROM journals j JOIN postings p ON p.journal = j.id"+w.SQL(), w.Args...)
}

// Posted reports whether there is a journal under a key.
func Posted(ctx context.Context, q db.Querier, key string) (bool, error) {
	return db.Value[bool](ctx, q, "SELECT EXISTS(SELECT 1 FROM journals WHERE key = ?)", key)
}

// moveFold records up to which link the balances are folded, guarded by where they were.
func moveFold(tx *db.Tx, from, until int64) {
	tx.Change("UPDATE ledger_folds SET seq = ? WHERE name = 'balances' AND seq = ?", until, from)
}

// writeBalance stores a folded balance, in the row that is there already if it is known.
func writeBalance(tx *db.Tx, account Account, asset string, units *big.Int, known bool) {
	if !known {
		tx.Insert(insertBalance, string(account), asset, units.String())
		return
	}

	tx.Change(
		"UPDATE ledger_balances SET units = ? WHERE account = ? AND asset = ?",
		units.String(),
		string(account),
		asset,
	)
}
