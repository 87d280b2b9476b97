package bookkeeping

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"slipway/internal/core/caller"
	"slipway/internal/core/day"
	"slipway/internal/core/fault"
	"slipway/internal/core/money"
	"slipway/internal/directory/refdata"
	"slipway/internal/identity/approval"
	"slipway/internal/identity/organisation"
	"slipway/internal/identity/user"
	"slipway/internal/payments/dayrate"
	"slipway/internal/payments/ledger"
	"slipway/internal/platform/db"
	"slipway/internal/platform/trail"
	"slipway/internal/platform/words"
)

// monthForm is how a month is named: 2026-12.
const monthForm = "2006-01"

// maxPeriods limits the months that are listed, the newest ones.
const maxPeriods = 120

// Period is a month of an organisation's book.
type Period struct {
	Name     string    // 2026-12
	From, To time.Time // days, both included
	Over     bool
	Closed   *Closing // nil: it is open
	Next     Action   // what may happen to it next; empty: nothing
	Pending  string   // identifier of the approval that Next waits for
}

// Action is what people do with a period.
type Action string

// The actions.
const (
	ActionClose  Action = "CLOSE"
	ActionReopen Action = "REOPEN"
)

// Closing is by whom and why a period was closed.
type Closing struct {
	By, Reason string
	At         time.Time
}

// kept is what the values of a closed period's lines depend on, as of the closing.
type kept struct {
	Currency string            `json:"currency"`
	Accounts []Account         `json:"accounts"`
	Rates    map[string]string `json:"rates"`   // by day, the day of the rates that count on it
	Awaited  map[string]bool   `json:"awaited"` // days whose own rates might still have come
	Settings Settings          `json:"settings"`
	Lots     map[string][]Lot  `json:"lots"` // that are left at the end, see costs.state
}

// asked is what an approval of a period's closing holds.
type asked struct {
	Action Action `json:"action"`
	Reason string `json:"reason"`
}

// Periods returns the months of the caller's book, newest first: from that of its first line to the present one.
func (s *Service) Periods(ctx context.Context, q db.Querier, org string) ([]Period, error) {
	b, err := s.calendarOf(ctx, q, org)
	if err != nil || b.first.IsZero() {
		return nil, err
	}

	var out []Period

	for m := b.last; !m.Before(b.first) && len(out) < maxPeriods; m = m.AddDate(0, -1, 0) {
		p := b.period(m)

		if p.Next != "" {
			if p.Pending, err = approval.OpenAbout(ctx, q, org, approval.Period, p.Name); err != nil {
				return nil, err
			}
		}

		out = append(out, p)
	}

	return out, nil
}

// calendar is how far an organisation's book goes and is closed.
type calendar struct {
	organisation organisation.Organisation
	today        time.Time
	first, last  time.Time // months
	open         time.Time // the first open day; zero: nothing is closed
	closings     map[string]Closing
}

// calendarOf reads how far a book goes. An empty one has no first month.
func (s *Service) calendarOf(ctx context.Context, q db.Querier, org string) (b calendar, err error) {
	if b.organisation, err = organisation.ByID(ctx, q, org); err != nil {
		return b, err
	}

	b.today = day.Of(s.DB.Now().In(b.organisation.Zone()))
	b.last = monthOf(b.today)

	first, ok, err := ledger.FirstDay(ctx, q, org, b.organisation.Zone())
	if err != nil || !ok {
		return b, err
	}

	b.first = monthOf(first)

	if b.closings, err = closingsOf(ctx, q, org); err != nil {
		return b, err
	}

	for name := range b.closings {
		month, err := time.Parse(monthForm, name)
		if err != nil {
			return b, fmt.Errorf("closed period of %s: %w", org, err)
		}

		b.first = earlier(b.first, month)

		if next := month.AddDate(0, 1, 0); next.After(b.open) {
			b.open = next
		}
	}

	return b, nil
}

func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}

	return a
}

func monthOf(d time.Time) time.Time { return time.Date(d.Year(), d.Month(), 1, 0, 0, 0, 0, time.UTC) }

// next returns the month that may be closed next.
func (b calendar) next() time.Time {
	if b.open.IsZero() {
		return b.first
	}

	return b.open
}

func (b calendar) period(month time.Time) Period {
	p := Period{
		Name: month.Format(monthForm),
		From: month,
		To:   month.AddDate(0, 1, -1),
	}
	p.Over = b.today.After(p.To)

	if c, ok := b.closings[p.Name]; ok {
		p.Closed = &c
	}

	switch {
	case p.Closed != nil && month.AddDate(0, 1, 0).Equal(b.open):
		p.Next = ActionReopen
	case p.Closed == nil && p.Over && month.Equal(b.next()):
		p.Next = ActionClose
	}

	return p
}

