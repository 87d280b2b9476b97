package organisation

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"

	"slipway/internal/core/fault"
	"slipway/internal/core/money"
	"slipway/internal/platform/db"
	"slipway/internal/platform/words"
)

// AcceptRule says how many people accept a transaction together. Each of them is one who may accept it alone where no
// rule stands.
type AcceptRule struct {
	Currency string `json:"currency,omitempty" maxLength:"16" doc:"currency code of ISO 4217, or a token; left out: any, whatever the amount" example:"EUR"`
	Above    string `json:"above,omitempty" maxLength:"30" doc:"the rule holds for a transaction that pays, or takes from its wallet, more than this in the currency" example:"50000.00"`
	Type     string `json:"type,omitempty" enum:",FIAT,CRYPTO" doc:"only transactions of this type; left out: of any" example:"FIAT"`
	People   int    `json:"people" minimum:"2" maximum:"5" doc:"how many accept it together" example:"2"`
}

// anyAmount is the Currency of a rule that holds whatever is paid.
const anyAmount = ""

// limit returns the amount above which the rule holds.
func (r AcceptRule) limit() money.Amount {
	a, err := money.ParseOrZero(money.Asset{Code: r.Currency, Decimals: limitDecimals}, r.Above)
	if err != nil { // checked when the rule was made
		panic("accept rule above " + r.Above)
	}

	return a
}

// holds reports whether the rule is about a transaction that pays, or costs, one of these amounts.
func (r AcceptRule) holds(kind string, amounts []money.Amount) bool {
	if r.Type != "" && r.Type != kind {
		return false
	}

	return r.Currency == anyAmount || slices.ContainsFunc(amounts, func(a money.Amount) bool {
		return a.Asset().Code == r.Currency && exceeds(a, r.limit())
	})
}

// covers reports whether whatever needs the people of another rule needs at least as many by this one.
func (r AcceptRule) covers(other AcceptRule) bool {
	if r.People < other.People || r.Type != "" && r.Type != other.Type {
		return false
	}

	return r.Currency == anyAmount || r.Currency == other.Currency && !exceeds(r.limit(), other.limit())
}

// Accepters returns how many people accept a transaction together that pays these sums and costs so much: 1 where no
// rule holds, else what the strictest one wants.
func (p Policy) Accepters(kind string, sums []money.Amount, debit money.Amount) int {
	amounts := append(slices.Clone(sums), debit)
	people := 1

	for _, r := range p.AcceptRules {
		if r.holds(kind, amounts) {
			people = max(people, r.People)
		}
	}

	return people
}

// most returns how many people the strictest rule wants.
func (p Policy) most() int {
	people := 1
	for _, r := range p.AcceptRules {
		people = max(people, r.People)
	}

	return people
}

// rulesWeaker reports whether a rule is gone that no other one covers.
func rulesWeaker(next, old []AcceptRule) bool {
	return slices.ContainsFunc(old, func(was AcceptRule) bool {
		return !slices.ContainsFunc(next, func(r AcceptRule) bool { return r.covers(was) })
	})
}

// writeRules returns rules in the form in which they are stored.
func writeRules(rules []AcceptRule) string {
	if len(rules) == 0 {
		return ""
	}

	raw, err := json.Marshal(rules)
	if err != nil { // texts and a number
		panic(err)
	}

	return string(raw)
}

// readRules parses what writeRules returned.
func readRules(s string) ([]AcceptRule, error) {
	if s == "" {
		return nil, nil
	}

	var out []AcceptRule
	err := json.Unmarshal([]byte(s), &out)

	return out, err
}

