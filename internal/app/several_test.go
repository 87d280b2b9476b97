//go:build !nosandbox

package app_test

import (
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/app/apptest"
	"slipway/internal/payments/transaction"
)

// acceptance is what a transaction shows of those who accept it together.
type acceptance struct {
	Acceptance *struct {
		People int `json:"people"`
		Agreed []struct {
			By string `json:"by"`
		} `json:"agreed"`
	} `json:"acceptance"`
	AllowedActions []string `json:"allowedActions"`
}

func accepting(c *apptest.Client, id string) (a acceptance) {
	c.Do("GET", "/transactions/"+id, nil).OK(200).Into(&a)
	return a
}

// three are an organisation of three who may accept, and one who draws payments up.
func three(h *apptest.Harness) (x team, dan *apptest.Client) {
	x = newTeam(h)
	return x, x.ada.Colleague("Dan", "authorized", "admin")
}

var threeAbove = object{"acceptRules": []object{{"currency": "USDC", "above": "10.00", "people": 3}}}

// TestSeveralPeopleAcceptTogether (Z-12): above an amount, so many people as the policy wants accept a transaction. All
// but one agree, in whatever order, and the last one accepts; nobody counts twice. Below the amount one is enough.
func TestSeveralPeopleAcceptTogether(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		x, dan := three(h)
		require.Empty(t, policy(x.ada, threeAbove), "a policy that asks for more is in force at once")

		small := x.cleo.Submitted("USDC", "9.00") // with its fee not above the amount
		x.ada.Act(small, "agree").Refused(409, "AGREEMENT_NOT_NEEDED")
		x.ada.Act(small, "accept").OK(200)

		id := x.cleo.Submitted("USDC", "11.00")
		require.Equal(t, 3, accepting(x.ada, id).Acceptance.People)
		require.Contains(t, accepting(x.ada, id).AllowedActions, "agree")
		require.NotContains(t, accepting(x.ada, id).AllowedActions, "accept")
		require.NotContains(t, accepting(x.cleo, id).AllowedActions, "agree")
		x.ada.Act(id, "accept").Refused(403, "MORE_PEOPLE_REQUIRED")
		x.cleo.Act(id, "agree").Refused(403, "MEMBER_NOT_AUTHORIZED")

		x.ada.Act(id, "agree").OK(200)
		x.ada.Act(id, "agree").OK(200) // twice is once
		require.NotContains(t, accepting(x.ada, id).AllowedActions, "agree")
		x.ada.Act(id, "accept").Refused(403, "MORE_PEOPLE_REQUIRED")
		x.ben.Act(id, "accept").Refused(403, "MORE_PEOPLE_REQUIRED")
		require.Equal(t, transaction.StatusWaiting, x.ada.Read(id).Status)

		x.ben.Act(id, "agree").OK(200)
		require.Len(t, accepting(x.ada, id).Acceptance.Agreed, 2)
		x.ada.Act(id, "accept").Refused(403, "MORE_PEOPLE_REQUIRED") // he is one of the two
		require.Contains(t, accepting(dan, id).AllowedActions, "accept")
		dan.Act(id, "accept").OK(200)
		dan.Act(id, "agree").Refused(409, "TX_NOT_WAITING_ACCEPTANCE")
		h.Settle()

		x.ada.Ends(id, transaction.StatusCompleted)
		require.EqualValues(t, 3, h.Count("SELECT count(*) FROM audit_log WHERE action = 'transaction.agreed'"))
	})
}

