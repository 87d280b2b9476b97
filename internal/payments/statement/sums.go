package statement

import (
	"fmt"
	"math/big"
	"strings"

	"slipway/internal/core/money"
)

// subtotal is a line below the payments.
type subtotal struct {
	label        string
	amount       Amount
	tokens, fees *Amount
	strong       bool
}

// sums adds the payments up: one total for each currency. If payments of a currency had different outcomes, each
// outcome has a line.
func (p page) sums() (out []subtotal) {
	var currencies []string

	by := map[string][]Payment{}
	for _, x := range p.st.Payments {
		if by[x.Amount.Asset] == nil {
			currencies = append(currencies, x.Amount.Asset)
		}

		by[x.Amount.Asset] = append(by[x.Amount.Asset], x)
	}

	_, states := p.counts()
	for _, c := range currencies {
		label := "Total"
		if len(currencies) > 1 {
			label = "Total " + c
		}

		out = append(out, subtotalOf(fmt.Sprintf("%s (%s)", label, countText(len(by[c]))), by[c], true))
		for _, s := range states {
			var of []Payment
			for _, x := range by[c] {
				if x.Status == s {
					of = append(of, x)
				}
			}

			if len(of) > 0 && len(of) < len(by[c]) {
				label := fmt.Sprintf("of these: %s (%d)", strings.ToLower(word(paymentNames, s)), len(of))
				out = append(out, subtotalOf(label, of, false))
			}
		}
	}

	return out
}

// subtotalOf returns the sum of payments in one currency.
func subtotalOf(label string, payments []Payment, strong bool) subtotal {
	out := subtotal{label: label, strong: strong}

	var amounts, tokens, fees adder
	for _, x := range payments {
		amounts.add(&x.Amount)
		tokens.add(x.Tokens)
		fees.add(x.Fees)
	}

	if a := amounts.sum(); a != nil {
		out.amount = *a
	}

	out.tokens = tokens.sum()
	out.fees = fees.sum()

	return out
}

// adder sums amounts of one asset exactly, with the decimals they are written with.
type adder struct {
	asset  string
	places int
	units  big.Int
}

func (s *adder) add(a *Amount) {
	if a == nil {
		return
	}

	whole, frac, _ := strings.Cut(a.Value, ".")

	n, ok := new(big.Int).SetString(whole+frac, 10)
	if !ok {
		return // contents are made from the money package's amounts
	}

	s.asset = a.Asset
	if len(frac) > s.places {
		s.units.Mul(&s.units, powerOfTen(len(frac)-s.places))
		s.places = len(frac)
	}

	s.units.Add(&s.units, n.Mul(n, powerOfTen(s.places-len(frac))))
}

func powerOfTen(n int) *big.Int { return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil) }

// sum returns nil if nothing was added.
func (s *adder) sum() *Amount {
	if s.asset == "" {
		return nil
	}

	a := Amount{money.Format(&s.units, s.places), s.asset}

	return &a
}
