package statement

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"math/big"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/core/fault"
	"slipway/internal/core/money"
	"slipway/internal/identity/organisation"
	"slipway/internal/payments/dayrate"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/paper"
	"slipway/internal/platform/paper/papertest"
	"slipway/internal/standards/cii"
	"slipway/internal/standards/ecb"
)

// taxed is an invoice for fees of 11.90 USDC, for an issuer and a customer.
func taxed(issuer Issuer, customer organisation.Organisation) Invoice {
	token := money.Asset{Code: "USDC", Decimals: 6}
	s := source{
		t:      transaction.Transaction{Token: token.Code, Decimals: token.Decimals},
		org:    customer,
		issuer: issuer,
		tax:    issuer.Seller().TaxFor(customer.Country, customer.VATID),
		home:   money.Asset{Code: "EUR", Decimals: 2},
		worth:  map[string]money.Amount{},
		day: dayrate.Day{Source: "ECB", Day: ecb.Day{
			Date:  time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC),
			Rates: map[string]*big.Rat{"USD": big.NewRat(1, 1)},
		}},
	}

	charge := func(kind, label, net string) Charge {
		worth, err := money.Parse(s.home, net)
		if err != nil {
			panic(err)
		}

		s.worth[kind] = worth

		return Charge{kind, label, Amount{net, "USDC"}}
	}

	commission := charge("commission", "Commission (1 %)", "10.90")
	if s.tax.Category == cii.Standard {
		commission = charge("commission", "Commission (1 %)", "9.00")
	}

	v := Invoice{
		Number:      "2026-000001",
		Issuer:      issuer.party(),
		TaxNote:     issuer.TaxNote,
		Customer:    s.customer(),
		IssuedAt:    at,
		SuppliedAt:  at,
		Transaction: "txn_01kaj3w8r8q2m5x9v7t4b6c1dn",
		Type:        "FIAT",
		Network:     "Ethereum",
		Token:       "USDC",
		Value:       []Amount{{"1000.00", "EUR"}},
		Lines: []Charge{
			commission,
			charge("network", "Network fee (1.00 USD)", "1.00"),
		},
		Total: charge("", "Total", "11.90"),
	}
	if s.tax.Category == cii.Standard {
		v.Lines = append(v.Lines, charge(taxKind, "VAT, 19 %", "1.90"))
	}

	v.Home = s.homeOf(v.Lines)

	return v
}

// VAT is in what was charged, and who owes it follows from where the parties are.
func TestVATOfFees(t *testing.T) {
	german := Issuer{
		Name:       "Slip GmbH",
		Street:     "Hafen 1",
		PostCode:   "20095",
		Town:       "Hamburg",
		Country:    "DE",
		VATID:      "DE123456789",
		VATPercent: "19",
	}
	exempt := german
	exempt.VATPercent = ""
	exempt.TaxNote = "Exempt: financial services."
	swiss := Issuer{
		Name:         "Slip AG",
		Country:      "CH",
		VATPercent:   "8.1",
		VATID:        "CHE123",
		Registration: "CHE-1",
	}

	in := func(country, vatID string) organisation.Organisation {
		return organisation.Organisation{Name: "Kunde", Country: country, VATID: vatID}
	}

	for name, c := range map[string]struct {
		issuer                    Issuer
		customer                  organisation.Organisation
		category, net, vat, total string
	}{
		"same country":           {german, in("DE", "DE999999999"), "S", "10.00", "1.90", "11.90"},
		"business in the Union":  {german, in("FR", "FR12345678901"), "AE", "11.90", "0.00", "11.90"},
		"consumer in the Union":  {german, in("FR", ""), "S", "10.00", "1.90", "11.90"},
		"elsewhere":              {german, in("US", ""), "O", "11.90", "0.00", "11.90"},
		"exempt":                 {exempt, in("DE", ""), "E", "11.90", "0.00", "11.90"},
		"not of the Union":       {swiss, in("DE", "DE999999999"), "O", "11.90", "0.00", "11.90"},
		"no rate and no numbers": {Issuer{Name: "A", Country: "DE"}, in("DE", ""), "O", "11.90", "0.00", "11.90"},
	} {
		h := taxed(c.issuer, c.customer).Home
		require.NotNil(t, h, name)
		require.Equal(
			t,
			[]string{c.category, c.net, c.vat, c.total},
			[]string{h.Taxes[0].Category, h.Net, h.VAT, h.Total},
			name,
		)
		require.Len(t, h.Taxes, 1, name)
		require.Len(t, h.Lines, 2, name)
		require.Equal(t, c.category == "S", h.Taxes[0].Reason == "", name)
		require.Equal(t, "2026-11-20", h.RateDate)
	}
}

