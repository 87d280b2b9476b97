package settlement

import (
	"context"
	"errors"
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum/common"

	"slipway/internal/directory/analysis"
	"slipway/internal/directory/network"
	"slipway/internal/payments/chart"
	"slipway/internal/payments/effect"
	"slipway/internal/payments/evidence"
	"slipway/internal/payments/ledger"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/db"
	"slipway/internal/platform/failpoint"
	"slipway/internal/rails/chain"
	"slipway/internal/rails/chain/contract"
)

// stepCrypto advances an accepted transaction up to the planned send.
func (s *Service) stepCrypto(ctx context.Context, t transaction.Transaction) (bool, error) {
	if t.Status != transaction.StatusProcess {
		return false, nil
	}

	if t.Manner == contract.ByOwn {
		return s.stepOwn(ctx, t)
	}

	facts, n, token, err := s.facts(ctx, t)
	if err != nil {
		return false, err // unknown is not failed: the job asks again
	}

	screening, err := s.screen(ctx, t)
	if err != nil {
		return false, err
	}

	failpoint.Hit("settle.asked")
	err = s.DB.Write(ctx, func(tx *db.Tx) error {
		return s.decide(ctx, tx, t.ID, n, token, facts, screening)
	})
	failpoint.Hit("settle.planned")

	return false, err
}

// facts reads what the decision needs, and the network and token that it is about. Balance, allowance and number are
// read at one block and, where a network has two nodes, from both: a single node's answer fails nothing. The number is
// checked before anything is sent. So a database that was restored from a backup does not send again what was carried
// out after that backup.
func (s *Service) facts(
	ctx context.Context,
	t transaction.Transaction,
) (f Facts, n network.Network, token network.Token, err error) {
	if n, token, err = network.WithToken(ctx, s.DB, t.Network, t.Token); err != nil {
		return f, n, token, err
	}

	client, err := s.client(ctx, t.Network)
	if err != nil {
		return f, n, token, err
	}

	router := common.HexToAddress(n.Router())
	asset := common.HexToAddress(token.Address)
	payer := common.HexToAddress(t.WalletAddress)

	results, err := client.Calls(ctx,
		chain.BalanceOf(asset, payer),
		chain.AllowanceOf(asset, payer, router),
		evidence.UsedCall(router, t.Number),
		chain.CallMsg{To: router, Data: contract.Router().PackOwnExecuted(payer, big.NewInt(t.Number))},
	)
	if err != nil {
		return f, n, token, fmt.Errorf("read funds of %s: %w", t.ID, err)
	}

	words := make([]*big.Int, len(results))
	for i, r := range results {
		if words[i], err = chain.Word(r); err != nil {
			return f, n, token, fmt.Errorf("read funds of %s: %w", t.ID, err)
		}
	}

	f.Balance = words[0]
	f.Allowance = words[1]
	f.Used = words[2].Sign() != 0 || words[3].Sign() != 0
	f.OtherUnits = token.Decimals != t.Decimals

	if f.Unproven, f.Held, err = s.Transactions.PayerHolds(ctx, t); err != nil {
		return f, n, token, err
	}

	return f, n, token, s.factsOfSignature(ctx, t, &f)
}

// factsOfSignature fills in what the payer's signature changes: it stands for the approval, and it lapses.
func (s *Service) factsOfSignature(ctx context.Context, t transaction.Transaction, f *Facts) error {
	if t.Manner == "" {
		return nil
	}

	signed, err := transaction.SignedOf(ctx, s.DB, t.ID)
	if err != nil {
		return err
	}

	f.Lapsed = signed.Lapsed(s.DB.Now())
	if t.Manner != contract.ByIntent {
		f.Allowance = t.Debit
	}

	return nil
}

func (s *Service) decide(
	ctx context.Context,
	tx *db.Tx,
	transactionID string,
	n network.Network,
	token network.Token,
	f Facts,
	screening analysis.Outcome,
) error {
	t, err := transaction.ByID(ctx, tx, transactionID)
	if err != nil {
		return err
	}

	planned, err := s.planned(ctx, tx, t)
	if err != nil {
		return err
	}

	action, why := Next(t, planned, f)
	if action == Send {
		action, why = screened(action, why, screening)
	}

	switch action {
	case Fail:
		return s.fail(ctx, tx, t, why)
	case Wait:
		return s.wait(ctx, tx, t, t.Settlement, why)
	case Hold:
		return s.hold(ctx, tx, t, why)
	case Send:
		return s.plan(ctx, tx, t, n, token, t.Batch(n, token).UnderAllowance(f.Allowance))
	case Nothing:
		return nil
	default:
		return fmt.Errorf("transaction %s: no write carries out action %d", t.ID, action)
	}
}

