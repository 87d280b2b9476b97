package quote_test

import (
	"fmt"
	"maps"
	"math/big"
	"reflect"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"slipway/internal/core/fault"
	"slipway/internal/core/money"
	"slipway/internal/payments/quote"
	"slipway/internal/rails/rates"
)

var (
	usdc = money.Asset{Code: "USDC", Decimals: 6}
	eur  = money.Asset{Code: "EUR", Decimals: 2}
	jpy  = money.Asset{Code: "JPY", Decimals: 0}
	usd  = money.Asset{Code: "USD", Decimals: 2}
)

func amount(t require.TestingT, asset money.Asset, s string) money.Amount {
	a, err := money.ParseOrZero(asset, s)
	require.NoError(t, err)
	return a
}

func rat(s string) *big.Rat {
	r, ok := new(big.Rat).SetString(s)
	if !ok {
		panic(s)
	}

	return r
}

// marketOf makes rates of USDC from texts.
func marketOf(pairs map[string]string) map[quote.Pair]rates.Rate {
	out := map[quote.Pair]rates.Rate{}
	for code, value := range pairs {
		out[quote.Pair{
			Base:  "USDC",
			Quote: code,
		}] = rates.Rate{
			Base:   "USDC",
			Quote:  code,
			Value:  rat(value),
			AsOf:   time.Unix(1_700_000_000, 0).UTC(),
			Source: "test",
		}
	}

	return out
}

func market() map[quote.Pair]rates.Rate {
	return marketOf(map[string]string{
		"USD": "1",
		"EUR": "0.9",
		"JPY": "150",
		"GBP": "0.75",
		"INR": "84",
	})
}

func line(position int, a money.Amount) quote.LineRequest {
	return quote.LineRequest{Position: position, Currency: a.Asset(), FiatUnits: a.Units()}
}

func fiat(lines ...quote.LineRequest) quote.Request {
	return quote.Request{
		Kind:         quote.Fiat,
		Organisation: "org_1",
		Network:      "net_1",
		Token:        usdc,
		Lines:        lines,
	}
}

func schedule(t require.TestingT) quote.Schedule {
	return quote.Schedule{
		Commission: rat("0.005"),
		NetworkUSD: amount(t, usd, "0.50"),
		Banking: map[string]quote.BankFees{
			"SEPA":  {Own: amount(t, eur, "0.20")},
			"SWIFT": {Own: amount(t, usd, "12.00"), OnTheWay: amount(t, usd, "18.00")},
		},
	}
}

func refusals(t *testing.T, err error) map[string]fault.Code {
	t.Helper()
	f, ok := fault.As(err)
	require.True(t, ok, "%v", err)

	out := map[string]fault.Code{}
	for _, x := range f.Fields {
		out[x.Pointer] = x.Code
	}

	return out
}

func TestADebitIsTheLinesAndEveryFeeByItself(t *testing.T) {
	first := line(0, amount(t, eur, "1000.00"))
	first.Rail = "SEPA"
	second := line(1, amount(t, jpy, "15000"))
	second.Rail = "SWIFT"
	second.Charges = quote.OUR
	q, err := quote.Make(fiat(first, second), market(), quote.Fees{Schedule: schedule(t)})
	require.NoError(t, err)

	require.Equal(t, "1111.111112", money.Format(q.Lines[0].TokenUnits, 6), "1000 / 0.9, rounded up")
	require.Equal(t, "100.00", money.Format(q.Lines[1].TokenUnits, 6))

	var got []string
	for _, f := range q.Fees {
		got = append(got, fmt.Sprintf("%s %d %s %s %s", f.Type, f.Position, f.Amount, f.Percent, f.Of))
	}

	require.Equal(t, []string{
		"BANKING 0 0.222223  0.20",
		"COMMISSION 0 5.555556 0.5 0",
		"BANKING 1 30.00  30.00",
		"COMMISSION 1 0.50 0.5 0",
		"NETWORK -1 0.50  0.50",
	}, got)
	require.Equal(t, "1247.888891", money.Format(q.TokenDebit, 6))
	require.Zero(t, q.TokenCredit.Sign())
	require.Equal(t, "1211.11", q.ValueUSD.String())
	require.Equal(t, quote.Standard, q.Commission)
	require.Equal(t, "30.222223", feesOf(q, quote.BankingFee).String())

	eur := new(big.Int)

	for _, l := range q.Lines {
		if l.Currency.Code == "EUR" {
			eur.Add(eur, l.TokenUnits)
		}
	}

	require.Equal(t, "1111111112", eur.String())
}

