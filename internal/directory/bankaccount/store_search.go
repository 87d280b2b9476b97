package bankaccount

import (
	"cmp"
	"regexp"

	"slipway/internal/core/text"
	"slipway/internal/platform/db"
	"slipway/internal/standards/iban"
)

// endLength is how many of its last characters a number is found by: those that statements and cards leave readable.
const endLength = 4

// numeral is what can be the number of an account: letters and digits, and a digit among them.
var numeral = regexp.MustCompile(`^[A-Z0-9]*[0-9][A-Z0-9]*$`)

// foundBySearch lets accounts be found by the number that is no IBAN, and by the end of the one that is paid to.
func foundBySearch(c *db.Sealed) *db.Sealed {
	return c.FoundBy("number_hash", inOrganisation(func(_, number string) string { return text.Compact(number) })).
		FoundBy("number_end", inOrganisation(func(iban, number string) string {
			n := text.Compact(cmp.Or(iban, number))
			return n[max(0, len(n)-endLength):]
		}))
}

// ReceiverNumbered returns the condition in SQL, on receivers.id, that a receiver has an account with a number: its
// whole IBAN or account number, in whatever groups it is typed, or the last four characters. Of a term that can be
// neither it returns no condition.
func ReceiverNumbered(q db.Querier, organisation, term string) (out db.Where) {
	n := iban.Normalise(term)
	if len(n) < endLength || len(n) > iban.MaxLength || !numeral.MatchString(n) {
		return out
	}

	is := within(organisation, n)
	texts := []string{ibanHash: is, numberHash: is, endHash: ""}

	if len(n) == endLength {
		texts[endHash] = is
	}

	var w db.Where
	w.And("organisation = ?", organisation)
	w.And("NOT soft_deleted")
	db.Find(q, &w, numbers, texts...)
	out.And("id IN (SELECT receiver FROM bank_accounts"+w.SQL()+")", w.Args...)

	return out
}