// TestAnAgreementCountsWhileItsAuthorMayAccept (Z-12): whoever is shut out, was a stand-in whose time is over, or has
// had a part where four eyes are wanted, counts no more, although he has agreed before.
func TestAnAgreementCountsWhileItsAuthorMayAccept(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		x, dan := three(h)
		two := object{"acceptRules": []object{{"people": 2}}}
		require.Empty(t, policy(x.ada, two))

		id := x.cleo.Submitted("USDC", "1.00")
		x.ben.Act(id, "agree").OK(200)
		h.Exec("UPDATE members SET user_type = 'viewer' WHERE user_id = ?", x.ben.User)
		dan.Act(id, "accept").Refused(403, "MORE_PEOPLE_REQUIRED")
		h.Exec("UPDATE members SET user_type = 'authorized', is_active = FALSE WHERE user_id = ?", x.ben.User)
		dan.Act(id, "accept").Refused(403, "MORE_PEOPLE_REQUIRED")
		h.Exec("UPDATE members SET is_active = TRUE WHERE user_id = ?", x.ben.User)
		dan.Act(id, "accept").OK(200)

		h.Exec("UPDATE receivers SET changed_by = ''") // as if two had looked at them
		own := x.ben.Submitted("USDC", "1.00")
		x.ben.Act(own, "agree").OK(200) // no four eyes yet
		require.Empty(t, policy(x.ada, with(two, object{"fourEyes": true})))
		x.ben.Act(own, "agree").Refused(403, "SECOND_PERSON_REQUIRED")
		dan.Act(own, "accept").Refused(403, "MORE_PEOPLE_REQUIRED")
		x.ada.Act(own, "agree").OK(200)
		dan.Act(own, "accept").OK(200)
	})
}

// TestANewRateEndsNoAgreement (Z-12): what was agreed to is who is paid, and not the price of ten minutes.
func TestANewRateEndsNoAgreement(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		x, dan := three(h)
		policy(x.ada, object{"acceptRules": []object{{"type": "FIAT", "people": 3}}})

		bank := x.cleo.FiatSubmitted("USDC", x.cleo.FiatPayment(x.cleo.NewBankAccount("EUR", "000"), "100.00"))
		x.ada.Act(bank, "agree").OK(200)
		h.DB().Clock().Advance(10*time.Minute + time.Second)
		x.ben.Act(bank, "agree").OK(200)
		dan.Act(bank, "accept").Refused(409, "QUOTE_EXPIRED")
		dan.Act(bank, "accept").OK(200)
	})
}

// TestAnAgreementIsToWhatIsPaid (Z-12): it is to these payees and amounts. If they were others, it would not count.
func TestAnAgreementIsToWhatIsPaid(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		x, dan := three(h)
		policy(x.ada, object{"acceptRules": []object{{"people": 2}}})

		id := x.cleo.Submitted("USDC", "1.00")
		x.ada.Act(id, "agree").OK(200)
		h.Exec("UPDATE agreements SET payments_hash = 'of another payee'")
		dan.Act(id, "accept").Refused(403, "MORE_PEOPLE_REQUIRED")
		x.ada.Act(id, "agree").OK(200)
		dan.Act(id, "accept").OK(200)
	})
}

// TestAMemberAndHisStandInAreOne (Z-12): a member and whoever accepts for him are one of those who accept together.
func TestAMemberAndHisStandInAreOne(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		x, dan := three(h)
		eve := x.ada.Colleague("Eve", "viewer", "viewer")
		policy(x.ada, object{"acceptRules": []object{{"people": 2}}})
		h.Exec(
			"UPDATE members SET stands_in_for = (SELECT id FROM members WHERE user_id = ?), stands_in_from = 1, "+
				"stands_in_until = 9000000000000000 WHERE user_id = ?",
			x.ben.User,
			eve.User,
		)

		id := x.cleo.Submitted("USDC", "1.00")
		eve.Act(id, "agree").OK(200)
		x.ben.Act(id, "accept").Refused(403, "MORE_PEOPLE_REQUIRED")
		dan.Act(id, "accept").OK(200)
	})
}

