package settlement

import (
	"context"
	"math/big"

	"slipway/internal/core/money"
	"slipway/internal/payments/reconcile"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/db"
	"slipway/internal/rails/bank"
)

// AtBank returns a function that reads what is known of a transaction at the bank: its instructions or its deposits,
// and the last money that came back. rail is nil in a deployment without accounts at banks.
func AtBank(
	rail *bank.Rail,
) func(ctx context.Context, q db.Querier, t transaction.Transaction) (transaction.BankSide, error) {
	return func(ctx context.Context, q db.Querier, t transaction.Transaction) (side transaction.BankSide, err error) {
		switch {
		case t.Type == transaction.TypeOnramp:
			side.Bank, err = depositEffects(ctx, q, t)
		case rail != nil && !t.AcceptedAt.IsZero():
			if side.Bank, err = payoutEffects(ctx, q, rail, t); err == nil {
				side.Return, err = lastReturn(ctx, q, t)
			}
		}

		return side, err
	}
}

// payoutEffects returns the transaction's instructions to the bank.
func payoutEffects(
	ctx context.Context,
	q db.Querier,
	rail *bank.Rail,
	t transaction.Transaction,
) ([]transaction.BankEffect, error) {
	payouts, err := rail.Payouts(ctx, q, bank.PayoutFilter{Object: t.ID})

	var out []transaction.BankEffect

	for _, p := range payouts {
		out = append(out, transaction.BankEffect{
			Rail:        p.Rail,
			EndToEndID:  p.EndToEndID,
			UETR:        p.UETR,
			ProviderRef: p.MessageID,
			Status:      string(p.State),
			Payment:     paymentOf(t, p.Key),
			Info:        p.Reason.Text,
		})
	}

	return out, err
}

// lastReturn returns the last money that came back, or nil if none did.
func lastReturn(ctx context.Context, q db.Querier, t transaction.Transaction) (*transaction.ReturnView, error) {
	returns, err := ReturnsOf(ctx, q, t.ID)
	if err != nil || len(returns) == 0 {
		return nil, err
	}

	r := returns[len(returns)-1]

	view := &transaction.ReturnView{
		ReasonCode:         r.RawReason,
		Reason:             r.Reason,
		Scheme:             r.Scheme,
		ReceivedAt:         r.ReceivedAt,
		Amount:             r.Amount.String(),
		CurrencyIsoCode:    r.Amount.Asset().Code,
		FeesDeducted:       r.Deducted.String(),
		Rate:               r.Rate,
		OriginalEndToEndID: r.EndToEndID,
		Payment:            t.PaymentID(t.Payments[r.Position].Position),
	}
	if units, ok := new(big.Int).SetString(r.TokenUnits, 10); ok {
		view.TokenAmount = money.FromUnits(t.Asset(), units).String()
	}

	return view, nil
}

// paymentOf returns the payment that an instruction carries out: its key begins with that of the payment's first one.
func paymentOf(t transaction.Transaction, key string) string {
	for i := len(t.Payments) - 1; i >= 0; i-- { // 12 before 1
		first := t.PayoutKey(i)
		if key == first || len(key) > len(first) && key[:len(first)+1] == first+"/" {
			return t.PaymentID(t.Payments[i].Position)
		}
	}

	return ""
}

// depositEffects returns the deposits that pay an on-ramp, or that have named it.
func depositEffects(ctx context.Context, q db.Querier, t transaction.Transaction) ([]transaction.BankEffect, error) {
	if t.Reference == "" {
		return nil, nil
	}

	deposits, err := reconcile.OfTransaction(ctx, q, t.ID)

	var out []transaction.BankEffect

	for _, d := range deposits {
		out = append(out, transaction.BankEffect{
			Rail:        "DEPOSIT",
			ProviderRef: d.BankRef,
			Status:      string(d.State),
			Info:        string(d.Reason),
		})
	}

	return out, err
}