// checkRules adds to l what is wrong with the rules of a request, and returns them with their amounts written in one
// way.
func (s *Service) checkRules(l *fault.List, requested []AcceptRule) []AcceptRule {
	var out []AcceptRule

	for i, r := range requested {
		pointer := "/acceptRules/" + strconv.Itoa(i)

		switch {
		case r.Currency == anyAmount && r.Above != "":
			l.Add(pointer+"/currency", fault.Required, "says in which currency or token the amount is.")
		case r.Currency != anyAmount && !s.config.Currency(r.Currency):
			l.Add(pointer+"/currency", fault.CurrencyUnknown, "is neither a currency code of ISO 4217 nor a token.")
		case r.Currency != anyAmount:
			a, err := money.ParseOrZero(money.Asset{Code: r.Currency, Decimals: limitDecimals}, r.Above)
			if err != nil {
				l.Add(pointer+"/above", fault.AmountForm, "must be an amount such as 50000.00, or 0.")
			}

			r.Above = a.String()
		}

		same := func(o AcceptRule) bool { return o.Currency == r.Currency && o.Above == r.Above && o.Type == r.Type }
		if slices.ContainsFunc(out, same) {
			l.Add(pointer, fault.NotAllowed, "stands twice.")
		}

		out = append(out, r)
	}

	return out
}

// enoughAccepters refuses a policy whose rules want more people than there are who accept: nobody would be able to pay.
// besides is left out of them.
func enoughAccepters(members []Member, besides string, p Policy) error {
	n := 0

	for _, m := range members {
		if m.ID != besides && m.MayAccept() == nil {
			n++
		}
	}

	if want := p.most(); want > 1 && n < want {
		return fault.New(
			fault.Conflict,
			fault.SecondPersonMissing,
			"A rule wants %d people who accept together; the organisation has %d.",
			want,
			n,
		)
	}

	return nil
}

// keepsAccepters refuses changes of a member after which a rule of the policy could not be met any more. Where a
// directory says that somebody has left it is not asked: he has, whatever waits for him then.
func keepsAccepters(ctx context.Context, q db.Querier, m Member, c MemberChanges, self bool) error {
	next, err := c.apply(m, self)
	if err != nil || m.MayAccept() != nil || next.MayAccept() == nil {
		return err
	}

	p, err := PolicyOf(ctx, q, m.Organisation)
	if err != nil || p.most() == 1 {
		return err
	}

	all, err := membersOf(ctx, q, m.Organisation, "", maxMembers, 0)
	if err != nil {
		return err
	}

	return enoughAccepters(all, m.ID, p)
}

// rulesSentence says what the rules are, for people.
func (p Policy) rulesSentence() Sentence {
	var out []string

	for _, r := range p.AcceptRules {
		what := "every payment"
		if r.Type == "FIAT" {
			what = "every payment to bank accounts"
		} else if r.Type != "" {
			what = "every payment to wallets"
		}

		if r.Currency != anyAmount {
			what += fmt.Sprintf(" above %s %s", r.limit(), r.Currency)
		}

		out = append(out, fmt.Sprintf("%d people accept %s together", r.People, what))
	}

	text := strings.Join(out, "; ")
	if text != "" {
		text += ". The first agree, the last one accepts."
	}

	return said("ACCEPT_RULES", len(out) > 0, text, "One person who may accept is enough, whatever the amount.")
}

// describeRules returns the rules as values of words.Phrase.
func describeRules(rules []AcceptRule) []string {
	var out []string

	for _, r := range rules {
		people, sum := strconv.Itoa(r.People), ""
		if r.Currency != anyAmount {
			limit := r.limit().String()
			sum = words.InEnglish(r.Currency+" "+limit, words.Sum(limit, r.Currency))
		}

		switch {
		case r.Currency == anyAmount && r.Type == "":
			out = append(out, words.Phrase("%s people accept every transaction", people))
		case r.Currency == anyAmount:
			out = append(out, words.Phrase("%[1]s people accept every transaction of the type %[2]s", people, r.Type))
		case r.Type == "":
			out = append(out, words.Phrase("%[1]s people accept every transaction above %[2]s", people, sum))
		default:
			out = append(out, words.Phrase("%[1]s people accept every transaction of the type %[2]s above %[3]s",
				people, r.Type, sum))
		}
	}

	return out
}
