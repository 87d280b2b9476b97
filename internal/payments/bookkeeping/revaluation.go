package bookkeeping

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"slipway/internal/core/caller"
	"slipway/internal/core/money"
	"slipway/internal/directory/refdata"
	"slipway/internal/payments/chart"
	"slipway/internal/payments/dayrate"
	"slipway/internal/payments/ledger"
	"slipway/internal/platform/db"
)

// When a month is closed, what the book has in foreign currencies, and its tokens if the organisation wants that, is
// valued at the rate of the last day. On the first day of the next month the entry is reversed, so that realised
// results are those of the whole time (IAS 21.23 and 21.28, § 256a HGB). The amounts pass over the accounts; the values
// are stored with the closed month. Once it is opened again they are gone, and the entry changes nothing.

// openKinds are the accounts of money that is still to come or to go. What was paid is no item of a balance sheet here.
var openKinds = []string{"suspense", "clearing", "held", "receivable"}

// stand is what stands on an account of the ledger in one asset.
type stand struct {
	account      string
	units, value money.Amount
	foreign      bool // a line of it has another home currency, or no value
}

// revalue posts the valuation of a month's end, and its reversal. It does nothing if nothing changes.
func (s *Service) revalue(ctx context.Context, tx *db.Tx, b book, set Settings, month, end time.Time) error {
	rates, err := dayrate.On(ctx, tx, end.AddDate(0, 0, -1))
	if err != nil {
		return err
	}

	stands, err := s.standsOf(ctx, tx, b, set, end)
	if err != nil {
		return err
	}

	e := chart.Revalued{
		Of:     chart.Of{Organisation: b.period.Organisation},
		Period: month.Format(monthForm),
		Number: tx.Now.UnixMicro(),
	}

	var values []money.Amount // of the event's lines, in their order

	for _, x := range stands {
		now, ok := rates.Value(x.units, b.home)
		if x.foreign || x.units.Sign() == 0 || !ok || now.Cmp(x.value) == 0 {
			continue
		}

		e.Parts = append(e.Parts, chart.RevaluedPart{Account: ledger.Account(x.account), Amount: x.units})
		values = append(values, now, x.value.Neg(), now.Neg(), x.value)
	}

	if len(e.Parts) == 0 {
		return nil
	}

	last := end.AddDate(0, 0, -1)
	reversed := chart.RevaluationReversed{Revalued: e}

	for key, sign := range map[string]int{e.Journal().Key: 1, reversed.Journal().Key: -1} {
		for i, v := range values {
			if sign < 0 {
				v = v.Neg()
			}

			tx.Insert(insertCost, key, int64(i), e.Organisation, e.Period, v.Units().String(), "[]")
		}
	}

	if err := chart.PostOn(tx, ledger.OfBank(last, last), e); err != nil {
		return err
	}

	return chart.PostOn(tx, ledger.OfBank(end, end), reversed)
}

// standsOf returns what stands before a day on the accounts that are valued anew, in their order.
func (s *Service) standsOf(
	ctx context.Context, q db.Querier, b book, set Settings, end time.Time,
) ([]stand, error) {
	opened, err := openingsOf(ctx, q, b.period.Organisation, "withdrawn_at = 0")
	if err != nil {
		return nil, err
	}

	wanted := func(l Line) bool {
		kind, _, _ := strings.Cut(l.Entry.Account, "/")
		_, currency := refdata.All().Currency(l.Asset)

		switch {
		case l.Asset == b.home.Code:
			return false
		case !currency:
			return set.RevalueTokens && kind == walletKind
		case kind == "sender": // the organisation's money at its bank, if the book knows how much there is
			return set.RevalueCurrencies &&
				slices.ContainsFunc(opened, func(o Opening) bool { return string(o.Account) == l.Entry.Account })
		default:
			return set.RevalueCurrencies && slices.Contains(openKinds, kind)
		}
	}

	c, err := s.costsOf(ctx, q, b, end)
	if err != nil {
		return nil, err
	}

	all := map[string]*stand{}
	page := caller.Window{Limit: pageSize, Uncounted: true}
	part := b.until(time.Time{}, end.AddDate(0, 0, -1))

	for {
		lines, _, err := s.figures(ctx, q, part, page, b.home, c)
		if err != nil {
			return nil, err
		}

		lines, next := caller.Cut(lines, page, Line.Position)

		for _, l := range lines {
			if wanted(l) {
				add(all, l, b.home)
			}
		}

		if next == "" {
			break
		}

		page.After = next
	}

	out := make([]stand, 0, len(all))
	for _, x := range all {
		out = append(out, *x)
	}

	slices.SortFunc(out, func(x, y stand) int {
		return strings.Compare(x.account+" "+x.units.Asset().Code, y.account+" "+y.units.Asset().Code)
	})

	return out, nil
}

func add(all map[string]*stand, l Line, home money.Asset) {
	key := l.Entry.Account + " " + l.Asset

	x := all[key]
	if x == nil {
		x = &stand{account: l.Entry.Account, units: money.Zero(l.Amount.Asset()), value: money.Zero(home)}
		all[key] = x
	}

	x.units = x.units.Add(l.Amount)

	if l.Value == nil || l.Home != home {
		x.foreign = true
		return
	}

	x.value = x.value.Add(*l.Value)
}

// revalued sets the stored values of a valuation's lines.
func (c *costs) revalued(lines []Line) {
	for i := range lines {
		l := &lines[i]
		if known, ok := c.known[storedAt(*l)]; ok && l.Value != nil {
			l.setValue(known.value, ByRevaluation)
		}
	}
}

// storedAt returns under what the value of a line is stored: its position, or that in a valuation's journal, by its
// key.
func storedAt(l Line) string {
	if l.Kind == ledger.KindBookRevaluation {
		return l.Key + ":" + strconv.FormatInt(l.Line, 10)
	}

	return l.Position()
}
