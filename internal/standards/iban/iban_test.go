package iban_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/standards/iban"
)

func fixture(t *testing.T, name string) []byte {
	t.Helper()

	dir := os.Getenv("SLIPWAY_FIXTURES")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "..", "shared", "fixtures")
	}

	raw, err := os.ReadFile(filepath.Join(dir, "iban_bic", name))
	if err != nil {
		t.Skip("the shared fixtures are not on this machine (SLIPWAY_FIXTURES)")
	}

	return raw
}

func problem(err error) iban.Problem {
	var e *iban.Error
	if errors.As(err, &e) {
		return e.Problem
	}

	return 0
}

func TestNumbersAsPeopleWriteThem(t *testing.T) {
	for written, want := range map[string]string{
		"de89 3704 0044 0532 0130 00":             "DE89370400440532013000",
		"DE89-3704-0044-0532-0130-00":             "DE89370400440532013000",
		"DE89\u20113704\u20110044 0532 0130 00":   "DE89370400440532013000",
		"IBAN: DE89 3704 0044 0532 0130 00\n":     "DE89370400440532013000",
		"iban DE89\u00a03704\u200b00440532013000": "DE89370400440532013000",
		"ＤＥ８９370400440532013000":                  "DE89370400440532013000",
		"DE89.3704":                               "DE89.3704",
	} {
		require.Equal(t, want, iban.Normalise(written), "%+q", written)
	}
}

func TestEachRuleHasItsNumber(t *testing.T) {
	for text, want := range map[string]iban.Problem{
		"DE89 3704 0044 0532 0130 00":              0,
		"gb29nwbk60161331926819":                   0,
		"\u00a0CH93 0076\u200b 2011 6238 5295 7\n": 0,
		"DE88370400440532013000":                   iban.WrongCheckDigits,
		"DE8937040044053201300":                    iban.WrongLength,
		"DE":                                       iban.WrongLength,
		"":                                         iban.WrongLength,
		"DE893704004405320130AA":                   iban.WrongStructure,
		"DEAA370400440532013000":                   iban.WrongStructure,
		"4489370400440532013000":                   iban.WrongStructure,
		"DE89-3704-0044-0532-0130-00":              iban.WrongCharacter,
		"ＤＥ89370400440532013000":                   iban.WrongCharacter,
		"DE8937040044053201300٠":                   iban.WrongCharacter,
		"US89370400440532013000":                   iban.WrongCountry,
		"AO06004400006729503010102":                iban.WrongCountry,
		"IBAN DE89 3704 0044 0532 0130 00":         iban.WrongCountry,
	} {
		t.Run(text, func(t *testing.T) {
			x, err := iban.Parse(text)
			require.Equal(t, want, problem(err), "%q: %v", text, err)
			require.Equal(t, want == 0, x != "")

			if err != nil && len(text) > 20 {
				require.NotContains(t, err.Error(), text[4:12], "the sentence must not show the number")
			}
		})
	}
}

// 00, 01 and 99 satisfy the remainder's check for some numbers and are still wrong.
func TestCheckDigitsThatCannotComeOutAreRefused(t *testing.T) {
	for _, bban := range []string{"HLFX11016111455365", "BARC20005275849855", "NWBK60161331926819"} {
		good := iban.CheckDigits("GB", bban)
		_, err := iban.Parse("GB" + good + bban)
		require.NoError(t, err)

		for _, bad := range []string{"00", "01", "99"} {
			_, err := iban.Parse("GB" + bad + bban)
			require.Equal(t, iban.WrongCheckDigits, problem(err))
		}
	}

	_, err := iban.Parse("GB00HLFX11016111455365") // its remainder is 1
	require.Equal(t, iban.WrongCheckDigits, problem(err))
}

func TestPartsOfANumber(t *testing.T) {
	x, err := iban.Parse("IT60X0542811101000000123456")
	require.NoError(t, err)
	require.Equal(t, "IT", x.Country())
	require.Equal(t, "05428", x.Bank())
	require.Equal(t, "11101", x.Branch())
	require.Equal(t, "X0542811101000000123456", x.BBAN())
	require.Equal(t, "IT60 X054 2811 1010 0000 0123 456", x.String())
	require.True(t, x.InSEPA())

	x, err = iban.Parse("AE070331234567890123456")
	require.NoError(t, err)
	require.Empty(t, x.Branch())
	require.False(t, x.InSEPA())
}

func TestQRIBANIsToldByItsInstitution(t *testing.T) {
	for bban, want := range map[string]bool{
		"30000000000000000": true,
		"31999123000889012": true,
		"32000000000000000": false,
		"29999000000000000": false,
		"00762011623852957": false,
	} {
		t.Run(bban, func(t *testing.T) {
			for _, country := range []string{"CH", "LI"} {
				x, err := iban.Parse(country + iban.CheckDigits(country, bban) + bban)
				require.NoError(t, err)
				require.Equal(t, want, x.QR(), x)
			}
		})
	}

	x, err := iban.Parse("AT" + iban.CheckDigits("AT", "3000000000000000") + "3000000000000000")
	require.NoError(t, err)
	require.False(t, x.QR(), "elsewhere those digits mean nothing")
}

