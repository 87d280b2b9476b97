package bookkeeping

import (
	"slipway/internal/payments/ledger"
	"slipway/internal/standards/bookfile"
)

// houseChart returns the accounts of the house's own book. What a place has of a customer's value, the house owes or
// passes on: its lines stand on the other side there (fromTheHouse). Money on its way sums to zero with the position
// once all of it has arrived.
func houseChart() Chart {
	numbers := map[string]struct {
		number string
		class  bookfile.Class
	}{
		"treasury":          {"1000", bookfile.Asset},
		"bank":              {"1010", bookfile.Asset},
		"gas":               {"1020", bookfile.Asset},
		"receivable":        {"1200", bookfile.Asset},
		"suspense":          {"2000", bookfile.Liability},
		"clearing":          {"2010", bookfile.Liability},
		"held":              {"2020", bookfile.Liability},
		"hold":              {"2030", bookfile.Liability},
		"closed":            {"2040", bookfile.Liability},
		"position":          {"2100", bookfile.Liability},
		"wallet":            {"2110", bookfile.Liability},
		"sender":            {"2120", bookfile.Liability},
		"receiver":          {"2130", bookfile.Liability},
		"payee":             {"2140", bookfile.Liability},
		"equity":            {"3000", bookfile.Equity},
		"stock":             {"3100", bookfile.Equity},
		"trade":             {"3110", bookfile.Equity},
		"capital":           {"3120", bookfile.Equity},
		"exchange":          {"3130", bookfile.Equity},
		"expense/stock":     {"3140", bookfile.Equity},
		"expense/gas":       {"4000", bookfile.Expense},
		"income/commission": {"5000", bookfile.Income},
		"income/banking":    {"5010", bookfile.Income},
		"income/network":    {"5020", bookfile.Income},
		"income/rounding":   {"5030", bookfile.Income},
		"difference":        {"5100", bookfile.Income},
		"fx":                {"5200", bookfile.Income},
	}

	out := Chart{}

	for _, k := range append(ledger.Kinds(), ledger.HouseKinds()...) {
		n := numbers[k.Name]
		out[k.Name] = Account{
			Kind:     k.Name,
			Number:   n.number,
			Name:     houseName(k),
			Class:    n.class,
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
		"difference": "Change of the rate until a return",
	}

	return first(names[k.Name], k.Words)
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
