package reconcile

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"slipway/internal/payments/transaction"
	"slipway/internal/standards/creditorref"
)

// references are the deposit references that a bank's texts hold, each once: plain, in an ISO 11649 reference, in a Swiss QR reference.
// That one checks does not say that it is ours.
func references(texts []string) []string {
	var out []string
	add := func(r string, ok bool) {
		if ok && !slices.Contains(out, r) {
			out = append(out, r)
		}
	}
	for _, t := range texts {
		for _, body := range creditorref.FindRF(t) {
			r, ok := creditorref.ParseDeposit(body)
			add(r, ok)
		}
		for _, q := range creditorref.FindQRR(t) {
			r, ok := creditorref.DepositOfQRR(q)
			add(r, ok)
		}
		for _, r := range creditorref.Find(t) {
			add(r, true)
		}
	}
	return out
}

// Awaited is what is known of a transaction that a deposit may pay: all that the rule asks.
type Awaited struct {
	T       transaction.Transaction
	House   string   // the account its payer was told
	Senders []string // names and accounts that may send it
	Blocked bool     // its organisation owes the house
}

// Verdict is what the rule says of a deposit.
type Verdict struct {
	Match       bool
	Transaction string // that it pays, or that it names though something of it is wrong
	Reason      Reason // when it is no match
}

// Decide holds a deposit against the transactions that its references name. It is pure, and knows two answers: everything agrees with
// exactly one transaction, or suspense. found is the number of references in it that check.
//
// The order is that of the reasons (D-04 to D-07): a deposit without a transaction first, then what is wrong with it for that one.
func Decide(d Deposit, found int, named []Awaited) Verdict {
	switch {
	case found == 0:
		return Verdict{Reason: ReasonNoReference}
	case len(named) == 0:
		return Verdict{Reason: ReasonUnknown}
	case len(named) > 1:
		return Verdict{Reason: ReasonSeveral}
	}
	a := named[0]
	out := Verdict{Transaction: a.T.ID}
	want := a.T.Deposit()
	switch {
	case !awaits(a.T, d):
		out.Reason = ReasonNotOpen
	case a.House != "" && a.House != d.House:
		out.Reason = ReasonAccount
	case want.Asset() != d.Amount.Asset():
		out.Reason = ReasonCurrency
	case d.Amount.Cmp(want) < 0:
		out.Reason = ReasonUnder
	case d.Amount.Cmp(want) > 0:
		out.Reason = ReasonOver
	case !knownSender(d, a.Senders):
		out.Reason = ReasonSender
	case a.Blocked:
		out.Reason = ReasonBlocked
	default:
		out.Match = true
	}
	return out
}

// awaits says whether a transaction still waits for its deposit. One that is booked after the time is over is late, however short (D-07);
// the booking day counts to its end, since banks name no hour.
func awaits(t transaction.Transaction, d Deposit) bool {
	if t.Type != transaction.TypeOnramp || t.Status != transaction.StatusWaiting {
		return false
	}
	if t.Settlement != transaction.SettlementAwaiting && t.Settlement != transaction.SettlementMismatch {
		return false
	}
	return t.ExpiresAt.IsZero() || d.BookedAt.Before(t.ExpiresAt)
}

// knownSender says whether a deposit comes from one of the declared senders: by its account, or by its name when the bank gives no account
// that contradicts. A deposit whose bank names nobody is not known.
func knownSender(d Deposit, senders []string) bool {
	name, account := foldName(d.SenderName), foldAccount(d.SenderAccount)
	for _, s := range senders {
		if account != "" && foldAccount(s) == account {
			return true
		}
		if name != "" && foldName(s) == name {
			return true
		}
	}
	return false
}

// foldName writes a name as banks compare it: capital Latin letters without marks, digits, and single blanks between words. Nothing is
// left out, so that two different names never become one by shortening.
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

// foldAccount writes an account number without blanks and hyphens, in capital letters; what is too short to be one is none.
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