func TestCountriesAndTerritories(t *testing.T) {
	for country, prefix := range map[string]string{
		"DE": "DE",
		"RE": "FR",
		"AX": "FI",
		"JE": "GB",
		"XK": "XK",
		"US": "",
		"SN": "",
		"":   "",
		"D":  "",
	} {
		t.Run(country, func(t *testing.T) {
			require.Equal(t, prefix, iban.Prefix(country))
			require.Equal(t, prefix != "", iban.Uses(country))
		})
	}

	for country, want := range map[string]bool{
		"DE":  true,
		"GB":  true,
		"CH":  true,
		"RE":  true,
		"AL":  true,
		"RS":  true,
		"PF":  false,
		"FO":  false,
		"GL":  false,
		"TR":  false,
		"US":  false,
		"":    false,
		" DE": false,
	} {
		t.Run(country, func(t *testing.T) {
			require.Equal(t, want, iban.InSEPA(country))
		})
	}
}

// Every country of the registry: its own example, its length, its structure and the places of its codes.
func TestTableAgreesWithTheRegistry(t *testing.T) {
	var countries []struct{ Code, Example, ExamplePrint, Sepa string }
	require.NoError(t, json.Unmarshal(fixture(t, "iban_registry_v99_parsed.json"), &countries))
	require.Len(t, countries, 89)

	for _, c := range countries {
		x, err := iban.Parse(c.Example)
		require.NoError(t, err, c.Code)
		require.Equal(t, c.Code, x.Country())
		require.NotEmpty(t, x.Bank(), c.Code)

		if c.Sepa == "Yes" {
			require.True(t, x.InSEPA(), c.Code)
		}

		for cut := range len(c.Example) {
			_, err := iban.Parse(c.Example[:cut])
			require.Error(t, err, "%s cut at %d", c.Code, cut)
		}
	}
}

// Seven test suites of others: what they call valid is so here, but for countries that the registry does not have.
func TestCorpusOfOtherLibraries(t *testing.T) {
	var vectors []struct {
		IBAN, Electronic string
		RegistryVerdict  bool
	}
	require.NoError(t, json.Unmarshal(fixture(t, "iban_vectors.json"), &vectors))
	require.Greater(t, len(vectors), 1_000)

	for _, v := range vectors {
		_, err := iban.Parse(v.Electronic)
		if v.Electronic != strings.ToUpper(v.Electronic) {
			require.NoError(t, err, "small letters are made capital: %s", v.IBAN)
			continue
		}

		require.Equal(t, v.RegistryVerdict, err == nil, "%s: %v", v.IBAN, err)
	}

	var wrong []struct{ IBAN, Problem string }
	require.NoError(t, json.Unmarshal(fixture(t, "iban_invalid_derived.json"), &wrong))
	require.Greater(t, len(wrong), 250)
	// taken out or made capital, then good
	normalised := []string{"zero width space", "no-break spaces", "line feed at the end", "lower-case country"}
	for _, v := range wrong {
		_, err := iban.Parse(v.IBAN)

		taken := false
		for _, n := range normalised {
			taken = taken || strings.HasPrefix(v.Problem, n)
		}

		require.Equal(t, taken, err == nil, "%q (%s): %v", v.IBAN, v.Problem, err)
	}

	var disputed []struct {
		IBAN            string
		RegistryVerdict bool
	}
	require.NoError(t, json.Unmarshal(fixture(t, "iban_disagreements.json"), &disputed))

	for _, v := range disputed {
		if x, err := iban.Parse(v.IBAN); err == nil {
			require.NotEqual(t, v.IBAN, string(x), "only what normalising made good is good")
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"DE89370400440532013000", "gb29 nwbk 6016 1331 9268 19", "", "\xff\xfe", "CH9300762011623852957", "FR1420041010050500013M02606"} {
		f.Add(s)
	}

	f.Fuzz(func(t *testing.T, s string) {
		x, err := iban.Parse(s)
		if err != nil {
			require.NotZero(t, problem(err), "every error has its number")
			return
		}

		again, err := iban.Parse(x.String())
		require.NoError(t, err)
		require.Equal(t, x, again, "what is shown to people reads back")
		require.Equal(t, string(x[2:4]), iban.CheckDigits(x.Country(), x.BBAN()))
		require.True(t, strings.Contains(x.BBAN(), x.Bank()) && strings.Contains(x.BBAN(), x.Branch()))
		x.QR()

		for i := range len(x) { // any one character that is mistyped is noticed
			if c := x[i]; c >= '0' && c <= '9' {
				_, err := iban.Parse(string(x[:i]) + string('0'+(c-'0'+1)%10) + string(x[i+1:]))
				require.Error(t, err)
			}
		}
	})
}
