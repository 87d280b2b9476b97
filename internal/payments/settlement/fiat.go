package settlement

import (
	"context"
	"fmt"

	"slipway/internal/core/money"
	"slipway/internal/directory/network"
	"slipway/internal/payments/chart"
	"slipway/internal/payments/effect"
	"slipway/internal/payments/evidence"
	"slipway/internal/payments/ledger"
	"slipway/internal/payments/outbound"
	"slipway/internal/payments/quote"
	"slipway/internal/payments/stock"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/db"
	"slipway/internal/platform/words"
	"slipway/internal/rails/bank"
	"slipway/internal/rails/chain"
	"slipway/internal/rails/chain/contract"
)

// How a FIAT transaction proceeds: one router batch pulls the whole debit to the treasury; each target currency is
// converted; each payment becomes one bank payout. A payout that the bank books is paid. One that it refuses is
// refunded in tokens at the locked rate.

// pull plans the one batch that moves the whole debit from the wallet to the treasury.
func (s *Service) pull(ctx context.Context, tx *db.Tx, t transaction.Transaction) error {
	n, token, err := network.WithToken(ctx, tx, t.Network, t.Token)
	if err != nil {
		return err
	}

	return s.plan(ctx, tx, t, n, token, contract.ByAllowance)
}

// pulled records that the debit is final at the treasury, or that it never will be.
func (s *Service) pulled(ctx context.Context, tx *db.Tx, t transaction.Transaction, sent chain.Sent) error {
	outcome, err := s.outcome(ctx, tx, t, sent)
	switch {
	case err != nil:
		return s.hold(ctx, tx, t, evidence.Contradicts(err))
	case outcome.Reverted:
		return s.doubt(ctx, tx, t, evidence.Reverted)
	}

	paid, failed, unclear, why := evidence.Summary(outcome.Legs)
	if unclear > 0 || paid+failed != 1 {
		return s.hold(ctx, tx, t, why)
	}

	if failed == 1 {
		if err := releaseClearing(tx, t); err != nil {
			return err
		}

		return s.end(ctx, tx, t,
			words.Phrase("The tokens could not be taken from the wallet: %s.", evidence.LegReason(outcome.Legs[0])))
	}

	if err := chart.PostOn(tx, ledger.OfBlock(sent.MinedAt), chart.Pulled{
		Debit: t.DebitEvent(),
		Hash:  sent.Hash.Hex(),
	}); err != nil {
		return err
	}

	transaction.ReleaseReservation(tx, t)
	s.enqueueStep(tx, t.ID)

	return s.advance(ctx, tx, t, transaction.Step{
		Status:     t.Status,
		Settlement: transaction.SettlementReceived,
		What:       "funds_received",
	})
}

// fiatExchanges returns, for each currency of a FIAT transaction, what its payments cost and what they are to get. It
// lets the transaction continue if it was held.
func (s *Service) fiatExchanges(
	ctx context.Context,
	tx *db.Tx,
	t transaction.Transaction,
) (map[string]exchange, error) {
	if _, err := s.resume(ctx, tx, t, transaction.SettlementReceived); err != nil {
		return nil, err
	}

	_, prices, err := s.prices(ctx, tx, t)
	if err != nil {
		return nil, err
	}

	sums := map[string]exchange{}
	for _, p := range t.Payments {
		sum, ok := sums[p.Currency]
		if !ok {
			sum = exchange{sell: money.Zero(t.Asset()), buy: money.Zero(p.Fiat().Asset())}
		}

		sums[p.Currency] = exchange{
			sell: sum.sell.Add(money.FromUnits(t.Asset(), prices[p.Position].TokenUnits)),
			buy:  sum.buy.Add(p.Fiat()),
		}
	}

	return sums, nil
}

