package settlement

import (
	"context"
	"errors"
	"fmt"
	"math/big"

	"slipway/internal/core/fault"
	"slipway/internal/core/money"
	"slipway/internal/payments/chart"
	"slipway/internal/payments/effect"
	"slipway/internal/payments/ledger"
	"slipway/internal/payments/outbound"
	"slipway/internal/payments/quote"
	"slipway/internal/payments/receivable"
	"slipway/internal/payments/reconcile"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/db"
	"slipway/internal/platform/words"
)

// How an ONRAMP transaction proceeds: its deposit is booked and matched (package reconcile); it is priced and converted
// at the rate of that moment; one router batch sends the tokens from the treasury to the organisation's wallet.

// begin moves a transaction with a complete deposit to FUNDS_RECEIVED, in the write that matched it. It moves once, and
// no earlier job has its key.
func (s *Service) begin(ctx context.Context, tx *db.Tx, t transaction.Transaction) error {
	Enqueue(s.Jobs)(tx, t.ID)

	return s.advance(ctx, tx, t, transaction.Step{
		Status:     transaction.StatusProcess,
		Settlement: transaction.SettlementReceived,
		What:       "funds_received",
	})
}

// convertDeposit asks for the deposit's price outside, locks it and stores the order inside one write, and calls the
// provider. If the content is not what submit locked, nothing is converted (I8).
func (s *Service) convertDeposit(ctx context.Context, state State) (more bool, err error) {
	if state.Changed {
		return false, s.holdOnramp(ctx, state.T, changedWhy)
	}

	price, err := s.Quotes.Price(ctx, onrampRequest(state.T))
	if f, ok := fault.As(err); ok && f.Kind != fault.Unavailable {
		return false, s.holdOnramp(ctx, state.T, cannotPrice(f))
	}

	if err != nil {
		return false, fmt.Errorf("price the deposit of %s: %w", state.T.ID, err)
	}

	err = s.order(ctx, state, func(tx *db.Tx, t transaction.Transaction) (map[string]exchange, error) {
		if _, err := s.resume(ctx, tx, t, transaction.SettlementReceived); err != nil {
			return nil, err
		}

		locked, err := s.Quotes.Lock(ctx, tx, t.ID, price)
		if err != nil {
			return nil, err
		}

		bought := new(big.Int)
		for _, l := range locked.Lines {
			bought.Add(bought, l.TokenUnits)
		}

		order := exchange{sell: t.Deposit(), buy: money.FromUnits(t.Asset(), bought)}

		return map[string]exchange{t.AmountCurrency: order}, nil
	})
	if fault.Is(err, fault.LiquidityShort) {
		return false, errors.Join(errStockShort, s.holdOnramp(ctx, state.T, stockShort))
	}

	return err == nil, err
}

// cannotPrice returns the statusInfo of a deposit for which there is no price.
func cannotPrice(f *fault.Fault) string {
	return words.Detailed("The deposit cannot be priced.", "The deposit cannot be priced: "+f.Detail)
}

// errStockShort reports that a deposit waits for tokens of the house's stock; its job retries.
var errStockShort = errors.New("the stock is short")

var stockShort = words.Phrase("The deposit is here, and more tokens are needed than can be exchanged at present. It " +
	"goes on when there are enough.")

// onrampRequest returns the request for the price of a deposit that has arrived. Limits were checked at submit and must
// not hold money back now.
func onrampRequest(t transaction.Transaction) quote.Request {
	return quote.Request{
		Kind:         quote.Onramp,
		Arrived:      true,
		Organisation: t.Organisation,
		Partner:      t.Partner,
		Network:      t.Network,
		Token:        t.Asset(),
		Lines:        []quote.LineRequest{{Position: 0, Currency: t.Deposit().Asset(), FiatUnits: t.FiatUnits}},
	}
}

