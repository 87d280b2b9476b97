package bank

import (
	"context"
	"errors"
	"fmt"

	"slipway/internal/core/money"
	"slipway/internal/platform/db"
)

// returnRow is a return of a payout; settled once its observer was notified.
type returnRow struct {
	payout, movement, units string
	settled                 bool
}

func (r *returnRow) dest() []any { return []any{&r.payout, &r.movement, &r.units, &r.settled} }

func returnsOf(ctx context.Context, q db.Querier, payoutIDs []string) ([]returnRow, error) {
	var w db.Where
	db.In(&w, "payout_id", payoutIDs)

	return db.Select(ctx, q, (*returnRow).dest,
		"SELECT payout_id, movement, units, settled FROM bank_returns"+w.SQL()+" ORDER BY movement", w.Args...)
}

// noteReturnsSettled marks the returns of a payout that waited for its debit.
func noteReturnsSettled(tx *db.Tx, payoutID string) {
	tx.Change("UPDATE bank_returns SET settled = TRUE WHERE payout_id = ? AND NOT settled", payoutID)
}

// announced reports whether a pacs.004 announced the return of an amount.
func announced(ctx context.Context, q db.Querier, payoutID string, a money.Amount) (bool, error) {
	n, err := db.Value[int64](
		ctx,
		q,
		"SELECT count(*) FROM bank_notices WHERE payout_id = ? AND units = ?",
		payoutID,
		a.Units().String(),
	)
	if err != nil {
		return false, fmt.Errorf("announced returns of payout %s: %w", payoutID, err)
	}

	return n > 0, nil
}

// noticeOf returns the reason that a pacs.004 gave for a payout's return; empty if there was none.
func noticeOf(ctx context.Context, q db.Querier, payoutID string) (Reason, error) {
	why, err := db.One(ctx, q, func(w *Reason) []any { return []any{&w.Code, &w.Text} },
		"SELECT code, text FROM bank_notices WHERE payout_id = ? ORDER BY file_id DESC, number DESC LIMIT 1", payoutID)
	if errors.Is(err, db.ErrNone) {
		return Reason{}, nil
	}

	return why, err
}

// unsettledBlocks returns the debits of blocks of some payment files that were not matched with their payouts.
func unsettledBlocks(ctx context.Context, q db.Querier, messages []string) ([]string, error) {
	var w db.Where
	w.And("NOT settled")
	db.In(&w, "message", messages)

	return db.Select(ctx, q, func(s *string) []any { return []any{s} },
		"SELECT entry_id FROM bank_blocks"+w.SQL()+" ORDER BY entry_id", w.Args...)
}

func noteBlockSettled(tx *db.Tx, entryID string) {
	tx.Change("UPDATE bank_blocks SET settled = TRUE WHERE entry_id = ? AND NOT settled", entryID)
}

// clearConflicts removes the conflicts of payouts that are resolved.
func clearConflicts(tx *db.Tx, payoutIDs []string) error {
	var w db.Where
	db.In(&w, "id", payoutIDs)
	_, err := tx.Exec("UPDATE bank_payouts SET conflict = ''"+w.SQL(), w.Args...)

	return err
}