// payOut decides about every payment in one write, once each order has a final state: it plans payouts for what was
// converted and refunds the rest. If nothing can be paid, everything goes back, fees included.
func (s *Service) payOut(ctx context.Context, tx *db.Tx, t transaction.Transaction, state State) error {
	locked, prices, err := s.prices(ctx, tx, t)
	if err != nil {
		return err
	}

	payouts, refused, err := s.payoutsOf(state, prices)
	if err != nil {
		return err
	}

	if len(payouts) == 0 {
		return s.refundAll(ctx, tx, t, refused)
	}

	trade, err := tradeOf(ctx, tx, t)
	if err != nil {
		return err
	}

	if err := chart.Post(tx, converted(trade, t, locked, prices, payouts)); err != nil {
		return err
	}

	for _, p := range t.Payments {
		if why, ok := refused[p.Position]; ok {
			if err := s.failPayment(tx, &t, p.Position, why, refundOf(locked, prices[p.Position])); err != nil {
				return err
			}

			continue
		}

		if err := s.Bank.Plan(tx, payouts[p.Position]); err != nil {
			return fmt.Errorf("plan payout %d of %s: %w", p.Position, t.ID, err)
		}
	}

	if len(refused) > 0 {
		s.enqueueStep(tx, t.ID)
	}

	return s.advance(ctx, tx, t, transaction.Step{
		Status:     t.Status,
		Settlement: transaction.SettlementConverted,
		Info:       statusInfo(t, countOutcomes(t), len(refused), 0),
		What:       "converted",
	})
}

// payoutsOf returns the payouts of the payments by their position, and of those that get none, why.
func (s *Service) payoutsOf(state State, prices map[int]quote.Line) (map[int]bank.Payout, map[int]string, error) {
	t := state.T
	payouts := map[int]bank.Payout{}
	refused := map[int]string{}

	for _, p := range t.Payments {
		if why := rejected(state, p.Currency); why != "" {
			refused[p.Position] = why
			continue
		}

		payout, why, err := s.payoutOf(t, p, prices[p.Position], effect.PayoutOf(t.ID, p.Position))
		if err != nil {
			return nil, nil, err
		}

		if why != "" {
			refused[p.Position] = why
			continue
		}

		payouts[p.Position] = payout
	}

	return payouts, refused, nil
}

// rejected returns why a currency was not converted, or "" if it was.
func rejected(state State, currency string) string {
	for _, x := range state.Orders {
		if x.Key == effect.ConversionOf(state.T.ID, currency) && x.State == outbound.Final {
			return ""
		}
	}

	return words.Phrase("no conversion into %s could be had at the locked rate", currency)
}

// refundAll gives the whole debit back, fees included, because no payment could be made.
func (s *Service) refundAll(ctx context.Context, tx *db.Tx, t transaction.Transaction, refused map[int]string) error {
	for _, p := range t.Payments {
		if err := setOutcome(tx, &t, p.Position, transaction.PaymentFailed, refused[p.Position]); err != nil {
			return err
		}
	}

	if err := stock.Free(tx, t.ID); err != nil { // what was drawn of it is not needed
		return err
	}

	if err := s.Outbound.WantSend(tx, t, effect.RefundAll(t.ID), outbound.Whole, t.WalletAddress, t.Debit); err != nil {
		return err
	}

	s.enqueueStep(tx, t.ID)

	return s.advance(ctx, tx, t, transaction.Step{
		Status:     t.Status,
		Settlement: transaction.SettlementRefunding,
		Info:       statusInfo(t, countOutcomes(t), 1, 0),
		What:       "refunding",
	})
}

// progress moves a FIAT transaction to the status that follows from its payments, refunds and returns. Every write that
// changes one of them calls it at its end.
func (s *Service) progress(ctx context.Context, tx *db.Tx, t transaction.Transaction) error {
	sends, err := outbound.SendsOf(ctx, tx, t.ID)
	if err != nil {
		return err
	}

	returns, err := ReturnsOf(ctx, tx, t.ID)
	if err != nil {
		return err
	}

	return s.advance(ctx, tx, t, fiatStep(t, sends, returns))
}

// refunded records that a refund is final in the wallet. A payment becomes REFUNDED with the last of its returned
// parts; one of which only a part came back stays paid.
func (s *Service) refunded(ctx context.Context, tx *db.Tx, t transaction.Transaction, x outbound.Effect) error {
	returns, err := ReturnsOf(ctx, tx, t.ID)
	if err != nil {
		return err
	}

	sends, err := outbound.SendsOf(ctx, tx, t.ID)
	if err != nil {
		return err
	}

	for _, p := range t.Payments {
		if x.Position != outbound.Whole && x.Position != p.Position {
			continue
		}

		if moreCameBack(returns, sends, x) ||
			!transaction.PaymentTable().Allows(p.Outcome, transaction.PaymentRefunded) {
			continue
		}

		if err := setOutcome(tx, &t, p.Position, transaction.PaymentRefunded, p.StatusInfo); err != nil {
			return err
		}
	}

	return s.progress(ctx, tx, t)
}
