//go:build !nosandbox

package app_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/app/apptest"
	"slipway/internal/core/fault"
	"slipway/internal/payments/reconcile"
	"slipway/internal/rails/bank/banksim"
)

// deposit is a deposit as operators see it.
type deposit struct {
	ID             string   `json:"_id"`
	State          string   `json:"state"`
	Reason         string   `json:"reason"`
	Amount         string   `json:"amount"`
	SenderName     string   `json:"senderName"`
	Transaction    string   `json:"transaction"`
	DecidedBy      string   `json:"decidedBy"`
	Note           string   `json:"note"`
	AllowedActions []string `json:"allowedActions"`

	Proposal *struct {
		Action      string `json:"action"`
		Transaction string `json:"transaction"`
		By          string `json:"by"`
	} `json:"proposal"`

	Candidates []struct {
		Transaction  string   `json:"transaction"`
		Name         string   `json:"organisationName"`
		Missing      string   `json:"missing"`
		Agrees       []string `json:"agrees"`
		Differs      []string `json:"differs"`
		IsAssignable bool     `json:"isAssignable"`
		Why          string   `json:"why"`
	} `json:"candidates"`
}

// suspense lists the deposits that wait for people, as operators see them.
func suspense(c *apptest.Client) []deposit {
	var page struct {
		Results []deposit `json:"results"`
	}

	c.Do("GET", "/operations/deposits?state[]=SUSPENSE&state[]=ASSIGNED&state[]=HELD", nil).OK(200).Into(&page)

	return page.Results
}

func readDeposit(c *apptest.Client, id string) (d deposit) {
	c.Do("GET", "/operations/deposits/"+id, nil).OK(200).Into(&d)
	return d
}

// An operator is shown what a deposit may pay and what speaks for it and against it. One decides, the other one decides
// the same, and only then it is carried out.
func TestTwoOperatorsAssignADeposit(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		two := h.Operators()
		id, _ := c.OnrampSubmitted("USDC", "EUR", "2000.00")

		h.Deposit(banksim.Deposit{
			Currency:      "EUR",
			Amount:        "2000.00",
			Reference:     "without a reference",
			Sender:        c.Name(),
			SenderAccount: apptest.SenderAccount,
		})
		h.BankUntil("in suspense", func() bool { return len(h.Suspense()) == 1 })

		all := suspense(two.Client)
		require.Len(t, all, 1)
		require.Equal(t, "NO_REFERENCE", all[0].Reason)
		require.Equal(t, []string{"assign", "settle", "refund", "return", "hold"}, all[0].AllowedActions)

		d := readDeposit(two.Client, all[0].ID)
		require.Len(t, d.Candidates, 1)

		best := d.Candidates[0]
		require.Equal(t, id, best.Transaction)
		require.Equal(t, "2000.00", best.Missing)
		require.Equal(t, []string{"AMOUNT", "CURRENCY", "ACCOUNT", "SENDER", "TIME"}, best.Agrees)
		require.Equal(t, []string{"REFERENCE"}, best.Differs)
		require.True(t, best.IsAssignable)

		decide := func(who *apptest.Client, body object) apptest.Answer {
			return who.Do("POST", "/operations/deposits/"+d.ID+"/decision", body)
		}
		assign := object{"action": "ASSIGN", "transaction": id, "note": "he called"}

		before := moved(h)
		decide(two.Client, assign).OK(200).Into(&d)
		require.Equal(t, "SUSPENSE", d.State)
		require.Equal(t, id, d.Proposal.Transaction)
		require.Equal(t, before, moved(h), "one person moves nothing")

		decide(two.Client, assign).Refused(409, "TWO_PERSONS_NEEDED")
		decide(two.Client, object{"action": "REFUND"}).OK(200)
		decide(two.Second, assign).OK(200).Into(&d)
		require.Equal(t, "SUSPENSE", d.State, "another decision is a new proposal")

		decide(two.Client, assign).OK(200).Into(&d)
		require.Equal(t, "MATCHED", d.State)
		require.Equal(t, id, d.Transaction)
		require.Nil(t, d.Proposal)
		require.Empty(t, d.AllowedActions)
		require.Empty(t, suspense(two.Client))

		decide(two.Client, assign).Refused(409, "DEPOSIT_SETTLED")
		decide(c, assign).Refused(403, "ROLE_REQUIRED")

		h.SettleAll()
		require.EqualValues(t, "COMPLETED", c.Read(id).Status)
	})
}

