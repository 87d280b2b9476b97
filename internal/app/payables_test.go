//go:build !nosandbox

package app_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/app"
	"slipway/internal/app/apptest"
	"slipway/internal/payments/settlement"
	"slipway/internal/payments/transaction"
	"slipway/internal/rails/bank/banksim"
)

// payableView is a payable as a client reads it: the fields that tests look at.
type payableView struct {
	ID        string `json:"_id"`
	Status    string `json:"status"`
	Name      string `json:"name"`
	Amount    string `json:"amount"`
	Type      string `json:"type"`
	Reference string `json:"reference"`
	Payment   *struct {
		Transaction       string `json:"transactionId"`
		Payment           string `json:"paymentId"`
		Status            string `json:"status"`
		TransactionStatus string `json:"transactionStatus"`
		Settlement        string `json:"settlementStatus"`
	} `json:"payment"`
	Approvals []struct {
		By      string `json:"by"`
		Comment string `json:"comment"`
		EndedAt string `json:"endedAt"`
		Why     string `json:"why"`
	} `json:"approvals"`
	Rejection *struct {
		Reason string `json:"reason"`
		By     string `json:"by"`
	} `json:"rejection"`
	Warnings []struct {
		Code     string   `json:"code"`
		Payables []string `json:"payables"`
	} `json:"warnings"`
	AllowedActions []string `json:"allowedActions"`
	PaidAt         string   `json:"paidAt"`
	Version        int64    `json:"version"`
}

// payee is somebody with a wallet of his own who can be paid.
type payee struct{ receiver, wallet string }

func newPayee(h *apptest.Harness, c *apptest.Client, name string) payee {
	h.T.Helper()
	r := c.NewReceiver(name)
	return payee{r, c.ProveWallet(r, h.Account(c.Org+name))}
}

// crypto is the body of a payable to a wallet.
func (p payee) crypto(amount string) object {
	return object{
		"name":         "Hosting",
		"amount":       amount,
		"reason":       "Invoice 2026-117",
		"receiver":     p.receiver,
		"type":         "CRYPTO",
		"status":       "DRAFT",
		"wallet":       p.wallet,
		"tokenIsoCode": "USDC",
	}
}

// fiatPayable is the body of a payable to a bank account of the client's receiver.
func fiatPayable(c *apptest.Client, account, currency, amount string) object {
	return object{
		"name":            "Rent",
		"amount":          amount,
		"reason":          "Invoice 2026-118",
		"receiver":        c.Receiver,
		"type":            "FIAT",
		"bankAccount":     account,
		"currencyIsoCode": currency,
	}
}

func create(c *apptest.Client, body object) string {
	return c.Do("POST", "/payables", body).OK(201).ID()
}

// approved makes a payable and approves it.
func approved(c *apptest.Client, body object) string {
	id := create(c, body)
	c.Do("POST", "/payables/"+id+"/approve", nil).OK(200)
	return id
}

func readPayable(c *apptest.Client, id string) (v payableView) {
	c.Do("GET", "/payables/"+id, nil).OK(200).Into(&v)
	return v
}

// pay makes a batch of payables.
func pay(c *apptest.Client, ids ...string) apptest.Answer {
	return c.Do("POST", "/transactions/payables", object{"payableIds": ids, "token": "USDC"})
}

// statusIs requires a payable's status and, when it belongs to a transaction, which.
func statusIs(t *testing.T, c *apptest.Client, id, status, transactionID string) payableView {
	t.Helper()
	v := readPayable(c, id)
	require.Equal(t, status, v.Status)

	got := ""
	if v.Payment != nil {
		got = v.Payment.Transaction
	}

	require.Equal(t, transactionID, got)

	return v
}

