package transaction

import (
	"context"
	"fmt"
	"math/big"
	"strings"
	"time"

	"slipway/internal/platform/db"
)

var insertReserved = db.InsertInto("reservations", "transaction_id, network, address, token, units, manner, created_at")

func reserve(tx *db.Tx, t Transaction) {
	tx.Insert(
		insertReserved,
		t.ID,
		t.Network,
		strings.ToLower(t.WalletAddress),
		t.Token,
		t.Debit.String(),
		string(t.Manner),
		db.Micros(tx.Now),
	)
}

func releaseReservation(tx *db.Tx, id string) {
	tx.Change(
		"UPDATE reservations SET released_at = ? WHERE transaction_id = ? AND released_at = 0",
		db.Micros(tx.Now),
		id,
	)
}

const (
	reservedOfWallet = `SELECT units, manner FROM reservations
		WHERE network = ? AND address = ? AND token = ? AND transaction_id <> ? AND `
	reservedSQL = reservedOfWallet + "released_at = 0 UNION ALL " + reservedOfWallet + "released_at >= ?"
)

// reservedElsewhere returns what other submitted transactions may still pull from the wallet, or could still
// pull when its funds were read. A payment made since then is no longer reserved, but that reading may not yet show it.
func reservedElsewhere(ctx context.Context, q db.Querier, t Transaction, read time.Time) (reserved, error) {
	args := []any{t.Network, strings.ToLower(t.WalletAddress), t.Token, t.ID}

	rows, err := db.Select(ctx, q, func(r *reservedRow) []any {
		return []any{&r.units, &r.manner}
	}, reservedSQL, append(append(append([]any{}, args...), args...), db.Micros(read))...)
	if err != nil {
		return reserved{}, err
	}

	return reservedOfRows(rows)
}

// reservedOf returns what submitted transactions may still pull from a wallet, by token.
func reservedOf(ctx context.Context, q db.Querier, network, address string) (map[string]*big.Int, error) {
	type tokenUnits struct{ token, units string }

	rows, err := db.Select(ctx, q, func(r *tokenUnits) []any {
		return []any{&r.token, &r.units}
	}, "SELECT token, units FROM reservations WHERE network = ? AND address = ? AND released_at = 0",
		network, strings.ToLower(address))

	out := map[string]*big.Int{}

	for _, r := range rows {
		n, ok := new(big.Int).SetString(r.units, 10)
		if !ok {
			return nil, fmt.Errorf("reservation of %q units", r.units)
		}

		if out[r.token] == nil {
			out[r.token] = new(big.Int)
		}

		out[r.token].Add(out[r.token], n)
	}

	return out, err
}