// feesOf returns the sum of one type of fee.
func feesOf(q quote.Quote, of quote.FeeType) money.Amount {
	sum := money.Zero(q.Token)

	for _, f := range q.Fees {
		if f.Type == of {
			sum = sum.Add(f.Amount)
		}
	}

	return sum
}

func TestWhoBearsTheBanksFees(t *testing.T) {
	for name, test := range map[string]struct {
		rail    string
		charges quote.Charges
		takes   quote.Charges
		fee     string
		off     string
	}{
		"SWIFT, shared":             {"SWIFT", quote.SHA, quote.SHA, "12.00", "0"},
		"SWIFT, none given":         {"SWIFT", "", quote.SHA, "12.00", "0"},
		"SWIFT, the payer":          {"SWIFT", quote.OUR, quote.OUR, "30.00", "0"},
		"SWIFT, the receiver":       {"SWIFT", quote.BEN, quote.BEN, "0", "2700"},
		"SEPA knows shared only":    {"SEPA", quote.BEN, quote.SHA, "0.222223", "0"},
		"SEPA, the payer":           {"SEPA", quote.OUR, quote.SHA, "0.222223", "0"},
		"a rail that costs nothing": {"CHAPS", quote.SHA, quote.SHA, "0", "0"},
	} {
		t.Run(name, func(t *testing.T) {
			l := line(0, amount(t, eur, "100.00"))
			l.Rail = test.rail
			l.Charges = test.charges
			q, err := quote.Make(fiat(l), market(), quote.Fees{Schedule: quote.Schedule{Banking: schedule(t).Banking}})
			require.NoError(t, err)
			require.Equal(t, test.takes, q.Lines[0].Charges)
			require.Equal(t, amount(t, usdc, test.fee).String(), feesOf(q, quote.BankingFee).String())
			require.Equal(t, test.off, q.Lines[0].Deducted.String(), "cents that are taken off on the way")

			require.Equal(
				t,
				"10000",
				q.Lines[0].FiatUnits.String(),
				"what leaves our bank is the amount, whoever bears the fees",
			)
		})
	}

	l := line(3, amount(t, eur, "27.00"))
	l.Rail = "SWIFT"
	l.Charges = quote.BEN
	_, err := quote.Make(fiat(l), market(), quote.Fees{Schedule: schedule(t)})
	require.Equal(t, map[string]fault.Code{"/payments/3/amount": fault.AmountBelowFees}, refusals(t, err))
}

func TestADepositBringsTheLinesLessTheFees(t *testing.T) {
	in := quote.Request{
		Kind:         quote.Onramp,
		Organisation: "org_1",
		Network:      "net_1",
		Token:        usdc,
		Lines:        []quote.LineRequest{line(0, amount(t, eur, "1000.00"))},
	}
	q, err := quote.Make(in, market(), quote.Fees{Schedule: schedule(t)})
	require.NoError(t, err)
	require.Equal(t, "1111.111111", money.Format(q.Lines[0].TokenUnits, 6), "rounded down")
	require.Equal(t, "5.555556", feesOf(q, quote.CommissionFee).String(), "rounded up")
	require.Equal(t, "1105.055555", money.Format(q.TokenCredit, 6))
	require.Zero(t, q.TokenDebit.Sign())
	require.Equal(t, "SENDING", q.View().LockedSide)

	in.Lines[0] = line(0, amount(t, eur, "0.40"))
	_, err = quote.Make(in, market(), quote.Fees{Schedule: schedule(t)})
	require.Equal(t, map[string]fault.Code{"/payments/0/amount": fault.AmountBelowFees}, refusals(t, err))
}

