package settlement

import (
	"context"
	"errors"
	"fmt"
	"math/big"

	"slipway/internal/core/money"
	"slipway/internal/platform/db"
)

const conversionColumns = "key, transaction_id, sell, sell_decimals, sell_units, buy, buy_decimals, buy_units, " +
	"state, sold_units, bought_units, ref, info, asked_at, done_at"

var insertConversionRow = db.InsertInto("conversions", conversionColumns)

type conversionRow struct {
	c            Conversion
	sell, buy    money.Stored
	sold, bought string
	asked, done  int64
}

func (r *conversionRow) dest() []any {
	c := &r.c

	return []any{
		&c.Key,
		&c.Transaction,
		&r.sell.Code,
		&r.sell.Decimals,
		&r.sell.Units,
		&r.buy.Code,
		&r.buy.Decimals,
		&r.buy.Units,
		(*string)(&c.State),
		&r.sold,
		&r.bought,
		&c.Ref,
		&c.Info,
		&r.asked,
		&r.done,
	}
}

func (r *conversionRow) value() (Conversion, error) {
	c := r.c
	c.AskedAt = db.Time(r.asked)
	c.DoneAt = db.Time(r.done)

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

func insertConversion(tx *db.Tx, c Conversion) {
	sell := c.Sell.Stored()
	buy := c.Buy.Stored()

	tx.Insert(
		insertConversionRow,
		c.Key,
		c.Transaction,
		sell.Code,
		sell.Decimals,
		sell.Units,
		buy.Code,
		buy.Decimals,
		buy.Units,
		string(ConversionAsked),
		"",
		"",
		"",
		"",
		db.Micros(tx.Now),
		int64(0),
	)
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
	return conversionsWhere(ctx, q, "transaction_id = ? ORDER BY key", transactionID)
}

func conversionsWhere(ctx context.Context, q db.Querier, condition string, args ...any) ([]Conversion, error) {
	rows, err := db.Select(
		ctx,
		q,
		(*conversionRow).dest,
		"SELECT "+conversionColumns+" FROM conversions WHERE "+condition,
		args...)
	if err != nil {
		return nil, fmt.Errorf("read conversions: %w", err)
	}

	return db.Values(rows, (*conversionRow).value)
}
