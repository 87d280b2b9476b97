package settlement

import (
	"context"

	"slipway/internal/payments/effect"
	"slipway/internal/payments/outbound"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/db"
	"slipway/internal/platform/words"
)

// sendMoved tells a transaction what has become of what the treasury sends for it, in the write that records it.
func (s *Service) sendMoved(ctx context.Context, tx *db.Tx, t transaction.Transaction, x outbound.Effect) error {
	switch {
	case x.State == outbound.Doubtful:
		return s.advance(ctx, tx, t, transaction.Step{
			Status:     t.Status,
			Settlement: holdable(t),
			Info:       x.Info,
			What:       "uncertain",
		})
	case x.Key.Word == effect.Delivery:
		return s.deliveryMoved(ctx, tx, t, x)
	case x.State == outbound.Final:
		return s.refunded(ctx, tx, t, x)
	case x.State == outbound.Refused:
		return nil // a refund that is not final is under way, whatever its attempts do
	}

	return s.progress(ctx, tx, t)
}

// deliveryMoved tells an ONRAMP transaction what has become of its delivery.
func (s *Service) deliveryMoved(ctx context.Context, tx *db.Tx, t transaction.Transaction, x outbound.Effect) error {
	info := words.Phrase("The tokens did not arrive yet; they are sent again.")

	switch x.State {
	case outbound.Final:
		return s.delivered(ctx, tx, t)
	case outbound.Refused:
	case outbound.Kept:
		info = words.Phrase("The wallet refuses the tokens; they are kept for you: %s", x.Info)
	default: // on its way: the transaction says so already
		return nil
	}

	return s.advance(ctx, tx, t, transaction.Step{
		Status:     t.Status,
		Settlement: unlessReturned(t, transaction.SettlementHeld),
		Info:       info,
		What:       "held",
	})
}

// holdable returns UNCERTAIN if the transaction's table allows that move, or else the present status: a COMPLETED
// transaction keeps it.
func holdable(t transaction.Transaction) transaction.SettlementStatus {
	if transaction.SettlementTableOf(t.Type).Allows(t.Settlement, transaction.SettlementUncertain) {
		return transaction.SettlementUncertain
	}

	return t.Settlement
}