func TestTheQuotedRateIsCutAgainstTheSideThatAsks(t *testing.T) {
	third := marketOf(map[string]string{"USD": "1", "EUR": "2/3"})
	q, err := quote.Make(fiat(line(0, amount(t, eur, "2.00"))), third, quote.Fees{})
	require.NoError(t, err)
	require.Equal(t, "0.666666666666", q.View().Rate)
	require.Equal(t, "3.000001", money.Format(q.Lines[0].TokenUnits, 6), "recomputed with the rate that is shown")

	q, err = quote.Make(quote.Request{
		Kind:  quote.Onramp,
		Token: usdc,
		Lines: []quote.LineRequest{line(0, amount(t, eur, "2.00"))},
	}, third, quote.Fees{})

	require.NoError(t, err)
	require.Equal(t, "0.666666666667", q.View().Rate)
	require.Equal(t, "2.999999", money.Format(q.TokenCredit, 6))
}

func TestTermsOfOrganisationAndPartnerGoBeforeTheSchedule(t *testing.T) {
	pair := quote.Pair{Base: "USDC", Quote: "EUR"}
	s := schedule(t)

	s.Pairs = map[quote.Pair]*big.Rat{pair: rat("0.004")}
	for name, test := range map[string]struct {
		fees    quote.Fees
		percent string
		whose   quote.CommissionType
	}{
		"the deployment's": {quote.Fees{Schedule: schedule(t)}, "0.5", quote.Standard},
		"the pair's":       {quote.Fees{Schedule: s}, "0.4", quote.Standard},
		"the organisation's": {quote.Fees{
			Schedule: s,
			Terms:    quote.Terms{Commissions: map[quote.Pair]*big.Rat{pair: rat("0.0025")}},
		}, "0.25", quote.Custom},
		"the partner's": {quote.Fees{
			Schedule: s,
			Terms: quote.Terms{
				Commissions: map[quote.Pair]*big.Rat{pair: rat("0.0025")},
				Partner:     map[quote.Pair]*big.Rat{pair: rat("0.01")},
			},
		}, "1", quote.Partner},
		"nothing at all": {quote.Fees{
			Schedule: s,
			Terms:    quote.Terms{Commissions: map[quote.Pair]*big.Rat{pair: new(big.Rat)}},
		}, "", quote.Custom},
	} {
		t.Run(name, func(t *testing.T) {
			q, err := quote.Make(fiat(line(0, amount(t, eur, "100.00"))), market(), test.fees)
			require.NoError(t, err)
			require.Equal(t, test.whose, q.Commission)

			percent := ""
			for _, f := range q.Fees {
				percent += f.Percent
			}

			require.Equal(t, test.percent, percent)
		})
	}

	dear := quote.Fees{Schedule: schedule(t), Terms: quote.Terms{NetworkUSD: rat("0.75")}}
	q, err := quote.Make(fiat(line(0, amount(t, eur, "100.00"))), market(), dear)
	require.NoError(t, err)
	require.Equal(t, "0.75", feesOf(q, quote.NetworkFee).String(), "the network's own least fee, when it is more")
}

func TestAnEstimateMayBeOffByTheToleranceAndNotMore(t *testing.T) {
	for _, test := range []struct {
		estimate string
		code     fault.Code
	}{
		{"0.9", ""},
		{"0.909", ""},
		{"0.891", ""},
		{"0.90900001", fault.EstimateOff},
		{"0.8909", fault.EstimateOff},
		{"1.11", fault.EstimateOff},
		{"0,9", fault.FormatInvalid},
		{"-0.9", fault.FormatInvalid},
		{"9e-1", fault.FormatInvalid},
		{"0", fault.FormatInvalid},
		{"about one", fault.FormatInvalid},
	} {
		l := line(4, amount(t, eur, "100.00"))
		l.EstimatedRate = test.estimate

		_, err := quote.Make(fiat(l), market(), quote.Fees{Tolerance: rat("0.01")})
		if test.code == "" {
			require.NoError(t, err, test.estimate)
			continue
		}

		require.Equal(t, map[string]fault.Code{"/payments/4/estimatedRate": test.code}, refusals(t, err), test.estimate)
	}
}

