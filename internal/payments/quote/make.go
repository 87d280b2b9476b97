package quote

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"
	"time"

	"slipway/internal/core/fault"
	"slipway/internal/core/money"
	"slipway/internal/rails/rates"
)

// RateDecimals is how many decimals a quoted rate has. The market's rate is cut to them before anything is computed
// with it, so that everybody can recompute a quote from what it shows.
const RateDecimals = 12

const (
	maxLines        = 30
	percentDecimals = 4
	dollar          = "USD"
)

// Pair names a rate: one Base in Quote.
type Pair struct{ Base, Quote string }

// Pairs returns the rates that Make needs for a request, each once.
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

// maker computes one quote. What is the same for all payments in a currency is computed once.
type maker struct {
	in         Request
	market     map[Pair]rates.Rate
	fees       Fees
	dollars    *big.Rat // the token's price in US dollars
	currencies map[money.Asset]*terms
	banking    map[bankingKey]bankingCost
	out        Quote
	l          fault.List
}

// Make computes a quote. It is pure: the same input gives the same quote. market holds the rates that Pairs returns; a
// missing pair is refused as not traded. It refuses all wrong fields at once.
func Make(in Request, market map[Pair]rates.Rate, fees Fees) (Quote, error) {
	if err := in.validate(); err != nil {
		return Quote{}, err
	}

	m := &maker{
		in:         in,
		market:     market,
		fees:       fees,
		currencies: map[money.Asset]*terms{},
		banking:    map[bankingKey]bankingCost{},
	}
	if m.dollars = m.rate(dollar, ""); m.dollars == nil {
		return Quote{}, m.l.Err()
	}

	m.out = Quote{
		Organisation: in.Organisation,
		Kind:         in.Kind,
		Network:      in.Network,
		Token:        in.Token,
		Commission:   Standard,
		TokenDebit:   new(big.Int),
		TokenCredit:  new(big.Int),
		Lines:        make([]Line, 0, len(in.Lines)),
		Fees:         make([]Fee, 0, 2*len(in.Lines)+1),
		arrived:      in.Arrived,
	}
	for _, l := range in.Lines {
		m.line(l)
	}

	if fee, ok := m.networkFee(); ok {
		m.out.Fees = append(m.out.Fees, fee)
	}

	if m.l.Empty() {
		m.sum()
	}

	if err := m.l.Err(); err != nil {
		return Quote{}, err
	}

	return m.out, nil
}

