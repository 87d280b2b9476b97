package bookkeeping

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"
	"time"

	"slipway/internal/core/day"
	"slipway/internal/core/money"
	"slipway/internal/payments/ledger"
	"slipway/internal/platform/db"
)

// A balance is the sum of all lines since the beginning. So that it does not cost what the years hold, the sums of what
// a book has before a month are kept once they were computed (book_sums). They count as long as they are what the lines
// would give: until a journal of those days is posted late, and until something changes that the values depend on. What
// is in closed months depends on nothing else than their closing. VerifySums computes all of them anew and compares.

// sumRules is the version of the rules by which lines get their values. Whoever changes the value that a line had gives
// it the next number.
const sumRules = 2

// alike is what lines have in common that are summed up together.
type alike struct {
	Account Account     `json:"account"`
	Place   string      `json:"place,omitempty"` // of a wallet
	Asset   money.Asset `json:"asset"`
	Home    money.Asset `json:"home"`
	Valued  bool        `json:"valued"`
}

// summed is a sum of lines that are alike.
type summed struct {
	alike

	Units string    `json:"units"`
	Value string    `json:"value"` // in base units of the home currency; 0 without values
	First time.Time `json:"first"` // day of the first line

	units, value *big.Int
}

// subtotals are the sums of a part of a book, in the order of their first lines.
type subtotals struct {
	all []*summed
	of  map[alike]*summed
}

func newSubtotals() *subtotals { return &subtotals{of: map[alike]*summed{}} }

func (s *subtotals) add(l Line) {
	k := alike{Account: l.Account, Asset: l.Amount.Asset(), Home: l.Home, Valued: l.Value != nil}
	if l.Account.Kind == walletKind {
		k.Place = l.Place
	}

	of := s.of[k]
	if of == nil {
		of = &summed{alike: k, First: l.Day, units: new(big.Int), value: new(big.Int)}
		s.of[k] = of
		s.all = append(s.all, of)
	}

	of.units.Add(of.units, l.Amount.Units())

	if l.Value != nil {
		of.value.Add(of.value, l.Value.Units())
	}
}

// each calls a function with a line for each sum. Such a line is of no journal, and has a time only on its day.
func (s *subtotals) each(f func(Line) error) error {
	for _, of := range s.all {
		l := Line{
			Entry:   ledger.Entry{Asset: of.Asset.Code, Day: of.First},
			Amount:  money.FromUnits(of.Asset, of.units),
			Account: of.Account,
			Place:   of.Place,
			Home:    of.Home,
		}

		if of.Valued {
			v := money.FromUnits(of.Home, of.value)
			l.Value = &v
		}

		if err := f(l); err != nil {
			return err
		}
	}

	return nil
}

func (s *subtotals) text() (string, error) {
	for _, of := range s.all {
		of.Units = of.units.String()
		of.Value = of.value.String()
	}

	text, err := json.Marshal(s.all)

	return string(text), err
}

func subtotalsFrom(text string) (*subtotals, error) {
	out := newSubtotals()
	if err := json.Unmarshal([]byte(text), &out.all); err != nil {
		return nil, fmt.Errorf("decode the sums of a book: %w", err)
	}

	for _, of := range out.all {
		var err error
		if of.units, err = money.ParseUnits(of.Units); err != nil {
			return nil, err
		}

		if of.value, err = money.ParseUnits(of.Value); err != nil {
			return nil, err
		}

		out.of[of.alike] = of
	}

	return out, nil
}

// differences names the sums in which two parts of a book differ.
func (s *subtotals) differences(from *subtotals) (out []string) {
	nothing := &summed{units: new(big.Int), value: new(big.Int)}
	seen := map[alike]bool{}

	for _, of := range slices.Concat(s.all, from.all) {
		if seen[of.alike] {
			continue
		}

		seen[of.alike] = true

		a := cmp.Or(s.of[of.alike], nothing)
		b := cmp.Or(from.of[of.alike], nothing)

		if a.units.Cmp(b.units) != 0 || a.value.Cmp(b.value) != 0 {
			out = append(out, fmt.Sprintf(
				"%s has %s base units of %s with a value of %s, and its lines have %s with a value of %s",
				of.Account.Kind, a.units, of.Asset.Code, a.value, b.units, b.value))
		}
	}

	return out
}

// history calls each with what a book has until a day, which is included. What it has before another day may come
// summed up: one line for those that are alike.
func (s *Service) history(ctx context.Context, b book, summedBefore, to time.Time, each func(Line) error) error {
	posted := ledger.PostedUntil(s.DB.Now()) // before anything is read

	last := monthOf(summedBefore)
	if settled := monthOf(day.Of(s.DB.Now().Add(-ledger.OnTime))); settled.Before(last) {
		last = settled
	}

	at, all, err := s.keptSums(ctx, b, last)
	if err != nil {
		return err
	}

	for _, next := range []time.Time{b.period.Open, last} { // what is closed is kept by itself
		if !next.After(at) || next.After(last) {
			continue
		}

		basis, err := s.basisOfSums(ctx, s.DB, b, next)
		if err != nil {
			return err
		}

		final := true

		err = s.walk(ctx, b, b.until(at, next.AddDate(0, 0, -1)), false, func(l Line) error {
			all.add(l)
			final = final && (!l.Provisional || l.Closed)

			return nil
		})
		if err != nil {
			return err
		}

		at = next

		if final && len(all.all) > 0 {
			kept := sumsRow{b.period.Organisation, at.Format(time.DateOnly), posted, basis}
			if err := s.keepSums(ctx, kept, all); err != nil {
				return err
			}
		}
	}

	if err := all.each(each); err != nil {
		return err
	}

	if at.After(to) {
		return nil
	}

	return s.walk(ctx, b, b.until(at, to), false, each)
}

