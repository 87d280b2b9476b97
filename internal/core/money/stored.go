package money

import (
	"fmt"
	"math/big"
)

// Stored is an amount as three database columns hold it: the asset's code and decimals, and the digits of the base
// units.
type Stored struct {
	Code     string
	Decimals int64
	Units    string
}

// Stored returns the amount's three columns.
func (a Amount) Stored() Stored {
	return Stored{Code: a.asset.Code, Decimals: int64(a.asset.Decimals), Units: a.Units().String()}
}

// Amount returns the stored amount, or an error if its units are no number.
func (s Stored) Amount() (Amount, error) {
	units, err := ParseUnits(s.Units)
	if err != nil {
		return Amount{}, err
	}

	return Amount{asset: Asset{Code: s.Code, Decimals: int(s.Decimals)}, units: units}, nil
}

// ParseUnits parses base units as String of a big.Int writes them. It is for stored numbers; what callers send goes
// through Parse.
func ParseUnits(digits string) (*big.Int, error) {
	units, ok := new(big.Int).SetString(digits, 10)
	if !ok {
		return nil, fmt.Errorf("%q is no number", digits)
	}

	return units, nil
}
