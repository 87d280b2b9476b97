package cii

import (
	"errors"
	"fmt"
	"math/big"
	"regexp"
	"slices"
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
	c.rule("BR-CO-26", v.Seller.Registration != "" || v.Seller.VATID != "" && !v.notSubject(),
		"identifies the seller neither by a registration nor by VAT")
	c.rule("BR-CO-18", len(v.Taxes) > 0, "does not say how it is taxed")

	c.sums(v)

	for i, t := range v.Taxes {
		c.category(v, t)
		c.basis(v, i)
	}

	return errors.Join(c.broken...)
}

// notSubject reports whether a part of the invoice is not subject to VAT.
func (v Invoice) notSubject() bool {
	return slices.ContainsFunc(v.Taxes, func(t Tax) bool { return t.Category == NotSubject })
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

// sums checks that the invoice's amounts add up.
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

	all := new(big.Rat)
	for _, t := range v.Taxes {
		all.Add(all, c.amount("VAT", t.VAT))
	}

	c.rule("BR-CO-14", all.Cmp(vat) == 0, "has VAT of %s, and %s in its parts", v.VAT, all.FloatString(2))
}

// basis checks the VAT of the lines that are taxed alike, which name its category and rate.
func (c *checker) basis(v Invoice, at int) {
	t := v.Taxes[at]
	net := c.amount("a net sum", t.Net)
	vat := c.amount("VAT", t.VAT)
	lines := new(big.Rat)

	for i, l := range v.Lines {
		c.rule("BR-CO-04", l.Tax >= 0 && l.Tax < len(v.Taxes), "does not say how line %d is taxed", i+1)

		if l.Tax == at {
			lines.Add(lines, c.amount("a line", l.Net))
		}
	}

	c.rule("BR-"+string(t.Category)+"-08", lines.Cmp(net) == 0, "has lines of %s that are taxed on %s",
		lines.FloatString(2), t.Net)

	for _, other := range v.Taxes[:at] {
		c.rule("BR-"+string(t.Category)+"-01",
			other.Category != t.Category || t.Category == Standard && other.Percent != t.Percent,
			"has two parts with VAT of the category %s and %s %%", t.Category, t.Percent)
	}

	percent, ok := new(big.Rat).SetString(t.Percent)
	if !ok {
		percent = new(big.Rat)
	}

	// Each service rounds its own VAT, and their sum counts. The published rules (validation artefacts 1.3) take what
	// is less than one whole unit of the currency away.
	due := new(big.Rat).Mul(net, percent)
	due.Quo(due, big.NewRat(100, 1))
	due.Sub(due, vat)
	c.rule("BR-CO-17", due.Abs(due).Cmp(big.NewRat(1, 1)) < 0, "has VAT that is not %s %% of its net sum", t.Percent)
}

// category checks what a category of VAT needs.
func (c *checker) category(v Invoice, t Tax) {
	seller := v.Seller.VATID != "" || v.Seller.TaxNumber != ""
	percent, ok := new(big.Rat).SetString(t.Percent)
	free := ok && percent.Sign() == 0

	switch t.Category {
	case Standard:
		c.rule("BR-S-02", seller, "has VAT and no tax number of the seller")
		c.rule("BR-S-05", ok && percent.Sign() > 0, "has VAT of %q %%", t.Percent)
		c.rule("BR-S-10", t.Reason == "", "has VAT and a reason for none")

	case Exempt:
		c.rule("BR-E-02", seller, "is exempt and has no tax number of the seller")
		c.rule("BR-E-05", free, "is exempt and has VAT")
		c.rule("BR-E-10", t.Reason != "", "is exempt without a reason")

	case ReverseCharge:
		c.rule("BR-AE-02", seller && v.Buyer.VATID != "", "leaves VAT to a buyer without a VAT identifier")
		c.rule("BR-AE-05", free, "leaves VAT to the buyer and has some")
		c.rule("BR-AE-10", t.Reason != "", "leaves VAT to the buyer without a reason")

	case NotSubject:
		c.rule("BR-O-05", free, "is not subject to VAT and has some")
		c.rule("BR-O-10", t.Reason != "", "is not subject to VAT without a reason")
		c.rule("BR-O-11", len(v.Taxes) == 1, "is subject to VAT in parts alone")

	default:
		c.rule("BR-47", false, "has the category %q", t.Category)
	}
}
