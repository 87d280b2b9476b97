package transaction

import (
	"context"
	"math/big"
	"strings"
	"time"

	"slipway/internal/platform/db"
	"slipway/internal/rails/chain/contract"
)

var (
	reservationRows = db.NewTable("reservations", (*reservation).columns)
	reservedUnits   = reservationRows.Only("units", "manner")
)

// reservation is what a submitted transaction may still pull from its wallet.
type reservation struct {
	transaction, network, address, token string
	units                                *big.Int
	manner                               contract.Manner
	at                                   time.Time
}

func (r *reservation) columns(c *db.Columns) {
	c.Text("transaction_id", &r.transaction)
	c.Text("network", &r.network)
	c.Text("address", &r.address)
	c.Text("token", &r.token)
	c.Units("units", &r.units)
	c.Text("manner", (*string)(&r.manner))
	c.Time("created_at", &r.at)
}

func reserve(tx *db.Tx, t Transaction) {
	reservationRows.Insert(tx, &reservation{
		transaction: t.ID,
		network:     t.Network,
		address:     strings.ToLower(t.WalletAddress),
		token:       t.Token,
		units:       t.Debit,
		manner:      t.Manner,
		at:          tx.Now,
	})
}

func releaseReservation(tx *db.Tx, id string) {
	tx.Change(
		"UPDATE reservations SET released_at = ? WHERE transaction_id = ? AND released_at = 0",
		db.Micros(tx.Now),
		id,
	)
}

// reservedSQL asks twice, since each half has an index of its own.
var (
	reservedOfWallet = "SELECT " + reservedUnits.List("reservations") + ` FROM reservations
		WHERE network = ? AND address = ? AND token = ? AND transaction_id <> ? AND `
	reservedSQL = reservedOfWallet + "released_at = 0 UNION ALL " + reservedOfWallet + "released_at >= ?"
)

// reservedElsewhere returns what other submitted transactions may still pull from the wallet, or could still
// pull when its funds were read. A payment made since then is no longer reserved, but that reading may not yet show it.
func reservedElsewhere(ctx context.Context, q db.Querier, t Transaction, read time.Time) (reserved, error) {
	args := []any{t.Network, strings.ToLower(t.WalletAddress), t.Token, t.ID}

	args = append(append(args, args...), db.Micros(read))

	rows, err := db.Select(ctx, q, reservedUnits.Dest, reservedSQL, args...)
	if err != nil {
		return reserved{}, err
	}

	return sumOf(rows), nil
}

// reservedOf returns what submitted transactions may still pull from a wallet, by token.
func reservedOf(ctx context.Context, q db.Querier, network, address string) (map[string]*big.Int, error) {
	rows, err := reservationRows.Select(ctx, q, "WHERE network = ? AND address = ? AND released_at = 0",
		network, strings.ToLower(address))

	out := map[string]*big.Int{}

	for _, r := range rows {
		if out[r.token] == nil {
			out[r.token] = new(big.Int)
		}

		out[r.token].Add(out[r.token], r.units)
	}

	return out, err
}