// TestPayablesAreApprovedAndPaidTogether: the whole way, with what each step shows, counts and tells.
func TestPayablesAreApprovedAndPaidTogether(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		bob := newPayee(h, c, "Bob")
		one := create(c, bob.crypto("1.00"))
		two := create(c, with(bob.crypto("2.5"), object{
			"invoiceNumber":       "117",
			"expectedPaymentDate": "2026-12-24T10:00:00+02:00",
		}))
		v := readPayable(c, two)
		require.Equal(t, []string{"DRAFT", "2.50"}, []string{v.Status, v.Amount})
		require.Equal(t, []string{"update", "approve", "reject", "duplicate"}, v.AllowedActions)
		require.Equal(
			t,
			`{"DRAFT":2,"APPROVED":0,"REJECTED":0,"PAID":0,"total":2}`,
			c.Do("GET", "/payables/counts", nil).OK(200).Raw,
		)
		pay(c, one).Refused(422, "PAYABLE_NOT_APPROVED", "/payableIds/0 PAYABLE_NOT_APPROVED")

		for _, id := range []string{one, two} {
			c.Do("POST", "/payables/"+id+"/approve", object{"comment": "As agreed"}).OK(200)
		}

		v = readPayable(c, two)
		require.Equal(t, []string{"pay", "reopen", "duplicate"}, v.AllowedActions)
		require.Len(t, v.Approvals, 1)
		require.Equal(
			t,
			[]string{c.User, "As agreed", ""},
			[]string{v.Approvals[0].By, v.Approvals[0].Comment, v.Approvals[0].EndedAt},
		)
		c.Do("PATCH", "/payables/"+two, object{"amount": "3"}).Refused(409, "PAYABLE_NOT_DRAFT")
		c.Do("POST", "/payables/"+two+"/reject", object{"reason": "No"}).Refused(409, "PAYABLE_NOT_DRAFT")
		c.Do("POST", "/payables/"+two+"/approve", nil).Refused(409, "PAYABLE_NOT_DRAFT")

		var batch struct {
			apptest.View
			IsBatch bool `json:"isBatch"`
			Items   []struct {
				ID      string `json:"_id"`
				Payable string `json:"payable"`
				Amount  string `json:"amount"`
			} `json:"payments"`
		}
		key := apptest.Key("one batch")
		body := object{"payableIds": []string{two, one}, "token": "USDC"}
		first := c.Do("POST", "/transactions/payables", body, key).OK(201).Into(&batch)
		require.Equal(
			t,
			first.Raw,
			c.Do("POST", "/transactions/payables", body, key).OK(201).Raw,
			"the same key is the same batch",
		)
		require.True(t, batch.IsBatch)
		require.Equal(t, transaction.StatusDraft, batch.Status)
		require.Equal(t, c.Payer.Address.Hex(), batch.WalletAddress)
		require.NotContains(t, batch.AllowedActions, "update")
		require.Equal(
			t,
			[]string{two, "2.50", one, "1.00"},
			[]string{batch.Items[0].Payable, batch.Items[0].Amount, batch.Items[1].Payable, batch.Items[1].Amount},
		)
		c.Do("GET", "/transactions/"+batch.ID, nil).OK(200).Into(&batch)
		require.Equal(t, two, batch.Items[0].Payable, "read again, it says so too")
		v = statusIs(t, c, two, "APPROVED", batch.ID)
		require.Equal(
			t,
			[]string{batch.Items[0].ID, "DRAFT", "DRAFT", "IDLE"},
			[]string{v.Payment.Payment, v.Payment.Status, v.Payment.TransactionStatus, v.Payment.Settlement},
		)
		require.Equal(t, []string{"duplicate"}, v.AllowedActions)
		c.Do("POST", "/payables/"+two+"/reopen", nil).Refused(409, "PAYABLE_RESERVED")
		pay(c, one, two).Refused(422, "VALIDATION", "/payableIds/0 PAYABLE_RESERVED", "/payableIds/1 PAYABLE_RESERVED")
		c.Do("PUT", "/transactions/"+batch.ID, c.Body("USDC", c.Payment(c.Payee, "9.00"))).Refused(
			409,
			"TX_OF_PAYABLES",
		)

		c.Act(batch.ID, "submit").OK(200)
		c.Act(batch.ID, "accept").OK(200)
		require.Equal(t, "APPROVED", readPayable(c, two).Status, "it is paid when its payment is, and not before")
		h.Settle()
		c.Ends(batch.ID, transaction.StatusCompleted, transaction.PaymentCompleted, transaction.PaymentCompleted)

		for _, id := range []string{one, two} {
			v := statusIs(t, c, id, "PAID", batch.ID)
			require.NotEmpty(t, v.PaidAt)
			require.Equal(t, "COMPLETED", v.Payment.Status)
			require.Equal(t, []string{"duplicate"}, v.AllowedActions)

			pay(c, id).Refused(422, "PAYABLE_NOT_APPROVED")
			c.Do("POST", "/payables/"+id+"/reopen", nil).Refused(409, "PAYABLE_NOT_APPROVED")

			require.EqualValues(
				t,
				1,
				h.Count("SELECT count(*) FROM events WHERE object = ? AND type = 'payable.paid'", id),
			)
		}

		require.Equal(
			t,
			`{"DRAFT":0,"APPROVED":0,"REJECTED":0,"PAID":2,"total":2}`,
			c.Do("GET", "/payables/counts", nil).OK(200).Raw,
		)
		h.Oracle()
	})
}

