package quote_test

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"slipway/internal/core/money"
	"slipway/internal/payments/quote"
	"slipway/internal/platform/db"
)

// VAT is in what is charged, and who owes it follows from where the parties are. Of a customer of whom nobody knows
// where he is, the seller's own rate is in it.
func TestVATOfFees(t *testing.T) {
	german := quote.Seller{Country: "DE", VATPercent: "19", Numbered: true}
	swiss := quote.Seller{Country: "CH", VATPercent: "8.1", Numbered: true}
	exempt := quote.Seller{Country: "DE", TaxNote: "Exempt: financial services.", Numbered: true}

	for name, c := range map[string]struct {
		seller         quote.Seller
		country, vatID string
		category, code string
	}{
		"same country":           {german, "DE", "DE999999999", "S", "DE-S-19"},
		"business in the Union":  {german, "FR", "FR12345678901", "AE", ""},
		"consumer in the Union":  {german, "FR", "", "S", "DE-S-19"},
		"elsewhere":              {german, "US", "", "O", ""},
		"nobody knows":           {german, "", "", "S", "DE-S-19"},
		"not of the Union":       {swiss, "DE", "DE999999999", "O", ""},
		"in Switzerland":         {swiss, "CH", "", "S", "CH-S-8.1"},
		"exempt":                 {exempt, "DE", "", "E", ""},
		"a note and no number":   {quote.Seller{Country: "DE", TaxNote: "Small business."}, "DE", "", "O", ""},
		"no rate and no numbers": {quote.Seller{Country: "DE"}, "DE", "", "O", ""},
	} {
		tax := c.seller.TaxFor(c.country, c.vatID)
		require.Equal(t, c.category, string(tax.Category), name)
		require.Equal(t, c.code, tax.Code(), name)
		require.Equal(t, c.code == "", tax.Reason != "", name)
		require.Equal(t, c.seller.Country, tax.Country, name)
	}
}

// The tax is fixed with the price: what the customer says of himself later, and another rate of the operator, change
// nothing about it. A customer elsewhere has none in his fees.
func TestTheTaxIsFixedWithThePrice(t *testing.T) {
	eachDesk(t, func(t *testing.T, d *desk) {
		d.quotes.Seller = quote.Seller{Country: "DE", VATPercent: "19"}
		from := func(country string) {
			d.write(func(tx *db.Tx) error {
				_, err := tx.Exec("UPDATE organisations SET country = ? WHERE id = ?", country, d.org)
				return err
			})
		}

		from("DE")
		locked, err := d.lock("txn_1", d.price("1000.00"))
		require.NoError(t, err)

		from("US")

		d.quotes.Seller.VATPercent = "21"
		read, err := d.quotes.ForTransaction(t.Context(), d.db, "txn_1")
		require.NoError(t, err)
		require.Equal(t, "DE-S-19", read.Tax.Code())
		require.Equal(t, locked.Tax, read.Tax)
		require.Greater(t, len(read.Fees), 1)

		for i, f := range read.Fees {
			require.Equal(t, locked.Fees[i].Tax.String(), f.Tax.String())

			off := new(big.Rat).Sub(new(big.Rat).Mul(f.Amount.Rat(), big.NewRat(19, 119)), f.Tax.Rat())
			require.LessOrEqual(t, off.Abs(off).Cmp(big.NewRat(1, 2_000_000)), 0, "half a base unit")
		}

		taxes, err := d.quotes.TaxesOf(t.Context(), d.db, []string{"txn_1", "txn_2"})
		require.NoError(t, err)
		require.Equal(t, map[string]quote.Tax{"txn_1": locked.Tax}, taxes)

		abroad := d.price("1000.00")
		require.Equal(t, "O", string(abroad.Tax.Category))
		require.Equal(t, locked.TokenDebit.String(), abroad.TokenDebit.String(), "the price is the same")

		for _, f := range abroad.Fees {
			require.Zero(t, f.Tax.Sign())
		}
	})
}

// Whichever payments go back, 1. no part of the tax is below zero or above its part of the fee, 2. all parts together
// are never more than the tax, 3. and are the tax exactly if the whole fee goes back.
func TestTaxGoesBackWithItsFee(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		q := quote.Quote{Token: usdc}
		amount := func(most int64, name string) money.Amount {
			return money.FromUnits(usdc, big.NewInt(rapid.Int64Range(1, most).Draw(r, name)))
		}

		n := rapid.IntRange(1, 6).Draw(r, "lines")
		even := rapid.Bool().Draw(r, "even") // then the shares of a commission are all of it

		for i := range n {
			q.Lines = append(q.Lines, quote.Line{Position: i, TokenUnits: amount(1_000_000, "tokens").Units()})
			if even {
				q.Lines[i].TokenUnits = big.NewInt(7)
			}
		}

		position := rapid.IntRange(-1, len(q.Lines)-1).Draw(r, "position")

		f := quote.Fee{Type: quote.CommissionFee, Position: position, Amount: amount(5_000, "fee")}
		if even {
			f.Amount = money.FromUnits(usdc, new(big.Int).Mul(f.Amount.Units(), big.NewInt(int64(n))))
		}

		f.Tax = money.FromUnits(usdc, big.NewInt(rapid.Int64Range(0, f.Amount.Units().Int64()).Draw(r, "tax")))

		fee, tax := money.Zero(usdc), money.Zero(usdc)

		for _, l := range q.Lines {
			part, of := q.FeeOf(f, l), q.TaxOf(f, l)
			require.GreaterOrEqual(r, of.Sign(), 0)
			require.LessOrEqual(r, of.Cmp(part), 0)

			fee, tax = fee.Add(part), tax.Add(of)
		}

		require.LessOrEqual(r, tax.Cmp(f.Tax), 0)

		if fee.Cmp(f.Amount) == 0 {
			require.Zero(r, tax.Cmp(f.Tax))
		}
	})
}
