package quote

import (
	"math/big"
	"strings"

	"slipway/internal/core/fault"
	"slipway/internal/core/money"
)

// Schedule is what this deployment charges.
type Schedule struct {
	Commission *big.Rat            // share of the amount, for pairs without their own; nil: none
	Pairs      map[Pair]*big.Rat   // the trading pairs' own shares
	NetworkUSD money.Amount        // for settling a transaction on a chain, in US dollars
	Banking    map[string]BankFees // by the rail's code; a missing rail costs nothing
}

// BankFees is what a payment on a rail costs: what our own bank takes, and what intermediary banks take if the payer
// bears it (OUR).
type BankFees struct {
	Own, OnTheWay money.Amount
}

// Terms are an organisation's own terms. Its shares take precedence over the schedule's; limits are in US dollars, nil
// for none.
type Terms struct {
	Commissions      map[Pair]*big.Rat
	Partner          map[Pair]*big.Rat // of the partner through whom the transaction came
	TransactionLimit *big.Rat          // transactionValueLimit
	LeastPayment     *big.Rat          // minUSDPaymentAmount
	NetworkUSD       *big.Rat          // the network's minTransactionFee; the higher of both is charged
}

// Fees is what Make charges and checks.
type Fees struct {
	Schedule
	Terms
	Spread    *big.Rat // FIAT quotes: share by which the rate is worse than the market's; nil: none
	Tolerance *big.Rat // share by which an estimatedRate may be off; nil: not checked
	// House is the share by which the rate of a currency is worse than the market's since the house itself converts.
	House map[string]*big.Rat
}

// deducting are the rails on which a payment can specify who bears the banks' fees, so that something can be deducted
// on the way. All other schemes have shared charges only: SEPA's rulebooks require it (service level SLEV), and
// domestic clearings have no such field.
const deducting = " SWIFT FEDWIRE "

// effective returns the option that applies on a rail.
func effective(rail string, c Charges) Charges {
	if c == "" || !strings.Contains(deducting, " "+rail+" ") {
		return SHA
	}

	return c
}

// commission returns a pair's share, and whose terms define it.
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

// networkUSD returns the cost of settling a transaction on the chain, in US dollars.
func (f Fees) networkUSD() *big.Rat {
	usd := f.Schedule.NetworkUSD.Rat()
	if f.Terms.NetworkUSD != nil && f.Terms.NetworkUSD.Cmp(usd) > 0 {
		return f.Terms.NetworkUSD
	}

	return usd
}

// commissionFee returns a line's commission: the share of its tokens, rounded up. ok is false if there is none.
func (m *maker) commissionFee(t *terms, l Line) (fee Fee, ok bool) {
	if strength(t.commissionType) > strength(m.out.Commission) {
		m.out.Commission = t.commissionType
	}

	if t.share == nil || t.share.Sign() == 0 || l.TokenUnits.Sign() == 0 {
		return fee, false
	}

	amount := money.FromUnits(m.in.Token, money.Scale(l.TokenUnits, t.share, money.Up))

	return Fee{Type: CommissionFee, Amount: amount, Position: l.Position, Percent: t.percent}, true
}

// strength orders the commission types. The strongest among a transaction's lines is the transaction's type.
func strength(c CommissionType) int {
	return strings.Index(string(Standard+" "+Custom+" "+Partner), string(c))
}

// networkFee returns the fee for the whole transaction. ok is false if there is none.
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

// bankingKey identifies a price that is the same for many payments.
type bankingKey struct {
	rail     string
	charges  Charges
	currency money.Asset
}

// bankingCost is what the payer bears, and what is deducted from the amount.
type bankingCost struct {
	of, tokens money.Amount
	deducted   *big.Int // minor units; nil: nothing
}

// bankingFee returns what the payer bears of a payment's banking fees. With BEN that is nothing: they are deducted from
// the amount, and the line shows how much, as far as it is known. ok is false if there is no fee for the payer.
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

// bankingCost computes a price. ok is false if its currency cannot be exchanged, which it notes.
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

// all returns our bank's fee and those on the way together. Both have the same currency, because the configuration sets
// them together.
func (b BankFees) all() money.Amount {
	if b.OnTheWay.Sign() == 0 {
		return b.Own
	}

	if b.Own.Sign() == 0 {
		return b.OnTheWay
	}

	return b.Own.Add(b.OnTheWay)
}