// validate returns an error for a request that only a programming error can make.
func (in Request) validate() error {
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

// rate returns the market's rate of the token in a currency. If there is none, it returns nil and refuses the payment
// at the pointer; an empty pointer refuses the token.
func (m *maker) rate(currency, at string) *big.Rat {
	r, ok := m.market[Pair{m.in.Token.Code, currency}]
	if ok && r.Value.Sign() > 0 {
		return r.Value
	}

	m.l.Add(m.currencyPointer(at), fault.PairUnknown, "%s cannot be exchanged for %s here.", m.in.Token.Code, currency)

	return nil
}

// currencyPointer returns the pointer to the currency of the payment at a pointer; without a payment, to the token.
func (m *maker) currencyPointer(at string) string {
	switch {
	case at == "":
		return "/token"
	case m.in.Kind == Onramp:
		return "/amountCurrency"
	}

	return at + "/currencyIsoCode"
}

// terms is what all payments in one currency share.
type terms struct {
	rate           *big.Rat // as it is quoted
	asOf           time.Time
	source         string
	perUnit        *big.Rat // base units of the token for one minor unit, at the quoted rate
	usd            *big.Rat // US dollars for one minor unit
	least          *big.Int // the least minor units of a payment; nil: none
	share          *big.Rat // commission; nil: none
	percent        string   // the same, as text
	commissionType CommissionType
	low            *big.Rat // the range of acceptable expected rates; nil: any
	high           *big.Rat
	expected       map[string]fault.Code // by the rate that a client wrote: what is wrong with it
	fiatSum        *big.Int              // minor units of all payments
	tokenSum       *big.Int
}

// termsOf computes what the payments in a currency share. If the currency cannot be exchanged, it returns nil and
// refuses the payment at the pointer.
func (m *maker) termsOf(currency money.Asset, at string) *terms {
	if t, ok := m.currencies[currency]; ok {
		return t
	}

	market := m.rate(currency.Code, at)
	if market == nil {
		return nil
	}

	r := m.market[Pair{m.in.Token.Code, currency.Code}]

	t := &terms{
		rate:     m.quotedRate(market, m.fees.House[currency.Code]),
		asOf:     r.AsOf,
		source:   r.Source,
		expected: map[string]fault.Code{},
		fiatSum:  new(big.Int),
		tokenSum: new(big.Int),
	}
	if t.rate.Sign() == 0 {
		m.l.Add(
			m.currencyPointer(at),
			fault.PairUnknown,
			"%s is worth too little of %s to be quoted.",
			m.in.Token.Code,
			currency.Code,
		)

		return nil
	}

	minor := new(big.Rat).SetFrac(big.NewInt(1), pow10(currency.Decimals))
	t.perUnit = new(big.Rat).SetInt(pow10(m.in.Token.Decimals))
	t.perUnit.Mul(t.perUnit, minor).Quo(t.perUnit, t.rate)
	t.usd = minor.Mul(minor, m.dollars)
	t.usd.Quo(t.usd, market)

	if least := m.fees.LeastPayment; least != nil && !m.in.Arrived {
		t.least = money.Scale(big.NewInt(1), new(big.Rat).Quo(least, t.usd), money.Up)
	}

	if t.share, t.commissionType = m.fees.commission(Pair{m.in.Token.Code, currency.Code}); t.share != nil {
		t.percent = decimal(new(big.Rat).Mul(t.share, hundred()), percentDecimals)
	}

	if !m.in.Arrived {
		t.tolerate(m.fees.Tolerance)
	}

	m.currencies[currency] = t

	return t
}

// tolerate sets how far an expected rate may be from the quoted one. tolerance is a share; nil: any rate is fine.
func (t *terms) tolerate(tolerance *big.Rat) {
	if tolerance == nil {
		return
	}

	off := new(big.Rat).Mul(tolerance, t.rate)
	t.low = new(big.Rat).Sub(t.rate, off)
	t.high = off.Add(off, t.rate)
}

// paymentAt returns the JSON pointer of the payment at a position.
func paymentAt(position int) string { return "/payments/" + strconv.Itoa(position) }

// line prices one payment with its fees.
func (m *maker) line(in LineRequest) {
	at := paymentAt(in.Position)

	t := m.termsOf(in.Currency, at)
	if t == nil {
		return
	}

	l := Line{
		Position:   in.Position,
		Currency:   in.Currency,
		FiatUnits:  new(big.Int).Set(in.FiatUnits),
		Rate:       t.rate,
		TokenUnits: money.Scale(in.FiatUnits, t.perUnit, m.tokenRounding()),
		Rail:       in.Rail,
		Charges:    effective(in.Rail, in.Charges),
		Deducted:   new(big.Int),
		AsOf:       t.asOf,
		Source:     t.source,
	}
	t.fiatSum.Add(t.fiatSum, l.FiatUnits)
	t.tokenSum.Add(t.tokenSum, l.TokenUnits)
	m.checkEstimate(at, in.EstimatedRate, t, l)

	if t.least != nil && l.FiatUnits.Cmp(t.least) < 0 {
		m.l.Add(
			at+"/amount",
			fault.AmountBelowLeast,
			"is worth less than %s US dollars, the least of a payment of your organisation: here that is %s %s.",
			cents(m.fees.LeastPayment, money.Up),
			money.Format(t.least, l.Currency.Decimals),
			l.Currency.Code,
		)
	}

	if m.in.Kind == Fiat {
		if fee, ok := m.bankingFee(at, &l); ok {
			m.out.Fees = append(m.out.Fees, fee)
		}
	}

	if fee, ok := m.commissionFee(t, l); ok {
		m.out.Fees = append(m.out.Fees, fee)
	}

	m.out.Lines = append(m.out.Lines, l)
}

// quotedRate cuts the market's rate to RateDecimals, to the disadvantage of the client: a payer gets no more fiat for a
// token than on the market, and a buyer pays no less. The spread is to the client's disadvantage, too.
func (m *maker) quotedRate(market, house *big.Rat) *big.Rat {
	rounding := money.Down
	worse := (*big.Rat).Sub

	if m.in.Kind == Onramp {
		rounding = money.Up
		worse = (*big.Rat).Add
	}

	for _, share := range []*big.Rat{m.fees.Spread, house} {
		if share != nil {
			market = worse(new(big.Rat), market, new(big.Rat).Mul(market, share))
		}
	}

	return money.FromRat(money.Asset{Code: "rate", Decimals: RateDecimals}, market, rounding).Rat()
}

// tokenRounding returns how a line's base units are rounded: up when the wallet pays them, down when it gets them.
func (m *maker) tokenRounding() money.Rounding {
	if m.in.Kind == Onramp {
		return money.Down
	}

	return money.Up
}

// checkEstimate refuses a rate that differs too much from the one the client expects, in either direction.
func (m *maker) checkEstimate(at, text string, t *terms, l Line) {
	if text == "" {
		return
	}

	code, known := t.expected[text]
	if !known {
		code = t.checkExpected(text)
		t.expected[text] = code
	}

	switch code {
	case fault.FormatInvalid:
		m.l.Add(
			at+"/estimatedRate",
			code,
			"must be a decimal text such as 0.92: %s for one %s.",
			l.Currency.Code,
			m.in.Token.Code,
		)

	case fault.EstimateOff:
		m.l.Add(
			at+"/estimatedRate",
			code,
			"is %s; the rate is %s %s for one %s, and at most %s %% between them are tolerated.",
			text,
			decimal(l.Rate, RateDecimals),
			l.Currency.Code,
			m.in.Token.Code,
			decimal(new(big.Rat).Mul(m.fees.Tolerance, hundred()), percentDecimals),
		)

	default: // "": the rate is as expected
	}
}

// checkExpected returns what is wrong with an expected rate, or "".
func (t *terms) checkExpected(text string) fault.Code {
	e, err := money.Parse(money.Asset{Code: "rate", Decimals: money.MaxDecimals}, text)
	if err != nil {
		return fault.FormatInvalid
	}

	if t.low != nil && (e.Rat().Cmp(t.low) < 0 || e.Rat().Cmp(t.high) > 0) {
		return fault.EstimateOff
	}

	return ""
}

// sum computes the totals: what leaves the wallet, or what reaches it, and the value of the payments.
func (m *maker) sum() {
	lines := new(big.Int)
	fees := new(big.Int)

	usd := new(big.Rat)
	for _, t := range m.currencies {
		lines.Add(lines, t.tokenSum)
		worth := new(big.Rat).SetInt(t.fiatSum)
		usd.Add(usd, worth.Mul(worth, t.usd))
	}

	for _, f := range m.out.Fees {
		fees.Add(fees, f.Amount.Units())
	}

	m.out.ValueUSD = cents(usd, money.HalfEven)
	if limit := m.fees.TransactionLimit; limit != nil && usd.Cmp(limit) > 0 && !m.in.Arrived {
		m.l.Add(
			"/payments",
			fault.ValueLimit,
			"are worth %s US dollars together; a transaction of your organisation may be worth %s at most.",
			cents(usd, money.Up),
			cents(limit, money.Down),
		)
	}

	if m.in.Kind == Fiat {
		m.out.TokenDebit.Add(lines, fees)
		return
	}

	if m.out.TokenCredit.Sub(lines, fees).Sign() <= 0 {
		m.l.Add(
			paymentAt(m.in.Lines[0].Position)+"/amount",
			fault.AmountBelowFees,
			"brings %s %s, and the fees are %s.",
			money.Format(lines, m.in.Token.Decimals),
			m.in.Token.Code,
			money.Format(fees, m.in.Token.Decimals),
		)
	}
}

func cents(usd *big.Rat, r money.Rounding) money.Amount {
	return money.FromRat(money.Asset{Code: dollar, Decimals: 2}, usd, r)
}

func hundred() *big.Rat { return big.NewRat(100, 1) }

func pow10(n int) *big.Int { return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil) }

// decimal returns a number that has at most n decimals as text, without trailing zeros.
func decimal(x *big.Rat, n int) string {
	s := x.FloatString(n)
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}

	return s
}
