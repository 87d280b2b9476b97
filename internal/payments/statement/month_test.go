package statement

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"slipway/internal/core/money"
	"slipway/internal/identity/organisation"
	"slipway/internal/payments/bookkeeping"
	"slipway/internal/payments/dayrate"
	"slipway/internal/payments/ledger"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/paper/papertest"
	"slipway/internal/standards/cii"
	"slipway/internal/standards/ecb"
)

var december = time.Date(2031, 12, 1, 0, 0, 0, 0, time.UTC)

// posted is a fee in the book, and the VAT of 19 % in it: what was charged, or below zero given back, for a transaction
// on a day of December.
func posted(transaction string, on int, cents int64) []bookkeeping.Line {
	vat := cents * 19 / 119
	net := postedTo("income/commission/net_1", transaction, on, cents-vat)
	tax := postedTo("tax/net_1/DE-S-19", transaction, on, vat)
	tax.Journal = net.Journal

	return []bookkeeping.Line{net, tax}
}

func postedTo(account, transaction string, on int, cents int64) bookkeeping.Line {
	value := money.FromUnits(money.Asset{Code: "EUR", Decimals: 2}, big.NewInt(cents))

	return bookkeeping.Line{
		Entry: ledger.Entry{
			Journal:     fmt.Sprintf("%s/%d/%d", transaction, on, cents),
			Transaction: transaction,
			Account:     account,
			Day:         december.AddDate(0, 0, on),
		},
		Amount: money.FromUnits(money.Asset{Code: "USDC", Decimals: 6}, big.NewInt(cents*11_000)),
		Home:   value.Asset(),
		Value:  &value,
	}
}

func collectiveFor(t require.TestingT, fees ...[]bookkeeping.Line) Invoice {
	lines := slices.Concat(fees...)

	m := month{
		transactions: bundle{at: map[feeKey]*feeLine{}},
		days:         bundle{at: map[feeKey]*feeLine{}},
		journals:     map[string]time.Time{},
	}
	for _, l := range lines {
		require.NoError(t, m.add(l, german))
	}

	v := source{
		issuer: germanIssuer,
		org:    organisation.Organisation{Name: "Kunde", Country: "DE"},
		now:    at,
	}.collectiveOf(m, december)
	v.Number = "2032-000001"

	return v
}

var german = germanIssuer.Seller().TaxFor("DE", "")

func cents(t require.TestingT, s string) int64 {
	n, err := money.ParseUnits(strings.Replace(strings.TrimPrefix(s, "-"), ".", "", 1))
	require.NoError(t, err)

	if strings.HasPrefix(s, "-") {
		return -n.Int64()
	}

	return n.Int64()
}

