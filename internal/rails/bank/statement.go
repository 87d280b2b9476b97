package bank

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"

	"slipway/internal/platform/db"
	"slipway/internal/standards/iban"
	"slipway/internal/standards/iso20022/camt"
)

// Why a file is WAITING, UNBALANCED or QUARANTINED, besides the codes of iso20022.Error. Codes are stable.
const (
	CodeAccount  = "ACCOUNT_UNKNOWN"  // a statement of an account that is not ours
	CodeCurrency = "CURRENCY_DIFFERS" // an entry in a currency other than the account's
	// its opening balance is not the previous closing balance, or it may be one that is stored, under another number
	CodeChain        = "STATEMENT_GAP"
	CodeFinding      = "STATEMENT_UNSOUND"    // its own sums are wrong
	CodeUnbalanced   = "STATEMENT_UNBALANCED" // what is booked for its account does not match its balances
	CodeUnknownOrder = "ORDER_UNKNOWN"        // a report or return of a payment that is not ours
	CodeTooManySaid  = "TOO_MANY_STATUSES"    // more than a report of one payment file can contain
	CodeTooMany      = "TOO_MANY_STATEMENTS"  // in one file
	codeValue        = "VALUE"                // as in the readers: an invalid amount or day
)

// house returns the house account that a statement refers to.
func (r *Rail) house(a camt.Account, currency string) (HouseAccount, bool) {
	name := a.Other
	if a.IBAN != "" {
		name = iban.Normalise(a.IBAN)
	}

	for _, h := range r.c.Accounts {
		if slices.Contains(h.names(), name) && (currency == "" || currency == h.Currency) {
			return h, true
		}
	}

	return HouseAccount{}, false
}

// statementOf returns the row of a statement's header. Balances that the header lacks are left empty.
func statementOf(h camt.Header, account HouseAccount) (statementRow, error) {
	s := statementRow{
		Number:      int64(h.Number),
		Account:     account.ID,
		currency:    account.Currency,
		Kind:        string(h.Kind),
		StatementID: h.ID,
		Sequence:    -1,
		Page:        1,
	}
	if n, err := strconv.ParseInt(cmp.Or(h.Sequence, h.LegalSequence), 10, 64); err == nil && n >= 0 {
		s.Sequence = n
	}

	if n, err := strconv.ParseInt(h.Page.Number, 10, 64); err == nil {
		s.Page = n
	}

	opening, okOpening := h.Balance("OPBD", "PRCD", "ITBD")

	closing, okClosing := closingOf(h)
	if !okOpening || !okClosing {
		return s, nil
	}

	var err error
	if s.Opening, err = signedUnits(account.Currency, opening); err != nil {
		return s, err
	}

	if s.Closing, err = signedUnits(account.Currency, closing); err != nil {
		return s, err
	}

	s.OpeningOn = opening.Date
	s.ClosingOn = cmp.Or(closing.Date, datePart(h.To), opening.Date)
	s.FirstOn = firstDay(h.From, s.OpeningOn, s.ClosingOn)
	s.Year, _ = strconv.ParseInt(s.ClosingOn[:min(4, len(s.ClosingOn))], 10, 64)

	return s, nil
}

// closingOf returns the closing balance of a statement, or the last intermediate one if its page is not the last.
func closingOf(h camt.Header) (camt.Balance, bool) {
	if b, ok := h.Balance("CLBD"); ok {
		return b, true
	}

	for i := len(h.Balances) - 1; i > 0; i-- {
		if h.Balances[i].Type == "ITBD" {
			return h.Balances[i], true
		}
	}

	return camt.Balance{}, false
}

func datePart(s string) string { return s[:min(10, len(s))] }

func signedUnits(currency string, b camt.Balance) (string, error) {
	units, err := decimalUnits(currency, b.Amount.Value)
	if err == nil && !b.Credit && units != "0" {
		units = "-" + units
	}

	return units, err
}

// firstDay returns the first day that a statement covers: as the bank states, otherwise the day after its opening
// balance, which most banks date by the day before.
func firstDay(from, openingOn, closingOn string) string {
	if dayMicros(datePart(from)) != 0 {
		return datePart(from)
	}

	opened, err := time.Parse(time.DateOnly, openingOn)
	if err != nil || openingOn >= closingOn {
		return openingOn
	}

	return opened.AddDate(0, 0, 1).Format(time.DateOnly)
}

// The places of a statement in the chain of its account.
const (
	// it begins where the latest one ends, or ends where the first one begins: none of its bookings is in another one
	placeNext  = "NEXT"
	placeOver  = "OVER"  // it overlaps stored ones and continues after them
	placeAgain = "AGAIN" // stored ones account for all of it
)

