package settlement

import (
	"context"
	"fmt"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"slipway/internal/core/money"
	"slipway/internal/directory/network"
	"slipway/internal/payments/chart"
	"slipway/internal/payments/effect"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/db"
	"slipway/internal/platform/words"
	"slipway/internal/rails/chain"
	"slipway/internal/rails/chain/contract"
)

// gasAsset is what gas is paid in on every EVM chain: 18 decimals, whatever the coin is called.
var gasAsset = money.Asset{Code: "ETH", Decimals: 18}

// Seen is called when a send is in a block for the first time, or again after a reorganisation. It moves the
// transaction to RELEASED. It posts nothing, because a block may still be replaced.
func (s *Service) Seen(ctx context.Context, tx *db.Tx, sent chain.Sent) error {
	key, err := keyOf(sent.Key)

	switch {
	case err != nil:
		return err
	case key.Word == effect.Delivery:
		return s.chainOfDelivery(ctx, tx, key)
	case key.ByTreasury():
		return nil // a refund counts only once it is final
	}

	t, err := s.transactionOf(ctx, tx, key)
	if err != nil || t.Type == transaction.TypeFiat {
		return err // the tokens are on their way to the treasury; that releases nothing
	}

	step := transaction.Step{
		Status:     transaction.StatusReleased,
		Settlement: transaction.SettlementSent,
		What:       "released",
	}
	if t.Status == transaction.StatusReleased {
		step.Info = words.Phrase("On the chain again after a reorganisation.")
		step.What = "resent"
	}

	return s.advance(ctx, tx, t, step)
}

// Lost is called when the block of a send was replaced; the rail sends the same bytes again. The interface has no way
// back from RELEASED, so Lost changes only statusInfo.
func (s *Service) Lost(ctx context.Context, tx *db.Tx, sent chain.Sent) error {
	key, err := keyOf(sent.Key)
	if err != nil || key.ByTreasury() && key.Word != effect.Delivery {
		return err
	}

	t, err := s.transactionOf(ctx, tx, key)
	if err != nil {
		return err
	}

	return s.advance(ctx, tx, t, transaction.Step{
		Status: t.Status, What: "reorganised",
		Info: words.Phrase("The chain replaced the block; the same transaction was sent again."),
	})
}

// Refused is called when the rail gives a send up before anything was signed: it would revert, or could never be paid
// for.
func (s *Service) Refused(ctx context.Context, tx *db.Tx, send, reason string) error {
	key, err := keyOf(send)
	if err != nil {
		return err
	}

	if key.ByTreasury() {
		x, t, err := s.sending(ctx, tx, key)
		if err != nil {
			return err
		}

		return s.treasuryDoubt(ctx, tx, x, t, networkRefuses(reason), true)
	}

	t, err := s.transactionOf(ctx, tx, key)
	if err != nil {
		return err
	}

	return s.doubt(ctx, tx, t, networkRefuses(reason))
}

// Final is called when a send can no longer be undone. It posts the evidence and records the outcome of every payment.
func (s *Service) Final(ctx context.Context, tx *db.Tx, sent chain.Sent) error {
	if chain.IsFiller(sent.Key) {
		return postGas(tx, transaction.Transaction{Network: sent.Network}, sent)
	}

	key, err := keyOf(sent.Key)
	if err != nil {
		return err
	}

	if key.ByTreasury() {
		return s.treasuryFinal(ctx, tx, key, sent)
	}

	t, err := s.transactionOf(ctx, tx, key)
	if err != nil {
		return err
	}

	if err := postGas(tx, t, sent); err != nil {
		return err
	}

	if t.Type == transaction.TypeFiat {
		return s.pulled(ctx, tx, t, sent)
	}

	outcome, err := s.outcome(ctx, tx, t, sent)
	switch {
	case err != nil:
		return s.hold(ctx, tx, t, contradicts(err))
	case outcome.Reverted:
		return s.doubt(ctx, tx, t, words.Phrase(reverted))
	}

	return s.post(ctx, tx, t, outcome.Legs)
}

// hold stops a transaction whose evidence is unclear. Its amount stays in clearing, and nothing is sent again.
func (s *Service) hold(ctx context.Context, tx *db.Tx, t transaction.Transaction, why string) error {
	return s.advance(ctx, tx, t, transaction.Step{
		Status:     t.Status,
		Settlement: transaction.SettlementUncertain,
		Info:       why,
		What:       "uncertain",
	})
}