// holdOnramp stops a transaction whose deposit has arrived and that cannot continue by itself.
func (s *Service) holdOnramp(ctx context.Context, t transaction.Transaction, why string) error {
	return outbound.IgnoreStale(s.DB.Write(ctx, func(tx *db.Tx) error {
		now, err := transaction.ByID(ctx, tx, t.ID)
		if err != nil || now.Version != t.Version {
			return err
		}

		if now.Settlement == transaction.SettlementHeld {
			return nil // recorded already; the sentence contains a price, which differs each time
		}

		return s.wait(ctx, tx, now, transaction.SettlementHeld, why)
	}))
}

// deliver posts the conversion and requests the delivery of the tokens, in one write.
func (s *Service) deliver(ctx context.Context, tx *db.Tx, t transaction.Transaction) error {
	locked, err := s.Quotes.ForTransaction(ctx, tx, t.ID)
	if err != nil {
		return fmt.Errorf("quote of %s: %w", t.ID, err)
	}

	trade, err := tradeOf(ctx, tx, t)
	if err != nil {
		return err
	}

	if err := chart.Post(tx, depositConverted(trade, t, locked)); err != nil {
		return err
	}

	if err := s.Outbound.WantSend(
		tx,
		t,
		effect.DeliveryOf(t.ID),
		outbound.Whole,
		t.WalletAddress,
		locked.TokenCredit,
	); err != nil {
		return err
	}

	transaction.SetUnits(tx, t, 0, locked.TokenCredit)
	s.enqueueStep(tx, t.ID)

	return s.advance(ctx, tx, t, transaction.Step{
		Status:     t.Status,
		Settlement: transaction.SettlementConverted,
		What:       "converted",
	})
}

// depositConverted returns the event of a deposit that has bought tokens at its rate.
func depositConverted(trade chart.Trade, t transaction.Transaction, locked quote.Quote) chart.DepositConverted {
	trade.Tax = locked.Tax.Code()
	e := chart.DepositConverted{
		Trade:   trade,
		Deposit: t.Deposit(),
		Credit:  money.FromUnits(t.Asset(), locked.TokenCredit),
	}

	for _, f := range locked.Fees {
		if f.Amount.Sign() > 0 {
			e.Fees = append(e.Fees, feeOf(f))
		}
	}

	return e
}

// deliverySeen is called when the tokens are in a block for the first time, or again. It moves the transaction to
// RELEASED.
func (s *Service) deliverySeen(ctx context.Context, tx *db.Tx, t transaction.Transaction) error {
	step := transaction.Step{
		Status:     transaction.StatusReleased,
		Settlement: transaction.SettlementSent,
		What:       "released",
	}
	if t.Status == transaction.StatusReleased && t.Settlement == transaction.SettlementSent {
		step.Info = words.Phrase("On the chain again after a reorganisation.")
		step.What = "resent"
	}

	step.Settlement = unlessReturned(t, step.Settlement)

	return s.advance(ctx, tx, t, step)
}

// unlessReturned returns the settlement status to move to. If the deposit was reversed, the status keeps showing that.
func unlessReturned(t transaction.Transaction, to transaction.SettlementStatus) transaction.SettlementStatus {
	if t.Settlement == transaction.SettlementReturned {
		return t.Settlement
	}

	return to
}

// delivered records that the tokens are final in the wallet.
func (s *Service) delivered(ctx context.Context, tx *db.Tx, t transaction.Transaction) error {
	for _, p := range t.Payments {
		if err := setOutcome(tx, &t, p.Position, transaction.PaymentCompleted, ""); err != nil {
			return err
		}
	}

	// on a chain without confirmation depth the first sighting is final
	if t.Status == transaction.StatusProcess || t.Settlement == transaction.SettlementHeld {
		var err error

		step := transaction.Step{
			Status:     transaction.StatusReleased,
			Settlement: unlessReturned(t, transaction.SettlementSent),
			What:       "released",
		}
		if t, err = s.Transactions.Advance(ctx, tx, t, step); err != nil {
			return err
		}
	}

	step := transaction.Step{
		Status:     transaction.StatusCompleted,
		Settlement: transaction.SettlementSettled,
		What:       "completed",
	}

	owed, err := receivable.OwedFor(ctx, tx, t.ID)
	if err != nil {
		return err
	}

	if owed { // the deposit was taken back in the meantime
		step.Settlement = transaction.SettlementReturned
		step.Info = t.StatusInfo
	}

	return s.advance(ctx, tx, t, step)
}

