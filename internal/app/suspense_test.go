//go:build !nosandbox

package app_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/app/apptest"
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