func (s *Service) planned(ctx context.Context, q db.Querier, t transaction.Transaction) (bool, error) {
	_, err := s.Rail.Status(ctx, q, effect.BatchOf(t.ID).String())
	if errors.Is(err, db.ErrNone) {
		return false, nil
	}

	return err == nil, err
}

// plan stores the send and moves the amount from hold to clearing. From then on it may be on the wire. unsigned is the
// manner of a transaction that the payer has not signed.
func (s *Service) plan(
	ctx context.Context,
	tx *db.Tx,
	t transaction.Transaction,
	n network.Network,
	token network.Token,
	unsigned contract.Manner,
) error {
	data, err := s.encode(ctx, tx, t, t.Batch(n, token), unsigned)
	if err != nil {
		return fmt.Errorf("encode the batch of %s: %w", t.ID, err)
	}

	if err := chart.Post(tx, chart.Sent{Debit: t.DebitEvent()}); err != nil {
		return err
	}

	return s.Rail.Plan(tx, chain.Send{
		Key:     effect.BatchOf(t.ID).String(),
		Network: t.Network,
		To:      common.HexToAddress(n.Router()),
		Data:    data,
		Object:  t.ID,
	})
}

// encode returns the router's call for the transaction's own batch: with the payer's signature, if it has one.
func (s *Service) encode(
	ctx context.Context,
	q db.Querier,
	t transaction.Transaction,
	b contract.Batch,
	unsigned contract.Manner,
) ([]byte, error) {
	if t.Manner == "" {
		return contract.Call{Batch: b, Manner: unsigned}.Encode()
	}

	signed, err := transaction.SignedOf(ctx, q, t.ID)
	if err != nil {
		return nil, err
	}

	return signed.Call(b).Encode()
}

// outcome returns what a receipt proves about a transaction's own batch. Its error is a sentence for statusInfo.
func (s *Service) outcome(
	ctx context.Context,
	tx *db.Tx,
	t transaction.Transaction,
	sent chain.Sent,
) (contract.Outcome, error) {
	n, token, err := network.WithToken(ctx, tx, t.Network, t.Token)
	if err != nil {
		return contract.Outcome{}, err
	}

	return evidence.Outcome(n, t.Batch(n, token), sent)
}

// post books the outcome of every leg. Nothing of the debit is reserved any more, and a paid amount leaves the wallet
// for its receiver.
func (s *Service) post(
	ctx context.Context,
	tx *db.Tx,
	t transaction.Transaction,
	on ledger.Days,
	legs []contract.LegOutcome,
) error {
	paid, failed, unclear, info := evidence.Summary(legs)
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

	if err := chart.PostOn(tx, on, e); err != nil {
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

// legStatus returns the payment status that an outcome on the chain means.
func legStatus(o contract.LegOutcome) (transaction.PaymentStatus, string) {
	switch o.Status {
	case contract.LegPaid:
		return transaction.PaymentCompleted, ""
	case contract.LegFailed:
		return transaction.PaymentFailed, evidence.LegReason(o)
	default:
		return transaction.PaymentUnknown, evidence.LegReason(o)
	}
}

// doubtKind is the kind of the job that finds out what the refusal of a whole batch means.
const doubtKind = "settle-doubt"

// doubt handles a batch that the router refused or reverted as a whole. This send moved nothing. But a number is used
// only once, so the refusal can also mean that an earlier send, unknown to this database (a restored backup), has
// carried the batch out. A write cannot ask the chain, so the transaction is UNCERTAIN until Resolve has asked.
func (s *Service) doubt(ctx context.Context, tx *db.Tx, t transaction.Transaction, why string) error {
	s.Jobs.Demand(tx, doubtKind, doubtKind+"/"+t.ID, t.ID)
	return s.hold(ctx, tx, t, why)
}

// releaseClearing posts that nothing of the amount under way has left the wallet, and that it is reserved no more.
func releaseClearing(tx *db.Tx, t transaction.Transaction) error {
	return chart.Post(tx, chart.GivenBack{Debit: t.DebitEvent()})
}
