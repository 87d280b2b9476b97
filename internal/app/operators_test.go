//go:build !nosandbox

package app_test

import (
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/app/apptest"
	"slipway/internal/payments/settlement"
	"slipway/internal/platform/db"
	"slipway/internal/rails/bank/banksim"
)

// cameBack is a payment of an organisation that wants nothing done with what comes back: 95.00 of 100.00 euro are
// kept as fiat.
func cameBack(t *testing.T, h *apptest.Harness, c *apptest.Client) (id string) {
	t.Helper()
	require.NoError(t, h.DB().Write(t.Context(), func(tx *db.Tx) error {
		return settlement.SetPolicy(t.Context(), tx, c.Org, settlement.PolicyHold, "ann")
	}))

	id = c.FiatAccepted("USDC", c.FiatPayment(c.NewBankAccount("EUR", "100"), "100.00"))
	h.SettleAll()
	h.Control(banksim.Control{Op: "late_return", EndToEndID: h.EndToEnd(id, 0), Reason: "AC04", Amount: "95.00"})
	h.BankUntil("it came back", func() bool { return c.Read(id).Settlement == "RETURNED" })

	return id
}

// settles asks for what is to be done with the return of a transaction's only payment.
func settles(two apptest.Operators, id, action, account string) apptest.Answer {
	body := object{"payment": 1, "action": action}
	if account != "" {
		body["bankAccount"] = account
	}

	return two.Do("POST", "/operations/transactions/"+id+"/returns", body)
}

// moved counts what has moved or changed since the world began, whatever it is.
func moved(h *apptest.Harness) int64 {
	return h.Count(
		"SELECT (SELECT count(*) FROM journals) + (SELECT count(*) FROM bank_payouts) + (SELECT count(*) " +
			"FROM effects WHERE word <> 'convert')" +
			" + (SELECT count(*) FROM commissions) + (SELECT count(*) FROM organisations " +
			"WHERE transaction_value_limit <> '0')",
	)
}

// Z-09: what one operator asks for has no effect: neither by himself, nor when the second one refuses, nor after a
// week. The second one is shown what would happen, in a mail in the language of that operator.
func TestOneOperatorMovesNoMoney(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		two := h.Operators()
		h.Exec("UPDATE users SET language = 'de' WHERE id = ?", two.Second.User)
		c.StaySignedIn()

		id := cameBack(t, h, c)
		other := c.NewBankAccount("EUR", "102")

		for name, x := range map[string]struct {
			ask  func() apptest.Answer
			says []string
			mail []string
		}{
			"pay again": {
				func() apptest.Answer { return settles(two, id, "RESEND", other) },
				[]string{"95.00 EUR", "AC04", other, "Alice Keller", "SEPA", "••••", "Screening approves everybody"},
				[]string{
					"95,00 EUR von Zahlung 1 der Transaktion " + id + " kamen zurück (AC04",
					"95,00 EUR werden noch einmal über SEPA an Alice Keller bezahlt, auf das andere Bankkonto " + other,
					"Die Sanktionsprüfung bestätigt alle Beteiligten.",
				},
			},
			"send its worth": {
				func() apptest.Answer { return settles(two, id, "RECREDIT", "") },
				[]string{"95.00 EUR", " USDC at 0.9", c.Payer.Address.Hex(), "Screening approves everybody"},
				[]string{
					"Der Gegenwert geht an die Wallet " + c.Payer.Address.Hex(),
					" USDC zum Kurs 0,9",
					"bestätigt alle",
				},
			},
			"terms": {
				func() apptest.Answer {
					return two.Do("PATCH", "/operations/organisations/"+c.Org+"/terms", object{
						"transactionValueLimit": "100.00",
						"customCommissions":     []object{{"tradingPair": "pair_usdc_eur", "value": 40}},
					})
				},
				[]string{"Ada AG", "transactionValueLimit from 0 to 100.00", "pair_usdc_eur from the usual one to 40 %"},
				[]string{
					"Konditionen von Ada AG: transactionValueLimit: bisher 0, neu 100,00; " +
						"Kommission auf pair_usdc_eur: bisher die übliche, neu 40 %.",
				},
			},
		} {
			before := moved(h)
			asked := x.ask()
			summary := two.Approval(asked.OK(202).ID()).Summary

			for _, part := range x.says {
				require.Contains(t, summary, part, name)
			}

			mailed := strings.Join(strings.Fields(c.Mails(two.Second.Email)[0]), " ")
			for _, part := range x.mail {
				require.Contains(t, mailed, part, name)
			}

			path := "/operations/approvals/" + asked.ID() + "/decision"
			yes := object{"decision": "APPROVED", "comment": "Myself."}

			two.Do("POST", path, yes).Refused(403, "SECOND_PERSON_REQUIRED")
			c.Do("POST", path, yes).Refused(403, "ROLE_REQUIRED")
			two.Decide(asked, "REJECTED").OK(200)
			two.Decide(asked, "APPROVED").Refused(409, "APPROVAL_DECIDED")

			older := x.ask()
			newer := x.ask()
			two.Decide(older, "APPROVED").Refused(409, "APPROVAL_DECIDED")

			h.DB().Clock().Advance(7 * 24 * time.Hour)
			two.Decide(newer, "APPROVED").Refused(409, "APPROVAL_EXPIRED")
			require.NoError(t, h.App.Approvals.Expire(t.Context()))
			require.Equal(t, "EXPIRED", two.Approval(newer.ID()).Status)

			h.RunJobs()
			require.Equal(t, before, moved(h), name)
		}

		require.Equal(t, "RETURNED", c.Read(id).Settlement)
		h.Oracle()
	})
}

