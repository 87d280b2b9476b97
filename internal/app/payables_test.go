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

// A-19, N-03: a payee's details that change after approval send the payable back to DRAFT, with the reason; it leaves
// a batch that is a draft, whose submit then names the payment. After submit the destination is locked: it is paid as
// it was approved, and when that dies, the payable is DRAFT.
func TestPayeeChangedAfterApproval(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		bob := newPayee(h, c, "Bob")

		changes := map[string]func(p payee){
			"receiver": func(p payee) { c.Do("PATCH", "/receivers/"+p.receiver, object{"lastName": "Meier"}).OK(200) },
			"wallet": func(p payee) {
				c.Do(
					"PATCH",
					"/wallets/"+p.wallet,
					object{"address": h.Account("thief" + p.wallet).Address.Hex()},
				).OK(200)
			},
			"wallet deleted":   func(p payee) { c.Do("DELETE", "/wallets/"+p.wallet, nil).OK(200) },
			"receiver deleted": func(p payee) { c.Do("DELETE", "/receivers/"+p.receiver, nil).OK(200) },
		}
		for name, change := range changes {
			mallory := newPayee(h, c, "Mallory")
			free := approved(c, mallory.crypto("1.00"))
			other := approved(c, bob.crypto("2.00"))
			drafted := approved(c, mallory.crypto("3.00"))
			locked := approved(c, mallory.crypto("4.00"))
			batch := pay(c, other, drafted).OK(201).ID()
			submitted := pay(c, locked).OK(201).ID()
			c.Act(submitted, "submit").OK(200)
			change(mallory)

			v := statusIs(t, c, free, "DRAFT", "")
			require.NotEmpty(t, v.Approvals[0].EndedAt, name)
			require.Contains(t, v.Approvals[0].Why, "was changed or deleted", name)
			statusIs(t, c, other, "APPROVED", batch)
			statusIs(t, c, drafted, "DRAFT", "")
			statusIs(t, c, locked, "APPROVED", submitted)
			pay(c, free).Refused(422, "PAYABLE_NOT_APPROVED")
			require.Contains(t, strings.Join(c.Act(batch, "submit").OK(422).Fields(), " "), "/payments/1")
			c.Do("DELETE", "/transactions/"+batch, nil).OK(200)
			statusIs(t, c, other, "APPROVED", "")

			c.Do("DELETE", "/transactions/"+submitted, nil).OK(200)
			v = statusIs(t, c, locked, "DRAFT", "")
			require.Contains(t, v.Approvals[0].Why, submitted)
			c.Do("POST", "/payables/"+other+"/reopen", object{"reason": "Later"}).OK(200)
		}

		eva := newPayee(h, c, "Eva") // only the name changes: the batch could be submitted, but for its payable
		p := approved(c, eva.crypto("1.00"))
		batch := pay(c, p).OK(201).ID()
		c.Do("PATCH", "/receivers/"+eva.receiver, object{"lastName": "Meier"}).OK(200)
		c.Act(batch, "submit").Refused(422, "TX_PAYABLE_GONE", "/payments/0 TX_PAYABLE_GONE")
		c.Do("POST", "/payables/"+p+"/approve", nil).OK(200)
		c.Act(batch, "submit").Refused(422, "TX_PAYABLE_GONE")
		again := pay(c, p).OK(201).ID()
		c.Act(again, "submit").OK(200)
		c.Do("PATCH", "/receivers/"+eva.receiver, object{"lastName": "Huber"}).OK(200)
		c.Act(again, "accept").OK(200)

		// to the organisation itself
		own := approved(c, payee{c.Self, c.ProveWallet(c.Self, h.Account("Ada's second wallet"))}.crypto("1.00"))
		c.Do("PATCH", "/organisations/"+c.Org, object{"defaultWallet": c.Wallet}).OK(200)
		c.Do("PATCH", "/receivers/"+c.Self, object{"email": "office@ada.example"}).OK(200)
		home := pay(c, own).OK(201).ID()
		c.Act(home, "submit").OK(200)
		c.Act(home, "accept").OK(200)
		h.Settle()
		statusIs(t, c, p, "PAID", again)
		statusIs(t, c, own, "PAID", home)
		h.Oracle()
	})
}

