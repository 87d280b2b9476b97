package bookkeeping

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"slipway/internal/core/day"
	"slipway/internal/core/money"
	"slipway/internal/standards/bookfile"
)

// Balance is what stands on an account in one asset. Value is the sum of the values of its lines.
type Balance struct {
	Account Account
	Amount  money.Amount
	Value   money.Amount
	Unknown bool // a line of it has no rate, or is of a month closed in another currency, so the value is not known
}

// Report is the profit and loss of a period, and the balance sheet at its end. All values have the sign of their
// account: above zero is a debit.
type Report struct {
	From, On      time.Time // days, both included
	Home          money.Asset
	ProfitAndLoss []Balance
	BalanceSheet  []Balance
	Result        money.Amount // of the period; below zero: a profit
	Carried       money.Amount // result since the beginning, which the balance sheet has besides its accounts
	LeftOut       []string     // codes of assets with lines that have no value, and are in neither
}

// Balances returns the trial balance of a book at the end of a day: what stands on each account in each asset. A zero
// day is today, where the book is kept. Accounts with neither amount nor value are left out. The values sum to zero.
func (s *Service) Balances(ctx context.Context, house bool, on time.Time) ([]Balance, money.Asset, error) {
	b, err := s.bookOf(ctx, s.DB, mine(ctx, house))
	if err != nil {
		return nil, money.Asset{}, err
	}

	if on.IsZero() {
		on = s.today(b)
	}

	all := trial{}
	err = s.history(ctx, b, on.AddDate(0, 0, 1), on, func(l Line) error {
		all.add(l, b.home)
		return nil
	})

	return all.list(), b.home, err
}

// today returns the day it is where a book is kept.
func (s *Service) today(b book) time.Time {
	return day.Of(s.DB.Now().In(cmp.Or(b.period.Zone, time.UTC)))
}

// Report returns profit and loss from a day to another, and the balance sheet at the end of the second. What has no
// rate, or is of a month closed in another currency, is in neither of them: LeftOut names it, and the trial balance
// shows it.
func (s *Service) Report(ctx context.Context, house bool, from, on time.Time) (Report, error) {
	b, err := s.bookOf(ctx, s.DB, mine(ctx, house))
	if err != nil {
		return Report{}, err
	}

	out := Report{
		From:    from,
		On:      on,
		Home:    b.home,
		Result:  money.Zero(b.home),
		Carried: money.Zero(b.home),
	}
	period := trial{}
	stands := trial{}
	leftOut := map[string]bool{}

	err = s.history(ctx, b, from, on, func(l Line) error {
		switch {
		case l.Value == nil || l.Home != b.home:
			leftOut[l.Asset] = true
		case l.Account.Class != bookfile.Income && l.Account.Class != bookfile.Expense:
			stands.add(l, b.home)
		default:
			out.Carried = out.Carried.Add(*l.Value)

			if !l.Day.Before(from) {
				out.Result = out.Result.Add(*l.Value)
				period.add(l, b.home)
			}
		}

		return nil
	})

	out.ProfitAndLoss = period.list()
	out.BalanceSheet = stands.list()
	out.LeftOut = slices.Sorted(maps.Keys(leftOut))

	return out, err
}

type balanceKey struct{ number, kind, asset string }

// trial is the balances of a book while they are added up.
type trial map[balanceKey]*Balance

func (all trial) add(l Line, home money.Asset) {
	k := balanceKey{l.Account.Number, l.Account.Kind, l.Asset}

	b := all[k]
	if b == nil {
		b = &Balance{Account: l.Account, Amount: money.Zero(l.Amount.Asset()), Value: money.Zero(home)}
		all[k] = b
	}

	b.Amount = sum(b.Amount, l.Amount)

	if l.Value == nil || l.Home != home {
		b.Unknown = true
		return
	}

	b.Value = b.Value.Add(*l.Value)
}

// sum adds two amounts of one code, which may have other decimals on another network.
func sum(a, b money.Amount) money.Amount {
	if a.Asset() == b.Asset() {
		return a.Add(b)
	}

	wide := money.Asset{Code: a.Asset().Code, Decimals: max(a.Asset().Decimals, b.Asset().Decimals)}

	return widened(a, wide).Add(widened(b, wide))
}

// widened returns an amount with more decimals.
func widened(a money.Amount, as money.Asset) money.Amount {
	if a.Sign() < 0 {
		return money.FromRat(as, a.Neg().Rat(), money.HalfEven).Neg()
	}

	return money.FromRat(as, a.Rat(), money.HalfEven)
}

func (all trial) list() []Balance {
	out := []Balance{}

	for _, b := range all {
		if b.Amount.Sign() != 0 || b.Value.Sign() != 0 {
			out = append(out, *b)
		}
	}

	slices.SortFunc(out, func(x, y Balance) int {
		return cmp.Or(
			strings.Compare(x.Account.Number, y.Account.Number),
			strings.Compare(x.Account.Kind, y.Account.Kind),
			strings.Compare(x.Amount.Asset().Code, y.Amount.Asset().Code),
		)
	})

	return out
}
