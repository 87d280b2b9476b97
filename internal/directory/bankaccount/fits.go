package bankaccount

import (
	"fmt"

	"slipway/internal/core/fault"
	"slipway/internal/standards/bankcode"
	"slipway/internal/standards/iban"
)

// institution is how many characters of a BIC name the institution. One institution has several BICs, and a table of
// banks has one for each bank code.
const institution = 4

// fits notes numbers that contradict each other: an IBAN of another country than the bank's, a BIC of another country
// (within the European Economic Area that is only a remark), and a BIC of another institution than the one that the
// IBAN belongs to, where the table of banks has it. One of the two is mistyped or somebody else's, and the payment
// would go where the IBAN says. An IBAN that is wrong in itself is left to its verdict.
func (t Tables) fits(a Account, l *fault.List) {
	x, err := iban.Parse(a.IBAN)
	hasIBAN := err == nil

	if hasIBAN && a.Country != "" && !sameBanks(x.Country(), a.Country) {
		l.Add(
			"/iban",
			fault.BankDetailsMismatch,
			"is of %s, and bankCountry is %s: one of them is wrong.",
			x.Country(),
			a.Country,
		)

		return
	}

	bic, err := bankcode.ParseBIC(a.BIC)
	if err != nil {
		return // missing, or noted for its form
	}

	at := a.Country
	if hasIBAN {
		at = x.Country()
	}

	if at != "" && !sameBanks(bic.Country(), at) && !(hasIBAN && passported(bic.Country(), at)) {
		l.Add(
			"/bicSwift",
			fault.BankDetailsMismatch,
			"is of a bank in %s, and the account is in %s: one of them is wrong.",
			bic.Country(),
			at,
		)

		return
	}

	if bank, known := t.Banks.Lookup(x); hasIBAN && known && bank.BIC[:institution] != bic[:institution] {
		l.Add(
			"/bicSwift",
			fault.BankDetailsMismatch,
			"is of another bank than the IBAN, which belongs to %s: leave it out, or correct one of them.",
			bank.BIC,
		)
	}
}

// passported reports whether a bank of one country may serve accounts of another without a bank there: within the
// European Economic Area. Payments to such an account go by its IBAN.
func passported(bank, account string) bool {
	return iban.InEEA(home(bank)) && iban.InEEA(home(account))
}

// remark returns what is worth knowing of an account that is not wrong: a BIC of another member state than the IBAN.
func remark(a Account) string {
	bic, err := bankcode.ParseBIC(a.BIC)
	x, err2 := iban.Parse(a.IBAN)

	if err != nil || err2 != nil || sameBanks(bic.Country(), x.Country()) {
		return ""
	}

	return fmt.Sprintf(
		"bicSwift is of a bank in %s, and the IBAN is of %s: look whether both are of one bank; payments go by the IBAN",
		bic.Country(),
		x.Country(),
	)
}

// sameBanks reports whether banks of two countries number accounts alike, so that an IBAN or BIC of one may stand for
// an account in the other: a country and its territories, Monaco with its branches of French banks, and the places that
// clear in US dollars as the United States do.
func sameBanks(a, b string) bool {
	return a == b || home(a) == home(b)
}

// home returns the country with whose banks those of a place are numbered.
func home(country string) string {
	switch prefix := iban.Prefix(country); {
	case prefix == "MC":
		return "FR"
	case prefix != "":
		return prefix
	case in(dollarArea, country):
		return "US"
	}

	return country
}