// I7, I8: whatever has come between an approval and submit, and past the use cases that would tell of it: a payment
// that is not that of its payable, and a payable or payee that is not what was approved, are not submitted.
func TestBatchIsHeldAgainstWhatWasApproved(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		bob := newPayee(h, c, "Bob")
		mallory := newPayee(h, c, "Mallory")
		eur := c.NewBankAccount("EUR", "100")
		other := c.NewBankAccount("EUR", "101")
		crypto := approved(c, bob.crypto("1.00"))
		fiat := approved(c, with(fiatPayable(c, eur, "EUR", "120.00"), object{"reference": rfReference}))

		for _, x := range []struct{ payable, change, back string }{
			{crypto, "UPDATE payments SET units = '900000000' WHERE transaction_id = ?", ""},
			{crypto, "UPDATE payments SET receiver = '" + mallory.receiver + "', wallet = '" + mallory.wallet + "' WHERE transaction_id = ?", ""},
			{crypto, "UPDATE transactions SET token = 'USDT' WHERE id = ?", ""},
			{
				crypto, "UPDATE wallets SET address = '" + h.Account("thief").Address.Hex() + "' WHERE id = '" + bob.wallet + "' AND ? <> ''",
				"UPDATE wallets SET address = '" + h.Account(c.Org+"Bob").Address.Hex() + "' WHERE id = ?",
			},
			{crypto, `UPDATE payables SET units = '2000000' WHERE transaction_id = ?`, `UPDATE payables SET units = '1000000' WHERE wallet = ?`},
			{crypto, `UPDATE payables SET locked = TRUE WHERE transaction_id = ?`, `UPDATE payables SET locked = FALSE WHERE wallet = ?`},
			{fiat, "UPDATE payment_terms SET fiat_units = '99900' WHERE transaction_id = ?", ""},
			{fiat, "UPDATE payment_terms SET bank_account = '" + other + "' WHERE transaction_id = ?", ""},
			{fiat, "UPDATE payment_terms SET reference = '' WHERE transaction_id = ?", ""},
			{fiat, "UPDATE payment_terms SET reference = 'RF712348231' WHERE transaction_id = ?", ""},
		} {
			id := pay(c, x.payable).OK(201).ID()
			h.Exec(x.change, id)
			a := c.Act(id, "submit")
			require.Equal(t, []string{"/payments/0 TX_PAYABLE_GONE"}, a.Fields(), "%s: %s", x.change, a.Raw)
			require.Equal(t, transaction.StatusDraft, c.Read(id).Status)

			if x.back != "" {
				h.Exec(x.back, bob.wallet)
			}

			c.Do("DELETE", "/transactions/"+id, nil).OK(200)
		}

		for _, p := range []string{crypto, fiat} {
			c.Act(pay(c, p).OK(201).ID(), "submit").OK(200)
		}

		h.Oracle()
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
			EndToEndID: endToEnd(t, h, id, 0),
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
				EndToEndID: endToEnd(t, h, id, 0),
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

// A bank account that is changed sends its payables back, too.
func TestBankAccountChangedAfterApproval(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		account := c.NewBankAccount("GBP", "100")
		p := approved(c, fiatPayable(c, account, "GBP", "10.00"))
		c.Do("PATCH", "/bank-accounts/"+account, object{"bankName": "Another name"}).OK(200)
		statusIs(t, c, p, "APPROVED", "")
		c.Do("PATCH", "/bank-accounts/"+account, object{"accountNumber": "31926819"}).OK(200)
		statusIs(t, c, p, "DRAFT", "")
		c.Do("POST", "/payables/"+p+"/approve", nil).OK(200)
		c.Do("DELETE", "/bank-accounts/"+account, nil).OK(200)
		statusIs(t, c, p, "DRAFT", "")

		c.Do("POST", "/payables/"+p+"/approve", nil).Refused(
			422,
			"BANK_ACCOUNT_UNKNOWN",
			"/bankAccount BANK_ACCOUNT_UNKNOWN",
		)
	})
}

