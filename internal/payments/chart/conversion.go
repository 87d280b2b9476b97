package chart

import (
	"slices"

	"slipway/internal/core/money"
	"slipway/internal/payments/effect"
	"slipway/internal/payments/ledger"
)

// Fee is what the house charges of a transaction. Kind is that of ledger.IncomeAccount. The tax in it is owed to the
// tax office, and the rest is earned.
type Fee struct {
	Kind   string
	Amount money.Amount // in tokens, with the tax
	Tax    money.Amount // the zero value: none
}

// Traded is an order that a provider other than the house's own stock has carried out. What was promised to the
// customer becomes an open position, which his conversion closes; the difference to the price that was got is the
// house's result.
type Traded struct {
	Key       effect.Key
	Provider  string
	Sell, Buy Swapped
}

// Swapped is one side of an order. Place is a network for tokens, a currency for fiat.
type Swapped struct {
	Place         string
	Promised, Got money.Amount // by the locked quote, and by the provider
}

// TradedKey returns the key of the journal of Traded.
func TradedKey(order effect.Key) string { return order.String() + "/traded" }

// Journal returns what is posted. It is in no organisation's book: what the house pays for a conversion is its own
// business.
func (e Traded) Journal() ledger.Journal {
	open := ledger.OpenAccount(e.Sell.Promised.Asset().Code, e.Buy.Promised.Asset().Code)
	lines := append(e.side(e.Sell, open, money.Amount.Neg), e.side(e.Buy, open, same)...)

	return Of{}.journal(TradedKey(e.Key), "traded", lines...)
}

// side returns the postings of one side; signed gives what the provider has its sign.
func (e Traded) side(s Swapped, open ledger.Account, signed func(money.Amount) money.Amount) []ledger.Posting {
	memo := e.Key.Subject
	lines := []ledger.Posting{
		{Account: ledger.ProviderAccount(e.Provider, s.Place), Amount: signed(s.Got), Memo: memo},
		{Account: open, Amount: signed(s.Promised).Neg(), Memo: memo},
	}

	if result := signed(s.Promised.Sub(s.Got)); result.Sign() != 0 {
		lines = append(lines, ledger.Posting{Account: ledger.ExchangeResult(s.Place), Amount: result, Memo: memo})
	}

	return lines
}

func same(a money.Amount) money.Amount { return a }

// Trade is what all conversions have in common: for whom, of which token, and which currencies the house's own stock
// has served. What other providers convert closes an open position instead, and what is undone opens one: the provider
// does not reverse it.
type Trade struct {
	Of

	Network, Token string
	Stock          []string // currencies
	Tax            string   // code of the tax in the fees, as of the locked price; empty: there is none
}

// Sale is what one payment takes of a conversion.
type Sale struct {
	Payment, Rail string
	Tokens, Fiat  money.Amount
}

func (s Sale) memo() string { return s.Payment }

// Converted is a debit at the treasury that was sold for what its payments get. What could not be sold stays where it
// is, until its refund is planned.
type Converted struct {
	Trade

	Sales []Sale
	Fees  []Fee // that are earned with these payments
}

// Journal returns what is posted.
func (e Converted) Journal() ledger.Journal {
	var lines, cover []ledger.Posting

	out := money.Zero(e.asset())

	for _, s := range e.Sales {
		currency := s.Fiat.Asset().Code
		fx := ledger.FxAccount(e.Token, currency)
		sold := append([]ledger.Posting{{Account: fx, Amount: s.Tokens, Memo: s.memo()}},
			move(fx, ledger.BankClearing(s.Rail), s.Fiat, s.memo())...)

		out = out.Add(s.Tokens)

		lines = append(lines, sold...)
		cover = append(cover, e.cover(e.Token, currency, currency, sold)...)
	}

	for _, f := range e.Fees {
		out = out.Add(f.Amount)
		lines = append(lines, e.charged(f, same, "")...)
	}

	lines = append(lines, ledger.Posting{Account: ledger.ConvertClearing(e.Network), Amount: out.Neg()})

	return e.journal(e.key("convert"), "convert", append(lines, cover...)...)
}

// asset returns the token with its decimals, from the first sale. There is always one.
func (e Converted) asset() money.Asset { return e.Sales[0].Tokens.Asset() }

// PayoutRefused is a payout that its bank refused for good: its conversion is undone at its rate, and so are its fees,
// to be refunded.
type PayoutRefused struct {
	Trade
	Sale

	Payout effect.Key
	Fees   []Fee
}

// Journal returns what is posted.
func (e PayoutRefused) Journal() ledger.Journal {
	currency := e.Fiat.Asset().Code
	fx := ledger.FxAccount(e.Token, currency)
	back := e.Tokens
	lines := append(move(ledger.BankClearing(e.Rail), fx, e.Fiat, e.memo()),
		ledger.Posting{Account: fx, Amount: e.Tokens.Neg(), Memo: e.memo()})

	for _, f := range e.Fees {
		back = back.Add(f.Amount)
		lines = append(lines, e.charged(f, money.Amount.Neg, e.memo())...)
	}

	lines = append(lines, ledger.Posting{Account: ledger.ConvertClearing(e.Network), Amount: back, Memo: e.memo()})

	lines = append(lines, e.cover(e.Token, currency, currency, lines)...)

	return e.journal(e.Payout.String()+"/rejected", "rejected", lines...)
}