func TestLimitsAreHeldAgainstTheValueInDollars(t *testing.T) {
	terms := quote.Terms{TransactionLimit: rat("200"), LeastPayment: rat("50")}

	for _, test := range []struct {
		first, second string
		want          map[string]fault.Code
	}{
		{"90.00", "90.00", nil},
		{"90.00", "90.01", map[string]fault.Code{"/payments": fault.ValueLimit}},
		{"45.00", "44.99", map[string]fault.Code{"/payments/1/amount": fault.AmountBelowLeast}},
		{"1.00", "1.00", map[string]fault.Code{
			"/payments/0/amount": fault.AmountBelowLeast,
			"/payments/1/amount": fault.AmountBelowLeast,
		}},
	} {
		in := fiat(line(0, amount(t, eur, test.first)), line(1, amount(t, eur, test.second)))

		_, err := quote.Make(in, market(), quote.Fees{Terms: terms})
		if test.want == nil {
			require.NoError(t, err)
			continue
		}

		require.Equal(t, test.want, refusals(t, err))
		in.Arrived = true
		_, err = quote.Make(in, market(), quote.Fees{Terms: terms})
		require.NoError(t, err, "money that has arrived is priced whatever the limits say")
	}
}

func TestEveryWrongFieldIsToldAtOnce(t *testing.T) {
	estimated := line(0, amount(t, eur, "100.00"))
	estimated.EstimatedRate = "2"

	_, err := quote.Make(fiat(estimated, line(1, amount(t, money.Asset{
		Code:     "XYZ",
		Decimals: 2,
	}, "1.00")), line(2, amount(t, eur, "1.00"))), market(),
		quote.Fees{Tolerance: rat("0.01"), Terms: quote.Terms{LeastPayment: rat("5")}})

	require.Equal(t, map[string]fault.Code{
		"/payments/0/estimatedRate":   fault.EstimateOff,
		"/payments/1/currencyIsoCode": fault.PairUnknown,
		"/payments/2/amount":          fault.AmountBelowLeast,
	}, refusals(t, err))

	_, err = quote.Make(fiat(estimated), marketOf(map[string]string{"EUR": "1"}), quote.Fees{})
	require.Equal(t, map[string]fault.Code{"/token": fault.PairUnknown}, refusals(t, err))
}

func TestWhatCannotBePricedIsAFaultOfTheProgram(t *testing.T) {
	many := make([]quote.LineRequest, 31)
	for i := range many {
		many[i] = line(i, amount(t, eur, "1.00"))
	}

	for name, in := range map[string]quote.Request{
		"no lines":   fiat(),
		"too many":   fiat(many...),
		"no amount":  fiat(quote.LineRequest{Currency: eur}),
		"no token":   {Kind: quote.Fiat, Lines: many[:1]},
		"other kind": {Kind: "CRYPTO", Token: usdc, Lines: many[:1]},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := quote.Make(in, market(), quote.Fees{})
			require.Error(t, err)
			_, refusal := fault.As(err)
			require.False(t, refusal)
		})
	}
}