// TestARuleIsNoBar (Z-12): a rule that could never be met is refused, and so is a change of members after which it
// could not. A rule that wants fewer people, or above a higher amount, waits for a second admin.
func TestARuleIsNoBar(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		x, dan := three(h)
		put := func(rules ...object) apptest.Answer {
			return x.ada.Do("PUT", "/organisations/"+x.ada.Org+"/approval-policy", object{
				"fourEyes":      false,
				"payeeApproval": false,
				"acceptRules":   rules,
			})
		}

		put(object{"people": 4}).Refused(409, "SECOND_PERSON_MISSING")
		put(object{"people": 1}).Refused(422, "OUT_OF_RANGE")
		put(object{"people": 2, "above": "10"}).Refused(422, "REQUIRED")
		put(object{"people": 2, "currency": "XYZ", "above": "10"}).Refused(422, "CURRENCY_UNKNOWN")
		put(object{"people": 2, "currency": "EUR", "above": "ten"}).Refused(422, "AMOUNT_INVALID")
		put(object{"people": 2}, object{"people": 3}).Refused(422, "NOT_ALLOWED")
		put(object{"currency": "EUR", "above": "1000", "people": 3}).OK(200)

		pending := policy(x.ada, object{"acceptRules": []object{{"currency": "EUR", "above": "2000.00", "people": 3}}})
		require.NotEmpty(t, pending)
		require.NotEmpty(
			t,
			policy(x.ada, object{"acceptRules": []object{{"currency": "EUR", "above": "1000.00", "people": 2}}}),
		)
		require.NotEmpty(t, policy(x.ada, object{}))
		require.Empty(t, policy(x.ada, object{"acceptRules": []object{{"people": 3}}}), "stricter in every respect")

		var members struct {
			Results []struct {
				ID   string `json:"_id"`
				User struct {
					ID string `json:"_id"`
				} `json:"user"`
			} `json:"results"`
		}
		x.ada.Do("GET", "/organisations/"+x.ada.Org+"/members", nil).OK(200).Into(&members)

		for _, m := range members.Results {
			if m.User.ID != dan.User {
				continue
			}

			asked := x.ada.Do("PATCH", "/organisations/"+x.ada.Org+"/members/"+m.ID, object{"userType": "viewer"})
			for _, a := range approvals(x.ben, "") {
				asked = x.ben.Do("POST", "/approvals/"+a+"/approve", object{})
			}

			asked.Refused(409, "SECOND_PERSON_MISSING")
		}
	})
}

// TestARuleThatCommittedFirstWins (Z-12, N-04): whoever asked before the rule was there, with a token that knows
// nothing of it, is refused by the statement itself.
func TestARuleThatCommittedFirstWins(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		x := newTeam(h)
		id := x.cleo.Submitted("USDC", "1.00")
		x.ada.Act(id, "check-allowance").OK(200)
		// as another process would: the tokens of this one are not dropped
		h.Exec(`UPDATE organisations SET several_accept = 7, accept_rules = '[{"people":2}]', policy_version = 7`)
		x.ada.Act(id, "accept").Refused(403, "MORE_PEOPLE_REQUIRED")
		require.EqualValues(t, 0, h.Count("SELECT count(*) FROM journals"))
		x.ben.Act(id, "agree").OK(200)
		x.ada.Login()
		x.ada.Act(id, "accept").OK(200)
	})
}

// TestTheLastTwoAtOnce (Z-12): of those who agree and accept at the same moment, so many take effect as are wanted, and
// nothing is held or paid twice.
func TestTheLastTwoAtOnce(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		x, dan := three(h)
		policy(x.ada, object{"acceptRules": []object{{"people": 2}}})
		id := x.cleo.Submitted("USDC", "1.00")

		var wg sync.WaitGroup
		for _, c := range []*apptest.Client{x.ada, x.ben, dan} {
			wg.Go(func() { c.Act(id, "agree") })
			wg.Go(func() { c.Act(id, "accept") })
		}

		wg.Wait()

		if x.ada.Read(id).Status == transaction.StatusWaiting {
			x.ada.Act(id, "agree")
			dan.Act(id, "accept").OK(200)
		}

		h.Settle()
		x.ada.Ends(id, transaction.StatusCompleted)
		require.EqualValues(t, 1, h.Count("SELECT count(*) FROM audit_log WHERE action = 'transaction.accepted'"))
	})
}
