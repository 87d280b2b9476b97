package bankcode_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/standards/bankcode"
	"slipway/internal/standards/iban"
)

// The sample has the documented format.
func TestBankOfAnIBAN(t *testing.T) {
	file, err := os.Open("testdata/banks.csv")
	require.NoError(t, err)

	defer func() { require.NoError(t, file.Close()) }()

	banks, err := bankcode.ReadBanks(file)
	require.NoError(t, err)

	for number, want := range map[string]bankcode.Bank{
		"DE89370400440532013000":      {BIC: "COBADEFFXXX", Name: "Commerzbank"},
		"FR1420041010050500013M02606": {BIC: "PSSTFRPPXXX", Name: "La Banque Postale"},
		"CH9300762011623852957":       {BIC: "BLKBCH22XXX", Name: "Basellandschaftliche Kantonalbank, Liestal"},
		"GB29NWBK60161331926819":      {BIC: "NWBKGB2LXXX", Name: "National Westminster Bank"},
		"BE68539007547034":            {BIC: "NAPBBEB1XXX"},
	} {
		x, err := iban.Parse(number)
		require.NoError(t, err)

		b, known := banks.Lookup(x)
		require.True(t, known, number)
		require.Equal(t, want, b)
	}

	x, err := iban.Parse("PL61109010140000071219812874")
	require.NoError(t, err)

	_, known := banks.Lookup(x)
	require.False(t, known)

	var none *bankcode.Banks
	_, known = none.Lookup(x)
	require.False(t, known)
}

// A table that is wrong anywhere is not used.
func TestWrongTablesOfBanksAreRefused(t *testing.T) {
	const header = "country,bankCode,bicSwift,name\n"

	for text, says := range map[string]string{
		"":                                    "EOF",
		"DE,37040044,COBADEFFXXX,Commerzbank": "the first line is not",
		header + "DE,37040044,COBADEFF":       "line 2",
		header + "DE,3704004,COBADEFF,C":      `line 2: "3704004" is no bank code of "DE": it has 8 characters`,
		header + "XX,3704004,COBADEFF,C":      "line 2",
		header + "DE,37040044,COBA,C":         "line 2: a BIC has 8 or 11 characters",
		header + "DE,37040044,COBADEFF,C\n#\nDE,37040044,COBADEFF,C": "line 4: the bank code 37040044 of DE is there twice",
	} {
		_, err := bankcode.ReadBanks(strings.NewReader(text))
		require.ErrorContains(t, err, says)
	}
}