// Whatever was charged and given back in a month, 1. net sum, VAT and total of its collective invoice are those of the
// single invoices less their credit notes, to the cent, 2. its lines sum to the net sum, and with VAT to the total, 3.
// it is one by the rules of EN 16931, and a credit note exactly if more was given back.
func TestCollectiveInvoiceIsTheSumOfTheSingleOnes(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		var lines [][]bookkeeping.Line

		var total, vat int64

		single := func(gross int64, sign int64) {
			of := posted("", 0, gross)
			h := germanIssuer.homeFor(organisation.Organisation{Country: "DE"}).with(
				money.Asset{Code: "EUR", Decimals: 2},
				[]priced{{"Commission", *of[0].Value, *of[1].Value, german}},
			)
			total += sign * cents(r, h.Total)
			vat += sign * cents(r, h.VAT)
		}

		for i := range rapid.IntRange(1, 30).Draw(r, "transactions") {
			id := fmt.Sprintf("txn_%d", i)

			if charged := rapid.Int64Range(0, 5000).Draw(r, "charged"); charged > 0 {
				lines = append(lines, posted(id, i, charged))
				single(charged, 1)
			}

			if back := rapid.Int64Range(-5000, 3000).Draw(r, "back"); back > 0 {
				lines = append(lines, posted(id, i, -back))
				single(back, -1)
			}
		}

		if len(lines) == 0 {
			return
		}

		v := collectiveFor(r, lines...)
		sign := int64(1)

		if v.Credit {
			sign = -1
		}

		require.Equal(r, total, sign*cents(r, v.Home.Total))
		require.Equal(r, total < 0, v.Credit)
		require.Equal(r, vat, sign*cents(r, v.Home.VAT))

		net := int64(0)
		for _, l := range v.Home.Lines {
			net += cents(r, l.Net)
		}

		require.Equal(r, cents(r, v.Home.Net), net)
		require.Equal(r, cents(r, v.Home.Total), net+cents(r, v.Home.VAT))

		data := string(v.data())
		require.NotEmpty(r, data)
		require.Equal(r, v.Credit, strings.Contains(data, "<ram:TypeCode>381</ram:TypeCode>"))
		require.Equal(r, !v.Credit, strings.Contains(data, "<ram:TypeCode>380</ram:TypeCode>"))
		require.Contains(r, data, `<ram:StartDateTime><udt:DateTimeString format="102">20311201<`)
		require.Contains(r, data, `<ram:EndDateTime><udt:DateTimeString format="102">20311231<`)
	})
}

// What was given back is a line of its own below zero, in the pages and in the data. A month with more of it is a
// credit note of amounts above zero.
func TestCollectiveInvoiceShowsWhatWasGivenBack(t *testing.T) {
	lines := [][]bookkeeping.Line{posted("txn_a", 3, 1190), posted("txn_a", 5, -238), posted("txn_b", 9, 119)}
	v := collectiveFor(t, lines...)

	require.Equal(t, []HomeFee{
		{"Fees, 2031-12-04, txn_a", "10.00", 0},
		{"Fees given back, 2031-12-06, txn_a", "-2.00", 0},
		{"Fees, 2031-12-10, txn_b", "1.00", 0},
	}, v.Home.Lines)
	require.Equal(t, []string{"9.00", "1.71", "10.71"}, []string{v.Home.Net, v.Home.VAT, v.Home.Total})
	require.Equal(t, Amount{"-2.618", "USDC"}, v.Lines[1].Amount)
	require.Contains(t, string(v.data()), `<ram:BilledQuantity unitCode="C62">-1</ram:BilledQuantity>`)
	require.Equal(t, "invoice-2032-000001.pdf", v.fileName())

	file, err := RenderInvoice(v, nil)
	require.NoError(t, err)

	text := strings.Join(papertest.Read(t, file).Pages[0], "\n")
	for _, want := range []string{"Collective invoice 2032-000001", "2031-12-01 to 2031-12-31", "−2.618", "−2.00", "10.71"} {
		require.Contains(t, text, want)
	}

	v = collectiveFor(t, append(lines, posted("txn_c", 12, -2380))...)
	require.True(t, v.Credit)
	require.Equal(t, []string{"11.00", "2.09", "13.09"}, []string{v.Home.Net, v.Home.VAT, v.Home.Total})
	require.Equal(t, "-10.00", v.Home.Lines[0].Net)
	require.Equal(t, "credit-note-2032-000001.pdf", v.fileName())
	require.NotEmpty(t, v.data())
}

// With very many transactions there is a line for each day, over the same total.
func TestCollectiveInvoiceOfVeryManyHasALineForEachDay(t *testing.T) {
	var lines [][]bookkeeping.Line
	for i := range mostLines {
		lines = append(lines, posted(fmt.Sprintf("txn_%d", i), i%31, 119))
	}

	v := collectiveFor(t, lines...)
	require.Len(t, v.Lines, mostLines)
	require.Equal(t, "1190.00", v.Home.Total)

	v = collectiveFor(t, append(lines, posted("txn_more", 30, 119), posted("txn_more", 30, -119))...)
	require.Len(t, v.Lines, 32)
	require.Equal(t, "1190.00", v.Home.Total)
	require.Equal(t, "Fees, 2031-12-01", v.Lines[0].Label)
	require.Equal(t, "Fees given back, 2031-12-31", v.Lines[31].Label)
	require.NotEmpty(t, v.data())
}

