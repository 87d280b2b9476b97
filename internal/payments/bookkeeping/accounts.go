package bookkeeping

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"slipway/internal/core/fault"
	"slipway/internal/directory/refdata"
	"slipway/internal/identity/user"
	"slipway/internal/payments/ledger"
	"slipway/internal/payments/transaction"
	"slipway/internal/standards/bookfile"
)

// Account is an account of the organisation's own bookkeeping.
type Account struct {
	Rule

	Number, Name string
	TaxCode      string // of the lines on it; empty: none
	CostCentre   string
	Class        bookfile.Class
	Proposed     bool // the organisation has set no other
}

// Rule says for which of the ledger's accounts an account stands. The rule of a whole kind has nothing but the kind.
type Rule struct {
	Kind     string
	Asset    string // code of a token or a currency
	Location string // a network, a wallet as network/address, an address or a payee's identifier
	// Receiver is the kind of payee: one of transaction.ReceiverKinds.
	Receiver string `json:",omitempty"`
}

// payeeKinds are the kinds of accounts that belong to one receiver each.
var payeeKinds = []string{"receiver", "payee"}

// id returns the kind, and of a finer rule what makes it finer.
func (r Rule) id() string {
	if r == (Rule{Kind: r.Kind}) {
		return r.Kind
	}

	id := r.Kind + ":" + r.Asset + ":" + r.Location
	if r.Receiver != "" {
		id += ":" + r.Receiver
	}

	return id
}

// Chart is an organisation's table of accounts.
type Chart map[Rule]Account

// proposed returns the accounts for organisations that have set none. The numbers follow the usual order of classes:
// 1 assets, 2 liabilities, 3 equity, 4 expenses, 5 income: the first digit says what a kind counts as, whatever
// number the organisation has set for it.
func proposed() Chart {
	numbers := map[string]string{
		"wallet":            "1100",
		"sender":            "1200",
		"suspense":          "1210",
		"reserved":          "1300",
		"hold":              "1310",
		"clearing":          "1320",
		"fx":                "4210",
		"held":              "1340",
		"tax":               "1400",
		"receiver":          "2100",
		"payee":             "2110",
		"receivable":        "2200",
		"closed":            "2210",
		"income/commission": "4100",
		"income/banking":    "4110",
		"income/network":    "4120",
		"income/rounding":   "4130",
		"charges":           "4150",
		"cost":              "4160",
		"difference":        "4200",
		"unrealised":        "4220",
		"opening":           "3000",
	}

	out := Chart{}
	for _, k := range ledger.Kinds() {
		out[Rule{Kind: k.Name}] = Account{
			Rule:     Rule{Kind: k.Name},
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
	if a, ok := c[Rule{Kind: kind.Name}]; ok {
		return a
	}

	return Account{
		Rule:     Rule{Kind: kind.Name},
		Number:   kind.Name,
		Name:     kind.Words,
		Class:    bookfile.Asset,
		Proposed: true,
	}
}

// finest returns the account for a place of a kind in an asset: that of the rule that fits and says most. A wallet or a
// payee is more than a kind of payee, that is more than a network, and a network more than an asset. receiver is the
// kind of the payee whose account it is; empty: it is nobody's, or it does not matter.
func (c Chart) finest(kind ledger.Kind, asset, place, receiver string) Account {
	network, of, _ := strings.Cut(place, "/")

	for _, at := range []struct{ place, receiver string }{
		{place, receiver},
		{place, ""},
		{of, receiver},
		{of, ""},
		{network, receiver},
		{"", receiver},
		{network, ""},
		{"", ""},
	} {
		for _, code := range []string{asset, ""} {
			r := Rule{Kind: kind.Name, Asset: code, Location: at.place, Receiver: at.receiver}
			if a, ok := c[r]; ok {
				return a
			}
		}
	}

	return c.of(kind)
}

// byReceiver reports whether an account depends on the kind of payee.
func (c Chart) byReceiver() bool {
	for r := range c {
		if r.Receiver != "" {
			return true
		}
	}

	return false
}

// list returns the accounts in the order of the ledger's kinds: the one of the whole kind, then those of finer rules.
func (c Chart) list() []Account {
	var out []Account

	for _, k := range ledger.Kinds() {
		var finer []Account

		for r, a := range c {
			if r.Kind == k.Name && r != (Rule{Kind: k.Name}) {
				finer = append(finer, a)
			}
		}

		slices.SortFunc(finer, func(x, y Account) int {
			return cmp.Or(
				strings.Compare(x.Asset, y.Asset),
				strings.Compare(x.Location, y.Location),
				strings.Compare(x.Receiver, y.Receiver),
			)
		})

		out = append(append(out, c.of(k)), finer...)
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
	seen := map[Rule]bool{}

	for i := range out {
		a := &out[i]
		at := "/accounts/" + strconv.Itoa(i)

		switch {
		case !slices.Contains(kinds, a.Kind):
			l.Add(at+"/kind", fault.NotInEnum, "is no kind of account; GET /bookkeeping/accounts lists them.")
		case seen[a.Rule]:
			l.Add(at+"/kind", fault.NotAllowed, "stands twice, with the same asset, place and type of receiver.")
		}

		seen[a.Rule] = true

		if a.Asset != "" && !knownAsset(a.Asset) {
			l.Add(at+"/asset", fault.NotInEnum, "is the code of neither a token nor a currency.")
		}

		switch {
		case a.Receiver == "":
		case !slices.Contains(transaction.ReceiverKinds(), a.Receiver):
			l.Add(at+"/receiverType", fault.NotInEnum, "must be INDIVIDUAL, COMPANY or SELF.")
		case slices.Contains(kinds, a.Kind) && !slices.Contains(payeeKinds, a.Kind):
			l.Add(at+"/receiverType", fault.NotAllowed, "is for the kinds receiver and payee alone.")
		}

		a.Location = user.CheckText(&l, at+"/place", a.Location, 120, false)
		a.TaxCode = user.CheckText(&l, at+"/taxCode", a.TaxCode, 40, false)
		a.CostCentre = user.CheckText(&l, at+"/costCentre", a.CostCentre, 36, false)

		a.Name = user.CheckText(&l, at+"/name", a.Name, 100, true)
		if !accountNumber.MatchString(a.Number) {
			l.Add(at+"/number", fault.FormatInvalid,
				"must be 1 to 20 letters, digits, spaces, dots and dashes, and begin with a letter or digit.")
		}
	}

	// what is set as it is proposed is not set, so that what was read can be sent back
	plain := proposed()
	out = slices.DeleteFunc(out, func(a Account) bool {
		p := plain[a.Rule]
		return p.Number == a.Number && p.Name == a.Name && a.TaxCode == "" && a.CostCentre == ""
	})

	return out, l.Err()
}

func knownAsset(code string) bool {
	_, currency := refdata.All().Currency(code)
	_, token := refdata.All().Token(code)

	return currency || token
}
