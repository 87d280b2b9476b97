package quote

import (
	"math/big"
	"slices"
	"time"

	"slipway/internal/core/fault"
	"slipway/internal/core/money"
)

// View is the quote of a transaction as clients see it.
type View struct {
	ID             string     `json:"_id,omitempty" doc:"none while it is not locked"`
	Rate           string     `json:"rate" doc:"fiat for one token; empty when the payments are in several currencies"`
	Rates          []RateView `json:"rates" nullable:"false" doc:"one for each currency"`
	LockedSide     string     `json:"lockedSide" enum:"RECEIVING,SENDING" doc:"RECEIVING: the fiat amounts are fixed; SENDING: the deposit is"`
	LockedAt       *time.Time `json:"lockedAt"`
	ExpiresAt      *time.Time `json:"expiresAt"`
	CommissionType string     `json:"commissionType" enum:"STANDARD,CUSTOM,PARTNER"`
}

// RateView is the rate of one currency.
type RateView struct {
	CurrencyIsoCode string    `json:"currencyIsoCode"`
	Rate            string    `json:"rate" doc:"fiat for one token"`
	AsOf            time.Time `json:"asOf" doc:"when the market had it"`
	Source          string    `json:"source"`
}

// FeeView is one fee.
type FeeView struct {
	Type      string `json:"type" enum:"NETWORK,BANKING,COMMISSION"`
	Amount    string `json:"amount"`
	Asset     string `json:"asset"`
	Payment   *int   `json:"payment" doc:"position of the payment it belongs to; null: the whole transaction"`
	Percent   string `json:"percent,omitempty" doc:"of a commission"`
	Of        string `json:"of,omitempty" doc:"what it was worked out from, such as 0.20 EUR"`
	GivenBack string `json:"givenBack,omitempty" example:"1.25" doc:"FIAT: what of it is back in the wallet with a refund; ONRAMP: all of it, if the conversion was undone"`
}

// TotalsView is what goes out and what comes in. Amounts of the other type of transaction are left out.
type TotalsView struct {
	TokenDebit  string       `json:"tokenDebit,omitempty" doc:"what leaves the wallet, fees included"`
	TokenCredit string       `json:"tokenCredit,omitempty" doc:"what reaches the wallet, fees taken off"`
	FiatOut     []AmountView `json:"fiatOut,omitempty" doc:"what is paid out, by currency"`
	FiatIn      []AmountView `json:"fiatIn,omitempty" doc:"what is to be deposited"`
}

// AmountView is an amount of a currency.
type AmountView struct {
	CurrencyIsoCode string `json:"currencyIsoCode"`
	Amount          string `json:"amount"`
}

// View returns the quote as clients see it.
func (q Quote) View() View {
	v := View{
		ID:             q.ID,
		Rates:          []RateView{},
		LockedSide:     "RECEIVING",
		LockedAt:       shown(q.LockedAt),
		ExpiresAt:      shown(q.ExpiresAt),
		CommissionType: string(q.Commission),
	}
	if q.Kind == Onramp {
		v.LockedSide = "SENDING"
	}

	for _, l := range q.byCurrency() {
		v.Rates = append(v.Rates, RateView{
			CurrencyIsoCode: l.Currency.Code,
			Rate:            decimal(l.Rate, RateDecimals),
			AsOf:            l.AsOf.Truncate(time.Millisecond),
			Source:          l.Source,
		})
	}

	if len(v.Rates) == 1 {
		v.Rate = v.Rates[0].Rate
	}

	return v
}

// byCurrency returns the first line of each currency, in the order of the payments.
func (q Quote) byCurrency() []Line {
	var out []Line

	seen := map[string]bool{}
	for _, l := range q.Lines {
		if !seen[l.Currency.Code] {
			seen[l.Currency.Code] = true
			out = append(out, l)
		}
	}

	return out
}

// shown returns a time as clients see it, or nil for the zero time.
func shown(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}

	t = t.Truncate(time.Millisecond)

	return &t
}

// FeeViews returns each fee by itself.
func (q Quote) FeeViews() []FeeView {
	out := make([]FeeView, len(q.Fees))
	for i, f := range q.Fees {
		out[i] = FeeView{Type: string(f.Type), Amount: f.Amount.String(), Asset: q.Token.Code, Percent: f.Percent}
		if f.Position != Whole {
			position := f.Position
			out[i].Payment = &position
		}

		if f.Of.Sign() > 0 {
			out[i].Of = f.Of.String() + " " + f.Of.Asset().Code
		}
	}

	return out
}

