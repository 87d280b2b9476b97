//go:build !nosandbox

package app_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/app/apptest"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/db"
	"slipway/internal/rails/bank/banksim"
)

// hold is something that waits for people, as operators see it.
type hold struct {
	Subject      string   `json:"subject"`
	Kind         string   `json:"kind"`
	Why          string   `json:"why"`
	EndsBy       string   `json:"endsBy"`
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

// The list of holds has at most two hundred of a kind, and says how many there are. One that is not listed can be
// decided about all the same.
func TestAHoldBeyondTheListIsCountedAndDecided(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		two := h.Operators()
		require.NoError(t, h.DB().Write(t.Context(), func(tx *db.Tx) error {
			for i := range 203 {
				_, err := tx.Exec(`INSERT INTO bank_inbox (id, hash, name, kind, size, state, created_at, updated_at)
					VALUES (?, ?, 'a file', 'camt.053', 1, 'WAITING', 1, 1)`,
					fmt.Sprintf("fil_%03d", i), fmt.Sprintf("%064d", i))
				if err != nil {
					return err
				}
			}

			return nil
		}))

		var page struct {
			Results []hold `json:"results"`
			Total   int    `json:"total"`
		}
		two.Do("GET", "/operations/held", nil).OK(200).Into(&page)
		require.Len(t, page.Results, 200)
		require.Equal(t, 203, page.Total)

		decide := func(subject string) apptest.Answer {
			return two.Do("POST", "/operations/held/decision", object{
				"subject": subject,
				"action":  "DROP",
				"reason":  "The bank has sent it twice",
			})
		}
		require.NotContains(t, fmt.Sprint(page.Results), "fil_202")
		decide("fil_202").OK(202)
		decide("fil_203").OK(404)

		alerts, err := h.App.Bank.Alerts(t.Context(), h.DB())
		require.NoError(t, err)
		require.Equal(t, map[string]int{"STATEMENT_WAITING": 203}, alerts)
	})
}

// A bank that does not find a payee's name at the account holds the payment until somebody has decided there. The
// payment, the transaction, its explanation and the operators' list say so, and stop when the bank goes on.
func TestAPayeeWhoseNameDiffersWaitsForADecisionAtTheBank(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		two := h.Operators()

		h.Control(banksim.Control{Op: "payee_differs", Reason: "RVMC"})
		id := c.FiatAccepted("USDC",
			c.FiatPayment(c.NewBankAccount("EUR", "100"), "100.00"),
			c.FiatPayment(c.NewBankAccount("EUR", "100"), "200.00"))
		h.BankUntil("one is paid", func() bool { return c.Read(id).Payments[1].Status == transaction.PaymentCompleted })

		v := c.Read(id)
		require.Equal(t, transaction.PaymentSent, v.Payments[0].Status)
		require.Equal(
			t,
			"the account's name is only close to the payee's, and the bank waits for a decision",
			v.Payments[0].StatusInfo,
		)
		require.Equal(t, "1 of 2 payments wait at the bank: payment 1: "+v.Payments[0].StatusInfo+".", v.StatusInfo)

		var read struct {
			Payments []struct {
				Verification *transaction.PayeeVerificationView `json:"payeeVerification"`
			} `json:"payments"`
			Bank []transaction.BankEffect `json:"bank"`
		}
		c.Do("GET", "/transactions/"+id, nil).OK(200).Into(&read)
		found := read.Payments[0].Verification
		require.Equal(t, "PARTIAL_MATCH", found.Status)
		require.NotEmpty(t, found.MatchedName)
		require.False(t, found.CheckedAt.IsZero())
		require.Nil(t, read.Payments[1].Verification)

		all := holds(two.Client)
		require.Len(t, all, 1)
		require.Equal(t, "PAYOUT_PAYEE_DIFFERS", all[0].Kind)
		require.Equal(t, id, all[0].Transaction)
		require.Contains(t, all[0].Why, "It is in the name of "+found.MatchedName+".")
		require.Equal(t, "your decision at the bank, in its portal or with a signature", all[0].EndsBy)
		require.Empty(t, all[0].Choices)

		var explained struct {
			WaitsFor transaction.WaitsView `json:"waitsFor"`
		}
		c.Do("GET", "/transactions/"+id+"/explain", nil).OK(200).Into(&explained)
		require.Equal(t, "PLATFORM", explained.WaitsFor.Actor)
		require.Equal(t, []string{"decision at the bank"}, explained.WaitsFor.For)

		h.Control(banksim.Control{Op: "release", EndToEndID: read.Bank[0].EndToEndID})
		h.SettleAll()
		v = c.Read(id)
		require.Equal(t, transaction.StatusCompleted, v.Status)
		require.Empty(t, v.StatusInfo)
		require.Empty(t, v.Payments[0].StatusInfo)
		require.Empty(t, holds(two.Client))
		h.Oracle()
	})
}
