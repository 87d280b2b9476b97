// Package bookkeeping exports what an organisation has done here for its own books: double entry, with the value of
// each entry in its home currency.
//
// It promises that an export is what the ledger says: each posting of the organisation's value is one line, and the
// lines of a journal sum to zero for each asset, in the asset and in the home currency. The value of a line is that of
// its day, by the reference rate of the day (package dayrate), whose date stands beside it. What leaves an account
// again leaves it at the value at which it came (result.go), so what is zero in its asset is zero in the home currency.
// Tokens leave a wallet at what they have cost (costs.go), and a closed month ends with values of its last day. A month
// that people have closed never changes: rates that come late, other accounts, another home currency and another time
// zone act from the first open day on, and what is posted later counts there. A line whose asset had no rate has no
// value. It does not promise to be a tax declaration: which accounts count as what is decided by the organisation's
// accountant, by the table of accounts.
//
// Read in this order:
//
//   - What a line is worth: bookkeeping.go (lines and their values), result.go (what is left on an account),
//     settings.go, lots.go and costs.go (what tokens cost), opening.go (opening balances), revaluation.go (a month's
//     end).
//   - What people read: accounts.go (the table of accounts), detail.go (what they need to know of a line), words.go.
//   - The use cases: service.go, fees.go (for invoices), periods.go (closed months), sums.go (what months before have
//     summed up to), balances.go (trial balance, profit and loss, balance sheet), house.go (the house's own book).
//   - Its forms outside: statement.go (as camt.053), export.go (for bookkeeping programs).
//   - All SQL: store.go, store_settings.go, store_opening.go, store_costs.go, store_sums.go.
//   - The operations: http.go, http_settings.go, http_opening.go, http_periods.go, http_balances.go, http_export.go.
package bookkeeping

import (
	"math/big"
	"strings"

	"slipway/internal/core/money"
	"slipway/internal/directory/refdata"
	"slipway/internal/payments/dayrate"
	"slipway/internal/payments/ledger"
)

// Line is one posting of an organisation's book.
type Line struct {
	ledger.Entry
	Detail

	Amount  money.Amount // above zero: a debit of the account
	Account Account
	Place   string // what of the kind: a wallet's network and address, a receiver's identifier

	Home  money.Asset   // the home currency, that of the closing in a closed month
	Value *money.Amount // in the home currency, with the amount's sign; nil: there is no rate
	Rate  *big.Rat      // units of the home currency for one whole unit; nil: there is none, or the value was carried
	Rates dayrate.Day   // those that the value was computed with

	By       Basis   // what the value comes from
	Taken    []Taken // from lots, if it comes from them
	Settings Settings

	Provisional bool // the rates of the line's day may still come, and with them another value
}

// Basis is what a value comes from.
type Basis string

// The bases.
const (
	ByRate    Basis = "RATE"    // the amount, at the rate of the book's day
	ByLots    Basis = "LOTS"    // what the tokens have cost
	ByAccount Basis = "ACCOUNT" // its share of what stood on the account of the same transaction, deposit or claim
	ByCounter Basis = "COUNTER" // the line beside it of the opposite amount; in a purchase, the money that was paid
	ByJournal Basis = "JOURNAL" // what the other lines of the asset leave of the journal
	// ByRevaluation is what the account is worth at a month's end, and what it was worth in the book before.
	ByRevaluation Basis = "REVALUATION"

	ByCost Basis = "COST" // nothing: the fees are cost of the tokens, which have the value
)

// linesOf returns the lines of complete journals, without their values. on returns what an entry's value depends on,
// decimals those of its asset.
func linesOf(
	entries []ledger.Entry,
	on func(e ledger.Entry) basis,
	decimals func(e ledger.Entry) int,
) ([]Line, error) {
	out := make([]Line, len(entries))
	taxed := map[string]bool{} // journals with VAT on lines of its own

	for _, e := range entries {
		taxed[e.Journal] = taxed[e.Journal] || strings.HasPrefix(e.Account, taxAccounts)
	}

	for i, e := range entries {
		units, err := money.ParseUnits(e.Units)
		if err != nil {
			return nil, err
		}

		kind, _ := ledger.KindOf(e.Account)
		place := strings.TrimPrefix(strings.TrimPrefix(e.Account, kind.Name), "/")

		b := on(e)
		_, fixed := dayrate.Day{}.Rate(e.Asset, b.home.Code)

		out[i] = Line{
			Entry:       e,
			Amount:      money.FromUnits(money.Asset{Code: e.Asset, Decimals: decimals(e)}, units),
			Account:     b.chart.finest(kind, e.Asset, place, ""),
			Place:       place,
			Home:        b.home,
			Rates:       b.rates,
			By:          ByRate,
			Settings:    b.settings,
			Provisional: b.awaited && !fixed,
		}

		if taxed[e.Journal] && !IsTax(out[i]) &&
			IsFee(out[i]) { // else a program would take out VAT that is out already
			out[i].Account.TaxCode = ""
		}
	}

	return out, nil
}

// value sets the values of complete journals. Each value is rounded by itself; the last line of an asset takes what
// this leaves over, so that the values of a journal sum to zero like its amounts. What is the house's own does so by
// itself.
func value(lines []Line) {
	type part struct {
		journal, asset string
		house          bool
	}

	last := map[part]int{}
	sums := map[part]money.Amount{}

	for i := range lines {
		l := &lines[i]

		v, ok := l.Rates.Value(l.Amount, l.Home)
		if !ok {
			continue
		}

		l.Value = &v
		l.Rate, _ = l.Rates.Rate(l.Asset, l.Home.Code)

		p := part{l.Journal, l.Asset, ledger.House(l.Entry.Account)}
		if sum, ok := sums[p]; ok {
			sums[p] = sum.Add(v)
		} else {
			sums[p] = v
		}

		last[p] = i
	}

	for p, i := range last {
		if sums[p].Sign() != 0 {
			rest := lines[i].Value.Sub(sums[p])
			lines[i].Value = &rest
			lines[i].By = ByJournal
		}
	}
}

// decimalsOf returns the decimals of an entry's asset. A token has those of its transaction, because its code may have
// others on another network, and without a transaction those of its account, or of its journal. Money for gas has the
// 18 of every chain of this kind.
func decimalsOf(byTransaction map[string]int) func(e ledger.Entry) int {
	return func(e ledger.Entry) int {
		if strings.HasPrefix(e.Account, "gas/") || strings.HasPrefix(e.Account, "expense/gas/") {
			return 18
		}

		if c, ok := refdata.All().Currency(e.Asset); ok {
			return c.Decimals
		}

		for _, of := range []string{e.Transaction, e.Account + " " + e.Asset, e.Journal + " " + e.Asset} {
			if n, ok := byTransaction[of]; ok {
				return n
			}
		}

		t, _ := refdata.All().Token(e.Asset)

		return t.Decimals
	}
}