// FeesGivenBack returns what of each fee goes back with the refunds of some payments, in the order of the fees. The
// position Whole stands for a refund of everything.
func (q Quote) FeesGivenBack(positions []int) []money.Amount {
	out := make([]money.Amount, len(q.Fees))

	for i, f := range q.Fees {
		out[i] = money.Zero(q.Token)

		if slices.Contains(positions, Whole) {
			out[i] = f.Amount
			continue
		}

		for _, l := range q.Lines {
			if slices.Contains(positions, l.Position) {
				out[i] = out[i].Add(q.FeeOf(f, l))
			}
		}
	}

	return out
}

// FeeOf returns how much of a fee goes back together with one payment: the payment's own fees, and of a commission on
// the whole transaction the payment's share, rounded down. The network's fee stays, because the chain was used.
func (q Quote) FeeOf(f Fee, l Line) money.Amount {
	switch {
	case f.Position == l.Position:
		return f.Amount
	case f.Position != Whole || f.Type != CommissionFee:
		return money.Zero(q.Token)
	}

	sum := new(big.Int)
	for _, x := range q.Lines {
		sum.Add(sum, x.TokenUnits)
	}

	if sum.Sign() == 0 {
		return money.Zero(q.Token)
	}

	share := new(big.Int).Mul(f.Amount.Units(), l.TokenUnits)

	return money.FromUnits(q.Token, share.Quo(share, sum))
}

// TotalsView returns the totals.
func (q Quote) TotalsView() TotalsView {
	var fiat []AmountView
	for _, a := range q.FiatTotals() {
		fiat = append(fiat, AmountView{CurrencyIsoCode: a.Asset().Code, Amount: a.String()})
	}

	if q.Kind == Onramp {
		return TotalsView{TokenCredit: money.Format(q.TokenCredit, q.Token.Decimals), FiatIn: fiat}
	}

	return TotalsView{TokenDebit: money.Format(q.TokenDebit, q.Token.Decimals), FiatOut: fiat}
}

// FiatTotals returns the sum of the payments in each currency, in the order of the payments: what must be bought of
// each.
func (q Quote) FiatTotals() []money.Amount {
	return q.totals(func(l Line) money.Amount { return money.FromUnits(l.Currency, l.FiatUnits) })
}

func (q Quote) totals(of func(Line) money.Amount) []money.Amount {
	var out []money.Amount
	for _, first := range q.byCurrency() {
		sum := of(first)
		for _, l := range q.Lines {
			if l.Currency == first.Currency && l.Position != first.Position {
				sum = sum.Add(of(l))
			}
		}

		out = append(out, sum)
	}

	return out
}

// ExpiredView is what the refusal 409 QUOTE_EXPIRED has besides a problem document.
type ExpiredView struct {
	PreviousRate string       `json:"previousRate,omitempty" doc:"where the payments are in one currency"`
	NewRate      string       `json:"newRate,omitempty" doc:"where the payments are in one currency"`
	Rates        []rateChange `json:"rates,omitempty" nullable:"false" doc:"one for each currency"`
	Quote        *View        `json:"quote,omitempty" doc:"the new price; accepting again takes it"`
	Fees         []FeeView    `json:"fees,omitempty" nullable:"false" doc:"at the new price"`
	Totals       *TotalsView  `json:"totals,omitempty" doc:"at the new price"`
}

// rateChange is one currency's previous and new rate.
type rateChange struct {
	CurrencyIsoCode string `json:"currencyIsoCode"`
	PreviousRate    string `json:"previousRate" doc:"fiat for one token, of the quote that is over"`
	NewRate         string `json:"newRate" doc:"fiat for one token, of the new quote"`
}

// Expired returns the refusal 409 QUOTE_EXPIRED. It contains the previous and the new rate of each currency, and what
// the wallet would pay now.
func Expired(before, now Quote) error {
	old := map[string]string{}
	for _, r := range before.View().Rates {
		old[r.CurrencyIsoCode] = r.Rate
	}

	var changes []rateChange
	for _, r := range now.View().Rates {
		changes = append(changes, rateChange{r.CurrencyIsoCode, old[r.CurrencyIsoCode], r.Rate})
	}

	f := fault.New(
		fault.Conflict,
		fault.QuoteExpired,
		"The quote's time was over, so there is a new one until %s. Look at its rate; accepting again takes it.",
		now.ExpiresAt.Format(time.RFC3339),
	).With("rates", changes).With("quote", now.View()).With("fees", now.FeeViews()).With("totals", now.TotalsView())
	if len(changes) == 1 {
		f = f.With("previousRate", changes[0].PreviousRate).With("newRate", changes[0].NewRate)
	}

	return f
}