// TestPayableOfAFailedPaymentIsFreeAgain (I7): of two payments one cannot arrive. Its payable is APPROVED and free,
// the other one PAID; a batch that fails as a whole, one that is deleted, and one that the platform rejects give all
// of them back.
func TestPayableOfAFailedPaymentIsFreeAgain(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		usdc := h.World.Token("USDC")
		good := newPayee(h, c, "Bob")
		bad := newPayee(h, c, "Mallory")
		h.Admin(usdc, "blacklist(address)", h.Account(c.Org+"Mallory").Address)
		one := approved(c, good.crypto("1.00"))
		two := approved(c, bad.crypto("2.00"))
		id := pay(c, one, two).OK(201).ID()
		c.Act(id, "submit").OK(200)
		c.Act(id, "accept").OK(200)
		h.Settle()
		c.Ends(id, transaction.StatusCompleted, transaction.PaymentCompleted, transaction.PaymentFailed)
		statusIs(t, c, one, "PAID", id)
		statusIs(t, c, two, "APPROVED", "")

		id = pay(c, two).OK(201).ID()
		c.Act(id, "submit").OK(200)
		c.Act(id, "accept").OK(200)
		h.Settle()
		c.Ends(id, transaction.StatusFailed, transaction.PaymentFailed)
		statusIs(t, c, two, "APPROVED", "")

		id = pay(c, two).OK(201).ID()
		c.Do("DELETE", "/transactions/"+id, nil).OK(200)
		statusIs(t, c, two, "APPROVED", "")
		id = pay(c, two).OK(201).ID()
		c.Act(id, "submit").OK(200)
		statusIs(t, c, two, "APPROVED", id)
		c.Do("DELETE", "/transactions/"+id, nil).OK(200)
		statusIs(t, c, two, "APPROVED", "")

		operator := h.Person("Olga")
		operator.Staff("operator")
		id = pay(c, two).OK(201).ID()
		c.Act(id, "submit").OK(200)
		operator.Do("POST", "/transactions/"+id+"/reject", object{"reason": "Not plausible"}).OK(200)
		statusIs(t, c, two, "APPROVED", "")

		h.Admin(usdc, "unBlacklist(address)", h.Account(c.Org+"Mallory").Address)
		id = pay(c, two).OK(201).ID()
		c.Act(id, "submit").OK(200)
		c.Act(id, "accept").OK(200)
		h.Settle()
		statusIs(t, c, two, "PAID", id)
		require.EqualValues(
			t,
			6,
			h.Count("SELECT count(*) FROM payable_reservations WHERE payable = ?", two),
			"every attempt is on record",
		)
		h.Oracle()
	})
}

