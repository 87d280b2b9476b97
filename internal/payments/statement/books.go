package statement

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"slipway/internal/core/money"
	"slipway/internal/payments/ledger"
)

// houseAccounts are the house's own accounts. They stand in pairs that sum to zero, beside what belongs to the
// customer.
var houseAccounts = []string{"treasury/", "bank/", "position/", "gas/", "expense/"}

// accountWords name the accounts in words, by how an account's name begins, in the order of the statement.
var accountWords = []struct{ begins, words string }{
	{"wallet/", "Your wallet"},
	{"sender/", "Sender of the deposit"},
	{"suspense/", "Deposit, not yet assigned"},
	{"fx/", "Converted"},
	{"receiver/", "Receivers' wallets"},
	{"payee/", "Receivers' bank accounts"},
	{"income/", "Fees"},
	{"difference/", "Change of the rate until a return"},
	{"hold/", "Set aside for the payments"},
	{"clearing/", "Under way"},
	{"held/", "Kept for you"},
	{"receivable/", "Owed by you"},
	{"closed/", "Claims given up"},
}

// booked returns the sums of a transaction's postings by kind of account and asset. Sums of zero are left out. For each
// asset, the others add up to zero, which is the last line.
func booked(lines []ledger.Line, decimals map[string]int) ([]Sum, error) {
	type place struct {
		order int
		words string
		asset string
	}
	sums := map[place]*big.Int{}

	all := map[string]*big.Int{}
	for _, l := range lines {
		if slices.ContainsFunc(houseAccounts, func(s string) bool { return strings.HasPrefix(l.Account, s) }) {
			continue
		}

		n, ok := new(big.Int).SetString(l.Units, 10)
		if !ok {
			return nil, fmt.Errorf("posting of %s: %q is no number", l.Journal, l.Units)
		}

		order := slices.IndexFunc(accountWords, func(w struct{ begins, words string }) bool {
			return strings.HasPrefix(l.Account, w.begins)
		})

		words := l.Account
		if order >= 0 {
			words = accountWords[order].words
		}

		at := place{order, words, l.Asset}
		switch {
		case strings.HasPrefix(l.Account, "fx/"):
			at.words += " " + strings.Replace(strings.TrimPrefix(l.Account, "fx/"), "-", " to ", 1)
		case strings.HasPrefix(l.Account, "income/"):
			at.words += ": " + feeKind(l.Account)
		}

		if sums[at] == nil {
			sums[at] = new(big.Int)
		}

		if all[l.Asset] == nil {
			all[l.Asset] = new(big.Int)
		}

		sums[at].Add(sums[at], n)
		all[l.Asset].Add(all[l.Asset], n)
	}

	places := make([]place, 0, len(sums))
	for at := range sums {
		places = append(places, at)
	}

	slices.SortFunc(places, func(a, b place) int {
		if a.order != b.order {
			return a.order - b.order
		}

		return strings.Compare(a.words+" "+a.asset, b.words+" "+b.asset)
	})

	var out []Sum
	for _, at := range places {
		if _, known := decimals[at.asset]; !known {
			return nil, fmt.Errorf("posting of %s: how many decimals it has is not known", at.asset)
		}

		if sums[at].Sign() != 0 {
			out = append(out, Sum{
				Label:  at.words,
				Amount: units(sums[at], money.Asset{Code: at.asset, Decimals: decimals[at.asset]}),
			})
		}
	}

	if len(out) == 0 {
		return nil, nil
	}

	assets := make([]string, 0, len(all))
	for a := range all {
		assets = append(assets, a)
	}

	slices.Sort(assets)

	for _, a := range assets {
		out = append(out, Sum{
			Label:  "Sum",
			Amount: units(all[a], money.Asset{Code: a, Decimals: decimals[a]}),
			Total:  true,
		})
	}

	return out, nil
}

// feeKind returns the kind of an income account: "income/commission/ethereum" is commission.
func feeKind(account string) string {
	word, _, _ := strings.Cut(strings.TrimPrefix(account, "income/"), "/")
	return word
}

// income returns what a transaction has earned by kind of fee: what was charged, and what was given back (not
// positive).
func income(lines []ledger.Line) (charged, back map[string]*big.Int, err error) {
	charged = map[string]*big.Int{}

	back = map[string]*big.Int{}
	for _, l := range lines {
		if !strings.HasPrefix(l.Account, "income/") {
			continue
		}

		n, ok := new(big.Int).SetString(l.Units, 10)
		if !ok {
			return nil, nil, fmt.Errorf("posting of %s: %q is no number", l.Journal, l.Units)
		}

		kind := feeKind(l.Account)

		into := charged
		if n.Sign() < 0 {
			into = back
		}

		if into[kind] == nil {
			into[kind] = new(big.Int)
		}

		into[kind].Add(into[kind], n)
	}

	return charged, back, nil
}