// Z-07: under four eyes neither the creator of a payable nor whoever has changed it approves it; who approves may
// make the batch's transaction, and who has written a payable does not accept it.
func TestFourEyesOfPayables(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		x := newTeam(h)
		bob := newPayee(h, x.ada, "Bob")
		policy(x.ada, object{"fourEyes": true, "fourEyesLimits": []object{{"currency": "USDC", "amount": "10.00"}}})
		h.Exec("UPDATE receivers SET changed_by = ''")
		h.Exec("UPDATE wallets SET changed_by = ''")
		small := create(x.ada, bob.crypto("10.00"))
		large := create(x.ada, bob.crypto("10.000001"))
		edited := create(x.ben, bob.crypto("20.00"))
		clerks := create(x.cleo, bob.crypto("30.00"))
		approve := func(c *apptest.Client, id string) apptest.Answer {
			return c.Do("POST", "/payables/"+id+"/approve", nil)
		}
		approve(x.ada, small).OK(200)
		approve(x.ada, large).Refused(403, "SECOND_PERSON_REQUIRED")
		approve(x.cleo, large).Refused(403, "ROLE_REQUIRED")
		x.ada.Do("PATCH", "/payables/"+edited, object{"amount": "21.00"}).OK(200)
		approve(x.ada, edited).Refused(403, "SECOND_PERSON_REQUIRED")
		approve(x.ben, edited).Refused(403, "SECOND_PERSON_REQUIRED")
		require.NotContains(t, readPayable(x.ben, edited).AllowedActions, "approve")

		var all struct {
			Results []struct {
				ID    string `json:"_id"`
				Error *struct {
					Code string `json:"code"`
				} `json:"error"`
			} `json:"results"`
			Approved int `json:"approved"`
			Refused  int `json:"refused"`
		}
		x.ada.Do(
			"POST",
			"/payables/approve",
			object{"ids": []string{large, clerks, small, clerks, "pbl_nobody"}},
		).OK(200).Into(&all)

		codes := make([]string, len(all.Results))
		for i, r := range all.Results {
			if r.Error != nil {
				codes[i] = r.Error.Code
			}
		}

		require.Equal(
			t,
			[]string{"SECOND_PERSON_REQUIRED", "", "PAYABLE_NOT_DRAFT", "PAYABLE_TWICE", "NOT_FOUND"},
			codes,
		)
		require.Equal(t, []int{1, 4}, []int{all.Approved, all.Refused})
		require.Equal(t, "APPROVED", readPayable(x.ada, clerks).Status)

		approve(x.ben, large).OK(200)
		id := pay(x.cleo, large, clerks).OK(201).ID()
		x.cleo.Act(id, "submit").OK(200)
		x.ada.Act(id, "accept").Refused(403, "SECOND_PERSON_REQUIRED") // she has written one of them
		x.ben.Act(id, "accept").OK(200)
		h.Settle()
		require.Equal(t, "PAID", readPayable(x.ada, large).Status)
		h.Oracle()
	})
}

