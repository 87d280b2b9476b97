package transaction

import (
	"strings"

	"slipway/internal/core/money"
	"slipway/internal/core/text"
	"slipway/internal/standards/creditorref"
)

// searchLimit is how many characters of a transaction are searched: thirty payments with all that is searched of each.
const searchLimit = 6000

// searchText returns the text that searchTerm searches. What a payment repeats of the one before it stands there once.
func searchText(t Transaction) string {
	var b strings.Builder

	b.WriteString(t.WalletAddress)

	write := func(part, before string) {
		if part != "" && part != before {
			b.WriteByte(' ')
			b.WriteString(part)
		}
	}

	if t.Reference != "" {
		write(t.Reference, "")
		write(creditorref.Show(t.Reference), "")
	}

	write(t.totalText(), "")

	before := &Payment{}

	for i := range t.Payments {
		p := &t.Payments[i]
		write(p.Reason, before.Reason)
		write(p.Address, before.Address)
		write(p.PaymentTerms.Reference, before.PaymentTerms.Reference)
		write(t.asked(*p).String(), "")

		if p.Snapshot != before.Snapshot {
			write(p.Payee(), "")
		}

		before = p
	}

	out := text.Searchable(b.String())

	n := 0
	for at := range out {
		if n == searchLimit {
			return out[:at]
		}

		n++
	}

	return out
}

// totalText returns what several payments come to together; nothing for one, and for those in several currencies.
func (t Transaction) totalText() string {
	if len(t.Payments) < 2 {
		return ""
	}

	total := t.asked(t.Payments[0])
	for _, p := range t.Payments[1:] {
		one := t.asked(p)
		if one.Asset() != total.Asset() {
			return ""
		}

		total = total.Add(one)
	}

	return total.String()
}

// asked returns a payment's amount as the caller gave it.
func (t Transaction) asked(p Payment) money.Amount {
	switch t.Type {
	case TypeFiat:
		return p.Fiat()
	case TypeOnramp:
		return t.Deposit()
	case TypeCrypto:
	}

	return t.Amount(p)
}
