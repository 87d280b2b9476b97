//go:build !nosandbox

package app_test

import (
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/app/apptest"
	"slipway/internal/payments/transaction"
)

// outcome is what the API says has become of the payments.
type outcome struct {
	Outcome  transaction.OutcomeView `json:"outcome"`
	Payments []struct {
		ID          string `json:"_id"`
		Again       string `json:"again"`
		MadeAgainIn string `json:"madeAgainIn"`
		Amount      string `json:"amount"`
	} `json:"payments"`
	AllowedActions []string `json:"allowedActions"`
}

func outcomeOf(c *apptest.Client, id string) (o outcome) {
	c.Do("GET", "/transactions/"+id, nil).OK(200).Into(&o)
	return o
}

func inSums(amountAndAsset ...string) []transaction.SumView {
	out := []transaction.SumView{}
	for i := 0; i < len(amountAndAsset); i += 2 {
		out = append(out, transaction.SumView{Amount: amountAndAsset[i], Asset: amountAndAsset[i+1]})
	}

	return out
}

// A batch of which one payment has failed says so wherever it is shown: in its view, in lists and their filter, in the
// table, and in the mail about it. Its status stays as the interface has it.
func TestABatchWithAFailedPaymentSaysSo(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		c.StaySignedIn()
		good := c.NewBankAccount("EUR", "100")
		closed := c.NewBankAccount("EUR", "002")
		francs := c.NewBankAccount("CHF", "100")

		whole := c.FiatAccepted("USDC", c.FiatPayment(good, "10.00"))
		id := c.FiatAccepted(
			"USDC",
			c.FiatPayment(good, "120.00"),
			c.FiatPayment(closed, "80.00"),
			c.FiatPayment(francs, "30.00"),
			c.FiatPayment(good, "5.00"),
		)
		h.SettleAll()
		c.Ends(id, completed, paid, transaction.PaymentRefunded, paid, paid)

		o := outcomeOf(c, id)
		require.Equal(t, transaction.OutcomeView{
			Paid:      transaction.ShareView{Count: 3, Sums: inSums("125.00", "EUR", "30.00", "CHF")},
			Failed:    transaction.ShareView{Count: 1, Sums: inSums("80.00", "EUR")},
			GivenBack: transaction.ShareView{Count: 1, Sums: inSums("80.00", "EUR")},
		}, o.Outcome)
		require.Contains(t, c.Read(id).StatusInfo, "1 of 4 payments failed: payment 2: ")

		listed := func(query string) []string {
			var l struct {
				Results []struct {
					ID string `json:"_id"`
				} `json:"results"`
			}
			c.Do("GET", "/transactions?"+query, nil).OK(200).Into(&l)

			ids := []string{}
			for _, r := range l.Results {
				ids = append(ids, r.ID)
			}

			return ids
		}

		both := func() {
			require.Equal(t, []string{id}, listed("paymentsFailed=true"))
			require.Equal(t, []string{whole}, listed("paymentsFailed=false"))
			require.Equal(t, []string{id}, listed("paymentsFailed=true&status=COMPLETED"))
			require.Len(t, listed("status=COMPLETED"), 2)
		}
		both()
		require.NoError(t, h.App.Transactions.IndexList(t.Context(), c.Org))
		both()

		table := c.Do(
			"GET",
			"/transactions?paymentsFailed=true",
			nil,
			apptest.Header{Name: "Accept", Value: "text/csv"},
		).Raw
		for _, column := range []string{"outcome.paid.count", "outcome.failed.sums", "outcome.givenBack.count"} {
			require.Contains(t, table, column)
		}

		told := post(h, c.Email)

		subjects := ""
		for _, m := range told {
			subjects += m.Subject + "\n"
		}

		require.Contains(t, subjects, "Paid in part: EUR 125.00, CHF 30.00 in 3 of 4 payments, Ada AG")
		h.Oracle()
	})
}

// While other payments are still on their way, a payment that has failed is said at once.
func TestAFailedPaymentIsSaidAtOnce(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		c.StaySignedIn()
		closed := c.NewBankAccount("EUR", "002")
		slow := c.NewBankAccount("EUR", "100")

		id := c.FiatAccepted("USDC", c.FiatPayment(closed, "80.00"), c.FiatPayment(slow, "120.00"))
		h.BankUntil("one has failed", func() bool { return outcomeOf(c, id).Outcome.Failed.Count == 1 })

		require.Contains(t, c.Read(id).StatusInfo, "1 of 2 payments failed: payment 1: ")
		h.SettleAll()
		require.Contains(t, c.Read(id).StatusInfo, "1 of 2 payments failed: payment 1: ")
	})
}

