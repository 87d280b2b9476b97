//go:build !nosandbox

package app_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/app/apptest"
	"slipway/internal/payments/transaction"
	"slipway/internal/rails/bank/banksim"
)

// hold is something that waits for people, as operators see it.
type hold struct {
	Subject      string   `json:"subject"`
	Kind         string   `json:"kind"`
	Transaction  string   `json:"transaction"`
	Amount       string   `json:"amount"`
	Account      string   `json:"account"`
	TookEffect   []string `json:"tookEffect"`
	TookNoEffect []string `json:"tookNoEffect"`
	Choices      []struct {
		Action string `json:"action"`
		Effect string `json:"effect"`
	} `json:"choices"`
}

func holds(c *apptest.Client) []hold {
	var page struct {
		Results []hold `json:"results"`
	}

	c.Do("GET", "/operations/held", nil).OK(200).Into(&page)

	return page.Results
}

// A payment that the bank refused as a duplicate may have been executed. Operators see what says so and what does not,
// and the choices with what each does to the money. One of them asks, another one decides, and it is carried out once.
func TestTwoOperatorsEndAHoldAtTheBank(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		two := h.Operators()

		h.Control(banksim.Control{Op: "duplicate_reject", Count: 1})
		id := c.FiatAccepted("USDC", c.FiatPayment(c.NewBankAccount("EUR", "100"), "100.00"))
		h.BankUntil("held", func() bool { return c.Read(id).Payments[0].Status == transaction.PaymentUnknown })

		all := holds(two.Client)
		require.Len(t, all, 1)
		require.Equal(t, "PAYOUT_HELD", all[0].Kind)
		require.Equal(t, id, all[0].Transaction)
		require.NotEmpty(t, all[0].TookEffect)
		require.NotEmpty(t, all[0].TookNoEffect)

		var actions []string
		for _, choice := range all[0].Choices {
			require.NotEmpty(t, choice.Effect)
			actions = append(actions, choice.Action)
		}

		require.Equal(t, []string{"ARRIVED", "REJECT"}, actions)

		decide := func(subject, action string) apptest.Answer {
			return two.Do("POST", "/operations/held/decision", object{
				"subject": subject,
				"action":  action,
				"reason":  "The bank's clerk has said so",
			})
		}

		decide(all[0].Subject, "PLAN_AGAIN").Refused(422, "NOT_ALLOWED", "/action NOT_ALLOWED")
		decide("another", "REJECT").OK(404)

		asked := decide(all[0].Subject, "REJECT")
		two.Do("POST", "/operations/approvals/"+asked.OK(202).ID()+"/decision", object{
			"decision": "APPROVED",
			"comment":  "mine",
		}).Refused(403, "SECOND_PERSON_REQUIRED")
		require.Len(t, holds(two.Client), 1, "one person moves nothing")

		two.Carried(asked)
		require.Empty(t, holds(two.Client))
		decide(all[0].Subject, "REJECT").OK(404)
		h.SettleAll()
		require.Equal(t, transaction.PaymentRefunded, c.Read(id).Payments[0].Status)
		h.Oracle()
	})
}