// N-03: fifty batches over two processes want the same payables, in different orders and numbers: each payable is in
// one live transaction, and the others are told which. The same payable twice in one batch is refused.
func TestPayableIsReservedOnce(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		bob := newPayee(h, c, "Bob")
		apps := []*app.App{h.App, h.Start()}

		var ids []string
		for i := range 6 {
			ids = append(ids, approved(c, bob.crypto(apptest.Amount(i+1))))
		}

		pay(c, ids[0], ids[1], ids[0]).Refused(422, "PAYABLE_TWICE", "/payableIds/2 PAYABLE_TWICE")

		for round := range 3 {
			tries := make([]func() apptest.Answer, 50)

			for i := range tries {
				wanted := slices.Concat(ids[i%6:], ids[:i%6])[:1+i%4]
				tries[i] = func() apptest.Answer {
					return h.Do(apps[i%2], "POST", "/transactions/payables", c.Token, object{
						"payableIds": wanted,
						"token":      "USDC",
					})
				}
			}

			var made []string

			for _, a := range atOnce(tries...) {
				if a.Status == 201 {
					made = append(made, a.ID())
					continue
				}

				require.Contains(t, []int{409, 422}, a.Status, a.Raw)

				for _, f := range a.Fields() {
					require.Regexp(t, `^/payableIds/\d PAYABLE_RESERVED$`, f)
				}

				if a.Status == 409 {
					require.Equal(t, "PAYABLE_CHANGED", a.Code())
				}
			}

			require.NotEmpty(t, made)

			require.Zero(
				t,
				h.Count(
					`SELECT count(*) FROM (SELECT payable FROM payable_reservations
						WHERE released_at = 0 GROUP BY payable HAVING count(*) > 1) x`,
				),
			)

			require.EqualValues(
				t,
				len(made),
				h.Count("SELECT count(DISTINCT transaction_id) FROM payables WHERE transaction_id <> ''"),
			)

			require.Equal(
				t,
				h.Count(
					`SELECT count(*) FROM payments p
						JOIN transactions t ON t.id = p.transaction_id
						WHERE t.deleted = FALSE AND t.status = 'DRAFT'`,
				),
				h.Count("SELECT count(*) FROM payables WHERE transaction_id <> ''"),
				"every payment has its payable",
			)

			h.Oracle()

			if round == 2 {
				for _, id := range made {
					c.Act(id, "submit").OK(200)
					c.Act(id, "accept").OK(200)
				}

				break
			}

			for _, id := range made {
				c.Do("DELETE", "/transactions/"+id, nil).OK(200)
			}
		}

		h.Settle()

		require.Equal(
			t,
			h.Count("SELECT count(*) FROM payables WHERE transaction_id <> ''"),
			h.Count("SELECT count(*) FROM payables WHERE status = 'PAID'"),
		)

		require.Zero(
			t,
			h.Count(
				`SELECT count(*) FROM (SELECT payable FROM payable_reservations r
					JOIN payments y ON y.transaction_id = r.transaction_id AND y.position = r.position
					WHERE y.outcome = 'COMPLETED' GROUP BY payable HAVING count(*) > 1) x`,
			),
			"nothing was paid twice",
		)

		h.Oracle()
	})
}

// N-03: a batch beside a change of the payee, beside the approval that is taken back, and beside the payee's
// deletion; and its submit beside the same. Whatever the order, a payable that was submitted is what was approved,
// and one that is not approved is in no batch.
func TestBatchBesideChanges(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		apps := []*app.App{h.App, h.Start()}

		for round := range 12 {
			bob := newPayee(h, c, fmt.Sprintf("Bob%d", round))
			p := approved(c, bob.crypto("1.00"))

			disturb := []func() apptest.Answer{
				func() apptest.Answer { return h.Do(apps[1], "POST", "/payables/"+p+"/reopen", c.Token, nil) },
				func() apptest.Answer {
					return h.Do(apps[1], "PATCH", "/receivers/"+bob.receiver, c.Token, object{"lastName": "Meier"})
				},
				func() apptest.Answer { return h.Do(apps[1], "DELETE", "/wallets/"+bob.wallet, c.Token, nil) },
			}[round%3]
			if round%2 == 0 { // the batch itself
				got := atOnce(func() apptest.Answer {
					return h.Do(apps[0], "POST", "/transactions/payables", c.Token, object{
						"payableIds": []string{p},
						"token":      "USDC",
					})
				}, disturb)

				if v := readPayable(c, p); v.Status == "DRAFT" {
					require.Nil(t, v.Payment)

					if got[0].Status == 201 { // it was in the batch, and has left it
						c.Act(got[0].ID(), "submit").Refused(422, c.Act(got[0].ID(), "submit").Code())
					}
				} else {
					require.Equal(t, 201, got[0].Status, got[0].Raw)
					c.Act(got[0].ID(), "submit").OK(200)
				}

				h.Oracle()

				continue
			}

			id := pay(c, p).OK(201).ID()
			got := atOnce(func() apptest.Answer {
				return h.Do(apps[0], "POST", "/transactions/"+id+"/submit", c.Token, nil)
			}, disturb)

			v := readPayable(c, p)
			if got[0].Status == 200 {
				require.Equal(t, "APPROVED", v.Status, "what was submitted stays")
				require.Equal(t, id, v.Payment.Transaction)
			} else if v.Status == "DRAFT" {
				require.Contains(t, []int{409, 422}, got[0].Status, got[0].Raw)
				require.Nil(t, v.Payment)
			}

			h.Oracle()
		}
	})
}

