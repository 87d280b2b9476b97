package bookkeeping

import (
	"cmp"
	"context"
	"io"
	"strconv"
	"time"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/core/money"
	"slipway/internal/identity/organisation"
	"slipway/internal/payments/ledger"
	"slipway/internal/platform/db"
	"slipway/internal/standards/bookfile"
)

// Format is the program that an export is for.
type Format string

// The formats.
const (
	DATEV      Format = "datev"
	Xero       Format = "xero"
	QuickBooks Format = "quickbooks"
	Hledger    Format = "hledger"
	Beancount  Format = "beancount"
)

// shape is what the file of a format is.
type shape struct {
	contentType, prefix, suffix string
	begin                       func(io.Writer, bookfile.Head) bookfile.Writer
}

func shapeOf(f Format) (shape, bool) {
	s, ok := map[Format]shape{
		DATEV:      {"text/csv; charset=windows-1252", "EXTF_Slipway_", ".csv", bookfile.NewDATEV},
		Xero:       {"application/zip", "slipway-xero-", ".zip", bookfile.NewXero},
		QuickBooks: {"application/zip", "slipway-quickbooks-", ".zip", bookfile.NewQuickBooks},
		Hledger:    {"text/plain; charset=utf-8", "slipway-", ".journal", bookfile.NewHledger},
		Beancount:  {"text/plain; charset=utf-8", "slipway-", ".beancount", bookfile.NewBeancount},
	}[f]

	return s, ok
}

// Order is what an export is asked for. From and To are days, both included. DATEV alone needs the numbers of the tax
// adviser and his client, and the first day of the business year.
type Order struct {
	Format          Format
	House           bool // the house's book, and not the caller's
	From, To        time.Time
	Adviser, Client int
	YearStart       time.Time
}

// Export returns a function that writes the caller's book of a period as a file for a bookkeeping program. The same
// order gives the same bytes as long as nothing was booked into the period, and each journal keeps its identifier. It
// refuses a line without a rate, and for DATEV accounts and tax codes that it does not take.
func (s *Service) Export(ctx context.Context, o Order) (write func(io.Writer) error, err error) {
	s.refresh(ctx)

	b, err := s.bookOf(ctx, s.DB, mine(ctx, o.House))
	if err != nil {
		return nil, err
	}

	h := bookfile.Head{
		Title:     b.title,
		From:      o.From,
		To:        o.To,
		Currency:  b.home.Code,
		Adviser:   strconv.Itoa(o.Adviser),
		Client:    strconv.Itoa(o.Client),
		YearStart: o.YearStart,
	}

	// The first pass refuses what cannot be written, before the first byte. The second one refuses what came meanwhile.
	longest, rows := 0, 0

	each := func(what func(lines []Line) error) error {
		return s.journals(ctx, b, o.From, o.To, func(lines []Line) error {
			for _, l := range lines {
				if err := o.fits(l, b.home); err != nil {
					return err
				}
			}

			return what(lines)
		})
	}

	err = each(func(lines []Line) error {
		rows += len(lines)

		for _, l := range lines {
			longest = max(longest, len(l.Account.Number))
		}

		return nil
	})
	if err != nil {
		return nil, err
	}

	if o.Format == DATEV && rows > bookfile.DATEVRows {
		return nil, parameter(
			"to",
			fault.OutOfRange,
			"makes a file of more than %d lines, which DATEV does not take: ask for a shorter period.",
			bookfile.DATEVRows,
		)
	}

	h.AccountLength = bookfile.DATEVLength(longest)

	return func(out io.Writer) error {
		f, _ := shapeOf(o.Format)
		w := f.begin(out, h)

		if err := each(func(lines []Line) error { return w.Journal(journalOf(lines)) }); err != nil {
			return err
		}

		return w.Close()
	}, nil
}

// fits refuses a line that the format cannot have.
func (o Order) fits(l Line, home money.Asset) error {
	if l.Value == nil && !(o.House && (o.Format == Hledger || o.Format == Beancount)) {
		return noRate(l)
	}

	if l.Home != home {
		return fault.New(
			fault.Conflict,
			fault.BookkeepingUnfit,
			"The book of %s was closed in %s, and is kept in %s now: one file has one currency. Ask for a shorter period.",
			l.Day.Format(monthForm),
			l.Home.Code,
			home.Code,
		)
	}

	if o.Format != DATEV {
		return nil
	}

	switch {
	case home.Decimals > 2:
		return fault.New(fault.Conflict, fault.BookkeepingUnfit,
			"DATEV knows amounts of two decimals; %s has %d.", home.Code, home.Decimals)
	case !bookfile.DATEVAmount(*l.Value):
		return fault.New(
			fault.Conflict,
			fault.BookkeepingUnfit,
			"DATEV takes amounts of ten digits before the comma; that of line %s has more.",
			l.Position(),
		)
	case !bookfile.DATEVAccount(l.Account.Number):
		return fault.New(
			fault.Conflict,
			fault.BookkeepingUnfit,
			"DATEV takes account numbers of 1 to 8 digits; %q of %s is none. Set another with PUT /bookkeeping/accounts.",
			l.Account.Number,
			l.Account.Kind,
		)
	case l.Account.TaxCode != "" && !bookfile.DATEVTax(l.Account.TaxCode):
		return fault.New(
			fault.Conflict,
			fault.BookkeepingUnfit,
			"DATEV takes tax codes of 1 to 4 digits; %q of account %s is none. Set another with PUT /bookkeeping/accounts.",
			l.Account.TaxCode,
			l.Account.Number,
		)
	}

	return nil
}

