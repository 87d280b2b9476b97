package settlement

import (
	"context"
	"fmt"
	"math/big"

	"slipway/internal/core/money"
	"slipway/internal/payments/ledger"
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

// postConversion posts a journal that converts, or reverses a conversion. What the house's own stock has converted
// changes the stock in the same journal.
func postConversion(ctx context.Context, tx *db.Tx, t transaction.Transaction, j ledger.Journal) error {
	currencies, err := stock.Book(ctx, tx, t.ID)
	if err != nil {
		return fmt.Errorf("stock of %s: %w", t.ID, err)
	}

	j.Postings = ledger.OnStock(j.Postings, t.Network, t.Token, currencies)

	return ledger.Post(tx, j)
}

// convertJournal returns the journal that moves what was converted from the treasury's side to the bank's, and the fees
// to income. What was refused stays, with its fees, until its refund is planned.
func convertJournal(
	t transaction.Transaction,
	state State,
	locked quote.Quote,
	prices map[int]priced,
	payouts map[int]bank.Payout,
) ledger.Journal {
	var lines []ledger.Posting

	out := money.Zero(t.Asset())
	for _, p := range t.Payments {
		if rejected(state, p.Currency) != "" {
			continue
		}

		sold := money.FromUnits(t.Asset(), prices[p.Position].line.TokenUnits)
		fx := ledger.FxAccount(t.Token, p.Currency)
		memo := t.PaymentID(p.Position)

		payout, paid := payouts[p.Position]
		if !paid {
			// converted with the others of its currency, and not needed: the house keeps the fiat and gives the
			// tokens back
			continue
		}

		out = out.Add(sold)
		lines = append(lines, ledger.Posting{
			Account: fx,
			Amount:  sold,
			Memo:    memo,
		}, ledger.Posting{Account: fx, Amount: payout.Amount.Neg(), Memo: memo},
			ledger.Posting{Account: ledger.BankClearing(payout.Rail), Amount: payout.Amount, Memo: memo})
	}

	for _, f := range locked.Fees {
		if earned := feeEarned(t, locked, f, prices, payouts); earned.Sign() > 0 {
			out = out.Add(earned)
			lines = append(lines, ledger.Posting{
				Account: ledger.IncomeAccount(string(f.Type), t.Network),
				Amount:  earned,
			})
		}
	}

	lines = append(lines, ledger.Posting{Account: ledger.ConvertClearing(t.Network), Amount: out.Neg()})

	return ledger.Journal{
		Key:          "transaction/" + t.ID + "/convert",
		Kind:         "convert",
		Organisation: t.Organisation,
		Transaction:  t.ID,
		Postings:     lines,
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

// rejectJournal returns the journal that reverses a payment's conversion at its rate, with the payment's fees. The
// amount goes to the account from which its refund is paid.
func rejectJournal(
	t transaction.Transaction,
	position int,
	p bank.Payout,
	locked quote.Quote,
	prices map[int]priced,
) ledger.Journal {
	l := prices[position].line
	memo := t.PaymentID(t.Payments[position].Position)
	fx := ledger.FxAccount(t.Token, p.Amount.Asset().Code)
	tokens := func(units *big.Int) money.Amount { return money.FromUnits(t.Asset(), units) }

	lines := []ledger.Posting{
		{Account: ledger.BankClearing(p.Rail), Amount: p.Amount.Neg(), Memo: memo},
		{Account: fx, Amount: p.Amount, Memo: memo},
		{Account: fx, Amount: tokens(l.TokenUnits).Neg(), Memo: memo},
	}
	for _, f := range locked.Fees {
		back := shareOf(f, locked, l)
		if f.Position == position {
			back = f.Amount.Units()
		}

		if back.Sign() > 0 {
			lines = append(lines, ledger.Posting{
				Account: ledger.IncomeAccount(string(f.Type), t.Network),
				Amount:  tokens(back).Neg(),
				Memo:    memo,
			})
		}
	}

	lines = append(lines, ledger.Posting{
		Account: ledger.ConvertClearing(t.Network),
		Amount:  tokens(refundOf(t, locked, prices, position)),
		Memo:    memo,
	})

	return ledger.Journal{
		Key:          p.Key + "/rejected",
		Kind:         "rejected",
		Organisation: t.Organisation,
		Transaction:  t.ID,
		Postings:     lines,
	}
}
