package overview

import (
	"context"
	"maps"
	"math/big"
	"slices"
	"time"

	"slipway/internal/core/money"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/db"
)

// PaidView is what was paid in one currency.
type PaidView struct {
	Currency string     `json:"currency" doc:"code of the currency or token"`
	Weeks    []WeekView `json:"weeks" nullable:"false" doc:"every week that was asked for, the oldest first"`
}

// WeekView is what was paid in a week.
type WeekView struct {
	Week string `json:"week" format:"date" doc:"its Monday; days are those of UTC" example:"2026-11-23"`
	SumView
}

// SettledView is how long transactions took, in classes: exact counts, and no averages that one late payment moves.
type SettledView struct {
	Transactions int64       `json:"transactions" doc:"completed in these weeks" example:"128"`
	Half         *int64      `json:"halfWithinSeconds" example:"300" doc:"half of them took no longer than this; null: there are none, or it is longer than the longest class"`
	Classes      []ClassView `json:"classes" nullable:"false" doc:"the shortest first"`
}

// ClassView is how many transactions took a time.
type ClassView struct {
	Seconds      *int64 `json:"withinSeconds" example:"300" doc:"no longer than this, and longer than the class before; null: longer than all others"`
	Transactions int64  `json:"transactions" doc:"how many of this class" example:"96"`
}

// classes are the upper ends of the classes, in seconds; 0 is the class of all that took longer.
func classes() []int64 { return []int64{60, 300, 900, 3_600, 14_400, 86_400, 259_200, 604_800, 0} }

// classOf returns the class of a time.
func classOf(took time.Duration) int64 {
	for _, c := range classes() {
		if c > 0 && took <= time.Duration(c)*time.Second {
			return c
		}
	}

	return 0
}

// sum is an amount that grows. A token may have other decimals on another network: the sum has the most of all.
type sum struct {
	asset    money.Asset
	units    *big.Int
	payments int64
}

// sums are sums by currency.
type sums map[string]*sum

// add adds an amount of so many payments.
func (s sums) add(a money.Amount, payments int64) {
	x := s[a.Asset().Code]
	if x == nil {
		x = &sum{asset: a.Asset(), units: new(big.Int)}
		s[a.Asset().Code] = x
	}

	most := max(x.asset.Decimals, a.Asset().Decimals)
	x.units = new(big.Int).Add(scaled(x.units, most-x.asset.Decimals), scaled(a.Units(), most-a.Asset().Decimals))
	x.asset.Decimals = most
	x.payments += payments
}

// scaled returns units with more decimals.
func scaled(units *big.Int, more int) *big.Int {
	return new(big.Int).Mul(units, new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(more)), nil))
}

// view returns the sum of a currency, which is zero where nothing was added.
func (s sums) view(currency string) SumView {
	x := s[currency]
	if x == nil {
		return SumView{Amount: "0"}
	}

	return SumView{Amount: money.Format(x.units, x.asset.Decimals), Payments: x.payments}
}

// figures are what completed transactions have paid, and how long they took.
type figures struct {
	paid    map[string]sums  // by day
	settled map[string]int64 // by day and class, see settledKey
}

func newFigures() figures { return figures{paid: map[string]sums{}, settled: map[string]int64{}} }

// add adds a completed transaction that ended at a moment. What an on-ramp delivers is bought, not paid.
func (f figures) add(t transaction.Transaction, at time.Time) {
	if t.AcceptedAt.IsZero() {
		return
	}

	day := at.UTC().Format(time.DateOnly)
	f.settled[settledKey(day, classOf(at.Sub(t.AcceptedAt)))]++

	for _, p := range t.Payments {
		if p.Outcome != transaction.PaymentCompleted {
			continue
		}

		amount := t.Amount(p)
		if t.Type == transaction.TypeFiat {
			amount = p.Fiat()
		}

		if f.paid[day] == nil {
			f.paid[day] = sums{}
		}

		f.paid[day].add(amount, 1)
	}
}

// firstWeek returns the Monday of the first of so many weeks, of which the present one is the last.
func firstWeek(now time.Time, weeks int) time.Time { return monday(now).AddDate(0, 0, -7*(weeks-1)) }

// monday returns the first day of a moment's week.
func monday(at time.Time) time.Time {
	day := at.UTC().Truncate(24 * time.Hour)
	return day.AddDate(0, 0, -(int(day.Weekday())+6)%7)
}

// readPaid fills in what was paid since a Monday: the days that the job has added up, and what was completed since.
func (s *Service) readPaid(
	ctx context.Context, q db.Querier, v *View, organisation string, from, now time.Time,
) error {
	f, err := storedFigures(ctx, q, organisation, from)
	if err != nil {
		return err
	}

	if v.PaidAsOf, err = addUncounted(ctx, q, f, organisation, from, now); err != nil {
		return err
	}

	v.PaidAsOf = v.PaidAsOf.Truncate(time.Millisecond)
	v.Paid = paidViews(f, from, now)
	v.Settled = settledView(f)

	return nil
}

// paidViews returns every week of every currency in which something was paid.
func paidViews(f figures, from, now time.Time) []PaidView {
	weeks := map[string]sums{}
	currencies := map[string]bool{}

	for day, all := range f.paid {
		at, err := time.Parse(time.DateOnly, day)
		if err != nil {
			continue // the service writes no other
		}

		week := monday(at).Format(time.DateOnly)
		if weeks[week] == nil {
			weeks[week] = sums{}
		}

		for currency, x := range all {
			currencies[currency] = true
			weeks[week].add(money.FromUnits(x.asset, x.units), x.payments)
		}
	}

	out := []PaidView{}

	for _, currency := range slices.Sorted(maps.Keys(currencies)) {
		v := PaidView{Currency: currency, Weeks: []WeekView{}}

		for at := from; !at.After(now); at = at.AddDate(0, 0, 7) {
			week := at.Format(time.DateOnly)
			v.Weeks = append(v.Weeks, WeekView{Week: week, SumView: weeks[week].view(currency)})
		}

		out = append(out, v)
	}

	return out
}

// settledView returns the classes with their counts.
func settledView(f figures) SettledView {
	counts := map[int64]int64{}
	v := SettledView{Classes: []ClassView{}}

	for key, n := range f.settled {
		_, class := readSettledKey(key)
		counts[class] += n
		v.Transactions += n
	}

	below := int64(0)

	for _, class := range classes() {
		n := counts[class]
		view := ClassView{Transactions: n}

		if class > 0 {
			view.Seconds = &class
		}

		crossed := 2*below < v.Transactions && 2*(below+n) >= v.Transactions
		if crossed && class > 0 {
			v.Half = &class
		}

		below += n

		v.Classes = append(v.Classes, view)
	}

	return v
}

// join adds other figures, of the days from one on.
func (f figures) join(other figures, from time.Time) {
	first := from.Format(time.DateOnly)

	for day, all := range other.paid {
		if day < first {
			continue
		}

		if f.paid[day] == nil {
			f.paid[day] = sums{}
		}

		for _, x := range all {
			f.paid[day].add(money.FromUnits(x.asset, x.units), x.payments)
		}
	}

	for key, n := range other.settled {
		if day, _ := readSettledKey(key); day >= first {
			f.settled[key] += n
		}
	}
}