// Z-09: what was approved is what was looked at. When other money is kept, the bank account was changed, or the terms
// are others, the second operator's word is refused.
func TestWhatHasChangedIsAskedAnew(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		two := h.Operators()
		c.StaySignedIn()

		id := cameBack(t, h, c)
		other := c.NewBankAccount("EUR", "102")

		resend := settles(two, id, "RESEND", other)
		c.Do("PATCH", "/bank-accounts/"+other, object{"bankName": "Another name"}).OK(200)
		two.Decide(resend, "APPROVED").Refused(409, "APPROVAL_OVERTAKEN")

		recredit := settles(two, id, "RECREDIT", "")
		h.Exec(
			"UPDATE approvals SET data = replace(data, '\"return\":\"', '\"return\":\"x') WHERE id = ?",
			recredit.ID(),
		)
		two.Decide(recredit, "APPROVED").Refused(409, "APPROVAL_OVERTAKEN")

		terms := two.Do("PATCH", "/operations/organisations/"+c.Org+"/terms", object{"cumulativeAmount": "1.00"})
		h.Exec("UPDATE organisations SET transaction_value_limit = '5.00' WHERE id = ?", c.Org)
		two.Decide(terms, "APPROVED").Refused(409, "APPROVAL_OVERTAKEN")

		require.EqualValues(t, 1, h.Count("SELECT count(*) FROM bank_payouts"))
		require.Zero(t, h.Count("SELECT count(*) FROM effects WHERE word <> 'convert'"))
		h.Oracle()
	})
}

// Z-09: whoever is put on a list between the approval and the payment is not paid, and the approval says so.
func TestWhatWasApprovedIsScreenedOnceMore(t *testing.T) {
	eachListed(t, func(t *testing.T, h *apptest.Harness, l *listed) {
		c := h.Client("Ada")
		two := h.Operators()
		c.StaySignedIn()

		id := cameBack(t, h, c)
		asked := settles(two, id, "RESEND", "")

		two.Decide(asked, "APPROVED").OK(200)
		l.names("name: KELLER, Alice")
		h.RunJobs()

		a := two.Approval(asked.ID())
		require.Equal(t, "REFUSED", a.Outcome)
		require.Contains(t, a.OutcomeInfo, "sanctions list")
		require.EqualValues(t, 1, h.Count("SELECT count(*) FROM bank_payouts"))

		l.names()
		h.RunJobs()
		require.EqualValues(t, 1, h.Count("SELECT count(*) FROM bank_payouts"), "what was refused stays refused")
		two.Carried(settles(two, id, "RESEND", ""))
		h.BankUntil("paid again", func() bool { return c.Read(id).Settlement == "SETTLED" })
		h.Oracle()
	})
}

// Z-09, P-11: what two operators have approved is carried out once, however often and by how many at once its job
// runs, and however many approvals there are of the same.
func TestWhatWasApprovedIsCarriedOutOnce(t *testing.T) {
	for _, action := range []string{"RESEND", "RECREDIT"} {
		t.Run(action, func(t *testing.T) {
			apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
				c := h.Client("Ada")
				two := h.Operators()
				c.StaySignedIn()

				id := cameBack(t, h, c)
				first := settles(two, id, action, "")
				two.Decide(first, "APPROVED").OK(200)

				second := settles(two, id, action, "")
				two.Decide(second, "APPROVED").OK(200)

				var wg sync.WaitGroup

				for range 4 {
					for _, a := range []apptest.Answer{first, second} {
						// whoever is late is told so
						wg.Go(func() { _ = h.App.Approvals.CarryOut(t.Context(), a.ID()) })
					}
				}

				wg.Wait()
				h.RunJobs()

				outcomes := []string{two.Approval(first.ID()).Outcome, two.Approval(second.ID()).Outcome}
				require.ElementsMatch(t, []string{"CARRIED_OUT", "REFUSED"}, outcomes)

				h.SettleAll()
				require.EqualValues(
					t,
					1,
					h.Count("SELECT (SELECT count(*) FROM bank_payouts) - 1 + (SELECT count(*) FROM effects "+
						"WHERE word <> 'convert')"),
				)
				h.Oracle()
			})
		})
	}
}
