package statement

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	calendar "slipway/internal/core/day"
	"slipway/internal/core/fault"
	"slipway/internal/core/money"
	"slipway/internal/identity/organisation"
	"slipway/internal/payments/bookkeeping"
	"slipway/internal/payments/quote"
)

// A collective invoice has all fees that an organisation's book has in a month. What was given back in the month stands
// in it as lines below zero: EN 16931 permits them by a quantity below zero (BR-27 forbids the price alone), and a
// credit note of its own would have to name invoices of other months that nobody may ever have asked for. Only a month
// in which more was given back than charged has a credit note in place of the invoice, with all signs turned.

// monthForm is how a month is named: 2026-12.
const monthForm = "2006-01"

// mostLines limits the lines that a collective invoice has for single transactions. With more it has one for each day,
// and so some seventy for each token at most.
const mostLines = 1000

// feesAtOnce is how many fees are added together.
const feesAtOnce = 500

// strayDays is by how many days a fee may move after its month has its invoice: to another time zone, or because it was
// posted in the month's last moment. It joins the next invoice then.
const strayDays = 2

// bundle is the lines of a collective invoice while they are added up.
type bundle struct {
	home  money.Asset
	lines []*feeLine
	at    map[feeKey]*feeLine
}

type feeKey struct {
	subject string // a transaction, or a day
	back    bool
	asset   money.Asset
	tax     quote.Tax
}

type feeLine struct {
	feeKey

	day      time.Time // of the first fee
	amount   money.Amount
	net, vat money.Amount // what it is worth, without VAT, and its VAT
}

// add adds a line of the book to the line of a subject.
func (b *bundle) add(subject string, l bookkeeping.Line, tax quote.Tax) {
	k := feeKey{subject, l.Amount.Sign() < 0, l.Amount.Asset(), tax}

	line := b.at[k]
	if line == nil {
		line = &feeLine{
			feeKey: k,
			day:    l.Day,
			amount: money.Zero(k.asset),
			net:    money.Zero(l.Home),
			vat:    money.Zero(l.Home),
		}
		b.at[k] = line
		b.lines = append(b.lines, line)
	}

	line.amount = line.amount.Add(l.Amount)

	if bookkeeping.IsTax(l) {
		line.vat = line.vat.Add(*l.Value)
	} else {
		line.net = line.net.Add(*l.Value)
	}
}

// label returns what a line is called.
func (l feeLine) label() string {
	on := l.day.Format(time.DateOnly)

	label := "Fees, " + on
	if l.back {
		label = "Fees given back, " + on
	}

	if l.subject != on {
		label += ", " + l.subject
	}

	return label
}

// month is the fees of an organisation's book that a collective invoice is made of.
type month struct {
	transactions, days bundle // the same fees, by transaction and by day
	journals           map[string]time.Time
}

// bundle returns the lines that the invoice has.
func (m month) bundle() bundle {
	if len(m.transactions.lines) > mostLines {
		return m.days
	}

	return m.transactions
}

// collectiveOf returns the content of the collective invoice of a month, without its number. It is pure.
func (s source) collectiveOf(m month, from time.Time) Invoice {
	out := s.head(KindCollective)
	out.From = from
	out.To = from.AddDate(0, 1, -1)

	of := m.bundle()
	total := money.Zero(of.home)

	for _, l := range of.lines {
		total = total.Add(l.net).Add(l.vat)
	}

	out.Credit = total.Sign() < 0

	lines := make([]priced, len(of.lines))

	for i, l := range of.lines {
		amount := l.amount
		of := priced{l.label(), l.net, l.vat, l.tax}

		if out.Credit {
			amount = amount.Neg()
			of.net = of.net.Neg()
			of.vat = of.vat.Neg()
		}

		lines[i] = of

		out.Lines = append(out.Lines, Charge{Label: l.label(), Amount: units(amount.Units(), amount.Asset())})
	}

	out.Home = s.issuer.homeFor(s.org).with(of.home, lines)

	return out
}