// keptSums returns the newest sums of a book that count, not after a day, and the first day that is not in them.
// Without any, the day is zero.
func (s *Service) keptSums(ctx context.Context, b book, last time.Time) (at time.Time, all *subtotals, err error) {
	all = newSubtotals()

	err = s.DB.Snapshot(ctx, func(q db.Querier) error {
		rows, err := sumsUntil(ctx, q, b.period.Organisation, last)
		if err != nil {
			return err
		}

		for _, r := range rows {
			on, counts, err := s.counts(ctx, q, b, r)
			if err != nil {
				return err
			}

			if !counts {
				continue
			}

			at = on
			all, err = r.sums(ctx, q)

			return err
		}

		return nil
	})

	return at, all, err
}

// counts reports whether kept sums are what the lines would give.
func (s *Service) counts(ctx context.Context, q db.Querier, b book, r sumsRow) (on time.Time, ok bool, err error) {
	if on, err = time.Parse(time.DateOnly, r.day); err != nil {
		return on, false, fmt.Errorf("day of the sums of %q: %w", r.organisation, err)
	}

	basis, err := s.basisOfSums(ctx, q, b, on)
	if err != nil || basis != r.basis {
		return on, false, err
	}

	if !on.After(b.period.Open) { // what comes late to closed months counts later
		return on, true, nil
	}

	late, err := ledger.Belated(ctx, q, b.period, on, r.after)

	return on, !late, err
}

// basisOfSums returns a digest of what the values of the lines before a day depend on.
func (s *Service) basisOfSums(ctx context.Context, q db.Querier, b book, on time.Time) (string, error) {
	closings, err := closingsOf(ctx, q, b.period.Organisation)
	if err != nil {
		return "", err
	}

	of := struct {
		Rules    int
		Closed   int64 // when the last month before the day was closed; months are reopened from the last one back
		Currency string
		Zone     string
		Open     time.Time
		Accounts []Account
		Settings Settings
	}{Rules: sumRules}

	closed := on // the first day that the closing does not have
	if on.After(b.period.Open) {
		closed = b.period.Open
	}

	if c, ok := closings[closed.AddDate(0, 0, -1).Format(monthForm)]; ok {
		of.Closed = db.Micros(c.At)
	}

	if on.After(b.period.Open) {
		chart := houseChart()

		if !b.period.House {
			if chart, err = ChartOf(ctx, q, b.period.Organisation); err != nil {
				return "", err
			}

			if of.Settings, err = SettingsOf(ctx, q, b.period.Organisation); err != nil {
				return "", err
			}

			of.Zone = b.period.Zone.String()
		}

		of.Currency = b.home.Code
		of.Open = b.period.Open
		of.Accounts = slices.SortedFunc(maps.Values(chart), func(x, y Account) int {
			return strings.Compare(x.id(), y.id())
		})
	}

	text, err := json.Marshal(of)
	digest := sha256.Sum256(text)

	return hex.EncodeToString(digest[:]), err
}

// keepSums keeps the sums of what a book has before a day, in place of others of that day.
func (s *Service) keepSums(ctx context.Context, r sumsRow, all *subtotals) error {
	text, err := all.text()
	if err != nil {
		return fmt.Errorf("encode the sums of the book of %q: %w", r.organisation, err)
	}

	err = s.DB.Write(ctx, func(tx *db.Tx) error { return r.replace(tx, text) })
	if db.IsUnique(err, "book_sums") {
		return nil // another call has kept them
	}

	return err
}

// VerifySums computes all kept sums anew that count, and returns what they do not have alike. currency is that of the
// books of the house, and of organisations that have set none.
func VerifySums(ctx context.Context, d *db.DB, currency string) (faults []string, err error) {
	s := &Service{Deps{DB: d, Currency: currency}}

	rows, err := allSums(ctx, d)
	if err != nil {
		return nil, err
	}

	for len(rows) > 0 {
		n := 1
		for n < len(rows) && rows[n].organisation == rows[0].organisation {
			n++
		}

		some, err := s.verifySums(ctx, rows[:n])
		if err != nil {
			return nil, err
		}

		faults = append(faults, some...)
		rows = rows[n:]
	}

	return faults, nil
}

// verifySums computes the kept sums of one book anew, in one pass.
func (s *Service) verifySums(ctx context.Context, rows []sumsRow) (faults []string, err error) {
	org := rows[0].organisation

	b, err := s.bookOf(ctx, s.DB, ledger.Period{Organisation: org, House: org == ""})
	if err != nil {
		return nil, err
	}

	anew := newSubtotals()

	var at time.Time

	for _, r := range rows {
		on, counts, err := s.counts(ctx, s.DB, b, r)
		if err != nil {
			return nil, err
		}

		if !counts {
			continue
		}

		err = s.walk(ctx, b, b.until(at, on.AddDate(0, 0, -1)), false, func(l Line) error {
			anew.add(l)
			return nil
		})
		if err != nil {
			return nil, err
		}

		at = on

		kept, err := r.sums(ctx, s.DB)
		if err != nil {
			return nil, err
		}

		// a late journal may have come meanwhile
		if _, counts, err = s.counts(ctx, s.DB, b, r); err != nil {
			return nil, err
		}

		for _, d := range kept.differences(anew) {
			if counts {
				faults = append(faults, fmt.Sprintf("the kept sums of the book of %q before %s: %s", org, r.day, d))
			}
		}
	}

	return faults, nil
}
