package settlement

import (
	"context"
	"errors"
	"fmt"
	"math/big"

	"slipway/internal/core/money"
	"slipway/internal/platform/db"
)

var conversionTable = db.NewTable("conversions", (*conversionRow).columns)

type conversionRow struct {
	Conversion

	sell, buy    money.Stored
	sold, bought string
}

// columns lists every column once. A new field needs one line here.
func (r *conversionRow) columns(c *db.Columns) {
	c.Text("key", &r.Key)
	c.Text("transaction_id", &r.Transaction)
	c.Text("provider", &r.Provider)

	c.Text("sell", &r.sell.Code)
	c.Int64("sell_decimals", &r.sell.Decimals)
	c.Text("sell_units", &r.sell.Units)
	c.Text("buy", &r.buy.Code)
	c.Int64("buy_decimals", &r.buy.Decimals)
	c.Text("buy_units", &r.buy.Units)

	c.Text("state", (*string)(&r.State))
	c.Text("sold_units", &r.sold)
	c.Text("bought_units", &r.bought)
	c.Text("ref", &r.Ref)
	c.Text("info", &r.Info)
	c.Time("asked_at", &r.AskedAt)
	c.Time("done_at", &r.DoneAt)
}

func (r *conversionRow) value() (Conversion, error) {
	c := r.Conversion

	var errs [4]error
	c.Sell, errs[0] = r.sell.Amount()
	c.Buy, errs[1] = r.buy.Amount()

	if r.sold != "" { // an open order has neither
		c.Sold, errs[2] = money.ParseUnits(r.sold)
		c.Bought, errs[3] = money.ParseUnits(r.bought)
	}

	if err := errors.Join(errs[:]...); err != nil {
		return c, fmt.Errorf("conversion %s: %w", c.Key, err)
	}

	return c, nil
}

// insertConversion stores an order that its provider is asked for next.
func insertConversion(tx *db.Tx, c Conversion) {
	c.State = ConversionAsked
	c.AskedAt = tx.Now
	conversionTable.Insert(tx, &conversionRow{Conversion: c, sell: c.Sell.Stored(), buy: c.Buy.Stored()})
}

// endConversion records the provider's answer. An order that is already finished keeps its state.
func endConversion(tx *db.Tx, key string, state ConversionState, sold, bought *big.Int, ref, info string) {
	tx.Change(
		`UPDATE conversions
			SET state = ?, sold_units = ?, bought_units = ?, ref = ?, info = ?, done_at = ?
			WHERE key = ? AND state = 'ASKED'`,
		string(state),
		sold.String(),
		bought.String(),
		ref,
		info,
		db.Micros(tx.Now),
		key,
	)
}

func conversionsOf(ctx context.Context, q db.Querier, transactionID string) ([]Conversion, error) {
	rows, err := conversionTable.Select(ctx, q, "WHERE transaction_id = ? ORDER BY key", transactionID)
	if err != nil {
		return nil, err
	}

	return db.Values(rows, (*conversionRow).value)
}