// Invariants, for any amounts, rates, fees and 0 to 18 decimals on either side:
//  1. FIAT: the debit is the sum of lines and fees; ONRAMP: the credit is the lines less the fees, and the fees of
//     both are counted once.
//  2. Nothing is negative; a line that costs something is never free.
//  3. FIAT: the tokens of a line are worth its fiat at the market's rate or more, and by less than one base unit and
//     the cut of the rate
//     more. ONRAMP: worth it or less, by as little. So rounding never favours the side that asks, and never takes more than that.
//  4. Each fee is worth its price or more, by less than one base unit.
//  5. The market's rates are not changed, and the same request gives the same quote.
func TestQuotesConserveAndRoundAgainstWhoAsks(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		token := money.Asset{Code: "USDC", Decimals: rapid.IntRange(0, 18).Draw(rt, "token decimals")}
		kind := rapid.SampledFrom([]quote.Kind{quote.Fiat, quote.Onramp}).Draw(rt, "kind")
		m := map[quote.Pair]rates.Rate{}
		price := func(code string) {
			value := big.NewRat(
				rapid.Int64Range(1, 1<<50).Draw(rt, "rate "+code),
				rapid.Int64Range(1, 1<<30).Draw(rt, "per "+code),
			)
			m[quote.Pair{Base: "USDC", Quote: code}] = rates.Rate{Base: "USDC", Quote: code, Value: value}
		}
		price("USD")

		in := quote.Request{Kind: kind, Token: token}
		for i := range rapid.IntRange(1, 30).Draw(rt, "lines") {
			c := rapid.IntRange(0, 4).Draw(rt, "currency")

			asset := money.Asset{Code: "C" + strconv.Itoa(c), Decimals: c}
			if _, ok := m[quote.Pair{Base: "USDC", Quote: asset.Code}]; !ok {
				price(asset.Code)
			}

			in.Lines = append(in.Lines, quote.LineRequest{
				Position:  i,
				Currency:  asset,
				FiatUnits: big.NewInt(rapid.Int64Range(1, 1<<52).Draw(rt, "units")),
				Rail:      rapid.SampledFrom([]string{"", "SEPA", "SWIFT"}).Draw(rt, "rail"),
				Charges:   rapid.SampledFrom([]quote.Charges{"", quote.OUR, quote.SHA}).Draw(rt, "charges"),
			})
		}

		dollars := func(name string) money.Amount {
			return money.FromUnits(usd, big.NewInt(rapid.Int64Range(0, 10_000).Draw(rt, name)))
		}
		fees := quote.Fees{Schedule: quote.Schedule{
			Commission: big.NewRat(rapid.Int64Range(0, 500).Draw(rt, "commission"), 10_000),
			NetworkUSD: dollars("network"),
			Banking: map[string]quote.BankFees{
				"SEPA":  {Own: dollars("own")},
				"SWIFT": {Own: dollars("own"), OnTheWay: dollars("way")},
			},
		}}

		before := maps.Clone(m)

		for p, r := range before {
			r.Value = new(big.Rat).Set(r.Value)
			before[p] = r
		}

		defer func() {
			for p, r := range before {
				if r.Value.Cmp(m[p].Value) != 0 {
					rt.Fatal("the market was changed")
				}
			}
		}()

		q, err := quote.Make(in, m, fees)
		if err != nil {
			if _, ok := fault.As(err); !ok {
				rt.Fatal(err)
			}

			return // a rate beyond what can be quoted, or fees that take everything
		}

		check(rt, in, q, before)

		again, err := quote.Make(in, m, fees)
		if err != nil || !reflect.DeepEqual(again, q) {
			rt.Fatalf("another quote the second time: %v", err)
		}
	})
}

