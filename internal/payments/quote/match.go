package quote

import (
	"math/big"

	"slipway/internal/core/fault"
)

// prices reports whether the quote is for exactly what a request asks. What the client expects of the rate is no part
// of it, and neither are the organisation's terms: a price that was locked stays, also when they have changed since.
func (q Quote) prices(in Request) bool {
	if q.Kind != in.Kind || q.Organisation != in.Organisation || q.Network != in.Network || q.Token != in.Token {
		return false
	}

	if len(q.Lines) != len(in.Lines) {
		return false
	}

	for i, l := range q.Lines {
		if !l.prices(in.Lines[i]) {
			return false
		}
	}

	return true
}

func (l Line) prices(in LineRequest) bool {
	if l.Position != in.Position || l.Currency != in.Currency || l.FiatUnits.Cmp(in.FiatUnits) != 0 {
		return false
	}

	return l.Rail == in.Rail && l.Charges == effective(in.Rail, in.Charges)
}

// checkEstimates refuses the rates of a request that are too far from those of the quote. tolerance is a share.
func (q Quote) checkEstimates(in Request, tolerance *big.Rat) error {
	m := &maker{in: in, fees: Fees{Tolerance: tolerance}}

	for i, l := range q.Lines {
		t := &terms{rate: l.Rate, expected: map[string]fault.Code{}}
		t.tolerate(tolerance)
		m.checkEstimate(paymentAt(l.Position), in.Lines[i].EstimatedRate, t, l)
	}

	return m.l.Err()
}