// What one person has decided about a deposit is an approval like any other: the second one finds it on the page of
// approvals and decides there. Who has decided first can only take it back there. Money that goes back is screened
// before, on that page, too.
func TestTwoOperatorsDecideAboutADepositByAnApproval(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		two := h.Operators()

		h.Deposit(banksim.Deposit{
			Currency:      "EUR",
			Amount:        "17.00",
			Reference:     "of nobody",
			Sender:        "Niemand Bekannt",
			SenderAccount: apptest.SenderAccount,
		})
		h.BankUntil("in suspense", func() bool { return len(h.Suspense()) == 1 })

		id := suspense(two.Client)[0].ID
		propose := func(who *apptest.Client, body object) string {
			who.Do("POST", "/operations/deposits/"+id+"/decision", body).OK(200)

			return openAbout(t, two.Client, id)
		}
		decide := func(who *apptest.Client, approval, decision string) apptest.Answer {
			return who.Do("POST", "/operations/approvals/"+approval+"/decision", object{
				"decision": decision,
				"comment":  "I know the sender",
			})
		}
		proposed := func(is string) int {
			var page struct {
				Results []deposit `json:"results"`
			}

			two.Do("GET", "/operations/deposits?proposed="+is, nil).OK(200).Into(&page)

			return len(page.Results)
		}

		hold := propose(two.Client, object{"action": "HOLD", "note": "asked the sender"})
		require.Equal(t, []int{1, 0}, []int{proposed("true"), proposed("false")})

		decide(two.Client, hold, "APPROVED").Refused(403, "SECOND_PERSON_REQUIRED")
		decide(two.Client, hold, "REJECTED").OK(200)
		require.Nil(t, readDeposit(two.Client, id).Proposal)
		require.Equal(t, []int{0, 1}, []int{proposed("true"), proposed("false")})

		// a week later it can still be approved: money waits, and nobody has to say it again
		hold = propose(two.Client, object{"action": "HOLD", "note": "asked the sender"})
		h.DB().Clock().Advance(8 * 24 * time.Hour)
		two.Client.Login()
		two.Second.Login()
		h.RunJobs()
		decide(two.Second, hold, "APPROVED").OK(200)

		d := readDeposit(two.Client, id)
		require.Equal(t, "HELD", d.State)
		require.Equal(t, "I know the sender", d.Note)
		decide(two.Second, hold, "APPROVED").Refused(409, "APPROVAL_DECIDED")

		refund := propose(two.Client, object{"action": "REFUND"})
		h.App.Settlement.Deposits.Returnable = func(context.Context, reconcile.Deposit) error {
			return fault.New(fault.Conflict, fault.DepositNotReturnable, "The sender is on a sanctions list.")
		}

		decide(two.Second, refund, "APPROVED").Refused(409, "DEPOSIT_NOT_RETURNABLE")
		require.Equal(t, "HELD", readDeposit(two.Client, id).State)

		h.App.Settlement.Deposits.Returnable = func(context.Context, reconcile.Deposit) error { return nil }

		decide(two.Second, refund, "APPROVED").OK(200)
		require.Equal(t, "REFUNDING", readDeposit(two.Client, id).State)
		h.BankUntil("it is back", func() bool { return readDeposit(two.Client, id).State == "REFUNDED" })
		h.Oracle()
	})
}

// openAbout returns the approval that waits about a record.
func openAbout(t *testing.T, c *apptest.Client, object string) string {
	t.Helper()

	var page struct {
		Results []struct {
			ID string `json:"_id"`
		} `json:"results"`
	}

	c.Do("GET", "/operations/approvals?status[]=PENDING&object="+object, nil).OK(200).Into(&page)
	require.Len(t, page.Results, 1)

	return page.Results[0].ID
}

// What one has decided is bound to what both have seen: a deposit that was kept by two, and is decided about anew,
// needs two again.
func TestADepositThatWasKeptNeedsTwoPeopleAgain(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		two := h.Operators()

		h.Deposit(banksim.Deposit{
			Currency:      "EUR",
			Amount:        "17.00",
			Reference:     "of nobody",
			Sender:        "Niemand Bekannt",
			SenderAccount: apptest.SenderAccount,
		})
		h.BankUntil("in suspense", func() bool { return len(h.Suspense()) == 1 })

		id := suspense(two.Client)[0].ID
		decide := func(who *apptest.Client, body object) (d deposit) {
			who.Do("POST", "/operations/deposits/"+id+"/decision", body).OK(200).Into(&d)
			return d
		}

		decide(two.Client, object{"action": "HOLD"})
		require.Equal(
			t,
			[]string{"assign", "settle", "refund", "return"},
			readDeposit(two.Client, id).AllowedActions,
			"his own word",
		)

		require.Equal(t, "HELD", decide(two.Second, object{"action": "HOLD"}).State)
		require.Equal(t, []string{"assign", "settle", "refund", "return"}, readDeposit(two.Client, id).AllowedActions)

		back := object{"action": "REFUND", "note": "nobody knows it"}
		require.Equal(t, "HELD", decide(two.Second, back).State)
		require.Equal(t, "REFUNDING", decide(two.Client, back).State)

		h.BankUntil("it is back", func() bool { return readDeposit(two.Client, id).State == "REFUNDED" })

		two.Do("POST", "/operations/deposits/ent_none/decision", back).Refused(404, "NOT_FOUND")
	})
}
