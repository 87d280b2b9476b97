package ledger

import "strings"

// phrases begin the names of accounts for people, by the first words of the account. The longest that fits counts.
func phrases() []struct{ prefix, words string } {
	return []struct{ prefix, words string }{
		{"wallet/", "wallet"},
		{"reserved/", "reserved in wallet"},
		{"hold/", "reserved for"},
		{"clearing/convert/", "received and not yet converted,"},
		{"clearing/bank/", "on the way to the payee by"},
		{"clearing/return/", "came back and is undecided,"},
		{"clearing/", "on the way on"},
		{"receiver/", "paid to receiver"},
		{"payee/", "paid to the bank account of"},
		{"sender/", "senders of deposits in"},
		{"suspense/", "deposits in suspense,"},
		{"fx/", "conversion"},
		{"income/network/", "earned network fees,"},
		{"income/banking/", "earned banking fees,"},
		{"income/commission/", "earned commission,"},
		{"income/rounding/", "earned by rounding,"},
		{"income/", "earned,"},
		{"tax/", "VAT in fees,"},
		{"charges/", "kept by banks of returned payments in"},
		{"difference/return/", "gain or loss of returned payments,"},
		{"difference/owed/", "gain or loss until a claim was paid,"},
		{"difference/disposed/", "gain or loss of what wallets paid,"},
		{"cost/", "fees that are part of the cost of tokens,"},
		{"opening/", "opening balances of customers' books,"},
		{"unrealised/", "value of a month's end,"},
		{"held/", "kept for"},
		{"receivable/", "owed by"},
		{"closed/", "claims given up in"},
		{"treasury/", "our treasury on"},
		{"bank/", "our bank account"},
		{"position/", "position of the house,"},
		{"equity/", "brought in by the owners on"},
		{"provider/", "with the provider"},
		{"open/", "open position,"},
		{"covered/", "covered for customers,"},
		{"result/exchange/", "gain (below zero) or loss against the promised rates,"},
		{"gas/", "our money for gas on"},
		{"expense/gas/", "cost of gas on"},
	}
}

// Words returns the name of the account for people: what it is, of whom and where. name returns what people call a
// network, an organisation or a receiver, or the text that it is given. An account of a kind without words is named by
// itself.
func (a Account) Words(name func(string) string) string {
	best := struct{ prefix, words string }{}
	for _, p := range phrases() {
		if strings.HasPrefix(string(a), p.prefix) && len(p.prefix) > len(best.prefix) {
			best = p
		}
	}

	if best.words == "" {
		return string(a)
	}

	parts := strings.Split(strings.TrimPrefix(string(a), best.prefix), "/")
	for i, p := range parts {
		parts[i] = name(p)
	}

	// what is nearest to people comes first: "reserved for Example Ltd, Base"
	if len(parts) == 2 {
		parts[0], parts[1] = parts[1], parts[0]
	}

	return best.words + " " + strings.Join(parts, ", ")
}
