package bankaccount

import (
	"strings"

	"slipway/internal/core/fault"
	"slipway/internal/directory/refdata"
	"slipway/internal/standards/iban"
)

// region is which numbers name an account: it follows from the bank's country and the currency.
type region int

const (
	elsewhere region = iota
	sepaArea
	unitedKingdom
	unitedStates
	india
)

// Countries that clear through the United Kingdom's and the United States' systems.
const (
	sterlingArea = "GB GG IM JE"
	dollarArea   = "US PR GU VI AS MP"
)

func regionOf(country, currency string) region {
	switch {
	case currency == "EUR" && iban.InSEPA(country):
		return sepaArea
	case currency == "GBP" && in(sterlingArea, country):
		return unitedKingdom
	case currency == "USD" && in(dollarArea, country):
		return unitedStates
	case currency == "INR" && country == "IN":
		return india
	}

	return elsewhere
}

func in(list, code string) bool {
	return len(code) == 2 && strings.Contains(" "+list+" ", " "+code+" ")
}

// Asks names the fields to ask a person for who gives an account at a bank in this country and currency, by the
// interface's names: with all of them the account is complete, without one it is not.
func (s *Service) Asks(country, currency string) []string {
	return asks(country, currency, s.deps.BICOptional)
}

func asks(country, currency string, byIBAN bool) []string {
	switch regionOf(country, currency) {
	case sepaArea:
		if byIBAN {
			return []string{"iban"}
		}

		return []string{"iban", "bicSwift"}
	case unitedKingdom:
		return []string{"sortCode", "accountNumber"}
	case unitedStates:
		return []string{"routingNumber", "accountNumber", "accountType"}
	case india:
		return []string{"ifscCode", "accountNumber"}
	case elsewhere: // it depends on whether the country has IBANs
	}

	if iban.Uses(country) {
		return []string{"iban", "bicSwift"}
	}

	return []string{"accountNumber", "bicSwift"}
}

// NeedsBIC reports whether an account with an IBAN is refused without a bicSwift. The currency is an identifier or a
// code, as clients give it. An IBAN may be wrong behind its country.
func (s *Service) NeedsBIC(number, currency string) bool {
	n := iban.Normalise(number)

	c, _ := refdata.All().Currency(currency)
	if regionOf(n[:min(len(n), 2)], c.Code) == sepaArea {
		return !s.deps.BICOptional
	}

	_, known := s.BankOf(n)

	return !known
}

// complete notes every field that the account's region needs and that is not there. Where accounts have an IBAN, it
// is an account number too: elsewhere than in SEPA either will do, and an IBAN whose bank is known needs no BIC.
// byIBAN says that an account in SEPA needs none either: banks route by the IBAN alone (Regulation (EU) No 260/2012,
// article 5).
func (a Account) complete(l *fault.List, byIBAN bool) {
	need := func(value, field string) {
		if value == "" {
			l.Add("/"+field, fault.Required, "is required for an account in %s at a bank in %s.", a.Currency, a.Country)
		}
	}

	switch regionOf(a.Country, a.Currency) {
	case sepaArea:
		need(a.IBAN, "iban")

		if !byIBAN {
			need(a.BIC, "bicSwift")
		}

	case unitedKingdom:
		need(a.AccountNumber, "accountNumber")
		need(a.SortCode, "sortCode")

	case unitedStates:
		need(a.AccountNumber, "accountNumber")
		need(a.RoutingNumber, "routingNumber")
		need(a.AccountType, "accountType")

	case india:
		need(a.AccountNumber, "accountNumber")
		need(a.IFSC, "ifscCode")

	default:
		number := a.AccountNumber
		if iban.Uses(a.Country) {
			number += a.IBAN
		}

		need(number, "accountNumber")
		need(a.BankBIC(), "bicSwift")
	}
}

// placed notes a country or currency that there is not, and returns the account with their codes in place of
// identifiers.
func (a Account) placed(l *fault.List) Account {
	if c, ok := refdata.All().Country(a.Country); ok {
		a.Country = c.Alpha2
	} else {
		l.Add(
			"/bankCountry",
			fault.CountryUnknown,
			"is not a country: give the identifier or code of one of /countries.",
		)
		a.Country = ""
	}

	if c, ok := refdata.All().Currency(a.Currency); ok {
		a.Currency = c.Code
	} else {
		l.Add(
			"/currency",
			fault.CurrencyUnknown,
			"is not a currency: give the identifier or code of one of /currencies.",
		)
		a.Currency = ""
	}

	return a
}
