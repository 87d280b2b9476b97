package bookkeeping

import (
	"context"
	"slices"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/core/money"
	"slipway/internal/directory/refdata"
	"slipway/internal/identity/approval"
	"slipway/internal/identity/organisation"
	"slipway/internal/payments/dayrate"
	"slipway/internal/payments/ledger"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/db"
	"slipway/internal/platform/trail"
)

// Deps are the service's dependencies.
type Deps struct {
	DB        *db.DB
	Rates     *dayrate.Service
	Approvals *approval.Service // two admins decide on periods where the organisation's policy asks for it
	// Currency is the home currency of organisations that have set none: the operator's.
	Currency string
}

// Service holds the use cases of bookkeeping.
type Service struct{ Deps }

// New returns the service.
func New(d Deps) *Service {
	s := &Service{d}
	d.Approvals.Handle(approval.Period, approval.Handler{Roles: []string{organisation.Admin}, Decided: s.decided})

	return s
}

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

	p.Zone = o.Zone()

	if p.Open, err = openOf(ctx, q, p.Organisation); err != nil {
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

	return among(lines, wanted), home, total, nil
}

// OfTransaction returns the lines that an organisation's book has of a transaction, with values, oldest first.
func (s *Service) OfTransaction(ctx context.Context, org, transactionID string) (lines []Line, err error) {
	s.refresh(ctx)

	o, err := organisation.ByID(ctx, s.DB, org)
	if err != nil {
		return nil, err
	}

	home, err := s.home(o)
	if err != nil {
		return nil, err
	}

	err = s.DB.Snapshot(ctx, func(q db.Querier) error {
		p := ledger.Period{Organisation: org, Zone: o.Zone()}
		if p.Open, err = openOf(ctx, q, org); err != nil {
			return err
		}

		entries, err := ledger.BookOf(ctx, q, p, transactionID)
		if err != nil {
			return err
		}

		lines, err = s.valued(ctx, q, org, entries, home)

		return err
	})

	return lines, err
}

// among returns the lines of some entries.
func among(lines []Line, of []ledger.Entry) []Line {
	wanted := make(map[string]bool, len(of))
	for _, e := range of {
		wanted[e.Position()] = true
	}

	return slices.DeleteFunc(lines, func(l Line) bool { return !wanted[l.Position()] })
}

// valued returns the lines of complete journals with their values.
func (s *Service) valued(
	ctx context.Context, q db.Querier, org string, entries []ledger.Entry, home money.Asset,
) ([]Line, error) {
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

	on, err := s.basesOf(ctx, q, org, home, entries)
	if err != nil {
		return nil, err
	}

	lines, err := linesOf(entries, on, decimalsOf(decimals))
	if err != nil {
		return nil, err
	}

	value(lines)

	return lines, nil
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
