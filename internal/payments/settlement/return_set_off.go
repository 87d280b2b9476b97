package settlement

import (
	"context"
	"fmt"

	"slipway/internal/core/money"
	"slipway/internal/payments/evidence"
	"slipway/internal/payments/outbound"
	"slipway/internal/payments/receivable"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/db"
	"slipway/internal/platform/words"
)

// returnsToSetOff returns the returns of an organisation in a currency whose money is still here.
func returnsToSetOff(ctx context.Context, q db.Querier, organisation, currency string) ([]receivable.Return, error) {
	all, err := returnsWhere(
		ctx,
		q,
		"organisation = ? AND currency = ? AND state IN ('RECEIVED', 'HELD') ORDER BY created_at, id",
		organisation,
		currency,
	)

	out := make([]receivable.Return, len(all))
	for i, x := range all {
		out[i] = receivable.Return{
			ID:          x.ID,
			Transaction: x.Transaction,
			Amount:      x.Amount,
			Account:     x.account(),
		}
	}

	return out, err
}

// takeReturn takes an amount out of a return, for what the organisation owes; receivable posts it. A return that is
// more keeps the rest, and what was taken stands as a return of its own.
func (s *Service) takeReturn(ctx context.Context, tx *db.Tx, id, owed string, amount money.Amount) error {
	x, err := returnByID(ctx, tx, id)
	if err != nil {
		return fmt.Errorf("return %s: %w", id, err)
	}

	if x.Amount.Cmp(amount) > 0 {
		taken := x
		taken.ID = x.ID + "/" + owed
		taken.Amount = amount
		taken.Deducted = money.Zero(amount.Asset())
		taken.Charges = taken.Deducted
		taken.State = ReturnSetOff
		insertReturn(tx, taken)
		reduceReturn(tx, x, x.Amount.Sub(amount))
	} else {
		moveReturn(tx, x, ReturnSetOff)
	}

	t, err := transaction.ByID(ctx, tx, x.Transaction)
	if err != nil {
		return fmt.Errorf("transaction of return %s: %w", id, err)
	}

	sends, err := outbound.SendsOf(ctx, tx, t.ID)
	if err != nil {
		return err
	}

	returns, err := ReturnsOf(ctx, tx, t.ID)
	if err != nil {
		return err
	}

	step := fiatStep(t, sends, returns)
	kept := words.Phrase("%s of it are kept for what the organisation owes.", evidence.Sum(amount))
	step.Info = words.List(words.Spaces, step.Info, kept)

	return s.advance(ctx, tx, t, step)
}