// The failed payments are paid again in a draft of just those, which names them. Nobody can make a second one while the
// first lives, neither by the same way nor by naming them himself, and not at the same moment either.
func TestFailedPaymentsArePaidAgainOnce(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		usdc := h.World.Token("USDC")
		bad := h.Account("bad").Address
		h.Admin(usdc, "blacklist(address)", bad)

		body := c.Body(
			"USDC",
			c.Payment(c.Payee, "1.00"),
			with(c.Payment(bad, "2.00"), object{"instructions": "Call first"}),
		)
		id := c.Do("POST", "/transactions", body).OK(201).ID()
		again := "/transactions/" + id + "/pay-again"
		c.Do("POST", again, nil).Refused(409, "TX_NOTHING_FAILED")

		c.Act(id, "submit").OK(200)
		c.Act(id, "accept").OK(200)
		h.Settle()
		c.Ends(id, completed, paid, transaction.PaymentFailed)

		o := outcomeOf(c, id)
		require.Equal(t, inSums("2.00", "USDC"), o.Outcome.GivenBack.Sums, "it has never left the wallet")
		require.Contains(t, o.AllowedActions, "pay-again")

		other := h.Client("Bob")
		other.Do("POST", again, nil).Refused(404, "NOT_FOUND")

		named := with(c.Payment(bad, "2.00"), object{"again": o.Payments[1].ID})
		other.Do(
			"POST",
			"/transactions",
			other.Body("USDC", with(other.Payment(bad, "2.00"), object{"again": o.Payments[1].ID})),
		).
			Refused(
				422,
				"TX_NOTHING_FAILED",
				"/payments/0/again TX_NOTHING_FAILED",
			)
		c.Do(
			"POST",
			"/transactions",
			c.Body("USDC", with(c.Payment(c.Payee, "1.00"), object{"again": o.Payments[0].ID})),
		).
			Refused(
				422,
				"TX_NOTHING_FAILED",
				"/payments/0/again TX_NOTHING_FAILED",
			)
		c.Do("POST", "/transactions", c.Body("USDC", named, named)).
			Refused(422, "TX_MADE_AGAIN", "/payments/1/again TX_MADE_AGAIN")

		var wait sync.WaitGroup
		made := make([]apptest.Answer, 8)

		for i := range made {
			wait.Go(func() {
				if i%2 == 0 {
					made[i] = c.Do("POST", again, nil)
				} else {
					made[i] = c.Do("POST", "/transactions", c.Body("USDC", named))
				}
			})
		}

		wait.Wait()

		draft := ""
		for _, a := range made {
			if a.Status == 201 {
				require.Empty(t, draft, "one alone")
				draft = a.ID()
			} else {
				require.Equal(t, "TX_MADE_AGAIN", a.Code(), a.Raw)
			}
		}

		require.NotEmpty(t, draft)

		o = outcomeOf(c, id)
		require.Equal(t, draft, o.Payments[1].MadeAgainIn)
		require.NotContains(t, o.AllowedActions, "pay-again")

		d := outcomeOf(c, draft)
		require.Len(t, d.Payments, 1)
		require.Equal(t, o.Payments[1].ID, d.Payments[0].Again)
		require.Equal(t, "2.00", d.Payments[0].Amount)

		c.Do("DELETE", "/transactions/"+draft, nil).OK(200)

		made[0] = c.Do("POST", again, nil).OK(201)
		require.Contains(t, made[0].Raw, `"instructions":"Call first"`)

		second := made[0].ID()
		h.Admin(usdc, "unBlacklist(address)", bad)
		c.Act(second, "submit").OK(200)
		c.Act(second, "accept").OK(200)
		h.Settle()
		c.Ends(second, completed, paid)

		c.Do("POST", again, nil).Refused(409, "TX_MADE_AGAIN")
		require.Equal(t, second, outcomeOf(c, id).Payments[1].MadeAgainIn)
		h.Oracle()
	})
}

// Of a batch of payables, those that were not paid are reserved again, as often as they fail.
func TestFailedPayablesArePaidAgain(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		usdc := h.World.Token("USDC")
		good := newPayee(h, c, "Bob")
		bad := newPayee(h, c, "Mallory")
		h.Admin(usdc, "blacklist(address)", h.Account(c.Org+"Mallory").Address)

		one := approved(c, good.crypto("1.00"))
		invoiced := bad.crypto("2.00")
		invoiced["invoiceNumber"] = "R-9"
		two := approved(c, invoiced)
		id := pay(c, one, two).OK(201).ID()
		c.Act(id, "submit").OK(200)
		c.Act(id, "accept").OK(200)
		h.Settle()
		statusIs(t, c, two, "APPROVED", "")

		again := c.Do("POST", "/transactions/"+id+"/pay-again", nil).OK(201).ID()
		statusIs(t, c, one, "PAID", id)
		statusIs(t, c, two, "APPROVED", again)
		require.Equal(t, outcomeOf(c, id).Payments[1].ID, outcomeOf(c, again).Payments[0].Again)
		c.Do("POST", "/transactions/"+id+"/pay-again", nil).Refused(409, "TX_MADE_AGAIN")

		invoices := func() int {
			return strings.Count(c.Do("GET", "/bookkeeping/entries?limit=200", nil).OK(200).Raw, `"R-9"`)
		}

		c.Act(again, "submit").OK(200)
		c.Act(again, "accept").OK(200)
		set := invoices()
		require.Positive(t, set)
		h.Settle()
		c.Ends(again, transaction.StatusFailed, transaction.PaymentFailed)
		require.Greater(t, invoices(), set, "the book keeps the invoice that a payment did not pay")

		elsewhere := pay(c, two).OK(201).ID()
		c.Do("POST", "/transactions/"+id+"/pay-again", nil).Refused(409, "PAYABLE_NOT_APPROVED")
		c.Do("DELETE", "/transactions/"+elsewhere, nil).OK(200)

		h.Admin(usdc, "unBlacklist(address)", h.Account(c.Org+"Mallory").Address)
		last := c.Do("POST", "/transactions/"+id+"/pay-again", nil).OK(201).ID()
		c.Act(last, "submit").OK(200)
		c.Act(last, "accept").OK(200)
		h.Settle()
		statusIs(t, c, two, "PAID", last)
		h.Oracle()
	})
}
