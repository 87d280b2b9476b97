package settlement

import (
	"context"
	"errors"
	"fmt"

	"slipway/internal/core/fault"
	"slipway/internal/core/money"
	"slipway/internal/payments/chart"
	"slipway/internal/payments/outbound"
	"slipway/internal/payments/quote"
	"slipway/internal/payments/receivable"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/db"
	"slipway/internal/platform/failpoint"
)

// Revalue gives a return back in tokens: it asks the market for the fiat's present value and requests that the treasury
// sends that. While there is no rate, or while the organisation owes the house, the return stays where it is and is
// retried. A second call finds what the first has written.
func (s *Service) Revalue(ctx context.Context, id string) error {
	x, err := returnByID(ctx, s.DB, id)
	if errors.Is(err, db.ErrNone) || err == nil && x.State != ReturnReceived {
		return nil
	}

	if err != nil {
		return err
	}

	t, err := transaction.ByID(ctx, s.DB, x.Transaction)
	if err != nil {
		return fmt.Errorf("transaction of return %s: %w", x.ID, err)
	}

	if !t.ContentUnchanged() {
		return s.keepReturn(ctx, x, changedWhy)
	}

	worth, err := s.Quotes.Worth(ctx, x.Amount, t.Asset())
	if f, ok := fault.As(err); ok && f.Kind != fault.Unavailable {
		return s.keepReturn(ctx, x, f.Detail)
	}

	if err != nil {
		return fmt.Errorf("worth of return %s: %w", x.ID, err) // unknown is not zero: the job asks again
	}

	failpoint.Hit("return.valued")

	return outbound.IgnoreStale(s.DB.Write(ctx, func(tx *db.Tx) error {
		now, err := returnByID(ctx, tx, x.ID)
		if err != nil || now.State != ReturnReceived || now.Amount.Cmp(x.Amount) != 0 {
			return err // if a part was set off, the sweep asks for the worth of the rest
		}

		blocked, err := receivable.Blocked(ctx, tx, x.Organisation)
		if err != nil || blocked {
			return err // the sweep retries
		}

		t, err := transaction.ByID(ctx, tx, x.Transaction)
		if err != nil {
			return err
		}

		return s.recredit(ctx, tx, t, now, worth)
	}))
}

// keepReturn keeps as fiat a return that cannot be given back in tokens; a person acts next.
func (s *Service) keepReturn(ctx context.Context, x PayoutReturn, why string) error {
	return outbound.IgnoreStale(s.DB.Write(ctx, func(tx *db.Tx) error {
		now, err := returnByID(ctx, tx, x.ID)
		if err != nil || now.State != ReturnReceived {
			return err
		}

		s.alarm(tx, "returned payment kept as fiat", "return", x.ID, "transaction", x.Transaction, "why", why)
		moveReturn(tx, now, ReturnHeld)

		return chart.Post(tx, chart.ReturnKept{
			Of:     chart.Of{Organisation: x.Organisation, Transaction: x.Transaction},
			Payout: x.Payout,
			Return: x.ID,
			Amount: now.Amount,
		})
	}))
}

// SweepReturns enqueues again the jobs of returns that wait longer than a job takes, because the job was lost or there
// was no rate.
func (s *Service) SweepReturns(ctx context.Context) error {
	waiting, err := unvaluedReturns(ctx, s.DB, db.Micros(s.DB.Now().Add(-strandedAfter)), sweepPage)
	if err != nil || len(waiting) == 0 {
		return err
	}

	return s.DB.Write(ctx, func(tx *db.Tx) error {
		for _, x := range waiting {
			s.Jobs.Demand(tx, returnKind, returnKind+"/"+x.ID, x.ID)
		}

		return nil
	})
}

// recredit converts returned fiat back into tokens at its present value and requests their sending to the wallet.
func (s *Service) recredit(
	ctx context.Context,
	tx *db.Tx,
	t transaction.Transaction,
	x PayoutReturn,
	worth quote.Worth,
) error {
	_, prices, err := s.prices(ctx, tx, t)
	if err != nil {
		return err
	}

	then := proportion(prices[x.Position].TokenUnits, x.Amount.Units(), t.Payments[x.Position].FiatUnits)

	trade, err := tradeOf(ctx, tx, t)
	if err != nil {
		return err
	}

	if err := chart.Post(tx, chart.Recredited{
		Trade:   trade,
		Payout:  x.Payout,
		Return:  x.ID,
		Payment: t.PaymentID(x.Position),
		From:    x.account(),
		Fiat:    x.Amount,
		Then:    money.FromUnits(t.Asset(), then),
		Now:     money.FromUnits(t.Asset(), worth.Units),
	}); err != nil {
		return err
	}

	x.Rate = worth.RateText()

	x.TokenUnits = worth.Units.String()
	moveReturn(tx, x, ReturnGivenBack)

	if worth.Units.Sign() == 0 {
		return nil
	}

	s.enqueueStep(tx, t.ID)

	return s.Outbound.WantSend(tx, t, x.effect(), x.Position, t.WalletAddress, worth.Units)
}
