package settlement

import (
	"context"
	"errors"
	"fmt"

	"slipway/internal/core/money"
	"slipway/internal/platform/db"
)

const returnColumns = "id, payout, transaction_id, position, organisation, currency, decimals, units, deducted, " +
	"reason, raw_reason, scheme, end_to_end_id, policy, state, rate, token_units, received_at, created_at, updated_at"

var (
	insertReturnRow = db.InsertInto("payout_returns", returnColumns)
	insertPolicyRow = db.InsertInto("return_policies", "organisation, policy, set_by, set_at")
)

type returnRow struct {
	r                          PayoutReturn
	position                   int64
	amount                     money.Stored
	deducted                   string
	received, created, updated int64
}

func (r *returnRow) dest() []any {
	x := &r.r

	return []any{
		&x.ID,
		&x.Payout,
		&x.Transaction,
		&r.position,
		&x.Organisation,
		&r.amount.Code,
		&r.amount.Decimals,
		&r.amount.Units,
		&r.deducted,
		&x.Reason,
		&x.RawReason,
		&x.Scheme,
		&x.EndToEndID,
		(*string)(&x.Policy),
		(*string)(&x.State),
		&x.Rate,
		&x.TokenUnits,
		&r.received,
		&r.created,
		&r.updated,
	}
}

func (r *returnRow) value() (PayoutReturn, error) {
	x := r.r
	x.Position = int(r.position)
	x.ReceivedAt = db.Time(r.received)
	x.CreatedAt = db.Time(r.created)
	x.UpdatedAt = db.Time(r.updated)

	deducted := r.amount
	deducted.Units = r.deducted

	var errs [2]error
	x.Amount, errs[0] = r.amount.Amount()
	x.Deducted, errs[1] = deducted.Amount()

	if err := errors.Join(errs[:]...); err != nil {
		return x, fmt.Errorf("return %s: %w", x.ID, err)
	}

	return x, nil
}

func insertReturn(tx *db.Tx, x PayoutReturn) {
	a := x.Amount.Stored()

	tx.Insert(
		insertReturnRow,
		x.ID,
		x.Payout,
		x.Transaction,
		int64(x.Position),
		x.Organisation,
		a.Code,
		a.Decimals,
		a.Units,
		x.Deducted.Units().String(),
		x.Reason,
		x.RawReason,
		x.Scheme,
		x.EndToEndID,
		string(x.Policy),
		string(x.State),
		x.Rate,
		x.TokenUnits,
		db.Micros(x.ReceivedAt),
		db.Micros(tx.Now),
		db.Micros(tx.Now),
	)
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

// ReturnsOf returns what came back of a transaction's payments, the oldest first.
func ReturnsOf(ctx context.Context, q db.Querier, transactionID string) ([]PayoutReturn, error) {
	return returnsWhere(ctx, q, "transaction_id = ? ORDER BY created_at, id", transactionID)
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
	rows, err := db.Select(ctx, q, (*returnRow).dest,
		"SELECT "+returnColumns+" FROM payout_returns WHERE "+condition, args...)
	if err != nil {
		return nil, fmt.Errorf("read returns: %w", err)
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