// allows refuses what may not happen to a month now.
func (b calendar) allows(month time.Time, do Action) error {
	name := month.Format(monthForm)

	switch p := b.period(month); {
	case b.first.IsZero():
		return fault.New(
			fault.Conflict,
			fault.PeriodOutOfOrder,
			"The book has no line yet, so there is no month to close.",
		)
	case p.Next == do:
		return nil
	case do == ActionReopen && p.Closed == nil:
		return fault.New(fault.Conflict, fault.PeriodOutOfOrder, "%s is not closed.", name)
	case do == ActionReopen:
		return fault.New(fault.Conflict, fault.PeriodOutOfOrder,
			"Months are reopened from the last one back; that is %s.", b.open.AddDate(0, -1, 0).Format(monthForm))
	case p.Closed != nil:
		return fault.New(fault.Conflict, fault.PeriodOutOfOrder, "%s is closed already.", name)
	case !p.Over:
		return fault.New(fault.Conflict, fault.PeriodNotOver,
			"%s ends on %s in the organisation's time zone.", name, p.To.Format(time.DateOnly))
	default:
		return fault.New(fault.Conflict, fault.PeriodOutOfOrder,
			"Months are closed one after the other; the next one is %s.", b.next().Format(monthForm))
	}
}

// Decide closes or reopens a month of the caller's book, or, under the organisation's policy, asks a second admin to.
// A second call with the same action is refused, since the month is closed, or open, already.
func (s *Service) Decide(
	ctx context.Context,
	name string,
	do Action,
	reason string,
	done func(*db.Tx, Period) error,
) error {
	var l fault.List

	reason = user.CheckText(&l, "/reason", reason, 500, true)

	month, err := time.Parse(monthForm, name)
	if err != nil {
		l.AddParameter("path", "period", fault.FormatInvalid, "must be a month such as 2026-12.")
	}

	if err := l.Err(); err != nil {
		return err
	}

	s.refresh(ctx)

	org := caller.Of(ctx).Organisation

	return s.DB.Write(ctx, func(tx *db.Tx) error {
		b, err := s.calendarOf(ctx, tx, org)
		if err != nil {
			return err
		}

		if err := b.allows(month, do); err != nil {
			return err
		}

		policy, err := organisation.PolicyOf(ctx, tx, org)
		if err != nil {
			return err
		}

		if policy.Asks() {
			a, err := s.ask(ctx, tx, org, name, asked{do, reason})
			if err != nil {
				return err
			}

			p := b.period(month)
			p.Pending = a.ID

			return done(tx, p)
		}

		if err := s.carryOut(ctx, tx, b, month, asked{do, reason}, caller.Of(ctx).User); err != nil {
			return err
		}

		if b, err = s.calendarOf(ctx, tx, org); err != nil {
			return err
		}

		return done(tx, b.period(month))
	})
}

// ask asks a second admin.
func (s *Service) ask(ctx context.Context, tx *db.Tx, org, name string, a asked) (approval.Approval, error) {
	raw, err := json.Marshal(a)
	if err != nil {
		return approval.Approval{}, fmt.Errorf("encode what is asked for %s: %w", name, err)
	}

	summary := words.Phrase("Close the book of %[1]s: %[2]s", name, a.Reason)
	if a.Action == ActionReopen {
		summary = words.Phrase("Reopen the book of %[1]s: %[2]s", name, a.Reason)
	}

	return s.Approvals.Ask(ctx, tx, approval.Request{
		Organisation: org,
		Kind:         approval.Period,
		Object:       name,
		Summary:      summary,
		Data:         string(raw),
	})
}

// decided carries out what a second admin has approved.
func (s *Service) decided(ctx context.Context, tx *db.Tx, a approval.Approval) error {
	if a.Status != approval.Approved {
		return nil
	}

	var what asked
	if err := json.Unmarshal([]byte(a.Data), &what); err != nil {
		return fmt.Errorf("decode what %s asks: %w", a.ID, err)
	}

	month, err := time.Parse(monthForm, a.Object)
	if err != nil {
		return fmt.Errorf("period of %s: %w", a.ID, err)
	}

	b, err := s.calendarOf(ctx, tx, a.Organisation)
	if err != nil {
		return err
	}

	if err := b.allows(month, what.Action); err != nil {
		return err
	}

	return s.carryOut(ctx, tx, b, month, what, a.RequestedBy)
}

// carryOut closes or reopens a month.
func (s *Service) carryOut(ctx context.Context, tx *db.Tx, b calendar, month time.Time, a asked, by string) error {
	org := b.organisation.ID
	name := month.Format(monthForm)
	what := "bookkeeping.closed"

	if a.Action == ActionReopen {
		what = "bookkeeping.reopened"

		if err := deletePeriod(tx, org, name); err != nil {
			return err
		}

		if err := deleteCosts(tx, org, name); err != nil {
			return err
		}

		if err := ledger.Reopen(tx, org, name); err != nil {
			return err
		}
	} else if err := s.close(ctx, tx, b, month, Closing{By: by, Reason: a.Reason, At: tx.Now}); err != nil {
		return err
	}

	trail.Audit(ctx, tx, org, what, name, a.Reason)

	return trail.Event(tx, what, org, org+"/"+name, tx.Now.UnixMicro(), periodNotice{Period: name, Reason: a.Reason})
}

