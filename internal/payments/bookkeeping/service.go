package bookkeeping

import (
	"context"
	"maps"
	"strings"
	"time"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/core/money"
	"slipway/internal/directory/network"
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
	Outside
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

// Lines returns a page of a book, oldest first, with values and details, and how many lines there are on all pages. If
// more lines follow, it returns one more than the page has.
func (s *Service) Lines(
	ctx context.Context, q db.Querier, p ledger.Period, page caller.Window,
) ([]Line, int64, error) {
	b, err := s.bookOf(ctx, q, p)
	if err != nil {
		return nil, 0, err
	}

	part := b.period
	part.From = p.From
	part.Before = p.Before

	c, err := s.costsOf(ctx, q, b, p.Before)
	if err != nil {
		return nil, 0, err
	}

	lines, total, err := s.figures(ctx, q, part, page, b.home, c)
	if err != nil {
		return nil, 0, err
	}

	return lines, total, s.detail(ctx, q, lines)
}

// figures returns a page of a book with values, and without the details of lines.
func (s *Service) figures(
	ctx context.Context, q db.Querier, p ledger.Period, page caller.Window, home money.Asset, c *costs,
) ([]Line, int64, error) {
	wanted, total, err := ledger.Book(ctx, q, p, page)
	if err != nil {
		return nil, 0, err
	}

	all, err := ledger.Rest(ctx, q, p, wanted)
	if err != nil {
		return nil, 0, err
	}

	lines, err := s.valued(ctx, q, p, all, home, c)

	return only(lines, wanted), total, err
}

// OfTransaction returns the lines that an organisation's book has of a transaction, with values, oldest first.
func (s *Service) OfTransaction(ctx context.Context, org, transactionID string) (lines []Line, err error) {
	s.refresh(ctx)

	err = s.DB.Snapshot(ctx, func(q db.Querier) error {
		b, err := s.bookOf(ctx, q, ledger.Period{Organisation: org})
		if err != nil {
			return err
		}

		entries, err := ledger.BookOf(ctx, q, b.period, transactionID)
		if err != nil {
			return err
		}

		c, err := s.costsOf(ctx, q, b, time.Time{})
		if err != nil {
			return err
		}

		lines, err = s.valued(ctx, q, b.period, entries, b.home, c)

		return err
	})

	return lines, err
}

// valued returns the lines of complete journals with their values. c has what they take from lots.
func (s *Service) valued(
	ctx context.Context, q db.Querier, p ledger.Period, entries []ledger.Entry, home money.Asset, c *costs,
) ([]Line, error) {
	wanted := entries

	entries, err := withOrigins(ctx, q, p, wanted)
	if err != nil {
		return nil, err
	}

	decimals, err := decimalsIn(ctx, q, entries)
	if err != nil {
		return nil, err
	}

	on, err := s.basesOf(ctx, q, p, home, entries)
	if err != nil {
		return nil, err
	}

	lines, err := linesOf(entries, on, decimalsOf(decimals))
	if err != nil {
		return nil, err
	}

	if p.House {
		fromTheHouse(lines)
	} else if err := byReceivers(ctx, q, lines, on); err != nil {
		return nil, err
	}

	value(lines)

	if !p.House {
		if err := c.closed(ctx, q, lines); err != nil {
			return nil, err
		}
	}

	carry(lines, c)

	return only(lines, wanted), nil
}

// decimalsIn returns the decimals of the transactions that some entries are of. For journals of none it returns those
// of their tokens on the network: by account and asset, and by journal and asset for accounts whose name has no
// network.
func decimalsIn(ctx context.Context, q db.Querier, entries []ledger.Entry) (map[string]int, error) {
	out := map[string]int{}

	for org, transactions := range transactionsIn(entries) {
		some, err := transaction.DecimalsOf(ctx, q, org, transactions)
		if err != nil {
			return nil, err
		}

		maps.Copy(out, some)
	}

	type placed struct{ network, asset string }

	asked := map[placed]int{} // below zero: it is not offered there any more

	for _, e := range entries {
		at := placed{networkOf(e.Account), e.Asset}
		_, currency := refdata.All().Currency(e.Asset)

		if currency || e.Transaction != "" || at.network == "" {
			continue
		}

		if _, known := asked[at]; !known {
			t, err := network.TokenOn(ctx, q, at.network, e.Asset)
			if _, refused := fault.As(err); refused {
				t.Decimals = -1
				err = nil
			}

			if err != nil {
				return nil, err
			}

			asked[at] = t.Decimals
		}

		if asked[at] >= 0 {
			out[e.Account+" "+e.Asset] = asked[at]
			out[e.Journal+" "+e.Asset] = asked[at]
		}
	}

	return out, nil
}

// networkOf returns the network that an account of tokens is on, or "" where its name does not say.
func networkOf(account string) string {
	parts := strings.Split(account, "/")

	at := 0

	switch parts[0] {
	case walletKind, "opening", "unrealised", "treasury", "position", "equity", "stock", "trade", "capital", "exchange":
		at = 1
	case "provider", "result", "expense":
		at = 2
	}

	if at == 0 || at >= len(parts) {
		return ""
	}

	return parts[at]
}

// transactionsIn returns the transactions of some entries, by their organisation.
func transactionsIn(entries []ledger.Entry) map[string][]string {
	out := map[string][]string{}

	for _, e := range entries {
		of := out[e.Organisation]
		if e.Transaction != "" && (len(of) == 0 || of[len(of)-1] != e.Transaction) {
			out[e.Organisation] = append(of, e.Transaction)
		}
	}

	return out
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