// sendDepositBack returns the deposit of a transaction that cannot be carried out.
func (s *Service) sendDepositBack(ctx context.Context, tx *db.Tx, t transaction.Transaction, why string) error {
	n, err := s.Deposits.Refund(ctx, tx, t, "")
	if err != nil {
		return err
	}

	if n == 0 {
		return fmt.Errorf("transaction %s has no deposit to send back", t.ID)
	}

	return s.advance(ctx, tx, t, transaction.Step{
		Status:     t.Status,
		Settlement: transaction.SettlementRefunding,
		What:       "refunding",
		Info:       words.List(words.Spaces, why, words.Phrase("It goes back to the account it came from.")),
	})
}

// depositReversed stops a transaction whose deposit was taken back by its bank (D-08). Before the tokens were planned,
// nothing is lost: the conversion is reversed. Afterwards the organisation owes the deposit.
func (s *Service) depositReversed(
	ctx context.Context,
	tx *db.Tx,
	t transaction.Transaction,
	d reconcile.Deposit,
) (ledger.Account, bool, error) {
	sends, err := outbound.SendsOf(ctx, tx, t.ID)
	if err != nil {
		return "", false, err
	}

	gone := false
	for _, x := range sends {
		if x.Waits() { // nothing of it has moved
			if err := s.Outbound.Stop(tx, x, words.Phrase("The deposit was taken back by its bank.")); err != nil {
				return "", false, err
			}

			continue
		}

		gone = true
	}

	step := transaction.Step{Status: t.Status, Settlement: transaction.SettlementReturned, What: "returned"}
	if gone {
		step.Info = words.Phrase("The deposit was taken back by the sender's bank after the tokens had gone out. The " +
			"organisation owes it.")
		_, err = s.Transactions.Advance(ctx, tx, t, step)

		return ledger.ReceivableAccount(t.Organisation), true, err
	}

	from := ledger.ConvertClearing(d.Amount.Asset().Code)

	if len(sends) > 0 { // the conversion was posted: it is reversed, and the house keeps what it bought
		locked, err := s.Quotes.ForTransaction(ctx, tx, t.ID)
		if err != nil {
			return "", false, fmt.Errorf("quote of %s: %w", t.ID, err)
		}

		trade, err := tradeOf(ctx, tx, t)
		if err != nil {
			return "", false, err
		}

		if err := chart.Post(tx, chart.Unwound{DepositConverted: depositConverted(trade, t, locked)}); err != nil {
			return "", false, err
		}
	}

	step.Status = transaction.StatusFailed
	step.Info = words.Phrase("The deposit was taken back by the sender's bank before any tokens were sent.")

	step.What = "failed"
	for _, p := range t.Payments {
		if err := setOutcome(tx, &t, p.Position, transaction.PaymentFailed, step.Info); err != nil {
			return "", false, err
		}
	}

	_, err = s.Deposits.Refund(ctx, tx, t, d.Entry) // the other parts, if the deposit was assigned in parts
	if _, ok := fault.As(err); ok {                 // the bank's evidence counts anyway: people send them back
		s.alarm(tx, "cannot send back a part of a reversed deposit", "transaction", t.ID, "why", err)
	} else if err != nil {
		return "", false, err
	}

	_, err = s.Transactions.Advance(ctx, tx, t, step)

	return from, false, err
}