// Collective returns the operator's invoice for all fees of a month of an organisation's book. The first call creates
// it; every further call returns the same one. It refuses a month that is not over, or of which rates are missing.
func (s *Service) Collective(ctx context.Context, org, name string) (Document, error) {
	from, err := monthOf(name)
	if err != nil {
		return Document{}, err
	}

	r, err := s.issued(ctx, invoiceRow{Organisation: org, Kind: string(KindCollective), Month: name},
		func() (Invoice, map[string]time.Time, error) {
			src := source{issuer: s.Issuer, mark: s.Mark, now: s.DB.Now().Truncate(time.Millisecond)}
			if err := s.customer(ctx, &src, org); err != nil {
				return Invoice{}, nil, err
			}

			if err := src.checkMonth(from); err != nil {
				return Invoice{}, nil, err
			}

			m, err := s.month(ctx, src.org, from)
			if err != nil {
				return Invoice{}, nil, err
			}

			return src.collectiveOf(m, from), m.journals, nil
		})
	if err != nil {
		return Document{}, fmt.Errorf("collective invoice of %s for %s: %w", name, org, err)
	}

	return s.invoiceFile(ctx, r)
}

// checkMonth refuses a month that has no invoice yet.
func (s source) checkMonth(from time.Time) error {
	if err := s.checkParties(); err != nil {
		return err
	}

	last := from.AddDate(0, 1, -1)
	if calendar.Of(s.now.In(s.org.Zone())).After(last) {
		return nil
	}

	return fault.New(
		fault.Conflict,
		fault.PeriodNotOver,
		"%s ends on %s in the organisation's time zone.",
		from.Format(monthForm),
		last.Format(time.DateOnly),
	)
}

// month reads the fees of a month that no collective invoice has yet, and those of the days around it whose own month
// has its invoice already.
func (s *Service) month(ctx context.Context, org organisation.Organisation, from time.Time) (month, error) {
	end := from.AddDate(0, 1, 0)
	out := month{
		transactions: bundle{at: map[feeKey]*feeLine{}},
		days:         bundle{at: map[feeKey]*feeLine{}},
		journals:     map[string]time.Time{},
	}

	past, err := collectedAround(ctx, s.DB, org.ID, from, end)
	if err != nil {
		return out, err
	}

	// The prices are read for some lines at once.
	var some []bookkeeping.Line

	flush := func() error {
		err := s.addFees(ctx, &out, org, some)
		some = some[:0]

		return err
	}

	err = s.Book.Fees(ctx, org.ID, from.AddDate(0, 0, -strayDays), end.AddDate(0, 0, strayDays-1),
		func(l bookkeeping.Line) error {
			stray := l.Day.Before(from) || !l.Day.Before(end)
			if past.journals[l.Journal] || stray && !past.months[l.Day.Format(monthForm)] {
				return nil
			}

			if err := bookkeeping.Final(l); err != nil {
				return err
			}

			if some = append(some, l); len(some) < feesAtOnce {
				return nil
			}

			return flush()
		})
	if err == nil {
		err = flush()
	}

	if err == nil && len(out.journals) == 0 {
		err = fault.New(
			fault.Conflict,
			fault.NoFees,
			"The organisation's book has no fee in %s.",
			from.Format(monthForm),
		)
	}

	return out, err
}

// addFees adds some fees, each taxed as its price says.
func (s *Service) addFees(ctx context.Context, m *month, o organisation.Organisation, lines []bookkeeping.Line) error {
	var transactions []string
	for _, l := range lines {
		transactions = append(transactions, l.Transaction)
	}

	slices.Sort(transactions)

	tax, err := s.taxes(ctx, o, slices.Compact(transactions))
	if err != nil {
		return err
	}

	for _, l := range lines {
		if err := m.add(l, tax(l.Transaction)); err != nil {
			return err
		}
	}

	return nil
}

// add adds a line of the book.
func (m *month) add(l bookkeeping.Line, tax quote.Tax) error {
	for _, b := range []*bundle{&m.transactions, &m.days} {
		b.home = cmp.Or(b.home, l.Home)
	}

	if l.Home != m.days.home { // a month has one, and what joins it belongs to a month that was closed in another
		return fmt.Errorf("fee %s is in %s, and others in %s", l.Position(), l.Home.Code, m.days.home.Code)
	}

	m.journals[l.Journal] = l.Day
	m.days.add(l.Day.Format(time.DateOnly), l, tax)

	if len(m.transactions.lines) <= mostLines { // beyond that they are not shown
		m.transactions.add(cmp.Or(l.Transaction, l.Day.Format(time.DateOnly)), l, tax)
	}

	return nil
}
