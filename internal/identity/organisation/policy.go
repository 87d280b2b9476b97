package organisation

import (
	"maps"
	"math"
	"slices"
	"strconv"
	"time"

	"slipway/internal/core/fault"
	"slipway/internal/core/money"
	"slipway/internal/platform/words"
)

// Policy is what an organisation does not let one person decide alone.
type Policy struct {
	// FourEyes: whoever has created a transaction, or created or changed a payee of it, does not accept it.
	FourEyes bool
	// Limits are the amounts up to which one person is enough all the same, by currency or token. In a currency without
	// a limit, every amount needs two.
	Limits map[string]money.Amount
	// PayeeApproval: nothing is paid to a new or changed receiver, bank account or wallet before a second person has
	// approved it.
	PayeeApproval bool
	// PayeeDelay: nothing is paid to a new bank account or wallet for this long. The admins get a mail about it.
	PayeeDelay time.Duration
	// SignedIntents: nothing is paid from a wallet without its signature that names the payees.
	SignedIntents bool
	// DailyCaps are, by token, what a paying wallet lets the router take in a day at most. The wallet sets its cap on
	// the router; nothing is paid from a wallet whose cap is higher, or missing.
	DailyCaps map[string]money.Amount
	// AcceptRules say how many people accept a transaction together.
	AcceptRules []AcceptRule
	Version     int64
}

// adminsOfPolicy is how many active admins an organisation with a policy needs: one asks for changes, another decides.
const adminsOfPolicy = 2

// AnyPolicy is the parameter of AcceptGate for a member who has had no part in the transaction, who may accept whatever
// the policy is, and for a transaction that no wallet pays.
const AnyPolicy = math.MaxInt64

// Asks reports whether the policy asks for anything at all.
func (p Policy) Asks() bool {
	return p.FourEyes || p.PayeeApproval || p.PayeeDelay > 0 || p.BindsPayers() || len(p.AcceptRules) > 0
}

// BindsPayers reports whether the policy asks anything of the wallets that pay.
func (p Policy) BindsPayers() bool { return p.SignedIntents || len(p.DailyCaps) > 0 }

// OnePersonPays reports whether one person may both create and accept a payment of these sums, one for each currency.
// For a sum in a currency without a limit, otherwise counts: what the payment costs in another currency.
func (p Policy) OnePersonPays(sums []money.Amount, otherwise money.Amount) bool {
	if !p.FourEyes {
		return true
	}

	within := func(a money.Amount) bool {
		limit, ok := p.Limits[a.Asset().Code]
		return ok && !exceeds(a, limit)
	}

	return !slices.ContainsFunc(sums, func(a money.Amount) bool {
		_, known := p.Limits[a.Asset().Code]
		return !within(a) && (known || !within(otherwise))
	})
}

// exceeds compares amounts of one currency: a token may have more decimals on one chain than on another.
func exceeds(a, b money.Amount) bool { return a.Rat().Cmp(b.Rat()) > 0 }

// weakerThan reports whether the policy asks for less than another in any respect.
func (p Policy) weakerThan(old Policy) bool {
	if old.FourEyes && !p.FourEyes || old.PayeeApproval && !p.PayeeApproval || p.PayeeDelay < old.PayeeDelay {
		return true
	}

	if old.SignedIntents && !p.SignedIntents || capsWeaker(p.DailyCaps, old.DailyCaps) {
		return true
	}

	if rulesWeaker(p.AcceptRules, old.AcceptRules) {
		return true
	}

	if !old.FourEyes || len(p.Limits) == 0 {
		return false
	}

	for code, limit := range p.Limits {
		if before, ok := old.Limits[code]; !ok || exceeds(limit, before) {
			return true
		}
	}

	// A currency that has lost its limit counts against another currency's limit, which may allow more.
	return len(p.Limits) < len(old.Limits)
}

// capsWeaker reports whether a daily cap is gone or higher.
func capsWeaker(caps, old map[string]money.Amount) bool {
	for code, before := range old {
		if c, ok := caps[code]; !ok || exceeds(c, before) {
			return true
		}
	}

	return false
}

