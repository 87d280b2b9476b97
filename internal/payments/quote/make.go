package quote

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"slipway/internal/core/fault"
	"slipway/internal/core/money"
	"slipway/internal/rails/rates"
)

// RateDecimals is how many decimals a quoted rate has. The market's rate is cut to them before anything is worked out with it, so that
// everybody can recompute a quote from what it shows.
const RateDecimals = 12

const (
	maxLines        = 30
	percentDecimals = 4
	dollar          = "USD"
)

// Pair names a rate: one Base in Quote.
type Pair struct{ Base, Quote string }

// Pairs lists the rates that Make needs for a request, each once.
func Pairs(in Request, fees Fees) []Pair {
	out := []Pair{{in.Token.Code, dollar}}
	add := func(code string) {
		p := Pair{in.Token.Code, code}
		for _, have := range out {
			if have == p {
				return
			}
		}
		out = append(out, p)
	}
	for _, l := range in.Lines {
		add(l.Currency.Code)
		if cost, ok := fees.Banking[l.Rail]; ok && in.Kind == Fiat && cost.all().Sign() > 0 {
			add(cost.all().Asset().Code)
		}
	}
	return out
}

// maker works out one quote.
type maker struct {
	in     Request
	market map[Pair]rates.Rate
	fees   Fees
	out    Quote
	usd    *big.Rat // value of all lines
	l      fault.List
}

// Make works out a quote. It is pure: the same input gives the same quote. The market holds the rates that Pairs lists; a pair that is
// missing there is refused as one that is not traded. Refusals name every wrong field at once.
func Make(in Request, market map[Pair]rates.Rate, fees Fees) (Quote, error) {
	if err := in.sound(); err != nil {
		return Quote{}, err
	}
	m := &maker{in: in, market: market, fees: fees, usd: new(big.Rat)}
	dollars := m.rate(dollar, "")
	if dollars == nil {
		return Quote{}, m.l.Err()
	}
	m.out = Quote{Organisation: in.Organisation, Kind: in.Kind, Network: in.Network, Token: in.Token, Commission: Standard, TokenDebit: new(big.Int),
		TokenCredit: new(big.Int), Lines: make([]Line, 0, len(in.Lines)), Fees: make([]Fee, 0, 2*len(in.Lines)+1), arrived: in.Arrived}
	for _, l := range in.Lines {
		m.line(l, dollars)
	}
	if fee, ok := m.networkFee(dollars); ok {
		m.out.Fees = append(m.out.Fees, fee)
	}
	if m.l.Empty() {
		m.sum()
		m.limits()
	}
	if err := m.l.Err(); err != nil {
		return Quote{}, err
	}
	return m.out, nil
}

// sound refuses what only a fault of the program can ask for.
func (in Request) sound() error {
	if (in.Kind != Fiat && in.Kind != Onramp) || len(in.Lines) == 0 || len(in.Lines) > maxLines || in.Token.Code == "" {
		return fmt.Errorf("quote: a %q of %d payments in %q cannot be priced", in.Kind, len(in.Lines), in.Token.Code)
	}
	for _, l := range in.Lines {
		if l.FiatUnits == nil || l.FiatUnits.Sign() <= 0 || l.Currency.Code == "" {
			return fmt.Errorf("quote: payment %d has no amount", l.Position)
		}
	}
	return nil
}

// rate is the market's rate of the token in a currency. Where there is none, nil, and the payment at the pointer is refused; an empty
// pointer refuses the token.
func (m *maker) rate(currency, at string) *big.Rat {
	r, ok := m.market[Pair{m.in.Token.Code, currency}]
	if ok && r.Value.Sign() > 0 {
		return r.Value
	}
	pointer := "/token"
	if at != "" {
		pointer = at + "/currencyIsoCode"
		if m.in.Kind == Onramp {
			pointer = "/amountCurrency"
		}
	}
	m.l.Add(pointer, fault.PairUnknown, "%s cannot be exchanged for %s here.", m.in.Token.Code, currency)
	return nil
}

// line prices one payment with its fees. dollars is the token in US dollars.
func (m *maker) line(in LineRequest, dollars *big.Rat) {
	at := "/payments/" + strconv.Itoa(in.Position)
	market := m.rate(in.Currency.Code, at)
	if market == nil {
		return
	}
	r := m.market[Pair{m.in.Token.Code, in.Currency.Code}]
	l := Line{Position: in.Position, Currency: in.Currency, FiatUnits: new(big.Int).Set(in.FiatUnits), Rate: m.quoted(market), Rail: in.Rail,
		Charges: effective(in.Rail, in.Charges), Deducted: new(big.Int), AsOf: r.AsOf, Source: r.Source}
	if l.Rate.Sign() == 0 {
		m.l.Add(at+"/currencyIsoCode", fault.PairUnknown, "%s is worth too little of %s to be quoted.", m.in.Token.Code, in.Currency.Code)
		return
	}
	fiat := money.FromUnits(in.Currency, in.FiatUnits).Rat()
	l.TokenUnits = money.FromRat(m.in.Token, new(big.Rat).Quo(fiat, l.Rate), m.tokenRounding()).Units()
	m.estimate(at, in.EstimatedRate, l)
	if m.in.Kind == Fiat {
		if fee, ok := m.bankingFee(at, &l); ok {
			m.out.Fees = append(m.out.Fees, fee)
		}
	}
	if fee, ok := m.commissionFee(l); ok {
		m.out.Fees = append(m.out.Fees, fee)
	}
	m.worth(at, fiat.Mul(fiat, new(big.Rat).Quo(dollars, market)))
	m.out.Lines = append(m.out.Lines, l)
}

