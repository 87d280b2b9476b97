package bookkeeping

import (
	"cmp"

	"slipway/internal/payments/ledger"
)

// houseChart returns the accounts of the house's own book. What a place has of a customer's value, the house owes or
// passes on: its lines stand on the other side there (fromTheHouse). Money on its way sums to zero with the position
// once all of it has arrived.
func houseChart() Chart {
	numbers := map[string]string{
		"treasury":          "1000",
		"bank":              "1010",
		"gas":               "1020",
		"provider":          "1030",
		"receivable":        "1200",
		"suspense":          "2000",
		"clearing":          "2010",
		"held":              "2020",
		"hold":              "2030",
		"reserved":          "2031",
		"closed":            "2040",
		"position":          "2100",
		"wallet":            "2110",
		"sender":            "2120",
		"receiver":          "2130",
		"payee":             "2140",
		"charges":           "2150",
		"tax":               "2160",
		"equity":            "3000",
		"opening":           "3010",
		"stock":             "3100",
		"trade":             "3110",
		"capital":           "3120",
		"exchange":          "3130",
		"expense/stock":     "3140",
		"open":              "3150",
		"covered":           "3160",
		"expense/gas":       "4000",
		"income/commission": "5000",
		"income/banking":    "5010",
		"income/network":    "5020",
		"income/rounding":   "5030",
		"cost":              "5040",
		"difference":        "5100",
		"fx":                "5200",
		"result/exchange":   "5210",
		"unrealised":        "5230",
	}

	out := Chart{}

	for _, k := range append(ledger.Kinds(), ledger.HouseKinds()...) {
		n := numbers[k.Name]
		out[Rule{Kind: k.Name}] = Account{
			Rule:     Rule{Kind: k.Name},
			Number:   n,
			Name:     houseName(k),
			Class:    class(n),
			Proposed: true,
		}
	}

	return out
}

// houseName returns what the house calls a kind of account.
func houseName(k ledger.Kind) string {
	names := map[string]string{
		"wallet":     "Customers' wallets",
		"receivable": "Owed by customers",
		"held":       "Kept for customers",
		"closed":     "Claims against customers given up",
		"hold":       "Set aside in customers' wallets",
		"clearing":   "Under way for customers",
		"suspense":   "Deposits, not yet assigned",
		"fx":         "Conversions",
		"tax":        "VAT payable",
		"difference": "Change of the rate until a return",
	}

	return cmp.Or(names[k.Name], k.Words)
}

// fromTheHouse turns the lines of customers' accounts to the side on which the house has them. Each journal still sums
// to zero for each asset, as the house's own accounts and the customers' do by themselves.
func fromTheHouse(lines []Line) {
	for i := range lines {
		if !ledger.House(lines[i].Entry.Account) {
			lines[i].Amount = lines[i].Amount.Neg()
		}
	}
}
