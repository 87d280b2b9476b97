package quote

import (
	"math/big"
	"strings"

	"slipway/internal/core/fault"
	"slipway/internal/core/money"
)

// Schedule is what this deployment charges.
type Schedule struct {
	Commission *big.Rat            // share of the amount, where a pair has none of its own; nil: none
	Pairs      map[Pair]*big.Rat   // the trading pairs' own shares
	NetworkUSD money.Amount        // for carrying a transaction over a chain, in US dollars
	Banking    map[string]BankFees // by the rail's code; a rail that is missing costs nothing
}

// BankFees is what a payment on a rail costs: what our own bank takes, and what the banks on the way take when the
// payer bears it (OUR).
type BankFees struct {
	Own, OnTheWay money.Amount
}

// Terms are an organisation's own. Shares go before those of the schedule; limits are in US dollars, nil for none.
type Terms struct {
	Commissions      map[Pair]*big.Rat
	Partner          map[Pair]*big.Rat // of the partner through whom the transaction came
	TransactionLimit *big.Rat          // transactionValueLimit
	LeastPayment     *big.Rat          // minUSDPaymentAmount
	NetworkUSD       *big.Rat          // the network's minTransactionFee; the dearer of it and the schedule's is taken
}

// Fees is what Make charges and checks.
type Fees struct {
	Schedule
	Terms
	Spread    *big.Rat // of a FIAT quote: share by which its rate is worse than the market's; nil: none
	Tolerance *big.Rat // share by which an estimatedRate may be off; nil: it is not looked at
}

// deducting are the rails on which a payment can say who bears the banks' fees, so that something can be taken off on
// the way. The schemes of all others know shared charges only: SEPA's rulebooks demand it (service level SLEV),
// domestic clearings carry no such field.
const deducting = " SWIFT FEDWIRE "

// effective is the option that takes effect on a rail.
func effective(rail string, c Charges) Charges {
	if c == "" || !strings.Contains(deducting, " "+rail+" ") {
		return SHA
	}

	return c
}

// commission gives the share that a pair costs, and whose terms say so.
func (f Fees) commission(p Pair) (*big.Rat, CommissionType) {
	if share, ok := f.Partner[p]; ok {
		return share, Partner
	}

	if share, ok := f.Commissions[p]; ok {
		return share, Custom
	}

	if share, ok := f.Pairs[p]; ok {
		return share, Standard
	}

	return f.Commission, Standard
}

// networkUSD is what carrying a transaction costs, in US dollars.
func (f Fees) networkUSD() *big.Rat {
	usd := f.Schedule.NetworkUSD.Rat()
	if f.Terms.NetworkUSD != nil && f.Terms.NetworkUSD.Cmp(usd) > 0 {
		return f.Terms.NetworkUSD
	}

	return usd
}

// commissionFee is a line's commission: the share of its tokens, rounded up. ok is false when there is none.
func (m *maker) commissionFee(t *terms, l Line) (fee Fee, ok bool) {
	if strength(t.whose) > strength(m.out.Commission) {
		m.out.Commission = t.whose
	}

	if t.share == nil || t.share.Sign() == 0 || l.TokenUnits.Sign() == 0 {
		return fee, false
	}

	amount := money.FromUnits(m.in.Token, money.Scale(l.TokenUnits, t.share, money.Up))

	return Fee{Type: CommissionFee, Amount: amount, Position: l.Position, Percent: t.percent}, true
}

// strength orders the commission types: of a transaction's lines the strongest names it.
func strength(c CommissionType) int {
	return strings.Index(string(Standard+" "+Custom+" "+Partner), string(c))
}

// networkFee is for the whole transaction. ok is false when there is none.
func (m *maker) networkFee() (fee Fee, ok bool) {
	usd := m.fees.networkUSD()
	if usd.Sign() == 0 {
		return fee, false
	}

	return Fee{
		Type:     NetworkFee,
		Amount:   money.FromRat(m.in.Token, new(big.Rat).Quo(usd, m.dollars), money.Up),
		Position: Whole,
		Of:       cents(usd, money.Up),
	}, true
}

// bankingKey names a price that is the same for many payments.
type bankingKey struct {
	rail     string
	charges  Charges
	currency money.Asset
}

// bankingCost is what the payer bears, and what is taken off the amount.
type bankingCost struct {
	of, tokens money.Amount
	deducted   *big.Int // minor units; nil: nothing
}

// bankingFee is what the payer bears of a payment's banking fees. With BEN that is nothing: they are taken off the
// amount, and the line says how much as far as it is known. ok is false when there is no fee for the payer.
func (m *maker) bankingFee(at string, l *Line) (fee Fee, ok bool) {
	key := bankingKey{l.Rail, l.Charges, l.Currency}

	cost, known := m.banking[key]
	if !known {
		if cost, known = m.bankingCost(at, key); !known {
			return fee, false
		}

		m.banking[key] = cost
	}

	if cost.deducted != nil {
		l.Deducted.Set(cost.deducted)

		if l.Deducted.Cmp(l.FiatUnits) >= 0 {
			m.l.Add(at+"/amount", fault.AmountBelowFees, "is not more than the %s %s that the banks take off it.",
				money.Format(l.Deducted, l.Currency.Decimals), l.Currency.Code)
		}
	}

	return Fee{Type: BankingFee, Amount: cost.tokens, Position: l.Position, Of: cost.of}, cost.tokens.Sign() > 0
}

// bankingCost works a price out. ok is false when its currency cannot be exchanged, which is noted.
func (m *maker) bankingCost(at string, k bankingKey) (c bankingCost, ok bool) {
	bank := m.fees.Banking[k.rail]

	c.of = bank.Own
	if k.charges != SHA {
		c.of = bank.all()
	}

	if c.of.Sign() == 0 {
		return c, true
	}

	rate := m.rate(c.of.Asset().Code, at)
	if rate == nil {
		return c, false
	}

	tokens := new(big.Rat).Quo(c.of.Rat(), rate)
	if k.charges != BEN {
		c.tokens = money.FromRat(m.in.Token, tokens, money.Up)
		return c, true
	}

	into := m.rate(k.currency.Code, at)
	if into == nil {
		return c, false
	}

	c.deducted = money.FromRat(k.currency, tokens.Mul(tokens, into), money.Up).Units()

	return c, true
}

// all is our bank's fee and those on the way together. Both are in one currency: the configuration gives them together.
func (b BankFees) all() money.Amount {
	if b.OnTheWay.Sign() == 0 {
		return b.Own
	}

	if b.Own.Sign() == 0 {
		return b.OnTheWay
	}

	return b.Own.Add(b.OnTheWay)
}
