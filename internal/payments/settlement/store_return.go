package settlement

import (
	"context"
	"errors"
	"fmt"

	"slipway/internal/core/money"
	"slipway/internal/platform/db"
)

var (
	returnTable     = db.NewTable("payout_returns", (*returnRow).columns)
	insertPolicyRow = db.InsertInto("return_policies", "organisation, policy, set_by, set_at")
)

type returnRow struct {
	PayoutReturn

	amount            money.Stored
	deducted, charges string
}

func (r *returnRow) columns(c *db.Columns) {
	c.Text("id", &r.ID)
	c.Text("payout", &r.Payout)
	c.Text("transaction_id", &r.Transaction)
	c.Int("position", &r.Position)
	c.Text("organisation", &r.Organisation)

	c.Text("currency", &r.amount.Code)
	c.Int64("decimals", &r.amount.Decimals)
	c.Text("units", &r.amount.Units)
	c.Text("deducted", &r.deducted)
	c.Text("charges", &r.charges)

	c.Text("reason", &r.Reason)
	c.Text("raw_reason", &r.RawReason)
	c.Text("scheme", &r.Scheme)
	c.Text("end_to_end_id", &r.EndToEndID)
	c.Text("policy", (*string)(&r.Policy))
	c.Text("state", (*string)(&r.State))
	c.Text("rate", &r.Rate)
	c.Text("token_units", &r.TokenUnits)

	c.Time("received_at", &r.ReceivedAt)
	c.Time("created_at", &r.CreatedAt)
	c.Time("updated_at", &r.UpdatedAt)
}

func (r *returnRow) value() (PayoutReturn, error) {
	x := r.PayoutReturn

	deducted := r.amount
	deducted.Units = r.deducted
	charges := r.amount
	charges.Units = r.charges

	var errs [3]error
	x.Amount, errs[0] = r.amount.Amount()
	x.Deducted, errs[1] = deducted.Amount()
	x.Charges, errs[2] = charges.Amount()

	if err := errors.Join(errs[:]...); err != nil {
		return x, fmt.Errorf("return %s: %w", x.ID, err)
	}

	return x, nil
}

func insertReturn(tx *db.Tx, x PayoutReturn) {
	x.CreatedAt = tx.Now
	x.UpdatedAt = tx.Now
	returnTable.Insert(tx, &returnRow{
		PayoutReturn: x,
		amount:       x.Amount.Stored(),
		deducted:     x.Deducted.Units().String(),
		charges:      x.Charges.Units().String(),
	})
}

// moveReturn stores a return's next state and the rate it was given back at, guarded by the state that was read.
func moveReturn(tx *db.Tx, x PayoutReturn, to ReturnState) {
	tx.Change(
		"UPDATE payout_returns SET state = ?, rate = ?, token_units = ?, updated_at = ? WHERE id = ? AND state = ?",
		string(to),
		x.Rate,
		x.TokenUnits,
		db.Micros(tx.Now),
		x.ID,
		string(x.State),
	)
}

// reduceReturn takes an amount out of a return that is neither given back nor paid again.
func reduceReturn(tx *db.Tx, x PayoutReturn, rest money.Amount) {
	tx.Change(
		"UPDATE payout_returns SET units = ?, updated_at = ? WHERE id = ? AND state = ? AND units = ?",
		rest.Units().String(),
		db.Micros(tx.Now),
		x.ID,
		string(x.State),
		x.Amount.Units().String(),
	)
}

// ReturnsOf returns what came back of a transaction's payments, the oldest first.
func ReturnsOf(ctx context.Context, q db.Querier, transactionID string) ([]PayoutReturn, error) {
	all, err := returnsOf(ctx, q, []string{transactionID})
	return all[transactionID], err
}

// returnsOf returns the returned payments of several transactions, by transaction, oldest first.
func returnsOf(ctx context.Context, q db.Querier, transactionIDs []string) (map[string][]PayoutReturn, error) {
	var w db.Where
	db.In(&w, "transaction_id", transactionIDs)

	rows, err := returnTable.Select(ctx, q, w.SQL()+" ORDER BY created_at, id", w.Args...)
	if err != nil {
		return nil, err
	}

	all, err := db.Values(rows, (*returnRow).value)

	out := map[string][]PayoutReturn{}
	for _, r := range all {
		out[r.Transaction] = append(out[r.Transaction], r)
	}

	return out, err
}

func returnByID(ctx context.Context, q db.Querier, id string) (PayoutReturn, error) {
	return db.First(returnsWhere(ctx, q, "id = ?", id))
}

// unvaluedReturns lists returns that have been waiting since before a moment to be given back in tokens.
func unvaluedReturns(ctx context.Context, q db.Querier, before int64, limit int) ([]PayoutReturn, error) {
	return returnsWhere(
		ctx,
		q,
		"state = 'RECEIVED' AND updated_at < ? ORDER BY updated_at, id LIMIT ?",
		before,
		int64(limit),
	)
}

func returnsWhere(ctx context.Context, q db.Querier, condition string, args ...any) ([]PayoutReturn, error) {
	rows, err := returnTable.Select(ctx, q, "WHERE "+condition, args...)
	if err != nil {
		return nil, err
	}

	return db.Values(rows, (*returnRow).value)
}

// PolicyOf returns an organisation's policy for returned payments.
func PolicyOf(ctx context.Context, q db.Querier, organisation string) (Policy, error) {
	p, err := db.Value[string](ctx, q, "SELECT policy FROM return_policies WHERE organisation = ?", organisation)
	if errors.Is(err, db.ErrNone) {
		return PolicyRecredit, nil
	}

	return Policy(p), err
}

// SetPolicy stores an organisation's policy for future returns.
func SetPolicy(ctx context.Context, tx *db.Tx, organisation string, p Policy, by string) error {
	n, err := tx.Exec(
		"UPDATE return_policies SET policy = ?, set_by = ?, set_at = ? WHERE organisation = ?",
		string(p),
		by,
		db.Micros(tx.Now),
		organisation,
	)
	if err == nil && n == 0 {
		tx.Insert(insertPolicyRow, organisation, string(p), by, db.Micros(tx.Now))
	}

	return err
}