func check(rt *rapid.T, in quote.Request, q quote.Quote, m map[quote.Pair]rates.Rate) {
	lines := new(big.Int)
	fees := new(big.Int)

	unit := new(big.Rat).SetFrac(
		big.NewInt(1),
		new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(q.Token.Decimals)), nil),
	)
	for _, l := range q.Lines {
		lines.Add(lines, l.TokenUnits)
		market := m[quote.Pair{Base: "USDC", Quote: l.Currency.Code}].Value
		exact := new(big.Rat).Quo(money.FromUnits(l.Currency, l.FiatUnits).Rat(), market)
		got := money.FromUnits(q.Token, l.TokenUnits).Rat()
		// what cutting the rate costs at most
		cut := new(big.Rat).Quo(exact, new(big.Rat).Mul(l.Rate, big.NewRat(1_000_000_000_000, 1)))

		off := new(big.Rat).Sub(got, exact)
		if q.Kind == quote.Onramp {
			off.Neg(off)
		}

		if off.Sign() < 0 || off.Cmp(new(big.Rat).Add(unit, cut)) >= 0 {
			rt.Fatalf("%s %s at %s came to %s, exactly %s", l.FiatUnits, l.Currency.Code, market, got, exact)
		}

		if q.Kind == quote.Fiat && l.TokenUnits.Sign() <= 0 || l.TokenUnits.Sign() < 0 {
			rt.Fatalf("%s %s are free", l.FiatUnits, l.Currency.Code)
		}
	}

	for _, f := range q.Fees {
		fees.Add(fees, f.Amount.Units())

		if f.Amount.Sign() <= 0 {
			rt.Fatalf("a fee of %s", f.Amount)
		}

		if f.Of.Sign() > 0 {
			exact := new(big.Rat).Quo(f.Of.Rat(), m[quote.Pair{Base: "USDC", Quote: f.Of.Asset().Code}].Value)
			if off := new(big.Rat).Sub(f.Amount.Rat(), exact); off.Sign() < 0 || off.Cmp(unit) >= 0 {
				rt.Fatalf("a fee of %s %s came to %s", f.Of, f.Of.Asset().Code, f.Amount)
			}
		}
	}

	debit := new(big.Int).Add(lines, fees)

	credit := new(big.Int).Sub(lines, fees)
	if q.Kind == quote.Fiat && (q.TokenDebit.Cmp(debit) != 0 || q.TokenCredit.Sign() != 0) ||
		q.Kind == quote.Onramp &&
			(q.TokenCredit.Cmp(credit) != 0 || q.TokenCredit.Sign() <= 0 || q.TokenDebit.Sign() != 0) {
		rt.Fatalf("lines %s and fees %s became debit %s, credit %s", lines, fees, q.TokenDebit, q.TokenCredit)
	}

	if len(q.Lines) != len(in.Lines) || q.ValueUSD.Sign() < 0 {
		rt.Fatal("lines were lost")
	}
}

// The limit is 1 ms for the quote of 30 payments with all its fees.
func BenchmarkQuoteOf30Payments(b *testing.B) {
	m := marketOf(map[string]string{
		"USD": "0.9998",
		"EUR": "4999/5626",
		"JPY": "145.2312",
		"GBP": "0.75339",
		"INR": "85.3852",
	})
	codes := []money.Asset{eur, jpy, {Code: "GBP", Decimals: 2}, {Code: "INR", Decimals: 2}, usd}
	rails := []string{"SEPA", "SWIFT", "FASTER_PAYMENTS", "NEFT", "SWIFT"}

	var in quote.Request
	for i := range 30 {
		l := line(i, money.FromUnits(codes[i%5], big.NewInt(123_456+int64(i))))
		l.Rail = rails[i%5]
		l.Charges = quote.OUR
		l.EstimatedRate = decimalOf(m[quote.Pair{Base: "USDC", Quote: codes[i%5].Code}].Value)
		in.Lines = append(in.Lines, l)
	}

	in.Kind = quote.Fiat
	in.Token = money.Asset{Code: "USDC", Decimals: 18}
	fees := quote.Fees{
		Schedule:  schedule(b),
		Tolerance: rat("0.01"),
		Terms:     quote.Terms{TransactionLimit: rat("10000000"), LeastPayment: rat("1")},
	}
	b.ReportAllocs()

	for b.Loop() {
		if _, err := quote.Make(in, m, fees); err != nil {
			b.Fatal(err)
		}
	}

	b.ReportMetric(float64(time.Millisecond)/(float64(b.Elapsed())/float64(b.N)), "times_under_limit")
}

func decimalOf(r *big.Rat) string { return r.FloatString(4) }
