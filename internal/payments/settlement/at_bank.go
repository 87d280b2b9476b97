package settlement

import (
	"cmp"
	"context"
	"math/big"
	"time"

	"slipway/internal/core/money"
	"slipway/internal/payments/effect"
	"slipway/internal/payments/outbound"
	"slipway/internal/payments/quote"
	"slipway/internal/payments/reconcile"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/db"
	"slipway/internal/rails/bank"
)

// AtBank returns a function that reads what is known of transactions at the bank, by transaction: their instructions or
// their deposits, and the last money that came back. The number of statements does not depend on the number of
// transactions. rail is nil in a deployment without accounts at banks.
func AtBank(
	rail *bank.Rail,
) func(ctx context.Context, q db.Querier, all []transaction.Transaction) (map[string]transaction.BankSide, error) {
	return func(
		ctx context.Context,
		q db.Querier,
		all []transaction.Transaction,
	) (map[string]transaction.BankSide, error) {
		var depositing, paidOut []transaction.Transaction

		for _, t := range all {
			switch {
			case t.Type == transaction.TypeOnramp && t.Reference != "":
				depositing = append(depositing, t)
			case t.Type == transaction.TypeFiat && rail != nil && !t.AcceptedAt.IsZero():
				paidOut = append(paidOut, t)
			}
		}

		sides := map[string]transaction.BankSide{}
		if err := addDeposits(ctx, q, depositing, sides); err != nil {
			return nil, err
		}

		return sides, addPayouts(ctx, q, rail, paidOut, sides)
	}
}

func identifiers(all []transaction.Transaction) []string {
	ids := make([]string, len(all))
	for i, t := range all {
		ids[i] = t.ID
	}

	return ids
}

// addPayouts adds the instructions to the bank of FIAT transactions, and what came back of them.
func addPayouts(
	ctx context.Context,
	q db.Querier,
	rail *bank.Rail,
	all []transaction.Transaction,
	sides map[string]transaction.BankSide,
) error {
	if len(all) == 0 {
		return nil
	}

	payouts, err := rail.PayoutsOf(ctx, q, identifiers(all))
	if err != nil {
		return err
	}

	returns, err := returnsOf(ctx, q, identifiers(all))
	if err != nil {
		return err
	}

	refunded, err := refundsOf(ctx, q, identifiers(all))
	if err != nil {
		return err
	}

	for _, t := range all {
		side := transaction.BankSide{
			Return:   lastReturn(t, returns[t.ID]),
			Payees:   map[string]transaction.PayeeVerificationView{},
			Refunded: refunded[t.ID],
		}

		for _, p := range payouts[t.ID] {
			payment := paymentOf(t, p.Key)
			if p.Payee.Status != "" {
				side.Payees[payment] = payeeView(p.Payee)
			}

			side.Bank = append(side.Bank, transaction.BankEffect{
				Rail:        p.Rail,
				EndToEndID:  p.EndToEndID,
				UETR:        p.UETR,
				ProviderRef: p.MessageID,
				Status:      string(p.State),
				Payment:     payment,
				Info:        cmp.Or(p.Reason.Text, p.Payee.Text()),
			})
		}

		sides[t.ID] = side
	}

	return nil
}

// refundsOf returns the positions of what refunds of transactions have given back for good. What is given back for
// returned money has no fees in it.
func refundsOf(ctx context.Context, q db.Querier, transactions []string) (map[string][]int, error) {
	sends, err := outbound.SendsOf(ctx, q, transactions...)
	out := map[string][]int{}

	for _, x := range sends {
		if x.Key.Word == effect.Refund && x.State == outbound.Final {
			out[x.Transaction] = append(out[x.Transaction], x.Position)
		}
	}

	return out, err
}

func payeeView(c bank.PayeeCheck) transaction.PayeeVerificationView {
	return transaction.PayeeVerificationView{
		Status:      string(c.Status),
		MatchedName: c.Name,
		CheckedAt:   c.At.Truncate(time.Millisecond),
	}
}

// lastReturn returns the last money that came back, or nil if none did.
func lastReturn(t transaction.Transaction, returns []PayoutReturn) *transaction.ReturnView {
	if len(returns) == 0 {
		return nil
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

	return view
}

// paymentOf returns the identifier of the payment that an instruction carries out.
func paymentOf(t transaction.Transaction, payout string) string {
	key, _ := effect.Parse(payout)

	position, err := key.Position()
	if err != nil || key.Word != effect.Payout || position >= len(t.Payments) {
		return ""
	}

	return t.PaymentID(t.Payments[position].Position)
}

// addDeposits adds the deposits that pay on-ramps, or that have named them.
func addDeposits(
	ctx context.Context,
	q db.Querier,
	all []transaction.Transaction,
	sides map[string]transaction.BankSide,
) error {
	deposits, err := reconcile.OfTransactions(ctx, q, identifiers(all)...)

	for id, ofOne := range deposits {
		var side transaction.BankSide

		for _, d := range ofOne {
			side.Bank = append(side.Bank, transaction.BankEffect{
				Rail:        "DEPOSIT",
				ProviderRef: d.BankRef,
				Status:      string(d.State),
				Info:        string(d.Reason),
			})
		}

		sides[id] = side
	}

	if err != nil {
		return err
	}

	unwound, err := unwoundOf(ctx, q, all)
	for _, id := range unwound {
		side := sides[id]
		side.Refunded = []int{quote.Whole}
		sides[id] = side
	}

	return err
}

// unwoundOf returns the on-ramps whose conversions were posted back: those that failed after their tokens were to be
// delivered, see depositReversed. One that failed earlier was charged nothing.
func unwoundOf(ctx context.Context, q db.Querier, all []transaction.Transaction) ([]string, error) {
	var failed, out []string

	for _, t := range all {
		if t.Status == transaction.StatusFailed {
			failed = append(failed, t.ID)
		}
	}

	sends, err := outbound.SendsOf(ctx, q, failed...)
	for _, x := range sends {
		if x.Key.Word == effect.Delivery {
			out = append(out, x.Transaction)
		}
	}

	return out, err
}
