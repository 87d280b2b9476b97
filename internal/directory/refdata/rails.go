package refdata

import (
	"strings"

	"slipway/internal/standards/iban"
)

// The fields of a bank account that rails ask for, with the forms of the interface's region rules.
func fieldIBAN() Field { return Field{"iban", "IBAN", `^[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}$`} }

func fieldBIC() Field {
	return Field{"bicSwift", "BIC / SWIFT", `^[A-Z0-9]{4}[A-Z]{2}[A-Z0-9]{2}([A-Z0-9]{3})?$`}
}
func fieldAccount() Field { return Field{"accountNumber", "Account number", ""} }

// railTable lists the rails, the first tried first.
func railTable() []Rail {
	us := []Field{
		fieldAccount(),
		{"routingNumber", "Routing number (ABA)", `^[0-9]{9}$`},
		{"accountType", "Account type", `^(CHECKING|SAVINGS)$`},
	}
	uk := []Field{fieldAccount(), {"sortCode", "Sort code", `^[0-9]{6}$`}}
	in := []Field{fieldAccount(), {"ifscCode", "IFSC", `^[A-Z]{4}0[A-Z0-9]{6}$`}}
	sepa := []Field{fieldIBAN()}

	rails := []Rail{
		{Code: "SEPA_INSTANT", Name: "SEPA Instant Credit Transfer", Display: "SEPA Instant", Fields: sepa},
		{Code: "SEPA", Name: "SEPA Credit Transfer", Display: "SEPA", Fields: sepa},
		{Code: "FASTER_PAYMENTS", Name: "Faster Payments", Display: "Faster Payments", Fields: uk},
		{Code: "CHAPS", Name: "Clearing House Automated Payment System", Display: "CHAPS", Fields: uk},
		{Code: "ACH", Name: "Automated Clearing House", Display: "ACH", Fields: us},
		{Code: "FEDWIRE", Name: "Fedwire Funds Service", Display: "Fedwire", Fields: us},
		{Code: "IMPS", Name: "Immediate Payment Service", Display: "IMPS", Fields: in},
		{Code: "NEFT", Name: "National Electronic Funds Transfer", Display: "NEFT", Fields: in},
		{Code: "SIC", Name: "Swiss Interbank Clearing", Display: "SIC", Fields: []Field{fieldIBAN()}},
		{
			Code:    "SWIFT",
			Name:    "SWIFT cross-border transfer",
			Display: "SWIFT",
			Fields:  []Field{fieldAccount(), fieldBIC()},
		},
	}
	for i := range rails {
		rails[i].ID = "rail_" + strings.ToLower(rails[i].Code)
		rails[i].Priority = (i + 1) * 10
		rails[i].Enabled = true
	}

	return rails
}

// closed is where no rail of ours pays: countries under comprehensive sanctions.
const closed = "CU IR KP"

func railsOfCountry(c *Catalogue, alpha2 string) []Rail {
	if listed(closed, alpha2) {
		return c.railsOf()
	}

	codes := []string{"SWIFT"}
	if iban.InSEPA(alpha2) {
		codes = append(codes, "SEPA")
	}

	if iban.InstantInSEPA(alpha2) {
		codes = append(codes, "SEPA_INSTANT")
	}

	switch alpha2 {
	case "GB", "GG", "IM", "JE":
		codes = append(codes, "FASTER_PAYMENTS", "CHAPS")
	case "US", "PR", "GU", "VI", "AS", "MP":
		codes = append(codes, "ACH", "FEDWIRE")
	case "IN":
		codes = append(codes, "IMPS", "NEFT")
	case "CH", "LI":
		codes = append(codes, "SIC")
	}

	return c.railsOf(codes...)
}

func railsOfCurrency(c *Catalogue, code string) []Rail {
	switch code {
	case "EUR":
		return c.railsOf("SEPA_INSTANT", "SEPA", "SWIFT")
	case "GBP":
		return c.railsOf("FASTER_PAYMENTS", "CHAPS", "SWIFT")
	case "USD":
		return c.railsOf("ACH", "FEDWIRE", "SWIFT")
	case "INR":
		return c.railsOf("IMPS", "NEFT", "SWIFT")
	case "CHF":
		return c.railsOf("SIC", "SWIFT")
	}

	return c.railsOf("SWIFT")
}

// listed reports whether a two- or three-letter code stands in a list of codes.
func listed(list, code string) bool {
	return code != "" && strings.Contains(" "+list+" ", " "+code+" ")
}