// DepositConverted is a deposit that has bought tokens: the fees are income, the rest is to be delivered. The fees pass
// over an account of their own, since they may be cost of the tokens in the customer's book.
type DepositConverted struct {
	Trade

	Deposit money.Amount
	Credit  money.Amount // what is delivered
	Fees    []Fee
}

// Journal returns what is posted.
func (e DepositConverted) Journal() ledger.Journal {
	currency := e.Deposit.Asset().Code
	fx := ledger.FxAccount(currency, e.Token)
	bought := e.Credit
	lines := append(move(ledger.ConvertClearing(currency), fx, e.Deposit, ""),
		ledger.Posting{Account: ledger.ConvertClearing(e.Network), Amount: e.Credit})

	for _, f := range e.Fees {
		bought = bought.Add(f.Amount)
		lines = append(lines, e.charged(f, same, "")...)
	}

	lines = append(lines, ledger.Posting{Account: fx, Amount: bought.Neg()})

	if fees := bought.Sub(e.Credit); fees.Sign() != 0 {
		lines = append(lines, over(ledger.CostAccount(e.Network), fees)...)
	}

	lines = append(lines, e.cover(currency, e.Token, currency, lines)...)

	return e.journal(e.key("convert"), "convert", lines...)
}

// Unwound is a converted deposit that was taken back before its tokens were sent. It is the opposite of
// DepositConverted: what was bought elsewhere is an open position, and the house's own stock is as before.
type Unwound struct{ DepositConverted }

// Journal returns what is posted.
func (e Unwound) Journal() ledger.Journal {
	return opposite(e.DepositConverted.Journal(), e.key("unwind"), "unwind")
}

// Recredited is returned money that was turned into tokens again at its present worth, to be sent to the wallet. The
// difference to its worth when it was paid is booked apart.
type Recredited struct {
	Trade

	Payout, Return string // whose money came back
	Payment        string
	From           ledger.Account // where it is until then
	Fiat           money.Amount
	Then, Now      money.Amount // in tokens: at the rate of the transaction, and what is given back
}

// Journal returns what is posted.
func (e Recredited) Journal() ledger.Journal {
	currency := e.Fiat.Asset().Code
	fx := ledger.FxAccount(e.Token, currency)
	lines := append(move(e.From, fx, e.Fiat, e.Payment),
		ledger.Posting{Account: fx, Amount: e.Then.Neg(), Memo: e.Payment},
		ledger.Posting{Account: ledger.ConvertClearing(e.Network), Amount: e.Now, Memo: e.Payment},
		ledger.Posting{Account: ledger.ReturnDifference(e.Network), Amount: e.Then.Sub(e.Now), Memo: e.Payment})

	lines = slices.DeleteFunc(lines, func(p ledger.Posting) bool { return p.Amount.Sign() == 0 })

	lines = append(lines, e.cover(e.Token, currency, currency, lines)...)

	return e.journal(e.Payout+"/recredit/"+e.Return, "recredit", lines...)
}

// charged returns the postings of a fee: what is earned of it, and the tax. signed turns them round for one that is
// given back.
func (t Trade) charged(f Fee, signed func(money.Amount) money.Amount, memo string) []ledger.Posting {
	earned := ledger.Posting{Account: ledger.IncomeAccount(f.Kind, t.Network), Amount: signed(f.Amount), Memo: memo}
	if f.Tax.Sign() == 0 {
		return []ledger.Posting{earned}
	}

	tax := ledger.Posting{Account: ledger.TaxAccount(t.Network, t.Tax), Amount: signed(f.Tax), Memo: memo}
	if earned.Amount = signed(f.Amount.Sub(f.Tax)); earned.Amount.Sign() == 0 {
		return []ledger.Posting{tax}
	}

	return []ledger.Posting{earned, tax}
}

// cover returns the two postings of the house's own that each line of an exchange has: of its stock, or of the position
// that another provider has opened. currency is the one of the two that is no token.
func (t Trade) cover(sell, buy, currency string, postings []ledger.Posting) (out []ledger.Posting) {
	for _, p := range postings {
		if p.Account != ledger.FxAccount(sell, buy) {
			continue
		}

		if !slices.Contains(t.Stock, currency) {
			out = append(out,
				move(ledger.OpenAccount(sell, buy), ledger.CoveredAccount(sell, buy), p.Amount, p.Memo)...)

			continue
		}

		place := t.Network
		if p.Amount.Asset().Code == currency {
			place = currency
		}

		out = append(out, against(ledger.StockAccount(place), ledger.TradeAccount(place), p.Amount, p.Memo)...)
	}

	return out
}