// follows sets the place of a statement in the stored chain of its account, and the balance up to which the chain
// accounts for everything. It returns why a statement does not fit, or "". A statement fits if it continues the latest
// one, if it repeats or overlaps stored ones at a point with a known balance, or if it ends where the first one begins.
// Its number is not asked: what is missing where the balance goes on adds up to nothing. Only of a statement with the
// days and balances of a stored one does the number decide whether it is the next one.
func follows(chain []statementRow, s *statementRow) string {
	s.Place = ""

	s.Base = ""
	if s.Kind != string(camt.Statement) || s.Opening == "" {
		return ""
	}

	s.Place = placeNext
	s.Base = s.Opening

	if len(chain) == 0 {
		return ""
	}

	last := latestOf(chain)
	first := chain[len(chain)-1]

	fits := s.goesOn(last) || s.Closing == first.Opening && s.ClosingOn <= first.OpeningOn
	if fits && !slices.ContainsFunc(chain, s.repeats) {
		if like := slices.IndexFunc(chain, s.looksLike); like >= 0 && !s.numberedBehind(last) {
			return fmt.Sprintf(
				"it has the days and balances of statement %s, which is booked, under number %d, which is not the next: "+
					"it may be that one again",
				chain[like].StatementID,
				s.Sequence,
			)
		}

		return ""
	}

	s.Place = placeOver
	s.Base = last.Closing

	closes := func(x statementRow) bool { return x.ClosingOn == s.ClosingOn && x.Closing == s.Closing }
	if s.ClosingOn < last.ClosingOn || slices.ContainsFunc(chain, closes) {
		s.Place = placeAgain
		s.Base = s.Closing
	}

	for _, x := range chain {
		if s.OpeningOn == x.OpeningOn && s.Opening == x.Opening ||
			s.OpeningOn == x.ClosingOn && s.Opening == x.Closing {
			return "" // it overlaps or repeats: entries count once
		}
	}

	return fmt.Sprintf(
		"it opens at %s on %s, but the statement before closes at %s on %s",
		s.shown(s.Opening),
		s.OpeningOn,
		s.shown(last.Closing),
		last.ClosingOn,
	)
}

// latestOf returns the statement that ends an account's chain: the newest that others do not account for.
func latestOf(chain []statementRow) statementRow {
	for _, s := range chain {
		if s.Place != placeAgain {
			return s
		}
	}

	return chain[0]
}

// goesOn reports whether a statement begins where the latest one ends.
func (s *statementRow) goesOn(last statementRow) bool {
	return s.Opening == last.Closing && s.ClosingOn >= last.ClosingOn
}

// looksLike reports whether a statement has the days and balances of a stored one. If the balances did not change over
// a day, they alone do not distinguish it from the next one.
func (s *statementRow) looksLike(x statementRow) bool {
	return s.OpeningOn == x.OpeningOn && s.Opening == x.Opening && s.ClosingOn == x.ClosingOn && s.Closing == x.Closing
}

// repeats reports whether a statement repeats a stored one: it looks like it, and no number or page contradicts it.
func (s *statementRow) repeats(x statementRow) bool {
	return s.looksLike(x) &&
		(s.Sequence < 0 || s.Sequence < x.Sequence || s.Sequence == x.Sequence && s.Page <= x.Page)
}

// numberedBehind reports whether a statement has the number, or is a page of the number, that comes after another one.
func (s *statementRow) numberedBehind(last statementRow) bool {
	return last.Sequence >= 0 &&
		(s.Sequence == last.Sequence+1 || s.Sequence == last.Sequence && s.Page > last.Page)
}

// numberFollows compares electronic numbers if both statements have one of the same year. Pages of one statement share
// theirs.
func numberFollows(last, s statementRow) bool {
	if last.Sequence < 0 || s.Sequence < 0 || last.Year != s.Year {
		return true
	}

	return s.Sequence == last.Sequence+1 || s.Sequence == last.Sequence
}

// checkChain sets the places of statements. It returns why the first one that does not fit does not follow the stored
// ones; "" if all fit; and remarks on numbers that jump although the balance goes on. Statements of one file follow
// each other. One that does not fit is placed as if it did, for the case that two persons decide to book it.
func checkChain(
	ctx context.Context,
	q db.Querier,
	statements []statementRow,
) (problem string, remarks []string, err error) {
	chains := map[string][]statementRow{}
	for i := range statements {
		s := &statements[i]

		chain, ok := chains[s.Account]
		if !ok {
			if chain, err = chainOf(ctx, q, s.Account); err != nil {
				return "", nil, err
			}
		}

		why := follows(chain, s)
		if why == "" && s.Place == placeNext && len(chain) > 0 {
			if last := latestOf(chain); s.goesOn(last) && !numberFollows(last, *s) {
				remarks = append(remarks, fmt.Sprintf(
					"statement %s of account %s has number %d, and the one before has %d; its balance continues",
					s.StatementID,
					s.Account,
					s.Sequence,
					last.Sequence,
				))
			}
		}

		if why != "" {
			s.Place = placeNext

			s.Base = s.Opening
			if problem == "" {
				problem = fmt.Sprintf("statement %s of account %s: %s", s.StatementID, s.Account, why)
			}
		}

		if s.Place != "" {
			at, _ := slices.BinarySearchFunc(chain, *s, func(x, y statementRow) int {
				return -cmp.Compare(x.ClosingOn, y.ClosingOn)
			})
			chain = slices.Insert(chain, at, *s)
		}

		chains[s.Account] = chain
	}

	return problem, remarks, nil
}
