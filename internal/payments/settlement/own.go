package settlement

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"slipway/internal/directory/network"
	"slipway/internal/payments/chart"
	"slipway/internal/payments/evidence"
	"slipway/internal/payments/ledger"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/db"
	"slipway/internal/platform/words"
	"slipway/internal/rails/chain"
	"slipway/internal/rails/chain/contract"
)

// ownRetryInterval is how often the chain is asked whether a wallet has paid its own batch.
const ownRetryInterval = 15 * time.Second

// errOwnPending reports that the wallet has not paid yet and still may; the job asks again.
var errOwnPending = errors.New("the wallet has not paid its own batch yet")

// stepOwn settles an accepted transaction that its wallet pays itself, by evidence alone: the router's log in a final
// block, with the receipt proven as those of our own sends are. Nothing is sent. What the router has not executed when
// a final block is later than the deadline never will be, so the transaction fails without harm.
//
// The router is asked first, by one call: nodes search few blocks for a log in one request, and while the number is
// free there is none. Where the nodes cannot tell, the log is searched all the same.
func (s *Service) stepOwn(ctx context.Context, t transaction.Transaction) (bool, error) {
	n, token, err := network.WithToken(ctx, s.DB, t.Network, t.Token)
	if err != nil {
		return false, err
	}

	if _, err := s.client(ctx, t.Network); err != nil {
		return false, err
	}

	signed, err := transaction.SignedOf(ctx, s.DB, t.ID)
	if err != nil {
		return false, err
	}

	router := common.HexToAddress(n.Router())
	batch := t.Batch(n, token)

	free, at, err := s.ownFree(ctx, t, router, batch)
	if err == nil && free && !signed.Dead(at.Time) {
		return false, errOwnPending
	}

	receipt, seconds, err := s.Rail.FinalLog(ctx, t.Network, chain.LogQuery{
		Contract: router,
		Topics:   contract.OwnTopics(batch),
		From:     uint64(signed.FromBlock),
	})

	switch {
	case errors.Is(err, chain.ErrNoReceipt) && signed.Dead(seconds):
		return false, s.expireOwn(ctx, t, signed, router, batch)
	case errors.Is(err, chain.ErrNoReceipt), errors.Is(err, chain.ErrSearching):
		return false, errOwnPending
	case err != nil:
		return false, fmt.Errorf("look for the own batch of %s: %w", t.ID, err) // unknown is not failed
	}

	outcome, err := contract.ParseOwnReceipt(router, batch, receipt)

	return false, s.writeOwn(ctx, t.ID, func(tx *db.Tx, now transaction.Transaction) error {
		if err != nil || outcome.Reverted {
			return s.hold(ctx, tx, now, evidence.Contradicts(err))
		}

		return s.postOwn(ctx, tx, now, ledger.OfBlock(time.Unix(int64(seconds), 0)), outcome.Legs)
	})
}

// ownFree reports whether the payer has not used the batch's number itself yet, as of a final block.
func (s *Service) ownFree(
	ctx context.Context,
	t transaction.Transaction,
	router common.Address,
	batch contract.Batch,
) (bool, chain.Block, error) {
	at, results, err := s.Rail.AtFinal(ctx, t.Network, chain.CallMsg{
		To:   router,
		Data: contract.Router().PackOwnExecuted(batch.Payer, batch.Number),
	})
	if err != nil {
		return false, at, fmt.Errorf("ask the router for the own batch of %s: %w", t.ID, err)
	}

	used, err := chain.Word(results[0])
	if err != nil {
		return false, at, fmt.Errorf("ask the router for the own batch of %s: %w", t.ID, err)
	}

	return used.Sign() == 0, at, nil
}

// expireOwn ends a transaction whose deadline a final block has passed without its log. The router's own word is asked
// for as of a block after the deadline: a number that is used up without a log that we found is for a person.
func (s *Service) expireOwn(
	ctx context.Context,
	t transaction.Transaction,
	signed transaction.Signed,
	router common.Address,
	batch contract.Batch,
) error {
	free, at, err := s.ownFree(ctx, t, router, batch)

	switch {
	case err != nil:
		return err
	case !signed.Dead(at.Time):
		return errOwnPending // one node alone named a later block
	}

	return s.writeOwn(ctx, t.ID, func(tx *db.Tx, now transaction.Transaction) error {
		if !free {
			return s.hold(ctx, tx, now, evidence.UsedBefore)
		}

		return s.fail(ctx, tx, now, notPaidWhy)
	})
}

// notPaidWhy is the statusInfo of a transaction that its wallet was to pay and did not.
var notPaidWhy = words.Phrase("The wallet has not paid the batch until the deadline; nothing moved.")

// writeOwn runs a body while the transaction is still to be settled.
func (s *Service) writeOwn(
	ctx context.Context,
	id string,
	body func(tx *db.Tx, t transaction.Transaction) error,
) error {
	return s.DB.Write(ctx, func(tx *db.Tx) error {
		t, err := transaction.ByID(ctx, tx, id)
		if err != nil || t.Status != transaction.StatusProcess || t.Settlement == transaction.SettlementUncertain {
			return err
		}

		return body(tx, t)
	})
}

// postOwn books what the wallet has paid itself: it was sent and final with its block.
func (s *Service) postOwn(
	ctx context.Context,
	tx *db.Tx,
	t transaction.Transaction,
	on ledger.Days,
	legs []contract.LegOutcome,
) error {
	if err := chart.PostOn(tx, on, chart.Sent{Debit: t.DebitEvent()}); err != nil {
		return err
	}

	next, err := s.Transactions.Advance(ctx, tx, t, transaction.Step{
		Status:     transaction.StatusReleased,
		Settlement: transaction.SettlementSent,
		What:       "released",
	})
	if err != nil {
		return err
	}

	return s.post(ctx, tx, next, on, legs)
}
