package bookkeeping

import (
	"math/big"

	"slipway/internal/core/money"
)

// Lot is a part of what a wallet has of a token, with its cost. Below zero it is what the wallet has paid and the book
// has not seen it get: an opening balance is missing.
type Lot struct {
	Line  string `json:"line"`  // position of the line that made it; with an average, that of the last one
	Day   string `json:"day"`   // of the book
	Units string `json:"units"` // base units of the token
	Cost  string `json:"cost"`  // base units of the home currency
}

// Taken is what a line has taken from a lot.
type Taken struct {
	Line  string `json:"line"`
	Day   string `json:"day"`
	Units string `json:"units"` // as of a Lot; of one below zero, what was made up for
	Cost  string `json:"cost"`
}

// stack is the lots of one token in one wallet, the oldest first. All of them have the same sign.
type stack struct {
	token, home money.Asset
	lots        []lot
	residue     money.Amount // value that is left without any token, and is cost of the next lot
}

type lot struct {
	line, day    string
	units, value money.Amount
}

// take takes an amount of the other sign than the lots from the oldest of them, and returns what they cost. Each part
// costs its share, rounded half to even; the last part of a lot costs what is left of it. What the lots do not have is
// rest.
func (s *stack) take(amount money.Amount) (cost, rest money.Amount, from []Taken) {
	cost = money.Zero(s.home)
	rest = amount

	for len(s.lots) > 0 && rest.Sign()*s.lots[0].units.Sign() < 0 {
		first := &s.lots[0]
		part := lot{first.line, first.day, first.units, first.value}

		if left := first.units.Add(rest); left.Sign()*first.units.Sign() > 0 {
			part.units = rest.Neg()
			part.value = scaled(first.value, new(big.Rat).SetFrac(part.units.Units(), first.units.Units()))
			first.units = left
			first.value = first.value.Sub(part.value)
		} else {
			s.lots = s.lots[1:]
		}

		rest = rest.Add(part.units)
		cost = cost.Add(part.value)
		from = append(from, Taken{part.line, part.day, part.units.Units().String(), part.value.Units().String()})
	}

	return cost, rest, from
}

// put adds a lot of the same sign as those that are there. An average makes one of all of them. The value of nothing
// becomes cost of the next lot.
func (s *stack) put(l lot, by Method) {
	l.value = l.value.Add(s.residue)
	s.residue = money.Zero(s.home)

	if by != FIFO {
		for _, before := range s.lots {
			l.units = l.units.Add(before.units)
			l.value = l.value.Add(before.value)
		}

		s.lots = nil
	}

	if l.units.Sign() == 0 {
		s.residue = l.value
		return
	}

	s.lots = append(s.lots, l)
}