// TestPayablesPaidThroughTheBank: FIAT payables, of which one cannot be paid. One that a bank sends back later stays
// PAID, and shows it.
func TestPayablesPaidThroughTheBank(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		c.StaySignedIn()
		eur := c.NewBankAccount("EUR", "100")
		closed := c.NewBankAccount("EUR", "002")
		kept := approved(c, with(fiatPayable(c, eur, "EUR", "120.00"), object{"reference": "RF18 5390 0754 7034"}))
		failing := approved(c, fiatPayable(c, closed, "EUR", "80.00"))
		require.Equal(t, "RF18539007547034", readPayable(c, kept).Reference)

		changed := approved(c, fiatPayable(c, c.NewBankAccount("GBP", "100"), "GBP", "10.00"))

		pay(c, kept, changed, approved(c, newPayee(h, c, "Bob").crypto("1.00"))).Refused(
			422,
			"PAYABLE_TYPE_MIXED",
			"/payableIds/2 PAYABLE_TYPE_MIXED",
		)

		id := pay(c, kept, failing).OK(201).ID()

		require.Contains(
			t,
			c.Do("GET", "/transactions/"+id, nil).Raw,
			`"reference":"RF18539007547034"`,
			"the reference goes to the creditor",
		)

		c.Act(id, "submit").OK(200)
		c.Act(id, "accept").OK(200)
		h.SettleAll()
		v := c.Read(id)
		require.Equal(t, transaction.StatusCompleted, v.Status)

		require.Equal(
			t,
			[]transaction.PaymentStatus{transaction.PaymentCompleted, transaction.PaymentRefunded},
			[]transaction.PaymentStatus{v.Payments[0].Status, v.Payments[1].Status},
		)

		statusIs(t, c, kept, "PAID", id)
		statusIs(t, c, failing, "APPROVED", "")

		h.Control(banksim.Control{
			Op:         "late_return",
			EndToEndID: h.EndToEnd(id, 0),
			Reason:     "AC04",
			Amount:     "120.00",
		})

		h.BankUntil("told", func() bool {
			return h.Count("SELECT count(*) FROM events WHERE object = ? AND type = 'transaction.returned'", id) == 1
		})
		h.SettleAll()
		p := statusIs(t, c, kept, "PAID", id)
		require.Contains(t, []string{"RETURNED", "REFUNDED"}, p.Payment.Status)
		require.NotEqual(t, "COMPLETED", p.Payment.Status)

		require.Contains(
			t,
			c.Do("GET", "/payables/me?status[]=PAID", nil).OK(200).Raw,
			`"code":"PAYMENT_RETURNED"`,
			"it stays PAID, and says so in lists too",
		)

		h.Oracle()
	})
}

// D-09, I7: a payment comes back from a bank while another one of its batch is still on its way. It may be paid again
// with repaired details, so its payable stays where it is, also while a person keeps the money as fiat: PAID when
// that has arrived, free when the tokens are back in the wallet, and never in another batch before.
func TestPayableOfAReturnedPayment(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		operator := h.Operators()

		for name, policy := range map[string]settlement.Policy{
			"Ada":  settlement.PolicyRecredit,
			"Bea":  settlement.PolicyResend,
			"Cleo": settlement.PolicyHold,
		} {
			c := h.Client(name)
			c.StaySignedIn()
			operator.Do("PUT", "/operations/organisations/"+c.Org+"/return-policy", object{"policy": policy}).OK(200)
			back := approved(c, fiatPayable(c, c.NewBankAccount("EUR", "100"), "EUR", "100.00"))
			slow := approved(c, fiatPayable(c, c.NewBankAccount("EUR", "005"), "EUR", "200.00"))
			id := pay(c, back, slow).OK(201).ID()
			c.Act(id, "submit").OK(200)
			c.Act(id, "accept").OK(200)
			h.BankUntil("the first is paid", func() bool {
				return c.Read(id).Payments[0].Status == transaction.PaymentCompleted
			})
			statusIs(t, c, back, "APPROVED", id)

			h.Control(banksim.Control{
				Op:         "late_return",
				EndToEndID: h.EndToEnd(id, 0),
				Reason:     "AC04",
				Amount:     "100.00",
			})

			h.BankUntil("it has come back", func() bool {
				return c.Read(id).Payments[0].Status != transaction.PaymentCompleted
			})
			statusIs(t, c, back, "APPROVED", id)
			h.DB().Clock().Advance(25 * time.Hour)
			h.BankUntil("the other is paid", func() bool { return c.Read(id).Status == transaction.StatusCompleted })
			statusIs(t, c, slow, "PAID", id)

			if policy != settlement.PolicyRecredit {
				statusIs(t, c, back, "APPROVED", id)
				pay(c, back).Refused(422, "PAYABLE_RESERVED")
				c.Do("POST", "/payables/"+back+"/reopen", nil).Refused(409, "PAYABLE_RESERVED")
			}

			decide := func(body object) {
				operator.Carried(operator.Do("POST", "/operations/transactions/"+id+"/returns", body))
			}

			switch policy {
			case settlement.PolicyResend:
				decide(object{"payment": 1, "action": "RESEND", "bankAccount": c.NewBankAccount("EUR", "102")})
				h.BankUntil("paid again", func() bool {
					return c.Read(id).Payments[0].Status == transaction.PaymentCompleted
				})
				statusIs(t, c, back, "PAID", id)

			case settlement.PolicyHold:
				decide(object{"payment": 1, "action": "RECREDIT"})
				statusIs(t, c, back, "APPROVED", id)
				fallthrough

			default:
				h.SettleAll()
				c.Ends(id, transaction.StatusCompleted, transaction.PaymentRefunded)
				statusIs(t, c, back, "APPROVED", "")
			}

			h.Oracle()
		}
	})
}