// quoted cuts the market's rate to RateDecimals, against the side that asks: who pays tokens gets no more fiat for one than the market
// gives, who buys them pays no less.
func (m *maker) quoted(market *big.Rat) *big.Rat {
	rounding := money.Down
	if m.in.Kind == Onramp {
		rounding = money.Up
	}
	return money.FromRat(money.Asset{Code: "rate", Decimals: RateDecimals}, market, rounding).Rat()
}

// tokenRounding of the base units that a line comes to: up when the wallet pays them, down when it gets them.
func (m *maker) tokenRounding() money.Rounding {
	if m.in.Kind == Onramp {
		return money.Down
	}
	return money.Up
}

// estimate refuses a rate that is too far from the one the client expects, on whichever side.
func (m *maker) estimate(at, text string, l Line) {
	if text == "" {
		return
	}
	expected, err := money.Parse(money.Asset{Code: "rate", Decimals: money.MaxDecimals}, text)
	if err != nil {
		m.l.Add(at+"/estimatedRate", fault.FormatInvalid, "must be a decimal text such as 0.92: %s for one %s.", l.Currency.Code, m.in.Token.Code)
		return
	}
	if m.fees.Tolerance == nil || m.in.Arrived {
		return
	}
	off := new(big.Rat).Sub(expected.Rat(), l.Rate)
	if off.Abs(off).Cmp(new(big.Rat).Mul(m.fees.Tolerance, l.Rate)) > 0 {
		m.l.Add(at+"/estimatedRate", fault.EstimateOff, "is %s; the rate is %s %s for one %s, and at most %s %% between them are tolerated.",
			text, decimal(l.Rate, RateDecimals), l.Currency.Code, m.in.Token.Code, decimal(new(big.Rat).Mul(m.fees.Tolerance, hundred()), percentDecimals))
	}
}

// worth adds a line's value in US dollars and holds it against the least that one may be worth.
func (m *maker) worth(at string, usd *big.Rat) {
	m.usd.Add(m.usd, usd)
	if least := m.fees.LeastPayment; least != nil && usd.Cmp(least) < 0 && !m.in.Arrived {
		m.l.Add(at+"/amount", fault.AmountBelowLeast, "is worth %s US dollars; a payment of your organisation must be worth %s at least.",
			cents(usd, money.Down), cents(least, money.Up))
	}
}

// sum makes the totals: what leaves the wallet, or what reaches it.
func (m *maker) sum() {
	lines, fees := new(big.Int), new(big.Int)
	for _, l := range m.out.Lines {
		lines.Add(lines, l.TokenUnits)
	}
	for _, f := range m.out.Fees {
		fees.Add(fees, f.Amount.Units())
	}
	m.out.ValueUSD = cents(m.usd, money.HalfEven)
	if m.in.Kind == Fiat {
		m.out.TokenDebit.Add(lines, fees)
		return
	}
	m.out.TokenCredit.Sub(lines, fees)
	if m.out.TokenCredit.Sign() <= 0 {
		m.l.Add("/payments/"+strconv.Itoa(m.in.Lines[0].Position)+"/amount", fault.AmountBelowFees, "brings %s %s, and the fees are %s.",
			money.Format(lines, m.in.Token.Decimals), m.in.Token.Code, money.Format(fees, m.in.Token.Decimals))
	}
}

// limits holds the whole transaction against the organisation's transactionValueLimit.
func (m *maker) limits() {
	if limit := m.fees.TransactionLimit; limit != nil && m.usd.Cmp(limit) > 0 && !m.in.Arrived {
		m.l.Add("/payments", fault.ValueLimit, "are worth %s US dollars together; a transaction of your organisation may be worth %s at most.",
			cents(m.usd, money.Up), cents(limit, money.Down))
	}
}

func cents(usd *big.Rat, r money.Rounding) money.Amount {
	return money.FromRat(money.Asset{Code: dollar, Decimals: 2}, usd, r)
}

func hundred() *big.Rat { return big.NewRat(100, 1) }

// decimal writes a number that has at most n decimals without zeros at its end.
func decimal(x *big.Rat, n int) string {
	s := x.FloatString(n)
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return s
}