// Net sum, VAT and total are what stands in the customer's book, to the smallest unit, and the lines add up to the net
// sum. A currency without cents has its data too.
func TestInvoiceHasTheFiguresOfTheBook(t *testing.T) {
	for name, c := range map[string]struct {
		home  money.Asset
		lines [2]string
		net   string
		vat   string
		total string
	}{
		"euro": {money.Asset{Code: "EUR", Decimals: 2}, [2]string{"0.01", "0.02"}, "0.03", "0.01", "0.04"},
		"yen":  {money.Asset{Code: "JPY"}, [2]string{"1374", "126"}, "1500", "285", "1785"},
		"odd":  {money.Asset{Code: "JPY"}, [2]string{"2", "1"}, "3", "0", "3"},
	} {
		v := taxed(germanIssuer, organisation.Organisation{Name: "Kunde", Country: "DE"})
		s := source{
			t:      transaction.Transaction{Token: "USDC", Decimals: 6},
			org:    organisation.Organisation{Name: "Kunde", Country: "DE"},
			issuer: germanIssuer,
			tax:    germanIssuer.Seller().TaxFor("DE", ""),
			home:   c.home,
			worth:  map[string]money.Amount{},
			day: dayrate.Day{Day: ecb.Day{
				Date:  at,
				Rates: map[string]*big.Rat{"USD": big.NewRat(1, 1), "JPY": big.NewRat(150, 1)},
			}},
		}

		for kind, value := range map[string]string{"commission": c.lines[0], "network": c.lines[1], taxKind: c.vat} {
			worth, err := money.ParseOrZero(c.home, value)
			require.NoError(t, err)

			s.worth[kind] = worth
		}

		v.Home = s.homeOf(v.Lines)
		require.NotNil(t, v.Home, name)
		require.Equal(t, []string{c.net, c.vat, c.total}, []string{v.Home.Net, v.Home.VAT, v.Home.Total}, name)
		require.Equal(t, c.lines, [2]string{v.Home.Lines[0].Net, v.Home.Lines[1].Net}, name)
		require.NotEmpty(t, v.data(), name)
	}
}

// A customer of whom nobody knows where he is cannot be told what VAT he owes.
func TestInvoiceAsksForTheCustomersCountry(t *testing.T) {
	s := source{t: transaction.Transaction{Status: transaction.StatusCompleted}, issuer: germanIssuer}
	require.True(t, fault.Is(s.checkInvoiceable(), fault.InvoiceNoCountry))

	s.org.Country = "US"
	require.NoError(t, s.checkInvoiceable())

	s.org.Country = ""
	s.issuer.VATPercent = ""
	require.NoError(t, s.checkInvoiceable(), "there is no VAT anywhere")
}

// germanIssuer charges VAT.
var germanIssuer = Issuer{
	Name:       "Slip GmbH",
	Street:     "Hafen 1",
	PostCode:   "20095",
	Town:       "Hamburg",
	Country:    "DE",
	VATID:      "DE123456789",
	VATPercent: "19",
}

// The file is PDF/A-3 with the invoice as data, and what other programs say about it is asked where they are there.
func TestInvoiceIsPDFWithData(t *testing.T) {
	issuer := sampleIssuer
	issuer.Country = "DE"
	issuer.VATID = "DE123456789"
	issuer.TaxNote = ""
	issuer.VATPercent = "19"

	v := taxed(issuer, organisation.Organisation{
		Name:         "Müller & Söhne AG",
		AddressLine1: "Weg 1",
		PostCode:     "10115",
		City:         "Berlin",
		Country:      "DE",
	})
	v.Brand = "Northwind"
	v.Colour = "#0b5cad"

	pdf, err := RenderInvoice(v, nil)
	require.NoError(t, err)

	again, err := RenderInvoice(v, nil)
	require.NoError(t, err)
	require.Equal(t, pdf, again, "the same bytes")

	text := string(pdf)
	for _, want := range []string{
		"<pdfaid:part>3</pdfaid:part><pdfaid:conformance>B</pdfaid:conformance>",
		"<fx:ConformanceLevel>EN 16931</fx:ConformanceLevel>",
		"/AFRelationship /Alternative",
		"/S /GTS_PDFA1",
		"/Subtype /text#2Fxml",
		"<rsm:CrossIndustryInvoice",
	} {
		require.Contains(t, text, want)
	}

	pages := strings.Join(papertest.Read(t, pdf).Pages[0], "\n")
	for _, want := range []string{"Northwind", "Value in EUR", "10.00", "1.90", "11.90", "VAT number DE123456789"} {
		require.Contains(t, pages, want)
	}

	file := filepath.Join(t.TempDir(), "invoice.pdf")
	require.NoError(t, os.WriteFile(file, pdf, 0o600))

	if dir := os.Getenv("SLIPWAY_TEST_ARTIFACTS"); dir != "" {
		require.NoError(t, os.WriteFile(filepath.Join(dir, "invoice-with-data.pdf"), pdf, 0o600))
	}

	if tool, err := exec.LookPath("qpdf"); err == nil {
		out, err := exec.Command(tool, "--check", file).CombinedOutput()
		require.NoError(t, err, "%s", out)
	}

	logo, err := paper.NewPicture(drawn(t))
	require.NoError(t, err)

	pdf, err = RenderInvoice(v, logo)
	require.NoError(t, err)
	require.Contains(t, string(pdf), "/Subtype /Image")
	require.Contains(t, string(pdf), "<pdfaid:part>3</pdfaid:part><pdfaid:conformance>B</pdfaid:conformance>")

	if dir := os.Getenv("SLIPWAY_TEST_ARTIFACTS"); dir != "" {
		require.NoError(t, os.WriteFile(filepath.Join(dir, "invoice-with-logo.pdf"), pdf, 0o600))
	}

	unknown := v
	unknown.Home.Buyer.Country = ""
	pdf, err = RenderInvoice(unknown, nil)
	require.NoError(t, err)
	require.NotContains(t, string(pdf), "factur-x", "without the customer's country there are no data by the standard")
	require.Contains(t, string(pdf), "/AF []")
}

// drawn is a logo: a disc beside a bar, on nothing.
func drawn(t *testing.T) []byte {
	t.Helper()

	p := image.NewNRGBA(image.Rect(0, 0, 480, 120))
	ink := color.NRGBA{R: 0x0b, G: 0x5c, B: 0xad, A: 0xff}

	for x := range 480 {
		for y := range 120 {
			if dx, dy := x-60, y-60; dx*dx+dy*dy < 50*50 || x > 140 && y > 40 && y < 80 {
				p.Set(x, y, ink)
			}
		}
	}

	var out bytes.Buffer
	require.NoError(t, png.Encode(&out, p))

	return out.Bytes()
}