// describe returns the policy as a value of words.Phrase: what a second admin approves.
func (p Policy) describe() string {
	var out []string

	switch {
	case !p.FourEyes:
		out = append(out, words.Phrase("one person may create and accept a transaction"))
	case len(p.Limits) == 0:
		out = append(out, words.Phrase("every transaction needs a second person"))
	default:
		out = append(out, words.Phrase("every transaction above %s needs a second person", inWords(p.Limits)))
	}

	if p.PayeeApproval {
		out = append(out, words.Phrase("payees need a second person's approval"))
	} else {
		out = append(out, words.Phrase("payees need no approval"))
	}

	if p.PayeeDelay > 0 {
		hours := int64(p.PayeeDelay / time.Hour)
		out = append(out, words.Phrase("new payees wait %s", words.Count("%d hours", hours)))
	} else {
		out = append(out, words.Phrase("new payees need not wait"))
	}

	if p.SignedIntents {
		out = append(out, words.Phrase("the paying wallet signs every batch"))
	}

	if len(p.DailyCaps) > 0 {
		out = append(out, words.Phrase("a paying wallet has a daily cap of at most %s", inWords(p.DailyCaps)))
	}

	return words.List(words.Semicolons, append(out, describeRules(p.AcceptRules)...)...)
}

// inWords returns limits as a value of words.Phrase, by currency or token.
func inWords(limits map[string]money.Amount) string {
	var out []string

	for _, code := range slices.Sorted(maps.Keys(limits)) {
		amount := limits[code].String()
		out = append(out, words.InEnglish(code+" "+amount, words.Sum(amount, code)))
	}

	return words.List(words.Commas, out...)
}

// limitDecimals is how many decimals a limit may have: more than any currency has, and enough for a token.
const limitDecimals = 6

// limitsOf are amounts of a request by what they are of, which it calls field and known knows.
type limitsOf struct {
	pointer, field string
	unknown        fault.Code
	otherwise      string // what is said of one that is not known
	known          func(code string) bool
}

// parse returns n limits, each of which at gives, and adds to l what is wrong with them.
func (c limitsOf) parse(l *fault.List, n int, at func(i int) (code, amount string)) map[string]money.Amount {
	out := map[string]money.Amount{}

	for i := range n {
		code, amount := at(i)
		pointer := c.pointer + "/" + strconv.Itoa(i)

		if !c.known(code) {
			l.Add(pointer+"/"+c.field, c.unknown, "%s", c.otherwise)
		} else if _, twice := out[code]; twice {
			l.Add(pointer+"/"+c.field, fault.NotAllowed, "stands twice.")
		}

		a, err := money.Parse(money.Asset{Code: code, Decimals: limitDecimals}, amount)
		if err != nil {
			l.Add(pointer+"/amount", fault.AmountForm, "must be an amount above zero such as 10000.00.")
		}

		out[code] = a
	}

	return out
}

// checkLimits parses the limits of a request and adds to l what is wrong with them.
func (s *Service) checkLimits(l *fault.List, requested []PolicyLimit) map[string]money.Amount {
	return limitsOf{
		pointer:   "/fourEyesLimits",
		field:     "currency",
		unknown:   fault.CurrencyUnknown,
		otherwise: "is neither a currency code of ISO 4217 nor a token.",
		known:     s.config.Currency,
	}.parse(l, len(requested), func(i int) (string, string) { return requested[i].Currency, requested[i].Amount })
}

// checkCaps parses the daily caps of a request and adds to l what is wrong with them.
func (s *Service) checkCaps(l *fault.List, requested []DailyCap) map[string]money.Amount {
	return limitsOf{
		pointer:   "/dailyCaps",
		field:     "token",
		unknown:   fault.TokenUnknown,
		otherwise: "is not a token that is offered.",
		known:     s.config.Token,
	}.parse(l, len(requested), func(i int) (string, string) { return requested[i].Token, requested[i].Amount })
}