// A credit note has the parties and the VAT of the invoice that it corrects, whatever has been set since, and names it
// in its data. Its values are those at which the fees were charged.
func TestCreditNoteHasTheVATOfItsInvoice(t *testing.T) {
	eur := money.Asset{Code: "EUR", Decimals: 2}
	line := func(account, units string) ledger.Line {
		return ledger.Line{Account: account, Asset: "USDC", Units: units}
	}
	s := source{
		t: transaction.Transaction{
			ID:       "txn_a",
			Type:     transaction.TypeFiat,
			Status:   transaction.StatusCompleted,
			Token:    "USDC",
			Decimals: 6,
			Debit:    new(big.Int),
		},
		org:    organisation.Organisation{Name: "Kunde", Country: "DE"},
		issuer: germanIssuer,
		now:    at,
		tax:    german,
		lines: []ledger.Line{
			line("income/commission/net_1", "10000000"),
			line("tax/net_1/DE-S-19", "1900000"),
			line("income/commission/net_1", "-2000000"),
			line("tax/net_1/DE-S-19", "-380000"),
		},
		home:   eur,
		day:    dayrate.Day{Day: ecb.Day{Date: at, Rates: map[string]*big.Rat{"USD": big.NewRat(1, 1)}}},
		booked: december,
		until:  december.AddDate(0, 0, 1),
		worth: map[string]money.Amount{
			"commission": money.FromUnits(eur, big.NewInt(1000)),
			taxKind:      money.FromUnits(eur, big.NewInt(190)),
		},
	}
	invoice, err := s.invoice()
	require.NoError(t, err)
	require.Equal(
		t,
		[]string{"10.00", "1.90", "11.90"},
		[]string{invoice.Home.Net, invoice.Home.VAT, invoice.Home.Total},
	)

	invoice.Number = "2031-000007"
	s.issuer.VATPercent = "7"
	s.org.Country = "US"
	s.worth["commission"] = money.FromUnits(eur, big.NewInt(200))
	s.worth[taxKind] = money.FromUnits(eur, big.NewInt(38))

	note, err := s.creditNote(invoice)
	require.NoError(t, err)
	require.Equal(t, []string{"2.00", "0.38", "2.38"}, []string{note.Home.Net, note.Home.VAT, note.Home.Total})
	require.Equal(t, "DE", note.Home.Buyer.Country)
	require.Empty(t, note.Home.Rate)

	note.Number = "2031-000008"

	for _, want := range []string{
		"<ram:TypeCode>381</ram:TypeCode>",
		"<ram:IssuerAssignedID>2031-000007</ram:IssuerAssignedID>",
		"<ram:RateApplicablePercent>19</ram:RateApplicablePercent>",
		`<ram:EndDateTime><udt:DateTimeString format="102">20311202<`,
	} {
		require.Contains(t, string(note.data()), want)
	}

	require.NotContains(t, string(note.data()), "-2.")
	require.Equal(t, []string{"Commission", "VAT, 19 %"}, []string{note.Lines[0].Label, note.Lines[1].Label})
	require.Equal(t, "2.38", note.Total.Amount.Value)
}

