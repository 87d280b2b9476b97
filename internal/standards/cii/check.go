package cii

import (
	"errors"
	"fmt"
	"math/big"
	"regexp"
)

// Check returns the rules of EN 16931 that an invoice breaks, each with its identifier, or nil.
func (v Invoice) Check() error {
	c := &checker{}

	c.rule("BR-02", v.Number != "", "has no number")
	c.rule("BR-03", !v.Issued.IsZero(), "has no date")
	c.rule("BR-05", currency.MatchString(v.Currency), "has no currency")
	c.rule("BR-06", v.Seller.Name != "", "has no seller")
	c.rule("BR-07", v.Buyer.Name != "", "has no buyer")
	c.rule("BR-09", country.MatchString(v.Seller.Country), "does not name the seller's country")
	c.rule("BR-11", country.MatchString(v.Buyer.Country), "does not name the buyer's country")
	c.rule("BR-16", len(v.Lines) > 0, "has no line")
	c.rule("BR-29", !v.To.Before(v.From) && v.From.IsZero() == v.To.IsZero(), "has a period that ends before it begins")
	c.rule("BR-55", v.Preceding == nil || v.Preceding.Number != "", "corrects an invoice without a number")
	c.rule("BR-CO-26", v.Seller.Registration != "" || v.Seller.VATID != "" && v.Category != NotSubject,
		"identifies the seller neither by a registration nor by VAT")

	c.sums(v)
	c.categories(v)

	return errors.Join(c.broken...)
}

var (
	currency = regexp.MustCompile(`^[A-Z]{3}$`)
	country  = regexp.MustCompile(`^[A-Z]{2}$`)
	decimal  = regexp.MustCompile(`^-?[0-9]+(\.[0-9]{1,2})?$`)
)

type checker struct{ broken []error }

func (c *checker) rule(id string, kept bool, format string, args ...any) {
	if !kept {
		c.broken = append(c.broken, fmt.Errorf("%s: the invoice %s", id, fmt.Sprintf(format, args...)))
	}
}

// amount parses an amount, which has at most two decimals (BR-DEC).
func (c *checker) amount(of, s string) *big.Rat {
	c.rule("BR-DEC", decimal.MatchString(s), "has the amount %q as %s", s, of)

	r, ok := new(big.Rat).SetString(s)
	if !ok {
		return new(big.Rat)
	}

	return r
}

// sums checks that amounts add up.
func (c *checker) sums(v Invoice) {
	lines := new(big.Rat)

	for i, l := range v.Lines {
		c.rule("BR-25", l.Name != "", "does not name line %d", i+1)
		net := c.amount("a line", l.Net)
		lines.Add(lines, net)
	}

	net := c.amount("its net sum", v.Net)
	vat := c.amount("VAT", v.VAT)
	total := c.amount("its total", v.Total)
	paid := c.amount("what is paid", v.Paid)

	c.rule("BR-CO-10", lines.Cmp(net) == 0, "has lines of %s and a net sum of %s", lines.FloatString(2), v.Net)
	c.rule("BR-CO-15", new(big.Rat).Add(net, vat).Cmp(total) == 0, "has a total that is not net sum and VAT")
	c.rule("BR-CO-16", total.Cmp(paid) == 0, "is written for what was paid in full")

	percent, ok := new(big.Rat).SetString(v.Percent)
	if !ok {
		percent = new(big.Rat)
	}

	// Each service rounds its own VAT, and their sum counts. The published rules (validation artefacts 1.3) take what is
	// less than one whole unit of the currency away.
	due := new(big.Rat).Mul(net, percent)
	due.Quo(due, big.NewRat(100, 1))
	due.Sub(due, vat)
	c.rule("BR-CO-17", due.Abs(due).Cmp(big.NewRat(1, 1)) < 0, "has VAT that is not %s %% of its net sum", v.Percent)
}

// categories checks what each category of VAT needs.
func (c *checker) categories(v Invoice) {
	seller := v.Seller.VATID != "" || v.Seller.TaxNumber != ""
	percent, ok := new(big.Rat).SetString(v.Percent)
	free := ok && percent.Sign() == 0

	switch v.Category {
	case Standard:
		c.rule("BR-S-02", seller, "has VAT and no tax number of the seller")
		c.rule("BR-S-05", ok && percent.Sign() > 0, "has VAT of %q %%", v.Percent)
		c.rule("BR-S-10", v.Reason == "", "has VAT and a reason for none")

	case Exempt:
		c.rule("BR-E-02", seller, "is exempt and has no tax number of the seller")
		c.rule("BR-E-05", free, "is exempt and has VAT")
		c.rule("BR-E-10", v.Reason != "", "is exempt without a reason")

	case ReverseCharge:
		c.rule("BR-AE-02", seller && v.Buyer.VATID != "", "leaves VAT to a buyer without a VAT identifier")
		c.rule("BR-AE-05", free, "leaves VAT to the buyer and has some")
		c.rule("BR-AE-10", v.Reason != "", "leaves VAT to the buyer without a reason")

	case NotSubject:
		c.rule("BR-O-05", free, "is not subject to VAT and has some")
		c.rule("BR-O-10", v.Reason != "", "is not subject to VAT without a reason")

	default:
		c.rule("BR-47", false, "has the category %q", v.Category)
	}
}
