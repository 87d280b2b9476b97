package slipway

import (
	"encoding/json"
	"fmt"
	"math/big"
	"regexp"
)

// Decimal is an amount, a rate or a percentage: its digits, as the service sends and takes them, in full units of its
// currency or token. Nothing is rounded, and "1.50" stays "1.50". "" stands for none.
type Decimal string

var decimalForm = regexp.MustCompile(`^-?[0-9]{1,60}(\.[0-9]{1,30})?$`)

// ParseDecimal returns the decimal that a text is.
func ParseDecimal(text string) (Decimal, error) {
	if !decimalForm.MatchString(text) {
		return "", fmt.Errorf("slipway: %.80q is no decimal: it must be digits with a point", text)
	}

	return Decimal(text), nil
}

// Rat returns the exact value, for calculations. It is 0 for "" and for what is no decimal.
func (d Decimal) Rat() *big.Rat {
	r := new(big.Rat)
	if decimalForm.MatchString(string(d)) {
		r.SetString(string(d))
	}

	return r
}

// Cmp returns -1, 0 or 1 as d is less than, equal to or greater than other: "1.5" equals "1.50".
func (d Decimal) Cmp(other Decimal) int { return d.Rat().Cmp(other.Rat()) }

// MarshalJSON writes the digits as a text. What is no decimal is an error, so that it is not sent.
func (d Decimal) MarshalJSON() ([]byte, error) {
	if _, err := ParseDecimal(string(d)); err != nil {
		return nil, err
	}

	return json.Marshal(string(d))
}

// UnmarshalJSON reads a text of digits, or null. A JSON number is an error: whoever wrote it may have lost digits.
func (d *Decimal) UnmarshalJSON(raw []byte) error {
	if string(raw) == "null" {
		*d = ""
		return nil
	}

	var text string
	if err := json.Unmarshal(raw, &text); err != nil {
		return fmt.Errorf("slipway: %.80s is no decimal: %w", raw, err)
	}

	if text == "" {
		*d = ""
		return nil
	}

	parsed, err := ParseDecimal(text)
	*d = parsed

	return err
}