// TestDefaultWallet: payables are paid from the default wallet; while none is set, from one that holds the sum.
func TestDefaultWallet(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		other := h.Client("Bea")
		bob := newPayee(h, c, "Bob")
		p := approved(c, bob.crypto("1.00"))
		c.Do("POST", "/transactions/payables", object{"payableIds": []string{p}}).Refused(
			422,
			"REQUIRED",
			"/token REQUIRED",
		)
		c.Do("POST", "/transactions/payables", object{
			"payableIds": []string{p},
			"token":      "DAI",
		}).Refused(422, "TOKEN_SWAP_UNAVAILABLE", "/payableIds/0 TOKEN_SWAP_UNAVAILABLE")
		c.Do("DELETE", "/transactions/"+pay(c, p).OK(201).ID(), nil).OK(200)

		second := h.Account("Ada's second wallet")
		wallet := c.ProveWallet(c.Self, second)
		told := pay(c, p).OK(201).View()
		require.Equal(t, c.Payer.Address.Hex(), told.WalletAddress, "both hold it: the older one")
		c.Do("DELETE", "/transactions/"+told.ID, nil).OK(200)

		org := "/organisations/" + c.Org
		for _, wrong := range []string{bob.wallet, other.Wallet, "wlt_nobody"} {
			c.Do("PATCH", org, object{"defaultWallet": wrong}).Refused(
				422,
				"PAYER_WALLET_UNUSABLE",
				"/defaultWallet PAYER_WALLET_UNUSABLE",
			)
		}

		c.Do("PATCH", org, object{"defaultToken": "ETH"}).Refused(422, "TOKEN_UNKNOWN", "/defaultToken TOKEN_UNKNOWN")

		var v struct {
			Wallet struct {
				ID string `json:"_id"`
			} `json:"defaultWallet"`
			Token struct {
				Code string `json:"isoCode"`
				ID   string `json:"_id"`
			} `json:"defaultToken"`
		}
		c.Do("PATCH", org, object{"defaultWallet": wallet, "defaultToken": object{"_id": "tok_usdc"}}).OK(200).Into(&v)
		require.Equal(t, []string{wallet, "tok_usdc"}, []string{v.Wallet.ID, v.Token.ID})
		id := c.Do("POST", "/transactions/payables", object{"payableIds": []string{p}}).OK(201).View()
		require.Equal(t, second.Address.Hex(), id.WalletAddress)
		c.Do("DELETE", "/transactions/"+id.ID, nil).OK(200)
		c.Do("DELETE", "/wallets/"+wallet, nil).OK(200)
		require.Contains(t, c.Do("GET", org, nil).OK(200).Raw, `"defaultWallet":null`)
		require.Equal(t, c.Payer.Address.Hex(), pay(c, p).OK(201).View().WalletAddress)
		h.Oracle()
	})
}

