package bookkeeping

import (
	"context"
	"time"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/core/money"
	"slipway/internal/directory/refdata"
	"slipway/internal/identity/organisation"
	"slipway/internal/payments/dayrate"
	"slipway/internal/payments/ledger"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/db"
	"slipway/internal/platform/trail"
)

// Deps are the service's dependencies.
type Deps struct {
	DB    *db.DB
	Rates *dayrate.Service
	// Currency is the home currency of organisations that have set none: the operator's.
	Currency string
}

// Service holds the use cases of bookkeeping.
type Service struct{ Deps }

// New returns the service.
func New(d Deps) *Service { return &Service{d} }

// home returns the currency of an organisation's books.
func (s *Service) home(o organisation.Organisation) (money.Asset, error) {
	code := s.Currency
	if o.HomeCurrency != "" {
		code = o.HomeCurrency
	}

	c, ok := refdata.All().Currency(code)
	if !ok {
		return money.Asset{}, fault.New(fault.Conflict, fault.CurrencyUnknown, "%q is not a currency.", code)
	}

	return money.Asset{Code: c.Code, Decimals: c.Decimals}, nil
}

// refresh stores reference rates that were published meanwhile. Without them the last ones count, so a failure is left
// to the job, which reports it.
func (s *Service) refresh(ctx context.Context) { _ = s.Rates.Refresh(ctx) }

// Lines returns a page of the caller's book, oldest first, with values, and how many lines there are on all pages. If
// more lines follow, it returns one more than the page has.
func (s *Service) Lines(
	ctx context.Context, q db.Querier, p ledger.Period, page caller.Window,
) ([]Line, money.Asset, int64, error) {
	o, err := organisation.ByID(ctx, q, p.Organisation)
	if err != nil {
		return nil, money.Asset{}, 0, err
	}

	home, err := s.home(o)
	if err != nil {
		return nil, home, 0, err
	}

	wanted, total, err := ledger.Book(ctx, q, p, page)
	if err != nil {
		return nil, home, 0, err
	}

	all, err := ledger.Rest(ctx, q, p, wanted)
	if err != nil {
		return nil, home, 0, err
	}

	lines, err := s.valued(ctx, q, p.Organisation, all, home)
	if err != nil {
		return nil, home, 0, err
	}

	return slice(lines, wanted), home, total, nil
}

// slice returns the lines of some entries, which follow each other.
func slice(lines []Line, of []ledger.Entry) []Line {
	for i := range lines {
		if lines[i].Position() == of[0].Position() {
			return lines[i : i+len(of)]
		}
	}

	return nil
}

// valued returns the lines of complete journals with their values.
func (s *Service) valued(
	ctx context.Context, q db.Querier, org string, entries []ledger.Entry, home money.Asset,
) ([]Line, error) {
	chart, err := ChartOf(ctx, q, org)
	if err != nil {
		return nil, err
	}

	wanted := entries
	if entries, err = withOrigins(ctx, q, org, wanted); err != nil {
		return nil, err
	}

	var transactions []string
	for _, e := range entries {
		if n := len(transactions); e.Transaction != "" && (n == 0 || transactions[n-1] != e.Transaction) {
			transactions = append(transactions, e.Transaction)
		}
	}

	decimals, err := transaction.DecimalsOf(ctx, q, org, transactions)
	if err != nil {
		return nil, err
	}

	days := map[time.Time]dayrate.Day{}

	for _, e := range entries {
		on := dayrate.Midnight(e.At)
		if _, ok := days[on]; ok {
			continue
		}

		if days[on], err = dayrate.On(ctx, q, on); err != nil {
			return nil, err
		}
	}

	lines, err := linesOf(entries, chart, decimalsOf(decimals))
	if err != nil {
		return nil, err
	}

	value(lines, home, func(at time.Time) dayrate.Day { return days[dayrate.Midnight(at)] })
	carry(lines, home)

	return only(lines, wanted), nil
}

// SetAccounts replaces the caller's own accounts; a kind that is not named has the proposed one. A second call with the
// same accounts changes nothing.
func (s *Service) SetAccounts(ctx context.Context, accounts []Account, done func(*db.Tx, Chart) error) error {
	accounts, err := checked(accounts)
	if err != nil {
		return err
	}

	org := caller.Of(ctx).Organisation

	return s.DB.Write(ctx, func(tx *db.Tx) error {
		if err := writeChart(tx, org, accounts); err != nil {
			return err
		}

		trail.Audit(ctx, tx, org, "bookkeeping.accounts", org, "")

		chart, err := ChartOf(ctx, tx, org)
		if err != nil {
			return err
		}

		return done(tx, chart)
	})
}