// post books the outcome of every leg: a paid amount leaves clearing for its receiver, a failed one goes back to the
// wallet.
func (s *Service) post(ctx context.Context, tx *db.Tx, t transaction.Transaction, legs []contract.LegOutcome) error {
	paid, failed, unclear, info := summary(legs)
	if unclear > 0 {
		return s.hold(ctx, tx, t, info)
	}

	e := chart.Settled{Debit: t.DebitEvent()}

	for i, leg := range legs {
		p := t.Payments[i]
		status, why := legStatus(leg)
		e.Legs = append(e.Legs, chart.Leg{
			Receiver: p.Receiver,
			Payment:  t.PaymentID(p.Position),
			Amount:   t.Amount(p),
			Failed:   status == transaction.PaymentFailed,
		})

		if err := transaction.SetOutcome(tx, t, p.Position, status, why); err != nil {
			return err
		}
	}

	if err := chart.Post(tx, e); err != nil {
		return err
	}

	transaction.ReleaseReservation(tx, t)

	step := transaction.Step{
		Status:     transaction.StatusCompleted,
		Settlement: transaction.SettlementSettled,
		Info:       info,
		What:       "completed",
	}
	if paid == 0 && failed > 0 {
		step.Status = transaction.StatusFailed
		step.Settlement = transaction.SettlementIdle
		step.What = "failed"
	}

	return s.advance(ctx, tx, t, step)
}

// postGas books the gas that the operator's key has paid. It is known only now, at the price in the block.
func postGas(tx *db.Tx, t transaction.Transaction, sent chain.Sent) error {
	cost := money.FromUnits(gasAsset, gasCost(sent))
	if cost.Sign() == 0 {
		return nil
	}

	return chart.Post(tx, chart.GasPaid{
		Of:      ofTransaction(t),
		Network: t.Network,
		Send:    sent.Key,
		Hash:    sent.Hash.Hex(),
		Cost:    cost,
	})
}

// outcome returns what a receipt proves about a transaction's own batch. Its error is a sentence for statusInfo.
func (s *Service) outcome(
	ctx context.Context,
	tx *db.Tx,
	t transaction.Transaction,
	sent chain.Sent,
) (contract.Outcome, error) {
	n, token, err := s.networkAndToken(ctx, tx, t)
	if err != nil {
		return contract.Outcome{}, err
	}

	return outcomeOf(n, t.Batch(n, token), sent)
}

func outcomeOf(n network.Network, b contract.Batch, sent chain.Sent) (contract.Outcome, error) {
	receipt := &types.Receipt{Status: types.ReceiptStatusFailed, TxHash: sent.Hash, Logs: sent.Logs}
	if sent.OK {
		receipt.Status = types.ReceiptStatusSuccessful
	}

	return contract.ParseReceipt(common.HexToAddress(n.Router()), b, receipt)
}

// reverted is the statusInfo of a batch that moved nothing.
const reverted = "The batch was reverted as a whole."

// contradicts returns the statusInfo for a receipt that does not belong to the batch.
func contradicts(err error) string {
	return words.Detailed("The receipt contradicts the batch.",
		fmt.Sprintf("The receipt contradicts the batch: %v", err))
}

// networkRefuses returns the statusInfo for a batch that no node takes.
func networkRefuses(reason string) string {
	return words.Detailed("The network refuses the batch.",
		"The network refuses the batch: "+explainRefusal(reason)+".")
}

// ofTransaction returns whose value a transaction's events move.
func ofTransaction(t transaction.Transaction) chart.Of {
	return chart.Of{Organisation: t.Organisation, Transaction: t.ID}
}

// keyOf reads a rail's key.
func keyOf(send string) (effect.Key, error) {
	k, ok := effect.Parse(send)
	if !ok {
		return k, fmt.Errorf("%s is the key of no effect", send)
	}

	return k, nil
}

// transactionOf returns the transaction that an effect belongs to.
func (s *Service) transactionOf(ctx context.Context, q db.Querier, key effect.Key) (transaction.Transaction, error) {
	t, err := transaction.ByID(ctx, q, key.Subject)
	if err != nil {
		return t, fmt.Errorf("transaction of send %s: %w", key, err)
	}

	return t, nil
}
