package stock

import (
	"context"
	"errors"
	"fmt"
	"time"

	"slipway/internal/core/money"
	"slipway/internal/platform/db"
)

// All SQL of the stock.

var reservations = db.NewTable("stock_reservations", (*row).columns)

type row struct {
	Reservation

	in, out money.Stored
}

// columns lists every column once. A new field needs one line here.
func (r *row) columns(c *db.Columns) {
	c.Text("key", &r.Key)
	c.Text("transaction_id", &r.Transaction)
	c.Text("organisation", &r.Organisation)
	c.Text("currency", &r.Currency)

	c.Text("out_place", &r.Out.Place)
	c.Text("out_asset", &r.out.Code)
	c.Int64("out_decimals", &r.out.Decimals)
	c.Text("out_units", &r.out.Units)
	c.Text("in_place", &r.In.Place)
	c.Text("in_asset", &r.in.Code)
	c.Int64("in_decimals", &r.in.Decimals)
	c.Text("in_units", &r.in.Units)

	c.Text("state", (*string)(&r.State))
	c.Text("reason", &r.Reason)
	c.Time("expires_at", &r.ExpiresAt)
	c.Time("reserved_at", &r.ReservedAt)
	c.Time("done_at", &r.DoneAt)
}

func (r *row) value() (Reservation, error) {
	var errs [2]error

	v := r.Reservation
	v.In.Amount, errs[0] = r.in.Amount()
	v.Out.Amount, errs[1] = r.out.Amount()

	if err := errors.Join(errs[:]...); err != nil {
		return v, fmt.Errorf("reservation %s: %w", v.Key, err)
	}

	return v, nil
}

func insert(tx *db.Tx, r Reservation) {
	reservations.Insert(tx, &row{Reservation: r, in: r.In.Amount.Stored(), out: r.Out.Amount.Stored()})
}

// write stores a reservation in place of one in the state before. If it has another state by now, the whole write
// fails with db.ErrStale.
func write(tx *db.Tx, r Reservation, before State) {
	in := r.In.Amount.Stored()
	out := r.Out.Amount.Stored()

	tx.Change(
		`UPDATE stock_reservations
			SET out_place = ?, out_asset = ?, out_decimals = ?, out_units = ?, in_place = ?, in_asset = ?,
			in_decimals = ?, in_units = ?, state = ?, reason = ?, expires_at = ?, reserved_at = ?, done_at = ?
			WHERE key = ? AND state = ?`,
		r.Out.Place,
		out.Code,
		out.Decimals,
		out.Units,
		r.In.Place,
		in.Code,
		in.Decimals,
		in.Units,
		string(r.State),
		r.Reason,
		db.Micros(r.ExpiresAt),
		db.Micros(r.ReservedAt),
		db.Micros(r.DoneAt),
		r.Key,
		string(before),
	)
}

// byKey reads a reservation, or returns db.ErrNone.
func byKey(ctx context.Context, q db.Querier, key string) (Reservation, error) {
	r, err := reservations.One(ctx, q, "WHERE key = ?", key)
	if err != nil {
		return Reservation{}, err
	}

	return r.value()
}

func ofTransaction(ctx context.Context, q db.Querier, transactionID string) ([]Reservation, error) {
	rows, err := reservations.Select(ctx, q, "WHERE transaction_id = ? ORDER BY key", transactionID)
	if err != nil {
		return nil, err
	}

	return db.Values(rows, (*row).value)
}

// live reads the reservations that count: those that wait for their customers, and those of accepted transactions that
// are not in the ledger yet. Both are bounded by what is under way.
func live(ctx context.Context, q db.Querier, now time.Time) ([]Reservation, error) {
	rows, err := reservations.Select(
		ctx,
		q,
		"WHERE state IN ('RESERVED', 'DRAWN') AND (expires_at = 0 OR expires_at > ?)",
		db.Micros(now),
	)
	if err != nil {
		return nil, err
	}

	return db.Values(rows, (*row).value)
}

// Free ends a transaction's reservations that were not posted: it has ended without effect, or a new quote follows. A
// second call changes nothing.
func Free(tx *db.Tx, transactionID string) error {
	_, err := tx.Exec(
		`UPDATE stock_reservations SET state = ?, done_at = ?
			WHERE transaction_id = ? AND state IN ('RESERVED', 'DRAWN')`,
		string(Freed),
		db.Micros(tx.Now),
		transactionID,
	)

	return err
}
