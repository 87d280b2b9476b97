package organisation

import (
	"math/big"
	"strings"

	"slipway/internal/core/fault"
	"slipway/internal/core/money"
)

// Headroom is by how much a wallet approves more than a transaction costs. A rate that moves between the approval and
// the payment then needs no second signature. The zero value is none.
type Headroom struct{ tenThousandths int64 } // of a percent

const (
	headroomDecimals = 4
	maxHeadroom      = 5 // percent
)

// ParseHeadroom parses a percentage from 0 to 5 with at most four decimals.
func ParseHeadroom(percent string) (h Headroom, ok bool) {
	a, err := money.ParseOrZero(percentage, percent)
	if err != nil || a.Units().Cmp(big.NewInt(maxHeadroom*10_000)) > 0 {
		return Headroom{}, false
	}

	return Headroom{a.Units().Int64()}, true
}

var percentage = money.Asset{Code: "%", Decimals: headroomDecimals}

// CheckHeadroom is ParseHeadroom that notes what is wrong.
func CheckHeadroom(l *fault.List, at, percent string) Headroom {
	h, ok := ParseHeadroom(percent)
	if !ok {
		l.Add(at, fault.OutOfRange, "must be a percentage from 0 to %d with at most %d decimals, such as 1.5.",
			maxHeadroom, headroomDecimals)
	}

	return h
}

// String returns the percentage without trailing zeros.
func (h Headroom) String() string {
	s := money.Format(big.NewInt(h.tenThousandths), headroomDecimals)
	return strings.TrimRight(strings.TrimRight(s, "0"), ".")
}

// Over returns an amount in base units with the headroom added, rounded up.
func (h Headroom) Over(units *big.Int) *big.Int {
	const whole = 100 * 10_000
	return money.Scale(units, big.NewRat(whole+h.tenThousandths, whole), money.Up)
}
