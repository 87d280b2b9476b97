package reconcile

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"slipway/internal/payments/transaction"
)

// Own is under which names and from which accounts an organisation sends money itself.
type Own struct {
	Names    []string
	Accounts map[string][]string // that it has told as its own, by currency
}

// Senders are those who may send a transaction's deposit: its organisation, and nobody else (OWN_ACCOUNTS_ONLY).
type Senders struct {
	Names    []string // the organisation's own
	Accounts []string // that it has told as its own in the deposit's currency
	Declared string   // the name or account that submit named, or nothing; it narrows the others and never widens them
}

// sendersOf is who may send the deposit of a transaction, of all that its organisation has.
func sendersOf(t transaction.Transaction, own Own) Senders {
	return Senders{Names: own.Names, Accounts: own.Accounts[t.AmountCurrency], Declared: t.Sender}
}

// sent reports whether a deposit comes from one of the senders. The bank's word decides (D-11):
//
//   - A name must be the organisation's. An account that it has told as its own does not make up for another name,
//     since nobody has proven
//     whose account it is.
//   - An account must be one of those told. Where none was told in the currency, the name is enough.
//   - A deposit without a name comes from an account that was told, or from nobody known.
func (s Senders) sent(d Deposit) bool {
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

// foldName writes a name as banks compare it: capital Latin letters without marks, digits, and single blanks between
// words. Nothing is left out, so that two different names never become one by shortening.
func foldName(s string) string {
	var b strings.Builder

	gap := false
	for _, r := range norm.NFKD.String(s) {
		switch {
		case unicode.Is(unicode.Mn, r):

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

// expand writes letters that no mark can be taken from as banks write them in the Latin character set of SEPA.
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

// foldAccount writes an account number without blanks and hyphens, in capital letters; what is too short to be one is
// none.
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
