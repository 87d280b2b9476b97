package bank

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"slipway/internal/core/money"
	"slipway/internal/standards/bankcode"
	"slipway/internal/standards/iban"
)

var (
	houseID       = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)
	currencyCode  = regexp.MustCompile(`^[A-Z]{3}$`)
	countryCode   = regexp.MustCompile(`^[A-Z]{2}$`)
	cutOffTime    = regexp.MustCompile(`^([01][0-9]|2[0-3]):[0-5][0-9]$`)
	accountNumber = regexp.MustCompile(`^[A-Za-z0-9]{1,34}$`)
)

// Check returns everything that prevents the account from being used.
func (a HouseAccount) Check() []error {
	var out []error
	say := func(bad bool, format string, args ...any) {
		if bad {
			out = append(
				out,
				fmt.Errorf("house account %s: %s", cmp.Or(a.ID, "without id"), fmt.Sprintf(format, args...)),
			)
		}
	}
	say(!houseID.MatchString(a.ID), "the id is lower-case letters, digits and dashes")
	say(!currencyCode.MatchString(a.Currency), "currency %q is not an ISO 4217 code", a.Currency)
	say(!countryCode.MatchString(a.Country), "country %q is not an ISO 3166 code", a.Country)
	say(a.Holder == "", "holder is needed: it is the debtor in payment files")
	say(a.IBAN == "" && a.AccountNumber == "", "iban or account_number is needed")
	say(
		a.AccountNumber != "" && !accountNumber.MatchString(a.AccountNumber),
		"account_number has letters and digits only, 34 at most",
	)
	say(a.CutOff != "" && !cutOffTime.MatchString(a.CutOff), "cut_off %q is no time such as 15:00", a.CutOff)
	say(
		!slices.Contains([]string{"", "camt.053", "camt.054"}, a.BooksFrom),
		"books_from is camt.053, camt.054 or empty",
	)

	for _, e := range a.ReturnEvidence {
		say(!slices.Contains(Evidences(), e), "return_evidence %q is not one of %s", e, strings.Join(Evidences(), ", "))
	}

	_, feeErr := money.ParseOrZero(Asset(a.Currency), a.ReturnFee)
	say(a.ReturnFee != "" && feeErr != nil, "return_fee %q is no amount of %s", a.ReturnFee, a.Currency)
	say(len(a.Rails) == 0, "rails needs at least one")

	for _, rail := range a.Rails {
		known := slices.Contains(formats()[0].Rails(), rail)
		say(!known, "there is no rail %q", rail)
		say(
			known && a.swiss() && !slices.Contains(swissRails, rail),
			"a bank in %s takes no payments by %s, but by %s",
			a.Country,
			rail,
			strings.Join(swissRails, ", "),
		)
	}

	say(a.Format != "" && !slices.Contains(Formats(), a.Format), "payment_format %q is not one of %s", a.Format,
		strings.Join(Formats(), ", "))

	for _, missing := range formatNamed(a.Format).Check(a.formatAccount()) {
		say(true, "%s", missing)
	}

	check := func(name, value string, err error) { say(value != "" && err != nil, "%s %s: %v", name, value, err) }
	_, err := iban.Parse(a.IBAN)
	check("iban", a.IBAN, err)
	_, err = bankcode.ParseBIC(a.BIC)
	check("bic", a.BIC, err)
	_, err = bankcode.ParseSortCode(a.SortCode)
	check("sort_code", a.SortCode, err)
	_, err = bankcode.ParseRoutingNumber(a.RoutingNumber)
	check("routing_number", a.RoutingNumber, err)
	_, err = bankcode.ParseIFSC(a.IFSC)
	check("ifsc", a.IFSC, err)

	return out
}

// swissRails are those on which a bank by the Swiss Payment Standards takes payments.
var swissRails = []string{"SEPA", "SEPA_INSTANT", "SIC", "SWIFT"}

// swiss reports whether the bank follows the Swiss Payment Standards.
func (a HouseAccount) swiss() bool { return a.Country == "CH" || a.Country == "LI" }

// names returns the identifications under which statements may refer to the account.
func (a HouseAccount) names() []string {
	names := []string{
		iban.Normalise(a.IBAN),
		a.AccountNumber,
		a.SortCode + a.AccountNumber,
		a.RoutingNumber + a.AccountNumber,
	}

	var out []string
	for _, n := range names {
		if n != "" && n != a.SortCode && n != a.RoutingNumber && !slices.Contains(out, n) {
			out = append(out, n)
		}
	}

	return out
}