func noRate(l Line) error {
	return fault.New(fault.Unavailable, fault.RateUnavailable,
		"There is no reference rate of %s for %s.", l.Asset, l.Day.Format(time.DateOnly))
}

// book is whose book is read, and what its values are in.
type book struct {
	period ledger.Period // all of it
	title  string
	home   money.Asset
}

// bookOf returns the book that a period is of.
func (s *Service) bookOf(ctx context.Context, q db.Querier, p ledger.Period) (book, error) {
	if p.House {
		home, err := s.home(organisation.Organisation{})
		return book{period: ledger.Period{House: true}, title: "The house", home: home}, err
	}

	o, err := organisation.ByID(ctx, q, p.Organisation)
	if err != nil {
		return book{}, err
	}

	home, err := s.home(o)
	if err != nil {
		return book{}, err
	}

	period := ledger.Period{Organisation: o.ID, Zone: o.Zone()}
	if period.Open, err = openOf(ctx, q, o.ID); err != nil {
		return book{}, err
	}

	return book{period: period, title: o.Name, home: home}, nil
}

// mine returns the period of the caller's book, or of the house's.
func mine(ctx context.Context, house bool) ledger.Period {
	if house {
		return ledger.Period{House: true}
	}

	return ledger.Period{Organisation: caller.Of(ctx).Organisation}
}

// until returns a part of a book: days, both included. A zero first day is the beginning.
func (b book) until(from, to time.Time) ledger.Period {
	p := b.period
	p.From = from
	p.Before = to.AddDate(0, 0, 1)

	return p
}

// journals calls each with the lines of every journal of a period, oldest first. It holds one page of them.
func (s *Service) journals(ctx context.Context, b book, from, to time.Time, each func([]Line) error) error {
	var open []Line

	err := s.walk(ctx, b, b.until(from, to), true, func(l Line) error {
		if len(open) > 0 && open[0].Journal != l.Journal {
			if err := each(open); err != nil {
				return err
			}

			open = nil
		}

		open = append(open, l)

		return nil
	})
	if err != nil || len(open) == 0 {
		return err
	}

	return each(open)
}

// walk calls each with every line of a part of a book, oldest first, with its details if they are wanted. It reads a
// page at a time, each at one moment.
func (s *Service) walk(
	ctx context.Context, b book, p ledger.Period, details bool, each func(Line) error,
) error {
	page := caller.Window{Limit: pageSize, Uncounted: true}

	c, err := s.costsOf(ctx, s.DB, b, p.Before)
	if err != nil {
		return err
	}

	for {
		var (
			lines []Line
			next  string
		)

		err := s.DB.Snapshot(ctx, func(q db.Querier) error {
			all, _, err := s.figures(ctx, q, p, page, b.home, c)
			if err != nil {
				return err
			}

			lines, next = caller.Cut(all, page, Line.Position)
			if details {
				err = s.detail(ctx, q, lines)
			}

			return err
		})
		if err != nil {
			return err
		}

		for _, l := range lines {
			if err := each(l); err != nil {
				return err
			}
		}

		if next == "" {
			return nil
		}

		page.After = next
	}
}

// journalOf returns a journal as it is written into files.
func journalOf(lines []Line) bookfile.Journal {
	head := lines[0]
	j := bookfile.Journal{
		ID:   head.Journal,
		Day:  head.Day,
		Text: EventWords(head.Kind),
	}

	for _, l := range lines {
		j.Party = cmp.Or(j.Party, l.Party)
		j.Document = cmp.Or(j.Document, l.Invoice)
		j.Reference = cmp.Or(j.Reference, l.EndToEnd, l.Hash, l.BankReference)

		j.Lines = append(j.Lines, bookfile.Line{
			ID:     l.Position(),
			Value:  l.Value,
			Amount: l.Amount,
			Tax:    l.Account.TaxCode,
			Centre: l.Account.CostCentre,
			Account: bookfile.Account{
				Number: l.Account.Number,
				Name:   l.Account.Name,
				Place:  l.Place,
				Class:  l.Account.Class,
			},
		})
	}

	return j
}

// parameter refuses one parameter of the query.
func parameter(name string, code fault.Code, text string, args ...any) error {
	var l fault.List
	l.AddParameter("query", name, code, text, args...)

	return l.Err()
}