// Every refusal of a payable with its field and code, all at once, the same for create and for PATCH.
func TestRefusedPayables(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		other := h.Client("Bob")
		carol := newPayee(h, c, "Carol")
		foreign := newPayee(h, other, "Dan")
		eur := c.NewBankAccount("EUR", "100")
		theirs := other.NewBankAccount("EUR", "101")
		crypto := carol.crypto("1.00")
		fiat := fiatPayable(c, eur, "EUR", "10.00")

		for _, x := range []struct {
			name string
			body object
			want []string
		}{
			{"no name, amount or reason", with(crypto, object{
				"name":   " ",
				"amount": "",
				"reason": "",
			}), []string{"/name REQUIRED", "/amount REQUIRED", "/reason REQUIRED"}},
			{"control characters", with(crypto, object{
				"name":          "a\u202eb",
				"invoiceNumber": "1\n2",
			}), []string{"/name FORMAT_INVALID", "/invoiceNumber FORMAT_INVALID"}},
			{"receiver of another organisation", with(crypto, object{"receiver": foreign.receiver}), []string{"/receiver RECEIVER_UNKNOWN", "/wallet WALLET_UNKNOWN"}},
			{"wallet of another organisation", with(crypto, object{"wallet": foreign.wallet}), []string{"/wallet WALLET_UNKNOWN"}},
			{"wallet of another receiver", with(crypto, object{"receiver": c.Receiver}), []string{"/wallet WALLET_UNKNOWN"}},
			{"no wallet, no token", with(crypto, object{
				"wallet":       "",
				"tokenIsoCode": "",
			}), []string{"/wallet REQUIRED", "/tokenIsoCode REQUIRED"}},
			{"a coin", with(crypto, object{"tokenIsoCode": "ETH"}), []string{"/tokenIsoCode TOKEN_UNKNOWN"}},
			{"seven decimals", with(crypto, object{"amount": "1.0000001"}), []string{"/amount AMOUNT_PRECISION"}},
			{"more than a payment takes", with(crypto, object{"amount": strings.Repeat("9", 40)}), []string{"/amount AMOUNT_TOO_LARGE"}},
			{"nothing", with(crypto, object{"amount": "0.00"}), []string{"/amount AMOUNT_ZERO"}},
			{
				"fields of FIAT", with(crypto, object{
					"bankAccount":     eur,
					"currencyIsoCode": "EUR",
					"reference":       "RF18539007547034",
				}),
				[]string{"/bankAccount NOT_ALLOWED", "/currencyIsoCode NOT_ALLOWED", "/reference NOT_ALLOWED"},
			},
			{"fields of CRYPTO", with(fiat, object{
				"wallet":       carol.wallet,
				"tokenIsoCode": "USDC",
			}), []string{"/wallet NOT_ALLOWED", "/tokenIsoCode NOT_ALLOWED"}},
			{"account of another organisation", with(fiat, object{"bankAccount": theirs}), []string{"/bankAccount BANK_ACCOUNT_UNKNOWN"}},
			{"account of another receiver", with(fiat, object{"receiver": carol.receiver}), []string{"/bankAccount BANK_ACCOUNT_UNKNOWN"}},
			{"currency of another account", with(fiat, object{"currencyIsoCode": "USD"}), []string{"/currencyIsoCode CURRENCY_MISMATCH"}},
			{"three decimals of euro", with(fiat, object{"amount": "1.001"}), []string{"/amount AMOUNT_PRECISION"}},
			{"mistyped reference", with(fiat, object{"reference": "RF19539007547034"}), []string{"/reference CREDITOR_REFERENCE_INVALID"}},
			{"no date", with(fiat, object{"expectedPaymentDate": "soon"}), []string{"/expectedPaymentDate FORMAT_INVALID"}},
			{"a date of another age", with(fiat, object{"expectedPaymentDate": "0026-11-30"}), []string{"/expectedPaymentDate OUT_OF_RANGE"}},
			{"all at once", with(fiat, object{
				"reason":          "a\nb",
				"receiver":        "x",
				"amount":          "-1",
				"bankAccount":     "",
				"currencyIsoCode": "",
				"wallet":          "x",
			}), []string{
				"/reason FORMAT_INVALID",
				"/receiver RECEIVER_UNKNOWN", "/amount AMOUNT_INVALID", "/bankAccount REQUIRED", "/currencyIsoCode REQUIRED", "/wallet NOT_ALLOWED",
			}},
		} {
			a := c.Do("POST", "/payables", x.body)
			require.Equal(t, 422, a.Status, "%s: %s", x.name, a.Raw)
			require.ElementsMatch(t, x.want, a.Fields(), "%s: %s", x.name, a.Raw)
		}

		c.Do("POST", "/payables", with(crypto, object{"status": "APPROVED"})).Refused(
			422,
			"NOT_IN_ENUM",
			"/status NOT_IN_ENUM",
		)

		c.Do("POST", "/payables", with(crypto, object{"fingerprint": "x"})).OK(422)
		id := create(c, fiat)

		c.Do("PATCH", "/payables/"+id, object{
			"amount":      "1.001",
			"bankAccount": theirs,
		}).Refused(422, "VALIDATION", "/amount AMOUNT_PRECISION", "/bankAccount BANK_ACCOUNT_UNKNOWN")

		c.Do("PATCH", "/payables/"+id, object{"amount": "11.00"}, apptest.Header{
			Name:  "If-Match",
			Value: `"7"`,
		}).Refused(412, "VERSION_MISMATCH")

		require.EqualValues(t, 1, readPayable(c, id).Version)

		c.Do("PATCH", "/payables/"+id, object{
			"amount":       "11.00",
			"instructions": "Before noon",
		}, apptest.Header{Name: "If-Match", Value: `"1"`}).OK(200)

		c.Do("PATCH", "/payables/"+id, object{
			"type":         "CRYPTO",
			"receiver":     carol.receiver,
			"wallet":       carol.wallet,
			"tokenIsoCode": "USDT",
			"amount":       "3.5",
		}).OK(200)

		v := readPayable(c, id)
		require.Equal(t, []string{"CRYPTO", "3.50"}, []string{v.Type, v.Amount})

		for _, path := range []string{"", "/reject", "/approve", "/duplicate", "/reopen"} {
			method := "POST"
			body := any(nil)

			if path == "" {
				method = "GET"
			}

			if path == "/reject" {
				body = object{"reason": "x"}
			}

			other.Do(method, "/payables/"+id+path, body).Refused(404, "NOT_FOUND")
		}

		c.Do("POST", "/payables/"+id+"/reject", object{"reason": "  "}).Refused(422, "REQUIRED", "/reason REQUIRED")
		c.Do("POST", "/payables/"+id+"/reject", object{"reason": "Wrong supplier"}).OK(200)
		v = readPayable(c, id)

		require.Equal(
			t,
			[]string{"REJECTED", "Wrong supplier", c.User},
			[]string{v.Status, v.Rejection.Reason, v.Rejection.By},
		)

		c.Do("POST", "/payables/"+id+"/approve", nil).Refused(409, "PAYABLE_NOT_DRAFT")
		again := c.Do("POST", "/payables/"+id+"/duplicate", nil).OK(201).ID()
		require.Equal(t, "DRAFT", readPayable(c, again).Status)
		require.Empty(t, readPayable(c, again).Warnings, "what was rejected is like nothing")

		other.Do("POST", "/transactions/payables", object{
			"payableIds": []string{id},
			"token":      "USDC",
		}).Refused(422, "PAYABLE_UNKNOWN", "/payableIds/0 PAYABLE_UNKNOWN")

		c.Do("POST", "/transactions/payables", object{"payableIds": []string{}, "token": "USDC"}).OK(422)
		c.Do("POST", "/transactions/payables", object{"payableIds": many30(id, 31), "token": "USDC"}).OK(422)
	})
}

