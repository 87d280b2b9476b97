package reconcile

import (
	"slices"
	"strings"
	"unicode"

	"slipway/internal/core/text"
	"slipway/internal/payments/transaction"
)

// Own is the names and accounts from which an organisation sends money itself.
type Own struct {
	Names    []string
	Accounts map[string][]string // the accounts that it has registered as its own, by currency
}

// Senders are those who may send a transaction's deposit: its organisation, and nobody else (OWN_ACCOUNTS_ONLY).
type Senders struct {
	Names    []string // the organisation's own
	Accounts []string // those registered as its own in the deposit's currency
	Declared string   // the name or account that submit declared, or ""; it narrows the others and never widens them
}

// sendersOf returns who may send the deposit of a transaction.
func sendersOf(t transaction.Transaction, own Own) Senders {
	return Senders{Names: own.Names, Accounts: own.Accounts[t.AmountCurrency], Declared: t.Sender}
}

// include reports whether a deposit comes from one of the senders. The bank's data decides (D-11):
//
//   - A name must be the organisation's. A registered account does not make up for another name, since nobody has
//     proven whose account it is.
//   - An account must be one of those registered. If none is registered in the currency, the name is enough.
//   - A deposit without a name must come from a registered account.
func (s Senders) include(d Deposit) bool {
	name := text.Fold(d.SenderName)
	account := foldAccount(d.SenderAccount)
	byName := name != "" && slices.ContainsFunc(s.Names, func(own string) bool { return text.Fold(own) == name })
	byAccount := account != "" && slices.ContainsFunc(s.Accounts, func(own string) bool {
		return foldAccount(own) == account
	})

	switch {
	case name != "" && !byName:
		return false
	case account != "" && !byAccount && len(s.Accounts) > 0:
		return false
	case !byName && !byAccount:
		return false
	}

	return s.Declared == "" || text.Fold(s.Declared) == name || account != "" && foldAccount(s.Declared) == account
}

// foldAccount returns an account number without blanks, hyphens and points, in capital letters, or "" if it is too
// short to be one.
func foldAccount(s string) string {
	const least = 6

	out := strings.ReplaceAll(text.Compact(s), ".", "")
	if len(out) < least || !strings.ContainsFunc(out, unicode.IsDigit) {
		return ""
	}

	return out
}
