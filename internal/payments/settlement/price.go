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

// priced is what one payment costs by the locked quote.
type priced struct {
	line quote.Line
	fees *big.Int // of this payment alone, in token units
}

// prices reads a transaction's locked quote and the cost of each payment.
func (s *Service) prices(
	ctx context.Context,
	q db.Querier,
	t transaction.Transaction,
) (quote.Quote, map[int]priced, error) {
	locked, err := s.Quotes.ForTransaction(ctx, q, t.ID)
	if err != nil {
		return locked, nil, fmt.Errorf("quote of %s: %w", t.ID, err)
	}

	out := map[int]priced{}
	for _, l := range locked.Lines {
		out[l.Position] = priced{line: l, fees: new(big.Int)}
	}

	for _, f := range locked.Fees {
		if p, ok := out[f.Position]; ok {
			p.fees.Add(p.fees, f.Amount.Units())
		}
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
	prices map[int]priced,
	payouts map[int]bank.Payout,
) chart.Converted {
	e := chart.Converted{Trade: trade}

	for _, p := range t.Payments {
		if payout, paid := payouts[p.Position]; paid {
			e.Sales = append(e.Sales, saleOf(t, p.Position, payout, prices[p.Position].line))
		}
	}

	for _, f := range locked.Fees {
		if earned := feeEarned(t, locked, f, prices, payouts); earned.Sign() > 0 {
			e.Fees = append(e.Fees, chart.Fee{Kind: string(f.Type), Amount: earned})
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

// feeEarned returns how much of a fee is kept when only some payments are paid. A payment's own fee is kept only with
// the payment. Of a commission on the whole transaction, the share that refundOf does not give back is kept. The
// network's fee is always kept, because the chain was used.
func feeEarned(
	t transaction.Transaction,
	locked quote.Quote,
	f quote.Fee,
	prices map[int]priced,
	payouts map[int]bank.Payout,
) money.Amount {
	if f.Position != quote.Whole {
		if _, paid := payouts[f.Position]; !paid {
			return money.Zero(t.Asset())
		}

		return f.Amount
	}

	out := f.Amount.Units()
	for _, p := range t.Payments {
		if _, paid := payouts[p.Position]; !paid {
			out.Sub(out, shareOf(f, locked, prices[p.Position].line))
		}
	}

	return money.FromUnits(t.Asset(), out)
}

// shareOf returns a payment's share of a commission on the whole transaction, rounded down. Of other fees it returns
// zero.
func shareOf(f quote.Fee, locked quote.Quote, l quote.Line) *big.Int {
	if f.Position != quote.Whole || f.Type != quote.CommissionFee {
		return new(big.Int)
	}

	sum := new(big.Int)
	for _, x := range locked.Lines {
		sum.Add(sum, x.TokenUnits)
	}

	if sum.Sign() == 0 {
		return sum
	}

	out := new(big.Int).Mul(f.Amount.Units(), l.TokenUnits)

	return out.Quo(out, sum)
}

// refundOf returns what a failed payment gives back: its tokens at the locked rate, its own fees, and its share of the
// commission.
func refundOf(t transaction.Transaction, locked quote.Quote, prices map[int]priced, position int) *big.Int {
	p := prices[position]

	out := new(big.Int).Add(p.line.TokenUnits, p.fees)
	for _, f := range locked.Fees {
		out.Add(out, shareOf(f, locked, p.line))
	}

	return out
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
	prices map[int]priced,
) chart.PayoutRefused {
	l := prices[position].line
	e := chart.PayoutRefused{Trade: trade, Sale: saleOf(t, position, p, l), Payout: key}

	for _, f := range locked.Fees {
		back := shareOf(f, locked, l)
		if f.Position == position {
			back = f.Amount.Units()
		}

		if back.Sign() > 0 {
			e.Fees = append(e.Fees, chart.Fee{Kind: string(f.Type), Amount: money.FromUnits(t.Asset(), back)})
		}
	}

	return e
}
