package refdata

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/standards/bankcode"
	"slipway/internal/standards/iban"
	"slipway/internal/standards/lookalike"
)

// table is a table of constants that somebody else changes now and then.
type table struct{ what, where, source, compared string }

func tables() []table {
	return []table{
		{"countries", "internal/directory/refdata/countries.tsv", countrySource, countryCompared},
		{"currencies", "internal/directory/refdata/currencies.tsv", currencySource, currencyCompared},
		{"IBAN formats", "internal/standards/iban/table.go", iban.Registry, iban.RegistryCompared},
		{
			"lookalikes", "internal/standards/lookalike/lookalikes.tsv", lookalike.Source, lookalike.Compared,
		},
		{"SEPA members", "internal/standards/iban/areas.go", iban.SEPA, iban.SEPACompared},
	}
}

// old reports whether more than a year has gone by since a table was compared with its source.
func (t table) old(now time.Time) bool {
	day, err := time.Parse(time.DateOnly, t.compared)
	return err != nil || now.After(day.AddDate(1, 0, 0))
}

// A table that nobody has compared with its source for a year fails the build: compare it, correct it, and give it the
// day on which that was done.
func TestNoTableIsOlderThanAYear(t *testing.T) {
	for _, x := range tables() {
		require.NotEmpty(t, x.source)

		if x.old(time.Now()) {
			t.Errorf("the %s in %s were last compared on %s. Get %q in its newest form, correct the table, and change "+
				"the source and the day that stand beside it.", x.what, x.where, x.compared, x.source)
		}
	}

	made := time.Date(2026, time.November, 28, 12, 0, 0, 0, time.UTC)
	require.False(t, table{compared: "2026-11-28"}.old(made))
	require.False(t, table{compared: "2026-11-28"}.old(made.AddDate(0, 11, 29)))
	require.True(t, table{compared: "2026-11-28"}.old(made.AddDate(1, 0, 1)))
	require.True(t, table{}.old(made))
}

// The countries of a BIC are those of this package, and Kosovo, which ISO 3166-1 does not hold.
func TestBICsAreOfTheseCountries(t *testing.T) {
	for _, c := range All().Countries {
		require.True(t, bankcode.IsCountry(c.Alpha2), c.Alpha2)
	}

	known := 0
	for a := 'A'; a <= 'Z'; a++ {
		for b := 'A'; b <= 'Z'; b++ {
			if bankcode.IsCountry(string(a) + string(b)) {
				known++
			}
		}
	}

	require.Equal(t, len(All().Countries)+1, known)
	require.True(t, bankcode.IsCountry("XK"))
}

// Every member of SEPA is a country that has IBANs, and instant payments are taken in SEPA only.
func TestSEPAMembersAreCountriesWithIBANs(t *testing.T) {
	members := 0

	for _, c := range All().Countries {
		if iban.InstantInSEPA(c.Alpha2) || iban.InEEA(c.Alpha2) {
			require.True(t, iban.InSEPA(c.Alpha2), c.Alpha2)
		}

		if iban.InSEPA(c.Alpha2) {
			members++

			require.True(t, iban.Uses(c.Alpha2), c.Alpha2)
		}
	}

	require.Equal(t, 41+13, members, "41 countries, and territories that have a code of their own")
}