// TestDocumentOfAPayable: it is the organisation's own, shown with the payable, warned of when another has the same,
// and stays while a payable has it.
func TestDocumentOfAPayable(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		other := h.Client("Bea")
		bob := newPayee(h, c, "Bob")

		const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

		upload := func(c *apptest.Client) (key string) {
			var v struct {
				Key string `json:"documentStorageKey"`
			}
			c.Do("POST", "/payables/upload", object{"fileBase64": pixel, "fileName": "invoice.png"}).OK(201).Into(&v)

			return v.Key
		}

		mine := upload(c)
		again := upload(c)
		theirs := upload(other)

		for _, wrong := range []string{theirs, "../../etc/passwd", "doc_nobody"} {
			c.Do("POST", "/payables", with(bob.crypto("1.00"), object{"documentStorageKey": wrong})).Refused(
				422,
				"DOCUMENT_UNKNOWN",
				"/documentStorageKey DOCUMENT_UNKNOWN",
			)
		}

		first := create(c, with(bob.crypto("1.00"), object{"documentStorageKey": mine}))
		require.Contains(t, c.Do("GET", "/payables/"+first, nil).OK(200).Raw, `"fileName":"invoice.png"`)

		second := create(c, with(bob.crypto("2.00"), object{"documentStorageKey": again}))
		v := readPayable(c, second)
		require.Len(t, v.Warnings, 1)
		require.Equal(t, "DUPLICATE_DOCUMENT", v.Warnings[0].Code)
		require.Equal(t, []string{first}, v.Warnings[0].Payables)

		c.Do("DELETE", "/documents/"+mine, nil).Refused(409, "DOCUMENT_IN_USE")
		c.Do("PATCH", "/payables/"+first, object{"documentStorageKey": ""}).OK(200)
		c.Do("DELETE", "/documents/"+mine, nil).OK(200)
		require.Empty(t, readPayable(c, second).Warnings)
	})
}

// TestPeopleAreToldOfPayables: whoever may approve them and has not written them, and the writers when they are paid;
// one mail, however many.
func TestPeopleAreToldOfPayables(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		x := newTeam(h)
		for _, c := range []*apptest.Client{x.ada, x.ben, x.cleo} {
			c.StaySignedIn()
		}

		bob := newPayee(h, x.ada, "Bob")

		var ids []string
		for i := range 12 {
			ids = append(ids, create(x.cleo, with(bob.crypto(apptest.Amount(i+1)), object{"name": "Hosting <b>"})))
		}

		x.cleo.Do("POST", "/payables/"+ids[11]+"/reject", object{"reason": "No"}).OK(200)
		mails := post(h, x.ben.Email)
		require.Equal(t, "payable_summary/SENT", kinds(mails))
		require.Contains(t, mails[0].Subject, "11 news")
		require.Contains(t, mails[0].Text, "Waits for your approval: USDC 1.00")
		require.Contains(t, mails[0].Text, "And 1 more.")
		require.NotContains(t, mails[0].HTML, "<b>\"")
		require.NotContains(t, mails[0].Text, "USDC 12.00", "it waits for nobody any more")
		require.Empty(t, post(h, x.cleo.Email), "she has written them, and may not approve")

		x.ada.Do("POST", "/payables/approve", object{"ids": ids[:2]}).OK(200)
		id := pay(x.ada, ids[:2]...).OK(201).ID()
		x.ada.Act(id, "submit").OK(200)
		x.ben.Act(id, "accept").OK(200)
		h.Settle()

		var told []string
		for _, m := range post(h, x.cleo.Email) {
			if m.Kind == "payable_summary" {
				told = append(told, m.Text)
			}
		}

		require.Len(t, told, 1)
		require.Contains(t, told[0], "Paid: USDC 1.00")
		require.Contains(t, told[0], "Paid: USDC 2.00")
	})
}

// TestOrdinaryTransactionsAskNothingOfPayables: the whole life of a transaction that is made of none has no statement
// about them.
func TestOrdinaryTransactionsAskNothingOfPayables(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")

		var asked []string

		h.DB().Watch(func(query string, _ []any) {
			if strings.Contains(query, "payable_reservations") || strings.Contains(query, " payables") {
				asked = append(asked, query)
			}
		})

		id := c.Accepted("USDC", "1.00")
		h.Settle()
		c.Ends(id, transaction.StatusCompleted)
		c.Do("DELETE", "/transactions/"+c.Submitted("USDC", "1.00"), nil).OK(200)
		h.DB().Watch(nil)
		require.Empty(t, asked)
	})
}
