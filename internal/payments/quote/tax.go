package quote

import (
	"math/big"
	"slices"
	"strings"

	"slipway/internal/core/money"
	"slipway/internal/standards/cii"
)

// Seller is who charges the fees, as far as value added tax depends on him. Country is ISO 3166 alpha-2.
type Seller struct {
	Country    string
	VATPercent string // of the fees, which contain it; empty: they are exempt or not taxed
	TaxNote    string // why there is no VAT
	Numbered   bool   // he has a tax number or a VAT identifier
}

// Tax is how value added tax of a price's fees is treated. It is fixed with the price: what is set later, of the seller
// or of the customer, changes nothing about it. The zero value is that of a price of before there was one: no tax.
type Tax struct {
	Category cii.Category `json:"category"`
	Percent  string       `json:"percent"` // "19"; "0" for categories without
	Country  string       `json:"country"` // whose tax it is: the seller's
	Reason   string       `json:"reason,omitempty"`
}

// union are the countries of the European Union, within which a business declares the VAT of services that it gets from
// another country (Directive 2006/112/EC, articles 44 and 196).
var union = []string{
	"AT", "BE", "BG", "CY", "CZ", "DE", "DK", "EE", "ES", "FI", "FR", "GR", "HR", "HU",
	"IE", "IT", "LT", "LU", "LV", "MT", "NL", "PL", "PT", "RO", "SE", "SI", "SK",
}

// TaxFor returns the VAT of the seller's fees to a customer in a country, with his VAT identifier. A seller without a
// rate of VAT is exempt. One with a rate charges it in his own country, to consumers of the Union if he is in it, and
// to customers of whom nobody knows where they are (article 45); a business elsewhere in the Union declares it itself;
// everywhere else there is none. What a seller's fees really are is for his tax adviser.
func (s Seller) TaxFor(country, vatID string) Tax {
	inUnion := func(country string) bool { return slices.Contains(union, country) }
	charged := Tax{Category: cii.Standard, Percent: s.VATPercent, Country: s.Country}
	free := func(c cii.Category, reason string) Tax {
		return Tax{Category: c, Percent: "0", Country: s.Country, Reason: reason}
	}

	switch {
	case s.VATPercent == "" && s.TaxNote != "" && s.Numbered:
		return free(cii.Exempt, s.TaxNote)
	case s.VATPercent == "" && s.TaxNote != "":
		return free(cii.NotSubject, s.TaxNote)
	case s.VATPercent == "":
		return free(cii.NotSubject, "Not subject to VAT.")
	case country == s.Country, country == "":
		return charged
	case inUnion(s.Country) && inUnion(country) && vatID != "":
		return free(cii.ReverseCharge, "Reverse charge: the customer is liable for the VAT.")
	case inUnion(s.Country) && inUnion(country):
		return charged
	default:
		return free(cii.NotSubject, "Not subject to VAT: the customer is in another country.")
	}
}

// Code names the tax in the book: DE-S-19. It is empty where there is none.
func (t Tax) Code() string {
	if t.Category != cii.Standard {
		return ""
	}

	return strings.Join([]string{t.Country, string(t.Category), t.Percent}, "-")
}

// in returns the tax that an amount contains, rounded half to even.
func (t Tax) in(gross money.Amount) money.Amount {
	percent, ok := new(big.Rat).SetString(t.Percent)
	if !ok || percent.Sign() <= 0 {
		return money.Zero(gross.Asset())
	}

	percent.Quo(percent, new(big.Rat).Add(percent, hundred()))

	return money.FromRat(gross.Asset(), percent.Mul(percent, gross.Rat()), money.HalfEven)
}

// fixTax sets the tax of the fees.
func (q *Quote) fixTax(t Tax) {
	q.Tax = t

	for i := range q.Fees {
		q.Fees[i].Tax = t.in(q.Fees[i].Amount)
	}
}

// TaxOf returns how much of a fee's tax goes back together with one payment, as FeeOf does of the fee. Whatever
// payments go back, and in whatever order, the parts of all of them are never more than the tax, and are the tax if all
// of the fee goes back.
func (q Quote) TaxOf(f Fee, l Line) money.Amount {
	before := money.Zero(q.Token)

	for _, x := range q.Lines {
		if x.Position == l.Position {
			return f.taxUntil(before.Add(q.FeeOf(f, l))).Sub(f.taxUntil(before))
		}

		before = before.Add(q.FeeOf(f, x))
	}

	return money.Zero(q.Token)
}

// taxUntil returns the tax of the first part of a fee, rounded down.
func (f Fee) taxUntil(part money.Amount) money.Amount {
	if f.Tax.Sign() == 0 {
		return money.Zero(f.Amount.Asset())
	}

	units := new(big.Int).Mul(f.Tax.Units(), part.Units())

	return money.FromUnits(f.Amount.Asset(), units.Quo(units, f.Amount.Units()))
}
