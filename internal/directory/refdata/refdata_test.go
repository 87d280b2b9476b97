//go:build !nosandbox

package refdata_test

import (
	"encoding/json"
	"encoding/xml"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/core/fault"
	dt "slipway/internal/directory/directorytest"
	"slipway/internal/directory/refdata"
	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
)

func fixture(t *testing.T, name string) []byte {
	t.Helper()

	dir := os.Getenv("SLIPWAY_FIXTURES")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "..", "shared", "fixtures")
	}

	raw, err := os.ReadFile(filepath.Join(dir, "countries", name))
	if err != nil {
		t.Skip("the shared fixtures are not on this machine (SLIPWAY_FIXTURES)")
	}

	return raw
}

func TestCountriesAreThoseOfISO(t *testing.T) {
	var want []struct {
		Alpha2, Alpha3   string
		IBAN             bool
		SepaRegistryV101 bool
	}
	require.NoError(t, json.Unmarshal(fixture(t, "countries.json"), &want))
	c := refdata.All()
	require.Len(t, c.Countries, len(want))

	for _, x := range want {
		got, ok := c.Country(x.Alpha2)
		require.True(t, ok, x.Alpha2)
		require.Equal(t, x.Alpha3, got.Alpha3)
		require.Equal(t, x.IBAN, got.IBAN, x.Alpha2)

		if x.SepaRegistryV101 {
			require.Contains(t, codes(got.Rails), "SEPA", x.Alpha2)
		}

		require.NotEmpty(t, got.Name)
		require.NotEmpty(t, got.Continent)
	}

	for _, retired := range []string{"AN", "YU", "XK", "ch", "", "CHE"} {
		_, ok := c.Country(retired)
		require.False(t, ok, retired)
	}
}

// Countries have the names of today, and each its own.
func TestCountriesHaveTheirPresentNames(t *testing.T) {
	for code, want := range map[string]string{
		"CH": "Switzerland",
		"CI": "Côte d'Ivoire",
		"CV": "Cabo Verde",
		"CZ": "Czechia",
		"LY": "Libya",
		"MK": "North Macedonia",
		"MM": "Myanmar",
		"SZ": "Eswatini",
		"TL": "Timor-Leste",
		"TR": "Türkiye",
	} {
		got, _ := refdata.All().Country(code)
		require.Equal(t, want, got.Name)
		require.Equal(t, want, got.View().Name)
	}

	seen := map[string]bool{}
	for _, c := range refdata.All().Countries {
		require.False(t, seen[c.Name], c.Name)
		seen[c.Name] = true

		for _, old := range []string{
			"Turkey", "Swaziland", "Yugoslav", "Czech Republic", "Cape Verde", "Burma", "Jamahiriya", "East Timor",
			"Cote d'Ivoire", "Curacao", "Reunion", "Province of China", "Special Administrative", "Islamic", " Of ", " And ",
		} {
			require.NotContains(t, c.Name, old)
		}
	}
}

func codes(rails []refdata.Rail) (out []string) {
	for _, r := range rails {
		out = append(out, r.Code)
	}

	return out
}

func TestCurrenciesAreThoseOfISO(t *testing.T) {
	var list struct {
		Rows []struct {
			Code  string `xml:"Ccy"`
			Units string `xml:"CcyMnrUnts"`
		} `xml:"CcyTbl>CcyNtry"`
	}
	require.NoError(t, xml.Unmarshal(fixture(t, "raw/iso4217_table_a1_2024-06-25.xml"), &list))

	iso := map[string]string{}
	for _, r := range list.Rows {
		iso[r.Code] = r.Units
	}

	iso["XCG"] = "2" // amendment 176 came after that list: the guilder of Curaçao and Sint Maarten, for ANG

	for _, x := range refdata.All().Currencies {
		units, ok := iso[x.Code]
		require.True(t, ok, "%s is not in list one", x.Code)
		require.Equal(t, units, strconv.Itoa(x.Decimals), x.Code)
	}

	require.Greater(t, len(refdata.All().Currencies), 150)
}

// Codes come and go: ANG, BGN, CUC and HRK are withdrawn.
func TestWithdrawnCurrenciesAreUnknown(t *testing.T) {
	for _, code := range []string{"ANG", "BGN", "CUC", "HRK", "SLL", "ZWL", "XXX", "XAU"} {
		_, ok := refdata.All().Currency(code)
		require.False(t, ok, code)
	}

	for code, decimals := range map[string]int{"EUR": 2, "JPY": 0, "KWD": 3, "CLF": 4, "XCG": 2, "ISK": 0} {
		got, ok := refdata.All().Currency(code)
		require.True(t, ok, code)
		require.Equal(t, decimals, got.Decimals, code)
	}
}

func TestRegionsHaveTheirRails(t *testing.T) {
	c := refdata.All()
	for country, want := range map[string][]string{
		"DE": {"SEPA_INSTANT", "SEPA", "SWIFT"},
		"GB": {"SEPA", "FASTER_PAYMENTS", "CHAPS", "SWIFT"},
		"US": {"ACH", "FEDWIRE", "SWIFT"},
		"IN": {"IMPS", "NEFT", "SWIFT"},
		"CH": {"SEPA", "SIC", "SWIFT"},
		"BR": {"SWIFT"},
		"KP": nil,
	} {
		t.Run(country, func(t *testing.T) {
			got, _ := c.Country(country)
			require.Equal(t, want, codes(got.Rails))
		})
	}

	ach, ok := c.Rail("rail_ach")
	require.True(t, ok)
	require.Equal(t, "accountNumber", ach.Fields[0].Name)
	_, ok = c.Pair("USDC", "cur_eur")
	require.True(t, ok)
	_, ok = c.Pair("tok_usdc", "XAF")
	require.False(t, ok, "a hidden currency has no pair")
	_, ok = c.Pair("ETH", "EUR")
	require.False(t, ok)
}

func TestReadsAreForSignedInCallers(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := dt.New(t, d)
		for path, total := range map[string]int{
			"/countries":     249,
			"/currencies":    25,
			"/tokens":        3,
			"/payment-rails": 10,
			"/trading-pairs": 75,
		} {
			w.Do("", "GET", path, "").Refused(401, fault.TokenMissing, "")
			a := w.Do(dt.Homeless, "GET", path+"?limit=250", "").Status(200)
			require.EqualValues(t, total, a.Get("total"), path)
			require.Len(t, a.List("results"), total)
			seen := 0

			cursor := ""
			for range 50 {
				p := w.Do(dt.A, "GET", path+"?limit=7"+cursor, "").Status(200)

				seen += len(p.List("results"))
				if p.Get("nextCursor") == nil {
					break
				}

				cursor = "&cursor=" + p.Text("nextCursor")
			}

			require.Equal(t, total, seen, path)
		}

		eur := w.Do(dt.A, "GET", "/currencies?limit=1", "").List("results")[0].(map[string]any)
		require.Equal(t, "cur_eur", eur["_id"])
		require.Equal(t, "€", eur["symbol"])
		require.Greater(t, w.Do(dt.A, "GET", "/currencies?isHidden=true", "").Get("total"), 150.0)
		w.Do(dt.A, "GET", "/countries?cursor=djE6eA", "").Refused(422, fault.CursorInvalid, "?cursor")
	})
}
