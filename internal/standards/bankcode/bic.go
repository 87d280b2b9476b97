// Package bankcode parses the codes of banks and their branches: BIC (ISO 9362), sort code and account number of the
// United Kingdom with Vocalink's modulus check, routing numbers of the United States (ABA) with the Federal Reserve's
// directories, and India's IFSC.
//
// It promises that a code returned by a Parse function has the form its standard requires, check digits included. It
// does not promise that the bank exists, except where the operator has provided a directory.
//
// Each file has one standard: bic.go, uk.go (sort codes and accounts) with modulus.go (Vocalink's check), aba.go,
// ifsc.go; ibanbank.go finds the bank of an IBAN in a table of the operator's.
package bankcode

import (
	"errors"
	"strings"

	"slipway/internal/core/text"
)

// BIC is a business identifier code in capitals, of 8 or 11 characters.
type BIC string

// Reasons why a text is not a BIC.
var (
	ErrBICForm = errors.New(
		"a BIC has 8 or 11 characters: four letters or digits, the country's code, two and perhaps three more " +
			"letters or digits",
	)
	ErrBICCountry = errors.New(
		"the fifth and sixth character of a BIC are a country's code (ISO 3166-1); the United Kingdom's is GB, " +
			"Greece's GR",
	)
)

// isoCountries are the country codes of a BIC: those of ISO 3166-1 alpha-2, and XK, which banks of Kosovo use.
const isoCountries = " AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ " +
	"BR BS BT BV BW BY BZ CA CC CD CF CG CH" +
	" CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE " +
	"GF GG GH GI GL GM GN" +
	" GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR " +
	"KW KY KZ LA LB LC LI" +
	" LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI " +
	"NL NO NP NR NU NZ OM" +
	" PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS " +
	"ST SV SX SY SZ TC TD" +
	" TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS XK YE YT ZA ZM ZW "

// ParseBIC parses a BIC as people write it (text.Compact). The first four characters
// may also be digits, as the standard allows since 2014, though that is rare. Errors are ErrBICForm and ErrBICCountry.
func ParseBIC(s string) (BIC, error) {
	s = text.Compact(s)
	if len(s) != 8 && len(s) != 11 {
		return "", ErrBICForm
	}

	for i := range len(s) {
		if country := i == 4 || i == 5; !letter(s[i]) && (country || !digit(s[i])) {
			return "", ErrBICForm
		}
	}

	if !IsCountry(s[4:6]) {
		return "", ErrBICCountry
	}

	return BIC(s), nil
}

// Country returns the code of the country that the BIC is of.
func (b BIC) Country() string { return string(b[4:6]) }

// IsCountry reports whether two capitals are a country's code of ISO 3166-1 alpha-2, or XK.
func IsCountry(code string) bool {
	return len(code) == 2 && letter(code[0]) && letter(code[1]) && strings.Contains(isoCountries, " "+code+" ")
}

func letter(c byte) bool { return c >= 'A' && c <= 'Z' }
func digit(c byte) bool  { return c >= '0' && c <= '9' }

// digits reports whether s consists of n digits.
func digits(s string, n int) bool {
	if len(s) != n {
		return false
	}

	for i := range n {
		if !digit(s[i]) {
			return false
		}
	}

	return true
}
