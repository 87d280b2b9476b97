package reconcile

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

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
	name := foldName(d.SenderName)
	account := foldAccount(d.SenderAccount)
	byName := name != "" && slices.ContainsFunc(s.Names, func(own string) bool { return foldName(own) == name })
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

	return s.Declared == "" || foldName(s.Declared) == name || account != "" && foldAccount(s.Declared) == account
}

// foldName returns a name as banks compare it: capital Latin letters without diacritics, digits, and single blanks
// between words. It drops nothing else, so two different names never become equal by shortening.
func foldName(s string) string {
	var b strings.Builder

	gap := false
	for _, r := range norm.NFKD.String(s) {
		switch {
		case unicode.In(r, unicode.Mn, unicode.Me), text.Invisible(r):

		case unicode.IsLetter(r) || unicode.IsDigit(r):
			if gap && b.Len() > 0 {
				b.WriteByte(' ')
			}

			gap = false
			b.WriteString(strings.ToUpper(expand(r)))

		default:
			gap = true
		}
	}

	return b.String()
}

// expand returns letters that have no base letter as banks write them in the Latin character set of SEPA.
func expand(r rune) string {
	switch r {
	case 'ß', 'ẞ':
		return "ss"
	case 'æ', 'Æ':
		return "ae"
	case 'ø', 'Ø':
		return "o"
	case 'œ', 'Œ':
		return "oe"
	case 'ł', 'Ł':
		return "l"
	case 'đ', 'Đ':
		return "d"
	}

	return string(r)
}

// foldAccount returns an account number without blanks and hyphens, in capital letters, or "" if it is too short to be
// one.
func foldAccount(s string) string {
	const least = 6

	out := strings.ToUpper(strings.Map(func(r rune) rune {
		if r == ' ' || r == '-' || r == '.' {
			return -1
		}

		return r
	}, s))
	if len(out) < least || !strings.ContainsFunc(out, unicode.IsDigit) {
		return ""
	}

	return out
}
