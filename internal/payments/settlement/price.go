package settlement

import (
	"context"
	"fmt"
	"math/big"

	"slipway/internal/core/money"
	"slipway/internal/payments/chart"
	"slipway/internal/payments/effect"
	"slipway/internal/payments/quote"
	"slipway/internal/payments/stock"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/db"
	"slipway/internal/rails/bank"
)

// prices reads a transaction's locked quote and the cost of each payment.
func (s *Service) prices(
	ctx context.Context,
	q db.Querier,
	t transaction.Transaction,
) (quote.Quote, map[int]quote.Line, error) {
	locked, err := s.Quotes.ForTransaction(ctx, q, t.ID)
	if err != nil {
		return locked, nil, fmt.Errorf("quote of %s: %w", t.ID, err)
	}

	out := map[int]quote.Line{}
	for _, l := range locked.Lines {
		out[l.Position] = l
	}

	for _, p := range t.Payments {
		if _, ok := out[p.Position]; !ok {
			return locked, out, fmt.Errorf("quote of %s has no line of payment %d", t.ID, p.Position)
		}
	}

	return locked, out, nil
}

// tradeOf returns what a transaction's conversions have in common, in the write that posts one. What the house's own
// stock has converted changes the stock in the same journal.
func tradeOf(ctx context.Context, tx *db.Tx, t transaction.Transaction) (chart.Trade, error) {
	currencies, err := stock.Book(ctx, tx, t.ID)
	if err != nil {
		return chart.Trade{}, fmt.Errorf("stock of %s: %w", t.ID, err)
	}

	return chart.Trade{
		Of:      ofTransaction(t),
		Network: t.Network,
		Token:   t.Token,
		Stock:   currencies,
	}, nil
}

// converted returns the event of a debit that was converted: what its payouts take, and the fees that are earned with
// them. What was converted with the others of its currency and is not needed is left out: the house keeps the fiat and
// gives the tokens back.
func converted(
	trade chart.Trade,
	t transaction.Transaction,
	locked quote.Quote,
	prices map[int]quote.Line,
	payouts map[int]bank.Payout,
) chart.Converted {
	trade.Tax = locked.Tax.Code()
	e := chart.Converted{Trade: trade}

	for _, p := range t.Payments {
		if payout, paid := payouts[p.Position]; paid {
			e.Sales = append(e.Sales, saleOf(t, p.Position, payout, prices[p.Position]))
		}
	}

	for _, f := range locked.Fees {
		if earned := feeEarned(locked, f, payouts); earned.Amount.Sign() > 0 {
			e.Fees = append(e.Fees, earned)
		}
	}

	return e
}

// saleOf returns what a payment takes of its conversion.
func saleOf(t transaction.Transaction, position int, p bank.Payout, l quote.Line) chart.Sale {
	return chart.Sale{
		Payment: t.PaymentID(position),
		Rail:    p.Rail,
		Tokens:  money.FromUnits(t.Asset(), l.TokenUnits),
		Fiat:    p.Amount,
	}
}

// feeEarned returns how much of a fee is kept when only some payments are paid: what the refunds of the others do not
// give back.
func feeEarned(locked quote.Quote, f quote.Fee, payouts map[int]bank.Payout) chart.Fee {
	out := feeOf(f)

	for _, l := range locked.Lines {
		if _, paid := payouts[l.Position]; !paid {
			out.Amount = out.Amount.Sub(locked.FeeOf(f, l))

			if f.Tax.Sign() > 0 {
				out.Tax = out.Tax.Sub(locked.TaxOf(f, l))
			}
		}
	}

	return out
}

// feeOf returns a fee of a locked price as it is charged.
func feeOf(f quote.Fee) chart.Fee {
	return chart.Fee{Kind: string(f.Type), Amount: f.Amount, Tax: f.Tax}
}

// refundOf returns what a failed payment gives back: its tokens at the locked rate, its own fees, and its share of the
// commission.
func refundOf(locked quote.Quote, l quote.Line) *big.Int {
	out := money.FromUnits(locked.Token, l.TokenUnits)
	for _, f := range locked.Fees {
		out = out.Add(locked.FeeOf(f, l))
	}

	return out.Units()
}

// payoutRefused returns the event of a payout that its bank refused: its conversion at its rate and the payment's fees
// are undone. Together they are refundOf.
func payoutRefused(
	trade chart.Trade,
	t transaction.Transaction,
	position int,
	p bank.Payout,
	key effect.Key,
	locked quote.Quote,
	prices map[int]quote.Line,
) chart.PayoutRefused {
	l := prices[position]
	trade.Tax = locked.Tax.Code()
	e := chart.PayoutRefused{Trade: trade, Sale: saleOf(t, position, p, l), Payout: key}

	for _, f := range locked.Fees {
		if back := locked.FeeOf(f, l); back.Sign() > 0 {
			e.Fees = append(e.Fees, chart.Fee{Kind: string(f.Type), Amount: back, Tax: locked.TaxOf(f, l)})
		}
	}

	return e
}
