package bookfile

import "slipway/internal/core/money"

// pair is a booking of one account against another.
type pair struct {
	debit, credit Line
	value         money.Amount // above zero
}

// pairs returns a journal as bookings of a debit against a credit, for formats that know no others. First are paired
// the lines of one asset, as the journal sums to zero in each; what differences of rates leave is paired at the end.
// Lines without value are left out.
func pairs(lines []Line) []pair {
	rest := make([]money.Amount, len(lines))
	for i, l := range lines {
		rest[i] = *l.Value
	}

	out := pairUp(lines, rest, func(a, b Line) bool { return a.Amount.Asset().Code == b.Amount.Asset().Code })

	return append(out, pairUp(lines, rest, func(Line, Line) bool { return true })...)
}

// pairUp pairs what is left of the lines' values, in their order, where two lines may be paired.
func pairUp(lines []Line, rest []money.Amount, may func(a, b Line) bool) (out []pair) {
	for d := range lines {
		for c := range lines {
			if rest[d].Sign() <= 0 {
				break
			}

			if rest[c].Sign() >= 0 || !may(lines[d], lines[c]) {
				continue
			}

			value := rest[d]
			if value.Cmp(rest[c].Neg()) > 0 {
				value = rest[c].Neg()
			}

			rest[d] = rest[d].Sub(value)
			rest[c] = rest[c].Add(value)
			out = append(out, pair{debit: lines[d], credit: lines[c], value: value})
		}
	}

	return out
}
