// Package ecb parses the euro foreign exchange reference rates of the European Central Bank, and computes on which days
// they are published.
//
// The files are those of https://www.ecb.europa.eu/stats/eurofxref/: an envelope of the GESMES vocabulary with one Cube
// for each day, which contains one for each currency: units of the currency for one euro. Daily file and history have
// the same form.
//
// It promises that rates are exact. Anything else than such a file is refused with its line, in limited memory. It does
// not promise that anyone trades at these rates: the bank publishes them for information.
//
// Read in this order: ecb.go (days and crosses), parse.go, calendar.go.
package ecb

import (
	"math/big"
	"time"
)

// Euro is the currency that all rates refer to. No file contains it.
const Euro = "EUR"

// Day holds the rates of one day. Date is its midnight in UTC. Never change the rates: they are shared.
type Day struct {
	Date  time.Time
	Rates map[string]*big.Rat // by ISO 4217 code: units for one euro
}

// PerEuro returns the units of a currency for one euro; 1 for the euro itself.
func (d Day) PerEuro(currency string) (*big.Rat, bool) {
	if currency == Euro {
		return big.NewRat(1, 1), true
	}

	r, ok := d.Rates[currency]

	return r, ok
}

// Cross returns the units of `to` for one `from`, computed through the euro without rounding: the file has no other
// rates.
func (d Day) Cross(from, to string) (*big.Rat, bool) {
	a, ok := d.PerEuro(from)
	if !ok {
		return nil, false
	}

	b, ok := d.PerEuro(to)
	if !ok {
		return nil, false
	}

	return new(big.Rat).Quo(b, a), true
}