// Fees that are taxed in two ways in one month, since the customer has moved or the rate was changed, have two lines of
// VAT, each on its own sum, and are data with a part for each. What is not subject to VAT is none beside what is.
func TestCollectiveInvoiceKeepsTheTaxOfEachPrice(t *testing.T) {
	m := month{
		transactions: bundle{at: map[feeKey]*feeLine{}},
		days:         bundle{at: map[feeKey]*feeLine{}},
		journals:     map[string]time.Time{},
	}

	abroad := germanIssuer.Seller().TaxFor("FR", "FR12345678901")

	for _, l := range posted("txn_a", 3, 1190) {
		require.NoError(t, m.add(l, german))
	}

	require.NoError(t, m.add(postedTo("income/commission/net_1", "txn_b", 3, 500), abroad))

	for _, of := range []bundle{m.transactions, m.days} {
		require.Len(t, of.lines, 2)
	}

	v := source{
		issuer: germanIssuer,
		org:    organisation.Organisation{Name: "Kunde", Country: "FR", VATID: "FR12345678901"},
		now:    at,
	}.collectiveOf(m, december)
	require.Equal(t, []HomeTax{
		{"S", "19", "", "10.00", "1.90"},
		{"AE", "0", "Reverse charge: the customer is liable for the VAT.", "5.00", "0.00"},
	}, v.Home.Taxes)
	require.Equal(t, []string{"15.00", "1.90", "16.90"}, []string{v.Home.Net, v.Home.VAT, v.Home.Total})
	require.Equal(t, []int{0, 1}, []int{v.Home.Lines[0].Tax, v.Home.Lines[1].Tax})

	v.Number = "2031-000009"
	data := string(v.data())

	for _, want := range []string{
		"<ram:CalculatedAmount>1.90</ram:CalculatedAmount><ram:TypeCode>VAT</ram:TypeCode>" +
			"<ram:BasisAmount>10.00</ram:BasisAmount><ram:CategoryCode>S</ram:CategoryCode>",
		"<ram:BasisAmount>5.00</ram:BasisAmount><ram:CategoryCode>AE</ram:CategoryCode>",
		"<ram:GrandTotalAmount>16.90</ram:GrandTotalAmount>",
	} {
		require.Contains(t, data, want)
	}

	elsewhere := v
	home := *v.Home
	home.Taxes = []HomeTax{home.Taxes[0], {"O", "0", "Not subject to VAT.", "5.00", "0.00"}}
	elsewhere.Home = &home
	require.Empty(t, elsewhere.data(), "BR-O-11")

	stored := v // before lines named how they are taxed
	home = *v.Home
	home.Lines = []HomeFee{{home.Lines[0].Label, "10.00", 0}, {home.Lines[1].Label, "5.00", 0}}
	stored.Home = &home
	require.Empty(t, stored.data(), "BR-S-08")

	file, err := RenderInvoice(v, nil)
	require.NoError(t, err)

	text := strings.Join(papertest.Read(t, file).Pages[0], "\n")
	for _, want := range []string{"VAT, 19 % (on 10.00)", "VAT (on 5.00): Reverse charge"} {
		require.Contains(t, text, want)
	}
}

// What differs in why there is no VAT, or in the country whose rate it is, is one part of the data.
func TestTaxesOfOneCategoryAndRateAreOnePart(t *testing.T) {
	h := Home{Taxes: []HomeTax{
		{"S", "19", "", "10.00", "1.90"},
		{"E", "0", "Exempt: financial services.", "1.00", "0.00"},
		{"S", "19", "", "2.00", "0.38"},
		{"E", "0", "Exempt by treaty.", "3", "0"},
		{"S", "7", "", "4.00", "0.28"},
	}}

	parts, at := h.breakdown()
	require.Equal(t, []int{0, 1, 0, 1, 2}, at)
	require.Equal(t, []cii.Tax{
		{Category: cii.Standard, Percent: "19", Net: "12.00", VAT: "2.28"},
		{
			Category: cii.Exempt,
			Percent:  "0",
			Reason:   "Exempt: financial services. Exempt by treaty.",
			Net:      "4.00",
			VAT:      "0.00",
		},
		{Category: cii.Standard, Percent: "7", Net: "4.00", VAT: "0.28"},
	}, parts)
}