func many30(id string, n int) []string { return slices.Repeat([]string{id}, n) }

// TestDefaultWallet: payables are paid from the default wallet; while none is set, from the only one that is proven
// and could.
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
		pay(c, p).Refused(422, "DEFAULT_WALLET_MISSING", "organisation /defaultWallet DEFAULT_WALLET_MISSING")

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
		pay(c, p).Refused(422, "DEFAULT_WALLET_MISSING")
		require.Contains(t, c.Do("GET", org, nil).OK(200).Raw, `"defaultWallet":null`)
		c.Do("PATCH", org, object{"defaultWallet": ""}).OK(200)
		pay(c, p).OK(201)
		h.Oracle()
	})
}

// TestPayablesThatLookAlike: the same receiver, amount and number are warned of, however the number is written;
// nothing is kept from happening.
func TestPayablesThatLookAlike(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		bob := newPayee(h, c, "Bob")
		first := create(c, with(bob.crypto("1.00"), object{"invoiceNumber": "RE-2026/117"}))
		require.Empty(t, readPayable(c, first).Warnings)

		create(c, with(bob.crypto("1.00"), object{"invoiceNumber": "RE-2026/118"}))
		create(c, with(bob.crypto("1.01"), object{"invoiceNumber": "RE-2026/117"}))

		var v payableView
		c.Do("POST", "/payables", with(bob.crypto("1.0"), object{"invoiceNumber": "re 2026 117"})).OK(201).Into(&v)
		require.Len(t, v.Warnings, 1)
		require.Equal(t, "POSSIBLE_DUPLICATE", v.Warnings[0].Code)
		require.Equal(t, []string{first}, v.Warnings[0].Payables)
		require.Equal(t, []string{v.ID}, readPayable(c, first).Warnings[0].Payables)

		h.Exec("UPDATE payables SET created_at = created_at - ? WHERE id = ?", int64(91*24)*3_600_000_000, first)
		require.Empty(t, readPayable(c, v.ID).Warnings, "what is older than 90 days is another one")
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

// TestPayablesAreListed: filters, orders, both ways of paging, and a number of statements that does not grow with the
// page.
func TestPayablesAreListed(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		other := h.Client("Bea")
		create(other, newPayee(h, other, "Zoe").crypto("1.00"))
		bob := newPayee(h, c, "Bob")
		carol := newPayee(h, c, "Carol")
		eur := c.NewBankAccount("EUR", "100")
		a := approved(c, with(bob.crypto("9.00"), object{"name": "Hosting", "expectedPaymentDate": "2026-12-01"}))

		b := create(c, with(carol.crypto("10.00"), object{
			"tokenIsoCode":        "DAI",
			"name":                "100% wool_",
			"expectedPaymentDate": "2026-12-24",
		}))

		d := create(c, with(fiatPayable(c, eur, "EUR", "9.50"), object{"invoiceNumber": "INV-7"}))
		e := approved(c, with(bob.crypto("100.00"), object{"name": "Design"}))
		pay(c, e).OK(201)

		list := func(query string) (ids []string) {
			t.Helper()

			var v struct {
				Results []payableView `json:"results"`
				Total   int           `json:"total"`
			}

			c.Do("GET", "/payables/me?"+query, nil).OK(200).Into(&v)

			for _, p := range v.Results {
				ids = append(ids, p.ID)
			}

			require.Equal(t, len(ids), v.Total)

			return ids
		}

		for query, want := range map[string][]string{
			"":                            {e, d, b, a},
			"direction=1":                 {a, b, d, e},
			"status[]=DRAFT":              {d, b},
			"status=DRAFT,APPROVED":       {e, d, b, a},
			"type[]=FIAT":                 {d},
			"receiver=" + bob.receiver:    {e, a},
			"currencies[]=EUR":            {d},
			"tokens[]=DAI":                {b},
			"tokens[]=DAI&currencies=EUR": {d, b},
			"expectedFrom=2026-12-02":     {b},
			"expectedTo=2026-12-01":       {a},
			"searchTerm=100%25%20WOOL_":   {b},
			"searchTerm=inv-7":            {d},
			"searchTerm=carol":            {b},
			"searchTerm=%25":              {b},
			"from=2099-01-01T00:00:00Z":   nil,
			"to=2099-01-01T00:00:00Z":     {e, d, b, a},
			"sortBy=amount&direction=1":   {a, d, b, e},
			"sortBy=_id":                  {e, d, b, a},
			"sortBy=expectedPaymentDate":  {b, a, e, d},
		} {
			require.Equal(t, want, list(query), query)
		}

		c.Do("GET", "/payables/me?sortBy=color", nil).OK(422)

		for _, order := range []string{"createdAt", "updatedAt", "expectedPaymentDate", "amount", "status", "type", "_id"} {
			for _, direction := range []string{"1", "-1"} {
				var seen []string

				for cursor := ""; ; {
					var v struct {
						Results []payableView `json:"results"`
						Next    *string       `json:"nextCursor"`
					}

					c.Do(
						"GET",
						"/payables/me?limit=1&sortBy="+order+"&direction="+direction+cursor,
						nil,
					).OK(200).Into(&v)

					seen = append(seen, v.Results[0].ID)
					if v.Next == nil {
						break
					}

					cursor = "&cursor=" + *v.Next
					c.Do("GET", "/payables/me?sortBy=receiver"+cursor, nil).OK(422)
				}

				require.Equal(t, list("sortBy="+order+"&direction="+direction), seen, order)
			}
		}

		statements := func(query string) (n int) {
			h.DB().Watch(func(string, []any) { n++ })
			defer h.DB().Watch(nil)
			list(query)

			return n
		}

		few := statements("tokens[]=USDC&currencies[]=EUR")

		for range 6 {
			approved(c, bob.crypto("1.00"))
		}

		require.Equal(t, few, statements("tokens[]=USDC&currencies[]=EUR"))
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
		require.Contains(t, mails[0].Text, "Waits for your approval: 1.00 USDC")
		require.Contains(t, mails[0].Text, "And 1 more.")
		require.NotContains(t, mails[0].HTML, "<b>\"")
		require.NotContains(t, mails[0].Text, "12.00 USDC", "it waits for nobody any more")
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
		require.Contains(t, told[0], "Paid: 1.00 USDC")
		require.Contains(t, told[0], "Paid: 2.00 USDC")
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