// periodNotice is what an event tells about a period.
type periodNotice struct {
	Period string `json:"period"`
	Reason string `json:"reason"`
}

// close keeps a month's journals, and what the values of its lines depend on.
func (s *Service) close(ctx context.Context, tx *db.Tx, b calendar, month time.Time, c Closing) error {
	home, err := s.home(b.organisation)
	if err != nil {
		return err
	}

	chart, err := ChartOf(ctx, tx, b.organisation.ID)
	if err != nil {
		return err
	}

	newest, err := dayrate.Newest(ctx, tx)
	if err != nil {
		return err
	}

	k := kept{
		Currency: home.Code,
		Accounts: chart.list(),
		Rates:    map[string]string{},
		Awaited:  map[string]bool{},
	}

	end := month.AddDate(0, 1, 0)
	for d := month; d.Before(end); d = d.AddDate(0, 0, 1) {
		rates, err := dayrate.On(ctx, tx, d)
		if err != nil {
			return err
		}

		if rates.Known() {
			k.Rates[d.Format(time.DateOnly)] = rates.Date.Format(time.DateOnly)
		}

		if newest.Before(d) {
			k.Awaited[d.Format(time.DateOnly)] = true
		}
	}

	name := month.Format(monthForm)

	if err := s.keepCosts(ctx, tx, b.organisation.ID, month, end, &k); err != nil {
		return err
	}

	if err := insertPeriod(tx, b.organisation.ID, name, k, c); err != nil {
		return err
	}

	_, err = ledger.Close(ctx, tx, ledger.Period{
		Organisation: b.organisation.ID,
		Zone:         b.organisation.Zone(),
		Open:         b.open,
		Before:       end,
	}, name)

	return err
}

// keepCosts stores what the lines of a month have taken from lots, sets what is left of them at its end, and values
// what the book has then.
func (s *Service) keepCosts(
	ctx context.Context, tx *db.Tx, organisation string, month, end time.Time, k *kept,
) (err error) {
	if k.Settings, err = SettingsOf(ctx, tx, organisation); err != nil {
		return err
	}

	b, err := s.bookOf(ctx, tx, ledger.Period{Organisation: organisation})
	if err != nil {
		return err
	}

	c, err := s.costsOf(ctx, tx, b, end)
	if err != nil {
		return err
	}

	k.Lots = c.state()

	if err := s.revalue(ctx, tx, b, k.Settings, month, end); err != nil {
		return err
	}

	return insertCosts(tx, organisation, month.Format(monthForm), c.found)
}

// basis is what the value of a line depends on.
type basis struct {
	settings Settings
	chart    Chart
	home     money.Asset
	rates    dayrate.Day
	awaited  bool // the day's own rates may still come
}

// basesOf returns the function that returns what the values of lines depend on: of closed months as it was kept, else
// as it is now.
func (s *Service) basesOf(
	ctx context.Context, q db.Querier, of ledger.Period, home money.Asset, entries []ledger.Entry,
) (func(ledger.Entry) basis, error) {
	type key struct {
		day    time.Time
		closed bool
	}

	chart := houseChart()
	settings := Settings{}

	if !of.House {
		var err error
		if chart, err = ChartOf(ctx, q, of.Organisation); err != nil {
			return nil, err
		}

		if settings, err = SettingsOf(ctx, q, of.Organisation); err != nil {
			return nil, err
		}
	}

	newest, err := dayrate.Newest(ctx, q)
	if err != nil {
		return nil, err
	}

	bases := map[key]basis{}
	months := map[string]kept{}

	for _, e := range entries {
		k := key{e.Day, e.Closed}
		if _, ok := bases[k]; ok {
			continue
		}

		b := basis{settings: settings, chart: chart, home: home, awaited: newest.Before(e.Day)}
		on := e.Day

		if e.Closed {
			name := e.Day.Format(monthForm)
			if _, ok := months[name]; !ok {
				if months[name], err = keptOf(ctx, q, of.Organisation, name); err != nil {
					return nil, err
				}
			}

			if b, on, err = months[name].basis(e.Day); err != nil {
				return nil, err
			}
		}

		if !on.IsZero() {
			if b.rates, err = dayrate.On(ctx, q, on); err != nil {
				return nil, err
			}
		}

		bases[k] = b
	}

	return func(e ledger.Entry) basis { return bases[key{e.Day, e.Closed}] }, nil
}

// basis returns what was kept for a day, and the day of its rates; zero: it had none.
func (k kept) basis(d time.Time) (b basis, on time.Time, err error) {
	c, _ := refdata.All().Currency(k.Currency)
	b = basis{
		settings: k.Settings,
		chart:    Chart{},
		home:     money.Asset{Code: c.Code, Decimals: c.Decimals},
		awaited:  k.Awaited[d.Format(time.DateOnly)],
	}

	for _, a := range k.Accounts {
		b.chart[a.Rule] = a
	}

	if text, ok := k.Rates[d.Format(time.DateOnly)]; ok {
		on, err = time.Parse(time.DateOnly, text)
	}

	return b, on, err
}
