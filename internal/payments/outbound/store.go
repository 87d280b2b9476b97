package outbound

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"slipway/internal/core/money"
	"slipway/internal/payments/effect"
	"slipway/internal/platform/db"
)

var table = db.NewTable("effects", (*row).columns)

type row struct {
	Effect

	key, word    string
	amount, buy  money.Stored
	sold, bought string
}

func (r *row) columns(c *db.Columns) {
	c.Text("key", &r.key)
	c.Text("transaction_id", &r.Transaction)
	c.Text("word", &r.word)
	c.Int("position", &r.Position)
	c.Text("organisation", &r.Organisation)
	c.Text("network", &r.Network)
	c.Text("asset", &r.amount.Code)
	c.Int64("decimals", &r.amount.Decimals)
	c.Text("units", &r.amount.Units)

	c.Text("recipient", &r.To)
	c.Int64("number", &r.Number)
	c.Int64("round", &r.Round)
	c.Int64("attempt", &r.Attempt)

	c.Text("provider", &r.Provider)
	c.Text("buy", &r.buy.Code)
	c.Int64("buy_decimals", &r.buy.Decimals)
	c.Text("buy_units", &r.buy.Units)
	c.Text("sold_units", &r.sold)
	c.Text("bought_units", &r.bought)
	c.Text("ref", &r.Ref)

	c.Text("state", (*string)(&r.State))
	c.Text("info", &r.Info)
	c.Time("created_at", &r.CreatedAt)
	c.Time("updated_at", &r.UpdatedAt)
	c.Int64("version", &r.Version)
}

func rowOf(x Effect) *row {
	r := &row{Effect: x, key: x.Key.String(), word: string(x.Key.Word), amount: x.Amount.Stored()}

	if x.IsOrder() {
		r.buy = x.Buy.Stored()
	}

	if x.Sold != nil {
		r.sold = x.Sold.String()
		r.bought = x.Bought.String()
	}

	return r
}

func (r *row) value() (Effect, error) {
	x := r.Effect

	var (
		ok   bool
		errs [4]error
	)
	if x.Key, ok = effect.Parse(r.key); !ok {
		return x, fmt.Errorf("%s is the key of no effect", r.key)
	}

	x.Amount, errs[0] = r.amount.Amount()

	if x.IsOrder() {
		x.Buy, errs[1] = r.buy.Amount()
	}

	if r.sold != "" { // an order without an answer has neither
		x.Sold, errs[2] = money.ParseUnits(r.sold)
		x.Bought, errs[3] = money.ParseUnits(r.bought)
	}

	if err := errors.Join(errs[:]...); err != nil {
		return x, fmt.Errorf("effect %s: %w", x.Key, err)
	}

	return x, nil
}

// Of returns the effects of some transactions, by their keys.
func Of(ctx context.Context, q db.Querier, transactions ...string) ([]Effect, error) {
	if len(transactions) == 0 {
		return nil, nil
	}

	var w db.Where
	db.In(&w, "transaction_id", transactions)

	return values(table.Select(ctx, q, w.SQL()+" ORDER BY key", w.Args...))
}

// SendsOf returns what the treasury sends for some transactions, by key.
func SendsOf(ctx context.Context, q db.Querier, transactions ...string) ([]Effect, error) {
	all, err := Of(ctx, q, transactions...)
	return slices.DeleteFunc(all, Effect.IsOrder), err
}

// ByKey returns one effect.
func ByKey(ctx context.Context, q db.Querier, key effect.Key) (Effect, error) {
	x, err := db.First(where(ctx, q, "key = ?", key.First().String()))
	if err != nil {
		return x, fmt.Errorf("effect %s: %w", key, err)
	}

	return x, nil
}

func where(ctx context.Context, q db.Querier, condition string, args ...any) ([]Effect, error) {
	return values(table.Select(ctx, q, "WHERE "+condition, args...))
}

func values(rows []row, err error) ([]Effect, error) {
	if err != nil {
		return nil, err
	}

	return db.Values(rows, (*row).value)
}

// FilledSince returns the orders that a provider has carried out, as far as that was recorded from a moment on.
func FilledSince(ctx context.Context, q db.Querier, provider string, since time.Time) ([]Effect, error) {
	return where(ctx, q, "word = ? AND provider = ? AND state = ? AND updated_at >= ? ORDER BY key",
		string(effect.Conversion), provider, string(Final), db.Micros(since))
}

// OrdersByKey returns those effects of some keys that are orders, by key.
func OrdersByKey(ctx context.Context, q db.Querier, keys []string) (map[string]Effect, error) {
	out := map[string]Effect{}
	if len(keys) == 0 {
		return out, nil
	}

	var w db.Where
	db.In(&w, "key", keys)

	all, err := values(table.Select(ctx, q, w.SQL(), w.Args...))
	for _, x := range all {
		if x.IsOrder() {
			out[x.Key.String()] = x
		}
	}

	return out, err
}

// Stuck returns transactions with an effect that has waited for this service since before a moment.
func Stuck(ctx context.Context, q db.Querier, before int64, limit int) ([]string, error) {
	return db.Select(
		ctx,
		q,
		func(s *string) []any { return []any{s} },
		`SELECT DISTINCT transaction_id FROM effects
			WHERE state IN ('WANTED', 'REFUSED') AND updated_at < ? ORDER BY 1 LIMIT ?`,
		before,
		int64(limit),
	)
}

// KeptSends lists the sends whose tokens are kept because their wallets refuse them. It returns besides how many there
// are in all.
func KeptSends(ctx context.Context, q db.Querier, limit int) ([]Effect, int, error) {
	total, err := db.Value[int64](ctx, q, "SELECT count(*) FROM effects WHERE state = 'KEPT'")
	if err != nil {
		return nil, 0, err
	}

	out, err := where(ctx, q, "state = 'KEPT' ORDER BY key LIMIT ?", int64(limit))

	return out, int(total), err
}
