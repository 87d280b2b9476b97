package bookkeeping

import (
	"regexp"
	"slices"
	"strconv"

	"slipway/internal/core/fault"
	"slipway/internal/identity/user"
	"slipway/internal/payments/ledger"
	"slipway/internal/standards/bookfile"
)

// Account is an account of the organisation's own bookkeeping.
type Account struct {
	Kind         string // of the ledger's accounts that it stands for
	Number, Name string
	Class        bookfile.Class
	Proposed     bool // the organisation has set no other
}

// Chart is an organisation's table of accounts, by the kind of the ledger's accounts.
type Chart map[string]Account

// proposed returns the accounts for organisations that have set none. The numbers follow the usual order of classes:
// 1 assets, 2 liabilities, 3 equity, 4 expenses, 5 income: the first digit says what a kind counts as, whatever
// number the organisation has set for it.
func proposed() Chart {
	numbers := map[string]string{
		"wallet":            "1100",
		"sender":            "1200",
		"suspense":          "1210",
		"hold":              "1310",
		"clearing":          "1320",
		"fx":                "1330",
		"held":              "1340",
		"receiver":          "2100",
		"payee":             "2110",
		"receivable":        "2200",
		"closed":            "2210",
		"income/commission": "4100",
		"income/banking":    "4110",
		"income/network":    "4120",
		"income/rounding":   "4130",
		"difference":        "4200",
	}

	out := Chart{}
	for _, k := range ledger.Kinds() {
		out[k.Name] = Account{
			Kind:     k.Name,
			Number:   numbers[k.Name],
			Name:     k.Words,
			Class:    class(numbers[k.Name]),
			Proposed: true,
		}
	}

	return out
}

// class returns which part of the balance sheet, or of the profit and loss, a proposed number belongs to.
func class(number string) bookfile.Class {
	if number == "" {
		return bookfile.Asset
	}

	switch number[0] {
	case '2':
		return bookfile.Liability
	case '3':
		return bookfile.Equity
	case '4':
		return bookfile.Expense
	case '5':
		return bookfile.Income
	default:
		return bookfile.Asset
	}
}

// of returns the account for a kind. What has no account of its own has its name as number.
func (c Chart) of(kind ledger.Kind) Account {
	if a, ok := c[kind.Name]; ok {
		return a
	}

	return Account{
		Kind:     kind.Name,
		Number:   kind.Name,
		Name:     kind.Words,
		Class:    bookfile.Asset,
		Proposed: true,
	}
}

// list returns the accounts in the order of the ledger's kinds.
func (c Chart) list() []Account {
	var out []Account
	for _, k := range ledger.Kinds() {
		out = append(out, c.of(k))
	}

	return out
}

// accountNumber is what bookkeeping programs take for the number of an account.
var accountNumber = regexp.MustCompile(`^[0-9A-Za-z][0-9A-Za-z .-]{0,19}$`)

// checked returns the accounts with their texts in the form that is stored, or one refusal with everything that is
// wrong.
func checked(accounts []Account) ([]Account, error) {
	var l fault.List

	kinds := []string{}
	for _, k := range ledger.Kinds() {
		kinds = append(kinds, k.Name)
	}

	out := slices.Clone(accounts)
	seen := map[string]bool{}

	for i := range out {
		a := &out[i]
		at := "/accounts/" + strconv.Itoa(i)

		switch {
		case !slices.Contains(kinds, a.Kind):
			l.Add(at+"/kind", fault.NotInEnum, "is no kind of account; GET /bookkeeping/accounts lists them.")
		case seen[a.Kind]:
			l.Add(at+"/kind", fault.NotAllowed, "stands twice.")
		}

		seen[a.Kind] = true

		a.Name = user.CheckText(&l, at+"/name", a.Name, 100, true)
		if !accountNumber.MatchString(a.Number) {
			l.Add(at+"/number", fault.FormatInvalid,
				"must be 1 to 20 letters, digits, spaces, dots and dashes, and begin with a letter or digit.")
		}
	}

	// what is set as it is proposed is not set, so that what was read can be sent back
	plain := proposed()
	out = slices.DeleteFunc(out, func(a Account) bool {
		p := plain[a.Kind]
		return p.Number == a.Number && p.Name == a.Name
	})

	return out, l.Err()
}
