package words

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A sign of percent stands twice: one alone would take the next letter for the form of an argument.
func TestASignOfPercentStandsTwice(t *testing.T) {
	const block = "en: A quarter of %s\nde: 25 % o %s\nfr: 25 %% ou %s\n"

	_, err := readCatalogue(block)
	require.ErrorContains(t, err, "percent in de")

	_, err = readCatalogue("en: A quarter of %s\nde: 25 %% o %s\nfr: 25 %% ou %s\n")
	require.NoError(t, err)

	said := Must().Wished("de").Say("Everybody with a quarter or more: first and last names, with commas between them.")
	require.Contains(t, said, "25 % oder mehr")
}
